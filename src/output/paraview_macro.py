#!/usr/bin/env python3
"""Shows a run of Percussion in ParaView: the deformed bodies coloured by von Mises stress, the
points that may touch coloured by status, the percussions as arrows, the ground, the time.

    paraview --script=FOLDER/paraview_macro.py
    pvbatch FOLDER/paraview_macro.py --picture FILE.png [--time T] [--size WIDTH,HEIGHT]

FOLDER is that of the run's results, which this file lies in and may be moved with. As a macro of
ParaView's menu (Macros > Import new macro) it shows the run whose solution.pvd is selected in the
pipeline browser. It works on a run that is still going on, too: run it again for later instants.
"""

# What percussion-report shares, as a text, since ParaView's filters run it, too.
SCENE = r'''@PERCUSSION_SCENE@'''

import argparse
import os
import runpy
import sys

try:
    exec(SCENE)
except ImportError:
    pass  # not ParaView's Python; main() says so

# Colours that do not need the eye for red and green (Okabe and Ito).
BLUE, ORANGE, VERMILION = [0.0, 0.45, 0.70], [0.90, 0.62, 0.0], [0.84, 0.37, 0.0]
PALE, DARK, BLACK = [0.77, 0.86, 0.93], [0.25] * 3, [0.0] * 3
STATUSES = [(1, "stick", BLUE), (2, "slip", ORANGE)]

# Between ParaView's data and the arrays of the scene; runs in its filters and here.
ARRAYS = '''
import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy


def grid_of(data):
    data = getattr(data, "VTKObject", data)
    return data.GetBlock(0) if data.IsA("vtkMultiBlockDataSet") else data


def dimension_of(grid):
    return 3 if vtk_to_numpy(grid.GetPoints().GetData())[:, 2].any() else 2


def array_of(grid, name, cells=False):
    """An array of points or cells; of vectors DIM components."""
    array = (grid.GetCellData() if cells else grid.GetPointData()).GetArray(name)
    if array is None:  # of a file without points
        return np.zeros((0, DIM) if name in ("displacement", "normal", "percussion") else 0)
    values = np.array(vtk_to_numpy(array))
    return values[:, :DIM].copy() if values.ndim > 1 else values


def points_of(grid):
    points = grid.GetPoints()
    return np.array(vtk_to_numpy(points.GetData()), dtype=float)[:, :DIM].copy() \\
        if points and points.GetNumberOfPoints() else np.zeros((0, DIM))


def in_space(values):
    return np.pad(values, ((0, 0), (0, 3 - values.shape[1])))


def bodies_of(grid):
    cells = grid.GetCells()
    return Bodies(points_of(grid), vtk_to_numpy(cells.GetConnectivityArray()),
                  vtk_to_numpy(cells.GetOffsetsArray())[1:], array_of(grid, "body", True) > 0)


def ground_contacts(grid):
    mine = array_of(grid, "obstacle") == 0
    return [values[mine] for values in (points_of(grid), *(
        array_of(grid, name) for name in ("displacement", "gap", "normal")))]
'''

# A Programmable Filter on the bodies and the contacts; it gets what it is to make (WHAT), DIM, parameters,
# factor, keeps, box, longest and reach.
FILTER = '''
solution, contacts = (grid_of(data) for data in inputs)
bodies, u = bodies_of(solution), array_of(solution, "displacement")
scaling = Scaling(bodies, [u], parameters, factor)
scaling.keeps = np.array(keeps)
at, offset = scaling.shown(u, ground_contacts(contacts))
made = output.VTKObject


def set_points(xy):
    points = vtk.vtkPoints()
    points.SetData(numpy_to_vtk(in_space(xy), deep=True))
    made.SetPoints(points)


if WHAT == "bodies":
    made.ShallowCopy(solution)
    set_points(bodies.points + at(bodies.points, u, bodies.part))
elif WHAT == "contacts":
    made.ShallowCopy(contacts)
    points, part = points_of(contacts), np.zeros(contacts.GetNumberOfPoints(), dtype=int)
    if factor != 1 and len(points):
        part = bodies.part[scaling.nearest(points.tobytes())]
    set_points(points + at(points, array_of(contacts, "displacement"), part))
    arrow = in_space(arrows(array_of(contacts, "percussion"), longest, reach))
    arrow = numpy_to_vtk(arrow, deep=True)
    arrow.SetName("arrow")
    made.GetPointData().AddArray(arrow)
else:
    time = solution.GetFieldData().GetArray("TimeValue").GetValue(0)
    low, high = np.array(box)
    places, cells = [], {2: vtk.vtkCellArray(), 3: vtk.vtkCellArray()}
    for surface in surfaces_of(parameters, DIM)[0].values():
        pieces = surface.pieces(time, low, high, offset)
        both = [pieces] if DIM == 3 else [pieces, strips(pieces, 0.0125 * max(high - low))]
        for corners in [corner for piece in both for corner in piece]:
            into = cells[min(len(corners), 3)]
            into.InsertNextCell(len(corners))
            for corner in corners:
                into.InsertCellPoint(len(places))
                places.append(corner)
    set_points(np.array(places).reshape(-1, DIM))
    made.SetLines(cells[2])
    made.SetPolys(cells[3])
    colours = [[51] * 3] * cells[2].GetNumberOfCells() + [[224] * 3] * cells[3].GetNumberOfCells()
    colours = numpy_to_vtk(np.array(colours, dtype=np.uint8).reshape(-1, 3), deep=True)
    colours.SetName("colour")
    made.GetCellData().AddArray(colours)
'''


