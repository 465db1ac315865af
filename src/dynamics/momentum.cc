#include <percussion/body/attitude.h>

#include "linear_momentum.h"
#include "nonlinear_momentum.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace percussion {
namespace {

/// Completed interval of the θ-rule with its impulses.
struct FinishedStep {
  double h;
  const double *q0, *v0, *v_theta;
  const double *rounding;             ///< compensation of the round-off of v0
  const std::vector<double> &impulse; ///< impulses of contacts and loads, of all dofs
};

using Extended = dealii::Tensor<1, 3, long double>;

/// Returns the round-off of I Ω1 of the body whose rotation begins at `dof`: round-off of Ω1, and
/// of the attitude, for which Ω1 must compensate. With it, the spatial angular momentum agrees with
/// the impulses; without it, the steps of a free body make its angular momentum a random walk.
Extended lost_spin(const FinishedStep &finished, const dealii::Tensor<2, 3> &inertia,
                   unsigned int dof, const double *q1, const double *v1) {
  Extended omega, of_theta, of_end, lost;
  for (unsigned int d = 0; d < 3; ++d)
    omega[d] = finished.v_theta[dof + d];
  for (unsigned int d = 0; d < 3; ++d)
    for (unsigned int e = 0; e < 3; ++e) {
      const long double I = inertia[d][e];
      of_theta[d] += I * omega[e];
      of_end[d] += I * v1[dof + e];
      lost[d] += I * (static_cast<long double>(finished.v0[dof + e]) - v1[dof + e] +
                      finished.rounding[dof + e]);
    }
  const Extended rounding(
      rounding_of_turn(finished.h, finished.v_theta + dof, finished.q0 + dof, q1 + dof));
  const Extended torque = cross_product_3d(omega, of_theta),
                 turned = cross_product_3d(rounding, of_end);
  for (unsigned int d = 0; d < 3; ++d)
    lost[d] += finished.impulse[dof + d] - finished.h * torque[d] - turned[d];
  return lost;
}

void keep_angular_momentum(const System<2> &, const FinishedStep &, const double *, double *,
                           double *) {}

/// Adds this round-off to v1, and leaves the remainder that v1 cannot represent in `rounding` for
/// the next step (Kahan's summation).
void keep_angular_momentum(const System<3> &bodies, const FinishedStep &finished, const double *q1,
                           double *v1, double *rounding) {
  for (std::size_t b = 0; b < bodies.rigid.size(); ++b) {
    const unsigned int dof = bodies.rigid_dof(b) + 3;
    if (bodies.motion.is_prescribed(dof) || bodies.motion.is_prescribed(dof + 1) ||
        bodies.motion.is_prescribed(dof + 2))
      continue;
    const dealii::Tensor<2, 3> inertia(bodies.rigid[b].inertia);
    const Extended omega = Extended(invert(inertia) * lost_spin(finished, inertia, dof, q1, v1));
    for (unsigned int d = 0; d < 3; ++d) {
      const long double exact = v1[dof + d] + omega[d];
      v1[dof + d] = static_cast<double>(exact);
      rounding[dof + d] = static_cast<double>(exact - v1[dof + d]);
    }
  }
}

} // namespace

template <int dim>
Momentum<dim>::Momentum(const System<dim> &b, const StepChoices &c, const Trace<dim> &t)
    : bodies(b), choices(c), trace(t), gyration(b), rule(time_rule(c)), free(t.size(), 0.) {
  for (Vector *work : {&v_theta, &minus_residual, &right_side, &correction})
    *work = make_vector(bodies.n_dofs());
  for (unsigned int i = 0; i < bodies.n_dofs(); ++i)
    if (bodies.operators.mass.diag_element(i) == 0.)
      massless_dofs.push_back(i);
}

