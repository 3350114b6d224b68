# SPDX-License-Identifier: Apache-2.0
"""How warps delay each other, on an NVIDIA GPU of 132 SMs: scripts/lab/hw/beside.py FOLDER [CUBIN] writes FOLDER/readers.csv.gz
(latencies of single reads beside SMs that read, write or copy, and the cycles of those) and FOLDER/blocks.csv (cycles
that 8 and 24 rounds of a block take: accesses to shared memory with a guard that is true in `on` warps, and branches of every
`each`-th warp). CUBIN is beside.cu, compiled; else this script compiles it.
"""
import ctypes
import gzip
import random
import sys
from array import array
from pathlib import Path

sys.dont_write_bytecode = True
import build
from driver import Gpu

SMS, READS, SIZE, ROLES = 132, 47, 8 << 20, ("reads", "writes", "copies")
ALONE = 3
u32 = ctypes.c_uint32


def role_table(busy, role):
    table = array("I", [ALONE, 0] * SMS)
    for rank, sm in enumerate(busy):
        table[2 * sm:2 * sm + 2] = array("I", [role, rank])
    return table


def readers(gpu, module):
    """Rows: SMs that are busy, what they do, SM, cycles if it is busy, latencies if not."""
    draw = random.Random(5)
    source, target, lone = (gpu.buffer(SIZE, bytes(SIZE)) for _ in range(3))
    left = gpu.buffer(4 * SMS * (READS + 1), bytes(4 * SMS * (READS + 1)))
    for count in (0, 32, 66, 96, 112, 124):
        busy = draw.sample(range(SMS), count)
        for role, name in enumerate(ROLES):
            table = role_table(busy, role)
            for _ in range(2):  # the first launch warms the caches
                gpu.launch(gpu.function(module, "readers"), 1024, source, target, lone, left,
                           gpu.buffer(8 * SMS, table.tobytes()), u32(SIZE // 16 - 1), u32(40), blocks=SMS)
            found = gpu.read(left, SMS * (READS + 1))
            for sm in range(SMS):
                row = found[sm * (READS + 1):(sm + 1) * (READS + 1)]
                yield f"{count},{name},{sm}," + (f"{row[0]}," if table[2 * sm] != ALONE else "," + " ".join(map(str, row[1:])))


def block(gpu, module, left, case, loops):
    kind, ways, warps, on, each = case
    flags = gpu.buffer(512, array("I", [int(warp < on) for warp in range(64)] + [0] * 64).tobytes())
    times = []
    for _ in range(3):
        gpu.launch(gpu.function(module, kind), 32 * warps, left, flags, u32(ways), u32(loops), u32(each))
        times.append(gpu.read(left, 1)[0])
    return sorted(times)[1]


def cases():
    for kind in ("loads", "stores", "rounds"):
        for ways in (1, 4, 16, 32):
            for warps in (1, 8, 32):
                for on in sorted({1, max(1, warps // 2), warps}):
                    yield kind, ways, warps, on, 1
    for each in (1, 2, 4):
        for warps in (4, 8, 16, 32):
            yield "sides", 1, warps, 0, each


def main():
    folder = Path(sys.argv[1])
    gpu = Gpu()
    module = build.module_of(gpu, Path(__file__).with_suffix(".cu"), sys.argv[2:])
    with gzip.open(folder / "readers.csv.gz", "wt") as file:
        file.write("busy,role,sm,cycles,latencies\n")
        file.writelines(row + "\n" for row in readers(gpu, module))
    left = gpu.buffer(64, bytes(64))
    with (folder / "blocks.csv").open("w") as file:
        file.write("kind,ways,warps,on,each,cycles_8,cycles_24\n")
        for case in cases():
            times = [block(gpu, module, left, case, loops) for loops in (8, 24)]
            file.write(",".join(map(str, [*case, *times])) + "\n")


if __name__ == "__main__":
    main()
