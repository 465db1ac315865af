"""Charts over time. Each function returns a Picture of some runs, or None if there are no data."""

import math

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from .scene import short, with_unit
from .style import COLOURS, DASHES, Picture, Titles, power_of_ten

WIDTH = 6.0  # inches
ROUND_OFF = 1e-12  # fraction of the largest energy: smaller values are not drawn

QUANTITIES = {"kinetic": "kinetic energy", "strain": "strain energy", "total": "total energy",
              "work_external": "external work",
              "work_contact_tangential": "tangential contact work",
              "work_contact_normal": "normal contact work", "work_viscous": "viscous work",
              "work_plastic": "plastic work", "work_fracture": "work of fracture",
              "work_contact_rolling": "work of rolling friction",
              "work_numerical": "numerical work", "work_prescribed": "work of prescribed motion"}


def quantities_of(runs):
    """Returns the energies and works in the tables of these runs, column: words. Works without
    words above are called by the name of their column."""
    others = {name: "work of " + name[5:].replace("_", " ") for run in runs for name in run.works}
    return {**QUANTITIES, **{name: words for name, words in others.items()
                             if name not in QUANTITIES}}


# ---- Panels, legends and lines -------------------------------------------------------------------


def panels(runs, handles, *wanted, abscissa=None):
    """Returns a figure of panels one above the other, (title, label of y, height, width of the left
    margin or none), in inches, and their axes, over time or another named quantity with its range;
    the first has a legend of these handles."""
    x_label, begin, end = abscissa or (unit_label("time", runs[0].units["time"]),
                                   min(run.table["time"][0] for run in runs),
                                   max(run.table["time"][-1] for run in runs))
    wanted = [(title if Titles.are_drawn else "", *rest) for title, *rest in wanted]
    longest = max((len(handle.get_label()) for handle in handles), default=0)
    columns = min(max(int((WIDTH - 0.1) / (0.058 * longest + 0.55)), 1), 4)
    legends = [0.2 * math.ceil(len(handles) / columns), *[0] * (len(wanted) - 1)]
    heights = [0.3 * bool(title) + legend + height + 0.45
               for (title, _, height, *_), legend in zip(wanted, legends)]
    top = total = sum(heights) + 0.05
    figure, all_axes = Figure(figsize=(WIDTH, total)), []
    for (title, y_label, height, *margin), legend, needed in zip(wanted, legends, heights):
        top, margin = top - needed, margin[0] if margin else 0.75
        wide = WIDTH - 0.2 - margin
        axes = figure.add_axes([margin / WIDTH, (top + 0.4) / total, wide / WIDTH, height / total])
        if title:
            axes.set_title(title, x=(0.1 - margin) / wide, pad=6 + legend * 72,
                           fontsize=min(10, 10 * 68 / len(title)))
        axes.set(xlabel=x_label, ylabel=y_label, xlim=(begin, end) if end > begin else None)
        axes.xaxis.labelpad, axes.yaxis.labelpad = 2, 4
        all_axes.append(axes)
    if handles:
        all_axes[0].legend(handles=handles, loc="lower left", bbox_to_anchor=(-0.135, 1.0),
                           frameon=False, ncol=columns, borderaxespad=0.1, handlelength=2.6,
                           columnspacing=1.4, labelspacing=0.25)
    return figure, all_axes


def unit_label(quantity, unit):
    return f"{quantity} ({unit})" if unit else quantity


def subject(runs):
    words = [runs[0].remarks.get(key, "") for key in ("case", "scheme")]
    return ": " + ", ".join(word for word in words if word) if len(runs) == 1 and any(words) else ""


def handle(colour, dash, label):
    return Line2D([], [], color=COLOURS[colour % 7], linestyle=DASHES[dash % 6], label=label)


def by_run(runs):
    """Returns the legend of runs, distinguished by colours and dashes; empty for a single run."""
    return [handle(i, i, run.label) for i, run in enumerate(runs)] if len(runs) > 1 else []


def by_quantity(runs, entries):
    """Returns the legend of quantities, (number or None, words), by colours, and of several runs by
    dashes. Quantities without a number are not drawn."""
    handles = [Line2D([], [], linestyle="none", label=words) if q is None else
               handle(q, q if len(runs) == 1 else 0, words) for q, words in entries]
    runs_by_dash = by_run(runs)
    for run in runs_by_dash:
        run.set_color("0.4")
    return handles + runs_by_dash


