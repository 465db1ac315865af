"""Pictures of the bodies: snapshots, successive positions, animation."""

import math

import matplotlib
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .scene import (Scaling, arrows, camera, colour_limit, is_round_off, length, longest_arrow,
                    normals_of, round_1_2_5, short, some_of, strips, surfaces_of, view_box,
                    with_unit)
from .solids import edge_distance, front, shaded
from .style import power_of_ten

PALE, DARK, GREY, VERMILION = (0.77, 0.86, 0.93), (0.2,) * 3, (0.6,) * 3, (0.84, 0.37, 0.0)
GROUND, SHADOW = (0.88,) * 3, (0.72,) * 3
WIDTH, BAR, TITLE, FOOT = 6.0, 1.05, 0.52, 0.3  # of the figure and of bands, inches


def edges_of(bodies, rigid):
    """Pairs of points: the outline of elastic bodies, or of each rigid one; bars are lines."""
    cell = np.repeat(np.arange(len(bodies.ends)), bodies.ends - bodies.begins)
    following = np.roll(bodies.corners, -1)
    following[bodies.ends - 1] = bodies.corners[bodies.begins]
    pairs = np.stack([bodies.corners, following], axis=1)[bodies.is_rigid[cell] == rigid]
    if rigid:
        return pairs
    pairs, count = np.unique(np.sort(pairs, axis=1), axis=0, return_counts=True)
    return pairs[count == 1]


