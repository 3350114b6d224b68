# SPDX-License-Identifier: Apache-2.0
"""Maps a network's module to a library's cells: area, delay and energy of its settings."""
import json
import random
import re
import tempfile
from pathlib import Path

from synthesis.library import AREA
from synthesis.tools import InputError, arrival_ps, shflsim, slowest_path, statistic, yosys

SETTINGS = 4096
# The enables of the results are gates in the lanes' clocks, outside the data path.
ENABLES = r"""module \$_DFFE_PP_ (input D, C, E, output Q);
  \$_DFF_P_ register (.D(D), .C(C), .Q(Q));
endmodule
"""


USUAL_LANES = 32


def synthesise(library, network, sets, lanes, bits, delay_target_ps):
    """A row of the result; `sets` are KEY=VALUE settings for shflsim."""
    module = f"shuffle_{network}"
    with tempfile.TemporaryDirectory(dir=library.folder) as name:
        folder = Path(name)
        options = [word for key in sets for word in ("--set", key)]
        shflsim("rtl", network, "--lanes", str(lanes), "--bits", str(bits), *options, "-o", str(folder / "source.v"))
        wiring = re.search(r"^// wiring (\w+)$", (folder / "source.v").read_text(), re.MULTILINE)[1]
        map_to_cells(library, folder, module, delay_target_ps)
        netlist = json.loads((folder / "mapped.json").read_text())["modules"][module]
        flip_flops = statistic(folder / "gates.stat", r"\$_DFF_P_ +(\d+)")
        return {"network": network, **({"lanes": lanes} if lanes != USUAL_LANES else {}),
                **({"set": sets} if sets else {}), "wiring": wiring,
                "cells": len(netlist["cells"]),
                "cell_um2": round(statistic(folder / "mapped.stat", AREA), 2),
                "register_um2": round(flip_flops * library.flip_flop.area_um2, 2),
                "delay_ps": round(delay_ps(library, folder, module), 1),
                "setup_fj": round(setup_fj(library, netlist), 1)}


def map_to_cells(library, folder, module, delay_target_ps):
    """Maps only the logic: registers become ports of the module."""
    (folder / "library.lib").symlink_to(library.folder / "library.lib")
    (folder / "enables.v").write_text(ENABLES)
    (folder / "abc.constr").write_text(f"set_driving_cell {library.buffer}\n"
                                       f"set_load {library.register_load_ff()}\n")
    yosys(["read_verilog source.v", f"synth -flatten -top {module}", "techmap -map enables.v",
           "tee -q -o gates.stat stat", "expose -evert-dff", "opt_clean -purge",
           f"abc -liberty library.lib -constr abc.constr -D {delay_target_ps:g}",
           "opt_clean -purge", "tee -q -o mapped.stat stat -liberty library.lib",
           "write_json mapped.json", f"write_verilog -noattr {module}.v"], folder, library.path)


def delay_ps(library, folder, module):
    return arrival_ps(slowest_path(folder, module, library.path, constraints=(
        f"set_driving_cell -lib_cell {library.buffer} [all_inputs]\n"
        f"set_load {library.register_load_ff()} [all_outputs]\n")))


def setup_fj(library, netlist):
    """The sum of 1/2 C V^2 over the nets that depend only on `ctl`, for each change between
    successive random settings; C is the capacitance of the input pins on the net."""
    values = control_values(library, netlist)
    pairs = (1 << (SETTINGS - 1)) - 1
    capacitance_ff = 0.0
    for cell in netlist["cells"].values():
        for pin, load in library.cells[cell["type"]].capacitance.items():
            value = values.get(cell["connections"][pin][0], 0)
            changes = bin((value ^ (value >> 1)) & pairs).count("1")
            capacitance_ff += load * changes / (SETTINGS - 1)
    return capacitance_ff * library.voltage ** 2 / 2


def control_values(library, netlist):
    """For each net that depends only on `ctl`, its values under random settings, one per bit."""
    generator = random.Random(1)
    values = {net: generator.getrandbits(SETTINGS) for net in netlist["ports"]["ctl"]["bits"]}
    values.update({"0": 0, "1": (1 << SETTINGS) - 1})
    unknown = list(netlist["cells"].values())
    while True:
        left = [cell for cell in unknown if not evaluate(library.cells[cell["type"]], cell, values)]
        if len(left) == len(unknown):
            return values
        unknown = left


def evaluate(kind, cell, values):
    """Adds the values of a cell's outputs if those of its inputs are known."""
    nets = {pin: connected[0] for pin, connected in cell["connections"].items() if connected}
    if any(nets[pin] not in values for pin in kind.capacitance):
        return False
    inputs = {pin: values[nets[pin]] for pin in kind.capacitance}
    for pin, function in kind.functions.items():
        if pin in nets:
            values[nets[pin]] = eval(expression(function), {"__builtins__": {}}, inputs)
    return True


def expression(function):
    """A Liberty function as a Python expression: in both, ! binds before *, then ^, then +."""
    if not re.fullmatch(r"[\w!*^+() ]+", function):
        raise InputError(f"function '{function}': expected pins and ! * ^ + ( )")
    return function.replace("!", "~").replace("*", "&").replace("+", "|")
