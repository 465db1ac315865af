"""Pictures of a run: units, magnification of deformations, colours, arrows, ground.

Shared by percussion-report and the macro for ParaView, which contains this text in each run.
Uses the standard library and NumPy only. Points and displacements are arrays (n, dim) in 2D or 3D.
"""

import functools
import itertools
import math
import os
import re
import xml.etree.ElementTree

import numpy as np


class Trouble(Exception):
    """Error with a message for the user."""


# ---- Input files ---------------------------------------------------------------------------------


def read_series(pvd):
    """Returns [(time, file)] of a .pvd in its order."""
    if os.path.exists(pvd) and not os.path.isfile(pvd):  # a device may never end
        raise Trouble(f"{pvd}: is not a regular file")
    try:
        entries = xml.etree.ElementTree.parse(pvd).iter("DataSet")
        series = [(float(entry.attrib["timestep"]),
                   os.path.join(os.path.dirname(pvd), entry.attrib["file"])) for entry in entries]
    except OSError as error:
        raise Trouble(f"{pvd}: cannot be read ({error.strerror})") from error
    except (xml.etree.ElementTree.ParseError, KeyError, ValueError) as error:
        raise Trouble(f"{pvd}: is not a list of VTK files ({error})") from error
    if not series:
        raise Trouble(f"{pvd}: lists no files yet; try again when the run has written some")
    last = -math.inf
    for time, file in series:
        if not time > last:
            raise Trouble(f"{pvd}: {os.path.basename(file)} has time {time:g} behind {last:g}; "
                          "times must increase")
        if not os.path.isfile(file):
            raise Trouble(f"{file}: no such file, though {os.path.basename(pvd)} lists it")
        last = time
    return series


def read_parameters(prm):
    """Returns {"Section/Entry": value} of a .prm written by Percussion, in its order."""
    path, values = [], {}
    try:
        with open(prm, encoding="utf-8") as stream:
            for line in stream:
                word, _, remainder = line.partition("#")[0].strip().partition(" ")
                if word == "subsection":
                    path.append(remainder.strip())
                elif word == "end" and path:
                    path.pop()
                elif word == "set":
                    name, _, value = remainder.partition("=")
                    values["/".join([*path, name.strip()])] = value.strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"{prm}: cannot be read ({error})") from error
    return values


def units_of(text):
    """Returns the units by quantity, derived from the units of the case; "" for unknown units."""
    words = re.split(r"[,;\s]+", text)

    def first_of(keywords):
        return next((word for word in words if word in keywords.split()), "")

    time, length = first_of("s ms us µs min h"), first_of("m mm cm um µm km in ft")
    force = first_of("N mN kN MN daN lbf") or {
        "kg m s": "N", "t mm s": "N", "g mm ms": "N", "kg mm ms": "kN", "t m s": "kN"}.get(
            f"{first_of('kg g t mg')} {length} {time}", "")
    product = f"{force} {length}" if force and length else ""
    stress = f"{force}/{length}²" if product else ""
    return {"time": time, "length": length, "force": force,
            "energy": first_of("J mJ uJ µJ kJ MJ")
                      or {"N m": "J", "kN m": "kJ", "N mm": "mJ"}.get(product, product),
            "velocity": f"{length}/{time}" if length and time else "",
            "stress": {"N/m²": "Pa", "N/mm²": "MPa", "kN/mm²": "GPa"}.get(stress, stress),
            "percussion": f"{force} {time}" if force and time else ""}


def with_unit(text, unit):
    return f"{text} {unit}" if unit else text


def short(number, digits=3):
    """Returns a number with this many digits; with an exponent only if it is long without one."""
    text = f"{float(f'{number:.{digits}g}'):.{max(digits, 5)}g}"
    return re.sub(r"e(-?)\+?0*", r"e\1", text)


def round_1_2_5(value):
    """Returns the nearest of 1, 2, 5, 10, 20, ... and their inverses."""
    decade = 10.0 ** math.floor(math.log10(value))
    return min((factor * decade for factor in (1, 2, 5, 10)),
               key=lambda rounded: abs(math.log(rounded / value)))


def some_of(items, count):
    """Returns at most `count` items, evenly spaced, including the first and the last."""
    if len(items) <= count:
        return list(items)
    return [items[round(k * (len(items) - 1) / (count - 1))] for k in range(count)]


# ---- Bodies and contacts -------------------------------------------------------------------------


def length(vectors):
    return np.sqrt((vectors ** 2).sum(axis=-1))


