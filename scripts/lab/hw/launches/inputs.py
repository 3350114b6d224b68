# SPDX-License-Identifier: Apache-2.0
"""The launches of this folder: their cubins, and for each a launch file of shflsim with the bytes that it is given.

The line `//@ KERNEL grid=X block=X [shared=BYTES] [cooperative] [buffers: NAME=BUFFER, ...] args: ARGUMENT, ...` is
before each kernel; files *.launches have lines `#@ NAME=KERNEL ...` for cubins NAME. An argument is u32:N, u64:N, f32:X, the NAME of a buffer, map:... as a launch file has it, or a buffer: fill:BYTES:HEX or zeros:BYTES; words:N, below:N:LIMIT, counting:N,
permutation:N, rising:N (32 bits each); floats:N, positives:N, halves:N, bfloats:N (0.125 to 2, all but positives of
both signs), float8s:N (of either 8-bit type, below 2); or one of a form that its function below describes. Random bits are those of Python's random.Random,
seeded by the place of the argument: the same on every machine.
"""
import gzip
import os
import random
import re
import sys
import threading
from array import array
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import build

FOLDER = Path(__file__).resolve().parent
LINE = re.compile(r"(?://|#)@ (\w+)(?:=(?P<kernel>\w+))? grid=(?P<grid>\S+) block=(?P<block>\S+)(?: shared=(?P<shared>\d+))?"
                  r"(?P<cooperative> cooperative)?(?: buffers: (?P<named>.*))? args: (?P<args>.*)")
PLAIN = ("u32:", "u64:", "f32:", "map:")


class Launch:
    """A line `//@`: the launch of a kernel of `source`."""

    def __init__(self, source, match):
        self.source, self.name, self.kernel = source, match[1], match["kernel"] or match[1]
        self.grid, self.block = match["grid"], match["block"]
        self.shared, self.cooperative = int(match["shared"] or 0), bool(match["cooperative"])
        self.named = dict(word.strip().split("=") for word in (match["named"] or "").split(",") if word)
        self.arguments = [word.strip() for word in match["args"].split(",")]

    def buffers(self):
        """Names of all buffers in the order of their creation: the named ones, then the arguments."""
        return [*self.named, *(f"b{place}" for place, word in enumerate(self.arguments)
                               if not word.startswith(PLAIN) and word not in self.named)]


def launches(folder=FOLDER):
    """All launches, in alphabetical order."""
    found = []
    for source in sorted([*folder.glob("*.cu"), *folder.glob("*.launches")]):
        for line in source.read_text().splitlines():
            match = LINE.fullmatch(line)
            if match:
                found.append(Launch(source.stem if source.suffix == ".cu" else match[1], match))
            elif line.startswith(("//@", "#@")):
                raise ValueError(f"{source.name}: {line}: expected //@ KERNEL grid=X block=X args: ...")
    return sorted(found, key=lambda launch: launch.name)


def chosen(names):
    """The half for choosing values: the first, third, fifth ... in alphabetical order. The rest is unseen."""
    return sorted(names)[0::2]


def masked(draw, count, width, kept, fixed):
    """`count` numbers of `width` bytes: random bits where `kept` has ones, combined with the bits of `fixed`."""
    repeat = lambda bits: int.from_bytes(bits.to_bytes(width, "little") * count, "little")
    bits = int.from_bytes(draw.randbytes(width * count), "little") & repeat(kept) | repeat(fixed)
    return bits.to_bytes(width * count, "little")


def below(draw, count, limit):
    words = array("I", draw.randbytes(4 * count))
    return array("I", [word * limit >> 32 for word in words]).tobytes()


def permutation(draw, count):
    words = list(range(count))
    draw.shuffle(words)
    return array("I", words).tobytes()


def ring(draw, count):
    """Words that each name the next word of one ring through all."""
    order = list(range(count))
    draw.shuffle(order)
    words = array("I", bytes(4 * count))
    for place, word in enumerate(order):
        words[word] = order[(place + 1) % count]
    return words.tobytes()


def rising(draw, count):
    return array("I", sorted(array("I", draw.randbytes(4 * count)))).tobytes()


def rowstarts(draw, rows, mean):
    """The rows + 1 starts of rows of 0 to 2 * mean words, rows * mean words in total."""
    lengths = [draw.randrange(2 * mean + 1) for _ in range(rows)]
    apart, row = rows * mean - sum(lengths), 0
    while apart:
        step = 1 if apart > 0 else -1
        if 0 <= lengths[row] + step <= 2 * mean:
            lengths[row] += step
            apart -= step
        row = (row + 7) % rows
    starts = array("I", [0])
    for length in lengths:
        starts.append(starts[-1] + length)
    return starts.tobytes()


