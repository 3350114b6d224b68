# SPDX-License-Identifier: Apache-2.0
"""The installed files: manual pages and completions are complete and without fault, and the installed
program finds its files. The argument selects the part; status 77 means that its tool is missing."""
import concurrent.futures
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["SHFLSIM"]
BUILD = Path(os.environ["SHFLSIM_BUILD"])
MANUAL = BUILD / "packaging/manual"


def output_of(*command, **more):
    return subprocess.run(command, check=True, text=True, capture_output=True, **more).stdout


def rows(topic):
    return json.loads(output_of(PROGRAM, "list", topic, "--format", "json"))[topic]


class Pages(unittest.TestCase):
    def shown(self, page):
        """The page at 80 columns; man must print no warnings."""
        done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", str(page)], check=True,
                              text=True, capture_output=True,
                              env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
        self.assertEqual(done.stderr, "", page)
        return done.stdout

    def test_man_warns_of_no_page(self):
        pages = sorted(MANUAL.glob("man?/*"))
        self.assertGreater(len(pages), 20)
        for page in pages:
            self.assertGreater(len(self.shown(page).splitlines()), 20, page)

    def test_every_command_has_a_page_with_its_options(self):
        for command in rows("commands"):
            page = MANUAL / f"man1/shflsim-{command['name'].replace(' ', '-')}.1"
            text = page.read_text().replace("\\-", "-")
            for option in rows("options"):
                if option["command"] == command["name"] and option["group"] != "arguments":
                    self.assertIn(f"\\fB--{option['name']}\\fP", text, page)

    def test_every_key_of_a_config_is_in_its_page(self):
        text = (MANUAL / "man5/shflsim-config.5").read_text()
        for value in rows("config"):
            self.assertIn(f"\\fB{value['key']}\\fP", text)

    def test_the_page_of_sweep_files_keeps_its_stars(self):
        text = self.shown(MANUAL / "man5/shflsim-sweep.5")
        self.assertIn("with * and ? for many", " ".join(text.split()))


class Completion(unittest.TestCase):
    """Words that complete the text on a command line."""
    CASES = {
        "shflsim ": ["run", "compare", "help"],
        "shflsim trace ": ["record", "info", "dump", "convert"],
        "shflsim trace record --ou": ["--output"],
        "shflsim list networ": ["networks"],
        "shflsim run --sens": ["--sensitivity"],
        "shflsim run --format ": ["text", "json", "jsonl", "csv"],
        "shflsim compare x --network crossb": ["crossbar"],
        "shflsim rtl bene": ["benes", "benes_copy"],
        "shflsim run --json tests/data/accel_sim/kernelsl": ["tests/data/accel_sim/kernelslist.g"],
    }

    def holds(self, replies):
        """Checks that `replies` gives the expected words for each line."""
        for line, wanted in self.CASES.items():
            self.assertLessEqual(set(wanted), set(replies(line)), line)


class Bash(Completion):
    SCRIPT = """source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _shflsim; printf '%s\\n' "${COMPREPLY[@]}"
complete -p shflsim >&2"""

    def replies(self, line):
        return output_of("bash", "--norc", "-c", self.SCRIPT, "bash", str(MANUAL / "bash/shflsim"),
                         line, cwd=TOP).splitlines()

    def test_bash_completes(self):
        self.holds(self.replies)

    def test_bash_completes_values_behind_their_signs(self):
        # readline replaces the text after = or :
        self.assertEqual(self.replies("shflsim run --set shuffle.network=bank"), ["banked"])
        self.assertEqual(self.replies("shflsim run --set shuffle.late"), ["shuffle.latency="])
        self.assertEqual(self.replies("shflsim run --format=jsonl"), ["jsonl"])
        self.assertEqual(self.replies("shflsim run --view kon"), ["konata:"])
        self.assertEqual(self.replies("shflsim compare x --network ring,benes_"), ["ring,benes_copy"])

    def test_bash_completes_every_option(self):
        wanted = [f"{row['command']} --{row['name']}" for row in rows("options")
                  if row["group"] != "arguments"]
        script = """source "$1"; while read -r option; do COMP_LINE="shflsim $option"
COMP_POINT=${#COMP_LINE}; _shflsim; printf '%s\\n' "${COMPREPLY[*]}"; done"""
        replies = output_of("bash", "--norc", "-c", script, "bash", str(MANUAL / "bash/shflsim"),
                            input="".join(f"{option}\n" for option in wanted)).splitlines()
        self.assertEqual(len(replies), len(wanted))
        for option, reply in zip(wanted, replies):
            self.assertIn(option.split()[-1], reply.split(), option)


