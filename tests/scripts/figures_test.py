# SPDX-License-Identifier: Apache-2.0
"""Text, JSON, page and plots of one file of results have the same means, front, best design and ties: 100 files with
random figures, some of whose points are missing or failed. The page's own functions run in node."""
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SHFLSIM", str(TOP / "build/release/shflsim"))
sys.path.insert(0, str(TOP / "scripts"))

from plotting import compute, results  # noqa: E402

FILES = 100
NETWORKS = ["crossbar", "banked", "ring", "butterfly"]
LANES = [8, 32]
SWEEP = ["traces/suite/scan_inclusive.sass", "traces/suite/fft_32.sass", "traces/suite/stencil_3.sass",
         "--config", "gm107", "--keep", "cycles,mux2,ipc", "--vary", f"shuffle.network={','.join(NETWORKS)}",
         "--vary", f"shuffle.lanes={','.join(map(str, LANES))}"]
PAIRS = [("cycles", "mux2"), ("ipc", "mux2"), ("mux2", "ipc")]

NODE = """
const fs = require("fs");
const page = new Function(fs.readFileSync(process.argv[1], "utf8") +
                          "; return { designMeans, designKeysOf, frontOf, cellsOf };")();
const files = JSON.parse(fs.readFileSync(0, "utf8"));
console.log(JSON.stringify(files.map(({ rows, x, y }) => {
  const { designs } = page.designMeans(rows, page.designKeysOf(Object.keys(rows[0])), [x, y]);
  const points = designs.map(({ row, means }) =>
    ({ x: means[0], y: means[1], name: `${row["shuffle.network"]}, ${row["shuffle.lanes"]}` }));
  const cells = page.cellsOf(rows, "shuffle.network", "shuffle.lanes", x);
  return { designs: points, front: page.frontOf(points, x, y), cells };
})));
"""


