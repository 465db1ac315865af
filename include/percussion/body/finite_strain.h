#pragma once

#include <percussion/body/cell_pressures.h>
#include <percussion/body/strain_cells.h>
#include <percussion/material/history_step.h>

namespace percussion {

template <int dim>
class CellDilatation;

/// Energy and forces of the cells of one hyperelastic, viscous material over a step from q0 to q1:
/// the discrete gradient of the law (BBDM24 (3.2), or IsochoricLaw),
///
///     f(q0, q1) = ∫ (F_½ (Σ_algo + Σ_visc)) : ∇N thickness dX ,
///     f · (q1 − q0) = ΔE + dissipation .
///
/// The second equation is exact for all q0 and q1. With mean dilatation the part U(J) of the energy
/// depends on the mean of J over the cell,
///
///     E = ∫ W_local(C) dX + V U(J̄) ,   Σ = Σ_local + 2 p̄ D_J ,   p̄ = U[J̄₀, J̄₁] ,
///
/// (for bodies of revolution, with the weights of their volume), with the gradient D_J of
/// volume_change() and the quotient U[J̄₀, J̄₁] of the change of U, so that
/// cells do not lock as U becomes stiff (J. C. Simo, R. L. Taylor, K. S. Pister 1985). In
/// macro-cells the mean is over the group of cells. Energies are added cell by cell in the order of
/// one process.
///
/// Axisymmetric bodies have the tensors of 3D, with F₃₃ = 1 + u_r/r and without shears C₁₃ and C₂₃:
/// the hoop stress does work on the nodes by N/r, and laws take the form of 3D.
template <int dim>
class FiniteStrain : public StrainCells<dim> {
public:
  /// Selects the cells of a body with the given entry of its list of materials, which must be one
  /// of finite strain.
  FiniteStrain(const ElasticBody<dim> &body, unsigned int material_number);
  /// Selects the cells that act on the range of this process.
  FiniteStrain(const ElasticBody<dim> &body, unsigned int material_number,
               const Partition &partition);

  /// Returns the stored energy ∫ W(C(q)) thickness dX of all cells, with memory at this history
  /// (MaterialHistory). Collective.
  double strain_energy(const Vector &q, const std::vector<double> &history = {}) const;

  /// Sets the deformation q0 at the beginning of the steps evaluated next.
  void begin_step(const Vector &q0);
  /// Sets the history at the beginning of the steps evaluated next; at first cells are virgin.
  void set_history(const std::vector<double> &history);
  /// Takes the stress at the end of steps instead, for balances without inertia. Then q0 must be
  /// q1.
  void take_end_stress() { takes_end_stress = true; }

  /// Adds f(q0, q1) of the step of length h to q1 = q to the range of this process in `force`;
  /// other entries become meaningless. Returns false if the step inverts an element of this process
  /// (det F ≤ 0 at q1), or exceeds the range of the law; there is no force then.
  bool evaluate(const Vector &q, double h, Vector &force) { return evaluate(q, h, force, nullptr); }
  /// Does the same, and with pressure unknowns also adds (p̄ − p) (c − b̂) of CellPressures to `lag`.
  bool evaluate(const Vector &q, double h, Vector &force, Vector &lag) {
    return evaluate(q, h, force, &lag);
  }

  /// Returns ∫ Σ_visc : ΔC/2 thickness dX ≥ 0 and the viscous loss of a law with memory, of all
  /// cells in the step last evaluated. Collective.
  double dissipation() const;
  /// Returns the plastic loss ≥ 0 of all cells in the step last evaluated. Collective.
  double plastic_loss() const;
  /// Writes the history of all cells at the end of the step last evaluated; leaves it empty without
  /// memory. Collective.
  void write_history(std::vector<double> &history) const;

  /// Computes the consistent tangent ∂f/∂q1 of one group at the step last evaluated, a nonsymmetric
  /// matrix of dofs_per_group()² entries, row by row.
  void group_tangent(unsigned int group, double h, double *tangent) const {
    add_up_tangent(group, h, tangent, {false, true, false});
  }
  /// Computes a symmetric approximation of this tangent, stored likewise, with F_½ in place of F₁:
  /// it includes the rotations about the middle of the step, on which the forces do no work, so
  /// that the rate of convergence of the corrections is given by the angle by which cells rotate in
  /// a step, for any stiffness. The geometric term contains the current stress. At the first
  /// iteration, for which straight paths stretch rotating cells, omit it (`geometric` = false); the
  /// rest is positive semidefinite.
  void group_stiffness(unsigned int group, double h, bool geometric, double *stiffness) const {
    add_up_tangent(group, h, stiffness, {true, geometric, false});
  }
  /// Computes the tangent for corrections of the displacements and of the pressures p of
  /// CellPressures, stored likewise: at p in place of p̄, without the change of p̄.
  void group_tangent_of_corrections(unsigned int group, double h, double *tangent) const {
    in_strain_space([&](auto space) {
      add_up_tangent_in<space>(group, h, tangent, {false, true, iterates_pressures});
    });
  }
  /// Adds the part κ̂ b̂ b̂ᵀ of the same matrix; none without pressure unknowns.
  void add_volume_stiffness(unsigned int group, double *tangent) const;

