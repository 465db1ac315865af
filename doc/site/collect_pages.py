#!/usr/bin/env python3
"""Collects the pages of the documentation site for MkDocs.

    collect_pages.py REPOSITORY FOLDER [--api DOXYGEN_HTML] [--katex KATEX]

Writes FOLDER/pages with the pages in the form of Python-Markdown, their pictures and all files of
the repository that they link to, and FOLDER/mkdocs.yml. The navigation follows doc/README.md and
doc/cases/README.md. Pages are written for GitHub, whose Markdown differs in headings' anchors and
in the options of fenced blocks.
"""

import argparse
import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Tuple
from urllib.parse import unquote

HERE = Path(__file__).resolve().parent
FENCE = re.compile(r"^(`{3,}|~{3,})(\S*).*$")
HEADING = re.compile(r"^(#{1,6}) +(.*?)(?: +#+)? *$")
LINK = re.compile(r"(\]\(\s*<?)([^)\s>]+)")
LINK_TO_FOLDER = re.compile(r"(?<!!)\[([^\[\]]+)\]\(([^)\s#:]+)\)")
LINK_NAMED_BY_FILE = re.compile(r"\[(?:doc/)?[\w-]+\.md\]\(([^)\s#:]+\.md)\b")
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
ITEM = re.compile(r"^\* \[([^\]]+)\]\(([^)]+)\)", re.MULTILINE)
ADDRESS = re.compile(r"[a-zA-Z][\w+.-]*:")
RENAMED = {
    "README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md",
    "doc/README.md": "contents.md"}
API_PAGE = """# C++ reference

The [reference of the headers](api/index.html) in `include/percussion`: purpose, shapes, units and
errors of structs, classes and functions, and the equations that they come from.
[Extending](extending.md) and [developing](developing.md) describe the layout of the code.

In Python, `help(percussion.Case)`, `help(percussion.Run)` and the like give shapes and units;
[Python](python.md) and [post-processing](postprocessing.md) are the guides.
"""


def site_path(path: str) -> str:
    """Returns the path in the site of a file of the repository."""
    if path in RENAMED:
        return RENAMED[path]
    return path[len("doc/"):] if path.startswith("doc/") else f"sources/{path}"


def anchor(heading: str) -> str:
    """Returns GitHub's anchor of a heading, without the number added to a repeated one."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")


class Site:
    """Pages and files of the site so far."""

    def __init__(self, repository: Path, pages: Path):
        self.repository = repository
        self.pages = pages
        self.pending: List[str] = []
        self.known: Dict[str, str] = {}  # path in the site by path in the repository

    def add(self, path: str) -> str:
        """Adds a file of the repository unless it is there; returns its path in the site."""
        if path not in self.known:
            self.known[path] = site_path(path)
            self.pending.append(path)
        return self.known[path]

    def write(self) -> None:
        """Writes all files, and those that they link to."""
        while self.pending:
            path = self.pending.pop()
            target = self.pages / self.known[path]
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.endswith(".md"):
                target.write_text(self.page(path), encoding="utf-8")
            else:
                shutil.copyfile(self.repository / path, target)

    def page(self, path: str) -> str:
        """Returns a page in the form of Python-Markdown."""
        lines: List[str] = []
        fence: Optional[str] = None
        count: Dict[str, int] = {}
        text: List[str] = []

        def finish_text() -> None:
            lines.extend(self.converted("\n".join(text), path).split("\n") if text else [])
            text.clear()

        for line in (self.repository / path).read_text(encoding="utf-8").splitlines():
            match = FENCE.match(line)
            if match and fence is None:
                finish_text()
                fence = match.group(1)
                lines.append(fence + ("" if match.group(2) == "prm" else match.group(2)))
            elif fence is not None:
                fence = None if match and line.startswith(fence) and not match.group(2) else fence
                lines.append(line)
            else:
                text.append(with_anchor(line, count))
        finish_text()
        return "\n".join(lines) + "\n"

    def converted(self, text: str, path: str) -> str:
        """Returns text without fenced blocks with links within the site, and with an entity for an
        escaped bracket, which Python-Markdown would not take as one."""
        pieces: List[str] = []
        end = 0
        for code in CODE.finditer(text):
            pieces.append(self.linked(text[end:code.start()], path))
            pieces.append(code.group(0))
            end = code.end()
        return "".join([*pieces, self.linked(text[end:], path)])

    def linked(self, text: str, path: str) -> str:
        """Returns text without code with links within the site. A link to a folder becomes text; a
        link that is named by the file of a page gets the title of the page."""
        folder = os.path.dirname(path)

        def unlinked(match: "re.Match[str]") -> str:
            goal = self.repository / folder / unquote(match.group(2))
            return match.group(1) if goal.is_dir() else match.group(0)

        def link(match: "re.Match[str]") -> str:
            name, sharp, heading = unquote(match.group(2)).partition("#")
            if ADDRESS.match(match.group(2)) or not name:
                return match.group(0)
            goal = os.path.normpath(os.path.join(folder, name))
            if not (self.repository / goal).is_file():
                raise SystemExit(f"{path}: the site cannot show {match.group(2)}: there is no such file")
            target = os.path.relpath(self.add(goal), os.path.dirname(site_path(path)))
            return match.group(1) + target + sharp + heading

        def titled(match: "re.Match[str]") -> str:
            goal = self.repository / folder / match.group(1)
            return f"[{title_of(goal)}]({match.group(1)}" if goal.is_file() else match.group(0)

        text = LINK_NAMED_BY_FILE.sub(titled, LINK_TO_FOLDER.sub(unlinked, text))
        return LINK.sub(link, text).replace(r"\<", "&lt;")

    def first_picture(self, path: str) -> Optional[Tuple[str, str]]:
        """Returns the text and the path of the picture that shows a case: its first animation,
        otherwise its first picture."""
        pictures = PICTURE.findall((self.repository / path).read_text(encoding="utf-8"))
        moving = [picture for picture in pictures if picture[1].endswith(".gif")]
        for text, name in [*moving, *pictures][:1]:
            return text, os.path.normpath(os.path.join(os.path.dirname(path), name))
        return None


def with_anchor(line: str, count: Dict[str, int]) -> str:
    """Returns a line, a heading with GitHub's anchor."""
    match = HEADING.match(line)
    if not match:
        return line
    name = anchor(match.group(2))
    repeated = count.get(name, 0)
    count[name] = repeated + 1
    return f"{match.group(1)} {match.group(2)} {{#{f'{name}-{repeated}' if repeated else name}}}"


