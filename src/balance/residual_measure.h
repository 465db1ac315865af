#pragma once

#include <percussion/algebra/paired_sums.h>

#include "internal_force.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {

/// Returns the norm of the row sums of |K| over the free degrees of freedom of an elastic body.
template <int dim>
double norm_of_linear_cells(const System<dim> &bodies, unsigned int begin, unsigned int end) {
  double square = 0;
  for (unsigned int i = begin; i < end; ++i) {
    if (bodies.motion.is_prescribed(i))
      continue;
    const SparseRow K = bodies.operators.stiffness.row(i);
    double absolute = 0;
    for (int k = 0; k < K.size; ++k)
      absolute += std::abs(K.value[k]);
    square += absolute * absolute;
  }
  return std::sqrt(square);
}

/// Residual of the balance on the free degrees of freedom, and what rounding explains of it.
struct MeasuredResidual {
  double relative = 0;        ///< largest norm relative to the largest term, 0 if it is round-off
  double norm = 0;            ///< largest norm, also of round-off [impulse]
  double power = 0;           ///< product with v_θ, over θ [energy]: error of the energy balance
  double power_round_off = 0; ///< its round-off [energy]
};

/// Measure of the residual of a nonlinear balance, relative to the terms of each elastic body and,
/// with links, of all rigid bodies together: the terms of a stiff or fast body would hide the
/// others. Moments count as forces at the radius of gyration. Without links, rows of rigid bodies
/// do not count: they are linear, and every correction satisfies them to round-off.
template <int dim>
class ResidualMeasure {
public:
  ResidualMeasure(const System<dim> &bodies, double rule_theta, const InternalForce<dim> &internal)
      : theta(rule_theta), force_units(bodies.n_dofs(), 0.), speed_units(bodies.n_dofs(), 0.),
        momentum_units(bodies.n_dofs(), 0.), contact_force(bodies.n_dofs()) {
    auto strain = internal.strains.begin();
    for (const auto &body : bodies.elastic) {
      const unsigned int begin = body->space.first_dof, end = begin + body->n_dofs();
      Group group{begin, end, 0.};
      for (const auto &material : body->materials.list)
        if (material.finite_strain)
          group.stiffness_norm += (strain++)->stiffness_norm();
      if (bodies.operators.linear)
        group.stiffness_norm += norm_of_linear_cells(bodies, begin, end);
      groups.push_back(group);
      std::fill(momentum_units.begin() + begin, momentum_units.begin() + end, 1.);
      for (unsigned int i = begin; i < end; ++i)
        if (!bodies.motion.is_prescribed(i))
          force_units[i] = speed_units[i] = 1.;
    }
    if (!internal.links.empty() && !bodies.rigid.empty())
      add_rigid_bodies(bodies);
  }

  /// Returns the measured residual −θ r + θ Hᵀ p of an iterate with the momentum M v_θ, at which
  /// the internal force was last evaluated.
  MeasuredResidual measure(const Iterate &iterate, const Vector &Mv_theta,
                           const InternalForce<dim> &internal) {
    const auto &[contact_entries, dofs, applied] = iterate.contact_forces;
    for (std::size_t c = 0; c < dofs.size(); ++c)
      contact_force[dofs[c]] = applied[c];
    MeasuredResidual all;
    for (const Group &group : groups)
      add_to(all, group, iterate, Mv_theta, internal);
    for (const unsigned int dof : dofs)
      contact_force[dof] = 0.;
    return all;
  }

private:
  /// Degrees of freedom that are measured together.
  struct Group {
    unsigned int begin, end;
    double stiffness_norm; ///< error of the force per rounding error of q [force / length]
  };
  /// Adds a group of all rigid bodies, because links couple them.
  void add_rigid_bodies(const System<dim> &bodies) {
    groups.push_back({bodies.n_elastic_dofs(), bodies.n_dofs(), 0.});
    for (std::size_t body = 0; body < bodies.rigid.size(); ++body)
      for (unsigned int i = 0; i < RigidBody<dim>::n_dofs; ++i) {
        const unsigned int dof = bodies.rigid_dof(body) + i;
        if (bodies.motion.is_prescribed(dof))
          continue;
        speed_units[dof] =
            i < dim ? 1. : std::sqrt(bodies.operators.mass(dof, dof) / bodies.rigid[body].mass);
        force_units[dof] = momentum_units[dof] = 1. / speed_units[dof];
      }
  }

