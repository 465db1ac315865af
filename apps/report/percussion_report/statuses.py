"""Open, stick or slip of the contacts in space and time."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from .bodies import edges_of
from .charts import legend, names_of, panels, subject, unit_label
from .scene import length, short, some_of, with_unit
from .style import Picture

ABSENT = -1
FILLS = ["white", "#e8e8e8", "#005a96", "#e69f00"]  # absent, open, stick, slip: greys in print
MOST_NAMES = 24


def loops_of(bodies):
    """The closed lines of the edge of elastic bodies, outer ones counterclockwise."""
    neighbours = {}
    for a, b in edges_of(bodies, False).tolist():
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    while neighbours:
        loop = [next(iter(neighbours))]
        while loop:
            ahead = neighbours.pop(loop[-1], [])
            following = [n for n in ahead if n in neighbours]
            if not following:
                break
            loop.append(following[0])
        x, y = bodies.points[loop].T
        turning = (x * np.roll(y, -1) - y * np.roll(x, -1)).sum()
        yield np.array(loop if turning > 0 else loop[::-1])


def places_on_edge(bodies, points):
    """Length along the undeformed edge of each of these points, which are a row of tuples. A line
    begins behind its widest stretch without such points, or, where another is about as wide, at the
    highest; one goes on where the last has ended. None: a point is not on the edge."""
    at = {tuple(point): i for i, point in enumerate(points)}
    places, length = np.full(len(points), np.nan), 0.0
    for loop in loops_of(bodies):
        marked = np.array([tuple(point) in at for point in bodies.points[loop]])
        if not marked.any():
            continue
        first = np.flatnonzero(marked)[0]
        loop, marked = np.roll(loop, -first), np.roll(marked, -first)
        corners = bodies.points[np.append(loop, loop[0])]
        along = np.append(0, np.cumsum(np.hypot(*np.diff(corners, axis=0).T)))
        mine = np.flatnonzero(marked)
        stretches = np.diff(np.append(along[mine], along[-1]))  # up to the next marked one
        order = np.sort(stretches)
        if len(mine) > 1 and order[-1] > 1.5 * order[-2]:
            begin = mine[(np.argmax(stretches) + 1) % len(mine)]
        else:
            begin = mine[np.argmax(corners[mine, 1])]
        for i in mine:
            places[at[tuple(corners[i])]] = length + (along[i] - along[begin]) % along[-1]
        length = np.nanmax(places)
    return None if np.isnan(places).any() else places


def rows_of(run):
    """{(pair, body, obstacle, (x, y)): statuses at the written instants} of all contacts."""
    rows = {}
    for k in range(len(run.series)):
        c = run.contacts(k)
        for *key, point, status in zip(c.pair, c.body, c.obstacle, c.points.tolist(), c.status):
            row = rows.setdefault((*map(int, key), tuple(point)),
                                  np.full(len(run.series), ABSENT))
            row[k] = max(row[k], status)
    return rows


def rigid_rows(rows, names):
    """Rows with names of what rigid bodies touch: of each point, or of pairs where these are many."""
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
    """Rows between these edges, each instant half way to the next."""
    time = np.array([t for t, _ in run.series])
    limits = np.concatenate([time[:1], (time[1:] + time[:-1]) / 2, time[-1:]])
    axes.pcolormesh(limits, edges, rows, cmap=ListedColormap(FILLS), vmin=ABSENT - 0.5, vmax=2.5,
                    rasterized=rows.size > 20000)
    axes.grid(False)


def draw_along_edge(axes, run, keys, rows):
    places = places_on_edge(run.bodies, [key[3] for key in keys]) if run.dim == 2 else None
    if places is None:
        places = np.arange(1, len(keys) + 1)
        axes.set_ylabel("number of the contact point")
    order = np.argsort(places, kind="stable")
    at = places[order]
    middle = (at[1:] + at[:-1]) / 2
    ends = [2 * at[0] - middle[0], 2 * at[-1] - middle[-1]] if len(at) > 1 else at[[0, 0]] + \
        [-0.5, 0.5]
    draw_rows(axes, run, np.concatenate([ends[:1], middle, ends[1:]]), np.array(rows)[order])


def statuses(runs):
    """A picture of all runs; None where no contact was ever near at two instants."""
    parts = []  # title, label of y, height, and what draws it
    for run in runs:
        if len(run.series) < 2 or not run.has_contacts:
            continue
        rows, names = rows_of(run), names_of(run.motions)
        title = f"Contact status{subject(runs)}" if len(runs) == 1 else run.label
        groups = sorted({(pair, obstacle) for pair, body, obstacle, _ in rows if body == 0})
        rigid = rigid_rows({key: row for key, row in rows.items() if key[1] > 0}, names)
        for pair, obstacle in groups:
            keys = [k for k in rows if k[1] == 0 and (k[0], k[2]) == (pair, obstacle)]
            if max(rows[key].max() for key in keys) <= 0:
                continue
            on = {0: f"surface, contact {pair + 1}", -1: f"elastic faces, contact {pair + 1}"}.get(
                obstacle) or names[obstacle - 1]
            more = f": elastic body on {on}" if len(groups) > 1 or rigid else ""
            parts.append((title + more, unit_label("place along the edge", run.units["length"]), 2.0,
                          lambda axes, run=run, keys=keys, rows=rows: draw_along_edge(
                              axes, run, keys, [rows[key] for key in keys])))
        if rigid:
            def draw(axes, run=run, rigid=rigid, is_first=not parts):
                n = len(rigid)
                draw_rows(axes, run, np.arange(n + 1) + 0.5, np.array(list(rigid.values())))
                axes.invert_yaxis()
                if n > MOST_NAMES:
                    axes.set_ylabel("number of the pair of bodies")
                    return
                axes.set_yticks(range(1, n + 1), list(rigid), fontsize=7.5)
                axes.hlines(np.arange(n - 1) + 1.5, *axes.get_xlim(), colors="white", linewidth=1.5)
                box, room = axes.get_position(), 0.065 * max(map(len, rigid)) / 6 + 0.02
                axes.set_position([room, box.y0, box.x1 - room, box.height])
                text = axes.get_title("left")
                axes.set_title(text, x=-(room - 0.1 / 6) / (box.x1 - room),
                               pad=6 + 0.2 * 72 * is_first, fontsize=min(10, 680 / len(text)))
            height = min(0.17 * len(rigid), 3.5) + 0.05
            more = ": rigid bodies" if groups else ""
            parts.append((title + more, "", height, draw))
    if not parts:
        return None
    figure, all_axes = panels(runs, *((title, label, height, 1 if i == 0 else 0)
                                      for i, (title, label, height, _) in enumerate(parts)))
    for axes, (_, _, _, draw) in zip(all_axes, parts):
        draw(axes)
    legend(all_axes[0], [Patch(color=fill, label=name)
                         for fill, name in zip(FILLS[1:], ("open", "stick", "slip"))])
    return Picture("statuses", figure, "What each contact point did in the steps that end at the "
                   "written instants, each drawn half way to the next; white: not near. Points of "
                   "elastic bodies stand at their place along the undeformed edge, with the body on "
                   "the left; what touches at none of the instants is left out.", "A chart of the status of the contacts, open, stick or slip, in space "
                   "and time.", "contact")


def footprint(run, most=4):
    """The closed contacts of elastic bodies in space, seen along the normals of most."""
    if run.dim == 2 or not run.has_elastic:
        return None
    closed = {k: (c.status > 0) & (c.pressure > 0) for k, c in (
        (k, run.contacts(k)) for k in range(len(run.series)))}
    shown = some_of([k for k, rows in closed.items() if rows.any()], most)
    if not shown:
        return None
    normal = np.concatenate([run.contacts(k).normal[closed[k]] for k in shown])
    axes_shown = np.delete(np.arange(3), np.argmax(abs(normal).sum(axis=0)))
    limit = max(run.contacts(k).pressure[closed[k]].max() for k in shown)
    longest = max(length(run.contacts(k).percussion[closed[k]][:, axes_shown]).max() for k in shown)
    at = {k: (run.contacts(k).points + run.contacts(k).displacement)[:, axes_shown] for k in shown}
    size = max(np.ptp(at[k][closed[k]], axis=0).max() for k in shown) or run.bodies.size
    rows = -(-len(shown) // 2)
    figure = Figure(figsize=(6.0, 0.5 + 2.6 * rows), layout="constrained")
    panels = figure.subplots(rows, min(len(shown), 2), squeeze=False)
    for axes, k in zip(panels.flat, shown):
        c, (x, y), mine = run.contacts(k), at[k].T, closed[k]
        for status, marker in ((1, "s"), (2, "o")):
            these = mine & (c.status == status)
            dots = axes.scatter(x[these], y[these], c=c.pressure[these], vmin=0, vmax=limit,
                                marker=marker, s=26, cmap="viridis", linewidths=0)
        push = c.percussion[mine][:, axes_shown].T * 0.2 * size / (longest or 1)
        axes.quiver(x[mine], y[mine], *push, angles="xy", scale_units="xy", scale=1, width=0.004,
                    color="#D55E00", minlength=0)
        middle = (at[k][mine].min(axis=0) + at[k][mine].max(axis=0)) / 2
        (a, b), (c, d) = (middle + 0.65 * size * np.array([[-1], [1]])).T
        axes.set(xlim=(a, b), ylim=(c, d), aspect="equal")
        axes.set_title("t = " + with_unit(short(run.series[k][0]), run.units["time"]), fontsize=9,
                       weight="normal")
        axes.set_xlabel(unit_label("xyz"[axes_shown[0]], run.units["length"]))
        axes.set_ylabel(unit_label("xyz"[axes_shown[1]], run.units["length"]))
    for axes in panels.flat[len(shown):]:
        axes.axis("off")
    figure.colorbar(dots, ax=panels, label=unit_label("pressure", run.units["stress"]), shrink=0.8)
    figure.suptitle(f"Closed contacts{subject([run])}", x=0.02, ha="left", fontsize=10,
                    weight="bold")
    return Picture("footprint", figure, "The closed contacts of elastic bodies: pressure as colour, "
                   "discs slip and squares stick; arrows: the friction on the bodies.",
                   "Maps of the contact points with their pressures and friction.", "contact")
