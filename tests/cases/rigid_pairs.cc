// Rigid bodies that overlap are separated on the side on which they entered each other, and
// friction acts at the surface of each.

#include <percussion/base/format.h>
#include <percussion/output/checkpoint.h>

#include "cases/rigid_runs.h"

namespace rigid_runs {

/// Card of 1 mm that meets a fixed table of 1 mm with 2 m/s, on a line through the origin at an
/// angle; 2 cm behind the table is a fixed plane.
std::string thin_card(double angle, double step, const std::string &shape, bool card_first,
                      const std::string &scheme = "moreau-jean") {
  const double c = std::cos(angle), s = std::sin(angle);
  const auto point = [&](double y) { return format("%.17g, %.17g", -s * y, c * y); };
  const std::string turned = format("set Angle = %.17g\n", angle);
  const std::string table = "subsection t\n set Height = 0.001\n set Density = 1\n" + turned +
                            "set Position = " + point(-0.0005) +
                            "\n set Velocity x = 0\n set Velocity y = 0\n"
                            " set Angular velocity = 0\nend\n";
  const std::string card = "subsection a\n" + shape + turned +
                           "set Mass = 0.1\nset Position = " + point(0.0032) +
                           "\nset Initial velocity = " + point(-2) + "\nend\n";
  return "subsection Rigid bodies\n" + (card_first ? card + table : table + card) +
         "end\nsubsection Contact\n subsection g\n set Bodies = a\n set Point = " + point(-0.02) +
         "\n set Normal = " + point(1) +
         "\n end\n subsection c\n set Bodies = a\n set Surface = rigid bodies\n set Against = t\n"
         " end\nend\nsubsection Time\n set End = 0.06\n set Scheme = " +
         scheme + format("\n set Step = %g\nend\n", step);
}

const std::string flat_card = "set Width = 0.1\n set Height = 0.001\n",
                  small_disc = "set Shape = disc\n set Radius = 0.0005\n";

/// The table stops the card at the side from which it came, at whatever depth the step ends, even
/// if it has gone through the table: the depth is at most the distance of a step and a half, from
/// which the impact is found and in which it acts.
TEST(ThinPlates, StopEachOtherOnTheSideOfTheirEntry) {
  for (const double step : {2e-3, 1.9e-3, 1.7e-3, 1e-3, 1e-4})
    for (const double angle : {0., 0.5, 3.})
      for (const bool card_first : {false, true})
        for (const std::string &shape : {flat_card, small_disc}) {
          SCOPED_TRACE(format("step %g, angle %g, card first %d, ", step, angle, int(card_first)) +
                       shape);
          auto run = stepped<2>(thin_card(angle, step, shape, card_first));
          const unsigned int body = card_first ? 0 : 1;
          for (unsigned int k = 0; k < 20; ++k)
            run.advance();
          const double *const q = displacement(run, body), *const v = velocity(run, body);
          const double y = 0.0032 - std::sin(angle) * q[0] + std::cos(angle) * q[1];
          EXPECT_GT(y, 0.0005 - 3. * step);
          EXPECT_LT(y, 0.0005 + 1e-9);
          EXPECT_NEAR(std::hypot(v[0], v[1]), 0., 1e-9);
        }
}

/// Other laws give the card another velocity; none lets it through.
TEST(ThinPlates, LetNoCardThroughWithAnyScheme) {
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog", "fremond-gonzalez",
                                   "newmark-signorini", "paoli-schatzman"})
    for (const double step : {2e-3, 1.7e-3, 1e-3, 1e-4}) {
      SCOPED_TRACE(scheme + format(", step %g", step));
      auto run = stepped<2>(thin_card(0.5, step, flat_card, true, scheme));
      for (unsigned int k = 0; k < 20; ++k) {
        run.advance();
        const double *const q = displacement(run, 0);
        EXPECT_GT(0.0032 - std::sin(0.5) * q[0] + std::cos(0.5) * q[1], 0.0005 - 3. * step) << k;
      }
    }
}

