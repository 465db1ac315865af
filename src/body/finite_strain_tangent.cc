// Tangents and stresses of single cells.

#include <percussion/material/cauchy_stress.h>
#include <percussion/material/discrete_gradient.h>

#include "cell_dilatation.h"
#include "finite_strain_points.h"
#include "tangent_rows.h"
#include <algorithm>

namespace percussion {

/// Terms of the tangent of a group, to which its points add theirs. Without mean dilatation the
/// last two are null; with pressures as unknowns the last one is.
template <int dim>
template <int space>
struct FiniteStrain<dim>::TangentTerms {
  unsigned int n; ///< number of rows
  double h, *tangent;
  TangentChoice choice;
  const CellDilatation<space> *dilatation = nullptr;
  PressureTangent<space> *pressure_tangent = nullptr;
};

/// Computes the volume change of a group over the step to q, or at rest at q.
template <int dim>
template <int space>
void FiniteStrain<dim>::set_dilatation(unsigned int group, const Vector &q, bool is_at_rest,
                                       CellDilatation<space> &dilatation) const {
  for (unsigned int c = 0; c < cells_per_group; ++c) {
    const unsigned int cell = group * cells_per_group + c, lane = cell % n_lanes;
    const auto u = deformation(cell / n_lanes, q);
    for (unsigned int k = 0; k < points_per_cell; ++k) {
      const std::size_t point = first_point(cell) + k;
      const auto A1 = doubled_strain(extract_lane(gradient<space>(point, u), lane));
      const auto A0 =
          is_at_rest ? A1 : doubled_strain(extract_lane(start_gradient<space>(point), lane));
      dilatation.add_point(c * points_per_cell + k, points[point].weight[lane], A0, A1);
    }
  }
  std::visit([&](const auto &law) { set_energy(dilatation, law); }, material.law());
}

/// Returns the stress of a point, without the part of the mean dilatation.
template <int dim>
template <int space>
AlgorithmicStress<space>
FiniteStrain<dim>::point_stress(unsigned int cell, unsigned int k,
                                const dealii::SymmetricTensor<2, space> &A0,
                                const dealii::SymmetricTensor<2, space> &A1, double h) const {
  const std::size_t point = first_point(cell) + k;
  AlgorithmicStress<space> sigma = std::visit(
      [&](const auto &law) {
        if constexpr (has_history<std::decay_t<decltype(law)>>)
          return law.template step_tangent<space>(history_step<space>(cell, k, A0, A1, h));
        else
          return algorithmic_stress_and_tangent(this->law_at(law, point, cell % n_lanes), A0, A1);
      },
      *point_law);
  if (material.viscosity.present()) {
    const auto viscous = material.viscosity.stress_and_tangent(A0, A1, h);
    sigma.stress += viscous.stress;
    sigma.derivative += viscous.derivative;
  }
  return sigma;
}

/// Adds the tangent: with dF₁ = e_j ⊗ ∇N_b, dC₁ = 2 sym(F₁ᵀ dF₁):
///    d(F_½ Σ) : e_i ⊗ ∇N_a = ½ δ_ij ∇N_a · Σ ∇N_b + sym(F_½,i ⊗ ∇N_a) : dΣ/dC₁ : dC₁ .
template <int dim>
template <int space>
void FiniteStrain<dim>::add_up_tangent_in(unsigned int group, double h, double *tangent,
                                          const TangentChoice &choice) const {
  const unsigned int n = this->dofs_per_group();
  std::fill(tangent, tangent + std::size_t(n) * n, 0.);
  TangentTerms<space> terms{n, h, tangent, choice};
  CellDilatation<space> dilatation;
  PressureTangent<space> pressure_tangent;
  if (has_mean_dilatation()) {
    set_dilatation(group, q1, false, dilatation);
    terms.dilatation = &dilatation;
    if (choice.has_pressure_unknowns)
      dilatation.set_pressure(pressures.iterated[group * cells_per_group]);
    else
      terms.pressure_tangent = &pressure_tangent;
  }
  for (unsigned int c = 0; c < cells_per_group; ++c) {
    const unsigned int cell = group * cells_per_group + c;
    const auto u = deformation(cell / n_lanes, q1);
    for (unsigned int k = 0; k < points_per_cell; ++k)
      add_point_tangent(cell, k, c * points_per_cell + k, u, terms);
  }
  if (terms.pressure_tangent != nullptr)
    pressure_tangent.add_to(dilatation.pressure_slope(), n, tangent);
}

/// Adds the terms of point k of a cell, which is point k_in_group of its group.
template <int dim>
template <int space>
void FiniteStrain<dim>::add_point_tangent(unsigned int cell, unsigned int k,
                                          unsigned int k_in_group, const NodeVectors<any_number> &u,
                                          const TangentTerms<space> &terms) const {
  const unsigned int n = terms.n, lane = cell % n_lanes;
  const unsigned char *const index = &cells.indices_in_group[std::size_t(cell) * dofs_per_cell()];
  const std::size_t point = first_point(cell) + k;
  using Gradient = Tensor<2, space>;
  const Gradient G0 = extract_lane(start_gradient<space>(point), lane),
                 G1 = extract_lane(gradient<space>(point, u), lane);
  const double weight = points[point].weight[lane];
  const ShapeSlopes<dim, max_nodes> shapes{shape_gradients(point, lane), hoop_shapes(point, lane)};
  AlgorithmicStress<space> sigma =
      point_stress<space>(cell, k, doubled_strain(G0), doubled_strain(G1), terms.h);
  dealii::SymmetricTensor<2, space> weighted_gradient, volume_slope; // of J
  if (terms.dilatation != nullptr) {
    terms.dilatation->add_stress(k_in_group, sigma);
    weighted_gradient = weight * terms.dilatation->change(k_in_group).gradient;
    volume_slope = terms.dilatation->volume_slope(k_in_group, terms.choice.is_midpoint);
  }
  const Gradient F_mean = deformation_gradient(Gradient(0.5 * (G0 + G1)));
  const Gradient F1 = terms.choice.is_midpoint ? F_mean : deformation_gradient(G1);
  std::array<StrainComponents<space>, dim * max_nodes> rows;
  for (unsigned int a = 0; a < nodes_per_cell; ++a)
    for (unsigned int i = 0; i < dim; ++i) {
      rows[dim * a + i] = shapes.strain(F_mean, a, i);
      if (terms.pressure_tangent != nullptr)
        terms.pressure_tangent->add_force(index[dim * a + i], weighted_gradient, rows[dim * a + i]);
    }
  for (unsigned int b = 0; b < nodes_per_cell; ++b) {
    const Tensor<1, space> traction =
        (terms.choice.geometric ? 0.5 : 0.) * (sigma.stress * shapes.template gradient<space>(b));
    for (unsigned int j = 0; j < dim; ++j) {
      StrainComponents<space> dC = shapes.strain(F1, b, j);
      const double hoop_traction = terms.choice.geometric && space > dim && j == 0
                                       ? 0.5 * sigma.stress[space - 1][space - 1] * shapes.hoop[b]
                                       : 0.;
      for (double &component : dC)
        component *= 2. * weight;
      const StrainComponents<space> dS = contract<space>(sigma.derivative, dC);
      double *const column = terms.tangent + index[dim * b + j];
      for (unsigned int a = 0; a < nodes_per_cell; ++a) {
        for (unsigned int i = 0; i < dim; ++i)
          column[index[dim * a + i] * n] += product(rows[dim * a + i], dS);
        column[index[dim * a + j] * n] += weight * (traction * shapes.template gradient<space>(a) +
                                                    hoop_traction * shapes.hoop[a]);
      }
      if (terms.pressure_tangent != nullptr)
        terms.pressure_tangent->add_volume(index[dim * b + j], volume_slope, dC);
    }
  }
}

template <int dim>
dealii::SymmetricTensor<2, 3>
FiniteStrain<dim>::cauchy_stress(unsigned int index, const Vector &q,
                                 const std::vector<double> &history) const {
  return in_strain_space([&](auto space) { return cauchy_stress_in<space>(index, q, history); });
}

template <int dim>
template <int space>
dealii::SymmetricTensor<2, 3>
FiniteStrain<dim>::cauchy_stress_in(unsigned int index, const Vector &q,
                                    const std::vector<double> &history) const {
  const unsigned int lane = index % n_lanes;
  const auto u = deformation(index / n_lanes, q);
  dealii::SymmetricTensor<2, 3> sum;
  double volume = 0;
  for (unsigned int k = 0; k < points_per_cell; ++k) {
    const std::size_t point = first_point(index) + k;
    const double weight = points[point].weight[lane];
    const auto grad_u = extract_lane(gradient<space>(point, u), lane);
    sum += weight *
           std::visit(
               [&](const auto &law) {
                 if constexpr (has_history<std::decay_t<decltype(law)>>)
                   return percussion::cauchy_stress(law, grad_u, history_at(history, index, k));
                 else
                   return percussion::cauchy_stress(this->law_at(law, point, lane), grad_u);
               },
               *point_law);
    volume += weight;
  }
  sum /= volume;
  if (has_mean_dilatation()) {
    CellDilatation<space> dilatation;
    set_dilatation(index / cells_per_group, q, true, dilatation);
    sum += dilatation.energy_change().quotient * dealii::unit_symmetric_tensor<3>();
  }
  return sum;
}

template <int dim>
FibreDirections FiniteStrain<dim>::deformed_fibres(unsigned int index, const Vector &q) const {
  return in_strain_space([&](auto space) { return deformed_fibres_in<space>(index, q); });
}

template <int dim>
template <int space>
FibreDirections FiniteStrain<dim>::deformed_fibres_in(unsigned int index, const Vector &q) const {
  FibreDirections sum;
  if (fibres.empty())
    return sum;
  const unsigned int lane = index % n_lanes;
  const auto u = deformation(index / n_lanes, q);
  double volume = 0;
  for (unsigned int k = 0; k < points_per_cell; ++k) {
    const std::size_t point = first_point(index) + k;
    const double weight = points[point].weight[lane];
    const auto grad_u = extract_lane(gradient<space>(point, u), lane);
    const FibreDirections directions = fibres[point].in_lane(lane);
    for (unsigned int family = 0; family < sum.size(); ++family) {
      sum[family] += weight * directions[family]; // in 2D F₃₃ = 1
      for (unsigned int i = 0; i < space; ++i)
        for (unsigned int j = 0; j < space; ++j)
          sum[family][i] += weight * grad_u[i][j] * directions[family][j];
    }
    volume += weight;
  }
  for (FibreDirection &direction : sum)
    direction /= volume;
  return sum;
}

template void FiniteStrain<2>::add_up_tangent_in<2>(unsigned int, double, double *,
                                                    const TangentChoice &) const;
template void FiniteStrain<2>::add_up_tangent_in<3>(unsigned int, double, double *,
                                                    const TangentChoice &) const;
template void FiniteStrain<3>::add_up_tangent_in<3>(unsigned int, double, double *,
                                                    const TangentChoice &) const;
template FibreDirections FiniteStrain<2>::deformed_fibres(unsigned int, const Vector &) const;
template FibreDirections FiniteStrain<3>::deformed_fibres(unsigned int, const Vector &) const;
template dealii::SymmetricTensor<2, 3>
FiniteStrain<2>::cauchy_stress(unsigned int, const Vector &, const std::vector<double> &) const;
template dealii::SymmetricTensor<2, 3>
FiniteStrain<3>::cauchy_stress(unsigned int, const Vector &, const std::vector<double> &) const;

} // namespace percussion
