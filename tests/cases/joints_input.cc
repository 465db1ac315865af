// Joints made from their input, refused input, and their results in files.

#include "cases/checked_case.h"
#include "cases/rigid_runs.h"
#include <algorithm>

namespace joints_in_space {

using namespace percussion;

class JointsInput : public cases::CheckedCase {
protected:
  void SetUp() override { write("case.prm", bodies + rigid_runs::moving); }
  /// Expects status 2 and these words.
  void refuses(const std::string &entries, const std::vector<std::string> &words) const {
    write("case.prm", bodies + "subsection Joints\n  subsection axle\n" + entries + "  end\nend\n" +
                          rigid_runs::moving);
    expect_refusal(check_with({}), words);
  }
  Case<3> build(const std::string &entries) const {
    write("case.prm", bodies + "subsection Joints\n  subsection axle\n" + entries + "  end\nend\n" +
                          rigid_runs::moving);
    auto file = ParameterFile::read((folder / "case.prm").string());
    return build_case<3>(Parameters(declare_case(&file), file), file);
  }

  const std::string bodies = R"(subsection Rigid bodies
  subsection arm
    set Mass = 2
    set Position = 1, 0, 0
  end
  subsection wheel
    set Shape = sphere
    set Mass = 1
    set Copies = 2
    set Position = 3, 0, 0
    set Offset = 0, 3, 0
  end
end
)";
};

TEST_F(JointsInput, AreMadeOfTheirEntries) {
  const auto c = build("    set Kind = hinge\n    set Bodies = arm, wheel 2\n"
                       "    set Point = 2, 1, 0\n    set Axis = 0, 2, 0\n"
                       "    set Torsion stiffness = 3\n    set Rest angle = -7\n"
                       "    set Torsion damping = 0.5\n    set Motor torque = sin(t)\n");
  ASSERT_EQ(c.bodies->links.size(), 1u);
  const auto &axle = c.bodies->links.front();
  EXPECT_EQ(axle.kind, LinkKind::hinge);
  EXPECT_EQ(axle.first.rigid, 0u);
  EXPECT_EQ(axle.second.rigid, 2u);
  EXPECT_EQ(axle.second.position, dealii::Point<3>(2., 1., 0.));
  EXPECT_EQ(axle.axis[1], 2.);
  EXPECT_EQ(axle.rotation.stiffness, 3.);
  EXPECT_EQ(axle.rotation.rest, -7.);
  EXPECT_EQ(axle.rotation.damping, 0.5);
  EXPECT_EQ(axle.rotation.motor.kind, LinkMotor::Kind::force);
  const auto hanging =
      build("    set Kind = spring\n    set Bodies = arm\n    set Point = 1, 0, 5\n"
            "    set Second point = 1, 0, 0.5\n    set Stiffness = 10\n"
            "    set Tension at start = 5\n");
  EXPECT_TRUE(hanging.bodies->links.front().first.is_fixed());
  EXPECT_NEAR(hanging.bodies->links.front().rest_length, 4., 1e-14);
}

