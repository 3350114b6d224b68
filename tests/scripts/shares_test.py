# SPDX-License-Identifier: Apache-2.0
"""Accesses to shared memory beside products of a warp group, on an H200 (tests/data/h200/2026-11-30/shares.csv.gz) and in the model."""
import csv
import gzip
import struct
import unittest
from pathlib import Path

import one_block

DATA = Path(__file__).resolve().parent.parent / "data/h200/2026-11-30"
STORES, CHAIN, SHUFFLES, WARPS, ROUNDS = "3", "7", "8", 8, 60


def rate(words):
    """Operations of the warps beside the products, per cycle."""
    return sum(16 * words[16 + 4 * w] / words[17 + 4 * w] for w in range(WARPS))


def measured():
    with gzip.open(DATA / "shares.csv.gz", "rt") as file:
        return {(row["kernel"], row["operation"]): rate([int(w) for w in row["words"].split()]) for row in csv.DictReader(file)
                if (row["groups"], row["warps"]) == ("1", str(WARPS))}


def modelled(kernel, operation):
    left = one_block.left(DATA / "shares.sm90.cubin.gz", kernel, 4 + WARPS, 1 << 20, (operation, 1, ROUNDS),
                          ("--shared", "66560", "--set", "fetch.warm=1"))
    return rate(struct.unpack("<64I", left[:256]))


class Shares(unittest.TestCase):
    CHIP = measured()

    def test_other_accesses_take_what_products_leave_of_shared_memory(self):
        for kernel in ("bf16_96_shared", "bf16_128_shared"):
            for operation in (STORES, CHAIN, SHUFFLES):
                chip = self.CHIP[kernel, operation]
                self.assertLess(abs(modelled(kernel, operation) / chip - 1), 0.2, (kernel, operation, chip))

    def test_where_products_read_all_the_time_they_have_a_turn_between_two_reads(self):
        for operation in (STORES, CHAIN, SHUFFLES):
            chip = self.CHIP["bf16_64_shared", operation]
            self.assertLess(chip, 0.08)
            self.assertLess(modelled("bf16_64_shared", operation), 1.6 * chip)


if __name__ == "__main__":
    unittest.main()
