#!/usr/bin/env python3
"""Shows a run of Percussion in ParaView: the deformed bodies coloured by von Mises stress, the
contact points coloured by status, the percussions as arrows, the ground, the time.

    paraview --script=FOLDER/paraview_macro.py
    pvbatch FOLDER/paraview_macro.py --picture FILE.png [--time T] [--size WIDTH,HEIGHT]

FOLDER is the folder with the run's results, which contains this file and may be moved. As a macro
of ParaView's menu (Macros > Import new macro) the script shows the run whose solution.pvd or
solution.vtkhdf is selected in the pipeline browser. For a run in progress, run it again to show later instants.
"""

# Code shared with percussion-report, as a text, because ParaView's filters run it, too.
SCENE = r'''@PERCUSSION_SCENE@'''

import argparse
import os
import re
import runpy
import sys

try:
    exec(SCENE)
except ImportError:
    pass  # not ParaView's Python; main() reports it

SERIES = ".pvd", ".vtkhdf"

# Colours that readers with red-green blindness can distinguish (Okabe and Ito).
BLUE, ORANGE, VERMILION = [0.0, 0.45, 0.70], [0.90, 0.62, 0.0], [0.84, 0.37, 0.0]
PALE, DARK, BLACK = [0.77, 0.86, 0.93], [0.25] * 3, [0.0] * 3

# Conversion between ParaView's data and the arrays of the scene; runs in its filters and here.
ARRAYS = '''
import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy


def grid_of(data):
    """The grid of data; pieces of several processes are joined at points with equal numbers."""
    data = getattr(data, "VTKObject", data)
    grid = data.GetBlock(0) if data.IsA("vtkMultiBlockDataSet") else data
    if not grid.GetPointData().GetArray("GlobalPointIds"):
        return grid
    point, points, join = vtk.vtkUnstructuredGrid(), vtk.vtkPoints(), vtk.vtkAppendFilter()
    points.InsertNextPoint(grid.GetPoint(0))
    point.SetPoints(points)
    for copied, arrays in (point.GetPointData(), grid.GetPointData()), \\
            (point.GetCellData(), grid.GetCellData()):
        copied.CopyAllOn()
        copied.CopyAllocate(arrays, 1)
    point.GetPointData().CopyData(grid.GetPointData(), 0, 0)
    join.MergePointsOn()
    for joined in grid, point:  # a grid alone would be copied
        join.AddInputData(joined)
    join.Update()
    return join.GetOutput()


def order_of(grid):
    """The points in the order of their numbers: the order of one process."""
    numbers = grid.GetPointData().GetArray("GlobalPointIds")
    return np.argsort(vtk_to_numpy(numbers)) if numbers else np.arange(grid.GetNumberOfPoints())


def array_of(grid, name, cells=False):
    """An array of points or cells; of vectors DIM components."""
    values = vtk_to_numpy((grid.GetCellData() if cells else grid.GetPointData()).GetArray(name))
    if not cells:
        values = values[order_of(grid)]
    return values[:, :DIM].copy() if values.ndim > 1 else values.copy()


def points_of(grid):
    points = grid.GetPoints()
    return vtk_to_numpy(points.GetData()).astype(float)[order_of(grid), :DIM] \\
        if points and points.GetNumberOfPoints() else np.zeros((0, DIM))


def in_space(values):
    return np.pad(values, ((0, 0), (0, 3 - values.shape[1])))


def bodies_of(grid):
    cells = grid.GetCells()
    corners = np.argsort(order_of(grid))[vtk_to_numpy(cells.GetConnectivityArray())]
    return Bodies(points_of(grid), corners,
                  vtk_to_numpy(cells.GetOffsetsArray())[1:], array_of(grid, "body", True) > 0)


def contacts_of(grid):
    return Contacts(points_of(grid), lambda name: array_of(grid, name))


def ground_of(grid):
    fields = grid.GetFieldData()
    def field(name):
        return vtk_to_numpy(fields.GetArray(name)) if fields.HasArray(name) else None
    return surfaces_of(points_of(grid), array_of(grid, "pair", True), field("instants"), field)
'''

