#include <percussion/algebra/mixing.h>
#include <percussion/algebra/pair_matrix.h>
#include <percussion/balance/balance.h>
#include <percussion/balance/gyration.h>
#include <percussion/balance/time_rule.h>

#include "balances.h"
#include "factor_age.h"
#include "joint_velocities.h"
#include "matrix_pattern.h"
#include "nonlinear_tangent.h"
#include "residual_energy.h"
#include "residual_measure.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace percussion {
namespace {

constexpr double machine_epsilon = std::numeric_limits<double>::epsilon();

/// True if processes share Â: no value is kept from step to step, and the diagonal preconditions
/// all solutions.
bool is_divided(const ContactRoute &route) {
  return route.solver == LinearSolver::conjugate_gradients && route.may_project() &&
         route.preconditioning == Preconditioning::diagonal;
}

/// Returns the degrees of freedom that contacts and links act on, in ascending order.
template <int dim>
std::vector<unsigned int> acted_on(const Trace<dim> &trace,
                                   const std::vector<unsigned int> &link_dofs) {
  std::vector<unsigned int> dofs = trace.dofs();
  dofs.insert(dofs.end(), link_dofs.begin(), link_dofs.end());
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
  return dofs;
}

/// Balance of bodies with hyperelastic cells or links, with their InternalForce.
///
/// The consistent tangent M + h²θ ∂f/∂q1 + … is not symmetric: its unsymmetric part is due to F_½ᵀ
/// … F₁ and of the order of |F₁ − F₀|. Corrections use its symmetric part, whose Cholesky factor
/// serves all contacts at once. Pressures of nearly incompressible bodies are unknowns of the
/// corrections (CellPressures), and prescribed motions enter through the first linear correction,
/// so that neither κ nor cells at prescribed nodes limit the steps. Corrections are mixed, because
/// they converge slowly if cells deform strongly in a step (fine meshes behind an impact). The
/// factor is kept from step to step, because their limit does not depend on it, and rebuilt once
/// its corrections have lost as much time as a rebuild takes.
///
/// Â is rebuilt in each step if conjugate gradients and projected contacts replace the factor: a
/// rebuild takes as long as a few corrections, and no values are kept from step to step. Projected
/// iterations do not detect an indefinite Â. If they fail, the attempt is repeated with the
/// positive semidefinite parts of the cells' tangents.
///
/// Without inertia (StepChoices::has_inertia) the numerical work is ΔU + loss − (q1 − q0) · f(q1),
/// and Â is rebuilt in each step.
///
/// Pressures that follow the body (FollowerPressure) are part of the internal force, and their work
/// is part of the work of loads.
template <int dim>
class NonlinearBalance final : public Balance<dim> {
public:
  NonlinearBalance(const System<dim> &b, const BalanceChoices &c, const Trace<dim> &trace,
                   const ContactRoute &chosen_route)
      : bodies(b), choices(c), route(chosen_route), gyration(b), internal(b, c),
        contact_system(matrix_pattern(b, route, trace, MatrixValues::changing,
                                      acted_on(trace, internal.links.dofs()),
                                      is_divided(route) ? b.operators.partition : Partition())),
        tangent(b, c, trace), residual(b, c.theta, internal),
        mass(b.operators.mass, dim == 2, b.operators.partition), Mv_theta(b.n_dofs()) {
    contact_system.blocks().set(b.operators.mass, b.n_elastic_dofs());
    if (contact_system.has_fixed_pattern())
      tangent.locate(internal, contact_system);
  }

  void complete(BodyState &state) override {
    state.Mv.reinit(bodies.n_dofs());
    state.Kq.reinit(bodies.n_dofs());
    state.kinetic = 0.5 * mass.multiply(state.v, state.Mv);
    state.strain = internal.strain_energy(state);
  }

  bool is_nonlinear() const override { return true; }
  std::optional<Failure> start(Iterate &iterate) override {
    const double h = iterate.interval.h;
    mixing.clear();
    age.takes_definite_tangent =
        age.takes_definite_tangent && last_start == iterate.interval.t0 && age.length == h;
    last_start = iterate.interval.t0;
    internal.begin(iterate, time_rule(choices).load);
    iterate.v_theta = 0.;
    gyration.start(iterate);
    // The first correction spreads the prescribed motion over elastic bodies: alone, it would crush
    // the cells at prescribed nodes.
    for (std::size_t i = 0; i < iterate.prescribed.size(); ++i)
      if (const unsigned int dof = bodies.motion.dofs()[i]; dof >= bodies.n_elastic_dofs())
        iterate.v_theta[dof] = iterate.prescribed[i];
    iterate.fraction = 1.;
    internal.begin_pressures();
    if (auto failure = evaluate(iterate))
      return failure;
    internal.begin_pressures();
    constexpr double most_turn = 0.1;
    age.is_stale = age.is_stale || !choices.has_inertia || rebuilds_in_each_step();
    for (const FiniteStrain<dim> &material : internal.strains)
      age.is_stale = age.is_stale || (material.is_stiff() && choices.has_inertia &&
                                      material.stiffness_of_turn(h) > most_turn);
    age.begin(h);
    return gyration.factorise(h * choices.theta, iterate.v_theta, contact_system);
  }

