# SPDX-License-Identifier: Apache-2.0
"""The program on a terminal and in a pipe: widths, colour, help, messages, formats.
Names of findings are those of the reviews that reported them (U: as a user)."""
import csv
import fcntl
import io
import json
import os
import pty
import re
import struct
import subprocess
import tempfile
import termios
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["SHFLSIM"]
VERBS = ["run", "compare", "accuracy", "decode", "encode", "explain", "rtl", "verify", "asm", "disasm",
         "list", "lower", "check", "trace", "trace record", "trace info", "trace dump",
         "trace convert"]
TOPICS = ["configs", "config", "modules", "networks", "policies", "inputs", "views", "stats",
          "kernels traces/kernels.sm50.sass", "kernels tests/data/corpus/cub.cubin.gz"]
SCAN = "traces/scan_inclusive.sass"
H200 = "tests/data/h200"
ACCURACY = ["accuracy", f"{H200}/bench.sm90.cuobjdump.txt.gz", f"{H200}/timing.csv", "--skew", "81",
            "--set", "shuffle.network=banked"]
WORDS = ["COLUMNS", "NO_COLOR", "CLICOLOR_FORCE", "TERM"]


def environment(**more):
    kept = {key: value for key, value in os.environ.items() if key not in WORDS}
    return {**kept, "TERM": "xterm", **more}


def piped(command, **more):
    return subprocess.run([PROGRAM, *command], cwd=TOP, env=environment(**more), text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)


