#pragma once

#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace percussion::isochoric {

/// Components xx, yy, zz, xy, xz, yz of C in any arithmetic.
template <typename Number>
using Six = std::array<Number, 6>;

/// Directions of both families, of unit length up to the last digit.
inline std::array<FibreDirection, 2> oblique_directions() {
  return {FibreDirection({0.48, 0.64, 0.6}), FibreDirection({-0.28, 0.96, 0.})};
}

/// Invariants of C without volume change, in any arithmetic, and J.
template <typename Number>
struct Invariants {
  Number first, second, J;
  std::array<Number, 2> fibres; ///< Ī₄ of both families

  explicit Invariants(const Six<Number> &c) {
    using std::exp;
    using std::log;
    const Number I1 = c[0] + c[1] + c[2];
    const Number I2 =
        c[0] * c[1] + c[0] * c[2] + c[1] * c[2] - c[3] * c[3] - c[4] * c[4] - c[5] * c[5];
    const Number I3 = c[0] * (c[1] * c[2] - c[5] * c[5]) - c[3] * (c[3] * c[2] - c[4] * c[5]) +
                      c[4] * (c[3] * c[5] - c[4] * c[1]);
    const Number logarithm = log(I3), factor = exp(-logarithm / Number(3.));
    first = factor * I1;
    second = factor * factor * I2;
    J = exp(logarithm / Number(2.));
    for (unsigned int i = 0; i < 2; ++i) {
      const FibreDirection a = oblique_directions()[i];
      // a·C a = 1 + a·A a, also for a length that is 1 up to round-off only
      fibres[i] = factor * (1. + a[0] * a[0] * (c[0] - 1.) + a[1] * a[1] * (c[1] - 1.) +
                            a[2] * a[2] * (c[2] - 1.) + 2. * a[0] * a[1] * c[3] +
                            2. * a[0] * a[2] * c[4] + 2. * a[1] * a[2] * c[5]);
    }
  }
};

// The laws as in the literature.

struct LiteralMooneyRivlin {
  static constexpr const char *name = "MooneyRivlin";
  static constexpr double mu = 1.25, bulk = 3.5;
  static MooneyRivlin law() { return {{0.5, 0.125, bulk}}; }

  template <typename Number>
  static Number isochoric(const Invariants<Number> &i) {
    return 0.5 * (i.first - 3.) + 0.125 * (i.second - 3.);
  }
};

struct LiteralYeoh {
  static constexpr const char *name = "Yeoh";
  static constexpr double mu = 1.5, bulk = 2.5;
  static Yeoh law() { return {{{0.75, -0.125, 0.0625}, bulk}}; }

  template <typename Number>
  static Number isochoric(const Invariants<Number> &i) {
    const Number x = i.first - 3.;
    return 0.75 * x - 0.125 * x * x + 0.0625 * x * x * x;
  }
};

struct LiteralArrudaBoyce {
  static constexpr const char *name = "ArrudaBoyce";
  static constexpr double mu = 1.5, bulk = 3., locking_stretch = 2.;
  static ArrudaBoyce law() { return eight_chains(mu, locking_stretch, bulk); }

  template <typename Number>
  static Number isochoric(const Invariants<Number> &i) {
    constexpr double a[][2] = {{1, 2}, {1, 20}, {11, 1050}, {19, 7000}, {519, 673750}};
    Number sum = 0., shear = 0., power = 1., scale = 1.;
    double power_of_3 = 1.;
    for (unsigned int k = 0; k < 5; ++k) {
      const Number coefficient = Number(a[k][0]) / Number(a[k][1]) * scale;
      shear += 2. * (k + 1.) * power_of_3 * coefficient;
      power *= i.first;
      power_of_3 *= 3.;
      sum += coefficient * (power - power_of_3);
      scale *= 1. / (locking_stretch * locking_stretch);
    }
    return mu * sum / shear;
  }
};

struct LiteralHolzapfelGasserOgden {
  static constexpr const char *name = "HolzapfelGasserOgden";
  static constexpr double mu = 0.75, bulk = 4., k1 = 1.5, k2 = 1.25, d = 0.125;
  static HolzapfelGasserOgden law() { return {{mu, k1, k2, d, oblique_directions(), bulk}}; }

  template <typename Number>
  static Number isochoric(const Invariants<Number> &i) {
    using std::exp;
    Number W = 0.5 * mu * (i.first - 3.);
    for (const Number &fibre : i.fibres) {
      const Number E = d * (i.first - 3.) + (1. - 3. * d) * (fibre - 1.);
      if (E > 0.)
        W += k1 / (2. * k2) * (exp(k2 * E * E) - 1.);
    }
    return W;
  }
};

/// Types of all laws. A new law is added here.
using Literals = ::testing::Types<LiteralMooneyRivlin, LiteralYeoh, LiteralArrudaBoyce,
                                  LiteralHolzapfelGasserOgden>;

/// Returns W in any arithmetic.
template <typename Literal, typename Number>
Number energy_of(const Six<Number> &c) {
  const Invariants<Number> invariants(c);
  const Number volume_change = invariants.J - 1.;
  return Literal::isochoric(invariants) + 0.5 * Literal::bulk * volume_change * volume_change;
}

} // namespace percussion::isochoric
