"""Renderer of the bodies in 3D: VTK in a process of its own, or the painter of solids.py."""

import importlib.util
import multiprocessing
import os
import subprocess
import sys

import numpy as np

from .command_line import OutputError
from .solids import joined, picture

TIME_LIMIT = 120.0  # of a picture, s


class Renderer:
    """Draws as solids.picture. One process of VTK draws all pictures of a page: if it is missing, crashes or
    hangs, the painter draws them, because a report must not depend on a display.

    choice: vtk, painter, or auto (VTK if possible)."""

    def __init__(self, choice="auto"):
        self.choice, self.process, self.connection = choice, None, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __call__(self, layers, in_pixels, axes, width, height, colours):
        layers = list(layers)
        if self.choice != "painter":
            try:
                return self.drawn_by_vtk(layers, in_pixels, axes, width, height, colours)
            except (OSError, EOFError) as error:
                self.close(0)
                if self.choice == "vtk":
                    raise OutputError("--scenes vtk: VTK does not draw; it needs the Debian packages "
                                      f"python3-vtk9 and xvfb ({str(error) or 'its process has ended'})") from error
                self.choice = "painter"
        return picture(layers, in_pixels, axes, width, height, colours)

    def drawn_by_vtk(self, layers, in_pixels, axes, width, height, colours):
        """Returns the picture by VTK; raises OSError or EOFError."""
        if self.process is None:
            self.start()
        scene = joined(layers)
        scene["corners"], scene["normals"] = in_pixels(scene["corners"]), scene["normals"] @ axes.T
        self.connection.send({**scene, "width": width, "height": height,
                              "table": colours(np.linspace(0, 1, 256))})
        if not self.connection.poll(TIME_LIMIT):
            raise TimeoutError(f"no picture within {TIME_LIMIT:g} s")
        image, depth = self.connection.recv()
        return image / 255, depth

    def start(self):
        if importlib.util.find_spec("vtkmodules") is None:
            raise FileNotFoundError("there is no module vtkmodules")
        self.connection, worker_end = multiprocessing.Pipe()
        # As in percussion-report, no module is taken from the current folder.
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [sys.executable, "-m", "percussion_report.vtk_scene", str(worker_end.fileno())],
            pass_fds=[worker_end.fileno()], cwd="/", env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        worker_end.close()

    def close(self, patience=5):
        """Ends the process: by the end of its connection, and after this number of seconds by force."""
        if self.process:
            self.connection.close()
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None
