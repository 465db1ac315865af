#!/usr/bin/env python3
"""Checks the language of comments, docstrings and identifiers in C++ and Python.

    check_language.py REPOSITORY [--list RULE] [--words FILE]

Reads the rules with their words and bounds from language_words.txt (--words: from another file),
prints the figure of each rule, and exits with 1 if a figure exceeds its bound, with file, line and
rule of each finding. --list prints the findings of one rule in any case.
"""

import argparse
import ast
import configparser
import re
import sys
from pathlib import Path
from typing import Iterator, List, NamedTuple, Tuple

CPP = (".cc", ".h", ".cc.in", ".h.in")
COMMENT = re.compile(
    r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'|(?P<c>/\*.*?\*/|//[^\n]*)', re.S)
MARK = re.compile(r"///<|///|//|/\*\*?")
# A name after its type and before the end of its declaration. Spaces surround `*`, `&`, `>` in
# expressions only.
DECLARATION = re.compile(
    r"(?P<type>\b[A-Za-z_]\w*|[\w\])*&]>{1,2}) [*&]{0,2}(?P<name>[a-z_]\w*)(?=\s*(?:[;,=)({\[]|: ))")
FURTHER = re.compile(r", [*&]{0,2}([a-z_]\w*)(?= = |;)")
BINDING = re.compile(r"\bauto ?&{0,2} ?\[([^\]]*)\]")
ENUMERATORS = re.compile(r"\benum (?:class )?\w* ?(?:: ?[\w ]+)?\{([^}]*)\}")
NO_TYPES = {"return", "throw", "new", "delete", "else", "case", "goto", "using", "namespace", "in",
            "and", "or", "not", "do", "sizeof", "public", "private", "protected", "operator"}


class Text(NamedTuple):
    """Comment or docstring: its first line, its words, and true if it is documentation for
    tools."""

    line: int
    words: str
    documents: bool


class Source(NamedTuple):
    """Parsed file: its comments, and its declared names with their lines."""

    path: str
    texts: List[Text]
    names: List[Tuple[int, str]]


def join(lines: List[str]) -> str:
    """Returns the words of some lines, separated by single spaces."""
    return " ".join(" ".join(lines).split())


def read_cpp(path: str, content: str) -> Source:
    """Returns the comments and the declared names of a C++ file. Comments on consecutive lines
    count as one."""
    texts: List[Tuple[int, int, str, List[str]]] = []  # line, end, mark, lines
    code = list(content)
    for match in COMMENT.finditer(content):
        blank = re.sub(r"[^\n]", " ", match.group())
        code[match.start():match.end()] = blank
        comment = match.group("c")
        if comment is None:
            code[match.start()] = code[match.end() - 1] = '"'
            continue
        mark = MARK.match(comment).group()
        line = content.count("\n", 0, match.start()) + 1
        words = re.sub(r"\n\s*\*", "\n", comment[len(mark):].replace("*/", ""))
        same_block = texts and mark == texts[-1][2] and content[texts[-1][1]:match.start()].isspace()
        if same_block and line == texts[-1][0] + len(texts[-1][3]):
            texts[-1] = (texts[-1][0], match.end(), mark, texts[-1][3] + [words])
        else:
            texts.append((line, match.end(), mark, [words]))
    return Source(path, [Text(t[0], join(t[3]), t[2] not in ("//", "/*")) for t in texts],
                  list(cpp_names("".join(code))))


def cpp_names(code: str) -> Iterator[Tuple[int, str]]:
    """Yields line and name of each declaration in code without comments: variables, parameters,
    members, functions, captures, structured bindings and enumerators."""
    for match in DECLARATION.finditer(code):
        if match.group("type") not in NO_TYPES:
            yield code.count("\n", 0, match.start("name")) + 1, match.group("name")
    for match in FURTHER.finditer(code):
        yield code.count("\n", 0, match.start(1)) + 1, match.group(1)
    for pattern in (BINDING, ENUMERATORS):
        for match in pattern.finditer(code):
            for name in re.finditer(r"(?:^|,)\s*([A-Za-z_]\w*)", match.group(1)):
                offset = match.start(1) + name.start(1)
                yield code.count("\n", 0, offset) + 1, name.group(1)


