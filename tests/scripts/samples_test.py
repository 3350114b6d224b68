# SPDX-License-Identifier: Apache-2.0
"""Which instructions of triton_tf32 wait for dispatch beside products (tests/data/h200/2026-11-30/samples_hopper.csv.gz)."""
import csv
import gzip
import unittest
from pathlib import Path

SAMPLES = Path(__file__).resolve().parent.parent / "data/h200/2026-11-30/samples_hopper.csv.gz"


def waits(launch, state):
    """By (pc, text): samples in this state, of instructions that have some."""
    with gzip.open(SAMPLES, "rt") as file:
        return {(row["pc"], row["text"]): int(row[state]) for row in csv.DictReader(file)
                if row["launch"] == launch and int(row[state])}


class Samples(unittest.TestCase):
    def test_copies_to_shared_memory_wait_for_dispatch_beside_products(self):
        found = waits("triton_tf32", "stall_dispatch")
        copies = {pc: count for (pc, text), count in found.items() if text.startswith("LDGSTS")}
        self.assertEqual(sum(found.values()), 42)
        self.assertEqual(copies, {"0f80": 22, "0fe0": 6, "1050": 1, "10b0": 4, "1110": 1, "1160": 2})

    def test_the_registers_of_the_first_copies_are_free_late(self):
        found = {pc: count for (pc, _), count in waits("triton_tf32", "stall_long_sb").items()}
        self.assertEqual([found[pc] for pc in ("0f30", "1000", "10c0")], [19, 5, 5])


if __name__ == "__main__":
    unittest.main()
