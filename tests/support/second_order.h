#pragma once

#include <percussion/body/mesh_nodes.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace percussion::test {

/// Returns the mesh with displacements of second order, linear on the faces of some regions.
template <int dim>
std::unique_ptr<Mesh<dim>> second_order(std::unique_ptr<Mesh<dim>> mesh,
                                        const std::vector<std::string> &linear_regions = {}) {
  mesh->order = 2;
  for (const std::string &name : linear_regions) {
    const auto &faces = mesh->region(name).faces;
    mesh->linear_faces.insert(mesh->linear_faces.end(), faces.begin(), faces.end());
  }
  MeshNodes<dim>(*mesh).add_to_regions(*mesh);
  return mesh;
}

} // namespace percussion::test