class Scene:
    """The pipeline and the view. `pv` is paraview.simple."""

    def __init__(self, pv, folder, view):
        self.pv, self.view = pv, view
        self.name = os.path.basename(os.path.abspath(folder))
        series = [os.path.join(folder, f"{name}.pvd") for name in ("solution", "contacts")]
        self.parameters = read_parameters(os.path.join(folder, "parameters.prm"))
        self.units = units_of(self.parameters.get("Output/Units", ""))
        self.times = [time for time, _ in read_series(series[0])]
        read_series(series[1])
        self.readers = [self.open(file) for file in series]
        exec(ARRAYS, globals())
        self.look()

    def open(self, file):
        reader = self.pv.PVDReader(FileName=file)
        self.pv.RenameSource(os.path.basename(file), reader)
        self.pv.Hide(reader, self.view)
        return reader

    def fetch(self, time):
        """Bodies and contacts at an instant."""
        from paraview import servermanager
        for reader in self.readers:
            reader.UpdatePipeline(time)
        return [grid_of(servermanager.Fetch(reader)) for reader in self.readers]

    def look(self):
        """What all instants have in common, from some of them."""
        ways, stress, self.places, largest = [], [], [], []
        samples = [self.fetch(time) for time in some_of(self.times, 40)]
        globals()["DIM"] = dimension_of(samples[0][0])
        self.bodies = bodies_of(samples[0][0])
        for solution, contacts in samples:
            ways.append(array_of(solution, "displacement"))
            stress.append(array_of(solution, "von_mises", True))
            largest.append(length(array_of(contacts, "percussion")).max(initial=0))
        self.scaling = Scaling(self.bodies, ways, self.parameters)
        for u, (_, contacts) in zip(ways, samples):
            at, _ = self.scaling.shown(u, ground_contacts(contacts))
            self.places.append(self.bodies.points + at(self.bodies.points, u, self.bodies.part))
        self.limit, self.largest = colour_limit(stress)
        self.is_coloured = not self.bodies.is_rigid.all() and not is_round_off(
            self.largest, self.parameters, max(abs(u).max() for u in ways) / self.bodies.size)
        self.longest, self.percussion = longest_arrow(largest), max(largest)
        self.low, self.high, _ = view_box(self.bodies, self.places)
        self.extent = float(max(self.high - self.low))
        self.reach = min(0.12 * self.extent, 1.5 * float(np.median(self.bodies.sizes)))
        self.axes = camera(self.parameters, self.places) if DIM == 3 else np.eye(3)

    def filter(self, what, kind):
        """A Programmable Filter that makes bodies, contacts or ground."""
        made = self.pv.ProgrammableFilter(Input=self.readers)
        made.OutputDataSetType, made.CopyArrays = kind, 0
        far = 0.6 * self.extent if DIM == 2 else 0.15 * self.extent
        values = {"DIM": DIM, "factor": self.scaling.factor, "WHAT": what, "parameters": self.parameters,
                  "keeps": [bool(keep) for keep in self.scaling.keeps], "longest": self.longest,
                  "reach": self.reach,
                  "box": [[float(x) for x in self.low - far], [float(x) for x in self.high + far]]}
        # Among names of its own: ParaView puts others into a script's, max for instance.
        made.Script = "values = {\n" + "".join(
            f"    {name!r}: {value!r},\n" for name, value in values.items()) + "}\n" \
            f"exec({SCENE + ARRAYS + FILTER!r}, dict(values, inputs=inputs, output=output))"
        self.pv.RenameSource(what, made)
        self.pv.Hide(made, self.view)
        return made

    def show(self, source, name, height=0, colour=None):
        """`height` decides what covers what in the plane, which is seen from above."""
        self.pv.RenameSource(name, source)
        display = self.pv.Show(source, self.view)
        display.Ambient, display.Diffuse, display.Specular = 1.0, 0.0, 0.0
        if DIM == 2:
            display.Position = [0, 0, 1e-3 * height * self.extent]
        elif name not in ("outline", "percussions"):
            display.Ambient, display.Diffuse = 0.4, 0.6
        if colour:
            display.ColorArrayName = ["POINTS", ""]
            display.AmbientColor = display.DiffuseColor = colour
        return display

    def between(self, source, kind, name, lower, upper):
        return self.pv.Threshold(Input=source, Scalars=[kind, name], ThresholdMethod="Between",
                                 LowerThreshold=lower, UpperThreshold=upper)

    def add_bodies(self):
        bodies = self.filter("bodies", "vtkUnstructuredGrid")
        rigid = self.bodies.is_rigid
        if not rigid.all():
            elastic = self.between(bodies, "CELLS", "body", -0.5, 0.5) if rigid.any() else bodies
            display = self.show(elastic, "elastic body", 0, None if self.is_coloured else PALE)
            if self.is_coloured:
                self.colour_by_stress(display)
            self.show_edges(elastic, display)
        if rigid.any():
            part = bodies if rigid.all() else self.between(bodies, "CELLS", "body", 0.5, 1e9)
            display = self.show(part, "rigid bodies", 0, PALE)
            self.show_outline(part)

    def colour_by_stress(self, display):
        self.pv.ColorBy(display, ("CELLS", "von_mises"))
        colours = self.pv.GetColorTransferFunction("von_mises")
        colours.ApplyPreset("Viridis (matplotlib)", True)
        colours.RescaleTransferFunction(0.0, self.limit or 1.0)
        colours.AutomaticRescaleRangeMode = "Never"  # colours of all instants can be compared
        unit = self.units["stress"]
        bar = self.bar(colours, "von Mises stress" + (f" [{unit}]" if unit else ""), 0.5, 0.36)
        display.SetScalarBarVisibility(self.view, True)
        bar.AutomaticLabelFormat = 0
        bar.LabelFormat = bar.RangeLabelFormat = "%.3g"

    def show_edges(self, elastic, display):
        """Edges of cells, where these are so wide that the edges do not hide the colours."""
        is_coarse = len(self.bodies.ends) < 2500
        display.Representation = "Surface With Edges" if is_coarse else "Surface"
        display.EdgeColor, display.LineWidth = DARK, 1.0
        if not is_coarse:
            self.show_outline(elastic)

    def show_outline(self, bodies):
        edges = self.pv.FeatureEdges(Input=self.pv.ExtractSurface(Input=bodies))
        edges.BoundaryEdges, edges.FeatureEdges, edges.FeatureAngle = 1, DIM - 2, 25.0
        self.show(edges, "outline", 1, DARK).LineWidth = 1.5

    def bar(self, colours, title, bottom, length):
        bar = self.pv.GetScalarBar(colours, self.view)
        bar.Title, bar.ComponentTitle = title, ""
        bar.TitleColor = bar.LabelColor = BLACK
        bar.TitleFontSize, bar.LabelFontSize = 16, 14
        bar.ScalarBarThickness, bar.ScalarBarLength = 18, length
        bar.WindowLocation, bar.Position = "Any Location", [0.87, bottom]
        bar.Orientation, bar.HorizontalTitle = "Vertical", 1
        if hasattr(bar, "DrawBackground"):  # not in older ParaViews
            bar.DrawBackground, bar.BackgroundColor = 1, [1.0, 1.0, 1.0, 1.0]
        return bar

    def add_contacts(self):
        contacts = self.filter("contacts", "vtkUnstructuredGrid")
        closed = self.between(contacts, "POINTS", "status", 0.5, 2.5)
        display = self.show(closed, "closed contacts", 4)
        display.Representation, display.PointSize = "Points", 9.0
        display.RenderPointsAsSpheres = 1
        colours = self.pv.GetColorTransferFunction("status")
        colours.InterpretValuesAsCategories = colours.AnnotationsInitialized = 1
        colours.Annotations = [text for value, name, _ in STATUSES for text in (str(value), name)]
        colours.IndexedColors = [part for _, _, colour in STATUSES for part in colour]
        display.ColorArrayName, display.LookupTable = ["POINTS", "status"], colours
        self.bar(colours, "contact status", 0.24, 0.12)
        display.SetScalarBarVisibility(self.view, True)
        if self.longest:
            self.add_percussions(contacts)
        if surfaces_of(self.parameters, DIM)[0]:
            ground = self.show(self.filter("ground", "vtkPolyData"), "ground", -4)
            self.pv.ColorBy(ground, ("CELLS", "colour"))
            ground.MapScalars, ground.LineWidth = 0, 3.0
            ground.Opacity = 1.0 if DIM == 2 else 0.6  # arrows come from below

    def add_percussions(self, contacts):
        """Arrows that press on the bodies from outside: their tips are the contact points."""
        glyph = self.pv.Glyph(Input=contacts, GlyphType="Arrow")
        glyph.OrientationArray = glyph.ScaleArray = ["POINTS", "arrow"]
        glyph.ScaleFactor, glyph.GlyphMode = 1.0, "All Points"
        glyph.GlyphTransform.Translate = [-1.0, 0.0, 0.0]
        glyph.GlyphType.TipLength, glyph.GlyphType.TipRadius = 0.25, 0.06
        glyph.GlyphType.ShaftRadius = 0.018
        self.show(glyph, "percussions", 8, VERMILION)

    def add_texts(self):
        time = self.pv.AnnotateTimeFilter(Input=self.readers[0])
        time.Format = with_unit("t = {time:g}", self.units["time"])
        self.place(time, "time", "Upper Right Corner", 20)
        words = f"{self.name}: {self.scaling.words()}"
        if self.is_coloured:
            words += "; largest stress: " + with_unit(short(self.largest), self.units["stress"])
        if self.longest:
            more = "" if self.longest == self.percussion else \
                f"{short(self.longest)} and more, up to "
            words += "; arrows: percussions, the longest " + more + with_unit(
                short(self.percussion), self.units["percussion"])
        self.place(self.pv.Text(Text=words), "remark", "Upper Left Corner", 14)

    def place(self, text, name, corner, size):
        self.pv.RenameSource(name, text)
        display = self.pv.Show(text, self.view)
        display.WindowLocation, display.Color, display.FontSize = corner, BLACK, size

    def aim(self, time=None, size=None):
        """The plane from above, or space from a side: the whole way of the bodies, or where they are
        at a time. Bars and texts have room at the right and above."""
        low, high = self.low, self.high
        if time is not None:
            k = min(range(len(self.places)), key=lambda k: abs(
                some_of(self.times, 40)[k] - time))
            low, high, _ = view_box(self.bodies, [self.places[k]])
        middle = in_space(((low + high) / 2)[None])[0]
        width, height = (abs(self.axes[:2]) @ in_space((high - low)[None])[0])
        room = 0.32 * max(width, height)  # of arrows and ground
        width, height = np.maximum([width + room, height + room], 0.3 * self.extent)
        bars, texts = 220, 50  # pixels
        if time is not None and size is None:
            tall = min(max((1600 - bars) * height / width + texts, 600), 1300)
            wide = min(max((tall - texts) * width / height + bars, 1000), 1600)
            self.view.ViewSize = [int(wide), int(tall)]
        pixels = self.view.ViewSize
        scale = max(width / max(pixels[0] - bars, 100), height / max(pixels[1] - texts, 100))
        centre = middle + 0.5 * scale * np.array([bars, texts]) @ self.axes[:2]
        self.view.InteractionMode, self.view.CameraParallelProjection = f"{DIM}D", 1
        self.view.CameraFocalPoint = centre.tolist()
        self.view.CameraPosition = (centre + 20 * self.extent * self.axes[2]).tolist()
        self.view.CameraViewUp = self.axes[1].tolist()
        self.view.CameraParallelScale = 0.5 * pixels[1] * scale


def show(pv, folder, options):
    """Build the pipeline; write a picture if there is to be one."""
    view = pv.CreateRenderView() if options.picture else pv.GetActiveViewOrCreate("RenderView")
    if options.picture and options.size:
        view.ViewSize = options.size
    view.UseColorPaletteForBackground = 0
    view.Background = [1.0, 1.0, 1.0]
    view.OrientationAxesVisibility = 0
    scene = Scene(pv, folder, view)
    scene.add_bodies()
    scene.add_contacts()
    scene.add_texts()
    wanted = options.time if options.time is not None else scene.times[
        -1 if options.picture else 0]
    time = min(scene.times, key=lambda t: abs(t - wanted))
    pv.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
    view.ViewTime = pv.GetAnimationScene().AnimationTime = time
    scene.aim(time if options.picture else None, options.size)
    pv.SetActiveSource(scene.readers[0])
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
                                     description="Shows a run of Percussion in ParaView.")
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
