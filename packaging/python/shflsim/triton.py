# SPDX-License-Identifier: Apache-2.0
"""Runs kernels of Triton on the model, without a GPU.

    import shflsim.triton
    model = shflsim.triton.use(record="launches")
    add[(16,)](x, y, out, 1024, BLOCK=64)       # tensors on the CPU
    model.launches[-1]["totals"]["cycles"]

Triton compiles each kernel for the architecture; every launch is executed on the tensors and timed, and
`launches` has what `shflsim run` prints of it as JSON. With `record` each launch becomes a launch file in
this folder, which `shflsim run --launch`, `compare` and `sweep` take. Written for Triton 3.6.
"""
import ctypes
import itertools
import json
import struct
import tempfile
from pathlib import Path

from . import _with_columns, call

__all__ = ["Model", "use"]

_FLOATS = {"fp32": "<f", "f32": "<f", "fp64": "<d", "f64": "<d", "fp16": "<e", "f16": "<e"}


def use(arch=90, record=None, **options):
    """Makes the model Triton's active driver, and returns it. Options are those of `shflsim run`."""
    from triton.runtime import driver  # what `import triton` makes is Triton itself
    model = Model(arch, record, options)
    driver.set_active(model)
    return model


class _Memory:
    """The bytes of a tensor, where the process has them."""

    def __init__(self, tensor):
        if getattr(tensor, "is_cuda", False):
            raise TypeError("a tensor on a GPU; expected one on the CPU")
        self.address = tensor.data_ptr()
        self.size = tensor.untyped_storage().nbytes() if hasattr(tensor, "untyped_storage") else tensor.nbytes
        if hasattr(tensor, "storage_offset"):  # the whole storage: views of it are one buffer
            self.address -= tensor.storage_offset() * tensor.element_size()

    def read(self):
        return ctypes.string_at(self.address, self.size)

    def write(self, content):
        ctypes.memmove(self.address, content, self.size)


class _Utils:
    """What Triton asks of a driver's library."""

    def __init__(self):
        self.functions = {}

    def load_binary(self, name, kernel, shared, device):
        handle = len(self.functions) + 1
        self.functions[handle] = (name, bytes(kernel))
        return handle, handle, 0, 0, 1024

    def unload_module(self, module):
        self.functions.pop(module, None)

    @staticmethod
    def get_device_properties(device):
        return {"max_shared_mem": 227 * 1024, "max_num_regs": 65536, "multiprocessor_count": 132, "warpSize": 32,
                "sm_clock_rate": 1980000, "mem_clock_rate": 2619000, "mem_bus_width": 5120}


class Model:
    """A driver of Triton whose device is the model."""

    def __init__(self, arch, record, options):
        self.arch, self.options, self.launches = arch, options, []
        self.utils = _Utils()
        self.launcher_cls = lambda source, metadata: _Launcher(self, source, metadata)
        self._temporary = None if record is not None else tempfile.TemporaryDirectory(prefix="shflsim")
        self.folder = Path(record if record is not None else self._temporary.name)
        self.folder.mkdir(exist_ok=True)
        if any(self.folder.iterdir()):
            raise ValueError(f"{self.folder} is not empty; expected an empty folder for the launches")

    @staticmethod
    def is_active():
        return True

    def get_current_target(self):
        from triton.backends.compiler import GPUTarget
        return GPUTarget("cuda", self.arch, 32)

    @staticmethod
    def get_current_device():
        return 0

    @staticmethod
    def set_current_device(device):
        pass

    @staticmethod
    def get_current_stream(device):
        return 0

    def get_device_capability(self, device=0):
        return divmod(self.arch, 10)

    @staticmethod
    def get_active_torch_device():
        import torch
        return torch.device("cpu")

    @staticmethod
    def map_python_to_cpp_type(ty):
        return ty


