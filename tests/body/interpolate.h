#pragma once

#include <percussion/body/space.h>

namespace percussion::test {

/// Returns the nodal values of a displacement field.
template <typename Field>
Vector interpolate(const Space<2> &space, const Field &field) {
  Vector u(space.n_dofs());
  for (unsigned int i = 0; i < space.n_nodes(); ++i) {
    const std::array<double, 2> value = field(space.nodes[i]);
    for (unsigned int d = 0; d < 2; ++d)
      u[space.node_dofs[i][d]] = value[d];
  }
  return u;
}

} // namespace percussion::test
