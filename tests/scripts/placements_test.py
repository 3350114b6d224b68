# SPDX-License-Identifier: Apache-2.0
"""Where the buffers of a launch of one block are decides up to a third of its time (tests/data/h200/2026-11-30/placements.csv.gz)."""
import csv
import gzip
import statistics
import unittest
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data"


def placements():
    """By launch: the cycles of the third run in each variant."""
    found = {}
    with gzip.open(DATA / "h200/2026-11-30/placements.csv.gz", "rt") as file:
        for row in list(csv.reader(file))[1:]:
            found.setdefault(row[2], []).append(float(row[5]))
    return found


class Placements(unittest.TestCase):
    def test_the_first_variant_is_that_of_the_launches(self):
        found, errors = placements(), []
        for folder in DATA.glob("h100/hopper*"):
            with open(folder / "one_block_launches.csv") as file:
                errors += [abs(found[row["launch"]][0] / float(row["cycles"]) - 1) for row in csv.DictReader(file)
                           if row["caches"] == "warm"]
        self.assertEqual(len(errors), 115)
        self.assertLess(statistics.median(errors), 0.003)

    def test_the_variants_differ(self):
        spreads = [(max(cycles) - min(cycles)) / statistics.mean(cycles) for cycles in placements().values()]
        self.assertAlmostEqual(statistics.mean(spreads), 0.044, delta=0.002)
        self.assertAlmostEqual(statistics.median(spreads), 0.020, delta=0.002)
        self.assertLess(max(spreads), 0.35)


if __name__ == "__main__":
    unittest.main()
