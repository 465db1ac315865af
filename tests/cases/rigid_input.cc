// Rigid bodies made from input: masses, positions, motions and candidate contacts.

#include <percussion/case/case.h>

#include "cases/support.h"
#include <algorithm>
#include <cmath>
#include <string_view>

namespace {

using namespace percussion;
using cases::has;

class RigidInput : public cases::CaseFolder {
protected:
  Case<2> build(const std::string &text, const std::vector<std::string> &assignments = {}) const {
    write("rigid.prm", text);
    auto file = ParameterFile::read((folder / "rigid.prm").string());
    for (const auto &assignment : assignments)
      file.override_with(assignment);
    return build_case<2>(Parameters(declare_case(&file), file), file);
  }

  static const RigidBody<2> &body(const Case<2> &c, std::string_view name) {
    for (const RigidBody<2> &body : c.bodies->rigid)
      if (body.name == name)
        return body;
    ADD_FAILURE() << "no body '" << name << "'";
    return c.bodies->rigid.front();
  }

  static unsigned int dof(const Case<2> &c, const std::string &name) {
    return c.bodies->rigid_dof(static_cast<std::size_t>(&body(c, name) - c.bodies->rigid.data()));
  }

  static std::size_t n_points(const Case<2> &c, const std::string &contact) {
    std::size_t n = 0;
    for (unsigned int pair = 0; pair < c.boundary->pairs.size(); ++pair)
      if (c.boundary->pairs[pair].name == contact)
        n += c.boundary->n_points(pair);
    return n;
  }

  static bool warns(const Case<2> &c, const std::string &words) {
    return std::any_of(c.warnings.begin(), c.warnings.end(),
                       [&](const std::string &warning) { return has(warning, words); });
  }

  /// Bodies of all shapes above the unit square of block.msh; no contact is closed at the start.
  static constexpr const char *bodies = R"(subsection Rigid bodies
  subsection plate
    set Width = 2
    set Height = 1
    set Density = 3
    set Thickness = 0.5
    set Position = 0.5, 3
    set Angle = 1.5707963267948966
    set Contact points = -1, 0; 1, 0.25
    set Initial velocity = 1, -2
    set Initial angular velocity = 0.5
  end
  subsection wedge
    set Shape = polygon
    set Vertices = 5, 5; 5, 8; 8, 5     # clockwise
    set Density = 2
  end
  subsection pole
    set Shape = stick
    set Length = 4
    set Mass = 3
    set Moment of inertia = 7
    set Position = -4, 3
    set Displacement x = 0.1*t
    set Rotation = 0.2*t^2
    set Initial velocity = 0, 0.25
  end
  subsection brick
    set Mass = 1
    set Position = 10, 0.5
    set Copies = 3
    set Offset = 0, 1
    set Velocity x = 2
  end
end
subsection Time
  set End = 0.02
  set Step = 1e-3
end
)";

  static constexpr const char *floor = R"(subsection Contact
  subsection floor
    set Bodies = plate
    set Point  = 0, -1
  end
end
)";

  static constexpr const char *block = R"(subsection Mesh
  set File = block.msh
end
subsection Material
  set Young modulus = 100
end
subsection Initial state
  set Velocity y = -3
end
subsection Material
  set Density = 1
end
)";

  static constexpr const char *contacts = R"(subsection Contact
  subsection roof
    set Region  = top
    set Surface = rigid bodies
    set Against = plate, brick 2
  end
  subsection ground
    set Bodies = brick, plate
    set Point  = 0, -1
  end
  subsection pile
    set Bodies  = brick
    set Surface = rigid bodies
    set Friction coefficient = 0.5
  end
end
)";
};

void expect_near(const dealii::Point<2> &x, double x0, double x1) {
  EXPECT_NEAR(x[0], x0, 1e-14);
  EXPECT_NEAR(x[1], x1, 1e-14);
}

TEST_F(RigidInput, MassesFollowFromShapes) {
  const auto c = build(std::string(bodies) + floor);
  ASSERT_EQ(c.bodies->rigid.size(), 6u);
  EXPECT_FALSE(!c.meshes.empty() || !c.bodies->elastic.empty());
  EXPECT_EQ(c.bodies->n_dofs(), 18u);
  const RigidBody<2> &plate = body(c, "plate"), &wedge = body(c, "wedge"), &pole = body(c, "pole");
  EXPECT_DOUBLE_EQ(plate.mass, 3 * 2 * 0.5); // density, area, thickness
  EXPECT_DOUBLE_EQ(plate.inertia, plate.mass * (2 * 2 + 1 * 1) / 12);
  EXPECT_DOUBLE_EQ(wedge.mass, 2 * 4.5);
  EXPECT_NEAR(wedge.inertia, wedge.mass * 2 * 3 * 3 / 18, 1e-13);
  EXPECT_EQ(pole.mass, 3);
  EXPECT_EQ(pole.inertia, 7);
  for (const std::string copy : {"brick 1", "brick 2", "brick 3"}) {
    EXPECT_EQ(body(c, copy).mass, 1);
    EXPECT_DOUBLE_EQ(body(c, copy).inertia, 1. / 6);
  }
}

