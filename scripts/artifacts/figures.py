# SPDX-License-Identifier: Apache-2.0
"""The figures of `scripts/artifact`: of each what it shows, where the published values stand, and how they are found
again. Published values are read from the page that publishes them, or are a paper's. To add a figure, add an entry to FIGURES."""
import csv
import gzip
import itertools
import math
import re
import shutil
import statistics
import string
import subprocess
import tempfile
from collections import namedtuple
from pathlib import Path

from paging import page

# `published` and `ours` return values by label. Ours may differ by `tolerance`, in the unit of the values or in
# percent. `seconds`: duration on two cores; the tests run figures of at most QUICK seconds.
Figure = namedtuple("Figure", "name shows source unit tolerance seconds published ours")
QUICK = 3
H200 = "tests/data/h200"
LATER, LAST, NEWEST = (f"{H200}/2026-11-{day}" for day in (22, 23, 24))
WHOLE = {"ct": LATER, "kt": LATER, "k2": LAST, "k80": LAST, "ku": NEWEST}
REPLAYED = {"48 held-out mixes": "mixes", "28 held-out algorithms": "held_out", "32 shapes of real code": "shapes"}
WHOLE_DPP = {0x130: "wave_shl:1", 0x134: "wave_rol:1", 0x138: "wave_shr:1", 0x13c: "wave_ror:1", 0x140: "row_mirror",
             0x141: "row_half_mirror", 0x142: "row_bcast:15", 0x143: "row_bcast:31"}
DPP_ROWS = {0x10: ("gcn", "row_shl"), 0x11: ("gcn", "row_shr"), 0x12: ("gcn", "row_ror"), 0x15: ("rdna", "row_share"),
            0x16: ("rdna", "row_xmask")}
XORS = (1, 2, 3, 4, 7, 8, 15, 16, 31)


CHIP = "tests/data/h100/2026-11-26"
# Figure: of each recorded file that a GPU gave, the command that measures it anew. {out}: the new file; {recorded}:
# the recorded one; {kernels}: its kernels. Others of the cubin are not for one block, or not for every number of warps.
ON_GPU = {
    "whole-kernels": {f"{folder}/{name}.timing.csv": ["scripts/lab/hw/measure_whole", f"{folder}/{name}.sm90.cubin.gz",
                                                      "{out}", "--like", "{recorded}"] for name, folder in WHOLE.items()},
    "stalls": {f"{folder}/{name}.stalls.csv.gz": ["scripts/lab/hw/stall_samples", f"{folder}/{name}.sm90.cubin.gz",
                                                  "{out}", "--kernels", "{kernels}"] for name, folder in WHOLE.items()},
    "energy-fresh": {f"{CHIP}/energy_3.csv": ["scripts/lab/hw/energy/measure", "{folder}", "--older", "none"]},
}
# What another GPU of the kind may differ by, in the unit of the figure: an H100 of 2026-11-27 gave 0.2 % of cycles for
# the first; it used 4 % more energy than the one that was recorded. The second is assumed.
NOISE = {"whole-kernels": 0.3, "stalls": 0.02, "energy-fresh": 3}
MEASURED = {}  # recorded file: the one that was measured anew


def recorded(name):
    """The file with what a GPU gave: the one in the tree, or what --on-gpu has measured instead."""
    return MEASURED.get(name, name)


def kernels_of(name):
    """The kernels that a recorded file names, in its order, with commas."""
    data = (page.TOP / name).read_bytes()
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode("utf8")
    return ",".join(dict.fromkeys(row["kernel"] for row in csv.DictReader(text.splitlines())))


def text_of(name):
    return (page.TOP / name).read_text(encoding="utf8")


def number(text):
    return float(re.search(r"-?[\d.]+", text.replace(",", ""))[0])


def table_rows(name, heading):
    """The rows of a table of a page, by their first cell. `heading`: the beginning of the table's first line."""
    lines = text_of(name).splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith(heading))
    rows = {}
    for line in lines[first + 2:]:
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        rows[cells[0]] = cells[1:]
    return rows


def of_text(patterns, text):
    """The number that each pattern finds in the text."""
    return {label: number(re.search(pattern, text)[1]) for label, pattern in patterns.items()}


