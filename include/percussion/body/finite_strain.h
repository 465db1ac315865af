#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/elastic_body.h>

#include <limits>

namespace percussion {

/// Energy and forces of the cells of one hyperelastic, viscous material over a step from q0 to q1:
/// Gonzalez' discrete gradient (BBDM24 (3.2)),
///
///     f(q0, q1) = ∫ (F_½ (Σ_algo + Σ_visc)) : ∇N thickness dX ,
///     f · (q1 − q0) = ΔE + dissipation ,
///
/// the second exactly, for all q0 and q1. The necessary mesh data are stored for each quadrature
/// point, so that steps do not access the mesh.
template <int dim>
class FiniteStrain {
public:
  /// The cells of a body with the given entry of its list of materials, which must be one of finite
  /// strain. Stores shape gradients and weights of all quadrature points.
  FiniteStrain(const ElasticBody<dim> &body, unsigned int material_number);

  /// Stored energy ∫ W(C(q)) thickness dX.
  double strain_energy(const Vector &q) const;

  /// Set the deformation q0 at the beginning of the steps evaluated next.
  void begin_step(const Vector &q0);

  /// Add f(q0, q1) of the step of length h to q1 to `force`. False if the step inverts an element
  /// (det F ≤ 0 at q1); there is no force then.
  bool evaluate(const Vector &q1, double h, Vector &force);

  /// ∫ Σ_visc : ΔC/2 thickness dX ≥ 0 of the step last evaluated.
  double dissipation() const { return dissipated; }

  /// Norm of the force caused by rounding of displacements of this size, a lower bound of the
  /// residual norm of any balance [force].
  double round_off(double largest_displacement) const {
    return std::numeric_limits<double>::epsilon() * stiffness_norm * largest_displacement;
  }

  /// Number of cells.
  unsigned int n_cells() const { return static_cast<unsigned int>(cells.size()); }
  /// Degrees of freedom of one cell.
  unsigned int dofs_per_cell() const { return dim * nodes_per_cell; }
  /// The degrees of freedom of a cell, node by node; dofs_per_cell() of them.
  const unsigned int *dofs(unsigned int cell) const { return cells[cell].dofs.data(); }

  /// The consistent tangent ∂f/∂q1 of one cell at the step last evaluated, a nonsymmetric matrix of
  /// dofs_per_cell()² entries, row by row.
  void cell_tangent(unsigned int cell, double h, double *tangent) const;

  /// Mean Cauchy stress of a cell at q.
  dealii::SymmetricTensor<2, 3> cauchy_stress(unsigned int cell, const Vector &q) const;
  /// The active index of a cell in its mesh.
  unsigned int index_in_mesh(unsigned int cell) const { return cells[cell].index_in_mesh; }

private:
  static constexpr unsigned int max_nodes = 1u << dim;
  using Gradient = dealii::Tensor<2, dim>;

  struct Cell {
    std::array<unsigned int, dim * max_nodes> dofs;
    unsigned int first_point, end_point, index_in_mesh;
  };
  /// A quadrature point.
  struct Point {
    std::array<dealii::Tensor<1, dim>, max_nodes> shape_gradient;
    double weight;                      ///< JxW × thickness
    Gradient G0, G1;                    ///< ∇u at q0 and q1
    dealii::SymmetricTensor<2, dim> A0; ///< C − I at q0
  };

  /// u of the nodes of a cell relative to the first: sufficient for F, and accurate for a body that
  /// has travelled far.
  std::array<dealii::Tensor<1, dim>, max_nodes> deformation(const Cell &cell,
                                                            const Vector &q) const;
  Gradient gradient(const Point &point,
                    const std::array<dealii::Tensor<1, dim>, max_nodes> &u) const;
  void measure_stiffness(const Space<dim> &space);
  template <typename Law>
  bool evaluate(const Law &law, const Vector &q1, double h, Vector &force);

  FiniteStrainMaterial material;
  unsigned int nodes_per_cell;
  std::vector<Cell> cells;
  std::vector<Point> points;
  double dissipated = 0;
  double stiffness_norm = 0; ///< of the body at rest [force / length]
};

} // namespace percussion
