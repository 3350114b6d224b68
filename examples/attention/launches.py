#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The launches of the example: their input, and what an H100 or shflsim makes of them.

  launches.py run FOLDER    on a machine with an H100: writes FOLDER/NAME.out and FOLDER/cycles.csv
  launches.py input FOLDER  writes FOLDER/NAME/launch.ini of each launch for shflsim, and what it reads
  launches.py compare FOLDER [NAME ...]  runs them on the model and prints the cycles of the blocks beside an H100's,
                            the mean of all and the longest; SHFLSIM names the program
"""
import array
import ctypes
import gzip
import math
import os
import struct
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# name, kernel, D, blocks per head, heads, keys per head
LAUNCHES = [("one_64", "attention_64", 64, 1, 1, 512), ("one_128", "attention_128", 128, 1, 1, 1024),
            ("causal_64", "causal_64", 64, 4, 1, 512), ("sixteen_128", "attention_128", 128, 2, 8, 512),
            ("held_64", "attention_64", 64, 2, 1, 384), ("held_128", "attention_128", 128, 1, 2, 640),
            ("held_causal_64", "causal_64", 64, 3, 2, 384), ("held_causal_128", "causal_128", 128, 5, 3, 640),
            ("chip_64", "attention_64", 64, 8, 16, 1024), ("chip_causal_128", "causal_128", 128, 8, 16, 1024)]
PERIOD = 65521


def values(count, seed):
    """bf16 values of magnitude 1/8 to 2, of either sign."""
    state, some = seed, array.array("H")
    for _ in range(PERIOD):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        some.append(state >> 16 & 0x81FF | 0x3E00)
    return (some * (count // PERIOD + 1))[:count]


def inputs(launch):
    _, _, d, blocks, heads, keys = launch
    return (values(heads * blocks * 128 * d, 1), values(heads * keys * d, 2), values(heads * keys * d, 3))


def tensor_map(address, d, rows):
    """A tensor map as cuTensorMapEncodeTiled writes it: rows of d bf16, boxes of 64 x 128, swizzle of 128 bytes."""
    words = [0] * 32
    words[0], words[1] = address & 0xFFFFFFFF, address >> 32
    words[2] = 1 << 4 | 10 << 7 | 3 << 13
    words[3] = 2 * d >> 4
    words[8], words[9] = d - 1, rows - 1
    words[13], words[14] = 63 << 24, 127
    return struct.pack("<32I", *words)


def run(folder):
    sys.path.insert(0, str(HERE.parents[1] / "scripts" / "lab" / "hw"))
    from driver import Gpu
    gpu = Gpu()
    module = gpu.load(gzip.decompress((HERE / "attention.sm90a.cubin.gz").read_bytes()))
    folder.mkdir(parents=True, exist_ok=True)

    class Map(ctypes.Structure):
        _fields_ = [("bytes", ctypes.c_ubyte * 128)]
    with open(folder / "cycles.csv", "w", encoding="utf-8") as file:
        print("launch,cycles", file=file)
        for launch in LAUNCHES:
            name, kernel, d, blocks, heads, keys = launch
            maps, buffers = [], []
            for part in inputs(launch):
                at = gpu.buffer(2 * len(part), part.tobytes())
                buffers.append(at)
                maps.append(Map.from_buffer_copy(tensor_map(at.value, d, len(part) // d)))
            count = heads * blocks * 128 * d
            out = gpu.buffer(2 * count, bytes(2 * count))
            cycles = gpu.buffer(4 * 1024, bytes(4096))
            function = gpu.function(module, kernel)
            shared = 1024 + 128 * d * 2 * 5
            gpu.call("cuFuncSetAttribute", function, 8, shared)
            arguments = [*maps, out, ctypes.c_uint32(keys), ctypes.c_float(1.4426950408889634 / math.sqrt(d)), cycles]
            pointers = (ctypes.c_void_p * len(arguments))(
                *[ctypes.cast(ctypes.byref(a), ctypes.c_void_p) for a in arguments])
            for _ in range(4):
                gpu.call("cuLaunchKernel", function, blocks, heads, 1, 384, 1, 1, shared, None, pointers, None)
                gpu.call("cuCtxSynchronize")
                print(f"{name},{' '.join(map(str, gpu.read(cycles, blocks * heads)))}", file=file, flush=True)
            (folder / f"{name}.out").write_bytes(array.array("I", gpu.read(out, count // 2)).tobytes())


def launch_file(launch):
    """The launch for shflsim, whose inputs lie beside it."""
    _, kernel, d, blocks, heads, keys = launch
    rows = {"q": heads * blocks * 128, "k": heads * keys, "v": heads * keys}
    maps = [f"map:{name};bf16;{d}x{count};{2 * d};64x128;128" for name, count in rows.items()]
    others = [f"out=fill:{2 * rows['q'] * d}:00", f"u32:{keys}", f"f32:{1.4426950408889634 / math.sqrt(d)}",
              "cycles=fill:4096:00"]
    return f"""code = ../attention.cubin

[launch]
kernel = {kernel}
grid = {blocks},{heads}
block = 384
shared = {1024 + 128 * d * 2 * 5}
buffers = {", ".join(f"{name}=file:{name}.bin" for name in rows)}
args = {", ".join([*maps, *others])}
save = out:out.bin, cycles:cycles.bin
"""


def write_inputs(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "attention.cubin").write_bytes(gzip.decompress((HERE / "attention.sm90a.cubin.gz").read_bytes()))
    for launch in LAUNCHES:
        there = folder / launch[0]
        there.mkdir(exist_ok=True)
        (there / "launch.ini").write_text(launch_file(launch), encoding="utf-8")
        for letter, part in zip("qkv", inputs(launch)):
            (there / f"{letter}.bin").write_bytes(part.tobytes())


def measured():
    """Of each launch the mean of three runs, by block; the first of four is cold."""
    found = {}
    rows = HERE.parents[1] / "tests/data/h100/asynchronous/attention.csv"
    for line in rows.read_text(encoding="utf-8").splitlines()[1:]:
        name, words = line.split(",")
        found.setdefault(name, []).append([int(word) for word in words.split()])
    return {name: [sum(each) / 3 for each in zip(*runs[1:])] for name, runs in found.items()}


def modelled(launch, folder):
    """The cycles of its blocks on the model."""
    name, _, _, blocks, heads, _ = launch
    program = os.environ.get("SHFLSIM", HERE.parents[1] / "build/release/shflsim")
    subprocess.run([program, "run", "--launch", folder / name / "launch.ini", "--config", "h100", "--sms", "132",
                    "--set", "fetch.warm=1", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return struct.unpack("<1024I", (folder / name / "cycles.bin").read_bytes())[:blocks * heads]


def compare(folder, *names):
    write_inputs(folder)
    chip = measured()
    for launch in LAUNCHES:
        if names and launch[0] not in names:
            continue
        one, other = chip[launch[0]], modelled(launch, folder)
        parts = [(sum(one) / len(one), sum(other) / len(other)), (max(one), max(other))]
        print(f"{launch[0]:16}", *(f"{a:8.0f} {b:8.0f} {100 * (b / a - 1):+6.1f} %" for a, b in parts), flush=True)


if __name__ == "__main__":
    {"run": run, "input": write_inputs, "compare": compare}[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
