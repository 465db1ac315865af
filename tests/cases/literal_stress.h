#pragma once

// The stress of a cell computed from the data in a file, by the laws in textbooks: in three
// dimensions, and without the precautions against round-off in the program.

#include <percussion/input/parameters.h>

#include <deal.II/base/tensor.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace percussion::test {

using Tensor3 = dealii::Tensor<2, 3>;

/// Cauchy stress of the three-dimensional displacement gradient ∇u; its 33 component follows from
/// the others in plane stress or plane strain.
using StressLaw = std::function<Tensor3(Tensor3 grad_u)>;

inline Tensor3 unit() {
  Tensor3 I;
  for (unsigned int i = 0; i < 3; ++i)
    I[i][i] = 1;
  return I;
}

/// Returns Hooke's law, σ = E/(1 + ν) (ε + ν/(1 − 2ν) tr ε I).
inline StressLaw hooke(double E, double nu, bool plane_stress) {
  return [=](const Tensor3 &grad_u) {
    Tensor3 strain = 0.5 * (grad_u + transpose(grad_u));
    if (plane_stress)
      strain[2][2] = -nu / (1 - nu) * (strain[0][0] + strain[1][1]);
    return E / (1 + nu) * (strain + nu / (1 - 2 * nu) * trace(strain) * unit());
  };
}

/// Returns σ = 2/J ((W₁ + I₁ W₂) B − W₂ B² + I₃ W₃ I) with B = F Fᵀ and the derivatives of W with
/// respect to the invariants, returned by `slopes` for I₃; `c33` is the square of F₃₃.
inline StressLaw isotropic(std::function<std::array<double, 3>(double I3)> slopes,
                           std::function<double(const Tensor3 &C)> c33) {
  return [=](Tensor3 grad_u) {
    Tensor3 F = unit() + grad_u;
    F[2][2] = std::sqrt(c33(transpose(F) * F));
    const Tensor3 B = F * transpose(F);
    const double J = determinant(F);
    const auto [W1, W2, W3] = slopes(J * J);
    return 2 / J * ((W1 + trace(B) * W2) * B - W2 * (B * B) + J * J * W3 * unit());
  };
}

/// Returns the law of W = C₁ (I₁ − 3) + C₂ (I₂ − 3) + D (I₃ − 1) − (C₁ + 2 C₂ + D) ln I₃.
inline StressLaw ogden(double C1, double C2, double D, bool plane_stress) {
  const double K = C1 + 2 * C2 + D;
  return isotropic(
      [=](double I3) {
        return std::array<double, 3>{{C1, C2, D - K / I3}};
      },
      [=](const Tensor3 &C) {
        if (!plane_stress)
          return 1.;
        // ∂W/∂C₃₃ = 0
        const double det = C[0][0] * C[1][1] - C[0][1] * C[1][0];
        return K / (C1 + C2 * (C[0][0] + C[1][1]) + D * det);
      });
}

/// Returns the law S = E/(1 + ν) (E + ν/(1 − 2ν) tr E I) of the Green–Lagrange strain, σ = F S
/// Fᵀ/J.
inline StressLaw st_venant_kirchhoff(double E, double nu, bool plane_stress) {
  return [=](const Tensor3 &grad_u) {
    Tensor3 F = unit() + grad_u, strain = 0.5 * (transpose(F) * F - unit());
    if (plane_stress) {
      strain[2][2] = -nu / (1 - nu) * (strain[0][0] + strain[1][1]);
      F[2][2] = std::sqrt(1 + 2 * strain[2][2]);
    }
    const Tensor3 S = E / (1 + nu) * (strain + nu / (1 - 2 * nu) * trace(strain) * unit());
    return Tensor3(F * S * transpose(F) / determinant(F));
  };
}

/// Returns the law of W = µ/2 (I₁ − 3 − ln I₃) + λ/8 (ln I₃)².
inline StressLaw neo_hooke(double E, double nu) {
  const double mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  return isotropic(
      [=](double I3) {
        return std::array<double, 3>{{mu / 2, 0, (lambda / 4 * std::log(I3) - mu / 2) / I3}};
      },
      [](const Tensor3 &) { return 1.; });
}