def told(file, *words):
    done = subprocess.run([PROGRAM, "results", file, *words], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def random_file(base, path, seed):
    """A copy of a sweep with few different small figures, so that many are equal; in some files they can be 0."""
    rng = random.Random(seed)
    shutil.copy(base, path)
    least, missing = rng.choice((0, 1, 1, 1)), rng.choice((0, 0.05, 0.2, 0.7))
    with closing(sqlite3.connect(path)) as database, database:
        for result, metric in database.execute("SELECT result, metric FROM metrics").fetchall():
            value = rng.randint(least, rng.choice((2, 4, 100)))
            database.execute("UPDATE metrics SET value = ? WHERE result = ? AND metric = ?", (value, result, metric))
        for (result,) in database.execute("SELECT result FROM results").fetchall():
            if rng.random() < missing:
                database.execute("DELETE FROM metrics WHERE result = ?", (result,))
                database.execute("UPDATE results SET state = 'timeout' WHERE result = ?", (result,))


def name_of(row):
    return f"{row['shuffle.network']}, {row['shuffle.lanes']}"


class OneMathematics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.base = os.path.join(cls.folder.name, "base.sqlite")
        subprocess.run([PROGRAM, "sweep", *SWEEP, "--db", cls.base], cwd=TOP, check=True, stdout=subprocess.DEVNULL)
        cls.files, cls.pages = [], []
        for seed in range(FILES):
            path = os.path.join(cls.folder.name, f"{seed}.sqlite")
            random_file(cls.base, path, seed)
            cls.files.append(path)
        cls.pairs = [PAIRS[seed % len(PAIRS)] for seed in range(FILES)]
        for path, (x, y) in zip(cls.files, cls.pairs):
            html = f"{path}.html"
            told(path, "--html", html)
            data = re.search(r'id="data">(.*?)</script>', Path(html).read_text(encoding="utf8"), re.DOTALL)[1]
            cls.pages.append({"rows": json.loads(data)["rows"], "x": x, "y": y})
        node = subprocess.run(["node", "-e", NODE, str(TOP / "report/page/html/figures.js")], check=True, text=True,
                              input=json.dumps(cls.pages), stdout=subprocess.PIPE)
        cls.of_page = json.loads(node.stdout)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def plotted(self, file, x, y):
        """Designs and front as in scripts/plot."""
        try:
            read = results.Results(file)
            found, *_ = compute.designs(read.points([x, y]), read.keys, x, y)
        except results.Wrong:
            return [], []
        return found, compute.frontier(found, x, y)

    def assert_same_designs(self, plotted, designs, file):
        """A plot omits from a name the parts that all of its points share."""
        self.assertEqual([design[1:] for design in plotted], [design[1:] for design in designs], file)
        for (short, *_), (name, *_) in zip(plotted, designs):
            parts = short.split(", ") if short else []
            self.assertLessEqual(set(parts), set(name.split(", ")), file)

    def test_text_json_page_and_plots_have_one_front(self):
        sizes = set()
        for file, (x, y), page in zip(self.files, self.pairs, self.of_page):
            front = json.loads(told(file, "--pareto", f"{x},{y}", "--format", "json"))["rows"]
            program = [(name_of(row), row[x], row[y]) for row in front]
            self.assertEqual([(each["name"], each["x"], each["y"]) for each in page["front"]], program, file)
            self.assert_same_designs(self.plotted(file, x, y)[1], program, file)
            text = told(file, "--pareto", f"{x},{y}", "--top", "100")
            lines = [line.split() for line in text.partition("\n\n")[2].splitlines()[1:] if re.match(r" +\d", line)]
            lines = [line for line in lines if "gm107" in line and "left" not in line]
            self.assertEqual([f"{line[-2]}, {line[-1]}" for line in lines], [name for name, *_ in program], file)
            sizes.add(len(program))
        self.assertIn(0, sizes, "a file in which no design has every point")
        self.assertGreater(max(sizes), 3)

    def test_means_are_the_same_on_the_page_and_in_plots(self):
        for file, (x, y), page in zip(self.files, self.pairs, self.of_page):
            self.assert_same_designs(self.plotted(file, x, y)[0],
                                     [(each["name"], each["x"], each["y"]) for each in page["designs"]], file)

    def test_the_best_design_and_those_as_good_are_on_the_page_too(self):
        ties = 0
        for file, (x, y), page in zip(self.files, self.pairs, self.of_page):
            best = json.loads(told(file, "--best", x, "--format", "json"))["rows"]
            of_all = [row for row in best if row["input"] == "all (mean)"]
            self.assertEqual(len(of_all), 1 if page["designs"] else 0, file)
            if not of_all:
                continue
            sign = -1 if x == "ipc" else 1
            first = min(page["designs"], key=lambda design: sign * design["x"])
            as_good = sum(design["x"] == first["x"] for design in page["designs"]) - 1
            self.assertEqual((name_of(of_all[0]), of_all[0][x], of_all[0]["as_good"]),
                             (first["name"], first["x"], as_good), file)
            ties += as_good
        self.assertGreater(ties, 0)

    def test_the_cells_of_a_heat_map_are_those_of_a_pivot(self):
        for file, (x, _), page in zip(self.files, self.pairs, self.of_page):
            rows = json.loads(told(file, "--pivot", f"shuffle.network,shuffle.lanes,{x}", "--format", "json"))["rows"]
            pivot = {(row["shuffle.network"], int(lanes)): value for row in rows
                     for lanes, value in row.items() if lanes != "shuffle.network" and value is not None}
            self.assertEqual({(cell["row"], cell["column"]): cell["mean"] for cell in page["cells"]}, pivot, file)

    def test_an_empty_front_says_why(self):
        for file, (x, y), page in zip(self.files, self.pairs, self.of_page):
            text = told(file, "--pareto", f"{x},{y}")
            self.assertEqual("no design is done on" in text, not page["front"], file)


if __name__ == "__main__":
    if shutil.which("node") is None:
        sys.exit(77)
    unittest.main()
