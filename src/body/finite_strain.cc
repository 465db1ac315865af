#include <percussion/body/finite_strain.h>
#include <percussion/material/cauchy_stress.h>
#include <percussion/material/discrete_gradient.h>

#include "cell_dilatation.h"
#include <algorithm>

namespace percussion {

using dealii::Tensor;

template <int dim>
FiniteStrain<dim>::FiniteStrain(const ElasticBody<dim> &body, unsigned int number)
    : FiniteStrain(body, number, Partition::undivided(body.space.first_dof + body.n_dofs(), dim)) {}

template <int dim>
FiniteStrain<dim>::FiniteStrain(const ElasticBody<dim> &body, unsigned int number,
                                const Partition &p)
    : StrainCells<dim>(body, number, p), material(*body.materials.list[number].finite_strain),
      element(body.materials.list[number].element),
      point_law(has_mean_dilatation() ? local_part(material.law) : material.law),
      n_values(n_history(material.law)), history0(history_position(n_blocks() * n_lanes, 0), 0.),
      history1(history0),
      losses(n_values > 0 ? std::size_t(n_blocks()) * points_per_cell : 0, Lanes{}) {}

template <int dim>
void FiniteStrain<dim>::set_history(const std::vector<double> &history) {
  const std::size_t size = history_position(n_lanes, 0); // of a block
  if (size == 0)
    return;
  if (history.empty())
    std::fill(history0.begin(), history0.end(), 0.);
  else
    for (unsigned int block = 0; block < n_blocks(); ++block)
      std::copy_n(history.data() + block_numbers[block] * size, size,
                  history0.data() + block * size);
  history1 = history0;
}

template <int dim>
void FiniteStrain<dim>::write_history(std::vector<double> &history) const {
  const std::size_t size = history_position(n_lanes, 0); // of a block
  history.resize(size * n_blocks_of_all);
  if (history.empty())
    return;
  for (unsigned int block = 0; block < n_blocks(); ++block)
    std::copy_n(history1.data() + block * size, size, history.data() + block_numbers[block] * size);
  if (partition.is_shared())
    shared_blocks.gather(history.data(), static_cast<unsigned int>(size));
}

template <int dim>
const double *FiniteStrain<dim>::history_at(const std::vector<double> &history, unsigned int cell,
                                            unsigned int k) const {
  static const std::vector<double> virgin(1000, 0.);
  Assert(n_values <= virgin.size(), dealii::ExcInternalError());
  return history.empty()
             ? virgin.data()
             : history.data() +
                   history_position(block_numbers[cell / n_lanes] * n_lanes + cell % n_lanes, k);
}

template <int dim>
double FiniteStrain<dim>::mean_history(unsigned int cell, const std::vector<double> &history,
                                       unsigned int number) const {
  double sum = 0, volume = 0;
  for (unsigned int k = 0; k < points_per_cell; ++k) {
    const double weight = points[first_point(cell) + k].weight[cell % n_lanes];
    sum += weight * history_at(history, cell, k)[number];
    volume += weight;
  }
  return sum / volume;
}

template <int dim>
template <unsigned int n_nodes>
typename FiniteStrain<dim>::NodeVectors FiniteStrain<dim>::deformation(unsigned int block,
                                                                       const Vector &q) const {
  const double *const values = q.data();
  const Cell *const cell = &cells[block * n_lanes];
  const auto gather = [&](unsigned int i) {
    Lanes gathered;
    for (unsigned int lane = 0; lane < n_lanes; ++lane)
      gathered[lane] = values[cell[lane].dofs[i]];
    return gathered;
  };
  NodeVectors u;
  for (unsigned int d = 0; d < dim; ++d) {
    const Lanes translation = gather(d);
    for (unsigned int a = 1; a < n_nodes; ++a)
      u[a - 1][d] = gather(dim * a + d) - translation;
  }
  return u;
}

template <int dim>
template <unsigned int n_nodes>
LaneGradientIn<dim> FiniteStrain<dim>::gradient(const Points &points, const NodeVectors &u) {
  LaneGradientIn<dim> G;
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < dim; ++j) {
      G[i][j] = u[0][i] * points.slopes[0][j];
      for (unsigned int a = 2; a < n_nodes; ++a)
        G[i][j] += u[a - 1][i] * points.slopes[a - 1][j];
    }
  return G;
}

