"""Charts over time. Each function makes a Picture of some runs, or None where there is nothing."""

import math

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from .files import WORKS
from .scene import short, with_unit
from .style import COLOURS, DASHES, Picture, power_of_ten

WIDTH = 6.0  # inches
ROUND_OFF = 1e-12  # of the largest energy: less is not drawn

QUANTITIES = {"kinetic": "kinetic energy", "strain": "strain energy", "total": "total energy",
              "work_external": "external work",
              "work_contact_tangential": "tangential contact work",
              "work_contact_normal": "normal contact work", "work_viscous": "viscous work",
              "work_numerical": "numerical work", "work_prescribed": "work of prescribed motion"}


def panels(runs, *wanted):
    """A figure of panels one above the other: (title, label of y, height, rows of the legend)."""
    heights = [0.3 * bool(title) + 0.2 * rows + height + 0.45 for title, _, height, rows in wanted]
    total, top = sum(heights) + 0.05, 0.0
    figure, all_axes = Figure(figsize=(WIDTH, total)), []
    for (title, y_label, height, rows), needed in zip(wanted, heights):
        bottom = total - top - needed + 0.4
        axes = figure.add_axes([0.75 / WIDTH, bottom / total, (WIDTH - 0.95) / WIDTH,
                                height / total])
        if title:
            axes.set_title(title, x=-0.65 / (WIDTH - 0.95), pad=6 + 0.2 * rows * 72,
                           fontsize=min(10, 10 * 68 / len(title)))
        begin = min(run.table["time"][0] for run in runs)
        end = max(run.table["time"][-1] for run in runs)
        axes.set(xlabel=unit_label("time", runs[0].units["time"]), ylabel=y_label,
                 xlim=(begin, end) if end > begin else None)
        axes.xaxis.labelpad, axes.yaxis.labelpad = 2, 4
        all_axes.append(axes)
        top += needed
    return figure, all_axes


def unit_label(quantity, unit):
    return f"{quantity} ({unit})" if unit else quantity


def columns_of(handles):
    """As many columns of a legend as have room."""
    longest = max((len(handle.get_label()) for handle in handles), default=0)
    return min(max(int((WIDTH - 0.1) / (0.058 * longest + 0.55)), 1), 4)


def rows_of(handles):
    return math.ceil(len(handles) / columns_of(handles))


def legend(axes, handles):
    if handles:
        axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(-0.135, 1.0), frameon=False,
                    ncol=columns_of(handles), borderaxespad=0.1, handlelength=2.6,
                    columnspacing=1.4, labelspacing=0.25)


def subject(runs):
    words = [runs[0].remarks.get(key, "") for key in ("case", "scheme")]
    return ": " + ", ".join(word for word in words if word) if len(runs) == 1 and any(words) else ""


def plot(axes, x, y, colour, dash, label=None):
    """A line; one that goes up and down from row to row would be illegible with dashes."""
    span = np.ptp(y[np.isfinite(y)]) if np.isfinite(y).any() else 0
    jumps = span > 0 and np.nansum(abs(np.diff(y))) > 25 * span
    axes.plot(x, y, color=COLOURS[colour % 7], label=label, linewidth=0.8 if jumps else 1.3,
              linestyle="-" if jumps else DASHES[dash % 6])


def by_run(runs, in_colours=False):
    """Legend of the runs, by their dashes in one colour, or by colours too; none of one run."""
    if len(runs) == 1:
        return []
    return [Line2D([], [], color=COLOURS[i % 7] if in_colours else "0.4",
                   linestyle=DASHES[i % 6], label=run.label) for i, run in enumerate(runs)]


def binned(time, values, reduce, most=400):
    """Times and reduced values (maximum.reduceat, say) in at most so many parts of the time."""
    if len(time) <= most:
        return time, values
    part = np.minimum((most * (time - time[0]) / (time[-1] - time[0])).astype(int), most - 1)
    first = np.flatnonzero(np.diff(part, prepend=-1))
    return (time[first] + time[np.append(first[1:], len(time)) - 1]) / 2, reduce(values, first)