def on_terminal(command, columns=80, **more):
    """The text that a pseudo-terminal receives from both streams."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([PROGRAM, *command], cwd=TOP, env=environment(**more), stdout=theirs,
                          stderr=theirs, stdin=subprocess.DEVNULL):
        os.close(theirs)
        text = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
    os.close(ours)
    return text.decode().replace("\r\n", "\n")


def without_colour(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def scratch(name):
    return os.path.join(tempfile.gettempdir(), f"shflsim_terminal_{os.getpid()}_{name}")


class OnATerminal(unittest.TestCase):
    def fits(self, command, columns=80):
        for line in without_colour(on_terminal(command, columns)).splitlines():
            self.assertLessEqual(len(line), columns, f"{command}: {line}")

    def test_u4_terminal_no_line_wraps_at_80_columns(self):
        trace = scratch("scan.shft")
        self.assertEqual(piped(["trace", "record", SCAN, "--warps", "2", "-o", trace]).returncode, 0)
        commands = [["run", SCAN], ["run", "traces/suite/fft_32.sass", "--block", "256"],
                    ["run", "traces/suite/random_gather.sass", "--set", "shuffle.network=banked"],
                    ["run", "tests/data/accel_sim/kernelslist.g"],
                    ["compare", SCAN, "traces/suite/bitonic_sort.sass", "--network", "all",
                     "--pareto", "cycles,mux2", "--ports", "--top", "3"],
                    ["explain", "SHFL.IDX P0, R1, R0, R2, 0x1f", "--sb", "lane*5%32"],
                    ["check", SCAN], ["check", "traces/suite/fft_32.sass"],
                    ["verify", "traces/kernels.sm50.sass"], ACCURACY,
                    ["lower", "__shfl_down_sync(0xffffffff, v, 3, 8)"],
                    ["trace", "info", trace], ["trace", "dump", trace, "--count", "8"]]
        commands += [["list", *topic.split()] for topic in TOPICS]
        commands += [[*verb.split(), "--help"] for verb in VERBS] + [["--help"], ["--version"]]
        for command in commands:
            with self.subTest(command):
                self.fits(command)
        os.remove(trace)

    def test_u4_terminal_a_narrow_one_keeps_the_headline_figures_and_names_what_went(self):
        shown = without_colour(on_terminal(
            ["run", "traces/suite/random_gather.sass", "--set", "shuffle.network=banked"], 60))
        self.assertRegex(shown, r"cycles +\d+ cycles")
        for heading in ["passes", "time", "top stall"]:
            self.assertIn(heading, shown[shown.index("Instructions"):])
        self.assertRegex(shown, r"\n  not in 60 columns: [^\n]* \(\| cat shows all\)\n")
        self.fits(["run", "traces/suite/random_gather.sass"], 60)

    def test_u4_terminal_a_pipe_gets_everything_whatever_columns_says(self):
        command = ["run", "traces/suite/random_gather.sass"]
        whole = piped(command).stdout
        self.assertEqual(piped(command, COLUMNS="60", TERM="dumb").stdout, whole)
        self.assertNotIn("...", whole)
        self.assertNotIn("\x1b", whole)
        self.assertEqual(on_terminal(command, 300, NO_COLOR="1"), whole)

    def test_columns_wins_over_what_the_terminal_says(self):
        narrow = on_terminal(["run", SCAN], 200, COLUMNS="60", NO_COLOR="1")
        self.assertLessEqual(max(len(line) for line in narrow.splitlines()), 60)

    def test_u4_terminal_colour_is_automatic_and_can_be_chosen(self):
        run = ["run", SCAN]
        self.assertIn("\x1b[", on_terminal(run))
        self.assertNotIn("\x1b[", on_terminal(run, NO_COLOR="1"))
        self.assertIn("\x1b[", on_terminal(run, NO_COLOR=""))
        self.assertNotIn("\x1b[", on_terminal(run, TERM="dumb"))
        self.assertNotIn("\x1b[", on_terminal([*run, "--color=never"]))
        self.assertIn("\x1b[", on_terminal([*run, "--color=always"], NO_COLOR="1"))
        self.assertIn("\x1b[", piped([*run, "--color", "always"]).stdout)
        self.assertIn("\x1b[", piped(run, CLICOLOR_FORCE="1").stdout)
        self.assertNotIn("\x1b[", piped(run, CLICOLOR_FORCE="0").stdout)
        self.assertNotIn("\x1b[", piped(run, CLICOLOR_FORCE="1", NO_COLOR="1").stdout)
        self.assertEqual(without_colour(piped([*run, "--color=always"]).stdout), piped(run).stdout)
        self.assertEqual(piped([*run, "--color=alway"]).stderr,
                         "--color 'alway'; did you mean 'always'?\n")


class Help(unittest.TestCase):
    def test_u1_help_verb_is_what_verb_help_prints(self):
        for verb in VERBS:
            asked = piped(["help", *verb.split()])
            self.assertEqual(asked.returncode, 0, verb)
            self.assertEqual(asked.stdout, piped([*verb.split(), "--help"]).stdout, verb)
        self.assertEqual(piped(["help"]).stdout, piped(["--help"]).stdout)
        self.assertEqual(piped(["help", "rum"]).stderr, "unknown command 'rum'; did you mean 'run'?\n")

    def test_p3_a_typo_is_answered_with_the_nearest_name_and_no_prefix_is_guessed(self):
        for command, answer in ((["rum"], "unknown command 'rum'; did you mean 'run'?"),
                                (["run", "--greed", "1"], "unknown option '--greed'; did you mean '--grid'?"),
                                (["run", "--js", "x"], "unknown option '--js'; did you mean '--json'?"),
                                (["list", "config", "--set", "shuffle.lanse=8"],
                                 "command line: unknown key 'shuffle.lanse'; did you mean 'shuffle.lanes'?"),
                                (["list", "config", "--config", "gm17"],
                                 "no config 'gm17'; did you mean 'gm107'?"),
                                (["encode", "SHFLL.IDX PT, R1, R0, 0, 0x1f"],
                                 "'SHFLL.IDX PT, R1, R0, 0, 0x1f':1:1: unknown opcode 'SHFLL'; "
                                 "did you mean 'SHFL'?")):
            done = piped(command)
            self.assertEqual((done.returncode, done.stderr), (2, answer + "\n"), command)

    def test_p4_a_terminal_sees_the_word_of_the_command_line_that_is_wrong(self):
        self.assertEqual(on_terminal(["list", "config", "--set", "shuffle.lanes=x"]).splitlines()[1:],
                         ["  --set shuffle.lanes=x", "                      ^"])

    def test_u3_11_help_has_no_line_over_80_columns_and_no_blank_at_an_end(self):
        for verb in ["", *VERBS]:
            for line in piped([*verb.split(), "--help"]).stdout.splitlines():
                self.assertLessEqual(len(line), 80, f"{verb}: {line}")
                self.assertEqual(line, line.rstrip(), verb)
        for line in piped(["lower", "__shfl_down_sync(0x0000ffff, v, 3, 8)"]).stdout.splitlines():
            self.assertEqual(line, line.rstrip())

    def test_u1_positionals_stand_first_and_are_no_options(self):
        for verb in VERBS:
            text = piped([*verb.split(), "--help"]).stdout
            for option in ["--input", "--file", "--text", "--word", "--call", "--listing",
                           "--topic", "--timing"]:
                self.assertNotIn(f"{option} ", text, verb)
            if verb != "trace":
                self.assertLess(text.index("\narguments:\n"), text.index("\ncommon:\n"), verb)
        text = piped(["run", "--help"]).stdout
        self.assertLess(text.index("\narguments:\n  FILE  "), text.index("\nlaunch:\n"))
        self.assertLess(text.index("\nlaunch:\n"), text.index("      --grid X,Y,Z"))

    def test_help_says_where_the_views_of_several_launches_go(self):
        text = " ".join(piped(["run", "--help-all"]).stdout.split())
        self.assertIn("a list of traces) write a file each: out.1.json, out.2.json for "
                      "json:out.json", text)
        with tempfile.TemporaryDirectory() as folder:
            piped(["run", "tests/data/accel_sim/kernelslist.g", "--json", f"{folder}/out.json"])
            written = sorted(os.listdir(folder))
        self.assertEqual(written[:2], ["out.1.json", "out.2.json"])

    def test_help_says_how_much_output_is_held_back(self):
        self.assertIn("With status 2 nothing is written, except that standard output beyond 16 MiB "
                      "is not held back;", " ".join(piped(["--help"]).stdout.split()))

    def test_a_short_help_fits_one_screen(self):
        for verb in VERBS:
            text = piped([*verb.split(), "--help"]).stdout
            self.assertLessEqual(len(text.splitlines()), 45, verb)

    def test_p2_every_full_help_ends_with_statuses_and_environment(self):
        for verb in ["", *VERBS]:
            text = piped([*verb.split(), "--help-all"]).stdout
            for word in ["exit status: 0 success, 1 ", "SHFLSIM_CONFIGS", "NO_COLOR",
                         "CLICOLOR_FORCE", "TMPDIR", "COLUMNS"]:
                self.assertIn(word, text, verb)

    def test_u1_the_overview_names_every_topic_of_list(self):
        overview = " ".join(piped(["--help"]).stdout.split())
        topics = re.findall(r"^  shflsim list (\w+).* # ", piped(["list", "--help"]).stdout, re.M)
        self.assertEqual(len(topics), 13)
        self.assertIn("list one of: " + ", ".join(topics), overview)


class Version(unittest.TestCase):
    def test_p12_says_what_the_program_was_built_from_and_with(self):
        text = piped(["--version"]).stdout
        self.assertRegex(text, r"^shflsim \d+\.\d+\.\d+\ncommit      ([0-9a-f]{12}(-dirty)?|unknown)\n")
        for name in ["build type", "compiler", "SystemC", "Boost", "fmt", "SQLite", "files",
                     "sanitizers"]:
            self.assertRegex(text, rf"\n{name} +\S")
        self.assertRegex(text, r"libelf \d\S*, LZ4 \d\S*, zstd \d\S*, zlib \d\S*, liblzma \d")
        for command in [["-V"], ["run", "--version"], ["trace", "dump", "-V"], ["-V", "list"]]:
            self.assertEqual(piped(command).stdout, text)

    def test_p12_is_json_where_that_is_asked_for(self):
        told = json.loads(piped(["--version", "--format", "json"]).stdout)
        self.assertEqual(list(told), ["schema", "name", "version", "commit", "build_type",
                                      "compiler", "systemc", "boost", "fmt", "sqlite", "files",
                                      "sanitizers"])


class Messages(unittest.TestCase):
    TRACE = ["run", "tests/data/accel_sim/kernel-1.traceg"]

    def test_p7_quiet_leaves_errors_alone(self):
        self.assertIn("timed on ga100", piped(self.TRACE).stderr)
        for command in [[*self.TRACE, "-q"], ["-q", *self.TRACE], ["--quiet", *self.TRACE]]:
            quiet = piped(command)
            self.assertEqual(quiet.stderr, "")
            self.assertEqual(quiet.stdout, piped(self.TRACE).stdout)
        self.assertIn("nothing.sass", piped(["run", "-q", "nothing.sass"]).stderr)

    def test_p11_verbose_says_what_is_read_where_it_is_timed_and_what_is_written(self):
        result = scratch("r.json")
        said = piped(["-v", "run", SCAN, "--json", result]).stderr
        self.assertRegex(said, rf"^reads {SCAN} as code\nmachine gm107, as --config names none\n"
                               r"timed scan_inclusive in \d+\.\d{3} s\n"
                               rf"wrote {re.escape(result)}, \d+ bytes\n$")
        self.assertEqual(piped(["-v", "run", SCAN]).stdout, piped(["run", SCAN]).stdout)
        os.remove(result)

    def test_p11_a_log_file_gets_the_same_at_its_end(self):
        log = scratch("log")
        for verb in [["run"], ["check"]]:
            self.assertEqual(piped([*verb, SCAN, "--log-file", log]).stderr, "")
        text = Path(log).read_text(encoding="utf-8")
        self.assertEqual(text.count(f"reads {SCAN} as code\n"), 2)
        os.remove(log)
        failed = piped(["--log-file", "/nonexistent/log", "run", SCAN])
        self.assertEqual(failed.returncode, 2)
        self.assertEqual(failed.stdout, "")

    def test_p11_options_in_front_of_the_verb_are_those_behind_it(self):
        self.assertEqual(piped(["--color", "never", "-q", "trace", "info", "x"]).stderr,
                         piped(["trace", "info", "x", "-q"]).stderr)
        self.assertEqual(piped(["-q", "-v", "run", SCAN]).stderr,
                         "--quiet and --verbose both given; expected one of them\n")
        self.assertEqual(piped(["--frobnicate", "run", SCAN]).returncode, 2)
        self.assertEqual(piped(["--format", "json", "run", SCAN]).stdout[0], "{")


class Formats(unittest.TestCase):
    COMMANDS = [["run", SCAN], ACCURACY, ["compare", SCAN, "--network", "crossbar,ring"],
                ["explain", "SHFL.BFLY PT, R1, R0, 0x1, 0x1f"],
                ["verify", "traces/kernels.sm50.sass"],
                ["run", "tests/data/accel_sim/kernelslist.g"],
                *[["list", *topic.split()] for topic in TOPICS]]

    def test_p8_every_result_is_json_json_lines_or_csv_alone_on_standard_output(self):
        for command in self.COMMANDS:
            with self.subTest(command):
                whole = piped([*command, "--format", "json"])
                self.assertEqual((whole.returncode, bool(json.loads(whole.stdout))), (0, True))
                lines = piped([*command, "--format=jsonl"]).stdout.splitlines()
                rows = list(csv.reader(io.StringIO(piped([*command, "--format=csv"]).stdout)))
                self.assertEqual(len(lines), len(rows) - 1)
                for line, row in zip(lines, rows[1:]):
                    self.assertLessEqual(set(json.loads(line)), set(rows[0]) | {
                        "equals_first", "differences", "shuffle_instructions", "ports", "cost",
                        "schedule", "set_up"})
                    self.assertEqual(len(row), len(rows[0]))

    def test_p8_a_run_in_a_format_is_its_view(self):
        path = scratch("view")
        for name in ["json", "jsonl", "csv"]:
            piped(["run", SCAN, "--view", f"{name}:{path}"])
            self.assertEqual(piped(["run", SCAN, "--format", name]).stdout,
                             Path(path).read_text(encoding="utf-8"))
        os.remove(path)

    def test_p8_findings_of_check_have_status_1_in_every_format(self):
        source = scratch("hazard.sass")
        Path(source).write_text("S2R R0, SR_LANEID;\nFADD R1, R0, R0;\nEXIT;\n", encoding="utf-8")
        text = piped(["check", source])
        for name in ["json", "jsonl", "csv"]:
            found = piped(["check", source, "--format", name])
            self.assertEqual(found.returncode, text.returncode)
        os.remove(source)

    def test_p8_an_unknown_format_is_refused(self):
        self.assertEqual(piped(["run", SCAN, "--format", "jso"]).stderr,
                         "--format 'jso'; did you mean 'json'?\n")
        self.assertEqual(piped(["disasm", SCAN, "--format", "json"]).returncode, 2)


class Accuracy(unittest.TestCase):
    def test_its_head_says_of_what_on_which_machine_and_with_what_set(self):
        head = piped([*ACCURACY, "--no-epilogue"]).stdout[:600].split("\n\n")[0].splitlines()
        self.assertEqual(head[:4], ["accuracy: 234 points", f"  input: {ACCURACY[1]}",
                                    "  launch: --skew 81 --no-epilogue",
                                    f"  timing: {ACCURACY[2]}"])
        self.assertRegex(head[4], r"^  machine: gh100, network banked; "
                                  r"\d+ of \d+ values assumed and in use$")
        self.assertRegex(head[5], r"^  remark: gh100: \d+ values measured on the chip itself; ")
        told = json.loads(piped([*ACCURACY, "--format", "json"]).stdout)
        self.assertEqual((told["input"], told["timing"], told["arguments"]),
                         (ACCURACY[1], ACCURACY[2], ["--skew 81"]))
        self.assertEqual(told["machine"]["overrides"], ["shuffle.network=banked"])

    def test_on_a_narrow_terminal_its_errors_stay(self):
        shown = without_colour(on_terminal(ACCURACY, 70)).splitlines()
        row = next(i for i, line in enumerate(shown) if line.startswith("  kernel "))
        self.assertEqual(shown[row - 1].split(), ["span", "span", "warp", "warp"])
        self.assertEqual(shown[row].split(), ["kernel", "placed", "warps", *["model", "error"] * 2])
        self.assertIn("  not in 70 columns: span meas., warp meas. (| cat shows all)", shown)


class Lists(unittest.TestCase):
    def test_u1_sentences_of_list_stats_have_verbs(self):
        text = piped(["list", "stats"]).stdout
        self.assertIn("in which the warp waits for its next instruction, which is not in the "
                      "instruction buffer.", text)
        self.assertIn("in which the warp sleeps (NANOSLEEP).", text)

    def test_u1_list_configs_says_which_chip_each_is(self):
        rows = json.loads(piped(["list", "configs", "--format", "json"]).stdout)["configs"]
        chips = {row["config"]: row["chip"] for row in rows}
        self.assertEqual(chips["ad102"], "RTX 4090; Ada, sm_89")
        self.assertEqual(chips["gm107"], "GTX 750 Ti; Maxwell, sm_50")
        for config, chip in chips.items():
            self.assertRegex(chip, r"^\w[\w, ]+; \w+, sm_\d\d+$", config)
            self.assertIn(chip, piped(["list", "configs"]).stdout)


if __name__ == "__main__":
    unittest.main()
