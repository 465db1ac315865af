"""Values of varied entries: lists, ranges, and samples of distributions."""

import dataclasses
import itertools
import math
import random
import re
import statistics

from percussion_report.files import NEEDED
from percussion_report.scene import Trouble

MOST_RUNS = 10_000
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
GRIDS = {"range": "range(FROM, TO, NUMBER)", "geometric": "geometric(FROM, TO, NUMBER)"}
DISTRIBUTIONS = {"uniform": "uniform(FROM, TO)", "loguniform": "loguniform(FROM, TO)",
                 "normal": "normal(MEAN, DEVIATION)"}
FUNCTIONS_OF_ENTRIES = set(
    "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp ln log log2 log10 sqrt abs "
    "sign rint floor ceil mod min max sum avg if table".split())
CONSTANT = re.compile(rf"([A-Za-z_]\w*)\s*=\s*({NUMBER})")


def number_text(value):
    """Returns a number with all its digits, and without a point if it is whole."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


@dataclasses.dataclass
class Variation:
    """Varied entry. `path` is its path, or empty for a variable of --set; `constant` the name of a
    constant in the entry, as size in 'size = 0.1, R = 3'; `name` its name in tables and formulas;
    `values` the texts of a grid, or `quantile` the inverse of a distribution function."""

    path: str
    constant: str
    name: str
    values: list = dataclasses.field(default_factory=list)
    quantile: object = None


def equidistant(first, last, n):
    """Returns n numbers from the first to the last, both exact."""
    return [first + (last - first) * k / (n - 1) for k in range(n - 1)] + [last] if n > 1 else [first]


def _numbers(option, function, text, form):
    """Returns the finite numbers between the brackets of a function."""
    try:
        found = [float(item) for item in text.split(",")]
    except ValueError:
        found = []
    if len(found) != form.count(",") + 1 or not all(map(math.isfinite, found)):
        raise Trouble(f"{option}: '{function}({text})' is not {form} with finite numbers")
    return found


def _grid(option, function, text):
    """Returns the values of range() or geometric()."""
    first, last, n = _numbers(option, function, text, GRIDS[function])
    if n != int(n) or not 1 < n <= MOST_RUNS:
        raise Trouble(f"{option}: the NUMBER of {GRIDS[function]} is {n:g}; allowed is a whole number "
                      f"from 2 to {MOST_RUNS}")
    if function == "range":
        return equidistant(first, last, int(n))
    if first <= 0 or last <= 0:
        raise Trouble(f"{option}: FROM and TO of geometric() are {first:g} and {last:g}; allowed are "
                      "positive numbers")
    inner = [math.exp(x) for x in equidistant(math.log(first), math.log(last), int(n))[1:-1]]
    return [first, *inner, last]


def _quantile(option, function, text):
    """Returns the inverse of a distribution function, of a probability between 0 and 1."""
    a, b = _numbers(option, function, text, DISTRIBUTIONS[function])
    if function == "normal":
        if b <= 0:
            raise Trouble(f"{option}: the DEVIATION of normal() is {b:g}; allowed is a positive number")
        return statistics.NormalDist(a, b).inv_cdf
    if not a < b:
        raise Trouble(f"{option}: FROM of {function}() is {a:g}, TO is {b:g}; TO must be larger")
    if function == "uniform":
        return lambda p: a + (b - a) * p
    if a <= 0:
        raise Trouble(f"{option}: FROM of loguniform() is {a:g}; allowed is a positive number")
    return lambda p: a * (b / a) ** p


def _list(option, text):
    """Returns the values of a list, separated by semicolons, or by commas if there are none."""
    values = [value.strip() for value in text.split(";" if ";" in text else ",")]
    if "" in values:
        raise Trouble(f"{option}: a value is empty in '{text.strip()}'; give values as a,b,c, or "
                      "values with commas as 'a, b; c, d'")
    twice = [value for value in values if values.count(value) > 1]
    if twice:
        raise Trouble(f"{option}: the value {twice[0]} appears twice")
    return values


def _expect_known_function(option, value):
    """Raises an error for a value that is a call of a function which neither makes values nor is one of
    the formulas of entries."""
    called = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*\(.*\)\s*", value)
    if called and called[1] not in FUNCTIONS_OF_ENTRIES:
        known = ", ".join([*GRIDS.values(), *DISTRIBUTIONS.values()])
        raise Trouble(f"{option}: there is no distribution '{called[1]}'; there are {known}")


def split_assignment(option, text):
    """Returns name (or ''), path, constant (or '') and value of '[NAME:] PATH=[CONSTANT=]VALUE'."""
    path, equals, value = text.partition("=")
    name, colon, remainder = path.partition(":")
    if colon:
        path = remainder
        if not name.strip().isidentifier():
            raise Trouble(f"{option}: '{name.strip()}' is no name; allowed are letters, digits and "
                          "_, as in 'v: PATH=1,2'")
    path = path.strip()
    if not equals or not path or not value.strip():
        raise Trouble(f"{option}: '{text}' is not of the form PATH=VALUES, as "
                      "\"Time/Step=1e-3,1e-4\"")
    constant = re.match(r"\s*([A-Za-z_]\w*)\s*=(?!=)", value) if "/" in path else None
    if constant:
        value = value[constant.end():]
    return (name.strip() if colon else ""), path, constant[1] if constant else "", value


def read_variation(text, option="--vary"):
    """Returns the variation of '[NAME:] PATH=[CONSTANT=]VALUES'."""
    name, path, constant, value = split_assignment(option, text)
    if "/" not in path:
        if not path.isidentifier():
            raise Trouble(f"{option}: '{path}' is neither the path of an entry, as Time/Step, nor the "
                          "name of a variable of --set, as v in {v}")
        name, path = name or path, ""
    variation = Variation(path, constant, name)
    function = re.fullmatch(r"\s*([A-Za-z]+)\s*\(([^()]*)\)\s*", value)
    if function and function[1] in GRIDS:
        variation.values = [number_text(x) for x in _grid(option, function[1], function[2])]
    elif function and function[1] in DISTRIBUTIONS:
        variation.quantile = _quantile(option, function[1], function[2])
    else:
        _expect_known_function(option, value)
        variation.values = _list(option, value)
    return variation


def _identifier(words):
    return re.sub(r"\W+", "_", words.strip().lower()).strip("_")


def name_variations(variations, reserved):
    """Gives a name to each variation without one: the last word of its path that is no reserved
    name, with as many words before it as are needed to tell it from others."""
    used = {variation.name for variation in variations if variation.name}
    for name in used:
        if name in reserved or [v.name for v in variations].count(name) > 1:
            problem = "is a column or a function" if name in reserved else "is given twice"
            raise Trouble(f"--vary: the name '{name}' {problem}; give another as 'NAME: PATH=VALUES'")
    for variation in (v for v in variations if not v.name):
        words = [w for w in (*variation.path.split("/"), variation.constant) if w]
        names = [_identifier("_".join(words[-n:])) for n in range(1, len(words) + 1)]
        free = [n for n in names if n.isidentifier() and n not in used and n not in reserved]
        if not free:
            raise Trouble(f"--vary: {variation.path} has no name of its own; give one as "
                          "'NAME: PATH=VALUES'")
        variation.name = free[0]
        used.add(free[0])


def latin_hypercube(n_dims, n, seed):
    """Returns n points (lists of probabilities between 0 and 1), one in each of n equal intervals of
    every dimension."""
    source = random.Random(seed)  # the same numbers in all versions of Python
    columns = []
    for _ in range(n_dims):
        order = sorted(range(n), key=lambda _: source.random())
        columns.append([(k + source.random()) / n for k in order])
    return [[min(max(p, 1e-15), 1 - 1e-15) for p in row] for row in zip(*columns)]


def independent(n_dims, n, seed):
    """Returns n points with independent probabilities between 0 and 1."""
    source = random.Random(seed)
    return [[min(max(source.random(), 1e-15), 1 - 1e-15) for _ in range(n_dims)] for _ in range(n)]


SAMPLERS = {"latin-hypercube": latin_hypercube, "independent": independent}


def points(variations, n_samples, seed, sampling):
    """Returns the value (text) of each variation in each run: all combinations of the grids, with the
    samples of the distributions in each of them."""
    grids = [v for v in variations if v.quantile is None]
    sampled = [v for v in variations if v.quantile is not None]
    if sampled and not n_samples:
        raise Trouble(f"--samples is missing: {sampled[0].name} is a distribution; say how many "
                      "samples to take")
    if n_samples and not sampled:
        raise Trouble("--samples: no entry is varied by a distribution; there are "
                      + ", ".join(DISTRIBUTIONS.values()))
    n_runs = math.prod(len(v.values) for v in grids) * (n_samples or 1)
    if n_runs > MOST_RUNS:
        raise Trouble(f"--vary: this makes {n_runs} runs; allowed are {MOST_RUNS}")
    rows = SAMPLERS[sampling](len(sampled), n_samples, seed) if sampled else [[]]
    samples = [{v.name: number_text(v.quantile(p)) for v, p in zip(sampled, row)} for row in rows]
    found = []
    for values in itertools.product(*(v.values for v in grids)):
        for sample in samples:
            point = dict(zip((v.name for v in grids), values)) | sample
            found.append({v.name: point[v.name] for v in variations})
    return found


def with_constants(text, constants):
    """Returns the text of an entry 'name = number, …' in which constants have new values."""
    entries = [item.strip() for item in text.split(",") if item.strip()]
    unchanged = [item for item in entries if item.partition("=")[0].strip() not in constants]
    return ", ".join([*unchanged, *(f"{name} = {value}" for name, value in constants.items())])


def filled(template, point, used):
    """Returns a text with the values of variables {v}; adds their names to `used`."""
    def value(match):
        used.add(match[1])
        return point[match[1]]
    names = "|".join(map(re.escape, point))
    return re.sub(rf"\{{({names})\}}", value, template) if names else template


def expect_no_variables(text, assignment, point, remedy):
    """Raises an error if a value still has a variable {w} after its variables have values."""
    unset = re.search(r"\{([A-Za-z_]\w*)\}", text)
    if unset:
        known = ", ".join(f"{{{name}}}" for name in point)
        raise Trouble(f"--set: {unset[0]} in '{assignment}' has no value; there are {known}"
                      + remedy.format(unset[1]))


def settings(variations, point, sets, base, remedy="; or add --vary \"{}=VALUES\""):
    """Returns {path: value} for a run: the entries of --set, with variables, and the varied ones.
    base: the entries in effect, to which constants of an entry are added; remedy: the end of the
    message on a variable without a value."""
    found, used, constants = {}, set(), {}
    for assignment in sets:
        path, _, value = assignment.partition("=")
        found[path.strip()] = filled(value.strip(), point, used)
        expect_no_variables(found[path.strip()], assignment, point, remedy)
    for variation in variations:
        value = point[variation.name]
        if variation.constant:
            constants.setdefault(variation.path, {})[variation.constant] = value
        elif variation.path:
            found[variation.path] = value
        elif variation.name not in used:
            raise Trouble(f"--vary: the variable {variation.name} has no effect: no --set has "
                          f"{{{variation.name}}}, as in --set \"PATH=-{{{variation.name}}}\"")
    for path, of_entry in constants.items():
        found[path] = with_constants(found.get(path, base.get(path, "")), of_entry)
    return found


def reserved_names(functions):
    """Returns the names that inputs cannot have: columns of energy.csv, functions, and columns of
    the table."""
    return {*NEEDED, *functions, "run", "status", "message", "pi"}
