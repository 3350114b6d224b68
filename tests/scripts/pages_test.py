# SPDX-License-Identifier: Apache-2.0
"""Everything that the pages name exists: commands and options of the program and of scripts, keys of configs, files,
links, and in the pages for developers the names of types and functions."""
import json
import os
import re
import subprocess
import unittest
from fnmatch import fnmatch
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["SHFLSIM"]
DEVELOPERS = ("CONTRIBUTING.md", "docs/architecture.md", "docs/isa.md")
# Options of other programs that a page explains.
FOREIGN_OPTIONS = {"--prefix", "--build", "--preset", "--target", "--install", "--package-lock-only", "--gtest_filter",
                   "--array", "--dependency", "--requeue", "--time", "--partition", "--mem", "--rerun-incomplete",
                   "--lint-only"}
PLACEHOLDER = re.compile(r"[A-Z]{2,}|\.\.\.|[<>]")
IDENTIFIER = r"[A-Za-z_]\w*"
STYLES = {"CamelCase", "snake_case", "name_", "kName"}  # CONTRIBUTING shows them as examples


def listed(topic, *more):
    done = subprocess.run([PROGRAM, "list", topic, *more, "--format", "json"], check=True, text=True,
                          stdout=subprocess.PIPE)
    return json.loads(done.stdout)[topic]


