# SPDX-License-Identifier: Apache-2.0
"""Records which warp of a sub-partition issues when, on sm_90: scripts/lab/hw/arbitration.py FOLDER
writes FOLDER/arbitration.sm90.cubin, with a kernel for each pattern, and on a machine with a GPU
FOLDER/arbitration.csv: for each kernel, number of warps, launch and warp the clock of each read.

A kernel's body is a pattern of instructions and clock reads, in place of FADD that nvcc compiled as
in issue.py; the reads are stored behind the last. The warps are of one sub-partition (every fourth
of the block), released by a barrier, and pass three times; the last pass is kept.
"""
import ctypes
import struct
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from driver import Gpu
from issue import FADD, MASK, NONE, code_sections, compiled, encoded

READS = 32
SLOTS = 172
REGISTERS = 44
WARPS = (1, 2, 3, 4, 6, 8)
LAUNCHES = 3


def step(text, stall=2, stays=True, writes=NONE, waits=0, reads=NONE):
    """One instruction: text, stall count, whether its warp asks to stay, the scoreboards of its result and of its
    sources, and the scoreboards that it waits for."""
    return text, stall | int(stays) << 4 | writes << 5 | reads << 8 | waits << 11


def read(number, stall=2, stays=True):
    return step(f"CS2R.32 {{c{number}}}, SR_CLOCKLO", stall, stays)


def reads_alone():
    for stall in (1, 2, 3, 4, 5, 6, 8, 11):
        yield f"stays_{stall}", [read(i, stall) for i in range(READS)]
        yield f"yields_{stall}", [read(i, stall, False) for i in range(READS)]
    for every in (2, 4, 8, 16):
        yield f"yields_each_{every}", [read(i, 2, i % every != every - 1) for i in range(READS)]
    for every, stall in ((8, 3), (8, 4), (8, 5), (8, 6), (8, 10)):
        yield f"waits_{stall}_each_{every}", [read(i, stall if i % every == every - 1 else 2)
                                              for i in range(READS)]
        yield f"yields_{stall}_each_{every}", [
            read(i, stall if i % every == every - 1 else 2, i % every != every - 1)
            for i in range(READS)]


MATH = {"alu": "IADD3 {x%d}, {x%d}, 0x1, RZ", "fma": "FFMA {x%d}, {x%d}, {x4}, {x5}",
        "half": "IMAD {x%d}, {x%d}, {x4}, {x5}", "shuffle": "SHFL.BFLY PT, {x%d}, {x%d}, 0x1, 0x1f",
        "root": "MUFU.RSQ {x%d}, {x%d}"}


def mixed(kinds, stalls, every, stays=lambda number: True):
    """Instructions of the kinds in turn, with a clock read after every few of them."""
    steps, number = [], 0
    for i in range(READS):
        for _ in range(every):
            kind = kinds[number % len(kinds)]
            x = number % 4
            steps.append(step(MATH[kind] % (x, x), stalls[number % len(stalls)], stays(number)))
            number += 1
        steps.append(read(i, stalls[number % len(stalls)], stays(number)))
    return steps


def among_math():
    eighth = lambda number: number % 8 != 7
    for name, kinds in (("alu", ["alu"]), ("fma", ["fma"]), ("both", ["alu", "fma"]),
                        ("half", ["half"])):
        for stalls in ((1,), (2,), (1, 2), (4,), (5,)):
            label = "_".join(map(str, stalls))
            yield f"{name}_{label}_stays", mixed(kinds, stalls, 3)
            yield f"{name}_{label}_yields", mixed(kinds, stalls, 3, lambda number: False)
            yield f"{name}_{label}_eighth", mixed(kinds, stalls, 3, eighth)
    yield "alu_cordic_eighth", mixed(["alu", "alu", "alu", "fma"], (2, 2, 1, 1), 3, eighth)
    yield "alu_long_fifth", mixed(["alu"], (2, 2, 2, 2, 6), 3)
    yield "shuffle_waits", [
        each for i in range(READS)
        for each in (step(MATH["shuffle"] % (0, 0), 2, writes=2),
                     step(MATH["alu"] % (0, 0), 4, waits=4), read(i))]
    yield "root_waits", [
        each for i in range(READS)
        for each in (step(MATH["root"] % (0, 0), 2, writes=2),
                     step(MATH["alu"] % (0, 0), 4, waits=4), read(i))]


