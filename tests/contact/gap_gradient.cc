// Gradients of the gaps of mortar contacts.

#include <percussion/contact/mortar.h>
#include <percussion/contact/mortar_3d.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace gap_gradient {

using namespace percussion;

constexpr std::array<MortarFunctions, 2> all_functions = {MortarFunctions::dual,
                                                          MortarFunctions::quadrature};
constexpr MortarRange range{1., .5};

/// Numbers between −1 and 1.
class Random {
public:
  explicit Random(unsigned int seed) : generator(seed) {}
  double operator()() { return distribution(generator); }

private:
  std::mt19937 generator;
  std::uniform_real_distribution<double> distribution{-1., 1.};
};

/// Both sides of a contact.
template <typename Side>
struct Sides {
  Side carrier, opposite;
};

template <typename Side, typename Facets>
std::vector<EdgePair> all_pairs(const Sides<Side> &sides, const Facets &facets) {
  std::vector<EdgePair> pairs;
  for (unsigned int i = 0; i < facets(sides.carrier).size(); ++i)
    for (unsigned int j = 0; j < facets(sides.opposite).size(); ++j)
      pairs.emplace_back(i, j);
  return pairs;
}

auto contacts_of(const Sides<Polyline> &sides, MortarFunctions functions,
                 GapGradients gradients = GapGradients::none) {
  const auto pairs = all_pairs(sides, [](const Polyline &line) { return line.edges; });
  return mortar_contacts(sides.carrier, sides.opposite, pairs, range, functions, gradients);
}
auto contacts_of(const Sides<FacetSurface> &sides, MortarFunctions functions,
                 GapGradients gradients = GapGradients::none) {
  const auto pairs = all_pairs(sides, [](const FacetSurface &surface) { return surface.facets; });
  return mortar_contacts(sides.carrier, sides.opposite, pairs, range, functions, gradients);
}

/// Returns a wavy line of n edges from x0 to x1 at the height y.
Polyline wave(double x0, double x1, unsigned int n, double y, Random &random) {
  Polyline line;
  for (unsigned int i = 0; i <= n; ++i) {
    double x = x0 + (x1 - x0) * i / n;
    if (i > 0 && i < n)
      x += .3 * random() * (x1 - x0) / n;
    line.points.emplace_back(x, y + .06 * std::sin(2. * x) + .02 * random());
    if (i > 0)
      line.edges.push_back({i - 1, i});
  }
  return line;
}

/// Returns lines of which the upper one is the carrier; ends of both sides hang over.
Sides<Polyline> wavy_lines(unsigned int seed, bool is_axisymmetric) {
  Random random(seed);
  Sides<Polyline> sides{wave(1., 3.2 + .8 * random(), 3 + seed % 4, .05 + .03 * random(), random),
                        wave(5., 1. + .7 * random(), 4 + seed % 7, 0., random)};
  sides.carrier.is_axisymmetric = sides.opposite.is_axisymmetric = is_axisymmetric;
  return sides;
}

/// Rectangle of n × m cells at the height z, of quadrilaterals or triangles.
struct Sheet {
  std::array<double, 2> begin, size;
  std::array<unsigned int, 2> n;
  double z;
  bool faces_up, has_triangles;
  double waviness;       ///< 0 for a flat sheet
  double distortion = 0; ///< 0 for rectangles, seen from above
};

FacetSurface surface_of(const Sheet &sheet, Random &random) {
  FacetSurface surface;
  const auto [nx, ny] = sheet.n;
  for (unsigned int j = 0; j <= ny; ++j)
    for (unsigned int i = 0; i <= nx; ++i) {
      const double x = sheet.begin[0] + sheet.size[0] * (i + sheet.distortion * random()) / nx,
                   y = sheet.begin[1] + sheet.size[1] * (j + sheet.distortion * random()) / ny;
      surface.points.emplace_back(
          x, y, sheet.z + sheet.waviness * (.05 * std::sin(2. * x + y) + .01 * random()));
    }
  for (unsigned int j = 0; j < ny; ++j)
    for (unsigned int i = 0; i < nx; ++i) {
      const unsigned int first = j * (nx + 1) + i;
      std::vector<unsigned int> cell = {first, first + 1, first + nx + 2, first + nx + 1};
      if (!sheet.faces_up)
        std::reverse(cell.begin(), cell.end());
      if (sheet.has_triangles) {
        surface.facets.push_back({cell[0], cell[1], cell[2]});
        surface.facets.push_back({cell[0], cell[2], cell[3]});
      } else
        surface.facets.push_back(cell);
    }
  return surface;
}

