"""TextMate grammar of parameter files: a rule for each section, which knows its entries.

Lines that are no entry of the section in which they stand, and values that a selection does not
have, are `invalid.illegal`. Rules of values and comments end before the line end, unless a
backslash before it continues the line.
"""

import re

from reference import Entry, Reference, Section, identifier, is_placeholder, sections

SCOPE = "percussion"
END = r"^\s*(end|END)\s*(?=#|\n)"
NAME = r"[^#/\n]*[^#/\n\s]"  # of a subsection that a case names
INVALID = f"invalid.illegal.{SCOPE}"
NUMBER = r"(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])"


def scopes(*names: str) -> dict:
    """Returns captures with these scopes, in the order of the groups."""
    return {str(group): {"name": f"{name}.{SCOPE}"} for group, name in enumerate(names, 1)}


def words(name: str) -> str:
    """Returns the pattern of a name, whose words any blanks may separate."""
    return r"\s+".join(map(re.escape, name.split()))


def includes(*names: str) -> list:
    """Returns patterns that refer to rules of the repository."""
    return [{"include": f"#{name}"} for name in names]


def key(section: Section) -> str:
    """Returns the name of the rule of a section."""
    return f"section_{identifier(section.path)}"


def section_rule(name: str, scope: str, patterns: list) -> dict:
    """Returns the rule of a subsection from its first to its last line."""
    return {"begin": rf"^\s*(subsection|SUBSECTION)\s+({name})\s*(?=#|\n)", "end": END,
            "beginCaptures": scopes("keyword.control", scope),
            "endCaptures": scopes("keyword.control"), "patterns": patterns}


def set_rule(name: str, patterns: list) -> dict:
    """Returns the rule of an entry, from `set` to the end of its value."""
    return {"begin": rf"^\s*(set|SET)\s+({name})\s*(=)", "end": r"(?=\n)",
            "beginCaptures": scopes("keyword.other", "variable.parameter", "keyword.operator"),
            "patterns": includes("continuation", "comment") + patterns}


def choice_patterns(entry: Entry) -> list:
    """Returns the patterns of the value of a selection."""
    selection = "|".join(map(re.escape, entry.choices))
    return [{"match": rf"(?<![^\s=])(?:{selection})(?=\s*(?:#|\\?\s*\n))",
             "name": f"constant.language.{SCOPE}"},
            {"match": r"[^\s#\\]+", "name": INVALID}]


def entry_rules(section: Section) -> list:
    """Returns the rules of the entries of a section."""
    selections = [entry for entry in section.entries.values() if entry.choices]
    rules = [set_rule(words(entry.name), choice_patterns(entry)) for entry in selections]
    names = [r"\w+" if is_placeholder(entry.name) else words(entry.name)
             for entry in section.entries.values() if not entry.choices]
    if names:
        rules.append(set_rule("|".join(names), includes("number", "text")))
    return rules


def section_patterns(section: Section) -> list:
    """Returns the patterns of the lines in a section. An unknown line comes last."""
    subsections = sorted(section.subsections.values(), key=lambda subsection: "<" in subsection.path)
    return (includes("comment", "include", *map(key, subsections)) + entry_rules(section)
            + includes("unknown_section", "unknown"))


def grammar(reference: Reference) -> dict:
    """Returns the grammar."""
    repository = {
        "continuation": {"match": r"\\\s*\n", "name": f"punctuation.separator.{SCOPE}"},
        "comment": {"begin": "#", "end": r"(?=\n)", "name": f"comment.line.number-sign.{SCOPE}",
                    "patterns": includes("continuation")},
        "include": {"match": r"^\s*(include|INCLUDE)\s+([^#\n]*[^#\n\s])",
                    "captures": scopes("keyword.control", "string.unquoted")},
        "number": {"match": NUMBER, "name": f"constant.numeric.{SCOPE}"},
        "text": {"match": '"[^"\n]*"', "name": f"string.quoted.double.{SCOPE}"},
        "unknown": {"match": r"[^\s#][^#\n]*", "name": INVALID},
        "unknown_section": section_rule(r"[^#\n]*[^#\n\s]", "invalid.illegal",
                                        includes("comment", "unknown_section", "unknown")),
    }
    for section in sections(reference.top):
        name = section.path.split("/")[-1]
        if name:
            pattern = NAME if is_placeholder(name) else words(name)
            repository[key(section)] = section_rule(pattern, "entity.name.section",
                                                    section_patterns(section))
    return {"$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
            "name": "Percussion", "scopeName": f"source.{SCOPE}", "fileTypes": ["prm"],
            "patterns": section_patterns(reference.top), "repository": repository}
