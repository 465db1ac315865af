#pragma once

#include <percussion/material/hyperelastic.h>

#include <array>
#include <type_traits>

namespace percussion {

/// Symmetric tensors of the cells of a block.
template <int dim>
using LaneStrain = std::conditional_t<dim == 2, LaneTensor, LaneSpaceTensor>;

/// Volume change J̄ of a cell over a step, the mean of J over its points (see FiniteStrain), of one
/// cell or of the cells of a block.
template <typename Tensor, unsigned int max_points, bool has_tangent = false>
class MeanDilatation {
public:
  using Number = NumberOf<Tensor>;
  using Change = InvariantChange<Tensor, has_tangent>;

  /// Forgets all points.
  void clear() { start = end = volume = Number{}; }
  /// Adds point k with the weight of its volume and A at both ends of the step.
  void add_point(unsigned int k, const Number &weight, const Tensor &A0, const Tensor &A1) {
    changes[k] = volume_change<Tensor, has_tangent>(A0, A1);
    start = start + weight * changes[k].start;
    end = end + weight * changes[k].end;
    volume = volume + weight;
  }
  /// Replaces the sums over the points of each cell of a block by the sum over all.
  void join_cells() {
    for (Number *const number : {&start, &end, &volume})
      *number = Number{} + sum(*number);
  }
  /// Computes the change of U, a struct of volumetric_energy.h. Cells without volume pad a block.
  template <typename Energy>
  void set_energy(const Energy &U) {
    inverse_volume = volume > 0. ? 1. / volume : 0. * volume;
    energy = U.change(inverse_volume * start, inverse_volume * end);
  }

  /// Replaces the pressure p̄ by another.
  void set_pressure(const Number &pressure) { energy.quotient = pressure; }

  /// Returns U over the step, a function of J̄ − 1; its quotient is the pressure p̄.
  const FunctionChange<Number> &energy_change() const { return energy; }
  /// Returns J − 1 of a point over the step.
  const Change &change(unsigned int k) const { return changes[k]; }
  /// Returns the stress 2 p̄ D_J of a point.
  Tensor stress(unsigned int k) const { return 2. * energy.quotient * changes[k].gradient; }
  /// Returns V U(J̄₁).
  Number end_energy() const { return volume * energy.end; }
  /// Returns the derivative of p̄ by Σ w J₁ of the points.
  Number pressure_slope() const { return inverse_volume * energy.slope; }

protected:
  std::array<Change, max_points> changes;
  Number start{}, end{}, volume{}, inverse_volume{};
  FunctionChange<Number> energy{};
};

/// Largest number of points of a cell, of Q9 and H27, by the dimension of the tensors of strain.
template <int dim>
constexpr unsigned int max_points_of_cell = dim == 2 ? 9 : 27;

/// Volume changes of the cells of a block.
template <int dim>
using BlockDilatation = MeanDilatation<LaneStrain<dim>, max_points_of_cell<dim>>;

/// Volume change of one cell, with derivatives.
template <int dim>
class CellDilatation
    : public MeanDilatation<dealii::SymmetricTensor<2, dim>, max_points_of_cell<dim>, true> {
public:
  /// Adds the stress of p̄ at a point, and its derivative at fixed p̄.
  void add_stress(unsigned int k, AlgorithmicStress<dim> &sigma) const {
    sigma.stress += this->stress(k);
    sigma.derivative += 2. * this->energy.quotient * this->changes[k].gradient_slope;
  }
  /// Returns J'(C₁) of a point, or its gradient over the step, which gives a symmetric tangent.
  const dealii::SymmetricTensor<2, dim> &volume_slope(unsigned int k, bool is_midpoint) const {
    return is_midpoint ? this->changes[k].gradient : this->changes[k].end_slope;
  }
};

} // namespace percussion
