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
# Their output depends on the chip: its properties, shared memory, clusters, and the rounding of products.
OF_AN_H100 = ("clusters", "device_query", "function_attributes", "product_kinds")
OF_PTX = ("ptx_variables",)  # lowered to code of sm_50
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
            for machine in ("gm107",) if name in OF_PTX else ("gh100",) if name in OF_AN_H100 else ("gh100", "ga100"):
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

    def test_a_cooperative_launch_is_timed_on_as_many_sms_as_hold_its_blocks(self):
        path = Path(self.folder.name) / "out.json"
        run = self.run_program("grid_groups", options=["--json", path])
        self.assertEqual(run.stdout, (DATA / "grid_groups.out").read_text(), run.stderr)
        launch = json.loads(path.read_text())["launches"][0]
        self.assertEqual((launch["grid"], launch["remark"]), ([20, 1, 1], "timed on 3 SMs, which hold all its blocks"))
        self.assertGreater(launch["cycles"], 1000)

    def record(self, name, options=()):
        """Runs a program with --record, and returns the launch files and the rows of the report."""
        folder = Path(self.folder.name) / "launches"
        folder.mkdir()
        report = Path(self.folder.name) / "out.json"
        run = self.run_program(name, options=["--record", folder, "--json", report, *options])
        self.assertEqual(run.stdout, (DATA / f"{name}.out").read_text(), run.stderr)
        rows = json.loads(report.read_text())["launches"]
        self.assertEqual([row["launch_file"] for row in rows], sorted(path.name for path in folder.glob("*.ini")))
        return [folder / row["launch_file"] for row in rows], rows

    def shflsim(self, *words):
        return subprocess.run([SHFLSIM, *map(str, words)], check=False, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)

    def test_recorded_launches_take_the_same_time_and_leave_the_same_memory(self):
        for name in ("symbols", "managed", "function_pointers", "grid_barrier", "tiles"):
            with self.subTest(name=name):
                files, rows = self.record(name)
                self.assertTrue(files)
                for file, row in zip(files, rows):
                    json_file = Path(self.folder.name) / "run.json"
                    run = self.shflsim("run", "--launch", file, "--json", json_file)
                    self.assertEqual(run.returncode, 0, run.stderr)
                    self.assertNotIn("differs", run.stdout)
                    totals = json.loads(json_file.read_text())["totals"]
                    self.assertEqual(totals["cycles"], row["cycles"])
            self.tearDown()
            self.setUp()

    def test_a_recorded_launch_that_leaves_other_bytes_is_told(self):
        [file], _ = self.record("vector_add")
        text = file.read_text()
        self.assertIn("expect = b3:", text)
        file.write_text(text.replace("u32:5000", "u32:4999"))
        run = self.shflsim("run", "--launch", file)
        self.assertEqual(run.returncode, 1)
        self.assertIn("launch 1: b3 differs from ", run.stdout)
        self.assertIn(" at byte 19997", run.stdout)

    def test_compare_and_sweep_take_recorded_launches(self):
        files, rows = self.record("symbols", ["--no-timing"])
        compared = self.shflsim("compare", *files, "--config", "gh100", "--format", "json")
        self.assertEqual(compared.returncode, 0, compared.stderr)
        self.assertEqual(len({row["input"] for row in json.loads(compared.stdout)["inputs"]}), len(rows))
        swept = self.shflsim("sweep", files[0], "--vary", "shuffle.latency=10,30", "--db",
                             Path(self.folder.name) / "points.sqlite")
        self.assertIn("2 points: 2 done", swept.stdout + swept.stderr)

    def test_launches_are_recorded_into_an_empty_folder(self):
        for folder in (DATA, Path(self.folder.name) / "nothing"):
            run = self.run_program("vector_add", options=["--record", folder])
            self.assertEqual(run.returncode, 2)
            self.assertIn("is no empty folder; expected one for --record", run.stderr)
            self.assertEqual(run.stdout, "")

    def test_a_page_has_the_launches_and_the_kernels(self):
        page = Path(self.folder.name) / "out.html"
        report = Path(self.folder.name) / "out.json"
        self.run_program("streams", options=["--html", page, "--json", report])
        text = page.read_text()
        begin = text.index('id="data">') + len('id="data">')
        data = json.loads(text[begin:text.index("</script>", begin)])
        self.assertEqual(data, json.loads(report.read_text()))
        self.assertIn("function exec()", text)

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

    def test_a_program_that_calls_the_driver_is_refused_by_name(self):
        driver = self.program("vector_add").read_bytes().replace(b"libcudart.so.13\0", b"libcuda.so.1\0\0\0\0")
        path = Path(self.folder.name) / "driver"
        path.write_bytes(driver + b"libcudart.so.13")
        path.chmod(0o755)
        run = subprocess.run([SHFLSIM, "exec", "--", path], check=False, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(run.returncode, 2)
        self.assertIn("calls the CUDA driver, libcuda.so.1; expected", run.stderr)


if __name__ == "__main__":
    unittest.main()
