# SPDX-License-Identifier: Apache-2.0
"""Times how the operands of shuffles, shared memory, stores and special functions are read on sm_90,
and how the sub-partitions share what is behind their queues: scripts/lab/hw/queues.py FOLDER writes
FOLDER/queues.sm90.cubin and the probes, and on a machine with a GPU FOLDER/queues.csv.gz.

A probe is a sequence of instructions between two clock reads, in place of FADD that nvcc compiled as
in issue.py. Warps of `a` run it; warps of `b` run another one beside it. They start together at a
barrier. Each row has, for each warp of `a` and `b`, the two clocks from the first of all reads on.
"""
import ctypes
import gzip
import json
import struct
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import issue
from driver import Gpu
from issue import NONE, code_sections, compiled, encoded

SLOTS, REGISTERS = 144, 44
ROOM = 150  # words between the two reads of the clock in each body
LAUNCHES = 3
S2UR, MOV_UR = 0x9C3, 0xC02
BRANCH = 0x38000000000000000007947  # to the next instruction


def step(text, stall=1, writes=NONE, reads=NONE, waits=0):
    return text, stall | (stall <= 11) << 4 | writes << 5 | reads << 8 | waits << 11


def wait(mask):
    return step("NOP", waits=mask)


# Lanes in R4, R5; 31 in R6, R7; shared addresses for 4, 8, 16 bytes a lane in R8 to R13; a global one in R14.
PRELUDE = [step("S2R R3, SR_TID.X", 2, 0), step("LDC.64 R14, c[0x0][0x218]", 2, 1),
           step("ULDC.64 UR20, c[0x0][0x208]", 8), step("S2R R4, SR_LANEID", 2, 2),
           step("S2R R5, SR_LANEID", 2, 3), step("IMAD.MOV.U32 R6, RZ, RZ, 0x1f", 6),
           step("IMAD.MOV.U32 R7, RZ, RZ, 0x1f", 6),
           step("IMAD.SHL.U32 R8, R3, 0x4, RZ", 8, waits=15),
           *(step(f"IMAD.SHL.U32 R{8 + i}, R{3 if i == 1 else 4}, 0x{4 << i // 2:x}, RZ", 8)
             for i in range(1, 6)), step("IMAD.WIDE.U32 R14, R3, 0x4, R14", 8)]

OPERATIONS = {
    "shfl1e": "SHFL.BFLY PT, R{d}, R18, 0x1, 0x1f", "shfl1o": "SHFL.BFLY PT, R{d}, R19, 0x1, 0x1f",
    "shfl2ee": "SHFL.IDX PT, R{d}, R18, R4, 0x1f", "shfl2oo": "SHFL.IDX PT, R{d}, R19, R5, 0x1f",
    "shfl3": "SHFL.IDX PT, R{d}, R18, R5, R6", "lds": "LDS R{d}, [R8]", "ldso": "LDS R{d}, [R9]",
    "lds64": "LDS.64 R{d}, [R10+0x100]", "lds128": "LDS.128 R{d}, [R12+0x200]",
    "sts": "STS [R8+0x1000], R18", "stso": "STS [R8+0x1000], R19",
    "sts64": "STS.64 [R10+0x1100], R18", "sts128": "STS.128 [R12+0x1200], R20",
    "mufu": "MUFU.EX2 R{d}, R18"}
MATH = {"ffma_e": "FFMA R33, R18, R20, R22", "ffma_o": "FFMA R33, R19, R21, R23",
        "fadd_ee": "FADD R33, R18, R20", "fadd_eo": "FADD R33, R18, R21",
        "fadd_oo": "FADD R33, R19, R21", "iadd_eoe": "IADD3 R33, R18, R21, R22"}


def operation(name, number, stall=1, writes=NONE, reads=NONE):
    return step(OPERATIONS[name].format(d=40 + 4 * (number % 3)), stall, writes, reads)


def followed(name, number):
    """The operation, and a wait for its result or, without one, for the release of its sources."""
    ends = {"reads": 0} if name.startswith("sts") else {"writes": 0}
    return [operation(name, number, 2, **ends), wait(1)]


