# SPDX-License-Identifier: Apache-2.0
"""Loads and shuffles behind a full buffer of stores, on an H200 (tests/data/h200/2026-11-30/beats.csv.gz)."""
import csv
import gzip
import unittest
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data/h200/2026-11-30/beats.csv.gz"


class Beats(unittest.TestCase):
    def test_loads_of_shared_memory_pass_wide_data(self):
        with gzip.open(DATA, "rt") as file:
            rows = {row["probe"]: [int(clock) for clock in row["clocks"].split()]
                    for row in csv.DictReader(file) if row["warp"] == row["launch"] == "0"}
        cycles = lambda name: rows[name][20] - rows[name][0]
        self.assertEqual(504, cycles("late_ldschain_stg128_ee"))
        self.assertEqual(782, cycles("late_ldschain_stg_ee"))
        self.assertEqual(946, cycles("late_shflchain_stg128_ee"))


if __name__ == "__main__":
    unittest.main()