def plot(axes, x, y, colour, dash):
    """Plots a line, without dashes if it oscillates from row to row."""
    span = np.ptp(y[np.isfinite(y)]) if np.isfinite(y).any() else 0
    jumps = span > 0 and np.nansum(abs(np.diff(y))) > 25 * span
    axes.plot(x, y, color=COLOURS[colour % 7], linewidth=0.8 if jumps else 1.3,
              linestyle="-" if jumps else DASHES[dash % 6])


def plot_runs(axes, runs, values, quantity=None, times=None):
    """Plots the lines of all runs for one quantity: the only one in the panel, or one of
    several."""
    for i, (run, y) in enumerate(zip(runs, values)):
        plot(axes, times[i] if times else run.table["time"], y, i if quantity is None else quantity,
             i if quantity is None or len(runs) > 1 else quantity)


def column(runs, name):
    """Returns a column of each run; zero in runs of earlier versions that lack it."""
    return [run.table.get(name, np.zeros_like(run.table["time"])) for run in runs]


def largest_of(values):
    """Returns the largest magnitude in arrays."""
    return max(abs(v).max() for v in values)


def bins(time, limit=400):
    """Returns the middles of a limited number of time intervals, and their first rows."""
    if len(time) <= limit:
        return time, np.arange(len(time))
    index = np.minimum((limit * (time - time[0]) / (time[-1] - time[0])).astype(int), limit - 1)
    first = np.flatnonzero(np.diff(index, prepend=-1))
    return (time[first] + time[np.append(first[1:], len(time)) - 1]) / 2, first


def magnitudes(axes, runs, values, words):
    """Plots points on a logarithmic axis of ten decades at most; for many rows, the largest
    value in each interval of time; a note instead if all values are zero."""
    largest = largest_of(values)
    if largest == 0:
        nothing(axes, words)
        return
    for i, (run, v) in enumerate(zip(runs, values)):
        time, first = bins(run.table["time"])
        v = np.maximum.reduceat(abs(v), first)
        axes.plot(time[v > 0], v[v > 0], linestyle="none", marker=".x+1"[i % 4], markersize=3,
                  color=COLOURS[i % 7], label=run.label if len(runs) > 1 else None)
    if len(runs) > 1:  # lines of the panel above may have other colours
        axes.legend(loc="best", framealpha=0.8, handlelength=1, markerscale=1.5)
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


# ---- Energy --------------------------------------------------------------------------------------


def energy_from_work(run):
    """Returns the initial energy of a run plus all work since."""
    work = sum(run.table[name] for name in run.works)
    return run.table["total"][0] - work[0] + work


def at_most(values, unit):
    return f"at most {with_unit(short(largest_of(values)), unit)}"


def residual_panel(title, label, values, runs):
    """Returns title, label and height of a panel of quantities that should be round-off."""
    unit = runs[0].units["energy"]
    fraction = max(abs(v).max() / (run.energy_scale or 1) for v, run in zip(values, runs))
    title += f", {at_most(values, unit)}" + (
        f" ({short(fraction, 1)} of the largest energy)" if fraction > 0 else "")
    return title, unit_label(f"|{label}|", unit), 1.5


def energy(runs):
    threshold = ROUND_OFF * max(run.energy_scale for run in runs)
    entries, drawn = [], {}
    for q, (name, words) in enumerate(quantities_of(runs).items()):
        largest = largest_of(column(runs, name))
        if largest > threshold or name in ("kinetic", "total"):
            entries.append((q, words))
            drawn[q] = name
        elif largest > 0:
            entries.append((None, f"{words}: round-off"))
    residuals = column(runs, "balance_residual")
    figure, (upper, lower) = panels(
        runs, by_quantity(runs, entries),
        ("Energies and cumulative work" + subject(runs),
         unit_label("energy, work", runs[0].units["energy"]), 2.6),
        residual_panel("Residual of each step", "residual", residuals, runs))
    for q, name in drawn.items():
        plot_runs(upper, runs, column(runs, name), q)
    magnitudes(lower, runs, residuals, "the residual is zero at every step")
    return Picture("energy", figure, "Kinetic, strain and total energy, and the cumulative work of "
                   "each kind that is not zero. Below, the residual of each step's energy balance.",
                   "energy")