def rows():
    """Several operations of a kind, and pairs of kinds, so many cycles apart; operations before math."""
    for name in OPERATIONS:
        for stall in (1, 2, 3, 4, 5, 6, 8):
            for count in (1, 2, 3, 4, 6, 8, 12, 16):
                before = [operation(name, i, stall) for i in range(count - 1)]
                label = f"{name}_{stall}_{count}"
                yield f"done_{label}", before + followed(name, count - 1)
                yield f"issued_{label}", before + [operation(name, count - 1)]
                if name != "mufu":
                    last = operation(name, count - 1, 2, reads=0)
                    yield f"read_{label}", [*before, last, wait(1)]
    for one in OPERATIONS:
        for other in OPERATIONS:
            for stall in (1, 2, 3, 4):
                for count in (1, 4):
                    both = [operation((one, other)[i % 2], i, stall) for i in range(2 * count - 1)]
                    yield f"pair_{one}_{other}_{stall}_{count}", both + followed(other, 2 * count - 1)
    for math, text in MATH.items():
        for name in OPERATIONS:
            for count in (1, 2, 3, 4, 5, 6, 8, 12, 20):
                yield f"stop_{name}_{math}_{count}", [
                    *[step(text)] * 3, operation(name, 0), *[step(text)] * count]


def in_warps():
    """Operations of several warps at a time: name, instructions, kinds of counts."""
    one = {"s2r": "S2R R40, SR_TID.X", "ldc": "LDC R40, c[0x0][0x220]",
           "shuffle": "SHFL.BFLY PT, R40, R3, 0x1, 0x1f", "load": "LDS R40, [R8]",
           "special": "MUFU.EX2 R40, R3", "redux": "REDUX.SUM UR22, R3", "match": "MATCH.ANY R40, R6",
           "values": "MATCH.ANY R40, R18", "ldg": "LDG.E R40, desc[UR20][R14.64]"}
    ends = {"sts": "STS [R8+0x1000], R3", "stg": "STG.E desc[UR20][R14.64], R3",
            "nothing": "@!PT STG.E desc[UR20][R14.64], R3"}
    first = [step("LOP3.LUT R18, R4, 0x7, RZ, 0xc0, !PT", 8)]
    for count in (2, 4, 8, 16, 40):
        for name, text in one.items():
            yield f"{name}_{count}", first + [step(text, writes=0)] * count + [wait(1)]
        for name, text in ends.items():
            yield f"{name}_{count}", first + [step(text, reads=0)] * count + [wait(1)]


def probes():
    """(name, instructions of a, of b, mask of a, of b)"""
    for name, steps in rows():
        yield name, steps, None, 1, 0
    for name, steps in in_warps():
        for warps, mask in (("1", 1), ("2", 3), ("4", 15), ("8", 0xFF), ("16", 0xFFFF)):
            yield f"{name}_{warps}", steps, None, mask, 0
    alone = dict(in_warps())
    beside = {"load": alone["load_40"], "stg": alone["stg_40"], "rows": [
        *(step(f"STG.E desc[UR20][R14.64+0x{4096 * i:x}], R3", reads=0) for i in range(32)), wait(1)]}
    for name in ("shuffle", "load", "sts", "special", "stg"):
        for other, steps in beside.items():
            for mask in (2, 6, 14):
                yield f"{name}_beside_{other}_{bin(mask).count('1')}", alone[f"{name}_40"], steps, 1, mask


def kernel():
    adds = lambda value: "".join(f'asm volatile("add.f32 %0, %0, {value};" : "+f"(f[{i % REGISTERS}]));'
                                 for i in range(SLOTS))
    clock = 'asm volatile("mov.u32 %0, %%clock;" : "=r"({}) :: "memory");'
    body = lambda value: clock.format("t0") + adds(value) + clock.format("t1")
    return f"""extern "C" __global__ void __launch_bounds__(1024) probe(const unsigned* in, unsigned* out,
    int n, unsigned* times, int passes, unsigned a, unsigned b) {{
  __shared__ unsigned words[8192];
  unsigned t0 = 0, t1 = 0;
  float f[{REGISTERS}];
  for (int i = 0; i < {REGISTERS}; ++i) f[i] = in[threadIdx.x] * (i + 1.0f);
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) words[i] = i & 31;
  if (n == 77777) asm volatile("barrier.sync.aligned 1, 64;");
  const bool is_a = a >> (threadIdx.x / 32) & 1, is_b = b >> (threadIdx.x / 32) & 1;
  _Pragma("unroll 1") for (int pass = 0; pass < passes; ++pass) {{
    __syncthreads();
    if (is_a) {{ {body("0f3F800000")} }}
    if (is_b) {{ {body("0f40000000")} }}
  }}
  if ((threadIdx.x & 31) == 0) {{ times[threadIdx.x / 16] = t0; times[threadIdx.x / 16 + 1] = t1; }}
  float sum = 0;
  for (int i = 0; i < {REGISTERS}; ++i) sum += f[i];
  out[threadIdx.x] = __float_as_uint(sum) + words[(n + threadIdx.x) & 8191];
}}
"""


