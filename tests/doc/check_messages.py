#!/usr/bin/env python3
"""Checks that the messages explained on a page are messages of the programs.

    check_messages.py PAGE.md

A message is a `code span` of a heading of the third level; `…` in it replaces variable text. The
fixed pieces between must be string literals of one source file, or pieces of such literals, in
src/, include/, apps/ or cmake/quickstart.sh. Adjacent literals count as one, as for the compiler.
"""
import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
TOKEN = re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<char>\'(?:[^\'\\\n]|\\.)\')|'
                   r'"(?P<text>(?:[^"\\\n]|\\.)*)"(?P<more>\s*(?=f?"))?', re.DOTALL)


def literals(source):
    """Returns the string literals of C++ or Python source, adjacent ones concatenated, without
    escapes."""
    found, joined = [], False
    for token in TOKEN.finditer(source):
        if token["text"] is None:
            joined = False
            continue
        text = token["text"].replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")
        if joined:
            found[-1] += text
        else:
            found.append(text)
        joined = token["more"] is not None
    return found


def sources():
    """Returns path and string literals of every file that prints messages; a script is one
    literal."""
    for folder in ("src", "include", "apps"):
        for path in sorted((REPOSITORY / folder).rglob("*")):
            if path.suffix in (".cc", ".h", ".py"):
                yield path, literals(path.read_text(encoding="utf-8"))
    script = REPOSITORY / "cmake/quickstart.sh"
    yield script, [script.read_text(encoding="utf-8")]


def messages(page):
    """Yields line and text of the messages of a page."""
    for number, line in enumerate(page.splitlines(), start=1):
        if line.startswith("### "):
            for message in re.findall(r"`([^`]+)`", line):
                yield number, message


def is_printed(message, texts):
    """True if all fixed pieces of a message are in the literals of one file."""
    pieces = [piece.strip() for piece in message.split("…") if piece.strip()]
    return any(all(any(piece in literal for literal in of_file) for piece in pieces)
               for of_file in texts)


def main():
    """Checks a page, as described at the top of this file."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    page = Path(sys.argv[1])
    texts = [of_file for _, of_file in sources()]
    all_of_page = list(messages(page.read_text(encoding="utf-8")))
    if not all_of_page:
        print(f"{page}: it explains no message", file=sys.stderr)
        return 1
    missing = [(line, message) for line, message in all_of_page if not is_printed(message, texts)]
    for line, message in missing:
        print(f"{page}:{line}: no program prints `{message}`", file=sys.stderr)
    print(f"{page}: {len(all_of_page)} messages, {len(missing)} of them not printed by any program")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
