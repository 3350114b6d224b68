# SPDX-License-Identifier: Apache-2.0
"""scripts/rtl/synthesise: its figures compared with kept ones, the input that it refuses, and its set-up
energy compared with nets worked out by hand."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "scripts/rtl"))
from synthesis import library, network  # noqa: E402
from synthesis.library import Cell, FlipFlop, Library  # noqa: E402

SKIPPED = 77
PROGRAM = os.environ["SHFLSIM"]
TOOLS = ("yosys", "berkeley-abc", "sta")
LIBERTY = TOP / "rtl/liberty/asap7_12.lib"
KEPT = TOP / "tests/data/rtl/asap7_8_bits.json"


def synthesise(*arguments):
    return subprocess.run([TOP / "scripts/rtl/synthesise", *arguments], text=True,
                          capture_output=True, check=False)


def toy_library():
    cells = {"INV": Cell({"A": 2.0}, {"Y": "!A"}),
             "AND": Cell({"A": 1.0, "B": 1.0}, {"Y": "A*B"}),
             "MUX": Cell({"A": 3.0, "B": 3.0, "S": 4.0}, {"Y": "(A*!S)+(B*S)"})}
    return Library(Path("toy"), Path(), 2.0, 25.0, cells, "INV", "", FlipFlop("", 0, "", "", ""))


def toy_netlist(control_bits, *cells):
    """A netlist; each cell is given by its type and the net of each pin, by name."""
    return {"ports": {"ctl": {"bits": list(range(control_bits))}},
            "cells": {f"u{number}": {"type": kind, "connections": {pin: [net] for pin, net in pins}}
                      for number, (kind, *pins) in enumerate(cells)}}


class SetUpEnergy(unittest.TestCase):
    """At 2 V a net of 1 fF that changes every second time needs 1/2 * 1/2 * 1 fF * 4 V^2 = 1 fJ."""

    def energy(self, netlist):
        return network.setup_fj(toy_library(), netlist)

    def test_a_control_bit_and_what_is_made_of_it_change_every_second_time(self):
        netlist = toy_netlist(1, ("INV", ("A", 0), ("Y", 5)), ("INV", ("A", 5), ("Y", 6)))
        self.assertAlmostEqual(self.energy(netlist), 4.0, delta=0.1)

    def test_nets_that_data_reach_are_left_out(self):
        netlist = toy_netlist(1, ("MUX", ("A", 7), ("B", 8), ("S", 0), ("Y", 9)),
                              ("INV", ("A", 9), ("Y", 10)))
        self.assertAlmostEqual(self.energy(netlist), 4.0, delta=0.1)

    def test_a_decoded_select_changes_as_rarely_as_it_is_chosen(self):
        decoder = [("AND", ("A", 0), ("B", 1), ("Y", 5)), ("AND", ("A", 5), ("B", 2), ("Y", 6)),
                   ("MUX", ("A", 7), ("B", 8), ("S", 6), ("Y", 9))]
        expected = 3 * 1.0 + 2 * (1 / 4 * 3 / 4) * 1.0 * 2 + 2 * (1 / 8 * 7 / 8) * 4.0 * 2
        self.assertAlmostEqual(self.energy(toy_netlist(3, *decoder)), expected, delta=0.1)

    def test_constants_do_not_change(self):
        netlist = toy_netlist(1, ("AND", ("A", "0"), ("B", 0), ("Y", 5)),
                              ("INV", ("A", 5), ("Y", 6)))
        self.assertAlmostEqual(self.energy(netlist), 1.0, delta=0.1)


class Synthesis(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def test_figures_of_8_bits_are_within_2_percent_of_the_kept_ones(self):
        done = synthesise("--bits", "8", "--network", ",".join(NETWORKS), "--jobs", "2",
                          "--check", str(KEPT))
        self.assertEqual((done.returncode, done.stdout),
                         (0, f"{len(NETWORKS)} networks are as kept, within 2%\n"), done.stderr)

    def test_figures_of_4_lanes_are_within_2_percent_of_the_kept_ones(self):
        done = synthesise("--lanes", "4", "--network", "crossbar,quad", "--check")
        self.assertEqual((done.returncode, done.stdout),
                         (0, "2 networks are as kept, within 2%\n"), done.stderr)

    def test_a_figure_beyond_2_percent_is_named(self):
        kept = json.loads(KEPT.read_text())
        for row in kept["networks"]:
            row["delay_ps"] *= 1.03 if row["network"] == "quad" else 1
        (self.path / "kept.json").write_text(json.dumps(kept))
        done = synthesise("--bits", "8", "--network", "quad", "--check", self.path / "kept.json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"\Aquad delay_ps: [\d.]+, kept [\d.]+\n\Z")

    def test_two_runs_give_the_same_bytes(self):
        for name, jobs in (("one.json", "1"), ("two.json", "2")):
            done = synthesise("--bits", "2", "--network", "quad,omega", "--jobs", jobs,
                              "-o", self.path / name)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.path / "one.json").read_bytes(),
                         (self.path / "two.json").read_bytes())

    def test_a_liberty_file_of_the_user_gives_its_own_figures(self):
        larger = LIBERTY.read_text().replace("area : 0.08748", "area : 0.17496")
        (self.path / "my.lib").write_text(larger)
        rows = []
        for arguments in ((), ("--liberty", self.path / "my.lib")):
            done = synthesise("--bits", "1", "--network", "quad", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            rows.append(json.loads(done.stdout))
        self.assertEqual([data["library"] for data in rows], ["asap7", "my"])
        self.assertEqual(rows[1]["source"], "my.lib")
        self.assertGreater(rows[1]["networks"][0]["cell_um2"], rows[0]["networks"][0]["cell_um2"])

    def refuses(self, reason, *arguments):
        output = self.path / "result.json"
        done = synthesise(*arguments, "-o", output)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, reason)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertFalse(output.exists())

    def refuses_library(self, reason, text):
        (self.path / "my.lib").write_bytes(text)
        self.refuses(rf"\A{re.escape(str(self.path))}/my[.]lib{reason}", "--liberty",
                     self.path / "my.lib", "--network", "quad", "--bits", "1")

    def test_a_file_that_is_no_liberty_is_said_in_one_line(self):
        self.refuses(r"\A/none/my[.]lib: No such file or directory; expected a Liberty file\n",
                     "--liberty", "/none/my.lib")
        self.refuses(r": Is a directory; expected a Liberty file\n", "--liberty", self.path)
        self.refuses_library(":1: syntax error.*; expected a Liberty library\n", b"")
        self.refuses_library(":1: syntax error.*; expected a Liberty library\n", b"\xff\x00 library")
        lines = LIBERTY.read_text().splitlines(keepends=True)
        broken = "".join(lines[:100] + ["  } } ;;; (\n"] + lines[100:])
        self.refuses_library(r":10\d: syntax error.*; expected a Liberty library\n", broken.encode())

    def test_a_library_that_lacks_what_synthesis_needs_is_said(self):
        whole = LIBERTY.read_text()

        def without(cell):
            return re.sub(rf"  cell \({cell}.*?\n  }}\n", "", whole, flags=re.DOTALL).encode()
        self.refuses_library(": no inverter; expected a cell of one input", without("INVx1"))
        self.refuses_library(": no buffer; expected a cell of one input", without("BUF"))
        self.refuses_library(": no flip-flop; expected a cell with an ff group", without("DFF"))
        self.refuses_library(": no nom_voltage; expected the supply in volts",
                             whole.replace("nom_voltage", "nominal").encode())
        self.refuses_library(r": DFFHQNx1_ASAP7_75t_R has no setup time; expected setup_rising",
                             whole.replace("setup_rising", "hold_rising").encode())

    def test_a_capacitance_given_for_each_edge_is_their_mean(self):
        text = LIBERTY.read_text().replace(
            "pin (D) {\n      direction : input;\n      capacitance : 0.56;",
            "pin (D) {\n      direction : input;\n      capacitance : 0.56;\n"
            "      rise_capacitance : 0.60;\n      fall_capacitance : 0.50;")
        cells = library.read_cells(self.path / "my.lib", self.path_with("library.lib", text))
        self.assertAlmostEqual(cells["DFFHQNx1_ASAP7_75t_R"].capacitance["D"], 0.55)

    def path_with(self, name, text):
        (self.path / name).write_text(text)
        return self.path

    def test_a_wrong_option_is_said(self):
        self.refuses("expected asap7 or sky130; did you mean 'asap7'", "--library", "asap")
        self.refuses("did you mean 'crossbar'", "--network", "crosbar")
        self.refuses("no multiplexers of its own", "--network", "shared_memory")
        self.refuses("did you mean 'shuffle.self_bypass'", "--network", "quad",
                     "--set", "shuffle.self_bypas=1")
        self.refuses("--jobs 0: expected 1 or more", "--jobs", "0")
        self.refuses("--delay-target nan: expected 1 or more", "--delay-target", "nan")
        self.refuses("unrecognized arguments: --netwrk", "--netwrk", "quad")
        self.refuses("expected what -o wrote", "--check", self.path / "none.json")
        (self.path / "other.json").write_text("[]")
        self.refuses("not of format shflsim-library/1", "--check", self.path / "other.json")
        done = synthesise("--network", "quad", "-o", "/none/quad.json")
        self.assertEqual((done.returncode, done.stderr), (
            2, "/none/quad.json: its folder is not there; expected one to write to\n"))

    def test_the_kept_results_are_of_the_wirings_in_the_tree(self):
        for library in ("asap7", "sky130"):
            kept = json.loads((TOP / f"configs/technology/{library}.json").read_text())
            self.assertIn("crossbar", {row["network"] for row in kept["networks"]})
            for row in kept["networks"]:
                sets = [word for key in row.get("set", []) for word in ("--set", key)]
                lanes = str(row.get("lanes", 32))
                text = subprocess.run([PROGRAM, "rtl", row["network"], "--lanes", lanes, *sets], text=True,
                                      capture_output=True, check=True).stdout
                self.assertIn(f"// wiring {row['wiring']}\n", text, row)


NETWORKS = [row["network"] for row in json.loads(KEPT.read_text())["networks"]]

if __name__ == "__main__":
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        print(f"not installed: {', '.join(missing)}")
        sys.exit(1 if os.environ.get("CI") == "true" else SKIPPED)
    unittest.main()