  /// Keeps v_θ and its residual, which the law of the contacts does not affect. Links start from
  /// impulses of zero, and need a v_θ without them.
  std::optional<Failure> restart(Iterate &iterate) override {
    if (internal.is_inside_out || !internal.links.empty())
      return start(iterate);
    mixing.clear();
    iterate.fraction = 1.;
    internal.begin_pressures();
    return {};
  }

  std::optional<Failure> evaluate(Iterate &iterate) override {
    const double h = iterate.interval.h, theta = choices.theta;
    internal.take_pressures(iterate.fraction);
    if (auto failure = internal.evaluate(iterate))
      return failure;
    if (!internal.links.empty())
      tie(h);
    mass.multiply(iterate.v_theta, Mv_theta);
    const double *const Mv = Mv_theta.data(), *const Mv0 = iterate.start->Mv.data();
    const double *const f = internal.force.data(), *const F = iterate.force_theta->data();
    double *const b = iterate.minus_residual.data();
    for (unsigned int i = 0; i < Mv_theta.size(); ++i)
      b[i] = h * theta * (F[i] - f[i]) - (Mv[i] - Mv0[i]);
    gyration.add(-h * theta, iterate.v_theta, iterate.minus_residual);
    if (!std::isfinite(dot(iterate.minus_residual, iterate.minus_residual)))
      return std::isfinite(dot(iterate.v_theta, iterate.v_theta))
                 ? Failure{"a force is not finite", true}
                 : Failure{"a velocity is not finite"};
    return {};
  }

  std::optional<Failure> update_factor(const Iterate &iterate, bool has_new_pattern) override {
    if (has_new_pattern && !contact_system.has_fixed_pattern())
      tangent.locate(internal, contact_system);
    age.is_stale = age.is_stale || has_new_pattern;
    if (age.is_stale && refactor(iterate))
      return Failure{"the matrix of the balance is not positive definite"};
    return {};
  }

  bool renew() override {
    if (age.renew(internal.is_inside_out))
      return true;
    if (!contact_system.is_iterative() || age.takes_definite_tangent)
      return false;
    return age.takes_definite_tangent = age.is_stale = true;
  }
  /// Adds the forces of lagging pressures (CellPressures) and of prescribed velocities.
  void add_correction_force(const Iterate &iterate, Vector &right_side) override {
    if (internal.has_pressures())
      right_side.add(iterate.interval.h * choices.theta, internal.pressure_unknowns.lag);
    tangent.subtract_prescribed(iterate, internal, right_side);
  }
  /// Mixes the corrections; impulses of joints are mixed with the percussions.
  void mix(const Iterate &iterate, ContactProgress progress, Vector &delta,
           std::vector<double> &p) override {
    ++age.n_corrections;
    std::vector<double> &joints = internal.joint_impulse;
    const auto &rows = internal.links.rows();
    for (std::size_t r = 0, i = 0; r < rows.size(); ++r)
      if (rows[r].has_impulse())
        joints[i++] -= contact_system.tie_forces()[r] / choices.theta;
    const bool have_new_bounds = contact_system.tie_statuses() != joint_stops.statuses;
    joint_stops.statuses = contact_system.tie_statuses();
    // Corrections of a residual that is round-off differ by round-off, in any direction.
    const bool is_round_off =
        !iterate.residuals.empty() && iterate.residuals.back() == 0. && !energies.is_reduced();
    std::vector<double> pressures = internal.predicted_pressures(iterate, delta);
    if (!progress.converged || is_round_off) {
      internal.set_pressures(std::move(pressures));
      return mixing.clear();
    }
    if (progress.have_new_law || progress.are_first_exact || have_new_bounds)
      mixing.clear();
    const std::size_t n_percussions = p.size();
    p.insert(p.end(), joints.begin(), joints.end());
    p.insert(p.end(), pressures.begin(), pressures.end());
    mixing.mix(iterate.v_theta, internal.links.empty() ? bodies.n_elastic_dofs() : bodies.n_dofs(),
               delta, p);
    const auto first_joint = p.begin() + static_cast<std::ptrdiff_t>(n_percussions);
    const auto first_pressure = first_joint + static_cast<std::ptrdiff_t>(joints.size());
    std::copy(first_joint, first_pressure, joints.begin());
    internal.set_pressures({first_pressure, p.end()});
    p.resize(n_percussions);
  }

