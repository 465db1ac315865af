"""Cases, runs and their errors in Python."""

import ast
import os
import pathlib
import signal
import subprocess
import sys
import threading
import unittest

import numpy as np

import percussion
import vtu
from support import FolderTest, shipped


class Cases(FolderTest):
    def test_overriding(self):
        case = percussion.Case(
            shipped("hello_drop.prm"),
            {
                "Time/Step": 1e-3,
                "Time/End": np.float64(0.25),
                "Output/Number of instants": np.int64(7),
                "Output/Units": "m s kg",
                "Initial state/Static preload": False,
                "Boundary conditions/Gravity": (0, -1.5),
            },
            output=self.folder,
        )
        self.assertEqual((case.n_steps, case.step_length), (250, 1e-3))
        self.assertEqual(case.units, "m, s, kg")
        self.assertEqual(case.parameters["Boundary conditions/Gravity"], "0, -1.5")
        self.assertEqual(case.parameters["Output/Number of instants"], "7")
        self.assertEqual(case.output, str(self.folder))
        text = case.effective_parameters()
        again = percussion.Case.from_text(text)
        self.assertEqual(again.n_steps, 250)
        self.assertEqual(again.mesh.nodes.tolist(), case.mesh.nodes.tolist())
        with self.assertRaises(TypeError):
            percussion.Case(shipped("hello_drop.prm"), {"Time/Step": None})

    def test_all_errors_are_reported_at_once(self):
        with self.assertRaises(percussion.InputError) as caught:
            percussion.Case(
                shipped("hello_drop.prm"), {"Time/Stepp": 1, "Material/Poisson ratio": 0.7}
            )
        message = str(caught.exception)
        self.assertIsInstance(caught.exception, ValueError)
        for words in ("Time/Step", "Material/Poisson ratio", "0.7"):
            self.assertIn(words, message)
        with self.assertRaisesRegex(percussion.InputError, "nowhere.prm"):
            percussion.Case("nowhere.prm")

    def test_a_folder_that_cannot_be_used(self):
        (self.folder / "notes.txt").write_text("not results")
        case = percussion.Case(shipped("bouncing_ball.prm"), output=self.folder)
        with self.assertRaisesRegex(percussion.InputError, "holds other files than results"):
            case.run()
        case.run(write=False)

    def test_a_step_that_fails(self):
        text = shipped("bouncing_ball.prm").read_text().replace(
            "set Surface = half-plane", "set Surface = half-plane\n    set Motion y = 1/(t-0.01)"
        )
        case = percussion.Case.from_text(text, output=self.folder / "out")
        run = case.run()
        with self.assertRaisesRegex(percussion.RunError, "not a finite number at t = 0.01") as e:
            run.step(100)
        self.assertIsInstance(e.exception, RuntimeError)
        self.assertEqual(run.summary.status, "failed")
        self.assertIn("Failed: ", (self.folder / "out/log.txt").read_text())
        self.assertTrue(run.finished)
        with self.assertRaisesRegex(percussion.RunError, "the run has failed"):
            run.step()
        self.assertGreater(len(run.ledger), 5)

    def test_describe_and_estimate(self):
        case = percussion.Case(shipped("hello_drop.prm"))
        self.assertIn("2000 steps of 0.0005 from t = 0", case.describe())
        estimate = case.estimate()
        self.assertEqual(estimate["failure"], "")
        self.assertGreater(estimate["wall_time"], 0)
        self.assertIn("hello_drop", repr(case))
        self.assertEqual(case.warnings, [])

    def test_notebooks_show_tables(self):
        case = percussion.Case(shipped("hello_drop.prm"), {"Time/End": 0.3},
                               output=self.folder / "<out>")
        run = case.run(write=False)
        next(record for record in run if (run.contacts.status > 0).any())
        first, cells = np.flatnonzero(run.contacts.status > 0)[0], len(case.mesh.cells)
        status = ("", "sticking", "sliding")[run.contacts.status[first]]
        for thing, words in ((case, f"{len(case.mesh.nodes)} nodes, {cells} cells"),
                             (case, "&lt;out&gt;"), (run, f"{run.state.step} of 600, t = {run.state.time:g}"),
                             (run, f"<td>contacts</td><td>{len(run.contacts)}</td>"),
                             (run.contacts, f"{len(run.contacts)} contacts: "),
                             (run.contacts, f"<td>ground</td><td>{status}</td><td>"
                                            f"{run.contacts.gap[first]:.4g}</td>"),
                             (run.summary, f"<td>wall_time</td><td>{run.summary.wall_time:.6g}</td>"),
                             (run.summary, f"<td>steps</td><td>{run.state.step}</td>")):
            page = thing._repr_html_()
            self.assertIn(words, page)
            self.assertEqual(page.count("<tr>"), page.count("</tr>"))
        self.assertIsInstance(run.summary.work_external, float)
        self.assertIn("<td>elastic mesh</td><td>none</td>",
                      percussion.Case(shipped("spinning_top.prm"))._repr_html_())

    def test_mesh(self):
        for name, area in (("hello_drop.prm", None), ("sliding_block.prm", None)):
            mesh = percussion.Case(shipped(name)).mesh
            x, y = mesh.nodes[mesh.triangles()].transpose(2, 0, 1)
            areas = 0.5 * ((x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0])
                           - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0]))
            self.assertTrue((areas > 0).all())
            extent = np.ptp(mesh.nodes, axis=0).prod()
            self.assertAlmostEqual(areas.sum() / extent, 1, places=12)
            self.assertEqual(sorted(mesh.vtu_point), list(range(len(mesh.nodes))))
        self.assertIsNone(percussion.Case(shipped("pillar.prm")).mesh)

    def test_several_meshes(self):
        """A block, a copy of its mesh, and a ring of triangles."""
        meshes = [shipped("../meshes/block_q4.msh"), self.folder / "copy.msh",
                  shipped("../meshes/ring_coarse.msh")]
        meshes[1].write_bytes(meshes[0].read_bytes())
        parameters = {"Mesh/File": ", ".join(map(str, meshes)), "Time/End": 1e-3,
                      "Contact/ground/Region": "copy:bottom", "Output/Number of instants": 1}
        case = percussion.Case(shipped("hello_drop.prm"), parameters, output=self.folder / "out")
        block = percussion.Case(shipped("hello_drop.prm")).mesh
        mesh, n = case.mesh, len(block.nodes)
        np.testing.assert_array_equal(mesh.nodes[n : 2 * n], mesh.nodes[:n])
        np.testing.assert_array_equal(mesh.nodes[:n], block.nodes)
        n_cells = len(block.cells)
        np.testing.assert_array_equal(mesh.cells[n_cells : 2 * n_cells], block.cells + n)
        ring = mesh.cells[2 * n_cells :]
        np.testing.assert_array_equal(ring[:, 2], ring[:, 3])
        self.assertEqual(set(ring.ravel()), set(range(2 * n, len(mesh.nodes))))
        self.assertEqual(len(mesh.triangles()), 4 * n_cells + len(ring))
        np.testing.assert_array_equal(mesh.regions["copy:bottom"], block.regions["bottom"] + n)
        self.assertNotIn("bottom", mesh.regions)
        self.assertGreaterEqual(min(min(mesh.regions[name]) for name in mesh.regions
                                    if ":" not in name), 2 * n)
        with case.run() as run:
            run.step(case.n_steps)
        self.assertEqual(set(run.contacts.node), set(mesh.regions["copy:bottom"]))
        points, fields, cells = vtu.read(self.folder / "out/solution-000001.vtu")
        order = mesh.vtu_point
        np.testing.assert_array_equal(mesh.nodes, points[order, :2])
        np.testing.assert_array_equal(run.state.displacement, fields["displacement"][order, :2])
        np.testing.assert_array_equal(run.cell_stress(), cells["stress"])


