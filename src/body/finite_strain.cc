#include <percussion/material/discrete_gradient.h>

#include <deal.II/fe/fe_values.h>

#include "cell_dilatation.h"
#include "finite_strain_points.h"
#include <algorithm>

namespace percussion {

using dealii::Tensor;

namespace {

/// True for Poisson ratios above 0.44. Beyond, corrections with the pressures of displacements
/// fail; below, they need fewer than corrections with pressures as unknowns do where metals flow.
template <int dim>
bool is_nearly_incompressible(const LinearElastic<dim> &law) {
  constexpr double largest_ratio = 8.; // of bulk and shear modulus
  return law.lambda + 2. / 3. * law.mu > largest_ratio * law.mu;
}

} // namespace

template <int dim>
FiniteStrain<dim>::FiniteStrain(const ElasticBody<dim> &body, unsigned int number)
    : FiniteStrain(body, number, Partition::undivided(body.space.first_dof + body.n_dofs(), dim)) {}

template <int dim>
FiniteStrain<dim>::FiniteStrain(const ElasticBody<dim> &body, unsigned int number,
                                const Partition &p)
    : StrainCells<dim>(body, number, p), material(*body.materials.list[number].finite_strain),
      element(body.materials.list[number].element),
      is_axisymmetric(body.materials.list[number].is_axisymmetric),
      iterates_pressures(has_mean_dilatation() &&
                         is_nearly_incompressible(body.materials.list[number].elastic)),
      point_law(has_mean_dilatation()
                    ? std::make_shared<const HyperelasticLaw>(local_part(material.law()))
                    : material.stored_energy),
      n_values(n_history(material.law())), history0(history_position(n_blocks() * n_lanes, 0), 0.),
      history1(history0),
      losses(n_values > 0 ? std::size_t(n_blocks()) * points_per_cell : 0, Lanes{}) {
  if (iterates_pressures)
    for (std::vector<double> *const values : {&pressures.iterated, &pressures.mean})
      values->assign(std::size_t(n_blocks()) * n_lanes, 0.);
  if (fibres_of(material.law()))
    set_fibres(body, body.materials.list[number]);
}

/// Sets the directions of the fibres at all points: constants of the law, or values of a field.
template <int dim>
void FiniteStrain<dim>::set_fibres(const ElasticBody<dim> &body,
                                   const Material<dim> &body_material) {
  const FibreDirections constant = *fibres_of(material.law());
  fibres.resize(points.size(), LaneFibres{});
  dealii::FEValues<dim> values(*body.space.mapping, body.space.element,
                               body.space.stiffness_quadrature, dealii::update_quadrature_points);
  unsigned int cell = 0; // cells are in the order of the mesh
  for (const auto &mesh_cell : body.space.dofs.active_cell_iterators()) {
    const unsigned int index = mesh_cell->active_cell_index();
    if (cell == this->n_cells() || this->index_in_mesh(cell) != index)
      continue;
    if (body_material.fibre_field)
      values.reinit(mesh_cell);
    for (unsigned int k = 0; k < points_per_cell; ++k)
      fibres[first_point(cell) + k].set_lane(
          cell % n_lanes, body_material.fibre_field
                              ? body_material.fibre_field(index, values.quadrature_point(k))
                              : constant);
    ++cell;
  }
}

template <int dim>
bool FiniteStrain<dim>::is_stiff() const {
  return std::holds_alternative<StVenantKirchhoff>(material.law());
}

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
      add(b * points_per_cell + k, (first_block + b) * std::size_t(points_per_cell) + k, u);
  }
}