namespace {

/// Returns the displacement gradient of one lane.
template <std::size_t dim>
auto extract_lane(const std::array<std::array<Lanes, dim>, dim> &G, unsigned int lane) {
  Tensor<2, int(dim)> lane_gradient;
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < dim; ++j)
      lane_gradient[i][j] = G[i][j][lane];
  return lane_gradient;
}

/// Returns the strain of one lane.
PlaneTensor extract_lane(const LaneTensor &A, unsigned int lane) {
  return symmetric(A.xx[lane], A.yy[lane], A.xy[lane]);
}
SpaceTensor extract_lane(const LaneSpaceTensor &A, unsigned int lane) {
  return symmetric(A.xx[lane], A.yy[lane], A.zz[lane], A.xy[lane], A.xz[lane], A.yz[lane]);
}

/// Sets the stress of one lane.
void set_lane(const PlaneTensor &S, unsigned int lane, LaneTensor &stress) {
  stress.xx[lane] = S[0][0];
  stress.yy[lane] = S[1][1];
  stress.xy[lane] = S[0][1];
}
void set_lane(const SpaceTensor &S, unsigned int lane, LaneSpaceTensor &stress) {
  stress.xx[lane] = S[0][0];
  stress.yy[lane] = S[1][1];
  stress.zz[lane] = S[2][2];
  stress.xy[lane] = S[0][1];
  stress.xz[lane] = S[0][2];
  stress.yz[lane] = S[1][2];
}

/// Returns F = I + ∇u.
template <int dim>
Tensor<2, dim> deformation_gradient(Tensor<2, dim> grad_u) {
  for (unsigned int i = 0; i < dim; ++i)
    grad_u[i][i] += 1.;
  return grad_u;
}
template <std::size_t dim>
auto deformation_gradient(std::array<std::array<Lanes, dim>, dim> grad_u) {
  for (unsigned int i = 0; i < dim; ++i)
    grad_u[i][i] += 1.;
  return grad_u;
}

Lanes determinant(const LaneGradientIn<2> &F) { return F[0][0] * F[1][1] - F[0][1] * F[1][0]; }
Lanes determinant(const LaneGradientIn<3> &F) {
  return F[0][0] * (F[1][1] * F[2][2] - F[1][2] * F[2][1]) -
         F[0][1] * (F[1][0] * F[2][2] - F[1][2] * F[2][0]) +
         F[0][2] * (F[1][0] * F[2][1] - F[1][1] * F[2][0]);
}

/// Returns F S.
LaneGradientIn<2> product(const LaneGradientIn<2> &F, const LaneTensor &S) {
  return {{{F[0][0] * S.xx + F[0][1] * S.xy, F[0][0] * S.xy + F[0][1] * S.yy},
           {F[1][0] * S.xx + F[1][1] * S.xy, F[1][0] * S.xy + F[1][1] * S.yy}}};
}
LaneGradientIn<3> product(const LaneGradientIn<3> &F, const LaneSpaceTensor &S) {
  LaneGradientIn<3> P;
  for (unsigned int i = 0; i < 3; ++i)
    P[i] = {F[i][0] * S.xx + F[i][1] * S.xy + F[i][2] * S.xz,
            F[i][0] * S.xy + F[i][1] * S.yy + F[i][2] * S.yz,
            F[i][0] * S.xz + F[i][1] * S.yz + F[i][2] * S.zz};
  return P;
}

/// Returns true if the numbers of the law do not overflow.
template <typename Law, typename Tensor>
auto admits(const Law &law, const Tensor &A) -> decltype(law.admits(A)) {
  return law.admits(A);
}
template <typename... Arguments>
constexpr bool admits(const Arguments &...) {
  return true;
}

/// Sets the change of the part U(J) of a law over the step.
template <typename Dilatation, typename Law>
void set_energy(Dilatation &dilatation, const Law &law) {
  if constexpr (has_volumetric_part<Law>)
    dilatation.set_energy(law.volumetric_part());
}

/// Returns weight · F_½ Σ, with F_½ = I + (G₀ + G₁)/2.
template <std::size_t dim, typename LaneStress>
auto first_piola_kirchhoff(const Lanes &weight, const std::array<std::array<Lanes, dim>, dim> &G0,
                           const std::array<std::array<Lanes, dim>, dim> &G1,
                           const LaneStress &stress) {
  std::array<std::array<Lanes, dim>, dim> F;
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < dim; ++j)
      F[i][j] = 0.5 * (G0[i][j] + G1[i][j]);
  return product(deformation_gradient(F), weight * stress);
}

} // namespace

