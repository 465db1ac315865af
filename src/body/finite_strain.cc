#include <percussion/body/finite_strain.h>
#include <percussion/material/cauchy_stress.h>
#include <percussion/material/discrete_gradient.h>

#include <deal.II/fe/fe_values.h>

#include <algorithm>

namespace percussion {

using dealii::Tensor;

template <int dim>
FiniteStrain<dim>::FiniteStrain(const ElasticBody<dim> &body, unsigned int number)
    : material(*body.materials.list[number].finite_strain),
      nodes_per_cell(body.space.element.n_dofs_per_cell() / dim) {
  const Space<dim> &space = body.space;
  const double thickness = body.materials.list[number].thickness;
  dealii::FEValues<dim> values(*space.mapping, space.element, space.stiffness_quadrature,
                               dealii::update_gradients | dealii::update_JxW_values);
  for (const auto &of_mesh : space.dofs.active_cell_iterators()) {
    if (body.materials.number(of_mesh->active_cell_index()) != number)
      continue;
    values.reinit(of_mesh);
    Cell cell{};
    cell.index_in_mesh = of_mesh->active_cell_index();
    cell.first_point = static_cast<unsigned int>(points.size());
    for (const unsigned int v : of_mesh->vertex_indices())
      for (unsigned int d = 0; d < dim; ++d)
        cell.dofs[dim * v + d] = space.node_dofs[of_mesh->vertex_index(v)][d];
    for (const unsigned int q : values.quadrature_point_indices()) {
      Point point{};
      point.weight = values.JxW(q) * thickness;
      for (const unsigned int v : of_mesh->vertex_indices())
        point.shape_gradient[v] =
            values.shape_grad(space.element.component_to_system_index(0, v), q);
      points.push_back(point);
    }
    cell.end_point = static_cast<unsigned int>(points.size());
    cells.push_back(cell);
  }
  measure_stiffness(space);
}

/// A bound of ‖ |K| 1 ‖ with the moduli of small strain, as if all terms had the same sign.
template <int dim>
void FiniteStrain<dim>::measure_stiffness(const Space<dim> &space) {
  const auto elastic = small_strain_limit(material.law);
  std::vector<double> row_sum(space.n_dofs(), 0.);
  for (const Cell &cell : cells)
    for (unsigned int k = cell.first_point; k < cell.end_point; ++k) {
      double slopes = 0;
      for (unsigned int a = 0; a < nodes_per_cell; ++a)
        slopes += points[k].shape_gradient[a].norm();
      for (unsigned int i = 0; i < dofs_per_cell(); ++i)
        row_sum[cell.dofs[i] - space.first_dof] += points[k].weight *
                                                   (elastic.lambda + 2. * elastic.mu) * slopes *
                                                   points[k].shape_gradient[i / dim].norm();
    }
  double square = 0;
  for (const double sum : row_sum)
    square += sum * sum;
  stiffness_norm = std::sqrt(square);
}

template <int dim>
std::array<Tensor<1, dim>, FiniteStrain<dim>::max_nodes>
FiniteStrain<dim>::deformation(const Cell &cell, const Vector &q) const {
  std::array<Tensor<1, dim>, max_nodes> u;
  const double *const values = entries(q);
  for (unsigned int a = 1; a < nodes_per_cell; ++a)
    for (unsigned int d = 0; d < dim; ++d)
      u[a][d] = values[cell.dofs[dim * a + d]] - values[cell.dofs[d]];
  return u;
}

template <int dim>
Tensor<2, dim> FiniteStrain<dim>::gradient(const Point &point,
                                           const std::array<Tensor<1, dim>, max_nodes> &u) const {
  Gradient grad_u;
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int a = 1; a < nodes_per_cell; ++a)
      grad_u[i] += u[a][i] * point.shape_gradient[a];
  return grad_u;
}

namespace {

/// F = I + ∇u.
template <int dim>
Tensor<2, dim> deformation_gradient(Tensor<2, dim> grad_u) {
  for (unsigned int i = 0; i < dim; ++i)
    grad_u[i][i] += 1.;
  return grad_u;
}

} // namespace

template <int dim>
double FiniteStrain<dim>::strain_energy(const Vector &q) const {
  return std::visit(
      [&](const auto &law) {
        double energy = 0;
        for (const Cell &cell : cells) {
          const auto u = deformation(cell, q);
          for (unsigned int k = cell.first_point; k < cell.end_point; ++k)
            energy += points[k].weight * law.energy(doubled_strain(gradient(points[k], u)));
        }
        return energy;
      },
      material.law);
}

template <int dim>
void FiniteStrain<dim>::begin_step(const Vector &q0) {
  for (const Cell &cell : cells) {
    const auto u = deformation(cell, q0);
    for (unsigned int k = cell.first_point; k < cell.end_point; ++k) {
      points[k].G0 = gradient(points[k], u);
      points[k].A0 = doubled_strain(points[k].G0);
    }
  }
}

template <int dim>
bool FiniteStrain<dim>::evaluate(const Vector &q1, double h, Vector &force) {
  return std::visit([&](const auto &law) { return evaluate(law, q1, h, force); }, material.law);
}