FIRST = {"cycles": r"cycles +(\d+) cycles", "global memory, % of the critical path": r"STG\) ([\d.]+)%",
         "half rate, % more cycles": r"at half rate \+([\d.]+)%", "no latency, % fewer cycles": r"at no latency -([\d.]+)%"}


def first_result():
    with tempfile.TemporaryDirectory() as folder:
        words = Path(folder) / "in.bin"
        words.write_bytes(subprocess.run([page.TOP / "scripts/input_words", "1024"], check=True, stdout=subprocess.PIPE).stdout)
        return of_text(FIRST, page.output_of(page.program(), "run", "tests/data/volta/c.sm90.cubin.gz", "--kernel",
                                             "reduce_xor", "--grid", "4", "--block", "256", "--arg", f"file:{words}",
                                             "--arg", "fill:4096:cd", "--arg", "u32:1024"))


def scores(label, result):
    return {f"{label}, 1 to 4 warps": result["mape_1_4_warps"], f"{label}, 8 to 32": result["mape_8_32_warps"]}


def published_scores(names, column):
    rows = table_rows("docs/silicon.md", "| set | 1 to 4 warps")
    found = {}
    for name in names:
        cells = next(cells for title, cells in rows.items() if title.split(":")[0] == name)
        found[f"{name}, 1 to 4 warps"], found[f"{name}, 8 to 32"] = map(float, cells[column:column + 2])
    return found


def whole_kernels():
    found = {}
    for name, folder in WHOLE.items():
        found.update(scores(name, page.result_of("accuracy", f"{folder}/{name}.sm90.cubin.gz",
                                                 recorded(f"{folder}/{name}.timing.csv"), "--whole",
                                                 "--set", "fetch.warm=1", "--set", "fetch.warm_l0=0")))
    return found


def replayed():
    found = {}
    for title, name in REPLAYED.items():
        found.update(scores(title, page.result_of("accuracy", f"{LATER}/{name}.sm90.cuobjdump.txt.gz", f"{LATER}/{name}.csv",
                                                  "--bases", f"{LATER}/{name}.bases.csv")))
    return found


def stalls():
    found = {}
    for name, folder in WHOLE.items():
        text = page.output_of("scripts/lab/stalls", f"{folder}/{name}.sm90.cubin.gz",
                              recorded(f"{folder}/{name}.stalls.csv.gz"), "--top", "1")
        by = re.search(r"by state (\S+), by instruction (\S+) \(", text.splitlines()[-1], re.I)
        found[f"{name}, by state"], found[f"{name}, by instruction"] = float(by[1]), float(by[2])
    return found


def published_stalls():
    found = {}
    for name, cells in table_rows("docs/silicon.md", "| set | by state").items():
        found[f"{name}, by state"], found[f"{name}, by instruction"] = map(float, cells[:2])
    return found


def designs(*options):
    suite = sorted(str(path) for path in (page.TOP / "traces/suite").glob("*.sass"))
    return {row["network"]: row for row in page.result_of("compare", *suite, "--network", "all", *options)["designs"]}


def suite_cycles():
    return {f"{network}, {machine}": row["cycles"] for machine in ("gm107", "gh100")
            for network, row in designs("--config", machine, "--set", "shuffle.depth=0").items()}


def published_cycles():
    rows = table_rows("docs/networks.md", "| network | gm107, 1.02 GHz: stages")
    return {f"{network}, {machine}": float(cells[at]) for at, machine in ((2, "gm107"), (6, "gh100"))
            for network, cells in rows.items()}


def network_costs():
    rows = page.result_of("list", "networks")["networks"]
    return {f"{row['name']}, 2:1 muxes": row["mux2"] for row in rows if row["mux2"] is not None}


def published_costs():
    rows = table_rows("docs/networks.md", "| network | 2:1 muxes | switches")
    return {f"{network}, 2:1 muxes": float(cells[0]) for network, cells in rows.items() if cells[0]}


def rdna_xors():
    found = {}
    for mask in XORS:
        asked = page.result_of("explain", f"SHFL.BFLY PT, R1, R0, {mask:#x}, 0x1f", "--as", "rdna", "--network", "xor")
        found[f"xor {mask}"] = len(asked["sequence"])
    return found


