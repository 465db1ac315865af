#pragma once

#include <percussion/case/case.h>

namespace percussion {

/// Frees the memory of data that a run no longer reads once it has begun: the cells of deal.II and
/// the initial state.
template <int dim>
void release_setup(Case<dim> &c);

} // namespace percussion
