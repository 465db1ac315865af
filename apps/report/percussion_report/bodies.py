"""Pictures of the bodies: snapshots, successive positions, animation."""

import functools
import math
import textwrap

import matplotlib
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .scene import (Scaling, arrows, camera, colour_limit, is_round_off, length, longest_arrow,
                    normals_of, round_1_2_5, short, some_of, strips, view_box,
                    with_unit)
from .solids import DARK, Layer, picture
from .style import order_of_magnitude, power_of_ten

PALE, GREY, VERMILION = (0.77, 0.86, 0.93), (0.6,) * 3, (0.84, 0.37, 0.0)
GROUND, SHADOW = (0.88,) * 3, (0.72,) * 3
WIDTH, BAR, TITLE, FOOT = 6.0, 1.05, 0.52, 0.3  # sizes of the figure and of bands, inches


def edges_of(bodies, rigid):
    """Returns pairs of points, outlines of elastic bodies or of each rigid one; a bar is a line."""
    cell = np.repeat(np.arange(len(bodies.ends)), bodies.ends - bodies.begins)
    following = np.roll(bodies.corners, -1)
    following[bodies.ends - 1] = bodies.corners[bodies.begins]
    pairs = np.stack([bodies.corners, following], axis=1)[bodies.is_rigid[cell] == rigid]
    if rigid:
        return pairs
    _, first, count = np.unique(np.sort(pairs, axis=1), axis=0, return_index=True,
                                return_counts=True)
    return pairs[first[count == 1]]


