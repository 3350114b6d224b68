#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verilator has no warning about the modules that `shflsim rtl` writes, and Yosys finds no fault in them."""
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/rtl"))

import verilated  # noqa: E402
from verilated import ADD_ONS, shflsim  # noqa: E402

SKIPPED = 77
HOLD_VALUES = {"ring", "butterfly_pair", "hypercube"}  # from pass to pass: one stage only
LANES = ["4", "32"]
BITS = "8"
LATCHES = "t:$dlatch t:$adlatch t:$dlatchsr t:$sr t:$_DLATCH_* t:$_DLATCHSR_* t:$_SR_*"


def variants(network):
    """The options of modules of a network: lanes and add-ons, and stages for 8 lanes."""
    alone = [[add_on] for add_on in ADD_ONS] if network == "banked" else []
    shapes = [(lanes, "1") for lanes in LANES]
    if network not in HOLD_VALUES:
        shapes += [("8", "2"), ("8", "3")]
    for (lanes, stage), add_ons in itertools.product(shapes, [[], ADD_ONS, *alone]):
        yield [network, "--bits", BITS, "--lanes", lanes, "--stages", stage, *verilated.FEW_PORTS,
               *verilated.in_front(add_ons)]


def tool(*command):
    """The output of a tool that refuses its file, else ""."""
    done = subprocess.run(command, text=True, capture_output=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def lint(verilog):
    return tool("verilator", "--lint-only", "-Wall", verilog)


def synthesise(files):
    return tool("yosys", "-q", "-p", "; ".join(
        f"read_verilog {file}; hierarchy -check -auto-top; proc; opt; check -assert; "
        f"select -assert-none {LATCHES}; design -reset" for file in files))


class Lint(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def complaints(self, network):
        """The complaints about all modules of a network, one after the other."""
        found, files = [], []
        for number, options in enumerate(variants(network)):
            file = self.folder / str(number) / f"shuffle_{network}.v"  # Verilator wants this name
            file.parent.mkdir(exist_ok=True)
            done = shflsim(*options, "-o", file)
            self.assertEqual((done.returncode, done.stderr), (0, ""), options)
            files.append(file)
            self.assertNotIn("lint_off", file.read_text())
            complaint = lint(file)
            if complaint:
                found.append((options, complaint))
        complaint = synthesise(files)
        return [*found, (network, complaint)] if complaint else found

    def test_every_module_is_clean(self):
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = [each for some in pool.map(self.complaints, verilated.networks())
                     for each in some]
        self.assertEqual(found, [])

    def test_faults_are_noticed(self):
        for body, is_for_lint in (("always @* if (a) q = b;", False),  # a latch
                                  ("wire c; assign c = a; assign c = b; always @* q = c;", False),
                                  ("always @* q = {a, b};", True)):
            file = self.folder / "shuffle.v"
            file.write_text(f"module shuffle(input a, input b, output reg q);\n{body}\nendmodule\n")
            self.assertNotEqual(lint(file) if is_for_lint else synthesise([file]), "", body)


if __name__ == "__main__":
    missing = [name for name in ("verilator", "yosys") if shutil.which(name) is None]
    if missing:
        print("not installed:", *missing)
        sys.exit(1 if os.environ.get("CI") == "true" else SKIPPED)
    unittest.main()
