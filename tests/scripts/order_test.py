# SPDX-License-Identifier: Apache-2.0
"""What an H200 shows of the warp that issues: docs/sources.md, "Which warp issues"."""
import sys
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "scripts/lab/hw"))
import order


class Order(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = order.explained(TOP / "tests/data/h200/2026-11-29/order.csv.gz")

    def share(self, names):
        right, count = map(sum, zip(*(self.found[name] for name in names)))
        return right / count

    def test_warps_that_ask_to_stay_keep_their_order(self):
        chunks = [f"c{n}l{long}" for n in (2, 3, 4, 6, 8, 12) for long in (5, 8, 11)]
        self.assertEqual(1, self.share(chunks + [f"s{stall}y1" for stall in (2, 3, 4, 5, 6, 8, 11)]))

    def test_a_warp_that_asks_for_another_becomes_the_last(self):
        self.assertLess(0.93, self.share([f"s{stall}y0" for stall in (5, 6, 8, 11)]))

    def test_stalls_of_four_among_longer_ones_are_not_explained(self):
        self.assertGreater(0.6, self.share([f"d{n}l{long}" for n in (3, 4, 6, 8) for long in (8, 11)]))


if __name__ == "__main__":
    unittest.main()