class Look:
    """What the pictures of a run have in common.

    chosen: the instants that are drawn. field: what colours the bodies, None: nothing; lowest,
    limit, largest: ends of the colours and maximum, of stress in the run, of others at the chosen
    instants; longest: percussion of the longest arrow; remarks: what else is to be told. In space:
    axes, directions to the right, upwards and to the viewer, who may stand at `angles` (degrees);
    plane: x, y, z and a number, beyond which the bodies are cut off.
    """

    def __init__(self, run, chosen, field=None, factor=None, cut_arrows=False, angles=None,
                 plane=None):
        self.run, self.bodies, self.remarks, self.plane = run, run.bodies, [], plane
        samples = [run.instant(k)
                   for k in sorted({*some_of(range(len(run.series)), 25), *chosen})]
        ways = [instant.displacement for instant in samples]
        self.scaling = Scaling(run.bodies, ways, run.parameters, factor)
        self.field = field or ("von_mises" if run.has_elastic else None)
        self.lowest = self.limit = self.largest = 0.0
        if self.field == "von_mises":
            self.limit, self.largest = colour_limit([i.field(self.field) for i in samples])
        elif self.field:
            fields = [run.instant(k).field(self.field) for k in chosen]
            self.lowest = min(float(field.min()) for field in fields)
            self.limit = self.largest = max(float(field.max()) for field in fields)
        way = max(abs(u).max() for u in ways) / run.bodies.size
        if self.field == "von_mises" and is_round_off(self.largest, run.parameters, way):
            self.field = None
            self.remarks.append("the stress is round-off")
        self.surfaces, remarks = surfaces_of(run.parameters, run.dim)
        self.remarks += remarks
        largest = [length(run.contacts(k).percussion).max(initial=0.0) for k in chosen]
        self.longest = longest_arrow(largest) if cut_arrows else max(largest)
        self.cuts_arrows = self.longest < max(largest)
        self.resolution = 160 if cut_arrows else 260  # of pictures in space, per inch
        if run.dim == 3:
            self.axes = self.viewer(samples, ways, angles)
            return
        self.axes, self.cells = np.eye(2), []  # by their number of corners: (numbers, corners)
        self.outlines = {rigid: edges_of(run.bodies, rigid) for rigid in (False, True)}
        counts = run.bodies.ends - run.bodies.begins
        for n, rigid in np.unique(np.stack([counts, run.bodies.is_rigid]), axis=1).T:
            cells = np.flatnonzero((counts == n) & (run.bodies.is_rigid == rigid))
            self.cells.append((cells, run.bodies.corners[run.bodies.begins[cells][:, None]
                                                         + np.arange(n)]))

    def viewer(self, samples, ways, angles):
        solids, weights = self.run.solids, None
        if self.run.has_elastic:
            stress = max((i.field("von_mises") for i in samples), key=lambda field: field.sum())
            weights = normals_of(self.bodies.points[solids.triangles]) * \
                (stress + 1e-9 * stress.max() + 1e-300)[solids.cell, None]
        return camera(self.run.parameters, [self.bodies.points + u for u in ways], weights, angles)

    def reach(self, size):
        """Of the longest arrow, in a picture of this size."""
        return min(0.12 * size, 1.5 * float(np.median(self.bodies.sizes)))

    def flat(self, points):
        """Where points are in the picture."""
        return points @ self.axes[:2].T

    def place(self, k):
        """Places of the bodies' points and of the contacts at instant k, and how far the ground is
        moved."""
        instant, contacts = self.run.instant(k), self.run.contacts(k)
        ground = contacts.obstacle == 0
        at, offset = self.scaling.shown(instant.displacement, [
            values[ground] for values in (contacts.points, contacts.displacement, contacts.gap,
                                          contacts.normal)])
        points = self.bodies.points + at(self.bodies.points, instant.displacement, self.bodies.part)
        part = np.zeros(len(contacts.points), dtype=int)
        if self.scaling.factor != 1 and len(part):
            part = self.bodies.part[self.scaling.nearest(contacts.points.tobytes())]
        return points, contacts.points + at(contacts.points, contacts.displacement, part), offset

    def view(self, numbers):
        """Box of pictures of these instants, and the parts that it leaves out."""
        places = {k: self.place(k) for k in numbers}
        low, high, left_out = view_box(self.bodies, [points for points, _, _ in places.values()])
        size = max(high - low)
        spots, tails = [low, high], []
        for k, (_, at, offset) in places.items():
            contacts = self.run.contacts(k)
            tails += list(at - arrows(contacts.percussion, self.longest, self.reach(size)))
            near = (contacts.obstacle == 0) & (contacts.gap < size)
            feet = (contacts.points + contacts.displacement + offset
                    - (contacts.gap + 0.03 * size)[:, None] * contacts.normal)
            spots += list(feet[near])
        spots = np.array(spots + (tails if self.run.dim == 2 else []))
        spots = spots[((spots > low - size) & (spots < high + size)).all(axis=1)]
        for surface in self.surfaces.values():
            if " of " in surface.kind and surface.radius < size:
                reach = 1.05 * surface.radius * surface.across.max(axis=0)
                centre = surface.point + surface.at(self.run.series[0][0])
                spots = np.concatenate([spots, [centre - reach, centre + reach]])
        low, high = spots.min(axis=0), spots.max(axis=0)
        if self.run.dim == 3:
            return self.view_in_space(places, left_out, low, high, tails)
        if self.shows_undeformed(low, high):
            low = np.minimum(low, self.bodies.points.min(axis=0))
            high = np.maximum(high, self.bodies.points.max(axis=0))
        room = 0.02 * max(high - low) + np.maximum(0.05 * max(high - low) - (high - low), 0)
        return low - room, high + room, left_out

    def view_in_space(self, places, left_out, low, high, tails):
        """`room` is where the ground is drawn."""
        up = abs(self.axes[1]) == abs(self.axes[1]).max()
        margin = np.where(up, 0.0, 0.15 * max(high - low))
        self.room = low - margin, high + margin
        shown = ~np.isin(self.bodies.part, left_out)
        spots = [points[shown] for points, _, _ in places.values()]
        spots += [piece.reshape(-1, 3) for s in self.surfaces.values() if s.is_flat for piece in
                  s.pieces(self.run.series[min(places)][0], *self.room)]
        spots = self.flat(np.concatenate(spots + ([tails] if tails else [])))
        low, high = spots.min(axis=0), spots.max(axis=0)
        return low - 0.02 * max(high - low), high + 0.02 * max(high - low), left_out

    def shows_undeformed(self, low, high):
        """Whether the outline of undeformed elastic bodies is in or near this box."""
        before, near = self.bodies.points, 0.3 * max(high - low)
        return self.run.dim == 2 and self.run.has_elastic and \
            (before.min(axis=0) > low - near).all() and \
            (before.max(axis=0) < high + near).all()

    def draw(self, axes, k, low, high, undeformed=True):
        """Draws instant k into axes, which show the box and nothing else."""
        instant, contacts = self.run.instant(k), self.run.contacts(k)
        points, at, offset = self.place(k)
        size = max(high - low)
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
        axes.axis("off")
        hidden = np.zeros(len(at), dtype=bool)
        if self.run.dim == 3:
            hidden = self.draw_solids(axes, instant, points, offset, low, high, at)
        else:
            self.draw_ground(axes, instant.time, offset, low, high)
            self.draw_cells(axes, points, instant.field(self.field) if self.field else None,
                            (high[0] - low[0]) / inches(axes)[0])
        if undeformed and self.shows_undeformed(low, high):
            for outline in self.outlines.values():
                axes.add_collection(LineCollection(self.bodies.points[outline], colors=[GREY],
                                                   linewidths=0.9, zorder=3.5))
        arrow = arrows(contacts.percussion, self.longest, self.reach(size))
        for which, strength in ((hidden, 0.35), (~hidden, 1)):
            shown = arrow.any(axis=1) & which
            draw_arrows(axes, self.flat(at[shown]), self.flat(arrow[shown]), self.reach(size),
                        strength)

    def draw_ground(self, axes, time, offset, low, high):
        for surface in self.surfaces.values():
            lines = surface.pieces(time, low, high, offset)
            axes.add_collection(PolyCollection(
                strips(lines, 0.025 * max(high - low)), facecolors=GROUND, edgecolors=GROUND,
                linewidths=0.5, zorder=1))
            axes.add_collection(LineCollection(lines, colors=[DARK], linewidths=1.2, zorder=1.1,
                                               capstyle="round"))

    def layers(self, instant, points, offset):
        """What may be seen in space: triangles, values at their corners (not a number: none),
        colour, which edges are drawn, normals, how far beyond the cut."""
        solids, field = self.run.solids, instant.field(self.field) if self.field else None
        is_rigid = self.bodies.is_rigid

        def values(cell, triangles=None):
            if field is None:
                return np.full((len(cell), 3), np.nan)
            if len(field) == len(points) != len(is_rigid) and triangles is not None:
                return field[triangles]
            if len(field) != len(is_rigid):  # points of cells
                mean = np.add.reduceat(field[self.bodies.corners], self.bodies.begins)
                return np.repeat((mean / np.diff(self.bodies.ends, prepend=0))[cell, None], 3, 1)
            of_cell = np.where(is_rigid & (self.field == "von_mises"), np.nan, field)
            return np.repeat(of_cell[cell, None], 3, axis=1)

        at = points[solids.triangles]
        side = length(at - np.roll(at, -1, axis=1))[solids.meshed & ~is_rigid[solids.cell, None]]
        fine = field is None or not len(side) or side.mean() * self.scale < 0.03 * self.resolution
        edges = np.where(is_rigid[solids.cell, None] | fine, solids.outlines, solids.meshed)
        normals, beyond = solids.normals(points), np.full(solids.triangles.shape, -1.0)
        if self.plane is not None:
            beyond = (self.bodies.points @ self.plane[:3] - self.plane[3])[solids.triangles]
            piece, cell = solids.section(points, self.plane)
            nothing = np.zeros((len(piece), 3))
            yield (piece, values(cell), PALE, nothing > 1,
                   np.repeat(normals_of(piece)[:, None], 3, axis=1), nothing)
        yield at, values(solids.cell, solids.triangles), PALE, edges, normals, beyond
        for surface in self.surfaces.values():
            piece = surface.pieces(instant.time, *self.room, offset)
            nothing = np.zeros((len(piece), 3))
            yield (piece, nothing * np.nan, GROUND, nothing > 1,
                   np.repeat(normals_of(piece)[:, None], 3, axis=1), nothing)
            if surface.is_flat and len(piece):
                above = (at - piece[0, 0]) @ surface.normal - 1e-3 * self.bodies.size
                lit = (normals_of(at) @ surface.normal > 0) & (above > 0).any(axis=1)
                yield ((at - above[..., None] * surface.normal)[lit],
                       np.full((lit.sum(), 3), np.nan), SHADOW, edges[lit] & False,
                       np.broadcast_to(surface.normal, at[lit].shape), beyond[lit])

    def draw_solids(self, axes, instant, points, offset, low, high, tips):
        """Returns which of the tips of arrows are hidden."""
        wide, tall = (int(self.resolution * side) for side in inches(axes))
        self.scale = wide / (high[0] - low[0])  # pixels
        layers = list(self.layers(instant, points, offset))
        corners, values, edges, normals, beyond = (
            np.concatenate([layer[i] for layer in layers]) for i in (0, 1, 3, 4, 5))
        colours = np.concatenate([np.tile(layer[2], (len(layer[0]), 1)) for layer in layers])
        corners = (corners @ self.axes.T - [*low, 0]) * self.scale
        number, inside, depth = front(corners, wide, tall, beyond)
        seen = np.flatnonzero(number >= 0)
        t, inside = number[seen], inside[seen]
        value, colour = (inside * values[t]).sum(axis=1), colours[t]
        has_value = np.isfinite(value)
        norm = matplotlib.colors.Normalize(self.lowest, self.limit or 1)
        colour[has_value] = matplotlib.colormaps["viridis"](norm(value[has_value]))[:, :3]
        colour = shaded(colour, (inside[..., None] * normals[t]).sum(axis=1) @ self.axes.T)
        far = np.where(edges[t], edge_distance(corners, t, inside), np.inf).min(axis=1)
        line = np.clip(0.8 + 0.5 - far, 0, 1)[:, None] * 0.8
        image = np.ones((tall * wide, 4)) * [1, 1, 1, 0]
        image[seen] = np.column_stack([colour + line * (np.array(DARK) - colour), np.ones(len(t))])
        axes.imshow(image.reshape(tall, wide, 4), extent=(low[0], high[0], low[1], high[1]),
                    origin="lower", zorder=2, interpolation="antialiased")
        x, y, z = ((tips @ self.axes.T - [*low, 0]) * self.scale).T
        pixel = np.clip(y, 0, tall - 1).astype(int) * wide + np.clip(x, 0, wide - 1).astype(int)
        return z < depth[pixel] - 0.01 * wide

    def draw_cells(self, axes, points, field, inch):
        """With edges of cells where these do not hide the colours."""
        shortest = np.concatenate([np.hypot(*(points[c] - points[np.roll(c, 1, axis=1)]).T).min(0)
                                   for _, c in self.cells])
        elastic = ~self.bodies.is_rigid[np.concatenate([cells for cells, _ in self.cells])]
        with_edges = field is not None and elastic.any() and len(shortest) < 60000 and \
            shortest[elastic].mean() > 0.03 * inch
        for cells, corners in self.cells:
            style = {"facecolors": [PALE], "edgecolors": [PALE], "linewidths": 0.2}
            if self.field == "von_mises" and self.bodies.is_rigid[cells[0]]:
                pass
            elif field is not None and len(field) == len(points) != len(self.bodies.ends) and \
                    corners.shape[1] > 2:
                fan = [corners[:, [0, i, i + 1]] for i in range(1, corners.shape[1] - 1)]
                axes.tripcolor(*points.T, np.concatenate(fan), field, shading="gouraud",
                               cmap="viridis", clim=(self.lowest, self.limit), zorder=2,
                               rasterized=len(cells) > 20000)
                style = {"facecolors": "none", "edgecolors": "none"}
            elif field is not None:
                style = {"array": field[cells], "cmap": "viridis", "edgecolors": "face",
                         "clim": (self.lowest, self.limit), "linewidths": 0.3}
            if with_edges and not self.bodies.is_rigid[cells[0]]:
                style.update(edgecolors=[DARK], linewidths=0.25)
            axes.add_collection(PolyCollection(points[corners], zorder=2.1,
                                               rasterized=len(cells) > 20000, **style))
        for rigid in (False, True):
            if len(self.outlines[rigid]) and (rigid or not with_edges):
                axes.add_collection(LineCollection(points[self.outlines[rigid]], colors=[DARK],
                                                   linewidths=1.0, zorder=3))


