#pragma once

#include <percussion/body/cell_stress.h>
#include <percussion/run/case.h>

#include "library.h"
#include <cstdint>
#include <map>

namespace percussion::python {

/// The meshes of all elastic bodies as one, body after body.
///
/// Nodes are numbered by their degrees of freedom, the first of node k being k dim, so that
/// displacements are shown as they are in memory. The meshes number them otherwise.
template <int dim>
struct JoinedMesh {
  explicit JoinedMesh(const System<dim> &bodies);

  std::size_t n_nodes() const { return vtu_point.size(); }
  std::size_t n_cells() const { return cells.size() / nodes_per_cell; }
  /// Of each triangle: its three nodes. Quadrilaterals are halved; in space, those of the surface.
  std::vector<std::int64_t> triangles() const;

  std::vector<double> nodes;           ///< positions, node after node
  std::vector<std::int64_t> vtu_point; ///< of each node: its number in the VTU files
  std::size_t nodes_per_cell = dim + 1;
  std::vector<std::int64_t> cells;                          ///< nodes of each cell, in VTK's order
  std::map<std::string, std::vector<std::int64_t>> regions; ///< nodes, by name

private:
  void add_cells(const Space<dim> &space);
};

/// A case with all that its runs, and the views of its memory, need.
template <int dim>
struct CaseData {
  explicit CaseData(ParameterFile parameter_file);

  std::shared_ptr<Session> alive = session(); ///< destroyed last
  ParameterFile file;
  Parameters parameters;
  Case<dim> c;
  std::vector<double> built_q, built_v; ///< the initial state that the parameters describe
  JoinedMesh<dim> mesh;
  std::vector<CellStress<dim>> stress; ///< of each elastic body, once it was asked for

  std::size_t n_rigid() const { return c.bodies->rigid.size(); }
};

template <int dim>
using CasePointer = std::shared_ptr<CaseData<dim>>;

/// What Python calls Mesh and InitialState: parts of a case.
template <int dim>
struct MeshView {
  CasePointer<dim> data;
};
template <int dim>
struct InitialView {
  CasePointer<dim> data;
};

/// Displacement or velocity of the nodes, (n_nodes, dim), in one of the case's vectors.
template <int dim>
py::array_t<double> of_nodes(const CaseData<dim> &data, const Vector &v, py::handle owner,
                             Access access = Access::read);
/// The same of the rigid bodies, (n_rigid, degrees of freedom of one).
template <int dim>
py::array_t<double> of_rigid_bodies(const CaseData<dim> &data, const Vector &v, py::handle owner,
                                    Access access = Access::read);

/// Classes of cases in the plane or in space, each dimension into a module of its own.
template <int dim>
void bind_case(py::module_ &module);
template <int dim>
void bind_mesh(py::module_ &module);
template <int dim>
void bind_run(py::module_ &module);
template <int dim>
void bind_contacts(py::module_ &module);
template <int dim>
void bind_step_record(py::module_ &module);
/// What both dimensions have in common, and the functions that make cases of either.
void bind_records(py::module_ &module);
void bind_making_of_cases(py::module_ &module);

} // namespace percussion::python
