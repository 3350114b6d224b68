# SPDX-License-Identifier: Apache-2.0
"""Makes of a shuffle network's Verilog, with Verilator, a library that `shflsim rtl --check` loads."""
import os
import subprocess
from pathlib import Path

PINS = Path(__file__).resolve().parent / "pins.cc"
COMPILE = [os.environ.get("CXX", "c++"), "-std=c++17", "-fPIC", "-w"]


def root():
    """The folder that Verilator keeps its own headers and sources in."""
    return Path(subprocess.run(["verilator", "--getenv", "VERILATOR_ROOT"], check=True, text=True,
                               stdout=subprocess.PIPE).stdout.strip()) / "include"


def runtime(folder: Path):
    """Compiles what every library has of Verilator, once; the object file."""
    made = folder / "runtime.o"
    source = f'#include "{root()}/verilated.cpp"\n#include "{root()}/verilated_threads.cpp"\n'
    subprocess.run([*COMPILE, "-O1", f"-I{root()}", f"-I{root()}/vltstd", "-x", "c++", "-c", "-",
                    "-o", made], input=source, text=True, check=True)
    return made


def library(verilog: Path, its_runtime: Path):
    """Verilates and compiles a file with one module, beside it; the library."""
    made = verilog.with_suffix(".verilated")
    subprocess.run(["verilator", "--cc", "-O3", "--prefix", "Vmodule", "--Mdir", made, verilog],
                   check=True)
    all_sources = "".join(f'#include "{source}"\n' for source in sorted(made.glob("*.cpp")))
    shared = verilog.with_suffix(".so")
    subprocess.run([*COMPILE, "-O1", f"-I{root()}", f"-I{made}", "-shared", "-x", "c++", "-",
                    "-x", "none", its_runtime, "-pthread", "-o", shared],
                   input=f'{all_sources}#include "{PINS}"\n', text=True, check=True)
    return shared
