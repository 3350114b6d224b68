# SPDX-License-Identifier: Apache-2.0
"""Compiles CUDA text to a cubin and its listing, with nvcc or else with NVRTC."""
import ctypes
import ctypes.util
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDERS = ("/usr/local/cuda/bin", "/usr/lib/cuda/bin")
LIBRARIES = ("/usr/local/cuda/lib64/libnvrtc.so*", "nvidia/cuda_nvrtc/lib/libnvrtc.so*",
             "nvidia/cu*/lib/libnvrtc.so*")


def tool(name):
    """The path of a program of the CUDA toolkit; Triton's package has some of them too."""
    inside = [str(Path(p) / "triton/backends/nvidia/bin") for p in sys.path]
    return shutil.which(name, path=os.pathsep.join([os.environ["PATH"], *FOLDERS, *inside]))


def nvrtc():
    names = [ctypes.util.find_library("nvrtc")]
    for pattern in LIBRARIES:
        for start in ["/", *sys.path]:
            names += sorted(glob.glob(os.path.join(start, pattern.lstrip("/"))))
    names = [n for n in names if n and "builtins" not in n and ".alt." not in n]
    if not names:
        raise OSError("neither nvcc nor the library of NVRTC is there; expected one of them")
    return ctypes.CDLL(names[0])


def cubin_by_nvrtc(source, folder, arch):
    library = nvrtc()
    program = ctypes.c_void_p()
    text = source.read_bytes()
    library.nvrtcCreateProgram(ctypes.byref(program), text, source.name.encode(), 0, None, None)
    options = [f"--gpu-architecture=sm_{arch}", "--std=c++17", f"--include-path={folder}"]
    array = (ctypes.c_char_p * len(options))(*[o.encode() for o in options])
    status = library.nvrtcCompileProgram(program, len(options), array)
    size = ctypes.c_size_t()
    if status != 0:
        library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        library.nvrtcGetProgramLog(program, log)
        raise OSError(f"{source.name}: {log.value.decode()}")
    library.nvrtcGetCUBINSize(program, ctypes.byref(size))
    image = ctypes.create_string_buffer(size.value)
    library.nvrtcGetCUBIN(program, image)
    return image.raw


def cubin(source, folder, arch, target, options=()):
    """Compiles `source`, which includes files of `folder`, into the file `target`. `options` are
    options of nvcc."""
    nvcc = tool("nvcc")
    if nvcc is None and options:
        raise OSError("nvcc is not there; expected it on PATH or in /usr/local/cuda/bin")
    if nvcc is None:
        target.write_bytes(cubin_by_nvrtc(source, folder, arch))
        return "NVRTC"
    subprocess.run([nvcc, "-std=c++17", f"-I{folder}", f"-arch=sm_{arch}", "-cubin",
                    *options, "-o", str(target), str(source)], check=True)
    version = subprocess.run([nvcc, "--version"], check=True, text=True, stdout=subprocess.PIPE)
    return version.stdout.strip().splitlines()[-1]


def module_of(gpu, source, given):
    """Loads the kernels of `source`, or the cubin that is the first of the arguments `given`, if there is one."""
    if given:
        return gpu.load(Path(given[0]).read_bytes())
    with tempfile.TemporaryDirectory() as made:
        target = Path(made) / "module.cubin"
        cubin(source, source.parent, "90", target, ("-O3",))
        return gpu.load(target.read_bytes())


def listing(image):
    cuobjdump = tool("cuobjdump")
    if cuobjdump is None:
        raise OSError("cuobjdump is not there; expected it on PATH or in /usr/local/cuda/bin")
    done = subprocess.run([cuobjdump, "-sass", str(image)], check=True, text=True,
                          stdout=subprocess.PIPE)
    return done.stdout


def kernels_of(image):
    """Names of the functions in the bytes of a cubin."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(image)
        file.flush()
        return re.findall(r"^\s*Function : (\S+)", listing(file.name), re.M)
