// Output of rigid bodies, read back with VTK.

#include "written_run.h"
#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>

namespace {

using namespace percussion;
using test::moved_point;
using test::vector_at;
using test::WrittenRun;
using Tensor = dealii::Tensor<1, 2>;

/// Fixture: a block, with a contact point on its lower edge that is not a vertex, falls on the
/// ground, a rotated one falls on it, and an L and a stick fly past with fast rotation.
class RigidFiles : public ::testing::Test {
protected:
  static std::unique_ptr<WrittenRun> written;
  static constexpr std::size_t lower = 0, upper = 1, angle_iron = 2, stick = 3;
  static constexpr unsigned int n_steps = 250;

  static void SetUpTestSuite() {
    written = std::make_unique<WrittenRun>("rigid-files");
    auto &system = written->system;
    system.choices.h = 2e-3;
    system.gravity = Tensor({0., -9.81});
    system.rigid = {test::rectangle("lower", 1, 1, 2, {0., 0.6}),
                    test::rectangle("upper", 0.8, 0.6, 1, {0.1, 2.}, 0.3)};
    system.rigid[lower].contact_points.emplace_back(-0.1, 0.1);
    RigidBody<2> flying;
    flying.mass = 1;
    flying.inertia = 0.4;
    flying.name = "angle iron";
    flying.centre = {3.4, 4.4};
    flying.outline = {{3., 4.}, {4., 4.}, {4., 4.5}, {3.5, 4.5}, {3.5, 5.}, {3., 5.}};
    system.rigid.push_back(flying);
    flying.name = "stick";
    flying.centre = {-3., 5.};
    flying.outline = {{-3.5, 5.}, {-2.5, 5.}};
    system.rigid.push_back(flying);
    system.add_contact(ImpactLawKind::fremond, {0.5, 0., 0.}, 0.4).own_side =
        RigidBodies{{lower, upper}};
    auto &mutual = system.add_contact(ImpactLawKind::fremond, {}, 0.3);
    mutual.own_side = RigidBodies{{lower}};
    mutual.opposite_side = RigidBodies{{upper}};
    system.make();
    system.v(upper)[1] = -1;
    system.v(angle_iron)[0] = 1;
    system.v(angle_iron)[2] = 20;
    system.v(stick)[2] = -15;
    system.start();
    written->run(n_steps);
  }
  static void TearDownTestSuite() { written.reset(); }

