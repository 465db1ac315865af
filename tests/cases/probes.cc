// Probes of points and contacts compared with closed forms and balances, and stop criteria with
// probes.

#include "cases/support.h"
#include <cmath>
#include <map>

namespace {

using cases::has;

class Probes : public cases::CaseFolder {
protected:
  /// Returns a column of probes.csv.
  std::vector<double> column(const std::string &name, const std::string &results = "output/case") {
    return table(results).at(name);
  }

  std::map<std::string, std::vector<double>> table(const std::string &results) {
    std::ifstream file(folder / results / "probes.csv");
    std::map<std::string, std::vector<double>> columns;
    std::vector<std::string> names;
    for (std::string line; std::getline(file, line);) {
      if (line[0] == '#')
        continue;
      std::istringstream fields(line);
      std::size_t k = 0;
      for (std::string field; std::getline(fields, field, ','); ++k)
        if (names.size() <= k && columns.empty())
          names.push_back(field);
        else
          columns[names.at(k)].push_back(std::stod(field));
      if (columns.empty())
        for (const auto &name : names)
          columns[name];
    }
    return columns;
  }

  void expect_run(const std::vector<std::string> &assignments) {
    const auto outcome = run_with(assignments);
    ASSERT_EQ(outcome.status, 0) << outcome.error;
  }
};

const std::string tip_probe = "Probes/tip/";

TEST_F(Probes, FreeFall) {
  expect_run({"Contact/ground/Point=0, -10", tip_probe + "Point=0.3, 0.7", "Probes/v/Kind=velocity",
              "Probes/v/Point=0.5, 0.5", "Probes/a/Kind=acceleration", "Probes/a/Point=1, 1",
              "Probes/gap/Kind=gap", "Probes/gap/Contact=ground", "Probes/Interval=3"});
  const auto t = column("time"), y = column("tip.displacement_y"), gap = column("gap.gap");
  ASSERT_EQ(column("step"), (std::vector<double>{0, 3, 6, 9, 12, 15, 18, 20}));
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(y[k], -t[k] * t[k] / 2, 1e-16);
    EXPECT_NEAR(column("tip.displacement_x")[k], 0, 1e-18);
    EXPECT_NEAR(column("v.velocity_y")[k], -t[k], 1e-15);
    EXPECT_NEAR(gap[k], 10 + y[k], 1e-13);
    if (k == 0)
      EXPECT_TRUE(std::isnan(column("a.acceleration_y")[k]));
    else
      EXPECT_NEAR(column("a.acceleration_y")[k], -1, 1e-12);
  }
  EXPECT_TRUE(
      has(read("output/case/probes.csv"), "# probe tip: displacement at (0.3, 0.7) of block\n"));
}

/// The momentum of a body that lands changes by the impulses on it, and is its mass times the
/// velocity of its centre of mass.
TEST_F(Probes, MomentumOfALandingBody) {
  for (const std::string inertia : {"consistent", "redistributed"}) {
    cases::fs::remove_all(folder / "output");
    expect_run({"Contact/ground/Point=0, -0.00001", "Contact/Node inertia=" + inertia,
                "Initial state/Velocity x=0.5", tip_probe + "Kind=momentum",
                "Probes/centre/Kind=velocity", "Probes/centre/Body=block", "Probes/way/Body=block",
                "Probes/impact/Kind=percussion", "Probes/impact/Contact=ground"});
    const auto t = column("time"), p = column("tip.momentum_y"), v = column("centre.velocity_y"),
               u = column("way.displacement_y"), impulse = column("impact.percussion_y");
    const double mass = column("tip.momentum_x")[0] / 0.5;
    EXPECT_NEAR(mass, 1., 1e-14);
    double sum = 0, way = 0;
    for (std::size_t k = 1; k < t.size(); ++k) {
      sum += impulse[k];
      way += (t[k] - t[k - 1]) * (v[k] + v[k - 1]) / 2;
      EXPECT_NEAR(p[k], sum - mass * t[k], 1e-14);
      EXPECT_NEAR(p[k], mass * v[k], 1e-15);
      EXPECT_NEAR(u[k], way, 1e-15);
    }
    EXPECT_GT(sum, 1e-4);
  }
}

