#!/usr/bin/env python3
"""Tests that follow.py follows pages, and reports pages that it cannot follow."""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import follow


class Pages(unittest.TestCase):
    """Test case that writes a tiny page and follows it, with a stand-in for percussion."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        program = self.folder / "percussion"
        program.write_text('#!/bin/sh\necho "$@"\n')
        program.chmod(0o755)

    def follow(self, text, where=None, seconds=20):
        """Returns the number of blocks followed, and the printed text."""
        page = self.folder / "page.md"
        page.write_text(text)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            count = follow.follow_page(page, self.folder, where, seconds)
        return count, printed.getvalue()

    def test_python_is_one_session_until_a_command(self):
        self.follow("```sh\nexport A=1\n```\n```python\nimport os\na = os.environ['A']\n```\n"
                    "```python\nprint('a is', a)\n```\n```text output\na is 1\n```\n")
        with self.assertRaises(follow.NotFollowed):
            self.follow("```python\na = 1\n```\n```sh\ntrue\n```\n```python\nprint(a)\n```\n")

    def test_in_place_is_the_root(self):
        self.follow("```sh\nls -d CMakeLists.txt .clang-format\n```\n", where="in_place")

    def test_commands_run_in_order_in_an_empty_folder(self):
        count, printed = self.follow("```sh\ntest -z \"$(ls)\"\ntouch one\n```\n"
                                     "words\n```sh\nls\n```\n```text output\none\n```\n")
        self.assertEqual(count, 3)
        self.assertIn("$ touch one", printed)

    def test_folder_and_variables_last(self):
        self.follow("```sh\nmkdir a && cd a\nexport b='c d'\n```\n"
                    "```sh\nbasename $PWD; echo $b\n```\n```text output\na\nc d\n```\n")

    def test_a_failing_command_ends_the_page_with_its_place(self):
        with self.assertRaisesRegex(follow.NotFollowed, r"page\.md:3: exit status 3 instead of 0"):
            self.follow("text\n\n```sh\n(exit 3)\ntrue\n```\n")

    def test_a_command_that_fails_in_a_pipe_counts(self):
        with self.assertRaises(follow.NotFollowed):
            self.follow("```sh\nfalse | cat\n```\n")

    def test_a_missing_file_is_found(self):
        with self.assertRaisesRegex(follow.NotFollowed, "exit status"):
            self.follow("```sh\ntest -e output/result.csv\n```\n")

    def test_an_expected_status_has_to_come(self):
        self.follow("```sh status=2\n(exit 2)\n```\n")
        with self.assertRaisesRegex(follow.NotFollowed, "exit status 0 instead of 2"):
            self.follow("```sh status=2\ntrue\n```\n")
        with self.assertRaisesRegex(follow.NotFollowed, "exit status 1 instead of 2"):
            self.follow("```sh status=2\nfalse\n```\n")

    def test_files_are_written_as_they_stand(self):
        self.follow("```prm file=a.prm\nset x = $HOME\n```\n```sh\ncat a.prm\n```\n"
                    "```text output\nset x = $HOME\n```\n")

    def test_wrong_output_is_found(self):
        for shown in ("one\ntwo three\n", "one\ntwo\nthree\n", "one\n", "two\n...\n",
                      "...\none\n...\none\n"):
            with self.subTest(shown), self.assertRaises(follow.NotFollowed):
                self.follow(f"```sh\necho one\necho two\n```\n```text output\n{shown}```\n")

    def test_dots_stand_for_any_text_and_any_lines(self):
        for shown in ("one\ntwo  is 2.5 s\n", "...\ntwo is ... s\n", "one\n...\n", "...\n",
                      "o...e\n..."):
            with self.subTest(shown):
                self.follow("```sh\necho one\necho two is 2.5 s\n```\n"
                            f"```text output\n{shown}\n```\n")

    def test_what_is_only_shown_is_not_run(self):
        count, _ = self.follow("```console\nfalse\n```\n```\nfalse\n```\n```prm\nset\n```\n")
        self.assertEqual(count, 0)

    def test_a_block_that_hangs_is_ended(self):
        with self.assertRaisesRegex(follow.NotFollowed, "not done after"):
            self.follow("```sh\nsleep 60\n```\n", seconds=0.2)

    def test_runs_are_made_short_where_the_page_says_so(self):
        text = ("```sh set=Time/End=1,Time/Step=2\n"
                "percussion a.prm --resume\npercussion --help\n```\n"
                "```text output\na.prm --resume --set Time/End=1 --set Time/Step=2\n--help\n```\n"
                "```sh\npercussion a.prm\n```\n```text output\na.prm\n```\n")
        self.follow(text, where="in_repository")
        with self.assertRaises(follow.BadPage):
            self.follow(text)

    def test_the_repository_is_there_and_output_is_elsewhere(self):
        self.follow("```sh\nls params/hello_drop.prm build/release/percussion\n"
                    "mkdir -p output && touch output/x-follow build/x-follow\n```\n",
                    where="in_repository")
        for folder in ("output", "build"):
            self.assertFalse((follow.REPOSITORY / folder / "x-follow").exists())

    def test_quotations_are_passed_over(self):
        count, _ = self.follow("```cpp from=src/dynamics/step.cc\nint i;\n```\n")
        self.assertEqual(count, 0)

    def test_pages_that_are_not_understood(self):
        for text in ("```sh\ntrue\n", "```sh stauts=2\nfalse\n```\n", "```text output\nx\n```\n"):
            with self.subTest(text), self.assertRaises(follow.BadPage):
                self.follow(text)


if __name__ == "__main__":
    unittest.main()
