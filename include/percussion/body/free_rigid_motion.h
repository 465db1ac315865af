#pragma once

#include <percussion/body/space.h>

#include <string>
#include <vector>

namespace percussion {

/// Returns a translation or rotation, in words, that the prescribed degrees of freedom leave free;
/// empty if every connected component of the body is held.
template <int dim>
std::string free_rigid_motion(const Space<dim> &space, const std::vector<bool> &is_prescribed);

} // namespace percussion