/// A bar in uniform stress: E times the strain, held by this stress times the area at both ends.
TEST_F(Probes, StressAndReactionsOfABar) {
  expect_run({"Boundary conditions/Gravity=0, 0", "Material/Poisson ratio=0",
              "Contact/ground/Point=0, -10", "Contact/ground/Region=left",
              "Initial state/Static preload=true", "Initial state/Preload contact nodes=free",
              "Boundary conditions/bottom/Displacement x=0",
              "Boundary conditions/bottom/Displacement y=0",
              "Boundary conditions/top/Displacement y=0.01", tip_probe + "Kind=stress",
              tip_probe + "Point=0.6, 0.6", "Probes/pull/Kind=force", "Probes/pull/Region=top",
              "Probes/hold/Kind=percussion", "Probes/hold/Region=bottom"});
  const double stress = 100 * 0.01, h = 1e-3;
  const std::size_t n = 21;
  const auto yy = column("tip.stress_yy"), pull = column("pull.force_y"),
             hold = column("hold.percussion_y");
  ASSERT_EQ(yy.size(), n);
  for (std::size_t k = 0; k < n; ++k) {
    EXPECT_NEAR(yy[k], stress, 1e-11);
    EXPECT_NEAR(column("tip.von_mises")[k], stress, 1e-11);
    if (k == 0)
      EXPECT_TRUE(std::isnan(pull[k]));
    else
      EXPECT_NEAR(pull[k], stress, 1e-10);
    EXPECT_NEAR(hold[k], k == 0 ? 0 : -stress * h, 1e-13);
  }
}

/// Contacts at the nodes of a region: the contacts at all nodes are the whole contact, and only one
/// node of the left side lies on the ground.
TEST_F(Probes, ContactsOfARegion) {
  std::vector<std::string> assignments = {"Contact/ground/Friction coefficient=0.1"};
  for (const std::string kind : {"force", "work", "slip", "gap", "defects"})
    for (const std::string name : {"all", "bottom", "corner", "left"}) {
      const std::string probe = "Probes/" + kind + "_" + name + "/";
      for (const std::string &entry : {"Kind=" + kind, std::string("Contact=ground")})
        assignments.push_back(probe + entry);
      if (name == "corner")
        assignments.push_back(probe + "Point=0, 0");
      else if (name != "all")
        assignments.push_back(probe + "Region=" + name);
    }
  expect_run(assignments);
  const std::map<std::string, std::vector<std::string>> columns = {
      {"force", {"force_x", "force_y", "force_normal"}},
      {"work", {"work_normal", "work_tangential"}},
      {"slip", {"slip"}},
      {"gap", {"gap"}},
      {"defects", {"missed_depth", "drift"}}};
  for (const auto &[kind, names] : columns)
    for (const std::string &name : names) {
      const auto of = [&, k = kind](const std::string &which) {
        auto values = column(k + "_" + which + "." + name);
        values.erase(values.begin()); // a force at the start is not known
        return values;
      };
      EXPECT_EQ(of("all"), of("bottom")) << name;
      EXPECT_EQ(of("corner"), of("left")) << name;
    }
  const auto all = column("force_all.force_normal"), corner = column("force_corner.force_normal");
  double impulse = 0, corner_impulse = 0;
  for (std::size_t k = 1; k < all.size(); ++k) {
    impulse += all[k];
    corner_impulse += corner[k];
  }
  EXPECT_GT(corner_impulse, 0.);
  EXPECT_LT(corner_impulse, impulse);
}

const char *const tower = R"(subsection Rigid bodies
  subsection lower
    set Width = 1
    set Height = 0.5
    set Mass = 3
    set Position = 0, 0.25
  end
  subsection upper
    set Width = 0.5
    set Height = 0.5
    set Mass = 2
    set Position = 0, 0.75
  end
end
subsection Boundary conditions
  set Gravity = 0, -10
end
subsection Contact
  subsection ground
    set Bodies = lower
    set Friction coefficient = 0.3
  end
  subsection joint
    set Bodies = lower
    set Surface = rigid bodies
    set Against = upper
    set Friction coefficient = 0.3
  end
