# SPDX-License-Identifier: Apache-2.0
"""scripts/plot: what it draws of a sweep's results, and what it refuses."""
import csv
import json
import math
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SHFLSIM", str(TOP / "build/release/shflsim"))
sys.path.insert(0, str(TOP / "scripts"))

from plotting import compute, results  # noqa: E402

SWEEP = ["traces/suite/scan_inclusive.sass", "traces/suite/fft_32.sass", "--config", "gm107",
         "--vary", "shuffle.network=crossbar,banked", "--vary", "shuffle.lanes=8,32"]
PICTURES = {
    "speedup": ["--by", "shuffle.lanes"],
    "pareto": ["--x", "cycles", "--y", "energy_nj"],
    "heat": ["--rows", "shuffle.network", "--columns", "shuffle.lanes", "--metric", "ipc"],
    "sensitivity": ["--metric", "cycles"],
    "stalls": ["--by", "shuffle.network", "--kernel", "fft_32"],
}
TEXTS = {
    "speedup": ["Speedup over shuffle.lanes = 8, by kernel", "scan_inclusive", "fft_32",
                "geometric mean", "cycles at 8 / cycles; geometric mean over shuffle.network",
                "speedup", "shuffle.lanes", "8", "32"],
    "pareto": ["Designs by cycles and energy_nj", "cycles (geometric mean; lower is better)",
               "energy_nj (nJ; geometric mean; lower is better)", "crossbar, 32", "banked, 8",
               "mean over the kernels; labels: shuffle.network, shuffle.lanes"],
    "heat": ["ipc by shuffle.network and shuffle.lanes", "ipc (warp instructions per cycle)",
             "geometric mean over kernel", "shuffle.network", "banked", "shuffle.lanes", "32"],
    "sensitivity": ["How cycles changes along each axis", "cycles, relative to the first value",
                    "shuffle.network", "crossbar", "shuffle.lanes", "32"],
    "stalls": ["Warp states of fft_32 by shuffle.network", "share of the warp-cycles (%)",
               "crossbar", "short_scoreboard", "selected",
               "warp-cycles summed over shuffle.lanes"],
}


