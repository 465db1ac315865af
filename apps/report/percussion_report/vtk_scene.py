"""Process that draws solids by VTK off screen, for renderer.py: `-m percussion_report.vtk_scene FD`.

Reads dictionaries of arrays from the connection FD and answers each with a picture, until it is closed.
"""

import ctypes
import os
import resource
import shutil
import signal
import subprocess
import sys
from multiprocessing.connection import Connection

import numpy as np
from PIL import Image
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  the implementation of vtkRenderWindow
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkFloatArray, vtkLookupTable, vtkPoints, vtkUnsignedCharArray
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkNonMergingPointLocator, vtkPolyData
from vtkmodules.vtkFiltersCore import vtkClipPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkLight, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow

from .scene import normals_of
from .solids import DARK, LIGHT

FINE = 2  # samples of a pixel in each direction
PR_SET_PDEATHSIG = 1  # of Linux's sys/prctl.h
EDGE, LIFT = 1.2, 3.0  # width of edges, and their distance in front of the surface, pixels


def end_with_parent():
    """Lets Linux end this process when its parent ends, also by a crash."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def start_display():
    """Sets DISPLAY to a new Xvfb and returns its process, if that is installed, because pictures then
    depend on no screen. A server that resets without clients would refuse the next connection of VTK."""
    if not shutil.which("Xvfb"):
        return None
    read_end, write_end = os.pipe()
    command = ["Xvfb", "-displayfd", str(write_end), "-noreset", "-nolisten", "tcp", "-screen", "0", "64x64x24"]
    server = subprocess.Popen(command, pass_fds=[write_end], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, preexec_fn=end_with_parent)
    os.close(write_end)
    with os.fdopen(read_end) as stream:
        os.environ["DISPLAY"] = f":{int(stream.readline())}"
    return server


def mesh(pieces, excess, **arrays):
    """Returns triangles (n, 3, 3) or lines (n, 2, 3) as data of VTK, without their points of positive
    excess. arrays: further values of the points, by names."""
    n, corners = pieces.shape[:2]
    data, points, cells = vtkPolyData(), vtkPoints(), vtkCellArray()
    points.SetData(numpy_to_vtk(pieces.reshape(-1, 3), deep=True))
    cells.SetData(numpy_to_vtkIdTypeArray(np.arange(0, n * corners + 1, corners), deep=True),
                  numpy_to_vtkIdTypeArray(np.arange(n * corners), deep=True))
    data.SetPoints(points)
    (data.SetPolys if corners == 3 else data.SetLines)(cells)
    for name, values in {"excess": excess, **arrays}.items():
        array = numpy_to_vtk(values.reshape(n * corners, -1), deep=True)
        array.SetName(name)
        data.GetPointData().AddArray(array)
    if not (excess > 0).any():
        return data
    data.GetPointData().SetActiveScalars("excess")
    clip = vtkClipPolyData()
    clip.SetInputData(data)
    clip.SetLocator(vtkNonMergingPointLocator())  # edges of a body and of values remain
    clip.InsideOutOn()
    clip.Update()
    return clip.GetOutput()


def actor_of(data, **names):
    """Returns an actor of these data. names: of the arrays of its Scalars and Normals."""
    actor, mapper = vtkActor(), vtkPolyDataMapper()
    for kind, name in names.items():
        getattr(data.GetPointData(), f"SetActive{kind}")(name)
    mapper.SetInputData(data)
    actor.SetMapper(mapper)
    # The light of solids.picture.
    actor.GetProperty().SetAmbient(0.7)
    actor.GetProperty().SetDiffuse(0.34)
    return actor


class Stage:
    """Window without a screen, whose unit of length is the pixel, with z to the viewer."""

    def __init__(self):
        self.window, self.renderer, light = vtkRenderWindow(), vtkRenderer(), vtkLight()
        self.window.OffScreenRenderingOn()
        self.window.SetMultiSamples(0)  # FINE antialiases bodies, opacity and depth alike
        self.window.SetAlphaBitPlanes(1)
        self.window.AddRenderer(self.renderer)
        self.renderer.SetBackgroundAlpha(0)
        self.renderer.AutomaticLightCreationOff()
        light.SetLightTypeToSceneLight()
        light.SetPosition(*LIGHT)
        self.renderer.AddLight(light)

    def add_surface(self, table, corners, values, colour, normals, excess):
        """Adds triangles: those with values in the colours of the table, the others in their own."""
        has_values = np.isfinite(values).all(axis=1)
        for is_chosen, scalars in ((has_values, values), (~has_values, np.repeat(colour[:, None], 3, axis=1))):
            if not is_chosen.any():
                continue
            if scalars is not values:
                scalars = (255 * scalars + 0.5).astype(np.uint8)
            actor = actor_of(mesh(corners[is_chosen], excess[is_chosen], scalars=scalars[is_chosen],
                                  normals=normals[is_chosen]), Scalars="scalars", Normals="normals")
            if scalars is values:
                lookup = vtkLookupTable()
                lookup.SetTable(numpy_to_vtk((255 * table + 0.5).astype(np.uint8), deep=True))
                actor.GetMapper().SetLookupTable(lookup)
                actor.GetMapper().UseLookupTableScalarRangeOn()
                actor.GetMapper().InterpolateScalarsBeforeMappingOn()
            actor.GetProperty().BackfaceCullingOn()
            self.renderer.AddActor(actor)

    def add_edges(self, corners, edges, excess):
        """Adds the flagged edges of the triangles that face the viewer."""
        triangle, first = np.nonzero(edges & (normals_of(corners)[:, 2] > 0)[:, None])
        ends = np.stack([first, (first + 1) % 3], axis=1)
        if not len(triangle):
            return
        lines = corners[triangle[:, None], ends] + [0, 0, LIFT]
        actor = actor_of(mesh(lines, excess[triangle[:, None], ends]))
        actor.GetMapper().ScalarVisibilityOff()
        actor.GetProperty().SetColor(*DARK)
        actor.GetProperty().LightingOff()
        actor.GetProperty().SetLineWidth(EDGE * FINE)
        self.renderer.AddActor(actor)

    def point_camera(self, width, height, low, high):
        """Shows the pixels (width, height) between these z, without perspective."""
        camera, middle = self.renderer.GetActiveCamera(), (width / 2, height / 2)
        camera.ParallelProjectionOn()
        camera.SetParallelScale(height / 2)
        camera.SetPosition(*middle, high + 1)
        camera.SetFocalPoint(*middle, low)
        camera.SetViewUp(0, 1, 0)
        camera.SetClippingRange(0.5, high - low + 1.5)

    def picture(self, width, height, table, corners, edges, excess, **arrays):
        """Returns the picture, in bytes, and the depth as solids.picture does, of corners in pixels."""
        self.renderer.RemoveAllViewProps()
        self.add_surface(table, corners, excess=excess, **arrays)
        self.add_edges(corners, edges, excess)
        low, high = float(corners[..., 2].min()), float(corners[..., 2].max()) + LIFT
        self.point_camera(width, height, low, high)
        self.window.SetSize(FINE * width, FINE * height)
        self.window.Render()
        rectangle = (0, 0, FINE * width - 1, FINE * height - 1)
        pixels, depths = vtkUnsignedCharArray(), vtkFloatArray()
        self.window.GetRGBACharPixelData(*rectangle, 0, pixels)
        self.window.GetZbufferData(*rectangle, depths)
        samples = Image.frombuffer("RGBA", self.window.GetSize(), vtk_to_numpy(pixels), "raw", "RGBA", 0, 1)
        image = np.array(samples.reduce(FINE))  # the mean colour of the opaque samples, and the opacity
        image[image[..., 3] == 0, :3] = 255
        nearest = vtk_to_numpy(depths).reshape(FINE * height, FINE * width)[::FINE, ::FINE]
        return image, np.where(nearest < 1, high + 0.5 - nearest * (high - low + 1), -np.inf)


def serve(connection):
    """Answers with pictures until the connection is closed."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # VTK aborts without a display
    server, stage = start_display(), Stage()
    while True:
        try:
            scene = connection.recv()
        except EOFError:
            break
        connection.send(stage.picture(**scene))
    del stage
    if server:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