PATTERNS = {**dict(reads_alone()), **dict(among_math())}
ADDRESS = [step("LDC.64 {p0}, c[0x0][0x228]", 2, writes=0), step("S2R {q0}, SR_TID.X", 2, writes=1),
           step("ULDC.64 UR20, c[0x0][0x208]", 8),
           step("SHF.R.U32.HI {q0}, RZ, 0x5, {q0}", 8, waits=3),
           step(f"IMAD.WIDE.U32 {{p0}}, {{q0}}, 0x{4 * READS:x}, {{p0}}", 8)]
STORES = [step(f"STG.E desc[UR20][{{p0}}.64+0x{4 * i:x}], {{c{i}}}", 4, reads=3)
          for i in range(READS)] + [step("NOP", 4, waits=8)]  # instructions that read their registers late


def kernel(name):
    adds = "".join(f'asm volatile("add.f32 %0, %0, 0f3F800000;" : "+f"(f[{i % REGISTERS}]));'
                   for i in range(SLOTS))
    return f"""extern "C" __global__ void __launch_bounds__(1024) {name}(const unsigned* in, unsigned* out,
    int n, unsigned* times, int passes) {{
  if (threadIdx.x / 32 % 4 != 0) return;
  float f[{REGISTERS}];
  for (int i = 0; i < {REGISTERS}; ++i) f[i] = in[threadIdx.x] * (i + 1.0f);
  _Pragma("unroll 1") for (int pass = 0; pass < passes; ++pass) {{
    {adds}
  }}
  float sum = 0;
  for (int i = 0; i < {REGISTERS}; ++i) sum += f[i];
  out[threadIdx.x] = __float_as_uint(sum);
}}
"""


def names_of(registers):
    """The names that a pattern uses for the registers with the kernel's floats."""
    pair = next(r for r in registers if r % 2 == 0 and r + 1 in registers)
    free = [r for r in registers if r not in (pair, pair + 1)]
    result = {"p0": f"R{pair}", "q0": f"R{free[0]}"}
    result |= {f"x{i}": f"R{free[1 + i]}" for i in range(6)}
    return result | {f"c{i}": f"R{free[7 + i]}" for i in range(READS)}


def places_of(image):
    """For each kernel, the offsets of its FADDs and the registers that they write."""
    for name, offset, size in code_sections(image):
        found = [at for at in range(offset, offset + size, 16)
                 if struct.unpack_from("<Q", image, at)[0] & 0xFFF == FADD]
        yield name, found, sorted({image[at + 2] for at in found})


def patch(cubin):
    image = bytearray(cubin.read_bytes())
    places = list(places_of(bytes(image)))
    bodies = {}
    for name, found, registers in places:
        names = names_of(registers)
        body = [step("BAR.SYNC.DEFER_BLOCKING 0x0", 5), *PATTERNS[name], step("NOP", 15, False), *ADDRESS, *STORES]
        body += [step("NOP", 4)] * (len(found) - len(body))
        bodies[name] = [(text.format(**names), control) for text, control in body]
    words = encoded(bodies)
    for name, found, _ in places:
        for at, (text, control) in zip(found, bodies[name], strict=True):
            image[at:at + 16] = (words[text] & ~MASK | control << 105).to_bytes(16, "little")
    cubin.write_bytes(image)


def record(cubin):
    gpu = Gpu()
    module = gpu.load(cubin.read_bytes() + b"\0")
    source = gpu.buffer(4096, (ctypes.c_uint32 * 1024)())
    result, times = gpu.buffer(4096), gpu.buffer(4 * 32 * READS)
    rows = ["kernel,warps,launch,warp," + ",".join(f"read{i}" for i in range(READS))]
    for name in PATTERNS:
        function = gpu.function(module, name)
        for warps in WARPS:
            for launch in range(LAUNCHES):
                gpu.launch(function, 128 * warps, source, result, ctypes.c_int(1024), times,
                           ctypes.c_int(3))
                words = gpu.read(times, 32 * READS)
                clocks = [words[4 * w * READS:(4 * w + 1) * READS] for w in range(warps)]
                first = min(clocks, key=lambda each: (each[0] - clocks[0][0] + 2**31) % 2**32)[0]
                rows += [",".join(map(str, [name, warps, launch, w, *[(c - first) % 2**32
                                                                      for c in each]]))
                         for w, each in enumerate(clocks)]
    return "\n".join(rows) + "\n"


def main():
    folder = Path(sys.argv[1])
    cubin = folder / "arbitration.sm90.cubin"
    if not cubin.exists():
        compiled(cubin, map(kernel, PATTERNS))
        patch(cubin)
    if Path("/dev/nvidia0").exists():
        (folder / "arbitration.csv").write_text(record(cubin))


if __name__ == "__main__":
    main()
