// Rigid bodies in the plane and in space: copies that turn, discs, parts, forces and bodies that
// appear.

#include "cases/stepped.h"
#include "cases/support.h"
#include <algorithm>
#include <cmath>
#include <filesystem>

namespace rigid_more {

using namespace percussion;
using cases_in_space::Assignments;
using cases_in_space::Stepped;

/// A case by its text.
template <int dim>
Stepped<dim> stepped(const std::string &text, const Assignments &assignments = {}) {
  const auto *test = testing::UnitTest::GetInstance()->current_test_info();
  const auto name = std::filesystem::path(testing::TempDir()) /
                    ("percussion_" + std::string(test->name()) + ".prm");
  std::ofstream(name) << text;
  auto file = ParameterFile::read(name.string());
  std::filesystem::remove(name);
  return Stepped<dim>(cases_in_space::build<dim>(std::move(file), assignments));
}

template <int dim>
const double *velocity(const Stepped<dim> &run, unsigned int body) {
  return entries(run.state.v) + run.c.bodies->rigid_dof(body);
}
template <int dim>
const double *displacement(const Stepped<dim> &run, unsigned int body) {
  return entries(run.state.q) + run.c.bodies->rigid_dof(body);
}

/// The largest velocity of a centre.
template <int dim>
double largest_velocity(const Stepped<dim> &run) {
  double largest = 0;
  for (unsigned int b = 0; b < run.c.bodies->rigid.size(); ++b)
    for (unsigned int d = 0; d < dim; ++d)
      largest = std::max(largest, std::abs(velocity(run, b)[d]));
  return largest;
}

Stepped<2> arch(const std::string &thickness) {
  auto file = ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/arch.prm");
  return Stepped<2>(
      cases_in_space::build<2>(std::move(file), {"Constants/thickness=" + thickness}));
}

/// By limit analysis it needs 0.1067209 (tests/dynamics/masonry.cc).
TEST(Arch, FallsAtTheThicknessOfLimitAnalysis) {
  auto stands = arch("0.106722"), falls = arch("0.106720");
  for (unsigned int k = 0; k < 10; ++k) {
    EXPECT_EQ(stands.advance().contacts.size(), 2u * 28);
    EXPECT_LT(largest_velocity(stands), 1e-11) << k;
    falls.advance();
  }
  EXPECT_GT(largest_velocity(falls), 1e-8);
}

TEST(Arch, StandsAsShipped) {
  auto shipped = arch("0.107");
  for (unsigned int k = 0; k < 200; ++k) {
    shipped.advance();
    ASSERT_LT(largest_velocity(shipped), 1e-9) << k;
  }
}

/// Of the same voussoirs in space, three arches deep.
TEST(Arch, StandsInSpace) {
  const std::string text = R"(subsection Constants
  set inner = 1 - thickness/2
  set outer = 1 + thickness/2
  set joint = pi/27
end
subsection Rigid bodies
  subsection voussoirs
    set Shape = polyhedron
    set Vertices = inner, 0, 0; outer, 0, 0; outer*cos(joint), 0, outer*sin(joint); \
                   inner*cos(joint), 0, inner*sin(joint); inner, 1, 0; outer, 1, 0; \
                   outer*cos(joint), 1, outer*sin(joint); inner*cos(joint), 1, inner*sin(joint)
    set Density = 2000
    set Copies = 27
    set Turn = -joint
    set Turn axis = 0, 2, 0
    set Courses = 3
    set Course offset = 0, 1.5, 0
  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -9.81
end
subsection Contact
  set Gap tolerance = 1e-9
  subsection ground
    set Bodies = all
    set Surface = half-space
    set Friction coefficient = 0.5
  end
  subsection joints
    set Bodies = all
    set Surface = rigid bodies
    set Against = all
    set Friction coefficient = 0.5
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set Step = 1e-3
  set End = 0.01
  set Theta = 0.5
end
)";
  auto stands = stepped<3>("subsection Constants\n set thickness = 0.106821\nend\n" + text),
       falls = stepped<3>("subsection Constants\n set thickness = 0.106621\nend\n" + text);
  for (unsigned int k = 0; k < 3; ++k) {
    EXPECT_EQ(stands.advance().contacts.size(), 3 * 4u * 28);
    EXPECT_LT(largest_velocity(stands), 1e-8) << k;
    falls.advance();
  }
  EXPECT_GT(largest_velocity(falls), 1e-5 * 9.81 * falls.state.time);
  // A copy is the first turned as a whole, mass properties too.
  const auto &bodies = stands.c.bodies->rigid;
  const RigidBody<3> anew = solid_body("voussoir", 2000, bodies[5].shapes);
  EXPECT_NEAR(bodies[5].mass, anew.mass, 1e-12 * anew.mass);
  EXPECT_LT(bodies[5].centre.distance(anew.centre), 1e-14);
  EXPECT_LT((bodies[5].inertia - anew.inertia).norm(), 1e-13 * anew.inertia.norm());
}