TEST_F(RigidInput, BodiesArePlacedAndTurned) {
  const auto c = build(std::string(bodies) + floor);
  const RigidBody<2> &plate = body(c, "plate"), &wedge = body(c, "wedge"), &pole = body(c, "pole");
  // A counter-clockwise rotation by 90 degrees moves the lower left corner to the lower right.
  expect_near(plate.outline[0], 1., 2.);
  expect_near(plate.outline[1], 1., 4.);
  ASSERT_EQ(plate.contact_points.size(), 2u);
  expect_near(plate.contact_points[0], 0.5, 2.);
  expect_near(plate.contact_points[1], 0.25, 4.);
  // A polygon keeps all digits of its vertices, in counter-clockwise order.
  expect_near(wedge.centre, 6, 6);
  EXPECT_EQ(wedge.outline, (Outline{{8, 5}, {5, 8}, {5, 5}}));
  EXPECT_EQ(wedge.contact_points, wedge.outline);
  EXPECT_EQ(pole.outline, (Outline{{-4, 1}, {-4, 5}}));
  EXPECT_EQ(body(c, "brick 3").outline[0], dealii::Point<2>(9.5, 2));
}

TEST_F(RigidInput, PositionMovesAPolygonByItsCentreOfMass) {
  const auto c = build(std::string(bodies) + floor,
                       {"Rigid bodies/wedge/Position=1, 2", "Rigid bodies/wedge/Angle=0"});
  expect_near(body(c, "wedge").centre, 1, 2);
  expect_near(body(c, "wedge").outline[2], 0, 1);
}

TEST_F(RigidInput, MotionsArePrescribedForAllCopies) {
  const auto c = build(std::string(bodies) + floor);
  const double *const v = c.initial.v.data();
  const unsigned int plate = dof(c, "plate"), pole = dof(c, "pole");
  for (unsigned int d = 0; d < 3; ++d) {
    EXPECT_FALSE(c.bodies->motion.is_prescribed(plate + d));
    EXPECT_EQ(c.bodies->motion.is_prescribed(pole + d), d != 1);
  }
  EXPECT_EQ(v[plate], 1);
  EXPECT_EQ(v[plate + 1], -2);
  EXPECT_EQ(v[plate + 2], 0.5);
  EXPECT_NEAR(v[pole], 0.1, 1e-12);
  EXPECT_EQ(v[pole + 1], 0.25);
  EXPECT_NEAR(v[pole + 2], 0., 1e-12);
  for (const std::string copy : {"brick 1", "brick 2", "brick 3"}) {
    EXPECT_TRUE(c.bodies->motion.is_prescribed(dof(c, copy)));
    EXPECT_EQ(v[dof(c, copy)], 2);
  }
}

TEST_F(RigidInput, ElasticAndRigidBodiesInOneSystem) {
  const auto c =
      build(std::string(block) + bodies + contacts, {"Boundary conditions/Gravity=0, -10"});
  EXPECT_EQ(c.bodies->n_elastic_dofs(), 18u);
  EXPECT_EQ(c.bodies->n_dofs(), 36u);
  const double *const v = c.initial.v.data();
  for (const auto &dofs : c.bodies->elastic.front()->space.node_dofs)
    EXPECT_EQ(v[dofs[1]], -3);
  EXPECT_EQ(v[dof(c, "plate") + 1], -2);
  // Gravity acts on all bodies, including the unit square of density one.
  const Vector gravity = c.bodies->loads.gravity_force(0.);
  const double *const weight = gravity.data();
  double elastic = 0;
  for (const auto &dofs : c.bodies->elastic.front()->space.node_dofs)
    elastic += weight[dofs[1]];
  EXPECT_NEAR(elastic, -10, 1e-12);
  EXPECT_NEAR(weight[dof(c, "plate") + 1], -30, 1e-12);
  EXPECT_EQ(weight[dof(c, "plate") + 2], 0);
}