def inches(axes):
    """Width and height."""
    return axes.get_position().size * axes.figure.get_size_inches()


def draw_arrows(axes, tips, vectors, longest, strength=1):
    """Arrows that end at their points, and hide none of the bodies' colours."""
    if len(tips) == 0:
        return
    spacing = np.ptp(tips, axis=0).max() / max(len(tips) - 1, 1) or longest
    width = min(max(0.18 * spacing, 0.035 * longest), 0.05 * longest)
    axes.quiver(*tips.T, *vectors.T, pivot="tip", angles="xy", scale_units="xy", scale=1,
                units="xy", width=width, color=VERMILION, alpha=strength, zorder=4, headwidth=4,
                headlength=5, headaxislength=5, minshaft=1.5, minlength=0)


def new_figure(look, low, high, columns=1, rows=1, labels=0.0, highest=4.3):
    """A figure with an array of axes for scenes of this box; and axes below for the scale."""
    right = BAR if look.field else 0.1
    wide = (WIDTH - 0.1 - right) / columns - 0.06
    tall = wide * (high[1] - low[1]) / (high[0] - low[0])
    if rows * (tall + labels) > highest:
        tall = highest / rows - labels
    tall = max(tall, 1.8 if look.field and rows == 1 else 0.2)
    body = rows * (tall + labels)
    height = TITLE + body + FOOT
    figure = Figure(figsize=(WIDTH, height))
    panels = []
    for i in range(rows):
        for j in range(columns):
            panels.append(figure.add_axes([
                (0.1 + j * (wide + 0.06)) / WIDTH,
                (FOOT + body - (i + 1) * (tall + labels)) / height, wide / WIDTH, tall / height]))
    # The box in the proportions of the axes, on its middle.
    middle, scale = (low + high) / 2, max((high[0] - low[0]) / wide, (high[1] - low[1]) / tall)
    half = 0.5 * scale * np.array([wide, tall])
    add_scale(figure, scale, height, look.run.units["length"])
    if look.field:
        add_colours(figure, look, body, height)
    return figure, panels, middle - half, middle + half, scale


