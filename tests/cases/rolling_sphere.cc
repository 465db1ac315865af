// Spheres whose contact turns: in a vertical cylinder, and with an eccentric mass on a table.

#include "cases/checked_case.h"
#include "cases/stepped.h"

namespace {

using namespace cases;

class RollingSphere : public CheckedCase {
protected:
  /// Returns the height after one second, in which the sphere has gone round most of the cylinder.
  double height(const std::string &step) const {
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
    set Friction coefficient = 2
  end
end
subsection Time
  set Scheme = pdas-leapfrog
  set End = 1
  set Step = 1
end
)");
    auto file = percussion::ParameterFile::read((folder / "case.prm").string());
    cases_in_space::Stepped<3> run(cases_in_space::build<3>(file, {"Time/Step=" + step}));
    double largest = 0, worst = 0, work = 0;
    for (unsigned int k = 0; k < run.c.span.n_steps; ++k) {
      const auto &record = run.advance();
      largest = std::max(largest, run.state.energy());
      worst = std::max(worst, std::abs(record.balance_residual));
      work = std::max(work, record.tangential_work_max);
    }
    EXPECT_LT(worst, 1e-13 * largest);
    EXPECT_LT(work, 1e-13 * largest);
    return run.c.bodies->rigid_values(run.state.q, 0)[2];
  }
};

/// The mean velocity of a contact that goes on sticking vanishes, which is of second order in the
/// step. A velocity at the end that vanishes in the frame of the middle is of first order.
TEST_F(RollingSphere, MovesUpAndDownToSecondOrder) {
  const double coarse = height("2e-3"), middle = height("1e-3"), fine = height("5e-4");
  EXPECT_NEAR(std::log2((coarse - middle) / (middle - fine)), 2., 0.1);
  EXPECT_NEAR(middle, -1.5775, 2e-3);
}

class EccentricSphere : public CheckedCase {
protected:
  /// Returns the order in time of the place and attitude after 0.2 s of a sphere that spins on a
  /// table, with a smaller one welded into it.
  double order(const std::vector<std::string> &assignments) const {
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
    for (const std::string step : {"2e-3", "1e-3", "5e-4"}) {
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

/// A contact that goes on slipping is of second order with the law of the mean velocity.
TEST_F(EccentricSphere, SlipsToSecondOrderWithThePersistentLaw) {
  EXPECT_NEAR(order({"Contact/table/Impact law=persistent"}), 2., 0.1);
}

/// A contact that goes on sticking is of second order with the default law, too.
TEST_F(EccentricSphere, RollsToSecondOrder) {
  EXPECT_NEAR(order({"Contact/table/Friction coefficient=3"}), 2., 0.1);
}

} // namespace
