#!/usr/bin/env python3
"""Follows pages of the documentation literally in an empty folder, and runs their commands.

    follow.py PAGE.md... --path FOLDER_WITH_PROGRAMS [--in-repository | --in-place]

The fenced blocks of a page have the text that a reader would type or see. The first word after the
fence names the language; further words, which no reader sees, control this script:

    ```sh                     commands, run by bash in the order of the page; the first that fails
                              ends the page. Folder and exported variables persist.
    ```sh status=2            ends with this exit status only.
    ```sh set=Time/End=0.1    a shortened run: every `percussion CASE` of this block also gets
                              `--set Time/End=0.1`. The shown command stays as it is.
                              Only --in-repository; several: set=A=1,B=2.
    ```prm file=block.prm     any language: the block is written to this file.
    ```text output            output of the last ```sh block, line by line and in this order;
                              `...` replaces any text, on a line of its own any lines.
                              Runs of blanks count as one.
    ```cpp from=FILE          a quotation, checked by check_quotes.py.
    ```python                 code for the Python that runs this script; blocks without commands
                              between them are one session.
    ```console                not run, like every block without one of the words above.

A page may be a notebook of Jupyter (.ipynb): its cells of code are one session of Python.

Each page begins in an empty temporary folder, with the programs in PATH. --in-repository makes
links to the contents of the repository's root, so that commands that begin at the root run
unchanged; the folders output/ and build/ belong to the page, with the programs in build/release.

Exit status: 0 all pages could be followed, 1 one could not, 2 a page cannot be understood.
"""
import argparse
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
KEYS = {"status", "set", "file", "output"}
OF_OTHERS = {"from"}  # keys used by check_quotes.py only


class NotFollowed(Exception):
    """Failure of a page: its commands or output differ from the shown ones."""


class BadPage(Exception):
    """Page with a block that this script cannot interpret."""


@dataclass
class Block:
    """Fenced block: the line of its fence, its language, the words after it, its text."""

    line: int
    language: str
    words: dict = field(default_factory=dict)
    text: str = ""


def words_of(info, line):
    """Returns the info string of a fence as language and a dictionary of the words after it."""
    language, *rest = shlex.split(info) or [""]
    words = {}
    for word in rest:
        key, _, value = word.partition("=")
        if key in KEYS:
            words[key] = value
        elif key not in OF_OTHERS:
            known = ", ".join(sorted(KEYS))
            raise BadPage(f"line {line}: unknown word '{word}'; known are {known}")
    return language, words


def blocks_of(page):
    """Returns all fenced blocks of a page, including blocks in lists, without their
    indentation."""
    blocks, block, fence, indent = [], None, "", 0
    for number, line in enumerate(page.splitlines(), start=1):
        mark = re.match(r"^( *)(`{3,}|~{3,})(.*)$", line)
        if block is None and mark:
            indent, fence = len(mark[1]), mark[2]
            block = Block(number, *words_of(mark[3].strip(), number))
        elif block is not None and mark and mark[2].startswith(fence) and not mark[3].strip():
            blocks.append(block)
            block = None
        elif block is not None:
            block.text += (line[indent:] if not line[:indent].strip() else line) + "\n"
    if block is not None:
        raise BadPage(f"line {block.line}: this block does not end")
    return blocks


def pattern_of(line):
    """Returns a regular expression for a shown line: `...` is any text, blanks are any number
    of blanks."""
    parts = [r"\s+".join(re.escape(word) for word in part.split()) for part in line.split("...")]
    return re.compile(r"\s*" + r".*".join(rf"\s*{part}\s*" for part in parts) + r"\s*\Z")


def compare(shown, printed):
    """Raises NotFollowed unless the shown lines equal the printed ones by the rules of the
    page."""
    lines = [line for line in printed.splitlines() if line.strip()]
    at, gap = 0, False
    for line in shown.splitlines():
        if not line.strip():
            continue
        if line.strip() == "...":
            gap = True
            continue
        pattern = pattern_of(line)
        last = len(lines) if gap else min(at + 1, len(lines))
        found = next((k for k in range(at, last) if pattern.match(lines[k])), None)
        if found is None:
            instead = lines[at] if at < len(lines) else "the end"
            where = "anywhere after it" if gap else "there"
            raise NotFollowed(f"the page shows\n    {line}\nwhich is not {where}; printed is\n"
                              f"    {instead}")
        at, gap = found + 1, False
    if at < len(lines) and not gap:
        raise NotFollowed(f"after what the page shows there is printed\n    {lines[at]}")