# Code of a Programmable Filter on the bodies, the contacts and, if there is one, the ground. Its values: the data to make (WHAT),
# DIM, parameters, factor, keeps, box, longest and reach.
FILTER = '''
solution, contacts, *ground = (grid_of(data) for data in inputs)
scaling = Scaling(bodies_of(solution), [array_of(solution, "displacement")], parameters, factor)
scaling.keeps = np.array(keeps)
touching, made = contacts_of(contacts), output.VTKObject
points, at, offset = scaling.positions(array_of(solution, "displacement"), touching)


def add_array(data, values, name):
    array = numpy_to_vtk(values, deep=True)
    array.SetName(name)
    data.AddArray(array)


if WHAT == "bodies":
    made.ShallowCopy(solution)
    points = points[np.argsort(order_of(solution))]
elif WHAT == "contacts":
    made.ShallowCopy(contacts)
    points = at
    add_array(made.GetPointData(), in_space(arrows(touching.percussion, longest, reach)), "arrow")
else:
    time = contacts.GetFieldData().GetArray("TimeValue").GetValue(0)
    low, high = np.array(box)
    pieces = np.concatenate([np.zeros((0, DIM, DIM))] + [
        surface.pieces(time, low, high, offset)
        for surface in ground_of(ground[0]).values()])
    lines = pieces if DIM == 2 else pieces[:0]
    faces = strips(lines, 0.0125 * max(high - low)) if DIM == 2 else pieces
    points = np.concatenate([lines.reshape(-1, DIM), faces.reshape(-1, DIM)])
    for shapes, first, put in (lines, 0, made.SetLines), (faces, lines[..., 0].size, made.SetPolys):
        numbers = first + np.arange(shapes[..., 0].size).reshape(shapes.shape[:2])
        rows, cells = np.insert(numbers, 0, shapes.shape[1], axis=1), vtk.vtkCellArray()
        cells.ImportLegacyFormat(numpy_to_vtkIdTypeArray(rows.ravel(), deep=True))
        put(cells)
    add_array(made.GetCellData(), np.repeat([[51] * 3, [224] * 3], [len(lines), len(faces)],
                                            axis=0).astype(np.uint8), "colour")
places = vtk.vtkPoints()
places.SetData(numpy_to_vtk(in_space(points), deep=True))
made.SetPoints(places)
'''


def put(proxy, **properties):
    for name, value in properties.items():
        setattr(proxy, name, value)
    return proxy


