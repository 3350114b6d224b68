# SPDX-License-Identifier: Apache-2.0
"""When the warps of a block pass through the loops of starts.cu: scripts/lab/hw/starts.py FOLDER reads FOLDER/starts.cubin
(nvcc -arch=sm_90 -cubin) and writes FOLDER/starts.csv.gz: of each warp its first clock, one behind the loads, one when shared
memory is filled, and the two of each of eight passes, from the first clock of warp 0 on.
"""
import ctypes
import gzip
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from driver import Gpu

PASSES, WORDS, CLOCKS = 8, 32 * 1024, 1024
NAMES = re.findall(r"^ROUNDS\((\w+),", Path(__file__).with_suffix(".cu").read_text(), re.MULTILINE)


def main(folder):
    gpu = Gpu()
    module = gpu.load((folder / "starts.cubin").read_bytes() + b"\0")
    source = gpu.buffer(4 * WORDS, (ctypes.c_uint32 * WORDS)(*range(WORDS)))
    result, clocks = gpu.buffer(4 * WORDS), gpu.buffer(4 * CLOCKS)
    lines = ["kernel,launch,warps,warp,clocks"]
    for name in NAMES:
        for warps in (1, 2, 3, 4, 8, 16):
            for launch in range(3):  # the first one fills the caches
                gpu.launch(gpu.function(module, name), 32 * warps, source, result, clocks)
                words = gpu.read(clocks, CLOCKS)
                at = lambda pass_, warp, which: (words[64 * pass_ + 2 * warp + which] - words[64 * PASSES] + 2**31) % 2**32 - 2**31
                for warp in range(warps if launch else 0):
                    before = [at(PASSES, warp, 0), at(PASSES, warp, 1), at(PASSES + 1, warp, 0)]
                    found = before + [at(i, warp, which) for i in range(PASSES) for which in (0, 1)]
                    lines.append(f"{name},{launch},{warps},{warp}," + " ".join(map(str, found)))
    (folder / "starts.csv.gz").write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
