// Surfaces that turn and belts, against closed forms and against the same motion given otherwise.

#include "cases/rigid_runs.h"
#include "cases/stepped.h"

namespace {

using namespace rigid_runs;

/// Returns the text of a contact of all bodies with a surface.
std::string contact(const std::string &entries) {
  return "subsection Contact\n subsection c\n  set Bodies = all\n" + entries + " end\nend\n";
}

/// Advances to the end; every step closes its balance.
template <int dim>
void run_to(double end, Stepped<dim> &run) {
  double largest = 0;
  while (run.state.time < end - 1e-9) {
    const auto &record = run.advance();
    largest = std::max(largest, run.state.energy());
    ASSERT_LE(std::abs(record.balance_residual), 1e-13 * largest) << run.state.time;
  }
}

/// A box is laid on a belt: it slides with μ g until it has the belt's velocity, and stays on it.
template <int dim>
double box_on_belt(const std::string &box, const std::string &surface, const std::string &gravity,
                   const std::string &belt) {
  auto run = stepped<dim>(
      "subsection Rigid bodies\n subsection box\n" + box + " set Mass = 3\n end\nend\n" +
      "subsection Boundary conditions\n set Gravity = " + gravity + "\nend\n" +
      contact(surface + "  set Friction coefficient = 0.2\n  set " + belt + "\n") + moving);
  run_to(0.7, run);
  const double start = displacement(run, 0)[0];
  EXPECT_NEAR(velocity(run, 0)[0], 1., 1e-12);
  run_to(0.9, run);
  EXPECT_NEAR(displacement(run, 0)[0] - start, 0.2, 1e-12); // no creep
  return start;
}

/// The box lags behind by V²/(2 μ g), to the step in which it begins to stick.
TEST(MovingSurfaces, BeltTakesBoxesAlong) {
  const double lag = 0.25, h = 1e-3;
  const double plane = box_on_belt<2>(
      "  set Shape = rectangle\n  set Width = 0.2\n  set Height = 0.1\n  set Position = 0, 0.05\n",
      "  set Surface = half-plane\n", "0, -10", "Belt velocity x = 1");
  EXPECT_NEAR(plane, 0.7 - lag, h);
  const double space =
      box_on_belt<3>("  set Shape = box\n  set Size = 0.2, 0.2, 0.1\n  set Position = 0, 0, 0.05\n",
                     "  set Surface = half-space\n", "0, 0, -10", "Belt velocity x = 1");
  EXPECT_NEAR(space, plane, 1e-10);
  const double moved = box_on_belt<2>(
      "  set Shape = rectangle\n  set Width = 0.2\n  set Height = 0.1\n  set Position = 0, 0.05\n",
      "  set Surface = half-plane\n", "0, -10", "Motion x = t");
  EXPECT_NEAR(moved, plane, 1e-12);
}

const std::string two_discs = R"(subsection Rigid bodies
  subsection a
    set Shape = disc
    set Radius = 0.1
    set Mass = 1
    set Position = 0, -0.9
  end
  subsection b
    set Shape = disc
    set Radius = 0.2
    set Mass = 2
    set Position = -0.4, -0.68
  end
end
subsection Boundary conditions
  set Gravity = 0, -10
end
subsection Contact
  subsection discs
    set Bodies = a, b
    set Surface = rigid bodies
    set Friction coefficient = 0.3
  end
  subsection drum
    set Bodies = a, b
    set Surface = inside of circle
    set Radius = 1
    set Friction coefficient = 0.5
)";

/// A drum that turns takes along discs that rub against each other, and all balances close.
TEST(MovingSurfaces, DrumTakesDiscsAlong) {
  auto turning = stepped<2>(two_discs + "    set Motion angle = 2*t\n  end\nend\n" + moving);
  auto still = stepped<2>(two_discs + "  end\nend\n" + moving);
  run_to(0.5, turning);
  run_to(0.5, still);
  EXPECT_GT(displacement(turning, 0)[0], displacement(still, 0)[0] + 0.1);
}