/// Returns surfaces of triangles or quadrilaterals, by the lowest bits of the seed. The lower one
/// extends beyond all points of the carrier, or, by the next bit, ends within it.
Sides<FacetSurface> wavy_surfaces(unsigned int seed) {
  Random random(seed);
  const bool has_triangles = seed % 2 == 1, ends_within = seed / 4 % 2 == 1;
  const double distortion = has_triangles ? .3 : .03;
  const Sheet carrier{{.15 + .15 * random(), .15 + .15 * random()},
                      {1., .9},
                      {3, 2},
                      .03,
                      false,
                      has_triangles,
                      1.,
                      distortion},
      opposite{{-.4 + .3 * random(), -.4},
               {2., ends_within ? 1.2 : 2.},
               {2 + seed % 3, 3},
               0.,
               true,
               has_triangles || seed / 2 % 2 == 1,
               1.,
               distortion};
  return {surface_of(carrier, random), surface_of(opposite, random)};
}

template <int dim>
double gradient_at(const std::vector<std::pair<unsigned int, dealii::Tensor<1, dim>>> &gradient,
                   unsigned int point, unsigned int d) {
  for (const auto &[i, value] : gradient)
    if (i == point)
      return value[d];
  return 0.;
}

/// Expects the gradients to be the central differences of gaps for all coordinates of a side, of
/// the contacts that have gradients.
template <int dim, typename Side>
void expect_differences(Sides<Side> sides, Side Sides<Side>::*side, MortarFunctions functions) {
  constexpr double h = 1e-6, tolerance = 1e-7;
  const auto contacts = contacts_of(sides, functions, GapGradients::computed);
  ASSERT_FALSE(contacts.empty());
  auto &points = (sides.*side).points;
  for (unsigned int i = 0; i < points.size(); ++i)
    for (unsigned int d = 0; d < dim; ++d) {
      const double x = points[i][d];
      points[i][d] = x + h;
      const auto after = contacts_of(sides, functions);
      points[i][d] = x - h;
      const auto before = contacts_of(sides, functions);
      points[i][d] = x;
      ASSERT_EQ(after.size(), contacts.size());
      ASSERT_EQ(before.size(), contacts.size());
      for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (contacts[k].carrier_gradient.empty())
          continue;
        const auto &gradient = side == &Sides<Side>::carrier ? contacts[k].carrier_gradient
                                                             : contacts[k].opposite_gradient;
        EXPECT_NEAR(gradient_at<dim>(gradient, i, d), (after[k].gap - before[k].gap) / (2. * h),
                    tolerance)
            << "contact " << k << ", point " << i << ", component " << d;
      }
    }
}

TEST(GapGradient, IsTheDerivativeOfTheGap) {
  for (unsigned int seed = 0; seed < 24; ++seed)
    for (const bool is_axisymmetric : {false, true})
      for (const MortarFunctions functions : all_functions) {
        SCOPED_TRACE(seed);
        const auto sides = wavy_lines(seed, is_axisymmetric);
        expect_differences<2>(sides, &Sides<Polyline>::carrier, functions);
        expect_differences<2>(sides, &Sides<Polyline>::opposite, functions);
      }
}

TEST(GapGradient, IsTheDerivativeOfTheGapIn3D) {
  for (unsigned int seed = 0; seed < 8; ++seed)
    for (const MortarFunctions functions : all_functions) {
      SCOPED_TRACE(seed);
      const auto sides = wavy_surfaces(seed);
      expect_differences<3>(sides, &Sides<FacetSurface>::carrier, functions);
      expect_differences<3>(sides, &Sides<FacetSurface>::opposite, functions);
    }
}

/// The functions of multipliers on a facet that is partly covered change with the cover.
TEST(GapGradient, IsKnownIn3DWhereFacetsAreCoveredCompletely) {
  for (unsigned int seed = 0; seed < 8; ++seed)
    for (const MortarFunctions functions : all_functions) {
      SCOPED_TRACE(seed);
      const auto contacts = contacts_of(wavy_surfaces(seed), functions, GapGradients::computed);
      std::size_t n_known = 0;
      for (const auto &contact : contacts) {
        const bool is_whole = contact.carrier.size() == 1 || functions != MortarFunctions::dual;
        EXPECT_TRUE(is_whole || contact.carrier_gradient.empty());
        n_known += !contact.carrier_gradient.empty();
      }
      EXPECT_GT(n_known, 0);
      EXPECT_EQ(n_known < contacts.size(), seed / 4 % 2 == 1);
    }
}

