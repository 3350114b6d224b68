# SPDX-License-Identifier: Apache-2.0
"""When loads of one SM issue and return, on an H200 (tests/data/h200/2026-11-30/in_flight.csv.gz) and in the model."""
import csv
import gzip
import struct
import unittest
from pathlib import Path

import one_block

DATA = Path(__file__).resolve().parent.parent / "data/h200/2026-11-30"
KERNEL, LOADS, WARPS = "words_24", 24, 32


def measured(lines, rows):
    with gzip.open(DATA / "in_flight.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            if (row["kernel"], row["lines"], row["rows"], row["warps"]) == (KERNEL, lines, str(rows), str(WARPS)):
                return times([[int(t) for t in warp.split("/")] for warp in row["cycles"].split()])


def modelled(lines, rows):
    left = one_block.left(DATA / "in_flight.sm90.cubin.gz", KERNEL, WARPS, 16 << 20, ((32 // rows).bit_length() - 1,),
                          ("--set", f"global_memory.l2_warm={int(lines != 'dram')}", "--set", "fetch.warm=1"))
    words = struct.unpack_from(f"<{WARPS * (LOADS + 2)}I", left)
    return times([words[i:i + LOADS + 2] for i in range(0, len(words), LOADS + 2)])


def times(warps):
    """When loads have issued, in order, and when the last warp has its data."""
    first = min(warp[0] for warp in warps)
    return sorted(t - first for warp in warps for t in warp[1:-1]), max(warp[-1] for warp in warps) - first


class InFlight(unittest.TestCase):
    def test_loads_of_the_l2_issue_and_return_as_on_the_chip(self):
        for rows in (1, 2, 4, 8):
            chip, model = measured("written", rows), modelled("written", rows)
            self.assertLess(abs(model[0][-1] / chip[0][-1] - 1), 0.05, rows)
            self.assertLess(abs(model[1] / chip[1] - 1), 0.06, rows)

    def test_512_loads_and_those_of_the_mio_are_in_flight_when_the_first_returns(self):
        for issued, _ in (measured("dram", 1), modelled("dram", 1)):
            self.assertIn(sum(time <= 700 for time in issued), range(560, 620))  # 633 without a limit


if __name__ == "__main__":
    unittest.main()