const std::string moving = R"(subsection Time
  set Scheme = moreau-jean-fremond
  set Step = 1e-3
  set End = 1
  set Theta = 0.5
end
)";

/// A disc on an incline rolls with 2/3 g sin α, or slides where friction is too small for it.
TEST(Discs, RollDownAnIncline) {
  const double alpha = 0.4, g = 9.81, r = 0.3;
  for (const double mu : {0.5, 0.05}) {
    auto run = stepped<2>(moving + R"(subsection Constants
  set alpha = 0.4
end
subsection Rigid bodies
  subsection disc
    set Shape = disc
    set Radius = 0.3
    set Density = 7
    set Position = 0, 0.3
  end
end
subsection Boundary conditions
  set Gravity = 9.81*sin(alpha), -9.81*cos(alpha)
end
subsection Contact
  subsection ground
    set Bodies = disc
    set Friction coefficient = 0.5
  end
end
)",
                          {"Contact/ground/Friction coefficient=" + std::to_string(mu)});
    const auto &disc = run.c.bodies->rigid[0];
    const double m = 7 * std::acos(-1.) * r * r;
    EXPECT_NEAR(disc.mass, m, 1e-14);
    EXPECT_NEAR(disc.inertia, 0.5 * m * r * r, 1e-14);
    for (unsigned int k = 0; k < 1000; ++k) {
      const auto &record = run.advance();
      ASSERT_EQ(record.contacts.size(), 1u);
      ASSERT_LT(std::abs(record.balance_residual), 1e-12);
    }
    const bool rolls = mu == 0.5;
    const double a =
        rolls ? 2. / 3 * g * std::sin(alpha) : g * (std::sin(alpha) - mu * std::cos(alpha));
    EXPECT_NEAR(velocity(run, 0)[0], a, 1e-10) << mu;
    EXPECT_NEAR(displacement(run, 0)[0], 0.5 * a, 1e-10) << mu;
    EXPECT_NEAR(velocity(run, 0)[2], rolls ? -a / r : -2 * mu * g * std::cos(alpha) / r, 1e-9);
    EXPECT_NEAR(displacement(run, 0)[1], 0, 1e-12);
  }
}

/// Two discs and a box: central impacts with e = 1 exchange what they have to; the ledger closes
/// when friction acts on discs that pass a corner.
TEST(Discs, TouchDiscsAndPolygons) {
  const std::string bodies = R"(subsection Rigid bodies
  subsection ball
    set Shape = disc
    set Radius = 0.5
    set Mass = 2
    set Initial velocity = 3, 0
  end
  subsection other
    set Shape = disc
    set Radius = 0.25
    set Mass = 1
    set Position = 1, 0
  end
  subsection box
    set Mass = 1e6
    set Position = 2.1, 0
    set Height = 0.2
  end
end
subsection Contact
  subsection all
    set Bodies = all
    set Surface = rigid bodies
    set Against = all
    set Restitution = 1
  end
end
)";
  auto run = stepped<2>(moving + bodies);
  for (unsigned int k = 0; k < 130; ++k)
    ASSERT_LT(std::abs(run.advance().balance_residual), 1e-13);
  // 2 (v − 3) + w = 0, w − v = 3
  EXPECT_NEAR(velocity(run, 0)[0], 1, 1e-12);
  EXPECT_NEAR(velocity(run, 1)[0], 4, 1e-12);
  for (unsigned int k = 0; k < 60; ++k)
    ASSERT_LT(std::abs(run.advance().balance_residual), 1e-12);
  EXPECT_NEAR(velocity(run, 1)[0], -4, 1e-4); // from the box
  auto corner = stepped<2>(
      moving + bodies, {"Rigid bodies/ball/Position=0, 0.3", "Contact/all/Friction coefficient=0.4",
                        "Rigid bodies/other/Position=0, -5", "Rigid bodies/box/Position=2, -0.2"});
  double worst = 0, deepest = 0;
  unsigned int n_contacts = 0;
  for (unsigned int k = 0; k < 1000; ++k) {
    const auto &record = corner.advance();
    worst = std::max(worst, std::abs(record.balance_residual));
    deepest = std::max(deepest, record.penetration_max);
    n_contacts += static_cast<unsigned int>(record.contacts.size());
  }
  EXPECT_LT(worst, 1e-12 * 9);
  EXPECT_LT(deepest, 3.1e-3); // a step of the ball
  EXPECT_GT(n_contacts, 0u);
  EXPECT_GT(std::abs(velocity(corner, 0)[2]), 0.1);
}

