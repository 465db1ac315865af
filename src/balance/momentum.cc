#include <percussion/balance/momentum.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace percussion {

template <int dim>
Momentum<dim>::Momentum(std::unique_ptr<Balance<dim>> balance, const System<dim> &b,
                        const BalanceChoices &c, const Trace<dim> &t)
    : bodies(b), choices(c), trace(t), rule(time_rule(c)), equations(std::move(balance)),
      free(t.size(), 0.), angular_momentum(b) {
  for (Vector *work : {&iterate.v_theta, &iterate.minus_residual, &correction})
    work->reinit(bodies.n_dofs());
  if (equations->needs_velocity_change())
    velocity_change.reinit(bodies.n_dofs());
  for (unsigned int i = 0; i < bodies.n_dofs(); ++i)
    if (bodies.operators.has_row(i) && bodies.operators.mass(i, i) == 0.)
      massless_dofs.push_back(i);
}

template <int dim>
std::optional<Failure> Momentum<dim>::begin(const BodyState &state, const Interval &interval,
                                            const Vector &force) {
  iterate.start = &state;
  iterate.force_theta = &force;
  iterate.interval = interval;
  return start(false);
}

template <int dim>
std::optional<Failure> Momentum<dim>::begin_again() {
  return start(true);
}

template <int dim>
std::optional<Failure> Momentum<dim>::start(bool is_again) {
  const Interval &interval = iterate.interval;
  iterate.residuals.clear();
  iterate.contact_forces.applied.clear();
  bodies.motion.theta_velocity(interval.t0, interval.t1, interval.h, choices.theta,
                               iterate.start->q, iterate.prescribed);
  std::optional<Failure> failure =
      is_again ? equations->restart(iterate) : equations->start(iterate);
  // The correction must prescribe differences from the initial v_θ.
  for (std::size_t i = 0; i < iterate.prescribed.size() && !iterate.replaces_velocity; ++i)
    iterate.prescribed[i] -= iterate.v_theta[bodies.motion.dofs()[i]];
  return failure;
}

template <int dim>
std::optional<Failure>
Momentum<dim>::set_contact_entries(const std::vector<unsigned int> &entries) {
  ContactForces &contact_forces = iterate.contact_forces;
  contact_forces.entries = entries;
  contact_forces.dofs.clear();
  for (const unsigned int entry : entries)
    contact_forces.dofs.push_back(trace.dofs()[entry]);
  contact_forces.applied.assign(entries.size(), 0.);
  const bool has_new_pattern = system().set_contact_entries(entries);
  return equations->update_factor(iterate, has_new_pattern);
}

template <int dim>
void Momentum<dim>::apply(const ContactRows &H, const std::vector<double> &p) {
  H.transpose_times(rule.percussion_factor, p, iterate.contact_forces.applied);
}

template <int dim>
void Momentum<dim>::start_correction() {
  const auto &[contact_entries, dofs, applied] = iterate.contact_forces;
  const Vector *b = &iterate.minus_residual;
  if (equations->is_nonlinear() ||
      std::any_of(applied.begin(), applied.end(), [](double f) { return f != 0.; })) {
    if (right_side.size() == 0)
      right_side.reinit(bodies.n_dofs());
    std::copy(b->data(), b->data() + b->size(), right_side.data());
    equations->add_correction_force(iterate, right_side);
    for (std::size_t c = 0; c < dofs.size(); ++c)
      right_side[dofs[c]] += applied[c];
    b = &right_side;
  }
  system().start(*b, iterate.prescribed, correction);
  for (std::size_t c = 0; c < dofs.size(); ++c)
    free[contact_entries[c]] =
        (iterate.replaces_velocity ? 0. : iterate.v_theta[dofs[c]]) + correction[dofs[c]];
}

template <int dim>
std::optional<Failure> Momentum<dim>::correct(const ContactRows &H, ContactProgress progress,
                                              std::vector<double> &p) {
  std::vector<double> &applied = iterate.contact_forces.applied, change;
  H.transpose_times(rule.percussion_factor, p, change);
  for (std::size_t c = 0; c < change.size(); ++c)
    change[c] -= applied[c];
  system().add_force(change);
  system().finish(correction);
  const auto add = [&](double fraction) {
    double *const v = iterate.v_theta.data();
    const double *const delta = correction.data();
    for (unsigned int i = 0, n = iterate.v_theta.size(); i < n; ++i)
      v[i] += fraction * delta[i];
  };
  equations->mix(iterate, progress, correction, p);
  H.transpose_times(rule.percussion_factor, p, applied);
  if (iterate.replaces_velocity) // only in a linear balance: no halving is needed
    iterate.v_theta.swap(correction);
  else
    add(1.);
  iterate.replaces_velocity = false;
  constexpr unsigned int max_halvings = 10;
  double &fraction = iterate.fraction = 1.;
  for (unsigned int halving = 0; const auto failure = equations->evaluate(iterate); ++halving) {
    if (halving == max_halvings || !failure->is_of_length)
      return failure;
    fraction *= 0.5;
    add(-fraction);
  }
  for (double &increment : iterate.prescribed)
    increment *= 1. - fraction;
  return {};
}