def read_python(path: str, content: str) -> Source:
    """Returns docstrings, comments and declared names of a Python file."""
    texts: List[Text] = []
    names: List[Tuple[int, str]] = []
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            docstring = ast.get_docstring(node)
            if docstring:
                texts.append(Text(node.body[0].lineno, join([docstring]), True))
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.append((node.lineno, node.name))
        elif isinstance(node, ast.arg):
            names.append((node.lineno, node.arg))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.append((node.lineno, node.id))
    for number, line in enumerate(content.splitlines(), start=1):
        match = re.search(r"(?:^|\s)# (.*)", line)
        if match:
            texts.append(Text(number, join([match.group(1)]), False))
    return Source(path, texts, names)


def read_sources(root: Path, folders: List[str]) -> Iterator[Source]:
    """Yields the sources in folders of a repository, in the order of their paths."""
    for path in sorted(p for folder in folders for p in (root / folder).rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix in (".py", ".pyi"):
            yield read_python(name, path.read_text(encoding="utf-8"))
        elif name.endswith(CPP):
            yield read_cpp(name, path.read_text(encoding="utf-8"))


def find(rule: configparser.SectionProxy, source: Source) -> Iterator[str]:
    """Yields "file:line: text" for each finding of a rule in a source."""
    words = rule["words"].split("\n" if rule["kind"] == "phrase" else None)
    if rule["kind"] == "identifier":
        for line, name in source.names:
            if name.lower().rstrip("_") in words:
                yield f"{source.path}:{line}: {name}"
        return
    any_word = "|".join(word for word in words if word)
    if rule["kind"] == "opening":
        pattern = re.compile(rf"\W*(?:{any_word})\b(?!:)", re.I)
        for text in source.texts:
            if text.documents and pattern.match(text.words):
                yield f"{source.path}:{text.line}: {text.words[:60]}"
        return
    pattern = re.compile(rf"(?:{any_word})", re.I)
    nouns = tuple(f"{noun} " for noun in rule.get("unless_after", "").split())
    for text in source.texts:
        for match in pattern.finditer(text.words):
            if nouns and text.words[:match.start()].lower().endswith(nouns):
                continue
            around = text.words[max(0, match.start() - 30):match.end() + 30]
            yield f"{source.path}:{text.line}: … {around} …"


def main() -> int:
    """Prints the figure of each rule; returns 1 if one exceeds its bound."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--list", metavar="RULE", help="print the findings of this rule")
    parser.add_argument("--words", type=Path, default=Path(__file__).with_name("language_words.txt"))
    arguments = parser.parse_args()
    rules = configparser.ConfigParser(interpolation=None)
    rules.read_string(arguments.words.read_text(encoding="utf-8"))
    sources = list(read_sources(arguments.repository, rules.defaults()["folders"].split()))
    n_words = sum(len(re.findall(r"[A-Za-z']+", t.words)) for s in sources for t in s.texts)
    n_names = sum(len(s.names) for s in sources)
    print(f"{len(sources)} files, {n_words} words of comments, {n_names} declared identifiers")
    failed = 0
    for name in rules.sections():
        rule = rules[name]
        findings = [finding for source in sources for finding in find(rule, source)]
        total = {"opening": 1000, "identifier": n_names, "phrase": n_words}[rule["kind"]]
        figure = round(1000 * len(findings) / max(total, 1), 2)
        bound = float(rule["bound"])
        unit = "" if rule["kind"] == "opening" else " per 1,000"
        print(f"{name}: {figure:g}{unit} (bound {bound:g}, goal {float(rule['goal']):g})")
        if figure > bound or arguments.list == name:
            print("\n".join(f"{finding}  [{name}: {rule['advice']}]" for finding in findings))
        failed |= figure > bound
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
