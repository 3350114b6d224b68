# SPDX-License-Identifier: Apache-2.0
"""`scripts/corpus` on code of the tree: its counts match the code, and its launches end or have a reason."""
import csv
import hashlib
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
SCRIPT = TOP / "scripts/corpus"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOP / "scripts"))
from lanes import launched, made


def rows_of(path):
    with path.open() as rows:
        return list(csv.DictReader(rows))


class Corpus(unittest.TestCase):
    def test_counts_and_launches_the_kernels_of_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            code, out = Path(folder) / "code", Path(folder) / "out"
            (code / "inner").mkdir(parents=True)
            cubin = (TOP / "tests/data/compilers/sum.ptxas130.sm90.cubin.gz").read_bytes()
            (code / "inner/sum.cubin.gz").write_bytes(cubin)
            (code / "text.txt").write_text("no code\n")
            done = subprocess.run([SCRIPT, code, "-o", out, "-j", "1"], text=True, capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, (out / "corpus.md").read_text())
            (row,) = rows_of(out / "kernels.csv")
            self.assertEqual((row["family"], row["use"], row["shuffles"], row["launch"], row["shape"]),
                             ("sum", "executed", "5", "executed", "32,4 threads, N = 256"))
            moves = "".join(f"1 bfly {mask:#x} 0x1f\n" for mask in (1, 16, 2, 4, 8))
            self.assertEqual((out / "static.lanes").read_text(),
                             f"lanes 1\nsource {code}\nhash sha256 {hashlib.sha256(cubin).hexdigest()} sum.cubin.gz\n"
                             f"arch sm_90\ncounted static\nwidth 32\nfamily sum 1\n{moves}total 5\n")
            executed = (out / "executed.lanes").read_text()
            self.assertEqual(executed.splitlines()[6], "family sum 1")
            self.assertEqual(len(re.findall(r"^\d+ bfly 0x(?:1|2|4|8|10) 0x1f before=", executed, re.M)), 5, executed)

    def test_types_are_those_of_a_kernels_name(self):
        self.assertEqual(made.types_of("void f<g<1, 2>, 3>(int const*, h<4, 5>, void (*)(int), float)"),
                         ["int const*", "h<4, 5>", "void (*)(int)", "float"])
        self.assertEqual(made.types_of("f()"), [""])
        self.assertEqual(made.types_of("name"), [])

    def test_a_reason_is_the_same_for_the_same_fault_elsewhere(self):
        reasons = {launched.reason_of(f"kernel 'k{n}' at 0x12{n}0 (STG.E.64 [R{n}.64], R46): block {n}, warp 2, lane 0: 8 "
                                    f"bytes at address 0x70230{n}, outside every buffer; expected less")
                   for n in range(3)}
        self.assertEqual(reasons, {"N bytes at address N, outside every buffer"})

    def test_without_kernels_it_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([SCRIPT, folder, "-o", folder], text=True, capture_output=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("no kernels; expected code that", done.stderr)


if __name__ == "__main__":
    unittest.main()