class Look:
    """Appearance common to the pictures of a run.

    render: draws bodies in 3D as solids.picture.
    chosen: the drawn instants. field: quantity shown by colours, None for one colour; has_cell_colours: True
    for the stress of each cell, without means at the points; lowest,
    limit, largest: ends of the colour scale and maximum, for stress in the whole run, for other
    fields at the chosen instants; longest: percussion of the longest arrow; remarks: notes below
    the picture. In 3D: axes, directions to the right, upwards and to the viewer; angles: position
    of the viewer (degrees); plane: x, y, z and a number, beyond which the bodies are cut off.
    """

    def __init__(self, run, chosen, field=None, factor=None, cut_arrows=False, angles=None,
                 plane=None, render=picture):
        self.run, self.bodies, self.plane, self.render = run, run.bodies, plane, render
        samples = [run.instant(k)
                   for k in sorted({*some_of(range(len(run.series)), 25), *chosen})]
        displacements = [instant.displacement for instant in samples]
        self.scaling = Scaling(run.bodies, displacements, run.parameters, factor)
        self.surfaces, self.remarks = run.surfaces, []
        if not run.has_file("ground.vtu") and (run.contacts(chosen[0]).obstacle == 0).any():
            self.remarks.append("the ground is not drawn, because the run has no ground.vtu")
        self.set_colours(field or ("von_mises" if run.has_elastic else None), samples, chosen)
        largest = [length(run.contacts(k).percussion).max(initial=0.0) for k in chosen]
        self.longest = longest_arrow(largest) if cut_arrows else max(largest)
        self.cuts_arrows = self.longest < max(largest)
        self.resolution = 160 if cut_arrows else 260  # resolution of pictures in 3D, per inch
        if run.dim == 3:
            self.axes = self.viewer(samples, angles)
            return
        self.axes, self.cells = np.eye(2), []  # by number of corners: (indices, corners)
        self.outlines = {rigid: edges_of(run.bodies, rigid) for rigid in (False, True)}
        counts = run.bodies.ends - run.bodies.begins
        for n, rigid in np.unique(np.stack([counts, run.bodies.is_rigid]), axis=1).T:
            cells = np.flatnonzero((counts == n) & (run.bodies.is_rigid == rigid))
            self.cells.append((cells, run.bodies.corners[run.bodies.begins[cells][:, None]
                                                         + np.arange(n)]))

    def set_colours(self, field, samples, chosen):
        self.has_cell_colours = field == "cell_von_mises"
        field = "von_mises" if self.has_cell_colours else field
        self.field, self.lowest, self.limit, self.largest = field, 0.0, 0.0, 0.0
        if field == "von_mises":
            self.limit, _ = colour_limit([values[np.isfinite(values)]
                                          for values in map(self.at_points, samples)])
            self.largest = max(float(i.field(field).max()) for i in samples)
            motion = max(abs(i.displacement).max() for i in samples) / self.bodies.size
            if is_round_off(self.largest, self.run.parameters, motion):
                self.field = None
                self.remarks.insert(0, "the stress is round-off")
        elif field:
            fields = [self.run.instant(k).field(field) for k in chosen]
            self.lowest = min(float(values.min()) for values in fields)
            self.limit = self.largest = max(float(values.max()) for values in fields)

    def viewer(self, samples, angles):
        solids, weights = self.run.solids, None
        if self.run.has_elastic:
            stress = max((i.field("von_mises") for i in samples), key=lambda field: field.sum())
            weights = normals_of(self.bodies.points[solids.triangles]) * \
                (stress + 1e-9 * stress.max() + 1e-300)[solids.cell, None]
        return camera(self.run.parameters, [self.bodies.points + i.displacement for i in samples],
                      weights, angles)

    def at_points(self, instant):
        """Returns the field at the points; stress as in the files, or if they have it in the cells
        alone, as the mean over the cells at a point, weighted by their volumes. NaN: points of rigid
        bodies have no stress."""
        if self.field != "von_mises":
            return instant.field(self.field)
        bodies = self.bodies
        cells = np.repeat(np.arange(len(bodies.ends)), bodies.ends - bodies.begins)
        weights = self.volumes[cells]
        weight = np.bincount(bodies.corners, weights, len(bodies.points))
        stress = instant.nodal_von_mises()
        if stress is not None:
            return np.where(weight > 0, stress, np.nan)
        weighted = np.bincount(bodies.corners, weights * instant.field("von_mises")[cells],
                               len(bodies.points))
        return np.divide(weighted, weight, out=np.full(len(weight), np.nan), where=weight > 0)

    @functools.cached_property
    def volumes(self):
        """Returns the areas or volumes of the undeformed cells; 0 for rigid bodies."""
        bodies = self.bodies
        if self.run.dim == 3:
            sizes = self.run.solids.volumes
        else:
            x, y = bodies.points[bodies.corners].T
            following = np.arange(1, len(bodies.corners) + 1)
            following[bodies.ends - 1] = bodies.begins
            sizes = abs(np.add.reduceat(x * y[following] - y * x[following], bodies.begins)) / 2
        return np.where(bodies.is_rigid, 0.0, sizes)

    def flat(self, points):
        """Returns the positions of points in the picture."""
        return points @ self.axes[:2].T

    def layout(self, k):
        """Returns positions of the bodies' points and of the contacts at instant k, and the
        displacement of the ground."""
        return self.scaling.positions(self.run.instant(k).displacement, self.run.contacts(k))

    def view(self, numbers):
        """Returns the box of pictures of these instants, and the bodies outside of it."""
        layouts = {k: self.layout(k) for k in numbers}
        low, high, left_out = view_box(self.bodies, [points for points, _, _ in layouts.values()])
        size = max(high - low)
        spots, tails = [low[None], high[None]], []
        for k, (_, tips, offset) in layouts.items():
            contacts = self.run.contacts(k)
            tails.append(tips - arrows(contacts.percussion, self.longest, self.bodies.reach(size)))
            feet = (contacts.points + contacts.displacement + offset
                    - (contacts.gap + 0.03 * size)[:, None] * contacts.normal)
            spots.append(feet[(contacts.obstacle == 0) & (contacts.gap < size)])
        spots = np.concatenate(spots + (tails if self.run.dim == 2 else []))
        spots = spots[((spots > low - size) & (spots < high + size)).all(axis=1)]
        for surface in self.surfaces.values():
            box = np.array(surface.box(self.run.series[0][0]))
            if np.ptp(box, axis=0).max() < 2 * size:  # the whole surface is shown
                spots = np.concatenate([spots, box])
        low, high = spots.min(axis=0), spots.max(axis=0)
        if self.run.dim == 3:
            low, high = self.view_3d(layouts, left_out, low, high, tails)
            return low - 0.02 * max(high - low), high + 0.02 * max(high - low), left_out
        if self.shows_undeformed(low, high):
            low = np.minimum(low, self.bodies.points.min(axis=0))
            high = np.maximum(high, self.bodies.points.max(axis=0))
        margin = 0.02 * max(high - low) + np.maximum(0.05 * max(high - low) - (high - low), 0)
        return low - margin, high + margin, left_out

    def view_3d(self, layouts, left_out, low, high, tails):
        """Returns the box in 3D; `margin`: bounding box of the ground."""
        upwards = abs(self.axes[1]) == abs(self.axes[1]).max()
        margin = np.where(upwards, 0.0, 0.15 * max(high - low))
        self.ground_box = low - margin, high + margin
        is_visible = ~np.isin(self.bodies.component, left_out)
        spots = [points[is_visible] for points, _, _ in layouts.values()]
        spots += [piece.reshape(-1, 3) for s in self.surfaces.values() if s.is_flat for piece in
                  s.pieces(self.run.series[min(layouts)][0], *self.ground_box)]
        spots = self.flat(np.concatenate(spots + tails))
        return spots.min(axis=0), spots.max(axis=0)

    def shows_undeformed(self, low, high):
        """True if the outline of undeformed elastic bodies is in or near this box."""
        points, margin = self.bodies.points, 0.3 * max(high - low)
        return self.run.dim == 2 and self.run.has_elastic and bool(
            ((points > low - margin) & (points < high + margin)).all())

    def draw(self, axes, k, low, high, undeformed=True):
        """Draws instant k into axes that show the box only."""
        instant, contacts = self.run.instant(k), self.run.contacts(k)
        points, tips, offset = self.layout(k)
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
        axes.axis("off")
        is_hidden = np.zeros(len(tips), dtype=bool)
        if self.run.dim == 3:
            is_hidden = self.draw_solids(axes, instant, points, offset, low, high, tips)
        else:
            self.draw_ground(axes, instant.time, offset, low, high)
            self.draw_cells(axes, points, instant, (high[0] - low[0]) / inches(axes)[0])
        if undeformed and self.shows_undeformed(low, high):
            for outline in self.outlines.values():
                axes.add_collection(LineCollection(self.bodies.points[outline], colors=[GREY],
                                                   linewidths=0.9, zorder=3.5))
        reach = self.bodies.reach(max(high - low))
        arrow = arrows(contacts.percussion, self.longest, reach)
        for selected, strength in ((is_hidden, 0.35), (~is_hidden, 1)):
            is_drawn = arrow.any(axis=1) & selected
            draw_arrows(axes, self.flat(tips[is_drawn]), self.flat(arrow[is_drawn]), reach,
                        strength)

    def draw_ground(self, axes, time, offset, low, high):
        for surface in self.surfaces.values():
            lines = surface.pieces(time, low, high, offset)
            axes.add_collection(PolyCollection(
                strips(lines, 0.025 * max(high - low)), facecolors=GROUND, edgecolors=GROUND,
                linewidths=0.5, zorder=1))
            axes.add_collection(LineCollection(lines, colors=[DARK], linewidths=1.2, zorder=1.1,
                                               capstyle="round"))

    def draw_cells(self, axes, points, instant, inch):
        """Draws cells. Their edges are drawn unless they would cover the colours."""
        field = None
        if self.field:
            field = instant.field(self.field) if self.has_cell_colours else self.at_points(instant)
        sides = [length(points[c] - points[np.roll(c, 1, axis=1)]).min(axis=1)
                 for cells, c in self.cells if not self.bodies.is_rigid[cells[0]]]
        with_edges = field is not None and len(sides) > 0 and len(self.bodies.ends) < 60000 and \
            np.concatenate(sides).mean() > 0.03 * inch
        for cells, corners in self.cells:
            rigid, is_large = self.bodies.is_rigid[cells[0]], len(cells) > 20000
            style = {"facecolors": [PALE], "edgecolors": [PALE], "linewidths": 0.2}
            colours = {"cmap": "viridis", "clim": (self.lowest, self.limit)}
            if field is not None and corners.shape[1] > 2 and (self.field != "von_mises" or not rigid):
                fan = [corners[:, [0, i, i + 1]] for i in range(1, corners.shape[1] - 1)]
                own = {"facecolors": np.tile(field[cells], len(fan))} if self.has_cell_colours else \
                    {"shading": "gouraud"}
                axes.tripcolor(*points.T, np.concatenate(fan), *([] if self.has_cell_colours else [field]),
                               zorder=2, rasterized=is_large, **own, **colours)
                style = {"facecolors": "none", "edgecolors": "none"}
            if with_edges and not rigid:
                style.update(edgecolors=[DARK], linewidths=0.25)
            axes.add_collection(PolyCollection(points[corners], zorder=2.1, rasterized=is_large,
                                               **style))
        for rigid in (False, True):
            if len(self.outlines[rigid]) and (rigid or not with_edges):
                axes.add_collection(LineCollection(points[self.outlines[rigid]], colors=[DARK],
                                                   linewidths=1.0, zorder=3))

    def layers(self, instant, points, offset, scale):
        """Returns the visible layers in 3D: the bodies, a cut through them, the ground and shadows
        on it, with values from 0 to 1; `scale`: pixels of a length."""
        solids = self.run.solids
        norm = matplotlib.colors.Normalize(self.lowest, self.limit or 1)
        field = norm(self.at_points(instant)).data if self.field else np.full(len(points), np.nan)
        corners, excess = points[solids.triangles], -1.0
        elastic = ~self.bodies.is_rigid[solids.cell, None]
        values = field[solids.triangles]
        if self.has_cell_colours:
            field = np.where(self.bodies.is_rigid, np.nan, norm(instant.field(self.field)).data)
            values = field[solids.cell, None]
        side = length(corners - np.roll(corners, -1, axis=1))[solids.meshed & elastic]
        shows_cells = self.field and len(side) and side.mean() * scale >= 0.03 * self.resolution
        edges = np.where(elastic & bool(shows_cells), solids.meshed, solids.outlines)
        if self.plane is not None:
            excess = (self.bodies.points @ self.plane[:3] - self.plane[3])[solids.triangles]
            piece, cell, ends, weights = solids.section(points, self.plane)
            yield Layer(piece, PALE, field[cell, None] if self.has_cell_colours else
                        (weights * field[ends][:, None]).sum(axis=2))
        yield Layer(corners, PALE, values, edges, solids.normals(points), excess)
        for surface in self.surfaces.values():
            piece = surface.pieces(instant.time, *self.ground_box, offset)
            yield Layer(piece, GROUND)
            if surface.is_flat and len(piece):
                normal = surface.normal(instant.time)
                height = (corners - piece[0, 0]) @ normal - 1e-3 * self.bodies.size
                lit = (normals_of(corners) @ normal > 0) & (height > 0).any(axis=1)
                yield Layer((corners - height[..., None] * normal)[lit], SHADOW,
                            normals=normal,
                            excess=np.broadcast_to(excess, height.shape)[lit])

    def draw_solids(self, axes, instant, points, offset, low, high, tips):
        """Draws the bodies. Returns True for each arrow whose tip is hidden."""
        wide, tall = (int(self.resolution * side) for side in inches(axes))
        scale = wide / (high[0] - low[0])  # pixels

        def in_pixels(points):
            return (points @ self.axes.T - [*low, 0]) * scale

        image, depth = self.render(self.layers(instant, points, offset, scale), in_pixels, self.axes,
                                   wide, tall, matplotlib.colormaps["viridis"])
        axes.imshow(image, extent=(low[0], high[0], low[1], high[1]), origin="lower", zorder=2,
                    interpolation="antialiased")
        x, y, z = in_pixels(tips).T
        pixel = np.clip(y, 0, tall - 1).astype(int), np.clip(x, 0, wide - 1).astype(int)
        return z < depth[pixel] - 0.01 * wide


