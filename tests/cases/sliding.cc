// Elastic bodies that slide over each other keep their contact: forces and depths do not depend on
// the distance that they have slid.

#include "cases/sliding.h"

#include "support/csv.h"

namespace {

using namespace sliding;

/// Points of contact of a side.
struct Points {
  std::string discretisation;
  bool is_of_table;
  bool is_even; ///< false for nodes of the table, whose number under the block varies
};
Assignments entries_of(const Points &points) {
  Assignments entries = {"Contact/c/Discretisation=" + points.discretisation};
  if (points.is_of_table)
    entries.insert(entries.end(), {"Contact/c/Region=table top", "Contact/c/Against=block bottom"});
  return entries;
}
Assignments joined(Assignments entries, const Assignments &more) {
  entries.insert(entries.end(), more.begin(), more.end());
  return entries;
}

/// Frictionless equilibrium of linear bodies is unique: the force after the slide is the force of
/// pressing the block where it has come to, whatever the side of the multipliers and the step. Gaps
/// at the end of a step are zero to a hundred units of round-off, hence the work of contacts.
TEST_F(Sliding, ForcesDoNotDependOnThePath) {
  write_dragged_block();
  for (const Points &points :
       {Points{"mortar of region", false, true}, Points{"mortar of region", true, true},
        Points{"nodes of both sides", false, true}, Points{"nodes", false, true},
        Points{"nodes", true, false}}) {
    const Assignments choice = entries_of(points);
    const double pressed = press<2>(joined(choice, {"Constants/start=1.3"}));
    for (const std::string step : {"0.2", "0.5"}) {
      const std::string name =
          points.discretisation + (points.is_of_table ? " of the table " : " ") + step;
      const Forces forces = drag(joined(choice, {"Time/Step=" + step}));
      EXPECT_GT(forces.smallest, (points.is_even ? 0.95 : 0.85) * forces.largest) << name;
      EXPECT_LT(forces.work_ratio, points.is_even ? 1e-9 : 1e-8) << name;
      // Nodes of both sides have redundant constraints at facets, which the path may choose.
      const bool is_unique = points.discretisation != "nodes of both sides";
      EXPECT_NEAR(forces.last, pressed, (is_unique ? 1e-6 : 1e-2) * pressed) << name;
    }
  }
}

/// Forces of an independent implementation, with nodes of both sides, before and after the slide.
TEST_F(Sliding, ForcesAreThoseOfAnotherImplementation) {
  write_dragged_block();
  const std::string points = "Contact/c/Discretisation=nodes of both sides";
  EXPECT_NEAR(press<2>({points}), 143.5, 0.05);
  EXPECT_NEAR(drag({points, "Time/Step=0.1"}).last, 143.8, 0.05);
}

TEST_F(Sliding, ForcesStayOverTenElements) {
  write_dragged_block(6);
  for (const std::string friction : {"0", "0.3"})
    for (const std::string step : {"0.2", "0.5", "1"}) {
      const Forces forces =
          drag({"Contact/c/Friction coefficient=" + friction, "Time/Step=" + step, "Time/End=27"},
               friction == "0" ? 1. : 2.);
      EXPECT_GT(forces.smallest, 0.95 * forces.largest) << friction << ' ' << step;
      EXPECT_NEAR(forces.friction_ratio, std::stod(friction), 1e-6) << step;
    }
}

/// The same with other materials, friction, and other points of contact.
TEST_F(Sliding, ForcesStayWithFrictionAndOtherMaterials) {
  write_dragged_block();
  const std::string rough = "Contact/c/Friction coefficient=0.3";
  EXPECT_GT(drag({rough}).smallest, 0.95 * drag({rough}).largest);
  // Corners stick until they are dragged, and nodes at facets vary by 4 % without friction, too.
  const Forces node_forces = drag({"Contact/c/Discretisation=nodes of both sides", rough}, 1.2);
  EXPECT_GT(node_forces.smallest, 0.955 * node_forces.largest);
  EXPECT_NEAR(node_forces.friction_ratio, 0.3, 1e-3);
  const std::string rubber = "Material/Law=neo-hooke";
  const double pressed = press<2>({rubber, "Constants/start=1.3"});
  const Forces forces = drag({rubber});
  EXPECT_GT(forces.smallest, 0.95 * forces.largest);
  EXPECT_NEAR(forces.last, pressed, 1e-6 * pressed);
}

TEST_F(Sliding, ForcesDoNotDependOnThePathIn3D) {
  write_dragged_box();
  const double pressed = press<3>({"Constants/start=1", "Time/Step=0.05"});
  const Forces forces = drag<3>({"Time/Step=0.5"});
  EXPECT_GT(forces.smallest, 0.95 * forces.largest);
  EXPECT_LT(forces.work_ratio, 1e-9);
  EXPECT_NEAR(forces.last, pressed, 1e-6 * pressed);
  // A fifth of the time slides over 0.6 elements, the whole of it over three.
  for (const std::string step : {"0.2", "0.5", "1"})
    EXPECT_NEAR(press<3>({"Constants/start=1", "Time/Step=" + step}), pressed, 1e-6 * pressed)
        << step;
}

TEST_F(Sliding, AHalfRingKeepsItsForceOnASoftBlock) {
  write_half_ring();
  for (const std::string points : {"mortar", "nodes of both sides"}) {
    const Forces forces = drag({"Contact/c/Discretisation=" + points});
    EXPECT_GT(forces.smallest, 0.98 * forces.largest) << points;
    EXPECT_GT(forces.last, 9.);
  }
}

/// The whole face slips.
TEST_F(Sliding, AHalfRingIronsASoftBlockWithFriction) {
  write_half_ring();
  const Forces forces = drag({"Contact/c/Friction coefficient=0.2"}, 1.2);
  EXPECT_GT(forces.smallest, 0.98 * forces.largest);
  EXPECT_NEAR(forces.friction_ratio, 0.2, 1e-6);
}

/// Returns the mean of a column between two times, without rows of no force.
double mean_between(const std::map<std::string, std::vector<double>> &table,
                    const std::string &column, double begin, double end) {
  double sum = 0, n = 0;
  for (std::size_t k = 0; k < table.at("time").size(); ++k)
    if (table.at("time")[k] >= begin && table.at("time")[k] < end &&
        !std::isnan(table.at(column)[k])) {
      sum += table.at(column)[k];
      ++n;
    }
  return sum / n;
}

/// A block that slides over sixteen edges of the table stays at the depth of its weight, and its
/// contact carries its weight.
TEST_F(Sliding, ABlockUnderItsWeightStaysAtItsDepth) {
  write_sliding_block();
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog"}) {
    const Outcome outcome = run_with({"Time/Scheme=" + scheme});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const auto probes = percussion::test::read_csv((folder / "output/case/probes.csv").string());
    for (const double begin : {0.5, 1., 1.5})
      EXPECT_NEAR(mean_between(probes, "depth.displacement_y", begin, begin + 0.5), -0.0036, 3e-4)
          << scheme << ' ' << begin;
    EXPECT_NEAR(mean_between(probes, "force.force_normal", 1., 2.), 4905., 50.) << scheme;
  }
}

