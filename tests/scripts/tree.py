# SPDX-License-Identifier: Apache-2.0
"""Small source trees, on which the scripts that check the tree are tested."""
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def output_of(script, files, before=(), after=()):
    """Status and standard output of `scripts/SCRIPT BEFORE TOP AFTER` for a tree of these files."""
    with tempfile.TemporaryDirectory() as top:
        for name, text in files.items():
            path = Path(top) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, str(SCRIPTS / script), *before, top, *after],
                              check=False, text=True, stdout=subprocess.PIPE)
        return done.returncode, done.stdout