  /// True if corrections have CellPressures: the volume change is the mean over each group, and the
  /// material is nearly incompressible.
  bool has_pressure_unknowns() const { return iterates_pressures; }
  /// Computes b̂ and κ̂ at the displacements q.
  void set_volume_rows(const Vector &q);
  /// Sets p = p̄ of the step evaluated last.
  void begin_pressures();
  /// Appends p̄ + factor × κ̂ b̂ᵀ δ of each group, which the correction δ predicts.
  void append_predicted_pressures(double factor, const Vector &delta,
                                  std::vector<double> &predicted) const;
  /// Appends p of each group.
  void append_pressures(std::vector<double> &values) const;
  /// Sets p of each group, and returns the position after them.
  const double *set_pressures(const double *group_pressures);

  /// True if the law has memory.
  bool has_memory() const { return n_values > 0; }
  /// Returns true if the law is meant for stiff bodies with large rotations.
  bool is_stiff() const;
  /// Returns the largest rotation angle of a cell in the step last evaluated, times the square of
  /// the number of cells that a wave passes in it: an estimate of the error of a factor of Â from
  /// the previous step. Collective.
  double stiffness_of_turn(double h) const { return h * h * square_of_rate * largest_turn(); }

  /// Returns the mean Cauchy stress of a cell at q and its history.
  dealii::SymmetricTensor<2, 3> cauchy_stress(unsigned int cell, const Vector &q,
                                              const std::vector<double> &history = {}) const;
  /// Returns the mean of F a over the points of a cell at q, of both families: the direction of the
  /// deformed fibres, whose length is their stretch. Zero if the law has no fibres.
  FibreDirections deformed_fibres(unsigned int cell, const Vector &q) const;
  /// Returns the mean of one number of the history over the points of a cell.
  double mean_history(unsigned int cell, const std::vector<double> &history,
                      unsigned int number) const;

private:
  using Base = StrainCells<dim>;
  using Base::block_numbers;
  using Base::blocks_per_group;
  using Base::cells;
  using Base::cells_per_group;
  using Base::dofs_per_cell;
  using Base::first_point;
  using Base::hoop_shapes;
  using Base::hoops;
  using Base::max_nodes;
  using Base::n_blocks;
  using Base::n_blocks_of_all;
  using Base::nodes_per_cell;
  using Base::partition;
  using Base::points;
  using Base::points_per_cell;
  using Base::shape_gradients;
  using Base::shared_blocks;
  using Base::slopes;
  using Base::square_of_rate;
  using typename Base::Points;

  /// In place of the number of nodes of a cell in template arguments: nodes_per_cell.
  static constexpr unsigned int any_number = 0;

  /// Vectors at the nodes of a block. The shape function of the first node is 1 minus the sum of
  /// the others.
  template <unsigned int n_nodes>
  struct NodeVectors {
    /// Displacements of all nodes except the first relative to it; or forces on these nodes.
    std::array<std::array<Lanes, dim>, (n_nodes == any_number ? max_nodes : n_nodes) - 1> nodes;
    /// In axisymmetric bodies, the radial displacement of the first node, on which the hoop strain
    /// depends, too; or the radial force of the hoop stress on all nodes together.
    Lanes radial;
  };
  /// Returns the number of nodes of a cell.
  template <unsigned int n_nodes>
  unsigned int number_of_nodes() const {
    return n_nodes == any_number ? nodes_per_cell : n_nodes;
  }
  /// Calls f with the dimension of the tensors of strain as an integral constant: 3 for
  /// axisymmetric bodies, else dim.
  template <typename Function>
  auto in_strain_space(const Function &f) const {
    if constexpr (dim == 2)
      if (is_axisymmetric)
        return f(std::integral_constant<int, 3>());
    return f(std::integral_constant<int, dim>());
  }

