#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/algebra/semidefinite.h>
#include <percussion/body/supports.h>

#include "internal_force.h"
#include "loose_bodies.h"

namespace percussion {

/// Returns the free degrees of freedom of contacts on elastic bodies that prescribed motions do not
/// hold.
template <int dim>
std::vector<unsigned int> contact_dofs_of_loose_bodies(const System<dim> &system,
                                                       const std::vector<unsigned int> &contacts) {
  const Supports<dim> supports(system);
  std::vector<unsigned int> dofs;
  for (const auto &body : system.elastic)
    if (!supports.free_motion(*body).empty())
      for (const unsigned int dof : contacts)
        if (!system.motion.is_prescribed(dof) && dof >= body->space.first_dof &&
            dof < body->space.first_dof + body->n_dofs())
          dofs.push_back(dof);
  return dofs;
}

/// Matrix Â of the elastic bodies in a nonlinear balance: the symmetric part of M + hθ C + h²θ
/// ∂f/∂q1 at an iterate. Without inertia, a body that only contacts hold has additions on the
/// degrees of freedom of contacts, as in additions_for_loose_bodies().
template <int dim>
class NonlinearTangent {
public:
  /// Tangent of the internal force. Stiff materials have an approximation, whose geometric term is
  /// omitted at the beginning of a step; `definite` is the positive semidefinite part of the
  /// tangent of each cell of the other materials, without pressures.
  enum class Kind { beginning, iterate, definite };

  /// Stores references, which must outlive this object. Contacts act on the trace.
  NonlinearTangent(const System<dim> &b, const BalanceChoices &c, const Trace<dim> &trace)
      : bodies(b), choices(c) {
    if (!c.has_inertia)
      loose_dofs = contact_dofs_of_loose_bodies(b, trace.dofs());
  }

  /// Locates the entries of the cells in Â after its pattern has changed.
  void locate(const InternalForce<dim> &internal, const ContactSystem &A) {
    entry_positions.clear();
    for (const FiniteStrain<dim> &material : internal.strains) {
      std::vector<int> material_positions;
      for (unsigned int group = 0; group < material.n_groups(); ++group) {
        const unsigned int *const dofs = material.dofs_of_group(group);
        for (unsigned int i = 0; i < material.dofs_per_group(); ++i)
          for (unsigned int j = i; j < material.dofs_per_group(); ++j)
            material_positions.push_back(A.index(dofs[i], dofs[j]));
      }
      entry_positions.push_back(std::move(material_positions));
    }
    constant_values.clear();
    shared_entries = A.partition().is_shared() || internal.strains.empty()
                         ? SharedItems()
                         : entries_by_process(internal.partition, A);
  }

  /// Fills Â at the iterate last evaluated. Collective.
  void fill(Kind kind, const Iterate &iterate, const InternalForce<dim> &internal,
            ContactSystem &A) {
    const double h = iterate.interval.h;
    add_constant_part(h, A);
    add_cells(kind, h, internal, A.values());
    shared_entries.gather(A.values().data());
    if (kind != Kind::definite)
      internal.pressures.subtract_tangents(internal.initial(iterate), internal.q1,
                                           tangent_factor(h), A);
    for (const unsigned int dof : loose_dofs)
      if (const int position = A.index(dof, dof); position >= 0)
        A.values()[static_cast<unsigned int>(position)] *= 1. + addition_of_loose_bodies;
  }

private:
  /// Returns the factor of the symmetric part of a tangent, times ½. Without inertia, both ends of
  /// the step from which stresses follow move with q1.
  double tangent_factor(double h) const {
    return (choices.has_inertia ? 0.5 : 1.) * h * h * choices.theta;
  }

  /// Returns the positions in an undivided Â of the entries to which the cells of each process add
  /// all their terms.
  SharedItems entries_by_process(const Partition &partition, const ContactSystem &A) const {
    if (!partition.is_shared())
      return {};
    std::vector<std::vector<unsigned int>> positions(partition.n_processes());
    for (unsigned int process = 0; process < partition.n_processes(); ++process)
      for (unsigned int i = partition.first_of(process); i < partition.first_of(process + 1); ++i) {
        const SparseRow entries = bodies.operators.stiffness.row(i);
        for (int k = 0; k < entries.size; ++k)
          if (const auto j = static_cast<unsigned int>(entries.column[k]); j >= i)
            if (const int position = A.index(i, j); position >= 0)
              positions[process].push_back(static_cast<unsigned int>(position));
      }
    return {partition, positions};
  }

  /// Sets Â to M + h²θ² K + hθ C.
  void add_constant_part(double h, ContactSystem &A) {
    const double theta = choices.theta;
    if (constant_values.empty() || constant_length != h) {
      constant_length = h;
      constant_values.assign(A.values().size(), 0.);
      const auto add = [&](const SparseMatrix &matrix, double multiple) {
        for (unsigned int i = 0; i < bodies.n_elastic_dofs(); ++i) {
          const SparseRow entries = matrix.row(i);
          for (int k = 0; k < entries.size; ++k)
            if (const auto j = static_cast<unsigned int>(entries.column[k]); j >= i)
              if (const int position = A.index(i, j); position >= 0)
                constant_values[static_cast<unsigned int>(position)] += multiple * entries.value[k];
        }
      };
      add(bodies.operators.mass, 1.);
      if (bodies.operators.linear)
        add(bodies.operators.stiffness, h * h * theta * theta);
      if (bodies.operators.viscous)
        add(bodies.operators.viscosity, h * theta);
    }
    A.values() = constant_values;
  }

  /// Adds the tangents of hyperelastic cells.
  void add_cells(Kind kind, double h, const InternalForce<dim> &internal, std::vector<double> &A) {
    const double factor = tangent_factor(h);
    for (std::size_t m = 0; m < internal.strains.size(); ++m) {
      const FiniteStrain<dim> &material = internal.strains[m];
      const unsigned int n = material.dofs_per_group();
      cell_tangent.resize(std::size_t(n) * n);
      auto position = entry_positions[m].begin();
      for (unsigned int group = 0; group < material.n_groups(); ++group) {
        if (material.is_stiff())
          material.group_stiffness(group, h, kind == Kind::iterate, cell_tangent.data());
        else
          material.group_tangent(group, h, cell_tangent.data());
        if (kind == Kind::definite && !material.is_stiff())
          project_on_semidefinite(n, cell_tangent);
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = i; j < n; ++j, ++position)
            if (*position >= 0)
              A[static_cast<unsigned int>(*position)] +=
                  factor * (cell_tangent[i * n + j] + cell_tangent[j * n + i]);
      }
    }
  }

  const System<dim> &bodies;
  const BalanceChoices &choices;
  /// Degrees of freedom of contacts on bodies that prescribed motions do not hold; empty with
  /// inertia.
  std::vector<unsigned int> loose_dofs;
  /// Position in Â of each pair of degrees of freedom of each group of each material, on one side
  /// of the diagonal, row by row; −1 for entries that are not in Â.
  std::vector<std::vector<int>> entry_positions;
  SharedItems shared_entries; ///< entries of Â that processes receive; none if Â is divided
  std::vector<double> cell_tangent;
  std::vector<double> constant_values; ///< entries of M, K and C in Â, constant if h is constant
  double constant_length = 0;          ///< their h
};

} // namespace percussion
