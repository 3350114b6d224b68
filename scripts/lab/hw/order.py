# SPDX-License-Identifier: Apache-2.0
"""Which of the ready warps of a sub-partition issues, on sm_90: scripts/lab/hw/order.py FOLDER writes FOLDER/order.sm90.cubin
and FOLDER/order.json, and on a machine with a GPU FOLDER/order.csv.gz: for each pattern, number of warps on a
sub-partition and warp, the clock of each read. scripts/lab/hw/order.py --judge order.csv.gz counts the choices that the
rule of docs/sources.md explains.

All warps of a block wait for a load behind a barrier, and for 24 instructions of 15 cycles. So all are ready when the
reads begin. Instructions between the reads take the places of LDS that nvcc compiled; control bits come from here.
"""
import collections
import ctypes
import gzip
import json
import random
import struct
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from driver import Gpu
from issue import MASK, code_sections, compiled, encoded

READS = {"reads": 42, "loads": 20}  # of each kernel
WARPS = (1, 2, 3, 4, 6, 8)
LDS, CS2R, BAR = 0x984, 0x805, 0xB1D
LONGEST = 11  # stall counts above this mean something else with the bit that stays
LAG = 5  # cycles from the issue until a warp that yields is the last
OPERATIONS = {"shfl": "SHFL.BFLY PT, R{}, R4, 0x1, 0x1f", "lds": "LDS R{}, [R4]", "mufu": "MUFU.EX2 R{}, R4",
              "imad": "IMAD R{}, R4, R4, R4", "iadd": "IADD3 R{}, R4, R4, R4"}
MATH = ("imad", "iadd")


def source(name, count):
    loads = "".join(f'asm volatile("mov.u32 %0, %%clock;" : "=r"(c[{i}])::"memory");' +
                    (f'asm volatile("ld.volatile.shared.u32 %0, [%1+{4 * i}];" : "=r"(v[{i}]) : "r"(at):"memory");'
                     if name == "loads" else "") for i in range(count))
    waits = "".join(f'asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[{i % 3}]) : "f"(x[3]):"memory");'
                    for i in range(24))
    return f"""extern "C" __global__ void __launch_bounds__(1024) {name}(const float* in, float* out, unsigned* times) {{
  __shared__ unsigned words[256];
  words[threadIdx.x & 255] = threadIdx.x;
  unsigned c[{count}], v[{count}] = {{}}, at = threadIdx.x & 124;
  float x[4] = {{in[threadIdx.x], in[threadIdx.x + 1], in[threadIdx.x + 2]}};
  _Pragma("unroll 1") for (int pass = 0; pass < 4; ++pass) {{
    __syncthreads();
    asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(x[3]) : "r"(0) : "memory");
    {waits}
    {loads}
    __syncthreads();
    for (int i = 0; i < {count}; ++i) at += v[i] & 124;
    if (threadIdx.x % 32 == 0)
      for (int i = 0; i < {count}; ++i) times[threadIdx.x / 32 * {count} + i] = c[i];
    __syncthreads();
    const long long begin = clock64();
    while (clock64() - begin < 3000) {{}}
  }}
  out[threadIdx.x] = x[0] + x[1] + x[2] + at;
}}
"""


def patterns(name):
    """(operation, pattern, control bits of an instruction by its number and whether it reads the clock)"""
    same = lambda stall, stays: lambda i, reads: (stall, stays)
    if name == "loads":
        for kind in OPERATIONS:
            for stall, stays in ((1, 1), (2, 1), (4, 1), (1, 0), (2, 0), (4, 0)):
                yield kind, f"s{stall}y{stays}", lambda i, reads, each=(stall, stays): (2, 1) if reads else each
        return
    for stall in (2, 3, 4, 5, 6, 8, 11, 15):
        yield "none", f"s{stall}y1", same(stall, 1)
        yield "none", f"s{stall}y0", same(stall, 0)
    for count in (2, 3, 4, 6, 8, 12):
        for long in (5, 8, 11, 15):
            yield "none", f"c{count}l{long}", lambda i, reads, n=count, l=long: (l if i % n == n - 1 else 2, 1)
            yield "none", f"d{count}l{long}", lambda i, reads, n=count, l=long: (l if i % n == n - 1 else 4, 1)
    for count in (2, 3, 4, 6, 8):
        yield "none", f"y{count}", lambda i, reads, n=count: (2, int(i % n != n - 1))
    for seed in range(16):
        draw = random.Random(seed)
        stalls, stay = ((2, 3, 4, 5, 6, 8), 1.0) if seed < 6 else ((2,), 0.7) if seed < 10 else ((2, 2, 2, 4, 5), 0.8)
        drawn = [(draw.choice(stalls), int(draw.random() < stay)) for _ in range(READS["reads"])]
        yield "none", f"r{seed}", lambda i, reads, each=drawn: each[i]


def opcode(image, at):
    return struct.unpack_from("<Q", image, at)[0] & 0xFFF


