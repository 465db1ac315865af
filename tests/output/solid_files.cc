// Output of contacts between rigid bodies in 3D, read back with VTK.

#include "support/solids.h"
#include "written_run.h"
#include <limits>

namespace output_of_solids {

using namespace percussion;
using Point = dealii::Point<3>;
using Tensor = dealii::Tensor<1, 3>;

constexpr double weight = 2 * 9.81, spin = 3;

Tensor vector_in_space(vtkUnstructuredGrid &grid, const char *name, vtkIdType i) {
  const double *const values = grid.GetPointData()->GetArray(name)->GetTuple3(i);
  return Tensor({values[0], values[1], values[2]});
}

Point displaced(vtkUnstructuredGrid &grid, vtkIdType i) {
  return Point(Tensor({grid.GetPoint(i)[0], grid.GetPoint(i)[1], grid.GetPoint(i)[2]}) +
               vector_in_space(grid, "displacement", i));
}

/// Returns the distance of x to the nearest of some points.
double distance_to(const std::vector<Point> &points, const Point &x) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Point &point : points)
    smallest = std::min(smallest, point.distance(x));
  return smallest;
}

/// A small box lies on a large one that turns about the vertical axis, written after 20 steps;
/// either box comes first.
class SmallBoxOnLargeBox : public testing::TestWithParam<bool> {
protected:
  const bool large_is_first = GetParam();
  const unsigned int large = large_is_first ? 0 : 1, small = 1 - large;
  test::SolidSystem system;
  std::vector<Point> corners; ///< lower corners of the small box at the end
  test::fs::path folder =
      test::fs::temp_directory_path() / ("percussion-solid-files-" + std::to_string(getpid()));
  test::Grid solution, contacts;

  SmallBoxOnLargeBox() {
    const Point centre(0.5, 0.3, 1.2);
    system.rigid = {
        solid_body("small", weight / 9.81 / 0.064, {make_box(centre, Tensor({0.4, 0.4, 0.4}))}),
        solid_body("large", 1., {make_box({0., 0., 0.5}, Tensor({2., 2., 1.}))})};
    if (large_is_first)
      std::swap(system.rigid[0], system.rigid[1]);
    system.gravity = Tensor({0., 0., -9.81});
    system.add_mutual_contact(ImpactLawKind::fremond, {}, 0.5).gap_tolerance = 1e-9;
    auto &bodies = system.make();
    for (unsigned int d = 0; d < 6; ++d)
      bodies.prescribe(large, d, PrescribedMotion<3>::Kind::velocity,
                       Expression(d == 5 ? std::to_string(spin) : "0"));
    system.v(small)[0] = 0.4;
    system.start();
    test::fs::create_directories(folder);
    VtuOutput<3> output(folder.string(), bodies, *system.boundary, system.choices.h);
    for (unsigned int k = 1; k < 20; ++k)
      system.advance();
    output.write(system.state, system.advance());
    output.wait();
    solution = test::read_vtu(folder / "solution-000000.vtu");
    contacts = test::read_vtu(folder / "contacts-000000.vtu");
    for (const double x : {-0.2, 0.2})
      for (const double y : {-0.2, 0.2})
        corners.push_back(RigidPose<3>(bodies.rigid[small], system.q(small))
                              .position(bodies.rigid[small], centre + Tensor({x, y, -0.2})));
  }
  ~SmallBoxOnLargeBox() override { test::fs::remove_all(folder); }
};

TEST_P(SmallBoxOnLargeBox, TouchesAtItsLowerCorners) {
  ASSERT_EQ(contacts->GetNumberOfPoints(), 4);
  Tensor sum;
  std::vector<Point> positions;
  for (vtkIdType i = 0; i < 4; ++i) {
    const Point x = displaced(*contacts, i);
    EXPECT_LT(distance_to(corners, x), 1e-8);
    EXPECT_LT(distance_to(corners, Point(vector_in_space(*contacts, "touched_place", i))), 1e-8);
    EXPECT_GT(distance_to(positions, x), 0.3);
    positions.push_back(x);
    sum += vector_in_space(*contacts, "percussion", i);
    EXPECT_EQ(contacts->GetPointData()->GetArray("body")->GetTuple1(i), 1);
    if (large_is_first) { // velocity of its material point
      const Tensor v = vector_in_space(*contacts, "velocity", i);
      EXPECT_LT((v - Tensor({-spin * x[1], spin * x[0], 0.})).norm(), 1e-12);
    }
  }
  const double up = large_is_first ? -1. : 1.;
  EXPECT_NEAR(up * sum[2], system.choices.h * weight, 1e-6 * system.choices.h * weight);
}

/// With a law for velocities without restitution and a forecast of positions, boxes that approach
/// each other miss their contact by the distance of a step: the defect is at a corner.
TEST_P(SmallBoxOnLargeBox, DefectsAreAtItsLowerCorners) {
  test::SolidSystem falling;
  falling.rigid = system.bodies->rigid;
  falling.add_mutual_contact(ImpactLawKind::fremond, {}, 0.5);
  falling.choices.forecast = Forecast::position;
  auto &bodies = falling.make();
  for (unsigned int d = 0; d < 6; ++d)
    bodies.prescribe(large, d, PrescribedMotion<3>::Kind::velocity, Expression("0"));
  falling.q(small)[2] = 1e-4;
  falling.v(small)[2] = -1.;
  falling.start();
  const Defect &missed = falling.advance().defects.defect(DefectKind::missed_depth);
  EXPECT_NEAR(missed.value, 1e-3 - 1e-4, 1e-9);
  const auto &x = missed.material_point;
  EXPECT_NEAR(std::abs(x[0] - 0.5), 0.2, 1e-9);
  EXPECT_NEAR(std::abs(x[1] - 0.3), 0.2, 1e-9);
  EXPECT_NEAR(x[2], 1., 1e-9);
}

/// The points of the solution are vertices: only contacts at vertices of the first body have one.
TEST_P(SmallBoxOnLargeBox, GivesPercussionsToNoOtherVertices) {
  Tensor sum;
  for (vtkIdType i = 0; i < solution->GetNumberOfPoints(); ++i) {
    const Tensor p = vector_in_space(*solution, "percussion", i);
    sum += p;
    EXPECT_TRUE(p.norm() == 0. || distance_to(corners, displaced(*solution, i)) < 1e-12);
  }
  const double expected = large_is_first ? 0. : system.choices.h * weight;
  EXPECT_NEAR(sum[2], expected, 1e-6 * system.choices.h * weight);
}

INSTANTIATE_TEST_SUITE_P(Orders, SmallBoxOnLargeBox, testing::Bool(), [](const auto &order) {
  return std::string(order.param ? "LargeFirst" : "SmallFirst");
});

/// A ball rests on a box that comes first.
TEST(BallOnBox, TouchesAtItsLowestPoint) {
  test::SolidSystem system;
  system.rigid = {solid_body("box", 1., {make_box({0., 0., 0.5}, Tensor({2., 2., 1.}))}),
                  solid_body("ball", 1., {make_sphere({0.3, 0.4, 1.25}, 0.25)})};
  system.add_mutual_contact(ImpactLawKind::fremond, {}, 0.5);
  system.make();
  system.start();
  ASSERT_EQ(system.state.found.contacts.size(), 1u);
  EXPECT_LT(system.state.found.contacts[0].material_point.distance(Point(0.3, 0.4, 1.)), 1e-15);
}

} // namespace output_of_solids
