// Spheres whose contact turns: in a vertical cylinder, and with an eccentric mass on a table.

#include "cases/checked_case.h"
#include "cases/stepped.h"

namespace {

using namespace cases;

class RollingSphere : public CheckedCase {
protected:
  /// Returns the height after one second, in which the sphere has gone round most of the cylinder.
  double height(const std::string &step, const std::string &scheme,
                const std::string &friction) const {
    write("case.prm", R"(subsection Rigid bodies
  subsection ball
    set Shape = sphere
    set Radius = 0.1
    set Mass = 1
    set Position = 0.9, 0, 0
    set Initial velocity = 0, 5, 0
    set Initial angular velocity = 0, 0, -50
  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -9.81
end
subsection Contact
  subsection wall
    set Bodies = ball
    set Surface = inside of cylinder
    set Radius = 1
    set Axis = 0, 0, 1
  end
end
subsection Time
  set End = 1
  set Step = 1
end
)");
    auto file = percussion::ParameterFile::read((folder / "case.prm").string());
    cases_in_space::Stepped<3> run(
        cases_in_space::build<3>(file, {"Time/Step=" + step, "Time/Scheme=" + scheme,
                                        "Contact/wall/Friction coefficient=" + friction}));
    double largest = 0, worst = 0, work = 0;
    for (unsigned int k = 0; k < run.c.span.n_steps; ++k) {
      const auto &record = run.advance();
      largest = std::max(largest, run.state.energy());
      worst = std::max(worst, std::abs(record.balance_residual));
      work = std::max(work, record.tangential_work_max);
      EXPECT_EQ(record.reversal.pair, percussion::Defect::none)
          << k; // the frames turn, no velocity
    }
    EXPECT_LT(worst, 1e-13 * largest);
    EXPECT_LT(work, 1e-13 * largest);
    return run.c.bodies->rigid_values(run.state.q, 0)[2];
  }
};

/// Schemes whose default laws leave the tangential restitution to the solution.
const std::vector<std::string> schemes = {"pdas-leapfrog", "fremond-gonzalez",
                                          "moreau-jean-fremond"};

/// The mean velocity of a contact that goes on sticking vanishes, which is of second order in the
/// step. A velocity at the end that vanishes in the frame of the middle is of first order.
TEST_F(RollingSphere, MovesUpAndDownToSecondOrder) {
  for (const std::string &scheme : schemes) {
    SCOPED_TRACE(scheme);
    const double coarse = height("2e-3", scheme, "2"), middle = height("1e-3", scheme, "2"),
                 fine = height("5e-4", scheme, "2");
    EXPECT_NEAR(std::log2((coarse - middle) / (middle - fine)), 2., 0.1);
    EXPECT_NEAR(middle, -1.5775, 2e-3);
  }
}

/// So do the mean normal velocity and the friction of a contact that goes on slipping.
TEST_F(RollingSphere, SlipsToSecondOrder) {
  for (const std::string &scheme : schemes) {
    SCOPED_TRACE(scheme);
    const double coarse = height("2e-3", scheme, "0.05"), middle = height("1e-3", scheme, "0.05"),
                 fine = height("5e-4", scheme, "0.05");
    EXPECT_NEAR(std::log2((coarse - middle) / (middle - fine)), 2., 0.1);
  }
}

/// A disc that slides to and fro at the bottom of a circle.
class DiscInCircle : public CheckedCase {
protected:
  void write_case() const {
    write("case.prm", R"(subsection Rigid bodies
  subsection disc
    set Shape = disc
    set Radius = 0.1
    set Mass = 1
    set Position = 0, -0.9
    set Initial velocity = 3, 0
  end
end
subsection Boundary conditions
  set Gravity = 0, -9.81
end
subsection Contact
  subsection wall
    set Bodies = disc
    set Surface = inside of circle
    set Radius = 1
    set Friction coefficient = 0.1
  end
end
subsection Time
  set End = 5
  set Step = 1e-3
end
)");
  }
  /// Returns the ranges of the depth from the time 0.1 on.
  double range_of_depth(const std::vector<std::string> &assignments) const {
    cases_in_space::Stepped<2> run(cases_in_space::build<2>(
        percussion::ParameterFile::read((folder / "case.prm").string()), assignments));
    double least = 1, largest = -1;
    for (unsigned int k = 0; k < run.c.span.n_steps; ++k) {
      run.advance();
      if (run.state.time < 0.1)
        continue;
      const double *const q = run.c.bodies->rigid_values(run.state.q, 0);
      const double depth = std::hypot(q[0], q[1] - 0.9) - 0.9; // q is the displacement
      least = std::min(least, depth);
      largest = std::max(largest, depth);
    }
    return largest - least;
  }
};

/// Frames of the start of a step let the disc sink by the curvature of its path in each step.
TEST_F(DiscInCircle, KeepsItsDepth) {
  write_case();
  for (const std::string &scheme : schemes) {
    EXPECT_LT(range_of_depth({"Time/Scheme=" + scheme}), 5e-5) << scheme;
    EXPECT_LT(range_of_depth({"Time/Scheme=" + scheme, "Time/Step=5e-4"}), 1e-5) << scheme;
  }
  EXPECT_GT(range_of_depth({"Time/Scheme=moreau-jean-fremond", "Contact/Frames=start"}), 1e-3);
}

class EccentricSphere : public CheckedCase {
protected:
  /// Returns the order in time of the place and attitude at the end, after 0.2 s, of a sphere that
  /// spins on a table, with a smaller one welded into it, by steps of three lengths.
  double order(const std::vector<std::string> &assignments,
               const std::vector<std::string> &steps = {"2e-3", "1e-3", "5e-4"}) const {
    write("case.prm", R"(subsection Rigid bodies
  subsection ball
    set Shape = sphere
    set Radius = 0.1
    set Mass = 1
    set Position = 0, 0, 0.1
    set Initial angular velocity = 0, 0, 40
    set Initial velocity = 0.3, 0, 0
  end
  subsection lead
    set Shape = sphere
    set Radius = 0.02
    set Mass = 0.5
    set Position = 0.02, 0, 0.06
    set Part of = ball
  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -9.81
end
subsection Contact
  subsection table
    set Bodies = ball
    set Surface = half-space
    set Friction coefficient = 0.2
  end
end
subsection Time
  set Scheme = pdas-leapfrog
  set End = 0.2
  set Step = 2e-3
end
)");
    std::vector<std::vector<double>> ends;
    for (const std::string &step : steps) {
      auto all = assignments;
      all.push_back("Time/Step=" + step);
      cases_in_space::Stepped<3> run(cases_in_space::build<3>(
          percussion::ParameterFile::read((folder / "case.prm").string()), all));
      for (unsigned int k = 0; k < run.c.span.n_steps; ++k)
        EXPECT_FALSE(run.advance().contacts.empty()) << k;
      const double *const q = run.c.bodies->rigid_values(run.state.q, 0);
      ends.emplace_back(q, q + 6);
    }
    const auto distance = [](const std::vector<double> &a, const std::vector<double> &b) {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
      return std::sqrt(sum);
    };
    return std::log2(distance(ends[0], ends[1]) / distance(ends[1], ends[2]));
  }
};

/// Friction opposes the mean velocity of a contact that goes on slipping.
TEST_F(EccentricSphere, SlipsToSecondOrder) {
  for (const std::string &scheme : schemes)
    EXPECT_NEAR(order({"Time/Scheme=" + scheme}), 2., 0.05) << scheme;
}

TEST_F(EccentricSphere, RollsToSecondOrder) {
  for (const std::string &scheme : schemes)
    EXPECT_NEAR(order({"Time/Scheme=" + scheme, "Contact/table/Friction coefficient=3"}), 2., 0.1)
        << scheme;
}

/// After three seconds, in which a law of first order turns it over.
TEST_F(EccentricSphere, RollsForLongToSecondOrder) {
  for (const std::string &scheme : schemes)
    EXPECT_NEAR(
        order({"Time/Scheme=" + scheme, "Contact/table/Friction coefficient=3", "Time/End=3"},
              {"2e-4", "1e-4", "5e-5"}),
        2., 0.15)
        << scheme;
}

/// A box that slides obliquely over a table.
class SlidingBox : public CheckedCase {
protected:
  /// Returns position and velocity of the box at the end.
  std::pair<std::array<double, 3>, std::array<double, 3>>
  end(const std::string &scheme, const std::string &other_bodies, const std::string &bodies) const {
    write("case.prm", R"(subsection Rigid bodies
  subsection box
    set Shape = box
    set Size = 0.2, 0.2, 0.1
    set Mass = 1
    set Position = 0, 0, 0.05
    set Initial velocity = 0.3, 0.1, 0
  end
)" + other_bodies + R"(end
subsection Boundary conditions
  set Gravity = 0, 0, -10
end
subsection Contact
  subsection table
    set Bodies = box
    set Surface = half-space
    set Friction coefficient = 0.2
  end
)" + bodies + R"(end
subsection Time
  set End = 0.3
  set Step = 1e-3
end
)");
    cases_in_space::Stepped<3> run(
        cases_in_space::build<3>(percussion::ParameterFile::read((folder / "case.prm").string()),
                                 {"Time/Scheme=" + scheme}));
    for (unsigned int k = 0; k < run.c.span.n_steps; ++k)
      EXPECT_LE(run.advance().tangential_work_max, 1e-14);
    const double *const q = run.c.bodies->rigid_values(run.state.q, 0),
                        *const v = run.c.bodies->rigid_values(run.state.v, 0);
    return {{q[0], q[1], q[2]}, {v[0], v[1], v[2]}};
  }
};

/// Friction that opposes the mean velocity would reverse the last velocity in each step.
TEST_F(SlidingBox, ComesToRest) {
  const double speed = std::sqrt(0.1), way = 0.5 * 0.1 / 2.;
  for (const std::string &scheme : schemes) {
    SCOPED_TRACE(scheme);
    const auto [q, v] = end(scheme, "", "");
    EXPECT_LT(std::hypot(v[0], v[1]), 1e-10);
    EXPECT_NEAR(q[0], way * 0.3 / speed, speed * 1e-3);
    EXPECT_NEAR(q[1], way * 0.1 / speed, speed * 1e-3);
  }
}

/// A heavy ball that falls on the sliding box stops it within a step. It does not throw it back.
TEST_F(SlidingBox, StopsWhenABallFallsOnIt) {
  for (const std::string scheme : {"fremond-gonzalez", "moreau-jean-fremond"}) {
    SCOPED_TRACE(scheme);
    const auto [q, v] = end(scheme, R"(  subsection ball
    set Shape = sphere
    set Radius = 0.1
    set Mass = 50
    set Position = 0.006, 0.002, 0.205
    set Initial velocity = 0, 0, -0.2
  end
)",
                            R"(  subsection pair
    set Bodies = ball
    set Surface = rigid bodies
    set Against = box
    set Friction coefficient = 0
  end
)");
    EXPECT_LT(std::hypot(v[0], v[1]), 1e-10);
    EXPECT_NEAR(q[0], 0.0051, 2.5e-4); // the ball falls for 18 ms
    EXPECT_NEAR(q[1], q[0] / 3, 1e-5);
  }
}

} // namespace