/// Calls evaluate_block(block, values), which writes the value of each point of a block, for the
/// blocks of this process, and add(value) for the values of all blocks of all processes in their
/// order.
template <int dim>
template <typename BlockFunction, typename Add>
void FiniteStrain<dim>::visit_all_points(const BlockFunction &evaluate_block,
                                         const Add &add) const {
  const unsigned int n_of_block = points_per_cell + (has_mean_dilatation() ? 1 : 0);
  std::vector<Lanes> values(n_of_block * (partition.is_shared() ? n_blocks_of_all : 1));
  for (unsigned int block = 0; block < n_blocks(); ++block)
    if (partition.is_shared())
      evaluate_block(block, &values[block_numbers[block] * std::size_t(n_of_block)]);
    else {
      evaluate_block(block, values.data());
      std::for_each(values.begin(), values.end(), add);
    }
  if (!partition.is_shared() || values.empty())
    return;
  shared_blocks.gather(&values.front()[0], n_of_block * n_lanes);
  std::for_each(values.begin(), values.end(), add);
}

template <int dim>
template <unsigned int n_nodes, typename Add>
void FiniteStrain<dim>::visit_group(unsigned int first_block, const Vector &q,
                                    const Add &add) const {
  for (unsigned int b = 0; b < blocks_per_group; ++b) {
    const auto u = deformation<n_nodes>(first_block + b, q);
    for (unsigned int k = 0; k < points_per_cell; ++k)
      add(b * points_per_cell + k, points[(first_block + b) * points_per_cell + k], u);
  }
}

/// Returns V U(J̄) of the cells of a block; of a macro-cell in the first lane of its first block.
template <int dim>
template <typename Law>
Lanes FiniteStrain<dim>::volumetric_energy(const Law &law, unsigned int block,
                                           const Vector &q) const {
  if (block % blocks_per_group != 0)
    return Lanes{};
  BlockDilatation<dim> dilatation;
  visit_group<max_nodes>(block, q, [&](unsigned int k, const Points &point, const NodeVectors &u) {
    const auto A = doubled_strain(gradient(point, u));
    dilatation.add_point(k, point.weight, A, A);
  });
  const bool is_macro = cells_per_group > 1;
  if (is_macro)
    dilatation.join_cells();
  set_energy(dilatation, law);
  Lanes energy = dilatation.end_energy();
  for (unsigned int lane = 1; is_macro && lane < n_lanes; ++lane)
    energy[lane] = 0.;
  return energy;
}

template <int dim>
double FiniteStrain<dim>::strain_energy(const Vector &q, const std::vector<double> &history) const {
  return std::visit(
      [&](const auto &law) {
        double energy = 0;
        visit_all_points(
            [&](unsigned int block, Lanes *values) {
              const auto u = deformation(block, q);
              for (unsigned int k = 0; k < points_per_cell; ++k) {
                const Points &point = points[block * points_per_cell + k];
                const auto A = doubled_strain(gradient(point, u));
                for (unsigned int lane = 0; lane < n_lanes; ++lane)
                  if constexpr (has_history<std::decay_t<decltype(law)>>)
                    values[k][lane] = point.weight[lane] *
                                      law.energy(full_tensor<dim>(extract_lane(A, lane), 0.),
                                                 history_at(history, block * n_lanes + lane, k));
                  else
                    values[k][lane] = point.weight[lane] * law.energy(extract_lane(A, lane));
              }
              if (has_mean_dilatation())
                values[points_per_cell] = volumetric_energy(
                    std::get<std::decay_t<decltype(law)>>(material.law), block, q);
            },
            [&](const Lanes &value) {
              for (unsigned int lane = 0; lane < n_lanes; ++lane)
                energy += value[lane];
            });
        return energy;
      },
      point_law);
}

/// Returns the loss of a law with memory in the step last evaluated.
template <int dim>
double FiniteStrain<dim>::total_loss() const {
  if (n_values == 0)
    return 0.;
  Lanes loss{};
  visit_all_points(
      [&](unsigned int block, Lanes *values) {
        for (std::size_t k = 0; k < points_per_cell; ++k) {
          const std::size_t i = block * std::size_t(points_per_cell) + k;
          values[k] = points[i].weight * losses[i];
        }
        if (has_mean_dilatation())
          values[points_per_cell] = Lanes{};
      },
      [&](const Lanes &value) { loss += value; });
  return sum(loss);
}

