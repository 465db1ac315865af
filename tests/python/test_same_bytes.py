"""Steps driven by Python write the same bytes as the application."""

import json
import re
import unittest

import percussion
from support import FolderTest, application, shipped

# parameters.prm contains the name of the folder.
FOLDER = {"parameters.prm"}


class SameBytes(FolderTest):
    def compare(self, name, parameters):
        reference, output = self.folder / "application", self.folder / "python"
        status, said = application(shipped(name), parameters, reference)
        self.assertEqual(status, 0, said)
        case = percussion.Case(shipped(name), parameters, output=output)
        run = case.run()
        while not run.finished:
            run.step()
        summary = run.finish()
        self.assert_same_results(output, reference, besides=FOLDER)
        self.assertGreater(len(list(output.glob("solution-*.vtu"))), 3)
        for file in ("parameters.prm", "log.txt"):
            self.assertTrue((output / file).exists())
        same, of_application = (  # comments are aligned to the longest value
            re.sub(" +", " ", (folder / "parameters.prm").read_text())
            for folder in (output, reference)
        )
        self.assertEqual(same.replace(str(output), str(reference)), of_application)
        found, expected = (
            json.loads((folder / "summary.json").read_text()) for folder in (output, reference)
        )
        for numbers in (found, expected):
            del numbers["wall_seconds"]
        self.assertEqual(found, expected)
        self.assertEqual(summary.status, "completed")
        self.assertEqual(summary.steps, case.n_steps)

    def test_linear_body(self):
        self.compare("sliding_block.prm", {"Time/End": "0.02", "Output/Number of instants": "5"})

    def test_hyperelastic_body(self):
        self.compare(
            "ring_impact.prm",
            {"Mesh/File": "../meshes/ring_coarse.msh", "Time/End": "0.2",
             "Output/Number of instants": "6"},
        )

    def test_rigid_bodies(self):
        self.compare("pillar.prm", {"Time/End": "0.2", "Output/Number of instants": "5"})

    def test_the_whole_run_at_once(self):
        parameters = {
            "Time/End": "0.1",
            "Output/Steps between checkpoints": "50",
            "Output/Number of instants": "4",
        }
        reference, output = self.folder / "application", self.folder / "python"
        file = shipped("hello_drop.prm")
        self.assertEqual(application(file, parameters, reference)[0], 0)
        percussion.Case(file, parameters, output=output).solve()
        self.assert_same_results(output, reference, besides=FOLDER)


class Resumed(FolderTest):
    parameters = {"Time/End": "0.1", "Output/Number of instants": "8"}

    def setUp(self):
        super().setUp()
        self.file = shipped("rocking_block.prm")
        self.reference, self.output = self.folder / "reference", self.folder / "output"
        self.assertEqual(application(self.file, self.parameters, self.reference)[0], 0)
        self.case = percussion.Case(self.file, self.parameters, output=self.output)

    def stop_after(self, steps):
        run = self.case.run()
        run.step(steps)
        summary = run.stop()
        self.assertEqual((summary.status, summary.steps), ("stopped", steps))
        self.assertIn("stopped by the caller after step", summary.message)
        with self.assertRaisesRegex(percussion.RunError, "stopped"):
            run.step()

    def test_by_python(self):
        self.stop_after(37)
        run = self.case.run(resume=True)
        self.assertEqual(run.state.step, 37)
        self.assertEqual(len(run.ledger), 0)
        run.step()
        self.assertEqual(run.ledger["step"].tolist(), [38])
        for _ in run:
            pass
        run.finish()
        self.assert_same_results(self.output, self.reference, besides=FOLDER)

    def test_by_the_application(self):
        self.stop_after(37)
        status, said = application(self.file, self.parameters, self.output, "--resume")
        self.assertEqual(status, 0, said)
        self.assertIn("Resumed   after step 37", said)
        self.assert_same_results(self.output, self.reference, besides=FOLDER)

    def test_what_the_application_began(self):
        self.case.solve()
        with self.assertRaisesRegex(percussion.RunError, "nothing to resume"):
            self.case.solve(resume=True)
        other = percussion.Case(
            self.file, {**self.parameters, "Time/Step": "1e-3"}, output=self.output
        )
        with self.assertRaisesRegex(percussion.InputError, "'Time/Step' is '1e-3'"):
            other.run(resume=True)

    def test_end_of_a_with_block(self):
        with self.case.run() as run:
            run.step(5)
        self.assertIn("stopped by the end of its with block", run.summary.message)
        with self.assertRaises(ZeroDivisionError):
            with self.case.run(resume=True) as run:
                self.assertEqual(run.state.step, 5)
                run.step(5)
                run.state.step / 0
        self.assertIn("ZeroDivisionError", run.summary.message)
        with self.case.run(resume=True) as run:
            for _ in run:
                pass
        self.assertEqual(run.summary.status, "completed")
        self.assert_same_results(self.output, self.reference, besides=FOLDER)

    def test_dropped_runs_go_on_from_their_last_checkpoint(self):
        parameters = {**self.parameters, "Output/Steps between checkpoints": 10}
        case = percussion.Case(self.file, parameters, output=self.output)
        run = case.run()
        run.step(25)
        with self.assertRaisesRegex(percussion.InputError, "another run is writing"):
            case.run(resume=True)
        del run
        run = case.run(resume=True)
        self.assertEqual(run.state.step, 20)
        run.step(case.n_steps)
        run.finish()
        self.assert_same_results(self.output, self.reference, besides=FOLDER)


if __name__ == "__main__":
    unittest.main()
