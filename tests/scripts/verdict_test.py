# SPDX-License-Identifier: Apache-2.0
"""The verdict of run, compare and sweep: its sentences follow from the figures beside them, and its what-ifs are runs."""
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SHFLSIM", str(TOP / "build/release/shflsim"))
RUNS = [["traces/suite/random_gather.sass", "--block", "256", "--reg", "Rvalue=hash"],
        ["traces/suite/softmax_32.sass", "--block", "512", "--set", "shuffle.network=banked"],
        ["traces/suite/block_reduce.sass", "--block", "256", "--config", "gh100"],
        ["traces/kernels.sm50.sass", "--kernel", "smem_shuffle", "--grid", "2", "--block", "128", "--arg",
         "fill:4096:5a", "--arg", "fill:4096:cd", "--arg", "u32:256"],
        ["tests/data/accel_sim/kernel-1.traceg"]]


def output_of(*words, status=0):
    done = subprocess.run([PROGRAM, *words], cwd=TOP, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done.stdout if status == 0 else done.stderr


def percent(share):
    return f"{100 * share:.1f}%"


def change(share):
    return "0.0%" if abs(share) < 0.0005 else f"{100 * share:+.1f}%"


def sentences(verdict):
    """The sentences that follow from the figures."""
    bounds = [bound for i, bound in enumerate(verdict["bounds"][:3]) if i == 0 or bound["share"] >= 0.05]
    text = ", ".join(bound["bound"] + (f" ({', '.join(bound['of'])})" if bound["of"] else "") +
                     f" {percent(bound['share'])}" + ("" if i else " of the critical path")
                     for i, bound in enumerate(bounds))
    yield f"bound by: {text}"
    units = [unit for i, unit in enumerate(verdict["busiest"]) if i < 2 or unit["unit"] == "shuffle"]
    yield "busiest: " + "; ".join(f"{unit['unit']} {percent(unit['share'])} in cycles {unit['from']} to {unit['to']}, "
                                  f"{percent(unit['utilization'])} of the run" for unit in units)
    if verdict["shuffles"] == 0:
        yield "shuffle unit: does not matter: no SHFL issued"
    else:
        its = [what_if for what_if in verdict["what_ifs"] if what_if["name"]]
        matters = any(abs(what_if["change"]) >= 0.01 for what_if in its)
        gain = max(0, *(-what_if["change"] for what_if in its))
        tried = ", ".join(f"{what_if['name']} {change(what_if['change'])} ({', '.join(what_if['settings'])})"
                          for what_if in its)
        yield (f"shuffle unit: {'matters' if matters else 'does not matter'}: {tried}; a better unit "
               f"{'gains nothing' if gain < 0.01 else f'gains up to {percent(gain)}'}")
    own = [what_if for what_if in verdict["what_ifs"] if not what_if["name"]]
    if own:
        yield "what if: " + ", ".join(f"{', '.join(each['settings'])} {change(each['change'])}" for each in own)


class OfARun(unittest.TestCase):
    def test_each_sentence_follows_from_the_figures_beside_it(self):
        for words in RUNS:
            verdict = json.loads(output_of("run", *words, "--what-if", "mio.queue_depth=1", "--format", "json"))["verdict"]
            self.assertEqual(verdict["lines"], list(sentences(verdict)), words)
            self.assertLessEqual(len(verdict["lines"]), 5)

    def test_text_and_page_begin_with_the_same_sentences(self):
        for words in RUNS:
            lines = json.loads(output_of("run", *words, "--format", "json"))["verdict"]["lines"]
            text = output_of("run", *words)
            head = text[text.index("\n") + 1:text.index("\n  input: ")]
            self.assertEqual(" ".join(head.split()), " ".join(" ".join(lines).split()), words)
            with tempfile.TemporaryDirectory() as folder:
                output_of("run", *words, "--html", f"{folder}/run.html")
                page = Path(folder, "run.html").read_text(encoding="utf8")
            data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
            self.assertEqual(data["verdict"]["lines"], lines)

    def test_shares_and_cycles_add_up_to_the_run(self):
        for words in RUNS:
            run = json.loads(output_of("run", *words, "--format", "json"))
            self.assertEqual(sum(bound["cycles"] for bound in run["verdict"]["bounds"]), run["totals"]["cycles"])
            self.assertAlmostEqual(sum(bound["share"] for bound in run["verdict"]["bounds"]), 1)

    def test_what_ifs_are_runs_with_their_settings(self):
        for words in RUNS[:3]:
            verdict = json.loads(output_of("run", *words, "--what-if", "mio.queue_depth=1,shuffle.latency=3", "--format",
                                           "json"))["verdict"]
            self.assertGreaterEqual(len(verdict["what_ifs"]), 3)
            for what_if in verdict["what_ifs"]:
                settings = [word for setting in what_if["settings"] for word in ("--set", setting)]
                run = json.loads(output_of("run", *words, *settings, "--format", "json"))
                self.assertEqual(what_if["cycles"], run["totals"]["cycles"], what_if)

    def test_the_same_run_has_the_same_bytes(self):
        for words in RUNS[:3]:
            self.assertEqual(output_of("run", *words), output_of("run", *words))

    def test_a_what_if_that_is_no_machine_is_refused_before_any_work(self):
        for wrong, said in (("shuffle.lane=8", "unknown key 'shuffle.lane'; did you mean 'shuffle.lanes'?"),
                            ("shuffle.lanes", "shuffle.lanes"), ("", "expected KEY=VALUE")):
            self.assertIn(said, output_of("run", *RUNS[0], "--what-if", wrong, status=2))

    def test_a_stopped_run_has_no_verdict(self):
        text = output_of("run", *RUNS[2], "--max-cycles", "50", "--format", "json", status=3) or "{}"
        self.assertNotIn('"verdict"', text)


class OfDesigns(unittest.TestCase):
    def test_compare_ends_with_the_fastest_design_and_its_price(self):
        words = ["compare", "traces/suite/fft_32.sass", "traces/suite/random_gather.sass", "--block", "256",
                 "--network", "crossbar,omega,banked,ring", "--config", "gm107"]
        document = json.loads(output_of(*words, "--format", "json"))
        designs = document["designs"]
        least = min(design["cycles"] for design in designs)
        fastest = min((design for design in designs if design["cycles"] == least), key=lambda each: each["cell_area"])
        self.assertTrue(document["verdict"][0].startswith(f"fastest: {fastest['design']}: {least} cycles (sum), cell_area "),
                        document["verdict"])
        ties = [design["design"] for design in designs if design["cycles"] == least and design is not fastest]
        said = [line for line in document["verdict"] if line.startswith("as fast: ")]
        self.assertEqual(said, [f"as fast: {'; '.join(ties)}"] if ties else [])
        text = " ".join(output_of(*words).split())
        self.assertTrue(text.endswith(" ".join(" ".join(document["verdict"]).split())))

    def test_compare_watches_what_a_sweep_keeps(self):
        keys = ["shfl_queue_wait", "shfl_stalls", "shfl_path_share"]
        words = ["traces/suite/fft_32.sass", "--block", "256", "--config", "gh100"]
        with tempfile.TemporaryDirectory() as folder:
            output_of("sweep", *words, "--vary", "shuffle.network=crossbar,banked", "--keep", ",".join(["cycles", *keys]),
                      "--db", f"{folder}/s.sqlite")
            kept = {row["shuffle.network"]: row for row in json.loads(
                output_of("results", f"{folder}/s.sqlite", "--format", "json"))["rows"]}
        compared = ["compare", *words, "--network", "crossbar,banked", "--format", "json"]
        watched = json.loads(output_of(*compared, "--watch"))
        for rows in (watched["points"], watched["designs"]):
            for row, network in zip(rows, ("crossbar", "banked")):
                for key in keys:
                    self.assertAlmostEqual(row[key], kept[network][key], 5, (network, key))
                    self.assertGreater(row[key], 0)
        for row in json.loads(output_of(*compared))["points"]:
            self.assertEqual([row[key] for key in keys], [None] * 3)

    def test_a_sweep_ends_with_the_design_that_best_names(self):
        with tempfile.TemporaryDirectory() as folder:
            db = f"{folder}/s.sqlite"
            text = output_of("sweep", *[f"traces/suite/{name}.sass" for name in ("fft_32", "scan_inclusive")],
                             "--config", "gm107", "--vary", "shuffle.network=crossbar,banked,ring", "--vary",
                             "shuffle.lanes=8,32", "--db", db)
            best = json.loads(output_of("results", db, "--best", "cycles", "--format", "json"))["rows"][-1]
            self.assertIn(f"fastest: shuffle.network={best['shuffle.network']}, shuffle.lanes={best['shuffle.lanes']}: "
                          f"{best['cycles']:.1f} cycles (geometric mean over 2 launches), cell_area ",
                          " ".join(text.split()))
            self.assertIn("depends on: ", text)


if __name__ == "__main__":
    unittest.main()
