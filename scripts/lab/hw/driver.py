# SPDX-License-Identifier: Apache-2.0
"""The functions of the CUDA driver API that measuring needs, by ctypes: load, launch, copy."""
import ctypes


class Gpu:
    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.device = device

    def call(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        if status != 0:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorString(status, ctypes.byref(text))
            raise OSError(f"{name}: {text.value.decode() if text.value else status}")

    def describe(self):
        """The GPU's name, its compute capability such as sm_90, and the driver's API version."""
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, 256, self.device)
        major, minor, version = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(major), 75, self.device)
        self.call("cuDeviceGetAttribute", ctypes.byref(minor), 76, self.device)
        self.call("cuDriverGetVersion", ctypes.byref(version))
        api = f"{version.value // 1000}.{version.value % 1000 // 10}"
        return name.value.decode(), f"{major.value}{minor.value}", api

    def load(self, image):
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), image)
        return module

    def function(self, module, name):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def attribute(self, function, which):
        value = ctypes.c_int()
        self.call("cuFuncGetAttribute", ctypes.byref(value), which, function)
        return value.value

    def buffer(self, size, content=None):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        if content is not None:
            self.call("cuMemcpyHtoD_v2", address, content, ctypes.c_size_t(size))
        return address

    def read(self, address, count):
        words = (ctypes.c_uint32 * count)()
        self.call("cuMemcpyDtoH_v2", words, address, ctypes.c_size_t(4 * count))
        return list(words)

    def launch(self, function, threads, *arguments, blocks=1, shared=0):
        """Launches a kernel and waits for its end."""
        pointers = (ctypes.c_void_p * len(arguments))(
            *[ctypes.cast(ctypes.byref(a), ctypes.c_void_p) for a in arguments])
        self.call("cuLaunchKernel", function, blocks, 1, 1, threads, 1, 1, shared, None,
                  pointers, None)
        self.call("cuCtxSynchronize")
