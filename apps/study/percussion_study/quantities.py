"""Numbers from the results of a run: reduced columns, and formulas of columns and inputs."""

import ast
import contextlib
import difflib
import math
import operator
import os

import numpy as np

from percussion_report.files import read_table
from percussion_report.scene import Trouble


def time_mean(values, time):
    """Returns the mean over time, by the trapezoidal rule between finite values."""
    is_finite = np.isfinite(values)
    values, time = values[is_finite], time[is_finite]
    if len(values) < 2:
        return values[-1] if len(values) else math.nan
    return (np.diff(time) * (values[1:] + values[:-1]) / 2).sum() / (time[-1] - time[0])


def _finite(reduce):
    """Returns a reduction of the finite values, such as all but the first of a force."""
    def reduced(values, _):
        finite = values[np.isfinite(values)]
        return reduce(finite) if len(finite) else math.nan
    return reduced


REDUCTIONS = {
    "end": lambda values, _: values[-1], "start": lambda values, _: values[0],
    "max": _finite(np.max), "min": _finite(np.min),
    "maxabs": _finite(lambda values: np.max(abs(values))), "mean": time_mean}
OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: np.divide,
    ast.Pow: np.power, ast.Mod: np.mod, ast.USub: operator.neg, ast.UAdd: operator.pos}


def _extreme(of_column, of_numbers):
    """Returns the largest or smallest finite value of a column, or of several numbers."""
    return lambda *values: of_column(values[0]) if len(values) == 1 else of_numbers.reduce(values)


FUNCTIONS = {
    "abs": np.abs, "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "log10": np.log10, "sin": np.sin,
    "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "atan2": np.arctan2, "max": _extreme(np.nanmax, np.maximum),
    "min": _extreme(np.nanmin, np.minimum), "mean": np.nanmean, "sum": np.nansum, "diff": np.diff}


class Columns:
    """Columns of the tables of a run by name. A table is read at its first use, as tables of
    many rigid bodies take long."""

    FILES = ("energy.csv", "probes.csv", "rigid_bodies.csv", "elastic_bodies.csv")

    def __init__(self, folder):
        self.folder, self.tables = folder, {}

    def table(self, name):
        """Returns a table as a dictionary of arrays, empty if the run has none."""
        if name not in self.tables:
            file = os.path.join(self.folder, name)
            self.tables[name] = read_table(file, finite=name != "probes.csv")[0] \
                if os.path.exists(file) else {}
        return self.tables[name]

    def find(self, name):
        """Returns a column and its times, or None."""
        tables = map(self.table, self.FILES)
        return next(((table[name], table["time"]) for table in tables if name in table), None)

    def names(self):
        """Returns the names of all columns."""
        return list(dict.fromkeys(name for file in self.FILES for name in self.table(file)))

    def end(self):
        """Returns the last row of energy.csv."""
        return {name: float(values[-1]) for name, values in self.table("energy.csv").items()}


def _unknown(name, columns, inputs=()):
    """Returns the message on a name that is neither a column nor an input."""
    names = [*inputs, *columns.names()]
    close = difflib.get_close_matches(name, names, n=1)
    guess = f"; did you mean '{close[0]}'? There" if close else "; there"
    return f"there is no column or input '{name}'{guess} are: {', '.join(names)}"


