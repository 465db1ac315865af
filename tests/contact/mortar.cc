#include <percussion/contact/mortar.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace {

using namespace percussion;
using Point = dealii::Point<2>;
using Tensor = dealii::Tensor<1, 2>;

const MortarRange anywhere{1., .5};

Polyline through(const std::vector<Point> &points) {
  Polyline line{points, {}};
  for (unsigned int i = 0; i + 1 < points.size(); ++i)
    line.edges.push_back({i, i + 1});
  return line;
}

/// Returns a line from x0 to x1 at the height y; the body is above it if x0 < x1.
Polyline level(double x0, double x1, unsigned int n, double y) {
  std::vector<Point> points;
  for (unsigned int i = 0; i <= n; ++i)
    points.emplace_back(x0 + (x1 - x0) * i / n, y);
  return through(points);
}

/// Returns a line with its inner points moved along it at random.
Polyline irregular(Polyline line, unsigned int seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> fraction(-.3, .3);
  const auto before = line;
  for (unsigned int i = 1; i + 1 < line.points.size(); ++i)
    line.points[i] += fraction(random) * before.edge_vector(i);
  return line;
}

Polyline arc(double radius, double from, double to, unsigned int n) {
  std::vector<Point> points;
  for (unsigned int i = 0; i <= n; ++i) {
    const double angle = from + (to - from) * i / n;
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
  }
  return through(points);
}

Tensor turned(const Tensor &x, double angle) {
  return Tensor({std::cos(angle) * x[0] - std::sin(angle) * x[1],
                 std::sin(angle) * x[0] + std::cos(angle) * x[1]});
}

Polyline moved(Polyline line, double angle, const Tensor &by) {
  for (auto &x : line.points)
    x = Point(turned(x, angle) + by);
  return line;
}

std::vector<EdgePair> all_pairs(const Polyline &a, const Polyline &b) {
  std::vector<EdgePair> pairs;
  for (unsigned int i = 0; i < a.edges.size(); ++i)
    for (unsigned int j = 0; j < b.edges.size(); ++j)
      pairs.emplace_back(i, j);
  return pairs;
}

std::vector<MortarContact<2>> contacts_of(const Polyline &carrier, const Polyline &opposite,
                                          const MortarRange &range = anywhere,
                                          MortarFunctions functions = MortarFunctions::dual) {
  return mortar_contacts(carrier, opposite, all_pairs(carrier, opposite), range, functions);
}
std::vector<MortarContact<2>> points_of(const Polyline &carrier, const Polyline &opposite) {
  return contacts_of(carrier, opposite, anywhere, MortarFunctions::quadrature);
}

double total_area(const std::vector<MortarContact<2>> &contacts) {
  return std::accumulate(contacts.begin(), contacts.end(), 0.,
                         [](double sum, const auto &c) { return sum + c.area; });
}

/// Forces of a unit pressure on the points of both sides.
struct Forces {
  std::vector<Tensor> carrier, opposite;
};
Forces forces_of_unit_pressure(const std::vector<MortarContact<2>> &contacts,
                               const Polyline &carrier, const Polyline &opposite) {
  Forces forces{std::vector<Tensor>(carrier.points.size()),
                std::vector<Tensor>(opposite.points.size())};
  for (const auto &c : contacts) {
    for (const auto &[point, weight] : c.carrier)
      forces.carrier[point] += weight * c.area * c.normal;
    for (const auto &[point, weight] : c.opposite)
      forces.opposite[point] -= weight * c.area * c.normal;
  }
  return forces;
}

/// Returns the consistent nodal forces of a unit pressure on the segment s0 < s < s1 of a straight
/// line, with s measured along a direction, against its normals.
std::vector<Tensor> consistent_forces(const Polyline &line, const Tensor &direction, double s0,
                                      double s1) {
  std::vector<Tensor> forces(line.points.size());
  for (const auto &edge : line.edges) {
    const double a = line.points[edge[0]] * direction, b = line.points[edge[1]] * direction;
    const double low = std::max(std::min(a, b), s0), high = std::min(std::max(a, b), s1);
    if (low >= high)
      continue;
    const Tensor along = line.points[edge[1]] - line.points[edge[0]];
    const Tensor normal = Tensor({along[1], -along[0]}) / along.norm();
    const double second = (.5 * (low + high) - a) / (b - a);
    forces[edge[0]] -= (1. - second) * (high - low) * normal;
    forces[edge[1]] -= second * (high - low) * normal;
  }
  return forces;
}

