#!/usr/bin/env python3
"""Shows a run of Percussion in ParaView: the deformed bodies coloured by von Mises stress, the
points that may touch coloured by status, the percussions as arrows, the ground, the time.

    paraview --script=FOLDER/paraview_macro.py
    pvbatch FOLDER/paraview_macro.py --picture FILE.png [--time T] [--size WIDTH,HEIGHT]

FOLDER is that of the run's results, which this file lies in and may be moved with. As a macro of
ParaView's menu (Macros > Import new macro) it shows the run whose solution.pvd is selected in the
pipeline browser. It works on a run that is still going on, too: run it again for later instants.
"""

import argparse
import collections
import math
import os
import re
import runpy
import sys
import xml.etree.ElementTree

# Colours that do not need the eye for red and green (Okabe and Ito).
BLUE, ORANGE, VERMILION = [0.0, 0.45, 0.70], [0.90, 0.62, 0.0], [0.84, 0.37, 0.0]
PALE, DARK, BLACK = [0.77, 0.86, 0.93], [0.25] * 3, [0.0] * 3
STATUSES = [(1, "stick", BLUE), (2, "slip", ORANGE)]


class Trouble(Exception):
    """What the user is to be told."""


# ---- What the files say: plain Python ------------------------------------------------------------


def read_series(pvd):
    """Times and files that a .pvd lists, in its order."""
    try:
        root = xml.etree.ElementTree.parse(pvd).getroot()
        series = [(float(entry.attrib["timestep"]), os.path.join(os.path.dirname(pvd),
                                                                 entry.attrib["file"]))
                  for entry in root.iter("DataSet")]
    except OSError as error:
        raise Trouble(f"{pvd}: cannot be read ({error.strerror})") from error
    except (xml.etree.ElementTree.ParseError, KeyError, ValueError) as error:
        raise Trouble(f"{pvd}: is not a list of VTK files ({error})") from error
    if not series:
        raise Trouble(f"{pvd}: lists no files yet; try again when the run has written some")
    for _, file in series:
        if not os.path.isfile(file):
            raise Trouble(f"{file}: no such file, though {os.path.basename(pvd)} lists it")
    return series


def read_ranges(vtu):
    """(association, array) -> (smallest, largest value) as the tags of a .vtu tell them; of vectors
    it is their length. Arrays without values have none."""
    with open(vtu, encoding="utf-8", errors="replace") as stream:
        text = stream.read()
    ranges = {}
    for association, arrays in re.findall(r"<(PointData|CellData)\b[^>]*>(.*?)</\1>", text, re.S):
        for array in re.findall(r"<DataArray\b[^>]*>", arrays):
            said = dict(re.findall(r'(\w+)="([^"]*)"', array))
            try:
                low, high = float(said["RangeMin"]), float(said["RangeMax"])
            except (KeyError, ValueError):
                low, high = math.inf, -math.inf
            ranges[association, said["Name"]] = low, high
    return ranges


def ranges_over_all_times(series):
    """The same over all files of a series."""
    overall = {}
    for _, file in series:
        for key, (low, high) in read_ranges(file).items():
            before = overall.get(key, (math.inf, -math.inf))
            overall[key] = min(before[0], low), max(before[1], high)
    return overall


def read_parameters(prm):
    """The values of a .prm file as Percussion writes it: [(["Section", "Entry"], value)]."""
    path, values = [], []
    try:
        with open(prm, encoding="utf-8") as stream:
            for line in stream:
                word, _, rest = line.partition("#")[0].strip().partition(" ")
                if word == "subsection":
                    path.append(rest.strip())
                elif word == "end":
                    path.pop()
                elif word == "set":
                    name, _, value = rest.partition("=")
                    values.append((path + [name.strip()], value.strip()))
    except OSError as error:
        raise Trouble(f"{prm}: cannot be read ({error.strerror})") from error
    return values


