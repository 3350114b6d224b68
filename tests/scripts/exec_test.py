#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CUDA programs of tests/data/exec, built by nvcc 13.0 with `-cudart shared` for sm_90 and sm_80, run
under `shflsim exec` and print what they print on an H100."""
import gzip
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import jsonschema

TOP = Path(__file__).resolve().parent.parent.parent
DATA = TOP / "tests/data/exec"
SHFLSIM = os.environ.get("SHFLSIM", str(TOP / "build/release/shflsim"))


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def program(self, name):
        path = Path(self.folder.name) / name
        if not path.exists():
            path.write_bytes(gzip.decompress((DATA / f"{name}.gz").read_bytes()))
            path.chmod(0o755)
        return path

    def run_program(self, name, *arguments, options=()):
        return subprocess.run([SHFLSIM, "exec", *map(str, options), "--", self.program(name), *arguments],
                              check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_each_program_prints_what_it_prints_on_a_gpu(self):
        programs = sorted(path.stem for path in DATA.glob("*.gz"))
        self.assertGreater(len(programs), 4)
        for name in programs:
            for machine in ("gh100", "ga100"):
                with self.subTest(name=name, machine=machine):
                    run = self.run_program(name, options=["--no-timing", "--config", machine])
                    self.assertEqual(run.stdout, (DATA / f"{name}.out").read_text(), run.stderr)

    def test_a_launch_is_timed_on_the_chip_of_the_newest_code_and_reported_as_json(self):
        path = Path(self.folder.name) / "out.json"
        run = self.run_program("vector_add", options=["--json", path])
        self.assertEqual(run.returncode, 0)
        document = json.loads(path.read_text())
        its = json.loads((TOP / "docs/schema/exec.schema.json").read_text())
        jsonschema.Draft202012Validator(its).validate(document)
        [launch] = document["launches"]
        self.assertEqual((launch["machine"], launch["grid"], launch["block"]),
                         ("gh100", [20, 1, 1], [256, 1, 1]))
        self.assertGreater(launch["cycles"], 100)
        self.assertAlmostEqual(launch["microseconds"], launch["cycles"] / 1980)
        self.assertEqual(document["kernels"][0]["launches"], 1)

    def test_the_exit_status_is_the_programs(self):
        self.assertEqual(self.run_program("errors").returncode, 7)

    def test_an_illegal_address_is_named_on_standard_error(self):
        run = self.run_program("errors")
        self.assertIn("outside every buffer", run.stderr)

    def test_a_program_that_is_not_there_or_has_the_runtime_in_itself_is_refused(self):
        for words, text in ((["/nonexistent"], "cannot be found"), ([], "no program given"),
                            ([Path(__file__)], "cannot be executed")):
            run = subprocess.run([SHFLSIM, "exec", "--", *words], check=False, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(run.returncode, 2)
            self.assertIn(text, run.stderr)
        static = self.program("vector_add").read_bytes().replace(b"libcudart.so.13", b"libcudaXX.so.13")
        path = Path(self.folder.name) / "static"
        path.write_bytes(static)
        path.chmod(0o755)
        run = subprocess.run([SHFLSIM, "exec", "--", path], check=False, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(run.returncode, 2)
        self.assertIn("-cudart shared", run.stderr)


if __name__ == "__main__":
    unittest.main()
