# SPDX-License-Identifier: Apache-2.0
"""The cost of a unit of 4, 8, 16 or 32 lanes per cycle equals the synthesis of its Verilog, in both libraries; and its
Verilog delivers the right values."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SHFLSIM", str(TOP / "build/release/shflsim"))
WIDTHS = (4, 8, 16, 32)
CODE = str(TOP / "traces/suite/stencil_3.sass")


def told(*words):
    return subprocess.run([PROGRAM, *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def synthesised(library):
    """Rows of a library's file for 32 lanes without add-ons, by network and width."""
    rows = json.loads((TOP / f"configs/technology/{library}.json").read_text())["networks"]
    found = {}
    for row in rows:
        sets = row.get("set", ["shuffle.lanes=32"])
        if "lanes" not in row and sets[0].startswith("shuffle.lanes="):
            found[row["network"], int(sets[0].partition("=")[2])] = row
    return found


class Widths(unittest.TestCase):
    def test_cost_what_synthesis_made_of_their_verilog(self):
        compared = 0
        for library in ("asap7", "sky130"):
            rows = synthesised(library)
            for width in WIDTHS:
                designs = json.loads(told("compare", CODE, "--network", "all", "--set", f"shuffle.lanes={width}", "--set",
                                          f"technology.library={library}", "--format", "json"))["designs"]
                for design in designs:
                    if design["network"] == "shared_memory":
                        self.assertIsNone(design["cell_area"])
                        self.assertIsNone(design["energy_nj"])
                        continue
                    row = rows[design["network"], width]
                    what = f"{design['network']}, {width} lanes, {library}"
                    for key, of_row in (("cell_area", "cell_um2"), ("logic_delay", "delay_ps"), ("set_up_energy", "setup_fj")):
                        self.assertEqual(design[key], row[of_row], what)
                    self.assertEqual(design["logic_synthesised"], 1, what)
                    flip_flop = json.loads((TOP / f"configs/technology/{library}.json").read_text())["flip_flop_um2"]
                    # Besides the network's registers: registers that count slices and cut a pass into clock cycles.
                    more = (design["control_registers"] + design["pipeline_registers"]) * flip_flop
                    self.assertAlmostEqual(design["register_area"], row["register_um2"] + more, delta=0.02, msg=what)
                    compared += 1
        self.assertEqual(compared, 2 * len(WIDTHS) * len({network for network, _ in synthesised("asap7")}))

    def test_are_the_wiring_that_was_synthesised(self):
        for (network, width), row in synthesised("asap7").items():
            module = told("rtl", network, "--set", f"shuffle.lanes={width}")
            self.assertEqual(re.search("^// wiring (.*)$", module, re.MULTILINE)[1], row["wiring"], f"{network}, {width}")

    def test_deliver_in_a_simulation_of_their_verilog(self):
        if shutil.which("iverilog") is None:
            self.skipTest("no iverilog")
        with tempfile.TemporaryDirectory() as folder:
            for network, width in synthesised("asap7"):
                if width not in (4, 16):
                    continue
                told("rtl", network, "--bits", "8", "--set", f"shuffle.lanes={width}", "--bench", "20", "-o", f"{folder}/bench.v")
                subprocess.run(["iverilog", "-g2012", "-o", f"{folder}/bench", f"{folder}/bench.v"], check=True)
                done = subprocess.run(["vvp", "-n", f"{folder}/bench"], check=False, stdout=subprocess.PIPE, text=True)
                self.assertIn("PASS: 20 maps", done.stdout, f"{network}, {width}")

    def test_pipeline_registers_are_those_of_the_verilog(self):
        compared = 0
        designs = json.loads(told("compare", CODE, "--network", "all", "--config", "gh100", "--format", "json"))["designs"]
        for design in designs:
            if not design["pipeline_registers"]:
                continue
            module = told("rtl", design["network"], "--stages", str(design["stages"]))
            bits = sum(int(width or 0) + 1 for width in re.findall(r"^  reg (?:\[(\d+):0\] )?\w+_q\d+;", module, re.MULTILINE))
            self.assertEqual(design["pipeline_registers"], bits, design["network"])
            compared += 1
        self.assertGreater(compared, 8)

    def test_queue_and_pipeline_have_their_price(self):
        plain, queued, serial = json.loads(told(
            "compare", CODE, "--network", "shifter", "--config", "gh100", "--design", "queued=shuffle.network=shifter,shuffle.queue_depth=4",
            "--design", "serial=shuffle.network=shifter,shuffle.pipelined=0,shuffle.shares_pipe=1", "--format", "json"))["designs"]
        self.assertEqual(queued["queue_registers"], 4 * 32 * (32 + 5 + 1))
        self.assertEqual(plain["queue_registers"], 0)
        self.assertGreater(plain["stages"], 1)
        self.assertGreater(plain["pipeline_registers"], 32 * 32)
        self.assertEqual(serial["pipeline_registers"], 0)
        self.assertGreater(queued["register_area"], plain["register_area"])
        self.assertGreater(plain["register_area"], serial["register_area"])


if __name__ == "__main__":
    unittest.main()
