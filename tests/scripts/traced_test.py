#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program times what Accel-Sim's traces name: dependent matrix products, and opcodes that it does not know."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
SHFLSIM = os.environ.get("SHFLSIM", str(TOP / "build/release/shflsim"))
LENGTH = 25
FIRST = {"HMMA": "R4 R8", "IMMA": "R4 R8", "BMMA": "R4 R8", "QMMA": "R4 R8", "DMMA": "R4 R12"}


def trace(lines, version):
    header = ["-kernel name = k", "-grid dim = (1,1,1)", "-block dim = (32,1,1)",
              f"-binary version = {version}", "-accelsim tracer version = 5", "",
              "#traces format", "#BEGIN_TB", "thread block = 0,0,0", "warp = 0",
              f"insts = {len(lines) + 1}"]
    code = [f"{16 * i:04x} ffffffff {line} 0 0" for i, line in enumerate(lines)]
    return "\n".join([*header, *code, f"{16 * len(lines):04x} ffffffff 0 EXIT 0 0 0", "#END_TB", ""])


def run(lines, version):
    with tempfile.NamedTemporaryFile("w", suffix=".traceg") as file:
        file.write(trace(lines, version))
        file.flush()
        done = subprocess.run([SHFLSIM, "run", file.name, "--json", "-"], check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return json.loads(done.stdout), done.stderr


class Products(unittest.TestCase):
    def step(self, opcode, version, source="R24"):
        """Cycles from one product to the next, which adds to the first one's result."""
        line = f"1 R24 {opcode} 3 {FIRST[opcode[:4]]} {source}"
        cycles = [run([line] * length, version)[0]["totals"]["cycles"] for length in (1, LENGTH)]
        return (cycles[1] - cycles[0]) / (LENGTH - 1)

    def test_a_dependent_product_waits_for_the_one_before_by_shape_and_chip(self):
        for opcode, version, cycles in (
                ("HMMA.16816.F32", 80, 24), ("HMMA.16816.F16", 86, 24), ("HMMA.1688.F32", 80, 16),
                ("HMMA.1688.F32.TF32", 89, 24), ("HMMA.1688.F32", 75, 14),
                ("IMMA.8816.S8.S8", 75, 10), ("IMMA.16832.S8.S8", 90, 24),
                ("IMMA.16832.S4.S4", 80, 16), ("BMMA.168256.AND.POPC", 80, 24),
                ("BMMA.88128.XOR.POPC", 80, 14), ("QMMA.16832.F32.E4M3.E4M3", 89, 24),
                ("HMMA.16816.F32", 100, 20), ("HMMA.16816.F32", 120, 29), ("DMMA.884", 80, 26)):
            self.assertEqual(self.step(opcode, version), cycles, f"{opcode} sm_{version}")

    def test_products_of_other_registers_take_their_pipe_alone(self):
        for opcode, cycles in (("HMMA.16816.F32", 6), ("HMMA.1688.F32", 4)):
            lines = [f"1 R{24 + 4 * i} {opcode} 3 R4 R8 R{24 + 4 * i}" for i in range(LENGTH)]
            taken = [run(lines[:length], 80)[0]["totals"]["cycles"] for length in (1, LENGTH)]
            self.assertEqual((taken[1] - taken[0]) / (LENGTH - 1), cycles, opcode)

    def test_the_last_register_of_a_result_is_waited_for(self):
        product = "1 R24 HMMA.16816.F32 3 R4 R8 R24"
        cycles = [run([product, f"1 R60 FADD 1 R{register}"], 80)[0]["totals"]["cycles"]
                  for register in (24, 27, 28)]
        self.assertEqual(cycles[0], cycles[1])
        self.assertGreater(cycles[1], cycles[2])


class Opcodes(unittest.TestCase):
    def test_those_that_are_not_known_are_named(self):
        _, remarks = run(["1 R4 NOTANOP.X 1 R4", "1 R4 FADD 1 R4", "1 R4 ALSONOT 1 R4"], 80)
        self.assertIn("warning: opcodes that are not known, timed as integer arithmetic: NOTANOP.X "
                      "(1 warp instructions), ALSONOT (1)", remarks)
        self.assertNotIn("warning", run(["1 R4 FADD 1 R4"], 80)[1])


if __name__ == "__main__":
    unittest.main()
