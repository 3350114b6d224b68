# SPDX-License-Identifier: Apache-2.0
"""Runs a probe's kernel as one block of the model: left() gives what it leaves in its second buffer."""
import gzip
import os
import subprocess
import tempfile
from pathlib import Path

SHFLSIM = os.environ["SHFLSIM"]


def left(packed_cubin, kernel, warps, memory, numbers, options=()):
    """What `kernel`(zeros of `memory` bytes, zeros of 4096 bytes, numbers...) leaves in the 4096 bytes."""
    with tempfile.TemporaryDirectory() as name:
        cubin, out = Path(name) / "probe.cubin", Path(name) / "left.bin"
        cubin.write_bytes(gzip.decompress(packed_cubin.read_bytes()))
        values = [f"fill:{memory}:00", "fill:4096:00", *(f"u32:{number}" for number in numbers)]
        subprocess.run([SHFLSIM, "run", cubin, "--kernel", kernel, "--block", str(32 * warps), "--config", "h200", "--save", f"1:{out}",
                        "--quiet", "--no-verdict", *(word for value in values for word in ("--arg", value)), *options], check=True,
                       stdout=subprocess.DEVNULL)
        return out.read_bytes()
