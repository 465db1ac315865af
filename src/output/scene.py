"""What pictures of a run show: units, magnification of deformations, colours, arrows, ground.

Shared by percussion-report and the macro for ParaView, which every run writes with this text in it.
Standard library and NumPy. Points and displacements are arrays (n, 2).
"""

import functools
import math
import os
import re
import xml.etree.ElementTree

import numpy as np


class Trouble(Exception):
    """What the user is to be told."""


# ---- What the files say --------------------------------------------------------------------------


def read_series(pvd):
    """[(time, file)] of a .pvd, in its order."""
    try:
        root = xml.etree.ElementTree.parse(pvd).getroot()
        series = [(float(entry.attrib["timestep"]),
                   os.path.join(os.path.dirname(pvd), entry.attrib["file"]))
                  for entry in root.iter("DataSet")]
    except OSError as error:
        raise Trouble(f"{pvd}: cannot be read ({error.strerror})") from error
    except (xml.etree.ElementTree.ParseError, KeyError, ValueError) as error:
        raise Trouble(f"{pvd}: is not a list of VTK files ({error})") from error
    if not series:
        raise Trouble(f"{pvd}: lists no files yet; try again when the run has written some")
    for (before, _), (time, file) in zip([(-math.inf, "")] + series, series):
        if not time > before:
            raise Trouble(f"{pvd}: {os.path.basename(file)} has time {time:g} behind {before:g}; "
                          "times must increase")
        if not os.path.isfile(file):
            raise Trouble(f"{file}: no such file, though {os.path.basename(pvd)} lists it")
    return series


def read_parameters(prm):
    """{"Section/Entry": value} of a .prm as Percussion writes it, in its order."""
    path, values = [], {}
    try:
        with open(prm, encoding="utf-8") as stream:
            for line in stream:
                word, _, rest = line.partition("#")[0].strip().partition(" ")
                if word == "subsection":
                    path.append(rest.strip())
                elif word == "end" and path:
                    path.pop()
                elif word == "set":
                    name, _, value = rest.partition("=")
                    values["/".join([*path, name.strip()])] = value.strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"{prm}: cannot be read ({error})") from error
    return values


def units_of(text):
    """Units by quantity, from those that the case names; "" where they are unknown."""
    words = re.split(r"[,;\s]+", text)

    def first_of(*known):
        return next((word for word in words if word in known), "")

    time = first_of("s", "ms", "us", "µs", "min", "h")
    length = first_of("m", "mm", "cm", "um", "µm", "km", "in", "ft")
    mass = first_of("kg", "g", "t", "mg")
    force = first_of("N", "mN", "kN", "MN", "daN", "lbf") or {
        ("kg", "m", "s"): "N", ("t", "mm", "s"): "N", ("g", "mm", "ms"): "N",
        ("kg", "mm", "ms"): "kN", ("t", "m", "s"): "kN"}.get((mass, length, time), "")
    product = f"{force} {length}" if force and length else ""
    stress = f"{force}/{length}²" if product else ""
    return {"time": time, "length": length, "force": force,
            "energy": first_of("J", "mJ", "uJ", "µJ", "kJ", "MJ")
                      or {"N m": "J", "kN m": "kJ", "N mm": "mJ"}.get(product, product),
            "velocity": f"{length}/{time}" if length and time else "",
            "stress": {"N/m²": "Pa", "N/mm²": "MPa", "kN/mm²": "GPa"}.get(stress, stress),
            "percussion": f"{force} {time}" if force and time else ""}


def with_unit(text, unit):
    return f"{text} {unit}" if unit else text


def short(number, digits=3):
    """So many digits, with an exponent only where the number is long without."""
    text = f"{float(f'{number:.{digits}g}'):.{max(digits, 5)}g}"
    return re.sub(r"e(-?)\+?0*", r"e\1", text)


def round_1_2_5(value):
    """The nearest of 1, 2, 5, 10, 20, ... and their inverses."""
    decade = 10.0 ** math.floor(math.log10(value))
    return min((factor * decade for factor in (1, 2, 5, 10)),
               key=lambda rounded: abs(math.log(rounded / value)))


def some_of(items, count):
    """At most so many of them, evenly spaced, the first and the last included."""
    if len(items) <= count:
        return list(items)
    return [items[round(k * (len(items) - 1) / (count - 1))] for k in range(count)]


# ---- Bodies --------------------------------------------------------------------------------------


