"""Quantities of complete runs that a resumed sweep remembers."""

import os
import sys

from studies import BALL, BUILD, StudyTest

sys.path.insert(0, str(BUILD / "python"))

from percussion_study.collected import Collected  # noqa: E402

SWEEP = (BALL, "--set", "Time/End=0.05", "--set", "Output/Number of instants=1", "--vary",
         "Contact/ground/Restitution=0.2,0.6", "--column", "ball.y:min", "--output", "out")


class Remembered(StudyTest):
    program = "percussion-sweep"

    def setUp(self):
        super().setUp()
        self.complete(*SWEEP)
        self.expected = (self.folder / "out/sweep.csv").read_bytes()

    def destroy(self, table):
        """Fills a table with other content of its size and time."""
        file = self.folder / "out/001" / table
        status = file.stat()
        file.write_bytes(b"x" * status.st_size)
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        return file

    def test_tables_are_not_read_again(self):
        for table in ("energy.csv", "rigid_bodies.csv"):
            self.destroy(table)
        self.complete(*SWEEP, "--resume")
        self.assertEqual((self.folder / "out/sweep.csv").read_bytes(), self.expected)

    def test_tables_that_have_changed_are_read(self):
        os.utime(self.destroy("energy.csv"))
        self.refused("energy.csv", *SWEEP, "--resume")

    def test_tables_are_read_for_further_quantities(self):
        self.destroy("rigid_bodies.csv")
        self.refused("rigid_bodies.csv", *SWEEP, "--resume", "--column", "ball.vy:max")

    def test_a_line_cut_off_by_a_kill_is_read_again(self):
        file = self.folder / "out/collected.jsonl"
        for text in (file.read_text()[:-20], "[]\n{}\nno line", ""):
            file.write_text(text)
            self.complete(*SWEEP, "--resume")
            self.assertEqual((self.folder / "out/sweep.csv").read_bytes(), self.expected)
            collected = Collected(file)
            collected.load()
            for name in ("001", "002"):
                values, _ = collected.find(name, self.folder / "out" / name, ["ball.y:min"])
                self.assertEqual(len(values), 1)
