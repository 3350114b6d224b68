# SPDX-License-Identifier: Apache-2.0
"""Times how the operands of math instructions come from the register banks on sm_90:
scripts/lab/hw/operands.py FOLDER writes FOLDER/operands.sm90.cubin and the sequences, and on a machine
with a GPU FOLDER/operands.csv and FOLDER/operands.sm90.cuobjdump.txt.gz, as scripts/lab/accuracy reads
them.

A sequence of one warp stands between two clock reads, in place of FADD that nvcc compiled as in
issue.py. All stalls are of its control bits, registers and pipes: nothing else differs from NOP.
"""
import ctypes
import gzip
import itertools
import json
import os
import random
import re
import struct
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import issue
from driver import Gpu
from issue import FADD, MASK, code_sections, compiled, encoded

issue.SLOTS = SLOTS = 64
EACH = 60  # sequences of each kind
LAUNCHES = 5
CS2R, CLOCK = 0x805, 0x50  # opcode, and number of the clock
EXIT = (0x000000000000794d, 0x000fea0003800000)
REUSE = 17  # bit of the control bits

# Text and number of register operands.
FORMS = {
    "FFMA": ("FFMA {d}, {0}, {1}, {2}", 3), "FADD": ("FADD {d}, {0}, {1}", 2),
    "FMUL": ("FMUL {d}, {0}, {1}", 2), "IADD3": ("IADD3 {d}, {0}, {1}, {2}", 3),
    "LOP3": ("LOP3.LUT {d}, {0}, {1}, {2}, 0x96, !PT", 3), "IMAD": ("IMAD {d}, {0}, {1}, {2}", 3),
    "SHF": ("SHF.L.W.U32 {d}, {0}, {1}, {2}", 3), "FMNMX": ("FMNMX {d}, {0}, {1}, PT", 2),
    "LEA": ("LEA {d}, {0}, {1}, 0x3", 2), "SEL": ("SEL {d}, {0}, {1}, PT", 2),
    "MOV": ("MOV {d}, {0}", 1), "IMAD.MOV": ("IMAD.MOV.U32 {d}, RZ, RZ, {0}", 1),
    "VIADD": ("VIADD {d}, {0}, 0x7", 1), "PRMT": ("PRMT {d}, {0}, {1}, {2}", 3),
    "LEA.HI": ("LEA.HI {d}, {0}, {1}, {2}, 0x3", 3), "FSEL": ("FSEL {d}, {0}, {1}, PT", 2),
    "ISETP": ("ISETP.GT.AND P1, PT, {0}, {1}, PT", 2), "HFMA2": ("HFMA2 {d}, {0}, {1}, {2}", 3),
    "HADD2": ("HADD2 {d}, {0}, {1}", 2), "I2FP": ("I2FP.F32.S32 {d}, {0}", 1),
    "IDP": ("IDP.4A.S8.S8 {d}, {0}, {1}, {2}", 3),
}
# Positions of their register operands where these are not 0, 1, 2: reuse belongs to a position.
POSITIONS = {"FADD": (0, 2), "HADD2": (0, 2), "MOV": (1,), "IMAD.MOV": (2,), "I2FP": (1,)}
BASIC = ("FFMA", "FADD", "FMUL", "IADD3", "LOP3", "IMAD", "SHF", "FMNMX", "LEA", "SEL")


def step(text, stall, reuse=0):
    return text, stall | (0 if stall > 11 else 1) << 4 | 7 << 5 | 7 << 8 | reuse << REUSE


