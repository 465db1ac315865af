#pragma once

#include <percussion/body/mesh.h>

#include <memory>
#include <string>
#include <vector>

namespace percussion {

/// Returns a hash of 64 bits, as 16 hexadecimal digits, that distinguishes meshes. It depends on
/// points, cells and regions with their names, not on the file. Every bit of a coordinate counts; a
/// Gmsh file in text has 16 digits of each coordinate.
template <int dim>
std::string fingerprint(const Mesh<dim> &mesh);

/// Returns the fingerprints of meshes one after the other; empty if there are none.
template <int dim>
std::string fingerprint(const std::vector<std::unique_ptr<Mesh<dim>>> &meshes) {
  std::string all;
  for (const auto &mesh : meshes)
    all += fingerprint(*mesh);
  return all;
}

} // namespace percussion