class _Launcher:
    """One compiled kernel."""

    def __init__(self, model, source, metadata):
        self.model, self.metadata = model, metadata
        self.types = list(source.signature.values())

    def __call__(self, grid_x, grid_y, grid_z, stream, function, packed_metadata, launch_metadata, enter_hook,
                 exit_hook, *arguments):
        if enter_hook is not None:
            enter_hook(launch_metadata)
        self.launch((grid_x, grid_y, grid_z), function, arguments)
        if exit_hook is not None:
            exit_hook(launch_metadata)

    def launch(self, grid, function, arguments):
        if 0 in grid:
            return
        if getattr(self.metadata, "num_ctas", 1) != 1:
            raise NotImplementedError("clusters of blocks")
        name, kernel = self.model.utils.functions[function]
        _Launch(self.model, f"launch{len(self.model.launches) + 1:04}", name, kernel).run(
            grid, 32 * self.metadata.num_warps, self.metadata.shared, list(_flat(self.types, arguments)))


def _flat(types, values):
    """Pairs of types and values without constants, tuples taken apart."""
    for each, value in itertools.zip_longest(types, values[:len(types)]):
        if isinstance(each, (tuple, list)):
            yield from _flat(each, value)
        elif each != "constexpr":
            yield each, value


class _Launch:
    def __init__(self, model, stem, name, kernel):
        self.model, self.stem, self.name = model, stem, name
        self.buffers = {}  # by address
        self.words = []
        self.code = self.file("cubin", kernel)
        listed = json.loads(call("list", "kernels", self.path("cubin"), "--format", "json"))["kernels"]
        self.sizes = next(each["arguments"] for each in listed if each["kernel"] == name)

    def path(self, ending):
        return self.model.folder / f"{self.stem}.{ending}"

    def file(self, ending, content):
        self.path(ending).write_bytes(content)
        return self.path(ending).name

    def run(self, grid, threads, shared, arguments):
        for i, (ty, value) in enumerate(arguments):
            self.add(i, ty, value)
        # What follows are pointers to scratch memory, which these kernels do not have.
        self.words += ["u64:0"] * (len(self.sizes) - len(self.words))
        names = [name for name, _, _ in self.buffers.values()]
        given = [f"{name}=file:{self.file(f'{name}.bin', content)}" for name, _, content in self.buffers.values()]
        text = [f"code = {self.code}", "", "[launch]", f"kernel = {self.name}", f"grid = {','.join(map(str, grid))}",
                f"block = {threads}", f"shared = {shared}", *([f"buffers = {', '.join(given)}"] if given else []),
                f"args = {', '.join(self.words)}"]
        saved = [f"save = {', '.join(f'{name}:{self.stem}.{name}.after.bin' for name in names)}"] if names else []
        ini = self.path("ini")
        ini.write_text("\n".join(text + saved) + "\n")
        report = self.path("json")
        words = [word for key, value in self.model.options.items() for word in (f"--{key.replace('_', '-')}", value)]
        call("run", "--launch", ini, "--json", report, "--quiet", *words)
        self.model.launches.append(_with_columns(json.loads(report.read_text())))
        report.unlink()
        changed = self.take_back()
        ini.write_text("\n".join(text + ([f"expect = {', '.join(changed)}"] if changed else [])) + "\n")

    def add(self, i, ty, value):
        if ty.startswith("*"):
            self.words.append(self.pointer(value))
            return
        content = _scalar(ty, value, self.sizes[i])
        if len(content) in (4, 8):
            self.words.append(f"u{8 * len(content)}:{int.from_bytes(content, 'little')}")
        else:
            self.words.append(f"bytes:{self.file(f'a{i}.bin', content)}")

    def pointer(self, value):
        if value is None:
            return "u64:0"
        memory = _Memory(value)
        if memory.address not in self.buffers:
            self.buffers[memory.address] = (f"b{len(self.buffers)}", memory, memory.read())
        name = self.buffers[memory.address][0]
        offset = value.data_ptr() - memory.address
        return name if offset == 0 else f"bytes:{self.file('null.bin', bytes(8))}@0={name}+{offset}"

    def take_back(self):
        """Writes what the kernel changed into the tensors; the changes as `expect` names them."""
        changed = []
        for name, memory, before in self.buffers.values():
            file = self.path(f"{name}.after.bin")
            content = file.read_bytes()
            if content == before:
                file.unlink()
                continue
            memory.write(content)
            changed.append(f"{name}:{file.name}")
        return changed


def _scalar(ty, value, size):
    if ty == "bf16":
        return struct.pack("<f", value)[-size:]
    if ty in _FLOATS:
        return struct.pack("<f" if size == 4 else _FLOATS[ty], value)
    return (int(value) & (1 << 8 * size) - 1).to_bytes(size, "little")
