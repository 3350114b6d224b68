# SPDX-License-Identifier: Apache-2.0
"""Times of results of SHFL and shared memory beside those of matrix products, and of math whose operands are read beside
those of products, on sm_90, as conflicts.py does: scripts/lab/hw/products.py FOLDER writes FOLDER/conflicts.sm90.cubin
and the probes, and on a machine with a GPU FOLDER/conflicts.csv.gz.
"""
import sys

sys.dont_write_bytecode = True
import conflicts
import dense
from conflicts import READ
from issue import NONE
from queues import step, wait

PRODUCTS = {"f32": "HMMA.16816.F32 {%s}, {data}, {q0}, RZ", "f32c": "HMMA.16816.F32 {%s}, {data}, {q0}, {d2}",
            "f16": "HMMA.16816.F16 {%s}, {data}, {q0}, RZ", "half": "HMMA.1688.F32 {%s}, {data}, {q0}, RZ",
            "int": "IMMA.16816.S8.S8 {%s}, {data}.ROW, {q0}.COL, RZ"}
RESULTS = {**dense.RESULTS, "ldsm": "LDSM.16.M88.4 {%s}, [{s16}+0x400]"}
MATH = {"ee": "FFMA {e1}, {g0}, {g4}, RZ", "eo": "FFMA {e1}, {g0}, {o1}, RZ", "oo": "FFMA {e1}, {o0}, {o1}, RZ",
        "eee": "FFMA {e1}, {g0}, {g4}, {data}", "ooo": "FFMA {e1}, {o0}, {o1}, {d0o}", "eeo": "FFMA {e1}, {g0}, {g4}, {o1}"}
KINDS = {"h": "h", "he": "heee", "ho": "hooo", "heo": "heoeoe"}


def apart(*instructions):
    """Steps of (cycle, text, result's scoreboard, waits), with NOPs between them."""
    steps = [READ]
    for i, (at, text, writes, waits) in enumerate(instructions):
        gap = instructions[i + 1][0] - at if i + 1 < len(instructions) else 1
        steps.append(step(text, min(gap, 15), writes, NONE, waits))
        for left in range(gap - 15, 0, -15):
            steps.append(step("NOP", min(left, 15)))
    return [*steps, READ]


def product(kind, quad="d1"):
    return PRODUCTS[kind].replace("%s", quad)


def result(kind, scoreboard, bank="e"):
    return step(RESULTS[kind].replace("%s", "d0" if bank == "e" else "d0o"), 2, scoreboard)


def written():
    """A result that issues so long after a product, or before it, and when it comes."""
    for kind in PRODUCTS:
        for result_of in ("shfl", "lds"):
            for bank in ("e", "o"):
                text = RESULTS[result_of].replace("%s", "d0" if bank == "e" else "d0o")
                for at in range(1, 25):
                    yield f"behind_{kind}_{result_of}_{bank}_{at}", apart((0, product(kind), NONE, 0), (at, text, 0, 0),
                                                                         (at + 2, "NOP", NONE, 1))
                for at in range(2, 24):
                    yield f"before_{kind}_{result_of}_{bank}_{at}", apart((0, text, 0, 0), (at, product(kind), NONE, 0),
                                                                         (at + 1, "NOP", NONE, 1))


def read_beside():
    """Math that issues so long after a product."""
    for kind in ("none", "f32", "f32c", "f16", "half"):
        for math, text in MATH.items():
            for many in (1, 4):
                for at in range(1, 13):
                    first = "NOP" if kind == "none" else product(kind)
                    yield f"read_{kind}_{math}_{many}_{at}", apart((0, first, NONE, 0), *((at + i, text, NONE, 0) for i in range(many)))
    for kind in ("f32", "f32c", "half"):
        for bank in ("data", "d0o"):
            for at in range(1, 13):
                its = (0, f"SHFL.BFLY PT, {{d3}}, {{{bank}}}, 0x1, 0x1f", 0, 0)
                yield f"port_{kind}_{bank}_{at}", apart(its, (at, product(kind), NONE, 0), (at + 1, "NOP", NONE, 1))


def stream(kind, pattern, count):
    """Products of a kind, and FFMA that write the banks of the pattern."""
    steps, quads = [], 0
    for i in range(count):
        letter = KINDS[pattern][i % len(KINDS[pattern])]
        if letter == "h":
            steps.append(step(product(kind, ("d1", "d2", "d3")[quads % 3])))
            quads += 1
        else:
            steps.append(step(f"FFMA {{x{letter}}}, RZ, RZ, RZ".replace("xe", "x0").replace("xo", "x1")))
    return steps


def among(results, steps):
    first = [result(kind, i == len(results) - 1) for i, kind in enumerate(results)]
    return [READ, *first, step("NOP", 4), *steps, READ, wait(2), READ, wait(1), READ]


def streams():
    for kind in ("f32", "f32c", "half"):
        for pattern in KINDS:
            for count in (0, 2, 4, 6, 8, 10, 12, 16, 20, 26):
                if pattern != "h" and count == 0:
                    continue
                for kind_of in ("shfl", "lds", "lds64", "lds128", "one128", "ldsm"):
                    for many in (1, 4):
                        yield f"many_{kind}_{pattern}_{kind_of}{many}_{count}", among([kind_of] * many, stream(kind, pattern, count)), None, 1, 0
                yield f"many_{kind}_{pattern}_none_{count}", [READ, *stream(kind, pattern, count), READ], None, 1, 0


def probes():
    for each in (written, read_beside):
        for name, steps in each():
            yield name, steps, None, 1, 0
    yield from streams()


def names_of(registers):
    """As in dense.py, and one register of either bank for sums."""
    names = dense.names_of(registers)
    free = [r for r in registers if not any(taken <= r < taken + 4 for taken in (int(n[1:]) for n in names.values()))]
    first = {n: int(v[1:]) for n, v in names.items()}
    return names | {"x0": next(f"R{v}" for n, v in first.items() if n in ("x0", "x1", "y0", "y1") and v % 2 == 0),
                    "x1": next(f"R{v}" for n, v in first.items() if n in ("x0", "x1", "y0", "y1") and v % 2 == 1)}


if __name__ == "__main__":
    conflicts.names_of = names_of
    conflicts.main(probes)
