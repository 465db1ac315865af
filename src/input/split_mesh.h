#pragma once

#include "mesh_model.h"
#include <string>
#include <vector>

namespace percussion {

/// Opens a mesh along groups of edges (in 2D) or faces (in 3D) between its cells: cells on both
/// sides no longer share nodes there, except where a group ends inside the body. Instead of a group
/// 'name' there are 'name 1', on the side that the normal of its first element points to (in 2D, on
/// the left of its direction), and 'name 2'. Named nodes are all copies of a node. Throws
/// InputError if there is no such group, or if one of its elements does not lie between two cells.
void split_mesh(MeshModel &model, unsigned int dim, const std::vector<std::string> &names);

} // namespace percussion
