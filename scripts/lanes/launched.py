# SPDX-License-Identifier: Apache-2.0
"""Launches kernels with made arguments: each launch runs to its end, or has a reason why it did not."""
import hashlib
import json
import re
import subprocess
import sys
import threading
import time
import zlib
from collections import Counter

from lanes import made
from lanes.profile import moves_of
from paging import page

MOST_FAILED = 4  # kernels of a family that fail with every shape; later kernels are tried with one shape
SHARED_KIB = {75: 64, 80: 163, 86: 99, 89: 99, 90: 227, 100: 227, 120: 99}
ITSELF = "the kernel itself:"  # begins a reason that lies in the kernel
TIMEOUT = 120  # seconds for a launch


def reason_of(errors):
    """The first line of the reason why a kernel does not end, without its name and places."""
    line = (errors.strip().splitlines() or ["killed"])[0]
    line = re.sub(r"^.*?: ERROR: CUDA kernel \w+ has", f"{ITSELF} has", line)
    line = re.sub(r"^kernel '[^']*'[^)]*\)+:? ?", "", re.sub(r"\([^)]*\[[^)]*\)", "()", line))
    line = re.sub(r"block \d+, warp \d+(, lane \d+)?: ", "", line)
    return re.sub(r"0x[0-9a-f]+|\b\d+\b", "N", line.split("; expected")[0])[:100]


def argument(word, folder):
    """A made argument in the form of `run --arg`."""
    kind, _, rest = word.partition(":")
    if kind not in ("bytes", "values"):
        return word
    path = folder / f"{kind}.{hashlib.sha256(rest.encode()).hexdigest()[:16]}"
    if not path.exists():
        part = folder / f"{path.name}.{threading.get_ident()}"
        part.write_bytes(bytes.fromhex(rest) if kind == "bytes" else made.contents(int(rest)))
        part.rename(path)
    return f"{'bytes' if kind == 'bytes' else 'file'}:{path}"


def sum_of(path):
    found = f"{zlib.crc32(path.read_bytes()):08x}"
    path.unlink()
    return found


def tried(kernel, shape, given, folder):
    """Launches the kernel with this shape; returns whether it ended."""
    limit = SHARED_KIB.get(int(re.sub(r"\D", "", kernel.arch) or 0), 48) * 1024 - 1024
    shared = max(0, limit - kernel.shared)
    words, written = made.arguments(kernel.demangled, kernel.sizes, shape, given.bytes)
    view = folder / f"{id(kernel)}.lanes"
    saved = {place: folder / f"{id(kernel)}.{place}" for place in written}
    command = [page.program(), "run", kernel.path, "--kernel", kernel.name, "--grid", shape.grid, "--block", shape.block,
               "--shared", str(shared), "--max-instructions", str(given.most * shape.patience), "--no-verdict", "--quiet",
               "--view", f"lanes:{view}", *(["--arch", kernel.arch] if kernel.arch else []),
               *(part for word in words for part in ("--arg", argument(word, folder))),
               *(part for place, path in saved.items() for part in ("--save", f"{place}:{path}"))]
    try:
        done = subprocess.run(command, text=True, capture_output=True, timeout=TIMEOUT, check=False, errors="replace")
    except subprocess.TimeoutExpired:
        kernel.outcome = f"more than {TIMEOUT} s"
        return False
    if done.returncode:
        if kernel.outcome == "not launched":
            kernel.outcome = reason_of(done.stderr)
        return False
    kernel.outcome, kernel.shape = "executed", f"{shape.block} threads, N = {shape.number}"
    kernel.shape += f", {shape.grid} blocks" if shape.grid != "2" else ""
    kernel.executed = moves_of(view.read_text())
    view.unlink()
    kernel.launch = {"grid": shape.grid, "block": shape.block, "shared": shared, "arguments": words,
                     "left": {place: sum_of(path) for place, path in saved.items()}}
    return True


def launch(kernel, given, folder, known):
    """Launches the kernel with one shape after the other until a launch ends. `known` has, for each family, the last
    shape that worked and the number of its kernels for which no shape did."""
    shapes = made.shapes(kernel.bound)
    place, failed = known.get(kernel.family, (0, 0))
    place %= len(shapes)
    others = [other for other in range(len(shapes)) if other != place] if failed < MOST_FAILED else []
    for each in (place, *others):
        if tried(kernel, shapes[each], given, folder):
            known[kernel.family] = each, 0
            return
        if kernel.outcome.startswith(ITSELF):  # with any shape
            return
    known[kernel.family] = place, known.get(kernel.family, (0, 0))[1] + 1


def line_of(kernel):
    """The line of launches.jsonl for a launch."""
    return json.dumps({"code": kernel.path.stem, "kernel": kernel.name, "outcome": kernel.outcome, "shape": kernel.shape,
                       "moves": kernel.executed, **kernel.launch}) + "\n"


def take(kernel, line):
    kernel.outcome, kernel.shape, kernel.executed = line["outcome"], line["shape"], Counter(line["moves"])
    kernel.launch = {key: line[key] for key in ("grid", "block", "shared", "arguments", "left") if key in line}


def launch_all(wanted, given, folder, pool):
    """Launches kernels, writes a line of launches.jsonl for each, and prints the progress every minute."""
    path, known, lock = given.output / "launches.jsonl", {}, threading.Lock()
    before = {}
    if given.resume and path.exists():
        lines = [json.loads(text) for text in path.read_text().splitlines() if text.endswith("}")]  # all complete lines
        before = {(line["code"], line["kernel"]): line for line in lines}
    last, done = [time.monotonic()], [0]
    with path.open("a" if before else "w") as stream:
        def one(kernel):
            line = before.get((kernel.path.stem, kernel.name))
            if line:
                take(kernel, line)
            else:
                launch(kernel, given, folder, known)
                with lock:
                    stream.write(line_of(kernel))
                    stream.flush()
            with lock:
                done[0] += 1
                if time.monotonic() - last[0] > 60:
                    last[0] = time.monotonic()
                    print(f"corpus: {done[0]} of {len(wanted)} kernels launched", file=sys.stderr, flush=True)

        list(pool.map(one, wanted))
