"""percussion on several processes: the bytes of one process, and failures that end all of them."""

import csv
import importlib.util
import os
import resource
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from random import Random

SOURCE, BUILD = os.environ["PERCUSSION_SOURCE_DIR"], os.environ["PERCUSSION_BINARY_DIR"]
sys.path.insert(0, os.path.join(BUILD, "python"))

from percussion_report.scene import read_series  # noqa: E402
from percussion_report.vtu import Pieces, read_vtu  # noqa: E402

HERE = os.path.join(SOURCE, "tests/processes")
PROGRAM = os.path.join(BUILD, "percussion")
# In memory, if possible: checkpoints wait until the disk holds everything written to it, also by
# other programs, and some of these tests look at the time.
FOLDER = tempfile.mkdtemp(prefix="percussion-processes-",
                          dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
# Without variables of a session of MPI, if this process belongs to one.
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if not name.startswith(("OMPI_", "PMI", "PRTE_"))}
LONGEST_END = 10  # s, of processes after a failure


def tearDownModule():
    shutil.rmtree(FOLDER)


def is_open_mpi():
    """True if mpirun has the options that these tests need."""
    if shutil.which("mpirun") is None:
        return False
    version = subprocess.run(["mpirun", "--version"], env=ENVIRONMENT, text=True,
                             capture_output=True, check=False)
    return "Open MPI" in version.stdout


def with_mpirun(*groups):
    """Returns the command that starts groups (number, program, arguments...) together."""
    # Tests that run at the same time must not be bound to the same cores.
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none",
               "--mca", "mpi_yield_when_idle", "1"]
    for index, (number, *words) in enumerate(groups):
        command += ([":"] if index > 0 else []) + ["-n", str(number), *words]
    return command


def run(command):
    return subprocess.run(command, cwd=FOLDER, env=ENVIRONMENT, text=True, capture_output=True,
                          timeout=120, check=False)


def percussion(number, *arguments):
    """Runs the program on this number of processes; 0: without mpirun."""
    return run(with_mpirun((number, PROGRAM, *arguments)) if number else [PROGRAM, *arguments])


def read(*names):
    with open(os.path.join(FOLDER, *names), "rb") as stream:
        return stream.read()


def settings(**values):
    """Returns --set for entries, whose names have _ for a blank and __ for a slash."""
    return [word for name, value in values.items() for word in
            ("--set", name.replace("__", "/").replace("_", " ") + "=" + str(value))]


def case(name):
    return os.path.join(SOURCE, "params", name + ".prm")


@unittest.skipUnless(is_open_mpi(), "there is no mpirun of Open MPI")
class OnProcesses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for name in os.listdir(HERE):
            if name.endswith((".prm", ".geo", ".csv")):
                shutil.copy(os.path.join(HERE, name), FOLDER)
        shutil.copy(os.path.join(SOURCE, "meshes/block_q4.msh"), FOLDER)

    def setUp(self):
        self.results = self.id().rsplit(".", 1)[1]

    def tearDown(self):
        for name in os.listdir(FOLDER):
            if name.startswith("test_"):
                shutil.rmtree(os.path.join(FOLDER, name))

    @staticmethod
    def process(mpirun, rank):
        """Returns the process of this rank."""
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/status", encoding="utf-8") as stream:
                    is_child = f"\nPPid:\t{mpirun.pid}\n" in stream.read()
                with open(f"/proc/{name}/environ", "rb") as stream:
                    variables = stream.read().split(b"\0")
            except OSError:
                continue
            if is_child and b"OMPI_COMM_WORLD_RANK=%d" % rank in variables:
                return int(name)
        raise AssertionError(f"there is no process of rank {rank}")

    def expect_same_bytes(self, results, reference):
        """Expects equal tables and fields; the solution may be in pieces. Other files have times
        of the run."""
        names, expected = (sorted(name for name in os.listdir(os.path.join(FOLDER, folder))
                                  if name.endswith((".csv", ".vtu", ".pvd", ".vtkhdf"))
                                  and not name.startswith(("solution-", "solution.pvd")))
                           for folder in (results, reference))
        is_vtkhdf = "solution.vtkhdf" in expected
        self.assertGreater(len(expected), 2 if is_vtkhdf else 4)
        self.assertEqual(names, expected)
        for name in names:
            self.assertTrue(read(results, name) == read(reference, name), name)
        if not is_vtkhdf:
            self.expect_same_solutions(results, reference)

    def solutions(self, results):
        """Returns the times and files of the solution, and expects no other files of it."""
        series = read_series(os.path.join(FOLDER, results, "solution.pvd"))
        files = {"solution.pvd"}
        for _, file in series:
            files.add(os.path.basename(file))
            if file.endswith(".pvtu"):
                files.update(os.path.basename(piece.file) for piece in Pieces(file).pieces)
        self.assertEqual(files, {name for name in os.listdir(os.path.join(FOLDER, results))
                                 if name.startswith("solution")})
        return series

    def expect_same_solutions(self, results, reference):
        """Expects equal bits of all arrays, pieces put together."""
        found, expected = self.solutions(results), self.solutions(reference)
        self.assertEqual([time for time, _ in found], [time for time, _ in expected])
        for (_, file), (_, of_reference) in zip(found, expected):
            arrays, right = read_vtu(file), read_vtu(of_reference)
            self.assertGreater(len(right.arrays), 15)
            for key in right.arrays:
                self.assertTrue(arrays.array(*key).tobytes() == right.array(*key).tobytes(),
                                (file, key))


