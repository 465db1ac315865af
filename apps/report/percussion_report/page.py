"""Pages of HTML of runs, which show the pictures and need no other file."""

import base64
import io
import json
import os

from PIL import Image

from . import svg
from .charts import DEFECTS, LOSSES, QUANTITIES, quantities_of, quantity_of_probe
from .rendering import Markup, render
from .scene import short, with_unit
from .style import power_of_ten
from .verdict import missed_episodes, verdict, warnings_of

LARGEST_PAGE = 3_000_000  # bytes

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


def summary_blocks(runs):
    """Yields the blocks of the table: their titles, and rows of a name and a text for each run."""
    for title, rows in BLOCKS.items():
        lines = []
        for key, name, unit in rows:
            values = [entry(run.summary, key) for run in runs]
            if any(values) or (key[0] != "?" and values != [None] * len(runs)):
                lines.append((name, *(typeset(value, run.units.get(unit, unit))
                                      for run, value in zip(runs, values))))
        if lines:
            yield title, lines


def webp(image, quality=80):
    """Returns an image as data of the page: a fraction of the bytes of PNG."""
    stream = io.BytesIO()
    image.save(stream, "WEBP", quality=quality, method=4)
    return "data:image/webp;base64," + base64.b64encode(stream.getvalue()).decode()


def figure(picture, file, is_plain=False):
    """Returns a chart or a picture for the templates."""
    values = {key: getattr(picture, key) for key in ("name", "caption", "alt", "time")}
    if svg.is_chart(picture.figure):
        return {**values, "image": "", "chart": Markup(svg.chart(picture, not is_plain))}
    with Image.open(file) as stored:
        return {**values, "image": webp(stored.convert("RGB")), "chart": ""}


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


def probe_rows(runs):
    """Returns the last, the least and the largest value of each column of the probes, below a head."""
    lines = [("probe", "at the end", "least", "largest")]
    for run in runs:
        for name, values in run.probes.items():
            values = values[values == values]
            if "." in name and len(values) and values.any():
                _, unit = quantity_of_probe(name, run.units)
                lines.append((name.replace("_", " ").replace(".", " ") + owner(run, runs), *(
                    typeset(float(v), unit) for v in (values[-1], values.min(), values.max()))))
    return lines if len(lines) > 1 else []


def owner(run, runs):
    """Returns the words after the name of a value of one of several runs."""
    return f" of {run.label}" if len(runs) > 1 else ""


def hero(runs, film, is_plain):
    """Returns the picture at the largest contact force for the template."""
    k = film.largest
    occasion = "the largest contact force of the written instants" if any(
        run.presses.any() for run in runs) else "the written instant nearest to the largest contact " \
        "force" if any(run.has_contacts for run in runs) else "the end"
    unit = runs[0].units["time"]
    return {"image": film.moving() if is_plain and film.is_animation else webp(film.images[k]),
            "time": film.times[k], "unit": unit, "words": with_unit(short(film.times[k], 5), unit),
            "occasion": occasion, "caption": film.caption, "missed": sum(map(missed_episodes, runs))}


def first_rows(runs):
    """Returns the rows of the table on the first screen: names, and a text for each run."""
    columns = [{**dict(facts(run)), **dict(energies(run))} for run in runs]
    names = dict.fromkeys(name for column in sorted(columns, key=len, reverse=True) for name in column)
    return [*([("", *(run.label for run in runs))] if len(runs) > 1 else []),
            *((name, *(column.get(name, "–") for column in columns)) for name in names)]


# ---- Documents -----------------------------------------------------------------------------------

LEADING = ("energy", "total_energy", "dissipation", "forces", "contacts", "rigid_bodies", "positions")


def sections(pictures, is_plain):
    """Yields the sections of the page: the name, its leading figures, and the folded ones."""
    for name in ("probes", "energy", "contact", "bodies"):
        chosen = [item for item in pictures if item[0].section == name]
        leads = [item for item in chosen if name == "probes" or item[0].name.endswith(LEADING)] or chosen[:1]
        if chosen:
            yield name, *([figure(*item, is_plain) for item in items] for items in (
                leads, [item for item in chosen if item not in leads]))


def folded_texts(runs):
    """Yields titles and texts of summary.json and of the parameters."""
    for run in runs:
        yield f"All of summary.json{owner(run, runs)}", json.dumps(
            run.summary, indent=2, ensure_ascii=False) if run.summary else ""
        yield f"Parameters{owner(run, runs)}", "\n".join(
            f"{path} = {value}" for path, value in run.parameters.items())


def write_page(runs, pictures, file, film=None, is_plain=False):
    """Writes the page. pictures: [(Picture, image file)]"""
    has_film = bool(film and film.is_animation and not is_plain)
    text = render(
        "run.html", title=", ".join(run.label for run in runs),
        verdicts=[(run.label if len(runs) > 1 else "", *verdict(run), warnings_of(run)) for run in runs],
        hero=hero(runs, film, is_plain) if film else None, facts=first_rows(runs), probes=probe_rows(runs),
        sections=list(sections(pictures, is_plain)), has_contacts=any(run.has_contacts for run in runs),
        blocks=list(summary_blocks(runs)), texts=folded_texts(runs), is_single=len(runs) == 1,
        has_script=not is_plain, has_film=has_film)
    if has_film:  # its images become smaller until they fit
        remaining = LARGEST_PAGE - len(text.encode())
        text = text.replace('id="film">', f'id="film">{film.frames(remaining - 1000)}', 1)
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(text)
    return os.fspath(file)


def write_study(title, verdict_and_looks, file, pictures, columns, records, states, explanations=(), is_plain=False):
    """Writes the page of a comparison or a sweep. records: {name of a column: text or number};
    states: (name of a run, status, message); explanations: (name of a column, text)"""
    sentence, looks = verdict_and_looks
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(render(
            "page.html", title=title, sentence=sentence, looks=looks,
            figures=[figure(*item, is_plain) for item in pictures], tables=[("", columns, records)],
            reasons=[(name, f"{status}: {message}") for name, status, message in states if message],
            folded=[("The columns", explanations)], has_script=not is_plain))