def sequence(draw, count, forms, sources, targets, stalls, reuse=0.0, results=False):
    """Random instructions. With `results`, a register is read at least 4 cycles after it is written, as in compilers'
    code; without, no source is a target."""
    chosen = [(form, [draw.choice(sources) for _ in range(FORMS[form][1])], draw.choice(targets))
              for form in (draw.choice(forms) for _ in range(count))]
    times, written, now = [], {}, 0
    for _, reads, target in chosen:
        due = [written[each] + 4 for each in (*reads, target) if results and each in written]
        now = max([now, *due]) + draw.choice(stalls) - 1
        times.append(now)
        written[target] = now
        now += 1
    steps = []
    for i, (form, reads, target) in enumerate(chosen):
        marks = sum((draw.random() < reuse) << place for place in range(len(reads)))
        text = FORMS[form][0].format(*(f"R{each}" for each in reads), d=f"R{target}")
        steps.append(step(text, times[i + 1] - times[i] if i + 1 < count else 1, marks))
    return steps


def marked_as_compilers_do(draw, *how):
    """Each operand is marked for reuse whose register the next instruction reads for the same
    position."""
    steps = sequence(draw, *how)
    reads = [[int(each) for each in re.findall(r"R(\d+)", text)][1:] for text, _ in steps]
    places = [POSITIONS.get(text.split()[0].replace(".U32", ""), (0, 1, 2)) for text, _ in steps]
    by_place = [dict(zip(*each)) for each in zip(places, reads)] + [{}]
    return [(text, control | sum((by_place[i + 1].get(place) == each) << REUSE + place
                                 for place, each in by_place[i].items()))
            for i, (text, control) in enumerate(steps)]


def sequences(registers):
    """The sequences by name; `registers` are free to use."""
    draw = random.Random(1)
    banks = [[each for each in registers if each % 2 == bank] for bank in (0, 1)]
    sources, targets = banks[0][:16] + banks[1][:16], banks[0][16:] + banks[1][16:]
    few, some = banks[0][:3] + banks[1][:3], banks[0][:6] + banks[1][:6]
    kinds = {
        "banks": (40, ["FFMA"], sources, targets, [1]),
        "pipes": (40, BASIC, sources, targets, [1, 1, 2, 3]),
        "forms": (36, list(FORMS), sources, targets, [1, 1, 1, 2, 3]),
        "named_twice": (30, BASIC, few, targets, [1, 1, 2]),
        "kept": (30, BASIC, few, targets, [1, 1, 2], 0.4),
        "results": (12, ["FFMA"], some, some, [1, 1, 1, 2], 0.0, True),
        "results_of_all": (30, BASIC, some, some, [1, 1, 1, 2, 3], 0.0, True),
        "all": (30, BASIC, some, some, [1, 1, 1, 2, 3], 0.25, True),
    }
    found = {f"{kind}_{i}": sequence(draw, *how) for kind, how in kinds.items() for i in range(EACH)}
    found.update({f"results_kept_{i}": marked_as_compilers_do(
        draw, 30, BASIC, few, few, [1, 1, 1, 2, 3], 0.0, True) for i in range(3 * EACH)})
    patterns = list(itertools.product((0, 1), repeat=3))
    for one, other in itertools.product(patterns, repeat=2):
        reads = [[banks[bank][3 * i + place] for place, bank in enumerate(pattern)]
                 for i, pattern in enumerate((one, other))]
        steps = [step(FORMS["FFMA"][0].format(*(f"R{each}" for each in regs), d=f"R{targets[i]}"), 1)
                 for i, regs in enumerate(reads)]
        found["pair_" + "".join(map(str, one + other))] = steps
    return {"nothing": [], **found}


def fresh(registers):
    """Sequences that were generated and measured after the last rule had been found."""
    draw = random.Random(20261126)
    banks = [[each for each in registers if each % 2 == bank] for bank in (0, 1)]
    choices = banks[0][:3] + banks[1][:3], banks[0][:6] + banks[1][:6]
    stalls = [1, 1, 1, 2, 3], [1, 1, 2], [1]
    return {f"fresh_{i}": marked_as_compilers_do(draw, draw.randrange(24, 44), BASIC, draw.choice(choices),
                                                 draw.choice(choices), draw.choice(stalls), 0.0, True)
            for i in range(200)}


