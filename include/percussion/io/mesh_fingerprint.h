#pragma once

#include <percussion/io/mesh.h>

#include <string>

namespace percussion {

/// A hash of points, cells and regions as text: two meshes with the same one are the same, whatever
/// file they were read from.
template <int dim>
std::string fingerprint(const Mesh<dim> &mesh);

} // namespace percussion
