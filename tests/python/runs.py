"""Runs that tests of their files share; each case runs once, in the folder SCRATCH."""

import pathlib
import tempfile

from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

from support import application, shipped

RUNS = {}  # folders by case and entries; each case runs once
_TEMPORARY = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
SCRATCH = pathlib.Path(_TEMPORARY.name)


def run_of(case, **entries):
    """Returns the folder of a run of a case, with entries named Section__Entry_of_words."""
    key = (str(case), *entries.items())
    if key not in RUNS:
        RUNS[key] = SCRATCH / f"run-{len(RUNS)}"
        parameters = {name.replace("__", "/").replace("_", " "): value
                      for name, value in entries.items()}
        status, words = application(case, parameters, RUNS[key])
        assert status == 0, words
    return RUNS[key]


def short_drop(**entries):
    """Returns a run of the block that falls on the ground, up to its first contact and beyond."""
    return run_of(shipped("hello_drop.prm"), Time__End=0.3, Output__Number_of_instants=6, **entries)


def polyhedra(**entries):
    """Returns a run of a box and a tetrahedron, rigid, on a half-space."""
    case = SCRATCH / "polyhedra.prm"
    case.write_text("""
subsection Rigid bodies
  subsection box
    set Shape = box
    set Size = 1, 1, 1
    set Mass = 3
    set Position = 0, 0, 0.6
  end
  subsection tetrahedron
    set Shape = polyhedron
    set Vertices = 0, 0, 0; 1, 0, 0; 0, 1, 0; 0, 0, 1
    set Mass = 2
    set Position = 3, 0, 1
    set Initial velocity = 0, 0.5, 0
  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -9.81
end
subsection Contact
  subsection ground
    set Bodies = all
    set Surface = half-space
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set End = 0.2
  set Step = 1e-2
end
subsection Output
  set Number of instants = 2
end
""")
    return run_of(case, **entries)


def grid_of(file):
    """Returns the grid that VTK reads from a file."""
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(file))
    reader.Update()
    return reader.GetOutput()
