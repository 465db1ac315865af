#pragma once

#include <percussion/body/cell_stress.h>
#include <percussion/case/case.h>

#include "library.h"
#include <cstdint>
#include <map>

namespace percussion::python {

/// Meshes of all elastic bodies as one, body after body.
///
/// Nodes are numbered by their degrees of freedom, the first of node k being k dim, so that
/// displacements are shown in the order of the memory. The meshes use another numbering.
template <int dim>
struct JoinedMesh {
  explicit JoinedMesh(const System<dim> &bodies);

  std::size_t n_nodes() const { return vtu_point.size(); }
  std::size_t n_cells() const { return cells.size() / nodes_per_cell; }
  /// Returns the three nodes of each triangle. Quadrilaterals are halved; in 3D, the triangles
  /// cover the surface.
  std::vector<std::int64_t> triangles() const;

  std::vector<double> nodes;           ///< positions, node after node
  std::vector<std::int64_t> vtu_point; ///< number of each node in the VTU files
  std::size_t nodes_per_cell = dim + 1;
  std::vector<std::int64_t> cells;                          ///< nodes of each cell, in VTK's order
  std::map<std::string, std::vector<std::int64_t>> regions; ///< nodes, by name

private:
  void add_cells(const Space<dim> &space);
};

/// Case with all data needed by its runs and by the views of its memory.
template <int dim>
struct CaseData {
  explicit CaseData(ParameterFile parameter_file);

  std::shared_ptr<Session> alive = session(); ///< destroyed last
  ParameterFile file;
  Parameters parameters;
  Case<dim> c;
  Vector built_q, built_v; ///< initial state given by the parameters
  JoinedMesh<dim> mesh;
  std::vector<CellStress<dim>> stress; ///< stress of each elastic body, made at its first use

  std::size_t n_rigid() const { return c.bodies->rigid.size(); }
};

template <int dim>
using CasePointer = std::shared_ptr<CaseData<dim>>;

/// Class Mesh of Python, and below InitialState: components of a case.
template <int dim>
struct MeshView {
  CasePointer<dim> data;
};
template <int dim>
struct InitialView {
  CasePointer<dim> data;
};

/// Returns displacement or velocity of the nodes, (n_nodes, dim), in one of the case's vectors.
template <int dim>
py::array_t<double> node_array(const CaseData<dim> &data, const Vector &v, py::handle owner,
                               Access access = Access::read);
/// Returns displacement or velocity of the rigid bodies, (n_rigid, degrees of freedom of one).
template <int dim>
py::array_t<double> rigid_body_array(const CaseData<dim> &data, const Vector &v, py::handle owner,
                                     Access access = Access::read);

/// Binds classes of cases in 2D or 3D, each dimension into a module of its own.
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
/// Binds the classes common to both dimensions, and the functions that make cases of either.
void bind_records(py::module_ &module);
void bind_making_of_cases(py::module_ &module);

} // namespace percussion::python