def places(image):
    """The first word of each body, and the registers of the two clocks."""
    (_, offset, size), = code_sections(image)
    words = [struct.unpack_from("<QQ", image, at) for at in range(offset, offset + size, 16)]
    reads = [i for i, (low, high) in enumerate(words) if low & 0xFFF == S2UR and high >> 8 & 0xFF == 0x50]
    begin = [reads[0], reads[2]]
    last = [words[i][0] >> 16 & 0xFF for i in range(begin[0], begin[0] + ROOM + 4)
            if words[i][0] & 0xFFF == MOV_UR]
    return [offset + 16 * i for i in begin], last[0], last[1]


def filled(steps, threads, clocks):
    read = lambda register: step(f"CS2R.32 R{register}, SR_CLOCKLO", 1)
    code = [*PRELUDE, step(f"BAR.SYNC.DEFER_BLOCKING 0x1, 0x{threads:x}", 5), (None, step("", 5)[1]),
            step("NOP", 15), step("NOP", 15), read(clocks[0]), *steps, read(clocks[1]),
            step("NOP", 15, waits=63), step("NOP", 15)]
    return code + [step("NOP", 4)] * (ROOM - len(code))


def patches(image, probe):
    """(offset, text, control bits) of each word of the probe."""
    _, one, other, mask, other_mask = probe
    begin, *clocks = places(image)
    threads = 32 * bin(mask | other_mask).count("1")
    for at, steps in zip(begin, (one, other)):
        if steps is not None:
            for i, (text, control) in enumerate(filled(steps, threads, clocks)):
                yield at + 16 * i, text, control


def record(folder):
    plan, gpu = json.loads((folder / "queues.json").read_text()), Gpu()
    image = (folder / "queues.sm90.cubin").read_bytes()
    source = gpu.buffer(4096, (ctypes.c_uint32 * 1024)())
    result, times = gpu.buffer(4096 * 33), gpu.buffer(4096)
    lines = ["probe,launch,clocks"]
    for name, words, mask, other in plan:
        changed = bytearray(image)
        for at, word in words:
            changed[at:at + 16] = int(word, 16).to_bytes(16, "little")
        module = gpu.load(bytes(changed) + b"\0")
        function, both = gpu.function(module, "probe"), mask | other
        for launch in range(LAUNCHES + 1):
            gpu.launch(function, 32 * both.bit_length(), source, result, ctypes.c_int(1024), times,
                       ctypes.c_int(4), ctypes.c_uint(mask), ctypes.c_uint(other))
            read = gpu.read(times, 2 * both.bit_length())
            first = min(read[::2])
            if launch != 0:
                lines.append(f"{name},{launch}," + " ".join(str((each - first) % 2**32) for each in read))
        gpu.call("cuModuleUnload", module)
    with gzip.GzipFile(folder / "queues.csv.gz", "wb", mtime=0) as out:
        out.write(("\n".join(lines) + "\n").encode())


def main():
    folder = Path(sys.argv[1])
    cubin = folder / "queues.sm90.cubin"
    if not cubin.exists():
        compiled(cubin, [kernel()])
        image, found = cubin.read_bytes(), list(probes())
        every = [(probe, list(patches(image, probe))) for probe in found]
        words = encoded({probe[0]: [(text, 0) for _, text, _ in its if text is not None] for probe, its in every})
        words[None] = BRANCH
        plan = [(probe[0], [(at, f"{words[text] & ~issue.MASK | control << 105:032x}") for at, text, control in its],
                 *probe[3:]) for probe, its in every]
        (folder / "queues.json").write_text(json.dumps(plan))
    if Path("/dev/nvidia0").exists():
        record(folder)


if __name__ == "__main__":
    main()