void expect_equal(const std::vector<Tensor> &a, const std::vector<Tensor> &b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_LT((a[i] - b[i]).norm(), tolerance) << "point " << i;
}

void expect_sums(const std::vector<MortarContact<2>> &contacts, const Polyline &carrier,
                 const Polyline &opposite) {
  for (const auto &c : contacts) {
    double sum = -1., carrier_sum = -1.;
    Tensor offset = c.gap * c.normal;
    for (const auto &[point, weight] : c.carrier) {
      carrier_sum += weight;
      offset -= weight * (carrier.points[point] - Point());
    }
    EXPECT_NEAR(carrier_sum, 0., 1e-14) << "point " << c.point;
    for (const auto &[point, weight] : c.opposite) {
      sum += weight;
      offset += weight * (opposite.points[point] - Point());
    }
    EXPECT_NEAR(sum, 0., 1e-14) << "point " << c.point;
    EXPECT_LT(offset.norm(), 1e-13) << "point " << c.point;
    EXPECT_NEAR(c.normal.norm(), 1., 1e-15);
  }
}

TEST(DualShapes, AreBiorthogonalOverAnyPart) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(0., 1.);
  for (unsigned int n = 0; n < 100; ++n) {
    std::array<double, 4> ends; // ends of two pieces
    for (double &end : ends)
      end = place(random);
    std::sort(ends.begin(), ends.end());
    // Exact integrals of monomials over both pieces.
    const auto integral = [&](unsigned int k) {
      double sum = 0;
      for (const unsigned int i : {0U, 2U})
        sum += (std::pow(ends[i + 1], k + 1.) - std::pow(ends[i], k + 1.)) / (k + 1.);
      return sum;
    };
    const double mean = integral(1) / integral(0);
    const DualShapes dual{mean, integral(2) / integral(0) - mean * mean};
    for (unsigned int j = 0; j < 2; ++j) {
      const double start_value = dual(0.)[j], slope = dual(1.)[j] - start_value;
      const double second_integral = start_value * integral(1) + slope * integral(2);
      const double first_integral =
          start_value * integral(0) + slope * integral(1) - second_integral;
      const double own = j == 0 ? integral(0) - integral(1) : integral(1);
      EXPECT_NEAR(first_integral, j == 0 ? own : 0., 1e-13);
      EXPECT_NEAR(second_integral, j == 1 ? own : 0., 1e-13);
    }
  }
}

TEST(DualShapes, OfAWholeEdgeAreThoseOfTheBooks) {
  const DualShapes dual{.5, 1. / 12.};
  EXPECT_NEAR(dual(0.)[0], 2., 1e-15);
  EXPECT_NEAR(dual(1.)[0], -1., 1e-15);
}

/// Straight interfaces at several angles; carrier (s from 0 to 2, body above) and opposite side
/// overlap partly: the opposite side begins before or after the carrier, and ends before or after
/// it.
struct Overlap {
  double begin, end, angle;
};
class StraightInterface : public ::testing::TestWithParam<Overlap> {
protected:
  const Overlap &p = GetParam();
  const Tensor by{{.3, -.2}};
  const Tensor direction = turned(Tensor({1., 0.}), p.angle);
  const Polyline carrier = moved(irregular(level(0., 2., 7, 0.), 1), p.angle, by);
  const Polyline opposite = moved(irregular(level(p.end, p.begin, 11, 0.), 2), p.angle, by);
  const double low = std::max(0., p.begin) + by * direction,
               high = std::min(2., p.end) + by * direction;
};

