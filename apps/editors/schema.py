"""JSON schema of the parameters that percussion prints, and of parameters by path.

The document of `percussion --print-parameters --json` complies with the schema itself;
`#/$defs/values` describes an object of values by path, {"Time/Step": 1e-3}, as the Python module
takes it. Formulas are texts, and are checked by the program only.
"""

import re
from urllib.parse import quote

from reference import Entry, Reference, is_placeholder, sections

# Numbers, constants and operators. Two words without an operator between them, "5 mm", are none.
FORMULA = r"^(?!.*[\w.)]\s+[\w.(])[\w.+\-*/^()<>=!&|?:, ]+$"
NEGATIVE = r"^(?!\s*-\s*[0-9.eE+-]+\s*$)"


def number(entry: Entry, kind: str) -> dict:
    """Returns the schema of a number or of a formula of numbers and constants."""
    value, text = {"type": kind}, {"type": "string", "pattern": FORMULA}
    keywords = {">": "exclusiveMinimum", ">=": "minimum", "<": "exclusiveMaximum",
                "<=": "maximum"}
    for sign, bound in re.findall(r"(?:n?umber|integer|and) ([<>]=?) (\S+?)(?=,|\s|$)",
                                  entry.allowed):
        value[keywords[sign]] = float(bound)
        if sign[0] == ">" and float(bound) >= 0:
            text = {"type": "string", "allOf": [{"pattern": FORMULA}, {"pattern": NEGATIVE}]}
    return {"anyOf": [value, text] + ([{"const": ""}] if entry.may_be_empty else [])}


def numbers(entry: Entry) -> dict:
    """Returns the schema of a list of numbers, which may be a text or an array."""
    fewest, largest = re.match(r"(\d+)(?: or (\d+))? values", entry.allowed).groups()
    return {"anyOf": [{"type": "string"},
                      {"type": "array", "items": {"type": ["number", "string"]},
                       "minItems": int(fewest), "maxItems": int(largest or fewest)}]}


def value_schema(entry: Entry) -> dict:
    """Returns the schema of the value of an entry."""
    if entry.choices:
        shape = {"enum": [*entry.choices, *([""] if entry.may_be_empty else [])]}
        if entry.choices == ("true", "false"):
            shape["enum"] += [True, False]
    elif re.match(r"an? (number|integer)\b(?!.*formula)", entry.allowed):
        shape = number(entry, "integer" if entry.allowed.startswith("an") else "number")
    elif re.match(r"\d+(?: or \d+)? values", entry.allowed):
        shape = numbers(entry)
    else:
        shape = {"type": ["string", "number"]}
    return {"description": f"{entry.documentation} Allowed: {entry.allowed}.", **shape}


def path_pattern(path: str) -> str:
    """Returns the pattern of the paths that a path of the reference stands for."""
    names = [r"[^/]+" if is_placeholder(name) else re.escape(name).replace(r"\ ", " ")
             for name in path.split("/")]
    return f"^{'/'.join(names)}$"


def schema(reference: Reference) -> dict:
    """Returns the schema."""
    entries = [entry for section in sections(reference.top) for entry in section.entries.values()]
    patterns = {entry.path: path_pattern(entry.path) for entry in entries}
    references = {entry.path: {"$ref": "#/$defs/" + quote(entry.path.replace("/", "~1"))}
                  for entry in entries}
    texts = {key: {"type": "string"}
             for key in ("path", "name", "default", "allowed", "documentation", "value")}
    texts["path"]["anyOf"] = [{"pattern": pattern} for pattern in patterns.values()]
    conditions = [{"if": {"properties": {"path": {"pattern": pattern}}},
                   "then": {"properties": {"value": references[path]}}}
                  for path, pattern in patterns.items()]
    parameter = {"type": "object", "required": ["path", "name", "default", "allowed"],
                 "properties": {**texts, "used_if": {"type": "object"}},
                 "additionalProperties": False, "allOf": conditions}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Parameters of Percussion {reference.version}",
        "type": "object",
        "required": ["version", "parameters"],
        "properties": {"version": {"const": reference.version},
                       "parameters": {"type": "array", "items": parameter}},
        "additionalProperties": False,
        "$defs": {
            "values": {"type": "object", "additionalProperties": False,
                       "patternProperties": {pattern: references[path]
                                             for path, pattern in patterns.items()}},
            **{entry.path: value_schema(entry) for entry in entries},
        },
    }
