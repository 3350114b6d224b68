# SPDX-License-Identifier: Apache-2.0
"""Times instructions for which the warps of an SM compete, on sm_90: scripts/lab/hw/contention.py FOLDER
writes FOLDER/contention.sm90.cubin and updates.sm90.cubin, with a kernel for each question, and on a
machine with a GPU FOLDER/contention.csv and updates.csv.

A kernel is (in, out, n, times, repetitions), made as issue.py makes its own, and run in one block
of 1, 2, 4 and 8 warps: MATCH, WARPSYNC, REDUX, atomics in shared memory and loads of constants by
the number of different values that a warp's lanes have.
"""
import ctypes
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import issue
from driver import Gpu
from issue import LANES, USE, step

LAUNCHES = 21
WARPS = (1, 2, 4, 8)
COUNTS = (1, 2, 4, 8, 16, 32)


def probes():
    for count in COUNTS:
        value = step(f"LOP3.LUT R41, R40, 0x{count - 1:x}, RZ, 0xc0, !PT", 8)
        offset = step("IMAD.SHL.U32 R42, R41, 0x4, RZ", 8)
        match = step("MATCH.ANY R20, R41", 2, 2)
        used = step("IADD3 R20, R20, RZ, RZ", 8, waits=4)
        for times in (1, 4):
            yield f"match_any_{count}_{times}", [*LANES, value, *[match, used] * times, USE]
            yield f"warpsync_{count}_{times}", [*LANES, value, match, used,
                                                *[step("WARPSYNC R20", 5), step("NOP")] * times]
            load = [step("LDC R20, c[0x0][R42]", 2, 2), used]
            yield f"ldc_{count}_{times}", [*LANES, value, offset, *load * times, USE]
            for name, text in (("atoms_add", "ATOMS.ADD RZ, [R42+0x400], R40"),
                               ("atoms_inc", "ATOMS.POPC.INC.32 RZ, [R42+URZ+0x400]"),
                               ("atoms_max", "ATOMS.MAX RZ, [R42+0x400], R40"),
                               ("atoms_back", "ATOMS.ADD R21, [R42+0x400], R40")):
                final = [step("LDS R20, [R42+0x400]", 2, 2), USE]
                yield f"{name}_{count}_{times}", [*LANES, value, offset,
                                                  *[step(text, 2, 3)] * times, *final]
    for times in (1, 4):
        redux = [step("REDUX.OR UR22, R4", 2, 2), step("UIADD3 UR23, UR22, 0x1, URZ", 8, waits=4)]
        yield f"redux_{times}", LANES + redux * times
        elect = [step("ELECT PT, UR22, PT", 8)]
        yield f"elect_{times}", LANES + elect * times
        vote = [step("VOTEU.ANY UR22, UPT, PT", 13)]
        yield f"voteu_{times}", LANES + vote * times


def barriers():
    """Barriers in shared memory with many arrivals left, at the address in UR20."""
    begin = [*LANES, step("UMOV UR20, 0x480", 8), step("UMOV UR22, 0x100000", 8),
             step("UMOV UR23, 0x40000000", 12), step("IADD3 R44, RZ, 0x480, RZ", 8),
             step("SYNCS.EXCH.64 URZ, [UR20], UR22", 2, 2), step("IADD3 R43, RZ, RZ, RZ", 8, waits=4)]
    used = step("IADD3 R22, R21, 0x1, RZ", 8, waits=4)
    chosen = step("SEL R22, R40, RZ, P0", 8, waits=4)
    for times in (1, 4):
        for name, text, use in (
                ("arrive", "SYNCS.ARRIVE.TRANS64.A1T0 R20, [R44+URZ], RZ", used),
                ("check", "SYNCS.PHASECHK.TRANS64 P0, [R44+URZ], R43", chosen)):
            yield f"sync_{name}_{times}", [*begin, *[step(text, 2, 2), use] * times]
            yield f"sync_{name}_row_{times}", [*begin, *[step(text, 2, 2)] * times, use]
        red = step("SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R44+URZ], RZ", 2, 3)
        check = [step("SYNCS.PHASECHK.TRANS64 P0, [R44+URZ], R43", 2, 2), chosen]
        yield f"sync_red_{times}", [*begin, *[red] * times, *check]
        load = [step("LDS R21, [R44]", 2, 2), used]
        yield f"sync_lds_{times}", [*begin, *load * times]


