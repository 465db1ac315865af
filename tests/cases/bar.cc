// The bar that falls upright on the ground, with Saint-Venant's exact solution: a force of rho c v
// = 1e8 N for 2 L / c = 2 ms, and a rebound with the velocity of the arrival.

#include "cases/reference_runs.h"
#include <fstream>
#include <unistd.h>

namespace {

using namespace cases;

constexpr double exact_force = 1e8;
constexpr double arrival = 10;

const Assignments fine_step = {"Time/Step=5e-6"};

/// Mean and standard deviation of the force in the middle of the contact.
struct Plateau {
  double mean = 0, deviation = 0;
};

/// Returns the plateau in the middle 80 % of the contact. The mean is computed from pairs of steps:
/// with a consistent mass the force alternates from step to step, and an additional half pair would
/// matter.
Plateau plateau(const History &impact) {
  const auto closed = [](double force) { return force > 0; };
  const auto &force = impact.force;
  const auto first = std::find_if(force.begin(), force.end(), closed) - force.begin();
  const auto last = force.rend() - std::find_if(force.rbegin(), force.rend(), closed);
  const auto begin = static_cast<std::size_t>(std::ceil(first + 0.1 * (last - first)));
  const auto end = static_cast<std::size_t>(std::floor(first + 0.9 * (last - first)));
  EXPECT_GT(end, begin + 10);
  Plateau result;
  const double n = static_cast<double>(end - begin);
  double step_mean = 0, squares = 0;
  for (std::size_t k = begin; k < end; ++k) {
    result.mean += 0.5 * (force[k] + force[k + 1]) / n;
    step_mean += force[k] / n;
  }
  for (std::size_t k = begin; k < end; ++k)
    squares += std::pow(force[k] - step_mean, 2) / n;
  result.deviation = std::sqrt(squares) / step_mean;
  return result;
}

double rebound_error(const History &impact) {
  return std::abs(impact.mean_velocity[1] - arrival) / arrival;
}

/// Round-off of the balance grows with the stiffness of an element.
void expect_conservation(const History &impact, unsigned int n_elements = 100) {
  const double unit = impact.initial_energy;
  EXPECT_NEAR(unit, 0.5 * 1e4 * arrival * arrival, 1e-9 * unit);
  EXPECT_LE(impact.residual_max, 1e-12 * std::max(1., n_elements / 100.) * unit);
  EXPECT_LE(impact.drift_max, 1e-10 * unit);
  EXPECT_NEAR(impact.final_energy, unit, 1e-10 * unit);
}

/// Required properties of an impact.
struct Expected {
  const char *label;
  const char *name;
  Assignments assignments;
  double rebound_error;
  double deviation; ///< bound of the deviation of the force from step to step
};

class BarImpact : public ::testing::TestWithParam<Expected> {};

TEST_P(BarImpact, HasTheForceAndTheReboundOfSaintVenant) {
  const auto &expected = GetParam();
  const History impact = history(expected.name, expected.assignments);
  expect_conservation(impact);
  EXPECT_NEAR(impact.contact_begin, 0.327e-3, 2e-5);
  EXPECT_NEAR(impact.contact_end - impact.contact_begin, 2e-3, 1e-4);
  const Plateau force = plateau(impact);
  EXPECT_NEAR(force.mean, exact_force, 1e-3 * exact_force);
  EXPECT_LE(force.deviation, expected.deviation);
  EXPECT_LE(rebound_error(impact), expected.rebound_error);
}

INSTANTIATE_TEST_SUITE_P(
    Masses, BarImpact,
    ::testing::Values(Expected{"Consistent", "bar_impact", {}, 0.04, 0.5},
                      Expected{"ConsistentFineStep", "bar_impact", fine_step, 0.015, 1.},
                      Expected{"Redistributed", "bar_impact_redistributed", {}, 0.04, 0.01},
                      Expected{"RedistributedFineStep", "bar_impact_redistributed", fine_step,
                               0.015, 0.001}),
    Label());

TEST(Bar, ItsForceAlternatesWithAConsistentMass) {
  EXPECT_GT(plateau(history("bar_impact", {})).deviation, 0.3);
  EXPECT_GT(plateau(history("bar_impact", fine_step)).deviation, 0.6);
}

/// Frémond's law with e = 1 and the leapfrog forecast is persistent contact.
TEST(Bar, EveryRouteGivesTheSameForces) {
  const Assignments tight = {"Solver/Tolerance=1e-13"};
  const Assignments fremond = {"Time/Scheme=moreau-jean-fremond", "Contact/Forecast=leapfrog",
                               "Contact/ground/Restitution=1"};
  for (const std::string mass : {"consistent", "redistributed"}) {
    const Assignments common = tight + Assignments{"Contact/Node inertia=" + mass};
    const History expected = history("bar_impact", common);
    ASSERT_GT(expected.contact_steps, 50u);
    for (const auto &route :
         {Assignments{"Solver/Method=newton"}, Assignments{"Solver/Method=nsgs"}, fremond}) {
      const History impact = history("bar_impact", common + route);
      const std::string what = mass + ", " + route.front();
      EXPECT_LE(relative_distance(expected.force, impact.force), 1e-8) << what;
      EXPECT_LE(relative_distance(expected.q, impact.q), 1e-9) << what;
      EXPECT_LE(relative_distance(expected.v, impact.v), 1e-9) << what;
    }
  }
}

/// The shipped bar with another number of elements.
class BarRefinement : public ::testing::TestWithParam<std::string> {
protected:
  BarRefinement()
      : mesh(testing::TempDir() + "percussion_bar_" + std::to_string(::getpid()) + "_" +
             GetParam() + ".msh") {}
  ~BarRefinement() override { std::filesystem::remove(mesh); }

