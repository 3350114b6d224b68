# SPDX-License-Identifier: Apache-2.0
"""How often an instruction can issue, by the warps of a sub-partition and by sub-partitions, on sm_90:
scripts/lab/hw/rates.py FOLDER SET writes FOLDER/SET.sm90.cubin, and on a machine with a GPU FOLDER/SET.csv for
`shflsim accuracy --whole`. SET is rates, or branch_turns: jumps to registers and moves of convergence barriers. A
kernel times 224 instructions of one kind; all warps begin behind a barrier.
"""
import ctypes
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from driver import Gpu
from issue import MASK, code_sections, compiled, encoded, step
from order import CS2R, opcode

COUNT, CLOCK = 224, 0x50
BSSY = 0x000FE20003800000 << 64 | 0x7945  # to the next instruction
SUMS = 7  # registers of the sums: {0} to {6}; {7} is read by all
OFF = "@!PT "
HEADING = "kernel,note,placement,warps,span_min,span_median,span_max,warp_min,warp_median,warp_max"
PLACED = [("spread", 0, n) for n in (1, 2, 4, 8, 16, 32)] + [("one", 1, n) for n in (1, 2, 4, 8)]


def repeated(*steps):
    return [steps[i % len(steps)] for i in range(COUNT)]


def chain(text):
    """Each waits for the result of the one before."""
    return repeated(step(text, 2, 0, 1))


def controlled(text, stall, writes=7, reads=7, waits=0):
    """`step` with a scoreboard of its sources."""
    same, control = step(text, stall, writes, waits)
    return same, control & ~(7 << 8) | reads << 8


def behind_moves():
    """BSYNC behind BMOVs of its barrier B6 and of another one, with NOPs of 15 cycles between them."""
    begin, end = step("BSSY B6, 0x10", 5), step("BSYNC B6", 5)
    get = controlled("BMOV.32 R20, B6", 2, 0)
    moves = {"plain": [], "get": [get, step("NOP", 1, waits=1)]}
    for name, barrier in (("set", "B6"), ("other", "B7")):
        moves[name] = [controlled(f"BMOV.32 R20, {barrier}", 2, 0),
                       controlled(f"BMOV.32 {barrier}, R20", 2, reads=1, waits=1), step("NOP", 1, waits=2)]
    for count in (0, 1, 4):
        nops = [step("NOP", 15)] * count
        for name, steps in moves.items():
            yield f"sync_{name}_{count}", repeated(begin, *steps, *nops, end)
        yield f"again_{count}", repeated(begin, *moves["set"], *nops, end, begin, *nops, end)


def branch_turns():
    """Returns to the next instruction, and moves of convergence barriers. R20 and R21 are free."""
    first = [step("MOV R20, 0x10", 1), step("MOV R21, RZ", 8)]
    back = step("RET.REL.NODEC R20 0x0", 5)
    yield "ret", (first + repeated(back))[:COUNT]
    yield "ret_nops", (first + repeated(back, *[step("NOP", 1)] * 6))[:COUNT]
    yield "get_chain", repeated(controlled("BMOV.32 R20, B6", 2, 0, waits=1))
    yield "set_chain", (first + repeated(controlled("BMOV.32 B6, R20", 2, reads=1, waits=2)))[:COUNT]
    yield "get_set", repeated(controlled("BMOV.32 R20, B6", 2, 0),
                              controlled("BMOV.32 B6, R20", 2, reads=1, waits=1), step("NOP", 1, waits=2))
    yield from behind_moves()


def rates():
    nops = [step("NOP", 1)]
    yield "nop", repeated(*nops)
    yield "bssy", repeated(step("BSSY", 1))
    yield "bsync", repeated(step("BSYNC B0", 5))
    yield "pair", repeated(step("BSSY", 1), step("BSYNC B0", 5))
    yield "pair_nops", repeated(step("BSSY", 1), step("BSYNC B0", 5), *nops * 6)
    yield "give_way", repeated(step("YIELD", 4))
    yield "shuffles", chain("SHFL.BFLY PT, R{0}, R{0}, 0x1, 0x1f")
    yield "shuffles_off", chain(OFF + "SHFL.BFLY PT, R{0}, R{0}, 0x1, 0x1f")
    yield "shared_off", chain(OFF + "LDS R{0}, [R{7}]")
    yield "global_off", chain(OFF + "LDG.E R{0}, desc[UR4][R2.64]")
    yield "registers", repeated(step("S2R R{0}, SR_LANEID", 1))
    yield "constants", repeated(step("LDC R{0}, c[0x0][0x210]", 1))


