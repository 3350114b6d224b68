# SPDX-License-Identifier: Apache-2.0
"""Runs the programs for synthesis: Yosys with ABC, OpenSTA, and shflsim, which writes the networks."""
import os
import re
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent.parent
PROGRAM = os.environ.get("SHFLSIM", str(TOP / "build/release/shflsim"))


class InputError(Exception):
    """An error in the user's input; one line."""


def run(command, folder, source):
    """The output of a command that works on `source`. An error of the command names `source`."""
    try:
        done = subprocess.run(command, cwd=folder, text=True, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except FileNotFoundError as error:
        raise InputError(f"{command[0]}: not installed; scripts/install all installs it") from error
    if done.returncode != 0:
        said = [line for line in done.stdout.splitlines() if line.strip()]
        errors = [line for line in said if "rror" in line]
        raise InputError(f"{source}: {(errors or said or ['no message'])[-1]}")
    return done.stdout


def yosys(script, folder, source):
    run(["yosys", "-q", "-p", "; ".join(script)], folder, source)


def sta(commands, folder, source):
    """The output of OpenSTA for folder/library.lib, in ps and fF. OpenSTA exits with 0 even after errors."""
    (folder / "commands.tcl").write_text("read_liberty library.lib\n"
                                         "set_cmd_units -time ps -capacitance fF\n" + commands)
    output = run(["sta", "-exit", "-no_splash", "commands.tcl"], folder, source)
    error = re.search(r"^Error: (?:library\.lib, line (\d+) )?(.*?)\.?$", output, re.MULTILINE)
    if error:
        place = f"{source}:{error[1]}" if error[1] else source
        raise InputError(f"{place}: {error[2]}; expected a Liberty library")
    return output


def slowest_path(folder, module, source, to="", clock="", constraints=""):
    """OpenSTA's report of the slowest path through folder/MODULE.v, with inputs at time 0."""
    return sta(f"""read_verilog {module}.v
link_design {module}
create_clock -name pass -period 1000000 {clock}
set_input_delay 0 -clock pass [all_inputs]
set_output_delay 0 -clock pass [all_outputs]
{constraints}report_checks {to} -digits 4
""", folder, source)


def arrival_ps(report):
    arrival = re.search(r"([\d.]+)\s+data arrival time", report)
    if not arrival:
        raise InputError(f"OpenSTA found no path: {' '.join(report.split())}")
    return float(arrival[1])


def statistic(path, form):
    """A number in the output of Yosys' stat; 0 if it is not there."""
    found = re.search(form, path.read_text())
    return float(found[1]) if found else 0


def shflsim(*arguments):
    if not os.access(PROGRAM, os.X_OK):
        raise InputError(f"{PROGRAM} is not there; expected a build: "
                         "cmake --preset release && cmake --build --preset release")
    done = subprocess.run([PROGRAM, *arguments], text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise InputError(done.stderr.strip())
    return done.stdout


def versions():
    def version(command, form):
        said = subprocess.run(command, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                              check=True).stdout
        return re.search(form, said)[1]
    return {"yosys": version(["yosys", "-V"], r"Yosys (\S+)"),
            "abc": version(["berkeley-abc", "-c", "version"], r"ABC (\d\S*)"),
            "opensta": version(["sta", "-version"], r"(\S+)")}
