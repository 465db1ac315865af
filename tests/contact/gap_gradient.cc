// Gradients of the gaps of mortar contacts.

#include <percussion/contact/mortar.h>

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
struct Sides {
  Polyline carrier, opposite;
};

auto contacts_of(const Sides &sides, MortarFunctions functions,
                 GapGradients gradients = GapGradients::none) {
  std::vector<EdgePair> pairs;
  for (unsigned int i = 0; i < sides.carrier.edges.size(); ++i)
    for (unsigned int j = 0; j < sides.opposite.edges.size(); ++j)
      pairs.emplace_back(i, j);
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
Sides wavy_lines(unsigned int seed, bool is_axisymmetric) {
  Random random(seed);
  Sides sides{wave(1., 3.2 + .8 * random(), 3 + seed % 4, .05 + .03 * random(), random),
              wave(5., 1. + .7 * random(), 4 + seed % 7, 0., random)};
  sides.carrier.is_axisymmetric = sides.opposite.is_axisymmetric = is_axisymmetric;
  return sides;
}

double gradient_at(const std::vector<std::pair<unsigned int, dealii::Tensor<1, 2>>> &gradient,
                   unsigned int point, unsigned int d) {
  for (const auto &[i, value] : gradient)
    if (i == point)
      return value[d];
  return 0.;
}

/// Expects the gradients to be the central differences of gaps for all coordinates of a side.
void expect_differences(Sides sides, Polyline Sides::*side, MortarFunctions functions) {
  constexpr double h = 1e-6, tolerance = 1e-7;
  const auto contacts = contacts_of(sides, functions, GapGradients::computed);
  ASSERT_FALSE(contacts.empty());
  auto &points = (sides.*side).points;
  for (unsigned int i = 0; i < points.size(); ++i)
    for (unsigned int d = 0; d < 2; ++d) {
      const double x = points[i][d];
      points[i][d] = x + h;
      const auto after = contacts_of(sides, functions);
      points[i][d] = x - h;
      const auto before = contacts_of(sides, functions);
      points[i][d] = x;
      ASSERT_EQ(after.size(), contacts.size());
      ASSERT_EQ(before.size(), contacts.size());
      for (std::size_t k = 0; k < contacts.size(); ++k) {
        const auto &gradient =
            side == &Sides::carrier ? contacts[k].carrier_gradient : contacts[k].opposite_gradient;
        EXPECT_NEAR(gradient_at(gradient, i, d), (after[k].gap - before[k].gap) / (2. * h),
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
        expect_differences(sides, &Sides::carrier, functions);
        expect_differences(sides, &Sides::opposite, functions);
      }
}

double moment(const dealii::Point<2> &x, const dealii::Tensor<1, 2> &force) {
  return x[0] * force[1] - x[1] * force[0];
}

/// Expects that gaps do not change if both sides move as one rigid body.
void expect_rigid_motions_without_change(const Sides &sides, MortarFunctions functions) {
  for (const auto &contact : contacts_of(sides, functions, GapGradients::computed)) {
    auto resultant = 0. * contact.normal;
    double total_moment = 0;
    const auto add = [&](const Polyline &side, const auto &gradients) {
      for (const auto &[point, gradient] : gradients) {
        resultant += gradient;
        total_moment += moment(side.points[point], gradient);
      }
    };
    add(sides.carrier, contact.carrier_gradient);
    add(sides.opposite, contact.opposite_gradient);
    EXPECT_LT(resultant.norm(), 1e-14);
    EXPECT_LT(std::abs(total_moment), 1e-11);
  }
}

TEST(GapGradient, HasNeitherResultantNorMoment) {
  for (unsigned int seed = 0; seed < 24; ++seed)
    for (const MortarFunctions functions : all_functions) {
      SCOPED_TRACE(seed);
      expect_rigid_motions_without_change(wavy_lines(seed, false), functions);
    }
}

/// Expects gradients along the normal with the weights of the points.
void expect_weights(const Sides &sides, double tolerance) {
  for (const MortarFunctions functions : all_functions) {
    const auto contacts = contacts_of(sides, functions, GapGradients::computed);
    ASSERT_FALSE(contacts.empty());
    for (const auto &contact : contacts) {
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
      Sides sides;
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

} // namespace gap_gradient
