# SPDX-License-Identifier: Apache-2.0
"""One warp's operations of the MIO beside rows of others: scripts/lab/hw/beats.py FOLDER makes and measures the probes as
conflicts.py does its own. `row_A_B_MASK`: 36 of A in warp 0 beside 40 of B in each warp of the mask, `late_...`: rows and chains that
begin 360 cycles later, when the buffer of stores is full.
"""
import sys

sys.dont_write_bytecode = True
import conflicts
from issue import step

KINDS = ("lds", "lds128", "sts", "sts128", "shfl", "shfl3", "ldg", "stg", "stg128", "red", "s2r")


def probes():
    others = {kind: conflicts.row(kind, 1, 40) for kind in KINDS}
    rows = {kind: conflicts.row(kind, 1, 36) for kind in ("lds", "sts", "shfl", "shfl3", "ldg", "stg")}
    for name, steps in {**rows, "lds8": conflicts.row("lds", 8, 24)}.items():
        for other in KINDS:
            for mask in (0x2, 0x6, 0xE):
                yield f"row_{name}_{other}_{mask:x}", steps, others[other], 1, mask
    pause = [step("NOP", 15)] * 24
    late = {f"{kind}row": conflicts.row(kind, 1, 32) for kind in ("lds", "sts", "shfl", "shfl3", "ldg")}
    late |= {f"{kind}chain": conflicts.chain(kind, 20) for kind in ("lds", "shfl", "shfl3", "ldg")}
    for name, steps in late.items():
        for other in ("stg", "stg128"):
            for mask in (0xEE, 0xEEEE):
                yield f"late_{name}_{other}_{mask:x}", [*pause, *steps], others[other], 1, mask


if __name__ == "__main__":
    conflicts.main(probes)
