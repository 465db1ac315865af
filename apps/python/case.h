#pragma once

#include <percussion/body/cell_stress.h>
#include <percussion/run/case.h>

#include "library.h"
#include "views.h"
#include <cstdint>
#include <map>

namespace percussion::python {

/// A case with all that its runs, and the views of its memory, need.
///
/// Nodes are numbered as their degrees of freedom are: those of node k are 2k and 2k + 1, so that
/// displacements can be shown as they are in memory. The mesh numbers them otherwise.
struct CaseData {
  explicit CaseData(ParameterFile parameter_file);

  std::shared_ptr<Session> alive = session(); ///< goes last
  ParameterFile file;
  Parameters parameters;
  Case<2> c;
  std::vector<double> built_q, built_v; ///< the initial state as the parameters tell it

  std::size_t n_nodes = 0, nodes_per_cell = 0;
  std::vector<double> nodes;              ///< x and y of each node
  std::vector<std::int64_t> cells;        ///< nodes of each cell, around it
  std::vector<std::int64_t> vtu_point;    ///< of each node: its number in the VTU files
  std::vector<std::int64_t> contact_node; ///< of each candidate, −1 where it is none
  std::map<std::string, std::vector<std::int64_t>> regions;
  std::optional<CellStress<2>> stress;

  std::size_t n_rigid() const { return c.bodies->rigid.size(); }

private:
  void number_nodes();
};

using CasePointer = std::shared_ptr<CaseData>;

/// What Python calls Mesh and InitialState: parts of a case that are looked at.
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
