#pragma once

#include <percussion/body/mesh.h>
#include <percussion/input/gmsh_model.h>

#include <memory>
#include <string>

namespace percussion {

/// A mesh of what Gmsh holds; of no file yet.
/// Throws InputError for cells of two shapes, inverted, degenerate or overlapping ones, and for
/// regions that are not of the body.
template <int dim>
std::unique_ptr<Mesh<dim>> make_mesh(const GmshModel &model);

/// Read a Gmsh mesh, or mesh a geometry, through the Gmsh SDK.
///
/// Throws InputError, saying what, where and the way out but not the file (the caller knows who
/// asked for it, and in which line), for a file that is missing, damaged or no mesh, that
/// has no named physical group of dimension `dim`, that is of another dimension or of second order,
/// that mixes cell shapes, or that has an inverted or degenerate cell.
template <int dim>
std::unique_ptr<Mesh<dim>> read_gmsh(const GmshSource &source);

/// The same without parameters of a geometry.
template <int dim>
std::unique_ptr<Mesh<dim>> read_gmsh(const std::string &file) {
  return read_gmsh<dim>(GmshSource{file, {}});
}

} // namespace percussion
