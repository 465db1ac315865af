#!/usr/bin/env python3
"""Checks doc/papers.md, the table of the figures, schemes and laws of the papers.

    check_papers.py REPOSITORY [PROGRAM]

* Each number of NUMBERS has a row, and no row has another number.
* The last cell of a row begins with one of the words explained on the page, and does not contain "as in
  the paper". A row without a case is a definition, a sketch, or missing.
* Each command names existing parameter files and schemes; each `Section/Parameter = value` is in
  doc/parameters.md, which allows the value; each file of tests exists; each picture is written by
  percussion-report or percussion-compare; each column is in doc/results.md. (check_quotes.py checks the
  links.)
* A row that claims the paper's data is in PAPER_DATA.

With PROGRAM, percussion: each command with --set passes its validation, and the parameters in effect of
a row that claims the paper's data are equal to PAPER_DATA. Prints the problems, one line each, and exits
with 1 if there are any.
"""

import math
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from check_entries import sections

PANELS = {2: "abcdef", 3: "abcdef", 5: "abcdef", 6: "abcdef", 8: "ab", 9: "abcd", 10: "abcd", 12: "abcd",
          13: "abcd"}


def figures(count: int, panels: Dict[int, str]) -> Set[str]:
    """Returns the names of figures: "Figure 1", "Figure 2(a)" …"""
    return {f"Figure {n}" + (f"({panel})" if panel else "")
            for n in range(1, count + 1) for panel in panels.get(n, "") or [""]}


def equations(first: int, last: int, section: str = "") -> Set[str]:
    """Returns the names of equations: "(1)" or "(2.1)" …"""
    return {f"({section}{n})" for n in range(first, last + 1)}


NUMBERS = {
    "BBDM24": figures(16, {}) | equations(1, 41, "2.") | equations(1, 15, "3.") | equations(1, 2, "4.")
    | equations(1, 42, "5.") | equations(1, 3, "6.") | equations(1, 2, "7."),
    "AC24": figures(14, PANELS) | equations(1, 103),
    "AC23": equations(53, 64),  # the others are equations of AC24, as its section says
    "JM91": {"first figure", "second figure"} | equations(1, 6, "2.") | equations(1, 5, "3.")
    | equations(1, 9, "4.") | equations(1, 5, "6.") | equations(1, 4, "7.") | equations(1, 2, "8."),
    "CA": equations(143, 197),
}
SQUARE = math.sqrt(0.5)
STICK = {  # AC24, section 5.1
    "Rigid bodies/stick/Length": "1", "Rigid bodies/stick/Mass": "1",
    "Rigid bodies/stick/Position": f"{0.5 * SQUARE}, {0.5 * SQUARE + 0.01}",
    "Rigid bodies/stick/Angle": f"{math.pi / 4}",
    "Rigid bodies/stick/Initial velocity": "-0.5, 0.1",
    "Rigid bodies/stick/Initial angular velocity": "0.1",
    "Boundary conditions/Gravity": "0, -10",
    "Contact/ground/Restitution": "1", "Contact/ground/Friction coefficient": "0.01",
    "Time/End": "0.2", "Time/Step": "1e-4", "Time/Theta": "0.5",
}
BALL = {  # BBDM24, section 6.1
    "Material/Density": "1000", "Material/Young modulus": "1e11", "Material/Poisson ratio": "0.35",
    "Material/Plane": "stress", "Boundary conditions/Gravity": "0, 0",
    "Initial state/Velocity x": "", "Initial state/Velocity y": "-10",
    "Contact/ground/Friction coefficient": "0", "Time/End": "2", "Time/Step": "1e-3",
}
RING = {  # BBDM24, section 6.2
    "Material/Density": "1000", "Material/Law": "ogden", "Material/C1": "0.5e6", "Material/C2": "0.005e6",
    "Material/D": "0.35e6", "Material/Plane": "stress", "Boundary conditions/Gravity": "0, 0",
    "Initial state/Velocity x": "10", "Initial state/Velocity y": "-10",
    "Time/End": "10", "Time/Step": f"{1 / 300}",
}
VISCOUS_RING = {**RING, "Material/Viscosity law": "curnier"}
PAPER_DATA = {  # document and number of a row: parameters in effect, as the paper gives them
    ("BBDM24", "Figure 2"): BALL,
    ("BBDM24", "Figure 3"): BALL,
    ("BBDM24", "Figure 4"): BALL,
    ("BBDM24", "Figure 5"): {path: value for path, value in BALL.items() if path != "Time/End"},
    ("BBDM24", "Figure 6"): BALL,
    ("BBDM24", "Figure 7"): RING,
    ("BBDM24", "Figure 8"): RING,
    ("BBDM24", "Figure 9"): VISCOUS_RING,
    ("BBDM24", "Figure 10"): {**RING, "Material/Viscosity": "0"},
    ("BBDM24", "Figure 11"): {**VISCOUS_RING, "Constants/friction": "0.1"},
    ("AC24", "Figure 2"): {**STICK, "Time/Scheme": "moreau-jean"},
    ("AC24", "Figure 3"): {**STICK, "Time/Scheme": "moreau-jean-fremond",
                           "Contact/ground/Impact law": "as in the paper"},
    ("AC24", "(102)"): {"Boundary conditions/Applied force/Traction x": "2*sign(sin(4*pi*t))"},
}
CASE_OF_FORMULA = {"(102)": "params/sliding_block.prm"}
WORDS = ("the paper's", "added:", "differ:", "missing:", "–")


