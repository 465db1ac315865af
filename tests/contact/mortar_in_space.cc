// Mortar contact of surfaces in 3D: integrals over the intersections of facets.

#include <percussion/contact/mortar_3d.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace mortar_in_space { // separates names from the 2D tests in unity builds

using namespace percussion;
using Point = dealii::Point<3>;
using Direction = dealii::Tensor<1, 3>;

/// Returns [0, 1]² × z in n × m quadrilaterals or twice as many triangles, facing up or down, with
/// inner points moved by up to `jolt` of a cell.
FacetSurface square(unsigned int n, unsigned int m, bool triangles, bool up, double z = 0.,
                    double jolt = 0.) {
  FacetSurface surface;
  std::mt19937 generator(n + m);
  std::uniform_real_distribution<double> random(-jolt, jolt);
  for (unsigned int j = 0; j <= m; ++j)
    for (unsigned int i = 0; i <= n; ++i) {
      const double a = i > 0 && i < n ? random(generator) : 0.,
                   b = j > 0 && j < m ? random(generator) : 0.;
      surface.points.emplace_back((i + a) / n, (j + b) / m, z);
    }
  const auto add = [&](std::vector<unsigned int> facet) {
    if (!up)
      std::reverse(facet.begin(), facet.end());
    surface.facets.push_back(std::move(facet));
  };
  for (unsigned int j = 0; j < m; ++j)
    for (unsigned int i = 0; i < n; ++i) {
      const unsigned int a = j * (n + 1) + i, b = a + 1, c = b + n + 1, d = a + n + 1;
      if (!triangles)
        add({a, b, c, d});
      else if ((i + j) % 2 == 0) {
        add({a, b, c});
        add({a, c, d});
      } else {
        add({a, b, d});
        add({b, c, d});
      }
    }
  return surface;
}

FacetSurface moved(FacetSurface surface, const std::function<Point(const Point &)> &to) {
  for (Point &x : surface.points)
    x = to(x);
  return surface;
}

Point turned(const Point &x) {
  const Direction axis = Direction({0.48, 0.6, 0.64}), v = x - Point();
  const Direction to = std::cos(0.9) * v + std::sin(0.9) * cross_product_3d(axis, v) +
                       (1. - std::cos(0.9)) * (axis * v) * axis;
  return Point(to + Direction({0.3, -2., 5.}));
}

std::vector<MortarContact<3>> contacts_of(const FacetSurface &carrier, const FacetSurface &opposite,
                                          double range = 0.2,
                                          MortarFunctions functions = MortarFunctions::dual) {
  std::vector<EdgePair> pairs;
  for (unsigned int i = 0; i < carrier.facets.size(); ++i)
    for (unsigned int j = 0; j < opposite.facets.size(); ++j)
      pairs.emplace_back(i, j);
  return mortar_contacts(carrier, opposite, pairs, {range, range}, functions);
}

/// Returns the forces of a unit pressure on the points of a surface, as integrals of the shape
/// functions.
std::vector<double> consistent_forces(const FacetSurface &surface) {
  std::vector<double> forces(surface.points.size(), 0.);
  for (unsigned int f = 0; f < surface.facets.size(); ++f)
    for (unsigned int i = 0; i < surface.facets[f].size(); ++i)
      forces[surface.facets[f][i]] += surface.areas(f)[i];
  return forces;
}

struct Setting {
  bool carrier_triangles, opposite_triangles;
  double jolt, tolerance;
};

/// Quadrilaterals that are not parallelograms have rational integrands.
const Setting settings[] = {{true, true, 0.3, 1e-14},  {true, false, 0., 1e-14},
                            {false, true, 0., 1e-14},  {false, false, 0., 1e-14},
                            {false, false, 0.2, 1e-5}, {true, false, 0.2, 1e-5}};

