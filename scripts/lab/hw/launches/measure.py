# SPDX-License-Identifier: Apache-2.0
"""Runs launch files on a GPU through the driver API: the child process of `run`, alone and under Nsight Compute."""
import ctypes
import sys
import zlib
from array import array
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from driver import Gpu

TYPES = "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32_ftz tf32".split()
SWIZZLES = "0 32 64 128".split()
MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
CLUSTER = (11, 12, 13)  # CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, _HEIGHT, _DEPTH


def values(path):
    """The keys of a launch file of inputs.py."""
    return dict(line.split(" = ", 1) for line in path.read_text().splitlines() if " = " in line)


class Launched:
    """The kernel of a launch file with its buffers, and copies of their initial bytes."""

    def __init__(self, gpu, path):
        keys = values(path)
        self.gpu, self.name = gpu, keys["kernel"]
        self.module = gpu.load((path.parent / keys["code"]).read_bytes())
        self.function = gpu.function(self.module, self.name)
        self.grid = ([int(n) for n in keys["grid"].split(",")] + [1, 1])[:3]
        self.block = ([int(n) for n in keys["block"].split(",")] + [1, 1])[:3]
        self.shared, self.cooperative = int(keys.get("shared", 0)), "cooperative" in keys
        if self.shared:
            gpu.call("cuFuncSetAttribute", self.function, MAX_DYNAMIC_SHARED, self.shared)
        self.buffers, self.arguments, self.named = [], [], {}
        for word in keys["buffers"].split(", ") if "buffers" in keys else []:
            self.argument(word, path.parent)
        for word in keys["args"].split(", "):
            self.arguments.append(self.argument(word, path.parent))
        self.pointers = (ctypes.c_void_p * len(self.arguments))(
            *[ctypes.cast(ctypes.byref(a), ctypes.c_void_p) for a in self.arguments])

    def argument(self, word, folder):
        if word in self.named:
            return self.named[word]
        kind, value = word.split("=", 1)[-1].split(":", 1)
        if kind == "u32":
            return ctypes.c_uint32(int(value))
        if kind == "u64":
            return ctypes.c_uint64(int(value))
        if kind == "map":
            return self.tensor_map(*value.split(";"))
        if kind == "f32":
            return ctypes.c_float(float(value))
        if kind == "fill":
            size, byte = value.split(":")
            data = bytes([int(byte, 16)]) * int(size)
        else:
            data = (folder / value).read_bytes()
        address, kept = self.gpu.buffer(len(data), data), self.gpu.buffer(len(data), data)
        self.buffers.append((address, kept, len(data)))
        if "=" in word:
            self.named[word.split("=", 1)[0]] = address
        return address

    def tensor_map(self, name, kind, sizes, strides, box, swizzle):
        """A tensor map, encoded by the driver."""
        numbers = lambda text: [int(n) for n in text.split("x")] if text != "packed" else []
        sizes, strides, box = numbers(sizes), numbers(strides), numbers(box)
        room = (ctypes.c_ubyte * 192)()  # a map begins at a multiple of 64
        at = -ctypes.addressof(room) % 64
        self.gpu.call("cuTensorMapEncodeTiled", ctypes.byref(room, at), TYPES.index(kind), len(sizes), self.named[name],
                      (ctypes.c_uint64 * 5)(*sizes), (ctypes.c_uint64 * 4)(*strides), (ctypes.c_uint32 * 5)(*box),
                      (ctypes.c_uint32 * 5)(*[1] * len(sizes)), 0, SWIZZLES.index(swizzle), 2, 0)
        return (ctypes.c_ubyte * 128).from_buffer_copy(room, at)

    def restore(self):
        for address, kept, size in self.buffers:
            self.gpu.call("cuMemcpyDtoD_v2", address, kept, ctypes.c_size_t(size))
        self.gpu.call("cuCtxSynchronize")

    def one_block(self):
        """Makes the grid one block, or one cluster where the kernel needs clusters."""
        self.grid = [max(1, self.gpu.attribute(self.function, which)) for which in CLUSTER]

    def launch(self):
        start = "cuLaunchCooperativeKernel" if self.cooperative else "cuLaunchKernel"
        rest = (None, self.pointers) if self.cooperative else (None, self.pointers, None)
        self.gpu.call(start, self.function, *self.grid, *self.block, self.shared, *rest)
        self.gpu.call("cuCtxSynchronize")

    def sums(self):
        """For each buffer after a launch: the sum of its words, which is independent of order, and its CRC."""
        result = []
        for address, _, size in self.buffers:
            data = ctypes.create_string_buffer(size)
            self.gpu.call("cuMemcpyDtoH_v2", data, address, ctypes.c_size_t(size))
            words = array("I", data.raw[:size // 4 * 4])
            result.append(f"{sum(words) & 0xFFFFFFFF:08x}.{zlib.crc32(data.raw):08x}")
        return result

    def free(self):
        for address, kept, _ in self.buffers:
            self.gpu.call("cuMemFree_v2", address)
            self.gpu.call("cuMemFree_v2", kept)
        self.gpu.call("cuModuleUnload", self.module)


def main():
    folder, names, repetitions, what = Path(sys.argv[1]), sys.argv[2].split(","), int(sys.argv[3]), sys.argv[4]
    gpu = Gpu()
    for name in names:
        launched = Launched(gpu, folder / f"{name}.ini")
        if sys.argv[5:] == ["one-block"]:
            launched.one_block()
        for _ in range(repetitions):
            if what != "again":  # otherwise only the previous launches left data in the L2
                launched.restore()
            launched.launch()
        if what == "sums":
            print(name, *launched.sums(), flush=True)
        launched.free()


if __name__ == "__main__":
    main()
