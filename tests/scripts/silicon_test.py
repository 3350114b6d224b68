# SPDX-License-Identifier: Apache-2.0
"""scripts/lab/accuracy --whole and scripts/lab/stalls: bounds compared with an H200, and invalid input."""
import gzip
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
H200 = TOP / "tests/data/h200/2026-11-22"
CUBIN = H200 / "ct.sm90.cubin.gz"
TIMES = (H200 / "ct.timing.csv").read_text()
SAMPLES = gzip.decompress((H200 / "ct.stalls.csv.gz").read_bytes()).decode()
OTHER = TOP / "tests/data/volta/c.sm75.cubin.gz"


def run(script, *words):
    done = subprocess.run([TOP / "scripts/lab" / script, *words], check=False, text=True,
                          capture_output=True)
    return done.returncode, done.stdout, done.stderr


class Silicon(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "given.csv"

    def refused(self, script, text, cubin, expected, *options):
        self.file.write_text(text)
        status, out, complaint = run(script, cubin, self.file, *options)
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(len(complaint.splitlines()), 1, complaint)
        self.assertIn(expected, complaint)

    def test_times_name_a_kernel_that_the_cubin_lacks(self):
        self.refused("accuracy", TIMES.replace("reduce_xor,1", "reduce_xr,1"), CUBIN,
                     "no kernel 'reduce_xr'", "--whole")

    def test_times_end_within_a_row(self):
        self.refused("accuracy", TIMES[:TIMES.index("scan_inclusive") + 4], CUBIN,
                     "given.csv:10:1: has 1 fields; expected 8", "--whole")

    def test_times_are_of_kernels_with_other_parameters(self):
        self.refused("accuracy", TIMES, OTHER, "takes 3 arguments", "--whole")

    def test_times_without_notes_want_whole(self):
        self.refused("accuracy", TIMES, CUBIN, "expected --whole")

    def test_samples_name_a_kernel_that_the_cubin_lacks(self):
        self.refused("stalls", SAMPLES.replace("reduce_xor,", "reduce_xr,"), CUBIN,
                     "no kernel 'reduce_xr'")

    def test_samples_lack_the_kernel_asked_for(self):
        self.refused("stalls", SAMPLES, CUBIN, "no kernel 'nosuch'", "--kernel", "nosuch")

    def test_samples_end_within_a_row(self):
        self.refused("stalls", SAMPLES[:SAMPLES.index(",0,0,0", 3100)], CUBIN, "fields; expected 23")

    def test_samples_with_a_count_that_is_no_number(self):
        self.refused("stalls", SAMPLES.replace(",8,4,", ",eight,4,", 1), CUBIN,
                     "given.csv:2:1: issued is 'eight'")

    def test_samples_without_their_columns(self):
        self.refused("stalls", TIMES, CUBIN, "has no column 'pc'")

    def test_samples_are_of_kernels_with_other_parameters(self):
        self.refused("stalls", SAMPLES, OTHER, "takes 3 arguments")

    def test_samples_cut_within_their_gzip_stream(self):
        cut = self.file.with_suffix(".csv.gz")
        cut.write_bytes((H200 / "ct.stalls.csv.gz").read_bytes()[:5000])
        status, _, complaint = run("stalls", CUBIN, cut)
        self.assertEqual((status, len(complaint.splitlines())), (2, 1))

    def test_where_warps_stall_stays_as_near_to_the_samples_as_it_was(self):
        for name, state, instruction in (("ct", 0.035, 0.08), ("kt", 0.05, 0.135)):
            status, out, _ = run("stalls", H200 / f"{name}.sm90.cubin.gz",
                                 H200 / f"{name}.stalls.csv.gz", "--top", "0", "--most-state",
                                 str(state), "--most-instruction", str(instruction))
            self.assertEqual(status, 0, out.splitlines()[-1])

    def test_a_bound_that_is_not_kept_is_status_1(self):
        status, out, _ = run("stalls", CUBIN, H200 / "ct.stalls.csv.gz", "--kernel", "reduce_xor",
                             "--top", "2", "--most-state", "0.001")
        self.assertEqual((status, len(out.splitlines())), (1, 4))

    def test_configs_cite_measurements_that_are_in_the_tree(self):
        for config in sorted((TOP / "configs").glob("*.cfg")):
            for word in config.read_text().replace(",", " ").replace(";", " ").split():
                if word.startswith("tests/data/"):
                    self.assertTrue((TOP / word.rstrip(".:")).exists(), f"{config.name}: {word}")


if __name__ == "__main__":
    unittest.main()