TEST_P(StraightInterface, ConstantPressureIsConsistentOnBothSides) {
  const auto contacts = contacts_of(carrier, opposite);
  const auto forces = forces_of_unit_pressure(contacts, carrier, opposite);
  expect_equal(forces.carrier, consistent_forces(carrier, direction, low, high), 1e-14);
  expect_equal(forces.opposite, consistent_forces(opposite, direction, low, high), 1e-14);
  EXPECT_NEAR(total_area(contacts), high - low, 1e-14);
}

TEST_P(StraightInterface, ConstantPressureOfQuadraturePointsIsConsistentOnBothSides) {
  const auto contacts = points_of(carrier, opposite);
  const auto forces = forces_of_unit_pressure(contacts, carrier, opposite);
  expect_equal(forces.carrier, consistent_forces(carrier, direction, low, high), 1e-14);
  expect_equal(forces.opposite, consistent_forces(opposite, direction, low, high), 1e-14);
  expect_sums(contacts, carrier, opposite);
  double cover = 0;
  for (const auto &c : contacts)
    cover += .5 * carrier.edge_vector(c.point / 2).norm() * c.cover;
  EXPECT_NEAR(cover, high - low, 1e-14);
}

/// On an edge that is covered completely, a contact has the carrier's velocity at its Gauss point.
TEST(Mortar, QuadraturePointsOfCoveredEdgesAreGaussPoints) {
  const Polyline carrier = irregular(level(0., 2., 7, 0.), 1), opposite = level(2., 0., 11, -.1);
  const auto contacts = points_of(carrier, opposite);
  ASSERT_EQ(contacts.size(), 14U);
  for (unsigned int i = 0; i < contacts.size(); ++i) {
    const MortarContact<2> &c = contacts[i];
    EXPECT_EQ(c.point, i);
    EXPECT_EQ(c.side, 0U);
    EXPECT_NEAR(c.gap, .1, 1e-15);
    EXPECT_NEAR(c.area, .5 * carrier.edge_vector(i / 2).norm(), 1e-15);
    EXPECT_NEAR(c.cover, 1., 1e-14);
    ASSERT_EQ(c.carrier.size(), 2U);
    EXPECT_EQ(c.carrier[i % 2].first, i / 2 + i % 2);
    EXPECT_NEAR(c.carrier[i % 2].second, .5 + std::sqrt(1. / 12.), 1e-14);
    EXPECT_FALSE(c.opposite.empty());
  }
}

/// Lines of bodies of revolution, a disc of radius 2 before an annulus of radii `low` and `high`:
/// the forces of a unit pressure are ∫ N 2 π r dr on both sides, with dual functions and at
/// quadrature points.
TEST(Mortar, ConstantPressureOnBodiesOfRevolutionIsConsistent) {
  for (const auto &[low, high] : {std::pair{0., 2.}, std::pair{.3, 1.7}, std::pair{.9, 2.5}})
    for (const MortarFunctions functions : {MortarFunctions::dual, MortarFunctions::quadrature}) {
      Polyline carrier = irregular(level(0., 2., 7, 0.), 1),
               opposite = irregular(level(high, low, 11, 0.), 2);
      carrier.is_axisymmetric = opposite.is_axisymmetric = true;
      const double begin = low, end = std::min(2., high);
      const auto expected = [begin, end](const Polyline &line) {
        std::vector<double> forces(line.points.size(), 0.);
        for (const auto &edge : line.edges)
          for (const unsigned int own : {0u, 1u}) {
            const double x = line.points[edge[own]][0], y = line.points[edge[1 - own]][0];
            const double a = std::clamp(std::min(x, y), begin, end),
                         b = std::clamp(std::max(x, y), begin, end);
            const auto f = [&](double r) {
              return (r - y) / (x - y) * 2. * dealii::numbers::PI * r;
            };
            forces[edge[own]] += (b - a) / 6. * (f(a) + 4. * f(.5 * (a + b)) + f(b));
          }
        return forces;
      };
      const auto contacts = contacts_of(carrier, opposite, anywhere, functions);
      const auto forces = forces_of_unit_pressure(contacts, carrier, opposite);
      const auto own = expected(carrier), other = expected(opposite);
      for (std::size_t i = 0; i < own.size(); ++i)
        EXPECT_NEAR(forces.carrier[i][1], own[i], 1e-13) << low << ' ' << i;
      for (std::size_t i = 0; i < other.size(); ++i)
        EXPECT_NEAR(forces.opposite[i][1], -other[i], 1e-13) << low << ' ' << i;
      expect_sums(contacts, carrier, opposite);
    }
}

