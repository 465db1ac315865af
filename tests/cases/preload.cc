// Static preloads as contact problems, and runs that start from them or from the end of other runs.

#include <percussion/base/format.h>
#include <percussion/run/run.h>

#include "cases/checked_case.h"
#include "cases/stepped.h"
#include <cmath>

namespace preload_cases {

using namespace cases;
using percussion::Case;
using percussion::ParameterFile;

/// Fixture with a block of 1 × 0.5 on an elastic table of 3 × 0.5, which is held below.
class PreloadOnTable : public CheckedCase {
protected:
  PreloadOnTable() {
    write_rectangle("block", 0., 0., 1., 0.5, 8, 4);
    write_rectangle("table", -1., -0.5, 2., 0., 24, 4);
    write("case.prm", R"(
subsection Mesh
  set File = block.geo, table.geo
end
subsection Material
  set Density = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Boundary conditions
  set Gravity = 0, -9.81
  subsection table bottom
    set Displacement x = 0
    set Displacement y = 0
  end
end
subsection Initial state
  set Static preload = true
  set Preload gravity = true
end
subsection Contact
  subsection c
    set Region = block bottom
    set Friction coefficient = 0.5
    set Surface = region
    set Against = table top
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set End = 0.1
  set Step = 1e-3
end
subsection Output
  set Number of instants = 1
end
)");
  }

  void write_rectangle(const std::string &name, double x0, double y0, double x1, double y1, int nx,
                       int ny) const {
    const auto point = [](double x, double y) {
      return "{" + std::to_string(x) + ", " + std::to_string(y) + ", 0};\n";
    };
    write(name + ".geo",
          "Point(1) = " + point(x0, y0) + "Point(2) = " + point(x1, y0) +
              "Point(3) = " + point(x1, y1) + "Point(4) = " + point(x0, y1) +
              "Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};\n"
              "Transfinite Curve {1, 3} = " +
              std::to_string(nx + 1) + ";\nTransfinite Curve {2, 4} = " + std::to_string(ny + 1) +
              ";\nCurve Loop(1) = {1 : 4}; Plane Surface(1) = {1};\nTransfinite Surface {1}; "
              "Recombine Surface {1};\nPhysical Surface(\"" +
              name + "\") = {1};\nPhysical Curve(\"" + name + " bottom\") = {1};\n" +
              "Physical Curve(\"" + name + " right\") = {2};\nPhysical Curve(\"" + name +
              " top\") = {3};\nPhysical Curve(\"" + name + " left\") = {4};\n");
  }

  Case<2> build(const std::vector<std::string> &assignments) const {
    return cases_in_space::build<2>(ParameterFile::read(folder / "case.prm"), assignments);
  }

  /// Expects constant contact forces and no motion over some steps.
  void expect_rest(const std::vector<std::string> &assignments, double tolerance = 1e-9) const {
    cases_in_space::Stepped<2> run(build(assignments));
    const percussion::Vector start = run.state.q;
    double first = 0;
    for (unsigned int k = 0; k < 50; ++k) {
      double normal = 0;
      for (const auto &contact : run.advance().contacts)
        normal += contact.percussion[0] / run.c.choices.h;
      first = k == 0 ? normal : first;
      ASSERT_NEAR(normal, weight, 1e-3 * weight) << k; // normals of the bent table
      ASSERT_NEAR(normal, first, tolerance * weight) << k;
    }
    percussion::Vector change = run.state.q;
    change -= start;
    EXPECT_LT(change.linfty_norm(), tolerance * start.linfty_norm());
    EXPECT_LT(run.state.kinetic, tolerance * tolerance * run.state.strain);
  }

