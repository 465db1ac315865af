// Surfaces of facets in 3D, the gaps of points to them, and contacts with them.

#include <percussion/base/error.h>
#include <percussion/contact/facet_search.h>
#include <percussion/contact/find.h>

#include <gtest/gtest.h>

#include "support/facets.h"
#include "support/meshes.h"
#include <random>

namespace facets_in_space { // separates names from the 2D tests in unity builds

using namespace percussion;
using Point = dealii::Point<3>;
using Direction = dealii::Tensor<1, 3>;

const Material<3> material{1., 1., LinearElastic<3>::from_young(10., 0.3, Plane::strain), {}};

class InSpace : public ::testing::TestWithParam<CellShape> {};

std::vector<ContactPair<3>> pair_of(const std::string &region, const std::string &against,
                                    Discretisation discretisation) {
  std::vector<ContactPair<3>> pairs(1);
  pairs[0].name = "contact";
  pairs[0].own_side = ElasticRegion{region};
  pairs[0].opposite_side = ElasticRegions{{against}};
  pairs[0].discretisation = discretisation;
  pairs[0].gap_tolerance = 1e-12;
  return pairs;
}

TEST_P(InSpace, FacetsGoAroundTheBody) {
  const auto mesh = test::box(GetParam(), Point(3, 2, 1), {3, 2, 2});
  const System<3> system(*mesh, Materials<3>(material), {});
  const auto whole = make_facets(system, {"boundary"});
  const unsigned int n_faces = 2 * (6 + 6 + 4);
  ASSERT_EQ(whole.facets.size(), (GetParam() == CellShape::simplex ? 2 : 1) * n_faces);
  double volume = 0, area = 0;
  for (unsigned int f = 0; f < whole.facets.size(); ++f) {
    const Facet<3> &facet = whole.facets[f];
    const auto x = [&](unsigned int i) { return whole.nodes[facet.corners[i]].position; };
    for (unsigned int i = 2; i < facet.corners.size; ++i)
      volume += cross_product_3d(x(i - 1) - Point(), x(i) - Point()) * (x(0) - Point()) / 6.;
    EXPECT_EQ(facet.chain, 0u);
    for (unsigned int i = 0; i < facet.corners.size; ++i) {
      ASSERT_NE(facet.neighbours[i], Facets<3>::none);
      const Facet<3> &next = whole.facets[facet.neighbours[i]];
      EXPECT_EQ(std::count(next.neighbours.begin(), next.neighbours.begin() + next.corners.size, f),
                1);
    }
  }
  EXPECT_NEAR(volume, 6., 1e-13);
  for (const auto &node : whole.nodes)
    area += node.area;
  EXPECT_NEAR(area, 22., 1e-13);
  const auto open = make_facets(system, {"top", "left", "bottom"});
  unsigned int n_ends = 0;
  for (const auto &facet : open.facets)
    for (unsigned int i = 0; i < facet.corners.size; ++i)
      n_ends += facet.neighbours[i] == Facets<3>::none;
  EXPECT_EQ(n_ends, 2u * (3 + 2 + 3) + 2u * 2u);
  EXPECT_EQ(make_facets(system, {"top", "bottom"}).facets.back().chain, 1u);
  EXPECT_THROW(make_facets(system, {"top", "boundary"}), InputError);
}

/// Returns the signed distance from a box and, away from kinks, its gradient.
double distance_from_box(const Point &x, const Point &size) {
  Direction outside;
  double inside = std::numeric_limits<double>::max();
  for (unsigned int d = 0; d < 3; ++d) {
    outside[d] = std::max({-x[d], x[d] - size[d], 0.});
    inside = std::min({inside, x[d], size[d] - x[d]});
  }
  return inside > 0. ? -inside : outside.norm();
}

/// Returns the gap to the nearest facet.
std::optional<FacetGap<3>> nearest(const FacetSearch<3> &search, const Point &x) {
  std::optional<FacetGap<3>> best;
  for (unsigned int f = 0; f < search.facets.facets.size(); ++f)
    if (const auto g = search.gap(f, x))
      if (!best || std::abs(g->distance) < std::abs(best->distance))
        best = g;
  return best;
}

TEST_P(InSpace, SmallestGapIsTheSignedDistance) {
  const Point size(3, 2, 1);
  const auto mesh = test::box(GetParam(), size, {3, 2, 2});
  const System<3> system(*mesh, Materials<3>(material), {});
  const auto facets = make_facets(system, {"boundary"});
  FacetSearch<3> search(facets);
  search.move(test::undeformed(facets));
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> fraction(-0.15, 1.15);
  const double h = 1e-6;
  for (unsigned int k = 0; k < 2000; ++k) {
    Point x;
    for (unsigned int d = 0; d < 3; ++d)
      x[d] = size[d] * fraction(generator);
    const auto g = nearest(search, x);
    ASSERT_TRUE(g.has_value());
    EXPECT_NEAR(g->distance, distance_from_box(x, size), 1e-13);
    EXPECT_NEAR(g->normal.norm(), 1., 1e-14);
    Direction slope;
    for (unsigned int d = 0; d < 3; ++d) {
      Point before = x, after = x;
      before[d] -= h;
      after[d] += h;
      slope[d] = (distance_from_box(after, size) - distance_from_box(before, size)) / (2 * h);
    }
    if (std::abs(slope.norm() - 1.) <
        1e-4) { // the distance has a kink at points with two equally close sides
      EXPECT_LT((slope - g->normal).norm(), 1e-3);
    }
  }
}

/// Beyond the end of a surface, facets are found up to a tenth of their size only.
TEST_P(InSpace, SurfacesEndWhereTheirRegionsEnd) {
  const auto mesh = test::box(GetParam(), Point(1, 1, 1), {2, 2, 2});
  const System<3> system(*mesh, Materials<3>(material), {});
  const auto facets = make_facets(system, {"top"});
  FacetSearch<3> search(facets);
  search.move(test::undeformed(facets));
  for (const double y : {0., 0.3, 0.5, 1.})
    for (const double x : {0., -0.02, 1., 1.02, 0.6})
      for (const double z : {1.01, 0.99, 1.}) {
        const auto g = nearest(search, Point(x, y, z));
        ASSERT_TRUE(g.has_value()) << x << ' ' << y;
        EXPECT_NEAR(g->distance, z - 1., 1e-15);
        EXPECT_LT((g->normal - Direction({0., 0., 1.})).norm(), 1e-14);
      }
  for (const double x : {-0.2, 1.2})
    EXPECT_FALSE(nearest(search, Point(x, 0.3, 1.01)).has_value());
}

/// Two boxes close to each other, the upper one slightly rotated.
struct Boxes {
  std::array<std::unique_ptr<Mesh<3>>, 2> mesh;
  std::unique_ptr<System<3>> system;