template <int dim>
std::optional<Failure> Momentum<dim>::begin(const State<dim> &state, const Interval &interval,
                                            const Vector &force) {
  initial_state = &state;
  force_theta = &force;
  length = interval.h;
  begin_time = interval.t0;
  end_time = interval.t1;
  residual_history.clear();
  applied.clear();
  bodies.motion.theta_velocity(interval.t0, interval.t1, length, choices.theta, state.q,
                               prescribed);
  std::optional<Failure> failure = start();
  // The correction must prescribe differences from the initial v_θ.
  for (std::size_t i = 0; i < prescribed.size() && !replaces_velocity; ++i)
    prescribed[i] -= entries(v_theta)[bodies.motion.dofs()[i]];
  return failure;
}

template <int dim>
std::optional<Failure>
Momentum<dim>::set_contact_entries(const std::vector<unsigned int> &entries) {
  contact_entries = entries;
  contact_dofs.clear();
  for (const unsigned int entry : entries)
    contact_dofs.push_back(trace.dofs()[entry]);
  applied.assign(entries.size(), 0.);
  if (contact_system->use(entries)) {
    relocate();
    factor_is_stale = true;
  }
  if (factor_is_stale && !refactor())
    return Failure{"the matrix of the balance is not positive definite"};
  return {};
}

template <int dim>
void Momentum<dim>::start_correction() {
  const Vector *b = &minus_residual;
  if (std::any_of(applied.begin(), applied.end(), [](double f) { return f != 0.; })) {
    std::copy(entries(*b), entries(*b) + n_owned(*b), entries(right_side));
    for (std::size_t c = 0; c < contact_dofs.size(); ++c)
      entries(right_side)[contact_dofs[c]] += applied[c];
    b = &right_side;
  }
  contact_system->start(entries(*b), prescribed, entries(correction));
  for (std::size_t c = 0; c < contact_dofs.size(); ++c)
    free[contact_entries[c]] = (replaces_velocity ? 0. : entries(v_theta)[contact_dofs[c]]) +
                               entries(correction)[contact_dofs[c]];
}

template <int dim>
std::optional<Failure> Momentum<dim>::correct(const ContactRows &H, ContactProgress contacts,
                                              std::vector<double> &p) {
  std::vector<double> force;
  H.transpose_times(rule.percussion_factor, p, force);
  for (std::size_t c = 0; c < force.size(); ++c)
    applied[c] = force[c] - applied[c];
  contact_system->add_force(applied);
  contact_system->finish(entries(correction));
  const auto add = [&](double fraction) {
    double *const v = entries(v_theta);
    const double *const delta = entries(correction);
    for (unsigned int i = 0, n = n_owned(v_theta); i < n; ++i)
      v[i] += fraction * delta[i];
  };
  mix(contacts, correction, p);
  H.transpose_times(rule.percussion_factor, p, applied);
  if (replaces_velocity) // only in a linear balance: no halving is needed
    v_theta.swap(correction);
  else
    add(1.);
  replaces_velocity = false;
  constexpr unsigned int max_halvings = 10;
  double fraction = 1.;
  for (unsigned int halving = 0; !evaluate(); ++halving) {
    if (halving == max_halvings)
      return Failure{"a correction of the velocities turns an element inside out"};
    fraction *= 0.5;
    add(-fraction);
  }
  std::fill(prescribed.begin(), prescribed.end(), 0.);
  return {};
}

template <>
double Momentum<2>::unbalanced_rotation() const {
  return 0;
}

