// Rigid bodies stopped by friction, with the default laws of the schemes: sticking bodies are at
// rest.

#include "cases/support.h"
#include "support/csv.h"
#include <cmath>

namespace {

using cases::CaseFolder;
using cases::has;
using cases::Outcome;

constexpr double two_thirds =
    2. / 3; // fraction of its speed that a disc keeps when friction makes it roll

/// Fixture with a sled or a disc of 1 kg on the plane y = 0.
class ComingToRest : public CaseFolder, public testing::WithParamInterface<const char *> {
protected:
  /// Writes the case: `body` has the entries of its shape, state and loads.
  void write_case(const std::string &body, double friction, double step, double end) const {
    std::ostringstream text;
    text.precision(17);
    text << "subsection Rigid bodies\n  subsection body\n    set Mass = 1\n"
         << body << "  end\nend\n"
         << "subsection Contact\n  subsection ground\n    set Bodies = body\n"
         << "    set Surface = half-plane\n    set Friction coefficient = " << friction
         << "\n  end\nend\n"
         << "subsection Time\n  set Scheme = " << GetParam() << "\n  set End = " << end
         << "\n  set Step = " << step << "\nend\n"
         << "subsection Output\n  set Number of instants = 1\nend\n";
    write("case.prm", text.str());
  }

  /// Runs the case and reads the motion of the body; no contact may do positive work.
  std::map<std::string, std::vector<double>>
  motion(const std::vector<std::string> &assignments = {}) const {
    const Outcome outcome = run_with(assignments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_FALSE(has(outcome.out, "alternating stick")) << outcome.out;
    const auto energy = percussion::test::read_csv((folder / "output/case/energy.csv").string());
    for (const double work : energy.at("tangential_work_max"))
      EXPECT_LE(work, 1e-13);
    return percussion::test::read_csv((folder / "output/case/rigid_bodies.csv").string());
  }

  static constexpr const char *sled =
      "    set Shape = polygon\n"
      "    set Vertices = -0.5, -0.1; 0.5, -0.1; 0.5, 0.1; -0.5, 0.1\n";
  static constexpr const char *disc = "    set Shape = disc\n    set Radius = 0.1\n";
};

TEST_P(ComingToRest, ABallThrownObliquelyRolls) {
  write_case(std::string(disc) + "    set Position = 0, 0.11\n    set Initial velocity = 1, -1\n",
             2., 1e-3, 0.05);
  EXPECT_NEAR(motion().at("body.vx").back(), two_thirds, 1e-12);
}

/// The block slides v²/(2 μ g) and stops after v/(μ g). The criterion `at rest` detects the stop
/// when the rest has lasted for a tenth of the time.
TEST_P(ComingToRest, ASlidingBlockStops) {
  write_case(std::string(sled) + "    set Position = 0, 0.1\n    set Initial velocity = 1, 0\n"
                                 "    set Force y = -9.81\n",
             0.5, 1e-3, 1.);
  const auto moved = motion({"Time/Stop when=at rest"});
  EXPECT_NEAR(moved.at("time").back(), 1. / (0.5 * 9.81) / 0.9, 0.003);
  EXPECT_NEAR(moved.at("body.x").back(), 1. / (2 * 0.5 * 9.81), 1e-3);
  EXPECT_LE(std::abs(moved.at("body.vx").back()), 1e-12);
}

/// The force stops the sled within a fifth of a step.
TEST_P(ComingToRest, APressedSledStopsAtOnce) {
  write_case(std::string(sled) + "    set Position = 0, 0.1\n    set Initial velocity = 1, 0\n"
                                 "    set Force y = -1e4\n",
             0.5, 1e-3, 0.05);
  const auto moved = motion();
  EXPECT_LE(std::abs(moved.at("body.vx").back()), 1e-12);
  EXPECT_LE(moved.at("body.x").back(), 1e-3);
}

TEST_P(ComingToRest, ALandingSledDoesNotSlideBack) {
  write_case(std::string(sled) + "    set Position = 0, 0.1005\n"
                                 "    set Initial velocity = 1, -1\n    set Force y = -9.81\n",
             2., 1e-3, 0.05);
  for (const double v : motion().at("body.vx"))
    EXPECT_GE(v, -1e-12);
}

/// A disc pressed for 50 ms leaves with two thirds of its speed, for any step.
TEST_P(ComingToRest, APressedRollerRolls) {
  for (const double step : {1e-3, 1.02e-3, 1.04e-3, 0.5e-3, 0.1e-3}) {
    write_case(std::string(disc) + "    set Position = 0, 0.1\n    set Initial velocity = 1, 0\n"
                                   "    set Force y = if(t < 0.05, -1000, 0)\n",
               0.5, step, 0.06);
    const auto moved = motion();
    EXPECT_NEAR(moved.at("body.vx").back(), two_thirds, 1e-9) << "step " << step;
    EXPECT_NEAR(moved.at("body.omega").back(), -two_thirds / 0.1, 1e-8) << "step " << step;
    std::filesystem::remove_all(folder / "output");
  }
}

/// The laws of the papers reverse the last velocity of the sled in each step, and the run warns of
/// it.
TEST_P(ComingToRest, TheLawOfThePaperIsWarnedOf) {
  write_case(std::string(sled) + "    set Position = 0, 0.1\n    set Initial velocity = 1, 0\n"
                                 "    set Force y = -9.81\n",
             0.5, 1e-3, 0.4);
  const Outcome outcome = run_with({"Contact/ground/Impact law=as in the paper"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(has(outcome.out, "alternating stick: contact 'ground'")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "dissipative brings it to rest")) << outcome.out;
}

INSTANTIATE_TEST_SUITE_P(Schemes, ComingToRest,
                         testing::Values("moreau-jean-fremond", "pdas-leapfrog",
                                         "fremond-gonzalez"),
                         [](const auto &info) {
                           std::string name = info.param;
                           for (char &c : name)
                             c = c == '-' ? '_' : c;
                           return name;
                         });

} // namespace
