# SPDX-License-Identifier: Apache-2.0
"""What waits behind accesses to global memory, on an H200 (tests/data/h200/2026-11-30/behind.csv.gz) and in the model."""
import csv
import gzip
import statistics
import struct
import unittest
from pathlib import Path

import one_block

DATA = Path(__file__).resolve().parent.parent / "data/h200/2026-11-30"


def rows(kernel, warps):
    """For each layout: cycles until the word has come, behind the issue of the accesses, and all; means of the warps."""
    with gzip.open(DATA / "behind.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            if row["kernel"] == kernel and int(row["warps"]) == warps:
                times = [[int(t) for t in warp.split("/")] for warp in row["cycles"].split()]
                yield row, [statistics.mean(column) for column in list(zip(*times))[1:]]


def modelled(row):
    warps, memory = int(row["warps"]), int(row["memory"])
    numbers = (int(row["lanes"]).bit_length() - 1, int(row["stride"]), memory - 1)
    words = struct.unpack_from(f"<{3 * warps}Q", one_block.left(DATA / "behind.sm90.cubin.gz", row["kernel"], warps, memory, numbers,
                                                                ("--shared", "40960", "--set", "global_memory.l2_warm=1")))
    return [statistics.mean(words[1::3]), statistics.mean(words[2::3])]


class Behind(unittest.TestCase):
    def errors(self, kernel, warps):
        """Mean differences of the two times in cycles over the layouts."""
        found = [[], []]
        for row, measured in rows(kernel, warps):
            for errors, one, other in zip(found, measured, modelled(row)):
                errors.append(abs(one - other))
        self.assertGreater(len(found[0]), 4)
        return [statistics.mean(errors) for errors in found]

    def test_shared_memory_goes_past_sixteen_loads(self):
        word, _ = self.errors("load_ca_4_shared", 8)
        self.assertLess(word, 40)  # 163 if it waits for all of them

    def test_shared_memory_goes_past_copies(self):
        word, done = self.errors("copy_cg_4_shared", 8)
        self.assertLess(word, 75)
        self.assertLess(done, 75)

    def test_copies_take_as_long_as_their_data_is_written(self):
        _, done = self.errors("copy_cg_8_special", 8)
        self.assertLess(done, 150)


if __name__ == "__main__":
    unittest.main()