  static constexpr double weight = 1000 * 9.81 * 0.5;
  /// Laws for gaps multiply the round-off of the equilibrium, and of the gaps that their rows
  /// follow, by the mass over h², and their forces alternate.
  static constexpr double gap_law_tolerance = 1e-6;
};

TEST_F(PreloadOnTable, CarriesTheWeightInEachStep) {
  for (const std::string treatment : {"contact", "fixed"})
    expect_rest({"Initial state/Preload contact nodes=" + treatment});
}

TEST_F(PreloadOnTable, DoesSoWithAllDiscretisationsAndBothOrders) {
  for (const std::string discretisation : {"mortar", "nodes", "nodes of both sides"})
    expect_rest({"Contact/c/Discretisation=" + discretisation});
  expect_rest({"Contact/c/Region=table top", "Contact/c/Against=block bottom"});
}

TEST_F(PreloadOnTable, DoesSoWithAllKindsOfSchemes) {
  for (const std::string scheme : {"moreau-jean", "pdas-leapfrog", "signorini-midpoint",
                                   "newmark-signorini", "generalized-alpha", "paoli-schatzman"})
    expect_rest({"Time/Scheme=" + scheme}, gap_law_tolerance);
}

/// Springs begin with their forces, in normal and in tangential direction.
TEST_F(PreloadOnTable, CompressesSprings) {
  for (const std::string scheme : {"penalty", "hauret"})
    expect_rest({"Time/Scheme=" + scheme}, gap_law_tolerance);
}

/// A preload compresses soft springs on the ground, and bodies that it has not pressed together
/// begin inside of each other.
TEST_F(PreloadOnTable, CompressedSpringsAreNoOverlap) {
  const auto warns = [&](const std::vector<std::string> &more) {
    std::vector<std::string> assignments = {"Contact/c/Surface=half-plane", "Contact/c/Against=all",
                                            "Time/Scheme=penalty",
                                            "Contact/c/Penalty stiffness=1e5"};
    assignments.insert(assignments.end(), more.begin(), more.end());
    const auto found = build(assignments).warnings;
    return std::any_of(found.begin(), found.end(), [](const std::string &text) {
      return text.find("begins inside of the surface") != std::string::npos;
    });
  };
  EXPECT_FALSE(warns({}));
  EXPECT_TRUE(warns({"Initial state/Static preload=false", "Initial state/Preload gravity=false",
                     "Contact/c/Point=0, 0.01"}));
}

/// Without friction the faces, whose nodes do not coincide, slide on each other until the
/// equilibrium is reached.
TEST_F(PreloadOnTable, CompressesSpringsWithoutFriction) {
  write_rectangle("table", -1., -0.5, 2., 0., 16, 4);
  for (const std::string scheme : {"penalty", "hauret", "nitsche-symmetric"}) {
    SCOPED_TRACE(scheme);
    expect_rest({"Time/Scheme=" + scheme, "Contact/c/Friction coefficient=0",
                 "Boundary conditions/block left/Displacement x=0"},
                gap_law_tolerance);
  }
}

TEST_F(PreloadOnTable, HoldsHyperelasticBodies) {
  expect_rest(
      {"Material/Law=neo-hooke", "Time/Scheme=pdas-leapfrog", "Solver/Newton tolerance=1e-12"},
      1e-8);
}

/// A block that its loads drive away has no equilibrium, and the message says so.
TEST_F(PreloadOnTable, IsRefusedWithoutAnEquilibrium) {
  expect_refusal(
      check_with({"Boundary conditions/block left/Traction x=1e4",
                  "Initial state/Preload tractions=true"}),
      {"'Initial state/Static preload' is 'true': there is no equilibrium beyond", "do not hold"});
}

/// A run that starts from the end of another at rest remains at rest, whatever the schemes.
TEST_F(PreloadOnTable, RemainsAtRestAfterAnotherRun) {
  for (const std::string scheme : {"moreau-jean-fremond", "newmark-signorini"}) {
    const Outcome first = run_with({"Time/Scheme=" + scheme, "Time/End=0.01",
                                    "Output/Directory=" + (folder / scheme).string()});
    ASSERT_EQ(first.status, 0) << first.error;
    for (const std::string next :
         {"generalized-alpha", "newmark-signorini", "paoli-schatzman", "fremond-gonzalez"})
      expect_rest({"Time/Scheme=" + next, "Time/Start=0.01",
                   "Initial state/From=" + (folder / scheme).string(),
                   "Initial state/Static preload=false", "Initial state/Preload gravity=false"},
                  gap_law_tolerance);
  }
}

/// So do springs, which keep their tangential forces.
TEST_F(PreloadOnTable, RemainsAtRestOnSpringsAfterAnotherRun) {
  const std::vector<std::string> pulled = {"Time/Scheme=penalty",
                                           "Boundary conditions/block left/Traction x=500"};
  const auto with = [&](std::vector<std::string> further) {
    further.insert(further.end(), pulled.begin(), pulled.end());
    return further;
  };
  const std::string directory = (folder / "first").string();
  const Outcome first = run_with(with(
      {"Initial state/Preload tractions=true", "Time/End=0.01", "Output/Directory=" + directory}));
  ASSERT_EQ(first.status, 0) << first.error;
  cases_in_space::Stepped<2> run(
      build(with({"Initial state/Static preload=false", "Initial state/Preload gravity=false",
                  "Initial state/From=" + directory, "Time/Start=0.01", "Time/Step=2e-3"})));
  const percussion::Vector start = run.state.q;
  for (unsigned int k = 0; k < 50; ++k)
    run.advance();
  percussion::Vector change = run.state.q;
  change -= start;
  EXPECT_LT(change.linfty_norm(), 1e-8 * start.linfty_norm());
}

/// Velocities of paoli-schatzman are half a step old at the end of a run; the next run corrects
/// them, so that both runs together are of second order, here without contacts that press: the
/// scheme's restitution of gaps is of first order.
TEST_F(PreloadOnTable, HandsVelocitiesOverWithOrderTwo) {
  const std::vector<std::string> fall = {
      "Contact/c/Friction coefficient=0", "Initial state/Static preload=false",
      "Initial state/Preload gravity=false", "Boundary conditions/block left/Displacement x=0",
      "Boundary conditions/block left/Displacement y=0.005*(1 - cos(50*t))"};
  const auto error = [&](double h, const std::string &scheme) {
    const std::string number = percussion::format("%.10g", h),
                      directory = (folder / (scheme + number)).string();
    std::vector<std::string> first = fall, second = fall;
    const std::string step = "Time/Step=" + number;
    for (auto *const run : {&first, &second}) {
      run->push_back(step);
      run->push_back("Boundary conditions/Gravity=0, 9.81"); // away from the table
    }
    first.insert(first.end(),
                 {"Time/Scheme=" + scheme, "Time/End=0.016", "Output/Directory=" + directory});
    const Outcome outcome = run_with(first);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    second.insert(second.end(), {"Time/Scheme=moreau-jean", "Time/Start=0.016", "Time/End=0.032",
                                 "Initial state/From=" + directory});
    cases_in_space::Stepped<2> run(build(second));
    for (unsigned int k = 0; k < run.c.span.n_steps; ++k)
      for (const auto &contact : run.advance().contacts)
        EXPECT_EQ(contact.percussion[0], 0.);
    return run.state.q;
  };
  const percussion::Vector exact = error(0.00003125, "moreau-jean");
  std::vector<double> errors;
  for (const double h : {0.001, 0.0005, 0.00025}) {
    percussion::Vector difference = error(h, "paoli-schatzman");
    difference -= exact;
    errors.push_back(difference.l2_norm());
  }
  for (std::size_t i = 1; i < errors.size(); ++i)
    EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 2., 0.2) << errors[i];
}

} // namespace preload_cases
