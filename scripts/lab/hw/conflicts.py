# SPDX-License-Identifier: Apache-2.0
"""Times when accesses to shared memory with bank conflicts, and what is beside them or beside stores to global
memory, issue and end on sm_90: scripts/lab/hw/conflicts.py FOLDER writes FOLDER/conflicts.sm90.cubin and the
probes, and on a machine with a GPU FOLDER/conflicts.csv.gz.

Warps of `a` run one sequence, warps of `b` another one beside it, in place of FADD that nvcc compiled as in
queues.py. A sequence reads the clock many times; it stores the reads in the last pass, behind all accesses. Each
row has the reads of one warp, from the first read of all warps on.
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
from issue import FADD, NONE, code_sections, compiled, encoded
from queues import BRANCH, step, wait

SLOTS, REGISTERS, READS = 264, 100, 48
PASSES, LAUNCHES = 4, 2
BASE = 0x400  # where the block's shared memory begins
COUNTER = BASE + 4 * 11000  # the number of the pass
STRIDES = (4, 8, 16, 32, 64, 128)  # bytes between lanes
GLOBAL_STRIDES = (0, 4, 16, 128)
REGION = 18  # bits of the address in a warp's part of global memory

PRELUDE = [
    step("S2R {tid}, SR_TID.X", 2, 0), step("S2R {lane}, SR_LANEID", 2, 1),
    step("LDC.64 {g0}, c[0x0][0x218]", 2, 2), step("LDC.64 {tp}, c[0x0][0x228]", 2, 3),
    step("ULDC.64 UR20, c[0x0][0x208]", 8), step("SHF.R.U32.HI {warp}, RZ, 0x5, {tid}", 8, waits=15),
    step(f"IMAD.WIDE.U32 {{tp}}, {{warp}}, 0x{4 * READS:x}, {{tp}}", 8),
    step(f"IMAD.WIDE.U32 {{g0}}, {{warp}}, 0x{1 << REGION:x}, {{g0}}", 8),
    *(step(f"IMAD.WIDE.U32 {{g{s}}}, {{lane}}, 0x{s:x}, {{g0}}", 8) for s in GLOBAL_STRIDES[1:]),
    *(step(f"IMAD.SHL.U32 {{s{s}}}, {{lane}}, 0x{s:x}, RZ", 8) for s in STRIDES),
    step("IMAD.MOV.U32 {none}, RZ, RZ, 0x0", 8)]

WIDTHS = {"": 4, "64": 8, "128": 16}


def access(kind, passes, stall=1, number=0, ends=NONE):
    """One instruction of a kind that takes so many passes (of a kind without passes, any)."""
    d = f"{{d{number % 4}}}"
    for width, least in WIDTHS.items():
        stride, dot = f"s{least * passes}", f".{width}" if width else ""
        if kind == f"sts{width}":
            return step(f"STS{dot} [{{{stride}}}+0x400], {{data}}", stall, reads=ends)
        if kind == f"lds{width}":
            return step(f"LDS{dot} {d}, [{{{stride}}}+0x400]", stall, ends)
    texts = {"stsz": f"STS [{{s{4 * passes}}}+0x400], RZ", "stg": "STG.E desc[UR20][{g4}.64+%s], {data}",
             "stg0": "STG.E desc[UR20][{g0}.64+%s], {data}", "stg128": "STG.E.128 desc[UR20][{g16}.64+%s], {data}",
             "stgl": "STG.E desc[UR20][{g128}.64+%s], {data}", "red": "REDG.E.ADD.STRONG.GPU desc[UR20][{g4}.64+%s], {data}"}
    if kind in texts:
        size = {"stg": 128, "stg0": 0, "stg128": 512, "stgl": 4096, "red": 128, "stsz": 0}[kind]
        text = texts[kind]
        return step(text % hex(size * number) if "%s" in text else text, stall, reads=ends)
    texts = {"atoms": f"ATOMS.ADD {d}, [{{s{4 * passes}}}+0x400], {{data}}", "shfl": f"SHFL.BFLY PT, {d}, {{data}}, 0x1, 0x1f",
             "shfl3": f"SHFL.IDX PT, {d}, {{data}}, {{lane}}, {{none}}", "mufu": f"MUFU.EX2 {d}, {{data}}",
             "s2r": f"S2R {d}, SR_TID.X", "ldg": f"LDG.E {d}, desc[UR20][{{g4}}.64+{hex(128 * number)}]"}
    return step(texts[kind], stall, ends)


READ = ("read", step("", 1)[1])


def row(kind, passes, count, stall=1):
    """Accesses with a read behind each, then one when the last has ended, and one behind a load of a row."""
    stores = kind.startswith(("sts", "stg", "red"))
    ended = [wait(1), READ, access("lds", 1, 2, 0, 1), wait(2), READ] if not kind.startswith(("stg", "red")) else []
    return [READ, *(each for i in range(count)
                    for each in (access(kind, passes, stall, i, 0 if i == count - 1 or not stores else NONE), READ)),
            *ended]


def chain(kind, count):
    """Each waits for the one before."""
    return [READ, *(each for i in range(count) for each in (access(kind, 1, 2, i, 0), wait(1), READ))]


def ends(kind, passes, count):
    """Accesses in a row; then reads when all but so many have ended."""
    return [READ, *(access(kind, passes, 1, i, 0) for i in range(count)), READ,
            *(each for i in range(count) for each in (step(f"DEPBAR.LE SB0, 0x{count - 1 - i:x}", 4), READ))]


def behind(kind, passes, count, then, number):
    """Accesses in a row, then others with a read behind each, then reads when these have ended."""
    return [READ, *(access(kind, passes, 1, i) for i in range(count)), READ,
            *(each for i in range(number) for each in (access(then, 1, 1, i, 0), READ)),
            *(each for i in range(number) for each in (step(f"DEPBAR.LE SB0, 0x{number - 1 - i:x}", 4), READ))]


def pattern(*accesses):
    """Accesses (kind, passes), a read behind each, and a load at the end."""
    return [READ, *(each for i, one in enumerate(accesses) for each in (access(*one, 1, i), READ)),
            access("lds", 1, 2, 0, 1), wait(2), READ]


def of_one_warp():
    for kind in ("sts", "stsz", "lds", "atoms"):
        for passes in (1, 2, 4, 8, 16, 32):
            yield f"row_{kind}_{passes}", row(kind, passes, 40)
    for kind in ("sts64", "lds64", "sts128", "lds128"):
        for passes in (1, 2, 4, 8):
            yield f"row_{kind}_{passes}", row(kind, passes, 40)
    for passes in (2, 8, 32):
        for stall in (4, 6, 8, 11):
            yield f"apart{stall}_sts_{passes}", row("sts", passes, 32, stall)
            yield f"apart{stall}_lds_{passes}", row("lds", passes, 32, stall)
        for count in (1, 2, 3, 4, 6, 8, 10, 12, 14, 15, 16, 18, 20):
            yield f"ends_lds_{passes}_{count}", ends("lds", passes, count)
            yield f"ends_sts_{passes}_{count}", ends("sts", passes, count)
            yield f"load_behind_sts_{passes}_{count}", behind("sts", passes, count, "lds", 1)
            yield f"loads_behind_sts_{passes}_{count}", behind("sts", passes, count, "lds", 6)
        for count in (1, 2, 4, 8, 12, 16):
            for then in ("shfl", "shfl3", "mufu", "s2r", "stg", "ldg", "sts"):
                yield f"{then}_behind_sts_{passes}_{count}", behind("sts", passes, count, then, 12)
                yield f"{then}_behind_lds_{passes}_{count}", behind("lds", passes, count, then, 12)
    yield from of_unlike_accesses()


def of_unlike_accesses():
    for passes in (2, 4, 8, 32):
        for one, other in (("sts", "lds"), ("sts", "shfl"), ("lds", "shfl"), ("sts", "stg"), ("lds", "stg")):
            yield f"turns_{one}_{other}_{passes}", pattern(*[(one, passes), (other, 1 if other != "lds" else passes)] * 18)
        for kind in ("sts", "lds"):
            yield f"every2_{kind}_{passes}", pattern(*[(kind, passes), (kind, 1)] * 18)
            yield f"every4_{kind}_{passes}", pattern(*[(kind, passes), *[(kind, 1)] * 3] * 9)
            for first in (1, 2, 4, 8, 12):
                yield f"first{first}_{kind}_{passes}", pattern(*[(kind, passes)] * first, *[(kind, 1)] * (36 - first))


def probes():
    """(name, sequence of a, of b, mask of a, of b)"""
    for name, steps in of_one_warp():
        yield name, steps, None, 1, 0
    for kind in ("sts", "lds"):
        for passes in (1, 2, 4, 8, 32):
            for mask in (0x3, 0x11, 0xF, 0x33, 0x1111, 0xFF, 0xFFFF):
                yield f"warps_{kind}_{passes}_{mask:x}", row(kind, passes, 24), None, mask, 0
    victims = {"lds_chain": chain("lds", 12), "shfl_chain": chain("shfl", 12), "mufu_chain": chain("mufu", 12),
               **{f"{kind}_row": row(kind, 1, 24) for kind in ("lds", "sts", "shfl", "stg", "ldg")},
               "sts8_row": row("sts", 8, 24), "lds8_row": row("lds", 8, 24)}
    others = {f"{kind}{passes}": row(kind, passes, 40) for kind in ("sts", "lds") for passes in (2, 8, 32)}
    stores = {kind: row(kind, 1, 40) for kind in ("stg", "stg0", "stg128", "stgl", "red")}
    for victim, steps in victims.items():
        for masks, beside in (((0x2, 0xE, 0x10, 0x1110), others), ((0x2, 0x6, 0xE, 0xEE, 0xEEEE, 0x10), stores)):
            for name, other in beside.items():
                for mask in masks:
                    yield f"beside_{victim}_{name}_{mask:x}", steps, other, 1, mask


def kernel():
    adds = lambda value: "".join(f'asm volatile("add.f32 %0, %0, {value};" : "+f"(f[{i % REGISTERS}]));'
                                 for i in range(SLOTS))
    return f"""extern "C" __global__ void __launch_bounds__(512) probe(const unsigned* in, unsigned* out,
    int n, unsigned* times, int passes, unsigned a, unsigned b) {{
  __shared__ unsigned words[12000];
  float f[{REGISTERS}];
  for (int i = 0; i < {REGISTERS}; ++i) f[i] = in[threadIdx.x] * (i + 1.0f);
  for (int i = threadIdx.x; i < 12000; i += blockDim.x) words[i] = i & 31;
  if (n == 77777) asm volatile("barrier.sync.aligned 1, 64;");
  const bool is_a = a >> (threadIdx.x / 32) & 1, is_b = b >> (threadIdx.x / 32) & 1;
  _Pragma("unroll 1") for (int pass = 0; pass < passes; ++pass) {{
    __syncthreads();
    words[11000] = pass;
    __syncthreads();
    if (is_a) {{ {adds("0f3F800000")} }}
    if (is_b) {{ {adds("0f40000000")} }}
  }}
  float sum = 0;
  for (int i = 0; i < {REGISTERS}; ++i) sum += f[i];
  out[threadIdx.x] = __float_as_uint(sum) + words[(n + threadIdx.x) & 8191];
}}
"""


def places(image):
    """The first words of the two bodies, and the registers of the FADDs."""
    (_, offset, size), = code_sections(image)
    words = {at: struct.unpack_from("<QQ", image, at) for at in range(offset, offset + size, 16)}
    adds = [at for at, (low, _) in words.items() if low & 0xFFF == FADD]
    begin = [next(at for at in adds if low_word(words, at, adds, value)) for value in (0x3F800000, 0x40000000)]
    registers = sorted({words[at][0] >> 16 & 0xFF for at in range(begin[0], begin[0] + 16 * SLOTS, 16)})
    return begin, registers


def low_word(words, at, adds, value):
    """Whether SLOTS additions of the value begin here."""
    return all(at + 16 * i in words and at + 16 * i in adds and words[at + 16 * i][0] >> 32 == value for i in range(SLOTS))


def names_of(registers):
    """The names that the texts use for registers of the kernel's floats."""
    free, names = list(registers), {}
    def take(name, count):
        first = next(r for r in free if r % count == 0 and all(r + i in free for i in range(count)))
        for i in range(count):
            free.remove(first + i)
        names[name] = f"R{first}"
    for name in ("data", "d0", "d1", "d2", "d3"):
        take(name, 4)
    for name in ("q0", "tp", *(f"g{s}" for s in GLOBAL_STRIDES)):
        take(name, 2)
    for name in ("tid", "lane", "warp", "none", "x0", "x1", "y0", "y1", *(f"s{s}" for s in STRIDES), *(f"c{i}" for i in range(READS))):
        take(name, 1)
    return names


