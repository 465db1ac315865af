#include <percussion/base/instantiate.h>

#include "case_data.h"
#include <algorithm>
#include <filesystem>

namespace percussion::python {
namespace {

/// Returns the nodes of the faces of a tetrahedron or hexahedron, counter-clockwise seen from
/// outside.
std::vector<std::vector<unsigned int>> faces_of(bool is_simplex) {
  if (is_simplex)
    return {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  return {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
}

} // namespace

template <int dim>
JoinedMesh<dim>::JoinedMesh(const System<dim> &bodies) {
  std::map<std::string, unsigned int> n_regions; ///< number of regions with each name
  for (const auto &body : bodies.elastic) {
    if (body->space.mesh.shape == CellShape::hypercube)
      nodes_per_cell = 1u << dim;
    for (const std::string &name : body->space.mesh.region_names())
      ++n_regions[name];
  }
  nodes.resize(bodies.n_elastic_dofs());
  vtu_point.resize(nodes.size() / dim);
  std::int64_t point = 0;
  for (const auto &body : bodies.elastic) {
    const Space<dim> &space = body->space;
    const std::string mesh = std::filesystem::path(space.mesh.file).stem().string();
    for (const auto &[name, region] : space.mesh.regions)
      for (const unsigned int member : region.nodes)
        regions[n_regions[name] > 1 ? mesh + ":" + name : name].push_back(
            space.number_of_node(member));
    for (unsigned int i = 0; i < space.n_nodes(); ++i) {
      const unsigned int node = space.number_of_node(i);
      vtu_point[node] = point++;
      for (unsigned int d = 0; d < dim; ++d)
        nodes[dim * node + d] = space.nodes[i][d];
    }
    add_cells(space);
  }
}

/// Adds the cells by their vertices; among larger cells simplices repeat their last node.
template <int dim>
void JoinedMesh<dim>::add_cells(const Space<dim> &space) {
  const bool simplices = space.mesh.shape == CellShape::simplex;
  // deal.II orders the nodes of quadrilaterals and hexahedra lexicographically.
  constexpr unsigned int cyclic_order[] = {0, 1, 3, 2, 4, 5, 7, 6};
  for (const auto &cell : space.mesh.triangulation.active_cell_iterators())
    for (unsigned int k = 0; k < nodes_per_cell; ++k)
      cells.push_back(space.number_of_node(
          cell->vertex_index(simplices ? std::min<unsigned int>(k, dim) : cyclic_order[k])));
}

template <int dim>
std::vector<std::int64_t> JoinedMesh<dim>::triangles() const {
  std::vector<std::int64_t> result;
  const auto add = [&](const std::vector<std::int64_t> &polygon) {
    for (std::size_t k = 2; k < polygon.size(); ++k)
      if (polygon[k] != polygon[k - 1] && polygon[k] != polygon[0])
        result.insert(result.end(), {polygon[0], polygon[k - 1], polygon[k]});
  };
  std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> surface; ///< faces by their nodes
  for (auto node = cells.begin(); node != cells.end(); node += nodes_per_cell) {
    if constexpr (dim == 2)
      add({node, node + nodes_per_cell});
    else
      for (const auto &face : faces_of(nodes_per_cell == 4 || node[4] == node[3])) {
        std::vector<std::int64_t> polygon;
        for (const unsigned int k : face)
          polygon.push_back(node[k]);
        auto key = polygon;
        std::sort(key.begin(), key.end());
        if (const auto [entry, is_new] = surface.emplace(key, polygon); !is_new)
          surface.erase(entry); // the face is between two cells
      }
  }
  for (const auto &[key, polygon] : surface)
    add(polygon);
  return result;
}

template <int dim>
CaseData<dim>::CaseData(ParameterFile parameter_file)
    : file(std::move(parameter_file)), parameters(declare_case(&file), file),
      c(build_case<dim>(parameters, file, true)), // the folder matters only to runs that write
      built_q(c.initial.q), built_v(c.initial.v), mesh(*c.bodies) {}

template <int dim>
py::array_t<double> node_array(const CaseData<dim> &data, const Vector &v, py::handle owner,
                               Access access) {
  return view(data.c.bodies->elastic_values(v), {data.mesh.n_nodes(), dim}, owner, access);
}

template <int dim>
py::array_t<double> rigid_body_array(const CaseData<dim> &data, const Vector &v, py::handle owner,
                                     Access access) {
  return view(data.c.bodies->rigid_values(v, 0), {data.n_rigid(), RigidBody<dim>::n_dofs}, owner,
              access);
}

template <int dim>
void bind_mesh(py::module_ &module) {
  const auto mesh_of = [](const py::object &self) -> const JoinedMesh<dim> & {
    return self.cast<MeshView<dim> &>().data->mesh;
  };
  py::class_<MeshView<dim>>(
      module, "Mesh",
      "The meshes of the elastic bodies, one after the other.\n\n"
      "Nodes are numbered as in the arrays of displacements; `vtu_point` has the "
      "numbers in the files. Properties are views.")
      .def_property_readonly(
          "nodes",
          [=](const py::object &self) {
            const JoinedMesh<dim> &mesh = mesh_of(self);
            return view(mesh.nodes.data(), {mesh.n_nodes(), dim}, self);
          },
          "Undeformed positions, (n_nodes, dim) [length].")
      .def_property_readonly(
          "cells",
          [=](const py::object &self) {
            const JoinedMesh<dim> &mesh = mesh_of(self);
            return view(mesh.cells.data(), {mesh.n_cells(), mesh.nodes_per_cell}, self);
          },
          "Nodes of each cell in VTK's order, counter-clockwise in 2D: (n_cells, 3), or (n_cells, "
          "4) if there are quadrilaterals; in 3D 4 or 8. Simplices in mixed meshes repeat their "
          "last node.")
      .def_property_readonly(
          "vtu_point",
          [=](const py::object &self) {
            const JoinedMesh<dim> &mesh = mesh_of(self);
            return view(mesh.vtu_point.data(), {mesh.n_nodes()}, self);
          },
          "Number of each node as a point of the VTU files, (n_nodes,).")
      .def_property_readonly(
          "regions",
          [=](const py::object &self) {
            py::dict regions;
            for (const auto &[name, nodes] : mesh_of(self).regions)
              regions[to_str(name)] = view(nodes.data(), {nodes.size()}, self);
            return regions;
          },
          "Nodes of each region by its name, which is `mesh:region` if several meshes have a "
          "region of this name.")
      .def(
          "triangles",
          [=](const py::object &self) {
            const auto nodes = mesh_of(self).triangles();
            return py::array_t<std::int64_t>({nodes.size() / 3, std::size_t(3)}, nodes.data());
          },
          "Returns triangles for matplotlib.tri.Triangulation, (n, 3): the cells, in 3D the faces "
          "of the surface, quadrilaterals halved. A new array.")
      .def("__repr__", [=](const py::object &self) {
        return "<percussion.Mesh: " + std::to_string(mesh_of(self).n_nodes()) + " nodes, " +
               std::to_string(mesh_of(self).n_cells()) + " cells>";
      });
}

template struct JoinedMesh<2>;
template struct JoinedMesh<3>;
template struct CaseData<2>;
template struct CaseData<3>;
PERCUSSION_INSTANTIATE(node_array);
PERCUSSION_INSTANTIATE(rigid_body_array);
PERCUSSION_INSTANTIATE(bind_mesh);

} // namespace percussion::python
