#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""examples/verilated_unit: runs with the Verilated network in the simulation, and without."""
import json
import os
import re
import subprocess
import sys
import unittest

SKIPPED = 77
PROGRAM = os.environ["SHFLSIM"]
VERILATED = os.environ.get("SHFLSIM_VERILATED", "")  # "": not built
NETWORK = os.environ.get("SHFLSIM_VERILATED_NETWORK", "")
KERNELS = ["random_gather", "segmented_widths", "block_scan", "transpose_32x32"]


def run(program, kernel, *options):
    return subprocess.run([program, "run", f"traces/suite/{kernel}.sass", *options], text=True,
                          capture_output=True, check=False)


class VerilatedUnit(unittest.TestCase):
    def same(self, kernel, *options):
        """Checks that both programs give the same JSON report; returns it and the view's numbers."""
        machine = ["--set", f"shuffle.network={NETWORK}", *options, "--format", "json"]
        without = run(PROGRAM, kernel, *machine)
        beside = run(VERILATED, kernel, *machine, "--view", "verilated:/dev/stderr")
        self.assertEqual((without.returncode, beside.returncode), (0, 0), beside.stderr)
        self.assertEqual(without.stdout, beside.stdout)
        found = re.search(r"^(\d+) SHFLs, (\d+) passes, (\d+) lanes compared$", beside.stderr,
                          re.MULTILINE)
        self.assertIsNotNone(found, beside.stderr)
        return json.loads(without.stdout), [int(number) for number in found.groups()]

    def check(self, kernel, *options):
        report, (shuffles, passes, lanes) = self.same(kernel, *options)
        rows = [row for row in report["instructions"] if row.get("passes") is not None]
        self.assertEqual(shuffles, sum(row["issued"] for row in rows))
        self.assertEqual(passes, sum(row["passes"] for row in rows))
        self.assertEqual(lanes, sum(row["issued"] * row["lanes"] for row in rows))
        self.assertGreater(lanes, 0)

    def test_the_report_is_the_same_and_every_lane_is_right(self):
        for kernel in KERNELS:
            self.check(kernel)

    def test_several_units_and_sms_have_a_module_each(self):
        self.check("block_scan", "--sms", "2", "--grid", "4", "--set", "shuffle.shares_pipe=0",
                   "--set", "shuffle.cluster=1", "--set", "shuffle.interval=3")

    def test_a_machine_that_the_module_is_not_of_is_refused(self):
        for setting, reason in ((f"shuffle.network={'xor' if NETWORK != 'xor' else 'omega'}",
                                 f"expected shuffle.network = {NETWORK}, not"),
                                ("shuffle.lanes=8", "expected shuffle.lanes = 32, not 8"),
                                ("shuffle.self_bypass=1", "control bits; expected")):
            done = run(VERILATED, "random_gather", "--set", f"shuffle.network={NETWORK}", "--set",
                       setting, "--view", "verilated:-")
            self.assertEqual((done.returncode, done.stdout), (2, ""), setting)
            self.assertIn(reason, done.stderr)


if __name__ == "__main__":
    if not VERILATED:
        print("not built: examples/verilated_unit, without verilator")
        sys.exit(1 if os.environ.get("CI") == "true" else SKIPPED)
    unittest.main()
