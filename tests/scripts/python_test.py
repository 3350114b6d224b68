# SPDX-License-Identifier: Apache-2.0
"""`import shflsim` from packaging/python of a checkout, without a module built for it."""
import os
import sys
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
os.environ.setdefault("SHFLSIM", str(TOP / "build/release/shflsim"))
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOP / "packaging/python"))

import shflsim  # noqa: E402

SCAN = str(TOP / "traces/scan_inclusive.sass")
LAUNCH = {"reg": {"Rsum": 1.0}}


class Module(unittest.TestCase):
    def test_an_empty_table_has_the_shape_of_a_filled_one(self):
        result = shflsim.run(SCAN, **LAUNCH)
        self.assertEqual(result["instructions"]["passes"][:4], [1, None, 1, None])
        self.assertEqual(result["findings"]["pc"], [])
        with self.assertRaises(KeyError):
            result["instructions"]["nothing"]

    def test_diff_takes_results_and_files(self):
        whole, half = (shflsim.run(SCAN, **LAUNCH, set={"shuffle.lanes": lanes}) for lanes in (32, 16))
        self.assertEqual(shflsim.diff(whole, whole)["beyond"], 0)
        found = shflsim.diff(whole, half)
        self.assertGreater(found["beyond"], 0)
        at = found["differences"]["metric"].index("cycles")
        self.assertEqual(found["differences"]["a"][at], whole["totals"]["cycles"])
        self.assertEqual(found["differences"]["b"][at], half["totals"]["cycles"])

    def test_check_has_findings(self):
        self.assertEqual(shflsim.check(str(TOP / "traces/suite/fft_32.sass"))["findings"]["pc"], [])

    def test_a_notebook_shows_the_verdict_and_the_totals(self):
        text = shflsim.run(SCAN, **LAUNCH)._repr_html_()
        for part in ("bound by:", "<th>figure</th>", "<td>cycles</td>"):
            self.assertIn(part, text)
        self.assertIn("<th>passes</th>", shflsim.run(SCAN, **LAUNCH)["instructions"]._repr_html_())

    def test_only_what_is_meant_is_listed(self):
        self.assertEqual(dir(shflsim), sorted(shflsim.__all__))


if __name__ == "__main__":
    unittest.main()
