#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/algebra/semidefinite.h>
#include <percussion/body/supports.h>

#include "internal_force.h"
#include "loose_bodies.h"
#include <algorithm>
#include <cmath>

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
  /// omitted at the beginning of a step; `pressed` and `supported` have additions on nodes that
  /// contacts act on, because Â of a compressed body, of which contacts are no part, may be
  /// indefinite on its surface: along the forces of the contacts, or in all directions; `definite`
  /// is the positive semidefinite part of the tangent of each cell of the other materials, without
  /// pressures.
  enum class Kind { beginning, iterate, pressed, supported, definite };

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
  /// Additions of `pressed` and `supported` are the diagonal of the tangents times `support`.
  void fill(Kind kind, const Iterate &iterate, const InternalForce<dim> &internal, ContactSystem &A,
            double support = 1.) {
    const double h = iterate.interval.h;
    add_constant_part(h, A);
    const bool is_pressed = kind == Kind::pressed, is_supported = kind == Kind::supported;
    local_diagonal.assign(is_pressed || is_supported ? bodies.n_elastic_dofs() : 0, 0.);
    add_cells(kind, h, internal, A.values());
    if (is_pressed)
      add_pressed_supports(iterate.contact_forces, internal.partition,
                           2. * tangent_factor(h) * support, A);
    else if (is_supported)
      add_supports(iterate.contact_forces.dofs, internal.partition,
                   2. * tangent_factor(h) * support, A);
    shared_entries.gather(A.values().data());
    if (kind != Kind::definite)
      internal.pressures.subtract_tangents(internal.initial(iterate), internal.q1,
                                           tangent_factor(h), A);
    for (const unsigned int dof : loose_dofs)
      if (const int position = A.index(dof, dof); position >= 0)
        A.values()[static_cast<unsigned int>(position)] *= 1. + addition_of_loose_bodies;
  }

  /// Adds −Â δ to `force` for the velocities δ that the next correction prescribes on elastic
  /// bodies, at the iterate last evaluated, without which the correction would strain only the
  /// cells at prescribed nodes. Zero on prescribed degrees of freedom has no meaning. Collective.
  void subtract_prescribed(const Iterate &iterate, const InternalForce<dim> &internal,
                           Vector &force) {
    if (!set_prescribed_change(iterate))
      return;
    const double h = iterate.interval.h, factor = tangent_factor(h);
    prescribed_force = 0.;
    for (const FiniteStrain<dim> &material : internal.strains)
      for (unsigned int group = 0; group < material.n_groups(); ++group) {
        const unsigned int n = material.dofs_per_group(), *const dofs =
                                                              material.dofs_of_group(group);
        if (std::all_of(dofs, dofs + n, [&](unsigned int dof) { return change[dof] == 0.; }))
          continue;
        compute_group(Kind::beginning, h, material, group);
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            prescribed_force[dofs[i]] -=
                factor * (cell_tangent[i * n + j] + cell_tangent[j * n + i]) * change[dofs[j]];
      }
    internal.partition.gather(prescribed_force.data());
    const auto subtract = [&](const SparseMatrix &matrix, double multiple) {
      multiply(matrix, bodies.operators.partition, change, product);
      prescribed_force.add(-multiple, product);
    };
    subtract(bodies.operators.mass, 1.);
    if (bodies.operators.linear)
      subtract(bodies.operators.stiffness, h * h * choices.theta * choices.theta);
    if (bodies.operators.viscous)
      subtract(bodies.operators.viscosity, h * choices.theta);
    for (unsigned int i = 0; i < bodies.n_elastic_dofs(); ++i)
      force[i] += prescribed_force[i];
  }