/// A disc that rolls in a turning drum without slip, and without gravity at the drum's own speed,
/// stays with it: all moves as one rigid body.
TEST(MovingSurfaces, DiscTurnsWithTheDrum) {
  const double omega = 2., r = 0.9;
  auto run = stepped<2>(R"(subsection Rigid bodies
  subsection a
    set Shape = disc
    set Radius = 0.1
    set Mass = 1
    set Position = 0.9, 0
    set Initial velocity = 0, 1.8
    set Initial angular velocity = 2
  end
end
)" + contact(R"(  set Surface = inside of circle
  set Radius = 1
  set Friction coefficient = 0.5
  set Motion angle = 2*t
)") + moving);
  run_to(1., run);
  const double *const u = displacement(run, 0);
  EXPECT_NEAR(r + u[0], r * std::cos(omega), 1e-5);
  EXPECT_NEAR(u[1], r * std::sin(omega), 1e-5);
  EXPECT_NEAR(u[2], omega, 1e-5);
}

/// Without friction and gravity a disc on a turning plane moves outwards as a bead on a turning
/// rod, s = s₀ exp(ωt) if it begins with the speed ωs₀ that keeps it pressed; of order 2 in the
/// step.
TEST(MovingSurfaces, PaddleThrowsDiscOutwards) {
  const double omega = 1.5, s = 0.5, radius = 0.1, end = 1.;
  const auto error = [&](const std::string &step) {
    auto run = stepped<2>(R"(subsection Rigid bodies
  subsection bead
    set Shape = disc
    set Radius = 0.1
    set Mass = 1
    set Position = 0.5, 0.1
    set Initial velocity = 0.6, 0.75
  end
end
)" + contact("  set Surface = half-plane\n  set Motion angle = 1.5*t\n") +
                              moving,
                          {"Time/Step=" + step});
    run_to(end, run);
    const double along = s * std::exp(omega * end), c = std::cos(omega * end),
                 sine = std::sin(omega * end);
    const double *const u = displacement(run, 0);
    return std::hypot(s + u[0] - (along * c - radius * sine),
                      0.1 + u[1] - (along * sine + radius * c));
  };
  const double coarse = error("4e-3"), fine = error("2e-3");
  EXPECT_LT(fine, 1e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 2., 0.2);
}

/// Returns the shipped block that falls on the ground, with these entries.
Stepped<2> falling_block(const Assignments &assignments) {
  return Stepped<2>(cases_in_space::build<2>(
      ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/hello_drop.prm"), assignments));
}

/// A plane that stands turned is the plane with a turned normal, for nodes of elastic bodies, too.
TEST(MovingSurfaces, TurnedPlaneIsAPlane) {
  auto turned =
      falling_block({"Contact/ground/Point=0, -0.02", "Contact/ground/Turning centre=0, -0.02",
                     "Contact/ground/Motion angle=0.1"});
  auto leaning = falling_block({"Contact/ground/Point=0, -0.02",
                                "Contact/ground/Normal=-0.09983341664682815, 0.9950041652780258"});
  double largest = 0;
  for (unsigned int k = 0; k < 200; ++k) {
    turned.advance();
    leaning.advance();
    largest = std::max(largest, leaning.state.energy());
    ASSERT_NEAR(turned.state.energy(), leaning.state.energy(), 1e-9 * largest) << k;
    ASSERT_NEAR(turned.state.strain, leaning.state.strain, 1e-9 * largest) << k;
  }
  EXPECT_GT(leaning.state.strain, 0.);
}

/// A plane tilts slowly under a block that friction holds: nodes that press stay on the plane, and
/// the balance closes.
TEST(MovingSurfaces, BlockStaysOnATiltingPlane) {
  auto run = falling_block({"Contact/ground/Point=0, 0", "Time/Scheme=fremond-gonzalez",
                            "Time/Step=1e-3", "Contact/ground/Motion angle=0.025*(1 - cos(pi*t))"});
  double largest = 0, drift = 0;
  for (unsigned int k = 0; k < 1000; ++k) {
    const auto &record = run.advance();
    largest = std::max(largest, run.state.energy());
    ASSERT_LE(std::abs(record.balance_residual), 1e-12 * largest) << k;
    for (const auto &account : record.accounts)
      drift = std::max(drift, account.drift);
  }
  EXPECT_LT(drift, 1e-9);
  double lowest = 0;
  for (const auto &contact : run.state.found.contacts)
    lowest = std::min(lowest, contact.gap);
  EXPECT_GT(lowest, -1e-9);
}

} // namespace
