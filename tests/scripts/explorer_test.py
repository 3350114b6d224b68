#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sources from which the explorer's page is compiled exist and include nothing that emscripten lacks,
and all parts of the page are put into it."""
import re
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
# Library headers that explorer/CMakeLists.txt passes to emscripten.
HANDED = ("fmt/", "nlohmann/", "xxhash.h")
# Headers that CMake writes.
GENERATED = {TOP / "isa/codec/op_names.inc"}


def sources():
    text = (TOP / "explorer/sources.cmake").read_text()
    for folder in ("isa", "report"):
        for name in re.search(rf"set\({folder} ([^)]*)\)", text)[1].split():
            yield TOP / folder / f"{name}.cc"
    yield TOP / "model/core/parameter.cc"
    yield from (TOP / "isa/families").glob("*.cc")
    yield from (TOP / "explorer").glob("*.cc")
    for path in (TOP / "model/shuffle").rglob("*.cc"):
        if path.name != "shuffle_unit.cc":
            yield path


def included(paths):
    """The includes of each of these files and of the headers that they include, by path."""
    seen, todo = {}, list(paths)
    while todo:
        path = todo.pop()
        if path in seen or path in GENERATED:
            continue
        seen[path] = re.findall(r'^#include (<[^>]+>|"[^"]+")', path.read_text(), re.MULTILINE)
        todo += [TOP / name.strip('"') for name in seen[path] if name.startswith('"')]
    return seen


class Explorer(unittest.TestCase):
    def test_its_sources_need_no_library_but_those_that_emscripten_is_handed(self):
        for path, names in included(sources()).items():
            for name in names:
                library = name.strip("<>")
                if name.startswith("<") and ("/" in library or library.endswith(".hpp")
                                             or library in ("systemc", "systemc.h", "zstd.h", "zlib.h")):
                    self.assertTrue(library.startswith(HANDED) or library.startswith("sys/"),
                                    f"{path.relative_to(TOP)} includes {name}")

    def test_its_sources_are_there(self):
        paths = set(sources())
        self.assertGreater(len(paths), 50)
        for path in paths:
            self.assertTrue(path.is_file(), path)

    def test_the_page_names_each_part_once(self):
        text = (TOP / "explorer/page/index.html").read_text()
        marks = re.findall(r"/\*@\w+\*/", text)
        self.assertEqual(sorted(marks), ["/*@machines*/", "/*@model*/", "/*@script*/", "/*@style*/"])
        scripts = re.search(r"SCRIPTS = \((.*)\)", (TOP / "explorer/page.py").read_text())[1]
        self.assertEqual(sorted(re.findall(r"\w+\.js", scripts)),
                         sorted(path.name for path in (TOP / "explorer/page").glob("*.js")))


if __name__ == "__main__":
    unittest.main()
