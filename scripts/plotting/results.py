# SPDX-License-Identifier: Apache-2.0
"""Reads the points of a sweep from its file of results."""
import difflib
import fnmatch
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

SCHEMA = "shflsim-results/1"
# Units as in `shflsim list stats`; tests/scripts/plot_test.py compares them.
UNITS = {
    "cycles": "cycles", "warp_instructions": "warp instructions",
    "dual_issued": "warp instructions", "ipc": "warp instructions per cycle",
    "issue_active": "fraction", "warp_cycles": "warp-cycles", "cycles_per_issue": "cycles",
    "register_conflicts": "cycles", "passes": "passes", "port_conflicts": "lanes",
    "undefined_reads": "lanes", "shared_wavefronts": "wavefronts",
    "shared_conflicts": "wavefronts", "shuffles": "warp instructions", "energy_nj": "nJ",
    "shfl_energy_pj": "pJ", "shfl_queue_wait": "cycles", "shfl_stalls": "warp-cycles",
    "shfl_path_share": "fraction",
    "stall_cycles": "warp-cycles", "pass_energy_pj": "pJ", "units": "units",
    "mux2": "multiplexers", "switches": "switches", "mux_levels": "multiplexers",
    "wire_tracks": "wires", "wire_length": "lane pitches", "configuration_bits": "bits",
    "result_registers": "bits", "state_registers": "bits", "lane_enables": "bits",
    "pipeline_registers": "bits", "queue_registers": "bits", "control_registers": "bits",
    "cells_to_crossbar": "crossbars", "channel_to_crossbar": "crossbars",
    "delay_to_crossbar": "crossbars", "cell_area": "um2", "register_area": "um2",
    "channel_area": "um2", "set_up_energy": "fJ", "path_length": "lane pitches",
    "logic_delay": "ps", "logic_synthesised": "0 or 1", "wire_delay": "ps", "stages": "cycles",
    "global_wavefronts": "wavefronts", "global_sectors": "sectors", "l1_hits": "sectors",
    "l1_misses": "sectors", "l2_bytes": "bytes", "dram_bytes": "bytes", "dram_written": "bytes",
    "shfl_latency_mean": "cycles", "shfl_latency_p95": "cycles",
    "latency": "cycles", "latency_least": "cycles", "latency_most": "cycles",
}
STATES = [f"stall_{state}" for state in (
    "selected", "not_selected", "wait", "long_scoreboard", "short_scoreboard", "mio_throttle",
    "math_pipe_throttle", "barrier", "no_instruction", "drain", "lg_throttle", "dispatch_stall",
    "membar", "branch_resolving", "imc_miss", "sleeping", "gmma")]
UNITS.update({"energy_pj": "picojoules", "energy_joules": "J", "idle_joules": "J"})
UNITS.update({state: "warp-cycles" for state in STATES})


class Wrong(Exception):
    """An error in the user's input; its text is the line to print."""


def nearest(name, known):
    close = difflib.get_close_matches(name, known, 1)
    return f"did you mean '{close[0]}'?" if close else "known: " + ", ".join(known)


