# SPDX-License-Identifier: Apache-2.0
"""Loads of lines that other warps store to, on an H200 (tests/data/h200/2026-11-30/line_writes.csv) and in its model."""
import csv
import gzip
import os
import statistics
import subprocess
import tempfile
import unittest
from array import array
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data/h200/2026-11-30"
BASE, SMS = 0x7e0000000000, 132


def measured(reads, offset, mask):
    """Median of the cycles of a round; a warp on each SM."""
    with (DATA / "line_writes.csv").open() as file:
        for row in csv.DictReader(file):
            if (row["load"], row["store"], int(row["blocks"]), int(row["reads"]), int(row["offset"]),
                    int(row["mask"])) == ("weak", "weak", SMS, reads, offset, mask):
                return int(row["median"])


def modelled(reads, offset, mask):
    with tempfile.TemporaryDirectory() as name:
        cubin, out = Path(name) / "probe.cubin", Path(name) / "log.bin"
        cubin.write_bytes(gzip.decompress((DATA / "line_writes.sm90.cubin.gz").read_bytes()))
        values = (f"words@{BASE:#x}=fill:{1 << 20}:00", f"u64:{BASE + offset}", f"log=fill:{4 * SMS}:00", f"u32:{reads}",
                  f"u32:{reads}", f"u32:{mask}", "u32:0")
        subprocess.run([os.environ["SHFLSIM"], "run", cubin, "--kernel", "mixed_00", "--grid", str(SMS), "--config", "h200",
                        "--sms", str(SMS), "--set", "global_memory.l2_warm=1", "--save", f"log:{out}", "--quiet",
                        "--no-verdict", *(word for value in values for word in ("--arg", value))], check=True,
                       stdout=subprocess.DEVNULL)
        return statistics.median(array("I", out.read_bytes()))


class LineWrites(unittest.TestCase):
    def test_reads_wait_for_writes_of_their_line(self):
        for reads, mask, share in ((16, 0, 0.4), (16, 7, 0.6), (128, 7, 0.2), (1024, 0, 0.7)):
            with self.subTest(reads=reads, mask=mask):
                chip = measured(reads, 0, mask)
                self.assertAlmostEqual(modelled(reads, 0, mask), chip, delta=share * chip)

    def test_reads_do_not_wait_for_writes_of_other_lines(self):
        self.assertLess(modelled(16, 65536, 0), 1.2 * measured(16, 65536, 0))


if __name__ == "__main__":
    unittest.main()
