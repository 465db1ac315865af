"""Energy histories of any program: where did this run create energy?"""

import csv
import dataclasses
import math
import os
import re

import numpy as np

from percussion_report.scene import Trouble

from .checks import EPSILON, worst

TIME_NAMES = ("time", "t", "step")
ENERGY = re.compile(r"kinetic|strain|elastic|potential|contact_potential|.*_energy|E(kin|el|pot|def)", re.I)
WORK = re.compile(r"work.*|w(ext|visc|num|n|t|fric|contact).*", re.I)
LOSS = re.compile(r".*(contact|fric|visc|damp|diss|plastic|normal|tangential).*|w[nt](_.*)?", re.I)
LARGEST = 1 << 31  # bytes


@dataclasses.dataclass
class History:
    """Columns of an energy history with the half of the last digit of each number."""

    file: str
    columns: dict
    digits: dict
    lines: list
    line_word: str = "line"

    def sum(self, names):
        return sum((self.columns[name] for name in names), np.zeros(len(self.lines)))

    def rounding(self, names):
        """Returns the uncertainty of the change of a sum in each row but the first, by the digits that
        were written."""
        half = sum((self.digits[name] for name in names), np.zeros(len(self.lines)))
        return half[1:] + half[:-1]

    def location(self, row):
        return f"{os.path.basename(self.file)}, {self.line_word} {self.lines[row + 1]}"


def half_digits(texts):
    """Returns half of the last digit of each number of a column. Numbers have the same decimals
    (0.10, 2.25), or the digits of the longest one (0.1, 2.25); whole numbers are exact."""
    matches = [re.fullmatch(r"[+-]?(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?", text.strip()) for text in texts]
    if None in matches:
        raise ValueError("not a number")
    decimals = {len(match[2]) for match in matches}
    values = np.array(texts, float)
    if len(decimals) == 1 and not any(match[3] for match in matches):
        return np.full(len(texts), 0.5 * 10.0 ** -max(decimals) if max(decimals) else 0.0)
    digits = max(len((match[1] + match[2]).lstrip("0")) for match in matches)
    size = np.where(values == 0, 1, abs(values))
    return np.where(values == 0, 0, 0.5 * 10.0 ** (np.floor(np.log10(size)) - digits + 1))


def _rows(file):
    """Returns header and rows, (line, fields), of a table; lines with # are comments."""
    try:
        if os.path.isdir(file):
            raise Trouble(f"{file}: is a folder; give a table with a header, or the output folder of a "
                          "run of Percussion without --energy")
        if not os.path.isfile(file):
            raise Trouble(f"{file}: no such file; give a table with a header")
        if os.path.getsize(file) > LARGEST:
            raise Trouble(f"{file}: has more than {LARGEST} bytes; write fewer rows")
        with open(file, encoding="utf-8-sig", newline="") as stream:
            lines = [(n, line) for n, line in enumerate(stream.read().splitlines(), 1)
                     if line.strip() and not line.startswith("#")]
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"{file}: cannot be read ({error})") from error
    if len(lines) < 3:
        raise Trouble(f"{file}: needs a header and at least two rows of numbers")
    delimiter = max(",;\t", key=lines[0][1].count)
    try:
        fields = list(csv.reader((line for _, line in lines), delimiter=delimiter))
    except csv.Error as error:
        raise Trouble(f"{file}: is not a table ({error})") from error
    if len(fields[0]) == 1 and all(len(line.split()) > 1 for _, line in lines):
        raise Trouble(f"{file}: its columns are separated by blanks; separate them by commas, semicolons or "
                      "tabs")
    return [name.strip() for name in fields[0]], [(n, row) for (n, _), row in zip(lines[1:], fields[1:])]


def read_history(file, names):
    """Returns the columns of a table; `names` selects those that are needed from the header."""
    header, rows = _rows(file)
    needed = names(header)
    for line, row in rows:
        if len(row) != len(header):
            raise Trouble(f"{file}:{line}: expected {len(header)} values, found {len(row)}")
    columns, digits = {}, {}
    for name in needed:
        texts = [row[header.index(name)] for _, row in rows]
        for (line, _), text in zip(rows, texts):
            if not _is_finite(text):
                raise Trouble(f"{file}:{line}: column {name}: '{text[:40].strip()}' is not a finite "
                              "number")
        columns[name], digits[name] = np.array(texts, float), half_digits(texts)
    return History(file, columns, digits, [line for line, _ in rows])


def _is_finite(text):
    """Returns true for decimal numbers, without the words and underscores that Python accepts."""
    try:
        return "_" not in text and math.isfinite(float(text))
    except ValueError:
        return False


def chooser(options):
    """Returns a function of the header that chooses the columns, and stores them in the options."""
    def choose(header):
        def checked(names, option):
            for name in names:
                if list(names).count(name) > 1:
                    raise Trouble(f"{option}: '{name}' is given twice")
                if name not in header:
                    raise Trouble(f"{options.energy}: has no column '{name}' ({option}); found: "
                                  f"{', '.join(header)[:400]}")
            return names

        times = [name for wanted in TIME_NAMES for name in header if name.lower() == wanted]
        options.time = checked([options.time], "--time")[0] if options.time else (times or [None])[0]
        options.energies = checked(options.energies, "--energies") if options.energies else \
            [name for name in header if ENERGY.fullmatch(name)] or \
            [name for name in header if name.lower() in ("total", "energy", "etot")]
        options.works = checked(options.works, "--works") if options.works else \
            [name for name in header if WORK.fullmatch(name) and name not in options.energies]
        options.losses = checked(options.losses, "--losses") if options.losses else \
            [name for name in options.works if LOSS.fullmatch(name)]
        for words, found in (("--time", options.time), ("--energies", options.energies)):
            if not found:
                raise Trouble(f"{options.energy}: no column is known as {words[2:]}; name it by {words}; "
                              f"found: {', '.join(header)[:400]}")
        for name in [options.time, *options.energies, *options.works, *options.losses]:
            if header.count(name) > 1:
                raise Trouble(f"{options.energy}: {header.count(name)} columns have the name '{name}'; give "
                              "each a name of its own")
        return list(dict.fromkeys([options.time, *options.energies, *options.works, *options.losses]))
    return choose


def examine(history, options):
    """Returns the checks of an energy history, and the rows with the largest created energies."""
    time, works = history.columns[options.time], options.works
    energy, work = history.sum(options.energies), history.sum(works)
    terms = [abs(history.columns[name]) for name in [*options.energies, *works]]
    scale = np.maximum.accumulate(np.max(terms, axis=0))
    created = np.diff(energy) - np.diff(work)
    bound = options.tolerance * scale[1:] + history.rounding([*options.energies, *works]) + 8 * EPSILON * scale[1:]
    found = [worst("times increase", (np.diff(time) <= 0).astype(float), 0, history.location)]
    value = created if options.one_sided else abs(created)
    name = "energy exceeds the works" if options.one_sided else "energy changes by the works"
    found.append(worst(name, value, bound, history.location))
    rows = [(row, created[row], options.energies) for row in np.flatnonzero(value > bound)]
    for loss in options.losses:
        change = np.diff(history.columns[loss])
        limit = options.tolerance * scale[1:] + history.rounding([loss])
        found.append(worst(f"{loss} creates no energy", change, limit, history.location))
        rows += [(row, change[row], [loss]) for row in np.flatnonzero(change > limit)]
    if not works and not options.one_sided:
        found[1].remark = "no columns of works are known; name them by --works"
    rows.sort(key=lambda row: -abs(row[1]))
    return found, [(history.location(row), time[row + 1], value, "+".join(names)) for row, value, names in rows]

