#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every JSON that the program writes matches its schema, and docs/schema has these schemas."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import jsonschema

TOP = Path(__file__).resolve().parent.parent.parent
SHFLSIM = os.environ.get("SHFLSIM", str(TOP / "build/release/shflsim"))
SUITE = TOP / "traces/suite"
TRACE = TOP / "tests/data/accel_sim/version5.traceg"
LISTING = TOP / "tests/data/h200/bench.sm90.cuobjdump.txt.gz"
PTX = "shfl.sync.bfly.b32 %r1, %r0, 0x10, 0x1f, 0xffffffff;\n"


def program(*arguments):
    return subprocess.run([SHFLSIM, *map(str, arguments)], check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def schema(name):
    return json.loads(program("list", "schemas", name).stdout)


def shipped(name):
    return (TOP / f"docs/schema/{name}.schema.json").read_text()


class Schemas(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def written(self, *arguments):
        path = Path(self.folder.name) / "out.json"
        run = program(*arguments, "--json", path)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        return json.loads(path.read_text())

    def holds(self, name, *arguments):
        its = schema(name)
        jsonschema.Draft202012Validator.check_schema(its)
        document = self.written(*arguments)
        jsonschema.Draft202012Validator(its).validate(document)
        return its, document

    def test_the_tree_has_the_schemas_that_the_program_has(self):
        names = program("list", "schemas").stdout.split()
        self.assertEqual(names, ["run", "compare", "compare-lanes", "check", "launches", "exec", "explain", "explain-lanes",
                                 "verify", "accuracy", "trace-info", "list", "version", "results",
                                 "diff", "profile", "errors"])
        self.assertEqual(sorted(path.name for path in (TOP / "docs/schema").iterdir()),
                         sorted(f"{name}.schema.json" for name in names))
        for name in names:
            self.assertEqual(program("list", "schemas", name).stdout, shipped(name),
                             f"write it anew: shflsim list schemas {name}")

    def test_u2l_run_writes_what_its_schema_says(self):
        self.holds("run", "run", SUITE / "fft_32.sass")
        self.holds("run", "run", SUITE / "fft_32.sass", "--sms", "2", "--sensitivity")
        self.holds("run", "run", TRACE)
        self.holds("run", "run", LISTING, "--region", "clock", "--kernel", "mix_shfl_ffma_1_1")

    def test_results_writes_what_its_schema_says(self):
        database = Path(self.folder.name) / "s.sqlite"
        done = program("sweep", SUITE / "fft_32.sass", "--vary", "shuffle.lanes=8,16", "--db",
                       database)
        self.assertEqual(done.returncode, 0, done.stderr)
        for view in ([], ["--best", "cycles"], ["--pareto", "cycles,mux2"],
                     ["--pivot", "kernel,shuffle.lanes,ipc"], ["--sensitivity", "cycles"]):
            self.holds("results", "results", database, *view)

    def test_u2l_compare_writes_what_its_schema_says(self):
        self.holds("compare", "compare", SUITE / "fft_32.sass", SUITE / "stencil_3.sass",
                   "--network", "crossbar,ring,banked", "--pareto", "cycles,mux2")
        self.holds("compare", "compare", TRACE, "--config", "gm107", "--config", "gh100")

    def test_compare_writes_of_lane_profiles_what_its_schema_says(self):
        profile = Path(self.folder.name) / "p.lanes"
        done = program("run", SUITE / "fft_32.sass", "--quiet", "--view", f"lanes:{profile}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.holds("compare-lanes", "compare", profile, "--network", "crossbar,ring,shared_memory")

    def test_diff_writes_what_its_schema_says(self):
        runs = [Path(self.folder.name) / name for name in ("one.json", "other.json", "sms.json")]
        for path, code, more in zip(runs, ("fft_32", "stencil_3", "fft_32"), ([], [], ["--sms", "2"])):
            self.assertEqual(program("run", SUITE / f"{code}.sass", *more, "--json", path).returncode, 0)
        for other in runs:
            self.holds("diff", "diff", runs[0], other)

    def test_u2l_check_writes_what_its_schema_says(self):
        code = Path(self.folder.name) / "shfl.ptx"
        code.write_text(PTX)
        self.holds("check", "check", code)
        self.holds("check", "check", SUITE / "fft_32.sass", "--reg", "Rvalue=lane")

    def prints(self, name, *arguments):
        run = program(*arguments, "--format", "json")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        jsonschema.Draft202012Validator(schema(name)).validate(json.loads(run.stdout))

    def test_u2l_every_other_json_is_as_its_schema_says(self):
        kernels = TOP / "traces/kernels.sm50.sass"
        for topic in program("list", "list").stderr.split("known: ")[1].strip().split(", "):
            self.prints("list", "list", topic, *([kernels] if topic == "kernels" else []))
        self.prints("list", "list", "kernels", TRACE)
        self.prints("launches", "run", TRACE.parent / "kernelslist.g")
        self.prints("explain", "explain", "SHFL.BFLY PT, R1, R0, 0x1, 0x1c03")
        self.prints("verify", "verify", kernels)
        self.prints("accuracy", "accuracy", LISTING, LISTING.parent / "timing.csv")
        self.prints("trace-info", "trace", "info", TRACE)
        shft = Path(self.folder.name) / "t.shft"
        program("trace", "record", SUITE / "fft_32.sass", "-o", shft)
        self.prints("trace-info", "trace", "info", shft)
        self.prints("version", "--version")

    def test_what_a_failing_command_says_is_as_its_schema_says(self):
        its = jsonschema.Draft202012Validator(schema("errors"))
        code = Path(self.folder.name) / "many.sass"
        code.write_text(" NOPE\n" * 30)
        for arguments in (["run", code], ["run", "/nonexistent"], ["run"], ["list", "x"], []):
            run = program(*arguments, "--format", "json")
            self.assertEqual(run.returncode, 2)
            its.validate(json.loads(run.stderr))

    def test_a_document_with_a_key_missing_too_many_or_of_another_type_is_none(self):
        its, document = self.holds("run", "run", SUITE / "stencil_3.sass")
        for change in (lambda d: d.pop("machine"), lambda d: d.update(more=1),
                       lambda d: d["config"][0].update(value=None),
                       lambda d: d["totals"].update(cycles="12")):
            wrong = json.loads(json.dumps(document))
            change(wrong)
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.Draft202012Validator(its).validate(wrong)

    def test_an_unknown_schema_is_refused_with_the_nearest(self):
        run = program("list", "schemas", "compar")
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.stderr, "no schema 'compar'; did you mean 'compare'?\n")


if __name__ == "__main__":
    unittest.main()