TEST(ThinPlates, StopEachOtherIn3D) {
  std::string fixed;
  for (const char *entry : {"Velocity x", "Velocity y", "Velocity z", "Angular velocity x",
                            "Angular velocity y", "Angular velocity z"})
    fixed += "set " + std::string(entry) + " = 0\n";
  const auto expect_stop = [&](const std::string &shape, double step, bool card_first) {
    const std::string table =
        "subsection t\n set Shape = box\nset Size = 1, 1, 0.001\n set Density = 1\n"
        " set Position = 0, 0, -0.0005\n" +
        fixed + "end\n";
    const std::string card = "subsection a\n" + shape +
                             "set Mass = 0.1\n set Position = 0, 0, 0.0032\n"
                             " set Initial velocity = 0, 0, -2\nend\n";
    auto run = stepped<3>("subsection Rigid bodies\n" + (card_first ? card + table : table + card) +
                          R"(end
subsection Contact
  subsection c
    set Bodies = a
    set Surface = rigid bodies
    set Against = t
  end
end
subsection Time
  set End = 0.06
  set Step = )" + format("%g", step) +
                          "\nend\n");
    for (unsigned int k = 0; k < 20; ++k)
      run.advance();
    const unsigned int body = card_first ? 0 : 1;
    EXPECT_GT(0.0032 + displacement(run, body)[2], 0.0005 - 3. * step);
    EXPECT_NEAR(velocity(run, body)[2], 0., 1e-9);
  };
  for (const char *shape : {"set Shape = box\n set Size = 0.1, 0.1, 0.001\n",
                            "set Shape = sphere\n set Radius = 0.0005\n"})
    for (const double step : {1.9e-3, 1e-3, 1e-4})
      for (const bool card_first : {false, true}) {
        SCOPED_TRACE(shape + format("step %g, card first %d", step, int(card_first)));
        expect_stop(shape, step, card_first);
      }
}

/// The side on which a card has entered the table is in the checkpoint: at this depth the shortest
/// displacement that separates both leads to the far side.
TEST(ThinPlates, AreSeparatedAfterACheckpointAsWithout) {
  auto run = stepped<2>(thin_card(0.5, 2e-3, flat_card, false) +
                        "subsection Boundary conditions\n set Gravity = 0, -9.81\nend\n");
  for (unsigned int k = 0; k < 3; ++k)
    run.advance();
  ASSERT_LT(run.state.found.contacts.back().gap, -0.001); // more than half of both
  Checkpoint<2> checkpoint;
  checkpoint.state = run.state;
  checkpoint.memory = run.step.memory();
  Checkpoint<2> restored = from_bytes<2>(to_bytes(checkpoint));
  Step<2> step(*run.c.bodies, *run.c.boundary, run.c.choices, run.c.cone);
  step.restore(restored.state, restored.memory);
  for (unsigned int k = 0; k < 20; ++k) {
    const double end = (run.state.step + 1) * run.c.choices.h;
    step.advance(restored.state, end);
    run.advance();
    EXPECT_EQ(restored.state.energy(), run.state.energy());
    for (unsigned int d = 0; d < 3; ++d)
      EXPECT_EQ(restored.state.q[3 + d], displacement(run, 1)[d]);
  }
}

/// Two discs of which one hits the other obliquely, in either order.
std::string oblique_discs(bool exchanged, int dim, const std::string &time) {
  const std::string shape = dim == 2 ? "disc" : "sphere";
  const auto body = [&](const std::string &name, const std::string &more) {
    return "subsection " + name + "\n set Shape = " + shape +
           "\n set Radius = 0.1\n set Mass = 1\n" + more + "end\n";
  };
  const std::string a = body("a", ""),
                    b = body("b", dim == 2 ? "set Position = 0.2413, 0\n"
                                             "set Initial velocity = -5, 2\n"
                                           : "set Position = 0.2413, 0, 0\n"
                                             "set Initial velocity = -5, 2, 0\n");
  return "subsection Rigid bodies\n" + (exchanged ? b + a : a + b) + R"(end
subsection Contact
  subsection c
    set Bodies = all
    set Surface = rigid bodies
    set Against = all
    set Friction coefficient = 0.3
  end
end
subsection Time
  set End = 0.05
)" + time +
         "end\n";
}

