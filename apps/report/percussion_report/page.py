"""Page of HTML that shows the pictures and needs no other file."""

import base64
import json
import os
from html import escape

from .charts import DEFECTS, QUANTITIES
from .scene import short, with_unit
from .style import power_of_ten

STYLE = """
:root { color-scheme: light; }
body { font: 1rem/1.5 sans-serif; color: #111; background: #fff; max-width: 48rem;
  margin: 1.5rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.2; }
h2 { font-size: 1.2rem; margin-top: 2.5rem; border-bottom: 1px solid #bbb; }
nav a { margin-right: 1rem; color: #005a96; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: 0 0 1rem; }
dt { color: #555; }
dd { margin: 0; }
figure { margin: 1.5rem 0 2.5rem; }
.wide { overflow-x: auto; }
figcaption { margin-top: .5rem; color: #444; }
img { display: block; width: 100%; min-width: 30rem; height: auto; }
table { border-collapse: collapse; font-size: .95rem; }
th, td { text-align: left; vertical-align: top; padding: .2rem 1rem .2rem 0;
  border-bottom: 1px solid #ddd; font-weight: normal; overflow-wrap: normal; }
thead th, th.block { font-weight: bold; }
th.block { padding-top: .9rem; }
td { font-variant-numeric: tabular-nums; }
details { margin: 1.5rem 0; }
pre { white-space: pre-wrap; font-size: .85rem; }
summary { cursor: pointer; }
@media print {
  @page { margin: 15mm; }
  body { font-size: 10pt; max-width: none; margin: 0; padding: 0; }
  nav, details, .screen { display: none; }
  h2 { break-after: avoid; margin-top: 6mm; }
  figure { break-inside: avoid; margin: 0 0 5mm; }
  figcaption { font-size: 9pt; margin-top: 1mm; }
  .wide { overflow: visible; }
  img { width: auto; min-width: 0; max-width: 100%; max-height: 105mm; margin: 0 auto; }
  #bodies img { max-height: 78mm; }
  table { font-size: 8.5pt; }
  th, td { padding-top: .05rem; padding-bottom: .05rem; }
  tr { break-inside: avoid; }
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
    return f'<div class="wide"><table>\n{head}{blocks}</table></div>\n'


def details(title, text):
    return f"<details>\n<summary>{escape(title)}</summary>\n<pre>{escape(text)}</pre>\n" \
           "</details>\n" if text else ""


def figure(picture, file):
    """Returns an image as an element of the page; the animation is not printed."""
    moves = file.endswith(".gif")
    with open(file, "rb") as stream:
        data = base64.b64encode(stream.read()).decode()
    return (f'<figure id="picture-{escape(picture.name)}"{" class=screen" if moves else ""}>\n'
            f'<div class="wide"><img alt="{escape(picture.alt)}" src="data:image/'
            f'{"gif" if moves else "png"};base64,{data}"></div>\n'
            f"<figcaption>{escape(picture.caption)}</figcaption>\n</figure>\n")


def warnings_of(run):
    """Returns the warnings in the log."""
    if not run.has_file("log.txt"):
        return []
    with open(run.path("log.txt"), encoding="utf-8", errors="replace") as stream:
        return list(dict.fromkeys(
            line.strip() for line in stream if line.lower().startswith(("warning", "  warning"))))


def strong(text):
    return f"<p><strong>{escape(text)}</strong></p>\n"


def head(runs):
    html = ""
    for run in runs:
        items, step = dict(run.remarks), run.table["step"]
        stride = (step[-1] - step[0]) / max(len(step) - 1, 1)
        if stride > 1.5:
            items["rows"] = f"one for {stride:.3g} steps, with their extremes"
        facts = "".join(f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>\n"
                        for key, value in items.items())
        html += (strong(run.label) if len(runs) > 1 else "") + f"<dl>\n{facts}</dl>\n" + "".join(
            map(strong, warnings_of(run)))
    return html


def write_document(file, title, head_text, main_text, style=""):
    title = escape(title)
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<link rel="icon" href="data:,">\n<title>{title} – Percussion</title>\n'
            f"<style>{STYLE}{style}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n{head_text}"
            f"</header>\n<main>\n{main_text}</main>\n</body>\n</html>\n")


def write_page(runs, pictures, file):
    """Writes the page. pictures: [(Picture, image file)]"""
    links = sections = appendix = ""
    for section in ("bodies", "energy", "contact", "probes"):
        figures = "".join(figure(*item) for item in pictures if item[0].section == section)
        if section == "contact" and not any(run.has_contacts for run in runs):
            figures += "<p>No contact was active at any step.</p>\n"
        if figures:
            links += f'<a href="#{section}">{section.capitalize()}</a> '
            sections += (f'<section id="{section}">\n<h2>{section.capitalize()}</h2>\n{figures}'
                         "</section>\n")
    for run in runs:
        whose = f" of {run.label}" if len(runs) > 1 else ""
        appendix += details(f"All of summary.json{whose}", json.dumps(
            run.summary, indent=2, ensure_ascii=False) if run.summary else "")
        appendix += details(f"Parameters{whose}", "\n".join(
            f"{path} = {value}" for path, value in run.parameters.items()))
    write_document(file, ", ".join(run.label for run in runs), f'{head(runs)}<nav '
                   f'aria-label="Parts of this page">{links}<a href="#summary">Summary</a></nav>\n',
                   f'{sections}<section id="summary">\n<h2>Summary</h2>\n{summary_table(runs)}'
                   f"{appendix}</section>\n")
    return os.fspath(file)
