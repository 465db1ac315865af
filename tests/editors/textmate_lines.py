"""Reader of lines by a TextMate grammar: rules with `match`, or with `begin` and `end`, `include` of
rules of the repository, and captures. Expressions must mean the same to Python and Oniguruma."""

import re
from typing import List, NamedTuple


class Span(NamedTuple):
    """Text on a line with the innermost scope of it."""

    line: int
    text: str
    scope: str


class Open(NamedTuple):
    """Rule whose end is still to come."""

    rule: dict
    scope: str


class Reader:
    """Spans of a text, read line by line as editors do."""

    def __init__(self, grammar: dict):
        self.grammar = grammar
        self.stack = [Open(grammar, "")]
        self.spans: List[Span] = []

    def rules(self, patterns):
        """Yields the rules of patterns in their order, included ones in place."""
        for pattern in patterns:
            if "include" in pattern:
                yield from self.rules([self.grammar["repository"][pattern["include"][1:]]])
            else:
                yield pattern

    def candidates(self):
        """Yields the expressions that may match now, with their rules; None ends the open rule."""
        current = self.stack[-1].rule
        if "end" in current:
            yield current["end"], None
        for rule in self.rules(current.get("patterns", [])):
            yield rule.get("match", rule.get("begin")), rule

    def add(self, line, text, scope):
        """Adds a span unless it is blank."""
        if text.strip():
            self.spans.append(Span(line, text, scope))

    def add_match(self, line, found, captures, scope):
        """Adds the spans of a match and of its groups."""
        position = found.start()
        for group, capture in sorted((int(number), capture) for number, capture in captures.items()):
            self.add(line, found.string[position:found.start(group)], scope)
            self.add(line, found.group(group), capture["name"])
            position = found.end(group)
        self.add(line, found.string[position:found.end()], scope)

    def read_line(self, line, text):
        """Reads a line with its line end."""
        position = 0
        while position < len(text):
            found, rule = None, None
            for expression, candidate in self.candidates():
                match = re.compile(expression).search(text, position)
                if match and (found is None or match.start() < found.start()):
                    found, rule = match, candidate
            scope = self.stack[-1].scope
            if found is None:
                return self.add(line, text[position:], scope)
            self.add(line, text[position:found.start()], scope)
            self.enter_or_leave(line, found, rule)
            is_stuck = found.end() == position == found.start() and rule is not None
            position = found.end() + is_stuck
        return None

    def enter_or_leave(self, line, found, rule):
        """Takes a match: of the end of the open rule, of a rule's begin, or of a whole rule."""
        if rule is None:
            current = self.stack.pop()
            self.add_match(line, found, current.rule.get("endCaptures", {}), current.scope)
        elif "begin" in rule:
            scope = rule.get("name", "")
            self.add_match(line, found, rule.get("beginCaptures", {}), scope)
            self.stack.append(Open(rule, scope))
        else:
            self.add_match(line, found, rule.get("captures", {}), rule.get("name", ""))


def spans(grammar: dict, text: str) -> List[Span]:
    """Returns the spans of a text."""
    reader = Reader(grammar)
    for number, line in enumerate(text.splitlines(), 1):
        reader.read_line(number, line + "\n")
    return reader.spans


def marked_lines(grammar: dict, text: str) -> set:
    """Returns the numbers of the lines on which the grammar marks a mistake."""
    return {span.line for span in spans(grammar, text) if span.scope.startswith("invalid")}
