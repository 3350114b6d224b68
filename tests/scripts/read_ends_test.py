# SPDX-License-Identifier: Apache-2.0
"""When SMs end random reads, on an H200 (tests/data/h200/2026-11-30/read_ends.csv.gz) and in the model of an H100."""
import csv
import gzip
import json
import os
import statistics
import subprocess
import tempfile
import unittest
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data/h200/2026-11-30"
SMS, WARPS = 132, 8


def measured(kind):
    """Cycles of each SM in a launch."""
    with gzip.open(DATA / "read_ends.csv.gz", "rt") as file:
        return [int(row["cycles"]) for row in csv.DictReader(file)
                if (row["kind"], row["mib"], row["warps"], row["launch"]) == (kind, "8", str(WARPS), "1")]


def modelled(kind, rows, steps):
    with tempfile.TemporaryDirectory() as name:
        cubin, out = Path(name) / "probe.cubin", Path(name) / "result.json"
        cubin.write_bytes(gzip.decompress((DATA / "read_ends.sm90.cubin.gz").read_bytes()))
        values = (f"fill:{8 << 20}:00", f"u32:{rows}", f"u32:{steps}", f"fill:{SMS * 512}:00")
        subprocess.run([os.environ["SHFLSIM"], "run", cubin, "--kernel", kind, "--grid", str(SMS), "--block", str(32 * WARPS),
                        "--config", "h100", "--sms", str(SMS), "--set", "global_memory.l2_warm=1", "--json", out, "--quiet",
                        "--no-verdict", *(word for value in values for word in ("--arg", value))], check=True,
                       stdout=subprocess.DEVNULL)
        ends = {}
        for warp in json.loads(out.read_text())["warps"]:
            ends[warp["sm"]] = max(ends.get(warp["sm"], 0), warp["finish"])
        return list(ends.values())


class ReadEnds(unittest.TestCase):
    def test_sms_of_small_cpcs_end_scattered_reads_early(self):
        for ends in (measured("sectors"), modelled("sectors", 8 << 15, 6)):
            mean = statistics.mean(ends)
            self.assertEqual(sum(end < 0.9 * mean for end in ends), 24)
            self.assertAlmostEqual(min(ends) / mean, 0.78, delta=0.06)
            self.assertAlmostEqual(max(ends) / mean, 1.06, delta=0.02)

    def test_no_sm_ends_reads_of_rows_early(self):
        for ends in (measured("rows"), modelled("rows", 8 << 13, 16)):
            self.assertGreater(min(ends), 0.9 * statistics.mean(ends))


if __name__ == "__main__":
    unittest.main()
