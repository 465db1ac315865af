#pragma once

#include "mesh_model.h"
#include <string>

namespace percussion {

/// Reads the mesh of an input file of Abaqus or CalculiX: its nodes, elements, sets and surfaces
/// (*NODE, *ELEMENT, *NSET, *ELSET, *SURFACE). Regions are the surfaces, the sets of elements, and
/// the sets of nodes: a set whose nodes are the nodes of boundary faces is the region of these
/// faces. All cells are the region 'body', unless a set of elements holds all of them. Elements of
/// second order become straight, with a remark.
///
/// Throws InputError with the line, without the file's name, for elements that are no triangles,
/// quadrilaterals, tetrahedra, hexahedra, lines or shells, for several or moved instances, and for
/// wrong lines.
MeshModel read_abaqus_mesh(const std::string &text, unsigned int dim);

/// Returns the largest dimension of the elements of an input file; 2 if the file is no mesh.
unsigned int abaqus_dimension(const std::string &text);

} // namespace percussion