TEST_P(StraightInterface, LinearFieldsAreMetExactly) {
  const auto contacts = contacts_of(carrier, opposite);
  expect_sums(contacts, carrier, opposite);
  for (const auto &c : contacts)
    EXPECT_EQ(c.carrier.front().first, c.point);
  for (const auto &c : contacts) {
    EXPECT_NEAR(c.gap, 0., 1e-14);
    EXPECT_LT((c.normal - turned(Tensor({0., 1.}), p.angle)).norm(), 1e-14);
  }
}

TEST_P(StraightInterface, CoverIsTheShareOfTheAreaOfAPoint) {
  for (const auto &c : contacts_of(carrier, opposite)) {
    double whole = 0;
    for (unsigned int e = 0; e < carrier.edges.size(); ++e)
      if (carrier.edges[e][0] == c.point || carrier.edges[e][1] == c.point)
        whole += .5 * carrier.edge_vector(e).norm();
    EXPECT_NEAR(c.cover, c.area / whole, 1e-14);
  }
}

INSTANTIATE_TEST_SUITE_P(Places, StraightInterface,
                         ::testing::Values(Overlap{0., 2., 0.}, Overlap{-1., 3., 0.},
                                           Overlap{.31, 1.77, 0.}, Overlap{-.5, .9, 0.},
                                           Overlap{1.1, 2.5, 0.}, Overlap{0., 2., .7},
                                           Overlap{.31, 1.77, -1.9}, Overlap{1.9, 3., 2.5},
                                           Overlap{.95, 1.05, .4}, Overlap{1.999, 3., .4}));

TEST(Mortar, TwoOppositeLinesWithAHoleBetweenCoverAnEdgeInTwoParts) {
  const Polyline carrier = level(0., 1., 1, 0.);
  const Polyline opposite{{{-1., 0.}, {.3, 0.}, {.8, 0.}, {2., 0.}}, {{1, 0}, {3, 2}}};
  const auto contacts = contacts_of(carrier, opposite);
  const auto forces = forces_of_unit_pressure(contacts, carrier, opposite);
  ASSERT_EQ(contacts.size(), 2U);
  EXPECT_NEAR(total_area(contacts), .5, 1e-15);
  // ∫ξ over both covered pieces.
  EXPECT_NEAR(contacts[1].area, .5 * (.09 + 1. - .64), 1e-15);
  auto expected = consistent_forces(opposite, Tensor({1., 0.}), 0., .3);
  const auto others = consistent_forces(opposite, Tensor({1., 0.}), .8, 1.);
  for (std::size_t i = 0; i < others.size(); ++i)
    expected[i] += others[i];
  expect_equal(forces.opposite, expected, 1e-14);
  expect_sums(contacts, carrier, opposite);
}

TEST(Mortar, QuadraturePointsOfAnEdgeThatHangsOverAreWhereItIsCovered) {
  for (const double covered : {1e-7, 1e-3, .03, .3, .6, .9, .999}) {
    SCOPED_TRACE(covered);
    const Polyline carrier = level(0., 1., 1, 0.), opposite = level(covered, -1., 1, -.1);
    const auto contacts = points_of(carrier, opposite);
    expect_sums(contacts, carrier, opposite);
    EXPECT_NEAR(total_area(contacts), covered, 1e-14);
    double moment = 0;
    for (const auto &c : contacts) {
      double x = 0;
      for (const auto &[point, weight] : c.carrier)
        x += weight * carrier.points[point][0];
      EXPECT_GT(x, 0.);
      EXPECT_LT(x, covered);
      EXPECT_GT(c.area, 0.);
      moment += c.area * x;
    }
    EXPECT_NEAR(moment, .5 * covered * covered, 1e-14);
  }
}