  void write_mesh(unsigned int n) const {
    std::ofstream out(mesh);
    out.precision(17);
    out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
        << "$PhysicalNames\n2\n1 1 \"contact\"\n2 2 \"body\"\n$EndPhysicalNames\n"
        << "$Nodes\n"
        << 2 * (n + 1) << '\n';
    for (unsigned int i = 0; i <= n; ++i)
      for (unsigned int side = 0; side < 2; ++side)
        out << 2 * i + side + 1 << ' ' << side << ' ' << 0.00327 + 10. * i / n << " 0\n";
    out << "$EndNodes\n$Elements\n" << n + 1 << "\n1 1 2 1 1 1 2\n";
    for (unsigned int i = 0; i < n; ++i)
      out << i + 2 << " 3 2 2 1 " << 2 * i + 1 << ' ' << 2 * i + 2 << ' ' << 2 * i + 4 << ' '
          << 2 * i + 3 << '\n';
    out << "$EndElements\n";
  }

  History impact(unsigned int n, const std::string &step) const {
    write_mesh(n);
    return history("bar_impact", {"Mesh/File=" + mesh, "Contact/Node inertia=" + GetParam(),
                                  "Time/Step=" + step});
  }

  const std::string mesh;
};

TEST_P(BarRefinement, ConvergesInMeshAndStepTogether) {
  double previous_rebound = 0.2, previous_force = 0.1, previous_deviation = 0.5;
  for (const auto &[n, step] :
       {std::pair(50u, "8e-5"), {100u, "4e-5"}, {200u, "2e-5"}, {400u, "1e-5"}}) {
    const History bar = impact(n, step);
    expect_conservation(bar, n);
    const Plateau force = plateau(bar);
    EXPECT_LE(rebound_error(bar), previous_rebound / 1.4) << n;
    previous_rebound = rebound_error(bar);
    // The mean converges fast, until it is dominated by the fraction cut off at the end of the
    // contact.
    EXPECT_LE(std::abs(force.mean / exact_force - 1), std::max(previous_force / 2, 2e-4)) << n;
    previous_force = std::abs(force.mean / exact_force - 1);
    if (GetParam() == "redistributed") {
      EXPECT_LE(force.deviation, previous_deviation / 2) << n;
      previous_deviation = force.deviation;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Masses, BarRefinement, ::testing::Values("consistent", "redistributed"),
                         [](const auto &mass) { return mass.param; });

class BarReference : public ReferenceRun {};

TEST_P(BarReference, IsReproduced) { follow(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Runs, BarReference,
                         ::testing::Values(ReferenceCase{"Consistent",
                                                         "bar_impact",
                                                         "bar/bar_q1_gap0.00327.msh",
                                                         "bar/bar_q1_dt2e-05.csv",
                                                         {},
                                                         151,
                                                         {}}),
                         Label());

} // namespace