TEST_F(JointsInput, MistakesAreTold) {
  const std::string hinge = "    set Kind = hinge\n    set Bodies = arm\n    set Point = 0, 0, 0\n";
  refuses("    set Kind = glue\n", {"Joints/axle/Kind", "glue", "universal"});
  refuses("    set Point = 0, 0, 0\n", {"Joints/axle/Bodies", "one or two names"});
  refuses("    set Bodies = arm, wheel 1, wheel 2\n    set Point = 0, 0, 0\n",
          {"Joints/axle/Bodies", "at most two bodies"});
  refuses("    set Bodies = arn\n    set Point = 0, 0, 0\n",
          {"Joints/axle/Bodies", "no rigid body and no region", "did you mean 'arm'?"});
  refuses("    set Bodies = arm, wheel\n    set Point = 0, 0, 0\n",
          {"Joints/axle/Bodies", "2 copies", "wheel 1"});
  refuses("    set Bodies = arm, arm\n    set Point = 0, 0, 0\n",
          {"Joints/axle/Bodies", "the same body"});
  refuses("    set Bodies = arm\n", {"Joints/axle/Point", "a point x, y, z is needed here"});
  refuses(hinge + "    set Axis = 0, 0, 0\n", {"Joints/axle/Axis", "nonzero length"});
  refuses("    set Bodies = arm\n    set Point = 0, 0, 0\n    set Axis = 1, 0, 0\n",
          {"Joints/axle/Axis", "has no effect with Kind = ball"});
  refuses("    set Kind = universal\n    set Bodies = arm\n    set Point = 0, 0, 0\n",
          {"Joints/axle/Second axis", "nonzero length"});
  refuses("    set Kind = universal\n    set Bodies = arm\n    set Point = 0, 0, 0\n"
          "    set Second axis = 0, 0, 1\n",
          {"Joints/axle/Second axis", "parallel to Axis"});
  refuses(hinge + "    set Stiffness = 1\n",
          {"Joints/axle/Stiffness", "no effect with Kind = hinge"});
  refuses(hinge + "    set Motor torque = 1\n    set Motor angle = t\n",
          {"Joints/axle/Motor torque", "has a Motor angle already"});
  refuses(hinge + "    set Motor angle = 0.5 + t\n",
          {"Joints/axle/Motor angle", "0.5 at the start", "must begin with 0"});
  refuses(hinge + "    set Motor angle = t*x\n",
          {"Joints/axle/Motor angle", "the formula may depend on t only"});
  refuses(hinge + "    set Motor angle = t\n    set Torsion stiffness = 1\n",
          {"Joints/axle/Torsion stiffness", "no effect with Motor angle"});
  refuses(hinge + "    set Rest angle = 1\n",
          {"Joints/axle/Rest angle", "no effect with Torsion stiffness = 0"});
  refuses("    set Kind = spring\n    set Bodies = arm\n    set Point = 0, 0, 0\n"
          "    set Second point = 1, 0, 0\n",
          {"'Joints/axle'", "a spring without Stiffness or Damping has no effect"});
  refuses("    set Kind = distance\n    set Bodies = arm\n    set Point = 1, 0, 0\n"
          "    set Second point = 1, 0, 0\n",
          {"'Joints/axle'", "take Kind = ball"});
  refuses("    set Kind = hinge\n    set Bodies = arm\n    set Point = 0, 0, 0\n"
          "    set Torsion stiffness = -1\n",
          {"Joints/axle/Torsion stiffness"});
}

TEST_F(JointsInput, BoundsAreMadeOfTheirEntries) {
  const auto c = build("    set Kind = cylindrical\n    set Bodies = arm\n    set Point = 1, 0, 0\n"
                       "    set Lower angle = -1\n    set Upper displacement = 0.5\n"
                       "    set Restitution = 0.3\n    set Friction torque = 1 + t\n"
                       "    set Friction coefficient = 0.2\n    set Friction radius = 0.1\n");
  const LinkBounds &sliding = c.bodies->links.front().bounds,
                   &turning = c.bodies->links.front().rotation.bounds;
  EXPECT_EQ(turning.lower, -1.);
  EXPECT_FALSE(turning.upper);
  EXPECT_EQ(sliding.upper, 0.5);
  EXPECT_EQ(sliding.restitution, 0.3);
  EXPECT_FALSE(sliding.friction);
  EXPECT_EQ((*turning.friction)(2.), 3.);
  EXPECT_EQ(sliding.friction_per_force, 0.2);
  EXPECT_EQ(turning.friction_per_force, 0.2 * 0.1);
}