def magnitudes(axes, runs, values, scale_text):
    """Points on a logarithmic axis of ten decades at most; of many rows the largest in a part of
    the time."""
    largest = max(abs(v).max() for v in values)
    for i, (run, v) in enumerate(zip(runs, values)):
        time, v = binned(run.table["time"], abs(v), np.maximum.reduceat)
        axes.plot(time[v > 0], v[v > 0], linestyle="none", marker=".x+1"[i % 4], markersize=3,
                  color=COLOURS[i % 7])
    if largest == 0:
        nothing(axes, scale_text)
        return
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    high = min(high, 3 * largest)
    axes.set_ylim(min(max(low, high / 1e10), high / 30), high)
    axes.yaxis.set_major_locator(LogLocator(numticks=7))
    axes.yaxis.set_major_formatter(lambda value, _: power_of_ten(math.log10(value)))
    axes.yaxis.set_minor_locator(NullLocator())


def nothing(axes, words):
    axes.text(0.5, 0.5, words, transform=axes.transAxes, ha="center", va="center")
    axes.set_yticks([])
    axes.grid(False)


def at_most(value, unit):
    return with_unit(short(value), unit)


def energy_from_work(run):
    """The energy that a run started from plus all work since."""
    work = sum(run.table[name] for name in WORKS)
    return run.table["total"][0] - work[0] + work


def residual_title(title, values, runs):
    largest = max(abs(v).max() for v in values)
    share = max(abs(v).max() / (run.energy_scale or 1) for v, run in zip(values, runs))
    return (f"{title}, at most {at_most(largest, runs[0].units['energy'])}"
            + (f" ({short(share, 1)} of the largest energy)" if share > 0 else ""))


def energy(runs):
    unit = runs[0].units["energy"]
    scale = max(run.energy_scale for run in runs)
    drawn, handles = [], []
    for q, (name, words) in enumerate(QUANTITIES.items()):
        largest = max(abs(run.table[name]).max() for run in runs)
        if largest > ROUND_OFF * scale or name in ("kinetic", "total"):
            drawn.append((q, name))
            handles.append(Line2D([], [], color=COLOURS[q % 7], label=words,
                                  linestyle=DASHES[q % 6] if len(runs) == 1 else "-"))
        elif largest > 0:
            handles.append(Line2D([], [], linestyle="none", label=f"{words}: round-off"))
    handles += by_run(runs)
    residuals = [run.table["balance_residual"] for run in runs]
    figure, (upper, lower) = panels(
        runs, ("Energies and cumulative work" + subject(runs), unit_label("energy, work", unit),
               2.6, rows_of(handles)),
        (residual_title("Residual of each step", residuals, runs), unit_label("|residual|", unit),
         1.5, 0))
    for q, name in drawn:
        for i, run in enumerate(runs):
            plot(upper, run.table["time"], run.table[name], q, q if len(runs) == 1 else i)
    legend(upper, handles)
    magnitudes(lower, runs, residuals, "the residual is zero at every step")
    return Picture("energy", figure, "Kinetic, strain and total energy, and the cumulative work of "
                   "each kind that is not zero. Below, what is left of each step's energy balance.",
                   "Two charts over time: energies and works; below, the residual of the balance.",
                   "energy")


def total_energy(runs):
    if len(runs) == 1:
        return None
    handles = by_run(runs, True)
    figure, (axes,) = panels(runs, ("Total energy", unit_label("energy", runs[0].units["energy"]),
                                    2.6, rows_of(handles)))
    for i, run in enumerate(runs):
        plot(axes, run.table["time"], run.table["total"], i, i)
    legend(axes, handles)
    return Picture("total_energy", figure, "The total energy of each run.",
                   "A chart of the total energy of each run over time.", "energy")


