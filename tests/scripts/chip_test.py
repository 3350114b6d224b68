# SPDX-License-Identifier: Apache-2.0
"""scripts/chip and the launches it compares: equal bytes everywhere, the rule for halves, and invalid input."""
import csv
import subprocess
import sys
import unittest
import zlib
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
H100 = TOP / "tests/data/h100/2026-11-26"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOP / "scripts/lab/hw/launches"))
import inputs


def rows(name):
    with (H100 / name).open() as stream:
        return list(csv.DictReader(stream))


class Chip(unittest.TestCase):
    def test_every_launch_was_measured_with_warm_and_with_cold_caches(self):
        names = [launch.name for launch in inputs.launches()]
        for state in ("warm", "cold"):
            self.assertEqual([r["launch"] for r in rows("launches.csv") if r["caches"] == state], names)

    def test_inputs_are_made_of_the_bytes_that_the_chip_was_given(self):
        sums = {(row["launch"], row["buffer"]): int(row["crc32"], 16) for row in rows("sums.csv")}
        read_only = (("scatter_words", 1, "1"), ("graph_push", 0, "0"), ("top2_gate", 0, "0"), ("sparse_warp", 0, "0"),
                     ("gemv_half", 1, "1"), ("number_transform", 1, "1"))
        launches = {launch.name: launch for launch in inputs.launches()}
        for name, place, buffer in read_only:
            self.assertEqual(zlib.crc32(inputs.content(launches[name].arguments[place], place)), sums[name, buffer], name)

    def test_every_second_launch_in_alphabetical_order_is_unseen(self):
        self.assertEqual(inputs.chosen(["d", "b", "a", "c", "e"]), ["a", "c", "e"])

    def test_every_launch_of_hopper_was_measured_with_one_block_or_one_cluster(self):
        clusters = {"rows_of_four": "4,1,1", "cluster_of_three": "2,2,2", "triton_two_ctas": "2,1,1", "bytes_64": "1,1,1"}
        for folder in sorted(H100.parent.glob("hopper*")):
            with (folder / "one_block_launches.csv").open() as stream:
                grids = {row["launch"]: row["grid"] for row in csv.DictReader(stream)}
            with (folder / "launches.csv").open() as stream:
                self.assertEqual(set(grids), {row["launch"] for row in csv.DictReader(stream)})
            for name in clusters.keys() & grids.keys():
                self.assertEqual(grids[name], clusters[name])

    def test_a_launch_of_one_block_runs_with_the_measured_grid(self):
        done = subprocess.run([TOP / "scripts/chip", H100.parent / "hopper_more", "--one-block", "--launches", "bytes_64"],
                              check=False, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        launch = TOP / "build/launches/hopper_more_one_block/warm/bytes_64.ini"
        self.assertIn("grid = 1,1,1\n", launch.read_text())

    def test_ring_visits_every_word(self):
        words = memoryview(inputs.content("ring:64", 0)).cast("I")
        at, seen = 0, set()
        for _ in range(64):
            seen.add(at)
            at = words[at]
        self.assertEqual((at, len(seen)), (0, 64))

    def test_row_starts_rise_to_the_rows_times_their_mean(self):
        starts = list(memoryview(inputs.content("rowstarts:100:7", 3)).cast("I"))
        self.assertEqual((starts[0], starts[-1], len(starts)), (0, 700, 101))
        self.assertEqual(starts, sorted(starts))

    def test_an_argument_of_no_form_is_refused(self):
        with self.assertRaisesRegex(ValueError, "wrods:4: expected u32, f32, fill, zeros, words"):
            inputs.content("wrods:4", 0)

    def test_a_launch_that_was_not_measured_is_refused_by_name(self):
        done = subprocess.run([TOP / "scripts/chip", "--launches", "nosuch"], check=False, text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("'nosuch' is not in", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
