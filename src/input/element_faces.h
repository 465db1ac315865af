#pragma once

#include <vector>

namespace percussion {

/// Returns the corners, counted from 0, of each face of an element: the edges of a triangle or
/// quadrilateral, the faces of a tetrahedron (4 corners in 3D) or hexahedron. The faces have the
/// order of Abaqus, S1, S2 and so on.
const std::vector<std::vector<unsigned int>> &element_faces(unsigned int dim,
                                                            unsigned int n_corners);

/// Returns the corners, counted from 0, between which each node behind the corners of an element of
/// second order lies, in the order of Abaqus: middles of the edges, then of a quadrilateral or
/// hexahedron itself, then of the faces of a hexahedron.
std::vector<std::vector<unsigned int>> element_middles(unsigned int dim, unsigned int n_corners);

/// Returns the corners of the faces that a single cell has, face by face. `corners` are the corners
/// of all cells, n_corners for each.
std::vector<unsigned int> exterior_faces(const std::vector<unsigned int> &corners, unsigned int dim,
                                         unsigned int n_corners);

} // namespace percussion