def add_scale(figure, scale, height, unit):
    """A bar of a round length in the lower left corner; `scale`: length in an inch."""
    length = round_1_2_5(0.9 * scale)
    axes = figure.add_axes([0.1 / WIDTH, 0, 1 - 0.2 / WIDTH, FOOT / height])
    axes.set(xlim=(0, WIDTH - 0.2), ylim=(0, FOOT))
    axes.axis("off")
    axes.plot([0, 0, 0, length / scale, length / scale, length / scale],
              [0.09, 0.19, 0.14, 0.14, 0.19, 0.09], color="black", linewidth=1.2)
    axes.text(length / scale + 0.08, 0.14, with_unit(short(length), unit), va="center")


def add_colours(figure, look, body, height):
    name, unit = look.field, look.run.units[{"von_mises": "stress", "pressure": "stress",
                                             "displacement": "length"}.get(look.field, look.field)]
    is_cut = look.limit < look.largest
    tall = min(body, 3.2) - 0.62
    bottom = FOOT + (body - tall - 0.62) / 2
    axes = figure.add_axes([1 - (BAR - 0.15) / WIDTH, bottom / height, 0.16 / WIDTH, tall / height])
    colours = matplotlib.cm.ScalarMappable(
        matplotlib.colors.Normalize(look.lowest, look.limit or 1), "viridis")
    bar = figure.colorbar(colours, cax=axes, extend="max" if is_cut else "neither")
    bar.locator = MaxNLocator(6)
    bar.formatter.set_powerlimits((-2, 4))
    bar.update_ticks()
    exponent = bar.ax.yaxis.get_offset_text()
    exponent.set(visible=False)
    bar.ax.yaxis.get_major_formatter().set_locs(bar.ax.get_yticks())
    power = bar.ax.yaxis.get_major_formatter().orderOfMagnitude
    if power:
        unit = f"{power_of_ten(power)} {unit}".strip()
    words = f"{name}" + (f"\n({unit})" if unit else "")
    if is_cut:
        words += f"\nup to {short(look.largest / 10 ** power)}"
    figure.text(1 - (BAR - 0.12) / WIDTH, (bottom + tall + 0.08 + (0.1 if is_cut else 0)) / height,
                words.replace("von_mises", "von Mises\nstress"), fontsize=8, va="bottom",
                linespacing=1.1)