template <int dim>
double FiniteStrain<dim>::plastic_loss() const {
  return is_plastic(material.law) ? total_loss() : 0.;
}

template <int dim>
double FiniteStrain<dim>::dissipation() const {
  const double loss = is_plastic(material.law) ? 0. : total_loss();
  if (!material.viscosity.present())
    return loss;
  Lanes power{};
  visit_all_points(
      [&](unsigned int block, Lanes *values) {
        const auto u = deformation(block, q1);
        for (unsigned int k = 0; k < points_per_cell; ++k) {
          const Points &point = points[block * points_per_cell + k];
          const auto A0 = doubled_strain(point.G0), A1 = doubled_strain(gradient(point, u));
          values[k] = point.weight * (material.viscosity.stress(A0, A1, last_length) * (A1 - A0));
        }
      },
      [&](const Lanes &value) { power += value; });
  return loss + 0.5 * sum(power);
}

template <int dim>
void FiniteStrain<dim>::begin_step(const Vector &q0) {
  for (unsigned int block = 0; block < n_blocks(); ++block) {
    const auto u = deformation(block, q0);
    for (unsigned int k = 0; k < points_per_cell; ++k) {
      Points &point = points[block * points_per_cell + k];
      point.G0 = gradient(point, u);
    }
  }
}

template <int dim>
bool FiniteStrain<dim>::evaluate(const Vector &q, double h, Vector &force) {
  if (q1.size() == q.size()) // an assignment compares the distributions of both vectors
    std::copy(q.data(), q.data() + q.size(), q1.data());
  else
    q1 = q;
  last_length = h;
  return std::visit(
      [&](const auto &law) {
        return nodes_per_cell == dim + 1 ? evaluate<dim + 1>(law, h, force)
                                         : evaluate<max_nodes>(law, h, force);
      },
      point_law);
}

/// Computes the stresses of a law with memory at a point of the cells of a block, and their losses
/// and histories.
template <int dim>
template <typename Law, typename LaneStress>
void FiniteStrain<dim>::step_lanes(const Law &law, unsigned int block, unsigned int k,
                                   const LaneStress &A0, const LaneStress &A1, double h,
                                   LaneStress &stress) {
  const std::size_t i = std::size_t(block) * points_per_cell + k;
  for (unsigned int lane = 0; lane < n_lanes; ++lane) {
    const unsigned int cell = block * n_lanes + lane;
    if (points[i].weight[lane] == 0.)
      continue;
    const HistoryStress result =
        law.step(history_step(cell, k, extract_lane(A0, lane), extract_lane(A1, lane), h),
                 history1.data() + history_position(cell, k));
    losses[i][lane] = result.loss;
    set_lane(components_of_space<dim>(result.stress), lane, stress);
  }
}

/// Flattened, so that the lanes stay in registers.
template <int dim>
template <unsigned int n_nodes, typename Law>
PERCUSSION_WITH_AVX2 [[gnu::flatten]] bool FiniteStrain<dim>::evaluate(const Law &law, double h,
                                                                       Vector &force) {
  const bool viscous = material.viscosity.present(), is_mean = has_mean_dilatation();
  BlockDilatation<dim> dilatation;
  for (unsigned int block = 0; block < n_blocks(); ++block) {
    if (is_mean && block % blocks_per_group == 0) {
      dilatation.clear();
      visit_group<n_nodes>(block, q1,
                           [&](unsigned int k, const Points &point, const NodeVectors &u) {
                             dilatation.add_point(k, point.weight, doubled_strain(point.G0),
                                                  doubled_strain(gradient<n_nodes>(point, u)));
                           });
      if (cells_per_group > 1)
        dilatation.join_cells();
      set_energy(dilatation, std::get<std::decay_t<decltype(law)>>(material.law));
    }
    const unsigned int first_k = block % blocks_per_group * points_per_cell;
    const auto u = deformation<n_nodes>(block, q1);
    NodeVectors forces{};
    for (unsigned int k = 0; k < points_per_cell; ++k) {
      const Points &point = points[block * points_per_cell + k];
      const auto G1 = gradient<n_nodes>(point, u), F1 = deformation_gradient(G1);
      if (!all_positive(determinant(F1)))
        return false;
      const auto A0 = doubled_strain(point.G0), A1 = doubled_strain(G1);
      if (!admits(law, A1))
        return false;
      LaneStrain<dim> stress{};
      if constexpr (has_history<Law>)
        step_lanes(law, block, k, A0, A1, h, stress);
      else
        stress = algorithmic_stress(law, A0, A1);
      if (is_mean)
        stress = stress + dilatation.stress(first_k + k);
      if (viscous)
        stress = stress + material.viscosity.stress(A0, A1, h);
      const auto PK1 = first_piola_kirchhoff(point.weight, point.G0, G1, stress);
      for (unsigned int a = 1; a < n_nodes; ++a)
        for (unsigned int d = 0; d < dim; ++d) {
          Lanes component = PK1[d][0] * point.slopes[a - 1][0];
          for (unsigned int j = 1; j < dim; ++j)
            component += PK1[d][j] * point.slopes[a - 1][j];
          forces[a - 1][d] += component;
        }
    }
    add_forces<n_nodes>(block, forces, force.data());
  }
  return true;
}

