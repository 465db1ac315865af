// Lines of facets, and the gaps of points to them.

#include "support/facets.h"

#include <percussion/base/error.h>
#include <percussion/contact/facet_search.h>
#include <percussion/contact/find.h>
#include <percussion/contact/polygons.h>

#include <gtest/gtest.h>

#include "support/block.h"
#include <random>

namespace {

using namespace percussion;
using Point = dealii::Point<2>;
using Tensor = dealii::Tensor<1, 2>;

const Material<2> material{1., 1., LinearElastic<2>::from_young(10., 0.3, Plane::strain), {}};

/// Returns one contact between a region and opposite regions.
std::vector<ContactPair<2>> pair_of(const std::string &region,
                                    const std::vector<std::string> &against,
                                    Discretisation discretisation = Discretisation::nodes) {
  ContactPair<2> pair;
  pair.name = "contact";
  pair.own_side = ElasticRegion{region};
  pair.opposite_side = ElasticRegions{against};
  pair.discretisation = discretisation;
  pair.gap_tolerance = 1e-12;
  std::vector<ContactPair<2>> pairs;
  pairs.push_back(std::move(pair));
  return pairs;
}

/// The lines of a region have the body to their left for both cell shapes.
TEST(Facets, GoAroundTheBody) {
  for (const auto shape : {CellShape::simplex, CellShape::hypercube}) {
    const auto mesh = test::rectangle(shape, 3, 2, 6, 4);
    const System<2> system(*mesh, Materials<2>(material), {});
    const auto whole = make_facets(system, {"boundary"});
    ASSERT_EQ(whole.facets.size(), 20u);
    ASSERT_EQ(whole.nodes.size(), 20u);
    double area = 0, length = 0;
    for (const Facet<2> &facet : whole.facets) {
      const Point &a = whole.nodes[facet.begin].position, &b = whole.nodes[facet.end].position;
      area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
      EXPECT_EQ(facet.chain, 0u);
    }
    EXPECT_NEAR(area, 6., 1e-14);
    for (const auto &node : whole.nodes)
      length += node.area;
    EXPECT_NEAR(length, 10., 1e-14);

    const auto open = make_facets(system, {"top", "left", "bottom"});
    unsigned int n_ends = 0;
    for (const auto &node : open.nodes)
      n_ends += node.previous_facet == Facets<2>::none || node.next_facet == Facets<2>::none;
    EXPECT_EQ(n_ends, 2u);
    for (const Facet<2> &facet : open.facets)
      EXPECT_EQ(facet.chain, 0u);
    EXPECT_EQ(make_facets(system, {"top", "bottom"}).facets.back().chain, 1u);
    EXPECT_THROW(make_facets(system, {"top", "boundary"}), InputError);
    EXPECT_THROW(make_facets(system, {"roof"}), InputError);
  }
}

/// Around a body the smallest gap is the signed distance from its outline, and the normal is its
/// gradient.
TEST(FacetSearch, FindsTheSignedDistance) {
  const auto mesh = test::ring(1, 2, 11, 2);
  const System<2> system(*mesh, Materials<2>(material), {});
  const auto facets = make_facets(system, {"inner", "outer"});
  FacetSearch search(facets);
  search.move(test::undeformed(facets));
  const auto nearest = [&](const Point &x) {
    FacetGap<2> best;
    best.distance = 1e9;
    for (unsigned int f = 0; f < facets.facets.size(); ++f)
      if (const auto g = search.gap(f, x); g && std::abs(g->distance) < std::abs(best.distance))
        best = *g;
    return best;
  };
  const auto brute = [&](const Point &x) {
    double distance = 1e9, turns = 0;
    for (const Facet<2> &facet : facets.facets) {
      const Point &a = facets.nodes[facet.begin].position, &b = facets.nodes[facet.end].position;
      const Tensor along = b - a;
      const double fraction = std::clamp(along * (x - a) / along.norm_square(), 0., 1.);
      distance = std::min(distance, x.distance(a + fraction * along));
      turns += std::atan2((a - x)[0] * (b - x)[1] - (a - x)[1] * (b - x)[0], (a - x) * (b - x));
    }
    return std::abs(turns) > 1 ? -distance : distance;
  };
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> place(-2.3, 2.3);
  const double h = 1e-6;
  unsigned int n_at_corners = 0;
  for (unsigned int k = 0; k < 3000; ++k) {
    const Point x(place(generator), place(generator));
    const FacetGap<2> g = nearest(x);
    ASSERT_NEAR(g.distance, brute(x), 1e-12);
    ASSERT_NEAR(g.normal.norm(), 1., 1e-14);
    n_at_corners += g.fraction == 0. || g.fraction == 1.;
    for (unsigned int d = 0; d < 2; ++d) {
      Tensor step;
      step[d] = h;
      const double slope = (brute(x + step) - brute(x - step)) / (2 * h);
      // There is no gradient if two points of the outline are equally close.
      if (std::abs(std::abs(brute(x + step) - brute(x)) - std::abs(brute(x) - brute(x - step))) <
          1e-3 * h) {
        ASSERT_NEAR(g.normal[d], slope, 2e-3 / (1e-2 + std::abs(g.distance)));
      }
    }
  }
  EXPECT_GT(n_at_corners, 100u);
}

/// On the way around a corner the normal rotates by the angle of the point.
TEST(FacetSearch, TurnsNormalsContinuously) {
  const auto mesh = test::rectangle(CellShape::hypercube, 1, 1, 4, 4);
  const System<2> system(*mesh, Materials<2>(material), {});
  const auto facets = make_facets(system, {"boundary"});
  FacetSearch search(facets);
  search.move(test::undeformed(facets));
  const double distance = 0.01;
  FacetGap<2> last;
  for (unsigned int k = 0; k <= 1000; ++k) {
    const double angle = M_PI / 2 * k / 1000.;
    const Point x(1 + distance * std::cos(angle), 1 + distance * std::sin(angle));
    std::vector<unsigned int> near;
    search.find_near(x, near);
    FacetGap<2> best;
    best.distance = 1;
    for (const unsigned int f : near)
      if (const auto g = search.gap(f, x); g && g->distance < best.distance)
        best = *g;
    ASSERT_NEAR(best.distance, distance, 1e-15);
    if (k > 0) {
      ASSERT_LT((best.normal - last.normal).norm(), 1.01 * M_PI / 2000);
    }
    last = best;
  }
}

/// Two blocks of the same width meet at their ends; beyond an end, a facet is found up to a tenth
/// of its length only.
TEST(FacetSearch, EndsWhereItsLineEnds) {
  const auto mesh = test::rectangle(CellShape::hypercube, 1, 1, 4, 4);
  const System<2> system(*mesh, Materials<2>(material), {});
  const auto facets = make_facets(system, {"top"});
  FacetSearch search(facets);
  search.move(test::undeformed(facets));
  const auto n_gaps = [&](double x) {
    unsigned int n = 0;
    for (unsigned int f = 0; f < facets.facets.size(); ++f)
      n += search.gap(f, Point(x, 1.05)).has_value();
    return n;
  };
  for (const double x : {0., 1., -0.02, 1.02, 0.1, 0.9})
    EXPECT_EQ(n_gaps(x), 1u) << x;
  for (const double x : {-0.03, 1.03})
    EXPECT_EQ(n_gaps(x), 0u) << x;
}

/// Data that the search keeps from earlier configurations do not change its results, and save most
/// constructions of trees.
TEST(FacetContacts, DoNotDependOnTheSearchesBefore) {
  const auto lower = test::rectangle(CellShape::simplex, 2, 1, 12, 6),
             upper = test::rectangle(CellShape::hypercube, 1, 1, 7, 5);
  lower->file = "lower.msh";
  upper->file = "upper.msh";
  System<2>::ElasticBodies elastic;
  elastic.push_back(std::make_unique<ElasticBody<2>>(*lower, Materials<2>(material)));
  elastic.push_back(
      std::make_unique<ElasticBody<2>>(*upper, Materials<2>(material), elastic.front()->n_dofs()));
  const System<2> system(std::move(elastic), {}, {});
  const Boundary<2> boundary(
      system, pair_of("lower:boundary", {"upper:boundary"}, Discretisation::nodes_of_both_sides));
  const ContactFinder<2> kept(boundary);
  Vector q(system.n_dofs());
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> jolt(-0.02, 0.02);
  unsigned int n_found = 0;
  for (unsigned int k = 0; k < 200; ++k) {
    for (const auto &dofs : system.elastic[1]->space.node_dofs) {
      q[dofs[0]] = 0.3 + 0.005 * k;
      q[dofs[1]] = 1 + jolt(generator);
    }
    const auto one = kept.find(boundary.trace.gather(q), 0),
               other = ContactFinder<2>(boundary).find(boundary.trace.gather(q), 0);
    ASSERT_EQ(one.contacts.size(), other.contacts.size());
    for (std::size_t i = 0; i < one.contacts.size(); ++i) {
      ASSERT_TRUE(one.contacts[i].key == other.contacts[i].key);
      ASSERT_EQ(one.contacts[i].gap, other.contacts[i].gap);
      ASSERT_EQ(one.contacts[i].normal, other.contacts[i].normal);
      if (i > 0) {
        ASSERT_TRUE(one.contacts[i - 1].key < one.contacts[i].key);
      }
    }
    n_found += static_cast<unsigned int>(one.contacts.size());
  }
  EXPECT_GT(n_found, 1000u);
}

/// The rate of a gap is the relative velocity at any point of the faces, and rigid motions of all
/// bodies have none.
TEST(FacetContacts, SupportsGiveTheRatesOfGaps) {
  const auto lower = test::rectangle(CellShape::simplex, 2, 1, 6, 3, 0.2),
             upper = test::rectangle(CellShape::hypercube, 1, 1, 5, 4, 0.2);
  test::move(*upper, 0.07, Tensor({0.6, 1.01}));
  lower->file = "lower.msh";
  upper->file = "upper.msh";
  System<2>::ElasticBodies elastic;
  elastic.push_back(std::make_unique<ElasticBody<2>>(*lower, Materials<2>(material)));
  elastic.push_back(
      std::make_unique<ElasticBody<2>>(*upper, Materials<2>(material), elastic.front()->n_dofs()));
  const System<2> system(std::move(elastic), {}, {});
  const Boundary<2> boundary(
      system, pair_of("lower:boundary", {"upper:boundary"}, Discretisation::nodes_of_both_sides));
  const ContactFinder<2> finder(boundary);
  std::mt19937 generator(9);
  std::uniform_real_distribution<double> jolt(-1, 1);
  Vector v(system.n_dofs()), q(system.n_dofs());
  for (unsigned int i = 0; i < system.n_dofs(); ++i)
    v[i] = jolt(generator);
  const double h = 1e-6;
  const auto at = [&](double t) {
    for (unsigned int i = 0; i < system.n_dofs(); ++i)
      q[i] = t * v[i];
    return finder.find(boundary.trace.gather(q), 0);
  };
  const auto before = at(-h), after = at(h), now = at(0);
  const TraceField on_trace = boundary.trace.gather(v);
  ASSERT_GT(now.contacts.size(), 8u);
  for (const auto &contact : now.contacts) {
    const auto *const one = before.find(contact.key), *const other = after.find(contact.key);
    ASSERT_TRUE(one != nullptr && other != nullptr);
    Tensor u, sum;
    for (unsigned int k = contact.support_begin; k < contact.support_end; ++k) {
      u += on_trace[now.support[k].entry] * now.support[k].weight;
      sum += now.support[k].weight;
    }
    EXPECT_NEAR(u * contact.normal, (other->gap - one->gap) / (2 * h), 1e-5);
    EXPECT_LT(sum.norm(), 1e-15);
  }
}

/// The coarser side carries the multipliers. Of equally fine sides, the one whose name comes first
/// carries them, for either order of the sides, unless the user chooses otherwise.
TEST(Mortar, IsOfTheCoarserSide) {
  const auto carrier = [](unsigned int n_lower, const std::string &region,
                          const std::string &against, Discretisation discretisation) {
    const auto lower = test::rectangle(CellShape::simplex, 2, 1, n_lower, 3),
               upper = test::rectangle(CellShape::hypercube, 1, 1, 5, 4);
    test::move(*lower, 0.3, Tensor({0.2, 0.7})); // round-off has no influence
    test::move(*upper, 0, Tensor({0.6, 5}));
    lower->file = "lower.msh";
    upper->file = "upper.msh";
    System<2>::ElasticBodies elastic;
    elastic.push_back(std::make_unique<ElasticBody<2>>(*lower, Materials<2>(material)));
    elastic.push_back(std::make_unique<ElasticBody<2>>(*upper, Materials<2>(material),
                                                       elastic.front()->n_dofs()));
    const System<2> system(std::move(elastic), {}, {});
    const Boundary<2> boundary(system, pair_of(region, {against}, discretisation));
    const auto points_name =
        boundary.points.front().elastic_body() == 0u ? "lower:top" : "upper:bottom";
    const auto &names = boundary.carriers.front();
    EXPECT_EQ(names, names.empty() ? names : std::vector<std::string>{points_name});
    EXPECT_EQ(names.empty(), discretisation == Discretisation::nodes);
    return std::string(points_name);
  };
  for (const bool exchanged : {false, true}) {
    const std::string region = exchanged ? "lower:top" : "upper:bottom";
    const std::string against = exchanged ? "upper:bottom" : "lower:top";
    const auto mortar = Discretisation::mortar;
    EXPECT_EQ(carrier(9, region, against, mortar), "lower:top");
    EXPECT_EQ(carrier(10, region, against, mortar), "upper:bottom"); // the shorter side
    EXPECT_EQ(carrier(11, region, against, mortar), "upper:bottom");
    for (const auto chosen : {Discretisation::mortar_of_region, Discretisation::nodes})
      for (const unsigned int n : {9u, 11u})
        EXPECT_EQ(carrier(n, region, against, chosen), region);
  }
}

/// A corner that moves around a corner of another body keeps its contact, whose normal rotates by
/// the same angle.
TEST(FacetContacts, TurnContinuouslyWhereACornerPassesACorner) {
  const auto lower = test::rectangle(CellShape::hypercube, 1, 1, 4, 4),
             upper = test::rectangle(CellShape::simplex, 1, 1, 3, 3);
  lower->file = "lower.msh";
  upper->file = "upper.msh";
  System<2>::ElasticBodies elastic;
  elastic.push_back(std::make_unique<ElasticBody<2>>(*lower, Materials<2>(material)));
  elastic.push_back(
      std::make_unique<ElasticBody<2>>(*upper, Materials<2>(material), elastic.front()->n_dofs()));
  const System<2> system(std::move(elastic), {}, {});
  const Boundary<2> boundary(system, pair_of("upper:boundary", {"lower:boundary"}));
  const ContactFinder<2> finder(boundary);
  Vector q(system.n_dofs());
  const double distance = 0.01;
  Tensor last;
  unsigned int n_turns = 0;
  for (unsigned int k = 0; k <= 1000; ++k) {
    // From beside the upper right corner of the lower body to a point above it.
    const double angle = M_PI / 2 * k / 1000.;
    const Tensor place({1 + distance * std::cos(angle), 1 + distance * std::sin(angle)});
    for (const auto &dofs : system.elastic[1]->space.node_dofs)
      for (unsigned int d = 0; d < 2; ++d)
        q[dofs[d]] = place[d];
    const auto found = finder.find(boundary.trace.gather(q), 0);
    const Contact<2> *corner_contact = nullptr;
    for (const auto &contact : found.contacts)
      if (boundary.points[contact.point].position.norm() < 1e-12)
        corner_contact = &contact;
    ASSERT_NE(corner_contact, nullptr) << k;
    ASSERT_NEAR(corner_contact->gap, distance, 1e-14);
    if (k > 0) {
      ASSERT_LT((corner_contact->normal - last).norm(), 1.01 * M_PI / 2000);
      n_turns += (corner_contact->normal - last).norm() > 0.99 * M_PI / 2000;
    }
    last = corner_contact->normal;
  }
  EXPECT_GE(n_turns, 999u);
}

/// A boundary does not touch itself through the body, nor next to a point, if the body rotates and
/// is compressed to two thirds.
TEST(SelfContact, FindsNothingInABodyThatIsNotFolded) {
  const auto ring = test::ring(0.9, 1, 40, 1);
  const System<2> system(*ring, Materials<2>(material), {});
  for (const char *region : {"inner", "outer"})
    EXPECT_TRUE(Boundary<2>(system, pair_of(region, {region})).pairs[0].is_self_contact());
  const auto bar = test::rectangle(CellShape::simplex, 4, 0.2, 40, 2, 0.1);
  const System<2> bar_system(*bar, Materials<2>(material), {});
  const Boundary<2> boundary(bar_system, pair_of("boundary", {"boundary"}));
  const ContactFinder<2> finder(boundary);
  Vector q(bar_system.n_dofs());
  for (const double thickness : {1., 0.67})
    for (const double angle : {0., 1., 2.5}) {
      const auto &space = bar_system.elastic.front()->space;
      for (unsigned int i = 0; i < space.n_nodes(); ++i) {
        // bent to an arc, compressed and rotated
        const double phi = space.nodes[i][0] / 2, r = 2 + thickness * space.nodes[i][1];
        const Point x(r * std::sin(phi + angle), r * std::cos(phi + angle));
        for (unsigned int d = 0; d < 2; ++d)
          q[space.node_dofs[i][d]] = x[d] - space.nodes[i][d];
      }
      EXPECT_EQ(finder.find(boundary.trace.gather(q), 0).contacts.size(), 0u)
          << thickness << ' ' << angle;
    }
}

/// A bar bent to a ring with overlapping ends touches itself there, from both sides.
TEST(SelfContact, FindsWhereABarIsFolded) {
  const auto bar = test::rectangle(CellShape::hypercube, 4, 0.1, 80, 2);
  const System<2> system(*bar, Materials<2>(material), {});
  const Boundary<2> boundary(system, pair_of("boundary", {"boundary"}));
  const ContactFinder<2> finder(boundary);
  Vector q(system.n_dofs());
  const auto &space = system.elastic.front()->space;
  for (const double overlap : {-0.004, 0.004}) {
    for (unsigned int i = 0; i < space.n_nodes(); ++i) {
      // A spiral whose turns are one thickness apart, minus the overlap.
      const double phi = 2 * M_PI * 1.25 * space.nodes[i][0] / 4;
      const double r = 0.4 + space.nodes[i][1] + (0.1 - overlap) * phi / (2 * M_PI);
      const Point x(-r * std::cos(phi), r * std::sin(phi));
      for (unsigned int d = 0; d < 2; ++d)
        q[space.node_dofs[i][d]] = x[d] - space.nodes[i][d];
    }
    const auto found = finder.find(boundary.trace.gather(q), 0);
    unsigned int n_top = 0, n_bottom = 0;
    for (const auto &contact : found.contacts) {
      const double y = boundary.points[contact.point].position[1];
      n_top += y > 0.099;
      n_bottom += y < 0.001;
      EXPECT_NEAR(contact.gap, -overlap, 0.0015); // the facets are chords
    }
    EXPECT_GT(n_top, 10u);
    EXPECT_GT(n_bottom, 10u);
  }
}

/// The number of comparisons of points with facets grows like the number of points.
TEST(FacetContacts, CompareNearPointsOnly) {
  std::vector<double> per_point;
  for (const unsigned int n : {50u, 400u}) {
    const auto ring = test::ring(1 - 6. / n, 1, n, 1);
    const System<2> system(*ring, Materials<2>(material), {});
    const Boundary<2> boundary(system, pair_of("inner", {"inner"}));
    const ContactFinder<2> finder(boundary);
    finder.find(TraceField(boundary.trace.size(), 0.), 0);
    per_point.push_back(static_cast<double>(finder.n_compared()) / n);
  }
  EXPECT_LT(per_point[1], 1.1 * per_point[0]);
  EXPECT_LT(per_point[0], 12.);
}

} // namespace
