#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run and compare give the same cycles for every input in the tree, on every machine."""
import json
import os
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
SHFLSIM = os.environ.get("SHFLSIM", str(TOP / "build/release/shflsim"))
CONFIGS = [each["config"] for each in json.loads(subprocess.run(
    [SHFLSIM, "list", "configs", "--format", "json"], check=True, text=True,
    stdout=subprocess.PIPE).stdout)["configs"]]
ARGUMENTS = ["--grid", "2", "--block", "128", "--arg", "fill:4096:5a", "--arg", "fill:4096:cd",
             "--arg", "u32:256"]
REGION = ["--region", "clock", "--warps", "4", "--kernel", "mix_shfl_ffma_1_1"]


def inputs():
    """Every file that can be run, with the options that it needs."""
    for path in sorted((TOP / "traces").glob("*.sass")) + sorted((TOP / "traces/suite").iterdir()):
        if "kernels" not in path.name:
            yield [path]
    for path in sorted((TOP / "tests/data/accel_sim").glob("*.traceg*")):
        yield [path]
    for path in sorted((TOP / "tests/data/shft").glob("*.shft")):
        yield [path]
    yield [TOP / "tests/data/accel_sim/kernelslist.g:kernel-1"]
    yield [TOP / "tests/data/h200/bench.sm90.cuobjdump.txt.gz", *REGION]
    for kernel in ("reduce_xor", "bitonic_sort", "grid_stride_dot"):
        for file in ("traces/kernels.sm50.sass", "tests/data/sm50/kernels.nvdisasm.txt.gz",
                     "traces/kernels.cubin"):
            yield [TOP / file, "--kernel", kernel, *ARGUMENTS]
    for name in ("cub.cubin.gz", "cub.ptx.gz"):
        yield [TOP / "tests/data/corpus" / name, "--kernel", "cub_block_reduce_warps", *ARGUMENTS]


def program(*arguments):
    return subprocess.run([SHFLSIM, *map(str, arguments)], check=False, text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def written(*arguments):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        run = program(*arguments, "--json", file.name)
        return json.loads(Path(file.name).read_text()) if run.returncode == 0 else run.stderr


class Agreement(unittest.TestCase):
    def agrees(self, call):
        own = written("run", *call)
        self.assertIsInstance(own, dict, f"{call}: {own}")
        point = written("compare", *call)["points"][0]
        for key, value in own["totals"].items():
            self.assertEqual(point[key], value, f"{call}: {key}")

        every = [word for config in CONFIGS for word in ("--config", config)]
        points = written("compare", *call, *every)["points"]
        cycles = [written("run", *call, "--config", config)["totals"]["cycles"]
                  for config in CONFIGS]
        self.assertEqual([point["cycles"] for point in points], cycles, call)

    def test_run_and_compare_agree_on_every_input_in_the_tree_and_every_machine(self):
        calls = list(inputs())
        self.assertGreater(len(calls), 40)
        with ThreadPoolExecutor(2) as threads:
            for done in [threads.submit(self.agrees, call) for call in calls]:
                done.result()


if __name__ == "__main__":
    unittest.main()