/// A disc that falls on a corner leaves it along the line through its centre.
TEST(Discs, BounceOffCorners) {
  for (const double offset : {0.1, 0.3}) {
    auto run = stepped<2>(moving + R"(subsection Rigid bodies
  subsection ball
    set Shape = disc
    set Radius = 0.5
    set Mass = 2
    set Position = 0.1, 0.51
    set Initial velocity = 0, -1
  end
  subsection box
    set Mass = 1
    set Position = -0.5, -0.5
    set Displacement x = 0
    set Displacement y = 0
    set Rotation = 0
  end
end
subsection Contact
  subsection all
    set Bodies = ball
    set Surface = rigid bodies
    set Against = box
    set Restitution = 1
  end
end
)",
                          {"Rigid bodies/ball/Position=" + std::to_string(offset) + ", 0.51"});
    for (unsigned int k = 0; k < 200; ++k)
      ASSERT_LT(std::abs(run.advance().balance_residual), 1e-14);
    // The normal has the sine offset / 0.5.
    const double s = offset / 0.5, c2 = 1 - 2 * s * s;
    EXPECT_NEAR(velocity(run, 0)[0], 2 * s * std::sqrt(1 - s * s), 5e-3);
    EXPECT_NEAR(velocity(run, 0)[1], c2, 5e-3);
    EXPECT_NEAR(std::hypot(velocity(run, 0)[0], velocity(run, 0)[1]), 1, 1e-12);
    EXPECT_NEAR(velocity(run, 0)[2], 0, 1e-13);
  }
}

/// An angle of two rectangles has mass, centre and moment of the polygon, and its own contacts.
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
  // The guest falls into the angle, where the hull of it would not let it go.
  for (unsigned int k = 0; k < 1000; ++k)
    ASSERT_LT(std::abs(welded.advance().balance_residual), 1e-12);
  const double way = 1e-3 * std::sqrt(21.); // of a step, 1.5 of which it may sink in
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

/// Forces, moments and gravity change momenta by their impulses, by the trapezoidal rule at
/// θ = 1/2, and the energy by their work.
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

/// A body that appears adds its energy as work. Before it is not in the way.
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
               of_first = run.c.bodies->rigid[0].mass * -9.81 * velocity(run, 0)[1] * 1e-3;
  const auto &record = run.advance();
  ASSERT_LT(std::abs(record.balance_residual), 1e-12);
  EXPECT_NEAR(record.works.external, energy + of_first + 2 * -9.81 * 4 * 1e-3, 1e-3);
  EXPECT_NEAR(run.state.energy() - before, record.works.external, 1e-12);
  EXPECT_NEAR(velocity(run, 1)[1], 4 - 9.81e-3, 1e-13);
  for (unsigned int k = 0; k < 99; ++k)
    run.advance();
  EXPECT_NEAR(displacement(run, 1)[0], 0.3, 1e-12);
  EXPECT_NEAR(displacement(run, 1)[1], 0.4 - 0.5 * 9.81 * 0.01, 1e-12);
  unsigned int n_contacts = 0; // the ground
  for (unsigned int k = 0; k < 1000; ++k) {
    const auto &of_step = run.advance();
    ASSERT_LT(std::abs(of_step.balance_residual), 1e-11);
    n_contacts += static_cast<unsigned int>(of_step.contacts.size());
  }
  EXPECT_GT(n_contacts, 0u);
}

/// In space too, with its spin.
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

/// A pyramid from a file: with polygons, of triangles from inside, without a face.
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
           {"pyramid.prm", "the name of a surface ends in .obj or .stl"},
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
  EXPECT_EQ(check({}).status, 0) << check({}).error;
  const std::vector<std::pair<std::string, std::string>> refused = {
      {arm + "Part of=wheal", "there is no rigid body 'wheal'"},
      {arm + "Part of=wheel", "'wheel' has copies, and this part would belong to all of them: name "
                              "one, 'wheel 1'"},
      {arm + "Part of=arm", "no body is a part of itself"},
      {arm + "Initial velocity=1, 0", "this has no effect on a part of another body"},
      {arm + "Moment=1", "this has no effect on a part of another body"},
      {arm + "Turn=1", "this has no effect with Copies = 1"},
      {arm + "Radius=2", "this has no effect with Shape = rectangle"},
      {wheel + "Turn centre=1, 0", "this has no effect with Turn = 0"},
      {wheel + "Contact points=1, 0", "this has no effect with Shape = disc"},
      {wheel + "Force x=x", "the formula may depend on t only"},
      {wheel + "Force x=1/t", "not a finite number at t = 0"},
      {wheel + "Appears=soon", "allowed is a number, or nothing"},
      {"Boundary conditions/Gravity=0, -t*x", "it may depend on t only"},
      {"Boundary conditions/Gravity=0, t, 0", "allowed is 2 values separated by ','"},
      {"Boundary conditions/Gravity=0, sin(t", "Boundary conditions/Gravity"}};
  for (const auto &[assignment, message] : refused) {
    const auto outcome = check({assignment});
    EXPECT_EQ(outcome.status, 2) << assignment;
    EXPECT_NE(outcome.error.find(message), std::string::npos) << assignment << '\n'
                                                              << outcome.error;
  }
  const auto held = check({wheel + "Appears=0.5", wheel + "Rotation=t"});
  EXPECT_NE(held.error.find("a body whose motion is prescribed is there from the start"),
            std::string::npos)
      << held.error;
}

} // namespace rigid_more