TEST_F(JointsInput, MistakesInBoundsAreTold) {
  const std::string hinge = "    set Kind = hinge\n    set Bodies = arm\n    set Point = 1, 0, 0\n",
                    rod = "    set Kind = distance\n    set Bodies = arm\n    set Point = 1, 0, 3\n"
                          "    set Second point = 1, 0, 1\n";
  refuses(hinge + "    set Lower angle = 1\n    set Upper angle = 0.5\n",
          {"case.prm:", "Joints/axle/Upper angle", "0.5", "must be larger than Lower angle = 1"});
  refuses(hinge + "    set Lower angle = 0.1\n",
          {"Joints/axle/Lower angle", "it is larger than the value at the start, 0"});
  refuses(rod + "    set Upper length = 1.5\n",
          {"Joints/axle/Upper length", "it is smaller than the value at the start, 2"});
  refuses(rod + "    set Lower length = -1\n", {"Joints/axle/Lower length", "-1"});
  refuses(rod + "    set Friction force = 1\n",
          {"Joints/axle/Friction force", "a distance without a Lower or Upper length is a rod"});
  refuses(hinge + "    set Upper angle = 1\n    set Restitution = 1.1\n",
          {"Joints/axle/Restitution", "1.1"});
  refuses(hinge + "    set Restitution = 0.5\n",
          {"Joints/axle/Restitution", "has no effect without a limit"});
  refuses(hinge + "    set Upper displacement = 1\n",
          {"Joints/axle/Upper displacement", "has no effect with Kind = hinge"});
  refuses(hinge + "    set Friction coefficient = 0.1\n",
          {"Joints/axle/Friction coefficient", "needs a Friction radius"});
  refuses(hinge + "    set Friction radius = 0.1\n",
          {"Joints/axle/Friction radius", "has no effect with Friction coefficient = 0"});
  refuses(hinge + "    set Friction torque = t - 0.5\n",
          {"Joints/axle/Friction torque", "it is -0.5 at t = 0; friction must not be negative"});
  refuses(hinge + "    set Motor angle = t\n    set Upper angle = 1\n",
          {"Joints/axle/Upper angle", "has no effect with a motor that prescribes the motion"});
}

TEST_F(JointsInput, RestitutionsAboveTheBoundOfThetaAreDoubted) {
  auto text = bodies +
              "subsection Joints\n  subsection axle\n    set Kind = hinge\n    set Bodies = "
              "arm\n    set Point = 1, 0, 0\n    set Upper angle = 1\n    set Restitution = "
              "0.9\n  end\nend\n" +
              rigid_runs::moving;
  text.replace(text.find("Theta = 0.5"), 11, "Theta = 0.6");
  write("case.prm", text);
  auto file = ParameterFile::read((folder / "case.prm").string());
  const auto c = build_case<3>(Parameters(declare_case(&file), file), file);
  EXPECT_TRUE(std::any_of(c.warnings.begin(), c.warnings.end(), [](const std::string &warning) {
    return warning.find("(1 - Theta)/Theta = 0.666667 at most") != std::string::npos;
  }));
}

/// A formula that becomes negative during the run ends it with the joint, the time and the value.
TEST_F(JointsInput, NegativeFrictionEndsTheRun) {
  cases_in_space::Stepped<3> run(
      build("    set Kind = hinge\n    set Bodies = arm\n    set Point = 1, 0, 0\n"
            "    set Friction torque = (t - 0.5)^2 - 0.1\n"));
  try {
    for (unsigned int k = 0; k < 1000; ++k)
      run.advance();
    FAIL();
  } catch (const RunError &error) {
    EXPECT_NE(std::string(error.what()).find("of joint 'axle' is -"), std::string::npos)
        << error.what();
  }
}

TEST_F(JointsInput, LinksAreOf2D) {
  write("case.prm", bodies + "subsection Links\n  subsection a\n    set First = arm\n  end\nend\n" +
                        rigid_runs::moving);
  expect_refusal(check_with({}), {"Links", "2D"});
}

TEST_F(JointsInput, VelocitiesThatAJointCannotKeepAreDoubted) {
  const std::string hinge = "    set Kind = hinge\n    set Bodies = arm\n    set Point = 0, 0, 0\n";
  const auto doubts = [](const Case<3> &c) {
    return std::any_of(c.warnings.begin(), c.warnings.end(), [](const auto &w) {
      return cases::has(w, "joint 'axle': its bodies begin with other velocities than it permits");
    });
  };
  EXPECT_FALSE(doubts(build(hinge)));
  EXPECT_FALSE(doubts(build(hinge + "    set Motor angle = t^2\n")));
  EXPECT_TRUE(doubts(build(hinge + "    set Motor angle = t\n")));
  EXPECT_TRUE(doubts(build(hinge + "    set Motor angular velocity = 2\n")));
}