end
subsection Probes
  subsection on_lower
    set Kind = force
    set Contact = ground
  end
  subsection corner
    set Kind = force
    set Contact = ground
    set Point = 0.5, 0
  end
  subsection down
    set Kind = force
    set Contact = joint
  end
end
subsection Time
  set Step = 1e-3
  set End = 0.01
end
)";

/// At rest, the force on a body is its weight, for vertices on either body.
TEST_F(Probes, ForcesOfContactsActOnTheSideThatTouches) {
  for (const bool is_upper_wider : {false, true}) {
    write("case.prm", tower);
    expect_run({std::string("Rigid bodies/upper/Width=") + (is_upper_wider ? "2" : "0.5")});
    const auto weight = column("on_lower.force_y"), half = column("corner.force_y"),
               down = column("down.force_y"), normal = column("down.force_normal");
    ASSERT_EQ(weight.size(), 11u);
    const double tolerance = 50 * 1e-9; // the tolerance of the solver is 1e-10 of impulses
    for (std::size_t k = 1; k < weight.size(); ++k) {
      EXPECT_NEAR(weight[k], 50, tolerance);
      EXPECT_NEAR(half[k], 25, tolerance);
      EXPECT_NEAR(down[k], -20, tolerance);
      EXPECT_NEAR(normal[k], 20, tolerance);
    }
  }
}

/// Rows every n steps have the impulses of all steps.
TEST_F(Probes, ImpulsesAreThoseSinceTheLastRow) {
  const std::vector<std::string> common = {"Contact/ground/Point=0, -0.00001",
                                           tip_probe + "Kind=percussion",
                                           tip_probe + "Contact=ground"};
  auto sparse = common;
  sparse.emplace_back("Probes/Interval=7");
  expect_run(common);
  const auto all = column("tip.percussion_y");
  cases::fs::rename(folder / "output", folder / "first");
  expect_run(sparse);
  const auto some = column("tip.percussion_y");
  ASSERT_EQ(some.size(), 4u);
  for (std::size_t row = 1; row < some.size(); ++row) {
    double sum = 0;
    for (std::size_t k = 7 * (row - 1) + 1; k <= std::min<std::size_t>(7 * row, 20); ++k)
      sum += all[k];
    EXPECT_GT(sum, 0.);
    EXPECT_DOUBLE_EQ(some[row], sum);
  }
}

TEST_F(Probes, BadInput) {
  const auto expect = [&](const std::vector<std::string> &assignments, const std::string &words) {
    const auto outcome = run_with(assignments);
    expect_refusal(outcome, {words});
  };
  expect({tip_probe + "Kind=speed"},
         "'Probes/tip/Kind' is 'speed': allowed is one of displacement");
  expect({tip_probe + "Kind=velocity"},
         "'Probes/tip/Point' (default) is '': the position of the velocity is missing");
  expect({tip_probe + "Kind=stress", tip_probe + "Body=block"},
         "the position of the stress is missing: give a point of a body");
  expect({tip_probe + "Kind=momentum", tip_probe + "Point=0, 0"},
         "this has no effect with Kind = momentum");
  expect({tip_probe + "Kind=momentum", "Time/Inertia=none", "Time/Theta=1",
          "Boundary conditions/top/Displacement x=0", "Boundary conditions/top/Displacement y=0"},
         "the body has no mass, hence no momentum");
  expect({tip_probe + "Point=2, 0"}, "no elastic body is there; the nearest node is at (1, 0)");
  expect({tip_probe + "Point=0, 0", tip_probe + "Body=blok"}, "did you mean 'block'?");
  expect({tip_probe + "Kind=gap"}, "a gap belongs to a contact: give its name ('ground')");
  expect({tip_probe + "Kind=force"}, "a force needs an object: give Contact");
  expect({tip_probe + "Kind=force", tip_probe + "Contact=grund"}, "did you mean 'ground'?");
  expect({tip_probe + "Kind=force", tip_probe + "Contact=ground", tip_probe + "Point=0.5, 1"},
         "no point of this contact is there; the nearest is at (0.5, 0)");
  expect({tip_probe + "Kind=force", tip_probe + "Region=top"}, "its motion is not prescribed");
  expect({tip_probe + "Kind=work", tip_probe + "Contact=ground", tip_probe + "Region=top"},
         "no point of this contact belongs to this region");
  expect({tip_probe + "Kind=work", tip_probe + "Contact=ground", tip_probe + "Region=tpo"},
         "'tpo'");
  expect({tip_probe + "Kind=work", tip_probe + "Contact=ground", tip_probe + "Region=left",
          tip_probe + "Point=0, 0"},
         "Point already chooses the contact of a single node");
  expect({tip_probe + "Point=0, 0", tip_probe + "Contact=ground"},
         "this has no effect with Kind = displacement");
  expect({"Probes/left tip/Point=0, 0"}, "the name of a probe consists of letters");
  expect({"Probes/Interval=2"}, "this has no effect without a probe");
}