def units_of(text):
    """Units of time, stress and percussion from those that the case names; "" where unknown."""
    words = re.split(r"[,;\s]+", text)

    def first_of(*known):
        return next((word for word in words if word in known), "")

    time = first_of("s", "ms", "us", "µs", "min", "h")
    length = first_of("m", "mm", "cm", "um", "µm", "km", "in", "ft")
    mass = first_of("kg", "g", "t", "mg")
    force = first_of("N", "mN", "kN", "MN", "daN", "lbf") or {
        ("kg", "m", "s"): "N", ("t", "mm", "s"): "N", ("g", "mm", "ms"): "N",
        ("kg", "mm", "ms"): "kN", ("t", "m", "s"): "kN"}.get((mass, length, time), "")
    stress = {("N", "m"): "Pa", ("N", "mm"): "MPa"}.get((force, length), "")
    if not stress and force and length:
        stress = f"{force}/{length}²"
    percussion = f"{force} {time}" if force and time else ""
    return {"time": time, "stress": stress, "percussion": percussion}


def with_unit(text, unit):
    return f"{text} {unit}" if unit else text


def short(number):
    """Three digits, with an exponent only where the number is long without."""
    return f"{float(f'{number:.3g}'):.{5 if 1e-3 <= number < 1e5 else 3}g}"


