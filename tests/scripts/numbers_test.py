# SPDX-License-Identifier: Apache-2.0
"""The percentages and ratios in the sentences of the tutorial and of docs/sweeps.md, and the counts in the sentences
of other pages: each is in the output of one of the page's commands or follows from figures in it. docs.examples checks
the output of the commands."""
import re
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
COUNT = re.compile(r"(?<![\w.`])(\d+) (?:of (\d+) )?(?:cycles|passes|values|points|SHFLs)")
NUMBER = re.compile(r"(?<![\w.`])(\d+(?:\.\d+)?) (%|times(?= the| with))")

# Per page: a number in its sentences, and how it follows from the output of the page's commands.
FOLLOWS = {
    "docs/tutorial.md": {
        "23.2 %": ["1193 / 968 - 1"],
        "82 %": ["1762 / 968 - 1"],
        "29.8 %": ["29.8 / 100"],
        "32 %": ["32.0 / 100"],
        "1.9 %": ["1 - 950 / 968"],
        "19.9 %": ["1161 / 968 - 1"],
        "25.7 %": ["1217 / 968 - 1"],
        "23 %": ["0.229"],
        "21 %": ["38.5 / 31.9 - 1"],
        "41 %": ["45.0 / 31.9 - 1"],
        "51 %": ["0.508"],
        "70 %": ["1642 / 968 - 1"],
        "1.9 times": ["1.938"],
    },
    "docs/sweeps.md": {
        "4 %": ["421.0 / 406.0 - 1"],
        "6 %": ["245.0 / 232.0 - 1", "182.0 / 171.0 - 1"],
        "15 %": ["466.0 / 406.0 - 1"],
        "20 %": ["206.0 / 171.0 - 1"],
        "5 %": ["5 / 100"],
        "1.8 times": ["476.0 / 262.0", "350.0 / 198.0"],
        "3.4 times": ["670.0 / 198.0"],
    },
}


def parts(page):
    """The page's sentences without code, and its blocks."""
    text = (TOP / page).read_text(encoding="utf8")
    blocks = re.findall(r"^    .*$", text, re.MULTILINE)
    prose = re.sub(r"`[^`]*`", "", re.sub(r"^    .*$", "", text, flags=re.MULTILINE))
    return re.sub(r"(\d) to (\d+) %", r"\1 % to \2 %", " ".join(prose.split())), "\n".join(blocks)


def rounds_to(value, number):
    """True if `value`, rounded as in the sentence and as a percentage or a ratio, is `number`."""
    digits, unit = number.split()
    value = 100 * value if unit == "%" else value
    return f"{value:.{len(digits.partition('.')[2])}f}" == digits


class Numbers(unittest.TestCase):
    def test_every_number_of_a_sentence_follows_from_what_the_page_shows(self):
        for page, follows in FOLLOWS.items():
            prose, blocks = parts(page)
            numbers = {" ".join(found) for found in NUMBER.findall(prose)}
            self.assertGreater(len(numbers), 3, page)
            for number in sorted(numbers):
                if number.replace(" ", "") in blocks:
                    continue
                self.assertIn(number, follows, f"{page}: where does it come from?")
                for formula in follows[number]:
                    self.assertTrue(rounds_to(eval(formula), number), f"{page}: {number} is {formula}")  # pylint: disable=eval-used
            self.assertEqual([number for number in follows if number not in numbers], [], page)

    def test_every_count_of_a_sentence_is_printed_by_a_command_of_the_page(self):
        compared = 0
        for page in ("README.md", *(f"docs/{name}.md" for name in ("config", "exec", "launch", "networks", "results", "rtl",
                                                                   "sweeps", "tour", "traffic", "tutorial"))):
            prose, blocks = parts(page)
            shown = set(re.findall(r"\d+", blocks))
            counts = {number for found in COUNT.findall(prose) for number in found if number}
            compared += len(counts)
            self.assertEqual(sorted(counts - shown), [], page)
        self.assertGreater(compared, 5)

    def test_what_they_follow_from_is_what_commands_of_the_page_print(self):
        for page, follows in FOLLOWS.items():
            _, blocks = parts(page)
            shown = set(re.findall(r"\d+(?:\.\d+)?", blocks))
            for number, formulas in follows.items():
                for operand in re.findall(r"\d+(?:\.\d+)?", " ".join(formulas)):
                    self.assertTrue(operand in shown or operand in ("1", "100"), f"{page}: {number}: {operand}")


if __name__ == "__main__":
    unittest.main()
