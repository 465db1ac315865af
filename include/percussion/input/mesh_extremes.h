#pragma once

#include <percussion/body/mesh.h>

namespace percussion {

/// Extremes of an undeformed mesh's shape, which limit the accuracy.
struct MeshExtremes {
  double size = 0; ///< area or volume of the entire body
  double shortest_edge = 0, longest_edge = 0;
  double smallest_angle = 0; ///< smallest angle between two edges at a corner of a cell, in degrees
};

/// Returns the extremes over all cells of a mesh.
template <int dim>
MeshExtremes mesh_extremes(const Mesh<dim> &mesh);

} // namespace percussion