/// An edge extends over the end of an opposite side: gaps and centres of forces refer to the
/// covered piece, the outer one is at the end of the opposite side. If almost nothing is covered
/// there is one contact.
TEST(Mortar, AnEdgeThatHangsOverTouchesWhereItIsCovered) {
  for (const double covered : {1e-7, 1e-3, .03, .3, .6, .9, .999})
    for (const double tilt : {-.5, 0., .5}) {
      SCOPED_TRACE(std::to_string(covered) + " " + std::to_string(tilt));
      const auto gap = [&](double x) { return .1 + tilt * (covered - x); };
      const Polyline carrier = level(0., 1., 1, 0.);
      const Polyline opposite =
          through({{covered, -gap(covered)}, {0., -gap(0.)}, {-1., -gap(-1.)}});
      const auto contacts = contacts_of(carrier, opposite);
      expect_sums(contacts, carrier, opposite);
      ASSERT_EQ(contacts.size(), covered < .02 ? 1U : 2U);
      EXPECT_NEAR(total_area(contacts), covered, 1e-14);
      double moment = 0;
      for (const auto &c : contacts) {
        EXPECT_GE(c.gap, std::min(gap(0.), gap(covered)) - 1e-13);
        EXPECT_LE(c.gap, std::max(gap(0.), gap(covered)) + 1e-13);
        double x = 0;
        for (const auto &[point, weight] : c.carrier)
          x += weight * carrier.points[point][0];
        EXPECT_GE(x, -1e-13);
        EXPECT_LE(x, covered + 1e-13);
        moment += c.area * x;
      }
      EXPECT_NEAR(moment, .5 * covered * covered, 1e-14);
      if (covered >= .3) {
        EXPECT_NEAR(contacts[1].gap, gap(covered), 1e-13);
      }
    }
}

TEST(Mortar, OfSeveralSurfacesTheNearestCounts) {
  const Polyline carrier = level(0., 1., 3, 0.);
  Polyline opposite = level(1.5, -.5, 5, -.3);
  const auto behind = level(1.5, -.5, 4, -.6);
  const auto n = static_cast<unsigned int>(opposite.points.size());
  opposite.points.insert(opposite.points.end(), behind.points.begin(), behind.points.end());
  for (const auto &edge : behind.edges)
    opposite.edges.push_back({edge[0] + n, edge[1] + n});
  for (const auto &c : contacts_of(carrier, opposite)) {
    EXPECT_NEAR(c.gap, .3, 1e-15);
    EXPECT_LT(c.opposite.back().first, n);
  }
  EXPECT_TRUE(contacts_of(carrier, opposite, {.2, .5}).empty()) << "out of reach";
  EXPECT_TRUE(contacts_of(carrier, moved(opposite, 0., Tensor({0., .9})), {.2, .2}).empty())
      << "too deep";
  EXPECT_TRUE(contacts_of(carrier, level(-.5, 1.5, 5, -.3)).empty()) << "the same orientation";
}

TEST(Mortar, GapsOfConcentricArcsConvergeWithSecondOrder) {
  const auto error = [](unsigned int n) { // error for a disk in a hole larger by 0.1
    const Polyline carrier = arc(1., -2.6, -.6, n), opposite = arc(1.1, -.3, -2.9, 3 * n / 2 + 1);
    const auto contacts = contacts_of(carrier, opposite);
    expect_sums(contacts, carrier, opposite);
    EXPECT_EQ(contacts.size(), carrier.points.size());
    double largest = 0;
    for (const auto &c : contacts)
      largest = std::max(largest, std::abs(c.gap - .1));
    return largest;
  };
  EXPECT_GT(error(8) / error(128), 200.);
  EXPECT_LT(error(128), 1e-4);
}