class Zsh(unittest.TestCase):
    # In its own terminal, since zsh completes nowhere else.
    SCRIPT = """zmodload zsh/zpty; zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -U compinit; fpath=($1 \\$fpath); compinit -u -D; print ready"
zpty -r shell text '*ready*ready*'
zpty -w -n shell "$2"$'\\t'$'\\C-a'"print -r -- 'got '\\""$'\\C-e'$'"\\n'
zpty -r shell text $'*\\ngot *\\n*'; print -r -- $text"""

    def test_zsh_completes_a_word_of_each_kind(self):
        for line, wanted in (("shflsim trace reco", "record"), ("shflsim list networ", "networks"),
                             ("shflsim compare x --network crossb", "crossbar"),
                             ("shflsim run --sensi", "--sensitivity"),
                             ("shflsim run --view kon", "konata")):
            text = output_of("zsh", "-f", "-c", self.SCRIPT, "zsh", str(MANUAL / "zsh"), line,
                             timeout=30)
            got = text.replace("\r", "").rpartition("\ngot ")[2].strip()
            self.assertEqual(got.split()[-1:], [wanted], line)


class Fish(Completion):
    def test_fish_completes(self):
        def replies(line):
            text = output_of("fish", "--no-config", "-c", 'source $argv[1]; complete -C $argv[2]',
                             str(MANUAL / "fish/shflsim.fish"), line, cwd=TOP)
            return [each.split("\t")[0] for each in text.splitlines()]
        self.holds(replies)


