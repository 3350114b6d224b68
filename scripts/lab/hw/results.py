# SPDX-License-Identifier: Apache-2.0
"""Times when a result of SHFL, LDS or MUFU comes among results of math, and when what reads it issues, on sm_90, as
conflicts.py does: scripts/lab/hw/results.py FOLDER writes FOLDER/conflicts.sm90.cubin and the probes, and on a
machine with a GPU FOLDER/conflicts.csv.gz.
"""
import sys

sys.dont_write_bytecode = True
import conflicts
from conflicts import NONE, READ
from queues import step

RESULTS = {"shfl": "SHFL.BFLY PT, %s, {src}, 0x1, 0x1f", "lds": "LDS %s, [{s4}+0x400]", "mufu": "MUFU.EX2 %s, {src}"}
MATH = {"ffma": "FFMA %s, RZ, RZ, RZ", "fadd": "FADD %s, RZ, RZ", "fmul": "FMUL %s, RZ, RZ", "iadd": "IADD3 %s, RZ, RZ, RZ",
        "sel": "SEL %s, RZ, RZ, PT", "imad": "IMAD %s, RZ, RZ, RZ", "mov": "MOV %s, RZ", "hfma": "HFMA2 %s, RZ, RZ, RZ"}
BANKS = ("e", "o")
NAMES = ("re", "ro", "xe", "xo", "ye", "yo", "ze", "zo", "we", "wo", "se", "so", "src", "q")  # the last letter says the bank


def placed(*instructions):
    """Steps of instructions (cycle, text, result's scoreboard, waits); the last is followed by a read."""
    steps = [READ]
    for i, (at, text, writes, waits) in enumerate(instructions):
        gap = instructions[i + 1][0] - at if i + 1 < len(instructions) else 1
        first = min(gap, 15)
        steps.append(step(text, first, writes, NONE, waits))
        gap -= first
        while gap:
            steps.append(step("NOP", min(gap, 15)))
            gap -= min(gap, 15)
    return [*steps, READ]


def writes():
    """A result, and one or two results of math that issue so long behind it."""
    for kind, text in RESULTS.items():
        for bank in BANKS:
            first = (0, text % f"{{r{bank}}}", 0, 0)
            yield f"write_{kind}_{bank}_none", placed(first, (26, "NOP", NONE, 0), (27, "NOP", NONE, 1))
            yield f"wait_{kind}_{bank}_none", placed(first, (2, "NOP", NONE, 1))
            for math in MATH if kind == "shfl" else ("ffma", "iadd"):
                for other in BANKS:
                    for at in range(8, 25):
                        its = (at, MATH[math] % f"{{x{other}}}", NONE, 0)
                        yield f"write_{kind}_{bank}_{math}_{other}_{at}", placed(first, its, (at + 1, "NOP", NONE, 1))
                        if kind == "shfl" and math in ("ffma", "iadd") and other == bank:
                            more = (at + (1 if math == "ffma" else 2), MATH[math] % f"{{z{other}}}", NONE, 0)
                            yield f"writes_{kind}_{bank}_{math}_{other}_{at}", placed(first, its, more, (at + 3, "NOP", NONE, 1))


def reads():
    """What reads a result of SHFL: other operands old or of the sum just before, behind another SHFL or none."""
    for bank in BANKS:
        first = (0, RESULTS["shfl"] % f"{{r{bank}}}", 0, 0)
        for a in BANKS:
            for c in ("ye", "yo", "xe", "xo"):
                for shuffle in ("none", "e", "o"):
                    for at in (22, 24, 25, 26, 27):
                        its = [first]
                        if c[0] == "x":
                            its.append((at - 4, f"FFMA {{{c}}}, RZ, RZ, RZ", NONE, 0))
                        if shuffle != "none":
                            its.append((at - 1, f"SHFL.BFLY PT, {{q}}, {{s{shuffle}}}, 0x1, 0x1f", 1, 0))
                        its.append((at, f"FFMA {{z{bank}}}, {{w{a}}}, {{r{bank}}}, {{{c}}}", NONE, 1))
                        yield f"read_{bank}_{a}_{c}_{shuffle}_{at}", placed(*its)
    for shuffle in BANKS:
        for at in (22, 23, 24, 25, 26, 27):
            yield f"behind_{shuffle}_{at}", placed((0, RESULTS["shfl"] % "{re}", 0, 0),
                                                   (at - 1, f"SHFL.BFLY PT, {{q}}, {{s{shuffle}}}, 0x1, 0x1f", 1, 0),
                                                   (at, "NOP", NONE, 1))


def late_stores(count, late):
    """Stores, a wait until their sources are read, and a read; three times."""
    pause = [step("NOP", 15)] * 2 + [step("NOP", late)]
    return [READ, *pause, *(each for i in range(3) for each in (
        *(step(f"STG.E desc[UR20][{{g4}}.64+0x{512 * (j + count * i):x}], {{data}}", 4 if j < count - 1 else 1, reads=0)
          for j in range(count)), step("NOP", 4), step("NOP", 1, waits=1), READ, *[step("NOP", 15)] * 3))]


def probes():
    for name, steps in (*writes(), *reads()):
        yield name, steps, None, 1, 0
    for count in (1, 2, 3):
        for late in range(1, 14):
            for mask, other in ((0x1, 0x2), (0x1, 0x4), (0x1, 0x8), (0x2, 0x1), (0x8, 0x1), (0x1, 0xE), (0x3, 0xC), (0x5, 0xA)):
                yield f"stores_{count}_{late}_{mask:x}_{other:x}", late_stores(count, 1), late_stores(count, late), mask, other


def names_of(registers):
    """As in conflicts.py, and registers of either bank: no access of these probes is wide."""
    names = base(registers)
    inside = sorted({int(names[name][1:]) + i for name in ("data", "d0", "d1", "d2", "d3") for i in range(4)})
    for name in NAMES:
        register = next(r for r in inside if r % 2 == (name[-1] in "oq"))
        inside.remove(register)
        names[name] = f"R{register}"
    return names


base = conflicts.names_of
if __name__ == "__main__":
    conflicts.names_of = names_of
    conflicts.main(probes)
