#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Verilog of every network in Icarus, by the test benches that `shflsim rtl --bench` writes."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SKIPPED = 77
PROGRAM = os.environ["SHFLSIM"]
NO_WIRES = {"shared_memory"}
HOLD_VALUES = {"ring", "butterfly_pair", "hypercube"}  # from pass to pass: one stage only
SMALL = ["--lanes", "8", "--bits", "8", "--set", "shuffle.banked.banks=4",
         "--set", "shuffle.hierarchical.group=4"]
ADD_ONS = ["shuffle.self_bypass=1", "shuffle.quad_fast_path=1", "shuffle.uniform_broadcast=1"]


def shflsim(*arguments):
    return subprocess.run([PROGRAM, *arguments], text=True, capture_output=True, check=False)


def networks():
    listed = json.loads(shflsim("list", "networks", "--format", "json").stdout)
    return sorted({each["name"] for each in listed["networks"]} - NO_WIRES)


class Rtl(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = Path(self.folder.name) / "shuffle.v"

    def write(self, *arguments):
        done = shflsim("rtl", *arguments, "-o", str(self.file))
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)

    def simulate(self):
        program = self.file.with_suffix(".vvp")
        subprocess.run(["iverilog", "-g2012", "-o", program, self.file], check=True)
        return subprocess.run(["vvp", "-n", program], text=True, capture_output=True, check=False)

    def passes(self, *arguments):
        self.write(*arguments)
        done = self.simulate()
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stdout[-500:]}")
        self.assertRegex(done.stdout, r"PASS: \d+ maps, \d+ passes, [1-9]\d* lanes")

    def test_every_network_delivers_maps_of_eight_lanes(self):
        for network in networks():
            self.passes(network, *SMALL, "--bench", "100")

    def test_every_network_delivers_maps_of_a_warp(self):
        for network in networks():
            self.passes(network, "--bench", "20")

    def test_stages_deliver_passes_that_follow_one_another(self):
        for network in networks():
            for stages in ("2", "3"):
                if network not in HOLD_VALUES:
                    self.passes(network, *SMALL, "--bench", "40", "--stages", stages)

    def test_add_ons_deliver_in_front_of_every_network(self):
        sets = [word for key in ADD_ONS for word in ("--set", key)]
        for network in networks():
            self.passes(network, *SMALL, *sets, "--bench", "40")

    def test_a_seed_chooses_the_maps_of_a_bench(self):
        benches = []
        for seed in ([], ["--seed", "1"], ["--seed", "2"]):
            self.passes("xor", *SMALL, "--bench", "20", *seed)
            benches.append(self.file.read_text())
        self.assertEqual(benches[0], benches[1])
        self.assertNotEqual(benches[0], benches[2])

    def test_another_select_is_noticed(self):
        for network in networks():
            self.write(network, *SMALL, "--bench", "60")
            text = self.file.read_text()
            swapped = re.sub(r"= (ctl\[\d+\]) \? (\w+) : (\w+);", r"= \1 ? \3 : \2;", text, count=1)
            if swapped == text:
                swapped = re.sub(r"(\[\d+:\d+\] == \d+'d)1\)", r"\g<1>2)", text, count=1)
            self.assertNotEqual(swapped, text, network)
            self.file.write_text(swapped)
            done = self.simulate()
            self.assertIn("FAIL: ", done.stdout, network)
            self.assertNotEqual(done.returncode, 0, network)

    def test_what_cannot_be_written_is_said(self):
        for arguments, reason in (
                (["shared_memory"], "no multiplexers of its own"),
                (["ring", "--stages", "2"], "holds values from pass to pass"),
                (["crossbar", "--lanes", "12"], "expected a power of two"),
                (["crossbar", "--lanes", "128"], "'128' is out of range; expected 4 to 64"),
                (["crossbar", "--lanes", "64", "--bits", "5", "--bench", "1"], "expected 6 bits or more"),
                (["crossbar", "--bits", "4", "--bench", "1"], "expected 5 bits or more"),
                (["banked", "--lanes", "4"], "expected no more ports than lanes"),
                (["hierarchical", "--lanes", "4"], "expected no more than there are"),
                (["crosbar"], "did you mean 'crossbar'"),
                (["xor", "--seed", "2"], "--seed without --bench or --check"),
                (["xor", "--bench", "1", "--seed", "-1"], "--seed"),
                (["xor", "--maps", "2"], "--maps without --check"),
                (["xor", "--check", "none.so"], "--check none.so: "),
                (["xor", "--check", PROGRAM], "--check "),
                (["xor", "--check", "none.so", "--every", "2"], "expected --lanes 4 or 8"),
                (["xor", "--check", "none.so", "--every", "0", "--lanes", "8"],
                 "--every: '0' is out of range"),
                (["xor", "--check", "none.so", "--maps", "2", "--every", "2"], "both given"),
                (["xor", "--check", "none.so", "--bench", "2"], "writes no module"),
                (["xor", "--check", "none.so", "--stages", "2"], "expected 32 and 1")):
            done = shflsim("rtl", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(reason, done.stderr)


if __name__ == "__main__":
    if shutil.which("iverilog") is None:
        print("not installed: iverilog")
        sys.exit(1 if os.environ.get("CI") == "true" else SKIPPED)
    unittest.main()
