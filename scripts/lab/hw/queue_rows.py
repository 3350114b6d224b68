#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The probes of one warp of queues.py as `shflsim accuracy` reads them: scripts/lab/hw/queue_rows.py FOLDER
reads FOLDER/queues.csv.gz and writes FOLDER/queues.sm90.cuobjdump.txt.gz, FOLDER/queues.timing.csv.gz
and FOLDER/queues.bases.csv.gz. Compare with --passes 1 --set fetch.warm=1. Needs the release build (SHFLSIM).
"""
import csv
import gzip
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from issue import MASK, encoded
from queues import rows, step

PATTERNS = {"R8": "row", "R9": "row", "R10": "stride2", "R12": "stride4"}
READS = step("CS2R.32 R2, SR_CLOCKLO", 1), step("CS2R.32 R3, SR_CLOCKLO", 1)
END = [step("NOP", 15, waits=63), step("NOP", 15), step("EXIT", 5)]


def measured(folder):
    """The cycles of each probe of one warp; no launch differs from another."""
    with gzip.open(folder / "queues.csv.gz", "rt") as table:
        return {row["probe"]: int(row["clocks"].split()[1]) for row in csv.DictReader(table)}


def listing(name, steps, words):
    lines = [f"\t\tFunction : {name}"]
    for i, (text, control) in enumerate(steps):
        low, high = (words[text] | control << 105) & 2**64 - 1, (words[text] | control << 105) >> 64
        lines += [f"        /*{16 * i:04x}*/                   {text + ' ;':<55} /* 0x{low:016x} */",
                  f"{'':90}/* 0x{high:016x} */"]
    return "\n".join(lines) + "\n"


def write(path, text):
    with gzip.GzipFile(path, "wb", mtime=0) as out:
        out.write(text.encode())


def main():
    folder, found = Path(sys.argv[1]), {name: [READS[0], *steps, READS[1], *END] for name, steps in rows()}
    words = {text: word & ~MASK for text, word in encoded(found).items()}
    write(folder / "queues.sm90.cuobjdump.txt.gz", "\n\tcode for sm_90\n" + "".join(
        listing(name, steps, words) for name, steps in found.items()))
    cycles = measured(folder)
    write(folder / "queues.timing.csv.gz",
          "kernel,note,placement,warps,span_min,span_median,span_max,warp_min,warp_median,warp_max\n" + "".join(
              f"{name},,one,1" + 6 * f",{cycles[name]}" + "\n" for name in found))
    bases = sorted({(name, base) for name, steps in found.items() for text, _ in steps
                    for base in re.findall(r"\[(R\d+)", text)})
    write(folder / "queues.bases.csv.gz", "kernel,register,pattern\n" + "".join(
        f"{name},{base},{PATTERNS[base]}\n" for name, base in bases))


if __name__ == "__main__":
    main()