TEST(MortarInSpace, ConstantPressureIsConsistentOnBothSides) {
  for (const Setting &s : settings) {
    const auto carrier = moved(square(4, 3, s.carrier_triangles, true, 0., s.jolt), turned);
    const auto opposite = moved(square(5, 7, s.opposite_triangles, false, 0., s.jolt), turned);
    const auto contacts = contacts_of(carrier, opposite);
    ASSERT_EQ(contacts.size(), carrier.points.size());
    const auto on_carrier = consistent_forces(carrier), on_opposite = consistent_forces(opposite);
    std::vector<double> forces(opposite.points.size(), 0.);
    for (const auto &contact : contacts) {
      EXPECT_NEAR(contact.area, on_carrier[contact.point], s.tolerance);
      EXPECT_NEAR(contact.cover, 1., 40. * s.tolerance);
      EXPECT_NEAR(contact.gap, 0., 1e-14);
      for (const auto &[point, weight] : contact.opposite)
        forces[point] += contact.area * weight;
    }
    for (std::size_t i = 0; i < forces.size(); ++i)
      EXPECT_NEAR(forces[i], on_opposite[i], s.tolerance) << i;
  }
}

/// Forces of a unit pressure at the quadrature points of the carrier, on both sides.
TEST(MortarInSpace, ConstantPressureOfQuadraturePointsIsConsistentOnBothSides) {
  for (const Setting &s : settings)
    for (const double shift : {0., 0.37}) {
      const auto carrier = moved(square(4, 3, s.carrier_triangles, true, 0., s.jolt), turned);
      const auto opposite =
          moved(square(5, 7, s.opposite_triangles, false, 0.05, s.jolt),
                [&](const Point &x) { return turned(Point(x[0] + shift, x[1], x[2])); });
      const auto contacts = contacts_of(carrier, opposite, 0.2, MortarFunctions::quadrature);
      std::vector<double> on_carrier(carrier.points.size(), 0.),
          on_opposite(opposite.points.size(), 0.);
      double area = 0, covered = 0;
      unsigned int facet = 0, first = 0;
      for (const auto &contact : contacts) {
        EXPECT_GT(contact.area, 0.);
        EXPECT_NEAR(contact.gap, 0.05, 1e-12);
        Direction apart;
        for (const auto &[point, weight] : contact.carrier) {
          on_carrier[point] += contact.area * weight;
          apart += weight * (carrier.points[point] - Point());
        }
        for (const auto &[point, weight] : contact.opposite) {
          on_opposite[point] += contact.area * weight;
          apart -= weight * (opposite.points[point] - Point());
        }
        EXPECT_LT((apart - contact.gap * contact.normal).norm(), 1e-11);
        while (contact.point >= first + carrier.facets[facet].size())
          first += static_cast<unsigned int>(carrier.facets[facet++].size());
        area += contact.area;
        covered += contact.cover * carrier.areas_of_points(facet)[contact.point - first];
      }
      EXPECT_NEAR(area, 1. - shift, 1e-14);
      EXPECT_NEAR(covered, 1. - shift, 1e-12);
      if (shift > 0.)
        continue;
      ASSERT_EQ(contacts.size(), s.carrier_triangles ? 72u : 48u);
      const auto whole_carrier = consistent_forces(carrier),
                 whole_opposite = consistent_forces(opposite);
      for (std::size_t i = 0; i < on_carrier.size(); ++i)
        EXPECT_NEAR(on_carrier[i], whole_carrier[i], s.tolerance) << i;
      for (std::size_t i = 0; i < on_opposite.size(); ++i)
        EXPECT_NEAR(on_opposite[i], whole_opposite[i], s.tolerance) << i;
    }
}

/// Σ weight x is the opposite point, so that every linear field is met exactly.
TEST(MortarInSpace, LinearFieldsAreMetExactly) {
  for (const Setting &s : settings) {
    const auto carrier = moved(square(4, 3, s.carrier_triangles, true, 0., s.jolt), turned);
    const auto opposite = moved(square(5, 7, s.opposite_triangles, false, 0.07, s.jolt), turned);
    for (const auto &contact : contacts_of(carrier, opposite)) {
      EXPECT_NEAR(contact.gap, 0.07, 1e-14);
      Direction place;
      double sum = 0;
      for (const auto &[point, weight] : contact.opposite) {
        place += weight * (opposite.points[point] - Point());
        sum += weight;
      }
      EXPECT_NEAR(sum, 1., 1e-15);
      const Direction expected = carrier.points[contact.point] - Point() - 0.07 * contact.normal;
      EXPECT_LT((place - expected).norm(), 1e-13);
    }
  }
}