def directions(vectors):
    """Returns the vectors normalised to length one; zero vectors stay zero."""
    return vectors / (length(vectors)[..., None] + 1e-300)


def sums(numbers, values, count=0):
    """Returns the sums of the rows of values with the same number."""
    return np.stack([np.bincount(numbers, column, count) for column in values.T], axis=1)


class Contacts:
    """Contacts at an instant: their points (n, dim), and their arrays, read by a function of
    the name, which is not called if there are no points."""

    def __init__(self, points, array):
        self.points, none = points, points[:, 0]
        for name in ("displacement", "percussion", "normal"):
            setattr(self, name, array(name) if len(points) else points)
        for name in ("gap", "pressure", "status", "pair", "body", "obstacle"):
            setattr(self, name, array(name) if len(points) else none)


class Bodies:
    """Undeformed bodies: points, cells (the corners of all cells in sequence, and the end of
    each cell), and for each cell whether it belongs to a rigid body. A part is a component
    connected by cells."""

    def __init__(self, points, corners, ends, is_rigid):
        self.points, self.corners, self.ends, self.is_rigid = points, corners, ends, is_rigid
        self.begins = np.concatenate([[0], ends[:-1]]).astype(int)
        component, last = np.arange(len(points)), None
        cell_of = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
        while last is None or (component != last).any():  # the smallest number in each part spreads
            last = component.copy()
            smallest = np.minimum.reduceat(component[corners], self.begins)
            np.minimum.at(component, corners, smallest[cell_of])
            component = component[component]
        _, self.component = np.unique(component, return_inverse=True)
        self.n_components = int(self.component.max()) + 1
        low, high = self.boxes(points)
        self.sizes = (high - low).max(axis=1)
        self.size = float((points.max(axis=0) - points.min(axis=0)).max()) or 1.0

    def reach(self, size):
        """Returns the length of the longest arrow in a picture of this size."""
        return min(0.12 * size, 1.5 * float(np.median(self.sizes)))

    def boxes(self, points):
        """Returns the lowest and highest coordinates of each part, two arrays (parts, dim)."""
        low, high = (np.full((self.n_components, points.shape[1]), end)
                     for end in (np.inf, -np.inf))
        np.minimum.at(low, self.component, points)
        np.maximum.at(high, self.component, points)
        return low, high


class RigidMotion:
    """Rigid motion of each part with the least squared distance from its displacements."""

    def __init__(self, bodies, displacement):
        component, count = bodies.component, np.bincount(bodies.component)[:, None]
        self.centre, self.mean = (sums(component, v) / count for v in (bodies.points, displacement))
        arm = bodies.points - self.centre[component]
        turned = arm + displacement - self.mean[component]
        n, dim = arm.shape
        products = sums(component, (turned[:, :, None] * arm[:, None]).reshape(n, -1)) / count
        left, _, right = np.linalg.svd(products.reshape(-1, dim, dim))
        left[:, :, -1] *= np.linalg.det(left @ right)[:, None]  # excludes reflections
        self.turn = left @ right

    def displacement_at(self, points, component):
        """Returns the displacement of points of these parts."""
        arm = points - self.centre[component]
        return self.mean[component] + (self.turn[component] @ arm[..., None])[..., 0] - arm


