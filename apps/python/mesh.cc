#include "case.h"

namespace percussion::python {

CaseData::CaseData(ParameterFile parameter_file)
    : file(std::move(parameter_file)), parameters(declare_case(&file), file),
      c(build_case<2>(parameters, file, true)) { // a run looks at the folder, and only if it writes
  built_q.assign(entries(c.initial.q), entries(c.initial.q) + c.bodies->n_dofs());
  built_v.assign(entries(c.initial.v), entries(c.initial.v) + c.bodies->n_dofs());
  contact_node.assign(c.boundary->points.size(), -1);
  if (!c.mesh)
    return;
  number_nodes();
  for (std::size_t i = 0; i < contact_node.size(); ++i)
    if (const auto &point = c.boundary->points[i]; point.node != ContactPoint<2>::none)
      contact_node[i] = point.dofs[0] / 2;
}

void CaseData::number_nodes() {
  const Space<2> &space = c.bodies->elastic.front()->space;
  n_nodes = space.n_nodes();
  nodes.resize(2 * n_nodes);
  vtu_point.resize(n_nodes);
  std::vector<std::int64_t> number(n_nodes);
  for (std::size_t vertex = 0; vertex < n_nodes; ++vertex) {
    const auto &dofs = space.node_dofs[vertex];
    AssertThrow(dofs[0] % 2 == 0 && dofs[1] == dofs[0] + 1,
                dealii::ExcMessage("the degrees of freedom of a node are not next to each other"));
    number[vertex] = dofs[0] / 2;
    vtu_point[dofs[0] / 2] = static_cast<std::int64_t>(vertex);
    nodes[dofs[0]] = space.nodes[vertex][0];
    nodes[dofs[1]] = space.nodes[vertex][1];
  }
  // deal.II goes through a quadrilateral lexicographically.
  const bool triangles = c.mesh->shape == CellShape::simplex;
  const std::vector<unsigned int> around =
      triangles ? std::vector<unsigned int>{0, 1, 2} : std::vector<unsigned int>{0, 1, 3, 2};
  nodes_per_cell = around.size();
  for (const auto &cell : c.mesh->triangulation.active_cell_iterators())
    for (const unsigned int v : around)
      cells.push_back(number[cell->vertex_index(v)]);
  for (const auto &[name, region] : c.mesh->regions)
    for (const unsigned int vertex : region.vertices)
      regions[name].push_back(number[vertex]);
}

namespace {

/// Quadrilaterals are cut in two.
py::array_t<std::int64_t> triangles(const CaseData &data) {
  const std::size_t per_cell = data.nodes_per_cell - 2;
  const std::size_t n_cells = data.cells.size() / data.nodes_per_cell;
  py::array_t<std::int64_t> result({n_cells * per_cell, std::size_t(3)});
  auto entry = result.mutable_unchecked<2>();
  for (std::size_t cell = 0; cell < n_cells; ++cell)
    for (std::size_t k = 0; k < per_cell; ++k) {
      const std::int64_t *const node = data.cells.data() + cell * data.nodes_per_cell;
      const auto row = static_cast<py::ssize_t>(cell * per_cell + k);
      entry(row, 0) = node[0];
      entry(row, 1) = node[k + 1];
      entry(row, 2) = node[k + 2];
    }
  return result;
}

} // namespace

void bind_mesh(py::module_ &module) {
  py::class_<MeshView>(module, "Mesh",
                       "The mesh of the elastic body.\n\n"
                       "Nodes have their own numbers here, by which displacements can be shown "
                       "without copies; `vtu_point` tells those of the files.")
      .def_property_readonly(
          "nodes",
          [](const py::object &self) {
            const CaseData &data = *self.cast<MeshView &>().data;
            return view(data.nodes.data(), data.n_nodes, 2, self);
          },
          "Undeformed positions (n_nodes, 2) [length]; a view.")
      .def_property_readonly(
          "cells",
          [](const py::object &self) {
            const CaseData &data = *self.cast<MeshView &>().data;
            return view(data.cells.data(), data.cells.size() / data.nodes_per_cell,
                        data.nodes_per_cell, self);
          },
          "Nodes of each cell, counter-clockwise: (n_cells, 3) or (n_cells, 4); a view.")
      .def_property_readonly(
          "vtu_point",
          [](const py::object &self) {
            const CaseData &data = *self.cast<MeshView &>().data;
            return view(data.vtu_point.data(), data.n_nodes, self);
          },
          "Number of each node as a point of the VTU files, (n_nodes,); a view.")
      .def_property_readonly(
          "regions",
          [](const py::object &self) {
            py::dict regions;
            for (const auto &[name, nodes] : self.cast<MeshView &>().data->regions)
              regions[to_str(name)] = view(nodes.data(), nodes.size(), self);
            return regions;
          },
          "Nodes of each named region of the mesh; views.")
      .def(
          "triangles", [](const MeshView &self) { return triangles(*self.data); },
          "Triangles for matplotlib.tri.Triangulation, (n, 3): the cells, quadrilaterals cut in "
          "two. A new array.")
      .def("__repr__", [](const MeshView &self) {
        return "<percussion.Mesh: " + std::to_string(self.data->n_nodes) + " nodes, " +
               std::to_string(self.data->cells.size() / self.data->nodes_per_cell) +
               (self.data->nodes_per_cell == 3 ? " triangles>" : " quadrilaterals>");
      });
}

py::array_t<double> of_nodes(const CaseData &data, const Vector &v, py::handle owner,
                             Access access) {
  return view(entries(v), data.n_nodes, 2, owner, access);
}

py::array_t<double> of_rigid_bodies(const CaseData &data, const Vector &v, py::handle owner,
                                    Access access) {
  return view(entries(v) + 2 * data.n_nodes, data.n_rigid(), RigidBody::n_dofs, owner, access);
}

} // namespace percussion::python