def total_energy(runs):
    if len(runs) == 1:
        return None
    figure, (axes,) = panels(runs, by_run(runs), (
        "Total energy", unit_label("energy", runs[0].units["energy"]), 2.6))
    plot_runs(axes, runs, column(runs, "total"))
    return Picture("total_energy", figure, "The total energy of each run.", "energy")


def balance(runs):
    pairs = [(run.table["total"], energy_from_work(run)) for run in runs]
    drift = [total - expected for total, expected in pairs]
    handles = [handle(2 * i + j, j, name if len(runs) == 1 else f"{name}, {run.label}")
               for i, run in enumerate(runs)
               for j, name in enumerate(("total energy", "initial energy + all work"))]
    figure, (upper, lower) = panels(
        runs, handles, ("Energy balance" + subject(runs),
                        unit_label("energy", runs[0].units["energy"]), 2.3),
        residual_panel("Difference of these energies", "difference", drift, runs))
    for i, run in enumerate(runs):
        for j in (0, 1):
            plot(upper, run.table["time"], pairs[i][j], 2 * i + j, j)
    magnitudes(lower, runs, drift, "the difference is zero")
    return Picture("balance", figure, "The total energy beside the initial energy plus all work; "
                   "below, the difference of both since the start.", "energy")


def works(runs):
    label = unit_label("work", runs[0].units["energy"])
    threshold = ROUND_OFF * max(run.energy_scale for run in runs)
    names = ("work_contact_normal", "work_contact_tangential")
    sizes = [largest_of(column(runs, name)) for name in names]
    positive = [np.maximum(v, 0) for v in column(runs, "tangential_work_max")]
    largest, limit = largest_of(positive), at_most(positive, runs[0].units["energy"])
    if max(*sizes, largest) <= threshold:
        return None
    entries = [(q, QUANTITIES[name]) if size > threshold else
               (None, f"{QUANTITIES[name]}: {'round-off' if size else 'none'}")
               for q, (name, size) in enumerate(zip(names, sizes))]
    wanted = [("Cumulative work of the contacts" + subject(runs), label, 2.2)]
    if largest > threshold:
        wanted.append((f"Positive tangential work of a contact in a step, {limit}", label, 1.5))
    figure, axes = panels(runs, by_quantity(runs, entries), *wanted)
    for q, name in enumerate(names):
        if sizes[q] > threshold:
            plot_runs(axes[0], runs, column(runs, name), q)
    caption = "The work of all contacts on the bodies since the start, normal and tangential. "
    if largest > threshold:
        magnitudes(axes[1], runs, positive, "")
        caption += ("Below, the largest tangential work of a contact in each step where it is "
                    "positive: Coulomb friction dissipates, so this work creates energy.")
    else:
        caption += "In no step is the tangential work of a contact positive" + (
            f" beyond round-off ({limit})" if largest else "") + "."
    return Picture("works", figure, caption, "energy")


LOSSES = {"work_contact_normal": "by normal contact", "work_contact_tangential": "by friction",
          "work_contact_rolling": "by rolling friction", "work_viscous": "by viscosity",
          "work_plastic": "by plastic flow", "work_fracture": "by fracture",
          "work_numerical": "by the time integration"}


def dissipation(runs):
    """Draws the dissipated energy, its sum as in figure 14 of Acary and Collins-Craft (2024)."""
    unit = runs[0].units["energy"]
    threshold = ROUND_OFF * max(run.energy_scale for run in runs)
    losses = {name: [-v for v in column(runs, name)] for name in LOSSES}
    total = [sum(parts) for parts in zip(*losses.values())]
    if largest_of(total) <= threshold:
        return None
    drawn = [name for name, values in losses.items() if largest_of(values) > threshold]
    caption = ("The energy that contacts, friction, viscosity, plastic flow and the time integration have "
               "dissipated since the start")
    if len(runs) > 1:
        handles = by_run(runs)
        caption += ", in all"
    else:
        handles = by_quantity(runs, [(i, LOSSES[name]) for i, name in enumerate(drawn)]
                              + ([(len(drawn), "in all")] if len(drawn) > 1 else []))
    figure, (axes,) = panels(runs, handles, (
        "Dissipated energy" + subject(runs), unit_label("dissipated energy", unit), 2.6))
    if len(runs) > 1:
        plot_runs(axes, runs, total)
    else:
        for q, name in enumerate(drawn):
            plot_runs(axes, runs, losses[name], q)
        if len(drawn) > 1:
            plot_runs(axes, runs, total, len(drawn))
    return Picture("dissipation", figure, caption + ". Negative: created energy.", "energy")


