#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sweep and results commands as a user calls them: a stopped sweep loses nothing, and every number
equals the one that `shflsim run` gives. SHFLSIM names the program."""
import csv
import io
import json
import os
import random
import shlex
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SHFLSIM", str(TOP / "build/release/shflsim"))
SUITE = TOP / "traces/suite"
# 18 kernels, 2 machines, 4 networks, 3 widths, 2 policies: 864 points.
GRID = """[sweep]
input  = {suite}/*.sass
config = gm107, gh100
[axis]
shuffle.network = crossbar, banked, ring, half_inputs
shuffle.lanes = 8..32 times 2
scheduler.policy = greedy_then_oldest, loose_round_robin
[exclude]
1 = shuffle.network = half_inputs and shuffle.lanes = 8
"""
LONG = [str(TOP / "bench/inputs/mix.sass"), "--warps", "32"]


class Sweep(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "grid.ini").write_text(GRID.format(suite=SUITE))

    def call(self, *arguments, status=0, **options):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                              capture_output=True, check=False, **options)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def start(self, *arguments):
        return subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def points(self, database):
        text = self.call("results", database, "--csv", "-").stdout
        return list(csv.DictReader(io.StringIO(text)))

    def csv_of(self, database):
        return self.call("results", database, "--csv", "-").stdout

    def query(self, database, text):
        with sqlite3.connect(self.folder / database) as connection:
            return connection.execute(text).fetchall()

    def wait_for_results(self, database, count):
        """Waits until the sweep has kept `count` results."""
        end = time.time() + 30
        while time.time() < end:
            try:
                if self.query(database, "SELECT count(*) FROM results")[0][0] >= count:
                    return
            except sqlite3.OperationalError:  # not there yet
                pass
            time.sleep(0.002)
        self.fail("the sweep keeps nothing")


class Numbers(Sweep):
    def test_sixty_points_are_what_run_gives(self):
        self.call("sweep", "grid.ini", "-j", 2)
        rows = self.query("grid.sqlite", "SELECT point, command FROM points")
        metrics = self.points("grid.sqlite")
        self.assertEqual(len(rows), 18 * 2 * 11 * 2)
        for number, command in random.Random(5).sample(rows, 60):
            words = shlex.split(command)
            run = json.loads(self.call(*words[1:], "--format", "json").stdout)
            for key, value in run["totals"].items():
                kept = metrics[number][key]
                self.assertEqual(float(kept) if kept else None, value, f"{command}: {key}")
            for state in run["states"]:
                self.assertEqual(int(metrics[number][f"stall_{state['state']}"]), state["cycles"])

    def test_a_region_of_later_code_is_named_by_its_kernel(self):
        listing = TOP / "tests/data/h200/bench.sm90.cuobjdump.txt.gz"
        self.call("sweep", listing, "--region", "clock", "--kernel", "mix_shfl_ffma_1_1", "--vary",
                  "shuffle.latency=20,24")
        for (command,), row in zip(self.query("sweep.sqlite", "SELECT command FROM points"),
                                   self.points("sweep.sqlite")):
            run = json.loads(self.call(*shlex.split(command)[1:], "--format", "json").stdout)
            self.assertEqual(run["totals"]["cycles"], int(row["cycles"]))

    def test_hardware_and_energy_are_what_compare_gives(self):
        vary = "shuffle.network=crossbar,ring,butterfly"
        self.call("sweep", SUITE / "fft_32.sass", "--vary", vary)
        compared = json.loads(self.call("compare", SUITE / "fft_32.sass", "--network",
                                        vary.split("=")[1], "--format", "json").stdout)
        for row, design in zip(self.points("sweep.sqlite"), compared["designs"]):
            for key in ("cycles", "passes", "energy_nj", "pass_energy_pj", "mux2", "switches",
                        "wire_length", "configuration_bits", "units"):
                self.assertAlmostEqual(float(row[key]), design[key], 9, key)

    def test_each_input_has_the_hardware_of_its_own_machine(self):
        inputs = [SUITE / "fft_32.sass", TOP / "tests/data/accel_sim/version5.traceg"]
        self.call("sweep", *inputs, "--vary", "shuffle.latency=24", "-j", 1)
        rows = self.points("sweep.sqlite")
        self.assertEqual(len({row["config"] for row in rows}), 2)
        for row, path in zip(rows, inputs):
            compared = json.loads(self.call("compare", path, "--set", "shuffle.latency=24",
                                            "--format", "json").stdout)
            for key in ("cycles", "units", "mux2", "pass_energy_pj"):
                self.assertAlmostEqual(float(row[key]), compared["designs"][0][key], 9, key)

    def test_jobs_make_no_difference(self):
        for jobs in (1, 2, 5):
            self.call("sweep", "grid.ini", "-j", jobs, "--db", f"{jobs}.sqlite")
        self.assertEqual(self.csv_of("1.sqlite"), self.csv_of("2.sqlite"))
        self.assertEqual(self.csv_of("1.sqlite"), self.csv_of("5.sqlite"))

    def test_rows_are_those_of_run(self):
        kernel = SUITE / "scan_inclusive.sass"
        self.call("sweep", kernel, "--vary", "shuffle.lanes=8,32", "--keep", "cycles,rows")
        run = json.loads(self.call("run", kernel, "--set", "shuffle.lanes=32", "--format",
                                   "json").stdout)
        rows = self.query("sweep.sqlite", "SELECT row FROM rows JOIN results USING (result) JOIN "
                          "points USING (fingerprint) WHERE point = 1 ORDER BY number")
        self.assertEqual([json.loads(row) for (row,) in rows], run["instructions"])

    def test_an_overlay_is_put_over_the_machine_in_front_of_it(self):
        (self.folder / "half.cfg").write_text("[shuffle]\nlanes = 16  # assumed: half\n")
        self.call("sweep", SUITE / "fft_32.sass", "--config", "gm107", "--config", "half.cfg",
                  "--config", "gh100", "--vary", "shuffle.latency=20")
        rows = self.points("sweep.sqlite")
        self.assertEqual([row["config"] for row in rows], ["gm107+half.cfg", "gh100"])
        run = self.call("run", SUITE / "fft_32.sass", "--set", "shuffle.lanes=16", "--set",
                        "shuffle.latency=20", "--format", "json").stdout
        self.assertEqual(int(rows[0]["cycles"]), json.loads(run)["totals"]["cycles"])

    def test_lists_of_traces_and_launch_files_are_taken_launch_by_launch(self):
        self.call("sweep", TOP / "tests/data/accel_sim/kernelslist.g", TOP / "traces/launches.ini",
                  "--vary", "shuffle.lanes=8,32", "--config", "gm107", "--keep", "cycles")
        rows = self.points("sweep.sqlite")
        kernels = len(json.loads(self.call("run", TOP / "tests/data/accel_sim/kernelslist.g",
                                           "--format", "json").stdout)["launches"])
        launches = self.call("run", "--launch", TOP / "traces/launches.ini").stdout
        cycles = [row["cycles"] for row in rows[2 * kernels + 1::2]]
        self.assertEqual(len(cycles), launches.count("launch 1 of") + launches.count("launch 2 of"))
        for each in cycles:
            self.assertIn(f"{each} cycles", launches.replace(",", ""))


class Stopping(Sweep):
    def test_a_sweep_that_is_killed_goes_on_where_it_was(self):
        self.call("sweep", "grid.ini", "--db", "whole.sqlite")
        chance = random.Random(7)
        for kept in sorted(chance.sample(range(20, 700), 5)):
            sweep = self.start("sweep", "grid.ini", "--db", "killed.sqlite")
            self.wait_for_results("killed.sqlite", kept)
            sweep.kill()
            sweep.communicate()
        before = self.query("killed.sqlite", "SELECT result, finished FROM results")
        self.call("sweep", "grid.ini", "--db", "killed.sqlite")
        after = self.query("killed.sqlite", "SELECT result, finished FROM results")
        self.assertLess(set(before), set(after))
        self.assertEqual(self.csv_of("killed.sqlite"), self.csv_of("whole.sqlite"))

    def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(self):
        sweep = self.start("sweep", "grid.ini", "-j", 1)
        self.wait_for_results("grid.sqlite", 30)
        sweep.send_signal(signal.SIGINT)
        said = sweep.communicate()[1]
        self.assertEqual(sweep.returncode, -signal.SIGINT)
        self.assertRegex(said, r"^stopped with \d+ of 792 points done, which grid.sqlite keeps; "
                               r"the same command runs the rest\n$")
        done = int(said.split()[2])
        self.assertEqual(self.query("grid.sqlite", "SELECT count(*) FROM results"), [(done,)])

    def test_points_that_take_too_long_are_recorded_and_the_rest_goes_on(self):
        (self.folder / "short.sass").write_text("MOV R0, R1;\nEXIT;\n")
        done = self.call("sweep", *LONG, "short.sass", "--reg", "R0=4000", "--reg", "R1=1", "--vary",
                         "shuffle.lanes=8,16", "--seconds", "0.2", status=1)
        self.assertIn("4 points: 2 done, 2 timeout\n", done.stdout)
        self.assertIn("timeout: took longer than 0.2 s\n  shflsim run ", done.stdout)

    def test_a_point_that_needs_too_much_memory_is_recorded(self):
        done = self.call("sweep", *LONG, "--reg", "R0=4000", "--vary", "shuffle.lanes=8",
                         "--memory", 16, status=1)
        self.assertIn("1 point: 1 out_of_memory\n", done.stdout)

    def test_a_point_whose_process_dies_is_recorded_and_retried_when_asked(self):
        call = ["sweep", *LONG, "--reg", "R0=3000", "--vary", "shuffle.lanes=16,32", "-j", 1]
        sweep = self.start(*call)
        children = Path(f"/proc/{sweep.pid}/task/{sweep.pid}/children")
        while not children.read_text():
            time.sleep(0.01)
        os.kill(int(children.read_text().split()[0]), signal.SIGSEGV)
        said = sweep.communicate()[0]
        self.assertEqual(sweep.returncode, 1)
        self.assertIn("2 points: 1 crashed, 1 done\n", said)
        self.assertIn("crashed: its process was killed by signal 11\n", said)
        self.assertIn("1 crashed", self.call(*call, status=1).stdout)
        self.assertIn("2 points: 2 done\n", self.call(*call, "--retry").stdout)

    def test_values_that_do_not_go_together_fail_alone(self):
        done = self.call("sweep", SUITE / "fft_32.sass", "--vary", "shuffle.cluster=1,4", "--vary",
                         "shuffle.shares_pipe=0,1", "--config", "gm107", status=1)
        self.assertRegex(done.stdout, r"4 points: \d done, \d invalid\n")
        self.assertIn("do not go together; expected", done.stdout)


class Rerunning(Sweep):
    def results(self):
        return set(self.query("s.sqlite", "SELECT result, fingerprint FROM results"))

    def sweep(self, *more):
        self.call("sweep", "a.sass", "b.sass", "--config", "m.cfg", "--vary",
                  "shuffle.lanes=8,16", "--db", "s.sqlite", *more)
        return self.results()

    def setUp(self):
        super().setUp()
        shutil.copy(SUITE / "scan_inclusive.sass", self.folder / "a.sass")
        shutil.copy(SUITE / "scan_reverse.sass", self.folder / "b.sass")
        shutil.copy(TOP / "configs/gm107.cfg", self.folder / "m.cfg")
        self.first = self.sweep()

    def test_does_nothing_where_nothing_is_missing(self):
        self.assertEqual(len(self.first), 4)
        self.assertEqual(self.sweep(), self.first)

    def test_runs_the_points_of_a_changed_input(self):
        with open(self.folder / "b.sass", "a") as file:
            file.write("// changed\n")
        self.assertEqual(len(self.sweep() - self.first), 2)

    def test_runs_the_points_of_a_changed_config(self):
        text = (self.folder / "m.cfg").read_text()
        (self.folder / "m.cfg").write_text(text.replace("latency = ", "latency = 0", 1)
                                           if "latency = 0" not in text else text)
        (self.folder / "m.cfg").write_text(text + "\n[barrier]\n")
        self.assertEqual(self.sweep(), self.first)  # its output is the same
        self.assertEqual(len(self.sweep("--set", "shuffle.latency=30") - self.first), 4)

    def test_runs_new_values_alone(self):
        self.assertEqual(len(self.sweep("--vary", "sm.max_warps=32") - self.first), 4)
        self.call("sweep", "a.sass", "b.sass", "--config", "m.cfg", "--vary",
                  "shuffle.lanes=8,16,32", "--db", "s.sqlite")
        self.assertEqual(len(self.results() - self.first), 6)


class Refusals(Sweep):
    def refused(self, *arguments, **options):
        done = self.call(*arguments, status=2, **options)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_a_sweep_is_looked_at_whole_before_anything_runs(self):
        for what, instead, said in (
                ("{suite}/*.sass", "{suite}/scan_inclusve.sass", "did you mean '"),
                ("{suite}/*.sass", "{suite}/none_*.sass", "grid.ini:2:10: no file '"),
                ("gm107, gh100", "gm107, gh10", "grid.ini:3:17: no config 'gh10'"),
                ("gm107, gh100", "gm107+none.cfg", "none.cfg"),
                ("[axis]", "[axs]", "unknown section [axs]; did you mean 'axis'?"),
                ("lanes = 8 and", "lanes = 8", "grid.ini:9:5: "),
                ("network = half_inputs and shuffle.lanes", "network = half_inputs and lanes",
                 "grid.ini:9:5: unknown key 'lanes'"),
                ("= shuffle.network = half_inputs and shuffle.lanes = 8", "= kernel = *",
                 "grid.ini: has no point left")):
            if what not in GRID:
                continue
            text = GRID.replace(what, instead).format(suite=SUITE)
            (self.folder / "grid.ini").write_text(text)
            self.assertIn(said, self.refused("sweep", "grid.ini"))
            self.assertFalse((self.folder / "grid.sqlite").exists())

    def test_a_database_is_a_file(self):
        self.assertIn("--db -; expected a file", self.refused("sweep", "grid.ini", "--db", "-"))
        self.assertIn("none.ini: no such file", self.refused("sweep", "none.ini"))

    def test_a_page_needs_a_sweep_that_runs_here(self):
        for more in (["--dry-run"], ["--emit", "snakemake"]):
            self.assertIn("--html with ", self.refused("sweep", "grid.ini", "--html", "x.html", *more))
            self.assertFalse((self.folder / "x.html").exists())

    def test_what_is_no_sweep_file_needs_something_to_vary(self):
        self.assertIn("is no sweep file; expected one that begins with [sweep], or --vary",
                      self.refused("sweep", SUITE / "fft_32.sass"))

    def test_an_input_that_vanishes_half_way_loses_nothing(self):
        (self.folder / "z.sass").write_text("MOV R0, R1;\nEXIT;\n")
        call = [*LONG, "z.sass", "--reg", "R0=4000", "--reg", "R1=1", "--vary", "shuffle.lanes=8",
                "-j", 1]
        sweep = self.start("sweep", *call)
        self.wait_for_results("sweep.sqlite", 0)
        (self.folder / "z.sass").unlink()
        said = sweep.communicate()[1]
        self.assertEqual(sweep.returncode, 2, said)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertIn("z.sass: ", said)
        self.assertEqual([row["state"] for row in self.points("sweep.sqlite")],
                         ["done", "missing"])

    def test_a_database_that_another_program_holds_is_waited_for_and_then_refused(self):
        self.call("sweep", SUITE / "fft_32.sass", "--vary", "shuffle.lanes=8")
        holder = sqlite3.connect(self.folder / "sweep.sqlite")
        holder.execute("BEGIN EXCLUSIVE")
        said = self.refused("sweep", SUITE / "fft_32.sass", "--vary", "shuffle.lanes=16")
        holder.rollback()
        self.assertIn("sweep.sqlite: database is locked; expected that no other program", said)
        self.assertEqual(len(self.points("sweep.sqlite")), 1)

    def test_a_full_disk_loses_nothing(self):
        call = ["sweep", "grid.ini", "--db", "full.sqlite"]
        said = self.refused(*call, preexec_fn=lambda: limit_files(600 << 10))
        self.assertIn("full.sqlite: ", said)
        self.assertIn("expected room on the disk", said)
        kept = self.query("full.sqlite", "SELECT count(*) FROM results")[0][0]
        self.assertGreater(kept, 0)
        self.call(*call)
        self.assertEqual(self.query("full.sqlite", "SELECT count(*) FROM grid WHERE state = 'done'"),
                         [(792,)])

    def test_a_file_that_cannot_be_written_is_refused(self):
        for name in ("no/such.sqlite", "."):
            self.assertIn("expected a file in a writable folder",
                          self.refused("sweep", "grid.ini", "--db", name))
        (self.folder / "text").write_text("no database" * 100)
        self.assertIn("expected a file of results", self.refused("sweep", "grid.ini", "--db",
                                                                "text"))
        self.assertEqual((self.folder / "text").read_text(), "no database" * 100)

    def test_results_refuses_what_it_cannot_show(self):
        self.call("sweep", SUITE / "fft_32.sass", "--vary", "shuffle.lanes=8")
        for options, said in ((["--best", "cycle"], "--best: no metric 'cycle'; did you mean"),
                              (["--where", "lanes = 8"], "--where: unknown key 'lanes'"),
                              (["--best", "cycles", "--pareto", "cycles,mux2"], "both given"),
                              (["-o", "x"], "--output without --merge"),
                              (["--merge"], "--merge without --output")):
            self.assertIn(said, self.refused("results", "sweep.sqlite", *options))


class Said(Sweep):
    def test_an_axis_that_changed_nothing_is_named(self):
        done = self.call("sweep", SUITE / "fft_32.sass", "--vary", "shuffle.lanes=8,16", "--vary",
                         "shuffle.ring.ways=1,2")
        self.assertIn("shuffle.ring.ways changed nothing on any point\n", done.stdout)
        self.assertNotIn("shuffle.lanes changed", done.stdout)

    def test_results_shows_the_first_rows_and_says_how_many_there_are(self):
        self.call("sweep", SUITE / "fft_32.sass", "--vary", "shuffle.latency=11..40")
        text = self.call("results", "sweep.sqlite").stdout
        self.assertEqual(len(text.splitlines()), 1 + 1 + 1 + 20 + 1)
        self.assertTrue(text.endswith("and 10 more; --top 30 shows them\n"))
        self.assertNotIn("more", self.call("results", "sweep.sqlite", "--top", 30).stdout)

    def test_a_sweep_writes_the_page_that_results_writes(self):
        self.call("sweep", SUITE / "fft_32.sass", "--vary", "shuffle.lanes=8,16", "--html", "a.html")
        self.call("results", "sweep.sqlite", "--html", "b.html")
        page = (self.folder / "a.html").read_text()
        self.assertEqual(page, (self.folder / "b.html").read_text())
        self.assertIn('"shflsim-results/1"', page)

    def test_a_dry_run_counts_and_keeps_nothing(self):
        done = self.call("sweep", "grid.ini", "--dry-run")
        self.assertIn("792 points, the first of which are\n", done.stdout)
        self.assertRegex(done.stderr, r"about [\d.]+ s with \d+ jobs: \d+ points took")
        self.assertEqual(os.listdir(self.folder), ["grid.ini"])

    def test_shards_are_merged_to_the_same_file(self):
        self.call("sweep", "grid.ini")
        csv_text = self.csv_of("grid.sqlite")
        self.call("results", "--merge", "grid.sqlite", "grid.sqlite", "-o", "again.sqlite")
        self.assertEqual(self.csv_of("again.sqlite"), csv_text)


def limit_files(size):
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


if __name__ == "__main__":
    unittest.main()