class Scene:
    """Pipeline and view. `pv` is paraview.simple."""

    def __init__(self, pv, folder, view):
        self.pv, self.view = pv, view
        self.name = os.path.basename(os.path.abspath(folder))
        self.parameters = read_parameters(os.path.join(folder, "parameters.prm"))
        self.units = units_of(self.parameters.get("Output/Units", ""))
        self.readers = [self.series_in(folder, name) for name in ("solution", "contacts")]
        ground = os.path.join(folder, "ground.vtu")
        self.has_ground = os.path.isfile(ground)
        if self.has_ground:
            self.readers.append(self.named(pv.XMLUnstructuredGridReader(FileName=[ground]),
                                           "ground.vtu"))
        exec(ARRAYS, globals())
        self.look()

    def series_in(self, folder, name):
        """Returns the reader of a series, and notes the times of its instants."""
        pvd, vtkhdf = (os.path.join(folder, name + ending) for ending in SERIES)
        if not os.path.isfile(vtkhdf):
            self.times = [time for time, _ in read_series(pvd)]
            return self.named(self.pv.PVDReader(FileName=pvd), os.path.basename(pvd))
        reader = self.pv.VTKHDFReader(FileName=vtkhdf)
        self.times = [float(time) for time in getattr(reader, "TimestepValues", None) or []]
        if not self.times:
            raise Trouble(f"{vtkhdf}: this version of ParaView reads no times of VTKHDF; 5.12 and "
                          "later do. With Output/Format = VTU it can show a run")
        return self.named(reader, os.path.basename(vtkhdf))

    def named(self, source, name):
        """Names and hides a source that is not shown directly."""
        self.pv.RenameSource(name, source)
        self.pv.Hide(source, self.view)
        return source

    def fetch(self, time):
        """Returns bodies and contacts at an instant."""
        from paraview import servermanager
        for reader in self.readers[:2]:
            reader.UpdatePipeline(time)
        return [grid_of(servermanager.Fetch(reader)) for reader in self.readers[:2]]

    def look(self):
        """Computes the properties common to all instants from a sample of instants."""
        samples = [self.fetch(time) for time in some_of(self.times, 40)]
        for data, name in (samples[0][0].GetPointData(), "displacement"), \
                (samples[0][0].GetCellData(), "von_mises"):
            if not data.HasArray(name):
                raise Trouble(f"the bodies have no field {name}: the run has not written it "
                              "(Output/Fields)")
        z = vtk_to_numpy(samples[0][0].GetPoints().GetData())[:, 2]
        globals()["DIM"] = 3 if z.any() else 2
        self.bodies = bodies_of(samples[0][0])
        motions = [array_of(solution, "displacement") for solution, _ in samples]
        contacts = [contacts_of(grid) for _, grid in samples]
        self.scaling = Scaling(self.bodies, motions, self.parameters)
        self.positions = [self.scaling.positions(u, c)[0] for u, c in zip(motions, contacts)]
        self.is_nodal = samples[0][0].GetPointData().HasArray("nodal_von_mises")
        self.limit, self.largest = colour_limit([
            array_of(solution, "nodal_von_mises") if self.is_nodal else
            array_of(solution, "von_mises", True) for solution, _ in samples])
        self.is_coloured = not self.bodies.is_rigid.all() and not is_round_off(
            self.largest, self.parameters, max(abs(u).max() for u in motions) / self.bodies.size)
        largest = [length(c.percussion).max(initial=0) for c in contacts]
        self.longest, self.percussion = longest_arrow(largest), max(largest)
        self.low, self.high, _ = view_box(self.bodies, self.positions)
        self.extent = float(max(self.high - self.low))
        self.reach = self.bodies.reach(self.extent)
        self.axes = camera(self.parameters, self.positions) if DIM == 3 else np.eye(3)

    def filter(self, name, kind):
        """Returns a Programmable Filter that makes bodies, contacts or ground."""
        margin = 0.6 * self.extent if DIM == 2 else 0.15 * self.extent
        values = {"DIM": DIM, "factor": self.scaling.factor, "WHAT": name,
                  "parameters": self.parameters, "keeps": self.scaling.keeps.tolist(),
                  "longest": self.longest, "reach": self.reach,
                  "box": [(self.low - margin).tolist(), (self.high + margin).tolist()]}
        # The filter has its own namespace: ParaView adds names such as max to a script.
        script = "values = {\n" + "".join(
            f"    {name!r}: {value!r},\n" for name, value in values.items()) + "}\n" \
            f"exec({SCENE + ARRAYS + FILTER!r}, dict(values, inputs=inputs, output=output))"
        return self.named(put(self.pv.ProgrammableFilter(Input=self.readers), CopyArrays=0,
                              OutputDataSetType=kind, Script=script), name)

    def show(self, source, name, height=0, colour=None):
        """Shows a source. `height` determines which source covers which in 2D, seen from above."""
        self.pv.RenameSource(name, source)
        has_light = DIM == 3 and name not in ("outline", "percussions")
        display = put(self.pv.Show(source, self.view), Ambient=0.4 if has_light else 1.0,
                      Diffuse=0.6 if has_light else 0.0, Specular=0.0)
        if DIM == 2:
            display.Position = [0, 0, 1e-3 * height * self.extent]
        if colour:
            put(display, ColorArrayName=["POINTS", ""], AmbientColor=colour, DiffuseColor=colour)
        return display

    def select(self, source, kind, name, lower, upper):
        return self.pv.Threshold(Input=source, Scalars=[kind, name], ThresholdMethod="Between",
                                 LowerThreshold=lower, UpperThreshold=upper)

    def add_bodies(self):
        bodies, rigid = self.filter("bodies", "vtkUnstructuredGrid"), self.bodies.is_rigid
        if not rigid.all():
            elastic = self.select(bodies, "CELLS", "body", -0.5, 0.5) if rigid.any() else bodies
            display = self.show(elastic, "elastic body", 0, None if self.is_coloured else PALE)
            if self.is_coloured:
                self.colour_by_stress(display)
            # Edges of cells are drawn on coarse meshes only: on fine meshes they would hide the
            # colours.
            is_coarse = len(self.bodies.ends) < 2500
            put(display, Representation="Surface With Edges" if is_coarse else "Surface",
                EdgeColor=DARK, LineWidth=1.0)
            if not is_coarse:
                self.show_outline(elastic)
        if rigid.any():
            rigid_source = bodies if rigid.all() else self.select(bodies, "CELLS", "body", 0.5, 1e9)
            self.show(rigid_source, "rigid bodies", 0, PALE)
            self.show_outline(rigid_source)

    def colour_by_stress(self, display):
        field = ("POINTS", "nodal_von_mises") if self.is_nodal else ("CELLS", "von_mises")
        self.pv.ColorBy(display, field)
        colours = self.pv.GetColorTransferFunction(field[1])
        colours.ApplyPreset("Viridis (matplotlib)", True)
        colours.RescaleTransferFunction(0.0, self.limit or 1.0)
        colours.AutomaticRescaleRangeMode = "Never"  # colours of all instants are comparable
        unit = self.units["stress"]
        title = "von Mises stress" + (f" [{unit}]" if unit else "")
        put(self.bar(display, colours, title, 0.5, 0.36), AutomaticLabelFormat=0,
            LabelFormat="%.3g", RangeLabelFormat="%.3g")

    def show_outline(self, bodies):
        edges = put(self.pv.FeatureEdges(Input=self.pv.ExtractSurface(Input=bodies)),
                    BoundaryEdges=1, FeatureEdges=DIM - 2, FeatureAngle=25.0)
        self.show(edges, "outline", 1, DARK).LineWidth = 1.5

    def bar(self, display, colours, title, bottom, length):
        bar = put(self.pv.GetScalarBar(colours, self.view), Title=title, ComponentTitle="",
                  TitleColor=BLACK, LabelColor=BLACK, TitleFontSize=16, LabelFontSize=14,
                  ScalarBarThickness=18, ScalarBarLength=length, WindowLocation="Any Location",
                  Position=[0.87, bottom], Orientation="Vertical", HorizontalTitle=1)
        if hasattr(bar, "DrawBackground"):  # missing in older versions of ParaView
            put(bar, DrawBackground=1, BackgroundColor=[1.0, 1.0, 1.0, 1.0])
        display.SetScalarBarVisibility(self.view, True)
        return bar

    def add_contacts(self):
        contacts = self.filter("contacts", "vtkUnstructuredGrid")
        colours = put(self.pv.GetColorTransferFunction("status"), InterpretValuesAsCategories=1,
                      AnnotationsInitialized=1, Annotations=["1", "stick", "2", "slip"],
                      IndexedColors=BLUE + ORANGE)
        closed = self.select(contacts, "POINTS", "status", 0.5, 2.5)
        display = put(self.show(closed, "closed contacts", 4), Representation="Points",
                      PointSize=9.0, RenderPointsAsSpheres=1, ColorArrayName=["POINTS", "status"],
                      LookupTable=colours)
        self.bar(display, colours, "contact status", 0.24, 0.12)
        if self.longest:
            self.add_percussions(contacts)
        if self.has_ground:
            ground = self.show(self.filter("ground", "vtkPolyData"), "ground", -4)
            self.pv.ColorBy(ground, ("CELLS", "colour"))
            # In 3D arrows also come from below the ground.
            put(ground, MapScalars=0, LineWidth=3.0, Opacity=1.0 if DIM == 2 else 0.6)

    def add_percussions(self, contacts):
        """Adds arrows that press on the bodies from outside: their tips are the contact points."""
        glyph = put(self.pv.Glyph(Input=contacts, GlyphType="Arrow"), ScaleFactor=1.0,
                    OrientationArray=["POINTS", "arrow"], ScaleArray=["POINTS", "arrow"],
                    GlyphMode="All Points")
        glyph.GlyphTransform.Translate = [-1.0, 0.0, 0.0]
        put(glyph.GlyphType, TipLength=0.25, TipRadius=0.06, ShaftRadius=0.018)
        self.show(glyph, "percussions", 8, VERMILION)

    def add_texts(self):
        time = put(self.pv.AnnotateTimeFilter(Input=self.readers[0]),
                   Format=with_unit("t = {time:g}", self.units["time"]))
        words = f"{self.name}: {self.scaling.words()}"
        if self.is_coloured:
            words += "; largest stress: " + with_unit(short(self.largest), self.units["stress"])
        if self.longest:
            excess = "" if self.longest == self.percussion else \
                f"{short(self.longest)} and more, up to "
            words += "; arrows: percussions, the longest " + excess + with_unit(
                short(self.percussion), self.units["percussion"])
        for text, name, corner, size in (
                (time, "time", "Upper Right Corner", 20),
                (self.pv.Text(Text=words), "remark", "Upper Left Corner", 14)):
            self.pv.RenameSource(name, text)
            put(self.pv.Show(text, self.view), WindowLocation=corner, Color=BLACK, FontSize=size)

    def aim(self, time=None, size=None):
        """Sets the camera: from above in 2D, from a side in 3D. It shows the bodies at all
        instants, or at a given time. Bars and texts get a margin at the right and at the top."""
        low, high = self.low, self.high
        if time is not None:
            nearest = np.argmin([abs(t - time) for t in some_of(self.times, 40)])
            low, high, _ = view_box(self.bodies, [self.positions[nearest]])
        (middle, span), bars, texts = in_space(np.array([(low + high) / 2, high - low])), 220, 50
        width, height = abs(self.axes[:2]) @ span
        margin = 0.32 * max(width, height)  # margin for arrows and ground
        width, height = np.maximum([width + margin, height + margin], 0.3 * self.extent)
        if time is not None and size is None:
            tall = min(max((1600 - bars) * height / width + texts, 600), 1300)
            wide = min(max((tall - texts) * width / height + bars, 1000), 1600)
            self.view.ViewSize = [int(wide), int(tall)]
        pixels = self.view.ViewSize
        scale = max(width / max(pixels[0] - bars, 100), height / max(pixels[1] - texts, 100))
        centre = middle + 0.5 * scale * np.array([bars, texts]) @ self.axes[:2]
        put(self.view, InteractionMode=f"{DIM}D", CameraParallelProjection=1,
            CameraFocalPoint=centre.tolist(), CameraViewUp=self.axes[1].tolist(),
            CameraPosition=(centre + 20 * self.extent * self.axes[2]).tolist(),
            CameraParallelScale=0.5 * pixels[1] * scale)


