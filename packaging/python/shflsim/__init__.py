# SPDX-License-Identifier: Apache-2.0
"""Times warp-shuffle code on a model of one NVIDIA SM.

    import shflsim, pandas
    timed = shflsim.run("scan.sass", reg={"Rsum": 1.0}, set={"shuffle.network": "ring"})
    timed["totals"]["cycles"]
    pandas.DataFrame(timed["instructions"])
    pandas.DataFrame(shflsim.sweep("scan.sass", vary={"shuffle.lanes": [8, 16, 32]}))

What the program prints as JSON comes back as it is (`shflsim list schemas`), but lists of rows as
tables of columns: {"cycles": [1, 2], ...}, each as long as the others, which is what pandas.DataFrame
takes. A table without rows has every column that is asked for, empty.

Keyword arguments are the program's options, with _ for -: True gives the option alone, a list gives
it several times, and a dictionary with KEY=VALUE for each member. Each call runs in a process of its
own: a copy of this one, or the program where the module was not built with it.
"""
import html
import json
import os
import tempfile
from pathlib import Path

try:
    from . import _native
except ImportError:
    from . import _program as _native

__all__ = ["Error", "Result", "Table", "call", "check", "columns", "compare", "diff", "explain",
           "results", "run", "sweep", "version"]


def __dir__():
    return __all__


# Members that are tables, also where they have no rows.
_TABLES = {"findings", "instructions", "warps", "states", "units", "config", "critical_path",
           "points", "designs", "rows", "inputs", "differences", "sensitivity", "networks", "bounds",
           "busiest", "what_ifs", "launches"}
_ROWS_SHOWN = 50

# As installed beside the module; a folder that the environment names goes first.
_CONFIGS = Path(__file__).resolve().parents[4] / "share/shflsim/configs"
if _CONFIGS.is_dir():
    os.environ.setdefault("SHFLSIM_CONFIGS", str(_CONFIGS))


class Error(RuntimeError):
    """What was wrong, as the program says it; `status` is its exit status, `faults` what it found,
    each with what there is of file, line, column, what and expected."""

    def __init__(self, status, text):
        try:
            self.faults = json.loads(text)["errors"]
            text = "\n".join(map(_line, self.faults))
        except ValueError:  # said without JSON
            self.faults = []
        super().__init__(text.strip() or f"exit status {status}")
        self.status = status


def _line(fault):
    place = "".join(f"{fault[key]}:" for key in ("file", "line", "column") if key in fault)
    expected = f"; expected {fault['expected']}" if "expected" in fault else ""
    return f"{place} {fault['what']}{expected}".strip()


def _words(options):
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, dict):
            for key, one in value.items():
                words += [option, f"{key}={_text(one)}"]
        elif isinstance(value, (list, tuple)):
            for one in value:
                words += [option, str(one)]
        else:
            words.append(f"{option}={value}")
    return words


def _text(value):
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _files(inputs):
    if isinstance(inputs, (str, os.PathLike)):
        inputs = [inputs]
    return [os.fspath(each) for each in inputs]


class Table(dict):
    """Columns of equal length."""

    def __missing__(self, key):
        if self:
            raise KeyError(key)
        return []

    def _repr_html_(self):
        rows = list(zip(*self.values()))
        more = f"<p>{len(rows) - _ROWS_SHOWN} more rows</p>" if len(rows) > _ROWS_SHOWN else ""
        return _html_table(list(self), rows[:_ROWS_SHOWN]) + more


class Result(dict):
    """What a command prints as JSON."""

    def _repr_html_(self):
        title = " ".join(str(self[key]) for key in ("kernel", "schema") if key in self)
        verdict = self.get("verdict", [])
        lines = verdict.get("lines", []) if isinstance(verdict, dict) else verdict
        parts = [f"<b>{html.escape(title)}</b>",
                 "".join(f"<div>{html.escape(line)}</div>" for line in lines)]
        if "totals" in self:
            parts.append(_html_table(["figure", "value"], self["totals"].items()))
        for name in ("designs", "findings", "differences"):
            if isinstance(self.get(name), Table) and self[name]:
                parts.append(self[name]._repr_html_())
        return "".join(parts)


def _html_table(heads, rows):
    def line(cells, kind):
        return "<tr>" + "".join(f"<{kind}>{html.escape('' if cell is None else str(cell))}</{kind}>"
                                for cell in cells) + "</tr>"
    return "<table>" + line(heads, "th") + "".join(line(row, "td") for row in rows) + "</table>"


def columns(rows):
    """Columns of rows: a key that a row lacks is None there."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    return Table((key, [row.get(key) for row in rows]) for key in keys)


def _with_columns(value, name=""):
    if isinstance(value, dict):
        return {key: _with_columns(each, key) for key, each in value.items()}
    if value == [] and name in _TABLES:
        return Table()
    if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        return columns([_with_columns(each) for each in value])
    return value


def call(*words):
    """Runs the program with these words; what it prints. Raises Error where it says no more than
    what is wrong."""
    status, printed, said = _native.call([str(word) for word in words])
    if status not in (0, 1, 3) or (status != 0 and not printed):
        raise Error(status, said.decode(errors="replace"))
    return printed.decode(errors="replace")


def _document(*words):
    return Result(_with_columns(json.loads(call(*words, "--format", "json", "--quiet"))))


def run(inputs, **options):
    """Times code or a trace: `shflsim run`."""
    return _document("run", *_files(inputs), *_words(options))


def compare(inputs, **options):
    """Times inputs on several designs: `shflsim compare`."""
    return _document("compare", *_files(inputs), *_words(options))


def check(inputs, **options):
    """Mistakes in shuffles: `shflsim check`."""
    return _document("check", *_files(inputs), *_words(options))


def diff(a, b, **options):
    """Two results, each a file or what run or compare has returned; or a run and the file of a
    profile of Nsight Compute: `shflsim diff`."""
    with tempfile.TemporaryDirectory(prefix="shflsim") as folder:
        files = []
        for name, given in (("a", a), ("b", b)):
            if isinstance(given, dict):
                files.append(os.path.join(folder, f"{name}.json"))
                Path(files[-1]).write_text(json.dumps(_with_rows(given)), encoding="utf-8")
            else:
                files.append(os.fspath(given))
        return _document("diff", *files, *_words(options))


def _with_rows(value):
    if isinstance(value, Table):
        return [dict(zip(value, map(_with_rows, row))) for row in zip(*value.values())]
    if isinstance(value, dict):
        return {key: _with_rows(each) for key, each in value.items()}
    return value


def explain(shuffle, **options):
    """What one SHFL moves, and its passes on every network: `shflsim explain`."""
    return _document("explain", shuffle, *_words(options))


def results(file, **options):
    """The columns of what a sweep left in a file: `shflsim results`."""
    return columns(json.loads(call("results", os.fspath(file), *_words(options), "--format", "json",
                                   "--quiet"))["rows"])


def sweep(inputs, db=None, **options):
    """Times inputs on every combination of designs, `shflsim sweep`, and gives the points' columns.
    With `db` the results stay there, and a further sweep into it does only what is missing."""
    with tempfile.TemporaryDirectory(prefix="shflsim") as folder:
        file = os.fspath(db) if db is not None else os.path.join(folder, "sweep.sqlite")
        call("sweep", *_files(inputs), *_words(options), "--db", file, "--quiet")
        return results(file)


def version():
    """Version, commit, compiler and libraries: `shflsim --version`."""
    return json.loads(call("--version", "--format", "json"))
