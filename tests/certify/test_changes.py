"""One changed number in any file of a run fails its certificate, without an earlier certificate."""

import re
import unittest

import numpy as np

from runs import CertifiedRun, certify, change_array, change_cell

# Columns of energy.csv with a row in which the fallen block presses, and the change.
LARGER = {name: (lambda x: 1.5 * x + 1e-3) for name in (
    "time", "kinetic", "strain", "total", "work_external", "work_viscous", "work_numerical",
    "work_contact_normal", "work_contact_tangential", "work_prescribed", "balance_residual",
    "tangential_work_max", "percussion_normal", "contact_potential", "work_position_correction",
    "missed_depth", "relapse_depth", "drift", "pressing_gap", "cone_violation", "slip_direction_error",
    "resting_work", "penetration_max", "solver_residual")}
COLUMNS = {**LARGER, "step": lambda x: x + 1, "tangential_work_min": lambda x: 1.0,
           "contacts_active": lambda x: x + 0.5, "contacts_sliding": lambda x: 1000,
           "solver_iterations": lambda x: x + 1}


def _pressing(array):
    return int(np.argmax((array("percussion") * array("normal")).sum(axis=1))), 1


def _first(array):
    del array
    return 0, 1


CONTACTS = {"percussion": lambda x: 1.01 * x, "percussion_sum": lambda x: 2 * x + 1,
            "pressure": lambda x: 1.01 * x, "gap": lambda x: x - 1e-3, "status": lambda x: 0,
            "status_max": lambda x: 0, "normal_work": lambda x: 1.01 * x,
            "tangential_work": lambda x: 1.0, "slip": lambda x: -1.0, "missed_depth": lambda x: -1.0,
            "drift": lambda x: -1.0, "normal": lambda x: 0.9, "tangent": lambda x: 0.5,
            "pair": lambda x: 7, "body": lambda x: 3, "area": lambda x: 1.01 * x,
            "touched_place": lambda x: x + 1e-3, "displacement": lambda x: x + 1e-3,
            "obstacle": lambda x: 5, "relative_velocity": lambda x: 1.0}
BODIES = {"displacement": lambda x: x + 1e-3, "velocity": lambda x: x + 1e-3, "stress": lambda x: x + 1,
          "von_mises": lambda x: x + 1, "nodal_stress": lambda x: x + 1,
          "nodal_von_mises": lambda x: x + 1, "body": lambda x: 1, "normal_work": lambda x: x + 1,
          "tangential_work": lambda x: x + 1}