/// Probes record the coordinate, the force and the moment of a joint; a resumed run has the same
/// rows.
TEST_F(JointsInput, ProbesRecordJoints) {
  write("case.prm", bodies + R"(subsection Joints
  subsection wall
    set Kind = hinge
    set Bodies = arm
    set Point = 0, 0, 0
    set Axis = 0, 1, 0
    set Torsion stiffness = 40
  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -10
end
subsection Probes
  subsection turn
    set Kind = coordinate
    set Joint = wall
  end
  subsection reaction
    set Kind = force
    set Joint = wall
  end
  subsection torque
    set Kind = moment
    set Joint = wall
  end
end
)" + rigid_runs::moving);
  const auto outcome = start("percussion", {"case.prm", "--set", "Time/End=0.01"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_TRUE(cases::has(outcome.out, "'wall': hinge, torsion stiffness 40")) << outcome.out;
  std::ifstream file((folder / "output" / "case" / "probes.csv").string());
  std::string line, last, header;
  while (std::getline(file, line)) {
    if (cases::has(line, "step,time"))
      header = line;
    last = line;
  }
  EXPECT_EQ(header, "step,time,turn.angle,reaction.force_x,reaction.force_y,reaction.force_z,"
                    "torque.moment_x,torque.moment_y,torque.moment_z");
  std::vector<double> values;
  std::istringstream row(last);
  while (std::getline(row, line, ','))
    values.push_back(std::stod(line));
  ASSERT_EQ(values.size(), 9u);
  // α = m g l / (m l² + J) about the hinge
  const double alpha = 20. / (2. + 2. / 6.), angle = 0.5 * alpha * 1e-4;
  EXPECT_NEAR(values[2], angle, 2e-3 * angle);
  // In the middle of the last step the spring takes a part of the acceleration.
  const double by_spring = 40. / (2. + 2. / 6.) * 0.5 * alpha * 9.5e-3 * 9.5e-3;
  EXPECT_NEAR(values[5], 2. * (10. - alpha + by_spring), 1e-3);
  EXPECT_NEAR(values[7], -40. * values[2], 0.02);
  EXPECT_NEAR(values[6], 0., 1e-12);
}

// ---- inertia ----

TEST_F(JointsInput, InertiaIsATensorAboutACentre) {
  const std::string head = "subsection Rigid bodies\n  subsection arm\n    set Mass = 2\n"
                           "    set Shape = box\n    set Size = 0.4, 0.2, 0.3\n"
                           "    set Position = 1, 2, 3\n",
                    tail = "  end\nend\n" + rigid_runs::moving;
  write("case.prm", head +
                        "    set Axis = 0, 0, 1\n    set Angle = 1.5707963267948966\n"
                        "    set Inertia = 0.4, 0.5, 0.6, 0.1, 0.02, 0.03\n"
                        "    set Centre = 0.1, 0.2, 0.3\n" +
                        tail);
  auto file = ParameterFile::read((folder / "case.prm").string());
  const auto c = build_case<3>(Parameters(declare_case(&file), file), file);
  const auto &body = c.bodies->rigid.front();
  EXPECT_EQ(body.centre, dealii::Point<3>(1., 2., 3.));
  EXPECT_NEAR(body.inertia[0][0], 0.5, 1e-15);
  EXPECT_NEAR(body.inertia[1][1], 0.4, 1e-15);
  EXPECT_NEAR(body.inertia[0][1], -0.1, 1e-15);
  EXPECT_NEAR(body.inertia[0][2], -0.03, 1e-15);
  EXPECT_NEAR(body.inertia[1][2], 0.02, 1e-15);
  dealii::Point<3> middle;
  for (const auto &x : body.outline)
    middle += 0.125 * x;
  EXPECT_NEAR(middle.distance({1. + 0.2, 2. - 0.1, 3. - 0.3}), 0., 1e-14);
  const auto refuse = [&](const std::string &entries, const std::vector<std::string> &words) {
    write("case.prm", head + entries + tail);
    expect_refusal(check_with({}), words);
  };
  refuse("    set Centre = 0.1, 0, 0\n", {"Rigid bodies/arm/Centre", "give its Inertia, too"});
  refuse("    set Inertia = 1, 1, 3, 0, 0, 0\n",
         {"Rigid bodies/arm/Inertia", "3, 1 and 1", "at most the sum of the others"});
  refuse("    set Inertia = 1, 1, -1, 0, 0, 0\n", {"Rigid bodies/arm/Inertia", "positive"});
  refuse("    set Inertia = 1, 1, 1\n", {"Rigid bodies/arm/Inertia"});
}

} // namespace joints_in_space
