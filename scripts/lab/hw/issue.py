#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times single instructions on sm_90: scripts/lab/hw/issue.py FOLDER writes FOLDER/issue.sm90.cubin,
with a kernel for each question, and on a machine with a GPU FOLDER/issue.csv.

A kernel is (in, out, n, times, repetitions), its body between two clock reads one of PROBES: words
that `shflsim encode` gives, with control bits from here, put into the place of a run of FADD that
nvcc compiled. Needs nvcc (NVCC names another) and the release build (SHFLSIM).
"""
import ctypes
import os
import struct
import subprocess
import sys
from pathlib import Path

from driver import Gpu

TOP = Path(__file__).resolve().parents[3]
SLOTS = 48  # instructions between the clock reads; a shorter probe is filled with NOP
NONE = 7  # no scoreboard
LAUNCHES = 21
FADD, MASK = 0x421, 0x1FFFFF << 105


def step(text, stall=8, writes=NONE, waits=0):
    """One instruction: text, stall count, scoreboard of its result, scoreboards that it waits for."""
    yields = 0 if stall > 11 else 1
    return text, stall | yields << 4 | writes << 5 | NONE << 8 | waits << 11


LANES = [step("S2R R40, SR_LANEID", 2, 0), step("LDC.64 R30, c[0x0][0x210]", 2, 1),
         step("IMAD.SHL.U32 R32, R40, 0x4, RZ", 8, waits=3)]
USE = step("IADD3 R22, R20, 0x1, RZ", waits=4)
UNIFORM_USE = step("UIADD3 UR24, UR22, 0x1, URZ", waits=4)


def products():
    """Products of 64 bits: one to eight of them, and after an instruction that feeds them."""
    for name, text in (("wide", "IMAD.WIDE.U32 R{}, R4, R5, RZ"),
                       ("high", "IMAD.HI.U32 R{}, R4, R5, RZ"),
                       ("narrow", "IMAD R{}, R4, R5, RZ")):
        for stall in (1, 2, 3, 4, 5, 8):
            for count in (1, 2, 4, 8):
                yield f"{name}_{stall}_{count}", [step(text.format(10 + 2 * (i % 4)), stall)
                                                  for i in range(count)]
    for name, text in (("fed", "IMAD R4, R6, R7, R8"), ("moved", "IMAD.MOV.U32 R4, RZ, RZ, R6"),
                       ("unfed", "IMAD R16, R6, R7, R8")):
        for before in range(4, 10):
            yield f"{name}_{before}", [step(text, before), step("IMAD.WIDE.U32 R10, R4, R5, RZ", 5),
                                       step("SHF.R.U32.HI R11, RZ, 0x3, R11", 5), step("NOP")] * 3


def latencies():
    """From the issue of the first of one to eight instructions to the use of the last result."""
    for name, text in (("f2i_double", "F2I.F64.TRUNC R20, R4"), ("i2f_long", "I2F.U64 R20, R4"),
                       ("f2i", "F2I.TRUNC.NTZ R20, R4"), ("match_all", "MATCH.ALL PT, R20, R4"),
                       ("movm", "MOVM.16.MT88 R20, R4")):
        for count in (1, 2, 4):
            yield f"{name}_{count}", LANES + [step(text, 2, 2)] * count + [USE]
    for name, text in (("s2ur", "S2UR UR22, SR_CTAID.X"), ("redux", "REDUX.SUM UR22, R4")):
        for count in (1, 2, 4, 8):
            yield f"{name}_{count}", LANES + [step(text, 2, 2)] * count + [UNIFORM_USE]


def values():
    """MATCH.ANY, WARPSYNC and LDC, by the number of different values in the lanes."""
    for count in (1, 2, 4, 8, 16, 32):
        value = step(f"LOP3.LUT R41, R40, 0x{count - 1:x}, RZ, 0xc0, !PT")
        match = step("MATCH.ANY R20, R41", 2, 2)
        yield f"match_any_{count}", [*LANES, value, match, USE]
        yield f"match_any_long_{count}", [*LANES, value, step("IADD3 R42, R41, 0x0, RZ"),
                                          step("IADD3 R43, RZ, 0x5, RZ"),
                                          step("MATCH.ANY.U64 R20, R42", 2, 2), USE]
        yield f"warpsync_{count}", [*LANES, value, match, step("IADD3 R20, R20, RZ, RZ", waits=4),
                                    step("WARPSYNC R20", 5), step("NOP")]
        yield f"ldc_{count}", [*LANES, value, step("IMAD.SHL.U32 R41, R41, 0x4, RZ"),
                               step("LDC R20, c[0x0][R41]", 2, 2), USE]


PROBES = {"nothing": [], **dict(products()), **dict(latencies()), **dict(values())}


def kernel(name, more=""):
    adds = "".join(f'asm volatile("add.f32 %0, %0, 0f3F800000;" : "+f"(f[{i % 48}]));'
                   for i in range(SLOTS))
    clock = 'asm volatile("mov.u32 %0, %%clock;" : "=r"({}) :: "memory");'
    return f"""extern "C" __global__ void __launch_bounds__(256) {name}(const unsigned* in, unsigned* out,
    int n, unsigned* times, int repetitions{more}) {{
  unsigned t0 = 0, t1 = 0;
  float f[48];
  for (int i = 0; i < 48; ++i) f[i] = in[threadIdx.x] * (i + 1.0f);
  _Pragma("unroll 1") for (int r = 0; r < repetitions; ++r) {{
    __syncthreads();
    {clock.format("t0")}{adds}{clock.format("t1")}
  }}
  if ((threadIdx.x & 31) == 0) {{ times[threadIdx.x / 16] = t0; times[threadIdx.x / 16 + 1] = t1; }}
  float sum = 0;
  for (int i = 0; i < 48; ++i) sum += f[i];
  out[threadIdx.x] = __float_as_uint(sum);
}}
"""


def compiled(cubin, kernels):
    source = cubin.with_suffix(".cu")
    source.write_text("".join(kernels))
    subprocess.run([os.environ.get("NVCC", "nvcc"), "-O3", "-fmad=false", "-arch=sm_90", "-cubin",
                    "-o", cubin, source], check=True)


def encoded(probes):
    """The word of each text, without its control bits."""
    program = os.environ.get("SHFLSIM", str(TOP / "build/release/shflsim"))
    texts = sorted({text for probe in probes.values() for text, _ in probe} | {"NOP"})
    done = subprocess.run([program, "encode", "--arch", "sm_90", *texts], check=True, text=True,
                          stdout=subprocess.PIPE)
    return {text: int(line.split()[0], 16) & ~MASK
            for text, line in zip(texts, done.stdout.splitlines())}


def code_sections(image):
    """(kernel, offset, bytes) of each section .text.KERNEL of an ELF file."""
    start, = struct.unpack_from("<Q", image, 0x28)
    size, count, names = struct.unpack_from("<HHH", image, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", image, start + i * size) for i in range(count)]
    for section in sections:
        at = sections[names][4] + section[0]
        name = image[at:image.index(b"\0", at)].decode()
        if name.startswith(".text."):
            yield name.removeprefix(".text."), section[4], section[5]


def patch(cubin, probes):
    image, words = bytearray(cubin.read_bytes()), encoded(probes)
    for name, offset, size in list(code_sections(bytes(image))):
        places = [at for at in range(offset, offset + size, 16)
                  if struct.unpack_from("<Q", image, at)[0] & 0xFFF == FADD][-SLOTS:]
        probe = [step("NOP"), *probes[name]]
        probe += [step("NOP", 4)] * (SLOTS - len(probe))
        for at, (text, control) in zip(places, probe):
            image[at:at + 16] = (words[text] | control << 105).to_bytes(16, "little")
    cubin.write_bytes(image)


def time(cubin):
    gpu = Gpu()
    module = gpu.load(cubin.read_bytes() + b"\0")
    source = gpu.buffer(4096, (ctypes.c_uint32 * 1024)())
    result, times = gpu.buffer(4096), gpu.buffer(256)
    rows = ["kernel,warps,span_min,span_median,span_max,warp_min,warp_median,warp_max"]
    for name in PROBES:
        found = []
        for _ in range(LAUNCHES + 1):
            gpu.launch(gpu.function(module, name), 32, source, result, ctypes.c_int(1024), times,
                       ctypes.c_int(4))
            first, last = gpu.read(times, 2)
            found.append((last - first) % 2**32)
        found = sorted(found[1:])
        shown = (found[0], found[len(found) // 2], found[-1])
        rows.append(",".join(map(str, (name, 1, *shown, *shown))))
    return "\n".join(rows) + "\n"


def main():
    folder = Path(sys.argv[1])
    cubin = folder / "issue.sm90.cubin"
    if not cubin.exists():
        compiled(cubin, map(kernel, PROBES))
        patch(cubin, PROBES)
    if Path("/dev/nvidia0").exists():
        (folder / "issue.csv").write_text(time(cubin))


if __name__ == "__main__":
    main()