  BalanceVerdict judge(Iterate &iterate, ContactProgress progress) override {
    // Half of the 1e-13 of the energy to which the balance of a step closes.
    constexpr double energy_tolerance = 5e-14;
    const MeasuredResidual measured = residual.measure(iterate, Mv_theta, internal);
    // With links, the measure contains the rigid bodies and the impulses of joints.
    const double relative =
        internal.links.empty()
            ? std::max(gyration.imbalance(iterate.interval.h * choices.theta, iterate),
                       measured.relative)
            : measured.relative;
    auto &history = iterate.residuals;
    // Another law is another problem, with another residual.
    const double reduction = progress.have_new_law || history.empty() || relative == 0. ? 0.
                             : history.back() > 0. ? relative / history.back()
                                                   : std::numeric_limits<double>::infinity();
    energies.take({relative, measured.norm, measured.power, measured.power_round_off},
                  joint_work(iterate), energy_tolerance * iterate.start->energy(), history.empty());
    history.push_back(relative);
    // A joint that is displaced by more than round-off has done work.
    const bool joints_hold = std::max(internal.links.largest_defect(),
                                      internal.links.largest_law_defect()) <= 16. * machine_epsilon;
    if (progress.converged && relative <= choices.newton_tolerance && joints_hold &&
        energies.is_met())
      return {true};
    const double excess = std::max(relative / choices.newton_tolerance, energies.excess());
    if (contact_system.is_indefinite() && !age.takes_definite_tangent) {
      age.takes_definite_tangent = true;
      return {false, refactor(iterate), excess};
    }
    if (!rebuilds_in_each_step() && age.has_led_astray(history))
      return {false, Failure{"corrections with the tangent of another step diverge"}, excess};
    if (reduction > 0.)
      age.lost_corrections += std::clamp(FactorAge::lost_fraction(reduction), 0., 1.);
    const LastCorrection correction{reduction, relative, choices.newton_tolerance};
    const bool must_rebuild =
        rebuilds_in_each_step() ? age.must_rebuild_again(correction) : age.has_lost_too_much();
    if (!(relative > 0.) ||
        !(must_rebuild || (internal.has_pressures() && age.must_rebuild_for_pressures(correction))))
      return {false, {}, excess};
    age.is_renewed = true;
    return {false, refactor(iterate), excess};
  }

  std::vector<double> account(const Iterate &iterate, const Vector &velocity_change,
                              BodyState &state, Works &works) override {
    const double h = iterate.interval.h, theta = choices.theta;
    const Operators &operators = bodies.operators;
    const double *const F = iterate.force_theta->data(), *const f = internal.force.data();
    const double *const Mv = Mv_theta.data(), *const Mv0 = state.Mv.data();
    std::vector<double> reactions;
    for (const unsigned int i : bodies.motion.dofs())
      reactions.push_back((Mv[i] - Mv0[i]) / theta + h * (f[i] - F[i]));
    // ‖v1 − v0‖²_M follows from M v_θ − M v0 = θ M (v1 − v0); ‖q1 − q0‖²_K likewise.
    if (theta != 0.5 && choices.has_inertia) {
      const double *const jump = velocity_change.data(), *const v = iterate.v_theta.data();
      const double *const Kq0 = state.Kq.data(), *const Kq = internal.Kq1.data();
      works.numerical +=
          (0.5 - theta) * sum_over(Mv_theta.size(), [&](unsigned int i, double &sum) {
            sum += jump[i] * (Mv[i] - Mv0[i]) / theta;
            if (operators.linear)
              sum += h * v[i] * (Kq[i] - Kq0[i]);
          });
    }
    age.finish(iterate.residuals.size());
    internal.add_works(iterate, works);
    internal.write_history(state);
    if (!internal.links.empty()) {
      state.link_turns = internal.links.turns();
      state.bound_memory = internal.links.bound_memory();
      if (internal.links.has_impact())
        stop_joints(state, works);
    }
    state.kinetic = 0.5 * mass.multiply(state.v, state.Mv);
    const double previous_strain = std::exchange(state.strain, internal.strain_energy(state));
    if (!choices.has_inertia)
      works.numerical += state.strain - previous_strain + internal.loss() -
                         h * dot(iterate.v_theta, internal.elastic_force());
    return reactions;
  }

