#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""explorer/page.py SHFLSIM SHUFFLE.js PAGE.html

Puts the explorer's page together: its HTML, style and scripts, the model that emscripten made, and the
parameters that the networks have on every shipped machine, as SHFLSIM lists them."""
import json
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent / "page"
SCRIPTS = ("request.js", "families.js", "picture.js", "main.js")
SECTIONS = ("shuffle.", "technology.")


def listed(shflsim, topic, *more):
    done = subprocess.run([shflsim, "list", topic, *more, "--format", "json"], check=True,
                          stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)[topic]


def machine(shflsim, row):
    values = listed(shflsim, "config", "--config", row["config"])
    return {"chip": row["chip"],
            "values": {each["key"]: each["value"] for each in values if each["key"].startswith(SECTIONS)}}


def main(shflsim, model, page):
    machines = {row["config"]: machine(shflsim, row) for row in listed(shflsim, "configs")}
    text = (PAGE / "index.html").read_text()
    parts = {"/*@style*/": (PAGE / "style.css").read_text(),
             "/*@model*/": Path(model).read_text(),
             "/*@machines*/null": json.dumps(machines, separators=(",", ":")),
             "/*@script*/": "".join((PAGE / name).read_text() for name in SCRIPTS)}
    for mark, part in parts.items():
        if text.count(mark) != 1 or "</script" in part:
            sys.exit(f"explorer/page.py: {mark} cannot be put into the page")
    for mark in sorted(parts, key=text.index, reverse=True):
        text = text.replace(mark, parts[mark])
    Path(page).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