template <>
double Momentum<3>::unbalanced_rotation() const {
  constexpr double round_off = std::numeric_limits<double>::epsilon();
  using Tensor = dealii::Tensor<1, 3>;
  double largest = 0;
  std::size_t c = 0; // index in `contact_dofs`, which ascends
  for (std::size_t b = 0; b < bodies.rigid.size(); ++b) {
    const unsigned int first = bodies.rigid_dof(b) + 3;
    Tensor omega, initial, contact, remaining;
    for (unsigned int d = 0; d < 3; ++d) {
      while (c < contact_dofs.size() && contact_dofs[c] < first + d)
        ++c;
      if (c < contact_dofs.size() && contact_dofs[c] == first + d)
        contact[d] = applied[c];
      omega[d] = entries(v_theta)[first + d];
      initial[d] = entries(initial_state->Mv)[first + d];
      if (!bodies.motion.is_prescribed(first + d))
        remaining[d] = entries(minus_residual)[first + d] + contact[d];
    }
    const Tensor momentum = bodies.rigid[b].inertia * omega;
    const Tensor torque = length * rule.percussion_factor * cross_product_3d(omega, momentum);
    const double scale = std::max({momentum.norm(), initial.norm(), contact.norm(), torque.norm()});
    if (remaining.norm() > round_off * scale)
      largest = std::max(largest, remaining.norm() / scale);
  }
  return largest;
}

template <int dim>
void Momentum<dim>::keep_spin() {
  for (unsigned int i = bodies.n_elastic_dofs(); gyration.acts() && i < bodies.n_dofs(); ++i)
    entries(v_theta)[i] = entries(initial_state->v)[i];
}

template <int dim>
void Momentum<dim>::set_gyration_tangent(const Vector &spin) {
  gyration.set_tangent(length * rule.percussion_factor * rule.spin, spin, contact_system->blocks());
}

template <int dim>
std::optional<Failure> Momentum<dim>::refactor_blocks(const Vector &spin) {
  if (!gyration.acts())
    return {};
  set_gyration_tangent(spin);
  if (!contact_system->factorise_blocks())
    return Failure{"a body spins too fast for the length of the step"};
  return {};
}

template <int dim>
void Momentum<dim>::finish(State<dim> &state, Works &works) {
  // Springs between rigid bodies have impulses of their own.
  const bool keeps_momentum =
      gyration.acts() && choices.integrator == Integrator::theta && bodies.links.empty();
  if (keeps_momentum) {
    q_before = state.q;
    v_before = state.v;
  }
  bodies.move(length, v_theta, state.q);
  double *const v = entries(state.v);
  double *const change = entries(right_side); // this vector is free for other use
  const double *const mean = entries(v_theta);
  const double end = rule.end;
  for (unsigned int i = 0, n = n_owned(v_theta); i < n; ++i) {
    change[i] = end * (mean[i] - v[i]);
    v[i] += change[i];
  }
  if (keeps_momentum) {
    std::vector<double> impulse(n_owned(v_theta), 0.);
    for (unsigned int i = bodies.n_elastic_dofs(); i < impulse.size(); ++i)
      impulse[i] = length * entries(*force_theta)[i];
    for (std::size_t c = 0; c < contact_dofs.size(); ++c)
      impulse[contact_dofs[c]] += applied[c] / rule.percussion_factor;
    if (state.rounding.size() != state.v.size())
      state.rounding = make_vector(bodies.n_dofs());
    double *const rounding = entries(state.rounding);
    const FinishedStep finished{length, entries(q_before), entries(v_before),
                                mean,   rounding,          impulse};
    keep_angular_momentum(bodies, finished, entries(state.q), v, rounding);
    for (unsigned int i = bodies.n_elastic_dofs(); i < impulse.size(); ++i)
      change[i] = v[i] - entries(v_before)[i];
  }
  if (rule.has_acceleration())
    follow_acceleration(state, right_side);
  // A velocity without mass is in no balance: the rule of the other degrees of freedom would make
  // it alternate.
  for (const unsigned int i : massless_dofs)
    v[i] = mean[i];
  account(state, right_side, works);
}

/// Calls visit(i, impulse) for the impulses of Hᵀ p on prescribed degrees of freedom i.
template <int dim>
template <typename Visit>
void Momentum<dim>::for_prescribed(const ContactRows &H, const std::vector<double> &p,
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
  for_prescribed(H, p, [&](unsigned int i, double impulse) { contacts[i] += impulse; });
  for (std::size_t i = 0; i < impulses.size() && !contacts.empty(); ++i)
    if (const auto found = contacts.find(bodies.motion.dofs()[i]); found != contacts.end())
      impulses[i] -= found->second;
  return impulses;
}

