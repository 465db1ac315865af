"""Charts as SVG in the page: lines as paths, titles and legends as text that wraps, and the values of
the lines for the script."""

import json
import re
from html import escape

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_hex

from .scene import short

WIDTH, FONT, TOP = 400, 11, 9  # units of a panel; a phone shows them as pixels
WIDE, TALL = 10000, 1000  # units of the lines, which the script zooms
MOST_ROWS = 1600  # in all lines of a panel
UNNAMED, RUNS = ("#bfbfbf", "#d9d9d9"), "#666666"  # greys of lines without names, and of runs in legends


def is_chart(figure):
    """True if a figure has only lines, bands and horizontal bars over linear abscissas: no image, no
    bodies, no map of colours."""
    return all(axes.get_aspect() == "auto" and axes.get_xscale() == "linear" and not axes.images and all(
        isinstance(c, (LineCollection, PolyCollection)) for c in axes.collections) and all(
            patch.get_x() == 0 for patch in axes.patches) for axes in figure.axes)


def number(value):
    """Returns six digits of a number, as JSON and the reader see it."""
    return float(f"{value:.6g}")


def text_width(text):
    """Returns an upper limit of the width of a label of numbers; digits of wide fonts are 0.64 em."""
    return 0.65 * FONT * len(text)


def thinned(y, rows):
    """Returns the indices of at most this many rows: of each interval the lowest and the highest value,
    and a row without a value, at which the line is interrupted."""
    if len(y) <= rows:
        return np.arange(len(y))
    chosen = {0, len(y) - 1}
    for interval in np.array_split(np.arange(len(y)), max(rows // 3, 1)):
        finite = interval[np.isfinite(y[interval])]
        if len(finite):
            chosen |= {finite[np.argmin(y[finite])], finite[np.argmax(y[finite])]}
        chosen |= set(interval[~np.isfinite(y[interval])][:1])
    return np.array(sorted(chosen))


class Panel:
    """Axes of a figure, with the ranges and the ticks that they show."""

    def __init__(self, axes):
        self.axes = axes
        (self.left, self.right), (self.bottom, self.top) = axes.get_xlim(), axes.get_ylim()
        self.is_log = axes.get_yscale() == "log"
        self.power = getattr(axes.xaxis.get_major_formatter(), "power", 0)  # of labels in ms
        self.ticks = [self.ticks_of(axis, *ends) for axis, ends in (
            (axes.xaxis, (self.left, self.right)), (axes.yaxis, (self.bottom, self.top)))]
        labels = [[text for _, text in ticks] for ticks in self.ticks]
        self.x = 6 + max(map(text_width, labels[1]), default=0)
        self.width = WIDTH - self.x - max(map(text_width, labels[0]), default=20) / 2 - 2
        self.x = max(self.x, text_width(labels[0][0]) / 2 if labels[0] else 0)
        self.height = round(62 * axes.get_position().height * axes.figure.get_figheight())
        fitting = max(int(self.width / (max(map(text_width, labels[0]), default=1) + 6)), 1)
        self.ticks[0] = self.ticks[0][::-(-len(self.ticks[0]) // fitting)]

    @staticmethod
    def ticks_of(axis, low, high):
        """Returns the positions and the labels of the ticks in this range."""
        positions = axis.get_ticklocs()
        low, high = min(low, high), max(low, high)
        margin = 1e-9 * (high - low)
        labels = axis.get_major_formatter().format_ticks(positions)
        return [(p, text) for p, text in zip(positions, labels)
                if low - margin <= p <= high + margin]

    def abscissa(self, x):
        """Returns the positions of values on the horizontal axis, from 0 to 1."""
        return (x - self.left) / (self.right - self.left)

    def ordinate(self, y):
        """Returns the positions of values on the vertical axis, from 0 at the top to 1."""
        bottom, top = self.bottom, self.top
        if self.is_log:
            with np.errstate(divide="ignore", invalid="ignore"):
                bottom, top, y = np.log10(bottom), np.log10(top), np.log10(y)
        return np.clip((top - y) / (top - bottom), -1, 2)

    def path(self, x, y, is_dots=False, closed=""):
        """Returns the commands of a path; values that are not finite interrupt it."""
        command, commands = "M", []
        for a, b in zip(WIDE * self.abscissa(np.asarray(x, float)),
                        TALL * self.ordinate(np.asarray(y, float))):
            if not np.isfinite(a + b):
                command = "M"
                continue
            commands.append(f"{command}{a:.0f} {b:.0f}" + ("h0" if is_dots else ""))
            command = "M" if is_dots else "L"
        return "".join(commands) + (closed if commands else "")

    def frame(self):
        """Returns the grid and the labels of the ticks; the script replaces the ticks of the abscissa."""
        bottom, elements = self.height + TOP, []
        for value, text in self.ticks[1]:
            y = TOP + self.height * float(self.ordinate(value))
            elements.append(f'<path class="grid" d="M{self.x:.1f} {y:.1f}h{self.width:.1f}"/>'
                            f'<text x="{self.x - 4:.1f}" y="{y + 4:.1f}" text-anchor="end">'
                            f"{escape(text)}</text>")
        elements.append('<g class="ticks">')
        for value, text in self.ticks[0]:
            x = self.x + self.width * float(self.abscissa(value))
            elements.append(f'<path class="grid" d="M{x:.1f} {TOP}v{self.height}"/><text x="{x:.1f}" '
                            f'y="{bottom + 15}" text-anchor="middle">{escape(text)}</text>')
        label = escape(self.axes.get_xlabel())
        elements.append(f'</g><text x="{self.x + self.width / 2:.1f}" y="{bottom + 30}" '
                        f'text-anchor="middle">{label}</text>')
        return "".join(elements)


def dashes(line):
    """Returns the lengths of the dashes of a line as SVG writes them."""
    pattern = line._unscaled_dash_pattern[1]  # pylint: disable=protected-access
    return f' stroke-dasharray="{" ".join(f"{size:g}" for size in pattern)}"' if pattern else ""


def is_invisible(line):
    """True for an entry of a legend that only says that a quantity is not drawn."""
    return line.get_linestyle() == "None" and line.get_marker() in ("None", None, "")


def stepped(line, x, y):
    """Returns the corners of a line, also of steps."""
    style = line.get_drawstyle()
    if style == "default" or len(x) < 2:
        return x, y
    corners = (x[:-1], y[1:]) if style in ("steps", "steps-pre") else (x[1:], y[:-1])
    return [np.append(np.stack([ends[:-1], middle], axis=1).ravel(), ends[-1])
            for ends, middle in zip((x, y), corners)]


def name_of(line, legend, default):
    """Returns the name of a line: its label, or labels in the legend, (line, label), of its
    colour and, for several runs, of its dashes. Dots are another quantity than the lines above."""
    if not line.get_label().startswith("_"):
        return line.get_label()
    if line.get_linestyle() == "None":
        return default
    colour = to_hex(line.get_color())
    alike = [entry for entry in legend if to_hex(entry[0].get_color()) == colour]
    runs = [entry for entry in legend if to_hex(entry[0].get_color()) == RUNS]
    same_dashes = [entry for entry in runs or alike if dashes(entry[0]) == dashes(line)]
    chosen = [*alike[:1], *same_dashes[:1]] if runs else same_dashes[:1] or alike[:1]
    return ", ".join(label for _, label in chosen) or default


def lines_of(panel, legend, default, with_values):
    """Returns the paths of the lines, the entries of the legend, and the values of the lines."""
    paths, entries, values = [], [], []
    lines = [line for line in panel.axes.lines if len(line.get_xdata())]
    is_mean = any(isinstance(band, PolyCollection) for band in panel.axes.collections)
    for line in lines:
        colour, is_dots = to_hex(line.get_color()), line.get_linestyle() == "None"
        x, y = (np.asarray(data, float) for data in line.get_data())
        rows = thinned(y, max(MOST_ROWS // len(lines), 60))
        x, y = x[rows], y[rows]
        width = 3 if is_dots else max(line.get_linewidth(), 0.8)
        look = (f'stroke="{colour}" stroke-width="{width:g}"'
                + (' stroke-linecap="round"' if is_dots else dashes(line)))
        paths.append(f'<path {look} d="{panel.path(*stepped(line, x, y), is_dots)}"/>')
        if not is_dots and line.get_marker() not in ("None", None, ""):
            paths.append(f'<path stroke="{colour}" stroke-width="5" stroke-linecap="round" '
                         f'd="{panel.path(x, y, True)}"/>')
        if colour in UNNAMED:
            continue
        entries.append(
            f'<li><svg viewBox="0 0 26 8"><path {look} d="M{"13 4h0" if is_dots else "1 4h24"}"/></svg>'
            f"{escape(name_of(line, legend, default))}{', mean' * is_mean}"
            + (" <output></output>" if with_values else "") + "</li>")
        finite = np.isfinite(x) & np.isfinite(y)
        values.append([[number(v) for v in data[finite]] for data in (x, y)])
    entries += [f"<li>{escape(label)}</li>" for entry, label in legend  # not drawn, or without names
                if is_invisible(entry) or to_hex(entry.get_color()) in UNNAMED]
    return paths, entries, values


def bands_of(panel):
    """Returns the paths of bands and of bundles of vertical lines."""
    for collection in panel.axes.collections:
        is_band = isinstance(collection, PolyCollection)
        colours = collection.get_facecolor() if is_band else collection.get_colors()
        look = f'fill="{to_hex(colours[0])}" fill-opacity="0.3"' if is_band else \
            f'stroke="{to_hex(colours[0])}" stroke-width="0.6"'
        yield f'<path {look} d="' + "".join(
            panel.path(*path.vertices.T, closed="z" if is_band else "")
            for path in collection.get_paths()) + '"/>'


def bars(axes):
    """Returns horizontal bars as a table."""
    names = [text.get_text() for text in axes.get_yticklabels()]
    widths = [patch.get_width() for patch in axes.patches]
    largest = max(map(abs, widths), default=0) or 1
    rows = "".join(f'<tr><th scope="row">{escape(name)}</th><td>{short(width, 4)}</td><td class="bar">'
                   f'<i style="width:{100 * abs(width) / largest:.1f}%"></i></td></tr>\n'
                   for name, width in zip(names, widths))
    return f"<table>\n{rows}</table>\n"


def unit_in(label):
    """Returns the unit at the end of a label, without the power of ten that the labels of ticks omit."""
    unit = label[label.rindex("(") + 1:-1] if label.endswith(")") and "(" in label else ""
    return re.sub("^10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+ ?", "", unit)


def chart(picture, with_values):
    """Returns the panels of a chart; their values under the pointer need the script."""
    figure, html = picture.figure, ""
    picture.prepare()
    shared = entries_of(figure.axes[0])
    for axes in figure.axes:
        title = axes.get_title(loc="left")
        words = (f"<b>{escape(title)}</b> " if title else "") + escape(axes.get_ylabel())
        html += f'<div class="panel">\n<p>{words or escape(axes.get_xlabel())}</p>\n' + (
            bars(axes) if axes.patches else
            lines(Panel(axes), entries_of(axes) or shared, with_values)) + "</div>\n"
    return html


def entries_of(axes):
    """Returns the lines and the labels of a legend."""
    legend = axes.get_legend()
    return [(line, text.get_text()) for line, text in zip(legend.get_lines(), legend.get_texts())] \
        if legend else []


def lines(panel, legend, with_values):
    """Returns the lines of a panel with their legend."""
    axes = panel.axes
    notes = "".join(f"<p>{escape(text.get_text())}</p>\n" for text in axes.texts)
    if notes and not axes.lines:
        return notes
    default = axes.get_ylabel().partition(" (")[0].strip("|")
    paths, entries, values = lines_of(panel, legend, default, with_values)
    ends = f"{panel.left:.10g} {panel.right:.10g} {10.0 ** panel.power:g}"
    unit = escape(unit_in(axes.get_ylabel()))
    data = f" data-v='{json.dumps(values, separators=(',', ':'))}' data-x=\"{ends}\" data-unit=\"{unit}\"" \
        if with_values else ""
    box = f'x="{panel.x:.1f}" y="{TOP}" width="{panel.width:.1f}" height="{panel.height}"'
    hit = f'<rect class="hit" {box}/>' if with_values else ""
    return (f'<svg class="plot" role="img" aria-label="{escape(default)}" viewBox="0 0 {WIDTH} '
            f'{panel.height + TOP + 35}"{data}>{panel.frame()}<svg class="lines" {box} viewBox="0 0 {WIDE} '
            f'{TALL}" preserveAspectRatio="none">{"".join([*bands_of(panel), *paths])}</svg>{hit}</svg>\n'
            f"<ul>{''.join(entries)}</ul>\n{notes}")
