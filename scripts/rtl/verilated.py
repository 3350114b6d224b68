# SPDX-License-Identifier: Apache-2.0
"""Writes modules with `shflsim rtl`, and compiles them with Verilator to libraries for its `--check`."""
import json
import os
import subprocess
from pathlib import Path

PROGRAM = os.environ.get("SHFLSIM", str(Path(__file__).parents[2] / "build/release/shflsim"))
NO_WIRES = "shared_memory"
# Parameters that are possible with 4 lanes.
FEW_PORTS = ["--set", "shuffle.banked.banks=4", "--set", "shuffle.hierarchical.group=4"]
ADD_ONS = ["self_bypass", "quad_fast_path", "uniform_broadcast"]
PINS = Path(__file__).resolve().parent / "pins.cc"
COMPILE = [os.environ.get("CXX", "c++"), "-std=c++17", "-fPIC", "-w"]


def networks():
    listed = subprocess.run([PROGRAM, "list", "networks", "--format", "json"], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    return [each["name"] for each in json.loads(listed)["networks"] if each["name"] != NO_WIRES]


def in_front(add_ons):
    """The options for these add-ons in front of a network."""
    return [word for add_on in add_ons for word in ("--set", f"shuffle.{add_on}=1")]


def shflsim(*arguments, folder=None):
    """Runs `shflsim rtl`."""
    return subprocess.run([PROGRAM, "rtl", *arguments], text=True, capture_output=True, check=False,
                          cwd=folder)


def root():
    """The folder of Verilator's headers and sources."""
    return Path(subprocess.run(["verilator", "--getenv", "VERILATOR_ROOT"], check=True, text=True,
                               stdout=subprocess.PIPE).stdout.strip()) / "include"


def runtime(folder: Path):
    """Compiles the part of Verilator that all libraries need; returns the object file."""
    made = folder / "runtime.o"
    source = f'#include "{root()}/verilated.cpp"\n#include "{root()}/verilated_threads.cpp"\n'
    subprocess.run([*COMPILE, "-O1", f"-I{root()}", f"-I{root()}/vltstd", "-x", "c++", "-c", "-",
                    "-o", made], input=source, text=True, check=True)
    return made


def library(verilog: Path, its_runtime: Path):
    """Verilates and compiles a file with one module, beside it; returns the library."""
    made = verilog.with_suffix(".verilated")
    subprocess.run(["verilator", "--cc", "-O3", "--prefix", "Vmodule", "--Mdir", made, verilog],
                   check=True)
    all_sources = "".join(f'#include "{source}"\n' for source in sorted(made.glob("*.cpp")))
    shared = verilog.with_suffix(".so")
    subprocess.run([*COMPILE, "-O1", f"-I{root()}", f"-I{made}", "-shared", "-x", "c++", "-",
                    "-x", "none", its_runtime, "-pthread", "-o", shared],
                   input=f'{all_sources}#include "{PINS}"\n', text=True, check=True)
    return shared
