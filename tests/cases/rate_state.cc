// Spring sliders with rate-and-state friction against closed forms and an independent integration.

#include "cases/support.h"
#include "support/csv.h"
#include <algorithm>
#include <cmath>

namespace rate_state_cases {

class SpringSlider : public cases::CaseFolder {
protected:
  using Table = std::map<std::string, std::vector<double>>;

  SpringSlider() {
    write("case.prm", R"(subsection Boundary conditions
  set Gravity = 0, -10
end
subsection Rigid bodies
  subsection slider
    set Shape    = rectangle
    set Width    = 0.2
    set Height   = 0.02
    set Mass     = 1
    set Position = 0, 0.01
    set Initial velocity = -0.0001, 0
  end
end
subsection Links
  subsection spring
    set First point  = 1, 0
    set Second       = slider
    set Second point = 0, 0
    set Stiffness    = 1500
    set Tension at start = 5.654612
  end
end
subsection Contact
  subsection table
    set Bodies  = slider
    set Surface = half-plane
    set Point   = 0, 0
    set Normal  = 0, 1
    set Friction coefficient = 0.6
    set Rate effect     = 0.010
    set State effect    = 0.015
    set State length    = 1e-5
    set Reference speed = 1e-6
    set Initial state   = 0.01
    set Belt velocity x = -0.001
  end
end
subsection Probes
  subsection slider
    set Kind  = velocity
    set Body  = slider
    set Point = 0, 0
  end
  subsection table
    set Kind    = force
    set Contact = table
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set Theta  = 0.5
  set Step   = 1e-3
  set End    = 3
end
subsection Output
  set Directory = results
end
)");
  }

  /// Runs the case with other entries, and returns its probes. Friction must not create energy.
  Table run(const std::vector<std::string> &entries) const {
    const auto outcome = run_with(entries);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    const auto energies = percussion::test::read_csv((folder / "results/energy.csv").string());
    constexpr double round_off = 10. * 1e-17; // force times the round-off of positions
    double largest = 0;
    for (std::size_t i = 0; i < energies.at("step").size(); ++i) {
      largest = std::max(largest, energies.at("total")[i]);
      EXPECT_LE(energies.at("tangential_work_max")[i], 0.);
      EXPECT_LT(std::abs(energies.at("balance_residual")[i]), 1e-12 * largest + round_off);
    }
    return percussion::test::read_csv((folder / "results/probes.csv").string());
  }

  /// Returns the coefficient of friction in each step.
  static std::vector<double> friction(const Table &probes) {
    std::vector<double> mu;
    const auto &tangential = probes.at("table.force_x"), &normal = probes.at("table.force_normal");
    for (std::size_t i = 0; i < normal.size(); ++i)
      mu.push_back(std::abs(tangential[i]) / normal[i]);
    return mu;
  }

  /// Writes the case of a block that slides without a spring in 3D.
  void write_block() const {
    write("block.prm", R"(subsection Boundary conditions
  set Gravity = 0, 0, -10
end
subsection Rigid bodies
  subsection block
    set Shape    = box
    set Size     = 0.2, 0.2, 0.02
    set Mass     = 1
    set Position = 0, 0, 0.01
    set Initial velocity = 0.3, -0.4, 0
  end
end
subsection Contact
  subsection table
    set Bodies  = block
    set Surface = half-plane
    set Point   = 0, 0, 0
    set Normal  = 0, 0, 1
    set Friction coefficient = 0.6
    set Rate effect     = 0.02
    set State length    = 1e-3
    set Reference speed = 0.1
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set Theta  = 0.5
  set Step   = 1e-3
  set End    = 0.05
end
subsection Probes
  subsection block
    set Kind  = velocity
    set Body  = block
    set Point = 0, 0, 0.01
  end
end
subsection Output
  set Directory = results
end
)");
  }
};

/// The independent integration has the largest speed 0.01291 and the period 0.7485 (order 2); with
/// the friction of the last step's speed there would be chatter of 0.005.
TEST_F(SpringSlider, SticksAndSlipsWithTheSpeedAndPeriodOfTheReference) {
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    const auto probes = run({"Time/Step=" + std::to_string(h)});
    const auto &v = probes.at("slider.velocity_x");
    double largest = 0;
    std::vector<double> starts;
    for (std::size_t i = v.size() / 2; i < v.size(); ++i) {
      const double last = 0.5 * (v[i - 1] + v[i - 2]), slip = 0.5 * (v[i] + v[i - 1]);
      largest = std::max(largest, slip + 1e-3);
      if (slip > 0. && last <= 0.)
        starts.push_back(static_cast<double>(i) * h);
    }
    EXPECT_NEAR(largest, 0.01291, 2e-5) << h;
    ASSERT_GE(starts.size(), 2u);
    EXPECT_NEAR((starts.back() - starts.front()) / static_cast<double>(starts.size() - 1), 0.7485,
                2e-3)
        << h;
  }
}