class Runs(FolderTest):
    def test_the_ledger_is_energy_csv(self):
        case = percussion.Case(
            shipped("impacting_stick.prm"), {"Time/End": 0.05}, output=self.folder / "out"
        )
        run = case.run()
        records = list(run)
        run.finish()
        ledger = run.ledger
        lines = (self.folder / "out/energy.csv").read_text().splitlines()
        names, *rows = [line for line in lines if not line.startswith("#")]
        self.assertEqual(ledger.dtype.names, tuple(names.split(",")))
        table = np.array([[float(field) for field in row.split(",")] for row in rows])
        for k, name in enumerate(ledger.dtype.names):
            np.testing.assert_array_equal(ledger[name], table[:, k])
        works = sum(record.work_contact_tangential for record in records)
        self.assertAlmostEqual(works, ledger["work_contact_tangential"][-1], places=14)
        self.assertEqual([r.step for r in records], ledger["step"][1:].tolist())

    def test_arrays_are_those_of_the_files(self):
        case = percussion.Case(
            shipped("hello_drop.prm"),
            {"Time/End": 0.3, "Output/Number of instants": 1},
            output=self.folder / "out",
        )
        run = case.run()
        run.step(case.n_steps)
        run.finish()
        points, fields, cells = vtu.read(self.folder / "out/solution-000001.vtu")
        order = case.mesh.vtu_point
        np.testing.assert_array_equal(case.mesh.nodes, points[order, :2])
        np.testing.assert_array_equal(run.state.displacement, fields["displacement"][order, :2])
        np.testing.assert_array_equal(run.state.velocity, fields["velocity"][order, :2])
        np.testing.assert_array_equal(run.cell_stress(), cells["stress"])
        _, fields, _ = vtu.read(self.folder / "out/contacts-000001.vtu")
        contacts = run.contacts
        np.testing.assert_array_equal(contacts.gap, fields["gap"])
        np.testing.assert_array_equal(contacts.status, fields["status"])
        frame = contacts.frame()
        np.testing.assert_array_equal(contacts.pair, fields["pair"])
        np.testing.assert_array_equal(contacts.obstacle + 1, fields["obstacle"])
        np.testing.assert_array_equal(frame[:, 0], fields["normal"][:, :2])
        np.testing.assert_array_equal(frame[:, 1], fields["tangent"][:, :2])
        np.testing.assert_array_equal(contacts.normal, frame[:, 0])
        np.testing.assert_allclose(
            np.einsum("ni,nij->nj", contacts.percussion, frame), fields["percussion"][:, :2],
            rtol=1e-15,
        )
        np.testing.assert_array_equal(
            contacts.position,
            case.mesh.nodes[contacts.node] + run.state.displacement[contacts.node],
        )

    def test_rigid_bodies(self):
        case = percussion.Case(shipped("rocking_block.prm"))
        run = case.run(write=False)
        run.step(case.n_steps // 2)
        bodies = run.rigid_bodies
        self.assertEqual((len(bodies), bodies.names), (1, ["block"]))
        pose, outline = bodies.pose()[0], bodies.outline(0)
        self.assertNotEqual(pose[2], 0)
        np.testing.assert_allclose(outline.mean(axis=0), pose[:2], atol=1e-12)
        corners = run.contacts.position
        for corner in corners:
            self.assertLess(np.abs(outline - corner).sum(axis=1).min(), 1e-12)
        with self.assertRaises(IndexError):
            bodies.outline(1)

    def test_an_initial_state_set_by_hand(self):
        parameters = {"Time/End": 0.1, "Initial state/Velocity x": "2*y", "Time/Step": 1e-3}
        expected = percussion.Case(shipped("hello_drop.prm"), parameters).run(write=False)
        del parameters["Initial state/Velocity x"]
        case = percussion.Case(shipped("hello_drop.prm"), parameters, output=self.folder / "out")
        case.initial.velocity[:, 0] = 2 * case.mesh.nodes[:, 1]
        run = case.run()
        run.step(100)
        run.finish()
        expected.step(100)
        self.assertGreater(np.abs(run.state.displacement).max(), 0.1)
        np.testing.assert_array_equal(run.state.displacement, expected.state.displacement)
        self.assertIn("set by hand", (self.folder / "out/log.txt").read_text())
        for name in ("displacement", "velocity"):
            values = getattr(case.initial, name)
            for value, reason in ((np.nan, "not finite"), (-np.inf, "not finite"),
                                  (1e300, "too large to compute with"), (-1e101, "too large")):
                before = values[0, 0]
                values[0, 0] = value
                with self.assertRaisesRegex(percussion.InputError, f"{name} .*{reason}"):
                    case.run(write=False)
                values[0, 0] = before

    def test_tables_are_regular_files_of_numbers(self):
        table = self.folder / "table.csv"
        table.write_text("# remark\na,b\n1,2\n3,4\n5,")
        self.assertEqual(percussion.read_table(table)["b"].tolist(), [2, 4])
        os.mkfifo(self.folder / "pipe.csv")
        (self.folder / "device.csv").symlink_to("/dev/zero")
        for name in ("/dev/zero", "/dev/null", self.folder / "pipe.csv",
                     self.folder / "device.csv", self.folder):
            with self.assertRaisesRegex(percussion.ReadError, "is not a regular file"):
                percussion.read_table(name)
        with self.assertRaisesRegex(percussion.ReadError, "/proc/self/mem: cannot be read"):
            percussion.read_table("/proc/self/mem")
        table.write_bytes(b"a,b\n1,\xff\n")
        with self.assertRaisesRegex(percussion.ReadError, "is no table of numbers"):
            percussion.read_table(table)
        for text in ("", "a,b\n1,x\n", "a,b\n1,2\n1\n"):
            table.write_text(text)
            with self.assertRaisesRegex(percussion.ReadError, "is no table of numbers"):
                percussion.read_table(table)
        with self.assertRaises(FileNotFoundError):
            percussion.read_table(self.folder / "absent.csv")

    def test_prescribed_motions_are_not_to_be_set(self):
        case = percussion.Case(shipped("sliding_block.prm"))
        case.initial.velocity[case.mesh.regions["Confining displacement"][0], 1] = 1
        with self.assertRaisesRegex(percussion.InputError, "prescribed"):
            case.run(write=False)

    def test_order_of_calls(self):
        case = percussion.Case(shipped("bouncing_ball.prm"), {"Time/End": 0.01})
        run = case.run(write=False)
        with self.assertRaisesRegex(percussion.RunError, "steps are left"):
            run.finish()
        self.assertEqual(run.step(10**6).step, 10)
        self.assertTrue(run.finished)
        with self.assertRaisesRegex(percussion.RunError, "finish"):
            run.step()
        self.assertEqual(run.finish().energy, run.state.energy)
        with self.assertRaisesRegex(percussion.RunError, "finished"):
            run.finish()
        with self.assertRaisesRegex(percussion.InputError, "write"):
            case.run(write=False, resume=True)

    def test_threads(self):
        case = percussion.Case(shipped("hello_drop.prm"), {"Time/End": 0.2})
        runs = [case.run(write=False) for _ in range(2)]
        threads = [threading.Thread(target=run.step, args=(case.n_steps,)) for run in runs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        np.testing.assert_array_equal(runs[0].ledger, runs[1].ledger)
        self.assertTrue(runs[0].finished)


    def test_a_signal_handler_may_look_at_the_run(self):
        case = percussion.Case(shipped("hello_drop.prm"))
        run = case.run(write=False)
        seen = []
        before = signal.signal(
            signal.SIGALRM, lambda *_: seen.append((len(run.contacts), len(run.ledger)))
        )
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        run.step(case.n_steps)
        self.assertGreater(len(seen), 1)
        self.assertEqual({n for n, _ in seen}, {21})
        self.assertTrue(any(1 < rows < 2001 for _, rows in seen))


class Stubs(unittest.TestCase):
    def test_all_members_have_types_and_docstrings(self):
        stubs = pathlib.Path(percussion.__file__).with_name("_percussion.pyi").read_text()
        declared = {}
        for node in ast.parse(stubs).body:
            if isinstance(node, ast.ClassDef):
                names = {
                    getattr(member, "name", None) or member.target.id
                    for member in node.body
                    if not isinstance(member, ast.Expr)
                }
                for base in node.bases:
                    names |= declared.get(base.id, set())
                declared[node.name] = names
        for name in percussion.__all__:
            thing = getattr(percussion, name)
            is_compiled = isinstance(thing, type) and thing is not percussion.Matrices
            if is_compiled and not issubclass(thing, Exception):
                with self.subTest(name):
                    public = {member for member in vars(thing) if not member.startswith("_")}
                    self.assertEqual({n for n in declared[name] if not n.startswith("_")}, public)
                    for member in public:
                        self.assertTrue(getattr(thing, member).__doc__, member)


class Processes(FolderTest):
    def python(self, code, **keywords):
        return subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, cwd=self.folder, env=os.environ, **keywords,
        )

    def test_ctrl_c_stops_a_run_that_can_be_resumed(self):
        file = shipped("sliding_block.prm")
        program = self.python(
            f"import percussion\n"
            f"case = percussion.Case({str(file)!r}, {{'Output/Number of instants': 10}}, 'out')\n"
            f"print('ready', flush=True)\n"
            f"try:\n"
            f"    case.solve()\n"
            f"except KeyboardInterrupt:\n"
            f"    print('interrupted', flush=True)\n"
            f"run = case.run(resume=True)\n"
            f"assert run.state.step > 0\n"
        )
        self.assertEqual(program.stdout.readline(), "ready\n")
        while not (self.folder / "out/energy.csv").exists() and program.poll() is None:
            pass
        program.send_signal(signal.SIGINT)
        out, error = program.communicate(timeout=60)
        self.assertEqual((program.returncode, out), (0, "interrupted\n"), error)
        self.assertIn("Resumed   after step", (self.folder / "out/log.txt").read_text())

    def test_the_process_ends_cleanly(self):
        program = self.python(
            f"import percussion\n"
            f"case = percussion.Case({str(shipped('hello_drop.prm'))!r}, {{'Time/End': 0.01}})\n"
            f"run = case.run(write=False)\n"
            f"run.step()\n"
            f"view = run.state.displacement\n"
            f"class Cycle: pass\n"
            f"cycle = Cycle(); cycle.run = run; cycle.me = cycle\n"
        )
        out, error = program.communicate(timeout=60)
        self.assertEqual((program.returncode, out, error), (0, "", ""))

    def test_daemon_threads_at_work_do_not_abort_the_end(self):
        for work in ("run.step(10**9)", "[run.step() for _ in range(10**9)]"):
            program = self.python(
                f"import percussion, threading, time\n"
                f"case = percussion.Case({str(shipped('hello_drop.prm'))!r}, {{'Time/Step': 1e-8}})\n"
                f"run = case.run(write=False)\n"
                f"threading.Thread(target=lambda: {work}, daemon=True).start()\n"
                f"time.sleep(0.5)\n"
                f"print('end', flush=True)\n"
            )
            out, error = program.communicate(timeout=60)
            self.assertEqual((program.returncode, out, error), (0, "end\n", ""))

    def test_no_step_is_none(self):
        case = percussion.Case(shipped("hello_drop.prm"), {"Time/End": 0.01})
        run = case.run(write=False)
        with self.assertRaisesRegex(ValueError, "n is 0"):
            run.step(0)
        self.assertEqual(run.state.step, 0)

    def test_verbose_runs_speak_through_python(self):
        program = self.python(
            f"import contextlib, io, percussion\n"
            f"case = percussion.Case({str(shipped('bouncing_ball.prm'))!r}, {{'Time/End': 0.1}})\n"
            f"text = io.StringIO()\n"
            f"with contextlib.redirect_stdout(text):\n"
            f"    case.solve(write=False, verbose=True)\n"
            f"assert 'step 100/100' in text.getvalue(), text.getvalue()\n"
            f"case.solve(write=False)\n"
        )
        out, error = program.communicate(timeout=60)
        self.assertEqual((program.returncode, out, error), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
