// The discrete gradient of a hyperelastic, viscous body on T3, Q4, T6 and Q9: its
// identities.

#include <percussion/body/finite_strain.h>
#include <percussion/body/system.h>
#include <percussion/material/cauchy_stress.h>
#include <percussion/material/discrete_gradient.h>
#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/second_order.h"
#include "support/sparse_matrices.h"
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace {

using namespace percussion;
using Deformation = std::function<dealii::Point<2>(const dealii::Point<2> &)>;
using Matrix = dealii::Tensor<2, 2>;

struct Choice {
  const char *name;
  CellShape shape;
  HyperelasticLaw law;
  FiniteViscosity viscosity;
  ElementKind element = ElementKind::standard;
  unsigned int order = 1;
};

constexpr double thickness = 0.7;
const FiniteViscosity none{}, curnier{ViscosityKind::curnier, 0.4},
    pioletti{ViscosityKind::pioletti, 0.9};

const Ogden ogden_strain{0.5, 0.15, 0.35, Plane::strain},
    ogden_stress{0.5, 0.15, 0.35, Plane::stress};
const NeoHooke neo_hooke{1.5, 0.8};
const auto st_venant_strain = StVenantKirchhoff::from_young(2.1, 0.3, Plane::strain),
           st_venant_stress = StVenantKirchhoff::from_young(2.1, 0.3, Plane::stress);

const MooneyRivlin mooney_rivlin{{0.5, 0.15, 2.}}, rubber{{0.5, 0.15, 12.}};
const Yeoh yeoh{{{0.7, -0.1, 0.05}, 2.}};
const ArrudaBoyce arruda_boyce = eight_chains(1.4, 2.5, 2.);
const HolzapfelGasserOgden fibres{
    {0.8, 0.5, 0.4, 0.1, {FibreDirection({0.6, 0.64, 0.48}), FibreDirection({0.8, -0.6, 0.})}, 2.}};

const std::vector<Choice> choices = {
    {"T3OgdenStrain", CellShape::simplex, ogden_strain, none},
    {"T3OgdenStressCurnier", CellShape::simplex, ogden_stress, curnier},
    {"T3NeoHookePioletti", CellShape::simplex, neo_hooke, pioletti},
    {"Q4OgdenStrainCurnier", CellShape::hypercube, ogden_strain, curnier},
    {"Q4OgdenStressPioletti", CellShape::hypercube, ogden_stress, pioletti},
    {"Q4OgdenStress", CellShape::hypercube, ogden_stress, none},
    {"Q4NeoHooke", CellShape::hypercube, neo_hooke, none},
    {"Q4NeoHookeCurnier", CellShape::hypercube, neo_hooke, curnier},
    {"Q4MooneyRivlin", CellShape::hypercube, mooney_rivlin, none},
    {"T3YeohCurnier", CellShape::simplex, yeoh, curnier},
    {"Q4ArrudaBoyce", CellShape::hypercube, arruda_boyce, none},
    {"T3HolzapfelGasserOgden", CellShape::simplex, fibres, none},
    {"Q4HolzapfelGasserOgdenPioletti", CellShape::hypercube, fibres, pioletti},
    {"T3StVenantKirchhoffStrainPioletti", CellShape::simplex, st_venant_strain, pioletti},
    {"T3StVenantKirchhoffStress", CellShape::simplex, st_venant_stress, none},
    {"Q4StVenantKirchhoffStrain", CellShape::hypercube, st_venant_strain, none},
    {"Q4StVenantKirchhoffStressCurnier", CellShape::hypercube, st_venant_stress, curnier},
    {"Q4MeanOgden", CellShape::hypercube, ogden_strain, none, ElementKind::mean_dilatation},
    {"Q4MeanNeoHookePioletti", CellShape::hypercube, neo_hooke, pioletti,
     ElementKind::mean_dilatation},
    {"Q4MeanMooneyRivlin", CellShape::hypercube, mooney_rivlin, none, ElementKind::mean_dilatation},
    {"T3MacroNeoHookeCurnier", CellShape::simplex, neo_hooke, curnier, ElementKind::macro_cells},
    {"T3MacroYeoh", CellShape::simplex, yeoh, none, ElementKind::macro_cells},
    {"Q4MeanHolzapfelGasserOgdenCurnier", CellShape::hypercube, fibres, curnier,
     ElementKind::mean_dilatation},
    {"Q4MeanRubber", CellShape::hypercube, rubber, none, ElementKind::mean_dilatation},
    {"T3MacroRubberCurnier", CellShape::simplex, rubber, curnier, ElementKind::macro_cells},
    {"Q9MeanRubber", CellShape::hypercube, rubber, none, ElementKind::mean_dilatation, 2},
    {"T6OgdenStress", CellShape::simplex, ogden_stress, none, ElementKind::standard, 2},
    {"T6NeoHookePioletti", CellShape::simplex, neo_hooke, pioletti, ElementKind::standard, 2},
    {"T6StVenantKirchhoffStrain", CellShape::simplex, st_venant_strain, none, ElementKind::standard,
     2},
    {"T6MeanMooneyRivlinCurnier", CellShape::simplex, mooney_rivlin, curnier,
     ElementKind::mean_dilatation, 2},
    {"Q9Yeoh", CellShape::hypercube, yeoh, none, ElementKind::standard, 2},
    {"Q9MeanNeoHooke", CellShape::hypercube, neo_hooke, none, ElementKind::mean_dilatation, 2},
    {"Q9MeanHolzapfelGasserOgdenCurnier", CellShape::hypercube, fibres, curnier,
     ElementKind::mean_dilatation, 2}};

Material<2> material_of(const Choice &choice, const LinearViscosity &linear = {}) {
  return {1.,
          thickness,
          small_strain_limit(choice.law),
          linear,
          FiniteStrainMaterial{choice.law, choice.viscosity},
          choice.element};
}

/// Returns the stress of a step of uniform deformation.
PlaneTensor uniform_stress(const Choice &choice, const PlaneTensor &A0, const PlaneTensor &A1) {
  return std::visit(
      [&](const auto &law) -> PlaneTensor {
        using Law = std::decay_t<decltype(law)>;
        if constexpr (has_history<Law>)
          throw std::logic_error("laws with memory are tested elsewhere");
        else {
          if constexpr (has_volumetric_part<Law>)
            if (choice.element != ElementKind::standard) {
              const auto J = volume_change(A0, A1);
              return algorithmic_stress(law.local_part(), A0, A1) +
                     2. * law.volumetric_part().change(J.start, J.end).quotient * J.gradient;
            }
          return algorithmic_stress(law, A0, A1);
        }
      },
      choice.law);
}

Matrix displacement_gradient(const Matrix &F) {
  return F - Matrix(dealii::unit_symmetric_tensor<2>());
}

Matrix rotation(double angle) {
  Matrix R;
  R[0][0] = R[1][1] = std::cos(angle);
  R[1][0] = std::sin(angle);
  R[0][1] = -R[1][0];
  return R;
}

Matrix matrix(double xx, double xy, double yx, double yy) {
  Matrix A;
  A[0][0] = xx;
  A[0][1] = xy;
  A[1][0] = yx;
  A[1][1] = yy;
  return A;
}

/// Returns a point in a deformation that is not affine, with stretches between about 0.6 and 1.7.
dealii::Point<2> bent(const dealii::Point<2> &x) {
  return {1.2 * x[0] + 0.15 * x[0] * x[1] + 0.1 * std::sin(2. * x[1]),
          0.9 * x[1] - 0.1 * x[0] * x[0] + 0.2 * x[0] * x[1]};
}
dealii::Point<2> swollen(const dealii::Point<2> &x) {
  return {1.1 * x[0] - 0.2 * x[1] + 0.05 * std::cos(3. * x[0]),
          1.3 * x[1] + 0.2 * x[0] + 0.1 * x[1] * x[1]};
}

std::unique_ptr<Mesh<2>> make_mesh(const Choice &choice) {
  if (choice.element == ElementKind::macro_cells)
    return test::divided(*test::rectangle(choice.shape, 2, 1, 3, 2, 0.25));
  auto mesh = test::rectangle(choice.shape, 2, 1, 5, 3, 0.25);
  // On the right the trace is linear, so that some middles of edges are no nodes.
  return choice.order == 1 ? std::move(mesh) : test::second_order(std::move(mesh), {"right"});
}

class FiniteStrainTest : public ::testing::TestWithParam<Choice> {
protected:
  static constexpr double h = 0.3;

  std::unique_ptr<Mesh<2>> mesh = make_mesh(GetParam());
  System<2> body{*mesh, material_of(GetParam()), {}};
  FiniteStrain<2> strains{*body.elastic.front(), 0};
  double element_size = 1. / 3.;
  /// Unit of forces: stiffness × thickness × length.
  double unit =
      small_strain_limit(GetParam().law).lambda + 2. * small_strain_limit(GetParam().law).mu;

  Vector displacement(const Deformation &x) const {
    Vector q(body.n_dofs());
    for (unsigned int i = 0; i < body.elastic.front()->space.n_nodes(); ++i)
      for (unsigned int d = 0; d < 2; ++d)
        q[body.elastic.front()->space.node_dofs[i][d]] =
            x(body.elastic.front()->space.nodes[i])[d] - body.elastic.front()->space.nodes[i][d];
    return q;
  }
  Vector affine(const Matrix &F) const {
    return displacement([&](const auto &x) { return dealii::Point<2>(F * x); });
  }

  /// Returns f(q0, q1); the step must not invert an element.
  Vector force(const Vector &q0, const Vector &q1) {
    Vector f(body.n_dofs());
    strains.begin_step(q0);
    EXPECT_TRUE(strains.evaluate(q1, h, f));
    return f;
  }
  /// Returns ∂E/∂q, which does not depend on the viscosity.
  Vector static_force(const Vector &q) { return force(q, q); }

  static Vector mean(const Vector &q0, const Vector &q1, double share = 0.5) {
    Vector q = q0;
    q *= 1. - share;
    q.add(share, q1);
    return q;
  }

  std::vector<bool> on_boundary() const {
    std::vector<bool> is(body.n_dofs(), false);
    for (const unsigned int node : mesh->region("boundary").nodes)
      for (const unsigned int dof : body.elastic.front()->space.node_dofs[node])
        is[dof] = true;
    return is;
  }
};

double sum_of_products(const Vector &a, const Vector &b) {
  double sum = 0;
  for (unsigned int i = 0; i < a.size(); ++i)
    sum += std::abs(a[i] * b[i]);
  return sum;
}

// ---- energy ----

/// f · (q1 − q0) = ΔE + dissipation for steps so large that energies can be subtracted.
TEST_P(FiniteStrainTest, LargeStepsKeepTheEnergyIdentity) {
  const Vector start = displacement(bent), end = displacement(swollen);
  double dissipated = 0;
  for (const double share : {1., 0.5, 0.1, 0.01}) {
    const Vector q1 = mean(start, end, share);
    const Vector f = force(start, q1);
    Vector step = q1;
    step -= start;
    const double before = strains.strain_energy(start), after = strains.strain_energy(q1);
    EXPECT_NEAR(f * step, after - before + strains.dissipation(),
                1e-14 * (before + after + sum_of_products(f, step)))
        << share;
    EXPECT_GE(strains.dissipation(), 0.);
    dissipated += strains.dissipation();
  }
  EXPECT_EQ(dissipated > 1e-3, GetParam().viscosity.present());
}

/// The same identity for steps so small that they cannot: the energy change is the integral of its
/// derivative along the step, by Gauss' rule of three points, with an error of (step size)⁶.
TEST_P(FiniteStrainTest, SmallStepsKeepTheEnergyIdentity) {
  const Vector start = displacement(bent), end = displacement(swollen);
  for (const double size : {1e-3, 1e-5, 1e-8, 1e-12}) {
    const Vector q1 = mean(start, end, size);
    Vector step = q1;
    step -= start;
    double rise = 0;
    for (const auto &[at, weight] :
         {std::pair{0.5 - std::sqrt(0.15), 5. / 18.}, std::pair{0.5, 8. / 18.},
          std::pair{0.5 + std::sqrt(0.15), 5. / 18.}})
      rise += weight * (static_force(mean(start, q1, at)) * step);
    const Vector f = force(start, q1);
    EXPECT_NEAR(f * step, rise + strains.dissipation(), 2e-14 * sum_of_products(f, step)) << size;
    EXPECT_GT(std::abs(rise),
              1e-3 * sum_of_products(f, step)); // the change of energy is not negligible
  }
}

TEST_P(FiniteStrainTest, AffineDeformationStoresTheEnergyOfThePoint) {
  for (const Matrix &F : {matrix(1.3, 0.2, -0.1, 0.9), matrix(0.6, -0.4, 0.3, 1.1)}) {
    const double density = std::visit(
        [&](const auto &law) {
          if constexpr (has_history<std::decay_t<decltype(law)>>)
            return std::numeric_limits<double>::quiet_NaN(); // tested elsewhere
          else
            return law.energy(doubled_strain(displacement_gradient(F)));
        },
        GetParam().law);
    const double volume = 2. * 1. * thickness;
    EXPECT_NEAR(strains.strain_energy(affine(F)), volume * density, 1e-14 * volume * unit);
  }
}

// ---- rigid motions ----

TEST_P(FiniteStrainTest, RigidMotionCostsNothing) {
  const Vector rest(body.n_dofs());
  for (const double angle : {0.1, 2.5, 3.1}) {
    const Vector turned = affine(rotation(angle));
    EXPECT_LT(std::abs(strains.strain_energy(turned)), 1e-14 * unit);
    EXPECT_LT(force(rest, turned).linfty_norm(), 1e-14 * unit) << angle;
    EXPECT_LT(force(turned, affine(rotation(-angle))).linfty_norm(), 1e-14 * unit) << angle;
    // Far away q itself loses digits: 2⁻⁵³ of the distance, relative to the size of an element.
    const Vector far = displacement([&](const auto &x) {
      return dealii::Point<2>(rotation(angle) * x) + dealii::Tensor<1, 2>({1e6, -1e6});
    });
    EXPECT_LT(force(rest, far).linfty_norm(), 4. * 1e6 * 1.2e-16 / element_size * unit) << angle;
  }
}

/// Displacements have so few digits that a large translation does not round them: energies and
/// forces are then bitwise equal.
TEST_P(FiniteStrainTest, TranslationChangesNoDigit) {
  const auto shortened = [](Vector q) {
    for (unsigned int i = 0; i < q.size(); ++i)
      q[i] = std::ldexp(std::round(std::ldexp(q[i], 30)), -30);
    return q;
  };
  const Vector q0 = shortened(displacement(bent)), q1 = shortened(displacement(swollen));
  const Vector f = force(q0, q1);
  const double dissipation = strains.dissipation(), energy = strains.strain_energy(q1);
  Vector moved0 = q0, moved1 = q1;
  moved0.add(std::ldexp(1., 20));
  moved1.add(-std::ldexp(1., 20));
  Vector difference = force(moved0, moved1);
  difference -= f;
  EXPECT_EQ(difference.linfty_norm(), 0.);
  EXPECT_EQ(strains.dissipation(), dissipation);
  EXPECT_EQ(strains.strain_energy(moved1), energy);
}

/// A rotated step has the same energies, and its forces rotate with it.
TEST_P(FiniteStrainTest, ForcesTurnWithTheBody) {
  const Matrix R = rotation(2.1);
  const auto turned = [&](const Deformation &x) {
    return displacement([&](const auto &X) { return dealii::Point<2>(R * x(X)); });
  };
  const Vector f = force(displacement(bent), displacement(swollen));
  const double dissipation = strains.dissipation();
  const Vector g = force(turned(bent), turned(swollen));
  EXPECT_NEAR(strains.dissipation(), dissipation, 1e-13 * unit);
  for (const auto &dofs : body.elastic.front()->space.node_dofs) {
    const dealii::Tensor<1, 2> before({f[dofs[0]], f[dofs[1]]});
    const dealii::Tensor<1, 2> after({g[dofs[0]], g[dofs[1]]});
    EXPECT_LT((R * before - after).norm(), 1e-13 * unit);
  }
}

// ---- momentum ----

TEST_P(FiniteStrainTest, ForcesHaveNeitherResultantNorMomentAboutTheMiddle) {
  const Vector q0 = displacement(bent), q1 = displacement(swollen);
  const Vector f = force(q0, q1), middle = mean(q0, q1);
  dealii::Tensor<1, 2> resultant;
  double moment = 0, moment_at_end = 0;
  for (unsigned int i = 0; i < body.elastic.front()->space.n_nodes(); ++i) {
    const auto &dofs = body.elastic.front()->space.node_dofs[i];
    const dealii::Tensor<1, 2> force_of({f[dofs[0]], f[dofs[1]]});
    const auto arm = [&](const Vector &q) {
      return body.elastic.front()->space.nodes[i] + dealii::Tensor<1, 2>({q[dofs[0]], q[dofs[1]]});
    };
    resultant += force_of;
    moment += arm(middle)[0] * force_of[1] - arm(middle)[1] * force_of[0];
    moment_at_end += arm(q1)[0] * force_of[1] - arm(q1)[1] * force_of[0];
  }
  EXPECT_LT(resultant.norm(), 1e-14 * unit);
  EXPECT_NEAR(moment, 0., 2e-14 * unit);
  EXPECT_GT(std::abs(moment_at_end), 1e-3 * unit); // no other configuration gives this identity
}

// ---- affine deformations ----

/// Between two affine deformations the stress is uniform: forces on inner nodes vanish, and Σ f ⊗ X
/// is the first Piola–Kirchhoff stress times the volume.
TEST_P(FiniteStrainTest, PassesThePatchTest) {
  const Matrix F0 = matrix(1.2, 0.3, -0.2, 0.9), F1 = rotation(0.7) * matrix(0.8, 0.1, 0.2, 1.4);
  const PlaneTensor A0 = doubled_strain(displacement_gradient(F0)),
                    A1 = doubled_strain(displacement_gradient(F1));
  PlaneTensor stress = uniform_stress(GetParam(), A0, A1);
  if (GetParam().viscosity.present())
    stress += GetParam().viscosity.stress(A0, A1, h);
  const Matrix expected = (2. * thickness) * (0.5 * (F0 + F1) * Matrix(stress));

  const Vector f = force(affine(F0), affine(F1));
  const auto outside = on_boundary();
  Matrix moment;
  unsigned int n_inner = 0;
  for (unsigned int i = 0; i < body.elastic.front()->space.n_nodes(); ++i)
    for (unsigned int d = 0; d < 2; ++d) {
      const unsigned int dof = body.elastic.front()->space.node_dofs[i][d];
      moment[d] += f[dof] * body.elastic.front()->space.nodes[i];
      if (outside[dof])
        continue;
      ++n_inner;
      EXPECT_NEAR(f[dof], 0., 1e-14 * unit);
    }
  EXPECT_GT(n_inner, 10u);
  EXPECT_LT((moment - expected).norm(), 1e-13 * expected.norm());
}

TEST_P(FiniteStrainTest, CauchyStressOfAnAffineDeformation) {
  const Matrix F = rotation(-0.4) * matrix(1.3, 0.3, -0.2, 0.7);
  const auto expected = std::visit(
      [&](const auto &law) -> dealii::SymmetricTensor<2, 3> {
        if constexpr (has_history<std::decay_t<decltype(law)>>)
          throw std::logic_error("laws with memory are tested elsewhere");
        else
          return cauchy_stress(law, displacement_gradient(F));
      },
      GetParam().law);
  const Vector q = affine(F);
  for (unsigned int cell = 0; cell < strains.n_cells(); ++cell)
    EXPECT_LT((strains.cauchy_stress(cell, q) - expected).norm(), 2e-14 * unit);
}

// ---- tangent ----

/// The tangent of the whole body is compared column by column with differences of fourth order.
/// Their error with a step of 2·10⁻⁴ is 10⁻¹⁵ times the fifth derivative, and round-off is 10⁻¹² of
/// the stiffness.
TEST_P(FiniteStrainTest, TangentIsTheDifferenceQuotient) {
  const unsigned int n = body.n_dofs(), m = strains.dofs_per_group();
  const Vector q0 = displacement(bent), q1 = displacement(swollen);
  force(q0, q1);
  std::vector<double> group_tangent(m * m), tangent(n * n, 0.);
  for (unsigned int group = 0; group < strains.n_groups(); ++group) {
    strains.group_tangent(group, h, group_tangent.data());
    const unsigned int *const dofs = strains.dofs_of_group(group);
    for (unsigned int i = 0; i < m; ++i)
      for (unsigned int j = 0; j < m; ++j)
        tangent[dofs[i] * n + dofs[j]] += group_tangent[i * m + j];
  }
  const double step = GetParam().order == 1 ? 2e-4 : 5e-5; // the nodes are half as far apart
  double asymmetry = 0;
  for (unsigned int j = 0; j < n; ++j) {
    const auto at = [&](double size) {
      Vector moved = q1;
      moved[j] += size;
      return force(q0, moved);
    };
    Vector slope = at(step);
    slope -= at(-step);
    slope *= 8.;
    slope -= at(2. * step);
    slope += at(-2. * step);
    slope /= 12. * step;
    for (unsigned int i = 0; i < n; ++i) {
      ASSERT_NEAR(tangent[i * n + j], slope[i], 1e-9 * unit) << i << ' ' << j;
      asymmetry = std::max(asymmetry, std::abs(tangent[i * n + j] - tangent[j * n + i]));
    }
  }
  EXPECT_GT(asymmetry, 1e-3 * unit);
}

/// At rest with p = p̄ the matrix of corrections in q1 and p, with p eliminated, is the tangent.
TEST_P(FiniteStrainTest, TangentOfCorrectionsWithPressuresIsTheTangentAtRest) {
  if (!strains.has_pressure_unknowns())
    GTEST_SKIP();
  const unsigned int m = strains.dofs_per_group();
  const Vector q = displacement(swollen);
  force(q, q);
  strains.begin_pressures();
  strains.set_volume_rows(q);
  std::vector<double> exact(m * m), eliminated(m * m);
  for (unsigned int group = 0; group < strains.n_groups(); ++group) {
    strains.group_tangent(group, h, exact.data());
    strains.group_tangent_of_corrections(group, h, eliminated.data());
    strains.add_volume_stiffness(group, eliminated.data());
    for (unsigned int i = 0; i < m * m; ++i)
      EXPECT_NEAR(eliminated[i], exact[i], 1e-12 * unit);
  }
}

/// A correction δ predicts the pressures p̄ with an error of second order, and the force of their
/// lag p̄ − p is of second order, too, as c − b̂ is of first order.
TEST_P(FiniteStrainTest, PredictsPressuresOfCorrections) {
  if (!strains.has_pressure_unknowns())
    GTEST_SKIP();
  const Vector q = displacement(swollen);
  const Vector delta = displacement(bent);
  Vector total(body.n_dofs());
  force(q, q);
  strains.begin_pressures();
  strains.set_volume_rows(q);
  std::vector<double> errors, lags;
  for (const double size : {1e-3, 1e-4}) {
    Vector change = delta, q1 = q, lag(body.n_dofs());
    change *= size;
    q1 += change;
    std::vector<double> start, predicted, reached;
    force(q, q);
    strains.append_predicted_pressures(0., change, start);
    strains.append_predicted_pressures(1., change, predicted);
    ASSERT_TRUE(strains.evaluate(q1, h, total, lag));
    strains.append_predicted_pressures(0., change, reached);
    double error = 0, rise = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      error = std::max(error, std::abs(reached[i] - predicted[i]));
      rise = std::max(rise, std::abs(reached[i] - start[i]));
    }
    EXPECT_LT(error, 0.1 * rise);
    errors.push_back(error);
    lags.push_back(lag.linfty_norm());
  }
  EXPECT_NEAR(errors[1] / errors[0], 0.01, 0.005);
  EXPECT_GT(lags[0], 0.);
  EXPECT_NEAR(lags[1] / lags[0], 0.01, 0.005);
}