def updates():
    """Atomics that compare or exchange, by the number of words that the lanes have."""
    for count in COUNTS:
        value = step(f"LOP3.LUT R41, R40, 0x{count - 1:x}, RZ, 0xc0, !PT", 8)
        for name, text, shift in (("cas", "ATOMS.CAS R20, [R42+0x400], {0}, {0}", 2),
                                  ("spin", "ATOMS.CAST.SPIN R20, [R42+0x400], {0}, {0}", 2),
                                  ("cas_wide", "ATOMS.CAS.64 R20, [R42+0x400], {0}, {0}", 3),
                                  ("spin_wide", "ATOMS.CAST.SPIN.64 R20, [R42+0x400], {0}, {0}", 3),
                                  ("exch", "ATOMS.EXCH R20, [R42+0x400], {0}", 2),
                                  ("exch_wide", "ATOMS.EXCH.64 R20, [R42+0x400], {0}", 3),
                                  ("add", "ATOMS.ADD R20, [R42+0x400], {0}", 2)):
            begin = [*LANES, value, step(f"IMAD.SHL.U32 R42, R41, 0x{1 << shift:x}, RZ", 8),
                     step(f"LDS{'.64' if shift == 3 else ''} R44, [R42+0x400]", 2, 2),
                     step("IADD3 R46, R44, RZ, RZ", 8, waits=4)]
            for times in (1, 4):
                yield f"{name}_{count}_{times}", [*begin, *[step(text.format("R44"), 2, 2), USE] * times]
                if text.endswith("{0}, {0}"):
                    yield f"{name}_fails_{count}_{times}", [*begin, *[step(text.format("R42"), 2, 2), USE] * times]
                yield f"{name}_row_{count}_{times}", [*begin, *[step(text.format("R44"), 2, 2)] * times, USE]


def pairs():
    """Two kinds of reads in turn."""
    reads = {"s2r": "S2R R20, SR_LANEID", "ldc": "LDC R21, c[0x0][0x210]", "lds": "LDS R22, [RZ]",
             "shfl": "SHFL.BFLY PT, R23, R40, 0x1, 0x1f"}
    for first, second in (("s2r", "s2r"), ("ldc", "ldc"), ("s2r", "ldc"), ("s2r", "lds"), ("ldc", "lds"),
                          ("s2r", "shfl"), ("ldc", "shfl")):
        for times in (1, 2, 4, 8):
            yield f"pair_{first}_{second}_{times}", [
                *LANES, *[step(reads[first], 2, 2), step(reads[second], 2, 2)] * times,
                step("IADD3 R24, R20, RZ, RZ", 8, waits=4)]


SETS = {"contention": {"nothing": [], **dict(probes()), **dict(barriers())},
        "updates": {"nothing": [], **dict(updates()), **dict(pairs())}}


def kernel(name):
    """The kernel of issue.py, with a word of shared memory for each lane of a warp."""
    shared = """
  __shared__ unsigned words[64];
  if (threadIdx.x < 64) words[threadIdx.x] = n;"""
    text = issue.kernel(name)
    return text.replace("{\n", "{" + shared + "\n", 1).replace(
        "float sum = 0;", "float sum = words[n % 64];")


def time(cubin, names):
    gpu = Gpu()
    module = gpu.load(cubin.read_bytes() + b"\0")
    source = gpu.buffer(4096, (ctypes.c_uint32 * 1024)())
    result, times = gpu.buffer(4096), gpu.buffer(256)
    rows = ["kernel,warps,span_min,span_median,span_max,warp_min,warp_median,warp_max"]
    middle = lambda values: (min(values), sorted(values)[len(values) // 2], max(values))
    for name in names:
        for warps in WARPS:
            spans, own = [], []
            for launch in range(LAUNCHES + 1):
                gpu.launch(gpu.function(module, name), 32 * warps, source, result,
                           ctypes.c_int(1024), times, ctypes.c_int(4))
                words = gpu.read(times, 2 * warps)
                since = [(word - words[0] + 2**31) % 2**32 - 2**31 for word in words]
                if launch:
                    spans.append(max(since[1::2]) - min(since[::2]))
                    own += [end - begin for begin, end in zip(since[::2], since[1::2])]
            rows.append(",".join(map(str, [name, warps, *middle(spans), *middle(own)])))
    return "\n".join(rows) + "\n"


def main():
    folder = Path(sys.argv[1])
    for name, probes_of_set in SETS.items():
        cubin = folder / f"{name}.sm90.cubin"
        if not cubin.exists():
            issue.compiled(cubin, map(kernel, probes_of_set))
            issue.patch(cubin, probes_of_set)
        if Path("/dev/nvidia0").exists():
            (folder / f"{name}.csv").write_text(time(cubin, probes_of_set))


if __name__ == "__main__":
    main()