// ---- stop criteria ----

TEST_F(Probes, ARunEndsWhenAFormulaOfProbesIsMet) {
  expect_run({"Contact/ground/Point=0, -10", tip_probe + "Point=0, 0", "Time/End=1",
              "Output/Energy interval=10", "Output/Number of instants=2",
              "Time/Stop when=tip.displacement_y < -0.00505 && contacts == 0"});
  const auto t = column("time");
  EXPECT_NEAR(t.back(), 0.101, 1e-12); // the first step with t^2/2 > 0.00505
  EXPECT_TRUE(has(read("output/case/summary.json"),
                  "\"message\": \"Time/Stop when is met after step 101 of 1000: tip."));
  EXPECT_TRUE(has(read("output/case/summary.json"), "\"status\": \"completed\""));
  EXPECT_TRUE(has(read("output/case/energy.csv"), "\n101,0.10"));
  EXPECT_TRUE(exists("output/case/solution-000001.vtu")); // written at the end
}

const char *const sliding_brick = R"(subsection Rigid bodies
  subsection brick
    set Width = 1
    set Height = 0.2
    set Mass = 1
    set Position = 0, HEIGHT
    set Initial velocity = 1, 0
  end
end
subsection Boundary conditions
  set Gravity = 0, -10
end
subsection Contact
  subsection ground
    set Bodies = brick
    set Friction coefficient = 0.5
    set Restitution = 0.5
  end
end
subsection Time
  set Step = 1e-3
  set End = 10
end
)";

/// Friction stops a brick after v/(mu g) = 0.2; a tenth of this time later the run is at rest.
TEST_F(Probes, ARunEndsAtRest) {
  std::string text = sliding_brick;
  text.replace(text.find("HEIGHT"), 6, "0.1");
  write("case.prm", text);
  expect_run({"Time/Stop when=at rest", "Probes/brick/Body=brick"});
  EXPECT_NEAR(column("time").back(), 0.2 / 0.9, 2e-3);
  EXPECT_NEAR(column("brick.displacement_x").back(), 0.1, 1e-3);
}

/// The brick falls for 0.1, touches in one step, and has left after the next step.
TEST_F(Probes, ARunEndsWhenBodiesHaveSeparated) {
  std::string text = sliding_brick;
  text.replace(text.find("HEIGHT"), 6, "0.15");
  write("case.prm", text);
  expect_run({"Time/Stop when=separated", "Probes/brick/Body=brick", "Probes/brick/Kind=velocity"});
  EXPECT_NEAR(column("time").back(), 0.1, 4e-3);
  EXPECT_GT(column("brick.velocity_y").back(), 0.4);
}

TEST_F(Probes, StopsThatAreWrong) {
  expect_refusal(run_with({"Time/Stop when=separate"}),
                 {"'Time/Stop when' is 'separate': neither 'at rest' nor 'separated', and not a "
                  "formula: 'separate' is no variable (t, kinetic, strain, total, contacts)"});
  expect_refusal(run_with({"Time/Stop when=tip.gab > 1", tip_probe + "Kind=gap",
                           tip_probe + "Contact=ground"}),
                 {"did you mean 'tip.gap'?"});
}

} // namespace