def sweep(path, *options):
    subprocess.run([PROGRAM, "sweep", *SWEEP, *options, "--db", path], cwd=TOP, check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


class Drawn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        cls.folder = Path(cls._folder.name)
        cls.results = cls.folder / "r.sqlite"
        sweep(cls.results)

    @classmethod
    def tearDownClass(cls):
        cls._folder.cleanup()

    def plot(self, *words, **more):
        return subprocess.run([TOP / "scripts/plot", *map(str, words)], cwd=self.folder, text=True,
                              env={**os.environ, **more}, capture_output=True, check=False)

    def query(self, text):
        database = sqlite3.connect(self.results)
        rows = database.execute(text).fetchall()
        database.close()
        return rows

    def changed(self, name, statement):
        """A copy of the results, changed by `statement`."""
        copy = self.folder / name
        copy.write_bytes(self.results.read_bytes())
        database = sqlite3.connect(copy)
        database.execute(statement)
        database.commit()
        database.close()
        return copy

    def refuses(self, words, line):
        done = self.plot(*words)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", line + "\n"))

    def test_every_kind_is_a_picture_of_the_same_bytes_each_time(self):
        (self.folder / "matplotlibrc").write_text("font.size: 30\nsvg.fonttype: path\n",
                                                  encoding="utf-8")
        for kind, words in PICTURES.items():
            for ending, magic in (("png", b"\x89PNG"), ("svg", b"<?xml")):
                pictures = []
                for seed in ("1", "2"):
                    path = self.folder / f"{kind}{seed}.{ending}"
                    done = self.plot(kind, self.results, *words, "-o", path, PYTHONHASHSEED=seed,
                                     MATPLOTLIBRC=str(self.folder) if seed == "2" else "",
                                     TZ=f"UTC+{seed}", DISPLAY="")
                    self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
                    pictures.append(path.read_bytes())
                self.assertEqual(pictures[0], pictures[1], f"{kind}.{ending}")
                self.assertEqual(pictures[0][:len(magic)], magic)
        self.assertEqual(list(self.folder.glob("r.sqlite-*")), [])
        self.assertEqual(list((TOP / "scripts").rglob("__pycache__")), [])

    def test_an_svg_says_what_it_shows_and_in_which_units(self):
        for kind, words in PICTURES.items():
            path = self.folder / f"labels_{kind}.svg"
            self.assertEqual(self.plot(kind, self.results, *words, "-o", path).returncode, 0)
            texts = re.findall(r">([^<>\n]+)</text>", path.read_text(encoding="utf-8"))
            for text in TEXTS[kind]:
                self.assertIn(text, texts, kind)

    def test_a_name_is_drawn_as_it_is_but_not_over_everything(self):
        copy = self.changed("names", "UPDATE points SET kernel = '_Z$a$_' || '" + "n" * 60 +
                            "<&>' WHERE kernel = 'fft_32'")
        done = self.plot("speedup", copy, "--by", "shuffle.lanes", "-o", "names.svg")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(f">_Z$a$_{'n' * 14}…{'n' * 16}&lt;&amp;&gt;</text>",
                      (self.folder / "names.svg").read_text(encoding="utf-8"))

    def test_the_numbers_are_those_of_the_results(self):
        cycles = {tuple(row[:3]): row[3] for row in self.query(
            'SELECT kernel, "shuffle.network", "shuffle.lanes", cycles FROM grid')}
        self.assertEqual(len(cycles), 8)
        read = results.Results(self.results)
        done = read.points(["cycles"])
        rest = compute.others(done, read.keys, ["shuffle.lanes"])
        bars, means, used = compute.speedups(done, rest, "shuffle.lanes", 8)
        expected = {kernel: math.sqrt(cycles[kernel, "crossbar", 8] / cycles[kernel, "crossbar", 32] *
                                      cycles[kernel, "banked", 8] / cycles[kernel, "banked", 32])
                    for kernel in ("scan_inclusive", "fft_32")}
        for kernel, value in expected.items():
            self.assertAlmostEqual(bars[kernel][32], value)
        self.assertAlmostEqual(means[32], math.sqrt(expected["scan_inclusive"] * expected["fft_32"]))
        self.assertGreater(means[32], 1.1)
        self.assertEqual(used, 8)
        path = self.folder / "numbers.svg"
        self.plot("speedup", self.results, "--by", "shuffle.lanes", "-o", path)
        self.assertIn(f">{means[32]:.2f}</text>", path.read_text(encoding="utf-8"))

    def test_stalls_of_a_kernel_are_shares_of_its_warp_cycles(self):
        states = "+".join(results.STATES)
        (share,), = self.query(f'SELECT sum(stall_wait) * 1.0 / sum({states}) FROM grid WHERE kernel '
                               '= \'fft_32\' AND "shuffle.network" = \'banked\'')
        read = results.Results(self.results)
        done = read.points(results.STATES, "kernel = fft_32")
        rest = compute.others(done, read.keys, ["shuffle.network"])
        shares, _ = compute.stall_shares(done, rest, "shuffle.network", results.STATES)
        self.assertAlmostEqual(shares["banked"]["stall_wait"], share)
        self.assertAlmostEqual(sum(shares["banked"].values()), 1)

    def test_sensitivity_and_frontier_are_those_that_the_program_prints(self):
        def told(*words):
            done = subprocess.run([PROGRAM, "results", self.results, *words, "--format", "csv"],
                                  check=True, stdout=subprocess.PIPE, text=True)
            return list(csv.DictReader(done.stdout.splitlines()))

        read = results.Results(self.results)
        done = read.points(["cycles", "mux2"])
        mine = {(keys[0], str(value)): ratio for keys, line in
                compute.sensitivity(done, read.keys, "cycles") for (value,), ratio in line}
        rows = told("--sensitivity", "cycles")
        self.assertEqual({(row["axis"], row["value"]) for row in rows}, set(mine))
        for row in rows:
            self.assertAlmostEqual(mine[row["axis"], row["value"]], float(row["cycles_ratio"]), 3)
        found, *_ = compute.designs(done, read.keys, "cycles", "mux2")
        self.assertEqual({name for name, _, _ in compute.frontier(found, "cycles", "mux2")},
                         {f"{row['shuffle.network']}, {row['shuffle.lanes']}"
                          for row in told("--pareto", "cycles,mux2")})

    def test_units_and_states_are_those_of_the_program(self):
        listed = json.loads(subprocess.run([PROGRAM, "list", "stats", "--format", "json"], check=True,
                                           stdout=subprocess.PIPE).stdout)["stats"]
        kept = results.Results(self.results).metrics
        asked_for = {"shfl_queue_wait", "shfl_stalls", "shfl_path_share"}  # no sweep keeps these unless asked
        self.assertEqual(set(kept) | asked_for, set(results.UNITS))
        for metric in kept:
            self.assertIn(results.UNITS[metric],
                          {stat["unit"] for stat in listed if stat["key"] == metric}, metric)
        self.assertEqual({metric for metric in kept if metric.startswith("stall_")},
                         {*results.STATES, "stall_cycles"})

    def test_points_that_are_not_done_are_said_on_the_picture_and_beside_it(self):
        copy = self.changed("failed.sqlite", "UPDATE results SET state = 'failed' WHERE fingerprint "
                                             "= (SELECT fingerprint FROM points WHERE point = 0)")
        path = self.folder / "failed.svg"
        done = self.plot("speedup", copy, "--by", "shuffle.lanes", "-o", path)
        notes = ["1 of 8 points are not done and left out",
                 "1 of 7 points left out, as not every shuffle.lanes has points of their other values"]
        self.assertEqual(done.stderr, "".join(f"{copy}: {note}\n" for note in notes))
        for note in notes:
            self.assertIn(note, " ".join(re.findall(r">([^<>\n]+)</text>",
                                                    path.read_text(encoding="utf-8"))))

    def test_base_and_where_choose(self):
        path = self.folder / "where.svg"
        done = self.plot("speedup", self.results, "--by", "shuffle.lanes", "--base", "32", "--where",
                         "shuffle.network = banked and kernel = scan_*", "-o", path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = path.read_text(encoding="utf-8")
        self.assertIn(">Speedup over shuffle.lanes = 32, by kernel<", text)
        self.assertIn(">points with shuffle.network = banked and kernel = scan_*<", text)
        self.assertNotIn("fft_32", text)

    def test_a_file_of_no_results_is_refused(self):
        words = ["sensitivity", "x", "--metric", "cycles", "-o", "x.png"]
        self.refuses(words, "x: no such file; expected what `shflsim sweep` wrote with --db")
        (self.folder / "text").write_text("no database, but some text\n" * 40, encoding="utf-8")
        words[1] = "text"
        self.refuses(words, "text: file is not a database; expected what `shflsim sweep` wrote with "
                            "--db")
        words[1] = "other"
        sqlite3.connect(self.folder / "other").execute("CREATE TABLE t (x)").connection.close()
        self.refuses(words, "other: is no file of results; expected what `shflsim sweep` wrote with "
                            "--db")
        words[1] = self.changed("old", "UPDATE sweep SET value = 'results/0' WHERE key = 'schema'")
        self.refuses(words, f"{words[1]}: is no file of results of this version; expected "
                            "shflsim-results/1")

    def test_names_that_are_not_there_get_the_nearest(self):
        file, end = self.results, ["-o", "x.png"]
        self.refuses(["speedup", file, "--by", "shuffle.lane", *end],
                     f"{file}: unknown key 'shuffle.lane'; did you mean 'shuffle.lanes'?")
        self.refuses(["heat", file, "--rows", "kernel", "--columns", "qqq", "--metric", "ipc", *end],
                     f"{file}: unknown key 'qqq'; known: kernel, config, shuffle.network, "
                     "shuffle.lanes")
        self.refuses(["sensitivity", file, "--metric", "cycle", *end],
                     f"{file}: unknown metric 'cycle'; did you mean 'cycles'?")
        self.refuses(["speedup", file, "--by", "shuffle.network", "--base", "crosbar", *end],
                     f"{file}: shuffle.network is never 'crosbar'; did you mean 'crossbar'?")
        self.refuses(["stalls", file, "--by", "shuffle.network", "--kernel", "fft_23", *end],
                     f"{file}: kernel is never 'fft_23'; did you mean 'fft_32'?")
        self.refuses(["sensitivity", file, "--metric", "ipc", "--where", "shuffle.lane = 8", *end],
                     "--where: unknown key 'shuffle.lane'; did you mean 'shuffle.lanes'?")
        self.refuses(["sensitivity", file, "--metric", "ipc", "--where", "lanes", *end],
                     "--where 'lanes' is no condition; expected KEY = VALUE, with !=, <, <=, > or >= "
                     "too, joined by 'and' and 'or'")

    def test_what_cannot_be_compared_is_refused(self):
        file, end = self.results, ["-o", "x.png"]
        self.refuses(["speedup", file, "--by", "config", *end],
                     f"{file}: the points have 1 values of config; expected 2 to 24")
        self.refuses(["speedup", file, "--by", "kernel", *end],
                     f"{file}: kernels are no designs; expected --by config or an axis: "
                     "shuffle.network, shuffle.lanes")
        self.refuses(["heat", file, "--rows", "config", "--columns", "config", "--metric", "ipc", *end],
                     f"{file}: --rows and --columns are both config; expected two keys")
        self.refuses(["sensitivity", file, "--metric", "undefined_reads", *end],
                     f"{file}: no points with undefined_reads over 0 differ in one axis alone; "
                     "expected some")
        apart = "kernel = fft_32 and shuffle.lanes = 8 or kernel = scan_* and shuffle.lanes = 32"
        for kind in ("speedup", "stalls"):
            self.refuses([kind, file, "--by", "shuffle.lanes", "--where", apart, *end],
                         f"{file}: no points differ in shuffle.lanes alone; expected some, or --where "
                         "to choose them")

    def test_what_changes_along_is_said(self):
        done = self.plot("speedup", self.results, "--by", "shuffle.lanes", "--where", "shuffle.network "
                         "= crossbar and shuffle.lanes = 8 or shuffle.network = banked and "
                         "shuffle.lanes = 32", "-o", "along.png")
        self.assertEqual(done.stderr, f"{self.results}: with shuffle.lanes goes "
                                      "shuffle.network\n")

    def test_without_a_point_or_a_metric_there_is_no_picture(self):
        none = self.changed("none", "UPDATE results SET state = 'failed'")
        words = ["-o", "x.png"]
        self.refuses(["pareto", none, "--x", "cycles", "--y", "ipc", *words],
                     f"{none}: none of 8 points is done; expected at least one")
        self.refuses(["pareto", self.results, "--x", "cycles", "--y", "ipc", "--where", "config = x",
                      *words],
                     f"{self.results}: none of 8 points is done and fulfils --where; expected at "
                     "least one")
        few = self.folder / "few"
        sweep(few, "--keep", "ipc")
        self.refuses(["speedup", few, "--by", "shuffle.lanes", *words],
                     f"{few}: has no cycles, which the sweep did not keep; expected a sweep whose "
                     "keep names cycles")

    def test_a_picture_for_a_column_is_as_wide_as_the_column(self):
        for kind, words, inches in (("speedup", ["--by", "shuffle.lanes"], 3.3),
                                    ("pareto", ["--x", "cycles", "--y", "ipc"], 7)):
            picture = self.folder / f"{kind}.pdf"
            done = self.plot(kind, self.results, *words, "--width", str(inches), "-o", picture)
            self.assertEqual(done.returncode, 0, done.stderr)
            box = re.search(rb"/MediaBox \[ 0 0 ([0-9.]+) ", picture.read_bytes())
            self.assertAlmostEqual(float(box[1]) / 72, inches, 1, kind)
        self.refuses(["sensitivity", self.results, "--metric", "ipc", "--width", "1", "-o", "x.pdf"],
                     "--width 1; expected 2 to 12 inches")

    def test_a_legend_covers_no_data(self):
        from plotting import draw
        for column in (None, 3.3, 7):
            draw.COLUMN = column
            bars = {f"kernel_{i}": {8: 1.0, 32: 0.5} for i in range(6)}
            for figure, axes in (draw.speedup(bars, [8, 32], "shuffle.lanes"),
                                 draw.pareto([("a", 1, 2), ("b", 2, 1), ("c", 2, 2)], [("a", 1, 2), ("b", 2, 1)],
                                             ("cycles", "ipc"), ("", ""))):
                figure.draw_without_rendering()
                box = axes.get_legend().get_window_extent()
                self.assertFalse(box.overlaps(axes.get_window_extent()), column)
        draw.COLUMN = None

    def test_a_picture_that_cannot_be_written_is_refused(self):
        words = ["sensitivity", self.results, "--metric", "ipc", "-o"]
        self.refuses([*words, "x.gif"], "x.gif: is no picture's name; expected one that ends in .png, "
                                        ".svg or .pdf")
        self.refuses([*words, "nowhere/x.png"], "nowhere/x.png: No such file or directory; expected a "
                                                "folder that can be written to")
        (self.folder / "folder.png").mkdir(exist_ok=True)
        self.refuses([*words, "folder.png"], "folder.png: Is a directory; expected a folder that can "
                                             "be written to")
        self.assertEqual([path.name for path in self.folder.glob(".*")], [])

    def test_usage(self):
        self.refuses(["speedup", self.results, "-o", "x.png"],
                     "the following arguments are required: --by; scripts/plot speedup --help says "
                     "what there is")
        for words in (["--help"], *([kind, "--help"] for kind in PICTURES)):
            done = self.plot(*words, COLUMNS="80")
            self.assertEqual(done.returncode, 0)
            for kind in PICTURES:
                self.assertIn(f"  scripts/plot {kind} ", done.stdout)
            self.assertIn("exit status: 0 fine, 2 ", done.stdout)


if __name__ == "__main__":
    unittest.main()
