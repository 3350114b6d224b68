#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The probes of conflicts.py, turns.py and results.py whose warps all run one sequence, as `shflsim accuracy` reads
them: scripts/lab/hw/conflict_rows.py FOLDER reads FOLDER/conflicts.csv.gz and FOLDER/turns.csv.gz (what turns.py
wrote) and writes FOLDER/conflicts.sm90.cuobjdump.txt.gz, FOLDER/conflicts.timing.csv.gz and
FOLDER/conflicts.bases.csv.gz. FOLDER/results.csv.gz, FOLDER/dense.csv.gz and FOLDER/products.csv.gz (what results.py,
dense.py and products.py wrote) become three files of this kind each. A file that is not there is left out.
Compare with --passes 1 --set fetch.warm=1. Needs the release build (SHFLSIM).
"""
import csv
import gzip
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import conflicts
import dense
import products
import queue_rows
import results
import turns
from issue import MASK, encoded

MASKS = (0x1, 0x3, 0xF)  # no warp of these blocks is idle
ADDRESSES = {0: ("R6", "same"), 4: ("R9", "row"), 8: ("R8", "stride2"), 16: ("R11", "stride4"), 32: ("R10", "stride8"),
             64: ("R29", "stride16"), 128: ("R28", "stride32")}
NAMES = {"data": "R20", "d0": "R40", "d1": "R44", "d2": "R48", "d3": "R52", "d0o": "R41", "e0": "R44", "o0": "R45", "e1": "R48", "o1": "R49", "tp": "R12", "g0": "R14", "g4": "R16",
         "g16": "R18", "g128": "R24", "tid": "R3", "lane": "R4", "warp": "R5", "q0": "R26", "x0": "R31",
         "x1": "R32", "y0": "R33", "y1": "R34", "none": "R6", **{f"s{stride}": name for stride, (name, _) in ADDRESSES.items()},
         **{name: f"R{40 + 2 * (i // 2) + i % 2}" for i, name in enumerate(results.NAMES)}}


def measured(path):
    """The clocks of each warp of each probe, of its last launch."""
    found = {}
    with gzip.open(path, "rt") as table:
        for row in csv.DictReader(table):
            found.setdefault(row["probe"], {})[int(row["warp"])] = [int(each) for each in row["clocks"].split()]
    return found


def code_of(steps, first):
    """The sequence with its first and last read of the clock; the others read something else. The first read's register."""
    reads = [i for i, (text, _) in enumerate(steps) if text == "read"]
    code = []
    for i, (text, control) in enumerate(steps):
        if text == "read":
            text = f"CS2R.32 R{first + reads.index(i)}, SR_CLOCK{'LO' if i in (reads[0], reads[-1]) else 'HI'}"
        code.append((text.format(**NAMES), control))
    return code + queue_rows.END


def row_of(name, clocks):
    begin, ends = min(each[0] for each in clocks), max(each[-1] for each in clocks)
    times = sorted(each[-1] - each[0] for each in clocks)
    place = "one" if len(clocks) == 1 else "spread"
    span = ends - begin
    return (f"{name},,{place},{len(clocks)},{span},{span},{span},{times[0]},{times[(len(times) - 1) // 2]},"
            f"{times[-1]}\n")


def write(folder, name, tables, first=60):
    """The three files of a name, of tables (probes, name of the file of measured clocks)."""
    if not (folder / f"{tables[0][1]}.csv.gz").exists():
        return
    code, rows = {}, []
    for listed, file in tables:
        times = measured(folder / f"{file}.csv.gz")
        for probe, steps, other, mask, _ in listed:
            if other is None and mask in MASKS:
                label = f"turn_{probe}" if probe in code else probe
                code[label] = code_of(steps, first)
                rows.append(row_of(label, list(times[probe].values())))
    words = {text: word & ~MASK for text, word in encoded(code).items()}
    queue_rows.write(folder / f"{name}.sm90.cuobjdump.txt.gz", "\n\tcode for sm_90\n" + "".join(
        queue_rows.listing(label, steps, words) for label, steps in code.items()))
    queue_rows.write(folder / f"{name}.timing.csv.gz", "kernel,note,placement,warps,span_min,span_median,"
                     "span_max,warp_min,warp_median,warp_max\n" + "".join(rows))
    patterns = dict(ADDRESSES.values())
    bases = sorted({(label, base) for label, steps in code.items() for text, _ in steps
                    for base in re.findall(r"\[(R\d+)", text) if base in patterns})
    queue_rows.write(folder / f"{name}.bases.csv.gz", "kernel,register,pattern\n" + "".join(
        f"{label},{base},{patterns[base]}\n" for label, base in bases))


def main():
    folder = Path(sys.argv[1])
    write(folder, "conflicts", ((conflicts.probes(), "conflicts"), (turns.probes(), "turns")))
    write(folder, "results", ((results.probes(), "results"),))
    write(folder, "dense", ((dense.probes(), "dense"),), 61)  # the banks of the reads as on the chip
    NAMES.update(x0="R32", x1="R31")
    write(folder, "products", ((products.probes(), "products"),), 61)


if __name__ == "__main__":
    main()
