#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/elastic_body.h>

#include <deal.II/fe/fe_values.h>

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

  /// ‖K |1|‖ of the body at rest, as if all terms of K had one sign: times a rounding error of the
  /// displacements, that of the force [force / length].
  double stiffness_norm() const { return norm_of_stiffness; }

  /// Number of cells.
  unsigned int n_cells() const { return number_of_cells; }
  /// Degrees of freedom of one cell.
  unsigned int dofs_per_cell() const { return dim * nodes_per_cell; }
  /// The degrees of freedom of a cell, node by node; dofs_per_cell() of them.
  const unsigned int *dofs(unsigned int cell) const { return cells[cell].dofs.data(); }

  /// The consistent tangent ∂f/∂q1 of one cell at the step last evaluated, a nonsymmetric matrix of
  /// dofs_per_cell()² entries, row by row.
  void cell_tangent(unsigned int cell, double h, double *tangent) const {
    add_up_tangent(cell, h, tangent, false, true);
  }
  /// A symmetric neighbour of the tangent, likewise: with F_½ in place of F₁ it knows the rotations
  /// about the middle of the step, on which the forces do no work, so that corrections converge at
  /// the rate of the angle that cells turn by in a step, however stiff they are. Its geometric part
  /// is that of the present stress: at the beginning of an iteration, where straight paths stretch
  /// what turns, it is better left out; what remains is positive semidefinite.
  void cell_stiffness(unsigned int cell, double h, bool geometric, double *stiffness) const {
    add_up_tangent(cell, h, stiffness, true, geometric);
  }
  /// Whether the law is one for stiff bodies that turn.
  bool is_stiff() const { return std::holds_alternative<StVenantKirchhoff>(material.law); }
  /// The largest angle that a cell turns by in the step last evaluated, times the square of the
  /// number of cells that a wave passes in it: how much a factor of Â that is one step old is wrong
  /// by.
  double stiffness_of_turn(double h) const { return h * h * square_of_rate * largest_turn(); }

  /// Mean Cauchy stress of a cell at q.
  dealii::SymmetricTensor<2, 3> cauchy_stress(unsigned int cell, const Vector &q) const;
  /// The active index of a cell in its mesh.
  unsigned int index_in_mesh(unsigned int cell) const { return cells[cell].index_in_mesh; }

private:
  static constexpr unsigned int max_nodes = 1u << dim;
  using Gradient = dealii::Tensor<2, dim>;

  struct Cell {
    std::array<unsigned int, dim * max_nodes> dofs;
    unsigned int index_in_mesh;
  };
  /// One quadrature point of each of n_lanes successive cells, a block, which are computed at once.
  /// Cells missing in the last block and the nodes that simplices do not have have zero weight and
  /// slopes.
  struct Points {
    std::array<std::array<Lanes, dim>, max_nodes - 1> slopes; ///< ∇N of all nodes but the first
    Lanes weight;                                             ///< JxW × thickness
    LaneGradientIn<dim> G0;                                   ///< ∇u at q0
  };
  /// A vector at all nodes but the first, whose shape function is 1 minus the sum of the others.
  using NodeVectors = std::array<std::array<Lanes, dim>, max_nodes - 1>;

  void add_cell(const dealii::FEValues<dim> &values, const Cell &cell, double thickness);
  void measure_stiffness(const Space<dim> &space);
  void add_up_tangent(unsigned int cell, double h, double *tangent, bool at_middle,
                      bool geometric) const;
  double largest_turn() const;
  unsigned int n_blocks() const { return static_cast<unsigned int>(cells.size()) / n_lanes; }
  /// Index of the first of the points_per_cell points of a cell's block.
  unsigned int first_point(unsigned int cell) const { return cell / n_lanes * points_per_cell; }
  /// ∇N of all nodes at the point of one lane.
  static std::array<dealii::Tensor<1, dim>, max_nodes> shape_gradients(const Points &points,
                                                                       unsigned int lane);
  /// u of the nodes without the translation of the first: F needs no more, and stays exact for a
  /// body that has travelled far.
  template <unsigned int n_nodes = max_nodes>
  NodeVectors deformation(unsigned int block, const Vector &q) const;
  template <unsigned int n_nodes = max_nodes>
  static LaneGradientIn<dim> gradient(const Points &points, const NodeVectors &u);
  template <unsigned int n_nodes>
  void add_forces(unsigned int block, const NodeVectors &forces, double *f) const;
  template <unsigned int n_nodes, typename Law>
  bool evaluate(const Law &law, double h, Vector &force);

  FiniteStrainMaterial material;
  unsigned int nodes_per_cell, points_per_cell;
  unsigned int number_of_cells = 0;
  std::vector<Cell> cells;    ///< filled up to whole blocks
  std::vector<Points> points; ///< block by block
  Vector q1;                  ///< the one evaluated last, where the tangent is taken
  double dissipated = 0;
  double norm_of_stiffness = 0;
  double square_of_rate = 0; ///< of waves through the smallest cells [1 / time²]
};

} // namespace percussion