class Bodies:
    """The undeformed bodies: points, cells (their corners one after the other, and where each cell
    ends), and for each cell whether it is a rigid body. A part is what is connected by cells."""

    def __init__(self, points, corners, ends, is_rigid):
        self.points, self.corners, self.ends, self.is_rigid = points, corners, ends, is_rigid
        self.begins = np.concatenate([[0], ends[:-1]]).astype(int)
        part, before = np.arange(len(points)), None
        cell_of = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
        while before is None or (part != before).any():  # the least number of each part spreads
            before = part.copy()
            least = np.minimum.reduceat(part[corners], self.begins)
            np.minimum.at(part, corners, least[cell_of])
            part = part[part]
        _, self.part = np.unique(part, return_inverse=True)
        self.n_parts = int(self.part.max()) + 1
        self.part_is_rigid = np.zeros(self.n_parts, dtype=bool)
        self.part_is_rigid[self.part[corners[self.begins[is_rigid]]]] = True
        low, high = self.boxes(points)
        self.sizes = (high - low).max(axis=1)
        self.size = float((points.max(axis=0) - points.min(axis=0)).max()) or 1.0

    def boxes(self, points):
        """Lower left and upper right corner of each part, two arrays (parts, 2)."""
        low, high = np.full((self.n_parts, 2), np.inf), np.full((self.n_parts, 2), -np.inf)
        np.minimum.at(low, self.part, points)
        np.maximum.at(high, self.part, points)
        return low, high


class RigidMotion:
    """The rigid motion of each part that is nearest to its displacements (least squares)."""

    def __init__(self, bodies, displacement):
        part, count = bodies.part, np.bincount(bodies.part)

        def mean(values):
            return np.stack([np.bincount(part, column) for column in values.T], axis=1) / \
                count[:, None]

        self.centre, self.way = mean(bodies.points), mean(displacement)
        arm = bodies.points - self.centre[part]
        turned = arm + displacement - self.way[part]
        self.angle = np.arctan2(
            np.bincount(part, arm[:, 0] * turned[:, 1] - arm[:, 1] * turned[:, 0]),
            np.bincount(part, (arm * turned).sum(axis=1)))

    def at(self, points, part):
        """Displacement of points of these parts."""
        (x, y), angle = (points - self.centre[part]).T, self.angle[part]
        c, s = -2 * np.sin(angle / 2) ** 2, np.sin(angle)  # c: cosine less one
        return self.way[part] + np.stack([c * x - s * y, s * x + c * y], axis=1)


class Scaling:
    """How much deformations are magnified: 1, 2 or 5 times a power of ten, so that the largest is
    about a twentieth of its body; not at all where they are large or there are rigid bodies.

    Free bodies: their rigid motions are shown true to scale. Bodies with prescribed displacements:
    all is magnified, except the mean in directions in which it would go far.
    """

    def __init__(self, bodies, displacements, parameters, factor=None):
        self.bodies = bodies
        self.is_free = not any(value for path, value in parameters.items() if re.fullmatch(
            "Boundary conditions/.*/(Displacement|Velocity) [xyz]", path))
        ratio, way = 0.0, np.zeros(2)
        for u in displacements:
            motion = RigidMotion(bodies, u)
            rest = u - (motion.at(bodies.points, bodies.part) if self.is_free
                        else motion.way[bodies.part])
            ratio = max(ratio, (np.hypot(*rest.T) / (bodies.sizes[bodies.part] + 1e-300)).max())
            way = np.maximum(way, abs(motion.way).max(axis=0))
        self.factor = factor or 1.0
        # A deviation at round-off of the way is a rigid motion.
        if factor is None and not bodies.is_rigid.any() and \
                ratio > 1e-10 * max(1.0, way.max() / bodies.size):
            self.factor = max(1.0, round_1_2_5(0.05 / ratio))
        self.keeps = way * self.factor > 0.5 * bodies.size  # x, y of bodies that are not free

    def words(self):
        if self.factor == 1:
            return "true to scale"
        kept = "" if self.is_free else " and ".join(np.array(["x", "y"])[self.keeps])
        return (f"deformation × {self.factor:g}" if self.is_free else
                f"displacement × {self.factor:g}" + (f", in {kept} about the mean" if kept else ""))

    def shown(self, u, contacts=None):
        """What is shown at an instant, as a function of points, their displacements and parts, and
        how far the ground is moved.

        Magnified bodies would sink into the ground, or float: each is moved along a normal so that
        the smallest gap to the ground is true; of bodies that are held the ground is moved instead.
        `contacts`: points, displacement, gap and normal of the points that may touch the ground.
        """
        if self.factor == 1:
            return (lambda points, displacement, part: displacement), np.zeros(2)
        motion = RigidMotion(self.bodies, u)
        shift, ground = np.zeros((self.bodies.n_parts, 2)), np.zeros(2)

        def at(points, displacement, part):
            kept = (motion.at(points, part) if self.is_free else motion.way[part] * self.keeps)
            return kept + self.factor * (displacement - kept) + shift[part]

        if contacts is not None and len(contacts[0]):
            points, displacement, gap, normal = contacts
            part = self.bodies.part[self.nearest(points.tobytes())]
            gaps = gap + ((at(points, displacement, part) - displacement) * normal).sum(axis=1)
            for p in np.unique(part):
                mine = np.flatnonzero(part == p)
                i = mine[np.argmin(gaps[mine])]
                shift[p] = (gap[mine].min() - gaps[i]) * normal[i]
            if not self.is_free:
                ground = -shift[np.argmax(np.hypot(*shift.T))]
                shift[:] = 0
        return at, ground

    @functools.lru_cache(maxsize=8)
    def nearest(self, points):
        """The body's point that is nearest to each of these undeformed points."""
        return np.array([np.argmin(((self.bodies.points - point) ** 2).sum(axis=1))
                         for point in np.frombuffer(points).reshape(-1, 2)], dtype=int)


