#!/usr/bin/env python3
"""Checks the quotations and references of the documentation.

    check_quotes.py REPOSITORY

In README.md and in the pages of doc/ and tests/:

* a fenced block whose info string has "from=PATH" is text of that file of the repository, line by
  line; a line "// ..." or "# ..." omits lines, and the pieces are in the order of the file;
* relative links lead to existing files, and #anchors to existing headings;
* inline formulas have no characters that Markdown interprets before GitHub typesets formulas.

Each section of doc/extending.md has fewer than 50 lines. Prints the problems, one line each, and
exits
with 1 if there are any.
"""

import re
import sys
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple
from urllib.parse import unquote

SECTION_LIMIT = 50  # upper bound of the lines of a section of doc/extending.md, with its heading
FENCE = re.compile(r"^( *)(`{3,}|~{3,})(.*)$")
HEADING = re.compile(r"^(#{1,6}) +(.*?)(?: +#+)? *$")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
INLINE_MATH = re.compile(r"(?<![\\$\w])\$(?!\$)([^$]+?)(?<!\\)\$(?![\w$])")
# A backslash before punctuation is Markdown's escape; * and pairs of _ after punctuation emphasise.
UNSAFE_MATH = re.compile(r"\\[!-/:-@\[-`{-~]|\*|[<>]")
LEFT_OUT = ("// ...", "# ...")


class Block(NamedTuple):
    """Fenced block: the line of its fence, its info string, and its lines."""

    line: int
    info: str
    lines: List[str]


class Page(NamedTuple):
    """Parsed page. `text` has empty lines in place of blocks, fenced or indented."""

    text: List[str]
    blocks: List[Block]


def read_page(path: Path) -> Page:
    """Separates blocks from the other text, which keeps its line numbers."""
    text: List[str] = []
    blocks: List[Block] = []
    fence = None
    in_block = False  # an indented block
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        match = FENCE.match(line)
        if fence is None and match:
            fence = match
            blocks.append(Block(number, match.group(3).strip(), []))
            text.append("")
        elif fence is None:
            in_block = line.startswith("    ") and (in_block or not text or not text[-1].strip())
            text.append("" if in_block else line)
        else:
            closes = match and not match.group(3).strip()
            if closes and match.group(2).startswith(fence.group(2)):
                fence = None
            else:
                indent = len(fence.group(1))
                blocks[-1].lines.append(line[indent:] if line[:indent].isspace() else line)
            text.append("")
    return Page(text, blocks)


def slug(heading: str) -> str:
    """Returns GitHub's anchor of a heading, without the number added to a repeated one."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")


def anchors(page: Page) -> List[str]:
    """Returns the anchors of all headings of a page."""
    found: List[str] = []
    count: Dict[str, int] = {}
    for line in page.text:
        match = HEADING.match(line)
        if match:
            name = slug(match.group(2))
            repeated = count.get(name, 0)
            count[name] = repeated + 1
            found.append(f"{name}-{repeated}" if repeated else name)
    return found


def find_piece(piece: List[str], lines: List[str], start: int) -> int:
    """Returns the index at which a piece ends in the lines from `start` on; -1 if they do not
    contain it."""
    for first in range(start, len(lines) - len(piece) + 1):
        if lines[first : first + len(piece)] == piece:
            return first + len(piece)
    return -1


def quote_problems(block: Block, repository: Path) -> Iterator[str]:
    """Yields the problems of one block."""
    match = re.search(r"(?:^|\s)from=(\S+)", block.info)
    if not match:
        return
    name = match.group(1)
    if not (repository / name).is_file():
        yield f"quotes {name}, which does not exist"
        return
    lines = [line.rstrip() for line in (repository / name).read_text("utf-8").splitlines()]
    pieces: List[List[str]] = [[]]
    for line in block.lines:
        if line.strip() in LEFT_OUT:
            pieces.append([])
        else:
            pieces[-1].append(line.rstrip())
    if not any(pieces):
        yield f"quotes nothing of {name}"
    position = 0
    for piece in filter(None, pieces):
        end = find_piece(piece, lines, position)
        if end < 0:
            where = "it has" if find_piece(piece, lines, 0) < 0 else "it has after what precedes"
            yield f"is not what {name} says; none of {where}: {piece[0].strip()}"
            return
        position = end


def line_of(text: str, position: int) -> int:
    """Returns the number of the line of a position."""
    return text.count("\n", 0, position) + 1


def without_code(page: Page) -> str:
    """Returns the text of a page with blanks in place of inline code."""
    text = "\n".join(page.text)
    return CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)


def link_problems(path: Path, pages: Dict[Path, Page], repository: Path) -> Iterator[str]:
    """Yields the relative links of a page without a target."""
    text = without_code(pages[path])
    for match in LINK.finditer(text):
        target = unquote(match.group(1))
        if re.match(r"[a-zA-Z][\w+.-]*:", target):
            continue
        name, _, anchor = target.partition("#")
        goal = (path.parent / name).resolve() if name else path
        where = f"{path.relative_to(repository)}:{line_of(text, match.start())}"
        if not goal.exists():
            yield f"{where}: no file {target}"
        elif anchor and goal.suffix == ".md":
            page = pages[goal] if goal in pages else read_page(goal)
            if anchor not in anchors(page):
                yield f"{where}: no heading #{anchor} in {goal.relative_to(repository)}"


def math_problems(path: Path, page: Page, repository: Path) -> Iterator[str]:
    """Yields inline formulas that GitHub does not typeset correctly."""
    text = without_code(page)
    for match in INLINE_MATH.finditer(text):
        unsafe = UNSAFE_MATH.search(match.group(1))
        if unsafe:
            where = f"{path.relative_to(repository)}:{line_of(text, match.start())}"
            yield f"{where}: '{unsafe.group(0)}' in ${match.group(1)}$: use a block, or words for it"


def long_sections(path: Path, repository: Path) -> Iterator[str]:
    """Yields sections of the second level that are too long. Blocks count."""
    n_lines = len(path.read_text(encoding="utf-8").splitlines())
    page = read_page(path)
    starts = [n for n, line in enumerate(page.text, start=1) if re.match(r"## ", line)]
    for start, end in zip(starts, starts[1:] + [n_lines + 1]):
        if end - start >= SECTION_LIMIT:
            yield (
                f"{path.relative_to(repository)}:{start}: a section of {end - start} lines;"
                f" it has to do with less than {SECTION_LIMIT}"
            )


def problems(repository: Path) -> List[str]:
    """Returns all problems in the documentation of a repository."""
    paths = [path for path in (repository / "README.md", repository / "CONTRIBUTING.md") if path.exists()]
    for folder in ("doc", "tests"):
        paths += sorted((repository / folder).rglob("*.md"))
    pages = {path: read_page(path) for path in paths}
    found: List[str] = []
    for path, page in pages.items():
        for block in page.blocks:
            where = f"{path.relative_to(repository)}:{block.line}"
            found += [f"{where}: {what}" for what in quote_problems(block, repository)]
        found += link_problems(path, pages, repository)
        found += math_problems(path, page, repository)
    extending = repository / "doc" / "extending.md"
    if extending in pages:
        found += long_sections(extending, repository)
    return found


def main() -> int:
    """Checks the repository in the command line."""
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "README.md").is_file():
        print("usage: check_quotes.py REPOSITORY, which has a README.md", file=sys.stderr)
        return 2
    found = problems(Path(sys.argv[1]).resolve())
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
