"""Cases of many rigid bodies: settling crowds, bodies in subsections of their own, a hopper."""
import math
import random

RADIUS = 0.05  # of discs and spheres, half the largest edge of boxes [m]
WALL = """  subsection {name}
    set Bodies  = all
    set Surface = {surface}
    set Point   = {point}
    set Normal  = {normal}
    set Friction coefficient = {friction}
  end
"""
GRAINS = """  subsection grains
    set Bodies  = all
    set Surface = rigid bodies
    set Against = all
    set Friction coefficient = {friction}
  end
"""
CASE = """# Units: kg, m, s.
subsection Rigid bodies
{bodies}end
subsection Boundary conditions
  set Gravity = {gravity}
end
subsection Contact
{contacts}end
subsection Time
  set Scheme = moreau-jean-fremond
  set End    = {end}
  set Step   = 1e-3
  set Theta  = 0.5
end
subsection Solver
  set Tolerance = {tolerance}
end
subsection Output
  set Number of instants = 1
end
"""


def walls(planes, dimension, friction):
    """Contacts of all bodies with planes: names, points and normals."""
    surface = "half-plane" if dimension == 2 else "half-space"

    def text(vector):
        return ", ".join(f"{x:.6g}" for x in vector[:dimension])

    return "".join(WALL.format(name=name, surface=surface, point=text(point), normal=text(normal),
                               friction=friction) for name, point, normal in planes)


def box_of(widths, friction):
    """Contacts with the ground and the sides of a box, which begin with a clearance of a radius."""
    dimension = len(widths) + 1
    planes = [("ground", (0, 0, 0), (0, 1, 0) if dimension == 2 else (0, 0, 1))]
    for axis, (width, names) in enumerate(zip(widths, [("west", "east"), ("south", "north")])):
        for name, position, normal in zip(names, (-1.5 * RADIUS, width + 0.5 * RADIUS), (1, -1)):
            planes.append((name, [position if d == axis else 0 for d in range(3)],
                           [normal if d == axis else 0 for d in range(3)]))
    return walls(planes, dimension, friction)


def table(columns, rows):
    """A table of bodies."""
    return "\n".join([columns] + [",".join(f"{value:.6f}" for value in row) for row in rows]) + "\n"


def discs(n, across, numbers):
    """Rows of discs, each above the gaps of the row below."""
    rows = []
    for k in range(n):
        i, j = k % across[0], k // across[0]
        rows.append((2 * RADIUS * (i + 0.5 * (j % 2)), RADIUS * (1.01 + 1.76 * j),
                     RADIUS * numbers.uniform(0.94, 1)))
    return "x,y,radius", rows


