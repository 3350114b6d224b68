# SPDX-License-Identifier: Apache-2.0
"""When each instruction of a kernel of this folder issues on sm_90: scripts/lab/hw/profiles.py FOLDER reads
FOLDER/SET.cubin and FOLDER/profiles.txt (lines of a set and a kernel), and on a machine with a GPU writes
FOLDER/profiles.csv.gz.

The second clock read of the kernel is put into the place of one instruction after another of those between the two
reads, with a wait for what is under way and a jump behind the second read; what is skipped has no results. Each row has the number of instructions
that are left, and for one warp, for one warp a sub-partition, and for one warp beside three that store their values,
the clocks of each warp from the first read on.
"""
import ctypes
import gzip
import os
import random
import struct
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from driver import Gpu
from issue import code_sections

WORDS = 32 * 1024  # as in measure
CS2R, CLOCK = 0x805, 0x50
BRANCH = 0x003fca0003800000 << 64 | 0x7947  # to the next instruction, when all scoreboards are released
NOP = (0x7918 | (15 | 7 << 5 | 7 << 8 | 63 << 11) << 105).to_bytes(16, "little")
PLACEMENTS = (("alone", 1, 0), ("four", 4, 0), ("beside", 4, 1))  # name, warps, argument


def clocks_of(image, kernel):
    """Offsets of the two clock reads."""
    for name, offset, size in code_sections(image):
        if name == kernel:
            return [at for at in range(offset, offset + size, 16)
                    if struct.unpack_from("<Q", image, at)[0] & 0xFFF == CS2R and image[at + 9] == CLOCK]
    raise ValueError(f"no kernel {kernel}")


def branch(distance):
    """The word of a jump to `distance` bytes behind the next instruction."""
    words = distance // 4
    return (BRANCH | (words & 0xFF) << 16 | words >> 8 << 34).to_bytes(16, "little")


def shortened(image, first, last, left):
    """The image with `left` instructions between the two reads."""
    at = first + 16 * (left + 1)
    if at == last:
        return image
    changed = bytearray(image)
    changed[at:at + 16] = image[last:last + 16]
    high = int.from_bytes(changed[at + 8:at + 16], "little") & ~(63 << 52)  # waits for nothing
    changed[at + 8:at + 16] = high.to_bytes(8, "little")
    jump = at + 16 * max(1, min(11, (last - at) // 16 - 1))
    changed[at + 16:jump] = NOP * ((jump - at) // 16 - 1)
    changed[jump:jump + 16] = branch(last - jump)
    return bytes(changed)


class Bench:
    def __init__(self):
        self.gpu, draw = Gpu(), random.Random(1)
        words = (ctypes.c_uint32 * WORDS)(*[draw.getrandbits(30) for _ in range(WORDS)])
        self.buffers = self.gpu.buffer(4 * WORDS, words), self.gpu.buffer(4 * WORDS), self.gpu.buffer(4 * 64)

    def times(self, image, kernel):
        module, found = self.gpu.load(image + b"\0"), []
        function = self.gpu.function(module, kernel)
        for _, warps, one in PLACEMENTS:
            for _ in range(2):
                self.gpu.launch(function, 32 * warps, *self.buffers, ctypes.c_int(one))
            words = self.gpu.read(self.buffers[2], 2 * warps)[:2 if one else None]
            found.append(" ".join(str((each - words[0] + 2**31) % 2**32 - 2**31) for each in words[1:]))
        self.gpu.call("cuModuleUnload", module)
        return ",".join(found)


def profile(image, kernel, begin):
    """Prints the rows of one kernel; an error of the GPU ends the process."""
    first, last = clocks_of(image, kernel)
    bench, count = Bench(), (last - first) // 16 - 1
    for left in range(begin, count + 1):
        print(f"{kernel},{left},{bench.times(shortened(image, first, last, left), kernel)}", flush=True)


def rows_of(cubin, kernel):
    """The rows of a kernel, in a process of its own, which is begun again behind what stops the GPU."""
    rows, begin = [], 0
    for _ in range(4):
        done = subprocess.Popen([sys.executable, __file__, str(cubin), kernel, str(begin)], text=True,
                                stdout=subprocess.PIPE, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        try:
            out, _ = done.communicate(timeout=5)
        except subprocess.TimeoutExpired:  # a kernel that does not end
            done.kill()
            out, _ = done.communicate()
        rows += out.splitlines()
        if done.returncode == 0:
            return rows
        begin = (int(rows[-1].split(",")[1]) if rows and rows[-1].startswith(kernel) else begin) + 2
    return rows


def main():
    if len(sys.argv) == 4:
        return profile(Path(sys.argv[1]).read_bytes(), sys.argv[2], int(sys.argv[3]))
    folder, rows = Path(sys.argv[1]), ["kernel,instructions," + ",".join(name for name, *_ in PLACEMENTS)]
    for line in (folder / "profiles.txt").read_text().splitlines():
        name, kernel = line.split()
        rows += rows_of(folder / f"{name}.cubin", kernel)
    with gzip.GzipFile(folder / "profiles.csv.gz", "wb", mtime=0) as out:
        out.write(("\n".join(rows) + "\n").encode())


if __name__ == "__main__":
    main()
