#pragma once

#include <percussion/algebra/difference_product.h>
#include <percussion/algebra/pair_matrix.h>
#include <percussion/balance/body_state.h>
#include <percussion/body/system.h>

#include <limits>

namespace percussion {

/// Momentum, internal force and energies of linear bodies.
template <int dim>
class LinearEnergy {
public:
  /// Stores a reference to the bodies, which must outlive this object.
  explicit LinearEnergy(const System<dim> &b)
      : bodies(b), mass(b.operators.mass, dim == 2, b.operators.partition),
        stiffness(b.operators.stiffness, dim == 2, b.operators.partition),
        differences(b.operators.stiffness, b.operators.partition, dim) {}

  /// Computes them from q and v of the state. Bodies that bend store little energy for their
  /// displacements: its round-off would be the largest of the balance.
  void evaluate(BodyState &state) {
    Vector deformation(bodies.n_dofs());
    bodies.deformation(state.q, deformation);
    const auto [vMv, qKq] =
        has_common_sweep
            ? PairMatrix::multiply_both(mass, state.v, state.Mv, stiffness, deformation, state.Kq)
            : std::array<double, 2>{mass.multiply(state.v, state.Mv),
                                    stiffness.multiply(deformation, state.Kq)};
    state.kinetic = 0.5 * vMv;
    state.strain =
        0.5 *
        (is_round_off_large(deformation, qKq) ? differences.multiply(state.q, state.Kq) : qKq);
  }

private:
  /// True if the round-off of a sum of the terms d · K d of the deformation may be large relative
  /// to their sum.
  bool is_round_off_large(const Vector &deformation, double dKd) const {
    constexpr double limit = 1e-11;
    return std::numeric_limits<double>::epsilon() * differences.largest_row_sum() *
               dot(deformation, deformation) >
           limit * dKd;
  }

  const System<dim> &bodies;
  PairMatrix mass, stiffness;
  DifferenceProduct differences;
  const bool has_common_sweep = PairMatrix::have_common_sweep(mass, stiffness);
};

} // namespace percussion