def add_title(figure, look, title, scale, size):
    """The title, and below it what an arrow means; `scale`: length in an inch."""
    height = figure.get_figheight()
    figure.text(0.1 / WIDTH, 1 - 0.08 / height, title, weight="bold", va="top")
    if not look.longest:
        return
    longest = look.reach(size) / scale  # inches
    axes = figure.add_axes([0.1 / WIDTH, 1 - TITLE / height, 1 - 0.2 / WIDTH, 0.24 / height])
    axes.set(xlim=(0, WIDTH - 0.2), ylim=(0, 0.24))
    axes.axis("off")
    draw_arrows(axes, np.array([[longest, 0.12]]), np.array([[longest, 0.0]]), longest)
    axes.text(longest + 0.1, 0.12, "percussion of a contact, "
              + with_unit(short(look.longest), look.run.units["percussion"])
              + (" or more" if look.cuts_arrows else ""), va="center")


def time_text(look, k, digits=4):
    return f"t = {with_unit(short(look.run.series[k][0], digits), look.run.units['time'])}"


def snapshot(look, k):
    """A figure of the bodies at instant k."""
    low, high, left_out = look.view([k])
    figure, (axes,), low, high, scale = new_figure(look, low, high)
    look.draw(axes, k, low, high)
    add_title(figure, look, f"{look.run.label}, {time_text(look, k, 6)}, {look.scaling.words()}",
              scale, max(high - low))
    return figure, left_out


