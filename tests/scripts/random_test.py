# SPDX-License-Identifier: Apache-2.0
"""scripts/lab/hw/random/compare: random products and tensor maps of an H200 (tests/data/h200/2026-11-29/random), and
tables with a row that the H200 did not leave."""
import gzip
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
MEASURED = TOP / "tests/data/h200/2026-11-29/random"
KERNELS = 57


def compare(folder, *options):
    done = subprocess.run([TOP / "scripts/lab/hw/random/compare", folder, *options], check=False, text=True,
                          capture_output=True)
    return done.returncode, done.stdout.splitlines(), done.stderr


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


if __name__ == "__main__":
    unittest.main()