/// Returns the law in the parameters of a run, for all cells or for the cells of a region.
inline StressLaw law_of(const Parameters &parameters, const std::string &region = "") {
  const auto path = [&](const std::string &name) {
    const std::string own = "Material/" + region + "/" + name;
    return region.empty() || parameters.get(own).empty() ? "Material/" + name : own;
  };
  // Without elastic bodies a case has none of the constants.
  const auto of = [&](const char *name) {
    return parameters.get(path(name)).empty() ? std::nan("") : parameters.get_double(path(name));
  };
  const std::string law = parameters.get(path("Law"));
  const bool plane_stress = parameters.get(path("Plane")) == "stress";
  if (law == "ogden")
    return ogden(of("C1"), of("C2"), of("D"), plane_stress);
  if (law == "neo-hooke")
    return neo_hooke(of("Young modulus"), of("Poisson ratio"));
  if (law == "St. Venant-Kirchhoff")
    return st_venant_kirchhoff(of("Young modulus"), of("Poisson ratio"), plane_stress);
  return hooke(of("Young modulus"), of("Poisson ratio"), plane_stress);
}

/// Corners of a triangle or a quadrilateral, with their displacements.
struct Corners {
  std::vector<dealii::Tensor<1, 2>> x, u;
};

/// ∇u at a point in a cell, and the undeformed area of the point.
struct GradientAt {
  Tensor3 grad_u;
  double weight;
};

/// Returns ∇u for these derivatives of the shape functions in the reference cell.
inline GradientAt gradient_at(const Corners &cell,
                              const std::vector<std::array<double, 2>> &slopes) {
  dealii::Tensor<2, 2> dx, du; // derivatives with respect to the reference coordinates
  for (std::size_t a = 0; a < slopes.size(); ++a)
    for (unsigned int i = 0; i < 2; ++i)
      for (unsigned int j = 0; j < 2; ++j) {
        dx[i][j] += (cell.x[a][i] - cell.x[0][i]) * slopes[a][j];
        du[i][j] += (cell.u[a][i] - cell.u[0][i]) * slopes[a][j];
      }
  const auto grad = du * invert(dx);
  GradientAt place{{}, std::abs(determinant(dx))};
  for (unsigned int i = 0; i < 2; ++i)
    for (unsigned int j = 0; j < 2; ++j)
      place.grad_u[i][j] = grad[i][j];
  return place;
}

/// Returns the mean stress of a cell, with one point in a triangle and four Gauss points in a
/// quadrilateral.
inline Tensor3 mean_stress(const Corners &cell, const StressLaw &law) {
  std::vector<GradientAt> places;
  if (cell.x.size() == 3)
    places.push_back(gradient_at(cell, {{{-1, -1}}, {{1, 0}}, {{0, 1}}}));
  const double g = 1 / std::sqrt(3.);
  for (const double r : cell.x.size() == 4 ? std::vector<double>{-g, g} : std::vector<double>{})
    for (const double s : {-g, g})
      places.push_back(gradient_at(cell, {{{-(1 - s) / 4, -(1 - r) / 4}},
                                          {{(1 - s) / 4, -(1 + r) / 4}},
                                          {{(1 + s) / 4, (1 + r) / 4}},
                                          {{-(1 + s) / 4, (1 - r) / 4}}}));
  Tensor3 sum;
  double area = 0;
  for (const auto &place : places) {
    sum += place.weight * law(place.grad_u);
    area += place.weight;
  }
  return sum / area;
}

/// Returns √(½ ((σ₁₁ − σ₂₂)² + …) + 3 (σ₁₂² + …)).
inline double equivalent(const Tensor3 &s) {
  const double shear = s[0][1] * s[0][1] + s[1][2] * s[1][2] + s[0][2] * s[0][2];
  return std::sqrt(0.5 * (std::pow(s[0][0] - s[1][1], 2) + std::pow(s[1][1] - s[2][2], 2) +
                          std::pow(s[2][2] - s[0][0], 2)) +
                   3 * shear);
}

} // namespace percussion::test