def sections(file: Path) -> Iterator[Tuple[str, List[Tuple[str, str]]]]:
    """Yields the headings of a list of pages with the titles and paths of their items."""
    for section in re.split(r"^## ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        items = ITEM.findall(section)
        if items:
            yield section.split("\n", 1)[0], items


def title_of(file: Path) -> str:
    """Returns the title of a page."""
    return file.read_text(encoding="utf-8").split("\n", 1)[0].lstrip("# ")


def gallery(site: Site) -> str:
    """Returns the page with a picture of each case that has one."""
    lines = ["# Gallery", "", "A picture of each case; the page behind it has the model and the command."]
    for heading, items in sections(site.repository / "doc/cases/README.md"):
        lines += ["", f"## {heading}", "", '<div class="gallery" markdown="0">']
        for name, file in items:
            path = f"doc/cases/{file}"
            picture = site.first_picture(path)
            if picture:
                text, goal = picture
                lines.append(
                    f'<a href="cases/{name}.html"><img src="{site.add(goal)}" alt="{text}" loading="lazy">'
                    f"<span><strong>{name}</strong>: {title_of(site.repository / path)}</span></a>")
        lines.append("</div>")
    return "\n".join(lines) + "\n"


def navigation(site: Site, has_api: bool) -> List[object]:
    """Returns MkDocs' navigation."""
    tabs: List[object] = [{"Home": "index.md"}]
    cases = [{heading: [{name: f"cases/{file}"} for name, file in items]}
             for heading, items in sections(site.repository / "doc/cases/README.md")]
    for heading, items in sections(site.repository / "doc/README.md"):
        entries: List[object] = []
        for title, file in items:
            path = os.path.normpath(os.path.join("doc", file))
            if path == "doc/cases/README.md" or not path.endswith(".md"):
                continue
            entries.append({title: site.add(path)})
        tabs.append({heading: entries})
        if heading == "Background":
            tabs.append({"Cases": [{"All cases": site.add("doc/cases/README.md")},
                                   {"Gallery": "gallery.md"}, *cases]})
    last = tabs[-1]
    assert isinstance(last, dict)
    for entries in last.values():
        entries.append({"Changes": site.add("CHANGELOG.md")})
        if has_api:
            entries.append({"C++ reference": "cpp.md"})
    return tabs


def collect(repository: Path, folder: Path, api: Optional[Path], katex: Path) -> None:
    """Writes the folder."""
    pages = folder / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir(parents=True)
    site = Site(repository, pages)
    for path in ("README.md", "doc/README.md"):
        site.add(path)
    nav = navigation(site, api is not None)
    (pages / "gallery.md").write_text(gallery(site), encoding="utf-8")
    site.write()
    for name in ("formulas.js", "site.css"):
        shutil.copyfile(HERE / name, pages / name)
    for name in ("katex.min.css", "katex.min.js"):
        (pages / "katex").mkdir(exist_ok=True)
        shutil.copyfile(katex / name, pages / "katex" / name)
    shutil.copytree(katex / "fonts", pages / "katex/fonts")
    if api is not None:
        (pages / "cpp.md").write_text(API_PAGE, encoding="utf-8")
        shutil.copytree(api, pages / "api")
    settings = (HERE / "mkdocs.yml").read_text(encoding="utf-8")
    added = {"docs_dir": str(pages), "site_dir": str(folder / "html"), "nav": nav}
    (folder / "mkdocs.yml").write_text(
        settings + "".join(f"{key}: {json.dumps(value)}\n" for key, value in added.items()),
        encoding="utf-8")


def main() -> int:
    """Collects the pages of the repository in the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--api", type=Path)
    parser.add_argument("--katex", type=Path, required=True)
    arguments = parser.parse_args()
    collect(arguments.repository, arguments.folder, arguments.api, arguments.katex)
    return 0


if __name__ == "__main__":
    sys.exit(main())
