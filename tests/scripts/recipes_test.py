# SPDX-License-Identifier: Apache-2.0
"""The code that docs/architecture.md shows compiles: it is part of a test."""
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


if __name__ == "__main__":
    unittest.main()
