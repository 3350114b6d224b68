# SPDX-License-Identifier: Apache-2.0
"""scripts/plot: what it computes from the points of a sweep."""
import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from plotting import compute, results  # noqa: E402


def points(rows):
    """Of a kernel, a network, lanes and cycles each."""
    keys = ["kernel", "network", "lanes", "cycles"]
    return [dict(zip(keys, row)) for row in rows]


class Computed(unittest.TestCase):
    KEYS = ["kernel", "network", "lanes"]
    WHOLE = points([("a", "x", 8, 400), ("a", "x", 32, 100), ("a", "y", 8, 90), ("a", "y", 32, 90),
                    ("b", "x", 8, 50), ("b", "x", 32, 50), ("b", "y", 8, 80), ("b", "y", 32, 20)])

    def test_a_speedup_is_the_mean_ratio_of_points_that_differ_in_nothing_else(self):
        bars, means, used = compute.speedups(self.WHOLE, ["kernel", "network"], "lanes", 8)
        self.assertEqual(bars, {"a": {8: 1, 32: 2}, "b": {8: 1, 32: 2}})
        self.assertEqual((means, used), ({8: 1, 32: 2}, 8))
        bars, means, _ = compute.speedups(self.WHOLE[:4], ["kernel", "network"], "lanes", 32)
        self.assertEqual((bars, means), ({"a": {8: 0.5, 32: 1}}, {8: 0.5, 32: 1}))

    def test_a_point_without_its_like_is_in_no_mean(self):
        without = [point for point in self.WHOLE if point["cycles"] != 400]
        bars, means, used = compute.speedups(without, ["kernel", "network"], "lanes", 8)
        self.assertEqual(bars["a"], {8: 1, 32: 1})
        self.assertAlmostEqual(means[32], math.sqrt(2))
        self.assertEqual(used, 6)

    def test_a_kernel_without_one_of_the_values_is_not_in_the_mean(self):
        more = self.WHOLE + points([("c", "x", 8, 30), ("c", "x", 16, 10), ("d", "x", 8, 7)])
        bars, means, used = compute.speedups(more, ["kernel", "network"], "lanes", 8)
        self.assertEqual((list(bars), means, used), (["a", "b", "c"], {}, 10))
        self.assertAlmostEqual(bars["c"][16], 3)
        bars, means, _ = compute.speedups(more[:8] + more[10:], ["kernel", "network"], "lanes", 8)
        self.assertEqual((list(bars), means), (["a", "b"], {8: 1, 32: 2}))

    def test_a_design_stands_at_the_mean_over_its_kernels(self):
        found, named, means, used = compute.designs(self.WHOLE, self.KEYS, "cycles", "lanes")
        self.assertEqual(named, ["network", "lanes"])
        self.assertEqual((means, used), (["geometric mean"] * 2, 8))
        expected = [("x, 8", 20000 ** 0.5, 8), ("x, 32", 5000 ** 0.5, 32),
                    ("y, 8", 7200 ** 0.5, 8), ("y, 32", 1800 ** 0.5, 32)]
        for (name, x, y), (its_name, its_x, its_y) in zip(found, expected):
            self.assertEqual(name, its_name)
            self.assertAlmostEqual(x, its_x)
            self.assertAlmostEqual(y, its_y)

    def test_the_frontier_is_what_nothing_beats(self):
        found = [("a", 1, 9), ("b", 2, 9), ("c", 3, 5), ("d", 3, 5), ("e", 4, 6), ("f", 9, 1)]
        self.assertEqual([name for name, _, _ in compute.frontier(found, "cycles", "mux2")],
                         ["a", "c", "d", "f"])
        self.assertEqual([name for name, _, _ in compute.frontier(found, "ipc", "mux2")], ["f"])
        self.assertEqual([name for name, _, _ in compute.frontier(found, "cycles", "ipc")], ["a"])

    def test_a_cell_is_the_mean_of_what_every_cell_has(self):
        cells, mean, used = compute.heat_cells(self.WHOLE, ["network"], "kernel", "lanes", "cycles")
        self.assertEqual((mean, used), ("geometric mean", 8))
        self.assertAlmostEqual(cells["b", 32], math.sqrt(1000))
        cells, _, used = compute.heat_cells(self.WHOLE[1:], ["network"], "kernel", "lanes", "cycles")
        self.assertAlmostEqual(cells["b", 32], 20)
        self.assertEqual(used, 4)

    def test_the_mean_is_arithmetic_where_something_is_0(self):
        some = points([("a", "x", 8, 0), ("b", "x", 8, 3)])
        cells, mean, _ = compute.heat_cells(some, ["kernel"], "network", "lanes", "cycles")
        self.assertEqual((cells, mean), ({("x", 8): 1.5}, "arithmetic mean"))

    def test_sensitivity_is_the_mean_ratio_to_the_first_value(self):
        lines = compute.sensitivity(self.WHOLE, self.KEYS, "cycles")
        self.assertEqual([keys for keys, _ in lines], [["network"], ["lanes"]])
        (_, first), (_, network) = lines[0][1]
        self.assertEqual(first, 1)
        self.assertAlmostEqual(network, (90 / 400 * 90 / 100 * 80 / 50 * 20 / 50) ** 0.25)
        self.assertAlmostEqual(lines[1][1][1][1], 0.5)

    def test_axes_of_one_zip_are_one_line(self):
        zipped = [{"kernel": "a", "depth": depth, "queue": depth // 4, "cycles": 100 // depth}
                  for depth in (4, 8)]
        lines = compute.sensitivity(zipped, ["kernel", "depth", "queue"], "cycles")
        self.assertEqual(lines, [(["depth", "queue"], [((4, 1), 1), ((8, 2), 0.48)])])

    def test_stall_shares_are_of_all_warp_cycles(self):
        some = [{"kernel": kernel, "lanes": 8, "wait": wait, "misc": misc, "drain": 0}
                for kernel, wait, misc in (("a", 994, 6), ("b", 1000, 0))]
        shares, used = compute.stall_shares(some, ["kernel"], "lanes", ["wait", "misc", "drain"])
        self.assertEqual((shares, used), ({8: {"wait": 0.997, "misc": 0.003, "drain": 0}}, 2))
        self.assertEqual(compute.without_small(shares), {8: {"wait": 0.997, "other": 0.003}})

    def test_where_is_what_a_sweep_excludes_by(self):
        point = {"lanes": 8, "network": "half_inputs"}
        for text, fulfils in (("lanes = 8", True), ("lanes != 8", False), ("lanes < 9", True),
                              ("network = half_*", True), ("network = x or lanes >= 8", True),
                              ("lanes > 4 and network != half_inputs", False), ("", True)):
            self.assertEqual(results.condition_of(text, list(point))[1](point), fulfils, text)


if __name__ == "__main__":
    unittest.main()
