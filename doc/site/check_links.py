#!/usr/bin/env python3
"""Checks the links of a built site.

    check_links.py FOLDER

Each relative link of an HTML page leads to a file of the folder and, with an #anchor, to an element
of that page; scripts, styles and pictures come from the folder, not from other hosts. Pages below
api/ are only targets: Doxygen has made them. Prints the problems, one line each, and exits with 1 if
there are any.
"""

import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Dict, Iterator, List, Set, Tuple
from urllib.parse import unquote

LOADED = {"script": "src", "img": "src", "link": "href", "source": "src", "iframe": "src"}
ADDRESS = re.compile(r"[a-zA-Z][\w+.-]*:|//")
FOREIGN_STYLE = re.compile(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//[^'\")]*")


class Page(HTMLParser):
    """Links of a page, with their tags, and the names of its anchors."""

    def __init__(self, text: str):
        super().__init__()
        self.links: List[Tuple[str, str]] = []
        self.anchors: Set[str] = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors.update(filter(None, (values.get("id"), values.get("name"))))
        key = LOADED.get(tag, "href" if tag == "a" else None)
        if key and values.get(key):
            self.links.append((tag, values[key]))


class Site:
    """Folder of a built site, with the pages read so far."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.pages: Dict[Path, Page] = {}

    def page(self, path: Path) -> Page:
        if path not in self.pages:
            self.pages[path] = Page(path.read_text(encoding="utf-8"))
        return self.pages[path]

    def problems_of(self, path: Path) -> Iterator[str]:
        """Yields the problems of a page."""
        for tag, link in self.page(path).links:
            if ADDRESS.match(link):
                if tag != "a" and not link.startswith("data:"):
                    yield f"{tag} from another host: {link}"
                continue
            name, _, anchor = unquote(link).partition("#")
            name = name.partition("?")[0]
            goal = Path(os.path.normpath(path.parent / name)) if name else path
            if goal.is_dir():
                goal /= "index.html"
            if not goal.is_file():
                yield f"no file {link}"
            elif anchor and goal.suffix == ".html" and anchor not in self.page(goal).anchors:
                yield f"no anchor {link}"


def problems(folder: Path) -> List[str]:
    """Returns the problems of a site."""
    site = Site(folder)
    found: List[str] = []
    pages = [page for page in sorted(folder.rglob("*.html"))
             if page.relative_to(folder).parts[0] != "api" and page.name != "404.html"]
    for page in pages:
        found += [f"{page.relative_to(folder)}: {problem}" for problem in site.problems_of(page)]
    for style in sorted(folder.rglob("*.css")):
        found += [f"{style.relative_to(folder)}: from another host: {match}"
                  for match in FOREIGN_STYLE.findall(style.read_text(encoding="utf-8"))]
    if not pages:
        found.append(f"{folder} has no pages")
    return found


def main() -> int:
    """Checks the folder in the command line."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found = problems(Path(sys.argv[1]).resolve())
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
