# SPDX-License-Identifier: Apache-2.0
"""The tests that CONTRIBUTING names for users' expectations exist."""
import os
import re
import subprocess
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


def output_of(*command, **more):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **more).stdout


def tests_of(program):
    """The names FOLDER.SUITE.TEST of the tests in a GoogleTest program FOLDER_tests."""
    folder = program.name.removesuffix("_tests")
    suite = ""
    for line in output_of(program, "--gtest_list_tests").splitlines():
        name = line.partition("#")[0].strip()
        if line.startswith(" "):
            yield f"{folder}.{suite}{name}"
        else:
            suite = name


class Expectations(unittest.TestCase):
    def test_the_tests_that_are_named_exist(self):
        rows = re.findall(r"^\| .* \| (`.*`) \|$", (TOP / "CONTRIBUTING.md").read_text(), re.MULTILINE)
        self.assertEqual(len(rows), 22)
        build = Path(os.environ["SHFLSIM_BUILD"])
        known = set(re.findall(r"Test +#\d+: (\S+)", output_of("ctest", "-N", cwd=build)))
        for tests in build.glob("tests/*/*_tests"):
            known |= set(tests_of(tests))
        known |= {name.partition(".")[2] for name in known}  # without its folder
        for file in (TOP / "tests/scripts").glob("*_test.py"):
            known |= set(re.findall(r"def (test_\w+)", file.read_text()))
        for name in re.findall(r"`([^`]*)`", " ".join(rows)):
            self.assertTrue(name in known or (TOP / name.split()[0]).is_file(), name)


if __name__ == "__main__":
    unittest.main()
