# SPDX-License-Identifier: Apache-2.0
"""scripts/lab/lowering: PTX lowered here compared with ptxas' code for it, and invalid input."""
import gzip
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
DATA = TOP / "tests/data"


def run(*words):
    done = subprocess.run([TOP / "scripts/lab/lowering", *words], check=False, text=True,
                          capture_output=True)
    return done.returncode, done.stdout, done.stderr


def ratios(stem):
    """Median and worst ratio of cycles, median ratio of instructions, and the number of kernels."""
    status, out, errors = run(*(f"{DATA / stem}{end}" for end in (".ptx.gz", ".cubin.gz", ".names.txt")))
    assert status == 0, errors
    last = re.fullmatch(r"cycles: median (\S+), worst (\S+); instructions: median (\S+) \((\d+) kernels\)",
                        out.splitlines()[-1])
    return tuple(map(float, last.groups()))


class Lowering(unittest.TestCase):
    def test_code_costs_what_that_of_ptxas_costs(self):
        bounds = {"sm50/kernels": (1.05, 1.20, 1.10, 16), "corpus/cub": (1.10, 1.35, 1.10, 24),
                  "corpus/cg": (1.10, 1.20, 1.05, 11), "corpus/math": (1.05, 1.35, 1.08, 35),
                  "corpus/control": (1.10, 1.35, 1.10, 37), "corpus/mem": (1.10, 1.20, 1.10, 32),
                  "corpus/unseen": (1.10, 1.45, 1.10, 41)}
        for stem, (median, worst, instructions, count) in bounds.items():
            with self.subTest(stem):
                found = ratios(stem)
                self.assertLessEqual(found[0], median)
                self.assertLessEqual(found[1], worst)
                self.assertLessEqual(found[2], instructions)
                self.assertEqual(found[3], count)

    def test_kernels_that_are_refused_are_named(self):
        corpus = DATA / "corpus/control"
        text = gzip.decompress(Path(f"{corpus}.ptx.gz").read_bytes()).decode()
        before, kernel = text.split(".entry call_noinline(")
        with tempfile.TemporaryDirectory() as folder:
            ptx, names = Path(folder) / "a.ptx", Path(folder) / "names.txt"
            ptx.write_text(before + ".entry call_noinline(" + kernel.replace("ret;", "tex;", 1))
            names.write_text("call_noinline\nbar_reduce\n")
            status, out, errors = run(ptx, f"{corpus}.cubin.gz", names)
        self.assertEqual(status, 0, errors)
        self.assertIn("call_noinline is refused\n", out)
        self.assertIn("(1 kernels)", out)

    def test_too_few_words_are_an_error(self):
        self.assertEqual(run("a.ptx"), (2, "", "usage: scripts/lab/lowering PTX CUBIN NAMES\n"))


if __name__ == "__main__":
    unittest.main()