template <int dim>
template <typename Law>
bool FiniteStrain<dim>::evaluate(const Law &law, const Vector &q1, double h, Vector &force) {
  const bool viscous = material.viscosity.present();
  double *const f = entries(force);
  dissipated = 0;
  for (const Cell &cell : cells) {
    const auto u = deformation(cell, q1);
    for (unsigned int k = cell.first_point; k < cell.end_point; ++k) {
      Point &point = points[k];
      point.G1 = gradient(point, u);
      if (!(determinant(deformation_gradient(point.G1)) > 0.))
        return false;
      const auto A1 = doubled_strain(point.G1);
      auto stress = algorithmic_stress(law, point.A0, A1);
      if (viscous) {
        const auto viscous_stress = material.viscosity.stress(point.A0, A1, h);
        dissipated += 0.5 * point.weight * (viscous_stress * (A1 - point.A0));
        stress += viscous_stress;
      }
      const Gradient PK1 =
          point.weight *
          (deformation_gradient(Gradient(0.5 * (point.G0 + point.G1))) * Gradient(stress));
      for (unsigned int a = 0; a < nodes_per_cell; ++a)
        for (unsigned int d = 0; d < dim; ++d)
          f[cell.dofs[dim * a + d]] += PK1[d] * point.shape_gradient[a];
    }
  }
  return true;
}

namespace {

/// sym(a ⊗ b), with its mixed component doubled, so that a product of such triples with the
/// components of a symmetric tensor is the double contraction.
using Triple = std::array<double, 3>;
Triple doubled_symmetric_product(const Tensor<1, 2> &a, const Tensor<1, 2> &b) {
  return {{a[0] * b[0], a[1] * b[1], a[0] * b[1] + a[1] * b[0]}};
}

/// dΣ = D : dC as the components 11, 22, 12 of dΣ for a triple of dC.
Triple contract(const PlaneTangent &D, const Triple &dC) {
  const auto component = [&](unsigned int i, unsigned int j) {
    return D[i][j][0][0] * dC[0] + D[i][j][1][1] * dC[1] + D[i][j][0][1] * dC[2];
  };
  return {{component(0, 0), component(1, 1), component(0, 1)}};
}

} // namespace

/// With dF₁ = e_j ⊗ ∇N_b, dC₁ = 2 sym(F₁ᵀ dF₁):
///   d(F_½ Σ) : e_i ⊗ ∇N_a = ½ δ_ij ∇N_a · Σ ∇N_b + sym(F_½,i ⊗ ∇N_a) : dΣ/dC₁ : dC₁ .
template <int dim>
void FiniteStrain<dim>::cell_tangent(unsigned int index, double h, double *tangent) const {
  static_assert(dim == 2, "components of symmetric tensors are written out");
  const Cell &cell = cells[index];
  const unsigned int n = dofs_per_cell();
  std::fill(tangent, tangent + std::size_t(n) * n, 0.);
  for (unsigned int k = cell.first_point; k < cell.end_point; ++k) {
    const Point &point = points[k];
    const auto A1 = doubled_strain(point.G1);
    AlgorithmicStress sigma = std::visit(
        [&](const auto &law) { return algorithmic_stress_and_tangent(law, point.A0, A1); },
        material.law);
    if (material.viscosity.present()) {
      const auto viscous = material.viscosity.stress_and_tangent(point.A0, A1, h);
      sigma.stress += viscous.stress;
      sigma.derivative += viscous.derivative;
    }
    const Gradient F1 = deformation_gradient(point.G1);
    const Gradient F_mean = deformation_gradient(Gradient(0.5 * (point.G0 + point.G1)));
    std::array<Triple, dim * max_nodes> rows;
    for (unsigned int a = 0; a < nodes_per_cell; ++a)
      for (unsigned int i = 0; i < dim; ++i)
        rows[dim * a + i] = doubled_symmetric_product(F_mean[i], point.shape_gradient[a]);
    for (unsigned int b = 0; b < nodes_per_cell; ++b) {
      const auto &grad_b = point.shape_gradient[b];
      const Tensor<1, dim> traction = 0.5 * (sigma.stress * grad_b);
      for (unsigned int j = 0; j < dim; ++j) {
        Triple dC = doubled_symmetric_product(F1[j], grad_b);
        for (double &component : dC)
          component *= 2. * point.weight;
        const Triple dS = contract(sigma.derivative, dC);
        for (unsigned int a = 0; a < nodes_per_cell; ++a) {
          for (unsigned int i = 0; i < dim; ++i) {
            const Triple &row = rows[dim * a + i];
            tangent[(dim * a + i) * n + dim * b + j] +=
                row[0] * dS[0] + row[1] * dS[1] + row[2] * dS[2];
          }
          tangent[(dim * a + j) * n + dim * b + j] +=
              point.weight * (traction * point.shape_gradient[a]);
        }
      }
    }
  }
}

template <int dim>
dealii::SymmetricTensor<2, 3> FiniteStrain<dim>::cauchy_stress(unsigned int index,
                                                               const Vector &q) const {
  const Cell &cell = cells[index];
  const auto u = deformation(cell, q);
  dealii::SymmetricTensor<2, 3> sum;
  double volume = 0;
  for (unsigned int k = cell.first_point; k < cell.end_point; ++k) {
    const Gradient grad_u = gradient(points[k], u);
    sum += points[k].weight *
           std::visit([&](const auto &law) { return percussion::cauchy_stress(law, grad_u); },
                      material.law);
    volume += points[k].weight;
  }
  return sum / volume;
}

template class FiniteStrain<2>;

} // namespace percussion