  double accepted_energy() const override {
    return energies.accepted() + machine_epsilon * internal.links.work_scale_of_joints();
  }

  std::vector<LinkImpulse> link_impulses() const override { return internal.links.impulses(); }
  std::vector<BoundImpulses> bound_impulses() const override {
    return internal.links.bound_impulses();
  }
  ContactSystem &system() override { return contact_system; }
  const ContactRoute &contact_route() const override { return route; }
  MomentumMemory memory() override {
    const bool keeps_values = !rebuilds_in_each_step();
    return {age.length,
            age.is_stale || !keeps_values,
            contact_system.interface_dofs(),
            keeps_values ? contact_system.values() : std::vector<double>(),
            age.lost_corrections,
            keeps_values ? internal.pressure_unknowns.configuration : std::vector<double>(),
            age.n_corrections,
            age.has_definite_factor,
            age.has_supported_factor};
  }

  void restore(const MomentumMemory &memory) override {
    contact_system.set_interface(memory.interface);
    if (!contact_system.has_fixed_pattern())
      tangent.locate(internal, contact_system);
    age.length = memory.length;
    age.lost_corrections = memory.lost_corrections;
    age.n_corrections = memory.n_corrections;
    age.has_definite_factor = memory.has_definite_factor;
    age.has_supported_factor = memory.has_supported_factor;
    age.is_stale = memory.factor_is_stale;
    if (age.is_stale)
      return;
    contact_system.values() = memory.values;
    internal.pressure_unknowns.configuration = memory.configuration_of_rows;
    if (internal.has_pressures())
      internal.set_volume_rows(Vector(internal.pressure_unknowns.configuration.begin(),
                                      internal.pressure_unknowns.configuration.end()));
    age.is_stale = !contact_system.factorise();
  }

private:
  /// True if no matrix is kept from step to step.
  bool rebuilds_in_each_step() const {
    return contact_system.is_iterative() && route.may_project();
  }

  /// Rebuilds Â. If it is indefinite, as it may be at iterates far from balance, an attempt that
  /// began with the factor of another step is repeated; else Â contains the positive semidefinite
  /// part of each cell's tangent.
  [[nodiscard]] std::optional<Failure> refactor(const Iterate &iterate) {
    using Kind = typename NonlinearTangent<dim>::Kind;
    using Origin = FactorAge::Origin;
    mixing.clear();
    age.n_corrections = 0;
    age.lost_corrections = 0.;
    age.has_supported_factor = false;
    const bool is_at_iterate = !iterate.residuals.empty();
    age.is_stale = age.takes_definite_tangent ||
                   !factorise(is_at_iterate ? Kind::iterate : Kind::beginning, iterate);
    const bool is_stiff = std::any_of(internal.strains.begin(), internal.strains.end(),
                                      [](const auto &m) { return m.is_stiff(); });
    const bool may_begin_again = is_at_iterate && age.origin != Origin::beginning && !is_stiff &&
                                 !age.takes_definite_tangent;
    if (age.is_stale && !may_begin_again)
      age.is_stale = !factorise_supported(iterate);
    age.has_definite_factor = age.is_stale && !may_begin_again;
    if (age.has_definite_factor)
      age.is_stale = !factorise(Kind::definite, iterate);
    if (age.origin != Origin::beginning)
      age.origin = is_at_iterate ? Origin::iterate : Origin::beginning;
    if (age.is_stale)
      return Failure{"the tangent is not positive definite"};
    return {};
  }

  /// Factorises Â with the least additions on contacts that make it positive definite. Additions
  /// delay sliding, the more the larger they are.
  bool factorise_supported(const Iterate &iterate) {
    using Kind = typename NonlinearTangent<dim>::Kind;
    const auto &applied = iterate.contact_forces.applied;
    const bool presses =
        std::any_of(applied.begin(), applied.end(), [](double force) { return force != 0.; });
    for (const auto &[kind, support] :
         {std::pair{Kind::pressed, 1.}, std::pair{Kind::pressed, 64.},
          std::pair{Kind::supported, 1.}, std::pair{Kind::supported, 8.},
          std::pair{Kind::supported, 64.}, std::pair{Kind::supported, 4096.}})
      if (!age.takes_definite_tangent && (presses || kind != Kind::pressed) &&
          factorise(kind, iterate, support))
        return age.has_supported_factor = true;
    return false;
  }

