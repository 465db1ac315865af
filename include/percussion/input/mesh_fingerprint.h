#pragma once

#include <percussion/body/mesh.h>

#include <memory>
#include <string>
#include <vector>

namespace percussion {

/// 64 bits, as 16 hexadecimal digits, that tell meshes apart: of points, cells and regions with
/// their names, not of the file they were read from. Every bit of a coordinate counts; a Gmsh file
/// in text keeps 16 digits of each.
template <int dim>
std::string fingerprint(const Mesh<dim> &mesh);

/// Of several meshes one after the other; empty if there are none.
template <int dim>
std::string fingerprint(const std::vector<std::unique_ptr<Mesh<dim>>> &meshes) {
  std::string all;
  for (const auto &mesh : meshes)
    all += fingerprint(*mesh);
  return all;
}

} // namespace percussion
