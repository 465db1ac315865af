#!/usr/bin/env python3
"""Checks the sizes of classes and functions.

    check_size.py REPOSITORY [--list]

In the modules of MODULES, a class has at most MAX_MEMBERS data members of its own, without static
ones, and a function at most MAX_LINES lines from its name to its closing brace; the lines of tables
in it, initialisers "= {...}", do not count. EXCEPTIONS has the sizes of larger ones, which may only
shrink. Prints each excess and exits with 1 if there are any, or if an exception is out of date.
--list prints all sizes from two thirds of a limit.
"""

import re
import sys
from pathlib import Path

MODULES = ("algebra", "balance", "body", "contact", "dynamics")
MAX_MEMBERS, MAX_LINES = 15, 60
EXCEPTIONS = {}
BLANKED = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
NO_MEMBER = re.compile(r"^(using|friend|static|typedef|enum|struct|class|template|public|private|protected)\b")


def blank(match):
    """Returns a comment, string or character without its words, of as many lines."""
    text = match.group(0)
    return ("" if text.startswith("/") else '""') + "\n" * text.count("\n")


def without_templates(text):
    """Returns a declaration without the arguments of templates and the contents of brackets."""
    previous = None
    while previous != text:
        previous, text = text, re.sub(r"<[^<>()]*(\([^<>()]*\))?[^<>()]*>|\[[^\[\]]*\]|\{[^{}]*\}", "", text)
    return text


def n_declared(statement):
    """Returns the number of data members that a statement in a class declares."""
    statement = without_templates(re.sub(r"\b(public|private|protected):", "", statement)).strip()
    if not statement or NO_MEMBER.match(statement) or "(" in statement.split("=")[0]:
        return 0
    return statement.count(",") + 1


class Sizes:
    """Sizes of the classes and functions of a file."""

    def __init__(self, text):
        self.text = BLANKED.sub(blank, text)
        self.text = re.sub(r"^\s*#.*$", "", self.text, flags=re.M)
        self.members, self.lines = {}, {}
        self.read_scope(0, None)

    def end_of_block(self, start):
        """Returns the position after the block that begins at a brace."""
        depth = 0
        for position in range(start, len(self.text)):
            depth += {"{": 1, "}": -1}.get(self.text[position], 0)
            if depth == 0:
                return position + 1
        return len(self.text)

    def read_scope(self, position, name):
        """Reads declarations up to the closing brace of a namespace or of the class `name`."""
        head, first = "", position
        while position < len(self.text):
            letter = self.text[position]
            if not head.strip():
                first = position
            if letter == "}":
                return position + 1
            if letter == ";":
                if name:
                    self.members[name] += n_declared(head)
                head = ""
            elif letter == "{":
                position, head = self.read_block(position, head, first, name)
                continue
            else:
                head += letter
            position += 1
        return position

    def read_block(self, start, head, first, name):
        """Reads a block after its head. Returns the position after it and the rest of the head."""
        plain = without_templates(head)
        words = re.sub(r"\b(public|private|protected):", "", plain).split()
        while words and words[0] == "template":
            words = words[1:]
        if "namespace" in words[:2] or words[:1] == ["extern"]:
            return self.read_scope(start + 1, None), ""
        if words[:1] and words[0] in ("struct", "class"):
            inner = (name + "::" if name else "") + re.sub(r"\W.*", "", words[1] if len(words) > 1 else "")
            self.members.setdefault(inner, 0)
            return self.read_scope(start + 1, inner), ""
        end = self.end_of_block(start)
        is_initialiser = plain.count("(") > plain.count(")") or (
            re.search(r"\)\s*(noexcept)?\s*:(?!:)", plain) and re.search(r"[,:]\s*[\w:]+\s*$", plain))
        if "(" not in plain or is_initialiser or re.search(r"(?<!operator)=\s*$", plain):
            return end, head + "{}"
        called = re.search(r"([\w:~]+|operator\W+)\s*\(", plain)
        lines = self.text.count("\n", first, end) + 1
        body = self.text[start:end]
        for table in re.finditer(r"=\s*\{", body):
            lines -= self.text.count("\n", start + table.end() - 1,
                                     self.end_of_block(start + table.end() - 1))
        key = (name + "::" if name else "") + (called.group(1).strip() if called else "?")
        self.lines[key] = max(lines, self.lines.get(key, 0))
        return end, ""


def main():
    root, found = Path(sys.argv[1]), {}
    for module in MODULES:
        for folder in (root / "src" / module, root / "include/percussion" / module):
            for file in sorted(folder.glob("*.h")) + sorted(folder.glob("*.cc")):
                sizes = Sizes(file.read_text(encoding="utf-8"))
                for table, limit, unit in ((sizes.members, MAX_MEMBERS, "members"),
                                           (sizes.lines, MAX_LINES, "lines")):
                    for name, size in table.items():
                        found[f"{module}/{file.name}:{name}"] = (size, limit, unit)
    if "--list" in sys.argv:
        for name, (size, limit, unit) in sorted(found.items(), key=lambda row: -row[1][0] / row[1][1]):
            if 3 * size >= 2 * limit:
                print(f"{size} {unit} of {limit}: {name}")
        return 0
    problems = []
    for name, (size, limit, unit) in sorted(found.items()):
        allowed = EXCEPTIONS.get(name, limit)
        if size > allowed:
            problems.append(f"{name} has {size} {unit}; allowed are {allowed}")
        elif name in EXCEPTIONS and size < allowed:
            problems.append(f"{name} has {size} {unit}: "
                            + ("lower its exception" if size > limit else "remove its exception"))
    problems += [f"{name} of EXCEPTIONS does not exist" for name in EXCEPTIONS if name not in found]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
