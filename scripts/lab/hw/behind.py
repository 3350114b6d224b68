# SPDX-License-Identifier: Apache-2.0
"""How long warps of one SM of an NVIDIA GPU wait for a special register or for shared memory behind their accesses to global
memory: scripts/lab/hw/behind.py FILE.csv.gz [CUBIN]. A row is a kernel of behind.cu, the bytes of memory that the block accesses,
the lanes in a row, the distance of rows in shared memory, and for each warp: cycles in which it issues its accesses, from there
until it has the word / all until its accesses are done. CUBIN is behind.cu, compiled; else this script compiles it.
"""
import ctypes
import gzip
import random
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import build
from driver import Gpu

SHARED, MEMORY, NEAR = 40 << 10, 8 << 20, 16 << 10
LAYOUTS = {32: (512,), 16: (256, 272), 8: (128, 144, 160), 4: (64, 80, 96, 128), 2: (32, 48, 64, 80, 128)}
KINDS = ("copy_cg_4", "copy_cg_8", "copy_ca_4", "load_cg_4", "load_cg_8", "load_ca_4", "store_4")
u32 = ctypes.c_uint32


def cases():
    for kind in KINDS:
        for memory in (MEMORY, NEAR) if kind == "load_ca_4" else (MEMORY,):
            for lanes, strides in LAYOUTS.items():
                for stride in strides if kind.startswith("copy") else strides[:1]:
                    for warps in (1, 4, 8, 16, 32):
                        for word in ("special", "shared"):
                            yield f"{kind}_{word}", memory, lanes, stride, warps


def main():
    gpu = Gpu()
    module = build.module_of(gpu, Path(__file__).with_suffix(".cu"), sys.argv[2:])
    memory, left = gpu.buffer(MEMORY, random.Random(3).randbytes(MEMORY)), gpu.buffer(1024, bytes(1024))
    with gzip.open(sys.argv[1], "wt") as file:
        file.write("kernel,memory,lanes,stride,warps,cycles\n")
        for kernel, size, lanes, stride, warps in cases():
            for _ in range(2):  # the first launch warms the caches
                gpu.launch(gpu.function(module, kernel), 32 * warps, memory, left, u32(lanes.bit_length() - 1), u32(stride),
                           u32(size - 1), shared=SHARED)
            words = gpu.read(left, 6 * warps)[::2]  # low halves
            times = ["/".join(map(str, words[i:i + 3])) for i in range(0, len(words), 3)]
            file.write(f"{kernel},{size},{lanes},{stride},{warps},{' '.join(times)}\n")


if __name__ == "__main__":
    main()
