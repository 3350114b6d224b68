#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command on files of compilers and tools (tests/data/compilers/files.tsv): either each command accepts
a file and the words are right, or each refuses it with the same words."""
import os
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
DATA = TOP / "tests/data"
SHFLSIM = os.environ.get("SHFLSIM", str(TOP / "build/release/shflsim"))


def rows():
    for line in (DATA / "compilers/files.tsv").read_text().splitlines():
        if not line.startswith("#"):
            file, options, argument, expected = line.split("\t")
            yield DATA / file, options.split(), argument, expected


def is_words(expected):
    return all(len(word) == 8 and set(word) <= set("0123456789abcdef") for word in expected.split())


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.out = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def shflsim(self, *words):
        return subprocess.run([SHFLSIM, *map(str, words)], check=False, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def takes(self, *words):
        done = self.shflsim(*words)
        self.assertIn(done.returncode, (0, 1) if words[0] == "check" else (0,), f"{words}: {done.stderr}")
        return done

    def test_every_command_takes_what_is_executed(self):
        for file, options, argument, expected in rows():
            if not is_words(expected):
                continue
            with self.subTest(file=file.name):
                saved = self.out / "out.bin"
                trace = self.out / "out.shft"
                self.takes("list", "kernels", file)
                self.takes("disasm", file)
                self.takes("run", file, *options, "--save", f"{argument}:{saved}", "-q")
                words = struct.unpack("<4I", saved.read_bytes()[:16])
                self.assertEqual(expected, f"{words[0]:08x} {words[3]:08x}")
                self.takes("check", file, *options)
                self.takes("compare", file, *options, "--network", "crossbar,butterfly")
                self.takes("trace", "record", file, *options, "-o", trace)
                self.takes("run", trace, "-q")

    def test_what_cannot_be_executed_is_refused_with_the_same_words_by_each(self):
        for file, options, _, expected in rows():
            if is_words(expected):
                continue
            for command in (["run"], ["check"], ["compare"], ["trace", "record"]):
                with self.subTest(file=file.name, command=command):
                    more = ["-o", self.out / "x.shft"] if command[0] == "trace" else []
                    done = self.shflsim(*command, file, *options, *more)
                    self.assertEqual(done.returncode, 2, done.stdout)
                    self.assertTrue(any(words in done.stderr for words in expected.split("|")), done.stderr)
                    self.assertFalse((self.out / "x.shft").exists())


if __name__ == "__main__":
    unittest.main()
