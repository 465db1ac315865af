#pragma once

#include "mesh_model.h"

namespace percussion {

/// Divides each edge in half, each triangle into four and each tetrahedron into eight, one after
/// the other in the order of the elements; children have the tag and the values of their element.
/// Groups keep their names. A group of quadrilaterals or hexahedra leaves the model as it is.
void divide_simplices(MeshModel &model);

} // namespace percussion