TEST(Mortar, CurvedForcesBalanceWithTheirMoments) {
  const Polyline carrier = arc(1., -2.6, -.6, 9), opposite = arc(1.03, -.3, -2.9, 14);
  const auto contacts = contacts_of(carrier, opposite);
  expect_sums(contacts, carrier, opposite);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> pressure(0., 1.);
  double moment = 0, size = 0;
  Tensor force;
  for (const auto &c : contacts) {
    const Tensor p = pressure(random) * c.normal;
    force += p;
    for (const auto &[point, weight] : c.carrier)
      moment += weight * (carrier.points[point][0] * p[1] - carrier.points[point][1] * p[0]);
    for (const auto &[point, weight] : c.opposite) {
      force -= weight * p;
      moment -= weight * (opposite.points[point][0] * p[1] - opposite.points[point][1] * p[0]);
    }
    size += p.norm();
  }
  EXPECT_LT(force.norm(), 1e-14 * size);
  EXPECT_LT(std::abs(moment), 1e-14 * size);
}

TEST(Mortar, PressureOnACurvedOppositeSideConverges) {
  double last = 0;
  for (const unsigned int n : {8, 16, 32, 64}) {
    const Polyline carrier = arc(1., -2.6, -.6, n), opposite = arc(1., -.3, -2.9, 2 * n + 1);
    const auto forces = forces_of_unit_pressure(contacts_of(carrier, opposite), carrier, opposite);
    // The resultant of a unit pressure on the arc.
    Tensor sum;
    for (const auto &f : forces.opposite)
      sum += f;
    const Tensor exact({std::sin(-.6) - std::sin(-2.6), -(std::cos(-.6) - std::cos(-2.6))});
    const double error = (sum - exact).norm();
    if (last > 0) {
      EXPECT_GT(std::log2(last / error), 1.8) << n;
    }
    last = error;
  }
}

TEST(Mortar, FramesDoNotMatter) {
  const Polyline carrier = arc(1., -2.6, -.6, 9), opposite = arc(1.03, -.3, -2.9, 14);
  const auto contacts = contacts_of(carrier, opposite);
  const double angle = 2.1;
  const auto others = contacts_of(moved(carrier, angle, Tensor({.4, .7})),
                                  moved(opposite, angle, Tensor({.4, .7})));
  ASSERT_EQ(contacts.size(), others.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    EXPECT_NEAR(contacts[i].gap, others[i].gap, 1e-14);
    EXPECT_NEAR(contacts[i].area, others[i].area, 1e-14);
    EXPECT_LT((turned(contacts[i].normal, angle) - others[i].normal).norm(), 1e-14);
    ASSERT_EQ(contacts[i].opposite.size(), others[i].opposite.size());
    for (std::size_t k = 0; k < contacts[i].opposite.size(); ++k) {
      EXPECT_EQ(contacts[i].opposite[k].first, others[i].opposite[k].first);
      EXPECT_NEAR(contacts[i].opposite[k].second, others[i].opposite[k].second, 1e-13);
    }
  }
}

TEST(Mortar, WeightsAndGapsChangeContinuouslyWhileSurfacesSlide) {
  const Polyline carrier = arc(1., -2.2, -.9, 6),
                 opposite = irregular(level(3., -3., 17, -1.02), 4);
  const auto state = [&](double s) {
    std::map<std::pair<unsigned int, unsigned int>, double> result;
    for (const auto &c : contacts_of(moved(carrier, .1, Tensor({s, 0.})), opposite)) {
      result[{c.point, 1000}] = c.gap;
      for (const auto &[point, weight] : c.opposite)
        result[{c.point, point}] += weight;
    }
    return result;
  };
  const double ds = 2e-5;
  auto before = state(-.5);
  for (double s = -.5 + ds; s < .5; s += ds) {
    auto now = state(s);
    for (const auto &[key, value] : now)
      ASSERT_NEAR(value, before[key], 100. * ds) << s;
    before = std::move(now);
  }
}