template <int dim>
double Momentum<dim>::work_of_reactions(const ContactRows &H, const std::vector<double> &p) const {
  const double *const v = entries(v_theta);
  double work = 0;
  for (std::size_t i = 0; i < reactions.size(); ++i)
    work += v[bodies.motion.dofs()[i]] * reactions[i];
  // Contacts may also act on nodes and bodies with entirely or partly prescribed motion.
  for_prescribed(H, p, [&](unsigned int i, double impulse) { work -= v[i] * impulse; });
  return work;
}

/// Adds the terms of v1 and a1 that depend on a0; `change` is v1 − v0.
template <int dim>
void Momentum<dim>::follow_acceleration(State<dim> &state, Vector &change) {
  double *const v = entries(state.v), *const a = entries(state.a), *const dv = entries(change);
  for (unsigned int i = 0; i < n_owned(v_theta); ++i) {
    const double jump = dv[i] / rule.end; // v̄ − v0
    dv[i] += rule.end_of_a * length * a[i];
    v[i] += rule.end_of_a * length * a[i];
    a[i] = rule.a_of_jump * jump / length + rule.a_of_a * a[i];
  }
}

/// Returns ε |v̄|ᵀ (|M| (|v̄| + |v1|) + h |C| |v̄| + h |K| (|q1| + h |v̄|) + h |F|) + ε |q1|ᵀ |K|
/// |q1|.
template <int dim>
double Momentum<dim>::round_off(const State<dim> &end) const {
  const double *const v = entries(v_theta), *const v1 = entries(end.v), *const q = entries(end.q);
  const double h = length;
  const auto times = [](const SparseMatrix &matrix, unsigned int i, const auto &magnitude) {
    const SparseRow entries = row(matrix, i);
    double sum = 0;
    for (int k = 0; k < entries.size; ++k)
      sum += std::abs(entries.value[k]) * magnitude(entries.column[k]);
    return sum;
  };
  const double sum = sums<1>(v_theta, [&](unsigned int i, auto &of_row) {
    const double inertial =
        times(bodies.operators.mass, i, [&](int j) { return std::abs(v[j]) + std::abs(v1[j]); });
    const double internal = times(bodies.operators.stiffness, i,
                                  [&](int j) { return std::abs(q[j]) + h * std::abs(v[j]); });
    const double viscous = bodies.operators.viscous ? times(bodies.operators.viscosity, i,
                                                            [&](int j) { return std::abs(v[j]); })
                                                    : 0.;
    of_row[0] += std::abs(v[i]) *
                     (inertial + h * (viscous + internal + std::abs(entries(*force_theta)[i]))) +
                 std::abs(q[i]) * internal;
  })[0];
  return std::numeric_limits<double>::epsilon() * sum;
}

template <int dim>
std::unique_ptr<Momentum<dim>> make_momentum(const System<dim> &bodies, const StepChoices &choices,
                                             const Trace<dim> &trace, bool may_share_nodes) {
  const bool linear = bodies.links.empty() &&
                      std::all_of(bodies.elastic.begin(), bodies.elastic.end(),
                                  [](const auto &body) { return body->materials.are_linear(); });
  if (linear)
    return std::make_unique<LinearMomentum<dim>>(bodies, choices, trace, may_share_nodes);
  return std::make_unique<NonlinearMomentum<dim>>(bodies, choices, trace);
}

template class Momentum<2>;
template std::unique_ptr<Momentum<2>> make_momentum(const System<2> &, const StepChoices &,
                                                    const Trace<2> &, bool);
template class Momentum<3>;
template std::unique_ptr<Momentum<3>> make_momentum(const System<3> &, const StepChoices &,
                                                    const Trace<3> &, bool);

} // namespace percussion