class Tree(unittest.TestCase):
    """The tree that `cmake --install` makes."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.prefix = Path(cls.folder.name) / "usr"
        output_of("cmake", "--install", str(BUILD), "--prefix", str(cls.prefix), "--component",
                  "program")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_what_users_look_for_is_where_they_look(self):
        for place in ("bin/shflsim", "share/man/man1/shflsim.1", "share/man/man5/shflsim-config.5",
                      "share/bash-completion/completions/shflsim", "share/doc/shflsim/copyright",
                      "share/fish/vendor_completions.d/shflsim.fish",
                      "share/shflsim/configs/gm107.cfg", "share/shflsim/schema/run.schema.json"):
            self.assertTrue((self.prefix / place).is_file(), place)

    def test_licences_of_what_is_in_the_program_go_with_it(self):
        text = (self.prefix / "share/doc/shflsim/copyright").read_text()
        self.assertIn("Apache License", text)
        if not (BUILD / "report/charts/bundled/licences.txt").read_text():
            self.skipTest("built without npm: no libraries that draw charts")
        for name in ("uplot 1.", "vega-lite 6.", "vega-tooltip 1.", "d3-array 3."):
            self.assertIn(name, text)

    def test_the_installed_program_takes_its_own_configs(self):
        shown = output_of(self.prefix / "bin/shflsim", "run", "traces/scan_inclusive.sass", "--reg",
                          "Rsum=1.0", "--verbose", cwd=self.prefix / "share/shflsim",
                          stdin=subprocess.DEVNULL)
        self.assertIn("SHFL.UP P1, R0, R1, 0x1, 0x0", shown)
        (self.prefix / "share/shflsim/configs/gm107.cfg").write_text("x = 1\n")
        broken = subprocess.run([self.prefix / "bin/shflsim", "list", "config"], text=True,
                                capture_output=True, check=False)
        self.assertEqual(broken.returncode, 2)
        self.assertIn("gm107.cfg:1:", broken.stderr)


class Libraries(unittest.TestCase):
    """Builds examples/own_network with the installed files alone."""

    def test_a_network_from_outside_the_tree_is_in_the_program_and_in_the_model(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix, build = Path(folder) / "usr", Path(folder) / "build"
            for component in ("program", "development"):
                output_of("cmake", "--install", str(BUILD), "--prefix", str(prefix), "--component",
                          component)
            output_of("cmake", "-S", str(TOP / "examples/own_network"), "-B", str(build),
                      f"-DCMAKE_PREFIX_PATH={prefix}")
            output_of("cmake", "--build", str(build))
            scan = str(TOP / "traces/scan_inclusive.sass")
            listed = json.loads(output_of(build / "shflsim_bus", "list", "networks",
                                          "--format", "json"))
            self.assertEqual([row["help"] for row in listed["networks"]
                              if row["name"] == "bus"], ["buses for one source lane each"])
            run = json.loads(output_of(build / "shflsim_bus", "run", scan, "--reg", "Rsum=1.0",
                                       "--set", "shuffle.network=bus", "--format", "json"))
            # SHFL.UP by 1, 2, 4, 8, 16: 31, 30, 28, 24, 16 source lanes, 4 a pass
            self.assertEqual(run["totals"]["passes"], 8 + 8 + 7 + 6 + 4)
            beside = dict(line.split() for line in
                          output_of(build / "side_by_side", scan).splitlines()[-17:])
            self.assertEqual(int(beside["bus"]), run["totals"]["cycles"])
            self.assertLess(int(beside["crossbar"]), int(beside["bus"]))


class Python(unittest.TestCase):
    """The module, in this process."""

    @classmethod
    def setUpClass(cls):
        os.environ["SHFLSIM_CONFIGS"] = str(TOP / "configs")
        sys.path.insert(0, str(BUILD / "packaging/python"))
        cls.shflsim = __import__("shflsim")

    def test_a_run_is_what_the_program_prints_with_rows_as_columns(self):
        scan = TOP / "traces/scan_inclusive.sass"
        options = ["--reg", "Rsum=1.0", "--set", "shuffle.network=ring", "--format", "json"]
        printed = json.loads(output_of(PROGRAM, "run", str(scan), *options))
        for _ in range(2):  # each in its own process
            run = self.shflsim.run(scan, reg={"Rsum": 1.0}, set={"shuffle.network": "ring"})
            self.assertEqual(run["totals"], printed["totals"])
            for name, column in run["instructions"].items():
                self.assertEqual(column, [row[name] for row in printed["instructions"]], name)

    def test_a_sweep_gives_its_points_and_goes_on_where_it_was(self):
        with tempfile.TemporaryDirectory() as folder:
            vary = {"shuffle.lanes": [8, 16, 32]}
            scan = TOP / "traces/suite/scan_inclusive.sass"
            found = self.shflsim.sweep(scan, db=f"{folder}/a.sqlite", vary=vary)
            self.assertEqual(found["shuffle.lanes"], [8, 16, 32])
            self.assertEqual(found["cycles"], [206, 182, 171])
            self.assertEqual(self.shflsim.sweep(scan, db=f"{folder}/a.sqlite", vary=vary), found)
            self.assertEqual(self.shflsim.results(f"{folder}/a.sqlite",
                                                  where="shuffle.lanes > 8")["cycles"], [182, 171])

    def test_a_comparison_has_a_row_for_each_design(self):
        found = self.shflsim.compare([TOP / "traces/suite/scan_inclusive.sass"],
                                     network="crossbar,ring")
        self.assertEqual(found["points"]["design"], ["crossbar", "ring"])
        self.assertEqual([len(column) for column in found["points"].values()
                          if isinstance(column, list)], [2] * len(found["points"]))

    def test_threads_may_call_at_the_same_time(self):
        scan = TOP / "traces/scan_inclusive.sass"
        lanes = [8, 16, 32] * 4
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda each: self.shflsim.run(
                scan, reg={"Rsum": 1.0}, set={"shuffle.lanes": each})["totals"]["cycles"], lanes))
        self.assertEqual(found, found[:3] * 4)
        self.assertEqual(len(set(found)), 3)

    def test_what_is_wrong_is_an_error_with_its_place(self):
        with self.assertRaisesRegex(self.shflsim.Error, "did you mean '--arg'") as raised:
            self.shflsim.run("x.sass", rag=1)
        self.assertEqual(raised.exception.status, 2)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "broken.sass"
            path.write_text("SHFL.BFLY PT, R1\n")
            with self.assertRaises(self.shflsim.Error) as raised:
                self.shflsim.run(path)
            self.assertEqual(raised.exception.faults[0]["line"], 1)
            self.assertRegex(str(raised.exception), r"broken\.sass:1:\d+: ")

    def test_a_signal_handler_of_python_ends_a_call(self):
        def stop(*_):
            raise TimeoutError
        before = signal.signal(signal.SIGALRM, stop)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with self.assertRaises(TimeoutError):
                self.shflsim.run(TOP / "bench/inputs/chain.sass", reg={"R0": 2000000000},
                                 max_instructions=1 << 40)
        finally:
            signal.signal(signal.SIGALRM, before)
        with self.assertRaises(ChildProcessError):  # none is left
            os.waitpid(-1, os.WNOHANG)


PARTS = {"pages": (Pages, "man"), "bash": (Bash, "bash"), "zsh": (Zsh, "zsh"),
         "fish": (Fish, "fish"), "tree": (Tree, "cmake"), "libraries": (Libraries, "cmake"),
         "python": (Python, "python3")}


def main():
    case, tool = PARTS[sys.argv[1]]
    if shutil.which(tool) is None:
        print(f"skipped: no {tool}")
        sys.exit(77)
    if case is Python and not list(BUILD.glob("packaging/python/shflsim/_native*")):
        print("skipped: built without pybind11-dev or python3-dev")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], defaultTest=[case.__name__])


main()