class SameBytes(OnProcesses):
    """Every process computes the whole state, so that the bytes are those of one process."""

    CELLS = "the processes share only hyperelastic cells"
    CELLS_OF_ITERATIONS = "Processes share hyperelastic cells; each computes all iterations"

    def compare(self, file, numbers, shared=None, **values):
        """Compares runs, whose logs must describe the shared work by this text."""
        arguments = [file, *settings(Output__Number_of_instants=2, **values), "--output"]
        one = self.results + ".one"
        folders = [f"{self.results}.{number}" for number in numbers]
        with ThreadPoolExecutor(2) as two: # the run of one process leaves a processor to another
            alone = two.submit(percussion, 0, *arguments, one)
            first = two.submit(percussion, numbers[0], *arguments, folders[0])
        self.assertEqual(alone.result().returncode, 0, alone.result().stderr)
        for number, on_n in zip(numbers, folders):
            with self.subTest(processes=number):
                outcome = first.result() if on_n == folders[0] else percussion(number, *arguments, on_n)
                self.assertEqual(outcome.returncode, 0, outcome.stderr)
                self.expect_same_bytes(on_n, one)
                if shared is not None and number > 1:
                    self.assertIn(shared, read(on_n, "log.txt").decode())

    def test_linear(self):
        self.compare(case("bar_impact"), (1, 2, 3, 4), Time__End=1e-3)

    def test_preload(self):
        self.compare(case("sliding_block"), (2, 3), Time__End=0.01)

    def test_hyperelastic(self):
        self.compare(case("ring_impact"), (2, 4), self.CELLS, Time__End=0.1)

    def test_viscous_hyperelastic(self):
        self.compare(case("ring_rebound_viscous"), (2, 3), self.CELLS, Time__End=0.02)

    def test_materials_with_memory(self):
        for law, values in (("elastoplastic", {"Material__Yield_stress": 500}),
                            ("elastoplastic", {"Material__Hardening_strains": "0.0005, 0.01",
                                               "Material__Hardening_stresses": "550, 700",
                                               "Material__Heat_capacity": 1e4}),
                            ("viscoelastic", {"Material__Yield_stress": "",
                                              "Material__Prony_moduli": "5e5, 1e5",
                                              "Material__Prony_times": "0.01, 0.1"})):
            with self.subTest(law=law, values=values):
                self.compare("yielding.prm", (2, 3), self.CELLS, Material__Law=law, **values)
                if "Material__Heat_capacity" in values:
                    self.expect_changing_field("temperature_rise")

    def expect_changing_field(self, name):
        """Expects a field of cells that is not the same in all of them."""
        values = read_vtu(self.solutions(self.results + ".2")[-1][1]).array("CellData", name)
        self.assertTrue((values != values[0]).any(), name)

    def test_fibres(self):
        self.compare("yielding.prm", (2, 3), self.CELLS, Material__Yield_stress="",
                     Material__Young_modulus="", Material__Poisson_ratio=0,
                     Material__Law="holzapfel-gasser-ogden", Material__Bulk_modulus=1.7e6,
                     Material__Shear_modulus=7.7e5, Material__Fibre_stiffness=5e5,
                     Material__Fibre_exponent=3, Material__Fibre_1="1 + x, 2 - y, 0",
                     Material__Fibre_2="-1, x*y, 0.5")
        for family in ("fibre_1", "fibre_2"):
            self.expect_changing_field(family)

    def test_cells_of_second_order(self):
        self.compare("yielding.prm", (2, 3), self.CELLS, Material__Element="quadratic")
        self.compare(case("two_blocks"), (2,), self.CELLS, Time__End=0.005,
                     Material__Element="quadratic mean dilatation")
        self.compare(case("bars_in_space"), (2, 3), Material__Element="quadratic", Time__End=0.2)

    def test_stiff_hyperelastic(self):
        """Its factor is rebuilt when a cell turns."""
        self.compare(case("rolling_disc"), (3,), self.CELLS, Time__End=0.05)

    def test_linear_and_hyperelastic(self):
        self.compare(case("two_blocks"), (2, 3), self.CELLS, Time__End=0.02)

    def test_vtkhdf(self):
        self.compare(case("two_blocks"), (2, 3), Time__End=0.005, Output__Format="VTKHDF")
        self.assertFalse([name for name in os.listdir(os.path.join(FOLDER, self.results + ".2"))
                          if name.endswith((".pvtu", ".pvd"))])

    def test_rigid_bonds(self):
        joints = {f"Contact__{joint}_joints__{entry}": value for joint in ("bed", "head")
                  for entry, value in (("Cohesion", "extrinsic"), ("Bond_stiffness", 0))}
        self.compare(case("mortar_wall"), (2,), Time__End=7.5e-4, **joints)
        work = read(self.results + ".one", "energy.csv").decode()
        rows = list(csv.DictReader(line for line in work.splitlines() if line[:1] != "#"))
        self.assertLess(float(rows[-1]["work_fracture"]), -45)

    def test_single_precision(self):
        self.compare(case("two_blocks"), (2,), Time__End=0.005, Output__Precision="single")
        numbers = read_vtu(self.solutions(self.results + ".2")[-1][1])
        self.assertEqual(numbers.array("PointData", "displacement").itemsize, 4)
        self.assertEqual(numbers.array("Points", "Points").itemsize, 8)

    def test_inverted_elements(self):
        """One process finds them, and all cut the step."""
        self.compare(case("ring_impact"), (2, 3), "turns an element inside out", Time__End=0.006,
                     Initial_state__Velocity_y=-60, Time__Max_cuts=12)

    def test_linear_in_space(self):
        self.compare(case("bars_in_space"), (2, 3), Time__End=1)

    def test_mortar(self):
        self.compare(case("colliding_blocks"), (2, 3), Time__End=2e-5)

    def test_self_contact(self):
        self.compare(case("ring_self_contact"), (2, 3), Time__End=0.05)

    def test_rigid_with_elastic_and_links(self):
        self.compare("mixed.prm", (1, 2, 3, 4))

    def test_rigid_polyhedron_with_elastic_box(self):
        self.compare("box_on_block.prm", (2, 3))
        for results in (self.results + ".one", self.results + ".2"):
            grid = read_vtu(self.solutions(results)[-1][1])
            types = grid.array("Cells", "types").tolist()
            self.assertEqual(types.count(7), 6, results)  # the faces of the box
            self.assertEqual(types.count(42), 0, results)

    def test_joints_belt_facets_and_turning_surface(self):
        self.compare("machine.prm", (2, 3))

    def test_rigid_only(self):
        self.compare(case("rock_wall"), (2, 4), Time__End=0.01)

    def test_rigid_only_in_space(self):
        self.compare(case("dominoes"), (2, 3), Time__End=0.02)

    DIVIDED = {"Solver__Linear systems": "conjugate gradients",
               "Solver__Contact elimination": "projected"}

    def test_divided_matrices_with_friction(self):
        self.compare(case("box_slide"), (1, 2, 3, 4),
                     "Processes share iterations, products and matrices", **self.DIVIDED,
                     Time__End=0.004, Initial_state__Static_preload="false",
                     Initial_state__Preload_contact_nodes="contact")
        rows = [line.split(",") for line in read(
            self.results + ".4", "energy.csv").decode().splitlines() if line[0] != "#"]
        self.assertGreater(int(rows[-1][rows[0].index("contacts_sliding")]), 10)

    def test_mixed_precision(self):
        """Linear and hyperelastic, in free flight and in contact, with and without multipliers."""
        mixed = {"Solver__Precision": "mixed"}
        self.compare(case("box_slide"), (2, 3), "Processes share iterations", **self.DIVIDED, **mixed,
                     Time__End=0.002, Initial_state__Static_preload="false",
                     Initial_state__Preload_contact_nodes="contact")
        self.assertIn("in mixed precision", read(self.results + ".2", "log.txt").decode())
        self.compare_laws("boxes.prm", (2,), **mixed)

    def test_divided_products_beside_a_factor(self):
        self.compare(case("box_slide"), (2, 3), "Processes share the iterations of many contacts",
                     Solver__Contact_elimination="projected", Time__End=0.003)

    def test_divided_mortar(self):
        self.compare(case("bars_in_space"), (2, 3), "Processes share iterations", **self.DIVIDED,
                     Time__End=0.6)

    def test_divided_compliances(self):
        self.compare(case("bars_in_space"), (2, 3), "Processes share iterations",
                     Solver__Linear_systems="conjugate gradients",
                     Solver__Contact_elimination="condensed", Time__End=0.4)

    def compare_laws(self, file, numbers, **values):
        """Compares divided matrices of linear bodies and of hyperelastic ones."""
        for law, cells in (("linear elastic", ""), ("neo-hooke", "hyperelastic cells, ")):
            with self.subTest(law=law):
                self.compare(file, numbers, f"Processes share {cells}iterations, products",
                             Material__Law=law, **self.DIVIDED, **values)

    def test_self_contact_in_space(self):
        self.compare_laws("clamp.prm", (2, 3), Time__End=0.01)

    def test_bodies_on_different_processes(self):
        self.compare_laws("boxes.prm", (2,))

    def test_sliding_from_process_to_process(self):
        """The contact also lies on both processes in between."""
        self.compare_laws("sliding.prm", (2, 4))

    def test_more_processes_than_nodes(self):
        """The block is one hexahedron."""
        self.compare_laws(case("box_slide"), (9,), Mesh__Parameters="size=40", Time__End=0.0015,
                          Initial_state__Static_preload="false",
                     Initial_state__Preload_contact_nodes="contact")

    COARSE = {"Material__Law": "neo-hooke", "Mesh__Parameters": "size=4", "Time__End": 0.0015}

    def test_hyperelastic_in_space(self):
        self.compare(case("box_slide"), (2, 3), self.CELLS, **self.COARSE)

    def test_divided_hyperelastic(self):
        self.compare(case("box_slide"), (2, 3, 4), "Processes share hyperelastic cells, iterations",
                     **self.DIVIDED, **self.COARSE, Material__Viscosity_law="curnier",
                     Material__Viscosity=1e-3, Initial_state__Static_preload="false",
                     Initial_state__Preload_contact_nodes="contact")

    def test_hyperelastic_multigrid(self):
        """Every process has the whole matrix, for the same aggregates."""
        self.compare(case("box_slide"), (2,), self.CELLS_OF_ITERATIONS, **self.DIVIDED,
                     **{**self.COARSE, "Time__End": 0.15}, Time__Step=0.05,
                     Initial_state__Static_preload="false",
                     Initial_state__Preload_contact_nodes="contact")

    def test_hyperelastic_compliances(self):
        self.compare(case("box_slide"), (3,), self.CELLS_OF_ITERATIONS, **self.COARSE,
                     Solver__Linear_systems="conjugate gradients",
                     Solver__Contact_elimination="condensed", Initial_state__Static_preload="false",
                     Initial_state__Preload_contact_nodes="contact")

    def test_linear_and_hyperelastic_in_space(self):
        self.compare(case("bars_in_space"), (2, 3), "Processes share hyperelastic cells, iterations",
                     **self.DIVIDED, **{"Material/left bar/Law": "neo-hooke"}, Time__End=0.6)

    def test_acceleration(self):
        self.compare(case("box_slide"), (2,), "each has the whole matrices",
                     Solver__Linear_systems="conjugate gradients",
                     Time__Scheme="generalized-alpha", Time__End=0.003,
                     Initial_state__Static_preload="false",
                     Initial_state__Preload_contact_nodes="contact")

    def pieces(self, results, instant=0):
        """Returns the ranks that have written pieces of an instant."""
        begin = f"solution-{instant:06d}_"
        return sorted(int(name[len(begin):-len(".vtu")]) for name in
                      os.listdir(os.path.join(FOLDER, results)) if name.startswith(begin))

    def test_pieces(self):
        """Each process that has cells writes a piece; the index names all of them."""
        for file, number, ranks, values in (
                ("mixed.prm", 3, [0, 1, 2], {"Time__End": 0.01}),
                (case("box_slide"), 9, [1], {"Mesh__Parameters": "size=40", "Time__End": 0.001}),
                (case("rock_wall"), 2, [], {"Time__End": 0.001})):
            with self.subTest(file):
                self.compare(file, (number,), **values)
                results = f"{self.results}.{number}"
                self.assertEqual(self.pieces(results), ranks)
                self.assertEqual(os.path.exists(os.path.join(
                    FOLDER, results, "solution-000000.pvtu")), bool(ranks))

    @unittest.skipUnless(importlib.util.find_spec("vtk"), "there is no VTK of Python")
    def test_macro_joins_pieces(self):
        import vtk
        self.compare("mixed.prm", (1, 3), Time__End=0.02)
        macro = runpy.run_path(os.path.join(FOLDER, self.results + ".3", "paraview_macro.py"),
                               run_name="test")
        macro["DIM"] = 2
        exec(macro["ARRAYS"], macro)  # pylint: disable=exec-used
        grids = []
        for number, reader in ((1, vtk.vtkXMLUnstructuredGridReader()),
                               (3, vtk.vtkXMLPUnstructuredGridReader())):
            reader.SetFileName(self.solutions(f"{self.results}.{number}")[-1][1])
            reader.Update()
            grids.append(macro["grid_of"](reader.GetOutput()))
        self.assertEqual(*(grid.GetNumberOfPoints() for grid in grids))
        self.assertEqual(*(grid.GetNumberOfCells() for grid in grids))
        self.assertEqual(*(macro["points_of"](grid).tolist() for grid in grids))
        self.assertEqual(*(macro["array_of"](grid, "displacement").tolist() for grid in grids))
        self.assertEqual(*(macro["bodies_of"](grid).component.tolist() for grid in grids))

    def test_multigrid(self):
        """Aggregates are those of a process: equal contacts, and energies up to 1e-9."""
        arguments = [case("box_slide"), *settings(
            Time__Step=0.02, Time__End=0.1, **self.DIVIDED,
            Initial_state__Static_preload="false",
                     Initial_state__Preload_contact_nodes="contact", Output__Number_of_instants=1), "--output"]
        tables = []
        for number in (0, 3):
            results = f"{self.results}.{number}"
            outcome = percussion(number, *arguments, results)
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
            lines = read(results, "energy.csv").decode().splitlines()
            tables.append(list(csv.DictReader(line for line in lines if line[0] != "#")))
        self.assertEqual(len(tables[0]), len(tables[1]))
        self.assertNotEqual(tables[0], tables[1])  # otherwise the diagonal has sufficed
        for one, other in zip(*tables):
            for name in ("contacts_active", "contacts_sliding"):
                self.assertEqual(one[name], other[name])
            scale = float(one["kinetic"]) + float(one["strain"])
            for name in ("kinetic", "strain", "total", "work_external", "work_contact_tangential"):
                self.assertLess(abs(float(one[name]) - float(other[name])), 1e-9 * scale, name)
            for row in (one, other):
                self.assertLess(abs(float(row["balance_residual"])), 1e-12 * scale)
                self.assertLess(float(row["solver_residual"]), 1e-10)

    def test_stop_criterion_and_probe(self):
        self.compare(case("hello_drop"), (2,), **{"Time__Stop when": "strain > 1"})