def own_energy(run):
    """Returns the energy minus the work of loads, prescribed motions and position corrections,
    which a scheme should conserve."""
    return run.table["total"] - sum(run.table.get(name, 0.0) for name in (
        "work_external", "work_prescribed", "work_position_correction"))


def energy_step(runs):
    """Draws the change of the energy in each step as in figures 15 and 16 of Barboteu, Bonaldi,
    Dumont and Mahmoud (2024)."""
    unit = runs[0].units["energy"]
    changes = [np.append(np.nan, np.diff(own_energy(run))) for run in runs]
    finite = np.concatenate([change[1:] for change in changes])
    if not len(finite) or max(abs(finite)) <= ROUND_OFF * max(run.energy_scale for run in runs):
        return None
    title = f"Change of the energy in a step, from {short(min(finite))} to " \
        + with_unit(short(max(finite)), unit)
    figure, (axes,) = panels(runs, by_run(runs), (
        title, unit_label("ΔE", unit), 2.6))
    plot_runs(axes, runs, changes)
    rows = max(max(np.diff(run.table["step"]), default=1) for run in runs)
    return Picture("energy_step", figure, "The change of the energy in each step, without the work "
                   "of loads and prescribed motions: negative if energy is dissipated." + (
                       f" Changes are sums over up to {rows:.0f} steps, because the table has no "
                       "row for each of them." if rows > 1 else ""), "energy")


def tangential_work(runs):
    """Draws the tangential work as in figures 9 and 10, (c) and (d), of Acary and Collins-Craft
    (2024)."""
    unit, wanted, curves = runs[0].units["energy"], [], []
    for name, extreme, words, component in (
            ("tangential_work_max", np.max, "positive part: largest", np.maximum),
            ("tangential_work_min", np.min, "negative part: lowest", np.minimum)):
        values = column(runs, name)
        value = extreme([extreme(v) for v in values])
        curves.append((values, component, value))
        wanted.append((f"Tangential work of a contact in a step, {words} "
                       + with_unit(short(value), unit), unit_label("work", unit), 1.6))
    if not any(v.any() for values, _, _ in curves for v in values):
        return None
    figure, all_axes = panels(runs, by_run(runs), *wanted)
    for axes, (values, component, value) in zip(all_axes, curves):
        for i, (run, v) in enumerate(zip(runs, values)):
            if largest_of([component(v, 0)]) > ROUND_OFF * run.energy_scale:
                plot(axes, run.table["time"], component(v, 0), i, i)
        if not axes.lines:
            nothing(axes, "round-off" if value else "none")
    return Picture("tangential_work", figure, "The largest and the smallest tangential work of a "
                   "contact in each step, on linear axes.", "energy")


# ---- Contacts ------------------------------------------------------------------------------------


def contacts(runs):
    if not any(run.has_contacts for run in runs):
        return None
    counts, label = ["active", "sliding"], "number of contacts"
    if len(runs) == 1:
        figure, axes = panels(runs, [handle(c, 0, count) for c, count in enumerate(counts)],
                              ("Contacts" + subject(runs), label, 2.2))
        axes = axes * 2
    else:  # counts vary so much that dashes would not distinguish runs and counts
        figure, axes = panels(runs, [handle(i, 0, run.label) for i, run in enumerate(runs)],
                              *((f"{count.capitalize()} contacts", label, 1.8) for count in counts))
    for c, (count, panel) in enumerate(zip(counts, axes)):
        for i, run in enumerate(runs):
            count_over_time(panel, run.table["time"], run.table[f"contacts_{count}"],
                            COLOURS[c if len(runs) == 1 else i % 7])
        panel.yaxis.set_major_locator(MaxNLocator(6, integer=True))
        panel.set_ylim(bottom=0)
    band = " Bands: smallest to largest number in 1/400 of the time; lines: the mean." \
        if any(panel.collections for panel in axes) else ""
    return Picture("contacts", figure, "Number of contacts that take part in each step, and of "
                   "sliding contacts." + band, "contact")