def balance(runs):
    unit = runs[0].units["energy"]
    handles = []
    for i, run in enumerate(runs):
        whose = "" if len(runs) == 1 else f", {run.label}"
        for j, name in enumerate(("total energy", "initial energy + all work")):
            handles.append(Line2D([], [], color=COLOURS[(2 * i + j) % 7], linestyle=DASHES[j],
                                  label=name + whose))
    drift = [run.table["total"] - energy_from_work(run) for run in runs]
    figure, (upper, lower) = panels(
        runs, ("Energy balance" + subject(runs), unit_label("energy", unit), 2.3,
               rows_of(handles)),
        (residual_title("Difference of the two", drift, runs), unit_label("|difference|", unit),
         1.5, 0))
    for i, run in enumerate(runs):
        plot(upper, run.table["time"], run.table["total"], 2 * i, 0)
        plot(upper, run.table["time"], energy_from_work(run), 2 * i + 1, 1)
    legend(upper, handles)
    magnitudes(lower, runs, drift, "there is none")
    return Picture("balance", figure, "The total energy beside the initial energy plus all work; "
                   "below, how far they have come apart since the start.",
                   "Two charts over time: total energy beside initial energy plus all work; below, "
                   "their difference.", "energy")


def works(runs):
    unit = runs[0].units["energy"]
    least = ROUND_OFF * max(run.energy_scale for run in runs)
    sizes = {name: max(abs(run.table[name]).max() for run in runs)
             for name in ("work_contact_normal", "work_contact_tangential")}
    positive = [np.maximum(run.table["tangential_work_max"], 0) for run in runs]
    largest = max(v.max() for v in positive)
    if max(*sizes.values(), largest) <= least:
        return None
    handles = []
    for q, (name, size) in enumerate(sizes.items()):
        style = {"color": COLOURS[q], "linestyle": DASHES[q] if len(runs) == 1 else "-"}
        words = ": " + ("round-off" if size else "none") if size <= least else ""
        handles.append(Line2D([], [], label=QUANTITIES[name] + words,
                              **({"linestyle": "none"} if words else style)))
    handles += by_run(runs)
    wanted = [("Cumulative work of the contacts" + subject(runs), unit_label("work", unit), 2.2,
               rows_of(handles))]
    if largest > least:
        wanted.append(("Positive tangential work of a contact in a step, at most "
                       + at_most(largest, unit), unit_label("work", unit), 1.5, 0))
    figure, axes = panels(runs, *wanted)
    for i, run in enumerate(runs):
        for q, (name, size) in enumerate(sizes.items()):
            if size > least:
                plot(axes[0], run.table["time"], run.table[name], q, q if len(runs) == 1 else i)
    legend(axes[0], handles)
    caption = "The work of all contacts on the bodies since the start, normal and tangential. "
    if largest <= least:
        caption += ("In no step is the tangential work of a contact positive"
                    + (f" beyond round-off ({at_most(largest, unit)})" if largest else "") + ".")
    else:
        magnitudes(axes[1], runs, positive, "")
        caption += ("Below, the largest tangential work of a contact in each step where it is "
                    "positive: Coulomb friction dissipates, so this is energy made from nothing.")
    return Picture("works", figure, caption, "Charts over time: cumulative normal and tangential "
                   "work of the contacts, and positive tangential work, if any.", "energy")


def tangential_work(runs):
    """As figures 9 and 10, (c) and (d), of Acary and Collins-Craft (2024)."""
    if not any(run.table[name].any() for run in runs
               for name in ("tangential_work_max", "tangential_work_min")):
        return None
    unit = runs[0].units["energy"]
    handles = by_run(runs, True)
    wanted, extremes = [], []
    for column, words, extreme in (("tangential_work_max", "positive part", np.max),
                                   ("tangential_work_min", "negative part", np.min)):
        value = extreme([extreme(run.table[column]) for run in runs])
        extremes.append(value)
        wanted.append((f"Tangential work of a contact in a step, {words}: "
                       + ("largest " if extreme is np.max else "lowest ") + at_most(value, unit),
                       unit_label("work", unit), 1.6, rows_of(handles) if not wanted else 0))
    figure, axes = panels(runs, *wanted)
    for i, run in enumerate(runs):
        for panel, column, part in ((axes[0], "tangential_work_max", np.maximum),
                                    (axes[1], "tangential_work_min", np.minimum)):
            values = part(run.table[column], 0)
            if abs(values).max() > ROUND_OFF * run.energy_scale:
                plot(panel, run.table["time"], values, i, i)
    for panel, value in zip(axes, extremes):
        if not panel.lines:
            nothing(panel, "round-off" if value else "none")
    legend(axes[0], handles)
    return Picture("tangential_work", figure, "The largest and the smallest tangential work of a "
                   "contact in each step, on linear axes.", "Two charts over time: the largest and "
                   "the smallest tangential work of a contact.", "energy")