class Row(NamedTuple):
    """Row of a table: its line, its document, and its cells."""

    line: int
    document: str
    number: str
    content: str
    case: str
    shown: str
    data: str

    def claims_paper(self) -> bool:
        """True if the row says that its data are the paper's, and nothing else."""
        return self.data == "the paper's"


def spans(cell: str) -> List[str]:
    """Returns the pieces of code in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def rows(page: str) -> Iterator[Row]:
    """Yields the rows of the tables of documents."""
    document = ""
    in_table = False
    for number, line in enumerate(page.splitlines(), start=1):
        if line.startswith("## "):
            document = line[3:].strip()
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if not line.startswith("|"):
            in_table = False
        elif cells[0] in ("figure", "equation"):
            in_table = True
        elif in_table and not set(line) <= set("|-"):
            cells += [""] * (5 - len(cells))
            yield Row(number, document, *cells[:4], " | ".join(cells[4:]))


def names_of(number: str) -> Set[str]:
    """Returns the numbers of a first cell: ranges and panels one by one."""
    if "figure" in number.lower():
        figure = re.match(r"([^(]*)(?:\(([a-z, ]+)\))?$", number)
        if not figure:
            return {number}
        return {figure[1] + (f"({panel})" if panel else "") for panel in (figure[2] or "").split(", ")}
    found: Set[str] = set()
    for first, last in re.findall(r"(\(\d+(?:\.\d+)?\))(?:–(\(\d+(?:\.\d+)?\)))?", number):
        section, begin = re.match(r"\((\d+\.)?(\d+)\)", first).groups()
        end = re.match(r"\((?:\d+\.)?(\d+)\)", last)[1] if last else begin
        found |= equations(int(begin), int(end), section or "")
    return found


class Checker:
    """Checks rows against a repository."""

    def __init__(self, root: Path, program: Optional[str]):
        self.root = root
        self.program = program
        self.parameters = sections(self.read("doc/parameters.md"))
        self.schemes = self.parameters["Time"]["Scheme"]
        report = self.read("doc/report.md")
        self.pictures = set(re.findall(r"`([\w-]+\.png)`", report))
        compare = self.read("apps/report/percussion_report/compare.py")
        self.compared = set(re.findall(r"\(outcomes, \"(\w+)\"", compare))
        self.results = self.read("doc/results.md")
        self.rejections: Dict[Tuple[str, ...], str] = {}  # messages by arguments; empty: accepted

    def read(self, path: str) -> str:
        """Returns the text of a file of the repository."""
        return (self.root / path).read_text(encoding="utf-8")

    def problems_of_entry(self, path: str, value: str) -> Iterator[str]:
        """Yields the problems of "Section/Parameter" and its value."""
        *sections, name = path.split("/")
        if sections == ["Constants"]:  # names of the case, which the program checks
            return
        for pattern, entries in self.parameters.items():
            keys = pattern.split("/")
            fits = len(keys) == len(sections) and all(key == section or key.startswith("<")
                                                      for key, section in zip(keys, sections))
            if fits and name in entries:
                if entries[name] and value not in entries[name]:
                    yield f"{path} does not allow '{value}'"
                return
        yield f"there is no parameter {path}"

    def problems_of_command(self, command: str) -> Iterator[str]:
        """Yields the problems of one command."""
        program, *words = shlex.split(command)
        if program not in ("percussion", "percussion-compare"):
            yield f"'{program}' is no command of this page"
            return
        if not words or not (self.root / words[0]).is_file():
            yield f"there is no case {words[:1]}"
        for option, value in zip(words[1::2], words[2::2] + [""]):
            if option == "--set":
                yield from self.problems_of_entry(*(part.strip() for part in value.split("=", 1)))
            elif option == "--schemes" and program == "percussion-compare":
                yield from (f"there is no scheme {name}" for name in value.split(",")
                            if name not in self.schemes)
            else:
                yield f"'{option}' is no option of {program} on this page"

    def commands(self, row: Row) -> List[str]:
        """Returns the commands of a row; each further --set makes another command, without an earlier
        value of the same parameter."""
        found: List[str] = []
        for span in spans(row.case):
            if span.startswith("percussion"):
                found.append(span)
            elif span.startswith("--set") and found:
                path = shlex.split(span)[1].split("=")[0]
                first = re.sub(rf' --set "{re.escape(path)}=[^"]*"', "", found[0])
                found.append(f"{first} {span}")
        return found

    def problems_of_case(self, row: Row) -> Iterator[str]:
        """Yields the problems of the third cell."""
        if row.case == "–" and not row.data.startswith(("–", "missing:")):
            yield "a row without a case is a definition or missing"
        for span in spans(row.case):
            if " = " in span and not span.startswith("percussion"):
                yield from self.problems_of_entry(*span.split(" = ", 1))
            elif not span.startswith(("percussion", "--")) and "column" not in row.case:
                yield f"'{span}' is neither a command nor a parameter"
        for command in self.commands(row):
            yield from self.problems_of_command(command)
            yield from self.problems_of_validation(command)

    def problems_of_validation(self, command: str) -> Iterator[str]:
        """Yields the message of percussion if it rejects a changed case; other tests run the cases as
        shipped."""
        _, case, *words = shlex.split(command)
        sets = [word for option, value in zip(words[::2], words[1::2]) if option == "--set"
                for word in (option, value)]
        if not self.program or not sets:
            return
        arguments = (str(self.root / case), *sets)
        if arguments not in self.rejections:
            with tempfile.TemporaryDirectory() as folder:
                run = subprocess.run([self.program, *arguments, "--validate"], cwd=folder,
                                     capture_output=True, text=True, check=False)
            self.rejections[arguments] = run.stderr.strip() or "rejected" if run.returncode else ""
        if self.rejections[arguments]:
            yield f"{case} is rejected: {self.rejections[arguments]}"

    def problems_of_shown(self, row: Row) -> Iterator[str]:
        """Yields the problems of the fourth cell and of columns in the third."""
        probes = {f"probe-{name}.png" for name in re.findall(r"Probes/(\w+)/Kind", row.case)}
        for span in spans(row.shown):
            if span.startswith(("tests/", "params/", "doc/")):
                if not (self.root / span).is_file():
                    yield f"there is no file {span}"
            elif span.endswith(".png"):
                written = {f"{name}.png" for name in self.compared} if "comparison" in row.shown else set()
                if span not in self.pictures | probes | written:
                    yield f"no program writes {span}"
        for cell in (row.case, row.shown):
            if "column" in cell:
                for name in spans(cell):
                    column = re.sub(r"^(stick|block)\.", "NAME.", name)
                    if re.fullmatch(r"[\w.]+", column) and not column.endswith(".png") \
                            and not re.search(rf"\b{re.escape(column)}\b", self.results):
                        yield f"doc/results.md has no column {name}"

    def effective(self, command: str) -> Dict[str, str]:
        """Returns the parameters in effect for a command."""
        _, case, *words = shlex.split(command)
        sets = [word for option, value in zip(words[::2], words[1::2]) if option == "--set"
                for word in (option, value)]
        run = subprocess.run([self.program, "--print-parameters", str(self.root / case), *sets],
                             capture_output=True, text=True, check=True)
        sections: List[str] = []
        found: Dict[str, str] = {}
        for line in run.stdout.splitlines():
            text = line.split("#")[0].strip()
            if text.startswith("subsection "):
                sections.append(text[11:])
            elif text == "end":
                sections.pop()
            elif text.startswith("set "):
                name, value = text[4:].split("=", 1)
                found["/".join(sections + [name.strip()])] = value.strip()
        return found

    def problems_of_claim(self, row: Row) -> Iterator[str]:
        """Yields the problems of a row that claims the paper's data, and of one whose other data than
        the named ones are the paper's."""
        number = re.match(r"Figure \d+|.*", row.number)[0]
        data = PAPER_DATA.get((row.document, number))
        if data is None and row.claims_paper():
            yield f"claims the paper's data, which {Path(__file__).name} does not have"
        if data is None or not self.program:
            return
        commands = self.commands(row) or [f"percussion {CASE_OF_FORMULA[number]}"]
        for command in commands:
            found = self.effective(command)
            for path, value in data.items():
                if not is_equal(found.get(path, ""), value):
                    yield f"has other data than the paper: {path} is {found.get(path)}, not {value}"

    def problems_of_row(self, row: Row) -> Iterator[str]:
        """Yields all problems of a row."""
        if not row.data.startswith(WORDS):
            yield f"its data are none of {', '.join(WORDS)}"
        elif row.data.startswith(("the paper's", "–")) and row.data not in ("the paper's", "–"):
            yield "claims the paper's data with exceptions: say 'differ:', 'added:' or 'missing:'"
        elif row.data in ("added:", "differ:", "missing:"):
            yield "does not say which data"
        if "as in the paper" in row.data:
            yield "'as in the paper' may be mistaken for the whole row: say \"the paper's\" of a thing"
        yield from self.problems_of_case(row)
        yield from self.problems_of_shown(row)
        yield from self.problems_of_claim(row)

    def problems(self, page: str) -> Iterator[str]:
        """Yields the problems of the page, with line numbers."""
        found: Dict[str, Set[str]] = {}
        for row in rows(page):
            found.setdefault(row.document, set()).update(names_of(row.number))
            yield from (f"doc/papers.md:{row.line}: {row.number}: {problem}"
                        for problem in self.problems_of_row(row))
        for document, expected in NUMBERS.items():
            yield from (f"doc/papers.md: {document}: {name} is missing"
                        for name in sorted(expected - found.get(document, set())))
            yield from (f"doc/papers.md: {document}: there is no {name}"
                        for name in sorted(found.get(document, set()) - expected) if re.search(r"\d|figure", name))
        yield from (f"doc/papers.md: there is no document {name}" for name in set(found) - set(NUMBERS))


def is_equal(value: str, expected: str) -> bool:
    """Compares lists of numbers with a tolerance of round-off, other values as text."""
    try:
        numbers = [[float(item) for item in text.split(",")] for text in (value, expected)]
    except ValueError:
        return value.strip("'") == expected
    return len(numbers[0]) == len(numbers[1]) and all(
        math.isclose(a, b, rel_tol=1e-15, abs_tol=1e-300) for a, b in zip(*numbers))


def main() -> int:
    """Prints the problems; returns 1 if there are any."""
    if len(sys.argv) not in (2, 3):
        print("usage: check_papers.py REPOSITORY [PROGRAM]", file=sys.stderr)
        return 2
    program = str(Path(sys.argv[2]).resolve()) if len(sys.argv) == 3 else None
    checker = Checker(Path(sys.argv[1]).resolve(), program)
    found = list(checker.problems(checker.read("doc/papers.md")))
    print("\n".join(found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
