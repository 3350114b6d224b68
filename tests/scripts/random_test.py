# SPDX-License-Identifier: Apache-2.0
"""scripts/lab/hw/random/compare: random products and tensor maps of an H200 (tests/data/h200/2026-11-29/random), and
tables with a row that the H200 did not leave."""
import gzip
import itertools
import shutil
import subprocess
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
MEASURED = TOP / "tests/data/h200/2026-11-29/random"
COMPARE = TOP / "scripts/lab/hw/random/compare"
KERNELS = 57
ADD, MIN = 1, 2  # operations of the kernel `stores`


def compare(folder, *options):
    done = subprocess.run([COMPARE, folder, *options], check=False, text=True,
                          capture_output=True)
    return done.returncode, done.stdout.splitlines(), done.stderr


def compare_as_module():
    loader = SourceFileLoader("compare", str(COMPARE))
    module = module_from_spec(spec_from_loader("compare", loader))
    loader.exec_module(module)
    return module


class Random(unittest.TestCase):
    def changed(self, name, old, new):
        """The measured folder with a table in which `old` is `new`."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        copy = Path(folder.name) / "measured"
        shutil.copytree(MEASURED, copy)
        text = gzip.decompress((copy / f"{name}.csv.gz").read_bytes()).decode()
        self.assertEqual(text.count(old), 1)
        (copy / f"{name}.csv").write_text(text.replace(old, new))
        return copy

    def test_all_kinds_of_products_are_an_h200s(self):
        status, lines, complaint = compare(MEASURED, "--launches", "1", "--limit", "0")
        self.assertEqual((status, complaint), (0, ""), lines)
        self.assertEqual(len([line for line in lines if line.endswith(": 100 of 100 tiles")]), KERNELS)

    def test_tensor_maps_and_loads_are_the_drivers_and_an_h200s(self):
        status, lines, complaint = compare(MEASURED, "--launches", "0", "--limit", "60")
        self.assertEqual((status, complaint), (0, ""), lines)
        self.assertEqual(lines, ["maps: 60 of 60 maps as the driver's, 40 of them refused",
                                 "loads: 60 of 60 maps as the driver's, 10 of them refused",
                                 "loads: 50 of 50 left the same bytes"])

    def test_other_words_of_a_product_differ(self):
        folder = self.changed("products", "warp_doubles_8,0,4,25,7543f215", "warp_doubles_8,0,4,25,7543f216")
        status, lines, _ = compare(folder, "--launches", "1", "--limit", "0", "--kernels", "warp_doubles_8")
        self.assertEqual((status, lines), (1, ["warp_doubles_8: 0 of 100 tiles"]))

    def test_other_bytes_of_a_load_differ(self):
        folder = self.changed("loads", ",1,dda2139f,e549bf66,1", ",1,dda2139f,e549bf67,1")
        status, lines, _ = compare(folder, "--launches", "0", "--limit", "3")
        self.assertEqual(status, 1)
        self.assertIn("loads: 1 of 2 left the same bytes", lines)
        self.assertIn("  loads 1: e549bf67 1, here e549bf66 1", lines[-1])

    def test_stores_and_reductions_leave_the_bytes_that_an_h200_left(self):
        made = compare_as_module()
        rows = [row for row in made.rows_of(MEASURED, "single_stores") if row["done"] == "1"]
        self.assertEqual(len(rows), 642)
        with tempfile.TemporaryDirectory() as folder:
            code = made.code_of(MEASURED, "boxes", Path(folder))
            for row in rows[::50]:
                a_map, box, _ = made.maps.store(1, int(row["index"]), int(row["base"]), made.STORED)
                draw = a_map, box, made.maps.OPERATIONS.index(row["operation"])
                words = made.encoded(code, [draw[0].option()], folder)
                self.assertEqual(made.sum_of(words[0]), row["words"])
                left = made.left_by(code, "stores", [row], [draw], words, Path(folder))
                self.assertEqual(left, [(row["hash"], "1")], row)

    def test_stores_and_reductions_at_which_an_h200_stops_are_refused(self):
        made = compare_as_module()
        base = 1 << 40
        drawn = [made.maps.store(1, index, base, made.STORED) for index in range(300)]
        of_s64 = next(draw for draw in drawn if made.maps.TYPES[draw[0].type] == "s64" and not draw[0].im2col)
        by_im2col = next(draw for draw in drawn if draw[0].im2col)
        with tempfile.TemporaryDirectory() as folder:
            code = made.code_of(MEASURED, "boxes", Path(folder))

            def left(a_map, box, operation):
                words = made.encoded(code, [a_map.option()], folder)
                return made.left_by(code, "stores", [{"base": base}], [(a_map, box, operation)], words, Path(folder))

            left(*of_s64[:2], MIN)
            with self.assertRaisesRegex(ValueError, "UTMAREDG.*a reduction that is not defined for the type"):
                left(*of_s64[:2], ADD)
            left(*by_im2col)
            by_im2col[0].lower[0] = -1
            with self.assertRaisesRegex(ValueError, "UTMA.*a target by im2col with corners outside of the tensor"):
                left(*by_im2col)


if __name__ == "__main__":
    unittest.main()
