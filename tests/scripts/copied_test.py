# SPDX-License-Identifier: Apache-2.0
"""Which pieces of a copied buffer SMs of each half of the L2 have copied (tests/data/h200/2026-11-30/copied.csv.gz)."""
import csv
import gzip
import itertools
import unittest
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data/h200/2026-11-30"
APART, FIRST, OTHER = 0.5, "0", "4"  # KiB between the lines; an SM of each half


def far(turns):
    lengths = [round(float(length) / APART) for length in turns.split()]
    return [number % 2 == 1 for number, length in enumerate(lengths) for _ in range(length)]


def copied(size):
    """Pieces in KiB, in turn of the half of SM 0 and of the other one."""
    with gzip.open(DATA / "copied.csv.gz", "rt") as file:
        rows = {(row[3], row[4]): far(row[5]) for row in csv.reader(file) if row[:3] == ["plain", str(size), "0"]}
    halves = [other if home_is_far else not first for home_is_far, other, first in
              zip(rows["host", FIRST], rows["device", FIRST], rows["device", OTHER])]
    return [APART * len(list(group)) for _, group in itertools.groupby(halves)]


class Copied(unittest.TestCase):
    def test_sixteen_equal_pieces_follow_the_first(self):
        self.assertEqual(copied(24 << 10), [6, 2, 2, 4, 2, 4, 4])
        self.assertEqual(copied(40 << 10), [6, 2, 4, 8, 4, 8, 8])

    def test_pieces_have_at_most_8_kib(self):
        self.assertEqual(copied(128 << 10), [6, 2, 16, 32, 16, 32, 24])


if __name__ == "__main__":
    unittest.main()
