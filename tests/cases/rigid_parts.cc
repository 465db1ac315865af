// Rigid bodies of several components, forces on them, bodies that appear, and surface meshes.

#include "cases/rigid_runs.h"

namespace rigid_runs {

/// An angle of two rectangles has the mass, centre and moment of inertia of the polygon, and
/// separate contacts.
TEST(Parts, MakeBodiesThatAreNotConvex) {
  const std::string polygon = R"(subsection Rigid bodies
  subsection angle
    set Shape = polygon
    set Vertices = 0, 0; 3, 0; 3, 1; 1, 1; 1, 4; 0, 4
    set Density = 3
  end
end
)";
  const std::string parts = R"(subsection Rigid bodies
  subsection upright
    set Height = 3
    set Density = 3
    set Position = 0.5, 2.5
    set Part of = angle
  end
  subsection angle
    set Width = 3
    set Density = 3
    set Position = 1.5, 0.5
  end
  subsection guest
    set Mass = 1
    set Position = 2, 2.5
    set Initial velocity = 0, -1
  end
end
subsection Contact
  subsection all
    set Bodies = all
    set Surface = rigid bodies
    set Against = all
  end
  subsection ground
    set Bodies = angle
    set Friction coefficient = 0.5
  end
end
subsection Boundary conditions
  set Gravity = 0, -10
end
)";
  const auto one = stepped<2>(moving + polygon);
  auto welded = stepped<2>(moving + parts);
  const RigidBody<2> &expected = one.c.bodies->rigid[0], &angle = welded.c.bodies->rigid[0];
  ASSERT_EQ(welded.c.bodies->rigid.size(), 2u);
  EXPECT_NEAR(angle.mass, expected.mass, 1e-14 * expected.mass);
  EXPECT_LT(angle.centre.distance(expected.centre), 1e-14);
  EXPECT_NEAR(angle.inertia, expected.inertia, 1e-14 * expected.inertia);
  // The second body falls into the angle, which is outside of its components but inside of its
  // hull.
  for (unsigned int k = 0; k < 1000; ++k)
    ASSERT_LT(std::abs(welded.advance().balance_residual), 1e-12);
  const double way = 1e-3 * std::sqrt(21.); // displacement in a step, 1.5 of which it may penetrate
  EXPECT_NEAR(displacement(welded, 1)[1], -1 - 0.75 * way, 0.75 * way + 1e-9);
  EXPECT_LT(largest_velocity(welded), 1e-10);
  EXPECT_LT(std::abs(displacement(welded, 0)[1]), 1e-12);
}

TEST(Parts, MakeBodiesInSpaceToo) {
  const std::string box = R"(subsection Rigid bodies
  subsection beam
    set Shape = box
    set Size = 4, 1, 1
    set Density = 2
  end
end
)";
  const std::string parts = R"(subsection Rigid bodies
  subsection beam
    set Shape = box
    set Density = 2
    set Position = -1.5, 0, 0
  end
  subsection rest
    set Shape = box
    set Density = 2
    set Position = -0.5, 0, 0
    set Copies = 3
    set Offset = 1, 0, 0
    set Part of = beam
  end
end
)";
  const auto one = stepped<3>(moving + box), welded = stepped<3>(moving + parts);
  const RigidBody<3> &expected = one.c.bodies->rigid[0], &beam = welded.c.bodies->rigid[0];
  ASSERT_EQ(welded.c.bodies->rigid.size(), 1u);
  EXPECT_EQ(beam.shapes.size(), 4u);
  EXPECT_NEAR(beam.mass, expected.mass, 1e-14);
  EXPECT_LT(beam.centre.norm(), 1e-14);
  EXPECT_LT((beam.inertia - expected.inertia).norm(), 1e-13);
}

/// Forces, moments and gravity change momenta by their impulses, by the trapezoidal rule at θ =
/// 1/2, and the energy by their work.
TEST(Forces, ChangeMomentaAndEnergy) {
  auto plane = stepped<2>(moving + R"(subsection Rigid bodies
  subsection body
    set Width = 2
    set Mass = 3
    set Force x = 6*t
    set Moment = 2
  end
end
subsection Boundary conditions
  set Gravity = 0, if(t < 2, -3*t, 0)
end
)");
  const double inertia = 3 * 5. / 12;
  double work = 0;
  for (unsigned int k = 0; k < 1000; ++k) {
    const auto &record = plane.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-14);
    work += record.works.external;
  }
  EXPECT_NEAR(velocity(plane, 0)[0], 1, 1e-12);
  EXPECT_NEAR(velocity(plane, 0)[1], -1.5, 1e-12);
  EXPECT_NEAR(velocity(plane, 0)[2], 2 / inertia, 1e-12);
  EXPECT_NEAR(work, plane.state.energy(), 1e-12);
  auto space = stepped<3>(moving + R"(subsection Rigid bodies
  subsection body
    set Shape = box
    set Size = 1, 2, 3
    set Mass = 6
    set Force z = 12*t
    set Moment y = 5*t
  end
end
)");
  work = 0;
  for (unsigned int k = 0; k < 1000; ++k) {
    const auto &record = space.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-14);
    work += record.works.external;
  }
  EXPECT_NEAR(velocity(space, 0)[2], 1, 1e-12);
  EXPECT_NEAR(velocity(space, 0)[4], 0.5, 1e-12); // I = 6 (1 + 9)/12
  EXPECT_NEAR(work, space.state.energy(), 1e-12);
}