  bool factorise(typename NonlinearTangent<dim>::Kind kind, const Iterate &iterate,
                 double support = 1.) {
    age.length = iterate.interval.h;
    if (internal.has_pressures()) {
      const Vector middle = internal.middle(iterate);
      internal.pressure_unknowns.configuration.assign(middle.begin(), middle.end());
      internal.set_volume_rows(middle);
      (void)internal.evaluate(iterate); // its force of corrections depends on the rows
    }
    tangent.fill(kind, iterate, internal, contact_system, support);
    gyration.set_tangent(age.length * choices.theta, iterate.v_theta, contact_system.blocks());
    const bool has_preconditioner = kind == NonlinearTangent<dim>::Kind::iterate;
    return contact_system.factorise(has_preconditioner && rebuilds_in_each_step());
  }

  /// Stops the motion of rigid bodies against their joints after an impact at a limit or a stop by
  /// friction, whose work includes the work of this impulse.
  void stop_joints(BodyState &state, Works &works) {
    if (!joint_stops.velocities)
      joint_stops.velocities.emplace(bodies);
    const double work = joint_stops.velocities->stop(internal.links.rows_at_rest(state.q),
                                                     internal.links.dofs(), state.v);
    (internal.links.has_impact_at_limit() ? works.contact_normal : works.contact_tangential) +=
        work;
  }

  /// Returns the law of the force of a tie, which changes an impulse Λ by −1/θ times the force, and
  /// of the change of the rate.
  TieLaw tie_law(const LinkRow &row) const {
    TieLaw law;
    for (const double rate : row.law->rates)
      law.targets.push_back(rate - row.rate);
    for (const double impulse : row.law->impulses)
      law.forces.push_back(choices.theta * (row.impulse - impulse));
    return law;
  }

  /// Returns the magnitude of the work of displaced joints in this step.
  double joint_work(const Iterate &iterate) const {
    return std::abs(internal.links.work_of_joints() / iterate.interval.h -
                    internal.links.work_of_motions());
  }

  /// Sets the contributions of links to Â, and the velocities that joints demand of the next
  /// correction. Redundant joints have singular values that vanish as the square of the defects
  /// while the bodies approach positions that all joints permit: they count as zero.
  void tie(double h) {
    constexpr double most_negligible = 1e-4, factor = 100.;
    std::vector<TieRow> ties;
    for (const LinkRow &row : internal.links.rows()) {
      ties.push_back({row.column, row.value, row.tangent,
                      row.has_impulse() ? 0. : 1. / (h * h * choices.theta * row.stiffness),
                      -row.defect / h});
      if (row.law)
        ties.back().law = tie_law(row);
    }
    const double defect = internal.links.largest_defect();
    contact_system.set_ties(
        internal.links.dofs(), std::move(ties),
        std::clamp(factor * defect * defect, Ties::negligible, most_negligible));
  }

  /// Stops of joints by limits and friction.
  struct JointStops {
    std::vector<unsigned int> statuses;             ///< statuses of bounds in the last correction
    std::optional<JointVelocities<dim>> velocities; ///< none before the first use
  };

  const System<dim> &bodies;
  const BalanceChoices &choices;
  const ContactRoute route;
  Gyration<dim> gyration;
  InternalForce<dim> internal;
  ContactSystem contact_system;
  NonlinearTangent<dim> tangent;
  FactorAge age;
  double last_start = 0; ///< beginning of the last interval
  ResidualMeasure<dim> residual;
  Mixing mixing;
  JointStops joint_stops;
  PairMatrix mass;
  Vector Mv_theta;
  ResidualEnergy energies;
};

} // namespace

template <int dim>
std::unique_ptr<Balance<dim>> make_balance(const System<dim> &bodies, const BalanceChoices &choices,
                                           const Trace<dim> &trace, const ContactRoute &route) {
  if (has_linear_balance(bodies))
    return make_linear_balance(bodies, choices, trace, route);
  return std::make_unique<NonlinearBalance<dim>>(bodies, choices, trace, route);
}

template std::unique_ptr<Balance<2>> make_balance(const System<2> &, const BalanceChoices &,
                                                  const Trace<2> &, const ContactRoute &);
template std::unique_ptr<Balance<3>> make_balance(const System<3> &, const BalanceChoices &,
                                                  const Trace<3> &, const ContactRoute &);

} // namespace percussion
