"""Numbers, lists and formulas of parameter files in another frame."""

import math
import re

import numpy as np

AXES = "xyz"


def number(text):
    """Returns a text as a number, or None if it is a formula."""
    try:
        return float(text)
    except ValueError:
        return None


def scaled(text, factor):
    """Returns factor × formula as a text; the text itself if this changes nothing: percussion refuses
    entries without effect unless they have their defaults as printed."""
    value = number(text)
    if factor == 1 or not text or value == 0:
        return text
    return f"({text})*{factor!r}" if value is None else repr(value * factor)


def combination(weights, formulas):
    """Returns the sum of weight × formula as a text."""
    values = [number(text) for text in formulas]
    if None not in values:
        return repr(float(np.dot(weights, values))) if np.any(values) else "0"
    terms = [scaled(f"({text})", float(w)) for w, text in zip(weights, formulas) if w and number(text) != 0]
    return " + ".join(terms) or "0"


def substituted(formula, replacements):
    """Returns a formula with other expressions in place of its variables; texts in quotes stay."""
    if not replacements:
        return formula
    names = "|".join(replacements)
    pieces = formula.split('"')
    pieces[::2] = [re.sub(rf"(?<![\w.])({names})(?![\w.(])", lambda m: replacements[m[1]], piece)
                   for piece in pieces[::2]]
    return '"'.join(pieces)


def values_of(constants):
    """Returns the values of constants, {name: formula}, which may use each other."""
    known, functions = {}, {name: getattr(math, name) for name in dir(math) if name[0] != "_"}
    functions |= {"min": min, "max": max, "abs": abs}
    while missing := {name: text for name, text in constants.items() if name not in known}:
        before = len(known)
        for name, text in missing.items():
            try:
                known[name] = float(eval(text.replace("^", "**"),  # pylint: disable=eval-used
                                         {"__builtins__": {}}, {**functions, **known}))
            except NameError:
                continue  # uses one that is not known yet
        if len(known) == before:
            raise ValueError(f"unknown names in the constants {', '.join(missing)}")
    return known


def old_variables(frame):
    """Returns the expressions of the old position and time in terms of the new ones; variables that
    are the same are left out."""
    found = {}
    weights, offset = frame.Q.T / frame.length, -frame.Q.T @ frame.shift
    for i in range(frame.dim):
        terms = [scaled(AXES[j], float(w)) for j, w in enumerate(weights[i]) if w]
        expression = " + ".join(terms) + (f" + {float(offset[i])!r}" if offset[i] else "")
        if expression != AXES[i]:
            found[AXES[i]] = f"({expression})"
    if frame.time != 1:
        found["t"] = f"(t/{frame.time!r})"
    return found


def listed(text):
    """Returns the items of a list."""
    return [item.strip() for item in text.split(",")]


def vector(text, frame, factor=1.0, shift=False):
    """Returns a list of components as a vector, or with `shift` as a point, in the frame. factor
    converts its unit."""
    items = listed(text)
    items += ["0"] * (frame.dim - len(items))
    rows = frame.Q * factor
    moved = [combination(row, items) for row in rows]
    if shift and frame.shift.any():
        moved = [combination([1.0, 1.0], [item, repr(factor * s)]) for item, s in zip(moved, frame.shift)]
    return ", ".join(moved)