def number_in(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def clause_of(text, known):
    """One comparison of --where, as a function of a point."""
    parts = re.fullmatch(r"\s*([^!<>=]+?)\s*(!=|<=|>=|=|<|>)\s*(.+?)\s*", text)
    if not parts:
        raise Wrong(f"--where '{text}' is no condition; expected KEY = VALUE, with !=, <, <=, > or "
                    ">= too, joined by 'and' and 'or'")
    key, relation, wanted = parts.groups()
    if key not in known:
        raise Wrong(f"--where: unknown key '{key}'; {nearest(key, known)}")
    number = number_in(wanted)
    if relation not in ("=", "!=") and number is None:
        raise Wrong(f"--where: '{wanted}' is no number; expected one behind {relation}")

    def holds(point):
        value = number_in(point[key])
        if value is not None and number is not None:
            return {"=": value == number, "!=": value != number, "<": value < number,
                    "<=": value <= number, ">": value > number, ">=": value >= number}[relation]
        if point[key] is None or relation not in ("=", "!="):
            return False
        return fnmatch.fnmatchcase(str(point[key]), wanted) == (relation == "=")

    return key, holds


def condition_of(text, known):
    """--where, in the syntax of a sweep's [exclude]: its keys, and the condition as a function."""
    clauses = [[clause_of(each, known) for each in alternative.split(" and ")]
               for alternative in text.split(" or ")] if text else [[]]
    return ({key for each in clauses for key, _ in each},
            lambda point: any(all(holds(point) for _, holds in each) for each in clauses))


class Results:
    """A file of results: its keys (kernel, config and the axes), metrics and points."""

    def __init__(self, path):
        self.path = path
        self.notes = []
        if not Path(path).is_file():
            raise Wrong(f"{path}: no such file; expected what `shflsim sweep` wrote with --db")
        facts = dict(self._rows("SELECT key, value FROM sweep"))
        if facts.get("schema") != SCHEMA:
            raise Wrong(f"{path}: is no file of results of this version; expected {SCHEMA}")
        if "axes" not in facts:
            raise Wrong(f"{path}: holds no points; expected a sweep that has run")
        self.axes = json.loads(facts["axes"])
        self.metrics = json.loads(facts["metrics"])
        self.keys = ["kernel", "config", *self.axes]

    def _rows(self, query):
        """Reads without creating files beside the results file, so that its folder may be
        read-only; unless a sweep is writing: then a file beside it has the latest results."""
        file = Path(self.path).resolve()
        mode = "rw" if Path(f"{file}-wal").exists() else "ro&immutable=1"
        try:
            with closing(sqlite3.connect(f"{file.as_uri()}?mode={mode}", uri=True)) as database:
                return database.execute(query).fetchall()
        except sqlite3.DatabaseError as error:
            wanted = "what `shflsim sweep` wrote with --db"
            if "no such table" in str(error):
                raise Wrong(f"{self.path}: is no file of results; expected {wanted}") from error
            if "locked" in str(error):
                wanted = "that no other program writes to it"
            raise Wrong(f"{self.path}: {error}; expected {wanted}") from error

    def key(self, name):
        if name not in self.keys:
            raise Wrong(f"{self.path}: unknown key '{name}'; {nearest(name, self.keys)}")
        return name

    def metric(self, name):
        if name in self.metrics:
            return name
        if name in UNITS:
            raise Wrong(f"{self.path}: has no {name}, which the sweep did not keep; expected a "
                        f"sweep whose keep names {name}")
        raise Wrong(f"{self.path}: unknown metric '{name}'; {nearest(name, self.metrics)}")

    def points(self, metrics, where=""):
        """The finished points that have the metrics and fulfil the condition."""
        named, holds = condition_of(where, ["input", *self.keys, *self.metrics])
        keys = ["input", *self.keys, "state"]
        columns = keys + sorted({*metrics, *named} - set(keys))
        quoted = ", ".join('"' + column.replace('"', '""') + '"' for column in columns)
        rows = self._rows(f"SELECT {quoted} FROM grid ORDER BY point")
        points = with_kernel_names([dict(zip(columns, row)) for row in rows])
        chosen = [point for point in points if holds(point)]
        done = [point for point in chosen if point["state"] == "done"]
        if not done:
            raise Wrong(f"{self.path}: none of {len(points)} points is done"
                        f"{' and fulfils --where' if where else ''}; expected at least one")
        if len(done) < len(chosen):
            self.notes.append(f"{len(chosen) - len(done)} of {len(chosen)} points are not done and "
                              "left out")
        return self.with_metrics(done, metrics)

    def with_metrics(self, points, metrics):
        have = [point for point in points
                if all(isinstance(point[metric], (int, float)) for metric in metrics)]
        if not have:
            raise Wrong(f"{self.path}: no point has {', '.join(metrics)}; expected one that does")
        if len(have) < len(points):
            self.notes.append(f"{len(points) - len(have)} points have no {', '.join(metrics)} and "
                              "are left out")
        return have


def with_kernel_names(points):
    """The points with unique kernel names: with the input if several kernels have one name."""
    inputs = {}
    for point in points:
        point["kernel"] = point["kernel"] or Path(point["input"]).stem
        inputs.setdefault(point["kernel"], set()).add(point["input"])
    for point in points:
        if len(inputs[point["kernel"]]) > 1:
            point["kernel"] = f"{point['input']}:{point['kernel']}"
    return points