def contacts(runs):
    if not any(run.has_contacts for run in runs):
        return None
    counts = ["active", "sliding"]
    if len(runs) == 1:
        handles = [Line2D([], [], color=COLOURS[c], label=count) for c, count in enumerate(counts)]
        figure, axes = panels(runs, ("Contacts" + subject(runs), "number of contacts", 2.2, 1))
        axes = axes * 2
    else:  # counts jump about too much for dashes to distinguish runs and counts
        handles = [Line2D([], [], color=COLOURS[i % 7], label=run.label)
                   for i, run in enumerate(runs)]
        figure, axes = panels(runs, *((f"{count.capitalize()} contacts", "number of contacts", 1.8,
                                       rows_of(handles) if count == "active" else 0)
                                      for count in counts))
    is_band = False
    for c, (count, panel) in enumerate(zip(counts, axes)):
        for i, run in enumerate(runs):
            colour = COLOURS[c if len(runs) == 1 else i % 7]
            time, values = run.table["time"], run.table[f"contacts_{count}"]
            if len(time) <= 600:
                panel.step(time, values, color=colour, linewidth=1.2)
                continue
            is_band = True
            low, high, mean = (binned(time, values, reduce)[1] for reduce in (
                np.minimum.reduceat, np.maximum.reduceat, lambda v, first: np.add.reduceat(v, first)
                / np.diff(first, append=len(v))))
            middle = binned(time, values, np.minimum.reduceat)[0]
            panel.fill_between(middle, low, high, color=colour, alpha=0.3, linewidth=0.6)
            panel.plot(middle, mean, color=colour, linewidth=1.0)
        panel.yaxis.set_major_locator(MaxNLocator(6, integer=True))
        panel.set_ylim(bottom=0)
    legend(axes[0], handles)
    band = " Bands: from the least to the most in 1/400 of the time; lines: the mean there." \
        if is_band else ""
    return Picture("contacts", figure, "How many contacts take part in each step, and how many of "
                   "these slide." + band, "A chart over time: the numbers of active and of sliding "
                   "contacts.", "contact")


def penetration(runs):
    largest = max(run.table["penetration_max"].max() for run in runs)
    size = max((run.bodies.size for run in runs if run.series), default=0.0)
    if largest <= 1e-12 * size:
        return None
    unit = runs[0].units["length"]
    handles = by_run(runs, True)
    figure, (axes,) = panels(runs, (f"Deepest penetration, at most {at_most(largest, unit)}",
                                    unit_label("penetration", unit), 2.0, rows_of(handles)))
    for i, run in enumerate(runs):
        time, values = binned(run.table["time"], run.table["penetration_max"], np.maximum.reduceat,
                              2000)
        plot(axes, time, values, i, i)
    legend(axes, handles)
    return Picture("penetration", figure, "How deep the deepest contact point lies below its "
                   "surface at the end of each step.", "A chart over time: the deepest "
                   "penetration.", "contact")


