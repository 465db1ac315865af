// Inflated tubes whose fibres are helices, against the solution of the radial equation.

#include <percussion/body/finite_strain.h>
#include <percussion/body/static_equilibrium.h>
#include <percussion/material/hyperelastic.h>

#include <deal.II/grid/grid_tools.h>
#include <gtest/gtest.h>

#include "support/meshes.h"
#include <array>
#include <cmath>

namespace fibrous_tube { // separates names from the other tests in unity builds

using namespace percussion;

constexpr double pi = dealii::numbers::PI;
constexpr double mu = 0.8, k1 = 1.5, k2 = 0.6, dispersion = 0.05, bulk = 6.;
constexpr double inner_displacement = 0.3; // of a tube of radii 1 and 2

/// Returns the angle of the helices to the circumference at an undeformed radius.
double pitch(double R) { return 0.35 + 0.6 * (R - 1.); }

/// Energy W and its derivatives by the principal stretches along r, θ, z, as in the paper.
struct Principal {
  double energy;
  std::array<double, 3> stress; ///< first Piola–Kirchhoff
};
Principal principal(const std::array<double, 3> &stretch, double R) {
  const double c = std::cos(pitch(R)), s = std::sin(pitch(R));
  const std::array<double, 3> in_fibre = {0., c * c, s * s};
  const double J = stretch[0] * stretch[1] * stretch[2], factor = std::pow(J, -2. / 3.);
  double I1 = 0, I4 = 0;
  for (unsigned int i = 0; i < 3; ++i) {
    I1 += factor * stretch[i] * stretch[i];
    I4 += factor * in_fibre[i] * stretch[i] * stretch[i];
  }
  const double E = dispersion * (I1 - 3.) + (1. - 3. * dispersion) * (I4 - 1.);
  const double taut = E > 0. ? E : 0., e = std::exp(k2 * taut * taut);
  Principal result{
      mu / 2. * (I1 - 3.) + 2. * k1 / (2. * k2) * (e - 1.) + bulk / 2. * (J - 1.) * (J - 1.), {}};
  for (unsigned int i = 0; i < 3; ++i) {
    const double dI1 = 2. * factor * stretch[i] - 2. / 3. * I1 / stretch[i],
                 dI4 = 2. * factor * in_fibre[i] * stretch[i] - 2. / 3. * I4 / stretch[i];
    result.stress[i] = mu / 2. * dI1 +
                       2. * k1 * taut * e * (dispersion * dI1 + (1. - 3. * dispersion) * dI4) +
                       bulk * (J - 1.) * J / stretch[i];
  }
  return result;
}

/// Returns the radial stretch that has this radial stress, by Newton's method.
double radial_stretch(double stress, double hoop, double R, double guess) {
  constexpr double delta = 1e-6;
  for (unsigned int k = 0; k < 50; ++k) {
    const auto residual = [&](double stretch) {
      return principal({stretch, hoop, 1.}, R).stress[0] - stress;
    };
    const double correction =
        residual(guess) * 2. * delta / (residual(guess + delta) - residual(guess - delta));
    guess -= correction;
    if (std::abs(correction) < 1e-14)
      break;
  }
  return guess;
}

/// Solution of dP_r/dR + (P_r − P_θ)/R = 0, r' = λ_r, with r(1) given and P_r(2) = 0.
struct RadialSolution {
  double pressure_of_start; ///< −P_r(1)
  double outer_radius, energy_per_length;
};
RadialSolution integrate(double start_stress) {
  constexpr unsigned int n = 400;
  constexpr double dR = 1. / n;
  struct Slope {
    double r, stress, energy;
  };
  double guess = 1.;
  const auto slope = [&](double R, double r, double stress) {
    guess = radial_stretch(stress, r / R, R, guess);
    const Principal p = principal({guess, r / R, 1.}, R);
    return Slope{guess, (p.stress[1] - stress) / R, 2. * pi * R * p.energy};
  };
  double r = 1. + inner_displacement, stress = start_stress, energy = 0;
  for (unsigned int k = 0; k < n; ++k) { // the classical rule of order 4
    const double R = 1. + k * dR;
    const Slope a = slope(R, r, stress),
                b = slope(R + dR / 2., r + dR / 2. * a.r, stress + dR / 2. * a.stress),
                c = slope(R + dR / 2., r + dR / 2. * b.r, stress + dR / 2. * b.stress),
                d = slope(R + dR, r + dR * c.r, stress + dR * c.stress);
    r += dR / 6. * (a.r + 2. * b.r + 2. * c.r + d.r);
    energy += dR / 6. * (a.energy + 2. * b.energy + 2. * c.energy + d.energy);
    stress += dR / 6. * (a.stress + 2. * b.stress + 2. * c.stress + d.stress);
  }
  return {stress, r, energy}; // the stress of the outside, until it is zero
}
RadialSolution radial_solution() {
  double a = -1.5, b = -1.2; // stress inside
  RadialSolution at_a = integrate(a), at_b = integrate(b);
  while (std::abs(b - a) > 1e-12) { // the secant method
    const double next =
        b - at_b.pressure_of_start * (b - a) / (at_b.pressure_of_start - at_a.pressure_of_start);
    a = b;
    at_a = at_b;
    b = next;
    at_b = integrate(b);
  }
  at_b.pressure_of_start = -b;
  return at_b;
}

const HolzapfelGasserOgden artery{{mu, k1, k2, dispersion, {}, bulk}};

template <int dim>
Material<dim> fibrous(ElementKind element, const FibreField<dim> &field) {
  HolzapfelGasserOgden law = artery;
  law.fibres = {FibreDirection({1., 0., 0.}),
                FibreDirection({1., 0., 0.})}; // replaced by the field
  Material<dim> material{1., 1., small_strain_limit<dim>(law), {}};
  material.finite_strain = FiniteStrainMaterial{law, {}};
  material.element = element;
  material.is_axisymmetric = dim == 2;
  material.fibre_field = field;
  return material;
}

/// Results of a tube with n cells across the wall, per length.
struct Tube {
  double outer_radius, energy;
};

template <int dim>
Tube solve(System<dim> &system, const Mesh<dim> &mesh, double fraction_of_length) {
  const Vector q = static_equilibrium(system, {}, 0.);
  const auto &space = system.elastic.front()->space;
  const unsigned int node = mesh.region("right").nodes[0];
  double r = space.nodes[node][0] + q[space.node_dofs[node][0]];
  if constexpr (dim == 3)
    r = std::hypot(r, space.nodes[node][1] + q[space.node_dofs[node][1]]);
  const FiniteStrain<dim> cells(*system.elastic.front(), 0);
  return {r, cells.strain_energy(q) / fraction_of_length};
}

template <int dim>
void prescribe(System<dim> &system, const std::string &region, unsigned int component,
               const std::string &formula) {
  system.prescribe(region, system.region(region), component,
                   PrescribedMotion<dim>::Kind::displacement, Expression(formula));
}

/// Section of the tube, with fibres in its surfaces.
Tube revolved_tube(CellShape shape, ElementKind element, unsigned int n) {
  auto mesh = test::rectangle(shape, 1., 1. / n, n, 1);
  test::move(*mesh, 0., dealii::Tensor<1, 2>({1., 0.}));
  if (element == ElementKind::macro_cells)
    mesh = test::divided(*mesh);
  System<2> system(
      *mesh,
      fibrous<2>(element,
                 [](unsigned int, const dealii::Point<2> &x) {
                   const double c = std::cos(pitch(x[0])), s = std::sin(pitch(x[0]));
                   return FibreDirections{FibreDirection({0., s, c}), FibreDirection({0., -s, c})};
                 }),
      {});
  for (const std::string name : {"bottom", "top"})
    prescribe(system, name, 1, "0");
  prescribe(system, "left", 0, "0.3");
  return solve(system, *mesh, 1. / n);
}

/// Quarter of the tube in hexahedra, with its planes of symmetry.
Tube quarter_tube(unsigned int n) {
  const double length = 0.5 * pi / (2. * n);
  auto mesh = test::box(CellShape::hypercube, dealii::Point<3>(1., 1., length), {n, 2 * n, 1});
  mesh->triangulation.reset_all_manifolds();
  dealii::GridTools::transform(
      [](const dealii::Point<3> &x) {
        const double R = 1. + x[0], angle = 0.5 * pi * x[1];
        const bool is_on_y = std::abs(x[1] - 1.) < 1e-9; // where cos(π/2) is 6e-17
        return dealii::Point<3>(is_on_y ? 0. : R * std::cos(angle), R * std::sin(angle), x[2]);
      },
      mesh->triangulation);
  System<3> system(
      *mesh,
      fibrous<3>(ElementKind::mean_dilatation,
                 [](unsigned int, const dealii::Point<3> &x) {
                   const double R = std::hypot(x[0], x[1]), c = std::cos(pitch(R)),
                                s = std::sin(pitch(R));
                   const FibreDirection hoop({-x[1] / R, x[0] / R, 0.}), axis({0., 0., 1.});
                   return FibreDirections{c * hoop + s * axis, c * hoop - s * axis};
                 }),
      {});
  for (const std::string name : {"bottom", "top"})
    prescribe(system, name, 2, "0");
  prescribe(system, "front", 1, "0.3*y"); // zero, as nodes of two regions have one formula
  prescribe(system, "back", 0, "0.3*x");
  prescribe(system, "left", 0, "0.3*x");
  prescribe(system, "left", 1, "0.3*y");
  return solve(system, *mesh, length / 4.);
}

/// Checks that the errors of the energy at successive halves of the mesh size fall by the order 2.
/// Nodes of standard quadrilaterals are more accurate.
template <typename Solve>
void expect_order_2(const RadialSolution &exact, const std::vector<unsigned int> &numbers,
                    const Solve &tube_of) {
  double last = 0;
  for (const unsigned int n : numbers) {
    const Tube tube = tube_of(n);
    const double error = std::abs(tube.energy / exact.energy_per_length - 1.);
    EXPECT_NEAR(tube.outer_radius, exact.outer_radius, 0.02 / (n * n)) << n;
    EXPECT_LT(error, 0.1 / (n * n)) << n;
    if (last > 0.) {
      EXPECT_NEAR(std::log2(last / error), 2., 0.1) << n;
    }
    last = error;
  }
}

TEST(FibrousTube, ConvergesToTheRadialSolutionAsABodyOfRevolution) {
  const RadialSolution exact = radial_solution();
  for (const auto &[shape, element] :
       {std::pair{CellShape::hypercube, ElementKind::standard},
        std::pair{CellShape::hypercube, ElementKind::mean_dilatation},
        std::pair{CellShape::simplex, ElementKind::macro_cells}})
    expect_order_2(exact, {4, 8, 16},
                   [&](unsigned int n) { return revolved_tube(shape, element, n); });
}

/// The same formulas in Cartesian coordinates.
TEST(FibrousTube, ConvergesToTheRadialSolutionInSpace) {
  expect_order_2(radial_solution(), {3, 6, 12}, quarter_tube);
}

/// The solution itself: twice the fibres' stiffness changes it by far more than the tolerances.
TEST(FibrousTube, FibresBearAPartOfTheEnergy) {
  const RadialSolution exact = radial_solution();
  const double without_fibres = [&] {
    auto mesh = test::rectangle(CellShape::hypercube, 1., 1. / 16, 16, 1);
    test::move(*mesh, 0., dealii::Tensor<1, 2>({1., 0.}));
    Material<2> material = fibrous<2>(ElementKind::standard, nullptr); // radial, thus slack
    System<2> system(*mesh, material, {});
    for (const std::string name : {"bottom", "top"})
      prescribe(system, name, 1, "0");
    prescribe(system, "left", 0, "0.3");
    return solve(system, *mesh, 1. / 16).energy;
  }();
  EXPECT_GT(exact.energy_per_length, 1.1 * without_fibres);
  EXPECT_GT(exact.pressure_of_start, 0.);
}

} // namespace fibrous_tube