class Together(OnProcesses):
    """What the processes do together, apart from steps."""

    drop = case("hello_drop")

    def test_resume_on_other_numbers(self):
        straight = self.results + ".straight"
        arguments = [self.drop, *settings(Output__Number_of_instants=5)]
        self.assertEqual(percussion(0, *arguments, "--output", straight).returncode, 0)
        for index, number in enumerate((1, 2, 3, 4, 0)):
            # Another end would move the instants: each run but the last is stopped by a criterion.
            stop = f"t > {0.2 * (index + 1) - 0.1}" if number else ""
            outcome = percussion(number, *arguments, *settings(Time__Stop_when=stop),
                                 "--output", self.results, *(["--resume"] if index else []))
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
            self.assertEqual("Resumed" in outcome.stdout, index > 0, outcome.stdout)
        self.expect_same_bytes(self.results, straight)
        complete = percussion(2, *arguments, "--output", self.results, "--resume")
        self.assertEqual(complete.returncode, 0, complete.stderr)
        self.assertIn("there is nothing to resume", complete.stdout)

    def test_changed_piece(self):
        """The checkpoint has the checksums of the pieces of all processes."""
        arguments = [self.drop, *settings(Output__Number_of_instants=2, Time__End=0.1), "--output",
                     self.results]
        self.assertEqual(percussion(2, *arguments).returncode, 0)
        self.assertEqual(percussion(3, *arguments, "--resume").returncode, 0)  # it is complete
        piece = os.path.join(FOLDER, self.results, "solution-000001_1.vtu")
        with open(piece, "r+b") as stream:
            stream.seek(-100, os.SEEK_END)
            stream.write(b" ")
        outcome = percussion(3, *arguments, "--resume")
        self.assertEqual(outcome.returncode, 1, outcome.stderr)
        self.assertEqual(outcome.stderr.count("solution-000001_1.vtu: its content differs"), 1,
                         outcome.stderr)

    def test_start_from_a_run(self):
        first = self.results + ".first"
        outcome = percussion(3, self.drop, "--output", first, *settings(Time__End=0.1))
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        later = [self.drop, *settings(Time__Start=0.1, Time__End=0.2, Initial_state__From=first)]
        for number, results in ((2, self.results), (0, self.results + ".one")):
            outcome = percussion(number, *later, "--output", results)
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.expect_same_bytes(self.results, self.results + ".one")

    def test_only_the_first_prints(self):
        for option in ("--validate", "--print-parameters"):
            one, two = (percussion(number, self.drop, option) for number in (0, 2))
            self.assertEqual((one.returncode, two.returncode), (0, 0), two.stderr)
            self.assertEqual(two.stdout.count("Gravity"), one.stdout.count("Gravity"))
            self.assertEqual(two.stdout.count("Mesh "), one.stdout.count("Mesh "))
            self.assertEqual("Processes 2" in two.stdout, option == "--validate", two.stdout)
            self.assertNotIn("Processes", one.stdout)
        self.assertEqual(percussion(2, "--version").stdout, percussion(0, "--version").stdout)

    def test_summary_has_their_number(self):
        for number, is_there in ((1, False), (2, True)):
            percussion(number, self.drop, *settings(Time__End=0.01), "--output", self.results)
            self.assertEqual(b'"processes": 2' in read(self.results, "summary.json"), is_there)
            self.assertEqual(b"Processes 2" in read(self.results, "log.txt"), is_there)

    def test_other_programs_refuse(self):
        outcome = run(with_mpirun((2, os.path.join(BUILD, "percussion-fc"), "x.hdf5")))
        self.assertEqual(outcome.returncode, 2)
        self.assertEqual(outcome.stderr.count("mpirun has started 2 processes"), 1, outcome.stderr)


