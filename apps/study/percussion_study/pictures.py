"""Pictures of studies: a quantity over an input, and values on successive meshes."""

import re

import numpy as np
from matplotlib.figure import Figure

from percussion_report.style import COLOURS, DASHES, Picture

MOST_CURVES = 6
BINS = 20


def colour_of(i):
    """Returns the colour of a curve; the later ones are grey."""
    return COLOURS[i] if i < MOST_CURVES else "0.8"


def _numbers(rows, name):
    """Returns a column of texts as numbers, or as 0, 1, … with labels if one is a word."""
    texts = [str(row[name]) for row in rows]
    try:
        return np.array([float(text) for text in texts]), []
    except ValueError:
        labels = list(dict.fromkeys(texts))
        return np.array([labels.index(text) for text in texts], float), labels


def _is_geometric(values):
    """True if a logarithmic axis suits: positive numbers over more than a decade, not equidistant."""
    values = np.unique(values)
    if len(values) < 3 or values[0] <= 0 or values[-1] < 10 * values[0]:
        return False
    steps = np.diff(values)
    return steps.max() > 1.5 * steps.min()


def over_input(rows, name, axis, varied):
    """Returns a picture of a quantity over a varied entry: a curve for each combination of the other
    grids; of samples points, and beside them their distribution."""
    rows = [row for row in rows if name in row]
    is_sampled = any(variation.quantile is not None for variation in varied)
    curve_names = [v.name for v in varied if v is not axis and v.quantile is None]
    groups = {}
    for k, row in enumerate(rows):
        groups.setdefault(tuple(row[key] for key in curve_names), []).append(k)
    figure = Figure(figsize=(7.2, 3.4), layout="constrained")
    if is_sampled:
        panel, side = figure.subplots(1, 2, sharey=True, width_ratios=[3, 1])
        values = [np.array([rows[k][name] for k in members], float) for members in groups.values()]
        side.hist([v[np.isfinite(v)] for v in values], bins=BINS, orientation="horizontal",
                  stacked=True, color=[colour_of(i) for i in range(len(groups))])
        side.set_xlabel("runs")
    else:
        panel = figure.subplots()
    x, labels = _numbers(rows, axis.name)
    for i, (group, members) in enumerate(groups.items()):
        chosen = np.array(members)[np.argsort(x[members], kind="stable")]
        y = [rows[k][name] for k in chosen]
        label = ", ".join(f"{key} = {text}" for key, text in zip(curve_names, group))
        is_coloured = i < MOST_CURVES
        panel.plot(x[chosen], y, marker="o", markersize=3.5,
                   color=colour_of(i),
                   linestyle="none" if is_sampled else DASHES[i % len(DASHES)],
                   label=label if is_coloured else None, zorder=2 if is_coloured else 1)
    if labels:
        panel.set_xticks(range(len(labels)), labels)
    elif _is_geometric(x):
        panel.set_xscale("log")
    if curve_names:
        panel.legend(frameon=False)
    panel.set_xlabel(axis.name.replace("_", " "))
    panel.set_ylabel(name.replace("_", " "))
    caption = f"{name} over {axis.name}."
    if len(groups) > MOST_CURVES:
        caption += f" Grey: all but the first {MOST_CURVES} combinations."
    return Picture(re.sub(r"[^\w.-]", "_", name), figure, caption, "sweep")


def over_levels(axis_name, sizes, names, values, estimates):
    """Returns a picture with a panel for each quantity: its values over the refined entry, the error
    bar of the finest, and the extrapolated value."""
    figure = Figure(figsize=(7.2, 0.4 + 2.2 * len(names)), layout="constrained")
    panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for panel, name, of_name, estimate in zip(panels, names, values, estimates):
        panel.plot(sizes, of_name, marker="o", color=COLOURS[0], label="levels")
        panel.errorbar(sizes[-1], of_name[-1], estimate.bar, color=COLOURS[1], capsize=4,
                       label="error bar")
        if np.isfinite(estimate.limit):
            label = "extrapolated" if np.isnan(estimate.order) \
                else f"extrapolated, order {estimate.order:.2g}"
            panel.axhline(estimate.limit, color=COLOURS[2], linestyle=DASHES[1], label=label)
        panel.set_ylabel(name.replace("_", " "))
        panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    panels[-1].set_xscale("log")
    panels[-1].set_xticks(sizes, [f"{size:.3g}" for size in sizes])
    panels[-1].set_xticks([], minor=True)
    panels[-1].set_xlabel(axis_name.replace("_", " "))
    return Picture("converge", figure, "The quantities over the levels, with the error bar of the "
                   "finest.", "convergence")