template <int dim>
void Momentum<dim>::finish(BodyState &state, Works &works) {
  // Springs between rigid bodies have impulses of their own.
  const bool keeps_momentum = dim == 3 && !bodies.rigid.empty() &&
                              choices.integrator == Integrator::theta && bodies.links.empty();
  if (keeps_momentum)
    angular_momentum.begin(state);
  bodies.move(iterate.interval.h, iterate.v_theta, state.q);
  double *const v = state.v.data();
  const double *const mean = iterate.v_theta.data();
  double *const changes = equations->needs_velocity_change() ? velocity_change.data() : nullptr;
  const double end = rule.end;
  for (unsigned int i = 0, n = iterate.v_theta.size(); i < n; ++i) {
    const double change = end * (mean[i] - v[i]);
    v[i] += change;
    if (changes != nullptr)
      changes[i] = change;
  }
  if (keeps_momentum) {
    angular_momentum.compensate(iterate, rule.percussion_factor, state);
    const double *const v0 = angular_momentum.initial_velocity().data();
    for (unsigned int i = bodies.n_elastic_dofs(); changes != nullptr && i < bodies.n_dofs(); ++i)
      changes[i] = v[i] - v0[i];
  }
  if (rule.has_acceleration())
    follow_acceleration(state);
  // A velocity without mass is in no balance: the rule of the other degrees of freedom would make
  // it alternate.
  for (const unsigned int i : massless_dofs)
    v[i] = mean[i];
  reactions = equations->account(iterate, velocity_change, state, works);
}

/// Calls visit(i, impulse) for the impulses of Hᵀ p on prescribed degrees of freedom i.
template <int dim>
template <typename Visit>
void Momentum<dim>::visit_prescribed(const ContactRows &H, const std::vector<double> &p,
                                     const Visit &visit) const {
  for (unsigned int row = 0; !reactions.empty() && row < H.n_rows(); ++row)
    for (unsigned int k = H.start[row]; k < H.start[row + 1]; ++k)
      if (const unsigned int entry = H.entries[H.column[k]]; trace.is_prescribed(entry))
        visit(trace.dofs()[entry], H.value[k] * p[row]);
}

template <int dim>
std::vector<double> Momentum<dim>::holding_impulses(const ContactRows &H,
                                                    const std::vector<double> &p) const {
  std::vector<double> impulses = reactions;
  std::map<unsigned int, double> contacts; // few contacts act on prescribed degrees of freedom
  visit_prescribed(H, p, [&](unsigned int i, double impulse) { contacts[i] += impulse; });
  for (std::size_t i = 0; i < impulses.size() && !contacts.empty(); ++i)
    if (const auto found = contacts.find(bodies.motion.dofs()[i]); found != contacts.end())
      impulses[i] -= found->second;
  return impulses;
}

template <int dim>
double Momentum<dim>::work_of_reactions(const ContactRows &H, const std::vector<double> &p) const {
  const double *const v = iterate.v_theta.data();
  double work = 0;
  for (std::size_t i = 0; i < reactions.size(); ++i)
    work += v[bodies.motion.dofs()[i]] * reactions[i];
  // Contacts may also act on nodes and bodies with entirely or partly prescribed motion.
  visit_prescribed(H, p, [&](unsigned int i, double impulse) { work -= v[i] * impulse; });
  return work;
}

/// Adds the terms of v1 and a1 that depend on a0.
template <int dim>
void Momentum<dim>::follow_acceleration(BodyState &state) {
  const double h = iterate.interval.h;
  double *const v = state.v.data(), *const a = state.a.data(),
                *const change = velocity_change.data();
  for (unsigned int i = 0; i < velocity_change.size(); ++i) {
    const double jump = change[i] / rule.end; // v̄ − v0
    change[i] += rule.end_of_a * h * a[i];
    v[i] += rule.end_of_a * h * a[i];
    a[i] = rule.a_of_jump * jump / h + rule.a_of_a * a[i];
  }
}

/// Returns ε |v̄|ᵀ (|M| (|v̄| + |v1|) + h |C| |v̄| + h |K| (|q1| + h |v̄|) + h |F|) + ε |q1|ᵀ |K|
/// |q1|, and the energy left by the last correction.
template <int dim>
double Momentum<dim>::round_off(const BodyState &end) const {
  const double *const v = iterate.v_theta.data(), *const v1 = end.v.data(), *const q = end.q.data(),
                      *const F = iterate.force_theta->data();
  const double h = iterate.interval.h;
  const Operators &operators = bodies.operators;
  const auto times = [&](const SparseMatrix &matrix, const auto &magnitude) {
    std::vector<double> sums(bodies.n_dofs(), 0.);
    if (matrix.n_rows() > 0)
      visit_entries(matrix, operators.partition, [&](unsigned int i, unsigned int j, double value) {
        sums[i] += std::abs(value) * magnitude(j);
      });
    return sums;
  };
  const std::vector<double>
      inertial =
          times(operators.mass, [&](unsigned int j) { return std::abs(v[j]) + std::abs(v1[j]); }),
      internal = times(operators.stiffness,
                       [&](unsigned int j) { return std::abs(q[j]) + h * std::abs(v[j]); }),
      viscous = times(operators.viscosity, [&](unsigned int j) { return std::abs(v[j]); });
  const auto sum_of_range = [&](unsigned int first, unsigned int past) {
    double all = 0;
    for (unsigned int i = first; i < past; ++i)
      all += std::abs(v[i]) * (inertial[i] + h * (viscous[i] + internal[i] + std::abs(F[i]))) +
             std::abs(q[i]) * internal[i];
    return all;
  };
  const double sum = operators.partition.sum(iterate.v_theta.size(), sum_of_range);
  return std::numeric_limits<double>::epsilon() * sum + equations->accepted_energy();
}

template class Momentum<2>;
template class Momentum<3>;

} // namespace percussion
