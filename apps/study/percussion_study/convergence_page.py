"""Page of a convergence study, in the template of the reports."""

import math
import os
import shlex

from percussion_report import page
from percussion_report.rendering import render

from .estimates import SAFETY, SAFETY_WITHOUT_ORDER, orders
from .study import options_of
from .variations import number_text

ORDER_TOLERANCE = 0.3  # between an observed and a promised order, beyond which the frame is orange
BAR_WORDS = (f"The error bar is {SAFETY:g} times the extrapolated change, or {SAFETY_WITHOUT_ORDER:g} times the "
             "larger difference of two levels if there is no order.")


def digits(value, number=10):
    """Returns a number as text, a dash if it is missing."""
    return "–" if math.isnan(value) else f"{value:.{number}g}"


def order_text(order):
    return "–" if math.isnan(order) else f"{order:.2f}"


def is_as_promised(result, promise):
    """True if the quantity converges, with the promised order if there is a promise."""
    if result.verdict == "equal on all levels":
        return True
    return result.verdict == "converges" and (
        promise[0] is None or abs(result.order - promise[0]) <= ORDER_TOLERANCE)


def clause(name, result, promise):
    """Returns the verdict on one quantity: observed and promised order, extrapolated value and error bar."""
    if result.verdict != "converges":
        return f"{name}: {result.verdict}" + (
            "" if math.isnan(result.bar) or result.verdict == "equal on all levels"
            else f", error bar of the finest level ± {result.bar:.2g}")
    promised = "" if promise[0] is None else f" ({promise[0]} is promised)"
    return (f"{name} converges with order {result.order:.2f}{promised} to {digits(result.limit, 6)}, error bar "
            f"of the finest level ± {result.bar:.2g}")


def verdict(names, found, promises):
    """Returns the verdict in one sentence, and whether a reader should look closer."""
    sentence = "; ".join(map(clause, names, found, promises)) + "."
    return sentence, not all(map(is_as_promised, found, promises))


def level_rows(study, names, values, steps):
    """Returns the rows of the table of levels: entries, values and observed orders."""
    rows = [{"level": str(k), **job.inputs} for k, job in enumerate(study.jobs, 1)]
    for name, levels in zip(names, values):
        for row, value, order in zip(rows, levels, orders(levels, steps)):
            row[name], row[f"order of {name}"] = digits(value), order_text(order)
    return rows


def estimate_rows(names, found, promises):
    """Returns the rows of the table of estimates."""
    return [{"quantity": name, "verdict": result.verdict, "order": order_text(result.order),
             "promised order": f"{order} ({reason})" if order else f"– ({reason})",
             "extrapolated": digits(result.limit), "error bar": digits(result.bar, 2)}
            for name, result, (order, reason) in zip(names, found, promises)]


def input_rows(options, version):
    """Returns names and texts of the inputs."""
    return [("case", options.case), *(("refined", text) for text in options.over),
            ("ratio", number_text(options.ratio)), ("levels", str(options.levels)),
            *(("changed", text) for text in options.set),
            *(("quantity", text) for text in options.quantities), ("percussion", version)]


def command_rows(options, study):
    """Returns the command of the study and of each level."""
    def repeated(option, texts):
        return [word for text in texts for word in (option, text)]
    command = ["percussion-converge", options.case, *repeated("--set", options.set),
             *repeated("--over", options.over), *repeated("--of", options.quantities), "--ratio",
             number_text(options.ratio), "--levels", str(options.levels), "--output", study.folder]
    return [("all levels", shlex.join(command)), *(
        (f"level {k}", shlex.join(["percussion", options.case, *options_of(job.settings), "--output", job.folder]))
        for k, job in enumerate(study.jobs, 1))]


def write_page(options, study, picture_and_file, results, steps):
    """Writes the page and returns its file. results: names, values on all levels, estimates and promised
    orders (with reasons) of the quantities; steps: ratio > 1 of successive levels."""
    names, values, found, promises = results
    sentence, looks = verdict(names, found, promises)
    levels, estimates = level_rows(study, names, values, steps), estimate_rows(names, found, promises)
    case = os.path.splitext(os.path.basename(options.case))[0]
    file = os.path.join(study.folder, "index.html")
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(render(
            "page.html", title=f"Convergence of {case}", sentence=sentence, looks=looks,
            figures=[page.figure(*picture_and_file)],
            tables=[("", list(levels[0]), levels), ("Estimates", list(estimates[0]), estimates)],
            folded=[("Error bar", [("error bar", BAR_WORDS)]), ("Inputs", input_rows(options, study.version)),
                    ("Commands", command_rows(options, study))]))
    return file
