// A drum that turns with 500 discs.

#include <percussion/base/format.h>

#include "cases/case_text.h"
#include "cases/rigid_runs.h"
#include <random>

namespace turning_drum {

using namespace percussion;
using namespace case_text;
using SteppedRun = cases_in_space::Stepped<2>;

constexpr unsigned int n_discs = 500;
constexpr double drum_radius = 1., disc_radius = 0.03, spin = 3., h = 2e-3;

/// Returns the table of discs at rest near the points of a hexagonal lattice.
std::string lattice() {
  std::string table = "x, y\n";
  std::mt19937 random(6);
  std::uniform_real_distribution<double> shift(-0.02 * disc_radius, 0.02 * disc_radius);
  const double distance = 2.06 * disc_radius, reach = drum_radius - 1.03 * disc_radius;
  unsigned int n = 0;
  for (int row = 0; n < n_discs; ++row)
    for (int column = -20; column < 20 && n < n_discs; ++column) {
      const double x = (column + 0.5 * (row % 2)) * distance + shift(random),
                   y = -reach + row * distance * std::sqrt(0.75) + shift(random);
      if (std::hypot(x, y) > reach)
        continue;
      table += format("%.17g, %.17g\n", x, y);
      ++n;
    }
  return table;
}

SteppedRun drum(double friction) {
  const test::ScratchFolder folder;
  test::put(folder / "discs.csv", lattice());
  return rigid_runs::stepped<2>(
      in("Rigid bodies",
         section("disc", set("Shape", "disc") + set("Radius", disc_radius) + set("Density", 1000.) +
                             set("File", folder / "discs.csv"))) +
      in("Contact", section("discs", set("Bodies", "all") + set("Surface", "rigid bodies") +
                                         set("Against", "all") + set("Friction coefficient", 0.4)) +
                        section("drum", set("Bodies", "all") + set("Surface", "inside of circle") +
                                            set("Radius", drum_radius) +
                                            set("Friction coefficient", friction) +
                                            set("Motion angle", format("%.17g*t", spin)))) +
      gravity("0, -9.81") +
      in("Time", set("Scheme", "moreau-jean-fremond") + set("Theta", 0.5) + set("Step", h) +
                     set("End", 100.)) +
      in("Solver", set("Tolerance", 1e-6)));
}

/// Returns the angular momentum of the centres about the axis over their moment of inertia.
double mean_spin(const SteppedRun &run) {
  double moment = 0, inertia = 0;
  for (unsigned int b = 0; b < n_discs; ++b) {
    const RigidPose<2> placed(run.c.bodies->rigid[b], rigid_runs::displacement(run, b));
    const double *const v = rigid_runs::velocity(run, b);
    moment += placed.centre[0] * v[1] - placed.centre[1] * v[0];
    inertia += placed.centre.square();
  }
  return moment / inertia;
}

/// Every step closes its ledger, no contact does positive work, no disc leaves the drum, and
/// friction carries the heap along.
TEST(TurningDrum, KeepsItsDiscs) {
  SteppedRun run = drum(0.6);
  ASSERT_EQ(run.c.bodies->rigid.size(), n_discs);
  double energy = 0, residual = 0, work = -1e300, outside = -1e300, driven = 0;
  std::size_t n_contacts = 0;
  for (unsigned int k = 0; k < 55; ++k) {
    const auto &record = run.advance();
    energy = std::max(energy, run.state.energy());
    residual = std::max(residual, std::abs(record.balance_residual));
    work = std::max({work, record.normal_work_max, record.tangential_work_max});
    driven += record.works.prescribed;
    n_contacts = std::max(n_contacts, record.contacts.size());
    for (unsigned int b = 0; b < n_discs; ++b) {
      const double *const q = rigid_runs::displacement(run, b);
      const auto &centre = run.c.bodies->rigid[b].centre;
      outside = std::max(outside, std::hypot(centre[0] + q[0], centre[1] + q[1]) + disc_radius -
                                      drum_radius);
    }
  }
  EXPECT_GT(n_contacts, n_discs);
  EXPECT_LT(residual, 1e-13 * energy);
  EXPECT_LE(work, 1e-12 * energy);
  EXPECT_LT(outside, spin * drum_radius * h); // the depth of an impact in a step
  EXPECT_GT(driven, 1e-3 * energy);
  SteppedRun smooth = drum(0.);
  for (unsigned int k = 0; k < 55; ++k)
    smooth.advance();
  EXPECT_GT(mean_spin(run), mean_spin(smooth) + 0.01 * spin);
}

} // namespace turning_drum