def show(pv, folder, options):
    """Builds the pipeline; writes a picture if the options request it."""
    view = pv.CreateRenderView() if options.picture else pv.GetActiveViewOrCreate("RenderView")
    if options.picture and options.size:
        view.ViewSize = options.size
    put(view, UseColorPaletteForBackground=0, Background=[1.0] * 3, OrientationAxesVisibility=0)
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
    width, height = map(int, text.split(","))
    if min(width, height) < 1:
        raise ValueError
    return [width, height]


def read_options(arguments):
    parser = argparse.ArgumentParser(prog="pvbatch paraview_macro.py",
                                     description="Shows a run of Percussion in ParaView.")
    parser.add_argument("--picture", metavar="FILE.png", help="write a picture")
    parser.add_argument("--time", type=float, help="show the instant nearest to this time")
    parser.add_argument("--size", type=size_in_pixels, metavar="WIDTH,HEIGHT",
                        help="size of the picture in pixels; default: as the bodies need")
    return parser.parse_args(arguments)


def has_solution(folder):
    return any(os.path.isfile(os.path.join(folder, "solution" + ending)) for ending in SERIES)


def folder_of_run(pv):
    """Returns the folder of this script if it has the results of a run, otherwise the folder of the
    file selected in ParaView: the script is then a macro of the menu."""
    folder = os.path.dirname(os.path.abspath(__file__))
    if has_solution(folder):
        return folder
    file = getattr(pv.GetActiveSource(), "FileName", "")
    file = file if isinstance(file, str) else next(iter(file), "")
    if has_solution(os.path.dirname(file)):
        return os.path.dirname(file)
    raise Trouble(f"{folder}: there is no solution.pvd. Put this script into the folder of a run's "
                  "results, or open the solution.pvd of a run in ParaView and select it")


