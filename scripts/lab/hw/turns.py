# SPDX-License-Identifier: Apache-2.0
"""Times special functions beside other instructions, stores of several sub-partitions pass by pass, and operands that
are zero, on sm_90, as conflicts.py does: scripts/lab/hw/turns.py FOLDER writes FOLDER/conflicts.sm90.cubin and the
probes, and on a machine with a GPU FOLDER/conflicts.csv.gz.
"""
import sys

sys.dont_write_bytecode = True
import conflicts
from conflicts import READ, access
from queues import step, wait

FILLERS = {"ffma": "FFMA {x%d}, {y0}, {y1}, {x%d}", "fadd": "FADD {x%d}, {y0}, {x%d}", "iadd": "IADD3 {x%d}, {y0}, {x%d}, RZ",
           "imad": "IMAD {x%d}, {y0}, {y1}, {x%d}", "mov": "MOV {x%d}, {y%d}", "nop": "NOP"}


def filler(kind, number, stall):
    text = FILLERS[kind]
    return step(text % ((number % 2,) * text.count("%d")), stall)


def among(kind, count, period, first_stall, times=12, function="EX2"):
    """Special functions of a period, each followed by so many instructions of a kind; every fourth has a read."""
    steps = [READ]
    for i in range(times):
        special = f"MUFU.{function} {{d{i % 4}}}, {{data}}"
        if count == 0:
            steps.append(step(special, period))
        else:
            steps.append(step(special, first_stall))
            steps += [filler(kind, j, 1) for j in range(count - 1)]
            left = period - first_stall - (count - 1)
            steps.append(filler(kind, count - 1, left))
        if i % 4 == 3:
            steps.append(READ)
    return [*steps, READ, step("NOP", 2), READ]


def used(period, behind, times=12):
    """Special functions, each followed by a sum that needs the result of `behind` before it."""
    steps = [READ]
    for i in range(times):
        waits = 0 if i < behind else 1 << (i - behind) % 5
        steps += [step(f"MUFU.EX2 {{d{i % 4}}}, {{data}}", 1, writes=i % 5),
                  step(f"FADD {{x0}}, {{d{(i - behind) % 4}}}, {{y0}}", period - 1, waits=waits)]
        if i % 4 == 3:
            steps.append(READ)
    return [*steps, READ]


def special():
    for period in (4, 6, 7, 8, 9, 10, 12):
        yield f"mufu_alone_{period}", among("nop", 0, period, 1)
        for kind in FILLERS:
            for count in (1, 2, 3, 4):
                for first in (1, 2, 3):
                    if period - first - (count - 1) >= 1:
                        yield f"mufu_{kind}_{count}_{period}_{first}", among(kind, count, period, first)
        for behind in (1, 2, 3):
            yield f"mufu_used_{period}_{behind}", used(period, behind)
        for kind in ("shfl", "lds", "sts", "shfl3", "s2r"):
            for first in (1, 2, 4):
                if period > first:
                    yield f"mufu_{kind}_{period}_{first}", [READ, *(
                        each for i in range(12)
                        for each in (step(f"MUFU.EX2 {{d{i % 4}}}, {{data}}", first), access(kind, 1, period - first, i + 2),
                                     *([READ] if i % 4 == 3 else [])))]
    for function in ("RCP", "RSQ", "SIN", "LG2", "TANH"):
        yield f"mufu_{function}_ffma", among("ffma", 4, 8, 1, 12, function)


def passes(count, gap, guard="", constant=False, wide="", times=8):
    """Stores, a wait until their sources are read, a pause: again and again, with a read behind each wait."""
    steps = [READ]
    for i in range(times):
        if constant:
            steps += [step(f"{guard}LDC.64 {{q0}}, c[0x0][0x228]", 2, 1), wait(2)]
        steps += [step(f"{guard}STG.E{wide} desc[UR20][{{g{4 if not wide else 16}}}.64+0x{512 * (j + count * i):x}], {{data}}",
                       4 if j < count - 1 else 1, reads=0) for j in range(count)]
        steps += [step("NOP", 4), wait(1), READ, *[step("NOP", 15)] * (gap // 15)]
    return steps


def in_passes():
    lane = [step("ISETP.NE.AND P6, PT, {lane}, RZ, PT", 13)]
    for count in (1, 2, 3, 4):
        for gap in (15, 45, 90):
            yield f"stores_{count}_{gap}", passes(count, gap)
            yield f"guarded_{count}_{gap}", lane + passes(count, gap, "@!P6 ")
            yield f"constants_{count}_{gap}", passes(count, gap, "", True)
            yield f"guarded_constants_{count}_{gap}", lane + passes(count, gap, "@!P6 ", True)
    for gap in (15, 45):
        yield f"wide_2_{gap}", passes(2, gap, wide=".128")
        yield f"only_constants_{gap}", passes(0, gap, "", True)


ZEROS = {"idx": "SHFL.IDX PT, {d}, {data}, RZ, 0x1f", "idx0": "SHFL.IDX PT, {d}, {data}, 0x0, 0x1f",
         "idxr": "SHFL.IDX PT, {d}, {data}, {lane}, 0x1f", "up": "SHFL.UP PT, {d}, {data}, 0x1, RZ",
         "up1": "SHFL.UP PT, {d}, {data}, 0x1, 0x0", "of_zero": "SHFL.BFLY PT, {d}, RZ, 0x1, 0x1f", "lds": "LDS {d}, [RZ+0x400]",
         "ldsr": "LDS {d}, [{s4}+0x400]", "match_all": "MATCH.ALL PT, {d}, {none}",
         "match_allp": "MATCH.ALL P4, {d}, {none}", "match_any": "MATCH.ANY {d}, {none}", "redux": "REDUX.SUM UR24, {data}",
         "ldc": "LDC {d}, c[0x0][0x220]", "ldcz": "LDC {d}, c[0x0][{none}]", "s2r": "S2R {d}, SR_TID.X", "popc": "POPC {d}, {data}",
         "brev": "BREV {d}, {data}", "flo": "FLO.U32 {d}, {data}", "i2f": "I2F.RP {d}, {data}", "f2i": "F2I.TRUNC.NTZ {d}, {data}",
         "rcp": "MUFU.RCP {d}, {data}", "vote": "VOTE.ANY {d}, PT, PT", "stsz": "STS [{s4}+0x400], RZ", "sts": "STS [{s4}+0x400], {data}"}


def zeros():
    for name, text in ZEROS.items():
        one = lambda i, stall, ends: step(text.replace("{d}", f"{{d{i % 4}}}"), stall,
                                          *((conflicts.NONE, ends) if name.startswith("sts") else (ends,)))
        ends = conflicts.NONE if name == "vote" else 0
        yield f"chain_{name}", [READ, *(each for i in range(8) for each in (one(i, 2, ends), wait(1), READ))]
        for stall in (1, 2, 4, 6):
            yield f"row_{name}_{stall}", [READ, *(each for i in range(20) for each in (one(i, stall, ends), READ)), wait(1), READ]


def probes():
    for name, steps in special():
        yield name, steps, None, 1, 0
    for name, steps in zeros():
        yield name, steps, None, 1, 0
        if name.startswith("chain"):
            yield f"{name}_four", steps, None, 15, 0
    for name, steps in in_passes():
        for mask in (0x1, 0x3, 0x7, 0xF, 0x11, 0xFF):
            yield f"{name}_{mask:x}", steps, None, mask, 0


if __name__ == "__main__":
    conflicts.main(probes)
