# SPDX-License-Identifier: Apache-2.0
"""Other engines run the files that `shflsim sweep --emit` writes, as far as that is possible here, and
the results are those of a sweep in one process, byte for byte."""
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ["SHFLSIM"]).resolve()
SKIPPED = 77
SHARDS = 3
# The narrower SM has no room for the block: two points are invalid.
SWEEP = ["an input.sass", "--warps", "8", "--vary", "sm.max_warps=4,8", "--vary",
         "shuffle.lanes=8, 32"]
POINTS = 4


class Engines(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="an engine's ")
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)
        (self.folder / "an input.sass").symlink_to(TOP / "traces/scan_inclusive.sass")
        (self.folder / "bin").mkdir()
        self.program = self.folder / "bin/shflsim"
        shutil.copy(BUILT, self.program)
        self.environment = {**os.environ, "SHFLSIM_CONFIGS": str(TOP / "configs"),
                            "PATH": f"{self.program.parent}:{os.environ['PATH']}"}

    def run_in_folder(self, *command, status=0, **environment):
        done = subprocess.run(command, cwd=self.folder, check=False, text=True,
                              env={**self.environment, **environment}, capture_output=True,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, status, f"{command}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def csv(self, database):
        self.run_in_folder(self.program, "results", database, "--csv", f"{database}.csv")
        return (self.folder / f"{database}.csv").read_text(encoding="utf-8")

    def emit(self, engine, *options):
        self.run_in_folder(self.program, "sweep", *SWEEP, "--db", "out.sqlite", "--shards",
                           str(SHARDS), "--emit", engine, "-o", "emitted", *options)
        return (self.folder / "emitted").read_text(encoding="utf-8")

    def assert_is_the_local_result(self):
        self.run_in_folder(self.program, "sweep", *SWEEP, "--db", "local.sqlite", status=1)
        self.assertEqual(self.csv("local.sqlite").count(",invalid\n"), 2)
        self.assertEqual(self.csv("out.sqlite"), self.csv("local.sqlite"))

    def test_commands_are_lines_for_a_shell(self):
        lines = self.emit("commands").splitlines()
        self.assertEqual(len(lines), 1 + SHARDS + 1)
        self.run_in_folder("sh", "emitted")
        self.assert_is_the_local_result()

    def test_shards_of_the_commands_run_beside_one_another_in_any_order(self):
        *shards, merge = self.emit("commands").splitlines()[1:]
        running = [subprocess.Popen(["sh", "-c", shard], env=self.environment,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                   for shard in reversed(shards)]
        for process in running:
            self.assertIn(process.wait(), [0, 1])
        self.run_in_folder("sh", "-c", merge)
        self.assert_is_the_local_result()

    def test_a_snakefile_runs_as_it_is_and_again_for_another_program(self):
        self.emit("snakemake")
        # A cache of the test, so that it also runs for a user without a home.
        snakemake = ["snakemake", "-j2", "-s", "emitted"]
        home = {"HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache")}
        self.assertIn(f"{SHARDS + 2} of {SHARDS + 2} steps (100%) done",
                      self.run_in_folder(*snakemake, **home))
        self.assert_is_the_local_result()
        self.assertIn("Nothing to be done", self.run_in_folder(*snakemake, **home))
        self.program.rename(self.program.with_name("old"))
        self.program.write_text("#!/bin/sh\n[ \"$1\" != --version ] || exec echo another\n"
                                f"exec '{BUILT}' \"$@\"\n", encoding="utf-8")
        self.program.chmod(0o755)
        self.assertIn("Params have changed since last execution",
                      self.run_in_folder(*snakemake, "--dry-run", **home))

    def test_jobs_of_kubernetes_run_in_a_shell_with_its_index(self):
        import yaml
        shards, merge = yaml.safe_load_all(self.emit("kubernetes"))
        self.assertEqual(shards["metadata"]["name"] + "-merge", merge["metadata"]["name"])
        self.assertTrue(merge["spec"]["suspend"])
        self.assertEqual((shards["spec"]["completionMode"], shards["spec"]["completions"]),
                         ("Indexed", SHARDS))
        for index in range(SHARDS):
            self.run_container(shards, JOB_COMPLETION_INDEX=str(index))
        self.run_container(merge)
        self.assert_is_the_local_result()

    def run_container(self, job, **environment):
        container, = job["spec"]["template"]["spec"]["containers"]
        self.assertEqual(container["workingDir"], str(self.folder))
        self.assertEqual(container["volumeMounts"], [{"name": "sweep",
                                                      "mountPath": str(self.folder),
                                                      "subPath": str(self.folder)[1:]}])
        variables = {each["name"]: each["value"] for each in container["env"]}
        self.assertEqual(variables, {"SHFLSIM_CONFIGS": str(TOP / "configs")})
        self.run_in_folder(*container["command"], **variables, **environment)

    def test_what_cannot_be_emitted_is_told_in_a_line(self):
        for options, told in [
                (["--emit", "snakemak"], "--emit 'snakemak'; did you mean 'snakemake'?\n"),
                (["--emit", "commands", "--slurm"], 
                 "--slurm and --emit both given; expected one of them\n"),
                (["--emit", "commands", "--missing"],
                 "--missing without --slurm; expected them together\n"),
                (["--emit", "commands", "--shard", "0/2"],
                 "--shard and --emit both given; expected one of them\n"),
                (["--emit", "commands", "--shards", "5"],
                 "--shards 5; expected 4 at most, as many as there are points\n"),
                (["--emit", "snakemake", "--db", "{a}.sqlite"],
                 f"{self.folder}/{{a}}.sqlite: Snakemake takes no braces in the names of files; "
                 "expected none\n"),
                (["-o", "x"], "--output without --emit; expected --db FILE\n")]:
            self.assertEqual(self.run_in_folder(self.program, "sweep", *SWEEP, *options, status=2),
                             told)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.suffix], [
            "an input.sass"])


if __name__ == "__main__":
    MISSING = [name for name in ["snakemake"] if shutil.which(name) is None]
    MISSING += [name for name in ["yaml"] if importlib.util.find_spec(name) is None]
    if MISSING:
        print("not installed:", *MISSING)
        sys.exit(1 if os.environ.get("CI") == "true" else SKIPPED)
    unittest.main()
