#include "deferred_response.h"

#include <stdexcept>

namespace percussion {

void DeferredResponse::start(const Vector &b, Vector &x) {
  right_side.assign(entries(b), entries(b) + pattern.size());
  columns.subtract_from(x, [&](unsigned int dof, double value) { right_side[dof] -= value; });
  for (unsigned int i = 0; i < blocks.size(); ++i) {
    const unsigned int first = blocks.block(i) * blocks.block_size();
    for (unsigned int j = first; j < first + blocks.block_size(); ++j)
      if (blocks.is_fixed(j))
        right_side[pattern.n_coupled + i] -= blocks(i, j) * entries(x)[pattern.n_coupled + j];
  }
  for (const unsigned int dof : pattern.prescribed)
    right_side[dof] = 0.;
  for (const unsigned int dof : in_use)
    if (!pattern.is_prescribed[dof])
      entries(x)[dof] = 0.;
  solution.assign(pattern.size(), 0.);
}

void DeferredResponse::finish(Vector &x) {
  for (unsigned int i = 0; i < pattern.size(); ++i)
    if (!pattern.is_prescribed[i])
      entries(x)[i] = solution[i];
}

double DeferredResponse::compliance(unsigned int, unsigned int) {
  throw std::logic_error("a deferred solution has no compliances");
}

} // namespace percussion
