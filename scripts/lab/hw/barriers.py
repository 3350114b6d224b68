#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the convergence barriers of sm_90: scripts/lab/hw/barriers.py FOLDER writes
FOLDER/barriers.sm90.cubin, with a kernel for each of PROGRAMS, and on a machine with a GPU
FOLDER/barriers.csv.

A program runs in one warp, R0 the lane. "MARK n" notes which lanes are active, what B1 holds and the
clock. A row has the marks in the order of the clock, each as n, active lanes and B1. A mark of a
group is the whole group: lanes that pass a mark at one time are active together. Needs ptxas (PTXAS
names another) and the release build (SHFLSIM).
"""
import ctypes
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import barrier_turns
from barrier_turns import among
from driver import Gpu
from issue import MASK, code_sections, encoded, step

MARKS, WORDS = 10, 48
SLOTS = 700  # instructions of a kernel
LIVE = 72  # registers of a kernel
LATE = ("S2R", "LDC", "ULDC", "MATCH", "BMOV")
EXIT = ["e:", "NOP"]
COLLECTIVE = ["WARPSYNC.COLLECTIVE R5, ec", "NOP", "ENDCOLLECTIVE", "ec:", "NOP"]
SYNCS = {"plain": ["WARPSYNC R5"], "exclusive": ["WARPSYNC.EXCLUSIVE R5"], "collective": COLLECTIVE}
SETS = ["LOP3.LUT R6, R0, 0x3, RZ, 0xc0, !PT", "MATCH.ANY R5, R6"]


def mask(lanes):
    return f"MOV R5, {lanes:#x}"


def below(predicate, lane):
    return f"ISETP.LT.U32.AND P{predicate}, PT, R0, {lane:#x}, PT"


def places(first, second, barrier="B3"):
    """Two sides that come to one collective operation at two places."""
    def side(name, number):
        return [f"BSSY {barrier}, {name}d", f"WARPSYNC.COLLECTIVE R5, {name}c", "NOP", "ENDCOLLECTIVE",
                f"{name}c:", f"BSYNC {barrier}", f"{name}d:", f"MARK {number}"]
    return [*side("a", first), "BRA m", "b:", *side("b", second), "m:"]


def programs():
    # Which lanes a BSYNC holds
    yield "not_a_member", [below(0, 8), "BSSY B1, d", "@P0 BREAK B1", "@P0 BRA a", "MARK 3", "a:",
                           "BSYNC B1", "d:", "MARK 0"]
    yield "partly_members", [below(0, 8), below(1, 4), "BSSY B1, d", "@P1 BREAK B1", "@P0 BRA a",
                             "MARK 3", "a:", "BSYNC B1", "d:", "MARK 0"]
    yield "others_come_along", [below(0, 8), "ISETP.GE.U32.AND P1, PT, R0, 0x1c, PT", "BSSY B1, d",
                                "@P1 BREAK B1", "@P0 BRA a", "MARK 3", "a:", "BSYNC B1", "d:",
                                "MARK 0"]
    yield "joined_twice", [below(0, 8), "BSSY B1, d", "MARK 1", "@P0 BRA a", "MARK 2", "BRA m", "a:",
                           "BSSY B1, d", "MARK 3", "m:", "BSYNC B1", "d:", "MARK 0"]
    yield "moved", ["IADD3 R5, R0, 0x100, RZ", "BMOV.32 B1, R5", "MARK 0", below(0, 8),
                    "@P0 BMOV.32 B1, R0", "MARK 1", "@!P0 BMOV.32 B1, R0", "MARK 2",
                    "BMOV.32.CLEAR R22, B1", "MARK 4"]
    yield "two_places", [below(0, 8), "BSSY B1, far", "@P0 BRA a", "MARK 1", "BSYNC B1", "MARK 2",
                         "BRA e", "a:", "BSYNC B1", "MARK 3", "BRA e", "far:", "MARK 0", *EXIT]
    yield "two_targets", [below(0, 8), "@P0 BRA a", "BSSY B1, d1", "MARK 1", "BSYNC B1", "d1:",
                          "MARK 2", "BRA e", "a:", "BSSY B1, d2", "BSYNC B1", "d2:", "MARK 3", *EXIT]
    yield "guarded", [below(0, 4), below(1, 12), "BSSY B1, d", "@P0 BRA x", "@!P1 BSYNC B1", "MARK 1",
                      "BRA e", "x:", "BSYNC B1", "d:", "MARK 0", *EXIT]
    # What releases lanes, and who runs then; y is ready
    y_later = [below(0, 4), below(1, 12), mask(0xFFF), "BSSY B1, d", "@!P1 BREAK B1", "@P0 BRA x"]
    y_first = [below(0, 4), below(1, 12), mask(0xFFF), "BSSY B1, d", "@!P1 BREAK B1", "@P1 BRA xz",
               "MARK 2", "BRA e", "xz:", "@P0 BRA x"]
    yield "bsync_y_later", [*y_later, "@P1 BRA x", "MARK 2", "BRA e", "x:", "BSYNC B1", "d:", "MARK 0",
                            *EXIT]
    yield "bsync_y_first", [*y_first, "NOP", "x:", "BSYNC B1", "d:", "MARK 0", *EXIT]
    for name, sync in SYNCS.items():
        yield f"{name}_y_later", [*y_later, "@P1 BRA x", "MARK 2", "BRA e", "x:", *sync, "MARK 0",
                                  "d:", "NOP", *EXIT]
        yield f"{name}_y_first", [*y_first, "NOP", "x:", *sync, "MARK 0", "d:", "NOP", *EXIT]
    behind = ["x:", "BSYNC B1", "d:", "MARK 0", "BRA e"]
    yield "exit_y_later", [*y_later, "@P1 BRA z", "MARK 2", "BRA e", *behind, "z:", "MARK 1", *EXIT]
    yield "exit_y_first", [*y_first, "MARK 1", "BRA e", *behind[:-1], *EXIT]
    yield "exit_of_some", [below(0, 4), below(2, 8), "BSSY B1, d", "@P0 BRA x",
                           "ISETP.GE.U32.AND P1, PT, R0, 0x8, PT", "@P1 BREAK B1", "@P2 EXIT", "MARK 1",
                           "BRA e", *behind[:-1], *EXIT]
    for name, start in (("later", y_later), ("first", y_first)):
        split = ["@P1 BRA z", "MARK 2", "BRA m", "z:"] if name == "later" else []
        start = [text.replace("BRA e", "BRA m") for text in start]
        start.insert(3, "BSSY B2, f")
        yield f"break_y_{name}", [*start, *split, "BREAK B1", "MARK 1", "BRA m", "x:", "BSYNC B1", "d:",
                                  "MARK 0", "m:", "BSYNC B2", "f:", "MARK 3"]
    # Lanes that a WARPSYNC holds: x waits for w at B1
    for name, sync in SYNCS.items():
        ends = [*sync, "MARK 1", *EXIT]
        more = "ISETP.GE.U32.AND P2, PT, R0, 0x1f, PT"
        yield f"held_before_{name}", [
            below(0, 4), below(1, 12), mask(0x8000000F), "BSSY B1, d", "@!P1 BREAK B1", "@P0 BRA w",
            "@P1 BRA x", "MARK 2", more, "@P2 BRA w", "BRA e", *behind, "w:", "MARK 3", *ends]
        yield f"held_after_{name}", [
            below(0, 4), below(1, 12), mask(0x80000FF0), "BSSY B1, d", "@!P1 BREAK B1", "@P0 BRA x",
            "@P1 BRA w", "MARK 2", more, "@P2 BRA w", "BRA e", "x:", "MARK 3", *behind[1:], "w:", *ends]
        yield f"held_together_{name}", [
            below(0, 4), below(1, 12), mask(0xFFFFFFF0), "BSSY B1, d", "@P0 BRA x", "@P1 BRA w", "NOP",
            "w:", *sync, "MARK 1", "BRA e", *behind[:-1], *EXIT]
    # Sets of lanes with one membermask
    for name, sync in SYNCS.items():
        yield f"sets_{name}", [*SETS, "BSSY B1, d", *sync, "MARK 0", "BSYNC B1", "d:", "MARK 1"]
        yield f"sets_apart_{name}", [*SETS, below(0, 8), "BSSY B1, d", "@P0 BRA a", "NOP", "a:", *sync,
                                     "MARK 0", "BSYNC B1", "d:", "MARK 1"]
        yield f"sets_again_{name}", [*SETS, "WARPSYNC.EXCLUSIVE R5", "MARK 0", mask(0xFFFFFFFF), *sync,
                                     "MARK 1", "NOP", "MARK 2"]
        yield f"sets_y_{name}", [below(1, 12), "@P1 BRA l", "MARK 2", "BRA e", "l:", *SETS, *sync,
                                 "MARK 0", *EXIT]
        yield f"one_complete_{name}", [
            below(1, 8), below(2, 10), below(3, 16), mask(0xFF00), "@P1 MOV R5, 0xff", "@P3 BRA n",
            "MARK 2", "BRA e", "n:", "@P2 BRA l", "MARK 3", "l:", *sync, "MARK 0", *EXIT]
    # Behind a collective operation
    sides = [below(0, 4), below(1, 12), mask(0xFFFFFFFF), "BSSY B1, d", "@P0 BRA a", "@P1 BRA b"]
    yield "ends", [*sides, "WARPSYNC.COLLECTIVE R5, e1", "NOP", "ENDCOLLECTIVE", "e1:", "MARK 0", "BRA m",
                   "a:", "WARPSYNC.COLLECTIVE R5, e3", "NOP", "ENDCOLLECTIVE", "e3:", "MARK 3", "BRA m",
                   "b:", "WARPSYNC.COLLECTIVE R5, e2", "NOP", "ENDCOLLECTIVE", "e2:", "MARK 1", "m:",
                   "BSYNC B1", "d:", "MARK 2"]
    for order in itertools.permutations("wab"):  # w waits around the operation; a and b come to it
        lanes = dict(zip(order, (0xFF, 0xFFF00, 0xFFF00000)))
        yield f"inside_{''.join(order)}", [
            *among(0, lanes["w"]), *among(1, lanes["b"]), mask(0xFFFFFFFF & ~lanes["w"]), "BSSY B2, f",
            "@P0 BRA w", "BSSY B1, d", "@P1 BRA b", *places(1, 2), "BSYNC B1", "d:", "MARK 3", "w:",
            "BSYNC B2", "f:", "MARK 0"]
    for order in itertools.permutations("yab"):  # y is ready
        lanes = dict(zip(order, {"y": (0xFFFFF, 0x1F00000, 0xFE000000), "a": (0x1F, 0x1FFFFE0, 0xFE000000),
                                 "b": (0x1F, 0x1FFFFE0, 0xFE000000)}[order[0]]))
        if order[1] != "y" and order[0] != "y":
            lanes = dict(zip(order, (0x1F, 0xFE0, 0xFFFFF000)))
        yield f"beside_{''.join(order)}", [
            *among(0, lanes["y"]), *among(1, lanes["b"]), mask(0xFFFFFFFF & ~lanes["y"]), "BSSY B2, f",
            "@!P0 BRA n", "MARK 4", "BRA w", "n:", "BSSY B1, d", "@P1 BRA b", *places(1, 2), "BSYNC B1",
            "d:", "MARK 3", "w:", "BSYNC B2", "f:", "MARK 0"]
    yield "whole", [below(1, 8), mask(0xFFFFFFFF), "BSSY B2, f", "@P1 BRA b", *places(2, 3, "B1"),
                    "BSYNC B2", "f:", "MARK 0"]


PROGRAMS = {**dict(programs()), **dict(barrier_turns.programs())}


def body(name):
    """The instructions with their control bits: each waits for all before it."""
    start = ["S2R R0, SR_LANEID", "LDC.64 R2, c[0x0][0x210]", "ULDC.64 UR4, c[0x0][0x208]",
             f"IMAD.WIDE.U32 R2, R0, {4 * WORDS:#x}, R2", *(f"MOV R{10 + i}, RZ" for i in range(WORDS))]
    end = [f"STG.E desc[UR4][R2.64+{4 * i:#x}], R{10 + i}" for i in range(WORDS)]
    lines = []
    for text in [*start, *PROGRAMS[name], *end, "EXIT"]:
        found = re.fullmatch(r"MARK (\d)", text)
        first = 10 + 4 * int(found[1]) if found else 0
        lines += [f"VOTE.ANY R{first}, PT, PT", f"BMOV.32 R{first + 1}, B1",
                  f"CS2R.32 R{first + 2}, SR_CLOCKLO"] if found else [text]
    places_of, address = {}, 0
    for text in lines:
        if text.endswith(":"):
            places_of[text[:-1]] = address
        address += 0 if text.endswith(":") else 16
    code, address = [], 0
    for text in (line for line in lines if not line.endswith(":")):
        words = text.rsplit(" ", 1)
        if words[-1] in places_of:
            text = f"{words[0]} {places_of[words[-1]] - address:#x}"
        opcode = re.sub(r"@!?P\d ", "", text)
        is_late = opcode.split()[0].split(".")[0] in LATE and not opcode.startswith("BMOV.32 B")
        code.append(step(text, 15, 0 if is_late else 7, waits=1))
        address += 16
    return code


def kernel(name):
    loads = "".join(f" ld.volatile.global.f32 %f{i},[%a+{4 * i}];" for i in range(LIVE))
    sums = "".join(f" add.f32 %f{i % LIVE},%f{i % LIVE},%f{(7 * i + 1) % LIVE};" for i in range(SLOTS))
    stores = loads.replace("ld.", "st.")
    stores = re.sub(r"(%f\d+),(\[[^]]*\])", r"\2,\1", stores)
    return (f".visible .entry {name}(.param .u64 out)\n{{ .reg .f32 %f<{LIVE}>; .reg .b64 %a;"
            f" ld.param.u64 %a,[out];{loads}{sums}{stores} ret; }}\n")


def build(cubin):
    source = cubin.with_suffix(".ptx")
    source.write_text(".version 8.0\n.target sm_90\n.address_size 64\n" + "".join(map(kernel, PROGRAMS)))
    subprocess.run([os.environ.get("PTXAS", "ptxas"), "-arch=sm_90", source, "-o", cubin], check=True)
    source.unlink()
    image, codes = bytearray(cubin.read_bytes()), {name: body(name) for name in PROGRAMS}
    words = encoded(codes)
    for name, offset, size in list(code_sections(bytes(image))):
        code = codes[name] + [step("NOP")] * (size // 16 - len(codes[name]))
        for at, (text, control) in enumerate(code):
            word = words[text] & ~MASK | control << 105
            image[offset + 16 * at:offset + 16 * at + 16] = word.to_bytes(16, "little")
    cubin.write_bytes(image)


def row(name, words):
    """The marks of a program: n, active lanes, B1."""
    found = set()
    for lane in range(32):
        for n in range(MARKS):
            active, barrier, clock = words[WORDS * lane + 4 * n:WORDS * lane + 4 * n + 3]
            if clock != 0:
                found.add((clock, f"{n} {active:08x} {barrier:08x}"))
    marks = ";".join(text for _, text in sorted(found))
    return f'{name},"{";".join(PROGRAMS[name])}",{marks}\n'


def measured(cubin):
    gpu = Gpu()
    module, result = gpu.load(cubin.read_bytes() + b"\0"), gpu.buffer(4 * 32 * WORDS)
    for name in PROGRAMS:
        gpu.call("cuMemsetD8_v2", result, 0, ctypes.c_size_t(4 * 32 * WORDS))
        gpu.launch(gpu.function(module, name), 32, result)
        yield row(name, gpu.read(result, 32 * WORDS))


def main():
    folder = Path(sys.argv[1])
    cubin = folder / "barriers.sm90.cubin"
    if not cubin.exists():
        build(cubin)
    if Path("/dev/nvidia0").exists():
        (folder / "barriers.csv").write_text("program,code,marks\n" + "".join(measured(cubin)))


if __name__ == "__main__":
    main()
