#pragma once

#include <percussion/body/system.h>

#include <vector>

namespace percussion {

/// Field over the trace: one value for each of its entries.
using TraceField = std::vector<double>;

/// The degrees of freedom that contacts may act on, numbered from 0 on: dim consecutive entries for
/// each node of elastic bodies on a contact surface (with Nitsche's method, of the cells behind
/// it), then RigidBody<dim>::n_dofs for each rigid body. Contacts refer to degrees of freedom only
/// by these entries.
template <int dim>
class Trace {
public:
  /// Collects the nodes of each elastic body, in any order and perhaps repeated, and all rigid
  /// bodies. The system must outlive the trace.
  Trace(const System<dim> &bodies, const std::vector<std::vector<unsigned int>> &nodes);

  /// Returns the number of entries.
  unsigned int size() const { return static_cast<unsigned int>(dof_of_entry.size()); }
  /// Returns the number of entries of elastic bodies, which come first.
  unsigned int n_elastic() const { return n_elastic_entries; }

  /// Returns true if the trace contains a node of an elastic body.
  bool contains(const Space<dim> &space, unsigned int node) const {
    return first_entry[index(space, node)] != absent;
  }
  /// Returns the first entry of a node that the trace contains.
  unsigned int node_entry(const Space<dim> &space, unsigned int node) const {
    return first_entry[index(space, node)];
  }
  /// Returns the first entry of a rigid body.
  unsigned int rigid_body_entry(std::size_t body) const {
    return n_elastic_entries + RigidBody<dim>::n_dofs * static_cast<unsigned int>(body);
  }

  /// Returns the values of a field over all bodies.
  TraceField gather(const Vector &field) const;
  /// Adds a value to a matrix over all bodies, between two entries; not to an entry in the rows of
  /// other processes, which a matrix may omit.
  void add(unsigned int i, unsigned int j, double value, SparseMatrix &matrix) const {
    if (const std::size_t place = matrix.pattern()->find(dof_of_entry[i], dof_of_entry[j]);
        place < matrix.values().size())
      matrix.values()[place] += value;
  }

  /// Adds time × v to the displacements q; attitudes in 3D follow move_body().
  void move(double time, const TraceField &v, TraceField &q) const;
  /// Returns the positions of all rigid bodies at the displacements q.
  std::vector<RigidPose<dim>> poses(const TraceField &q) const {
    return system.poses(q.data() + n_elastic_entries);
  }

  /// Returns true if the motion of an entry is prescribed.
  bool is_prescribed(unsigned int entry) const {
    return system.motion.is_prescribed(dof_of_entry[entry]);
  }
  /// Returns true if the entry has a prescribed motion and never moves.
  bool is_at_rest(unsigned int entry) const {
    return is_prescribed(entry) && system.motion.is_at_rest(dof_of_entry[entry]);
  }

  /// Returns the degree of freedom of each entry, in ascending order: for the modules that assemble
  /// and solve.
  const std::vector<unsigned int> &dofs() const { return dof_of_entry; }

private:
  static constexpr unsigned int absent = dealii::numbers::invalid_unsigned_int;
  static unsigned int index(const Space<dim> &space, unsigned int node) {
    return space.number_of_node(node);
  }

  const System<dim> &system;
  std::vector<unsigned int> dof_of_entry;
  std::vector<unsigned int> first_entry; ///< entry of each node of all elastic bodies, or `absent`
  unsigned int n_elastic_entries = 0;
};

} // namespace percussion