dealii::Tensor<1, 1> moment(const dealii::Point<2> &x, const dealii::Tensor<1, 2> &force) {
  return dealii::Tensor<1, 1>({x[0] * force[1] - x[1] * force[0]});
}
dealii::Tensor<1, 3> moment(const dealii::Point<3> &x, const dealii::Tensor<1, 3> &force) {
  return cross_product_3d(dealii::Tensor<1, 3>(x), force);
}

/// Expects that gaps do not change if both sides move as one rigid body.
template <typename Side>
void expect_rigid_motions_without_change(const Sides<Side> &sides, MortarFunctions functions) {
  for (const auto &contact : contacts_of(sides, functions, GapGradients::computed)) {
    auto resultant = 0. * contact.normal;
    auto total_moment = 0. * moment(sides.carrier.points[0], contact.normal);
    const auto add = [&](const Side &side, const auto &gradients) {
      for (const auto &[point, gradient] : gradients) {
        resultant += gradient;
        total_moment += moment(side.points[point], gradient);
      }
    };
    add(sides.carrier, contact.carrier_gradient);
    add(sides.opposite, contact.opposite_gradient);
    EXPECT_LT(resultant.norm(), 1e-14);
    EXPECT_LT(total_moment.norm(), 1e-11);
  }
}

TEST(GapGradient, HasNeitherResultantNorMoment) {
  for (unsigned int seed = 0; seed < 24; ++seed)
    for (const MortarFunctions functions : all_functions) {
      SCOPED_TRACE(seed);
      expect_rigid_motions_without_change(wavy_lines(seed, false), functions);
      expect_rigid_motions_without_change(wavy_surfaces(seed), functions);
    }
}

/// Expects gradients along the normal with the weights of the points.
template <typename Side>
void expect_weights(const Sides<Side> &sides, double tolerance) {
  for (const MortarFunctions functions : all_functions) {
    const auto contacts = contacts_of(sides, functions, GapGradients::computed);
    ASSERT_FALSE(contacts.empty());
    for (const auto &contact : contacts) {
      EXPECT_FALSE(contact.carrier_gradient.empty());
      auto difference = [&](const auto &weights, const auto &gradients, double sign) {
        double largest = 0;
        for (const auto &[point, gradient] : gradients) {
          auto rest = gradient;
          for (const auto &[i, weight] : weights)
            if (i == point)
              rest -= sign * weight * contact.normal;
          largest = std::max(largest, rest.norm());
        }
        return largest;
      };
      EXPECT_LT(difference(contact.carrier, contact.carrier_gradient, 1.), tolerance);
      EXPECT_LT(difference(contact.opposite, contact.opposite_gradient, -1.), tolerance);
    }
  }
}

/// On flat interfaces with a uniform gap, a gap changes by the motion along the normal alone, also
/// where the ends of both sides are flush: clip points move, but no point has another gap. The
/// patch test depends on this.
TEST(GapGradient, OfAFlatInterfaceIsTheNormalWithTheWeights) {
  for (const double gap : {0., 1e-3, -1e-3})
    for (const double overhang : {0., 1e-16, -1e-16, 1e-12, .1, -.1}) {
      Sides<Polyline> sides;
      for (unsigned int i = 0; i <= 5; ++i)
        sides.carrier.points.emplace_back(.2 * i + (i == 2 ? .03 : 0.), gap);
      for (unsigned int i = 0; i <= 3; ++i)
        sides.opposite.points.emplace_back(1. + overhang - (1. + 2. * overhang) * i / 3., 0.);
      for (Polyline *const line : {&sides.carrier, &sides.opposite})
        for (unsigned int i = 0; i + 1 < line->points.size(); ++i)
          line->edges.push_back({i, i + 1});
      expect_weights(sides, 1e-12);
    }
}

TEST(GapGradient, OfAFlatInterfaceIn3DIsTheNormalWithTheWeights) {
  for (const bool has_triangles : {false, true})
    for (const double gap : {0., 1e-3})
      for (const double overhang : {0., 1e-16, -1e-16, 1e-7, .1}) {
        Random random(1);
        const Sheet carrier{{0., 0.}, {1., 1.}, {3, 2}, gap, false, has_triangles, 0.},
            opposite{{-overhang, -overhang},
                     {1. + 2. * overhang, 1. + 2. * overhang},
                     {2, 4},
                     0.,
                     true,
                     false,
                     0.};
        expect_weights<FacetSurface>({surface_of(carrier, random), surface_of(opposite, random)},
                                     1e-12);
      }
}

} // namespace gap_gradient