def count_over_time(axes, time, values, colour):
    """Plots counts as steps, or for many rows as a band with the mean."""
    if len(time) <= 600:
        axes.step(time, values, color=colour, linewidth=1.2)
        return
    middle, first = bins(time)
    axes.fill_between(middle, np.minimum.reduceat(values, first),
                      np.maximum.reduceat(values, first), color=colour, alpha=0.3, linewidth=0.6)
    axes.plot(middle, np.add.reduceat(values, first) / np.diff(first, append=len(values)),
              color=colour, linewidth=1.0)


def penetration(runs):
    values = column(runs, "penetration_max")
    size = max((run.bodies.size for run in runs if run.series), default=0)
    if largest_of(values) <= 1e-12 * size:
        return None
    unit = runs[0].units["length"]
    figure, (axes,) = panels(runs, by_run(runs), (
        f"Deepest penetration, {at_most(values, unit)}", unit_label("penetration", unit), 2.0))
    for i, run in enumerate(runs):
        time, first = bins(run.table["time"], 2000)
        plot(axes, time, np.maximum.reduceat(values[i], first), i, i)
    return Picture("penetration", figure, "Depth of the deepest contact point below its surface "
                   "at the end of each step.", "contact")


DEFECTS = {"missed_depth": ("Missed depth", "length"),
           "relapse_depth": ("Missed depth of contacts that have just pressed", "length"),
           "drift": ("Drift", "length"),
           "pressing_gap": ("Gap of contacts that press / local size", ""),
           "cone_violation": ("Percussion outside of the cone / largest percussion", ""),
           "slip_direction_error": ("Error of the direction of friction", ""),
           "resting_work": ("Normal work / strain energy, almost at rest", "")}
EXACT = 1e-13  # fraction of the bodies' size, or of 1: smaller defects are round-off


def contact_law(runs):
    """Draws the defects of the contact law, see section 3 of doc/theory.md."""
    runs = [run for run in runs if all(name in run.table for name in DEFECTS)]
    size = max((run.bodies.size for run in runs if run.series), default=0)
    drawn, exact = [], []
    for name, (words, quantity) in DEFECTS.items():
        largest = largest_of(column(runs, name)) if runs else 0
        is_drawn = largest > EXACT * (size if quantity == "length" else 1)
        (drawn if is_drawn else exact).append((name, words, quantity))
    if not drawn:
        return None
    units = runs[0].units
    figure, axes = panels(runs, by_run(runs), *(
        (f"{words}, {at_most(column(runs, name), units.get(quantity, ''))}"
         + (subject(runs) if i == 0 else ""),
         unit_label("depth" if quantity else "ratio", units.get(quantity, "")), 1.3)
        for i, (name, words, quantity) in enumerate(drawn)))
    for panel, (name, _, _) in zip(axes, drawn):
        magnitudes(panel, runs, column(runs, name), "")
    caption = ("Defects of the contact law, measured from positions and percussions: "
               "the largest value of each step.")
    if exact:
        caption += f" Round-off, hence left out: {', '.join(w.lower() for _, w, _ in exact)}."
    return Picture("contact_law", figure, caption, "contact")


def largest_pressures(run):
    """Returns the largest pressure of a contact point at each written instant."""
    return np.array([run.contacts(k).pressure.max(initial=0) for k in range(len(run.series))])


