# SPDX-License-Identifier: Apache-2.0
"""The book: every page of docs/ is a chapter, and every link in it leads somewhere."""
import html.parser
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.files = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "id" in given:
            self.anchors.add(given["id"])
        if tag == "a":
            self.links.append(given["href"])
        self.files += [given[key] for key in ("src",) if key in given]


class Book(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        cls.folder = Path(cls._folder.name)
        subprocess.run([TOP / "scripts/book", cls.folder], check=True, stdout=subprocess.DEVNULL)
        cls.pages = {path.name: Page(path.read_text()) for path in cls.folder.glob("*.html")}

    @classmethod
    def tearDownClass(cls):
        cls._folder.cleanup()

    def test_every_page_of_docs_is_a_chapter(self):
        index = self.pages["index.html"].links
        for page in (TOP / "docs").glob("*.md"):
            if not page.name.endswith(".in.md") and page.name != "README.md":
                self.assertIn(page.name.replace(".md", ".html"), index)

    def test_every_link_leads_somewhere_in_the_book(self):
        for name, page in self.pages.items():
            for link in page.links:
                if link.startswith("http"):
                    continue
                file, _, anchor = link.partition("#")
                target = self.pages.get(file or name)
                self.assertIsNotNone(target, f"{name}: {link}")
                self.assertTrue(not anchor or anchor in target.anchors, f"{name}: {link}")
            for file in page.files:
                self.assertTrue((self.folder / file).is_file(), f"{name}: {file}")

    def test_tables_and_figures_are_rendered(self):
        text = (self.folder / "model.html").read_text()
        self.assertTrue("<td><code>shuffle.latency</code></td>" in text)
        self.assertGreater(text.count("<pre>"), 12)  # a figure each unit


if __name__ == "__main__":
    if shutil.which("cmark-gfm") is None:
        print("skipped: no cmark-gfm")
        sys.exit(77)
    unittest.main()
