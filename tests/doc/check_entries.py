#!/usr/bin/env python3
"""Checks that the entries of parameter files and the options which the pages name exist.

    check_entries.py REPOSITORY [FOLDER_OF_THE_PROGRAMS]

An inline code of README.md or a page of doc/ that begins with a section of doc/parameters.md, such as
`Time/Step` or `Contact/ground/Restitution = 0.5`, names an entry of this section, or a subsection
with a name of the case. A value after "=" is one of the words that the entry allows, if it allows
words only. A command of Percussion, inline or in a block, has options that its --help lists. Prints
the others, one line each, and exits with 1 if there are any.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Set

NEWLINE = "\n"
CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
COMMAND = re.compile(r"(?:^|[`|;(] *|\$ )(percussion(?:-(?:report|compare|sweep|converge|certify|fc))?) "
                     r"([^`\n#|;]*)", re.MULTILINE)
OPTION = re.compile(r"(?<!\S)--[a-z][a-z-]*")
FENCED = re.compile(r"^(`{3,}).*?^\1[ ]*$", re.MULTILINE | re.DOTALL)


def names_in_heading(heading: str) -> List[str]:
    """Returns the entries of a heading: names, or components of a vector as in "Force x, y, z"."""
    vector = re.fullmatch(r"(.*? )((?:[xyz], )+[xyz])", heading)
    return [vector[1] + letter for letter in vector[2].split(", ")] if vector else heading.split(", ")


def sections(reference: str) -> Dict[str, Dict[str, Set[str]]]:
    """Returns the entries by section, with their allowed words, or none; names of the case are
    <...>."""
    found: Dict[str, Dict[str, Set[str]]] = {}
    for section in re.split(r"^## ", reference.replace("\\", ""), flags=re.MULTILINE)[1:]:
        title, _, text = section.partition("\n")
        general = re.match(r"\nThe entries of \[(.*?)\]", text)
        entries = found[title] = dict(found[general[1]]) if general else {}
        for entry in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
            words = re.search(r"^\* Allowed: one of (.*)$", entry, re.MULTILINE)
            for name in names_in_heading(entry.split("\n", 1)[0]):
                entries[name] = {word.strip("' ") for word in words.group(1).split(", ")} if words else set()
    return found


def allowed_words(path: str, known: Dict[str, Dict[str, Set[str]]]) -> Optional[Set[str]]:
    """Returns the words that an entry allows; empty if it allows other values, too, or if the path
    is a section or a subsection with a name of the case; None if there is none of these."""
    parts = [part.strip() for part in path.split("/")]
    own = known.get(parts[0], {})
    named = {entry: words for name, entries in known.items() for entry, words in entries.items()
             if name.startswith(f"{parts[0]}/<")}
    if len(parts) == 2 and parts[1] in own:
        return own[parts[1]]
    if len(parts) == 2 and (named or any(entry.startswith("<") for entry in own)):
        return None if parts[1] in named else set()
    return named.get(parts[2]) if len(parts) == 3 else None


def listed_options(program: Path) -> Set[str]:
    """Returns the options in the help of a program, and those that each program has."""
    done = subprocess.run([program, "--help"], capture_output=True, text=True, check=True,
                          env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    return {"--help", *re.findall(r"--[a-z][a-z-]*", done.stdout)}


def pages_of(repository: Path) -> List[Path]:
    return [repository / "README.md", *sorted((repository / "doc").rglob("*.md"))]


def option_problems(repository: Path, programs: Path) -> Iterator[str]:
    """Yields the options in commands that their programs do not have."""
    options: Dict[str, Set[str]] = {}
    for page in pages_of(repository):
        text = re.sub(r" *\\\n *", " ", page.read_text(encoding="utf-8"))
        for name, arguments in COMMAND.findall(text):
            if name not in options:
                options[name] = listed_options(programs / name)
            for option in OPTION.findall(arguments):
                if option not in options[name]:
                    yield f"{page.relative_to(repository)}: {name} has no {option}"


def problems(repository: Path) -> Iterator[str]:
    """Yields the codes that name no entry."""
    known = sections((repository / "doc/parameters.md").read_text(encoding="utf-8"))
    tops = {name.split("/")[0] for name in known}
    for page in pages_of(repository):
        text = FENCED.sub(lambda block: "\n" * block.group(0).count("\n"), page.read_text(encoding="utf-8"))
        for code in CODE.finditer(text):
            path, _, value = (part.strip() for part in re.sub(r"\s+", " ", code.group(1)).partition("="))
            if "/" not in path or path.split("/")[0].strip() not in tops:
                continue
            words = allowed_words(path, known)
            where = f"{page.relative_to(repository)}:{text.count(NEWLINE, 0, code.start()) + 1}"
            if words is None:
                yield f"{where}: there is no {path}"
            elif words and value and value not in words and value != value.upper():
                yield f"{where}: {path} cannot be {value}"


def main() -> int:
    """Checks the repository in the command line."""
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    repository = Path(sys.argv[1]).resolve()
    found = list(problems(repository))
    if len(sys.argv) == 3:
        found += option_problems(repository, Path(sys.argv[2]))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
