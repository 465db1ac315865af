#pragma once

#include <percussion/body/mesh.h>

namespace percussion {

/// What of a mesh's shape decides about accuracy, undeformed.
struct MeshExtremes {
  double size = 0; ///< area or volume of the whole body
  double shortest_edge = 0, longest_edge = 0;
  double smallest_angle = 0; ///< between two edges at a corner of a cell, in degrees
};

/// Of all cells of a mesh.
template <int dim>
MeshExtremes mesh_extremes(const Mesh<dim> &mesh);

} // namespace percussion
