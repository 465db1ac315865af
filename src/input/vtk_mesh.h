#pragma once

#include "mesh_model.h"
#include <string>

namespace percussion {

/// Reads an unstructured grid of VTK (.vtu, or .vtk of the older format). All cells are the region
/// 'body' and have the arrays of the file with one component; lines, triangles and quadrilaterals
/// on the boundary are regions by the values of the arrays of whole numbers, 'array value'.
///
/// Throws InputError, without the file's name, for files without cells of dimension `dim`, and for
/// cells that are no first-order triangles, quadrilaterals, tetrahedra, hexahedra, lines or points.
MeshModel read_vtk_mesh(const std::string &file, unsigned int dim);

/// Returns the largest dimension of the cells of a file.
unsigned int vtk_dimension(const std::string &file);

} // namespace percussion