/// Uncovered areas do not participate.
TEST(MortarInSpace, AreasAreThoseThatAreCovered) {
  for (const bool triangles : {false, true})
    for (const double shift : {0.37, 0.75, 0.999}) {
      const auto carrier = square(4, 3, triangles, true);
      const auto opposite = moved(square(5, 7, !triangles, false), [&](const Point &x) {
        return x + Direction({shift, 0., 0.});
      });
      double area = 0, weighted = 0;
      for (const auto &contact : contacts_of(carrier, opposite)) {
        area += contact.area;
        EXPECT_GT(contact.area, 0.);
        EXPECT_LT(contact.cover, 1. + 1e-14);
        EXPECT_NEAR(contact.gap, 0., 1e-12);
        for (const auto &[point, weight] : contact.opposite)
          weighted += contact.area * weight * opposite.points[point][0];
      }
      EXPECT_NEAR(area, 1. - shift, 1e-14);
      EXPECT_NEAR(weighted, 0.5 * (1. - shift * shift), 1e-14); // ∫x
    }
}

/// A facet extends over an edge or a corner of a tilted opposite side: gaps and centres of forces
/// refer to the covered area, and all contacts together transmit a constant pressure.
TEST(MortarInSpace, AFacetThatHangsOverTouchesWhereItIsCovered) {
  for (const bool triangles : {false, true})
    for (const double a : {1e-2, 0.1, 0.4, 0.8})
      for (const double b : {0.1, 0.5, 2.}) {
        SCOPED_TRACE(std::to_string(triangles) + " " + std::to_string(a) + " " + std::to_string(b));
        const auto height = [&](double x, double y) {
          return -0.1 + 0.4 * (x - a) + 0.2 * (y - 0.3);
        };
        const auto carrier = square(1, 1, triangles, true);
        const auto opposite = moved(square(1, 1, triangles, false), [&](const Point &x) {
          const double u = a - 3. * (1. - x[0]), v = b - 3. * (1. - x[1]);
          return Point(u, v, -height(u, v));
        });
        const double c = std::min(b, 1.);
        const double least = -height(a, c), largest = -height(0., 0.);
        double area = 0;
        Direction moment;
        for (const auto &contact : contacts_of(carrier, opposite, 2.)) {
          Direction x;
          double sum = 0;
          for (const auto &[point, weight] : contact.carrier) {
            x += weight * (carrier.points[point] - Point());
            sum += weight;
          }
          EXPECT_NEAR(sum, 1., 1e-13);
          EXPECT_GE(contact.gap, least - 1e-9);
          EXPECT_LE(contact.gap, largest + 1e-9);
          EXPECT_GE(std::min(x[0], x[1]), -1e-9);
          EXPECT_LE(x[0], a + 1e-9);
          EXPECT_LE(x[1], c + 1e-9);
          for (const auto &[point, weight] : contact.opposite)
            x -= weight * (opposite.points[point] - Point());
          EXPECT_LT((x - contact.gap * contact.normal).norm(), 1e-9);
          area += contact.area;
          for (const auto &[point, weight] : contact.carrier)
            moment += contact.area * weight * (carrier.points[point] - Point());
        }
        EXPECT_NEAR(area, a * c, 1e-13);
        EXPECT_NEAR(moment[0], 0.5 * a * a * c, 1e-13);
        EXPECT_NEAR(moment[1], 0.5 * a * c * c, 1e-13);
      }
}

