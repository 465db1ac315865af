"""Command lines of the Python programs: options, messages, exit status. Needs no package for
pictures."""

import argparse
import os
import shutil
import sys
import textwrap

from .scene import Trouble


class OutputError(Exception):
    """Failure to write a file: exit status 1."""


class Parser(argparse.ArgumentParser):
    """Parser with the wording of the other programs; `text` has fields for all arguments."""

    text = ""

    def format_help(self):
        entries = {True: "", False: ""}
        for action in self._actions:
            name = f"  {', '.join(action.option_strings)} {action.metavar or ''}".rstrip()
            name = name if action.option_strings else f"  {action.metavar}"
            preset = f" (default: {action.default})" \
                if action.default not in (None, False, argparse.SUPPRESS, []) else ""
            words = textwrap.indent(textwrap.fill(action.help + preset, 52), 28 * " ")
            entries[not action.option_strings] += (
                f"{name:28}{words.lstrip()}\n" if len(name) < 27 else f"{name}\n{words}\n")
        return self.text.format(arguments=entries[True], options=entries[False]) + "\n"

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}\nRun {self.prog} --help for more information.\n")


def reader(words, convert, allowed=lambda value: True):
    """Returns a function that reads an option; its error message is `words`."""
    def read(text):
        try:
            value = convert(text)
            if allowed(value):
                return value
        except (ValueError, AttributeError):
            pass
        raise argparse.ArgumentTypeError(f"'{text}' is {words}")
    return read


def list_of(read):
    return lambda text: [read(item) for item in text.split(",")]


def summarise(rows):
    """Prints names and texts as columns, with the texts broken at words."""
    width = shutil.get_terminal_size((100, 0)).columns
    indent = max(len(name) for name, *_ in rows) + 2
    for name, text in rows:
        print(textwrap.fill(text, max(width, indent + 40), initial_indent=f"{name:{indent}}",
                            subsequent_indent=indent * " ", break_on_hyphens=False))


def status_of(name, work):
    """Returns the exit status of a program after printing the error."""
    try:
        return work() or 0
    except (Trouble, OutputError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2 if isinstance(error, Trouble) else 1


def reason_of(errors, status):
    """Returns the reason for which percussion has ended, in one line: its message on standard error
    behind the warnings, or else the exit status."""
    lines = [line.strip() for line in errors.splitlines()
             if line.strip() and not line.startswith("percussion: warning: ")]
    first_lines = [k for k, line in enumerate(lines) if line.startswith("percussion: ")]
    if not first_lines:
        return lines[0] if lines else f"exit status {status}"
    first, *others = lines[first_lines[0]:]
    ending = "; ".join(line.rstrip(".") for line in others) if first.endswith(":") else " ".join(others)
    return f"{first.removeprefix('percussion: ')} {ending}".strip()


def make_folder(folder):
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        is_file = isinstance(error, (FileExistsError, NotADirectoryError))
        raise OutputError(f"{folder}: this folder cannot be made "
                          f"({'a file has this name' if is_file else error.strerror})") from error
    return folder
