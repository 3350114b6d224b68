# SPDX-License-Identifier: Apache-2.0
"""A Liberty library: its cells as OpenSTA reads them, and figures of the library."""
import json
import re
import statistics
from dataclasses import dataclass
from pathlib import Path

from synthesis.tools import InputError, arrival_ps, slowest_path, sta, statistic, yosys

AREA = r"Chip area.*: ([\d.]+)"
FLIP_FLOP = """module flip_flop (input clk, input d, output reg q);
  always @(posedge clk) q <= d;
endmodule
"""


@dataclass
class Cell:
    capacitance: dict[str, float]  # of each input pin, fF; mean of both edges
    functions: dict[str, str]      # of each output pin


@dataclass
class FlipFlop:
    cell: str
    area_um2: float
    clk: str  # its pins
    d: str
    q: str


@dataclass
class Library:
    path: Path      # as the user named it
    folder: Path    # folder with its copy library.lib
    voltage: float  # V
    temperature: float
    cells: dict[str, Cell]
    inverter: str
    buffer: str
    flip_flop: FlipFlop

    def register_load_ff(self):
        return self.cells[self.flip_flop.cell].capacitance[self.flip_flop.d]


def read(path, folder):
    """Throws InputError if the file is missing, is not Liberty, or lacks what synthesis needs."""
    try:
        text = path.read_text(errors="replace")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; expected a Liberty file") from error
    (folder / "library.lib").symlink_to(path.resolve())
    cells = read_cells(path, folder)
    return Library(path, folder, number(text, path, "nom_voltage", "the supply in volts"),
                   number(text, path, "nom_temperature", "degrees Celsius"), cells,
                   smallest(path, cells, "inverter", "!{}"), smallest(path, cells, "buffer", "{}"),
                   find_flip_flop(path, folder))


def number(text, path, key, expected):
    found = re.search(rf"\b{key}\s*:\s*\"?([-+.\deE]+)", text)
    if not found:
        raise InputError(f"{path}: no {key}; expected {expected}")
    return float(found[1])


def read_cells(path, folder):
    listing = sta("foreach cell [get_lib_cells */*] { report_lib_cell [get_name $cell] }\n",
                  folder, path)
    cells = {}
    for line in listing.splitlines():
        words = line.split()
        if line.startswith("Cell "):
            cell = cells.setdefault(words[1], Cell({}, {}))
        elif re.match(r" \S+ input .*\d", line):  # "A input 0.62" or "A input r 0.62 f 0.6"
            values = re.findall(r"\d[\d.]*", line.split(" input ")[1])
            cell.capacitance[words[0]] = statistics.mean(map(float, values))
        elif re.match(r" \S+ output .*function=", line):
            cell.functions[words[0]] = line.split("function=")[1].strip()
    return cells


def smallest(path, cells, kind, form):
    """Of the cells with one input and this function, the cell with the least input capacitance."""
    fitting = [(capacitance, name) for name, cell in cells.items()
               for pin, capacitance in cell.capacitance.items()
               if len(cell.capacitance) == 1 and list(cell.functions.values()) == [form.format(pin)]]
    if not fitting:
        raise InputError(f"{path}: no {kind}; expected a cell of one input, with its function")
    return min(fitting)[1]


def find_flip_flop(path, folder):
    """The flip-flop that Yosys uses for a plain register."""
    (folder / "flip_flop.v").write_text(FLIP_FLOP)
    try:
        yosys(["read_verilog flip_flop.v", "synth -flatten -top flip_flop",
               "dfflibmap -liberty library.lib", "delete t:$_NOT_", "write_json flip_flop.json",
               "tee -q -o flip_flop.stat stat -liberty library.lib"], folder, path)
    except InputError as error:
        if "cannot be legalized" not in str(error):
            raise
        raise InputError(f"{path}: no flip-flop; expected a cell with an ff group") from error
    module = json.loads((folder / "flip_flop.json").read_text())["modules"]["flip_flop"]
    bits = {name: port["bits"] for name, port in module["ports"].items()}
    (cell,) = module["cells"].values()
    pins = {net: pin for pin, connected in cell["connections"].items()
            for net in ("clk", "d") if connected == bits[net]}
    output = next(pin for pin, connected in cell["connections"].items()
                  if connected and pin not in pins.values())
    return FlipFlop(cell["type"], statistic(folder / "flip_flop.stat", AREA), q=output, **pins)


def instance(name, cell, connections):
    pins = ", ".join(f".{pin}({net})" for pin, net in connections.items())
    return f"  {cell} {name} ({pins});\n"


def fan_out_of_4_ps(library):
    """The mean delay of the fourth and fifth of six inverters in a chain, each with three more at its output: one
    output rises, one falls."""
    cell = library.cells[library.inverter]
    (pin,), (output,) = cell.capacitance, cell.functions
    text = "module chain (input n0, output n6);\n"
    for stage in range(6):
        for copy in range(4):
            net = f"n{stage + 1}" if copy == 0 else f"load{stage}_{copy}"
            text += instance(f"u{stage}_{copy}", library.inverter, {pin: f"n{stage}", output: net})
    (library.folder / "chain.v").write_text(text + "endmodule\n")
    report = slowest_path(library.folder, "chain", library.path)
    arrival = {int(stage): float(ps) for ps, stage in
               re.findall(rf"([\d.]+) [v^] u(\d)_0/{output} ", report)}
    return (arrival[4] - arrival[2]) / 2


def register_ps(library):
    """Clock-to-output time and setup time of a flip-flop that drives another one."""
    pins = library.flip_flop
    text = "module pair (input clk, input d, output q);\n"
    text += instance("first", pins.cell, {pins.clk: "clk", pins.d: "d", pins.q: "n"})
    text += instance("second", pins.cell, {pins.clk: "clk", pins.d: "n", pins.q: "q"})
    (library.folder / "pair.v").write_text(text + "endmodule\n")
    report = slowest_path(library.folder, "pair", library.path, f"-to second/{pins.d}",
                          "[get_ports clk]")
    setup = re.search(r"(-?[\d.]+)\s+-?[\d.]+\s+library setup time", report)
    if not setup:
        raise InputError(f"{library.path}: {pins.cell} has no setup time; expected setup_rising")
    return arrival_ps(report) - float(setup[1])