def main():
    try:
        import paraview.simple as pv
    except ImportError:
        script = os.path.abspath(__file__)
        sys.exit(f"This script is for ParaView, not for {os.path.basename(sys.executable)}. Run\n"
                 f"    paraview --script={script}\nor\n    pvbatch {script} --picture run.png")
    in_gui = not (sys.argv and sys.argv[0])  # pvbatch and pvpython pass the name of the script
    options = read_options([] if in_gui else sys.argv[1:])
    try:
        show(pv, folder_of_run(pv), options)
    except Trouble as trouble:
        if not in_gui:
            sys.exit(f"paraview_macro.py: {trouble}")
        print(f"paraview_macro.py: {trouble}", file=sys.stderr)


def own_path():
    """Returns the path of this file. ParaView's program does not pass it to a script given by
    --script."""
    if "__file__" in globals():
        return __file__
    try:
        with open("/proc/self/cmdline", encoding="utf-8", errors="replace") as stream:
            script = re.search("\0--script[=\0]([^\0]*)", stream.read())
    except OSError:
        return None
    return script and script[1]


if __name__ == "percussion":
    main()
elif __name__ == "__main__":
    if own_path():
        # Not run in this module: ParaView's programmable filters import all names of NumPy into it.
        runpy.run_path(own_path(), run_name="percussion")
    else:
        print("paraview_macro.py: ParaView does not say where this script lies. Use Macros > "
              "Import new macro, or Run Script in ParaView's Python Shell.", file=sys.stderr)