def forces(runs):
    if not any(run.has_contacts for run in runs):
        return None
    units = runs[0].units
    is_rigid = any(bool(run.motions) for run in runs)
    name = "percussion / step" if is_rigid else "force"
    pressures = [np.array([run.contacts(k).pressure.max(initial=0) for k in range(len(run.series))])
                 for run in runs]
    has_pressure = any(p.any() for p in pressures)
    handles = by_run(runs, True)
    wanted = [((f"Normal {name} of all contacts" + subject(runs)), unit_label(name, units["force"]),
               1.8, rows_of(handles)),
              ("Impulse of all contacts since the start",
               unit_label("impulse", units["percussion"]), 1.4, 0)]
    if has_pressure:
        wanted.append(("Largest pressure of a contact point at the written instants",
                       unit_label("pressure", units["stress"]), 1.4, 0))
    figure, axes = panels(runs, *wanted)
    for i, run in enumerate(runs):
        time, impulse = run.table["time"], run.table["percussion_normal"]
        plot(axes[0], time, np.append(np.nan, np.diff(impulse) / np.diff(time)), i, i)
        plot(axes[1], time, impulse, i, i)
        if has_pressure and run.series:
            begin = 1 if run.series[0][0] <= time[0] else 0  # no step leads to the start
            at, pressure = [t for t, _ in run.series][begin:], pressures[i][begin:]
            axes[2].vlines(at, 0, pressure, colors=COLOURS[i % 7], linewidth=0.6, alpha=0.5)
            axes[2].plot(at, pressure, color=COLOURS[i % 7], marker=".x+1"[i % 4], markersize=3.5,
                         linestyle="none")
    legend(axes[0], handles)
    return Picture("forces", figure, f"The {name} of all contacts together against the surfaces' "
                   "normals" + (": where rigid bodies hit each other it depends on the step, the "
                                "impulse does not" if is_rigid else ", percussion over step")
                   + "; and the impulse, its sum over time."
                   + (" Below, the largest pressure of a contact point in the steps that end at "
                      "written instants; between them it is not known." if has_pressure else ""),
                   "Charts over time: force, impulse and pressure of the contacts.", "contact")


def names_of(motions):
    return [name[:-2] for name in motions if name.endswith(".x")]


def rigid_bodies(runs):
    """Positions and rotations; of more than six bodies the six that move most are told apart."""
    units, unchanged, wanted = runs[0].units, [], []
    for suffix, name, factor in ((".x", unit_label("position x", units["length"]), 1),
                                 (".y", unit_label("position y", units["length"]), 1),
                                 (".z", unit_label("position z", units["length"]), 1),
                                 (".angle", "rotation (°)", 180 / math.pi)):
        ranges = [np.ptp(run.motions[b + suffix]) for run in runs for b in names_of(run.motions)
                  if b + suffix in run.motions]
        size = 1.0 if suffix == ".angle" else max(
            (run.bodies.size for run in runs if run.series), default=1.0)
        if ranges and max(ranges) > 1e-9 * size:
            wanted.append((suffix, name, factor))
        elif ranges:
            unchanged.append(name.partition(" (")[0])
    if not wanted:
        return None
    bodies = list(dict.fromkeys(b for run in runs for b in names_of(run.motions)))
    way = {b: max(np.hypot(np.ptp(run.motions[b + ".x"]), np.ptp(run.motions[b + ".y"]))
                  for run in runs if b + ".x" in run.motions) for b in bodies}
    told = sorted(sorted(bodies, key=way.get)[-6:], key=bodies.index)
    handles = [Line2D([], [], color=COLOURS[i], label=b,
                      linestyle=DASHES[i] if len(runs) == 1 else "-") for i, b in enumerate(told)]
    handles = handles if len(bodies) > 1 else []
    if len(bodies) > 6:
        handles.append(Line2D([], [], color="0.75", label=f"the other {len(bodies) - 6}"))
    handles += by_run(runs)
    title = "Motion of the rigid bodies" + subject(runs)
    figure, axes = panels(runs, *((title if i == 0 else "", name, 1.5,
                                   rows_of(handles) if i == 0 else 0)
                                  for i, (_, name, _) in enumerate(wanted)))
    for panel, (suffix, _, factor) in zip(axes, wanted):
        for r, run in enumerate(runs):
            for b in sorted(names_of(run.motions), key=told.__contains__):
                if b + suffix not in run.motions:
                    continue
                time, values = run.motions["time"], factor * run.motions[b + suffix]
                if b in told:
                    i = told.index(b)
                    plot(panel, time, values, i, i if len(runs) == 1 else r)
                else:
                    panel.plot(time, values, color="0.75", linewidth=0.7, zorder=1)
    legend(axes[0], handles)
    caption = "Where the bodies' centres of mass are, and, in the plane, how far they have turned."
    if unchanged:
        caption += f" Without change, hence left out: {' and '.join(unchanged)}."
    if len(bodies) > 6:
        caption += " The six that move most have colours."
    return Picture("rigid_bodies", figure, caption,
                   "Charts over time: position of the rigid bodies and rotation in the plane.", "bodies")