private:
  /// Writes the prescribed velocities of elastic bodies to `change`. Returns false if all are zero.
  bool set_prescribed_change(const Iterate &iterate) {
    const std::vector<unsigned int> &dofs = bodies.motion.dofs();
    const auto is_elastic = [&](std::size_t i) { return dofs[i] < bodies.n_elastic_dofs(); };
    bool is_moving = false;
    for (std::size_t i = 0; i < iterate.prescribed.size(); ++i)
      is_moving = is_moving || (is_elastic(i) && iterate.prescribed[i] != 0.);
    if (!is_moving)
      return false;
    if (change.size() == 0)
      for (Vector *const vector : {&change, &product, &prescribed_force})
        vector->reinit(bodies.n_dofs());
    for (std::size_t i = 0; i < iterate.prescribed.size(); ++i)
      if (is_elastic(i))
        change[dofs[i]] = iterate.prescribed[i];
    return true;
  }

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

  /// Computes the tangent of one group in `cell_tangent`.
  void compute_group(Kind kind, double h, const FiniteStrain<dim> &material, unsigned int group) {
    const unsigned int n = material.dofs_per_group();
    cell_tangent.resize(std::size_t(n) * n);
    if (material.is_stiff())
      material.group_stiffness(group, h, kind != Kind::beginning && kind != Kind::definite,
                               cell_tangent.data());
    else
      material.group_tangent_of_corrections(group, h, cell_tangent.data());
    if (kind == Kind::definite && !material.is_stiff())
      project_on_semidefinite(n, cell_tangent);
    for (unsigned int i = 0; i < n && !local_diagonal.empty(); ++i)
      local_diagonal[material.dofs_of_group(group)[i]] += std::abs(cell_tangent[i * n + i]);
    material.add_volume_stiffness(group, cell_tangent.data());
  }

  /// Adds the diagonal of the tangents without volume stiffness, times a factor, on the degrees of
  /// freedom of contacts. Contacts that stick or press do not move along them once the balance is
  /// met.
  void add_supports(const std::vector<unsigned int> &contact_dofs, const Partition &partition,
                    double factor, ContactSystem &A) {
    for (const unsigned int dof : contact_dofs)
      if (dof < bodies.n_elastic_dofs() && partition.owns(dof))
        if (const int position = A.index(dof, dof); position >= 0)
          A.values()[static_cast<unsigned int>(position)] += factor * local_diagonal[dof];
  }

  /// Adds the diagonal likewise, but only along the force of the contacts on each node. A contact
  /// that slides does not move along its normal, and hardly along its force, so that these
  /// additions do not delay sliding.
  void add_pressed_supports(const ContactForces &contacts, const Partition &partition,
                            double factor, ContactSystem &A) {
    const auto node_of = [&](std::size_t c) { return contacts.dofs[c] / dim; };
    for (std::size_t begin = 0, end = 0; begin < contacts.dofs.size(); begin = end) {
      double square = 0, diagonal = 0;
      for (end = begin; end < contacts.dofs.size() && node_of(end) == node_of(begin) &&
                        contacts.dofs[end] < bodies.n_elastic_dofs();
           ++end) {
        square += contacts.applied[end] * contacts.applied[end];
        diagonal = std::max(diagonal, local_diagonal[contacts.dofs[end]]);
      }
      end = std::max(end, begin + 1);
      for (std::size_t i = begin; i < end && square > 0.; ++i)
        for (std::size_t j = i; j < end; ++j)
          if (partition.owns(contacts.dofs[i]))
            if (const int position = A.index(contacts.dofs[i], contacts.dofs[j]); position >= 0)
              A.values()[static_cast<unsigned int>(position)] +=
                  factor * diagonal * contacts.applied[i] * contacts.applied[j] / square;
    }
  }

  /// Adds the tangents of hyperelastic cells.
  void add_cells(Kind kind, double h, const InternalForce<dim> &internal, std::vector<double> &A) {
    const double factor = tangent_factor(h);
    for (std::size_t m = 0; m < internal.strains.size(); ++m) {
      const FiniteStrain<dim> &material = internal.strains[m];
      const unsigned int n = material.dofs_per_group();
      auto position = entry_positions[m].begin();
      for (unsigned int group = 0; group < material.n_groups(); ++group) {
        compute_group(kind, h, material, group);
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
  std::vector<double> local_diagonal; ///< Σ |T_ii| without volume stiffness; empty if not needed
  /// Prescribed velocities of elastic bodies, Â times them, and a product; empty before their use.
  Vector change, prescribed_force, product;
  std::vector<double> constant_values; ///< entries of M, K and C in Â, constant if h is constant
  double constant_length = 0;          ///< their h
};

} // namespace percussion
