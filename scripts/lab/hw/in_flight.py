# SPDX-License-Identifier: Apache-2.0
"""When loads of one SM of an NVIDIA GPU issue that nothing but their number holds up: scripts/lab/hw/in_flight.py FILE.csv.gz [CUBIN]. A
row is a kernel of in_flight.cu, where its lines are, the rows of a load, the warps, and for each warp: clock before its loads, behind
each of them / when all have returned. CUBIN is in_flight.cu, compiled; else this script compiles it.
"""
import ctypes
import gzip
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import build
from driver import Gpu

KERNELS = {"words_24": 24, "quads_8": 8}
MEMORY, FLUSH = 16 << 20, 256 << 20
u32 = ctypes.c_uint32


def clear(gpu, address, size):
    gpu.call("cuMemsetD8_v2", address, ctypes.c_ubyte(0), ctypes.c_size_t(size))


def main():
    gpu = Gpu()
    module = build.module_of(gpu, Path(__file__).with_suffix(".cu"), sys.argv[2:])
    memory, flush, left = gpu.buffer(MEMORY, bytes(MEMORY)), gpu.buffer(FLUSH), gpu.buffer(4096, bytes(4096))
    begin = 0  # each case has lines that no other has touched
    with gzip.open(sys.argv[1], "wt") as file:
        file.write("kernel,lines,rows,warps,cycles\n")
        for kernel, count in KERNELS.items():
            for lanes in range(6 if count == 24 else 4):
                for warps in (1, 2, 4, 8, 16, 32):
                    bytes_read = warps * count * (32 >> lanes) * 128
                    here, begin = ctypes.c_uint64(memory.value + begin), begin + bytes_read
                    for lines in ("dram", "l2", "written"):
                        if lines != "l2":
                            clear(gpu, *((flush, FLUSH) if lines == "dram" else (here, bytes_read)))
                        gpu.launch(gpu.function(module, kernel), 32 * warps, here, left, u32(lanes))
                        words = gpu.read(left, warps * (count + 2))
                        times = ["/".join(map(str, words[i:i + count + 2])) for i in range(0, len(words), count + 2)]
                        file.write(f"{kernel},{lines},{32 >> lanes},{warps},{' '.join(times)}\n")


if __name__ == "__main__":
    main()
