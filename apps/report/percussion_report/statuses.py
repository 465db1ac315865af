"""Open, stick or slip of the contacts by position and time."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from .bodies import edges_of
from .charts import names_of, panels, subject, unit_label
from .scene import length, short, some_of, with_unit
from .style import Picture, Titles

ABSENT = -1
FILLS = ["white", "#e8e8e8", "#005a96", "#e69f00"]  # absent, open, stick, slip: greys in print
MOST_NAMES = 24


def loops_of(bodies):
    """Returns the closed lines of the edge of elastic bodies, with the body on the left."""
    next_node = dict(edges_of(bodies, False).tolist())
    while next_node:
        loop = [next(iter(next_node))]
        while loop[-1] in next_node:
            loop.append(next_node.pop(loop[-1]))
        yield np.array(loop[:-1])


def positions_on_edge(bodies, points):
    """Returns the length along the undeformed edge for each of these points, given as a row of
    tuples. A line starts after its widest gap between such points or, if other gaps are about
    as wide, at the highest point; each line continues the length of the previous one. None: a
    point is not on the edge."""
    index_of = {tuple(point): i for i, point in enumerate(points)}
    positions, offset = np.full(len(points), np.nan), 0.0
    for loop in loops_of(bodies):
        marked = np.array([tuple(point) in index_of for point in bodies.points[loop]])
        if not marked.any():
            continue
        first = np.argmax(marked)
        corners, mine = np.roll(bodies.points[loop], -first, axis=0), np.flatnonzero(
            np.roll(marked, -first))
        arc = np.append(0, np.cumsum(length(np.roll(corners, -1, axis=0) - corners)))
        stretches = np.diff(np.append(arc[mine], arc[-1]))  # up to the next marked point
        widest = np.argsort(stretches)[-2:]
        if len(mine) > 1 and stretches[widest[1]] > 1.5 * stretches[widest[0]]:
            begin = mine[(widest[1] + 1) % len(mine)]
        else:
            begin = mine[np.argmax(corners[mine, 1])]
        for i in mine:
            positions[index_of[tuple(corners[i])]] = offset + (arc[i] - arc[begin]) % arc[-1]
        offset = np.nanmax(positions)
    return None if np.isnan(positions).any() else positions


def rows_of(run):
    """Returns {(pair, body, obstacle, (x, y)): statuses at written instants} of all contacts."""
    rows = {}
    for k in range(len(run.series)):
        for key, status in zip(run.contact_keys[k], run.contacts(k).status):
            row = rows.setdefault(key, np.full(len(run.series), ABSENT))
            row[k] = max(row[k], status)
    return rows


def rigid_rows(rows, names):
    """Returns rows with names of the bodies that touch rigid bodies: one for each point or, if
    there are many, for each pair of bodies."""
    rows = {key: row for key, row in rows.items() if row.max() > 0}
    n_surfaces = len({pair for pair, _, obstacle, _ in rows if obstacle == 0})
    found = {}
    for (pair, body, obstacle, point), row in sorted(rows.items()):
        low, high = sorted((body, obstacle))
        who = ["elastic faces" if i < 0 else names[i - 1] if 0 < i <= len(names) else f"body {i}"
               for i in (low, high)]
        name = f"{who[0]} – {who[1]}"
        if obstacle == 0:
            name = f"{who[1]} – surface" + (f" {pair + 1}" if n_surfaces > 1 else "")
        if len(rows) <= MOST_NAMES:
            name += f" ({', '.join(map(short, point))})"
        key = (obstacle > 0, low, high, name)
        found[key] = np.maximum(found.get(key, ABSENT), row)
    return {key[-1]: row for key, row in sorted(found.items())}


def draw_rows(axes, run, edges, rows):
    """Draws rows between these edges, each instant half way to the next."""
    time = np.array([t for t, _ in run.series])
    limits = np.concatenate([time[:1], (time[1:] + time[:-1]) / 2, time[-1:]])
    axes.pcolormesh(limits, edges, rows, cmap=ListedColormap(FILLS), vmin=ABSENT - 0.5, vmax=2.5,
                    rasterized=rows.size > 20000)
    axes.grid(False)


def draw_elastic(axes, run, rows):
    positions = positions_on_edge(run.bodies, [key[3] for key in rows]) if run.dim == 2 else None
    if positions is None:
        positions = np.arange(1, len(rows) + 1)
        axes.set_ylabel("number of the contact point")
    order = np.argsort(positions, kind="stable")
    spots = positions[order]
    middle = (spots[1:] + spots[:-1]) / 2
    ends = [2 * spots[0] - middle[0], 2 * spots[-1] - middle[-1]] \
        if len(spots) > 1 else spots[0] + [-0.5, 0.5]
    draw_rows(axes, run, [ends[0], *middle, ends[1]], np.array(list(rows.values()))[order])


def draw_rigid(axes, run, rows):
    n = len(rows)
    draw_rows(axes, run, np.arange(n + 1) + 0.5, np.array(list(rows.values())))
    axes.invert_yaxis()
    if n <= MOST_NAMES:
        axes.set_yticks(range(1, n + 1), list(rows), fontsize=7.5)
        axes.hlines(np.arange(n - 1) + 1.5, *axes.get_xlim(), colors="white", linewidth=1.5)


def name_of_contact(run, pair):
    """Returns the name that the case gives to a contact, or its number for an unfinished run."""
    names = list(run.summary.get("contacts", {}))
    return f"contact '{names[pair]}'" if pair < len(names) else f"contact {pair + 1}"


def panels_of(run, title):
    """Returns data and drawing function of panels: one for each contact of elastic bodies, one for
    all rigid bodies."""
    rows, names = rows_of(run), names_of(run.motions)
    rigid = rigid_rows({key: row for key, row in rows.items() if key[1] > 0}, names)
    groups = sorted({(pair, obstacle) for pair, body, obstacle, _ in rows if body == 0})
    for pair, obstacle in groups:
        mine = {key: row for key, row in rows.items() if key[:3] == (pair, 0, obstacle)}
        if max(row.max() for row in mine.values()) > 0:
            contact = name_of_contact(run, pair)
            side = {0: f"surface, {contact}", -1: f"elastic faces, {contact}"}.get(
                obstacle) or names[obstacle - 1]
            suffix = f": elastic body on {side}" if len(groups) > 1 or rigid else ""
            yield ((title + suffix, unit_label("position along the edge", run.units["length"]),
                    2.0),
                   draw_elastic, run, mine)
    if rigid:
        label, margin = ("number of the pair of bodies", 0.75) if len(rigid) > MOST_NAMES else \
            ("", 0.065 * max(map(len, rigid)) + 0.12)
        yield ((title + (": rigid bodies" if groups else ""), label,
                min(0.17 * len(rigid), 3.5) + 0.05, margin), draw_rigid, run, rigid)


def statuses(runs):
    """Returns a picture of all runs; None if no contact was close at two instants."""
    items = [item for run in runs if len(run.series) > 1 and run.has_contacts for item in panels_of(
        run, f"Contact status{subject(runs)}" if len(runs) == 1 else run.label)]
    if not items:
        return None
    figure, all_axes = panels(
        runs, [Patch(color=fill, label=name) for fill, name in
               zip(FILLS[1:], ("open", "stick", "slip"))], *(wanted for wanted, *_ in items))
    for axes, (_, draw, run, rows) in zip(all_axes, items):
        draw(axes, run, rows)
    return Picture("statuses", figure, "Status of each contact point in the steps that end at the "
                   "written instants, each drawn half way to the next; white: not near. Points of "
                   "elastic bodies stand at their position along the undeformed edge, with the "
                   "body on the left; points that are never in contact are omitted.", "contact")


def footprint(run, max_pictures=4):
    """Draws the closed contacts of elastic bodies in 3D, seen along the axis nearest to their normals."""
    if run.dim == 2 or not run.has_elastic:
        return None
    maps = {}  # instant: positions, percussions, normals, pressures and statuses of closed contacts
    for k in range(len(run.series)):
        c = run.contacts(k)
        closed = (c.status > 0) & (c.pressure > 0)
        if closed.any():
            maps[k] = [values[closed] for values in (c.points + c.displacement, c.percussion,
                                                     c.normal, c.pressure, c.status)]
    chosen = some_of(list(maps), max_pictures)
    if not chosen:
        return None
    normal = np.concatenate([maps[k][2] for k in chosen])
    picture_axes = np.delete(np.arange(3), np.argmax(abs(normal).sum(axis=0)))
    limit = max(maps[k][3].max() for k in chosen)
    longest = max(length(maps[k][1][:, picture_axes]).max() for k in chosen)
    size = max(np.ptp(maps[k][0][:, picture_axes], axis=0).max() for k in chosen) or run.bodies.size
    rows = -(-len(chosen) // 2)
    figure = Figure(figsize=(6.0, 0.5 + 2.6 * rows), layout="constrained")
    panels = figure.subplots(rows, min(len(chosen), 2), squeeze=False)
    for axes, k in zip(panels.flat, chosen):
        points, push, _, pressure, status = maps[k]
        points, push = points[:, picture_axes], push[:, picture_axes] * 0.2 * size / (longest or 1)
        for kind, marker in ((1, "s"), (2, "o")):
            dots = axes.scatter(*points[status == kind].T, c=pressure[status == kind], vmin=0,
                                vmax=limit, marker=marker, s=26, cmap="viridis", linewidths=0)
        axes.quiver(*points.T, *push.T, angles="xy", scale_units="xy", scale=1, width=0.004,
                    color="#D55E00", minlength=0)
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        (a, b), (c, d) = (middle + 0.65 * size * np.array([[-1], [1]])).T
        axes.set(xlim=(a, b), ylim=(c, d), aspect="equal",
                 xlabel=unit_label("xyz"[picture_axes[0]], run.units["length"]),
                 ylabel=unit_label("xyz"[picture_axes[1]], run.units["length"]))
        axes.set_title("t = " + with_unit(short(run.series[k][0]), run.units["time"]), fontsize=9,
                       weight="normal")
    for axes in panels.flat[len(chosen):]:
        axes.axis("off")
    figure.colorbar(dots, ax=panels, label=unit_label("pressure", run.units["stress"]), shrink=0.8)
    if Titles.are_drawn:
        figure.suptitle(f"Closed contacts{subject([run])}", x=0.02, ha="left", fontsize=10,
                        weight="bold")
    return Picture("footprint", figure, "The closed contacts of elastic bodies: pressure as "
                   "colour, discs slip and squares stick; arrows: the friction on the bodies.",
                   "contact")
