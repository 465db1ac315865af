"""Results of Siconos' mechanics runner. siconos_stick.hdf5 is what Siconos 4.4 has written of a stick as
in AC24, section 5.1 (e = 1, mu = 0.01, steps of 1 ms): the classical law creates energy at its impact."""

import re
import shutil
import unittest

import h5py
import numpy as np

from runs import SOURCE, CertifiedRun

STICK = SOURCE / "tests/certify/siconos_stick.hdf5"
GRAVITY = np.array([0, 0, -9.80665])


class Siconos(CertifiedRun):
    def copy_of_stick(self):
        file = self.folder / "stick.hdf5"
        shutil.copy(STICK, file)
        return file

    def bodies(self, objects, times, motion, type_of_numbers=float):
        """Writes a file with objects {name: (attributes, shape or None)} and the rows of motion(time),
        (id, positions, quaternions, velocities, spins)."""
        file = self.folder / "bodies.hdf5"
        with h5py.File(file, "w") as stream:
            stream.attrs["dimension"] = 3
            data = stream.create_group("data")
            shapes, group = data.create_group("ref"), data.create_group("input")
            for number, (name, (attributes, shape)) in enumerate(objects.items(), 1):
                body = group.create_group(name)
                body.attrs.update({"id": number, "translation": np.zeros(3), "velocity": np.zeros(6), **attributes})
                contactor = body.create_dataset("0", (0, 0))
                contactor.attrs.update({"shape_name": f"shape {number}", "translation": np.zeros(3)})
                if shape:
                    shapes.create_dataset(f"shape {number}", data=[shape[1]]).attrs["primitive"] = shape[0]
            rows = [(t, *row) for t in times for row in motion(t)]
            data["dynamic"] = np.array([[*row[:2], *row[2], *row[3]] for row in rows], type_of_numbers)
            data["velocities"] = np.array([np.zeros(8)] + [[*row[:2], *row[4], *row[5]] for row in rows],
                                          type_of_numbers)
        return file

    def test_the_place_of_created_energy(self):
        text = self.assert_fails("siconos_stick.hdf5, output 61", "--energy", STICK)
        gain = re.findall(r"^  ([+-]\S+) at time", text, re.M)
        self.assertEqual(len(gain), 1)  # elsewhere energies are those of free flight
        self.assertAlmostEqual(float(gain[0]), 7.38e-4, delta=1e-6)

    def test_a_lost_energy_is_no_fault(self):
        file = self.copy_of_stick()
        with h5py.File(file, "r+") as stream:
            velocities = stream["data/velocities"]
            rows = np.flatnonzero(velocities[:, 0] > 0.0605)
            velocities[rows, 2:] *= 0.99
        self.assert_passes("--energy", file)

    def test_another_gravity(self):
        self.assert_passes("--energy", self.throw(9.0), "--gravity", "0,0,-9")
        self.assert_fails("energy exceeds the works", "--energy", self.throw(9.0))

    def throw(self, g):
        """A sphere without an inertia, thrown, and a box that turns about its axes and is pushed."""
        push, inertia = np.array([0.3, 0, 0]), np.array([1.0, 2, 3])

        def motion(t):
            yield 1, (t, 0, 5 * t - g * t * t / 2), (1, 0, 0, 0), (1, 0, 5 - g * t), (0, 7, 0)
            yield 2, (0.3 / 2 * t * t / 2, 0, -g * t * t / 2), (1, 0, 0, 0), (0.3 / 2 * t, 0, -g * t), (0, 0, 2)
        return self.bodies({"ball": ({"mass": 3.0}, ("Sphere", [0.5])),
                            "box": ({"mass": 2.0, "inertia": inertia, "fext": push}, None)},
                           np.linspace(0, 1, 11), motion)

    def test_inertias_of_primitives(self):
        """A spin that stops gives its energy to the motion along x."""
        for shape, axis, inertia in ((("Sphere", [0.5]), 1, 0.4 * 0.25), (("Box", [1.0, 2, 3]), 2, 5 / 12),
                                     (("Cylinder", [0.5, 2]), 1, 0.125), (("Cylinder", [0.5, 2]), 0, 4.75 / 12)):
            with self.subTest(shape=shape, axis=axis):
                for factor, check in ((1 - 1e-6, self.assert_passes), (1 + 1e-6, None)):
                    def motion(t, factor=factor, axis=axis, inertia=inertia):
                        spin = np.zeros(3)
                        spin[axis] = 2 if t < 1 else 0
                        yield 1, (0, 0, 0), (1, 0, 0, 0), (0 if t < 1 else 2 * np.sqrt(inertia) * factor, 0, 0), spin
                    file = self.bodies({"body": ({"mass": 3.0}, shape)}, [0.0, 1.0], motion)
                    if check:
                        check("--energy", file)
                    else:
                        self.assert_fails("bodies.hdf5, output 2", "--energy", file)

    def test_bodies_that_are_born_and_die(self):
        def motion(t):
            yield 1, (0, 0, 0), (1, 0, 0, 0), (1, 0, 0), (0, 0, 0)
            if 0.5 <= t <= 0.7:
                yield 2, (0, 0, 9), (1, 0, 0, 0), (5, 0, 0), (0, 0, 0)
        file = self.bodies({"one": ({"mass": 1.0, "inertia": np.ones(3)}, None),
                            "two": ({"mass": 1.0, "inertia": np.ones(3)}, None)}, np.linspace(0, 1, 11), motion)
        self.assertIn("works born", self.assert_passes("--energy", file))

    def test_refused_files(self):
        with h5py.File(self.folder / "other.hdf5", "w") as stream:
            stream["VTKHDF"] = 1.0
        self.assert_refused("not a file of Siconos' mechanics runner", "--energy", self.folder / "other.hdf5")
        file = self.copy_of_stick()
        with h5py.File(file, "r+") as stream:
            del stream["data/input/stick"].attrs["inertia"]
            stream["data/input/stick/Stick-0"].attrs["translation"] = [0, 0, 0.1]
        self.assert_refused("the body 'stick' has no inertia in the file", "--energy", file)
        self.assert_refused("not three numbers", "--energy", STICK, "--gravity", "0,1")
        (self.folder / "cut.hdf5").write_bytes(STICK.read_bytes()[:3000])
        self.assert_refused("cannot be read as HDF5", "--energy", self.folder / "cut.hdf5")


if __name__ == "__main__":
    unittest.main()
