# SPDX-License-Identifier: Apache-2.0
"""Views over time, read by the readers of view_readers.py: what they add up to is what the run's
JSON says."""
import csv
import gzip
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from collections import Counter
from pathlib import Path

from view_readers import Kanata, TraceEvents, Waveform

TOP = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["SHFLSIM"]
KERNEL = [TOP / "traces/kernels.sm50.sass", "--kernel", "segments", "--grid", "4", "--block", "256",
          "--arg", "fill:4096:5a", "--arg", "fill:4096:cd", "--arg", "u32:1024"]
SUITE = [TOP / "traces/suite/block_reduce.sass", "--block", "256", "--reg", "Rvalue=hash"]
SM90 = [TOP / "tests/data/volta/c.sm90.cubin.gz", *KERNEL[1:]]
RUNS = {"kernel": KERNEL, "banked": [*KERNEL, "--set", "shuffle.network=banked"], "suite": SUITE,
        "two SMs": [*KERNEL, "--sms", "2", "--set", "mio.queue_depth=2"], "sm_90": SM90,
        "parted lanes": [word if word != "segments" else "divergent_half" for word in SM90]}


# By number in a waveform.
STATES = ["", "drain", "no_instruction", "branch_resolving", "imc_miss",
          "barrier", "membar", "wait",
          "long_scoreboard", "short_scoreboard", "math_pipe_throttle", "mio_throttle",
          "lg_throttle", "dispatch_stall", "not_selected", "selected", "sleeping", "gmma"]