def inches(axes):
    """Returns width and height."""
    return axes.get_position().size * axes.figure.get_size_inches()


def draw_arrows(axes, tips, vectors, longest, strength=1):
    """Draws arrows that end at their points and do not cover the bodies' colours."""
    if len(tips) == 0:
        return
    spacing = np.ptp(tips, axis=0).max() / max(len(tips) - 1, 1) or longest
    width = min(max(0.18 * spacing, 0.035 * longest), 0.05 * longest)
    axes.quiver(*tips.T, *vectors.T, pivot="tip", angles="xy", scale_units="xy", scale=1,
                units="xy", width=width, color=VERMILION, alpha=strength, zorder=4, headwidth=4,
                headlength=5, headaxislength=5, minshaft=1.5, minlength=0)


# ---- Figures -------------------------------------------------------------------------------------


def axes_at(figure, left, bottom, wide, tall):
    """Adds axes at a position in inches."""
    height = figure.get_figheight()
    return figure.add_axes([left / WIDTH, bottom / height, wide / WIDTH, tall / height])


def band(figure, bottom, tall):
    """Adds axes without frame over the whole width, whose unit is the inch."""
    axes = axes_at(figure, 0.1, bottom, WIDTH - 0.2, tall)
    axes.set(xlim=(0, WIDTH - 0.2), ylim=(0, tall))
    axes.axis("off")
    return axes


