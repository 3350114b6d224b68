#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times constants that a launch reads for the first and for the second time on sm_90:
scripts/lab/hw/constants.py FOLDER writes FOLDER/constants.sm90.cubin and, on a machine with a GPU,
FOLDER/constants.csv.

The kernels are those of issue.py with a structure of 3,840 bytes behind their parameters, of which
a probe reads words by their offset: as operands (imm_STRIDE_COUNT), with ULDC (uldc_), with LDC all
at once (ldc_) and each behind the one before (ldcser_).
"""
import ctypes
import sys
from pathlib import Path

from driver import Gpu
from issue import LAUNCHES, compiled, kernel, patch, step

WORDS = 960
BANK = 0x280  # offset of the structure's line in constant bank 0


class Bank(ctypes.Structure):
    _fields_ = [("words", ctypes.c_int * WORDS)]


def operands(offsets):
    return [step(f"FADD R10, R11, c[0x0][0x{BANK + at:x}]", 4) for at in offsets]


def uniform(offsets):
    return [step(f"ULDC UR{8 + i % 16}, c[0x0][0x{BANK + at:x}]", 2)
            for i, at in enumerate(offsets)]


def load(at, scoreboard=2):
    return step(f"LDC R20, c[0x0][0x{BANK + at:x}]", 2, scoreboard)


USE = step("IADD3 R22, R22, 0x1, RZ", 4, waits=4)


def probes():
    for stride, count in ((4, 8), (32, 2), (32, 4), (64, 1), (64, 2), (64, 4), (64, 8), (64, 16),
                          (64, 24), (64, 40), (128, 12), (256, 12)):
        yield f"imm_{stride}_{count}", operands(range(0, stride * count, stride))
    for count in (1, 2, 4, 8):
        offsets = range(0, 64 * count, 64)
        yield f"uldc_64_{count}", uniform(offsets)
        yield f"ldc_64_{count}", [*map(load, offsets), USE]
        yield f"ldcser_64_{count}", [each for at in offsets for each in (load(at), USE)]
    yield "imm_then_ldc", [*operands([64]), load(72), USE]
    yield "ldc_then_imm", [load(64), USE, *operands([72])]
    yield "imm_then_uldc", [*operands([64]), *uniform([72])]


PROBES = {"nothing": [], **dict(probes())}


def sources():
    yield f"struct Bank {{ int words[{WORDS}]; }};\n"
    for name in PROBES:
        yield kernel(name, ", Bank bank")


def time(cubin):
    gpu = Gpu()
    module = gpu.load(cubin.read_bytes() + b"\0")
    source = gpu.buffer(4096, (ctypes.c_uint32 * 1024)())
    result, times = gpu.buffer(4096), gpu.buffer(256)
    yield "kernel,repetition,min,median,max"
    for name in PROBES:
        for repetition in (1, 2):
            found = []
            for launch in range(LAUNCHES + 1):
                gpu.launch(gpu.function(module, name), 32, source, result, ctypes.c_int(1024),
                           times, ctypes.c_int(repetition), Bank((ctypes.c_int * WORDS)(launch)))
                first, last = gpu.read(times, 2)
                found.append((last - first) % 2**32)
            found = sorted(found[1:])
            yield f"{name},{repetition},{found[0]},{found[len(found) // 2]},{found[-1]}"


def main():
    folder = Path(sys.argv[1])
    cubin = folder / "constants.sm90.cubin"
    if not cubin.exists():
        compiled(cubin, sources())
        patch(cubin, PROBES)
    if Path("/dev/nvidia0").exists():
        (folder / "constants.csv").write_text("\n".join(time(cubin)) + "\n")


if __name__ == "__main__":
    main()
