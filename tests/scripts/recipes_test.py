# SPDX-License-Identifier: Apache-2.0
"""The code that docs/architecture.md shows is code that compiles: it stands in a test."""
import re
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


class Recipes(unittest.TestCase):
    def test_every_code_sample_stands_in_a_test(self):
        samples = re.findall(r"```cpp\n(.*?)```", (TOP / "docs/architecture.md").read_text(),
                             re.DOTALL)
        self.assertEqual(len(samples), 7)
        tests = [path.read_text() for path in sorted((TOP / "tests").rglob("*_test.cc"))]
        for sample in samples:
            self.assertTrue(any(sample in test for test in tests), sample)

    def test_every_file_that_is_named_is_there(self):
        text = (TOP / "docs/architecture.md").read_text()
        names = set(re.findall(r"`((?:isa|traces|model|rtl|report|sweep|cli|tests|scripts|configs)"
                               r"/[\w/.]+)`", text))
        self.assertGreater(len(names), 20)
        for name in sorted(names - {"model/scheduler/NAME.cc", "configs/NAME.cfg",
                                    "model/shuffle/networks/NAME.cc"}):
            self.assertTrue((TOP / name).exists(), name)


if __name__ == "__main__":
    unittest.main()
