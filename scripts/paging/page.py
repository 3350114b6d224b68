# SPDX-License-Identifier: Apache-2.0
"""Functions shared by the scripts that write pages of docs/."""
import json
import os
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent


def program():
    """The path of shflsim: SHFLSIM, or else the release build."""
    path = os.environ.get("SHFLSIM", str(TOP / "build/release/shflsim"))
    if not os.access(path, os.X_OK):
        sys.exit(f"{path} is not there; expected a build: "
                 "cmake --preset release && cmake --build --preset release")
    return path


def output_of(*command):
    return subprocess.run(command, check=True, text=True, cwd=TOP, stdout=subprocess.PIPE).stdout


def result_of(*arguments):
    """The JSON output of shflsim."""
    return json.loads(output_of(program(), *arguments, "--quiet", "--format", "json"))


def table(heads, rows):
    """A Markdown table whose first column has words and whose other columns have numbers."""
    lines = [heads, ["---"] + ["--:"] * (len(heads) - 1), *rows]
    return "\n".join("|" + "|".join(cells) + "|" if cells is lines[1]
                     else "| " + " | ".join(cells) + " |" for cells in lines)


def filled(name, parts):
    """docs/NAME.in.md, with {part} replaced by the text of each part."""
    text = (TOP / f"docs/{name}.in.md").read_text()
    for part, its in parts.items():
        text = text.replace("{" + part + "}", its)
    return text


def write(usage, files):
    """Writes the files of docs/, given as texts by name. With --check, exits with 1 if a file in the tree differs."""
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(usage)
    for name, text in files().items():
        path = TOP / "docs" / name
        if not sys.argv[1:]:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"docs/{name} is out of date; expected what scripts/{Path(sys.argv[0]).name} writes")
