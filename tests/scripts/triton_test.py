#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""shflsim.triton with kernels that Triton compiled and the buffers of tests/data/triton. Triton itself is
not needed: this test asks of the driver what Triton 3.6 asks of it."""
import configparser
import ctypes
import importlib
import os
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parent.parent.parent
DATA = TOP / "tests/data/triton"
SHFLSIM = os.environ.get("SHFLSIM", str(TOP / "build/release/shflsim"))


def call(words):
    done = subprocess.run([SHFLSIM, *words], check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout, done.stderr


class Tensor:
    def __init__(self, content, offset=0):
        self.memory = ctypes.create_string_buffer(content, len(content))
        self.nbytes, self.offset = len(content), offset

    def data_ptr(self):
        return ctypes.addressof(self.memory) + self.offset

    def untyped_storage(self):
        return types.SimpleNamespace(nbytes=lambda: self.nbytes)

    def storage_offset(self):
        return self.offset // 4

    @staticmethod
    def element_size():
        return 4


def launch_of(kernel):
    """The section of launches.ini, a tensor or a number for each argument, and the expected buffers."""
    text = (DATA / "launches.ini").read_text()
    [section] = [each for each in text.split("[launch]") if f"kernel = {kernel}\n" in each]
    reader = configparser.ConfigParser()
    reader.read_string("[launch]\n" + section)
    values = reader["launch"]
    arguments = []
    for word in values["args"].split(", "):
        name, _, what = word.rpartition("=")
        arguments.append(Tensor((DATA / what[len("file:"):]).read_bytes()) if name else int(word.split(":")[1]))
    expected = [(DATA / each.split(":")[1]).read_bytes() for each in values["expect"].split(", ")]
    return values, arguments, expected


class Triton(unittest.TestCase):
    def setUp(self):
        self.driver = types.SimpleNamespace(active=None)
        self.driver.set_active = lambda made: setattr(self.driver, "active", made)
        compiler = types.ModuleType("triton.backends.compiler")
        compiler.GPUTarget = lambda backend, arch, warp_size: (backend, arch, warp_size)
        runtime = types.ModuleType("triton.runtime")
        runtime.driver = self.driver
        native = types.ModuleType("shflsim._native")
        native.call = call
        sys.modules.update({"triton": types.ModuleType("triton"), "triton.runtime": runtime,
                            "triton.backends": types.ModuleType("triton.backends"),
                            "triton.backends.compiler": compiler, "shflsim._native": native})
        sys.path.insert(0, str(TOP / "packaging/python"))
        self.module = importlib.import_module("shflsim.triton")
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def launch(self, model, kernel, arguments, hooks=(None, None)):
        """Launches like Triton's JITFunction: the types are those of the signature, which includes constants."""
        values, given, expected = launch_of(kernel)
        given = arguments(given)
        types_ = ["*fp32" if isinstance(each, Tensor) else "i32" for each in given[:-2]] + ["constexpr"]
        metadata = types.SimpleNamespace(num_warps=int(values["block"]) // 32, num_ctas=1,
                                         shared=int(values["shared"]), name=kernel)
        source = types.SimpleNamespace(signature={str(i): each for i, each in enumerate(types_)})
        cubin = (DATA / values["code"]).read_bytes()
        _, function, *_ = model.utils.load_binary(kernel, cubin, metadata.shared, 0)
        grid = [int(each) for each in values["grid"].split(",")] + [1, 1]
        model.launcher_cls(source, metadata)(*grid[:3], 0, function, metadata, "about", *hooks, *given[:-2], 64)
        return given, expected

    def test_a_kernel_changes_the_tensors_as_on_a_gpu_and_is_timed(self):
        model = self.module.use(arch=90)
        self.assertIs(self.driver.active, model)
        self.assertEqual(model.get_current_target(), ("cuda", 90, 32))
        said = []
        given, expected = self.launch(model, "reduce_sum", lambda given: given,
                                      (lambda about: said.append(about), lambda about: said.append("after")))
        for tensor, content in zip(given, expected):
            self.assertEqual(tensor.memory.raw, content)
        self.assertEqual(said, ["about", "after"])
        self.assertGreater(model.launches[0]["totals"]["cycles"], 100)

    def test_launches_are_recorded_as_launch_files_that_hold(self):
        folder = Path(self.folder.name) / "launches"
        model = self.module.use(record=folder)
        for kernel in ("reduce_sum", "layer_norm"):
            self.launch(model, kernel, lambda given: given)
        files = sorted(folder.glob("*.ini"))
        self.assertEqual([file.name for file in files], ["launch0001.ini", "launch0002.ini"])
        for file in files:
            self.assertIn("expect = ", file.read_text())
            status, printed, said = call(["run", "--launch", str(file)])
            self.assertEqual(status, 0, said)
        broken = files[0].read_text().replace("grid = 4", "grid = 3")
        files[0].write_text(broken)
        self.assertEqual(call(["run", "--launch", str(files[0])])[0], 1)
        with self.assertRaisesRegex(ValueError, "is not empty"):
            self.module.use(record=folder)

    def test_a_view_is_passed_as_a_place_in_its_storage(self):
        model = self.module.use()

        def shifted(given):
            content = given[1].memory.raw
            return [given[0], Tensor(b"\xee" * 256 + content, 256), *given[2:]]
        given, expected = self.launch(model, "reduce_sum", shifted)
        self.assertEqual(given[1].memory.raw, b"\xee" * 256 + expected[1])


if __name__ == "__main__":
    unittest.main()
