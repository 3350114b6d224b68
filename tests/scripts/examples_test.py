# SPDX-License-Identifier: Apache-2.0
"""Every command in README, in the pages of docs/ and in the program's help is run as printed, in a clean
folder, and prints the lines that are shown after it; a line `...` stands for any number of lines."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ["SHFLSIM"]).resolve()
PAGES = ["README.md", "CONTRIBUTING.md", "traces/FORMAT.md",
         *sorted(f"docs/{page.name}" for page in (TOP / "docs").glob("*.md"))]
# Commands that a page shows without a `$`: the builds, which include these tests.
BUILDS = {"scripts/demo", "scripts/test", "cmake"}
PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b|\.\.\.")


def without_continuations(lines):
    """The lines; a line that ends in a backslash is joined with the next."""
    joined = []
    for line in lines:
        if joined and joined[-1].endswith("\\"):
            joined[-1] = joined[-1][:-1].rstrip() + " " + line.strip()
        else:
            joined.append(line)
    return joined


def blocks(text):
    """The indented blocks of a page."""
    return [re.sub(r"^    ", "", block, flags=re.MULTILINE).splitlines()
            for block in re.findall(r"(?:^    .*\n(?:\n(?=    ))?)+", text, re.MULTILINE)]


def session(lines):
    """The commands of a block, each with the lines that it has to print."""
    steps = []
    for line in without_continuations(lines):
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif steps:
            steps[-1][1].append(line.rstrip())
    return steps


def shows(lines, wanted):
    """True if `lines` match `wanted`, in which `...` stands for any lines."""
    if not wanted:
        return not lines
    if wanted[0] == "...":
        return any(shows(lines[skip:], wanted[1:]) for skip in range(len(lines) + 1))
    return bool(lines) and lines[0] == wanted[0] and shows(lines[1:], wanted[1:])


class Folder:
    """A clean folder with the content of a checkout and with the program on its path."""

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name)
        for name in ["configs", "docs", "scripts", "tests"]:
            (path / name).symlink_to(TOP / name)
        (path / "traces").mkdir()  # examples may write next to them
        for file in (TOP / "traces").iterdir():
            (path / "traces" / file.name).symlink_to(file)
        (path / "bin").mkdir()
        (path / "bin/shflsim").symlink_to(PROGRAM)
        (path / "bin/python3").symlink_to("/usr/bin/python3")  # the module is this Python's
        self._path = path
        return self

    def __exit__(self, *_):
        self._folder.cleanup()

    def run(self, command):
        environment = {**os.environ, "PATH": f"{self._path / 'bin'}:{os.environ['PATH']}",
                       "PYTHONPATH": str(TOP / "packaging/python")}
        return subprocess.run(["bash", "-c", command], cwd=self._path, env=environment, text=True,
                              check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)


class Examples(unittest.TestCase):
    def run_steps(self, steps):
        with Folder() as folder:
            for command, wanted in steps:
                done = folder.run(command)
                self.assertEqual(done.returncode, 0, f"{command}\n{done.stderr}")
                shown = [line.rstrip() for line in done.stdout.splitlines()]
                if wanted:
                    self.assertTrue(shows(shown, wanted),
                                    f"{command}\n" + "\n".join(shown[:200]))

    def test_pages_show_what_their_commands_print(self):
        count = 0
        for page in PAGES:
            steps = [step for block in blocks((TOP / page).read_text()) for step in session(block)]
            count += len(steps)
            with self.subTest(page):
                self.run_steps(steps)
        self.assertGreater(count, 20)

    def test_no_command_is_printed_without_its_prompt(self):
        for page in PAGES:
            for block in blocks((TOP / page).read_text()):
                for line in block:
                    word = line.split(" ")[0]
                    is_command = word == "shflsim" or word.startswith("scripts/")
                    self.assertTrue(not is_command or word in BUILDS, f"{page}: {line}")

    def test_commands_within_sentences_run(self):
        count = 0
        for page in PAGES:
            text = re.sub(r"\s+", " ", (TOP / page).read_text())
            for command in sorted(set(re.findall(r"`(shflsim [^`]*)`", text))):
                if PLACEHOLDER.search(command) or len(command.split()) < 3:
                    continue
                count += 1
                with self.subTest(f"{page}: {command}"):
                    self.run_steps([(command, [])])
        self.assertGreater(count, 5)

    def test_examples_of_the_help_run(self):
        for verb in self.verbs():
            with self.subTest(verb):
                steps = self.help_examples(verb)
                self.assertTrue(steps, verb)
                self.run_steps(steps)

    @staticmethod
    def text_of(*arguments):
        return subprocess.run([PROGRAM, *arguments], check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    def verbs(self):
        """The verbs of the overview and those of `trace`."""
        verbs = re.findall(r"^  ([a-z]+)  ", self.text_of("--help"), re.MULTILINE)
        self.assertGreater(len(verbs), 10)
        inner = re.findall(r"^  ([a-z]+)  ", self.text_of("trace", "--help"), re.MULTILINE)
        return verbs + [f"trace {verb}" for verb in inner]

    def help_examples(self, verb):
        text = self.text_of(*verb.split(), "--help")
        found = re.search(r"^examples?:\n((?:  .*\n)+)", text, re.MULTILINE)
        self.assertTrue(found, text)
        lines = [line[2:] for line in found.group(1).splitlines()]
        return [(line, []) for line in without_continuations(lines)]


if __name__ == "__main__":
    sys.setrecursionlimit(100000)
    unittest.main()