/// For two spherical caps, gaps converge with second order, and normal forces have no moment.
TEST(MortarInSpace, GapsOfConcentricCapsConverge) {
  const auto cap = [](const FacetSurface &flat, double radius) {
    return moved(flat, [&](const Point &x) {
      const Direction v({x[0] - 0.5, x[1] - 0.5, 1.});
      return Point(radius / v.norm() * v);
    });
  };
  for (const bool triangles : {false, true}) {
    std::vector<double> errors;
    for (const unsigned int n : {4u, 8u, 16u}) {
      const auto carrier = cap(square(n, n, triangles, true), 1.);
      const auto opposite = cap(square(n + 3, n + 1, !triangles, false), 1.05);
      double error = 0;
      for (const auto &contact : contacts_of(carrier, opposite)) {
        Direction apart;
        for (const auto &[point, weight] : contact.carrier)
          apart += weight * (carrier.points[point] - Point());
        for (const auto &[point, weight] : contact.opposite)
          apart -= weight * (opposite.points[point] - Point());
        EXPECT_LT((apart - contact.gap * contact.normal).norm(), 1e-14);
        error = std::max(error, std::abs(contact.gap - 0.05));
      }
      errors.push_back(error);
    }
    EXPECT_LT(errors[2], 2e-3);
    EXPECT_GT(errors[0] / errors[1], 3.);
    EXPECT_GT(errors[1] / errors[2], 3.);
  }
}

/// The nearer of two surfaces is in contact.
TEST(MortarInSpace, OfSeveralSurfacesTheNearestCounts) {
  const auto carrier = square(2, 2, false, true);
  FacetSurface opposite = square(3, 3, false, false, 0.05);
  const FacetSurface behind = square(3, 3, false, false, 0.1);
  const auto n = static_cast<unsigned int>(opposite.points.size());
  opposite.points.insert(opposite.points.end(), behind.points.begin(), behind.points.end());
  for (auto facet : behind.facets) {
    for (unsigned int &point : facet)
      point += n;
    opposite.facets.push_back(facet);
  }
  const auto contacts = contacts_of(carrier, opposite);
  ASSERT_EQ(contacts.size(), 9u);
  for (const auto &contact : contacts) {
    EXPECT_NEAR(contact.gap, 0.05, 1e-14);
    EXPECT_NEAR(contact.cover, 1., 1e-14);
  }
}

/// A corner of a cube in the corner of three walls has a contact for each wall.
TEST(MortarInSpace, CornersHaveAContactForEachOfTheirFaces) {
  FacetSurface cube, walls;
  const auto add = [](FacetSurface &to, const FacetSurface &side) {
    const auto n = static_cast<unsigned int>(to.points.size());
    to.points.insert(to.points.end(), side.points.begin(), side.points.end());
    for (auto facet : side.facets) {
      for (unsigned int &point : facet)
        point += n;
      to.facets.push_back(facet);
    }
  };
  for (unsigned int d = 0; d < 3; ++d) {
    const auto into_side = [&](const Point &x) {
      Point y;
      y[d] = x[2];
      y[(d + 1) % 3] = x[0];
      y[(d + 2) % 3] = x[1];
      return y;
    };
    add(cube, moved(square(2, 2, d == 1, false), into_side));
    add(walls,
        moved(moved(square(2, 2, d == 2, true, -0.01),
                    [](const Point &x) { return Point(2. * x[0] - 0.01, 2. * x[1] - 0.01, x[2]); }),
              into_side));
  }
  // Neighbouring sides have common points.
  std::vector<Point> points;
  std::vector<unsigned int> number;
  for (const Point &x : cube.points) {
    const auto same = std::find_if(points.begin(), points.end(),
                                   [&](const Point &y) { return x.distance(y) < 1e-12; });
    number.push_back(static_cast<unsigned int>(same - points.begin()));
    if (same == points.end())
      points.push_back(x);
  }
  cube.points = points;
  for (auto &facet : cube.facets)
    for (unsigned int &point : facet)
      point = number[point];
  const auto contacts = contacts_of(cube, walls);
  std::vector<unsigned int> sides;
  double area = 0;
  for (const auto &contact : contacts) {
    area += contact.area;
    EXPECT_NEAR(contact.gap, 0.01, 1e-14);
    EXPECT_NEAR(contact.cover, 1., 1e-13);
    if (cube.points[contact.point].norm() < 1e-12)
      sides.push_back(contact.side);
  }
  EXPECT_EQ(sides, (std::vector<unsigned int>{0, 1, 2}));
  EXPECT_NEAR(area, 3., 1e-13);
}

} // namespace mortar_in_space
