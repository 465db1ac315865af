#pragma once

#include <percussion/body/cell_stress.h>
#include <percussion/run/case.h>

#include "library.h"
#include <cstdint>
#include <map>

namespace percussion::python {

/// The meshes of all elastic bodies as one, body after body.
///
/// Nodes are numbered by their degrees of freedom: those of node k are 2k and 2k + 1, so that
/// displacements are shown as they are in memory. The meshes number them otherwise.
struct JoinedMesh {
  explicit JoinedMesh(const System<2> &bodies);

  std::size_t n_nodes() const { return vtu_point.size(); }
  std::size_t n_cells() const { return cells.size() / nodes_per_cell; }
  /// Of each triangle: its three nodes. Quadrilaterals are halved.
  std::vector<std::int64_t> triangles() const;

  std::vector<double> nodes;           ///< x and y of each node
  std::vector<std::int64_t> vtu_point; ///< of each node: its number in the VTU files
  std::size_t nodes_per_cell = 3;
  std::vector<std::int64_t> cells; ///< nodes of each cell, counter-clockwise
  std::map<std::string, std::vector<std::int64_t>> regions; ///< nodes, by name

private:
  void add_cells(const Space<2> &space);
};

/// A case with all that its runs, and the views of its memory, need.
struct CaseData {
  explicit CaseData(ParameterFile parameter_file);

  std::shared_ptr<Session> alive = session(); ///< destroyed last
  ParameterFile file;
  Parameters parameters;
  Case<2> c;
  std::vector<double> built_q, built_v; ///< the initial state that the parameters describe
  JoinedMesh mesh;
  std::vector<CellStress<2>> stress; ///< of each elastic body, once it was asked for

  std::size_t n_rigid() const { return c.bodies->rigid.size(); }
};

using CasePointer = std::shared_ptr<CaseData>;

/// What Python calls Mesh and InitialState: parts of a case.
struct MeshView {
  CasePointer data;
};
struct InitialView {
  CasePointer data;
};

/// Displacement or velocity of the nodes, (n_nodes, 2), in one of the case's vectors.
py::array_t<double> of_nodes(const CaseData &data, const Vector &v, py::handle owner,
                             Access access = Access::read);
/// The same of the rigid bodies, (n_rigid, 3).
py::array_t<double> of_rigid_bodies(const CaseData &data, const Vector &v, py::handle owner,
                                    Access access = Access::read);

void bind_case(py::module_ &module);
void bind_mesh(py::module_ &module);
void bind_run(py::module_ &module);
void bind_contacts(py::module_ &module);
void bind_records(py::module_ &module);

} // namespace percussion::python
