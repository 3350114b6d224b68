#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times products of matrices on sm_90, as issue.py times other instructions: scripts/lab/hw/matrices.py
FOLDER writes FOLDER/matrices.sm90.cubin, whose kernels are timed as those of branches.cu are.

NAME_COUNT: so many of them two cycles apart, which is less than any takes; dmma_COUNT and
dmma_chain_COUNT: up to the use of the last result, the latter each with the one before as addend.
"""
import sys
from pathlib import Path

from issue import USE, compiled, kernel, patch, step

KINDS = {
    "half_1688": "HMMA.1688.F32 R{}, R4, R8, R12", "half_16816": "HMMA.16816.F32 R{}, R4, R8, R12",
    "half_sum_16816": "HMMA.16816.F16 R{}, R4, R8, R12",
    "bfloat_16816": "HMMA.16816.F32.BF16 R{}, R4, R8, R12",
    "tf32_1684": "HMMA.1684.F32.TF32 R{}, R4, R8, R12",
    "tf32_1688": "HMMA.1688.F32.TF32 R{}, R4, R8, R12",
    "bytes_16816": "IMMA.16816.S8.S8 R{}, R4.ROW, R8.COL, R12",
    "bytes_16832": "IMMA.16832.S8.S8 R{}, R4.ROW, R8.COL, R12",
    "double": "DMMA.8x8x4 R{}, R4, R6, R8"}


def probes():
    for name, text in KINDS.items():
        for count in (1, 4, 8, 16):
            yield f"{name}_{count}", [step(text.format(20 + 4 * (i % 4)), 2) for i in range(count)]
    for count in (1, 2, 4, 8):
        yield f"dmma_{count}", [step("DMMA.8x8x4 R20, R4, R6, R8", 2, 2)] * count + [USE]
        yield f"dmma_chain_{count}", [step("DMMA.8x8x4 R20, R4, R6, R20", 2, 2, 4)] * count + [USE]


PROBES = {"nothing": [], **dict(probes())}

if __name__ == "__main__":
    cubin = Path(sys.argv[1]) / "matrices.sm90.cubin"
    compiled(cubin, map(kernel, PROBES))
    patch(cubin, PROBES)