// ---- small strains ----

/// For small displacements f is K (q0 + q1)/2 + C (q1 − q0)/h of the linear body, with an error of
/// second order. Curnier's η is four times the η of linear viscosity; Pioletti's law does not
/// resist small strains.
TEST_P(FiniteStrainTest, IsLinearElasticityForSmallDisplacements) {
  if (std::holds_alternative<HolzapfelGasserOgden>(GetParam().law))
    return; // taut fibres are not linear at any size of the displacements
  const bool is_split = std::holds_alternative<MooneyRivlin>(GetParam().law) ||
                        std::holds_alternative<Yeoh>(GetParam().law);
  if (GetParam().element != ElementKind::standard && !is_split)
    return; // the part of the volume change that is not stiff stays at the points
  const FiniteViscosity &viscosity = GetParam().viscosity;
  const LinearViscosity linear{viscosity.kind == ViscosityKind::curnier ? 4. * viscosity.eta : 0.,
                               0., 0.};
  Material<2> small_strains = material_of(GetParam(), linear);
  small_strains.finite_strain.reset();
  const System<2> small(*mesh, small_strains, {});
  const Vector a = displacement(bent), b = displacement(swollen);
  std::vector<double> errors;
  for (const double size : {1e-2, 1e-3, 1e-4}) {
    Vector q0 = a, q1 = b, expected(body.n_dofs()), viscous_force = expected;
    q0 *= size;
    q1 *= size;
    multiply(small.operators.stiffness, mean(q0, q1), expected);
    if (small.operators.viscous) {
      Vector velocity = q1;
      velocity -= q0;
      velocity /= h;
      multiply(small.operators.viscosity, velocity, viscous_force);
      expected += viscous_force;
    }
    const double all = expected.l2_norm();
    expected -= force(q0, q1);
    errors.push_back(expected.l2_norm());
    EXPECT_LT(errors.back(), 10. * size * all);
    EXPECT_NEAR(strains.strain_energy(q1), 0.5 * test::product(small.operators.stiffness, q1, q1),
                10. * size * size * size * unit);
  }
  for (std::size_t i = 1; i < errors.size(); ++i)
    EXPECT_NEAR(std::log10(errors[i - 1] / errors[i]), 2., 0.1);
}

