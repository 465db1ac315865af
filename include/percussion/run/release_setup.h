#pragma once

#include <percussion/case/case.h>

namespace percussion {

/// Frees the cells of deal.II, which a run does not read once it is prepared.
template <int dim>
void release_cells(Case<dim> &c);

/// Frees the initial state, which a run does not read once it has begun.
template <int dim>
void release_initial_state(Case<dim> &c);

} // namespace percussion