class Memory(OnProcesses):
    """The largest process of a linear block in contact, without the memory of a small block."""
    SIZES = (1.25, 0.625)  # of hexahedra [mm]

    def memory(self, number, size):
        """Returns unknowns and bytes of a run."""
        results = f"{self.results}.{number}.{size}"
        arguments = [case("box_slide"), "--quiet", *settings(
            Time__End=0.001, **SameBytes.DIVIDED, Mesh__Parameters=f"size = {size}",
            Initial_state__Static_preload="false", Initial_state__Preload_contact_nodes="contact",
            Output__Number_of_instants=1), "--output", results]
        with subprocess.Popen(with_mpirun((number, PROGRAM, *arguments)) if number else
                              [PROGRAM, *arguments], cwd=FOLDER, env=ENVIRONMENT,
                              stderr=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        log = read(results, "log.txt").decode()
        return int(log.split("Bodies")[1].split()[0]), 1024 * usage.ru_maxrss

    def measure(self, number):
        """Returns the bytes of each further unknown."""
        (n_small, small), (n_large, large) = (self.memory(number, size) for size in self.SIZES)
        return (large - small) / (n_large - n_small)

    def test_linear_block(self):
        """Copies of K, M or the system matrix in double precision would take 340 bytes or more."""
        one = self.measure(0)
        self.assertLess(one, 1000)
        self.assertLess(self.measure(2), 0.5 * one + 400)


class Failures(OnProcesses):
    """A failure ends all processes with the status and the message of one."""

    drop = case("hello_drop")
    checkpoints = settings(Output__Steps_between_checkpoints=20)
    long_run = [*checkpoints, *settings(Time__End=20)]

    def expect_end(self, outcome, seconds, status, message):
        self.assertEqual(outcome.returncode, status, outcome.stderr)
        self.assertEqual(outcome.stderr.count(message), 1, outcome.stderr)
        self.assertLess(seconds, LONGEST_END, outcome.stderr)

    def expect_failure(self, command, status, message):
        begin = time.monotonic()
        self.expect_end(run(command), time.monotonic() - begin, status, message)

    def expect_failure_of_one(self, wrong, status, message, right=()):
        """Starts three processes, of which rank 1 has wrong arguments and the others right ones."""
        command = [PROGRAM, self.drop, "--output", self.results]
        self.expect_failure(with_mpirun((1, *command, *right), (1, *command, *wrong),
                                        (1, *command, *right)), status, message)

    def test_bad_input(self):
        arguments = [self.drop, "--set", "Time/Stepp=1"]
        alone = percussion(0, *arguments)
        self.expect_failure(with_mpirun((3, PROGRAM, *arguments)), 2, alone.stderr.strip())

    def test_bad_command_line(self):
        alone = percussion(0, "--wrong")
        self.expect_failure(with_mpirun((3, PROGRAM, "--wrong")), 2, alone.stderr.strip())

    def test_no_mesh(self):
        arguments = [self.drop, "--set", "Mesh/File=none.msh"]
        alone = percussion(0, *arguments)
        self.assertEqual(alone.returncode, 2)
        self.expect_failure(with_mpirun((3, PROGRAM, *arguments)), 2, alone.stderr.strip())

    def test_bad_input_of_one(self):
        self.expect_failure_of_one(["--set", "Time/Stepp=1"], 2,
                                   "percussion: on rank 1: --set: unknown entry 'Time/Stepp'")
        self.assertFalse(os.path.exists(os.path.join(FOLDER, self.results)))

    def test_bad_contact_of_one(self):
        self.expect_failure_of_one(["--set", "Contact/ground/Region=botom"], 2,
                                   "percussion: on rank 1: --set: 'Contact/ground/Region'")

    def test_no_mesh_of_one(self):
        """The process does not take part in reading the mesh."""
        self.expect_failure_of_one(["--set", "Mesh/File="], 2, "percussion: ")

    def test_failed_step(self):
        arguments = [case("ring_impact"), *settings(**{"Solver__Max Newton iterations": 1,
                                                       "Time__Max cuts": 0})]
        alone = percussion(0, *arguments, "--output", self.results + ".one")
        self.assertEqual(alone.returncode, 1, alone.stderr)
        message = alone.stderr[:alone.stderr.index("\nThe results before")]
        self.expect_failure(with_mpirun((3, PROGRAM, *arguments, "--output", self.results)), 1,
                            message)
        self.assertIn(b'"status": "failed"', read(self.results, "summary.json"))
        self.assertIn(b"Failed: step ", read(self.results, "log.txt"))

    def test_inverted_elements(self):
        """An element of one process ends all of them."""
        arguments = [case("ring_impact"), *settings(Initial_state__Velocity_y=-60,
                                                    Time__Max_cuts=0), "--output"]
        alone = percussion(0, *arguments, self.results + ".one")
        self.assertEqual(alone.returncode, 1, alone.stderr)
        message = alone.stderr[:alone.stderr.index("\nThe results before")]
        self.assertIn("turns an element inside out", message)
        self.expect_failure(with_mpirun((3, PROGRAM, *arguments, self.results)), 1, message)

    def test_failed_step_of_one(self):
        def gravity(value):
            return settings(**{"Boundary conditions__Gravity":
                               f"0, if(t > 0.1 && t < 0.2, {value}, -9.81)"})
        self.expect_failure_of_one(gravity("-9.81/(t-t)"), 1, "on rank 1: ", gravity("-9.81*t/t"))
        self.assertIn(b'"status": "failed"', read(self.results, "summary.json"))

    def test_different_states(self):
        self.expect_failure_of_one(
            settings(**{"Boundary conditions__Gravity": "0, -9.8100000001"}), 1,
            "step 1: the processes have computed different states")
        self.assertEqual(read(self.results, "energy.csv").count(b"\n0,"), 1)

    def test_folder_that_cannot_be_made(self):
        arguments = [self.drop, "--output", "mixed.prm/results"]
        alone = percussion(0, *arguments)
        self.assertEqual(alone.returncode, 2)
        self.expect_failure(with_mpirun((3, PROGRAM, *arguments)), 2, alone.stderr.strip())

    def test_folder_in_use(self):
        with self.started(1, *self.long_run) as first:
            self.wait_for("checkpoint-1.bin")
            outcome = percussion(2, self.drop, "--output", self.results, "--resume",
                                 *self.long_run)
            self.end(first)
        self.assertEqual(outcome.returncode, 2, outcome.stderr)
        self.assertEqual(outcome.stderr.count("another run is writing its results there"), 1)

    # ---- processes that receive signals, or lose their disk ----

    def started(self, number, *arguments):
        return subprocess.Popen(
            with_mpirun((number, PROGRAM, self.drop, "--output", self.results, *arguments)),
            cwd=FOLDER, env=ENVIRONMENT, text=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)

    def wait_for(self, name):
        end = time.monotonic() + 60
        while not os.path.exists(os.path.join(FOLDER, self.results, name)):
            self.assertLess(time.monotonic(), end, name)
            time.sleep(0.01)

    @classmethod
    def end(cls, mpirun):
        mpirun.send_signal(signal.SIGTERM)
        cls.messages(mpirun)

    @staticmethod
    def messages(mpirun):
        """Returns the messages of processes that end, and ends processes that do not."""
        try:
            return mpirun.communicate(timeout=60)[1]
        except subprocess.TimeoutExpired:
            mpirun.terminate()
            raise

    def expect_signal_ends(self, number, send, status, message):
        """Calls send(mpirun) during a run, and returns the messages of its end."""
        with self.started(number, *self.long_run) as mpirun:
            self.wait_for("checkpoint-1.bin")
            begin = time.monotonic()
            send(mpirun)
            error = self.messages(mpirun)
        self.assertLess(time.monotonic() - begin, LONGEST_END, error)
        if status is not None:  # mpirun has its own if it has received the signal
            self.assertEqual(mpirun.returncode, status, error)
        self.assertEqual(error.count(message), 1, error)
        return error

    def expect_resumed(self, number):
        """Resumes the run to an end soon after, and compares it with a run without interruption."""
        last = max(int(line.split(b",")[0]) for line in read(self.results, "energy.csv").split(
            b"\n") if line[:1].isdigit())
        end = settings(Time__End=(last + 100) * 5e-4)
        outcome = percussion(number, self.drop, "--output", self.results, *self.checkpoints, *end,
                             "--resume")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        whole = self.results + ".whole"
        outcome = percussion(0, self.drop, "--output", whole, *self.checkpoints, *end)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertTrue(read(self.results, "energy.csv") == read(whole, "energy.csv"))
        self.solutions(self.results)

    def test_signal_to_one_process(self):
        for rank in (1, 0):
            shutil.rmtree(os.path.join(FOLDER, self.results), ignore_errors=True)
            error = self.expect_signal_ends(
                2, lambda mpirun, to=rank: os.kill(self.process(mpirun, to), signal.SIGTERM), 1,
                "Stopped by SIGTERM after step ")
            self.assertIn(". Go on with: mpirun -n 2 percussion ", error)
            self.assertIn(b'"status": "stopped"', read(self.results, "summary.json"))
        self.expect_resumed(3)

    def test_signals_to_mpirun(self):
        """SIGUSR1 is passed on; at SIGTERM and SIGINT mpirun gives the processes a second."""
        for number, name in ((signal.SIGUSR1, "SIGUSR1"), (signal.SIGTERM, "SIGTERM"),
                             (signal.SIGINT, "SIGTERM")):
            shutil.rmtree(os.path.join(FOLDER, self.results), ignore_errors=True)
            self.expect_signal_ends(2, lambda mpirun, sent=number: mpirun.send_signal(sent), None,
                                    f"Stopped by {name} after step ")
            self.assertIn(b'"status": "stopped"', read(self.results, "summary.json"))

    def test_killed_process(self):
        for rank in (1, 0):
            shutil.rmtree(os.path.join(FOLDER, self.results), ignore_errors=True)
            error = self.expect_signal_ends(
                2, lambda mpirun, to=rank: os.kill(self.process(mpirun, to), signal.SIGKILL), None,
                "exited on signal 9")
            self.assertNotIn("Stopped", error)
        self.expect_resumed(2)

    def test_full_disk(self):
        """The limit of the size of a file represents a full disk."""
        def fill(mpirun):
            resource.prlimit(self.process(mpirun, 0), resource.RLIMIT_FSIZE, (100000, 100000))
        error = self.expect_signal_ends(
            2, fill, 1, "energy.csv: cannot be written (File too large)")
        self.assertIn("As soon as the folder can be written, go on with: mpirun -n 2 percussion ",
                      error)
        self.expect_resumed(2)

    def test_last_checkpoint(self):
        """Its failure comes after all results, of which the criterion adds the last ones."""
        arguments = settings(Output__Number_of_instants=3)
        with self.started(2, *arguments, *settings(Time__Stop_when="t > 0.5")) as mpirun:
            self.wait_for("energy.csv")
            os.makedirs(os.path.join(FOLDER, self.results, "checkpoint-2.bin"))
            begin = time.monotonic()
            error = self.messages(mpirun)
        self.expect_end(subprocess.CompletedProcess(None, mpirun.returncode, None, error),
                        time.monotonic() - begin, 1,
                        "checkpoint-2.bin: cannot be written (Is a directory)")
        self.assertIn(b'"status": "failed"', read(self.results, "summary.json"))
        os.rmdir(os.path.join(FOLDER, self.results, "checkpoint-2.bin"))
        whole = self.results + ".whole"
        for results, resume in (self.results, ["--resume"]), (whole, []):
            outcome = percussion(2, self.drop, "--output", results, *arguments, *resume)
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.expect_same_bytes(self.results, whole)

    def test_full_disk_of_one(self):
        """Rank 1 cannot write its piece. The instant is not listed, and a resumed run has it."""
        def fill(mpirun):
            resource.prlimit(self.process(mpirun, 1), resource.RLIMIT_FSIZE, (100, 100))
        error = self.expect_signal_ends(2, fill, 1, "_1.vtu: cannot be written (File too large)")
        self.assertIn("percussion: on rank 1: ", error)
        series = read_series(os.path.join(FOLDER, self.results, "solution.pvd"))
        for _, file in series:
            self.assertEqual(len(Pieces(file).pieces), 2)
        self.assertIn(b'"status": "failed"', read(self.results, "summary.json"))
        self.expect_resumed(3)


class Kills(OnProcesses):
    """Runs that lose a process at random times are resumed to the bytes of a straight run.

    PERCUSSION_KILLS is the number of kills, PERCUSSION_SEED the seed of an earlier run.
    """

    n_kills = int(os.environ.get("PERCUSSION_KILLS", "3"))
    arguments = [case("box_slide"), *settings(
        **SameBytes.DIVIDED, **{**SameBytes.COARSE, "Time__End": 0.05},
        Initial_state__Static_preload="false",
                     Initial_state__Preload_contact_nodes="contact", Output__Number_of_instants=5,
        Output__Steps_between_checkpoints=5)]

    def test_resumed_to_the_bytes_of_a_straight_run(self):
        seed = int(os.environ.get("PERCUSSION_SEED", time.time_ns() % 10**6))
        print(f"{self.n_kills} kills with PERCUSSION_SEED={seed}", flush=True)
        random = Random(seed)
        straight = self.results + ".straight"
        begin = time.monotonic()
        outcome = percussion(2, *self.arguments, "--output", straight)
        seconds = time.monotonic() - begin
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        kills = 0
        while kills < self.n_kills:
            kills += self.run_with_kills(random, seconds, self.n_kills - kills)
            self.expect_same_bytes(self.results, straight)
            shutil.rmtree(os.path.join(FOLDER, self.results))

    def run_with_kills(self, random, seconds, most):
        """Completes a run with at most this number of kills; returns their number."""
        for kills in range(most + 1):
            number = random.choice((2, 3))
            after, rank = random.uniform(0, 0.5 * seconds), random.randrange(number)
            command = with_mpirun((number, PROGRAM, *self.arguments, "--output", self.results,
                                   "--resume"))
            with subprocess.Popen(command, cwd=FOLDER, env=ENVIRONMENT, text=True,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as mpirun:
                is_killed = kills < most and not self.ends_within(mpirun, after)
                if is_killed:
                    self.kill(mpirun, rank)
                    self.end_without_processes(mpirun, number)
                _, error = mpirun.communicate(timeout=120)
            if mpirun.returncode == 0:
                return kills
            # mpirun does not name the signal if it comes before the program has started.
            self.assertTrue(is_killed, error)
            self.assertNotIn("percussion:", error)
        raise AssertionError("the run has not ended")

    def end_without_processes(self, mpirun, number):
        """Ends mpirun, which may wait for ever if a process was killed before MPI has started."""
        n_looks = 0
        while n_looks < 20 and not self.ends_within(mpirun, 0.1):
            n_looks = 0 if any(self.is_alive(mpirun, rank) for rank in range(number)) else n_looks + 1
        if n_looks == 20:
            mpirun.kill()

    def is_alive(self, mpirun, rank):
        try:
            return bool(self.process(mpirun, rank))
        except AssertionError:
            return False

    @staticmethod
    def ends_within(mpirun, seconds):
        try:
            mpirun.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def kill(self, mpirun, rank):
        """Kills the process of this rank, as soon as it has started."""
        while mpirun.poll() is None:
            try:
                os.kill(self.process(mpirun, rank), signal.SIGKILL)
                return
            except (AssertionError, ProcessLookupError):
                time.sleep(0.01)


class Scenarios(OnProcesses):
    """The functions by which processes share failures, in process_scenarios."""

    program = os.path.join(BUILD, "process_scenarios")

    def expect(self, name, rank, status, message, longest=LONGEST_END):
        begin = time.monotonic()
        outcome = run(with_mpirun((3, self.program, name, str(rank))))
        seconds = time.monotonic() - begin
        with self.subTest(scenario=name, rank=rank):
            self.assertEqual(outcome.returncode, status, outcome.stderr)
            self.assertLess(seconds, longest, outcome.stderr)
            if message:
                self.assertEqual(outcome.stderr.count(message), 1, outcome.stderr)

    def test_all_go_on(self):
        for name in ("agreed", "different", "bytes", "numbers"):
            for rank in (0, 2):
                self.expect(name, rank, 0, "")

    def test_all_end(self):
        self.expect("all", 0, 2, "of 0")
        self.expect("slow", 1, 1, "on rank 1: expected: nothing")
        self.expect("slow_others", 1, 1, "on rank 1: expected: nothing")

    def test_none_waits_for_ever(self):
        for rank in (0, 1):
            self.expect("stuck", rank, 2, "alone")
        self.expect("stuck_in_agree", 1, 2, "alone")


if __name__ == "__main__":
    unittest.main()
