"""Certificates of all shipped cases: of their first steps, and of longer runs."""

import shutil
import unittest

from runs import SOURCE, CertifiedRun, compute, effective_entries

N_STEPS = 30
# Cases with entries that shorten them, as far as their contacts act.
LONGER = {
    "bouncing_ball.prm": {"Time/Step": "2e-3"}, "impacting_stick.prm": {}, "ball_flight.prm":
    {"Time/End": "0.05"}, "rolling_disc.prm": {"Time/End": "0.5", "Time/Step": "2e-3"},
    "spinning_top.prm": {"Time/End": "0.05"}, "dominoes.prm": {"Time/End": "0.02"},
    "cart.prm": {"Time/End": "0.1"},
    "two_bars.prm": {"Time/End": "2"}, "two_blocks.prm": {"Time/End": "0.05"},
    "bar_impact.prm": {}, "colliding_blocks.prm": {"Time/End": "1e-3"},
    "sliding_block.prm": {"Time/End": "0.1"}, "cattaneo.prm": {"Time/Step": "0.1"},
    "hertz.prm": {"Time/Step": "0.1"}, "ring_impact_q4.prm": {"Time/End": "0.05"},
    "arch.prm": {"Time/End": "0.05"}, "stent.prm": {"Time/End": "200"},
    "sphere_impact.prm": {"Time/End": "2e-3"}, "taylor_bar.prm": {"Time/End": "0.01"},
    "steel_ball.prm": {"Time/End": "2e-3"}, "hopkinson_bar.prm": {"Time/End": "0.02"},
    "bracket_impact.prm": {"Time/End": "0.02"},
    "seal.prm": {"Time/End": "0.1", "Material/Poisson ratio": "0.4999"}}


class ShippedCases(CertifiedRun):
    def expect_certificates(self, cases):
        """Runs cases with other entries, and expects that their certificates pass."""
        for case, settings in cases.items():
            with self.subTest(case=case):
                folder = self.folder / case
                compute(SOURCE / "params" / case, folder, {"Output/Number of instants": "10", **settings})
                self.assert_passes(folder)
                shutil.rmtree(folder)

    def test_first_steps(self):
        cases = {}
        for file in sorted((SOURCE / "params").glob("*.prm")):
            step = float(effective_entries(file)["Time/Step"])
            cases[file.name] = {"Time/End": repr(N_STEPS * step)}
        self.assertGreater(len(cases), 40)
        self.expect_certificates(cases)

    def test_longer_runs(self):
        self.expect_certificates(LONGER)


if __name__ == "__main__":
    unittest.main()