  Boxes()
      : mesh{{test::box(CellShape::simplex, Point(2, 2, 1), {4, 4, 2}, 0.2),
              test::box(CellShape::hypercube, Point(1, 1, 1), {3, 3, 3}, 0.2)}} {
    mesh[0]->file = "lower.msh";
    mesh[1]->file = "upper.msh";
    System<3>::ElasticBodies elastic;
    elastic.push_back(std::make_unique<ElasticBody<3>>(*mesh[0], Materials<3>(material)));
    elastic.push_back(std::make_unique<ElasticBody<3>>(*mesh[1], Materials<3>(material),
                                                       elastic.front()->n_dofs()));
    system =
        std::make_unique<System<3>>(std::move(elastic), std::vector<RigidBody<3>>(), Direction());
  }
  /// Returns displacements that place the upper box; all nodes are moved by up to `warp` in
  /// addition.
  Vector place(double warp) const {
    Vector q(system->n_dofs());
    std::mt19937 generator(9);
    std::uniform_real_distribution<double> jolt(-warp, warp);
    for (unsigned int b = 0; b < 2; ++b) {
      const auto &space = system->elastic[b]->space;
      for (unsigned int i = 0; i < space.n_nodes(); ++i) {
        Direction u = b == 0 ? Direction()
                             : Direction({0.53, 0.47, 1.02}) +
                                   cross_product_3d(Direction({0.03, -0.04, 0.1}),
                                                    space.nodes[i] - Point(0.5, 0.5, 0.));
        for (unsigned int d = 0; d < 3; ++d)
          q[space.node_dofs[i][d]] = u[d] + jolt(generator);
      }
    }
    return q;
  }
};

/// The rate of a gap is the relative velocity, also on warped quadrilaterals; rigid motions of all
/// bodies have none.
TEST(FacetContactsInSpace, SupportsGiveTheRatesOfGaps) {
  const Boxes boxes;
  const System<3> &system = *boxes.system;
  const Vector q0 = boxes.place(0.01);
  const Boundary<3> boundary(
      system, pair_of("lower:boundary", "upper:boundary", Discretisation::nodes_of_both_sides));
  const ContactFinder<3> finder(boundary);
  std::mt19937 generator(9);
  std::uniform_real_distribution<double> jolt(-1, 1);
  Vector v(system.n_dofs()), q(system.n_dofs());
  for (unsigned int i = 0; i < system.n_dofs(); ++i)
    v[i] = jolt(generator);
  const double h = 1e-6;
  const auto at = [&](double t) {
    for (unsigned int i = 0; i < system.n_dofs(); ++i)
      q[i] = q0[i] + t * v[i];
    return finder.find(boundary.trace.gather(q), 0);
  };
  const auto before = at(-h), after = at(h), now = at(0);
  const TraceField on_trace = boundary.trace.gather(v);
  ASSERT_GT(now.contacts.size(), 15u);
  for (const auto &contact : now.contacts) {
    const auto *const one = before.find(contact.key), *const other = after.find(contact.key);
    ASSERT_TRUE(one != nullptr && other != nullptr);
    Direction u, sum;
    for (unsigned int k = contact.support_begin; k < contact.support_end; ++k) {
      u += on_trace[now.support[k].entry] * now.support[k].weight;
      sum += now.support[k].weight;
    }
    EXPECT_NEAR(u * contact.normal, (other->gap - one->gap) / (2 * h), 1e-5);
    EXPECT_LT(sum.norm(), 1e-15);
  }
}

/// The weighted positions of nodes add up to the position of the point, except for the gap along
/// the normal.
TEST(FacetContactsInSpace, ForcesHaveNoMoment) {
  const Boxes boxes;
  const System<3> &system = *boxes.system;
  const Vector q = boxes.place(0.01);
  for (const auto discretisation : {Discretisation::nodes, Discretisation::nodes_of_both_sides,
                                    Discretisation::mortar, Discretisation::mortar_of_region}) {
    const Boundary<3> boundary(system, pair_of("lower:boundary", "upper:boundary", discretisation));
    Vector places = q; // position of each degree of freedom
    for (unsigned int b = 0; b < 2; ++b) {
      const auto &space = system.elastic[b]->space;
      for (unsigned int i = 0; i < space.n_nodes(); ++i)
        for (unsigned int d = 0; d < 3; ++d)
          places[space.node_dofs[i][d]] += space.nodes[i][d];
    }
    const TraceField place = boundary.trace.gather(places);
    const auto found = ContactFinder<3>(boundary).find(boundary.trace.gather(q), 0);
    EXPECT_GT(found.contacts.size(), 4u);
    for (const auto &contact : found.contacts) {
      Direction apart;
      for (unsigned int k = contact.support_begin; k < contact.support_end; ++k)
        apart += place[found.support[k].entry] * found.support[k].weight;
      EXPECT_LT((apart - contact.gap * contact.normal).norm(), 1e-14)
          << static_cast<int>(discretisation);
    }
  }
}

/// No face of an unfolded body touches another one, even under compression.
TEST_P(InSpace, SelfContactFindsNothingInABodyThatIsNotFolded) {
  const auto mesh = test::box(GetParam(), Point(1, 1, 0.3), {4, 4, 2}, 0.2);
  const System<3> system(*mesh, Materials<3>(material), {});
  for (const auto discretisation : {Discretisation::nodes, Discretisation::mortar}) {
    const Boundary<3> boundary(system, pair_of("boundary", "boundary", discretisation));
    const ContactFinder<3> finder(boundary);
    for (const double compression : {0., 0.4}) {
      Vector q(system.n_dofs());
      const auto &space = system.elastic[0]->space;
      for (unsigned int i = 0; i < space.n_nodes(); ++i)
        q[space.node_dofs[i][2]] = -compression * space.nodes[i][2];
      EXPECT_EQ(finder.find(boundary.trace.gather(q), 0).contacts.size(), 0u) << compression;
    }
  }
}

/// A strip is rolled up until its ends face each other.
TEST_P(InSpace, SelfContactFindsWhereAStripIsRolledUp) {
  const auto mesh = test::box(GetParam(), Point(6, 0.6, 0.2), {30, 2, 1});
  const System<3> system(*mesh, Materials<3>(material), {});
  const auto &space = system.elastic[0]->space;
  for (const auto discretisation : {Discretisation::nodes, Discretisation::mortar}) {
    const Boundary<3> boundary(system, pair_of("boundary", "boundary", discretisation));
    Vector q(system.n_dofs());
    // A U with legs 0.05 apart.
    const double radius = 0.025, bend = M_PI * (radius + 0.2), leg = (6. - bend) / 2.;
    for (unsigned int i = 0; i < space.n_nodes(); ++i) {
      const Point &x = space.nodes[i];
      Point to(0, x[1], 0);
      if (x[0] < leg)
        to = Point(x[0], x[1], x[2]);
      else if (x[0] > leg + bend)
        to = Point(6. - x[0], x[1], 0.4 + 2. * radius - x[2]);
      else {
        const double angle = (x[0] - leg) / (radius + 0.2), r = radius + 0.2 - x[2];
        to = Point(leg + r * std::sin(angle), x[1], 0.2 + radius - r * std::cos(angle));
      }
      for (unsigned int d = 0; d < 3; ++d)
        q[space.node_dofs[i][d]] = to[d] - x[d];
    }
    const auto found = ContactFinder<3>(boundary).find(boundary.trace.gather(q), 0);
    EXPECT_GT(found.contacts.size(), 20u) << static_cast<int>(discretisation);
    unsigned int n_between_legs = 0;
    for (const auto &contact : found.contacts) {
      const auto &point = boundary.points[contact.point];
      if (std::abs(contact.gap - 0.05) < 1e-12) {
        ++n_between_legs;
        EXPECT_NEAR(std::abs(contact.normal[2]), 1., 1e-12);
        EXPECT_GT(std::abs(point.position[0] - 3.), bend / 2. - 0.2);
      }
    }
    EXPECT_GT(n_between_legs, 20u);
  }
}

INSTANTIATE_TEST_SUITE_P(Facets, InSpace,
                         ::testing::Values(CellShape::simplex, CellShape::hypercube),
                         [](const auto &test) {
                           return test.param == CellShape::simplex ? "T4" : "H8";
                         });

} // namespace facets_in_space