// ---- refused configurations ----

TEST_P(FiniteStrainTest, RefusesAnElementTurnedInsideOut) {
  const Vector q0 = displacement(bent);
  const Vector good = displacement(swollen);
  Vector f(body.n_dofs());
  strains.begin_step(q0);
  EXPECT_FALSE(strains.evaluate(affine(matrix(-1., 0., 0., 1.)), h, f)); // mirrored
  EXPECT_FALSE(strains.evaluate(affine(matrix(1., 0., 0., 0.)), h, f));  // flat
  Vector bad(body.n_dofs());
  bad[body.elastic.front()->space.node_dofs[0][0]] = 1.2; // moves one node through its element
  bad[body.elastic.front()->space.node_dofs[0][1]] = 0.9;
  EXPECT_FALSE(strains.evaluate(bad, h, f));
  bad[body.elastic.front()->space.node_dofs[0][0]] = NAN;
  EXPECT_FALSE(strains.evaluate(bad, h, f));
  // The failure leaves no trace: the next evaluation is as good as the first.
  ASSERT_TRUE(strains.evaluate(good, h, f));
  const double dissipation = strains.dissipation();
  f -= force(q0, good);
  EXPECT_EQ(f.linfty_norm(), 0.);
  EXPECT_EQ(strains.dissipation(), dissipation);
}

/// Under pressure I₁ < 3: Pioletti's law must not produce energy.
TEST_P(FiniteStrainTest, DissipatesUnderPressureToo) {
  const Vector q0 = affine(matrix(0.8, 0.05, 0., 0.85)), q1 = affine(matrix(0.7, 0., 0.1, 0.8));
  for (const auto &[from, to] : {std::pair{q0, q1}, std::pair{q1, q0}}) {
    force(from, to);
    EXPECT_GE(strains.dissipation(), 0.);
    const bool resists =
        GetParam().viscosity.present() && GetParam().viscosity.kind == ViscosityKind::curnier;
    EXPECT_EQ(strains.dissipation() > 1e-4, resists);
  }
}

std::string name_of(const ::testing::TestParamInfo<Choice> &choice) { return choice.param.name; }

INSTANTIATE_TEST_SUITE_P(Bodies, FiniteStrainTest, ::testing::ValuesIn(choices), name_of);

} // namespace