def tree():
    return subprocess.run(["git", "ls-files"], cwd=TOP, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.splitlines()


def spans(text):
    """The texts in backticks in a page, without the blocks."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", text)]


def block_lines(text):
    """The lines of a page's blocks, indented or between ```."""
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            yield line if fenced else line[4:]


def command_lines(text):
    """The command lines of a page: in blocks, with or without `$`, and in backticks."""
    text = re.sub(r"\\\n\s*", " ", text)
    blocks = [line.removeprefix("$ ") for line in block_lines(text)]
    for line in (*(line for line in blocks if re.match(r"(shflsim|scripts/\w+)\b", line)), *spans(text)):
        line = re.sub(r"'[^']*'|\"[^\"]*\"", "TEXT", line)
        for command in re.split(r"\s(?:\||&&|;|>|<|--)(?=\s)|;", line):
            yield command.strip()


def options_of(words):
    return [re.match(r"--[\w-]*", word)[0] for word in words if re.match(r"--\w", word)]


class Program:
    """The program's options and config keys, and checks of calls."""

    def __init__(self):
        self.options = {}
        for option in listed("options"):
            self.options.setdefault(option["command"], set()).add("--" + option["name"])
        self.every_option = set().union(*self.options.values()) | {"--help", "--help-all", "--version"}
        self.keys = {value["key"] for value in listed("config")}

    def fault(self, command):
        """The fault in `shflsim ...`; "" if there is none."""
        words = command.split()[1:]
        if words[:1] == ["help"]:
            words = words[1:]
        if not words or words[0].startswith("-") or PLACEHOLDER.search(words[0]):
            return next((f"no option {option}" for option in options_of(words) if option not in self.every_option), "")
        name = next((name for name in (" ".join(words[:2]), words[0]) if name in self.options), None)
        if name is None:
            is_group = any(known.startswith(words[0] + " ") for known in self.options)
            return "" if is_group else f"no command {words[0]}"
        known = self.options[name] | {"--help-all"}
        return next((f"{name} has no option {option}" for option in options_of(words) if option not in known),
                    self.fault_of_settings(words))

    def fault_of_settings(self, words):
        for option, word in zip(words, words[1:]):
            key = word.partition("=")[0]
            if option in ("--set", "--vary") and "." in key and not self.has_key(key):
                return f"no key {key}"
        return ""

    def has_key(self, key):
        return PLACEHOLDER.search(key) or any(fnmatch(known, key) for known in self.keys)


def script_fault(command, files):
    """The fault in `scripts/NAME ...`; "" if there is none."""
    name, *words = command.split()
    if PLACEHOLDER.search(name) or name not in files:
        return path_fault(name, files)
    beside = [name, *(file for file in files if file.startswith((name + "/", "scripts/plotting/"))
                      and file.endswith(".py"))]
    text = "\n".join((TOP / file).read_text() for file in beside)
    return next((f"{name} has no option {option}" for option in options_of(words)
                 if option not in text and option[2:] not in text), "")


def path_fault(span, files):
    """The fault in a path in backticks; "" if there is none or the text is no path of the tree."""
    tops = {file.split("/")[0] for file in files}
    path = span.removeprefix("./").split(":")[0].rstrip("/")
    if not re.fullmatch(r"[\w.*?/-]+", path) or "/" not in path or PLACEHOLDER.search(path):
        return ""
    if path.split("/")[0] not in tops:
        return ""
    there = any(fnmatch(file, path) or file.startswith(path + "/") or fnmatch(file, path + "/*") for file in files)
    return "" if there else f"no file {path}"


def without_comments(text):
    return re.sub(r"//.*", "", text)


def names_in_sources(files):
    """The identifiers in the C++ sources, without those in comments."""
    names = set()
    for file in files:
        if file.endswith((".h", ".cc", ".inc")):
            names |= set(re.findall(IDENTIFIER, without_comments((TOP / file).read_text())))
    return names


def symbols(span):
    """The names of a span that is C++: `isa::Code`, `Chip::cycles`, `due()`, `member_`; else none."""
    if re.fullmatch(rf"{IDENTIFIER}(::{IDENTIFIER})*(<\w+>)?(\(.*\))?", span):
        is_code = "::" in span or "(" in span or re.match(r"[A-Z]\w*[a-z]\w*$", span) or "_" in span
        return re.findall(IDENTIFIER, span.split("(")[0]) if is_code else []
    return []


class Faults(unittest.TestCase):
    """The checks find faults."""

    def test_an_unknown_command_option_or_key_is_found(self):
        program = Program()
        self.assertEqual(program.fault("shflsim walk x.sass"), "no command walk")
        self.assertEqual(program.fault("shflsim run x.sass --jump=3"), "run has no option --jump")
        self.assertEqual(program.fault("shflsim trace dump x.shft --jump"), "trace dump has no option --jump")
        self.assertEqual(program.fault("shflsim run x.sass --set shuffle.colour=red"), "no key shuffle.colour")
        self.assertEqual(program.fault("shflsim run x.sass --set shuffle.latency=3"), "")
        self.assertEqual(program.fault("shflsim COMMAND --help"), "")

    def test_an_unknown_script_or_file_is_found(self):
        files = tree()
        self.assertEqual(script_fault("scripts/dance", files), "no file scripts/dance")
        self.assertEqual(script_fault("scripts/fuzz --sideways", files), "scripts/fuzz has no option --sideways")
        self.assertEqual(path_fault("docs/nowhere.md", files), "no file docs/nowhere.md")
        self.assertEqual(path_fault("configs/gh*.cfg", files), "")
        self.assertEqual(path_fault("other/nowhere.md", files), "")

    def test_names_of_code_are_told_from_words(self):
        self.assertEqual(symbols("isa::Code"), ["isa", "Code"])
        self.assertEqual(symbols("next_sample()"), ["next_sample"])
        self.assertEqual(symbols("WarpWatch"), ["WarpWatch"])
        self.assertEqual(symbols("SHFL"), [])
        self.assertEqual(symbols("a b"), [])


class Pages(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.files = tree()
        cls.program = Program()
        cls.pages = {file: (TOP / file).read_text() for file in cls.files
                     if file.endswith(".md") and not file.startswith("tests/data/")}

    def assert_none(self, faults):
        self.assertEqual(sorted(set(faults)), [])

    def test_every_command_line_is_one_that_the_program_takes(self):
        lines = [(page, line) for page, text in self.pages.items() for line in command_lines(text)
                 if line.split()[:1] == ["shflsim"]]
        self.assertGreater(len(lines), 100)
        self.assert_none(f"{page}: {line}: {self.program.fault(line)}" for page, line in lines
                         if self.program.fault(line))

    def test_every_script_and_its_options_are_there(self):
        lines = [(page, line) for page, text in self.pages.items() for line in command_lines(text)
                 if line.startswith("scripts/")]
        self.assertGreater(len(lines), 30)
        self.assert_none(f"{page}: {script_fault(line, self.files)}" for page, line in lines
                         if script_fault(line, self.files))

    def test_every_option_that_stands_alone_is_one_of_the_program_or_of_a_script(self):
        scripts = "\n".join((TOP / file).read_text(errors="ignore") for file in self.files
                            if file.startswith("scripts/") and "." not in Path(file).name)
        for page, text in self.pages.items():
            for span in spans(text):
                for option in options_of(span.split()) if span.startswith("-") else ():
                    known = option in self.program.every_option | FOREIGN_OPTIONS
                    self.assertTrue(known or option in scripts or f'"{option[2:]}"' in scripts, f"{page}: {option}")

    def test_every_key_of_a_config_is_known(self):
        sections = {key.split(".")[0] for key in self.program.keys}
        for page, text in self.pages.items():
            for span in spans(text):
                found = re.fullmatch(r"([a-z0-9_]+(?:\.[a-z0-9_*]+)+)(?: ?=.*)?", span)
                if found and found[1].split(".")[0] in sections:
                    self.assertTrue(self.program.has_key(found[1]), f"{page}: {span}")

    def test_every_path_is_one_of_the_tree(self):
        self.assert_none(f"{page}: {path_fault(span, self.files)}" for page, text in self.pages.items()
                         for span in spans(text) if path_fault(span, self.files))

    def test_every_header_that_a_page_for_developers_names_alone_is_in_the_tree(self):
        names = {Path(file).name for file in self.files}
        self.assert_none(f"{page}: {span}" for page in DEVELOPERS for span in spans(self.pages[page])
                         if re.fullmatch(r"\w+\.(h|inc)", span) and span not in names)

    def test_every_link_leads_to_a_file(self):
        for page, text in self.pages.items():
            for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", re.sub(r"`[^`]*`", "", text)):
                if not re.match(r"[a-z]+:", link):
                    self.assertTrue(((TOP / page).parent / link).exists(), f"{page}: {link}")

    def test_every_name_of_code_in_the_pages_for_developers_is_in_the_sources(self):
        names = names_in_sources(self.files) | {part for key in self.program.keys for part in key.split(".")}
        names |= {Path(file).stem for file in self.files}
        count = 0
        for page in DEVELOPERS:
            for span in spans(self.pages[page]):
                for name in symbols(span):
                    count += 1
                    self.assertTrue(name.rstrip("0123456789") in names | STYLES or name.startswith("test_"), f"{page}: {span}")
        self.assertGreater(count, 40)

    def test_the_figures_of_accuracy_in_the_readme_are_those_of_the_pages(self):
        paragraph = re.search(r"\*\*Accuracy\.\*\*.*?\n\n", self.pages["README.md"], re.DOTALL)[0]
        figures = re.findall(r"\d+\.\d+", paragraph)
        self.assertGreater(len(figures), 3)
        sources = "".join(self.pages[page] for page in ("docs/accuracy.md", "docs/silicon.md", "docs/sources.md"))
        for figure in figures:
            self.assertIn(figure, sources)


if __name__ == "__main__":
    unittest.main()
