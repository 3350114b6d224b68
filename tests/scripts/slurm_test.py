# SPDX-License-Identifier: Apache-2.0
"""Sweeps submitted to a Slurm of two nodes on loopback, one of which dies during the sweep: the results
are, byte for byte, those of a sweep in one process."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/support"))
from slurm_loopback import Cluster, descendants, missing_programs, wait_for  # noqa: E402

PROGRAM = Path(os.environ["SHFLSIM"]).resolve()
SKIPPED = 77
SHARDS = 8
# 136 points of about 60 ms: a shard takes a second or two.
SWEEP = ["random_gather.sass", "bitonic_sort.sass", "--block", "1024", "--grid", "40", "--vary",
         "shuffle.network=all", "--vary", "shuffle.lanes=4..32 times 2"]
POINTS = 136


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory(prefix="shflsim slurm's %a ")
        cls._state = tempfile.TemporaryDirectory(prefix="slurm")
        cls.folder = Path(cls._folder.name)
        for name in SWEEP[:2]:
            (cls.folder / name).symlink_to(TOP / "traces/suite" / name)
        cls.cluster = Cluster(cls._state.name, most_tasks=65).__enter__()
        cls.plain = {key: value for key, value in os.environ.items() if not
                     key.startswith("SLURM")}
        cls.sweep(cls, "--db", "local.sqlite")
        cls.expected = cls.csv(cls, "local.sqlite")

    @classmethod
    def tearDownClass(cls):
        cls.cluster.__exit__()
        cls._folder.cleanup()
        cls._state.cleanup()
        assert not descendants()

    def tearDown(self):
        self.cluster.clear()

    def sweep(self, *options, status=0, environment=None):
        done = subprocess.run([PROGRAM, "sweep", *SWEEP, *options], cwd=self.folder, text=True,
                              env=environment or self.cluster.environment, check=False,
                              capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode != status:
            raise AssertionError(f"{options}: status {done.returncode}\n{done.stderr}")
        return done.stderr if status == 2 else done.stdout

    def csv(self, database):
        name = str(self.folder / f"{database}.csv")
        subprocess.run([PROGRAM, "results", self.folder / database, "--csv", name], check=True,
                       stdout=subprocess.DEVNULL)
        return Path(name).read_text(encoding="utf-8")

    def submit(self, database, *options):
        """Submits a sweep; returns the array job, the number of its tasks, and the job that merges."""
        text = self.sweep("--slurm", "--shards", str(SHARDS), "--db", database, *options)
        found = re.match(rf"job (\d+): (\d+) of {SHARDS} shards of {POINTS} points\n"
                         r"job (\d+): merges them into .*\n", text)
        self.assertTrue(found, text)
        return found[1], int(found[2]), found[3]

    def hold_in_the_middle(self, *nodes):
        """Stops the processes of these nodes after each node has begun; returns them by node and shard."""
        def begun():
            return all(self.cluster.processes_of(node, PROGRAM.name) for node in nodes)
        wait_for("tasks on each node", begun, pause=0.01)
        time.sleep(0.3)
        held = {node: {} for node in nodes}
        for node in nodes:
            for process in self.cluster.processes_of(node, PROGRAM.name):
                process.send(signal.SIGSTOP)
                shard = int(process.variables["SLURM_ARRAY_TASK_ID"])
                held[node].setdefault(shard, []).append(process)
        self.assertTrue(all(held.values()), held)
        return held

    @staticmethod
    def resume(shards):
        for processes in shards:
            for process in processes:
                process.send(signal.SIGCONT)

    def log_of(self, database, name):
        path = (self.folder / database).with_suffix(".slurm") / f"{name}.log"
        return path.read_text(encoding="utf-8")

    def test_what_a_dead_node_and_the_end_of_its_time_leave_is_submitted_again(self):
        array, tasks, _ = self.submit("lost.sqlite", "--", "--no-requeue", "--time=5")
        self.assertEqual(tasks, SHARDS)
        held = self.hold_in_the_middle("n1", "n2")
        late, processes = min(held["n2"].items())
        job = processes[0].variables["SLURM_JOB_ID"]
        # Slurm checks limits every 30 s, and wakes processes to which it sends TERM.
        self.cluster.call("scontrol", "update", f"JobId={job}", "TimeLimit=1")
        self.cluster.kill_node("n1")
        self.resume([others for shard, others in held["n2"].items() if shard != late])
        self.cluster.wait_for_jobs()
        self.assertRegex(self.log_of("lost.sqlite", f"{array}_{late}"),
                         r"stopped with \d+ of 17 points done")
        self.assertNotEqual(self.csv("lost.sqlite"), self.expected)

        self.cluster.start_node("n1")
        again, tasks, merge = self.submit("lost.sqlite", "--missing", "--", "--time=5")
        self.assertEqual(tasks, len({*held["n1"], late}))
        self.assertIn("nothing else is missing",
                      self.sweep("--slurm", "--shards", str(SHARDS), "--db", "lost.sqlite",
                                 "--missing"))
        self.cluster.wait_for_jobs()
        self.assertIn(f"{POINTS} points: {POINTS} done", self.log_of("lost.sqlite", merge))
        self.assertEqual(self.csv("lost.sqlite"), self.expected)
        self.assertRegex(self.sweep("--slurm", "--shards", str(SHARDS), "--db", "lost.sqlite",
                                    "--missing"),
                         rf"^nothing is missing: {SHARDS} shards have all of the {POINTS} points\n"
                         r"bash '.*merge\.sh' merges them into .*\n$")
        self.assertNotEqual(array, again)

    def test_what_a_dead_node_leaves_is_queued_again_by_slurm_itself(self):
        _, _, merge = self.submit("queued.sqlite")
        self.hold_in_the_middle("n2")
        self.cluster.kill_node("n2")
        self.cluster.start_node("n2")
        self.cluster.wait_for_jobs()
        self.assertIn(f"{POINTS} points: {POINTS} done", self.log_of("queued.sqlite", merge))
        self.assertEqual(self.csv("queued.sqlite"), self.expected)

    def test_scripts_are_clean(self):
        self.submit("scripts.sqlite", "--", "--hold")
        scripts = sorted((self.folder / "scripts.slurm").glob("*.sh"))
        self.assertEqual([path.name for path in scripts], ["merge.sh", "shards.sh"])
        refused = self.sweep("--slurm", "--shards", str(SHARDS), "--db", "scripts.sqlite", status=2)
        self.assertRegex(refused, r"^8 of 8 shards are queued or running; expected --missing, or "
                                  r"scancel --name=shflsim-[0-9a-f]{8} before\n$")
        done = subprocess.run(["shellcheck", *scripts], check=False, text=True,
                              stdout=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_what_slurm_does_not_take_is_told_in_a_line(self):
        for options, told in [
                (["--shards", "66"],
                 "--shards 66; expected 65 at most, this cluster's MaxArraySize\n"),
                (["--shards", "137"], "--shards 137; expected 136 at most, as many as there are "
                                      "points\n"),
                (["--", "--partition=none"],
                 "sbatch: invalid partition specified: none, Batch job submission failed: Invalid "
                 "partition name specified; expected what this cluster takes\n"),
                (["--", "--array=0-3"], "--array=0-3 behind --; expected --shards N\n")]:
            self.assertEqual(self.sweep("--slurm", "--db", "refused.sqlite", *options, status=2),
                             told)
        self.assertEqual(self.sweep("--slurm", status=2,
                                    environment={**self.plain, "PATH": "/nowhere"}),
                         "scontrol: no such program; expected it on the PATH\n")
        self.assertFalse((self.folder / "refused.slurm").exists())


if __name__ == "__main__":
    MISSING = missing_programs(["shellcheck"])
    if MISSING:
        print("not installed:", *MISSING)
        sys.exit(1 if os.environ.get("CI") == "true" else SKIPPED)
    unittest.main()
