# SPDX-License-Identifier: Apache-2.0
"""Times of results of SHFL and LDS of each width among dense math, and of that math, on sm_90, as conflicts.py does:
scripts/lab/hw/dense.py FOLDER writes FOLDER/conflicts.sm90.cubin and the probes, and on a machine with a GPU
FOLDER/conflicts.csv.gz.
"""
import sys

sys.dont_write_bytecode = True
import conflicts
from conflicts import READ
from issue import NONE
from queues import step, wait

RESULTS = {"shfl": "SHFL.BFLY PT, {%s}, {data}, 0x1, 0x1f", "lds": "LDS {%s}, [{s4}+0x400]",
           "lds64": "LDS.64 {%s}, [{s8}+0x400]", "lds128": "LDS.128 {%s}, [{s16}+0x400]",
           "one64": "LDS.64 {%s}, [{none}+0x400]", "one128": "LDS.128 {%s}, [{none}+0x400]"}
WRITES = {"e": ("e0", "e1"), "o": ("o0", "o1"), "eo": ("e0", "o0"), "oe": ("o0", "e0")}
COUNTS = (*range(8, 46, 2), 56)


def math(writes, count):
    return [step(f"FFMA {{{WRITES[writes][i % len(writes)]}}}, RZ, RZ, RZ") for i in range(count)]


def result(kind, scoreboard, bank="e"):
    return step(RESULTS[kind].replace("%s", "d0" if bank == "e" else "d0o"), 2, scoreboard)


def among(results, writes, count):
    """Results, then math, a read, and a read when all results but the last have come, and when all have."""
    first = [result(kind, i == len(results) - 1, bank) for i, (kind, bank) in enumerate(results)]
    return [READ, *first, step("NOP", 4), *math(writes, count), READ, wait(2), READ, wait(1), READ]


def chain(kind, count):
    return [READ, *(each for _ in range(count) for each in (result(kind, 0), wait(1), READ))]


def row(kind, count):
    return [READ, *(result(kind, 0 if i == count - 1 else NONE) for i in range(count)), wait(1), READ]


def blocked():
    """Results of one sub-partition beside others whose results wait for math."""
    for victim in ("lds", "shfl"):
        for kind in ("shfl", "lds128", "one128"):
            for many in (4, 12):
                issued = [READ, *(result(kind, 0 if i == many - 1 else NONE) for i in range(many))]
                beside = {"alone": [*issued, wait(1), READ], **{w: [*issued, *math(w, 120), READ] for w in ("e", "eo")}}
                for writes, other in beside.items():
                    for mask in (0x2, 0xE):
                        yield f"blocked_{victim}_{kind}_{many}_{writes}_{mask:x}", chain(victim, 12), other, 1, mask


def probes():
    yield from blocked()
    for writes in WRITES:
        for count in COUNTS:
            for kind in RESULTS:
                yield f"one_{kind}_{writes}_{count}", among([(kind, "e")], writes, count), None, 1, 0
            for kind in ("shfl", "lds"):
                yield f"one_{kind}o_{writes}_{count}", among([(kind, "o")], writes, count), None, 1, 0
                for banks in ("ee", "eo", "oe"):
                    its = [(kind, bank) for bank in banks]
                    yield f"two_{kind}{banks}_{writes}_{count}", among(its, writes, count), None, 1, 0
    for writes in ("e", "eo"):
        for count in COUNTS[::2]:
            for kind in ("shfl", "lds", "lds128", "one128"):
                for many in (4, 8, 12):
                    yield f"many_{kind}{many}_{writes}_{count}", among([(kind, "e")] * many, writes, count), None, 1, 0
    for kind in RESULTS:
        for a in (1, 0x3, 0xF):
            yield f"chain_{kind}_{a:x}", chain(kind, 8), None, a, 0
            yield f"row_{kind}_{a:x}", row(kind, 24), None, a, 0


def names_of(registers):
    """As in conflicts.py, and registers of either bank."""
    names = base(registers)
    for name, quad in (("0", "d1"), ("1", "d2")):
        first = int(names[quad][1:])
        names |= {f"e{name}": f"R{first}", f"o{name}": f"R{first + 1}"}
    return names | {"d0o": f"R{int(names['d0'][1:]) + 1}"}


base = conflicts.names_of
if __name__ == "__main__":
    conflicts.names_of = names_of
    conflicts.main(probes)