def positions(look, numbers):
    """A figure of the bodies at several instants, side by side."""
    low, high, left_out = look.view(numbers)
    wide, tall = high - low
    n = len(numbers)
    for columns in range(1, 7):
        rows = math.ceil(n / columns)
        if rows * (WIDTH / columns * tall / wide + 0.25) < 6.0:
            break
    columns = math.ceil(n / rows)
    figure, panels, low, high, scale = new_figure(look, low, high, columns, rows, 0.25, 6.0)
    for axes, k in zip(panels, numbers):
        look.draw(axes, k, low, high)
        axes.set_title(time_text(look, k), loc="left", fontsize=9, pad=3, weight="normal")
    for axes in panels[n:]:
        axes.axis("off")
    add_title(figure, look, f"{look.run.label}, successive positions, {look.scaling.words()}",
              scale, max(high - low))
    return figure, left_out


def notable(run, most=4):
    """Instants of the snapshots: start, end, the largest strain energy, and others between the
    farthest two of these."""
    time = run.table["time"]
    times = sorted({time[0], time[np.argmax(run.table["strain"])], time[-1]})
    while 1 < len(times) < most:
        i = int(np.argmax(np.diff(times)))
        times.insert(i + 1, (times[i] + times[i + 1]) / 2)
    return sorted({run.nearest(t) for t in times})


def frames(looks, most):
    """Figures of an animation, evenly spaced over the time of all runs, which stand side by side;
    yields them one after the other."""
    begin = min(look.run.series[0][0] for look in looks)
    end = max(look.run.series[-1][0] for look in looks)
    count = min(most, max(len(look.run.series) for look in looks))
    times = np.linspace(begin, end, count)
    numbers = [[look.run.nearest(t) for t in times] for look in looks]
    boxes = [look.view(some_of(sorted(set(ks)), 20)) for look, ks in zip(looks, numbers)]
    low = np.min([box[0] for box in boxes], axis=0)
    high = np.max([box[1] for box in boxes], axis=0)
    for number in range(count):
        figure, panels, a, b, scale = new_figure(
            looks[0], low, high, len(looks), 1, 0.25 if len(looks) > 1 else 0)
        for axes, look, ks in zip(panels, looks, numbers):
            look.draw(axes, ks[number], a, b, undeformed=False)
            if len(looks) > 1:
                axes.set_title(look.run.label, loc="left", fontsize=9, pad=3, weight="normal")
        label = "" if len(looks) > 1 else looks[0].run.label + ", "
        longest = max(looks, key=lambda look: len(look.run.series))
        add_title(figure, looks[0], label + time_text(longest, longest.run.nearest(times[number]))
                  + ", " + looks[0].scaling.words(), scale, max(b - a))
        yield figure