class Reader:
    """Reader who follows one page in a separate folder."""

    def __init__(self, folder, scratch, programs, seconds):
        self.folder, self.programs, self.seconds = folder, programs, seconds
        self.shims = scratch / ".programs"
        self.state = scratch / ".state"
        self.printed = None

    def environment(self, settings):
        """Returns the environment with the programs in PATH; for a block with `set`, a
        percussion that adds the assignment comes before them."""
        path = [str(self.programs), str(Path(sys.executable).parent), os.environ["PATH"]]
        if settings:
            self.shims.mkdir(exist_ok=True)
            options = " ".join("--set " + shlex.quote(entry) for entry in settings.split(","))
            shim = self.shims / "percussion"
            program = shlex.quote(str(self.programs / "percussion"))
            shim.write_text(f"""#!/bin/bash
for word; do
  [[ $word != *.prm ]] || exec {program} "$@" {options}
done
exec {program} "$@"
""")
            shim.chmod(0o755)
            path.insert(0, str(self.shims))
        return {**os.environ, "PATH": ":".join(path)}

    def run(self, block):
        """Runs a block of commands and stores its output."""
        print("".join(f"  $ {line}\n" for line in block.text.splitlines()), end="", flush=True)
        allowed = int(block.words.get("status", "0"))
        state = shlex.quote(str(self.state))
        # Exported variables and the folder persist from block to block; this script sets PATH.
        script = (f"[[ ! -e {state} ]] || . {state}\n"
                  f"trap '{{ export -p | grep -v \" PATH=\"; echo \"cd $(printf %q \"$PWD\")\"; }}"
                  f" >{state}' EXIT\n"
                  f"set -eo pipefail\n{block.text}")
        process = subprocess.Popen(["bash", "-c", script], cwd=self.folder, text=True,
                                   env=self.environment(block.words.get("set")),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        try:
            self.printed, _ = process.communicate(timeout=self.seconds)
        except subprocess.TimeoutExpired as late:
            os.killpg(process.pid, signal.SIGKILL)
            print(process.communicate()[0])
            raise NotFollowed(f"not done after {self.seconds} s") from late
        print("".join(f"  {line}\n" for line in self.printed.splitlines()), end="", flush=True)
        if process.returncode != allowed:
            raise NotFollowed(f"exit status {process.returncode} instead of {allowed}")

    def follow(self, block):
        """Follows a block."""
        if "file" in block.words:
            print(f"  writes {block.words['file']}")
            (self.folder / block.words["file"]).write_text(block.text, encoding="utf-8")
        elif "output" in block.words:
            if self.printed is None:
                raise BadPage(f"line {block.line}: output of no command")
            compare(block.text, self.printed)
            print("  that is what was printed")
        elif block.language == "sh":
            self.run(block)


def link_repository(folder, programs):
    """Makes links to the contents of the repository's root in the folder, except for output/
    and build/."""
    for entry in REPOSITORY.iterdir():
        if entry.name not in ("output", "build", ".git"):
            (folder / entry.name).symlink_to(entry)
    (folder / "build").mkdir()
    (folder / "build/release").symlink_to(programs)


def with_sessions(blocks):
    """Returns the blocks to follow; consecutive blocks of Python are joined and run as one
    command."""
    followed = []
    for block in blocks:
        if block.language == "python" and not block.words:
            if not (followed and followed[-1].language == "python"):
                followed.append(Block(block.line, "python"))
            followed[-1].text += block.text
        elif block.language == "sh" or block.words:
            followed.append(block)
    for block in followed:
        if block.language == "python" and not block.words:
            end = "end of the session"
            block.language, block.text = "sh", f"python3 - <<'{end}'\n{block.text}{end}\n"
    return followed


def cells_of(notebook):
    """Returns the cells of code of a notebook as blocks, with the number of the cell as line."""
    quiet = "import matplotlib\nmatplotlib.use('Agg')\n"
    cells = [(k, "".join(cell["source"])) for k, cell in enumerate(json.loads(notebook)["cells"], 1)
             if cell["cell_type"] == "code"]
    return [Block(0, "sh", text='export PYTHONPATH="$PWD/build/release/python"\n'), Block(0, "python", text=quiet),
            *(Block(k, "python", text=text + "\n") for k, text in cells)]


def follow_page(page, programs, where, seconds):
    """Follows one page; returns the number of blocks that were run, written or compared."""
    text = page.read_text(encoding="utf-8")
    blocks = with_sessions(cells_of(text) if page.suffix == ".ipynb" else blocks_of(text))
    if where != "in_repository" and any("set" in block.words for block in blocks):
        raise BadPage("`set` goes with --in-repository: elsewhere runs are run to their end")
    with tempfile.TemporaryDirectory(prefix="follow-") as name:
        folder = Path(name)
        if where == "in_repository":
            link_repository(folder, programs)
        root = REPOSITORY if where == "in_place" else folder
        reader = Reader(root, folder, programs, seconds)
        for block in blocks:
            print(f"{page.name}:{block.line}", flush=True)
            try:
                reader.follow(block)
            except NotFollowed as reason:
                raise NotFollowed(f"{page}:{block.line}: {reason}") from None
    return len(blocks)


def main():
    """Follows pages, as described at the top of this file."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE.md")
    parser.add_argument("--path", required=True, type=Path, help="folder with the programs")
    places = parser.add_mutually_exclusive_group()
    for place in ("in-repository", "in-place"):
        places.add_argument(f"--{place}", action="store_const", dest="where",
                            const=place.replace("-", "_"))
    parser.add_argument("--seconds", type=float, default=300, help="for one block (default: 300)")
    arguments = parser.parse_args()
    if not (arguments.path / "percussion").exists():
        parser.error(f"there is no program percussion in {arguments.path}")
    for page in arguments.pages:
        try:
            count = follow_page(page, arguments.path.resolve(), arguments.where,
                                arguments.seconds)
        except NotFollowed as reason:
            print(f"follow.py: {reason}", file=sys.stderr)
            return 1
        except (BadPage, OSError, UnicodeDecodeError, ValueError) as reason:
            print(f"follow.py: {page}: {reason}", file=sys.stderr)
            return 2
        print(f"{page}: {count} blocks followed", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
