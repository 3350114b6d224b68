# SPDX-License-Identifier: Apache-2.0
"""What clock reads say of bulk writes and barriers (tests/data/h200/2026-11-30/stamps.csv.gz)."""
import csv
import gzip
import unittest
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data/h200/2026-11-30/stamps.csv.gz"


def stamps(probe):
    """By form and warp: cycles of the clock reads."""
    with gzip.open(DATA, "rt") as file:
        return {(row["form"], row["warp"]): [int(each) for each in row["cycles"].split()]
                for row in csv.DictReader(file) if row["probe"] == probe}


class Stamps(unittest.TestCase):
    def test_the_first_write_through_a_map_waits_for_it(self):
        for (form, warp), at in stamps("tensor_writes").items():
            kind, rows, warps = map(int, form.split())
            if warps != 1 or kind > 4 or rows < 16:
                continue
            later = (at[2] - at[1]) - (at[22] - at[21])
            self.assertIn(later, range(30, 42), form)
            self.assertEqual(at[23] - at[22], 6, "nothing waits for the writes themselves")

    def test_reductions_take_longer_by_the_kib(self):
        found = stamps("tensor_writes")
        whole = lambda kind, rows: found[f"{kind} {rows} 1", "0"][22] - found[f"{kind} {rows} 1", "0"][20]
        self.assertEqual(whole(0, 256) - whole(0, 128), 512)
        self.assertEqual(whole(1, 256) - whole(1, 128), 640)

    def test_pairs_of_exchange_and_arrival_take_56_cycles(self):
        at = stamps("chains")["", "0"]
        self.assertAlmostEqual((at[3] - at[2]) / 3, 56, delta=1)


if __name__ == "__main__":
    unittest.main()
