# SPDX-License-Identifier: Apache-2.0
"""The tests that CONTRIBUTING names for what users expect are there."""
import os
import re
import subprocess
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


class Expectations(unittest.TestCase):
    def test_the_tests_that_are_named_exist(self):
        rows = re.findall(r"^\| .* \| (`.*`) \|$", (TOP / "CONTRIBUTING.md").read_text(), re.MULTILINE)
        self.assertEqual(len(rows), 22)
        listed = subprocess.run(["ctest", "-N"], cwd=os.environ["SHFLSIM_BUILD"], check=True, text=True,
                                stdout=subprocess.PIPE).stdout
        known = set(re.findall(r"Test +#\d+: (\S+)", listed))
        known |= {name.partition(".")[2] for name in known}  # without its floor
        for file in (TOP / "tests/scripts").glob("*_test.py"):
            known |= set(re.findall(r"def (test_\w+)", file.read_text()))
        for name in re.findall(r"`([^`]*)`", " ".join(rows)):
            self.assertTrue(name in known or (TOP / name.split()[0]).is_file(), name)


if __name__ == "__main__":
    unittest.main()