def traffic(profile, network):
    return page.result_of("compare", f"traces/{profile}.lanes", "--network", network)["rows"][0]


def wild_passes():
    return {f"{title}, {network}": round(traffic(profile, network)["passes"], 2)
            for title, profile in (("code", "llama_static"), ("runs", "llama"), ("suite", "suite"))
            for network in ("xor", "hypercube", "butterfly")}


def published_passes():
    rows = table_rows("docs/traffic.md", "| network | passes, code")
    return {f"{title}, {network}": float(rows[network][at]) for at, title in ((0, "code"), (1, "runs"), (2, "suite"))
            for network in ("xor", "hypercube", "butterfly")}


def exact_kernels():
    found = {}
    for name in ("c.sm90", "k.sm90", "k2.sm90", "kc90.sm90"):
        more = ["tests/data/sm50/kernels.names.txt", "tests/data/sm50/kernels.expected.bin"] if name == "c.sm90" else []
        text = page.output_of("scripts/conformance", f"tests/data/volta/{name}.cubin.gz", *more)
        equal, all_of = re.search(r"(\d+) of (\d+) kernels", text).groups()
        found[name] = 100 * int(equal) / int(all_of)
    return found


def stores():
    """Cases of tests/data/h100 in which the lane that an H100 kept is kept; each has 1024 bytes."""
    folder = page.TOP / "tests/data/h100/2026-11-26"
    answers = gzip.decompress((folder / "collisions.bin.gz").read_bytes())
    with tempfile.TemporaryDirectory() as name:
        left = Path(name) / "left.bin"
        page.output_of(page.program(), "run", folder / "collisions.sm90.cubin.gz", "--quiet", "--no-verdict", "--arg",
                       f"fill:{len(answers)}:00", "--arg", "fill:4096:00", "--save", f"0:{left}")
        ours = left.read_bytes()
    cases = range(0, len(answers), 1024)
    return {"cases": sum(ours[at:at + 1024] == answers[at:at + 1024] for at in cases)}


def dpp_text(code):
    """A DPP control of AMD's, and the family that has it."""
    if code < 0x100:
        return "gcn", f"quad_perm:[{code & 3},{code >> 2 & 3},{code >> 4 & 3},{code >> 6}]"
    if code in WHOLE_DPP:
        return "gcn", WHOLE_DPP[code]
    family, name = DPP_ROWS[code >> 4]
    return family, f"{name}:{code & 15}"


def dpp_codes():
    """DPP codes that read the lanes that rocjitsu gives, of a wave of 64."""
    same, digits = 0, string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
    for line in text_of("tests/data/lanes/dpp_sources.txt").splitlines():
        if line.startswith("#"):
            continue
        family, control = dpp_text(int(line[:3], 16))
        lanes = page.result_of("explain", f"v_mov_b32_dpp v0, v1 {control} bound_ctrl:1", "--family", family,
                               "--lane-count", "64", "--network", "xor")["steps"][0][0]
        same += line[4:] == "".join(digits[lane["source"]] if lane["from"] == "lane" else "." for lane in lanes)
    return {"codes": same}


def chip_launches():
    """From the recorded rows of the launches on model and H100."""
    found = {}
    for name in ("chip", "hopper"):
        with (page.TOP / f"docs/{name}_launches.csv").open() as stream:
            rows = list(csv.DictReader(stream))
        for half, caches in itertools.product(("unseen", "chosen"), ("warm", "cold")):
            errors = sorted(abs(float(row["error_percent"])) for row in rows
                            if (row["half"], row["caches"]) == (half, caches))
            label = f"{len(errors)} {half}, {caches}"
            found[f"{label}: median"] = round(statistics.median(errors), 1)
            found[f"{label}: 90th percentile"] = round(errors[math.ceil(0.9 * len(errors)) - 1], 1)
            found[f"{label}: worst"] = round(errors[-1], 1)
    return found


