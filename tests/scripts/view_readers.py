# SPDX-License-Identifier: Apache-2.0
"""Readers of views over time that know their formats alone: Konata's log, trace events, waveforms."""
import json
from collections import Counter


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
