#pragma once

#include <percussion/algebra/pair_matrix.h>
#include <percussion/balance/body_state.h>
#include <percussion/body/system.h>

namespace percussion {

/// Momentum, internal force and energies of linear bodies.
template <int dim>
class LinearEnergy {
public:
  /// Stores a reference to the bodies, which must outlive this object.
  explicit LinearEnergy(const System<dim> &b)
      : bodies(b), mass(b.operators.mass, dim == 2, b.operators.partition),
        stiffness(b.operators.stiffness, dim == 2, b.operators.partition), deformation(b.n_dofs()) {
  }

  /// Computes them from q and v of the state.
  void evaluate(BodyState &state) {
    bodies.deformation(state.q, deformation);
    const auto [vMv, qKq] =
        has_common_sweep
            ? PairMatrix::multiply_both(mass, state.v, state.Mv, stiffness, deformation, state.Kq)
            : std::array<double, 2>{mass.multiply(state.v, state.Mv),
                                    stiffness.multiply(deformation, state.Kq)};
    state.kinetic = 0.5 * vMv;
    state.strain = 0.5 * qKq;
  }

private:
  const System<dim> &bodies;
  PairMatrix mass, stiffness;
  const bool has_common_sweep = PairMatrix::have_common_sweep(mass, stiffness);
  Vector deformation;
};

} // namespace percussion