  /// True if the volume change is the mean over each group.
  bool has_mean_dilatation() const {
    return element == ElementKind::mean_dilatation || element == ElementKind::macro_cells;
  }
  template <typename BlockFunction, typename Add>
  void visit_all_points(const BlockFunction &evaluate_block, const Add &add) const;
  /// Terms of a tangent.
  struct TangentChoice {
    bool is_midpoint;           ///< true for F_½ in place of F₁
    bool geometric;             ///< true with the geometric term
    bool has_pressure_unknowns; ///< true for p in place of p̄, which is constant
  };
  void set_fibres(const ElasticBody<dim> &body, const Material<dim> &body_material);
  void add_up_tangent(unsigned int group, double h, double *tangent,
                      const TangentChoice &choice) const {
    in_strain_space([&](auto space) { add_up_tangent_in<space>(group, h, tangent, choice); });
  }
  template <int space>
  void add_up_tangent_in(unsigned int group, double h, double *tangent,
                         const TangentChoice &choice) const;
  bool evaluate(const Vector &q, double h, Vector &force, Vector *lag);
  template <int space>
  void add_volume_row(unsigned int group, const Vector &q, const CellDilatation<space> &dilatation,
                      double *row) const;
  Lanes store_pressure(unsigned int block, const Lanes &pressure);
  /// Subtracts (p̄ − p) b̂.
  void subtract_row_forces(Vector &force) const;
  double largest_turn() const;
  /// Returns u of the nodes minus the u of the first node: F depends on these differences only, and
  /// stays exact for a body that has moved far.
  template <unsigned int n_nodes = any_number>
  NodeVectors<n_nodes> deformation(unsigned int block, const Vector &q) const;
  /// Returns ∇u at a point, its number among all points.
  template <int space, unsigned int n_nodes>
  LaneGradientIn<space> gradient(std::size_t point, const NodeVectors<n_nodes> &u) const;
  /// Returns ∇u at a point at q0.
  template <int space>
  LaneGradientIn<space> start_gradient(std::size_t point) const;
  /// Calls add(k, point, u) for the points of the groups that begin with this block, numbered by k
  /// in their group, with the displacements u of the nodes at q.
  template <unsigned int n_nodes, typename Add>
  void visit_group(unsigned int first_block, const Vector &q, const Add &add) const;
  template <int space, typename Law>
  Lanes volumetric_energy(const Law &law, unsigned int block, const Vector &q) const;
  template <int space>
  struct TangentTerms;
  template <int space>
  void add_point_tangent(unsigned int cell, unsigned int k, unsigned int k_in_group,
                         const NodeVectors<any_number> &u, const TangentTerms<space> &terms) const;
  template <int space>
  void set_dilatation(unsigned int group, const Vector &q, bool is_at_rest,
                      CellDilatation<space> &dilatation) const;
  /// Returns the law of the cells of a block at a point, or of the cell of a lane.
  template <typename Law>
  decltype(auto) law_at(const Law &law, std::size_t point) const;
  template <typename Law>
  decltype(auto) law_at(const Law &law, std::size_t point, unsigned int lane) const;
  template <int space>
  AlgorithmicStress<space>
  point_stress(unsigned int cell, unsigned int k, const dealii::SymmetricTensor<2, space> &A0,
               const dealii::SymmetricTensor<2, space> &A1, double h) const;
  /// Returns the position of a point in the histories of the cells of this process.
  std::size_t history_position(unsigned int cell, unsigned int k) const {
    return (std::size_t(cell) * points_per_cell + k) * n_values;
  }
  /// Returns the history of a point among the histories of all cells.
  const double *history_at(const std::vector<double> &history, unsigned int cell,
                           unsigned int k) const;
  template <int space>
  HistoryStep history_step(unsigned int cell, unsigned int k,
                           const dealii::SymmetricTensor<2, space> &A0,
                           const dealii::SymmetricTensor<2, space> &A1, double h) const {
    return {full_tensor<space>(A0, 0.), full_tensor<space>(A1, 0.), h,
            history0.data() + history_position(cell, k), takes_end_stress};
  }
  template <int space, typename Law, typename LaneStress>
  void step_lanes(const Law &law, unsigned int block, unsigned int k, const LaneStress &A0,
                  const LaneStress &A1, double h, LaneStress &stress);
  double total_loss() const;
  template <int space>
  FibreDirections deformed_fibres_in(unsigned int cell, const Vector &q) const;
  template <int space>
  double strain_energy_in(const Vector &q, const std::vector<double> &history) const;
  template <int space>
  double viscous_dissipation() const;
  template <int space>
  dealii::SymmetricTensor<2, 3> cauchy_stress_in(unsigned int cell, const Vector &q,
                                                 const std::vector<double> &history) const;
  template <unsigned int n_nodes, std::size_t space>
  void add_point_force(std::size_t point, const std::array<std::array<Lanes, space>, space> &PK1,
                       NodeVectors<n_nodes> &forces) const;
  template <unsigned int n_nodes>
  void add_forces(unsigned int block, const NodeVectors<n_nodes> &forces, double *f) const;
  template <int space, unsigned int n_nodes, typename Law>
  bool evaluate(const Law &law, double h, Vector &force, Vector *lag);

  FiniteStrainMaterial material;
  ElementKind element;
  bool is_axisymmetric;
  bool iterates_pressures; ///< has_pressure_unknowns()
  std::shared_ptr<const HyperelasticLaw>
      point_law;                  ///< law of the points: with mean dilatation, without U(J)
  std::vector<LaneFibres> fibres; ///< directions at each point; empty if the law has no fibres
  unsigned int n_values;          ///< number of values that the law stores at each point
  bool takes_end_stress = false;
  std::vector<double> history0, history1; ///< at both ends of a step, of the cells of this process
  std::vector<Lanes> losses; ///< loss of each point in the step evaluated last [stress]
  CellPressures pressures;   ///< empty without pressure unknowns
  Vector q1;                 ///< q1 evaluated last, at which the tangent is computed
  double last_length = 0;    ///< length of the step evaluated last
};

} // namespace percussion
