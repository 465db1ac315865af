"""Instants at which contacts open and close."""

import unittest
import xml.etree.ElementTree

import numpy as np

import percussion
from support import FolderTest, shipped


def instants(folder):
    root = xml.etree.ElementTree.parse(folder / "solution.pvd").getroot()
    return [float(entry.attrib["timestep"]) for entry in root.iter("DataSet")]


class Events(FolderTest):
    PARAMETERS = {"Output/Number of instants": 0, "Output/Instants at events": True,
                  "Contact/ground/Restitution": 0.5, "Time/End": 1.5}

    def expected(self, folder):
        """Returns the start, the steps in which percussions begin, the first steps without
        them, and the end."""
        table = percussion.read_table(folder / "energy.csv")
        touches = np.append(0, np.diff(table["percussion_normal"])) > 0
        changes = np.flatnonzero(np.diff(touches)) + 1
        self.assertGreater(len(changes), 6)
        return [table["time"][0], *table["time"][changes]]

    def test_each_bounce(self):
        case = percussion.Case(shipped("bouncing_ball.prm"), self.PARAMETERS, self.folder / "a")
        case.solve()
        self.assertEqual(instants(self.folder / "a"), self.expected(self.folder / "a"))
        without = {**self.PARAMETERS, "Output/Instants at events": False}
        percussion.Case(shipped("bouncing_ball.prm"), without, self.folder / "b").solve()
        self.assertEqual(len(instants(self.folder / "b")), 1)

    def test_a_resumed_run_knows_what_touched(self):
        for name in ("whole", "resumed"):
            case = percussion.Case(shipped("bouncing_ball.prm"), self.PARAMETERS,
                                   self.folder / name)
            if name == "whole":
                case.solve()
                continue
            with case.run() as run:
                touches = False
                while not touches:  # stop during contact
                    touches = run.step().contacts_active > 0
            case.solve(resume=True)
        self.assert_same_results(self.folder / "resumed", self.folder / "whole", {"parameters.prm"})


if __name__ == "__main__":
    unittest.main()
