#include "case.h"
#include <filesystem>

namespace percussion::python {

JoinedMesh::JoinedMesh(const System<2> &bodies) {
  std::map<std::string, unsigned int> n_regions; ///< of a name
  for (const auto &body : bodies.elastic) {
    if (body->space.mesh.shape == CellShape::hypercube)
      nodes_per_cell = 4;
    for (const std::string &name : body->space.mesh.region_names())
      ++n_regions[name];
  }
  nodes.resize(bodies.n_elastic_dofs());
  vtu_point.resize(nodes.size() / 2);
  std::int64_t point = 0;
  for (const auto &body : bodies.elastic) {
    const Space<2> &space = body->space;
    const std::string mesh = std::filesystem::path(space.mesh.file).stem().string();
    for (const auto &[name, region] : space.mesh.regions)
      for (const unsigned int vertex : region.vertices)
        regions[n_regions[name] > 1 ? mesh + ":" + name : name].push_back(
            space.node_dofs[vertex][0] / 2);
    for (std::size_t vertex = 0; vertex < space.n_nodes(); ++vertex) {
      const auto &dofs = space.node_dofs[vertex];
      AssertThrow(dofs[0] % 2 == 0 && dofs[1] == dofs[0] + 1,
                  dealii::ExcMessage("the degrees of freedom of a node are not consecutive"));
      vtu_point[dofs[0] / 2] = point++;
      for (unsigned int d = 0; d < 2; ++d)
        nodes[dofs[d]] = space.nodes[vertex][d];
    }
    add_cells(space);
  }
}

/// Among quadrilaterals a triangle repeats its last node.
void JoinedMesh::add_cells(const Space<2> &space) {
  const bool triangles = space.mesh.shape == CellShape::simplex;
  // deal.II goes through a quadrilateral lexicographically.
  const unsigned int around[] = {0, 1, triangles ? 2u : 3u, 2};
  for (const auto &cell : space.mesh.triangulation.active_cell_iterators())
    for (std::size_t k = 0; k < nodes_per_cell; ++k)
      cells.push_back(space.node_dofs[cell->vertex_index(around[k])][0] / 2);
}

std::vector<std::int64_t> JoinedMesh::triangles() const {
  std::vector<std::int64_t> result;
  for (auto node = cells.begin(); node != cells.end(); node += nodes_per_cell)
    for (std::size_t k = 2; k < nodes_per_cell; ++k)
      if (k == 2 || node[k] != node[k - 1])
        result.insert(result.end(), {node[0], node[k - 1], node[k]});
  return result;
}

namespace {

Case<2> plane_case(const Parameters &parameters, const ParameterFile &file) {
  if (dimension_of(file) == 3)
    throw InputError(file.name() + ": the mesh makes this a case in space, and the Python module "
                                   "knows those in the plane only; run the program percussion");
  return build_case<2>(parameters, file, true); // the folder matters only to runs that write
}

} // namespace

CaseData::CaseData(ParameterFile parameter_file)
    : file(std::move(parameter_file)), parameters(declare_case(&file), file),
      c(plane_case(parameters, file)),
      built_q(entries(c.initial.q), entries(c.initial.q) + c.bodies->n_dofs()),
      built_v(entries(c.initial.v), entries(c.initial.v) + c.bodies->n_dofs()), mesh(*c.bodies) {}

py::array_t<double> of_nodes(const CaseData &data, const Vector &v, py::handle owner,
                             Access access) {
  return view(entries(v), {data.mesh.n_nodes(), 2}, owner, access);
}

py::array_t<double> of_rigid_bodies(const CaseData &data, const Vector &v, py::handle owner,
                                    Access access) {
  return view(entries(v) + data.c.bodies->n_elastic_dofs(), {data.n_rigid(), RigidBody<2>::n_dofs},
              owner, access);
}

void bind_mesh(py::module_ &module) {
  const auto mesh_of = [](const py::object &self) -> const JoinedMesh & {
    return self.cast<MeshView &>().data->mesh;
  };
  py::class_<MeshView>(
      module, "Mesh",
      "The meshes of the elastic bodies, one after the other.\n\n"
      "Nodes have numbers of their own, by which displacements are shown without copies; "
      "`vtu_point` has those of the files. Properties are views.")
      .def_property_readonly(
          "nodes",
          [=](const py::object &self) {
            const JoinedMesh &mesh = mesh_of(self);
            return view(mesh.nodes.data(), {mesh.n_nodes(), 2}, self);
          },
          "Undeformed positions, (n_nodes, 2) [length].")
      .def_property_readonly(
          "cells",
          [=](const py::object &self) {
            const JoinedMesh &mesh = mesh_of(self);
            return view(mesh.cells.data(), {mesh.n_cells(), mesh.nodes_per_cell}, self);
          },
          "Nodes of each cell, counter-clockwise: (n_cells, 3), or (n_cells, 4) where there are "
          "quadrilaterals; a triangle among them repeats its last node.")
      .def_property_readonly(
          "vtu_point",
          [=](const py::object &self) {
            const JoinedMesh &mesh = mesh_of(self);
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
          "Nodes of each region by its name, which is `mesh:region` where several meshes have a "
          "region of that name.")
      .def(
          "triangles",
          [=](const py::object &self) {
            const auto nodes = mesh_of(self).triangles();
            return py::array_t<std::int64_t>({nodes.size() / 3, std::size_t(3)}, nodes.data());
          },
          "Triangles for matplotlib.tri.Triangulation, (n, 3): the cells, quadrilaterals halved. A "
          "new array.")
      .def("__repr__", [=](const py::object &self) {
        return "<percussion.Mesh: " + std::to_string(mesh_of(self).n_nodes()) + " nodes, " +
               std::to_string(mesh_of(self).n_cells()) + " cells>";
      });
}

} // namespace percussion::python