/// Returns V U(J̄) of the cells of a block; of a macro-cell in the first lane of its first block.
template <int dim>
template <int space, typename Law>
Lanes FiniteStrain<dim>::volumetric_energy(const Law &law, unsigned int block,
                                           const Vector &q) const {
  if (block % blocks_per_group != 0)
    return Lanes{};
  BlockDilatation<space> dilatation;
  visit_group<any_number>(block, q, [&](unsigned int k, std::size_t point, const auto &u) {
    const auto A = doubled_strain(gradient<space>(point, u));
    dilatation.add_point(k, points[point].weight, A, A);
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
  return in_strain_space([&](auto space) { return strain_energy_in<space>(q, history); });
}

template <int dim>
template <int space>
double FiniteStrain<dim>::strain_energy_in(const Vector &q,
                                           const std::vector<double> &history) const {
  return std::visit(
      [&](const auto &law) {
        double energy = 0;
        visit_all_points(
            [&](unsigned int block, Lanes *values) {
              const auto u = deformation(block, q);
              for (unsigned int k = 0; k < points_per_cell; ++k) {
                const std::size_t point = block * std::size_t(points_per_cell) + k;
                const Lanes &weight = points[point].weight;
                const auto A = doubled_strain(gradient<space>(point, u));
                for (unsigned int lane = 0; lane < n_lanes; ++lane)
                  if constexpr (has_history<std::decay_t<decltype(law)>>)
                    values[k][lane] =
                        weight[lane] * law.energy(full_tensor<space>(extract_lane(A, lane), 0.),
                                                  history_at(history, block * n_lanes + lane, k));
                  else
                    values[k][lane] =
                        weight[lane] * this->law_at(law, point, lane).energy(extract_lane(A, lane));
              }
              if (has_mean_dilatation())
                values[points_per_cell] = volumetric_energy<space>(
                    std::get<std::decay_t<decltype(law)>>(material.law()), block, q);
            },
            [&](const Lanes &value) {
              for (unsigned int lane = 0; lane < n_lanes; ++lane)
                energy += value[lane];
            });
        return energy;
      },
      *point_law);
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
  return is_plastic(material.law()) ? total_loss() : 0.;
}

template <int dim>
double FiniteStrain<dim>::dissipation() const {
  const double loss = is_plastic(material.law()) ? 0. : total_loss();
  if (!material.viscosity.present())
    return loss;
  return loss + in_strain_space([&](auto space) { return viscous_dissipation<space>(); });
}

template <int dim>
template <int space>
double FiniteStrain<dim>::viscous_dissipation() const {
  Lanes power{};
  visit_all_points(
      [&](unsigned int block, Lanes *values) {
        const auto u = deformation(block, q1);
        for (unsigned int k = 0; k < points_per_cell; ++k) {
          const std::size_t point = block * std::size_t(points_per_cell) + k;
          const auto A0 = doubled_strain(start_gradient<space>(point)),
                     A1 = doubled_strain(gradient<space>(point, u));
          values[k] =
              points[point].weight * (material.viscosity.stress(A0, A1, last_length) * (A1 - A0));
        }
      },
      [&](const Lanes &value) { power += value; });
  return 0.5 * sum(power);
}

template <int dim>
void FiniteStrain<dim>::begin_step(const Vector &q0) {
  for (unsigned int block = 0; block < n_blocks(); ++block) {
    const auto u = deformation(block, q0);
    for (unsigned int k = 0; k < points_per_cell; ++k) {
      const std::size_t point = block * std::size_t(points_per_cell) + k;
      points[point].G0 = gradient<dim>(point, u);
      if constexpr (dim == 2)
        if (is_axisymmetric)
          hoops[point].G0 = gradient<3>(point, u)[2][2];
    }
  }
}

template <int dim>
bool FiniteStrain<dim>::evaluate(const Vector &q, double h, Vector &force, Vector *lag) {
  if (!iterates_pressures || pressures.rows.empty())
    lag = nullptr;
  if (q1.size() == q.size()) // an assignment compares the distributions of both vectors
    std::copy(q.data(), q.data() + q.size(), q1.data());
  else
    q1 = q;
  last_length = h;
  const bool is_upright = in_strain_space([&](auto space) {
    return std::visit(
        [&](const auto &law) {
          constexpr unsigned int n_vertices = 1u << dim; // of a quadrilateral or hexahedron
          return nodes_per_cell == dim + 1      ? evaluate<space, dim + 1>(law, h, force, lag)
                 : nodes_per_cell == n_vertices ? evaluate<space, n_vertices>(law, h, force, lag)
                                                : evaluate<space, any_number>(law, h, force, lag);
        },
        *point_law);
  });
  if (lag != nullptr && is_upright)
    subtract_row_forces(*lag);
  return is_upright;
}

/// Computes the stresses of a law with memory at a point of the cells of a block, and their losses
/// and histories.
template <int dim>
template <int space, typename Law, typename LaneStress>
void FiniteStrain<dim>::step_lanes(const Law &law, unsigned int block, unsigned int k,
                                   const LaneStress &A0, const LaneStress &A1, double h,
                                   LaneStress &stress) {
  const std::size_t i = std::size_t(block) * points_per_cell + k;
  for (unsigned int lane = 0; lane < n_lanes; ++lane) {
    const unsigned int cell = block * n_lanes + lane;
    if (points[i].weight[lane] == 0.)
      continue;
    const HistoryStress result =
        law.step(history_step<space>(cell, k, extract_lane(A0, lane), extract_lane(A1, lane), h),
                 history1.data() + history_position(cell, k));
    losses[i][lane] = result.loss;
    set_lane(components_of_space<space>(result.stress), lane, stress);
  }
}

/// Stores p̄ of the cells of a block, and returns p̄ − p.
template <int dim>
Lanes FiniteStrain<dim>::store_pressure(unsigned int block, const Lanes &pressure) {
  std::memcpy(&pressures.mean[std::size_t(block) * n_lanes], &pressure, sizeof pressure);
  return pressure - CellPressures::of_block(pressures.iterated, block);
}

/// Flattened, so that the lanes stay in registers.
template <int dim>
template <int space, unsigned int n_nodes, typename Law>
PERCUSSION_WITH_AVX2 [[gnu::flatten]] bool FiniteStrain<dim>::evaluate(const Law &law, double h,
                                                                       Vector &force, Vector *lag) {
  const bool viscous = material.viscosity.present(), is_mean = has_mean_dilatation();
  BlockDilatation<space> dilatation;
  for (unsigned int block = 0; block < n_blocks(); ++block) {
    if (is_mean && block % blocks_per_group == 0) {
      dilatation.clear();
      visit_group<n_nodes>(block, q1, [&](unsigned int k, std::size_t point, const auto &u) {
        dilatation.add_point(k, points[point].weight, doubled_strain(start_gradient<space>(point)),
                             doubled_strain(gradient<space, n_nodes>(point, u)));
      });
      if (cells_per_group > 1)
        dilatation.join_cells();
      set_energy(dilatation, std::get<std::decay_t<decltype(law)>>(material.law()));
    }
    const Lanes pressure_lag =
        iterates_pressures ? store_pressure(block, dilatation.energy_change().quotient) : Lanes{};
    const unsigned int first_k = block % blocks_per_group * points_per_cell;
    const auto u = deformation<n_nodes>(block, q1);
    NodeVectors<n_nodes> forces{}, lag_forces{};
    for (unsigned int k = 0; k < points_per_cell; ++k) {
      const std::size_t i = block * std::size_t(points_per_cell) + k;
      const Points &point = points[i];
      const auto G0 = start_gradient<space>(i), G1 = gradient<space, n_nodes>(i, u);
      if (!keeps_orientation<dim>(G1))
        return false;
      const auto A0 = doubled_strain(G0), A1 = doubled_strain(G1);
      const auto &law_of_point = law_at(law, i);
      if (!admits(law_of_point, A1))
        return false;
      LaneStrain<space> stress{};
      if constexpr (has_history<Law>)
        step_lanes<space>(law, block, k, A0, A1, h, stress);
      else
        stress = algorithmic_stress(law_of_point, A0, A1);
      if (is_mean)
        stress = stress + dilatation.stress(first_k + k);
      if (viscous)
        stress = stress + material.viscosity.stress(A0, A1, h);
      add_point_force<n_nodes>(i, first_piola_kirchhoff(point.weight, G0, G1, stress), forces);
      if (lag != nullptr)
        add_point_force<n_nodes>(
            i,
            first_piola_kirchhoff(point.weight, G0, G1,
                                  2. * pressure_lag * dilatation.change(first_k + k).gradient),
            lag_forces);
    }
    add_forces<n_nodes>(block, forces, force.data());
    if (lag != nullptr)
      add_forces<n_nodes>(block, lag_forces, lag->data());
  }
  return true;
}

/// Adds P : ∇N of a point to the forces on the nodes of its cells.
template <int dim>
template <unsigned int n_nodes, std::size_t space>
[[gnu::always_inline]] inline void
FiniteStrain<dim>::add_point_force(std::size_t point,
                                   const std::array<std::array<Lanes, space>, space> &PK1,
                                   NodeVectors<n_nodes> &forces) const {
  const unsigned int n = number_of_nodes<n_nodes>();
  const auto *const slope = slopes.data() + point * (n - 1);
  for (unsigned int a = 1; a < n; ++a)
    for (unsigned int d = 0; d < dim; ++d) {
      Lanes component = PK1[d][0] * slope[a - 1][0];
      for (unsigned int j = 1; j < dim; ++j)
        component += PK1[d][j] * slope[a - 1][j];
      forces.nodes[a - 1][d] += component;
    }
  if constexpr (space > dim) {
    forces.radial += PK1[2][2] * hoops[point].inverse_radius;
    for (unsigned int a = 1; a < n; ++a)
      forces.nodes[a - 1][0] += PK1[2][2] * hoops[point].shapes[a - 1];
  }
}

/// Adds the force on the nodes. The force on the first node balances the nodes, except for the
/// radial force of the hoop stress on all nodes.
template <int dim>
template <unsigned int n_nodes>
void FiniteStrain<dim>::add_forces(unsigned int block, const NodeVectors<n_nodes> &forces,
                                   double *f) const {
  const unsigned int n = number_of_nodes<n_nodes>();
  const unsigned int *const dofs = &cells.dofs[std::size_t(block) * n_lanes * dim * n];
  const auto scatter = [&](unsigned int i, const Lanes &component) {
    for (unsigned int lane = 0; lane < n_lanes; ++lane)
      f[dofs[lane * dim * n + i]] += component[lane];
  };
  for (unsigned int d = 0; d < dim; ++d) {
    Lanes balance{};
    if (is_axisymmetric && d == 0)
      balance = forces.radial;
    for (unsigned int a = 1; a < n; ++a) {
      scatter(dim * a + d, forces.nodes[a - 1][d]);
      balance -= forces.nodes[a - 1][d];
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
    const auto G1 = gradient<dim>(block * std::size_t(points_per_cell), deformation(block, q1));
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < i; ++j)
        for (unsigned int lane = 0; lane < n_lanes; ++lane)
          turn = std::max(turn, 0.5 * std::abs(G1[i][j][lane] - point.G0[i][j][lane] -
                                               G1[j][i][lane] + point.G0[j][i][lane]));
  }
  return partition.largest(turn);
}

template class FiniteStrain<2>;
template class FiniteStrain<3>;

} // namespace percussion