def probe(runs, name):
    """What one probe has followed, a line for each component that is not zero."""
    having = [run for run in runs if any(c.startswith(name + ".") for c in run.probes)]
    columns = [c for c in having[0].probes if c.startswith(name + ".")]
    quantity = columns[0][len(name) + 1:].split("_")[0]
    units = runs[0].units
    unit = units.get({"displacement": "length", "gap": "length"}.get(quantity, quantity), "")
    if quantity == "acceleration" and units["velocity"]:
        unit = units["velocity"] + "²"
    lines = {column: [np.where(np.isfinite(v), v, np.nan) for v in
                      (run.probes.get(column, np.full(len(run.probes["time"]), np.nan))
                       for run in having)] for column in columns}
    sizes = {column: max((abs(v[np.isfinite(v)]).max(initial=0) for v in values), default=0)
             for column, values in lines.items()}
    largest = max(sizes.values())
    drawn = [column for column in columns if sizes[column] > ROUND_OFF * largest]
    words = [column[len(name) + 1:].replace(quantity + "_", "").replace("_", " ")
             for column in drawn]
    handles = [Line2D([], [], color=COLOURS[i % 7], label=word,
                      linestyle=DASHES[i % 6] if len(having) == 1 else "-")
               for i, word in enumerate(words)] if columns != drawn or len(drawn) > 1 else []
    handles += by_run(having)
    figure, (axes,) = panels(runs, (f"Probe {name}" + subject(runs), unit_label(quantity, unit), 2.2,
                                    rows_of(handles)))
    for i, column in enumerate(drawn):
        for r, (run, values) in enumerate(zip(having, lines[column])):
            plot(axes, run.probes["time"], values, i, i if len(having) == 1 else r)
    legend(axes, handles)
    if not drawn:
        nothing(axes, "zero")
    place = having[0].probe_remarks.get(f"probe {name}", quantity)
    left_out = " Components that are zero are left out." if 0 < len(drawn) < len(columns) else ""
    return Picture(f"probe-{name}", figure, f"{place[0].upper()}{place[1:]}.{left_out}",
                   f"A chart over time: {place}.", "probes")


def probes(runs):
    """A picture for each probe of any of the runs."""
    names = dict.fromkeys(column.rpartition(".")[0] for run in runs for column in run.probes
                          if "." in column)
    return [probe(runs, name) for name in names]


def profile(table, solvers):
    """The performance profile of solvers that percussion-fc --compare has written."""
    handles = [Line2D([], [], color=COLOURS[i % 7], linestyle=DASHES[i % 6], label=solver)
               for i, solver in enumerate(solvers)]
    height = 3.5 + 0.2 * rows_of(handles)
    figure = Figure(figsize=(WIDTH, height))
    axes = figure.add_axes([0.75 / WIDTH, 0.45 / height, (WIDTH - 0.95) / WIDTH, 2.7 / height])
    ratio = np.log2(table["tau"])
    end = 1.05 * ratio[-1] if ratio[-1] > 0 else 1.0
    for i, solver in enumerate(solvers):
        axes.step(np.append(ratio, end), np.append(table[solver], table[solver][-1]), where="post",
                  color=COLOURS[i % 7], linestyle=DASHES[i % 6])
    axes.set(xlabel="log₂ τ", ylabel="share solved within τ times the fastest",
             xlim=(0, end), ylim=(-0.02, 1.02))
    axes.set_title("Performance profile", x=-0.135, pad=6 + 0.2 * rows_of(handles) * 72)
    legend(axes, handles)
    return figure


ALL = [rigid_bodies, energy, total_energy, balance, works, tangential_work, contacts, penetration,
       forces]