def forces(runs):
    if not any(run.has_contacts for run in runs):
        return None
    units, is_rigid = runs[0].units, any(run.motions for run in runs)
    name = "percussion / step" if is_rigid else "force"
    pressures = [largest_pressures(run) for run in runs]
    wanted = [(f"Normal {name} of all contacts" + subject(runs), unit_label(name, units["force"]),
               1.8),
              ("Impulse of all contacts since the start",
               unit_label("impulse", units["percussion"]), 1.4)]
    caption = f"The {name} of all contacts together against the surfaces' normals" + (
        ": at impacts of rigid bodies the force depends on the step, the impulse does not"
        if is_rigid else ", percussion over step") + "; and the impulse, its sum over time."
    if any(p.any() for p in pressures):
        wanted.append(("Largest pressure of a contact point at the written instants",
                       unit_label("pressure", units["stress"]), 1.4))
        caption += (" Below, the largest pressure of a contact point in the steps that end at "
                    "written instants; between these instants the pressure is unknown.")
    figure, (upper, middle, *lower) = panels(runs, by_run(runs), *wanted)
    impulses = column(runs, "percussion_normal")
    plot_runs(upper, runs, [np.append(np.nan, np.diff(impulse) / np.diff(run.table["time"]))
                            for run, impulse in zip(runs, impulses)])
    plot_runs(middle, runs, impulses)
    for i, (run, pressure) in enumerate(zip(runs, pressures)):
        times = np.array([t for t, _ in run.series])
        steps = times > run.table["time"][0]  # the start is not the end of a step
        for axes in lower if len(times) else []:
            axes.vlines(times[steps], 0, pressure[steps], colors=COLOURS[i % 7], linewidth=0.6,
                        alpha=0.5)
            axes.plot(times[steps], pressure[steps], color=COLOURS[i % 7], marker=".x+1"[i % 4],
                      markersize=3.5, linestyle="none",
                      label=run.label if len(runs) > 1 else None)
    return Picture("forces", figure, caption, "contact")


# ---- Rigid bodies, probes, solvers ---------------------------------------------------------------


def names_of(motions):
    return [name[:-2] for name in motions if name.endswith(".x")]


def rigid_bodies(runs):
    """Draws positions and rotations of rigid bodies."""
    length_unit = runs[0].units["length"]
    size = max((run.bodies.size for run in runs if run.series), default=1.0)
    return motions(
        runs, [*((f".{c}", f"position {c}", length_unit, 1, size) for c in "xyz"),
               (".angle", "rotation", "°", 180 / math.pi, 1.0)],
        "rigid_bodies", "Motion of the rigid bodies",
        "Positions of the bodies' centres of mass, and, in 2D, rotations.")


def velocities(runs):
    """Draws velocities and angular velocities of rigid bodies."""
    units = runs[0].units
    per_time = f"1/{units['time']}" if units["time"] else ""
    speed = max((largest_of([values]) for run in runs for key, values in run.motions.items()
                 if key.endswith((".vx", ".vy", ".vz"))), default=0.0)
    return motions(
        runs, [*((f".v{c}", f"velocity {c}", units["velocity"], 1, speed) for c in "xyz"),
               (".omega", "angular velocity", per_time, 1, 1.0),
               *((f".w{c}", f"angular velocity {c}", per_time, 1, 1.0) for c in "xyz")],
        "velocities", "Velocities of the rigid bodies",
        "Velocities of the bodies' centres of mass, and angular velocities, in 3D about the axes "
        "of the body.")


def motions(runs, columns, name, title, caption):
    """Draws columns of rigid_bodies.csv, (ending, words, unit, factor, scale of round-off); only
    the six bodies that move most are distinguished."""
    unchanged, wanted = [], {}
    for end, words, unit, factor, scale in columns:
        ranges = [np.ptp(v) for run in runs for key, v in run.motions.items() if key.endswith(end)]
        if ranges and max(ranges) > 1e-9 * scale:
            wanted[end] = unit_label(words, unit), factor
        elif ranges:
            unchanged.append(words)
    if not wanted:
        return None
    bodies = list(dict.fromkeys(b for run in runs for b in names_of(run.motions)))
    distance_moved = {b: max(np.hypot(np.ptp(run.motions[b + ".x"]), np.ptp(run.motions[b + ".y"]))
                             for run in runs if b + ".x" in run.motions) for b in bodies}
    distinguished = sorted(sorted(bodies, key=distance_moved.get)[-6:], key=bodies.index)
    handles = by_quantity(runs, enumerate(distinguished)) if len(bodies) > 1 else by_run(runs)
    if unchanged:
        caption += f" Without change, hence left out: {' and '.join(unchanged)}."
    if len(bodies) > 6:
        handles.insert(6, Line2D([], [], color="0.75", label=f"the other {len(bodies) - 6}"))
        caption += " The six bodies that move most have colours."
    titles = [title + subject(runs), *[""] * (len(wanted) - 1)]
    figure, axes = panels(runs, handles, *((words, label, 1.5) for words, (label, _) in
                                           zip(titles, wanted.values())))
    for panel, (end, (_, factor)) in zip(axes, wanted.items()):
        for r, run in enumerate(runs):
            for b in (b for b in names_of(run.motions) if b + end in run.motions):
                time, values = run.motions["time"], factor * run.motions[b + end]
                if len(bodies) == 1:
                    plot(panel, time, values, r, r)
                elif b in distinguished:
                    i = distinguished.index(b)
                    plot(panel, time, values, i, i if len(runs) == 1 else r)
                else:
                    panel.plot(time, values, color="0.75", linewidth=0.7, zorder=1)
    return Picture(name, figure, caption, "bodies")