def published_launches():
    found, lines = {}, text_of("docs/accuracy.md").splitlines()
    for cells in (re.split(r" *\| *", line.strip("| ")) for line in lines if re.match(r"\| \d+ (unseen|chosen) \|", line)):
        label = f"{cells[0]}, {cells[1]}"
        for name, cell in zip(("median", "90th percentile", "worst"), cells[2:5]):
            found[f"{label}: {name}"] = number(cell)
    return found


def energy():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "measured"
        shutil.copytree(page.TOP / CHIP, folder)
        shutil.copyfile(page.TOP / recorded(f"{CHIP}/energy_3.csv"), folder / "energy_3.csv")
        text = page.output_of("scripts/lab/energy", folder, "--only", "fresh", "--runs", Path(name) / "runs", "-j", "2")
    return of_text({"33 launches": r"fresh: .*mean error ([\d.]+) %,"}, text)


def pages():
    found = {}
    for name in ("networks", "model", "synthesis", "silicon", "accuracy", "traffic"):
        done = subprocess.run([page.TOP / f"scripts/{name}_page", "--check"], cwd=page.TOP, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False)
        found[f"docs/{name}.md"] = done.returncode
    return found


FIGURES = (
    Figure("first-result", "the README's first result: a sum over each warp on the model of an H100", "README.md", "", 0, 2,
           lambda: of_text(FIRST, text_of("README.md")), first_result),
    Figure("held-out", "error against an H200, replayed: sets that no value was chosen on, and one that was in view",
           "docs/silicon.md", "%", 0.01, 8, lambda: published_scores(REPLAYED, 2), replayed),
    Figure("whole-kernels", "error against an H200, executed from the first instruction to the last", "docs/silicon.md", "%",
           0.01, 2, lambda: published_scores(WHOLE, 0), whole_kernels),
    Figure("stalls", "distance of stalls from the samples of an H200", "docs/silicon.md", "", 0.001, 20,
           published_stalls, stalls),
    Figure("suite-networks", "cycles of the suite on each network", "docs/networks.md", "cycles", 0, 3, published_cycles,
           suite_cycles),
    Figure("network-costs", "multiplexers of each network", "docs/networks.md", "multiplexers", 0, 1, published_costs,
           network_costs),
    Figure("wild-networks", "passes of a lane move of llama.cpp, in its code and in runs, and of the suite",
           "docs/traffic.md", "passes", 0.005, 2, published_passes, wild_passes),
    Figure("rdna-xor", "instructions of RDNA for an exchange with lane XOR mask", "compilers: Triton PR 10065, one DPP or "
           "v_permlanex16", "instructions", 0, 3, lambda: {f"xor {mask}": 1 for mask in XORS}, rdna_xors),
    Figure("bit-exact", "kernels of sm_90 whose outputs are an H200's, bit for bit", "CONTRIBUTING.md, conformance", "%", 0,
           8, lambda: {name: 100 for name in ("c.sm90", "k.sm90", "k2.sm90", "kc90.sm90")}, exact_kernels),
    Figure("stores", "which lane's word stays where several store to one address, on an H100", "docs/isa.md", "cases", 0, 2,
           lambda: of_text({"cases": r"all of (\d+)\s+cases"}, text_of("docs/isa.md")), stores),
    Figure("dpp-lanes", "DPP codes of AMD that read the lanes of rocjitsu's answers", "docs/lanes.md", "codes", 0, 20,
           lambda: of_text({"codes": r"(\d+) of 341 DPP codes"}, text_of("docs/lanes.md")), dpp_codes),
    Figure("chip-launches", "error of whole launches against an H100, from the rows of the last comparison",
           "docs/accuracy.md", "%", 0.05, 1, published_launches, chip_launches),
    Figure("energy-fresh", "error of energies of launches that no value was chosen on, as a run reports them",
           "docs/sources-memory.md", "%", 0.05, 200,
           lambda: of_text({"33 launches": r"It is\s+([\d.]+)\s+%\s+now"}, text_of("docs/sources-memory.md")), energy),
    Figure("pages", "generated pages that are not what would be written", "docs/", "", 0, 240,
           lambda: {f"docs/{name}.md": 0 for name in ("networks", "model", "synthesis", "silicon", "accuracy", "traffic")},
           pages),
)