class Scaling:
    """Magnification of deformations: 1, 2 or 5 times a power of ten, so that the largest
    deformation is about a twentieth of its body. No magnification if deformations are large or
    there are rigid bodies.

    For free bodies, rigid motions are shown true to scale. For bodies with prescribed
    displacements, the whole displacement is magnified, except its mean in directions in which the
    mean would be large.
    """

    def __init__(self, bodies, displacements, parameters, factor=None):
        self.bodies = bodies
        self.is_free = not any(value for path, value in parameters.items() if re.fullmatch(
            "Boundary conditions/.*/(Displacement|Velocity) [xyz]", path))
        ratio, largest = 0.0, np.zeros(bodies.points.shape[1])
        for u in displacements:
            motion = RigidMotion(bodies, u)
            deformed = u - (motion.displacement_at(bodies.points, bodies.component) if self.is_free
                        else motion.mean[bodies.component])
            ratio = max(ratio, (length(deformed) / (bodies.sizes[bodies.component] + 1e-300)).max())
            largest = np.maximum(largest, abs(motion.mean).max(axis=0))
        self.factor = factor or 1.0
        # A deviation at round-off of the displacement is a rigid motion.
        if factor is None and not bodies.is_rigid.any() and \
                ratio > 1e-10 * max(1.0, largest.max() / bodies.size):
            self.factor = max(1.0, round_1_2_5(0.05 / ratio))
        self.keeps = largest * self.factor > 0.5 * bodies.size  # for bodies that are not free

    def words(self):
        if self.factor == 1:
            return "true to scale"
        axes = "" if self.is_free else " and ".join(itertools.compress("xyz", self.keeps))
        return (f"deformation × {self.factor:g}" if self.is_free else
                f"displacement × {self.factor:g}" + (f", in {axes} about the mean" if axes else ""))

    def positions(self, u, contacts):
        """Returns the displayed positions of the bodies' points and of the contacts at an
        instant, and the displacement of the ground.

        Magnified bodies would sink into the ground or float. Each is moved along a normal so that
        its smallest gap to the ground is true; if bodies are held, the ground is moved instead.
        """
        bodies, touching = self.bodies, contacts.points + contacts.displacement
        if self.factor == 1:
            return bodies.points + u, touching, np.zeros(u.shape[1])
        motion, shift = RigidMotion(bodies, u), np.zeros((bodies.n_components, u.shape[1]))
        component = bodies.component[self.nearest(contacts.points.tobytes())]

        def magnified(points, displacement, component):
            rigid = motion.displacement_at(points, component) if self.is_free \
                else motion.mean[component] * self.keeps
            return points + rigid + self.factor * (displacement - rigid)

        points, tips = magnified(bodies.points, u, bodies.component), magnified(
            contacts.points, contacts.displacement, component)
        gaps = contacts.gap + ((tips - touching) * contacts.normal).sum(axis=1)
        for p in np.unique(component[contacts.obstacle == 0]):
            mine = np.flatnonzero((component == p) & (contacts.obstacle == 0))
            i = mine[np.argmin(gaps[mine])]
            shift[p] = (contacts.gap[mine].min() - gaps[i]) * contacts.normal[i]
        if self.is_free:
            return points + shift[bodies.component], tips + shift[component], np.zeros(u.shape[1])
        return points, tips, -shift[np.argmax(length(shift))]

    @functools.lru_cache(maxsize=8)
    def nearest(self, points):
        """Returns the body point nearest to each of these undeformed points."""
        all_points = self.bodies.points
        return np.array([np.argmin(((all_points - point) ** 2).sum(axis=1)) for point in
                         np.frombuffer(points).reshape(-1, all_points.shape[1])], dtype=int)


# ---- View ----------------------------------------------------------------------------------------