def view_box(bodies, places):
    """Corners of a picture of the bodies at these places of their points, and the parts that it
    leaves out: at most a quarter of them, if the others then take up at least twice the room."""
    boxes = [bodies.boxes(points) for points in places]
    low = np.min([low for low, _ in boxes], axis=0)
    high = np.max([high for _, high in boxes], axis=0)
    middle = np.median((low + high) / 2, axis=0)
    far = np.argsort(-np.maximum(abs(low - middle), abs(high - middle)).max(axis=1), kind="stable")
    extent = (high.max(axis=0) - low.min(axis=0)).max()
    for n in range(1, bodies.n_parts // 4 + 1):
        rest = far[n:]
        if (high[rest].max(axis=0) - low[rest].min(axis=0)).max() < 0.5 * extent:
            return low[rest].min(axis=0), high[rest].max(axis=0), far[:n]
    return low.min(axis=0), high.max(axis=0), far[:0]


# ---- Colours and arrows --------------------------------------------------------------------------


def colour_limit(fields):
    """The upper end of the colours for the values of some instants, and their maximum. A cell that
    is hit would leave no colours to the others: at each instant all but one in a hundred values
    are below the end, unless the maximum is near."""
    largest = max(float(field.max()) for field in fields)
    usual = max(float(np.quantile(field, 0.99)) for field in fields)
    return (usual if 0 < usual < 0.8 * largest else largest), largest


def is_round_off(stress, parameters, way):
    """Whether the largest stress of a run is no stress; `way`: the largest displacement over the
    size of the bodies."""
    stiffness = [float(value) for path, value in parameters.items()
                 if re.fullmatch(r"Material/(.*/)?(Young modulus|C1|C2|D)", path) and value]
    return stress < 1e-12 * max(stiffness, default=0) * max(1.0, way)


def longest_arrow(largest):
    """The percussion of the longest arrow, from the largest of each instant: at one in ten instants
    arrows are cut to this length, as impacts would leave nothing of the others."""
    largest = [p for p in largest if p > 0]
    return float(np.quantile(largest, 0.9)) if largest else 0.0


def arrows(percussion, longest, length):
    """Percussions as arrows of at most this length; none where they are negligible."""
    size = np.hypot(*percussion.T)
    scale = length / np.maximum(size, longest) if longest else np.zeros(len(size))
    return np.where(size > 1e-3 * longest, scale, 0)[:, None] * percussion


# ---- Ground --------------------------------------------------------------------------------------

FUNCTIONS = {name: getattr(math, name) for name in (
    "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh log2 log10 log exp sqrt pi e"
).split()}
FUNCTIONS.update(ln=math.log, abs=abs, min=min, max=max, rint=round, __builtins__={},
                 sign=lambda x: (x > 0) - (x < 0))


def formula(text, names):
    """A function of these variables, from a formula of a parameter file; zero from an empty one."""
    number = r"(?<![A-Za-z_\d])(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"
    words = re.findall(r"[A-Za-z_]\w*", re.sub(number, "", text))
    if "?" in text or not set(words) <= {*FUNCTIONS, *names} - {"__builtins__"}:
        raise Trouble(f"'{text}': this formula cannot be drawn")
    for old, new in (("^", "**"), ("&&", " and "), ("||", " or ")):
        text = text.replace(old, new)
    return eval(f"lambda {', '.join(names)}: {text or 0}", FUNCTIONS)  # known words alone


class Surface:
    """The surface of a contact, from the entries of its subsection."""

    def __init__(self, entries):
        def vector(name, preset):
            return np.array([float(x) for x in (entries.get(name) or preset).split(",")][:2])

        self.kind = entries.get("Surface") or "half-plane"
        self.point, self.normal = vector("Point", "0, 0"), vector("Normal", "0, 1")
        self.normal = self.normal / np.hypot(*self.normal)
        self.radius = float(entries.get("Radius") or 1)
        self.distance = entries.get("Signed distance", "")
        self.motion = [formula(entries.get(f"Motion {c}", ""), "t") for c in "xy"]

    def strips(self, time, low, high, offset=(0, 0)):
        """Edge and back (k, 2) of the strips that show the ground at a time, in a box."""
        size = (high - low).max()
        move = np.array([motion(time) for motion in self.motion]) + offset
        if self.kind == "half-plane":
            point, tangent = self.point + move, np.array([self.normal[1], -self.normal[0]])
            corners = np.array([[x, y] for x in (low[0], high[0]) for y in (low[1], high[1])])
            places = (corners - point) @ tangent
            edge = point + np.outer([places.min(), places.max()], tangent)
            return [(edge, edge - 0.025 * size * self.normal)]
        if self.kind.endswith("circle"):
            angle = np.linspace(0, 2 * math.pi, 721)
            ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
            outwards = -1 if self.kind.startswith("outside") else 1
            back = max(self.radius + outwards * 0.025 * size, 0)
            return [(self.point + move + self.radius * ring, self.point + move + back * ring)]
        if self.kind == "signed distance":
            return list(zero_strips(self.distance, *(low - move), *(high - move), *move,
                                    0.025 * size))
        return []


@functools.lru_cache(maxsize=4)
def zero_strips(text, x0, y0, x1, y1, dx, dy, width, n=120):
    """Strips behind the line where a formula of x and y is zero, by the cells of a grid."""
    function = formula(text, "xy")
    x, y = np.meshgrid(np.linspace(x0, x1, n), np.linspace(y0, y1, n))
    with np.errstate(all="ignore"):
        f = np.array([function(*at) for at in zip(x.ravel(), y.ravel())], dtype=float).reshape(n, n)
    grid = np.stack([f, x, y, *np.gradient(f, y[:, 0], x[0])[::-1]])
    corners = [np.s_[:, :-1, :-1], np.s_[:, :-1, 1:], np.s_[:, 1:, 1:], np.s_[:, 1:, :-1]]
    v, *grid = np.stack([grid[c] for c in corners], axis=-1).reshape(5, -1, 4)
    grid = np.stack(grid)
    is_cut = (v < 0) != (np.roll(v, -1, axis=1) < 0)  # by sides of a grid's cell
    strips = []
    for cell in np.flatnonzero((is_cut.sum(axis=1) == 2) & np.isfinite(v).all(axis=1)):
        i = np.flatnonzero(is_cut[cell])
        j = (i + 1) % 4
        s = v[cell, i] / (v[cell, i] - v[cell, j])
        edge = grid[:, cell, i] + s * (grid[:, cell, j] - grid[:, cell, i])
        edge, slope = edge[:2].T + [dx, dy], edge[2:].T
        strips.append((edge, edge - width * slope / (np.hypot(*slope.T)[:, None] + 1e-300)))
    return tuple(strips)


def surfaces_of(parameters):
    """The surfaces of the contacts by number, which is the place among the subsections, and what
    cannot be drawn."""
    contacts, remarks = {}, []
    for path, value in parameters.items():
        section, _, entry = path.partition("/")
        if section == "Contact" and "/" in entry:
            name, _, entry = entry.rpartition("/")
            contacts.setdefault(name, {})[entry] = value
    surfaces = {}
    for number, (name, entries) in enumerate(contacts.items()):
        try:
            surface = Surface(entries)
            surface.strips(0.0, np.zeros(2), np.ones(2))
            surfaces[number] = surface
        except (Trouble, ValueError, ArithmeticError, SyntaxError, TypeError) as error:
            remarks.append(f"the ground of '{name}' is not drawn ({error})")
    return surfaces, remarks