/// By symmetry friction turns two equal discs by the same angular velocity, at any depth.
TEST(FrictionOfPairs, TurnsEqualDiscsEqually) {
  for (const char *time :
       {"set Step = 1e-3\n", "set Step = 1e-2\n", "set Step = 1e-3\n set Scheme = pdas-leapfrog\n"})
    for (const bool exchanged : {false, true}) {
      SCOPED_TRACE(time + format("exchanged %d", int(exchanged)));
      auto run = stepped<2>(oblique_discs(exchanged, 2, time));
      while (run.state.time < 0.049)
        run.advance();
      EXPECT_GT(velocity(run, 0)[2], 5.);
      EXPECT_NEAR(velocity(run, 0)[2], velocity(run, 1)[2], 1e-6 * velocity(run, 0)[2]);
      auto spheres = stepped<3>(oblique_discs(exchanged, 3, time));
      while (spheres.state.time < 0.049)
        spheres.advance();
      EXPECT_GT(velocity(spheres, 0)[5], 5.);
      EXPECT_NEAR(velocity(spheres, 0)[5], velocity(spheres, 1)[5], 1e-6 * velocity(spheres, 0)[5]);
    }
}

/// A sphere falls on a fixed box, slides and rolls: v = ω r and 5/7 of the velocity at the start,
/// as on a half-space, however deep the landing was.
TEST(FrictionOfPairs, LetsASphereRollWithoutSlip) {
  std::string fixed;
  for (const char *entry : {"Velocity x", "Velocity y", "Velocity z", "Angular velocity x",
                            "Angular velocity y", "Angular velocity z"})
    fixed += "set " + std::string(entry) + " = 0\n";
  for (const char *step : {"1/60", "1/200", "1/1000"})
    for (const bool box_first : {false, true}) {
      SCOPED_TRACE(step);
      const std::string sphere = R"(subsection a
  set Shape = sphere
  set Radius = 0.5
  set Mass = 1
  set Position = -20, 0, 0.8
  set Initial velocity = 5, 0, 0
end
)",
                        box = "subsection p\n set Shape = box\n set Size = 100, 4, 2\n"
                              "set Density = 1\n set Position = 0, 0, -1\n" +
                              fixed + "end\n";
      auto run =
          stepped<3>("subsection Rigid bodies\n" + (box_first ? box + sphere : sphere + box) +
                     R"(end
subsection Boundary conditions
  set Gravity = 0, 0, -9.81
end
subsection Contact
  subsection c
    set Bodies = a
    set Surface = rigid bodies
    set Against = p
    set Friction coefficient = 0.3
  end
end
subsection Time
  set End = 2
  set Step = )" + std::string(step) +
                     "\nend\n");
      while (run.state.time < 1.99)
        run.advance();
      const double *const v = velocity(run, box_first ? 1 : 0);
      EXPECT_NEAR(v[0], 25. / 7., 1e-3 * 25. / 7.);
      EXPECT_NEAR(v[0], 0.5 * v[4], 1e-12 * v[0]);
    }
}

/// A disc that rolls on a large fixed disc does not slip on it, in whatever order they are given.
TEST(FrictionOfPairs, LetsADiscRollOnADisc) {
  for (const bool exchanged : {false, true}) {
    const std::string small = R"(subsection a
  set Shape = disc
  set Radius = 0.5
  set Mass = 1
  set Position = 0, 10.6
  set Initial velocity = 1, 0
end
)",
                      large = R"(subsection p
  set Shape = disc
  set Radius = 10
  set Mass = 1
  set Velocity x = 0
  set Velocity y = 0
  set Angular velocity = 0
end
)";
    auto run =
        stepped<2>("subsection Rigid bodies\n" + (exchanged ? small + large : large + small) +
                   R"(end
subsection Boundary conditions
  set Gravity = 0, -9.81
end
subsection Contact
  subsection c
    set Bodies = a
    set Surface = rigid bodies
    set Against = p
    set Friction coefficient = 0.5
  end
end
subsection Time
  set End = 1.5
  set Step = 1/240
end
)");
    while (run.state.time < 1.49)
      run.advance();
    const double *const v = velocity(run, exchanged ? 0 : 1);
    EXPECT_NEAR(std::hypot(v[0], v[1]) / (0.5 * std::abs(v[2])), 1., 1e-4);
  }
}

} // namespace rigid_runs