def filled(steps, threads, names):
    count = 0
    code = [*PRELUDE, step(f"BAR.SYNC.DEFER_BLOCKING 0x1, 0x{threads:x}", 5), (None, step("", 5)[1]),
            step("NOP", 15), step("NOP", 15)]
    for text, control in steps:
        if text == "read":
            text, count = f"CS2R.32 {{c{count}}}, SR_CLOCKLO", count + 1
        code.append((text, control))
    code += [step("NOP", 15, waits=63), *[step("NOP", 15)] * 4,
             step(f"LDS {{tid}}, [{{none}}+0x{COUNTER:x}]", 2, 0),
             step(f"ISETP.NE.AND P5, PT, {{tid}}, 0x{PASSES - 1:x}, PT", 15, waits=1),
             *(step(f"@!P5 STG.E desc[UR20][{{tp}}.64+0x{4 * i:x}], {{c{i}}}", 4, reads=3) for i in range(count)),
             step("NOP", 15, waits=63)]
    assert len(code) <= SLOTS and count <= READS, (len(code), count)
    code += [step("NOP", 4)] * (SLOTS - len(code))
    return [(text and text.format(**names), control) for text, control in code], count


def patches(image, probe):
    """(offset, text, control bits) of each word of the probe, and the numbers of reads."""
    _, one, other, mask, other_mask = probe
    begin, registers = places(image)
    threads, words, counts = 32 * bin(mask | other_mask).count("1"), [], []
    for at, steps in zip(begin, (one, other)):
        code, count = filled(steps, threads, names_of(registers)) if steps is not None else ([], 0)
        words += [(at + 16 * i, text, control) for i, (text, control) in enumerate(code)]
        counts.append(count)
    return words, counts


