# SPDX-License-Identifier: Apache-2.0
"""A GPU with one block on each SM that a probe uses, and the measured rows."""
import ctypes
import sys
from array import array
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from driver import Gpu

KIB, MIB = 1 << 10, 1 << 20
SHARED = 120 * KIB  # one block per SM
FAR = 1024 * MIB
NONE = 2**32 - 1


class Job(ctypes.Structure):
    _fields_ = [("rank", ctypes.c_uint64), ("arrived", ctypes.c_uint64), ("clocks", ctypes.c_uint64),
                ("active", ctypes.c_uint32)]


class Chip:
    def __init__(self, image, repetitions):
        self.gpu, self.repetitions = Gpu(), repetitions
        self.module = self.gpu.load(image)
        count = ctypes.c_int()
        self.gpu.call("cuDeviceGetAttribute", ctypes.byref(count), 16, self.gpu.device)
        self.sms = count.value
        self.rank, self.arrived = self.gpu.buffer(4 * 256), self.gpu.buffer(4)
        self.clocks = self.gpu.buffer(16 * 256)
        self.base = self.gpu.buffer(2 * FAR)
        self.gpu.call("cuMemsetD8_v2", self.base, 0, ctypes.c_size_t(2 * FAR))
        self.out = self.gpu.buffer(64 * MIB)
        self.functions, self.rows = {}, []

    def write(self, address, words, kind="I"):
        data = array(kind, words).tobytes()
        self.gpu.call("cuMemcpyHtoD_v2", ctypes.c_uint64(getattr(address, "value", address)), data,
                      ctypes.c_size_t(len(data)))

    def read(self, address, count, kind="I"):
        data = ctypes.create_string_buffer(array(kind).itemsize * count)
        self.gpu.call("cuMemcpyDtoH_v2", data, address, ctypes.c_size_t(len(data)))
        return array(kind, data.raw)

    def function(self, name, shared=SHARED):
        if name not in self.functions:
            self.functions[name] = self.gpu.function(self.module, name)
            if shared:
                self.gpu.call("cuFuncSetAttribute", self.functions[name], 8, shared)
        return self.functions[name]

    def start(self, function, blocks, threads, shared, *arguments):
        pointers = (ctypes.c_void_p * len(arguments))(
            *[ctypes.cast(ctypes.byref(a), ctypes.c_void_p) for a in arguments])
        self.gpu.call("cuLaunchKernel", function, blocks, 1, 1, threads, 1, 1, shared, None, pointers, None)
        self.gpu.call("cuCtxSynchronize")

    def once(self, name, sms, threads, *arguments):
        """Runs a probe and returns the cycles of each of the SMs `sms`, by rank."""
        ranks = [NONE] * 256
        for place, sm in enumerate(sms):
            ranks[sm] = place
        self.write(self.rank, ranks)
        self.write(self.arrived, [0])
        job = Job(self.rank.value, self.arrived.value, self.clocks.value, len(sms))
        self.start(self.function(name), self.sms, threads, SHARED, job, *arguments)
        clocks = self.read(self.clocks, 2 * len(sms), "Q")
        return [end - begin for begin, end in zip(clocks[0::2], clocks[1::2])]

    def time(self, probe, sms, threads, note, work, *arguments, before=None, unit=""):
        """A row: `work` units, done by all SMs together, in the cycles of the slowest SM."""
        spans = []
        for repetition in range(self.repetitions + 1):
            if before:
                before(repetition)
            spans.append(max(self.once(probe, sms, threads, *arguments)))
        spans = sorted(spans[1:])
        median = spans[len(spans) // 2]
        self.rows.append([probe, len(sms), (threads + 31) // 32, note, spans[0], median, spans[-1],
                          f"{work / median:.4f}" if work else "", unit])
        return median


def u32(value):
    return ctypes.c_uint32(value)


def at(chip, offset=0):
    return ctypes.c_uint64(chip.base.value + offset)