def source(name):
    sums = "".join(f'asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[{i % SUMS}]) : "f"(x[{SUMS}]) : "memory");'
                   for i in range(COUNT))
    return f"""extern "C" __global__ void __launch_bounds__(1024) {name}(const float* in, float* out, unsigned* times, int one) {{
  const unsigned warp = threadIdx.x / 32;
  float x[{SUMS + 1}];
  for (int i = 0; i <= {SUMS}; ++i) x[i] = in[threadIdx.x + i];
  _Pragma("unroll 1") for (int pass = 0; pass < 4; ++pass) {{
    __syncthreads();
    if (one == 0 || warp % 4 == 0) {{
      unsigned begin, end;
      asm volatile("mov.u32 %0, %%clock;" : "=r"(begin)::"memory");
      {sums}
      asm volatile("mov.u32 %0, %%clock;" : "=r"(end)::"memory");
      if (threadIdx.x % 32 == 0) times[2 * warp] = begin, times[2 * warp + 1] = end;
    }}
    __syncthreads();
  }}
  for (int i = 0; i < {SUMS}; ++i) x[{SUMS}] += x[i];
  out[threadIdx.x] = x[{SUMS}];
}}
"""


def patched(image, name, steps):
    """Puts the steps into the kernel, between its reads of the clock."""
    offset, size = next((o, s) for n, o, s in code_sections(bytes(image)) if n == name)
    clocks = [at for at in range(offset, offset + size, 16) if opcode(image, at) == CS2R and image[at + 9] == CLOCK]
    first = clocks[0] + 16
    registers = [image[first + 16 * i + 2] for i in range(SUMS)] + [image[first + 8]]
    places = range(first, clocks[1], 16)
    texts = [text.format(*registers) for text, _ in steps]
    words = encoded({name: [(text, 0) for text in texts if text != "BSSY"]}) | {"BSSY": BSSY & ~MASK}
    for at, text, (_, control) in zip(places, texts, steps):
        image[at:at + 16] = (words[text] | control << 105).to_bytes(16, "little")


def spans(gpu, function, buffers, one, warps):
    """Cycles from the first begin to the last end, and of the median warp."""
    for _ in range(2):
        gpu.launch(function, 32 * warps * (4 if one else 1), *buffers, ctypes.c_int(one))
    read = gpu.read(buffers[2], 64)
    clocks = [(read[2 * w * (4 if one else 1)], read[2 * w * (4 if one else 1) + 1]) for w in range(warps)]
    since = [((b - clocks[0][0] + 2**31) % 2**32, (e - clocks[0][0] + 2**31) % 2**32) for b, e in clocks]
    times = sorted(e - b for b, e in since)
    return max(e for _, e in since) - min(b for b, _ in since), times[(warps - 1) // 2]


SETS = {"rates": rates, "branch_turns": branch_turns}


def record(cubin, names):
    gpu, rows = Gpu(), [HEADING]
    buffers = (gpu.buffer(8192, (ctypes.c_float * 2048)(*[1 + i / 4096 for i in range(2048)])), gpu.buffer(4096),
               gpu.buffer(256))
    module = gpu.load(cubin.read_bytes() + b"\0")
    for name in names:
        for placement, one, warps in PLACED:
            span, warp = spans(gpu, gpu.function(module, name), buffers, one, warps)
            rows.append(f"{name},row,{placement},{warps},{span},{span},{span},{warp},{warp},{warp}")
    return "\n".join(rows) + "\n"


def main():
    folder, chosen = Path(sys.argv[1]), sys.argv[2]
    kinds = dict(SETS[chosen]())
    cubin = folder / f"{chosen}.sm90.cubin"
    if not cubin.exists():
        compiled(cubin, map(source, kinds))
        image = bytearray(cubin.read_bytes())
        for name, steps in kinds.items():
            patched(image, name, steps)
        cubin.write_bytes(image)
        cubin.with_suffix(".cu").unlink()
    if Path("/dev/nvidia0").exists():
        (folder / f"{chosen}.csv").write_text(record(cubin, kinds))


if __name__ == "__main__":
    main()
