#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The proof of scripts/rtl/verify detects faults: in the Verilog of every network, and of every add-on
in front of one, each select and each lane's enable is inverted in turn."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOP / "scripts/rtl"))

import verilated  # noqa: E402
from verilated import PROGRAM, shflsim  # noqa: E402

SKIPPED = 77
SMALL = ["--lanes", "8", *verilated.FEW_PORTS]
# One bit that a multiplexer or a result register depends on.
CONDITION = re.compile(r"\(ctl\[\d+:\d+\] == \d+'d\d+\)|ctl\[\d+\](?= \?)|(?<=if \()we\[\d+\]")
# The inverted condition is read at the start, so that one compilation of a module serves all mutants.
MUTANT = '  reg [15:0] mutant [0:0];\n  initial $readmemh("mutant.hex", mutant);\n'


def modules():
    """The options of one module per network and one per add-on."""
    return [*([network, *SMALL] for network in verilated.networks()),
            *(["banked", *SMALL, *verilated.in_front([add_on])] for add_on in verilated.ADD_ONS)]


def with_mutants(text):
    """The Verilog in which condition `mutant` is inverted (none if it is 0), and the number of conditions."""
    numbers = iter(range(1, 1 << 16))
    changed = CONDITION.sub(lambda found: f"({found[0]} ^ (mutant[0] == 16'd{next(numbers)}))", text)
    return changed.replace(");\n", f");\n{MUTANT}", 1), next(numbers) - 1


class Mutation(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.runtime = verilated.runtime(self.folder)

    def library(self, number, options):
        """The library of the module with its mutants, and the number of mutants."""
        folder = self.folder / str(number)
        folder.mkdir()
        verilog = folder / "shuffle.v"
        self.assertEqual(shflsim(*options, "-o", verilog).returncode, 0)
        text, mutants = with_mutants(verilog.read_text())
        verilog.write_text(text)
        return verilated.library(verilog, self.runtime), mutants

    def check(self, library, options, mutant):
        folder = library.parent / str(mutant)
        folder.mkdir()
        (folder / "mutant.hex").write_text(f"{mutant:x}\n")
        return shflsim(*options, "--check", library, "--maps", "5000", folder=folder)

    def survivors(self, number, options):
        library, mutants = self.library(number, options)
        sound = self.check(library, options, 0)
        self.assertEqual(sound.returncode, 0, sound.stdout + sound.stderr)
        self.assertGreater(mutants, 8, options)
        alive = []
        for mutant in range(1, mutants + 1):
            done = self.check(library, options, mutant)
            if not re.match(r"FAIL: map \d+, pass \d+, lane \d+: has ", done.stdout):
                alive.append((options, mutant, done.stdout + done.stderr))
        return alive

    def test_every_inverted_select_and_enable_is_noticed(self):
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = pool.map(self.survivors, *zip(*enumerate(modules())))
            self.assertEqual([each for alive in found for each in alive], [])

    def test_verify_refuses_what_it_cannot_use(self):
        for options, reason in ((["--network", "xro"], "no network 'xro'; did you mean 'xor'?"),
                                (["--maps", "0"], "'0'; expected a whole number from 1 to"),
                                (["--seed", "-1"], "--seed"), (["--jobs", "two"], "'two'; expected"),
                                (["--al"], "unrecognized arguments: --al")):
            done = subprocess.run([TOP / "scripts/rtl/verify", *options], text=True,
                                  capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""), options)
            self.assertIn(reason, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_verify_fails_where_a_lane_is_wrong(self):
        program = self.folder / "shflsim"
        program.write_text(f"""#!/bin/sh
{PROGRAM} "$@" || exit
case $* in *" -o "*) sed -i 's/we\\[3\\]/we[2]/' "$(eval echo \\$$#)";; esac
""")
        program.chmod(0o755)
        done = subprocess.run([TOP / "scripts/rtl/verify", "--network", "xor", "--maps", "100"],
                              env={**os.environ, "SHFLSIM": str(program)}, text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"FAIL: map \d+, pass \d+, lane 3: has [0-9a-f]{8}, expected ")
        self.assertIn("FAIL: 0 of 2 modules", done.stdout)


if __name__ == "__main__":
    missing = [tool for tool in ("verilator", "c++") if shutil.which(tool) is None]
    if missing:
        print("not installed:", *missing)
        sys.exit(1 if os.environ.get("CI") == "true" else SKIPPED)
    unittest.main()
