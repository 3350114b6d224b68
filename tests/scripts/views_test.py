# SPDX-License-Identifier: Apache-2.0
"""Views over time, read by readers that know their formats alone: what they add up to is what the
run's JSON says."""
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

TOP = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["SHFLSIM"]
KERNEL = [TOP / "traces/kernels.sm50.sass", "--kernel", "segments", "--grid", "4", "--block", "256",
          "--arg", "fill:4096:5a", "--arg", "fill:4096:cd", "--arg", "u32:1024"]
SUITE = [TOP / "traces/suite/block_reduce.sass", "--block", "256", "--reg", "Rvalue=hash"]
SM90 = [TOP / "tests/data/volta/c.sm90.cubin.gz", *KERNEL[1:]]
RUNS = {"kernel": KERNEL, "banked": [*KERNEL, "--set", "shuffle.network=banked"], "suite": SUITE,
        "two SMs": [*KERNEL, "--sms", "2", "--set", "mio.queue_depth=2"], "sm_90": SM90,
        "parted lanes": [word if word != "segments" else "divergent_half" for word in SM90]}


class Kanata:
    """The documented grammar of log version 0004, nothing else."""

    FIELDS = {"C=": 1, "C": 1, "I": 3, "L": 3, "S": 3, "E": 3, "R": 3, "W": 3}

    def __init__(self, text):
        lines = text.split("\n")
        assert lines[0] == "Kanata\t0004" and lines[-1] == "", "head and end"
        self.now = 0
        self.open = {}  # instructions that are not over, each with its lanes' stages
        self.cycles = Counter()  # by lane and stage
        self.starts = Counter()
        self.retired = {}  # id -> retire id, type
        self.label = {}
        self.arrows = []
        self.passes = 0
        for line in lines[1:-1]:
            command, *fields = line.split("\t")
            assert len(fields) == self.FIELDS[command], line
            getattr(self, "_" + {"C=": "start", "C": "advance"}.get(command, command))(*fields)
        assert not self.open, "all are over"

    def _start(self, cycle):
        self.now = int(cycle)

    def _advance(self, cycles):
        assert int(cycles) > 0
        self.now += int(cycles)

    def _I(self, its, number, thread):
        assert its not in self.label and int(number) >= 0 and int(thread) >= 0
        self.open[its] = {}
        self.label[its] = ""

    def _L(self, its, kind, text):
        assert its in self.open and kind in ("0", "1", "2")
        if kind == "0":
            self.label[its] += text
        if kind == "2":
            assert "0" in self.open[its], "a text of a stage has one"
            self.passes += int(text.removeprefix("passes: "))

    def _S(self, its, lane, stage):
        if lane in self.open[its]:
            self._close(its, lane)
        self.open[its][lane] = (stage, self.now)
        self.starts[lane, stage] += 1

    def _E(self, its, lane, stage):
        assert self.open[its][lane][0] == stage and self.now > 0
        self._close(its, lane)

    def _R(self, its, retire, kind):
        assert kind in ("0", "1") and its not in self.retired
        for lane in list(self.open[its]):
            self._close(its, lane)
        del self.open[its]
        self.retired[its] = (retire, kind)

    def _W(self, consumer, producer, kind):
        assert consumer in self.open and producer in self.label and kind == "0"
        self.arrows.append((consumer, producer))

    def _close(self, its, lane):
        stage, since = self.open[its].pop(lane)
        self.cycles[lane, stage] += self.now - since


class TraceEvents:
    """Slices and counters of a file of trace events, checked as a viewer needs them."""

    def __init__(self, text):
        whole = json.loads(text)
        self.other = whole["otherData"]
        self.names = {}
        self.processes = {}
        self.slices = []  # track's name, event
        self.counters = {}
        self.arrows = {}  # moments on tracks, by id
        ends = {}
        for event in sorted(whole["traceEvents"], key=lambda each: each.get("ts", -1)):
            process, track = event["pid"], event["tid"]
            if event["ph"] == "M":
                self._name(event)
            elif event["ph"] == "X":
                assert event["dur"] > 0 and ends.get(track, 0) <= event["ts"], "one at a time"
                ends[track] = event["ts"] + event["dur"]
                assert self.names[track][0] == process, "a track has one process"
                self.slices.append((self.names[track][1], event))
            elif event["ph"] in "sf":
                self.arrows.setdefault(event["id"], {})[event["ph"]] = (self.names[track][1], event["ts"])
            else:
                assert event["ph"] == "C" and event["args"]["used"] >= 0
                self.counters.setdefault((process, event["name"]), []).append(event["args"]["used"])

    def _name(self, event):
        if event["name"] == "process_name":
            self.processes[event["pid"]] = event["args"]["name"]
        if event["name"] == "thread_name":
            assert event["tid"] not in self.names
            self.names[event["tid"]] = (event["pid"], event["args"]["name"])

    def count(self, is_wanted):
        return sum(is_wanted(name) for name, _ in self.slices)


class Waveform:
    """A value change dump: by signal, for how many cycles it had which value."""

    def __init__(self, text):
        assert "$date" not in text
        self.held = {}
        names, scopes, values, since = {}, [], {}, {}
        now = 0
        head, body = text.split("$enddefinitions", 1)
        for line in head.splitlines():
            words = line.split()
            if words[:1] == ["$scope"]:
                scopes.append(words[2])
            elif words[:1] == ["$upscope"]:
                scopes.pop()
            elif words[:1] == ["$var"]:
                names[words[3]] = ".".join(scopes[1:] + [words[4]])
        for line in body.splitlines():
            if line.startswith("#"):
                now = int(line[1:])
            elif line[:1] in ("b", "0", "1"):
                code = line.split()[1] if line[0] == "b" else line[1:].strip()
                self._hold(names[code], values.get(code), now - since.get(code, 0))
                values[code] = int(line.split()[0][1:] if line[0] == "b" else line[0], 2)
                since[code] = now
        self.end = now
        for code, value in values.items():
            self._hold(names[code], value, now - since[code])

    def _hold(self, name, value, cycles):
        if value is not None and cycles:
            self.held.setdefault(name, Counter())[value] += cycles


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
