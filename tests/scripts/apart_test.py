# SPDX-License-Identifier: Apache-2.0
"""What an H200 shows of stores, SR_CgaCtaId and special functions (tests/data/h200/2026-11-30/apart.csv.gz), and of each
instruction of a mix (prefixes.csv.gz)."""
import csv
import gzip
import unittest
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "tests/data/h200/2026-11-30"


class Apart(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.clocks = {}
        for line in gzip.open(DATA / "apart.csv.gz", "rt").readlines()[1:]:
            name, _, clocks = line.strip().split(",")
            cls.clocks.setdefault(name, []).append([int(each) for each in clocks.split()])

    def test_a_store_takes_longer_beside_two_and_three_other_sub_partitions(self):
        for mask, cycles in (("1", 6), ("3", 6), ("7", 7), ("f", 8)):
            for warp in self.clocks[f"A_row_g4_{mask}_1"]:
                self.assertEqual(10 * cycles, warp[30] - warp[20])

    def test_the_number_in_the_cluster_waits_for_nothing(self):
        for before, stores in (("none", 0), ("sts", 1), ("stsx2", 2), ("stsx4", 4)):
            self.assertEqual(27 + stores, self.clocks[f"B_{before}_1_1_Cga"][0][-1])

    def test_a_write_of_the_bank_delays_the_next_special_function_by_a_cycle(self):
        late = {(bank, count, at) for bank in "eo" for count in (1, 2, 3, 4, 6, 8) for at in range(9, 16)
                if self.clocks[f"C_{bank}_{count}_{at}"][0][-1] > max(25, at + count + 1) + 2}
        self.assertEqual({("e", count, 9) for count in (1, 2, 3, 4, 6, 8)}, late)


class Prefixes(unittest.TestCase):
    def test_a_read_behind_all_instructions_has_the_time_of_the_whole_mix(self):
        with gzip.open(DATA / "prefixes.csv.gz", "rt") as file:
            clocks = {row["kernel"]: int(row["clock"]) for row in csv.DictReader(file) if row["set"] == "mixes101"}
        with (DATA / "mixes101.csv").open() as file:
            whole = {row["kernel"]: int(row["warp_median"]) for row in csv.DictReader(file)
                     if (row["placement"], row["warps"]) == ("spread", "1")}
        self.assertEqual(48, len(clocks))
        self.assertEqual(whole, clocks)


if __name__ == "__main__":
    unittest.main()