class Formula:
    """Formula of columns and inputs, such as -ball.velocity_y[-1]/v. Columns are arrays; a name with
    blanks or other marks is column("ball 2.vx")."""

    def __init__(self, text, option):
        self.text, self.option = text.strip(), option
        try:
            self.tree = ast.parse(self.text, mode="eval").body
        except (SyntaxError, ValueError) as error:
            reason = getattr(error, "msg", str(error))  # without the file and the line
            raise Trouble(f"{option}: '{self.text}' is no formula ({reason})") from None
        self.check(self.tree)

    def trouble(self, words):
        return Trouble(f"{self.option}: '{self.text}': {words}")

    def check(self, node):
        """Raises an error unless the formula has numbers, names, operators, [k] and functions only."""
        if isinstance(node, (ast.BinOp, ast.UnaryOp)):
            allowed = type(node.op) in OPERATORS
            children = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "id", "")
            if name == "column":
                allowed = len(node.args) == 1 and isinstance(getattr(node.args[0], "value", 0), str)
                children = []
            elif name not in FUNCTIONS:
                raise self.trouble(f"there is no function '{ast.unparse(node.func)}'; there are "
                                   f"{', '.join([*FUNCTIONS, 'column'])}")
            else:
                allowed, children = bool(node.args), node.args
            allowed = allowed and not node.keywords
        elif isinstance(node, ast.Subscript):
            children, allowed = [node.value], self.index(node) is not None
        elif isinstance(node, ast.Attribute):
            children, allowed = [node.value], isinstance(node.value, (ast.Name, ast.Attribute))
        else:
            children = []
            allowed = isinstance(node, ast.Name) or (isinstance(node, ast.Constant)
                                                     and type(node.value) in (int, float))
        if not allowed:
            raise self.trouble(f"'{ast.unparse(node)}' is not allowed; formulas have numbers, columns, "
                               "inputs, + - * / ** %, [k] and functions")
        for child in children:
            self.check(child)

    @staticmethod
    def index(node):
        """Returns the whole number in brackets, or None."""
        try:
            number = ast.literal_eval(node.slice)
        except ValueError:
            return None
        return number if type(number) is int else None

    def value(self, node, names):
        """Returns the number or array of a node. names: inputs, and columns by find()."""
        if isinstance(node, ast.Constant):
            return float(node.value)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self.look_up(ast.unparse(node), names)
        if isinstance(node, ast.UnaryOp):
            return OPERATORS[type(node.op)](self.value(node.operand, names))
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](self.value(node.left, names),
                                            self.value(node.right, names))
        if isinstance(node, ast.Subscript):
            values, k = np.asarray(self.value(node.value, names)), self.index(node)
            if values.ndim == 0 or not -len(values) <= k < len(values):
                raise self.trouble(f"'{ast.unparse(node)}': there is no row {k} in "
                                   f"{values.size} values")
            return values[k]
        if node.func.id == "column":
            return self.look_up(node.args[0].value, names)
        return FUNCTIONS[node.func.id](*(self.value(argument, names) for argument in node.args))

    def look_up(self, name, names):
        if name == "pi":
            return math.pi
        inputs, columns = names
        if name in inputs:
            return inputs[name]
        found = columns.find(name)
        if found is None:
            raise self.trouble(_unknown(name, columns, inputs))
        return found[0]

    def evaluate(self, columns, inputs):
        """Returns the number for the columns of a run with these inputs, texts by name."""
        numbers = {}
        for name, text in inputs.items():
            with contextlib.suppress(ValueError):  # of a word, such as the name of a scheme
                numbers[name] = float(text)
        try:
            with np.errstate(all="ignore"):
                value = np.asarray(self.value(self.tree, (numbers, columns)), float)
        except (TypeError, ValueError) as error:
            raise self.trouble(str(error)) from None
        if value.ndim:
            raise self.trouble(f"this is a column of {value.size} values; take one as in time[-1], or "
                               "max(), min(), mean()")
        return float(value)


class Reduced:
    """Reduced column 'COLUMN[:REDUCTION]', such as hit.force_normal:max."""

    def __init__(self, text, option):
        self.option = option
        column, colon, reduction = text.rpartition(":")
        self.column, self.reduction = (column.strip(), reduction.strip()) if colon \
            else (text.strip(), "end")
        if self.reduction not in REDUCTIONS or not self.column:
            raise Trouble(f"{option}: '{text}' is not COLUMN:REDUCTION with one of the reductions "
                          f"{', '.join(REDUCTIONS)}")

    def evaluate(self, columns, _):
        """Returns the number for the columns of a run."""
        found = columns.find(self.column)
        if found is None:
            raise Trouble(f"{self.option}: {_unknown(self.column, columns)}")
        return float(REDUCTIONS[self.reduction](*found))


class Quantity:
    """Quantity 'NAME = FORMULA' or 'COLUMN[:REDUCTION]', its `text`; `name` is its column in tables."""

    def __init__(self, text, option):
        name, equals, formula = text.partition("=")
        self.text, self.option = text, option
        if equals:
            self.name, self.rule = name.strip(), Formula(formula, option)
            if not self.name.isidentifier():
                raise Trouble(f"{option}: '{self.name}' is no name; give NAME = FORMULA")
        else:
            self.name, self.rule = text.strip(), Reduced(text, option)

    def evaluate(self, columns, inputs):
        """Returns the number for the columns of a run with these inputs."""
        return self.rule.evaluate(columns, inputs)