TEST_F(RigidInput, PointsThatMayTouch) {
  const auto c = build(std::string(block) + bodies + contacts);
  EXPECT_EQ(n_points(c, "roof"), 3u);                 // nodes
  EXPECT_EQ(n_points(c, "ground"), 3u * 4 + 2);       // vertices of three bricks, given points
  EXPECT_EQ(n_points(c, "pile"), 3u * 4 + 4 + 3 + 2); // vertices of all bodies
  for (const auto &pair : c.boundary->pairs)
    if (pair.name == "pile") {
      EXPECT_EQ(pair.bodies().size(), 3u);
      EXPECT_EQ(pair.opposite_bodies().size(), 6u);
      EXPECT_EQ(pair.friction, 0.5);
    }
  const auto lines = joined(describe(c), "\n");
  for (const std::string words :
       {"Mesh      9 nodes", "'plate': mass 3, moment of inertia 1.25, at (0.5, 3), free",
        "'pole': mass 3, moment of inertia 7, at (-4, 3), x, rotation prescribed",
        "'roof': region 'top' against 'plate', 'brick 2'",
        "'pile': 'brick 1', 'brick 2', 'brick 3' against 6 rigid bodies"})
    EXPECT_TRUE(has(lines, words)) << words << "\nin: " << lines;
}

TEST_F(RigidInput, AStaticPreloadLeavesRigidBodiesWhereTheyAre) {
  const auto c =
      build(std::string(block) + bodies + contacts,
            {"Initial state/Static preload=true", "Initial state/Preload gravity=true",
             "Boundary conditions/Gravity=0, -1", "Boundary conditions/bottom/Velocity x=0",
             "Boundary conditions/bottom/Velocity y=0"});
  const double *const q = c.initial.q.data();
  double largest = 0;
  for (unsigned int i = 0; i < c.bodies->n_elastic_dofs(); ++i)
    largest = std::max(largest, std::abs(q[i]));
  EXPECT_GT(largest, 1e-4);
  for (unsigned int i = c.bodies->n_elastic_dofs(); i < c.bodies->n_dofs(); ++i)
    EXPECT_EQ(q[i], 0);
}

TEST_F(RigidInput, WarnsOfBodiesInsideOfWhatTheyMayTouch) {
  const auto text = std::string(block) + bodies + contacts;
  EXPECT_FALSE(warns(build(text), "begins inside"));
  const auto sunk = build(text, {"Contact/ground/Point=0, 0.125"});
  EXPECT_TRUE(
      warns(sunk, "body 'brick 1' begins inside of the surface of contact 'ground', 0.125"));
  const auto pressed = build(text, {"Rigid bodies/brick/Offset=0, 0.75"});
  EXPECT_TRUE(warns(pressed, "body 'brick 1' begins inside of body 'brick 2', 0.25 deep"));
  EXPECT_TRUE(warns(pressed, "body 'brick 2' begins inside of body 'brick 3', 0.25 deep"));
  const auto lowered = build(text, {"Rigid bodies/plate/Position=0.5, 1.75"});
  EXPECT_TRUE(warns(lowered, "an elastic body begins inside of body 'plate', 0.25 deep"));
  // The initial value of a prescribed displacement has an effect.
  const auto moved = build(text, {"Rigid bodies/brick/Displacement y=-1.75"});
  EXPECT_TRUE(warns(moved, "'brick 1' begins inside of the surface of contact 'ground', 0.75"));
}

TEST_F(RigidInput, WarnsOfAThetaThatLetsImpactsOfBodiesProduceEnergy) {
  const auto text = std::string(bodies) + R"(subsection Contact
  subsection ground
    set Bodies = all
    set Point  = 0, -1
    set Restitution = 0.5
  end
end
)";
  EXPECT_FALSE(warns(build(text, {"Time/Theta=0.66"}), "produce energy"));
  EXPECT_TRUE(
      warns(build(text, {"Time/Theta=0.75"}),
            "--set: 'Time/Theta' is '0.75': above 1/(1 + e) = 0.666667, for contact 'ground'"));
}

TEST_F(RigidInput, SignedDistanceIsTriedAtContactPoints) {
  const auto text = std::string(bodies) + floor + R"(subsection Contact
  subsection slope
    set Bodies = brick
    set Surface = signed distance
    set Signed distance = y + 1 + 0*log(x - 9)
  end
end
)";
  const auto c = build(text);
  EXPECT_NEAR(std::get<LevelSet>(c.boundary->pairs[1].surface()->shape).length, 0.1 * std::sqrt(2.),
              1e-14);
  try {
    build(text, {"Contact/slope/Bodies=wedge"});
    FAIL();
  } catch (const InputError &error) {
    EXPECT_TRUE(has(error.what(), "not a finite number at position (8, 5)")) << error.what();
  }
}

TEST_F(RigidInput, EntriesThatTheLawDoesNotTakeMayBeZero) {
  const auto text = std::string(bodies) + R"(subsection Contact
  subsection ground
    set Bodies = plate
    set Tangential restitution = 0.0
  end
end
)";
  EXPECT_NO_THROW(build(text));
}

TEST_F(RigidInput, ARunOfRigidBodiesAlone) {
  write("rigid.prm", std::string(bodies) + floor);
  const auto outcome = start("percussion", {"rigid.prm", "--output", "results"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  const auto again = start("percussion", {"results/parameters.prm", "--validate"});
  EXPECT_EQ(again.status, 0) << again.error;
}

} // namespace