class RunFiles:
    """What the files in the folder of a run say of it."""

    def __init__(self, folder):
        parameters = read_parameters(os.path.join(folder, "parameters.prm"))
        values = {"/".join(path): value for path, value in parameters}
        self.name = os.path.basename(os.path.abspath(folder))
        self.solution = os.path.join(folder, "solution.pvd")
        self.contacts = os.path.join(folder, "contacts.pvd")
        self.series = read_series(self.solution)
        self.times = [time for time, _ in self.series]
        ranges = ranges_over_all_times(self.series)
        body = ranges["CellData", "body"]
        self.is_elastic, self.is_rigid = body[0] < 1, body[1] >= 1
        self.is_large_strain = values.get("Material/Law", "linear elastic") != "linear elastic"
        self.largest_stress = ranges["CellData", "von_mises"][1]
        self.percussions = sorted(p for p in (
            read_ranges(file)["PointData", "percussion"][1]
            for _, file in read_series(self.contacts)) if p > 0)  # the largest of each instant
        self.units = units_of(values.get("Output/Units", ""))
        if self.percussions:
            median = self.percussions[len(self.percussions) // 2]
            self.longest_arrow = min(2.5 * median, self.percussions[-1])
        # The number of a contact, the array "pair", is its place among the subsections.
        names = dict.fromkeys(path[1] for path, _ in parameters
                              if path[0] == "Contact" and len(path) == 3)
        self.surfaces = [(values.get(f"Contact/{name}/Surface", ""),
                          float(values.get(f"Contact/{name}/Radius") or 1)) for name in names]


def round_1_2_5(value):
    """The nearest of 1, 2, 5, 10, 20, ... and their inverses."""
    decade = 10.0 ** math.floor(math.log10(value))
    return min((factor * decade for factor in (1, 2, 5, 10)),
               key=lambda rounded: abs(math.log(rounded / value)))


def nearest_time(times, wanted):
    return min(times, key=lambda time: abs(time - wanted))


def some_of(times, count=60):
    """At most so many of them, evenly spaced, the first and the last included."""
    if len(times) <= count:
        return times
    return [times[round(k * (len(times) - 1) / (count - 1))] for k in range(count)]


# What a file holds as NumPy arrays: points and displacement (n, 3), and of each cell von_mises,
# area and perimeter.
Instant = collections.namedtuple("Instant", "points displacement von_mises area perimeter")


class Motion:
    """How far the bodies go, from some instants."""

    def __init__(self, run, instants):
        points = instants[0].points
        self.size = max(points.max(axis=0) - points.min(axis=0))
        deviation, travel = 0.0, [0.0, 0.0, 0.0]
        for instant in instants:
            u = instant.displacement
            mean = u.mean(axis=0)
            deviation = max(deviation, math.sqrt(((u - mean)**2).sum(axis=1).max()))
            travel = [max(a, abs(b)) for a, b in zip(travel, mean)]
        self.factor = 1.0
        # A deviation at round-off of the travel is a rigid motion; exaggerated rotations would tear
        # rigid bodies out of shape.
        if (not run.is_large_strain and not run.is_rigid
                and deviation > 1e-10 * max(self.size, *travel)):
            self.factor = max(1.0, round_1_2_5(0.05 * self.size / deviation))
        # Where a body goes far its mean displacement is shown as it is.
        self.keeps_mean = [self.factor > 1 and self.factor * way > 0.5 * self.size
                           for way in travel]

    def box(self, instants):
        """x and y of the lower left and the upper right corner of what is shown at these."""
        low, high = [math.inf] * 2, [-math.inf] * 2
        for instant in instants:
            u = instant.displacement
            kept = u.mean(axis=0) * self.keeps_mean
            shown = instant.points + kept + self.factor * (u - kept)
            low = [min(a, b) for a, b in zip(low, shown.min(axis=0))]
            high = [max(a, b) for a, b in zip(high, shown.max(axis=0))]
        return low + high


# ---- What ParaView is to do ----------------------------------------------------------------------

# Runs inside ParaView's Programmable Filter on the points that may touch; its parameters stand
# before it. The place on a surface nearest to a point is its gap away against the normal: that is
# where the ground is, whatever it is and however it moves.
GROUND_SCRIPT = """
import math
import numpy
import vtk
from vtk.util.numpy_support import numpy_to_vtk

fields = inputs[0].PointData
points = inputs[0].GetPoints()
x0, y0, x1, y1 = box
size = numpy.max([x1 - x0, y1 - y0])
width, margin = 0.04 * size, 0.6 * size
places, strips, lines = vtk.vtkPoints(), vtk.vtkCellArray(), vtk.vtkCellArray()


def add_strip(edge, behind):
    ids = [[places.InsertNextPoint(x, y, 0) for x, y in side] for side in (edge, behind)]
    for k in range(len(edge) - 1):
        strips.InsertNextCell(4)
        for i in (ids[0][k], ids[0][k + 1], ids[1][k + 1], ids[1][k]):
            strips.InsertCellPoint(i)
    lines.InsertNextCell(len(edge))
    for i in ids[0]:
        lines.InsertCellPoint(i)


def add_plane(feet, n):
    t = numpy.array([n[1], -n[0]])
    if numpy.ptp(feet @ n) > 1e-6 * size:
        return  # multiplied gaps need not end on one line
    corners = numpy.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) @ t
    edge = [s * t + feet[0] @ n * n for s in (corners.min() - margin, corners.max() + margin)]
    add_strip(edge, [place - width * n for place in edge])


def add_circle(foot, n, radius, outside):
    sign = 1 if outside else -1  # of the normal, away from the centre
    centre = foot - sign * radius * n
    angles = numpy.linspace(0, 2 * math.pi, 1441)
    directions = numpy.stack([numpy.cos(angles), numpy.sin(angles)], axis=1)
    behind = radius - sign * width if radius > sign * width else 0
    add_strip(centre + radius * directions, centre + behind * directions)


if points is not None and len(points) > 0:
    u, normal, gap = fields["displacement"], fields["normal"][:, :2], fields["gap"]
    mean = numpy.asarray(inputs[1].PointData["displacement"]).mean(axis=0) * keeps_mean
    feet = (points + mean + factor * (u - mean))[:, :2] - factor * gap[:, None] * normal
    for pair, (kind, radius) in enumerate(surfaces):
        mine = numpy.flatnonzero((fields["pair"] == pair) & (fields["obstacle"] == 0))
        if len(mine) == 0:
            continue
        if kind == "half-plane":
            add_plane(numpy.asarray(feet[mine]), numpy.asarray(normal[mine[0]]))
        elif kind.endswith("circle") and factor == 1:
            add_circle(numpy.asarray(feet[mine[0]]), numpy.asarray(normal[mine[0]]), radius,
                       kind.startswith("outside"))
output.SetPoints(places)
output.VTKObject.SetPolys(strips)
output.VTKObject.SetLines(lines)
colours = [[64] * 3] * lines.GetNumberOfCells() + [[224] * 3] * strips.GetNumberOfCells()
colours = numpy_to_vtk(numpy.array(colours, dtype=numpy.uint8).reshape(-1, 3), deep=True)
colours.SetName("colour")
output.VTKObject.GetCellData().AddArray(colours)
"""


class Scene:
    """The pipeline and the view. `pv` is paraview.simple."""

    def __init__(self, pv, run, view):
        self.pv, self.run, self.view = pv, run, view
        self.solution = self.open_series("solution.pvd", run.solution)
        self.contacts = self.open_series("contacts.pvd", run.contacts)
        self.sampled = {time: self.fetch(time) for time in some_of(run.times)}
        self.motion = Motion(run, list(self.sampled.values()))
        self.box = self.motion.box(self.sampled.values())
        self.extent = max(self.box[2] - self.box[0], self.box[3] - self.box[1])
        self.size = None  # of the picture; None: as the bodies need

    def open_series(self, name, file):
        reader = self.pv.PVDReader(FileName=file)
        self.pv.RenameSource(name, reader)
        self.pv.Hide(reader, self.view)
        return reader

    def fetch(self, time):
        """The solution at an instant."""
        import numpy
        from paraview import servermanager
        from paraview.vtk.util.numpy_support import vtk_to_numpy
        self.solution.UpdatePipeline(time)
        grid = servermanager.Fetch(self.solution)
        if grid.IsA("vtkMultiBlockDataSet"):
            grid = grid.GetBlock(0)
        points, displacement, von_mises, begin, corner = (
            numpy.array(vtk_to_numpy(array)) for array in (
                grid.GetPoints().GetData(), grid.GetPointData().GetArray("displacement"),
                grid.GetCellData().GetArray("von_mises"), grid.GetCells().GetOffsetsArray(),
                grid.GetCells().GetConnectivityArray()))
        following = numpy.roll(corner, -1)
        following[begin[1:] - 1] = corner[begin[:-1]]
        a, b = points[corner].T, points[following].T
        area, perimeter = (numpy.abs(numpy.add.reduceat(of_edges, begin[:-1])) for of_edges in (
            0.5 * (a[0] * b[1] - b[0] * a[1]), numpy.hypot(b[0] - a[0], b[1] - a[1])))
        return Instant(points, displacement, von_mises, area, perimeter)

    def show(self, source, name, height=0):
        """`height` decides what covers what; the plane is seen from above."""
        self.pv.RenameSource(name, source)
        display = self.pv.Show(source, self.view)
        display.Ambient, display.Diffuse, display.Specular = 1.0, 0.0, 0.0
        display.Position = [0, 0, 1e-3 * height * self.extent]
        return display

    def warp(self, source, name, *others):
        """Warp By Vector, about the mean displacement where the bodies go far."""
        vector = "displacement"
        if any(self.motion.keeps_mean):
            vector = "displacement to multiply"
            kept = [float(keeps) * (1 - 1 / self.motion.factor) for keeps in self.motion.keeps_mean]
            of_bodies = f"inputs[{len(others)}].PointData['displacement']"
            source = self.pv.PythonCalculator(
                Input=[source, *others] if others else source, ArrayName=vector,
                Expression=f"inputs[0].PointData['displacement'] - "
                           f"numpy.asarray({of_bodies}).mean(axis=0) * {kept}")
            self.pv.RenameSource(f"{name}: about the mean", source)
            self.pv.Hide(source, self.view)
        warped = self.pv.WarpByVector(Input=source)
        warped.Vectors = ["POINTS", vector]
        warped.ScaleFactor = self.motion.factor
        self.pv.RenameSource(f"{name}: warp", warped)
        self.pv.Hide(warped, self.view)
        return warped

    def part(self, source, lower, upper):
        """The cells whose number of a body is between these."""
        part = self.pv.Threshold(Input=source, Scalars=["CELLS", "body"],
                                 ThresholdMethod="Between", LowerThreshold=lower,
                                 UpperThreshold=upper)
        return part

    def add_bodies(self):
        bodies = self.warp(self.solution, "bodies")
        both = self.run.is_elastic and self.run.is_rigid
        if self.run.is_elastic:
            elastic = self.part(bodies, -0.5, 0.5) if both else bodies
            display = self.show(elastic, "elastic body")
            self.colour_by_stress(display)
            self.show_edges(elastic, display)
        if self.run.is_rigid:
            rigid = self.part(bodies, 0.5, 1e9) if both else bodies
            display = self.show(rigid, "rigid bodies")
            display.Representation = "Surface With Edges"
            self.paint(display, PALE)
            display.EdgeColor, display.LineWidth = DARK, 2.0

    def colour_by_stress(self, display):
        pv, unit = self.pv, self.run.units["stress"]
        pv.ColorBy(display, ("CELLS", "von_mises"))
        colours = pv.GetColorTransferFunction("von_mises")
        colours.ApplyPreset("Viridis (matplotlib)", True)
        colours.RescaleTransferFunction(0.0, self.highest_colour())
        # Later instants do not change it: colours can be compared.
        colours.AutomaticRescaleRangeMode = "Never"
        bar = self.bar(colours, "von Mises stress" + (f" [{unit}]" if unit else ""), 0.5, 0.36)
        display.SetScalarBarVisibility(self.view, True)
        bar.AutomaticLabelFormat = 0
        bar.LabelFormat = bar.RangeLabelFormat = "%.3g"

    def highest_colour(self):
        """What all but one in a hundred cells stay below, at nine of ten instants: one cell that is
        hit would leave no colours for the others."""
        import numpy
        highest = [numpy.quantile(instant.von_mises, 0.99) for instant in self.sampled.values()]
        return float(numpy.quantile(highest, 0.9)) or self.run.largest_stress or 1.0

    def show_edges(self, elastic, display):
        """Edges of cells, where these are so wide that the edges do not hide the colours."""
        first = self.sampled[self.run.times[0]]
        is_coarse = first.area.sum() > 2e-3 * self.motion.size * first.perimeter.sum()
        display.Representation = "Surface With Edges" if is_coarse else "Surface"
        display.EdgeColor, display.LineWidth = DARK, 1.0
        if not is_coarse:
            edges = self.pv.FeatureEdges(Input=self.pv.ExtractSurface(Input=elastic))
            edges.BoundaryEdges, edges.FeatureEdges = 1, 0
            outline = self.show(edges, "outline", 1)
            self.paint(outline, DARK)
            outline.LineWidth = 1.5

    @staticmethod
    def paint(display, colour):
        """One colour, no field."""
        display.ColorArrayName = ["POINTS", ""]
        display.AmbientColor = display.DiffuseColor = colour

    def bar(self, colours, title, bottom, length):
        bar = self.pv.GetScalarBar(colours, self.view)
        bar.Title, bar.ComponentTitle = title, ""
        bar.TitleColor = bar.LabelColor = BLACK
        bar.TitleFontSize, bar.LabelFontSize = 16, 14
        bar.ScalarBarThickness = 18
        bar.WindowLocation, bar.Position = "Any Location", [0.87, bottom]
        bar.ScalarBarLength = length
        bar.Orientation = "Vertical"
        bar.HorizontalTitle = 1
        if hasattr(bar, "DrawBackground"):  # not in older ParaViews
            bar.DrawBackground, bar.BackgroundColor = 1, [1.0, 1.0, 1.0, 1.0]
        return bar

    def add_contacts(self):
        points = self.warp(self.contacts, "contact points", self.solution)
        self.add_statuses(points)
        if self.run.percussions:
            self.add_percussions(points)
        self.add_ground()

    def add_statuses(self, points):
        closed = self.pv.Threshold(Input=points, Scalars=["POINTS", "status"],
                                   ThresholdMethod="Between", LowerThreshold=0.5,
                                   UpperThreshold=2.5)
        display = self.show(closed, "closed contacts", 4)
        display.Representation = "Points"
        display.PointSize = 9.0
        display.RenderPointsAsSpheres = 1
        colours = self.pv.GetColorTransferFunction("status")
        colours.InterpretValuesAsCategories = 1
        colours.AnnotationsInitialized = 1
        colours.Annotations = [text for value, name, _ in STATUSES for text in (str(value), name)]
        colours.IndexedColors = [part for _, _, colour in STATUSES for part in colour]
        display.ColorArrayName, display.LookupTable = ["POINTS", "status"], colours
        self.bar(colours, "contact status", 0.24, 0.12)
        display.SetScalarBarVisibility(self.view, True)

    def add_percussions(self, points):
        """Arrows that press on the bodies from outside: their tips are the contact points. Impacts
        are so much larger than what else is transmitted that their arrows are cut short."""
        cut = self.pv.Calculator(Input=points, ResultArrayName="arrow")
        cut.Function = f"percussion*min(1,{self.run.longest_arrow!r}/max(mag(percussion),1e-300))"
        self.pv.RenameSource("arrows", cut)
        self.pv.Hide(cut, self.view)
        arrows = self.pv.Glyph(Input=cut, GlyphType="Arrow")
        arrows.OrientationArray = ["POINTS", "arrow"]
        arrows.ScaleArray = ["POINTS", "arrow"]
        arrows.ScaleFactor = 0.25 * self.motion.size / self.run.longest_arrow
        arrows.GlyphMode = "All Points"
        arrows.GlyphTransform.Translate = [-1.0, 0.0, 0.0]
        arrows.GlyphType.TipLength = 0.25
        arrows.GlyphType.TipRadius = 0.06
        arrows.GlyphType.ShaftRadius = 0.018
        display = self.show(arrows, "percussions", 8)
        self.paint(display, VERMILION)

    def add_ground(self):
        if not any(kind != "rigid bodies" for kind, _ in self.run.surfaces):
            return
        ground = self.pv.ProgrammableFilter(Input=[self.contacts, self.solution])
        ground.OutputDataSetType = "vtkPolyData"
        ground.CopyArrays = 0
        ground.Script = (f"surfaces = {self.run.surfaces!r}\n"
                         f"box = {[float(x) for x in self.box]!r}\n"
                         f"factor = {self.motion.factor!r}\n"
                         f"keeps_mean = {[float(keeps) for keeps in self.motion.keeps_mean]!r}\n"
                         + GROUND_SCRIPT)
        display = self.show(ground, "ground", -4)
        self.pv.ColorBy(display, ("CELLS", "colour"))
        display.MapScalars = 0
        display.LineWidth = 3.0

    def add_texts(self):
        time = self.pv.AnnotateTimeFilter(Input=self.solution)
        time.Format = with_unit("t = {time:g}", self.run.units["time"])
        self.place(time, "time", "Upper Right Corner", 20)
        factor = self.motion.factor
        scale = f"displacement × {factor:g}" if factor != 1 else "true to scale"
        words = f"{self.run.name}: {scale}"
        if any(self.motion.keeps_mean):
            words += " about its mean"
        if self.run.is_elastic:
            largest = with_unit(short(self.run.largest_stress), self.run.units["stress"])
            words += f"; largest stress of the run: {largest}"
        if self.run.percussions:
            longest, largest = self.run.longest_arrow, self.run.percussions[-1]
            words += "; arrows: percussions, the longest "
            if longest < largest:
                words += f"{short(longest)} and more, up to "
            words += with_unit(short(largest), self.run.units["percussion"])
        self.place(self.pv.Text(Text=words), "remark", "Upper Left Corner", 14)

    def place(self, text, name, corner, size):
        self.pv.RenameSource(name, text)
        display = self.pv.Show(text, self.view)
        display.WindowLocation = corner
        display.Color, display.FontSize = BLACK, size

    def aim(self, time=None):
        """The plane from above, true to scale: the whole way of the bodies, or where they are at a
        time. Bars and texts have room at the right and above."""
        x0, y0, x1, y1 = self.box if time is None else self.motion.box([self.fetch(time)])
        room = 0.16 * self.motion.size  # of arrows and ground
        # A body that is small in comparison with its way is shown where it is on it.
        width = max(x1 - x0 + 2 * room, 0.3 * self.extent)
        height = max(y1 - y0 + 2 * room, 0.3 * self.extent)
        bars, texts = 220, 50  # pixels
        if time is not None and self.size is None:
            tall = min(max((1600 - bars) * height / width + texts, 600), 1300)
            wide = min(max((tall - texts) * width / height + bars, 1000), 1600)
            self.view.ViewSize = [int(wide), int(tall)]
        pixels = self.view.ViewSize
        scale = max(width / max(pixels[0] - bars, 100), height / max(pixels[1] - texts, 100))
        centre = [(x0 + x1) / 2 + 0.5 * bars * scale, (y0 + y1) / 2 + 0.5 * texts * scale, 0]
        self.view.InteractionMode = "2D"
        self.view.CameraParallelProjection = 1
        self.view.CameraFocalPoint = centre
        self.view.CameraPosition = centre[:2] + [10 * self.extent + 10 * self.motion.size]
        self.view.CameraViewUp = [0, 1, 0]
        self.view.CameraParallelScale = 0.5 * pixels[1] * scale

    def set_time(self, time):
        self.pv.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
        self.view.ViewTime = time
        self.pv.GetAnimationScene().AnimationTime = time


def show(pv, folder, options):
    """Build the pipeline; write a picture if there is to be one."""
    run = RunFiles(folder)
    view = pv.CreateRenderView() if options.picture else pv.GetActiveViewOrCreate("RenderView")
    if options.picture and options.size:
        view.ViewSize = options.size
    view.UseColorPaletteForBackground = 0
    view.Background = [1.0, 1.0, 1.0]
    view.OrientationAxesVisibility = 0
    scene = Scene(pv, run, view)
    scene.size = options.size
    scene.add_bodies()
    scene.add_contacts()
    scene.add_texts()
    wanted = options.time if options.time is not None else run.times[-1 if options.picture else 0]
    time = nearest_time(run.times, wanted)
    scene.set_time(time)
    scene.aim(time if options.picture else None)
    pv.SetActiveSource(scene.solution)
    if options.picture:
        pv.SaveScreenshot(options.picture, view, ImageResolution=list(view.ViewSize))
    else:
        pv.Render(view)


def size_in_pixels(text):
    width, height = (int(part) for part in text.split(","))
    if width < 1 or height < 1:
        raise ValueError
    return [width, height]


def read_options(arguments):
    parser = argparse.ArgumentParser(prog="pvbatch paraview_macro.py",
                                     description=__doc__.split("\n\n")[0])
    parser.add_argument("--picture", metavar="FILE.png", help="write a picture")
    parser.add_argument("--time", type=float, help="show the instant that is nearest to this time")
    parser.add_argument("--size", type=size_in_pixels, metavar="WIDTH,HEIGHT",
                        help="of the picture, in pixels; without it as the bodies need")
    return parser.parse_args(arguments)


def folder_of_run(pv):
    """That of the file selected in ParaView, if this script is a macro of its menu, or its own."""
    own = os.path.dirname(os.path.abspath(__file__))
    if os.path.isfile(os.path.join(own, "solution.pvd")):
        return own
    file = getattr(pv.GetActiveSource(), "FileName", "")
    file = file if isinstance(file, str) else next(iter(file), "")
    if os.path.isfile(os.path.join(os.path.dirname(file), "solution.pvd")):
        return os.path.dirname(file)
    raise Trouble(f"{own}: there is no solution.pvd. Put this script into the folder of a run's "
                  "results, or open the solution.pvd of a run in ParaView and select it")


def main():
    try:
        import paraview.simple as pv
    except ImportError:
        here = os.path.abspath(__file__)
        sys.exit(f"This script is for ParaView, not for {os.path.basename(sys.executable)}. Run\n"
                 f"    paraview --script={here}\nor\n    pvbatch {here} --picture run.png")
    in_gui = not (sys.argv and sys.argv[0])  # pvbatch and pvpython give it the script
    options = read_options([] if in_gui else sys.argv[1:])
    try:
        show(pv, folder_of_run(pv), options)
    except Trouble as trouble:
        if not in_gui:
            sys.exit(f"paraview_macro.py: {trouble}")
        print(f"paraview_macro.py: {trouble}", file=sys.stderr)


def own_path():
    """This file. ParaView's program does not tell it to the one that --script names."""
    if "__file__" in globals():
        return __file__
    try:
        with open("/proc/self/cmdline", "rb") as stream:
            words = stream.read().decode(errors="replace").split("\0")
    except OSError:
        words = []
    for word, following in zip(words, words[1:]):
        if word == "--script":
            return following
        if word.startswith("--script="):
            return word[len("--script="):]
    return None


if __name__ == "percussion":
    main()
elif __name__ == "__main__":
    if own_path():
        # Not here: ParaView's programmable filters import all names of NumPy into the main module.
        runpy.run_path(own_path(), run_name="percussion")
    else:
        print("paraview_macro.py: ParaView does not say where this script lies. Use Macros > "
              "Import new macro, or Run Script in ParaView's Python Shell.", file=sys.stderr)
