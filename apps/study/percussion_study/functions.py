"""Sweeps and convergence as functions of Python; they do the same as the programs."""

import csv
import os
import shutil
import types

import numpy as np

from percussion._version import __version__
from percussion.results import Table
from percussion_report.command_line import OutputError
from percussion_report.scene import Trouble

from . import converge as converge_program, sweep as sweep_program


def program_path():
    """Returns the path of percussion: in the same build or installation, or else in PATH."""
    package = os.path.dirname(os.path.realpath(__file__))
    for words in (("..", ".."), ("..", "..", "..", "..", "bin")):
        found = os.path.normpath(os.path.join(package, *words, "percussion"))
        if os.path.isfile(found) and os.access(found, os.X_OK):
            return found
    return shutil.which("percussion") or "percussion"


def value_text(value):
    """Returns a value of an entry as text: numbers with all digits, sequences as lists."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if np.ndim(value):
        return ", ".join(map(value_text, value))
    return repr(value.item() if isinstance(value, np.generic) else value)


def options_of(entries, values_of=value_text):
    """Returns texts PATH=VALUE of {path: value}."""
    return [f"{path}={values_of(value)}" for path, value in entries.items()]


def values_text(values):
    """Returns the text after --vary: as given, or of a sequence of values."""
    if isinstance(values, str):
        return values
    texts = list(map(value_text, values))
    return ("; " if any("," in text for text in texts) else ", ").join(texts)


def table_of(file):
    """Returns a table of a study: columns of numbers, or of texts if one is no number."""
    with open(file, encoding="utf-8", newline="") as stream:
        names, *rows = csv.reader(stream)
    columns = {}
    for name, texts in zip(names, zip(*rows)):
        try:
            columns[name] = np.array([float(text or "nan") for text in texts])
        except ValueError:
            columns[name] = np.array(texts)
        if name == "run":
            columns[name] = np.array(texts)  # names of folders, such as 001
    return Table(columns, {}, file)


def completed(work, options):
    """Calls the work of a program; its errors are a ValueError for bad input, else a RuntimeError."""
    try:
        work(options, (program_path(), __version__))
    except Trouble as error:
        raise ValueError(str(error)) from None
    except OutputError as error:
        raise RuntimeError(str(error)) from None


def folder_of(case, suffix):
    """Returns the folder in which the programs write by default."""
    return os.path.join("output", os.path.splitext(os.path.basename(case))[0] + suffix)


def sweep(case, vary, parameters=None, *, columns=(), plots=(), samples=None, seed=0,
          sampling="latin-hypercube", over=None, output=None, resume=False, jobs=None):
    """Runs a case with varied entries, as percussion-sweep; returns sweep.csv as a table.

    vary: {path: values}, a sequence or a text as after --vary, such as "normal(0.5, 0.05)";
    parameters: {path: value} for all runs; columns, plots: quantities as after --column and --plot.
    Runs that have failed or were refused are in the table, too; its column `status` says so.
    """
    case = os.fspath(case)
    folder = os.fspath(output or folder_of(case, "-sweep"))
    options = types.SimpleNamespace(
        case=case, vary=options_of(vary, values_text), set=options_of(parameters or {}),
        column=list(columns), plot=list(plots), samples=samples, seed=seed, sampling=sampling,
        over=over, output=folder, resume=resume, format=["png"], plain=False, jobs=jobs or os.cpu_count() or 1)
    completed(sweep_program.sweep, options)
    return table_of(os.path.join(folder, "sweep.csv"))


def converge(case, over, quantities, parameters=None, *, ratio=2.0, levels=3, output=None,
             resume=False, jobs=None):
    """Runs a case on finer and finer levels, as percussion-converge; returns converge.csv and
    estimates.csv as tables.

    over: entries as after --over, such as ["Mesh/Parameters=size", "Time/Step"]; quantities: as after
    --of; parameters: {path: value} for all levels.
    """
    if levels < 3:
        raise ValueError(f"levels is {levels}; at least 3 are needed for an order")
    case = os.fspath(case)
    folder = os.fspath(output or folder_of(case, "-converge"))
    options = types.SimpleNamespace(
        case=case, over=[over] if isinstance(over, str) else list(over),
        quantities=[quantities] if isinstance(quantities, str) else list(quantities),
        set=options_of(parameters or {}), ratio=ratio, levels=levels, output=folder, resume=resume,
        format=["png"], jobs=jobs or os.cpu_count() or 1)
    completed(converge_program.converge, options)
    return tuple(table_of(os.path.join(folder, name)) for name in ("converge.csv", "estimates.csv"))