class Views(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_with(self, words, *views, options=()):
        """The run's JSON, and each view's file."""
        files = [self.folder / view.replace(":", ".") for view in views]
        asked = [word for view, file in zip(views, files)
                 for word in ("--view", f"{view.split(':')[0]}:{file}")]
        done = subprocess.run([PROGRAM, "run", *words, *asked, *options, "--quiet", "--format",
                               "json"], check=False, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout), [file.read_bytes() for file in files]

    @staticmethod
    def stalls(result):
        return {row["state"]: row["cycles"] for row in result["states"] if row["cycles"]}

    def test_konata_adds_up(self):
        for name, words in RUNS.items():
            with self.subTest(name):
                result, (log,) = self.run_with(words, "konata")
                log = Kanata(log.decode())
                waits = {stage: cycles for (lane, stage), cycles in log.cycles.items()
                         if lane == "1"}
                waits["selected"] = log.starts["0", "Is"] - result["totals"]["dual_issued"]
                self.assertEqual(waits, self.stalls(result))
                self.assertEqual(log.starts["0", "Is"], result["totals"]["warp_instructions"])
                self.assertTrue(log.arrows)
                self.assertTrue(all(int(consumer) > int(producer)
                                    for consumer, producer in log.arrows))
                self.assertGreaterEqual(log.now, result["totals"]["cycles"])

    def test_konata_has_the_same_ids_on_every_machine(self):
        _, (one,) = self.run_with(RUNS["kernel"], "konata")
        _, (other,) = self.run_with(RUNS["banked"], "konata")
        one, other = Kanata(one.decode()), Kanata(other.decode())
        self.assertEqual(one.retired, other.retired)
        self.assertEqual(one.label, other.label)
        self.assertEqual([retire for retire, _ in one.retired.values()], list(one.retired))
        self.assertEqual(sorted(map(int, one.retired)), list(range(len(one.retired))))

    def test_konata_of_a_window_is_a_part_with_the_same_ids(self):
        _, (whole,) = self.run_with(SUITE, "konata")
        _, (part,) = self.run_with(SUITE, "konata", options=["--window", "2-3,100:200"])
        whole, part = Kanata(whole.decode()), Kanata(part.decode())
        self.assertTrue(part.label.items() <= whole.label.items())
        self.assertTrue(0 < len(part.label) < len(whole.label) / 4)

    def test_konata_of_a_run_that_was_cut_short_flushes_what_has_not_issued(self):
        done = subprocess.run([PROGRAM, "run", *SUITE, "--quiet", "--max-cycles", "100", "--view",
                               f"konata:{self.folder / 'log'}"], check=False, capture_output=True)
        self.assertEqual(done.returncode, 3)
        log = Kanata((self.folder / "log").read_text())
        self.assertIn("1", [kind for _, kind in log.retired.values()])

    def test_files_are_compressed_by_their_names(self):
        _, (plain, packed, zst) = self.run_with(SUITE, "konata", "konata:gz", "konata:zst")
        self.assertEqual(gzip.decompress(packed), plain)
        if shutil.which("zstd") is None:
            self.skipTest("no zstd to read the other file with")
        done = subprocess.run(["zstd", "-dc"], input=zst, check=True, capture_output=True)
        self.assertEqual(done.stdout, plain)

    def test_ncu_is_read_as_a_profile_is(self):
        for name, words in RUNS.items():
            with self.subTest(name):
                result, (text,) = self.run_with(words, "ncu")
                rows = list(csv.DictReader(io.StringIO(text.decode())))
                self.assertEqual(text.decode().split(",")[:3], ["Address", "Source", "# Samples"])
                file = self.folder / "ncu.csv"
                file.write_bytes(text)
                self.assertEqual({row["Kernel Name"] for row in rows}, {result["kernel"]})
                for row, line in zip(rows, result["instructions"], strict=True):
                    self.assertEqual((int(row["Address"], 16), int(row["Instructions Executed"]), row["Source"]),
                                     (int(line["pc"], 16), line["issued"], line["text"]))
                mine = self.folder / "mine.json"
                mine.write_text(json.dumps(result))
                done = subprocess.run([PROGRAM, "diff", mine, file, "--format", "json"], check=True, capture_output=True)
                found = json.loads(done.stdout)
                self.assertEqual((found["profile"]["by_state"], found["profile"]["by_instruction"]), (0, 0))
                self.assertEqual(found["profile"]["samples"], result["totals"]["warp_cycles"])

    def test_the_critical_path_is_as_long_as_the_run(self):
        for name, words in RUNS.items():
            with self.subTest(name):
                result, (text,) = self.run_with(words, "timeline")
                path = text.decode().split("Critical path: ")[1]
                rows = re.findall(r"^ +(\d+) +[\d.]+% +\d+ [0-9a-f]{4} ", path, re.MULTILINE)
                more = re.findall(r"^  (\d+) cycles in", path, re.MULTILINE)
                self.assertEqual(sum(map(int, rows + more)), result["totals"]["cycles"])
                self.assertEqual(int(path.split()[0]), result["totals"]["cycles"])

    @staticmethod
    def passes(result):
        """Passes of the shuffle unit and the banks, and of barriers, which go the banks' way."""
        return sum((line["passes"] or 0) + (line.get("shared_wavefronts") or 0) +
                   (line["issued"] if "BAR.SYNC" in line["text"] else 0)
                   for line in result["instructions"])

    def depth(self, result):
        return next(int(each["value"]) for each in result["config"]
                    if each["key"] == "mio.queue_depth")

    def test_perfetto_adds_up(self):
        for name, words in RUNS.items():
            with self.subTest(name):
                result, (text,) = self.run_with(words, "perfetto")
                trace = TraceEvents(text)
                waits = Counter()
                for track, event in trace.slices:
                    if track.startswith("warp "):
                        waits[event["name"]] += event["dur"]
                issues = trace.count(lambda track: track.endswith(" issue slot"))
                pairs = trace.count(lambda track: track.endswith(" issue, second of a pair"))
                waits["selected"] = issues
                self.assertEqual(+waits, self.stalls(result))
                self.assertEqual(issues + pairs, result["totals"]["warp_instructions"])
                self.assertEqual(pairs, result["totals"]["dual_issued"])
                self.assertEqual(
                    trace.count(lambda track: track.split(" (")[0] in ("shuffle", "shared")),
                    self.passes(result))
                self.assertEqual(trace.other["cycles"], result["totals"]["cycles"])
                self.assertEqual(len(trace.processes), 6 * result["launch"].get("sms", 1))
                self.assertIn("shuffle", trace.processes[min(trace.processes)])
                self.assertTrue(trace.counters)
                for depths in trace.counters.values():
                    self.assertEqual(depths[-1], 0)
                    self.assertLessEqual(max(depths), self.depth(result))

    def test_perfetto_leads_from_each_shuffle_to_the_end_of_a_wait_for_it(self):
        result, (text,) = self.run_with(KERNEL, "perfetto")
        trace = TraceEvents(text)
        at = {(track, event["ts"]): event for track, event in trace.slices}
        ends = {(track, event["ts"] + event["dur"] - 1): event for track, event in trace.slices}
        self.assertGreater(len(trace.arrows), 0)
        shuffles = {line["pc"][2:] for line in result["instructions"] if line["text"].startswith("SHFL")}
        for arrow in trace.arrows.values():
            served, wait = at[arrow["s"]], ends[arrow["f"]]
            self.assertTrue(arrow["s"][0].startswith("shuffle"))
            self.assertEqual(wait["name"], "short_scoreboard")
            self.assertIn(wait["args"]["for"], shuffles)
            self.assertEqual((wait["args"]["for_warp"], wait["args"]["for_number"]),
                             (served["args"]["warp"], served["args"]["number"]))

    def test_perfetto_has_each_pass_on_the_ports_that_carry_it(self):
        words = [*KERNEL, "--set", "shuffle.network=banked"]
        _, (text,) = self.run_with(words, "perfetto")
        trace = TraceEvents(text)
        carried = Counter(track.split(" port ")[1][4:] for track, _ in trace.slices
                          if " port " in track)
        done = subprocess.run([PROGRAM, "compare", *KERNEL, "--network", "banked", "--ports",
                               "--format", "json"], check=True, capture_output=True)
        ports = json.loads(done.stdout)["points"][0]["ports"]
        self.assertEqual(carried, {each["port"]: each["passes"] for each in ports
                                   if each["passes"]})

    def test_a_page_has_each_pass_over_time_on_the_ports_that_carry_it(self):
        for network in ("banked", "butterfly", "benes"):
            with self.subTest(network):
                _, (page,) = self.run_with([*KERNEL, "--set", f"shuffle.network={network}",
                                            "--set", "shuffle.lanes=8"], "html")
                data = json.loads(re.search('id="data">(.*?)</script>', page.decode())[1])
                carried = {each["port"]: sum(each["passes"])
                           for each in data["ports_over_time"]["ports"]}
                done = subprocess.run([PROGRAM, "compare", *KERNEL, "--network", network, "--ports",
                                       "--format", "json"], check=True, capture_output=True)
                ports = json.loads(done.stdout)["points"][0]["ports"]
                self.assertEqual(carried, {each["port"]: each["passes"] for each in ports
                                           if each["passes"]})

    def test_vcd_adds_up(self):
        for name, words in RUNS.items():
            with self.subTest(name):
                result, (text,) = self.run_with(words, "vcd")
                waves = Waveform(text.decode())
                states, issues, pairs, passes = Counter(), 0, 0, 0
                for signal, held in waves.held.items():
                    if signal.endswith(".state"):
                        states.update({STATES[value]: count for value, count in held.items()
                                       if value})
                    issues += held[1] if signal.endswith(".issue.valid") else 0
                    pairs += held[1] if signal.endswith(".pair.valid") else 0
                    if signal.endswith(".pass"):
                        passes += sum(count for value, count in held.items() if value)
                    if signal.endswith(".mio_queue_depth"):
                        self.assertLessEqual(max(held), self.depth(result))
                self.assertEqual(states, self.stalls(result))
                self.assertEqual(issues + pairs, result["totals"]["warp_instructions"])
                self.assertEqual(pairs, result["totals"]["dual_issued"])
                self.assertEqual(passes, self.passes(result))

    def test_vcd_of_a_window_has_its_cycles_alone(self):
        _, (text,) = self.run_with(SUITE, "vcd", options=["--window", "100:150"])
        waves = Waveform(text.decode())
        for signal, held in waves.held.items():
            if signal.endswith(".state"):
                self.assertLessEqual(sum(count for value, count in held.items() if value), 50)
        self.assertIn("\n#100\n", text.decode())

    def test_counters_of_a_launch_are_the_totals_under_other_names(self):
        stalled = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
        for name, words in RUNS.items():
            with self.subTest(name):
                result, (text,) = self.run_with(words, "ncu_launch")
                rows = list(csv.DictReader(io.StringIO(text.decode())))
                counters = {row["Metric Name"]: float(row["Metric Value"]) for row in rows}
                self.assertEqual({row["Kernel Name"] for row in rows}, {result["kernel"]})
                self.assertEqual(counters["sm__cycles_active.max"], result["totals"]["cycles"])
                self.assertEqual(counters["smsp__inst_executed.sum"], result["totals"]["warp_instructions"])
                self.assertEqual(counters["smsp__warps_active.sum"], result["totals"]["warp_cycles"])
                self.assertEqual(counters["dram__bytes_read.sum"], result["totals"].get("dram_bytes") or 0)
                for state in result["states"]:
                    ratio = state["cycles"] / result["totals"]["warp_instructions"]
                    self.assertAlmostEqual(counters[stalled.format(state["state"])], ratio, delta=1e-4 * ratio)

    def test_views_are_the_same_each_time(self):
        kinds = ["konata", "perfetto", "vcd", "timeline", "ncu", "ncu_launch"]
        _, one = self.run_with(KERNEL, *kinds)
        _, other = self.run_with(KERNEL, *kinds)
        self.assertEqual(one, other)


if __name__ == "__main__":
    unittest.main()
