# SPDX-License-Identifier: Apache-2.0
"""The program as a process, where its objects were not built into a module of Python."""
import os
import shutil
import subprocess
from pathlib import Path


def _path():
    """$SHFLSIM, the build of the checkout that this file is in, or the program on the path."""
    built = Path(__file__).resolve().parents[3] / "build/release/shflsim"
    path = os.environ.get("SHFLSIM") or (str(built) if built.exists() else shutil.which("shflsim"))
    if path is None:
        raise ImportError("shflsim: no program on the path; expected a build, or $SHFLSIM")
    return path


_PROGRAM = _path()


def call(words):
    """Its exit status, and the bytes of its output and of its errors."""
    done = subprocess.run([_PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return status, done.stdout, done.stderr
