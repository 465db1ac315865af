#pragma once

#include <percussion/algebra/partition.h>
#include <percussion/algebra/types.h>
#include <percussion/body/elastic_body.h>

#include <deal.II/fe/fe_values.h>

namespace percussion {

/// Energy and forces of the cells of one hyperelastic, viscous material over a step from q0 to q1:
/// Gonzalez' discrete gradient (BBDM24 (3.2)),
///
///     f(q0, q1) = ∫ (F_½ (Σ_algo + Σ_visc)) : ∇N thickness dX ,
///     f · (q1 − q0) = ΔE + dissipation .
///
/// The second equation is exact for all q0 and q1. The mesh data are stored for each quadrature
/// point, so that steps do not access the mesh.
///
/// Processes share the cells: each has those that act on its range of a Partition, and others with
/// which they are computed, so that no sum of a force crosses processes. Energies are added cell by
/// cell in the order of one process.
template <int dim>
class FiniteStrain {
public:
  /// Selects the cells of a body with the given entry of its list of materials, which must be one
  /// of finite strain. Stores shape gradients and weights of all quadrature points.
  FiniteStrain(const ElasticBody<dim> &body, unsigned int material_number);
  /// Selects those of these cells that act on the range of this process.
  FiniteStrain(const ElasticBody<dim> &body, unsigned int material_number,
               const Partition &partition);

  /// Returns the stored energy ∫ W(C(q)) thickness dX of all cells. Collective.
  double strain_energy(const Vector &q) const;

  /// Sets the deformation q0 at the beginning of the steps evaluated next.
  void begin_step(const Vector &q0);

  /// Adds f(q0, q1) of the step of length h to q1 to the range of this process in `force`; other
  /// entries become meaningless. Returns false if the step inverts an element of this process
  /// (det F ≤ 0 at q1); there is no force then.
  bool evaluate(const Vector &q1, double h, Vector &force);

  /// Returns ∫ Σ_visc : ΔC/2 thickness dX ≥ 0 of all cells in the step last evaluated. Collective.
  double dissipation() const;

  /// Returns ‖K |1|‖ of the body at rest, as if all terms of K had one sign: the factor from a
  /// rounding error of the displacements to the rounding error of the force [force / length].
  double stiffness_norm() const { return norm_of_stiffness; }

  /// Returns the number of cells of this process.
  unsigned int n_cells() const { return number_of_cells; }
  /// Returns the number of degrees of freedom of one cell.
  unsigned int dofs_per_cell() const { return dim * nodes_per_cell; }
  /// Returns the dofs_per_cell() degrees of freedom of a cell, node by node.
  const unsigned int *dofs(unsigned int cell) const { return cells[cell].dofs.data(); }

  /// Computes the consistent tangent ∂f/∂q1 of one cell at the step last evaluated, a nonsymmetric
  /// matrix of dofs_per_cell()² entries, row by row.
  void cell_tangent(unsigned int cell, double h, double *tangent) const {
    add_up_tangent(cell, h, tangent, false, true);
  }
  /// Computes a symmetric approximation of this tangent, stored likewise, with F_½ in place of F₁:
  /// it includes the rotations about the middle of the step, on which the forces do no work, so
  /// that the rate of convergence of the corrections is given by the angle by which cells rotate in
  /// a step, for any stiffness. The geometric term contains the current stress. At the first
  /// iteration, for which straight paths stretch rotating cells, omit it (`geometric` = false); the
  /// rest is positive semidefinite.
  void cell_stiffness(unsigned int cell, double h, bool geometric, double *stiffness) const {
    add_up_tangent(cell, h, stiffness, true, geometric);
  }
  /// Returns true if the law is meant for stiff bodies with large rotations.
  bool is_stiff() const { return std::holds_alternative<StVenantKirchhoff>(material.law); }
  /// Returns the largest rotation angle of a cell in the step last evaluated, times the square of
  /// the number of cells that a wave passes in it: an estimate of the error of a factor of Â from
  /// the previous step. Collective.
  double stiffness_of_turn(double h) const { return h * h * square_of_rate * largest_turn(); }

  /// Returns the mean Cauchy stress of a cell at q.
  dealii::SymmetricTensor<2, 3> cauchy_stress(unsigned int cell, const Vector &q) const;
  /// Returns the active index of a cell in its mesh.
  unsigned int index_in_mesh(unsigned int cell) const { return cells[cell].index_in_mesh; }

private:
  static constexpr unsigned int max_nodes = 1u << dim;
  using Gradient = dealii::Tensor<2, dim>;

  struct Cell {
    std::array<unsigned int, dim * max_nodes> dofs;
    unsigned int index_in_mesh;
  };
  /// One quadrature point of each of n_lanes successive cells, a block, processed at once. Cells
  /// missing in the last block and nodes missing in simplices have zero weight and slopes.
  struct Points {
    std::array<std::array<Lanes, dim>, max_nodes - 1> slopes; ///< ∇N of all nodes except the first
    Lanes weight;                                             ///< JxW × thickness
    LaneGradientIn<dim> G0;                                   ///< ∇u at q0
  };
  /// Vector at all nodes except the first, whose shape function is 1 minus the sum of the others.
  using NodeVectors = std::array<std::array<Lanes, dim>, max_nodes - 1>;

  void add_cell(const dealii::FEValues<dim> &values, const Cell &cell, double thickness);
  void measure_stiffness(unsigned int cell, unsigned int first_dof, std::vector<double> &row_sum);
  void finish_block(std::vector<std::vector<unsigned int>> &blocks_of_process);
  template <typename OfBlock, typename Add>
  void for_all_points(const OfBlock &of_block, const Add &add) const;
  void add_up_tangent(unsigned int cell, double h, double *tangent, bool at_middle,
                      bool geometric) const;
  double largest_turn() const;
  unsigned int n_blocks() const { return static_cast<unsigned int>(cells.size()) / n_lanes; }
  /// Returns the index of the first of the points_per_cell points of a cell's block.
  unsigned int first_point(unsigned int cell) const { return cell / n_lanes * points_per_cell; }
  /// Returns ∇N of all nodes at the point of one lane.
  static std::array<dealii::Tensor<1, dim>, max_nodes> shape_gradients(const Points &points,
                                                                       unsigned int lane);
  /// Returns u of the nodes minus the u of the first node: F depends on these differences only, and
  /// stays exact for a body that has moved far.
  template <unsigned int n_nodes = max_nodes>
  NodeVectors deformation(unsigned int block, const Vector &q) const;
  template <unsigned int n_nodes = max_nodes>
  static LaneGradientIn<dim> gradient(const Points &points, const NodeVectors &u);
  template <unsigned int n_nodes>
  void add_forces(unsigned int block, const NodeVectors &forces, double *f) const;
  template <unsigned int n_nodes, typename Law>
  bool evaluate(const Law &law, double h, Vector &force);

  FiniteStrainMaterial material;
  Partition partition;
  unsigned int nodes_per_cell, points_per_cell;
  unsigned int number_of_cells = 0;
  std::vector<Cell> cells;    ///< padded to whole blocks
  std::vector<Points> points; ///< block by block
  std::vector<unsigned int>
      block_numbers; ///< number of each block among the blocks of all processes
  unsigned int n_blocks_of_all = 0;
  SharedItems shared_blocks; ///< blocks whose energies each process computes
  Vector q1;                 ///< q1 evaluated last, at which the tangent is computed
  double last_length = 0;    ///< length of the step evaluated last
  double norm_of_stiffness = 0;
  double square_of_rate = 0; ///< square of the rate of waves through the smallest cells [1 / time²]
};

} // namespace percussion