class Kernel:
    """The places of a kernel's timed instructions."""

    def __init__(self, image, name):
        offset, size = next((o, s) for n, o, s in code_sections(image) if n == name)
        self.image, self.name = image, name
        places = range(offset, offset + size, 16)
        clocks = [at for at in places if opcode(image, at) == CS2R and image[at + 9] == 0x50][:READS[name]]
        begin = max(at for at in places if at < clocks[0] and opcode(image, at) == BAR)
        self.load = min(at for at in places if at > begin and opcode(image, at) == LDS)
        self.end = min(at for at in places if at > clocks[-1] and opcode(image, at) == BAR)
        self.first, self.last = clocks[0], clocks[-1]

    def patched(self, kind, control, words):
        """The image with another operation in the place of LDS, and with these control bits."""
        image = bytearray(self.image)
        timed = range(self.first, self.last + 16, 16)
        for number, at in enumerate(timed):
            if kind not in ("none", "lds") and opcode(image, at) == LDS:
                word = words[f"{kind} {image[at + 2]}"] | int.from_bytes(image[at:at + 16], "little") & MASK
                image[at:at + 16] = (word | (7 << 110 if kind in MATH else 0)).to_bytes(16, "little")
            set_control(image, at, *control(number, opcode(image, at) == CS2R))
        for at in [*range(self.load + 16, self.first, 16), *range(self.last + 16, self.end, 16)]:
            set_control(image, at, 15, 0)
        return bytes(image)


def set_control(image, at, stall, stays):
    word = int.from_bytes(image[at:at + 16], "little") & ~(0x1F << 105)
    word |= stall << 105 | int(stays and stall <= LONGEST) << 109
    image[at:at + 16] = word.to_bytes(16, "little")


def record(image, words):
    gpu, count = Gpu(), 1024 + 4
    numbers = gpu.buffer(4 * count, (ctypes.c_float * count)(*map(float, range(count))))
    out, times = gpu.buffer(4 * 1024), gpu.buffer(4 * 32 * max(READS.values()))
    rows = ["operation,pattern,warps,sub_partition,warp,clocks"]
    for name, reads in READS.items():
        kernel = Kernel(image, name)
        for kind, pattern, control in patterns(name):
            function = gpu.function(gpu.load(kernel.patched(kind, control, words) + b"\0"), name)
            for warps in WARPS:
                for _ in range(2):
                    gpu.launch(function, 128 * warps, numbers, out, times)
                found = gpu.read(times, 4 * warps * reads)
                since = lambda clock: (clock - found[0] + 2**31) % 2**32 - 2**31
                first = min(map(since, found))
                rows += [f"{kind},{pattern},{warps},{w % 4},{w // 4}," +
                         " ".join(str(since(each) - first) for each in found[w * reads:(w + 1) * reads])
                         for w in range(4 * warps)]
    return "\n".join(rows) + "\n"


def choices(clocks, control):
    """Each read, but a warp's first, with several ready warps: whether the rule names the warp that issued. The order of the
    first reads is the order at the begin. From cycle 30 on, all warps are ready."""
    order, moves, done, last = sorted(clocks, key=lambda w: clocks[w][0]), [], dict.fromkeys(clocks, 0), None
    first = min(30, max(each[0] for each in clocks.values()))
    for now, warp, number in sorted((t, w, i) for w, each in clocks.items() for i, t in enumerate(each)):
        while moves and moves[0][0] <= now:
            order.append(order.pop(order.index(moves.pop(0)[1])))
        ready = [w for w in order if done[w] < len(clocks[w]) and now > first and
                 (done[w] == 0 or clocks[w][done[w] - 1] + control(done[w] - 1, True)[0] <= now)]
        if len(ready) > 1 and number > 0:
            stall, stays = control(last[1], True)
            goes_on = last[0] in ready and stays and stall <= 2
            yield (last[0] if goes_on else ready[0]) == warp
        done[warp], last = number + 1, (warp, number)
        if not (control(number, True)[1] and control(number, True)[0] <= LONGEST):
            moves.append((now + LAG, warp))


def explained(path):
    """The choices of each pattern of reads alone that the rule explains, and all its choices."""
    controls = {pattern: control for _, pattern, control in patterns("reads")}
    groups, right, of = collections.defaultdict(dict), collections.Counter(), collections.Counter()
    for line in gzip.open(path, "rt").read().splitlines()[1:]:
        kind, pattern, warps, part, warp, clocks = line.split(",")
        if kind == "none":
            groups[pattern, warps, part][int(warp)] = list(map(int, clocks.split()))
    for (pattern, *_), clocks in groups.items():
        for is_right in choices(clocks, controls[pattern]):
            right[pattern] += is_right
            of[pattern] += 1
    return {pattern: (right[pattern], count) for pattern, count in of.items()}


def judge(path):
    found = explained(path)
    for pattern, (right, count) in found.items():
        print(f"{pattern:8} {100 * right / count:5.1f} % of {count} choices")
    print(f"all      {100 * sum(r for r, _ in found.values()) / sum(n for _, n in found.values()):5.1f} %")


def main():
    if sys.argv[1] == "--judge":
        return judge(sys.argv[2])
    folder = Path(sys.argv[1])
    cubin, texts = folder / "order.sm90.cubin", folder / "order.json"
    if not cubin.exists():
        compiled(cubin, [source(*each) for each in READS.items()])
        each = {f"{kind} {d}": text.format(d) for kind, text in OPERATIONS.items() for d in range(64)}
        words = encoded({"all": [(text, 0) for text in each.values()]})
        texts.write_text(json.dumps({name: words[text] for name, text in each.items()}))
    if Path("/dev/nvidia0").exists():
        with gzip.GzipFile(folder / "order.csv.gz", "wb", mtime=0) as out:
            out.write(record(cubin.read_bytes(), json.loads(texts.read_text())).encode())


if __name__ == "__main__":
    main()