def quantity_of_probe(column, units):
    """Returns the quantity of a column NAME.QUANTITY_COMPONENT of the probes, and its unit."""
    quantity = column.rpartition(".")[2].split("_")[0]
    if quantity == "missed":  # depth and drift
        quantity = "depth"
    if quantity == "acceleration" and units["velocity"]:
        return quantity, units["velocity"] + "²"
    return quantity, units.get({"displacement": "length", "gap": "length", "slip": "length",
                                "depth": "length", "work": "energy", "momentum": "percussion"}.get(quantity, quantity), "")


def probe(runs, name):
    """Draws the values of one probe, a line for each component that is not zero."""
    runs = [run for run in runs if any(c.startswith(name + ".") for c in run.probes)]
    columns = [c for c in runs[0].probes if c.startswith(name + ".")]
    quantity, unit = quantity_of_probe(columns[0], runs[0].units)
    lines = {c: [np.where(np.isfinite(v), v, np.nan) for v in
                 (run.probes.get(c, run.probes["time"] * np.nan) for run in runs)] for c in columns}
    sizes = {c: largest_of(np.nan_to_num(v) for v in values) for c, values in lines.items()}
    drawn = [c for c in columns if sizes[c] > ROUND_OFF * max(sizes.values())]
    words = [c[len(name) + 1:].replace(quantity + "_", "").replace("_", " ") for c in drawn]
    handles = by_quantity(runs, enumerate(words) if len(columns) > 1 or not drawn else [])
    figure, (axes,) = panels(runs, handles, (f"Probe {name}" + subject(runs),
                                             unit_label(quantity, unit), 2.2))
    for i, c in enumerate(drawn):
        plot_runs(axes, runs, lines[c], i, [run.probes["time"] for run in runs])
    if not drawn:
        nothing(axes, "zero")
    caption_text = runs[0].probe_remarks.get(f"probe {name}", quantity)
    left_out = " Components that are zero are left out." if 0 < len(drawn) < len(columns) else ""
    caption = f"{caption_text[0].upper()}{caption_text[1:]}.{left_out}"
    return Picture(f"probe-{name}", figure, caption, "probes")


def probes(runs):
    """Returns a picture for each probe of any of the runs."""
    names = dict.fromkeys(column.rpartition(".")[0] for run in runs for column in run.probes
                          if "." in column)
    return [probe(runs, name) for name in names]


def profile(table, solvers):
    """Returns the performance profile of solvers written by percussion-fc --compare."""
    ratio = np.log2(table["tau"])
    end = 1.05 * ratio[-1] if ratio[-1] > 0 else 1.0
    figure, (axes,) = panels(
        [], [handle(i, i, solver) for i, solver in enumerate(solvers)],
        ("Performance profile", "fraction solved within τ times the fastest", 2.7),
        abscissa=("log₂ τ", 0, end))
    for i, solver in enumerate(solvers):
        axes.step(np.append(ratio, end), np.append(table[solver], table[solver][-1]), where="post",
                  color=COLOURS[i % 7], linestyle=DASHES[i % 6])
    axes.set_ylim(-0.02, 1.02)
    return Picture("profile", figure, "Performance profile.", "")


ALL = [rigid_bodies, velocities, energy, total_energy, balance, works, dissipation, energy_step,
       tangential_work, contacts, penetration, contact_law, forces]