def slots(image):
    """Offsets of the FADDs to replace, and their registers."""
    (_, offset, size), = code_sections(image)
    places = [at for at in range(offset, offset + size, 16)
              if struct.unpack_from("<Q", image, at)[0] & 0xFFF == FADD][-SLOTS:]
    return places, sorted({struct.unpack_from("<Q", image, at)[0] >> 16 & 0xFF for at in places})


def filled(steps):
    return [step("NOP", 15), *steps] + [step("NOP", 4)] * (SLOTS - 1 - len(steps))


def patched(image, places, steps, words):
    image = bytearray(image)
    for at, (text, control) in zip(places, filled(steps)):
        image[at:at + 16] = (words[text] | control << 105).to_bytes(16, "little")
    return bytes(image)


def time(gpu, image):
    """Cycles between the clock reads of each launch except the first."""
    module = gpu.load(image + b"\0")
    function = gpu.function(module, "sequence")
    source = gpu.buffer(4096, (ctypes.c_uint32 * 1024)())
    result, times = gpu.buffer(4096), gpu.buffer(256)
    found = []
    for _ in range(LAUNCHES + 1):
        gpu.launch(function, 32, source, result, ctypes.c_int(1024), times, ctypes.c_int(4))
        first, last = gpu.read(times, 2)
        found.append((last - first) % 2**32)
    for each in (source, result, times):
        gpu.call("cuMemFree_v2", each)
    gpu.call("cuModuleUnload", module)
    return sorted(found[1:])


def listing(image, name):
    """The code between the clock reads, as cuobjdump prints it. In the fourth pass all of it is in the L0: compare with
    --set fetch.warm=1."""
    (_, offset, size), = code_sections(image)
    words = [struct.unpack_from("<QQ", image, at) for at in range(offset, offset + size, 16)]
    clocks = [i for i, (low, high) in enumerate(words) if low & 0xFFF == CS2R and high >> 8 & 0xFF == CLOCK]
    words = words[clocks[0]:clocks[-1] + 1] + [EXIT]
    program = os.environ.get("SHFLSIM", str(issue.TOP / "build/release/shflsim"))
    asked = [f"{high:016x}{low:016x}" for low, high in words]
    texts = subprocess.run([program, "decode", "--arch", "sm_90", *asked], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    lines = [f"\t\tFunction : {name}"]
    for i, ((low, high), text) in enumerate(zip(words, texts)):
        text = re.sub(r"^[0-9a-f]{32}\s+", "", text) + " ;"
        lines += [f"        /*{16 * i:04x}*/                   {text:<55} /* 0x{low:016x} */",
                  f"{'':90}/* 0x{high:016x} */"]
    return "\n".join(lines) + "\n"


def main():
    folder = Path(sys.argv[1])
    cubin, plan = folder / "operands.sm90.cubin", folder / "operands.json"
    if not plan.exists():
        compiled(cubin, [issue.kernel("sequence")])
        image = cubin.read_bytes()
        places, registers = slots(image)
        found = (fresh if "fresh" in sys.argv[2:] else sequences)(registers)
        words = encoded(found)
        plan.write_text(json.dumps({"places": places, "sequences": found, "words": words}))
        text = "\n\tcode for sm_90\n" + "".join(listing(patched(image, places, steps, words), name)
                                              for name, steps in found.items())
        with gzip.GzipFile(folder / "operands.sm90.cuobjdump.txt.gz", "wb", mtime=0) as out:
            out.write(text.encode())
    if Path("/dev/nvidia0").exists():
        its, image, gpu = json.loads(plan.read_text()), cubin.read_bytes(), Gpu()
        rows = ["kernel,note,placement,warps,span_min,span_median,span_max,warp_min,warp_median,warp_max"]
        for name, steps in its["sequences"].items():
            found = time(gpu, patched(image, its["places"], steps, its["words"]))
            shown = f"{found[0]},{found[len(found) // 2]},{found[-1]}"
            rows.append(f"{name},,one,1,{shown},{shown}")
        (folder / "operands.csv").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