class Block(CertifiedRun):
    """Block that has fallen on the ground and presses, with probes."""

    case = "hello_drop.prm"
    settings = {"Time/End": "0.3", "Output/Number of instants": "6", "Probes/corner/Point": "0, 0",
                "Probes/Interval": "10", "Probes/all/Kind": "work", "Probes/all/Contact": "ground"}

    def test_the_unchanged_run_passes(self):
        text = self.assert_passes(self.copy(), "--all")
        self.assertIn("probes", text)
        self.assertRegex(text, r"kinetic energy from velocities +\S+ +\S+ +passes")

    def test_each_column_of_the_energies(self):
        for column, change in COLUMNS.items():
            with self.subTest(column=column):
                folder = self.copy()
                change_cell(folder / "energy.csv", 500, column, change)
                self.assert_fails("energy.csv", folder)

    def test_columns_without_a_summary(self):
        for column in ("kinetic", "total", "work_contact_normal", "work_viscous", "time", "step"):
            with self.subTest(column=column):
                folder = self.copy()
                (folder / "summary.json").unlink()
                change_cell(folder / "energy.csv", 450, column, COLUMNS[column])
                self.assert_fails("energy.csv", folder)

    def test_each_array_of_the_contacts(self):
        for name, change in CONTACTS.items():
            with self.subTest(array=name):
                folder = self.copy()
                change_array(folder / "contacts-000005.vtu", name, _pressing, change)
                words = "solution-000005.vtu" if name in ("percussion_sum", "obstacle") \
                    else "contacts-000005.vtu"
                self.assert_fails(words, folder)

    def test_each_array_of_the_bodies(self):
        for name, change in BODIES.items():
            with self.subTest(array=name):
                folder = self.copy()
                change_array(folder / "solution-000004.vtu", name, _first, change)
                self.assert_fails("solution-000004.vtu", folder)

    def test_probes(self):
        for column in ("corner.displacement_y", "all.work_normal", "time"):
            with self.subTest(column=column):
                folder = self.copy()
                change_cell(folder / "probes.csv", -1, column, lambda x: x * 1.001 - 1e-3)
                self.assert_fails("probes.csv", folder)

    def test_each_column_of_the_momenta(self):
        for column in ("px", "py", "vx", "vy"):
            with self.subTest(column=column):
                folder = self.copy()
                change_cell(folder / "elastic_bodies.csv", 500, f"block_q4.{column}", lambda x: x + 1e-6)
                self.assert_fails("elastic_bodies.csv", folder)

    def test_a_mass_that_is_not_that_of_the_cells(self):
        folder = self.copy()
        lines = (folder / "elastic_bodies.csv").read_text(encoding="utf-8").splitlines()
        first = next(k for k, line in enumerate(lines) if line.startswith("step")) + 1
        for k in range(first, len(lines)):
            step, time, px, py, *velocities = lines[k].split(",")
            lines[k] = ",".join([step, time, repr(1.001 * float(px)), repr(1.001 * float(py)), *velocities])
        (folder / "elastic_bodies.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.assert_fails("elastic_bodies.csv", folder)

    def test_a_removed_step(self):
        folder = self.copy()
        lines = (folder / "energy.csv").read_text(encoding="utf-8").splitlines()
        for kept in (lines[:300] + lines[301:], lines[:-1]):
            (folder / "energy.csv").write_text("\n".join(kept) + "\n", encoding="utf-8")
            self.assert_fails("energy.csv", folder)

    def test_numbers_of_other_files(self):
        for file, old, new, words in (
                ("solution.pvd", 'timestep="0.050', 'timestep="0.051', "solution.pvd"),
                ("summary.json", '"steps": 600', '"steps": 601', "summary.json"),
                ("summary.json", '"cells": 200', '"cells": 201', "summary.json"),
                ("parameters.prm", "set Density = 1000", "set Density = 1001", "solution-0000"),
                ("parameters.prm", "set Friction coefficient = 0.3",
                 "set Friction coefficient = 0.01", "contacts-0000"),
                ("parameters.prm", "set Gravity = 0, -9.81", "set Gravity = 0, -9.80", "solution-0000")):
            with self.subTest(file=file, old=old):
                folder = self.copy()
                text = (folder / file).read_text(encoding="utf-8")
                text = re.sub(r" +=", " =", text)  # names are padded
                self.assertIn(old, text)
                (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
                self.assert_fails(words, folder)

    def test_damaged_files_are_named(self):
        """Files cut in half, empty, or of other content end neither the program nor its checks."""
        for file in ("energy.csv", "probes.csv", "summary.json", "solution.pvd", "contacts.pvd",
                     "solution-000003.vtu", "contacts-000003.vtu"):
            for content in (lambda old: old[:len(old) // 2], lambda old: b"", lambda old: b"\xff\x00" * 99,
                            lambda old: b"9" * 999 + b"e999,\n" * 9):
                with self.subTest(file=file):
                    folder = self.copy()
                    old = (folder / file).read_bytes()
                    (folder / file).write_bytes(content(old))
                    outcome = certify(folder)
                    self.assertIn(outcome.returncode, (1, 2))
                    self.assertNotIn("Traceback", outcome.stderr)
                    self.assertIn(file, outcome.stdout + outcome.stderr)

    def test_a_missing_file_of_an_instant(self):
        folder = self.copy()
        (folder / "contacts-000002.vtu").unlink()
        self.assert_fails("contacts.pvd", folder)


class RigidBlock(CertifiedRun):
    """Rigid block with friction."""

    case = "rocking_block.prm"
    settings = {"Time/End": "0.3", "Output/Number of instants": "10", "Time/Step": "1e-3"}

    def test_each_column_of_the_motion(self):
        for column in ("x", "y", "angle", "vx", "vy", "omega"):
            with self.subTest(column=column):
                folder = self.copy()
                change_cell(folder / "rigid_bodies.csv", 100, f"block.{column}", lambda x: x + 1e-6)
                self.assert_fails("rigid_bodies.csv", folder)

    def test_the_unchanged_run_passes(self):
        self.assert_passes(self.copy())


if __name__ == "__main__":
    unittest.main()