def levels(draw, count):
    """Levels of a search: an eighth 0, an eighth 1, the others none yet."""
    return array("I", [byte % 8 if byte % 8 < 2 else 2**32 - 1 for byte in draw.randbytes(count)]).tobytes()


def tilestates(_draw, tiles):
    """CUB's ScanTileState<u32>: 32 tiles outside, the others not yet processed."""
    return bytes(8 * 32) + array("I", [99, 0] * tiles).tobytes()


def mix(x):  # launch.cuh
    x ^= x >> 16
    x = x * 0x7FEB352D & 0xFFFFFFFF
    x ^= x >> 15
    x = x * 0x846CA68B & 0xFFFFFFFF
    return x ^ x >> 16


def hashtable(_draw, places, limit):
    """A table of every second key below `limit`, with linear probing."""
    table = array("I", b"\xff" * (4 * places))
    for key in range(0, limit, 2):
        at = mix(key) % places
        while table[at] != 0xFFFFFFFF:
            at = (at + 1) % places
        table[at] = key
    return table.tobytes()


FORMS = {
    "words": lambda draw, count: draw.randbytes(4 * count),
    "floats": lambda draw, count: masked(draw, count, 4, 0x81FFFFFF, 0x3E000000),
    "positives": lambda draw, count: masked(draw, count, 4, 0x01FFFFFF, 0x3E000000),
    "halves": lambda draw, count: masked(draw, count, 2, 0x8FFF, 0x3000),
    "bfloats": lambda draw, count: masked(draw, count, 2, 0x81FF, 0x3E00),
    "float8s": lambda draw, count: masked(draw, count, 1, 0xBF, 0),
    "counting": lambda draw, count: array("I", range(count)).tobytes(),
    "edges": lambda draw, count, limit: below(draw, 2 * count, limit),
    "below": below, "permutation": permutation, "ring": ring, "rising": rising, "rowstarts": rowstarts,
    "these": lambda draw, *values: array("I", values).tobytes(), "levels": levels, "tilestates": tilestates, "hashtable": hashtable,
}


def content(argument, place):
    """The bytes of a buffer; None for a number or a constant fill."""
    form, *numbers = argument.split(":")
    if form in ("u32", "f32", "fill", "zeros"):
        return None
    if form not in FORMS:
        raise ValueError(f"{argument}: expected u32, f32, fill, zeros, {', '.join(FORMS)}")
    return FORMS[form](random.Random(place), *map(int, numbers))


def content_file(argument, place, folder):
    """The file with the bytes of a buffer, written if it is missing; None for a number or a constant fill."""
    path = folder / f"{argument.replace(':', '_')}.{place}.bin"
    if not path.exists():
        data = content(argument, place)
        if data is None:
            return None
        part = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}.part")
        part.write_bytes(data)
        part.rename(path)
    return path


def buffer_word(name, form, place, folder, target):
    """A buffer in the words of a launch file."""
    path = content_file(form, place, folder)
    if path is not None:
        return f"{name}=file:{os.path.relpath(path, target)}"
    return f"{name}=fill:{form.split(':')[1]}:00" if form.startswith("zeros:") else f"{name}={form}"


def launch_file(launch, folder, target=None):
    """Writes NAME.ini to `target`, and to `folder` a file for each buffer whose bytes are not all equal."""
    target = target or folder
    named = [buffer_word(name, form, place + 100, folder, target) for place, (name, form) in enumerate(launch.named.items())]
    words = [argument if argument.startswith(PLAIN) or argument in launch.named else
             buffer_word(f"b{place}", argument, place, folder, target) for place, argument in enumerate(launch.arguments)]
    lines = [f"code = {os.path.relpath(folder / (launch.source + '.cubin'), target)}", "", "[launch]",
             f"kernel = {launch.kernel}", f"grid = {launch.grid}", f"block = {launch.block}"]
    if named:
        lines.append(f"buffers = {', '.join(named)}")
    lines.append(f"args = {', '.join(words)}")
    if launch.shared:
        lines.append(f"shared = {launch.shared}")
    if launch.cooperative:
        lines.append("cooperative = yes")
    path = target / f"{launch.name}.ini"
    path.write_text("\n".join(lines) + "\n")
    return path


def compile_all(folder, sources=FOLDER):
    """Compiles all sources to cubins NAME.cubin; returns the compiler's name."""
    arch = "90" if sources == FOLDER else "90a"
    for source in sorted(sources.glob("*.cu")):
        version = build.cubin(source, sources, arch, folder / f"{source.stem}.cubin", ("-O3",))
    return version


def unpack(packed, folder):
    """Unpacks the cubins that a folder of the tree has as NAME.sm90.cubin.gz."""
    for path in sorted(packed.glob("*.sm90.cubin.gz")):
        (folder / path.name.replace(".sm90.cubin.gz", ".cubin")).write_bytes(gzip.decompress(path.read_bytes()))