  static const System<2> &bodies() { return *written->system.bodies; }
  static const double *q(std::size_t instant, std::size_t body) {
    return written->states[instant].q.data() + bodies().rigid_dof(body);
  }
  static const double *v(std::size_t instant, std::size_t body) {
    return written->states[instant].v.data() + bodies().rigid_dof(body);
  }
};

std::unique_ptr<WrittenRun> RigidFiles::written;

TEST_F(RigidFiles, EveryBodyIsACell) {
  const auto grid = written->read("solution", 0);
  ASSERT_EQ(grid->GetNumberOfPoints(), 4 + 4 + 6 + 2);
  ASSERT_EQ(grid->GetNumberOfCells(), 4);
  auto *const body = grid->GetCellData()->GetArray("body");
  vtkIdType point = 0;
  for (std::size_t b = 0; b < 4; ++b) {
    const auto cell = static_cast<vtkIdType>(b);
    EXPECT_EQ(grid->GetCellType(cell), b == stick ? VTK_LINE : VTK_POLYGON);
    EXPECT_EQ(body->GetComponent(cell, 0), cell + 1);
    const Outline &outline = bodies().rigid[b].outline;
    ASSERT_EQ(grid->GetCell(cell)->GetNumberOfPoints(), static_cast<vtkIdType>(outline.size()));
    for (std::size_t k = 0; k < outline.size(); ++k, ++point) {
      ASSERT_EQ(grid->GetCell(cell)->GetPointId(static_cast<int>(k)), point);
      const double *const x = grid->GetPoint(point);
      EXPECT_EQ(dealii::Point<2>(x[0], x[1]), outline[k]);
    }
  }
}

TEST_F(RigidFiles, VerticesAreWhereTheRotationTakesThem) {
  double largest_angle = 0;
  for (std::size_t k = 0; k < written->states.size(); k += 10) {
    const auto grid = written->read("solution", k);
    vtkIdType i = 0;
    for (std::size_t b = 0; b < 4; ++b) {
      const RigidBody<2> &body = bodies().rigid[b];
      const double angle = q(k, b)[2];
      largest_angle = std::max(largest_angle, std::abs(angle));
      for (const auto &vertex : body.outline) {
        const Tensor r = vertex - body.centre;
        const dealii::Point<2> expected(
            body.centre[0] + q(k, b)[0] + std::cos(angle) * r[0] - std::sin(angle) * r[1],
            body.centre[1] + q(k, b)[1] + std::sin(angle) * r[0] + std::cos(angle) * r[1]);
        ASSERT_LT(moved_point(*grid, i++).distance(expected), 1e-14);
      }
    }
  }
  EXPECT_GT(largest_angle, 6.3);
}

TEST_F(RigidFiles, VelocitiesAreTheRatesOfThePositions) {
  const double h = written->system.choices.h;
  double fastest = 0;
  auto before = written->read("solution", 0);
  for (std::size_t k = 1; k < written->states.size(); ++k) {
    const auto after = written->read("solution", k);
    for (vtkIdType i = 0; i < after->GetNumberOfPoints(); ++i) {
      const Tensor mean =
          0.5 * (vector_at(*before, "velocity", i) + vector_at(*after, "velocity", i));
      const Tensor rate = (moved_point(*after, i) - moved_point(*before, i)) / h;
      fastest = std::max(fastest, mean.norm());
      // The error of the trapezoidal rule on a circle is ω³ h² r / 12.
      ASSERT_LT((rate - mean).norm(), 4e-3) << "instant " << k << ", point " << i;
    }
    before = after;
  }
  EXPECT_GT(fastest, 10.);
}

TEST_F(RigidFiles, RelativeVelocitiesAreTheRatesOfTheGaps) {
  const auto comparison = test::compare_velocities_with_rates(*written);
  EXPECT_GT(comparison.n_compared, 1000u);
  EXPECT_GT(comparison.largest_rate, 1.);
  // The normals of a body turn by ω h in a step; with a jump Δu the error is Δu ω h / 2.
  EXPECT_LT(comparison.largest_error, 1e-2);
}

TEST_F(RigidFiles, RigidBodiesHaveNoStressAndNoPressure) {
  for (std::size_t k = 0; k < written->states.size(); k += 5)
    for (const char *series : {"solution", "contacts"}) {
      const auto grid = written->read(series, k);
      auto *const pressure = grid->GetPointData()->GetArray("pressure");
      for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
        ASSERT_EQ(pressure->GetComponent(i, 0), 0.);
      auto *const stress = grid->GetCellData()->GetArray("stress");
      ASSERT_EQ(stress == nullptr, std::string(series) == "contacts");
      for (vtkIdType c = 0; stress != nullptr && c < grid->GetNumberOfCells(); ++c)
        for (int j = 0; j < 6; ++j)
          ASSERT_EQ(stress->GetComponent(c, j), 0.);
    }
}

TEST_F(RigidFiles, OnlyNearVerticesOfOtherBodiesAreListed) {
  constexpr vtkIdType against_ground = 5 + 4;
  vtkIdType fewest = 1000, most = 0;
  for (std::size_t k = 0; k < written->states.size(); ++k) {
    const auto grid = written->read("contacts", k);
    const vtkIdType n = grid->GetNumberOfPoints();
    ASSERT_EQ(grid->GetNumberOfCells(), n);
    fewest = std::min(fewest, n);
    most = std::max(most, n);
    std::set<ContactKey> expected;
    for (const auto &contact : written->states[k].found.contacts)
      expected.insert(contact.key);
    for (const auto &contact : written->records[k].contacts)
      expected.insert(contact.key);
    ASSERT_EQ(n, static_cast<vtkIdType>(expected.size()));
    for (vtkIdType i = 0; i < n; ++i) {
      const bool is_body_pair =
          grid->GetPointData()->GetArray("obstacle")->GetComponent(i, 0) != 0.;
      ASSERT_EQ(is_body_pair, i >= against_ground);
      ASSERT_EQ(grid->GetPointData()->GetArray("pair")->GetComponent(i, 0), is_body_pair ? 1. : 0.);
      ASSERT_EQ(grid->GetCell(i)->GetPointId(0), i);
    }
  }
  EXPECT_EQ(fewest, against_ground);
  EXPECT_EQ(most, against_ground + 2);
}

/// m Δv = h m g + percussions at the body's own points − percussions at points of other bodies
/// against it.
TEST_F(RigidFiles, PercussionsChangeTheMomentumOfBothBodies) {
  const double h = written->system.choices.h;
  double largest_of_bodies = 0;
  for (std::size_t k = 1; k < written->states.size(); ++k) {
    const auto grid = written->read("contacts", k);
    std::array<Tensor, 4> received{};
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
      const Tensor p = vector_at(*grid, "percussion", i), n = vector_at(*grid, "normal", i);
      const auto of = [&](const char *name) {
        return static_cast<std::size_t>(grid->GetPointData()->GetArray(name)->GetComponent(i, 0));
      };
      ASSERT_NEAR(n.norm(), 1., 1e-14);
      ASSERT_NEAR(vector_at(*grid, "tangent", i) * n, 0., 1e-15);
      ASSERT_GE(p * n, -1e-15);
      received.at(of("body") - 1) += p;
      if (of("obstacle") > 0) {
        received.at(of("obstacle") - 1) -= p;
        largest_of_bodies = std::max(largest_of_bodies, p.norm());
      }
    }
    for (std::size_t b = 0; b < 4; ++b) {
      const double m = bodies().rigid[b].mass;
      ASSERT_NEAR(m * (v(k, b)[0] - v(k - 1, b)[0]), received[b][0], 1e-13);
      ASSERT_NEAR(m * (v(k, b)[1] - v(k - 1, b)[1]) + h * m * 9.81, received[b][1], 1e-13);
    }
  }
  EXPECT_GT(largest_of_bodies, 0.1);
}