def record(folder):
    plan, gpu = json.loads(gzip.decompress((folder / "conflicts.json.gz").read_bytes())), Gpu()
    image = (folder / "conflicts.sm90.cubin").read_bytes()
    source = gpu.buffer(4096, (ctypes.c_uint32 * 1024)())
    result, times = gpu.buffer(16 << REGION), gpu.buffer(16 * 4 * READS)
    lines = ["probe,launch,warp,clocks"]
    for name, words, counts, mask, other in plan:
        changed = bytearray(image)
        for at, word in words:
            changed[at:at + 16] = int(word, 16).to_bytes(16, "little")
        module = gpu.load(bytes(changed) + b"\0")
        function, both = gpu.function(module, "probe"), mask | other
        for launch in range(LAUNCHES):
            gpu.launch(function, 32 * both.bit_length(), source, result, ctypes.c_int(1024), times,
                       ctypes.c_int(PASSES), ctypes.c_uint(mask), ctypes.c_uint(other))
            found = gpu.read(times, 16 * READS)
            warps = {w: found[w * READS:w * READS + counts[mask >> w & 1 ^ 1]] for w in range(16) if both >> w & 1}
            least = min((each[0] - found[READS * min(warps)] + 2**31) % 2**32 for each in warps.values())
            first = (least + found[READS * min(warps)] - 2**31) % 2**32
            lines += [f"{name},{launch},{w}," + " ".join(str((each - first) % 2**32) for each in clocks)
                      for w, clocks in warps.items()]
        gpu.call("cuModuleUnload", module)
    with gzip.GzipFile(folder / "conflicts.csv.gz", "wb", mtime=0) as out:
        out.write(("\n".join(lines) + "\n").encode())


def main(listed=probes):
    folder = Path(sys.argv[1])
    cubin = folder / "conflicts.sm90.cubin"
    if not cubin.exists():
        compiled(cubin, [kernel()])
        image, found = cubin.read_bytes(), list(listed())
        every = [(probe, *patches(image, probe)) for probe in found]
        words = encoded({probe[0]: [(text, 0) for _, text, _ in its if text is not None] for probe, its, _ in every})
        words[None] = BRANCH
        plan = [(probe[0], [(at, f"{words[text] & ~issue.MASK | control << 105:032x}") for at, text, control in its],
                 counts, *probe[3:]) for probe, its, counts in every]
        (folder / "conflicts.json.gz").write_bytes(gzip.compress(json.dumps(plan).encode()))
    if Path("/dev/nvidia0").exists():
        record(folder)


if __name__ == "__main__":
    main()