/// A body that appears adds its energy as work. Before, other bodies pass through its position.
TEST(Appearance, AddsItsEnergy) {
  auto run = stepped<2>(moving + R"(subsection Rigid bodies
  subsection first
    set Mass = 1
    set Position = -1, 1
    set Initial velocity = 20, 0
  end
  subsection late
    set Mass = 2
    set Position = 0, 1
    set Initial velocity = 3, 4
    set Initial angular velocity = 6
    set Appears = 0.2999
  end
end
subsection Boundary conditions
  set Gravity = 0, -9.81
end
subsection Contact
  subsection bodies
    set Bodies = all
    set Surface = rigid bodies
    set Against = all
  end
  subsection ground
    set Bodies = late
    set Restitution = 0.5
  end
end
)");
  const double energy = 0.5 * 2 * 25 + 0.5 * 2. / 6 * 36;
  double work = 0;
  const double begun = run.state.energy();
  for (unsigned int k = 0; k < 300; ++k) {
    const auto &record = run.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-12);
    ASSERT_TRUE(record.contacts.empty());
    work += record.works.external;
  }
  EXPECT_EQ(velocity(run, 0)[0], 20);
  for (unsigned int d = 0; d < 3; ++d) {
    EXPECT_EQ(velocity(run, 1)[d], 0);
    EXPECT_EQ(displacement(run, 1)[d], 0);
  }
  EXPECT_NEAR(run.state.energy() - begun, work, 1e-10);
  const double before = run.state.energy(),
               first_work = run.c.bodies->rigid[0].mass * -9.81 * velocity(run, 0)[1] * 1e-3;
  const auto &record = run.advance();
  ASSERT_LT(std::abs(record.balance_residual), 1e-12);
  EXPECT_NEAR(record.works.external, energy + first_work + 2 * -9.81 * 4 * 1e-3, 1e-3);
  EXPECT_NEAR(run.state.energy() - before, record.works.external, 1e-12);
  EXPECT_NEAR(velocity(run, 1)[1], 4 - 9.81e-3, 1e-13);
  for (unsigned int k = 0; k < 99; ++k)
    run.advance();
  EXPECT_NEAR(displacement(run, 1)[0], 0.3, 1e-12);
  EXPECT_NEAR(displacement(run, 1)[1], 0.4 - 0.5 * 9.81 * 0.01, 1e-12);
  unsigned int n_contacts = 0; // contacts with the ground
  for (unsigned int k = 0; k < 1000; ++k) {
    const auto &step_record = run.advance();
    ASSERT_LT(std::abs(step_record.balance_residual), 1e-11);
    n_contacts += static_cast<unsigned int>(step_record.contacts.size());
  }
  EXPECT_GT(n_contacts, 0u);
}

/// A body appears in 3D with its spin.
TEST(Appearance, InSpace) {
  auto run = stepped<3>(moving + R"(subsection Rigid bodies
  subsection late
    set Shape = box
    set Size = 1, 2, 3
    set Mass = 2
    set Initial velocity = 3, 4, 0
    set Initial angular velocity = 1, 6, 2
    set Appears = 0.01
  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -9.81
end
)");
  double work = 0;
  for (unsigned int k = 0; k < 100; ++k) {
    const auto &record = run.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-13);
    work += record.works.external;
    if (k == 9) {
      EXPECT_EQ(run.state.energy(), 0);
    }
  }
  EXPECT_NEAR(work, run.state.energy(), 1e-11);
  EXPECT_NEAR(velocity(run, 0)[2], -9.81 * 0.09, 1e-12);
  EXPECT_NEAR(displacement(run, 0)[1], 4 * 0.09, 1e-12);
}

class MoreBadInput : public cases::CaseFolder {
protected:
  Stepped<3> solid(const std::string &mesh) const {
    write("solid.prm", "subsection Rigid bodies\n subsection solid\n  set Shape = polyhedron\n"
                       "  set Density = 2\n  set Surface mesh = " +
                           mesh + "\n end\nend\n" + moving);
    return Stepped<3>(
        cases_in_space::build<3>(ParameterFile::read((folder / "solid.prm").string())));
  }
};