/// The contact point on an edge is in the file of contacts only.
TEST_F(RigidFiles, VerticesBearThePercussionsOfTheirContacts) {
  constexpr vtkIdType on_edge = 4;
  double largest_on_edge = 0;
  for (std::size_t k = 0; k < written->states.size(); ++k) {
    const auto contacts = written->read("contacts", k), solution = written->read("solution", k);
    Tensor contact_sum, vertex_sum;
    for (vtkIdType i = 0; i < contacts->GetNumberOfPoints(); ++i)
      if (i != on_edge)
        contact_sum += vector_at(*contacts, "percussion", i);
    for (vtkIdType i = 0; i < solution->GetNumberOfPoints(); ++i)
      vertex_sum += vector_at(*solution, "percussion", i);
    ASSERT_LT((contact_sum - vertex_sum).norm(), 1e-14);
    const double *const x = contacts->GetPoint(on_edge);
    ASSERT_EQ(dealii::Point<2>(x[0], x[1]), dealii::Point<2>(-0.1, 0.1));
    ASSERT_LT((moved_point(*contacts, on_edge) -
               (moved_point(*contacts, 0) * 0.6 + moved_point(*contacts, 1) * 0.4))
                  .norm(),
              1e-14);
    largest_on_edge = std::max(largest_on_edge, vector_at(*contacts, "percussion", on_edge).norm());
  }
  EXPECT_GT(largest_on_edge, 0.);
}

/// A vertex has the smallest of its gaps, and none without contacts.
TEST_F(RigidFiles, GapAndStatusAreThoseOfTheNearestContact) {
  bool touched = false;
  for (std::size_t k = 0; k < written->states.size(); ++k) {
    const auto grid = written->read("solution", k);
    auto *const gap = grid->GetPointData()->GetArray("gap");
    auto *const status = grid->GetPointData()->GetArray("status");
    std::map<vtkIdType, ContactRow<2>> nearest;
    const auto &points = written->system.boundary->points;
    for (const auto &contact : contact_table(written->states[k], written->records[k]))
      for (vtkIdType i = 0; i < 8; ++i) {
        const double *const x = grid->GetPoint(i);
        const auto &point = points[contact.point];
        const bool same = point.rigid_body() == (i < 4 ? lower : upper) &&
                          point.position == dealii::Point<2>(x[0], x[1]);
        if (same && (nearest.count(i) == 0 || contact.gap < nearest[i].gap))
          nearest[i] = contact;
      }
    ASSERT_EQ(nearest.size(), 8u);
    for (const auto &[i, contact] : nearest) {
      ASSERT_EQ(gap->GetComponent(i, 0), contact.gap);
      ASSERT_EQ(status->GetComponent(i, 0), static_cast<int>(contact.status));
      touched =
          touched || (contact.opposite_body == upper && contact.status != ContactStatus::open);
    }
    for (vtkIdType i = 8; i < grid->GetNumberOfPoints(); ++i) {
      ASSERT_TRUE(std::isnan(gap->GetComponent(i, 0)));
      ASSERT_EQ(status->GetComponent(i, 0), -1);
    }
  }
  EXPECT_TRUE(touched);
}

