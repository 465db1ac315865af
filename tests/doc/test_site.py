#!/usr/bin/env python3
"""Tests the scripts of doc/site: pages for MkDocs and the check of a built site."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "doc/site"))

import check_links  # noqa: E402
import collect_pages  # noqa: E402


class FolderTest(unittest.TestCase):
    """Test case with a folder of files."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def write(self, **files):
        """Writes files, whose names have __ for a slash and _ before the suffix."""
        for name, text in files.items():
            stem, suffix = name.replace("__", "/").rsplit("_", 1)
            path = self.folder / f"{stem}.{suffix}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


class CollectPages(FolderTest):
    def page(self, path):
        """Returns a page in the form for MkDocs, and the files that it needs."""
        site = collect_pages.Site(self.folder, self.folder / "pages")
        return site.page(path), site.known

    def test_headings_have_the_anchors_of_github(self):
        self.write(doc__page_md="# A & B\n\n## Density\n\n## Density\n\n```sh\n# comment\n```\n")
        self.assertEqual(self.page("doc/page.md")[0],
                         "# A & B {#a--b}\n\n## Density {#density}\n\n## Density {#density-1}\n\n"
                         "```sh\n# comment\n```\n")

    def test_links_lead_to_files_in_the_site(self):
        self.write(README_md="# Read me\n", LICENSE_txt="", doc__results_md="# Results\n",
                   doc__cases__page_md="[a](../results.md#b), [c](../../README.md), `[d](e)`, "
                                       "[l](../../LICENSE.txt), [f](..), [w](https://a.org)\n")
        text, files = self.page("doc/cases/page.md")
        self.assertEqual(text, "[a](../results.md#b), [c](../index.md), `[d](e)`, "
                               "[l](../sources/LICENSE.txt), f, [w](https://a.org)\n")
        self.assertEqual(files, {"doc/results.md": "results.md", "README.md": "index.md",
                                 "LICENSE.txt": "sources/LICENSE.txt"})

    def test_links_named_by_a_page_get_its_title(self):
        self.write(doc__a_b_md="# Words of others\n", doc__page_md="See [a_b.md](a_b.md#x), [words](a_b.md)\n")
        self.assertEqual(self.page("doc/page.md")[0], "See [Words of others](a_b.md#x), [words](a_b.md)\n")

    def test_options_of_blocks_are_left_out(self):
        self.write(doc__page_md="```sh set=Time/End=0.5\nrun\n```\n\n```prm from=a.prm\nend\n```\n")
        self.assertEqual(self.page("doc/page.md")[0], "```sh\nrun\n```\n\n```\nend\n```\n")

    def test_a_link_without_a_file_is_refused(self):
        self.write(doc__page_md="[a](nowhere.md)\n")
        with self.assertRaisesRegex(SystemExit, "doc/page.md.*nowhere.md"):
            self.page("doc/page.md")


class CheckLinks(FolderTest):
    def test_a_site_without_mistakes(self):
        self.write(index_html='<a href="cases/ball.html#model">a</a> <a href="https://a.org">b</a> <img src="a.png">',
                   a_png="", cases__ball_html='<h2 id="model">Model</h2> <a href="../index.html">c</a> <a href="#">d</a>')
        self.assertEqual(check_links.problems(self.folder), [])

    def test_each_kind_of_mistake(self):
        self.write(index_html='<a href="no.html">a</a> <a href="ball.html#no">b</a> <img src="no.png">'
                              '<script src="https://a.org/b.js"></script>',
                   ball_html="", style_css="a { background: url(https://a.org/c.png) }")
        self.assertEqual(check_links.problems(self.folder), [
            "index.html: no file no.html", "index.html: no anchor ball.html#no",
            "index.html: no file no.png", "index.html: script from another host: https://a.org/b.js",
            "style.css: from another host: url(https://a.org/c.png"])

    def test_a_folder_without_pages(self):
        self.assertEqual(len(check_links.problems(self.folder)), 1)


if __name__ == "__main__":
    unittest.main()
