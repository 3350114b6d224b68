# SPDX-License-Identifier: Apache-2.0
"""When an operation of the MIO meets a row of others, on sm_90, as conflicts.py does: scripts/lab/hw/meets.py FOLDER.

one_A_B_MASK_N_D: A in warp 0, D cycles behind the first of N operations B of each warp of the mask. row_A_B_MASK_N: N of
A without reads between them, beside N of B. chain_A_B_MASK: 12 of A, each of which waits for the one before, beside 100 of B.
"""
import sys

sys.dont_write_bytecode = True
import conflicts
from conflicts import READ, access
from issue import step
from queues import wait

OTHERS = ("lds", "shfl", "sts", "ldg", "s2r", "stg")


def pause(cycles):
    return [step("NOP", 15)] * (cycles // 15) + ([step("NOP", cycles % 15)] if cycles % 15 else [])


def one(kind, late):
    return [READ, *pause(late), access(kind, 1, 2, 0, 0), wait(1), READ]


def row(kind, count):
    """Without reads between the operations."""
    last = step("NOP", 2) if kind.startswith("st") else wait(1)
    return [READ, *pause(12), *(access(kind, 1, 2, i, 0 if i == count - 1 else 7) for i in range(count)), last, READ]


def read_row(kind, count):
    """A read when each of the last five results is there."""
    waits = [each for i in range(max(0, count - 5), count) for each in (wait(1 << i % 5), READ)]
    return [READ, *pause(12), *(access(kind, 1, 2, i, i % 5) for i in range(count)), *waits]


def probes():
    for kind in ("shfl", "lds", "ldg", "s2r"):
        for other in OTHERS:
            for count, mask in ((1, 0x2), (2, 0x2), (4, 0x2), (8, 0x2), (2, 0xE), (24, 0x2), (24, 0xE)):
                step_of = 1 if count < 24 else 3
                for late in range(4 if count < 8 else 8, 4 + (20 if count < 4 else 30 if count < 24 else 60), step_of):
                    yield f"one_{kind}_{other}_{mask:x}_{count}_{late}", one(kind, late), row(other, count), 1, mask
    for kind in ("shfl", "lds"):
        for other in OTHERS:
            for mask in (0x2, 0x6, 0xE):
                yield f"chain_{kind}_{other}_{mask:x}", conflicts.chain(kind, 12), row(other, 100), 1, mask
                for count in (2, 4, 6, 8, 12, 16):
                    yield f"row_{kind}_{other}_{mask:x}_{count}", read_row(kind, count), row(other, count), 1, mask


if __name__ == "__main__":
    conflicts.main(probes)