def view_box(bodies, positions):
    """Returns the corners of a picture of the bodies at these positions of their points, and
    the parts outside the picture: at most a quarter of the parts, if the others then appear at
    least twice as large."""
    boxes = [bodies.boxes(points) for points in positions]
    low = np.min([low for low, _ in boxes], axis=0)
    high = np.max([high for _, high in boxes], axis=0)
    middle = np.median((low + high) / 2, axis=0)
    rank = np.argsort(-np.maximum(abs(low - middle), abs(high - middle)).max(axis=1), kind="stable")
    extent = (high.max(axis=0) - low.min(axis=0)).max()
    for n in range(1, bodies.n_components // 4 + 1):
        remainder = rank[n:]
        if (high[remainder].max(axis=0) - low[remainder].min(axis=0)).max() < 0.5 * extent:
            return low[remainder].min(axis=0), high[remainder].max(axis=0), rank[:n]
    return low.min(axis=0), high.max(axis=0), rank[:0]


def camera(parameters, positions, weights=None, angles=None):
    """Returns the directions to the right, upwards and to the viewer as rows of a (3, 3) array.
    The viewer is at one side of the bodies and above them. Up is against gravity, or along the
    normal of the ground, along the nearest axis. Of four sides, the view shows the side with
    most of the stressed surface, then a side with the larger width. weights: normals of the
    surface, scaled by stress; angles: given angles, in degrees."""
    upwards = np.array([0.0, 0, 1])
    for path in ["Boundary conditions/Gravity", *(p for p in parameters if p.endswith("/Normal"))]:
        try:
            direction = np.array([float(x) for x in parameters.get(path, "").split(",")])
        except ValueError:
            continue
        if len(direction) == 3 and direction.any():
            upwards = np.sign(direction) * (abs(direction) == abs(direction).max())
            upwards = -upwards if path.endswith("Gravity") else upwards
            break
    first = np.roll(abs(upwards), 1)  # x if z is up
    if upwards.sum() < 0:
        first = -first
    second = np.cross(upwards, first)
    extent = np.ptp(np.concatenate(positions), axis=0)
    wide, deep = ((extent * abs(axis)).sum() + 1e-300 for axis in (first, second))
    turn = 30 if min(wide, deep) > 0.3 * max(wide, deep) else 15
    azimuths = [turn - 90, -turn - 90, 90 - turn, 90 + turn] if wide >= 0.9 * deep else [
        -turn, turn, turn - 180, 180 - turn]
    choices = [(azimuth, 22.0) for azimuth in azimuths] if angles is None else [angles]
    views = []
    for azimuth, elevation in np.radians(choices):
        horizontal = np.cos(azimuth) * first + np.sin(azimuth) * second
        eye = np.cos(elevation) * horizontal + np.sin(elevation) * upwards
        right = directions(np.cross(upwards, eye))
        views.append(np.array([right, np.cross(eye, right), eye]))
    if weights is None:
        return views[0]
    stress_seen = [np.maximum(weights @ view[2], 0).sum() for view in views]
    return views[int(np.argmax(np.array(stress_seen) > 0.9 * max(stress_seen)))]


# ---- Colours and arrows --------------------------------------------------------------------------


def colour_limit(fields):
    """Returns the upper end of the colour scale for the values of some instants, and their
    maximum. A single cell at an impact would compress the scale: at each instant 99 of 100
    values are below the end, unless the maximum is close."""
    largest = max(float(field.max()) for field in fields)
    usual = max(float(np.quantile(field, 0.99)) for field in fields)
    return (usual if 0 < usual < 0.8 * largest else largest), largest


def is_round_off(stress, parameters, motion):
    """True if the largest stress of a run is due to round-off; `motion`: the largest displacement
    relative to the size of the bodies."""
    stiffness = [float(value) for path, value in parameters.items()
                 if re.fullmatch(r"Material/(.*/)?(Young modulus|C1|C2|D)", path) and value]
    return stress < 1e-12 * max(stiffness, default=0) * max(1.0, motion)


def longest_arrow(largest):
    """Returns the percussion of the longest arrow, from the largest percussion at each instant.
    At one in ten instants arrows are truncated to this length, because impacts would make the
    others invisible."""
    largest = [p for p in largest if p > 0]
    return float(np.quantile(largest, 0.9)) if largest else 0.0


def arrows(percussion, longest, reach):
    """Returns percussions as arrows of at most the length `reach`; zero for negligible
    percussions."""
    size = length(percussion)
    scale = reach / np.maximum(size, longest) if longest else np.zeros(len(size))
    return np.where(size > 1e-3 * longest, scale, 0)[:, None] * percussion


# ---- Ground --------------------------------------------------------------------------------------

# Cut edges of a simplex, by its number of corners and the number of its corners with negative
# values.
CUTS = {(3, 1): ["01 02"], (3, 2): ["02 12"], (4, 1): ["01 02 03"], (4, 3): ["03 13 23"],
        (4, 2): ["02 03 13", "02 13 12"]}


def cut(corners, values):
    """Returns the zero sets of linear functions on simplices, (n, dim + 1, dim) with values (n,
    dim + 1): simplices (m, dim, dim) whose normals point to positive values, and the index of
    the simplex from which each is cut."""
    n, dim = corners.shape[1:]
    pieces, sources = [np.zeros((0, dim, dim))], [np.zeros(0, int)]
    order = np.argsort(values, axis=1)
    corners = np.take_along_axis(corners, order[..., None], 1)
    values = np.take_along_axis(values, order, 1)
    for n_below in range(1, n):
        (rows,) = np.nonzero((values[:, n_below - 1] < 0) & (values[:, n_below] >= 0))
        x, v = corners[rows], values[rows]
        upwards = x[:, n_below:].mean(axis=1) - x[:, :n_below].mean(axis=1)
        for edges in CUTS[n, n_below]:
            piece = np.stack([(x[:, i] * v[:, j, None] - x[:, j] * v[:, i, None])
                              / (v[:, j] - v[:, i])[:, None]
                              for i, j in (map(int, edge) for edge in edges.split())], axis=1)
            wrong = (normals_of(piece) * upwards).sum(axis=1) < 0
            piece[wrong] = piece[wrong, ::-1]
            pieces.append(piece)
            sources.append(rows)
    return np.concatenate(pieces), np.concatenate(sources)


def normals_of(pieces):
    """Returns the normals of lines, to their left, scaled by the length of the line, or of
    triangles, scaled by twice the area."""
    sides = pieces[:, 1:] - pieces[:, :1]
    if pieces.shape[2] == 2:
        return sides[:, 0, ::-1] * [-1, 1]
    return np.cross(sides[:, 0], sides[:, 1])


def piece_below(pieces, values):
    """Returns what linear functions on lines (n, 2, 2) or triangles (n, 3, 3), with values (n, 2) or
    (n, 3) at the corners, leave of them where they are at most zero."""
    order = np.argsort(values, axis=1)
    x, v = np.take_along_axis(pieces, order[..., None], 1), np.take_along_axis(values, order, 1)
    n_below, normals = (v <= 0).sum(axis=1), normals_of(pieces)

    def crossing(rows, i, j):
        fraction = v[rows, i] / (v[rows, i] - v[rows, j])
        return x[rows, i] + fraction[:, None] * (x[rows, j] - x[rows, i])

    whole, one, two = (np.flatnonzero(n_below == n) for n in (pieces.shape[1], 1, 2))
    kept, rows = [pieces[whole]], [whole]
    if pieces.shape[1] == 2:
        kept.append(np.stack([x[one, 0], crossing(one, 0, 1)], axis=1))
        rows.append(one)
    else:
        ends = crossing(two, 0, 2), crossing(two, 1, 2)
        kept += [np.stack([x[one, 0], crossing(one, 0, 1), crossing(one, 0, 2)], axis=1),
                 np.stack([x[two, 0], x[two, 1], ends[1]], axis=1),
                 np.stack([x[two, 0], ends[1], ends[0]], axis=1)]
        rows += [one, two, two]
    kept, rows = np.concatenate(kept), np.concatenate(rows)
    turned = (normals_of(kept) * normals[rows]).sum(axis=1) < 0
    kept[turned] = kept[turned][:, [1, 0, *range(2, kept.shape[1])]]
    return kept


class Surface:
    """Surface of a contact as the run has written it: lines (n, 2, 2) or triangles (n, 3, 3) without
    its motion x = R X + b, and at the written instants the displacements b (m, dim) and, if it turns,
    the rotations R (m, dim, dim)."""

    def __init__(self, simplices, instants, displacements, rotations=None):
        self.simplices, self.instants = simplices, instants
        self.displacements, self.rotations = displacements, rotations
        normals = directions(normals_of(simplices))
        self.is_flat = len(normals) > 0 and abs(normals - normals[:1]).max() < 1e-9
        self.flat_normal = normals[0] if self.is_flat else None

    def nearest(self, time):
        """Returns the number of the written instant nearest to a time."""
        return np.argmin(abs(self.instants - time))

    def turned(self, vectors, time):
        """Returns vectors that turn with it."""
        return vectors if self.rotations is None else vectors @ self.rotations[self.nearest(time)].T

    def normal(self, time):
        """Returns the normal of a flat surface at a time."""
        return self.turned(self.flat_normal, time)

    def pieces(self, time, low, high, offset=0):
        """Returns its lines or triangles inside a box at a time."""
        move = self.displacements[self.nearest(time)] + offset
        pieces = self.turned(self.simplices, time)
        for axis, (begin, end) in enumerate(zip(low - move, high - move)):
            pieces = piece_below(pieces, begin - pieces[..., axis])
            pieces = piece_below(pieces, pieces[..., axis] - end)
        return pieces + move

    def box(self, time):
        """Returns its lowest and highest coordinates at a time."""
        points = self.turned(self.simplices.reshape(-1, self.simplices.shape[2]), time)
        points = points + self.displacements[self.nearest(time)]
        return points.min(axis=0), points.max(axis=0)


def strips(lines, width):
    """Returns quadrilaterals (n, 4, 2): lines of the ground with strips behind them."""
    back = width * directions(normals_of(lines))
    return np.stack([lines[:, 0], lines[:, 1], lines[:, 1] - back, lines[:, 0] - back], axis=1)


def surfaces_of(points, pairs, instants, field):
    """Returns the surfaces in ground.vtu by the indices of their contacts. points (n, dim): the
    corners of all pieces in sequence; pairs: index of the contact of each piece; field: function of
    the name of an array of the motion at the instants, which returns the array, or None."""
    dim = points.shape[1]
    simplices = points.reshape(len(pairs), dim, dim)
    surfaces = {}
    for pair in np.unique(pairs):
        rotations = field(f"rotation-{pair}")
        if rotations is not None:
            rotations = rotations.reshape(-1, 3, 3)[:, :dim, :dim]
        surfaces[int(pair)] = Surface(simplices[pairs == pair], instants,
                                      field(f"displacement-{pair}")[:, :dim], rotations)
    return surfaces