/// Adds the force on the nodes; the force on the first node balances the others.
template <int dim>
template <unsigned int n_nodes>
void FiniteStrain<dim>::add_forces(unsigned int block, const NodeVectors &forces, double *f) const {
  const Cell *const cell = &cells[block * n_lanes];
  const auto scatter = [&](unsigned int i, const Lanes &component) {
    for (unsigned int lane = 0; lane < n_lanes; ++lane)
      f[cell[lane].dofs[i]] += component[lane];
  };
  for (unsigned int d = 0; d < dim; ++d) {
    Lanes balance{};
    for (unsigned int a = 1; a < n_nodes; ++a) {
      scatter(dim * a + d, forces[a - 1][d]);
      balance -= forces[a - 1][d];
    }
    scatter(d, balance);
  }
}

/// Returns the largest rotation angle, evaluated at the first point of each cell.
template <int dim>
double FiniteStrain<dim>::largest_turn() const {
  double turn = 0;
  for (unsigned int block = 0; block < n_blocks(); ++block) {
    const Points &point = points[block * points_per_cell];
    const auto G1 = gradient(point, deformation(block, q1));
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < i; ++j)
        for (unsigned int lane = 0; lane < n_lanes; ++lane)
          turn = std::max(turn, 0.5 * std::abs(G1[i][j][lane] - point.G0[i][j][lane] -
                                               G1[j][i][lane] + point.G0[j][i][lane]));
  }
  return partition.largest(turn);
}

namespace {

/// Components of a symmetric tensor, the diagonal ones first.
template <int dim>
using Components = std::array<double, dealii::SymmetricTensor<2, dim>::n_independent_components>;

/// Returns sym(a ⊗ b), with its mixed components doubled, so that their product with the components
/// of a symmetric tensor is the double contraction.
template <int dim>
Components<dim> doubled_symmetric_product(const Tensor<1, dim> &a, const Tensor<1, dim> &b) {
  Components<dim> product;
  unsigned int k = 0;
  for (unsigned int i = 0; i < dim; ++i)
    product[k++] = a[i] * b[i];
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = i + 1; j < dim; ++j)
      product[k++] = a[i] * b[j] + a[j] * b[i];
  return product;
}

/// Returns dΣ = D : dC for the components of dC, mixed ones doubled.
template <int dim>
Components<dim> contract(const dealii::SymmetricTensor<4, dim> &D, const Components<dim> &dC) {
  const auto component = [&](unsigned int i, unsigned int j) {
    double sum = D[i][j][0][0] * dC[0];
    unsigned int n = 1;
    for (unsigned int k = 1; k < dim; ++k)
      sum += D[i][j][k][k] * dC[n++];
    for (unsigned int k = 0; k < dim; ++k)
      for (unsigned int l = k + 1; l < dim; ++l)
        sum += D[i][j][k][l] * dC[n++];
    return sum;
  };
  Components<dim> result;
  unsigned int n = 0;
  for (unsigned int i = 0; i < dim; ++i)
    result[n++] = component(i, i);
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = i + 1; j < dim; ++j)
      result[n++] = component(i, j);
  return result;
}

