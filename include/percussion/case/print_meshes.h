#pragma once

#include <percussion/input/parameter_file.h>

#include <iosfwd>

namespace percussion {

/// Writes the meshes of the elastic bodies of a case and their regions in JSON, e.g. for a picture.
/// Reads the mesh files and the subsections Mesh and Regions only, so that a case whose other
/// subsections are not complete has a picture, too.
///
/// `units` is Output/Units; `dimension` is 2 or 3. Each entry of `meshes` has the name and the file
/// of the mesh, the shape of its cells, `points` (n_points × dimension) [L], and `cells`, the
/// points of each cell in VTK's order. Of each region there are the dimension, the measure (length,
/// area or volume) [L^dimension], the number of elements, and one list: `cells`, indices of cells;
/// `faces`, the points of each face, in 3D in cyclic order, with the centre of all faces [L] and
/// the mean of their outward unit normals, weighted by their sizes; or `points` for a region of
/// points, of lines in 3D, or of faces inside the body.
///
/// Throws InputError if an entry of the file is unknown or not allowed, if a mesh or a region
/// cannot be read, or if the case has no mesh.
void print_meshes(std::ostream &stream, const ParameterFile &file);

} // namespace percussion