/// The same over a hundred edges, also with contacts on the table, which the block comes to cover.
/// The vibration of the impact at the start decays.
TEST_F(Sliding, ABlockStaysAtItsDepthOverAHundredEdges) {
  write_sliding_block(15);
  const Assignments on_the_table = {"Contact/c/Region=table top", "Contact/c/Against=block bottom"};
  for (const auto &[points, sides] : {std::pair{"mortar", Assignments()},
                                      {"nodes of both sides", Assignments()},
                                      {"nodes", on_the_table},
                                      {"mortar of region", on_the_table}}) {
    Assignments assignments = {std::string("Contact/c/Discretisation=") + points, "Time/End=12.5",
                               "Time/Step=2e-3"};
    assignments.insert(assignments.end(), sides.begin(), sides.end());
    const Outcome outcome = run_with(assignments);
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const auto probes = percussion::test::read_csv((folder / "output/case/probes.csv").string());
    for (double begin = 2.5; begin < 12.; begin += 2.5) {
      EXPECT_NEAR(mean_between(probes, "depth.displacement_y", begin, begin + 2.5), -0.0037, 2e-4)
          << points << ' ' << begin;
      EXPECT_NEAR(mean_between(probes, "force.force_normal", begin, begin + 2.5), 4905.,
                  begin > 5. ? 10. : 30.)
          << points << ' ' << begin;
    }
  }
}

/// Twenty times its weight presses the block in by a seventh of its height.
TEST_F(Sliding, AHeavyBlockStaysOnItsTable) {
  write_sliding_block();
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog"}) {
    const Outcome outcome =
        run_with({"Time/Scheme=" + scheme, "Boundary conditions/Gravity=0, -200"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const auto probes = percussion::test::read_csv((folder / "output/case/probes.csv").string());
    for (const double begin : {0., 0.5, 1., 1.5})
      EXPECT_NEAR(mean_between(probes, "depth.displacement_y", begin, begin + 0.5), -0.07, 0.005)
          << scheme << ' ' << begin;
    EXPECT_NEAR(mean_between(probes, "force.force_normal", 0.5, 2.), 1e5, 1e3) << scheme;
  }
}

/// No contact of a body that slides gains energy by its normal percussion; persistent contacts do
/// not lose any either.
TEST_F(Sliding, NormalPercussionsDoNoPositiveWork) {
  write_sliding_block();
  for (const std::string law : {"fremond", "persistent-dissipative"})
    for (const std::string friction : {"0", "0.3"}) {
      Slide<2> slide(folder,
                     {"Contact/c/Impact law=" + law, "Contact/c/Friction coefficient=" + friction});
      while (slide.time() < 0.5)
        slide.advance();
      EXPECT_LT(slide.largest_work, 1e-15 * slide.largest_energy) << law << ", " << friction;
      EXPECT_LT(slide.deepest, 0.02) << law << ", " << friction;
    }
}

} // namespace
