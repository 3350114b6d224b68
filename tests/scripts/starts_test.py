# SPDX-License-Identifier: Apache-2.0
"""How far apart the warps of a block pass a timed loop on an H200 (tests/data/h200/2026-11-30/starts.csv.gz)."""
import csv
import gzip
import unittest
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data/h200/2026-11-30/starts.csv.gz"
FILLED, LAST = 2, 17


class Starts(unittest.TestCase):
    def test_warps_are_four_cycles_apart_behind_the_filling_and_stay_so(self):
        with gzip.open(DATA, "rt") as file:
            rows = [row for row in csv.DictReader(file) if (row["launch"], row["warps"]) == ("1", "4")]
        apart = lambda kernel, at: [int(row["clocks"].split()[at]) - int(first["clocks"].split()[at]) for row in rows
                                    if row["kernel"] == kernel for first in rows if first["kernel"] == kernel and first["warp"] == "0"]
        self.assertEqual([0, 4, 8, 12], apart("chain60", FILLED))
        self.assertEqual([0, 4, 8, 12], apart("chain60", LAST))
        self.assertEqual([0, 5, 8, 11], apart("chain300", LAST))
        self.assertEqual([0, 2, 4, 5], apart("shuffles", LAST))


if __name__ == "__main__":
    unittest.main()
