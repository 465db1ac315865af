"""Page of HTML that shows the pictures and needs no other file: the template of all reports."""

import base64
import io
import json
import os
import re
from html import escape

from PIL import Image

from . import svg
from .charts import DEFECTS, LOSSES, QUANTITIES, quantities_of, quantity_of_probe
from .scene import short, with_unit
from .script import SCRIPT
from .style import power_of_ten
from .verdict import missed_episodes, verdict, warnings_of

LARGEST_PAGE = 3_000_000  # bytes

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { font: 1rem/1.45 sans-serif; color: #111; background: #fff; max-width: 116rem;
  margin: 1rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 0; border-bottom: 1px solid #bbb; }
p { margin: .3rem 0; }
nav a { margin-right: 1rem; color: #005a96; }
.verdict { font-size: 1.15rem; padding: .4rem .8rem; border-left: .4rem solid #009e73; background: #eef7f3; }
.verdict span { white-space: nowrap; }
.verdict.look { border-color: #d55e00; background: #fdf1e9; }
.first { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); gap: 0 2rem; }
.first > * { min-width: 0; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); gap: 0 2rem; }
figure { margin: 1rem 0; min-width: 0; }
figure.wide { grid-column: span 2; }
figcaption { font-size: .85rem; color: #444; }
img { display: block; width: 100%; height: auto; }
.panel p { font-size: .85rem; margin: .5rem 0 0; }
.panel ul { list-style: none; margin: 0; padding: 0; font-size: .8rem; display: flex; flex-wrap: wrap;
  gap: 0 1rem; }
.panel li svg { width: 26px; height: 8px; margin-right: .35rem; }
output { font-variant-numeric: tabular-nums; font-weight: bold; }
.plot { display: block; width: 100%; height: auto; font-size: 11px; touch-action: pan-y; }
.lines { overflow: hidden; }
.lines path, .panel li path { fill: none; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.lines path[fill] { fill: revert-layer; }
.grid path.grid, path.grid { stroke: #ddd; stroke-width: .7; }
.lines .cursor { stroke: #888; }
.hit { fill: none; pointer-events: all; cursor: crosshair; }
.bar { display: flex; gap: .6rem; align-items: center; }
.bar input { flex: 1; min-width: 0; }
td.bar { display: table-cell; width: 50%; }
td.bar i { display: block; height: .8em; background: #0072b2; }
table { border-collapse: collapse; font-size: .85rem; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .12rem .8rem .12rem 0;
  border-bottom: 1px solid #ddd; font-weight: normal; }
th[scope=row] { color: #444; }
table { overflow-wrap: break-word; }
.panel td { white-space: nowrap; }
table.rows { font-size: .75rem; margin: 2rem 0 1rem; }
.rows th, .rows td { padding-right: .5rem; }
.rows tr > :first-child { white-space: nowrap; }
thead th, th.block { font-weight: bold; }
th.block { padding-top: .6rem; }
td { font-variant-numeric: tabular-nums; }
details { margin: .6rem 0; }
pre { white-space: pre-wrap; font-size: .85rem; }
summary { cursor: pointer; color: #005a96; }
@media (max-width: 60rem) {
  figure.wide { grid-column: auto; }
  .rows thead { display: none; }
  .rows tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); padding: .5rem 0; }
  .rows td { border: 0; }
  .rows td::before { content: attr(data-name) " "; display: block; color: #555; }
}
@media print {
  @page { margin: 12mm; }
  body { font-size: 9.5pt; max-width: none; margin: 0; padding: 0; }
  nav, .bar:not(td), output, pre { display: none; }
  details::details-content { content-visibility: visible; display: block; }
  h2 { break-after: avoid; }
  .grid { grid-template-columns: 1fr 1fr; }
  figure, tr { break-inside: avoid; }
  img { max-height: 100mm; width: auto; max-width: 100%; }
}
"""

# Content of the table: titles of blocks, and rows (key in summary.json, name, unit). An entry with
# ? is omitted if it is zero or empty in every run.
BLOCKS = {
    "Run": [("status", "state", ""), ("?message", "message", ""), ("case", "case", ""),
            ("scheme", "scheme", ""), ("time/theta", "θ", ""), ("time/step", "step", "time"),
            ("time/end", "end", "time"), ("time/steps", "steps", ""),
            ("?counts/cuts", "cuts of steps", "")],
    "Size": [("?size/nodes", "nodes", ""), ("?size/cells", "cells", ""),
             ("?size/rigid_bodies", "rigid bodies", ""), ("size/dofs", "degrees of freedom", ""),
             ("size/candidates", "candidate contacts", "")],
    "Energy and work at the end": [
        ("end_state/initial_total", "total energy at the start", "energy"),
        *((f"?end_state/{name}", words, "energy") for name, words in QUANTITIES.items()),
        ("end_state/balance_drift", "total energy imbalance", "energy")],
    "Largest values": [
        ("extremes/total_energy_max", "total energy", "energy"),
        ("extremes/balance_residual_max", "residual of a step's balance", "energy"),
        ("extremes/normal_work_max", "normal work of a contact in a step", "energy"),
        ("extremes/tangential_work_max", "tangential work of a contact in a step", "energy"),
        ("extremes/penetration_max", "penetration", "length"),
        ("extremes/contacts_active_max", "active contacts", "")],
    "Largest defects of the contact law": [
        (f"?contact_law/{name}/value", words[0].lower() + words[1:], quantity)
        for name, (words, quantity) in DEFECTS.items()],
    "Effort": [("counts/solver_iterations", "iterations of the solver", ""),
               ("wall_seconds/total", "wall time", "s"),
               ("percussion", "version of Percussion", "")]}


def typeset(value, unit):
    """Returns 5.97 × 10⁶ N for 5.97e6 N, with a proper minus sign."""
    if not isinstance(value, float):
        return "–" if value is None else str(value)
    mantissa, _, exponent = short(value, 5).partition("e")
    power = f" × {power_of_ten(int(exponent))}" if exponent else ""
    return with_unit(mantissa.replace("-", "−") + power, unit)


def entry(summary, key):
    for name in key.lstrip("?").split("/"):
        summary = summary.get(name) if isinstance(summary, dict) else None
    return summary


def summary_table(runs):
    if not any(run.summary for run in runs):
        return "<p>There is no summary.json: the run has not come to its end.</p>\n"
    names = "".join(f'<th scope="col">{escape(run.label)}</th>' for run in runs)
    head = f"<thead><tr><td></td>{names}</tr></thead>\n" if len(runs) > 1 else ""
    blocks = ""
    for title, rows in BLOCKS.items():
        lines = ""
        for key, name, unit in rows:
            values = [entry(run.summary, key) for run in runs]
            if any(values) or (key[0] != "?" and values != [None] * len(runs)):
                lines += f'<tr><th scope="row">{escape(name)}</th>' + "".join(
                    f"<td>{escape(typeset(value, run.units.get(unit, unit)))}</td>"
                    for run, value in zip(runs, values)) + "</tr>\n"
        if lines:
            blocks += (f'<tbody>\n<tr><th scope="rowgroup" class="block" colspan="{len(runs) + 1}">'
                       f"{title}</th></tr>\n{lines}</tbody>\n")
    return f"<table>\n{head}{blocks}</table>\n"


def details(title, html):
    return f"<details>\n<summary>{escape(title)}</summary>\n{html}</details>\n" if html else ""


def preformatted(text):
    return f"<pre>{escape(text)}</pre>\n" if text else ""


def webp(image, quality=80):
    """Returns an image as data of the page: a fraction of the bytes of PNG."""
    stream = io.BytesIO()
    image.save(stream, "WEBP", quality=quality, method=4)
    return "data:image/webp;base64," + base64.b64encode(stream.getvalue()).decode()


def image(source, alt, attributes=""):
    return f'<img alt="{escape(alt)}" src="{source}"{attributes}>\n'


def figure(picture, file, is_plain=False):
    """Returns a chart or a picture as an element of the page."""
    if svg.is_chart(picture.figure):
        content, kind = svg.chart(picture, not is_plain), ""
    else:
        with Image.open(file) as stored:
            source = webp(stored.convert("RGB"))
        instant = "" if picture.time is None else f' data-t="{picture.time:.9g}"'
        content, kind = image(source, picture.alt, instant), ' class="wide"'
    return (f'<figure id="picture-{escape(picture.name)}"{kind}>\n{content}'
            f"<figcaption>{escape(picture.caption)}</figcaption>\n</figure>\n")


def grid(figures):
    return f'<div class="grid">\n{figures}</div>\n' if figures else ""


def rows(entries):
    """Returns a table of names and texts."""
    return "<table>\n" + "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f"<td>{escape(text)}</td>" for text in texts) + "</tr>\n"
        for name, *texts in entries) + "</table>\n"


def reasons(runs):
    """Returns a table of the runs, (name, status, message), that have a message."""
    return rows([(name, f"{status}: {message}") for name, status, message in runs if message]) \
        if any(message for *_, message in runs) else ""


def table(names, lines):
    """Returns a table of runs, (name: text or number); on a phone each is a block."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)

    def cell(name, value):
        text = value if isinstance(value, str) else f"{value:.4g}"
        return f'<td data-name="{escape(name)}">{escape(text)}</td>'

    return f'<table class="rows">\n<thead><tr>{head}</tr></thead>\n' + "".join(
        "<tr>" + "".join(cell(name, line.get(name, "")) for name in names) + "</tr>\n"
        for line in lines) + "</table>\n"


# ---- First screen of runs ------------------------------------------------------------------------


def facts(run):
    """Returns case, mesh, steps and duration."""
    size, time, summary = run.summary.get("size", {}), run.summary.get("time", {}), run.summary
    yield "case", ", ".join(filter(None, (run.remarks.get(key, "") for key in ("case", "scheme")))) + (
        f", θ = {time['theta']:g}" if "theta" in time else "")
    counts = [(size.get(key, 0), words) for key, *words in (
        ("nodes", "node", "nodes"), ("cells", "cell", "cells"),
        ("rigid_bodies", "rigid body", "rigid bodies"),
        ("dofs", "degree of freedom", "degrees of freedom"),
        ("candidates", "candidate contact", "candidate contacts"))]
    if size:
        yield "mesh", ", ".join(f"{n:,} {words[n != 1]}" for n, words in counts if n)
    step, unit = run.table["step"], run.units["time"]
    stride = (step[-1] - step[0]) / max(len(step) - 1, 1)
    cuts = summary.get("counts", {}).get("cuts", 0)
    yield "steps", f"{step[-1]:,.0f}" + (
        f" of {with_unit(short(time['step'], 6), unit)}" if "step" in time else "") \
        + f" to t = {with_unit(short(run.table['time'][-1], 6), unit)}" \
        + (f", {cuts} cuts" if cuts else "") + (
            f"; one row for {stride:.3g} steps, with their extremes" if stride > 1.5 else "")
    if "total" in summary.get("wall_seconds", {}):
        yield "duration", f"{short(summary['wall_seconds']['total'])} s with " \
            f"Percussion {run.remarks.get('percussion', '')}"


def energies(run):
    """Returns the energy at the start, the work of each mechanism, and the energy at the end."""
    table, unit, scale = run.table, run.units["energy"], run.energy_scale or 1.0

    def value(number):
        return typeset(float(number), unit)

    yield "energy at the start", value(table["total"][0])
    for name, words in quantities_of([run]).items():
        change = table[name][-1] - table[name][0] if name in run.works else 0.0
        if abs(change) > 1e-12 * scale:
            sign = "+" if change > 0 else ""
            yield f"{words}{' (dissipated)' if name in LOSSES and change < 0 else ''}", sign + value(change)
    kinds = [f"{words} {value(table[name][-1])}" for name, words in (
        ("kinetic", "kinetic"), ("strain", "strain")) if table[name][-1] > 1e-12 * scale]
    yield "energy at the end", value(table["total"][-1]) + (f" ({', '.join(kinds)})" if kinds else "")


def probe_table(runs):
    """Returns the last, the least and the largest value of each column of the probes."""
    lines = []
    for run in runs:
        for name, values in run.probes.items():
            values = values[values == values]
            if "." in name and len(values) and values.any():
                whose = f" of {run.label}" if len(runs) > 1 else ""
                _, unit = quantity_of_probe(name, run.units)
                lines.append((name.replace("_", " ").replace(".", " ") + whose, *(
                    typeset(float(v), unit) for v in (values[-1], values.min(), values.max()))))
    return rows([("probe", "at the end", "least", "largest"), *lines]) if lines else ""


def verdict_box(sentence, looks, label=""):
    """Returns the element of a verdict; no line ends within a power of ten."""
    return f'<p class="verdict{" look" if looks else ""}">' + (
        f"<b>{escape(label)}:</b> " if label else "") + re.sub(
            r"\d+e-\d+", r"<span>\g<0></span>", escape(sentence)) + "</p>\n"


def head(runs):
    """Returns the verdicts."""
    html = ""
    for run in runs:
        sentence, looks = verdict(run)
        html += verdict_box(sentence, looks, run.label if len(runs) > 1 else "")
        found = "".join(f"<p>{escape(text)}</p>\n" for text in warnings_of(run))
        html += found if found.count("<p>") * len(runs) == 1 else details("Warnings", found)
    return html


def first_screen(runs, film, is_plain):
    """Returns the picture at the largest contact force, and the facts."""
    html = '<section class="first">\n'
    if film:
        unit, k = runs[0].units["time"], film.largest
        words = with_unit(short(film.times[k], 5), unit)
        occasion = "the largest contact force of the written instants" if any(
            run.presses.any() for run in runs) else "the written instant nearest to the largest contact " \
            "force" if any(run.has_contacts for run in runs) else "the end"
        missed = sum(map(missed_episodes, runs))
        source = film.moving() if is_plain and film.is_animation else webp(film.images[k])
        html += "<figure>\n" + image(source, f"The bodies at t = {words}, at {occasion}",
                                     f' id="hero" data-at="{film.times[k]:.9g}" data-unit="{unit}"') + \
            f"<figcaption>First shown: t = {escape(words)}, {occasion}. " \
            f"{escape(film.caption)}" + (
                f" During {missed} episode{'s' if missed > 1 else ''} of contact no instant was written: "
                "raise Output/Number of instants to see all of them." if missed else "") + \
            "</figcaption>\n</figure>\n"
    html += "<div>\n"
    columns = [{**dict(facts(run)), **dict(energies(run))} for run in runs]
    names = dict.fromkeys(name for column in sorted(columns, key=len, reverse=True) for name in column)
    html += rows([*([("", *(run.label for run in runs))] if len(runs) > 1 else []),
                  *((name, *(column.get(name, "–") for column in columns)) for name in names)])
    return html + probe_table(runs) + "</div>\n</section>\n"


# ---- Documents -----------------------------------------------------------------------------------

LEADING = ("energy", "total_energy", "dissipation", "forces", "contacts", "rigid_bodies", "positions")


def document(title, head_html, main_html, script=True):
    """Returns a page; the style and, unless it is plain, the script are the same for all."""
    title = escape(title)
    code = "\n".join(line.strip() for line in SCRIPT.strip().split("\n"))
    return ('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<link rel="icon" href="data:,">\n<title>{title} – Percussion</title>\n'
            f"<style>{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n{head_html}"
            f"</header>\n<main>\n{main_html}</main>\n"
            + (f"<script>{code}</script>\n" if script else "") + "</body>\n</html>\n")


def section(name, pictures, is_plain):
    """Returns a section of the page; all but its leading pictures are folded."""
    leads = [item for item in pictures if name == "probes" or item[0].name.endswith(LEADING)] or pictures[:1]
    folded = [item for item in pictures if item not in leads]

    def figures(items):
        return grid("".join(figure(*item, is_plain) for item in items))

    names = ", ".join(item[0].name.replace("_", " ").replace("-", " ") for item in folded)
    return (f'<section id="{name}">\n<h2>{name.capitalize()}</h2>\n{figures(leads)}'
            f'{details(f"More: {names}", figures(folded))}</section>\n')


def write_page(runs, pictures, file, film=None, is_plain=False):
    """Writes the page. pictures: [(Picture, image file)]"""
    links = sections = numbers = ""
    for name in ("probes", "energy", "contact", "bodies"):
        chosen = [item for item in pictures if item[0].section == name]
        if chosen:
            links += f'<a href="#{name}">{name.capitalize()}</a> '
            sections += section(name, chosen, is_plain)
    if not any(run.has_contacts for run in runs):
        sections += "<p>No contact was active at any step.</p>\n"
    for run in runs:
        whose = f" of {run.label}" if len(runs) > 1 else ""
        numbers += details(f"All of summary.json{whose}", preformatted(json.dumps(
            run.summary, indent=2, ensure_ascii=False) if run.summary else ""))
        numbers += details(f"Parameters{whose}", preformatted("\n".join(
            f"{path} = {value}" for path, value in run.parameters.items())))
    numbers = f'<section id="summary">\n<h2>Numbers</h2>\n' \
        f'{details("Summary of the run" if len(runs) == 1 else "Summaries", summary_table(runs))}' \
        f"{numbers}</section>\n"
    title = ", ".join(run.label for run in runs)
    top = head(runs) + first_screen(runs, film, is_plain) + \
        f'<nav aria-label="Sections">{links}<a href="#summary">Numbers</a></nav>\n'
    text = document(title, top, sections + numbers, script=not is_plain)
    if film and film.is_animation and not is_plain:
        remaining = LARGEST_PAGE - len(text.encode())
        mark = "</main>\n"
        text = text.replace(mark, f'{mark}<script type="application/json" id="film">'
                            f"{film.frames(remaining - 1000)}</script>\n")
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(text)
    return os.fspath(file)
