# SPDX-License-Identifier: Apache-2.0
"""`scripts/artifact`: its quick figures are within their tolerances, and it fails if one is not."""
import csv
import ctypes
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from importlib.machinery import SourceFileLoader
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
SCRIPT = TOP / "scripts/artifact"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOP / "scripts"))
loader = SourceFileLoader("artifact", str(SCRIPT))
artifact = importlib.util.module_from_spec(importlib.util.spec_from_loader("artifact", loader))
loader.exec_module(artifact)
import artifacts.figures  # noqa: E402
from artifacts.figures import Figure  # noqa: E402


def has_driver():
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


def run(*words):
    return subprocess.run([SCRIPT, *map(str, words)], text=True, capture_output=True, check=False, env=os.environ)


class Artifact(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def test_the_quick_figures_are_within_their_tolerances(self):
        done = run("quick", "-o", self.path)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        names = [figure.name for figure in artifact.chosen(["quick"])]
        self.assertGreater(len(names), 4)
        for name in names:
            self.assertIn(f"{name}: ", done.stdout)
            with (self.path / f"{name}.csv").open() as rows:
                self.assertEqual({row["verdict"] for row in csv.DictReader(rows)}, {"within"})
            xml.etree.ElementTree.parse(self.path / f"{name}.svg")

    def test_a_value_beyond_its_tolerance_fails_and_is_red(self):
        figure = Figure("off", "two values", "a page", "cycles", 2, 0, lambda: {"a": 10, "b": 10},
                                 lambda: {"a": 12, "b": 12.1})
        self.assertEqual([row[3] for row in artifact.rows_of(figure)], ["within", "OUTSIDE"])
        self.assertFalse(artifact.shown(figure, self.path))
        self.assertEqual((self.path / "off.svg").read_text().count(artifact.COLOURS["outside"]), 1)

    def test_values_that_only_one_has_are_refused(self):
        figure = Figure("off", "", "", "", 0, 0, lambda: {"a": 1, "b": 1}, lambda: {"a": 1})
        with self.assertRaisesRegex(ValueError, "values that only one has: b"):
            artifact.rows_of(figure)

    def test_a_list_names_each_figure_once_with_its_time(self):
        lines = run("--list").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines], [figure.name for figure in artifact.FIGURES])
        self.assertTrue(all(line.split()[2] == "s" and line.split()[1].isdigit() for line in lines))

    def test_what_a_gpu_gave_is_measured_anew_by_scripts_of_the_tree(self):
        names = {figure.name for figure in artifact.FIGURES}
        for name, halves in artifact.ON_GPU.items():
            self.assertIn(name, names)
            for recorded, words in halves.items():
                self.assertTrue((TOP / recorded).exists(), recorded)
                self.assertTrue(os.access(TOP / words[0], os.X_OK), words)

    def test_a_half_that_was_measured_anew_takes_the_place_of_the_recorded_one(self):
        figure = Figure("copied", "", "", "", 0, 0, dict, dict)
        recorded = "tests/data/h200/2026-11-22/kt.timing.csv"
        artifact.ON_GPU["copied"] = {recorded: ["cp", str(TOP / recorded), "{out}"]}
        try:
            artifact.measure(figure, self.path)
            self.assertEqual(artifacts.figures.recorded(recorded), (self.path / "copied.gpu/kt.timing.csv").resolve())
            self.assertEqual(artifacts.figures.recorded("another"), "another")
        finally:
            del artifact.ON_GPU["copied"], artifact.MEASURED[recorded]

    @unittest.skipIf(has_driver(), "there is a GPU")
    def test_without_a_gpu_nothing_is_measured_anew(self):
        done = run("--on-gpu", "whole-kernels", "-o", self.path)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "artifact: --on-gpu finds no driver of a GPU; expected a machine with an H100\n")

    def test_an_unknown_name_is_refused_with_the_nearest(self):
        done = run("first-reslt")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "artifact: no figure 'first-reslt'; did you mean 'first-result'?\n")


if __name__ == "__main__":
    unittest.main()