/// Readers may use the ranges stored in a file without reading its values.
TEST_F(RigidFiles, EveryFileTellsTheRangesOfItsOwnValues) {
  for (const char *series : {"solution", "contacts"})
    for (std::size_t k = 0; k < written->states.size(); k += 7) {
      char name[64];
      std::snprintf(name, sizeof name, "%s-%06zu.vtu", series, k);
      std::ifstream stream(written->folder / name);
      const std::string text((std::istreambuf_iterator<char>(stream)), {});
      const auto grid = written->read(series, k);
      double largest = 0;
      for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
        largest = std::max(largest, vector_at(*grid, "velocity", i).norm());
      const std::regex entry("Name=\"velocity\"[^>]*RangeMax=\"([^\"]*)\"");
      std::smatch found;
      ASSERT_TRUE(std::regex_search(text, found, entry)) << name;
      EXPECT_NEAR(std::stod(found[1]), largest, 1e-9 * largest) << name;
    }
}

/// Bodies that are never close to each other give files without points.
TEST(RigidOutput, NoContactIsNoPoint) {
  WrittenRun written("far-bodies");
  written.system.rigid = {test::rectangle("a", 1, 1, 1, {0., 0.}),
                          test::rectangle("b", 1, 1, 1, {9., 0.})};
  written.system.add_mutual_contact(ImpactLawKind::fremond, {}, 0.3);
  written.system.make();
  written.system.start();
  written.run(2);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(written.read("contacts", k)->GetNumberOfPoints(), 0);
    EXPECT_EQ(written.read("solution", k)->GetNumberOfPoints(), 8);
  }
}

/// The ground rises under a block that flies over it: friction and gap depend on both velocities.
TEST(RigidOutput, RelativeVelocitiesIncludeTheMotionOfTheSurface) {
  WrittenRun written("moving-ground");
  auto &system = written.system;
  system.choices.h = 1e-2;
  system.rigid = {test::rectangle("block", 1, 1, 1, {0., 0.7})};
  auto &pair = system.add_contact(ImpactLawKind::fremond, {}, 0.);
  pair.own_side = RigidBodies{{0}};
  std::get<Surface<2>>(pair.opposite_side).motion.emplace_back("3*t");
  std::get<Surface<2>>(pair.opposite_side).motion.emplace_back("0.1*t");
  system.make();
  system.v(0)[0] = 5;
  system.start();
  written.run(5);
  const auto comparison = test::compare_velocities_with_rates(written);
  EXPECT_NEAR(comparison.largest_rate, 0.1, 1e-12);
  EXPECT_LT(comparison.largest_error, 1e-12);
  const auto grid = written.read("contacts", 5);
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
    EXPECT_LT((vector_at(*grid, "relative_velocity", i) - Tensor({2., -0.1})).norm(), 1e-12);
}

/// Contacts of the step are listed even if their bodies are far apart at its end.
TEST(RigidOutput, PartingBodiesAreListedWithoutAGap) {
  WrittenRun written("parting-bodies");
  auto &system = written.system;
  system.choices.h = 0.1;
  system.choices.theta = 1;
  system.rigid = {test::rectangle("a", 1, 1, 1, {0., 0.}), test::rectangle("b", 1, 1, 1, {1., 0.})};
  system.add_mutual_contact(ImpactLawKind::newton_coulomb, {1., 0., 0.}, 0.);
  system.make();
  system.v(1)[0] = -20;
  system.start();
  written.run(2);
  const auto grid = written.read("contacts", 1);
  ASSERT_EQ(grid->GetNumberOfPoints(), 2);
  double percussion = 0;
  for (vtkIdType i = 0; i < 2; ++i) {
    percussion += vector_at(*grid, "percussion", i).norm();
    EXPECT_TRUE(std::isnan(grid->GetPointData()->GetArray("gap")->GetComponent(i, 0)));
    EXPECT_TRUE(std::isnan(vector_at(*grid, "relative_velocity", i).norm()));
    EXPECT_GT(grid->GetPointData()->GetArray("status")->GetComponent(i, 0), 0);
  }
  EXPECT_NEAR(percussion, 20, 1e-9);
  const auto solution = written.read("solution", 1);
  unsigned int n_carrying =
      0; // its status refers to the step, although the contact is open at the end
  for (vtkIdType i = 0; i < 8; ++i)
    n_carrying += solution->GetPointData()->GetArray("status")->GetComponent(i, 0) > 0;
  EXPECT_EQ(n_carrying, 2u);
  EXPECT_EQ(written.read("contacts", 2)->GetNumberOfPoints(), 0);
}

} // namespace