def in_layers(n, across):
    """Indices of bodies in three directions, layer by layer."""
    return [(k % across[0], k // across[0] % across[1], k // (across[0] * across[1])) for k in range(n)]


def spheres(n, across, numbers):
    """Layers of spheres, each above the gaps of the layer below."""
    rows = []
    for i, j, layer in in_layers(n, across):
        shift = 0.5 * (layer % 2)
        rows.append((2 * RADIUS * (i + shift), 2 * RADIUS * (j + shift), RADIUS * (1.01 + 1.45 * layer),
                     RADIUS * numbers.uniform(0.94, 1)))
    return "x,y,z,radius", rows


def boxes(n, across, numbers):
    """Columns of boxes that are not quite above each other."""
    rows = []
    for i, j, layer in in_layers(n, across):
        shift = 0.3 * (layer % 2)
        rows.append((2 * RADIUS * (i + shift), 2 * RADIUS * (j + shift), RADIUS * (1.01 + 2 * layer),
                     *(2 * RADIUS * numbers.uniform(0.93, 0.99) for _ in range(3))))
    return "x,y,z,size_x,size_y,size_z", rows


def bodies_across(shape, n, n_areas):
    """Numbers of bodies along the sides of the box: as wide as high, or n_areas (a multiple of 2) times
    the area on which n / n_areas bodies would be as wide as high."""
    if shape == "disc":
        return [n_areas * round(math.sqrt(n / n_areas))]
    across = round((n / n_areas) ** (1 / 3))
    return [across, across] if n_areas == 1 else [4 * across, n_areas * across // 4]


def write_crowd(folder, shape, n, steps, n_areas=1):
    """Writes a case of n bodies that fall on each other in a box, see bodies_across()."""
    across = bodies_across(shape, n, n_areas)
    columns, rows = {"disc": discs, "sphere": spheres, "box": boxes}[shape](n, across, random.Random(2))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "grains.csv").write_text(table(columns, rows), encoding="utf-8")
    bodies = f"  subsection grains\n    set File = grains.csv\n    set Shape = {shape}\n" \
             "    set Density = 1000\n  end\n"
    contacts = box_of([2 * RADIUS * number for number in across], 0.3) + GRAINS.format(friction=0.3)
    (folder / "case.prm").write_text(
        CASE.format(bodies=bodies, gravity="0, " * len(across) + "-9.81", end=steps * 1e-3, tolerance=1e-6,
                    contacts=contacts), encoding="utf-8")


def write_subsections(folder, n):
    """Writes a case of n discs, each in a subsection of its own; it takes one step."""
    bodies = "".join(f"  subsection disc {k}\n    set Shape = disc\n    set Radius = {RADIUS}\n    set Density = 1000\n"
                     f"    set Position = {0.12 * (k % 50):.2f}, {0.06 + 0.12 * (k // 50):.2f}\n  end\n"
                     for k in range(n))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.prm").write_text(
        CASE.format(bodies=bodies, gravity="0, -9.81", end=1e-3, tolerance=1e-6,
                    contacts=walls([("ground", (0, 0), (0, 1))], 2, 0.3)), encoding="utf-8")


def write_hopper(folder, outlet, friction=0.5, n=160, steps=400):
    """Writes a case of n discs that flow out of a hopper with sides of 45 degrees and an outlet of this width."""
    numbers, rows, n_wide, y = random.Random(1), [], 0, 0.36
    half, side = 0.5 * outlet, 0.7
    while len(rows) < n:
        free = min(side - RADIUS, half + y - 0.3 - 1.45 * RADIUS)
        is_wide = free >= side - 1.2 * RADIUS  # above the slopes: each row above the gaps of the row below
        across = 13 - n_wide % 2 if is_wide else int(free / (1.01 * RADIUS)) + 1
        rows += [((i - 0.5 * (across - 1)) * 2.02 * RADIUS + numbers.uniform(-2e-4, 2e-4),
                  y + numbers.uniform(-2e-4, 2e-4), RADIUS * numbers.uniform(0.9, 0.995)) for i in range(across)]
        n_wide += is_wide
        y += (1.01 * math.sqrt(3) if is_wide else 2.02) * RADIUS
    sides = [("left", f"{-half}, 0; {-half}, 0.3; {-side}, {1 - half}; -0.9, {1 - half}; -0.9, 0"),
             ("right", f"{half}, 0; 0.9, 0; 0.9, {1 - half}; {side}, {1 - half}; {half}, 0.3")]
    bodies = "  subsection grains\n    set File = grains.csv\n    set Shape = disc\n    set Density = 1000\n  end\n"
    for name, vertices in sides:
        bodies += f"  subsection {name}\n    set Shape = polygon\n    set Vertices = {vertices}\n" \
                  "    set Density = 1000\n    set Velocity x = 0\n    set Velocity y = 0\n" \
                  "    set Angular velocity = 0\n  end\n"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "grains.csv").write_text(table("x,y,radius", rows[:n]), encoding="utf-8")
    planes = [("west", (-side, 0), (1, 0)), ("east", (side, 0), (-1, 0))]
    (folder / "case.prm").write_text(
        CASE.format(bodies=bodies, gravity="0, -9.81", end=steps * 1e-3, tolerance=1e-4,
                    contacts=walls(planes, 2, friction) + GRAINS.format(friction=friction)), encoding="utf-8")