  /// Adds the residual of a group.
  void add_to(MeasuredResidual &all, const Group &group, const Iterate &iterate,
              const Vector &Mv_theta, const InternalForce<dim> &internal) const {
    const double h = iterate.interval.h;
    const double *const p = contact_force.data();
    const double *const b = iterate.minus_residual.data(), *const v = iterate.v_theta.data();
    const double *const Mv = Mv_theta.data(), *const Mv0 = iterate.start->Mv.data();
    const double *const f = internal.force.data(), *const F = iterate.force_theta->data();
    const double *const q0 = iterate.start->q.data();
    const double *const units = force_units.data(), *const speeds = speed_units.data();
    const double *const momentum_unit = momentum_units.data();
    const auto [sums, largest] = paired_sums<8, 2>(
        group.begin, group.end, [&](const auto &entries_of, auto &sum, auto &maxima) {
          const auto unit = entries_of(units), speed_unit = entries_of(speeds),
                     velocity = entries_of(v), current = entries_of(Mv), initial = entries_of(Mv0),
                     jump = current - initial;
          const auto r = (entries_of(b) + entries_of(p)) * unit,
                     contact_impulse = entries_of(p) * unit,
                     internal_force = h * theta * entries_of(f) * entries_of(momentum_unit),
                     external = h * theta * entries_of(F) * unit;
          sum[0] += r * r;
          sum[1] += r * velocity * speed_unit;
          sum[2] += contact_impulse * contact_impulse;
          sum[3] += velocity * velocity * speed_unit * speed_unit;
          const auto weight = entries_of(momentum_unit);
          sum[4] += weight * weight * (current * current + initial * initial);
          sum[5] += unit * unit * jump * jump;
          sum[6] += internal_force * internal_force;
          sum[7] += external * external;
          const auto distance = entries_of(q0) * speed_unit, speed = velocity * speed_unit;
          maxima[0] = distance * distance > maxima[0] ? distance * distance : maxima[0];
          maxima[1] = speed * speed > maxima[1] ? speed * speed : maxima[1];
        });
    const auto [norm, power, contact, speed, momentum, change, internal_force, external] = sums;
    // The largest term of each sum in the balance counts: displacements in the internal force, both
    // momenta in their difference.
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const double round_off =
        epsilon *
        (h * theta * group.stiffness_norm * (std::sqrt(largest[0]) + h * std::sqrt(largest[1])) +
         4. * (std::sqrt(momentum) + std::sqrt(external) + std::sqrt(contact)));
    const double link_round_off = epsilon * h * theta * internal.links.round_off_scale();
    // The signs of rounding errors are random: their power follows from the mean speed. Errors of
    // links act at few points.
    all.power += power / theta;
    all.power_round_off += (round_off * std::sqrt(speed / (group.end - group.begin)) +
                            link_round_off * std::sqrt(speed)) /
                           theta;
    all.norm = std::max(all.norm, std::sqrt(norm));
    if (std::sqrt(norm) > round_off + link_round_off)
      all.relative = std::max(all.relative,
                              std::sqrt(norm) /
                                  std::sqrt(std::max({change, internal_force, external, contact})));
  }

  double theta;
  std::vector<Group> groups;
  /// Factors of each degree of freedom that relate forces and velocities of rotations to the radius
  /// of gyration: 1 / radius and radius; 1 for translations, 0 if it is not measured.
  std::vector<double> force_units, speed_units;
  /// Factors of the momenta that are rounded: as `force_units`, and 1 for prescribed degrees of
  /// freedom of elastic bodies. When a prescribed motion begins, the momenta of free nodes are
  /// small beside the momenta of the nodes that drive them, and are rounded in proportion to the
  /// latter.
  std::vector<double> momentum_units;
  Vector contact_force; ///< θ Hᵀ p; zero except while the balance is measured
};

} // namespace percussion