/// Returns the components of a symmetric tensor.
template <int dim>
Components<dim> components(const dealii::SymmetricTensor<2, dim> &S) {
  Components<dim> result;
  unsigned int k = 0;
  for (unsigned int i = 0; i < dim; ++i)
    result[k++] = S[i][i];
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = i + 1; j < dim; ++j)
      result[k++] = S[i][j];
  return result;
}

/// Returns Σ a b.
template <std::size_t n>
double product(const std::array<double, n> &a, const std::array<double, n> &b) {
  double sum = a[0] * b[0];
  for (std::size_t i = 1; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

/// Part of the tangent due to the change of the mean pressure, of rank one: its force 2 D_J times
/// the change of the volume.
template <int dim>
struct PressureTangent {
  static constexpr unsigned int max_dofs = 30; // of a macro-cell in 3D
  std::array<double, max_dofs> force{}, volume{};

  /// Adds the force of p̄ = 1 at a point on dof i, with the gradient of its J.
  void add_force(unsigned int i, const dealii::SymmetricTensor<2, dim> &weighted_gradient,
                 const Components<dim> &row) {
    force[i] += 2. * product(row, components<dim>(weighted_gradient));
  }
  /// Adds J'(C₁) : dC of a point for dof i.
  void add_volume(unsigned int i, const dealii::SymmetricTensor<2, dim> &slope,
                  const Components<dim> &dC) {
    volume[i] += product(components<dim>(slope), dC);
  }
  /// Adds the product with the derivative of the pressure.
  void add_to(double pressure_slope, unsigned int n, double *tangent) const {
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        tangent[i * n + j] += pressure_slope * force[i] * volume[j];
  }
};

} // namespace

/// Terms of the tangent of a group, to which its points add theirs. Without mean dilatation the
/// last two are null.
template <int dim>
struct FiniteStrain<dim>::TangentTerms {
  unsigned int n; ///< number of rows
  double h, *tangent;
  bool is_midpoint, geometric;
  const CellDilatation<dim> *dilatation = nullptr;
  PressureTangent<dim> *pressure_tangent = nullptr;
};

/// Computes the volume change of a group over the step to q, or at rest at q.
template <int dim>
void FiniteStrain<dim>::set_dilatation(unsigned int group, const Vector &q, bool is_at_rest,
                                       CellDilatation<dim> &dilatation) const {
  for (unsigned int c = 0; c < cells_per_group; ++c) {
    const unsigned int cell = group * cells_per_group + c, lane = cell % n_lanes;
    const auto u = deformation(cell / n_lanes, q);
    for (unsigned int k = 0; k < points_per_cell; ++k) {
      const Points &point = points[first_point(cell) + k];
      const auto A1 = doubled_strain(extract_lane(gradient(point, u), lane));
      const auto A0 = is_at_rest ? A1 : doubled_strain(extract_lane(point.G0, lane));
      dilatation.add_point(c * points_per_cell + k, point.weight[lane], A0, A1);
    }
  }
  std::visit([&](const auto &law) { set_energy(dilatation, law); }, material.law);
}

/// Returns the stress of a point, without the part of the mean dilatation.
template <int dim>
AlgorithmicStress<dim> FiniteStrain<dim>::point_stress(unsigned int cell, unsigned int k,
                                                       const dealii::SymmetricTensor<2, dim> &A0,
                                                       const dealii::SymmetricTensor<2, dim> &A1,
                                                       double h) const {
  AlgorithmicStress<dim> sigma = std::visit(
      [&](const auto &law) {
        if constexpr (has_history<std::decay_t<decltype(law)>>)
          return law.template step_tangent<dim>(history_step(cell, k, A0, A1, h));
        else
          return algorithmic_stress_and_tangent(law, A0, A1);
      },
      point_law);
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
void FiniteStrain<dim>::add_up_tangent(unsigned int group, double h, double *tangent,
                                       bool is_midpoint, bool geometric) const {
  const unsigned int n = this->dofs_per_group();
  std::fill(tangent, tangent + std::size_t(n) * n, 0.);
  TangentTerms terms{n, h, tangent, is_midpoint, geometric};
  CellDilatation<dim> dilatation;
  PressureTangent<dim> pressure_tangent;
  if (has_mean_dilatation()) {
    set_dilatation(group, q1, false, dilatation);
    terms.dilatation = &dilatation;
    terms.pressure_tangent = &pressure_tangent;
  }
  for (unsigned int c = 0; c < cells_per_group; ++c) {
    const unsigned int cell = group * cells_per_group + c;
    const auto u = deformation(cell / n_lanes, q1);
    for (unsigned int k = 0; k < points_per_cell; ++k)
      add_point_tangent(cell, k, c * points_per_cell + k, u, terms);
  }
  if (has_mean_dilatation())
    pressure_tangent.add_to(dilatation.pressure_slope(), n, tangent);
}

/// Adds the terms of point k of a cell, which is point k_in_group of its group.
template <int dim>
void FiniteStrain<dim>::add_point_tangent(unsigned int cell, unsigned int k,
                                          unsigned int k_in_group, const NodeVectors &u,
                                          const TangentTerms &terms) const {
  const unsigned int n = terms.n, lane = cell % n_lanes;
  const auto &index = cells[cell].index_in_group;
  const Points &point = points[first_point(cell) + k];
  const Gradient G0 = extract_lane(point.G0, lane), G1 = extract_lane(gradient(point, u), lane);
  const double weight = point.weight[lane];
  const auto shape_gradient = shape_gradients(point, lane);
  AlgorithmicStress<dim> sigma =
      point_stress(cell, k, doubled_strain(G0), doubled_strain(G1), terms.h);
  dealii::SymmetricTensor<2, dim> weighted_gradient, volume_slope; // of J
  if (terms.dilatation != nullptr) {
    terms.dilatation->add_stress(k_in_group, sigma);
    weighted_gradient = weight * terms.dilatation->change(k_in_group).gradient;
    volume_slope = terms.dilatation->volume_slope(k_in_group, terms.is_midpoint);
  }
  const Gradient F_mean = deformation_gradient(Gradient(0.5 * (G0 + G1)));
  const Gradient F1 = terms.is_midpoint ? F_mean : deformation_gradient(G1);
  std::array<Components<dim>, dim * max_nodes> rows;
  for (unsigned int a = 0; a < nodes_per_cell; ++a)
    for (unsigned int i = 0; i < dim; ++i) {
      rows[dim * a + i] = doubled_symmetric_product<dim>(F_mean[i], shape_gradient[a]);
      if (terms.pressure_tangent != nullptr)
        terms.pressure_tangent->add_force(index[dim * a + i], weighted_gradient, rows[dim * a + i]);
    }
  for (unsigned int b = 0; b < nodes_per_cell; ++b) {
    const auto &grad_b = shape_gradient[b];
    const Tensor<1, dim> traction = (terms.geometric ? 0.5 : 0.) * (sigma.stress * grad_b);
    for (unsigned int j = 0; j < dim; ++j) {
      Components<dim> dC = doubled_symmetric_product<dim>(F1[j], grad_b);
      for (double &component : dC)
        component *= 2. * weight;
      const Components<dim> dS = contract<dim>(sigma.derivative, dC);
      double *const column = terms.tangent + index[dim * b + j];
      for (unsigned int a = 0; a < nodes_per_cell; ++a) {
        for (unsigned int i = 0; i < dim; ++i)
          column[index[dim * a + i] * n] += product(rows[dim * a + i], dS);
        column[index[dim * a + j] * n] += weight * (traction * shape_gradient[a]);
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
  const unsigned int lane = index % n_lanes;
  const auto u = deformation(index / n_lanes, q);
  dealii::SymmetricTensor<2, 3> sum;
  double volume = 0;
  for (unsigned int k = 0; k < points_per_cell; ++k) {
    const Points &point = points[first_point(index) + k];
    const Gradient grad_u = extract_lane(gradient(point, u), lane);
    sum += point.weight[lane] *
           std::visit(
               [&](const auto &law) {
                 if constexpr (has_history<std::decay_t<decltype(law)>>)
                   return percussion::cauchy_stress(law, grad_u, history_at(history, index, k));
                 else
                   return percussion::cauchy_stress(law, grad_u);
               },
               point_law);
    volume += point.weight[lane];
  }
  sum /= volume;
  if (has_mean_dilatation()) {
    CellDilatation<dim> dilatation;
    set_dilatation(index / cells_per_group, q, true, dilatation);
    sum += dilatation.energy_change().quotient * dealii::unit_symmetric_tensor<3>();
  }
  return sum;
}

template class FiniteStrain<2>;
template class FiniteStrain<3>;

} // namespace percussion