/// A pyramid from a file: with polygons, with triangles of inward orientation, without a face.
TEST_F(MoreBadInput, SurfaceMeshes) {
  const std::string vertices = "# pyramid\nv 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nv 0 0 4\n",
                    sides = "f 1//2 2 5\nf 2 3 5\nf 3 4 5\nf -2 -5 -1\n";
  write("pyramid.obj", vertices + "f 4 3 2 1\n" + sides);
  write("open.obj", vertices + sides);
  const std::vector<std::array<int, 3>> corners = {
      {0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {0, 0, 4}};
  std::string stl = "solid pyramid\n";
  for (const auto &face : std::vector<std::array<std::size_t, 3>>{
           {0, 1, 2}, {0, 2, 3}, {0, 4, 1}, {1, 4, 2}, {2, 4, 3}, {3, 4, 0}}) {
    stl += "facet normal 0 0 0\n outer loop\n";
    for (const std::size_t v : face)
      stl += "vertex " + std::to_string(corners[v][0]) + " " + std::to_string(corners[v][1]) + " " +
             std::to_string(corners[v][2]) + "\n";
    stl += " endloop\nendfacet\n";
  }
  write("pyramid.stl", stl + "endsolid\n");
  for (const std::string file : {"pyramid.obj", "pyramid.stl"}) {
    const Stepped<3> run = solid(file);
    const RigidBody<3> &body = run.c.bodies->rigid[0];
    EXPECT_NEAR(body.mass, 2 * 12, 1e-13) << file;
    EXPECT_LT(body.centre.distance({1.125, 1.125, 1}), 1e-14) << file;
    EXPECT_EQ(body.shapes[0].faces.size(), 5u) << file;
  }
  for (const auto &[file, message] : std::vector<std::pair<std::string, std::string>>{
           {"open.obj", "the surface bounds no solid: the edge between the vertices"},
           {"pyramid.prm", "the name of a surface file must end in .obj or .stl"},
           {"pyramyd.obj", "there is no file"}}) {
    try {
      solid(file);
      ADD_FAILURE() << file;
    } catch (const InputError &error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

TEST_F(MoreBadInput, OfRigidBodies) {
  const std::string text = R"(subsection Rigid bodies
  subsection wheel
    set Shape = disc
    set Mass = 1
    set Copies = 2
    set Offset = 3, 0
  end
  subsection arm
    set Mass = 1
    set Part of = wheel 1
  end
end
)" + moving;
  write("rigid.prm", text);
  const auto check = [&](const std::vector<std::string> &assignments) {
    std::vector<std::string> arguments = {"rigid.prm", "--validate"};
    for (const auto &assignment : assignments)
      arguments.insert(arguments.end(), {"--set", assignment});
    return start("percussion", arguments);
  };
  const std::string arm = "Rigid bodies/arm/", wheel = "Rigid bodies/wheel/";
  EXPECT_EQ(check({}).status, 0);
  using Texts = std::vector<std::string>;
  const std::vector<std::pair<Texts, Texts>> refused = {
      {{arm + "Part of=wheal", arm + "Initial velocity=1, 0", arm + "Moment=1", arm + "Turn=1",
        arm + "Radius=2", wheel + "Turn centre=1, 0", wheel + "Contact points=1, 0",
        wheel + "Force x=x", "Boundary conditions/Gravity=0, -t*x"},
       {"there is no rigid body 'wheal'",
        "Initial velocity' is '1, 0': this has no effect on a part",
        "Moment' is '1': this has no effect on a part of another body",
        "Turn' is '1': this has no effect with Copies = 1",
        "Radius' is '2': this has no effect with Shape = rectangle",
        "Turn centre' is '1, 0': this has no effect with Turn = 0",
        "Contact points' is '1, 0': this has no effect with Shape = disc",
        "Force x' is 'x': this acts on the body as a whole: the formula may depend on t only",
        "gravity is the same everywhere: it may depend on t only"}},
      {{arm + "Part of=wheel", wheel + "Force x=1/t", "Boundary conditions/Gravity=0, sin(t"},
       {"'wheel' has copies, and this part would belong to all copies: name one copy, 'wheel 1'",
        "Force x' is '1/t': not a finite number at t = 0",
        "'Boundary conditions/Gravity' is '0, sin("}},
      {{arm + "Part of=arm", wheel + "Appears=0.5", wheel + "Rotation=t"},
       {"no body is a part of itself",
        "a body whose motion is prescribed must be present from the start"}},
      {{wheel + "Appears=soon", "Boundary conditions/Gravity=0, t, 0"},
       {"Appears' is 'soon': allowed is a number, or nothing",
        "Gravity' is '0, t, 0': allowed is 2 values separated by ','"}}};
  for (const auto &[assignments, messages] : refused) {
    const auto outcome = check(assignments);
    EXPECT_EQ(outcome.status, 2) << assignments.front();
    for (const auto &message : messages)
      EXPECT_NE(outcome.error.find(message), std::string::npos) << message << '\n' << outcome.error;
  }
}

} // namespace rigid_runs
