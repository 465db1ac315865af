#pragma once

#include <percussion/algebra/pair_matrix.h>
#include <percussion/body/system.h>
#include <percussion/dynamics/state.h>

namespace percussion {

/// Momentum, internal force and energies of linear bodies.
template <int dim>
class LinearEnergy {
public:
  /// Stores a reference to the bodies, which must outlive this object.
  explicit LinearEnergy(const System<dim> &b)
      : bodies(b), mass(b.operators.mass, dim == 2, b.operators.partition),
        stiffness(b.operators.stiffness, dim == 2, b.operators.partition),
        deformation(make_vector(b.n_dofs())) {}

  /// Computes them from q and v of the state.
  void evaluate(State<dim> &state) {
    state.kinetic = 0.5 * mass.multiply(state.v, state.Mv);
    bodies.deformation(state.q, deformation);
    state.strain = 0.5 * stiffness.multiply(deformation, state.Kq);
  }

private:
  const System<dim> &bodies;
  PairMatrix mass, stiffness;
  Vector deformation;
};

} // namespace percussion