/// The speed of a stiff slider grows tenfold at t = 1: direct effect, then evolution over the
/// state's length.
TEST_F(SpringSlider, FollowsAStepOfTheSpeed) {
  const double ten = std::log(10.), a = 0.010, b = 0.015;
  for (const std::string law : {"ageing", "slip"}) {
    const auto probes = run({"Links/spring/Stiffness=1e9", "Links/spring/First point=1e-4, 0",
                             "Links/spring/Tension at start=6", "Time/Step=5e-3", "Time/End=9",
                             "Rigid bodies/slider/Initial velocity=0, 0",
                             "Contact/table/Initial state=10", "Contact/table/State law=" + law,
                             "Contact/table/Belt velocity x=-1e-6*(1 + 9*(t > 1))"});
    const auto mu = friction(probes);
    ASSERT_GT(mu.size(), 1000u);
    const double before = mu[198];
    EXPECT_NEAR(before, 0.6, 1e-9);
    // The spring takes up part of the first step.
    EXPECT_NEAR(*std::max_element(mu.begin() + 200, mu.end()) - before, a * ten, 2e-4) << law;
    const double after_length = law == "ageing" ? a * ten + b * std::log(0.1 + 0.9 / std::exp(1.))
                                                : a * ten - b * (1. - 1. / std::exp(1.)) * ten;
    EXPECT_NEAR(0.5 * (mu[400] + mu[401]) - before, after_length, 1e-5) << law;
    EXPECT_NEAR(mu.back() - before, (a - b) * ten, law == "ageing" ? 6e-5 : 2e-5) << law;
  }
}

/// A block that slides without a spring obeys the same law in 3D, in each direction.
TEST_F(SpringSlider, SlowsDownAsItsFrictionSays) {
  write_block();
  const auto outcome = start("percussion", {"block.prm"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const auto probes = percussion::test::read_csv((folder / "results/probes.csv").string());
  const auto &x = probes.at("block.velocity_x"), &y = probes.at("block.velocity_y");
  double speed = 0.5; // integrated with steps a hundred times as short
  for (unsigned int k = 0; k < 5000; ++k)
    speed -= 1e-5 * 10. * (0.6 + 0.02 * std::log((speed - 3e-5) / 0.1));
  EXPECT_NEAR(std::hypot(x.back(), y.back()), speed, 1e-6);
  EXPECT_NEAR(y.back() / x.back(), -4. / 3., 1e-9);
}

/// Four contacts of a block make W dense, 104 contacts of blocks apart would make it sparse without
/// the full compliance of the law.
TEST_F(SpringSlider, MovesEachOfManyBlocksLikeOne) {
  write_block();
  const auto last_velocities = [this](std::vector<std::string> entries) {
    entries.insert(entries.begin(), {"block.prm", "--set", "Time/End=0.005"});
    const auto outcome = start("percussion", entries);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    const auto probes = percussion::test::read_csv((folder / "results/probes.csv").string());
    return std::pair(probes.at("block.velocity_x").back(), probes.at("block.velocity_y").back());
  };
  const auto one = last_velocities({}),
             many = last_velocities({"--set", "Rigid bodies/block/Copies=26", "--set",
                                     "Rigid bodies/block/Offset=1, 0, 0", "--set",
                                     "Contact/table/Bodies=all", "--set",
                                     "Probes/block/Body=block 17"});
  EXPECT_LT(one.first, 0.29);
  EXPECT_NEAR(many.first, one.first, 1e-9);
  EXPECT_NEAR(many.second, one.second, 1e-9);
}

TEST_F(SpringSlider, RefusesWrongEntries) {
  const auto refused = [&](const std::vector<std::string> &entries, const std::string &words) {
    const auto outcome = run_with(entries);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(cases::has(outcome.error, words)) << outcome.error;
  };
  refused({"Contact/table/Rate effect=0"}, "without a Rate effect");
  refused({"Contact/table/State length=0"}, "requires a value > 0");
  refused({"Contact/table/Friction coefficient=0.6 + 0*t"}, "must be a number > 0");
  refused({"Time/Scheme=paoli-schatzman"}, "has no such friction");
  refused({"Contact/table/Backward friction ratio=0.5"}, "the same in all directions");
}

} // namespace rate_state_cases