TEST(Mortar, ACornerHasAContactForEachOfItsFaces) {
  // A square in a corner of two walls.
  Polyline square = through({{0., 0.}, {.5, 0.}, {1., 0.}, {1., 1.}, {0., 1.}});
  square.edges.push_back({4, 0});
  const Polyline walls = through({{-.01, 2.}, {-.01, -.02}, {2., -.02}});
  // The free side is to the right of this line, the walls' body on its other side.
  Polyline turned_walls = walls;
  for (auto &edge : turned_walls.edges)
    std::swap(edge[0], edge[1]);
  const auto contacts = contacts_of(square, turned_walls);
  ASSERT_EQ(contacts.size(), 5U);
  EXPECT_EQ(contacts[0].point, 0U);
  EXPECT_EQ(contacts[0].side, 0U);
  EXPECT_LT((contacts[0].normal - Tensor({1., 0.})).norm(), 1e-15);
  EXPECT_NEAR(contacts[0].gap, .01, 1e-15);
  EXPECT_EQ(contacts[1].point, 0U);
  EXPECT_EQ(contacts[1].side, 1U);
  EXPECT_LT((contacts[1].normal - Tensor({0., 1.})).norm(), 1e-15);
  EXPECT_NEAR(contacts[1].gap, .02, 1e-15);
  EXPECT_NEAR(contacts[1].area, .25, 1e-15);
  EXPECT_NEAR(contacts[1].cover, 1., 1e-15);
}

/// Returns a flattened ring: an inner boundary of two arcs that almost touch, and the outer
/// boundary.
Polyline flat_ring(unsigned int n, double gap, double thickness) {
  Polyline line;
  for (const double outwards : {0., thickness})
    for (unsigned int i = 0; i < n; ++i) {
      const double angle = 2. * dealii::numbers::PI * i / n;
      line.points.emplace_back((1. + outwards) * std::cos(angle),
                               (.5 * gap + .3 * std::pow(std::cos(angle), 2.) + outwards) *
                                   (std::sin(angle) > 0. ? 1. : -1.) *
                                   std::min(1., std::abs(4. * std::sin(angle))));
    }
  for (unsigned int i = 0; i < n; ++i) {
    const unsigned int j = (i + 1) % n;
    line.edges.push_back({j, i});         // inner boundary: the body is outside of it
    line.edges.push_back({n + i, n + j}); // outer boundary
  }
  return line;
}

TEST(SelfContact, EachPlaceOnceAndNeverThroughTheBody) {
  const unsigned int n = 40;
  const Polyline ring = flat_ring(n, .02, .2);
  const MortarRange range{.1, .05};
  const auto pairs = self_contact_pairs(ring, all_pairs(ring, ring), range);
  ASSERT_FALSE(pairs.empty());
  std::set<EdgePair> seen;
  for (const auto &[a, b] : pairs) {
    EXPECT_FALSE(seen.count({b, a})) << "both ways";
    seen.insert({a, b});
    for (const unsigned int p : ring.edges[a])
      EXPECT_TRUE(p != ring.edges[b][0] && p != ring.edges[b][1]) << "neighbours";
  }
  const auto contacts = mortar_contacts(ring, ring, pairs, range);
  ASSERT_GT(contacts.size(), 3U);
  double carrier_sign = 0;
  for (const auto &c : contacts) {
    EXPECT_LT(c.point, n) << "the outer boundary takes no part";
    EXPECT_GT(c.gap, 0.);
    const double y = ring.points[c.point][1];
    if (std::abs(ring.points[c.point][0]) < .3) { // one of the two arcs is the carrier
      EXPECT_GE(carrier_sign * y, 0.);
      carrier_sign = y;
    }
  }
  EXPECT_NE(carrier_sign, 0.);
}

TEST(SelfContact, AFlatPlateHasNone) {
  Polyline plate = level(0., 1., 10, 0.);
  const auto top = level(1., 0., 10, .1);
  plate.points.insert(plate.points.end(), top.points.begin(), top.points.end());
  plate.edges.clear();
  for (unsigned int i = 0; i < plate.points.size(); ++i)
    plate.edges.push_back({i, (i + 1) % static_cast<unsigned int>(plate.points.size())});
  EXPECT_TRUE(self_contact_pairs(plate, all_pairs(plate, plate), {1., .05}).empty());
}

} // namespace