def scenes(entries, low, high, title, columns=1, rows=1, highest=4.3, undeformed=True):
    """Returns a figure of scenes side by side, (look, instant, heading), of this box."""
    look = entries[0][0]
    wide = (WIDTH - 0.1 - (BAR if look.field else 0.1)) / columns - 0.06
    headings = [wrapped(words, wide, 9) for _, _, words in entries]
    labels = max(0.25 + 0.15 * words.count("\n") if words else 0.0 for words in headings)
    title = wrapped(f"{title}, {look.scaling.words()}", WIDTH - 0.2, 9 * 1.12)
    head = TITLE + 0.16 * title.count("\n")
    tall = wide * (high[1] - low[1]) / (high[0] - low[0])
    if rows * (tall + labels) > highest:
        tall = highest / rows - labels
    tall = max(tall, 1.8 if look.field and rows == 1 else 0.2)
    body = rows * (tall + labels)
    figure = Figure(figsize=(WIDTH, head + body + FOOT))
    # the box in the proportions of the axes, with the same centre
    middle, scale = (low + high) / 2, max((high[0] - low[0]) / wide, (high[1] - low[1]) / tall)
    half = 0.5 * scale * np.array([wide, tall])
    panels = [axes_at(figure, 0.1 + n % columns * (wide + 0.06),
                      FOOT + body - (n // columns + 1) * (tall + labels), wide, tall)
              for n in range(len(entries))]
    add_scale(figure, scale, look.run.units["length"])
    if look.field:
        add_colours(figure, look, body)
    for axes, words, (its_look, k, _) in zip(panels, headings, entries):
        its_look.draw(axes, k, middle - half, middle + half, undeformed)
        if words:
            axes.set_title(words, loc="left", fontsize=9, pad=3, weight="normal")
    add_title(figure, look, title, head, look.bodies.reach(2 * max(half)) / scale)
    return figure


def wrapped(words, width, points):
    """Returns a text broken into lines of this width in inches, for a font of this size."""
    return textwrap.fill(words, max(int(width * 72 / (0.6 * points)), 1))


def add_scale(figure, scale, unit):
    """Adds a bar of a round length in the lower left corner; `scale`: length in an inch."""
    axes, size = band(figure, 0, FOOT), round_1_2_5(0.9 * scale)
    end = size / scale
    axes.plot([0, 0, 0, end, end, end], [0.09, 0.19, 0.14, 0.14, 0.19, 0.09], color="black",
              linewidth=1.2)
    axes.text(end + 0.08, 0.14, with_unit(short(size), unit), va="center")


def add_colours(figure, look, body):
    unit = look.run.units[{"von_mises": "stress", "pressure": "stress",
                           "displacement": "length"}.get(look.field, look.field)]
    is_cut = look.limit < look.largest
    tall = min(body, 3.2) - 0.62
    bottom = FOOT + (body - tall - 0.62) / 2
    colours = matplotlib.cm.ScalarMappable(
        matplotlib.colors.Normalize(look.lowest, look.limit or 1), "viridis")
    bar = figure.colorbar(colours, cax=axes_at(figure, WIDTH - BAR + 0.15, bottom, 0.16, tall),
                          extend="max" if is_cut else "neither")
    bar.locator = MaxNLocator(6)
    bar.formatter.set_powerlimits((-2, 4))
    bar.update_ticks()
    power = order_of_magnitude(bar.ax.yaxis)
    if power:
        unit = f"{power_of_ten(power)} {unit}".strip()
    words = look.field.replace("von_mises", "von Mises\nstress") + (f"\n({unit})" if unit else "")
    if is_cut:
        words += f"\nup to {short(look.largest / 10 ** power)}"
    figure.text(1 - (BAR - 0.12) / WIDTH,
                (bottom + tall + (0.18 if is_cut else 0.08)) / figure.get_figheight(), words,
                fontsize=8, va="bottom", linespacing=1.1)


def add_title(figure, look, title, head, longest):
    """Adds the title and below it the meaning of the longest arrow, of this number of inches, in a band
    of height `head`."""
    height = figure.get_figheight()
    figure.text(0.1 / WIDTH, 1 - 0.08 / height, title, weight="bold", va="top")
    if look.longest:
        axes = band(figure, height - head, 0.24)
        draw_arrows(axes, np.array([[longest, 0.12]]), np.array([[longest, 0.0]]), longest)
        axes.text(longest + 0.1, 0.12, "percussion of a contact, "
                  + with_unit(short(look.longest), look.run.units["percussion"])
                  + (" or more" if look.cuts_arrows else ""), va="center")


def time_text(look, k, digits=4):
    return f"t = {with_unit(short(look.run.series[k][0], digits), look.run.units['time'])}"


def snapshot(look, k):
    """Returns a figure of the bodies at instant k."""
    low, high, left_out = look.view([k])
    title = f"{look.run.label}, {time_text(look, k, 6)}"
    return scenes([(look, k, "")], low, high, title), left_out


def positions(look, numbers):
    """Returns a figure of the bodies at several instants, side by side."""
    low, high, left_out = look.view(numbers)
    (wide, tall), n = high - low, len(numbers)
    for columns in range(1, 7):
        rows = math.ceil(n / columns)
        if rows * (WIDTH / columns * tall / wide + 0.25) < 6.0:
            break
    entries = [(look, k, time_text(look, k)) for k in numbers]
    return scenes(entries, low, high, f"{look.run.label}, successive positions",
                  math.ceil(n / rows), rows, 6.0), left_out


def notable(run, max_snapshots=4):
    """Returns the instants of the snapshots: start, end, the largest force of the contacts, the largest
    strain energy, and further instants in the largest intervals between them."""
    most_strained = run.nearest(run.table["time"][np.argmax(run.table["strain"])])
    times, n = np.array([time for time, _ in run.series]), len(run.series)
    chosen = sorted({0, most_strained, run.hardest, n - 1})
    while len(chosen) < min(max_snapshots, n):
        unseen = np.setdiff1d(np.arange(n), chosen)
        i = np.argmax(np.diff(times[chosen]) * (np.diff(chosen) > 1))
        middle = (times[chosen[i]] + times[chosen[i + 1]]) / 2
        chosen = sorted({*chosen, int(unseen[np.argmin(abs(times[unseen] - middle))])})
    return chosen


def frames(looks, max_frames):
    """Yields the times and the figures of an animation one after the other: of equal intervals of time
    the instants at which the contacts press most. Runs stand side by side on the same scale."""
    for look in looks:
        look.scaling.factor, look.lowest = looks[0].scaling.factor, min(x.lowest for x in looks)
        look.limit, look.longest = (max(getattr(peer, name) for peer in looks)
                                    for name in ("limit", "longest"))
    longest = max(looks, key=lambda look: (look.run.series[-1][0], len(look.run.series)))
    times = [longest.run.series[k][0] for k in longest.run.eventful(max_frames)]
    boxes = [look.view(some_of(sorted({look.run.nearest(t) for t in times}), 20)) for look in looks]
    low = np.min([box[0] for box in boxes], axis=0)
    high = np.max([box[1] for box in boxes], axis=0)
    is_comparison = len(looks) > 1
    for t in times:
        title = ("" if is_comparison else looks[0].run.label + ", ") + time_text(
            longest, longest.run.nearest(t))
        yield t, scenes([(look, look.run.nearest(t), look.run.label if is_comparison else "")
                         for look in looks], low, high, title, len(looks), undeformed=False)
