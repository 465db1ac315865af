#include <percussion/dynamics/step.h>
#include <percussion/io/error.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace percussion {
namespace {

/// Â = M + hθ C + h²θ² K: AC24 (92).
SparseMatrix iteration_matrix(const Operators &operators, double h, double theta) {
  SparseMatrix A;
  A.copy_from(operators.stiffness);
  A *= h * h * theta * theta;
  // M couples fewer entries than K: add it entry by entry.
  for (const auto &entry : operators.mass)
    A.add(entry.row(), entry.column(), entry.value());
  A.compress(dealii::VectorOperation::add);
  if (operators.viscous)
    A.add(h * theta, operators.viscosity);
  return A;
}

/// Every degree of freedom that some candidate touches.
template <int dim>
std::vector<unsigned int> touched_dofs(const Contacts<dim> &contacts) {
  std::vector<unsigned int> dofs;
  for (const auto &point : contacts.points)
    dofs.insert(dofs.end(), point.dofs.begin(), point.dofs.end());
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
  return dofs;
}

/// Percussion that changes a contact's velocity by about one: in its unit the Delassus operator has
/// a mean diagonal of one.
double percussion_for_unit_velocity(const CondensedSystem &system, double theta) {
  const auto n = static_cast<unsigned int>(system.contact_dofs().size());
  double sum = 0;
  for (unsigned int i = 0; i < n; ++i)
    sum += theta * system.compliance(i, i);
  return n > 0 ? n / sum : 1.;
}

} // namespace

template <int dim>
Step<dim>::Step(const ElasticBody<dim> &b, const Contacts<dim> &c, const StepChoices &s,
                const ConeOptions &options)
    : body(b), contacts(c), choices(s),
      condensed(iteration_matrix(b.operators, s.h, s.theta), b.motion.dofs(), touched_dofs(c)),
      cone(options) {
  for (const auto &pair : contacts.pairs)
    law.emplace_back(impact_law(pair.law, pair.restitution, choices.theta), choices.theta,
                     choices.separating);
  surface_motion.resize(contacts.pairs.size());
  problem.dimension = dim;
  for (Vector *work : {&rhs, &force_theta, &next_force, &v_theta, &velocity_jump, &deformation,
                       &Mv0, &Kq0, &Cv_theta})
    *work = make_vector(body.n_dofs());
  contact_force.resize(condensed.contact_dofs().size());
  delassus_unit = percussion_for_unit_velocity(condensed, choices.theta);
  record.percussion.resize(std::size_t(dim) * contacts.size());
  record.status.resize(contacts.size(), ContactStatus::open);
}

template <int dim>
void Step<dim>::initialise(State<dim> &state) {
  state.Mv = make_vector(body.n_dofs());
  state.Kq = make_vector(body.n_dofs());
  apply_operators(state);
  state.kinetic = 0.5 * (state.v * state.Mv);
  state.strain = 0.5 * (deformation * state.Kq);
  body.loads.evaluate(state.time, state.force);
  body.loads.evaluate(state.time, next_force);
  contacts.evaluate(state.q, state.time, state.gaps);
  record.normal = state.gaps.normal;
  contacts.jacobian(state.gaps, H);
  if (contacts.constant_frames())
    build_candidate_delassus();
  for (unsigned int k = 0; k < contacts.pairs.size(); ++k)
    surface_motion[k].start(contacts.pairs[k].surface, state.time, choices.h);
  // The gap before the first step, as if the nodes had come with their initial velocities.
  state.previous_gap.resize(contacts.size());
  for (unsigned int i = 0; i < contacts.size(); ++i)
    state.previous_gap[i] =
        state.gaps.distance[i] -
        choices.h * (H.row_times(dim * i, entries(state.v)) -
                     state.gaps.normal[i] *
                         surface_motion[contacts.points[i].pair].start_velocity(choices.h));
  measure_penetration(state);
}

template <int dim>
void Step<dim>::measure_penetration(const State<dim> &state) {
  record.penetration_max = 0;
  for (const double g : state.gaps.distance)
    record.penetration_max = std::max(record.penetration_max, -g);
}

template <int dim>
void Step<dim>::apply_operators(State<dim> &state) {
  body.operators.mass.vmult(state.Mv, state.v);
  body.deformation(state.q, deformation);
  body.operators.stiffness.vmult(state.Kq, deformation);
}

template <int dim>
const StepRecord<dim> &Step<dim>::advance(State<dim> &state, double t1) {
  end_time = t1;
  stopwatch.start();
  forecast(state);
  stopwatch.lap(Phase::forecast);
  pose(state);
  stopwatch.lap(Phase::pose);
  solve(state);
  stopwatch.lap(Phase::solve);
  advance_motion(state);
  stopwatch.lap(Phase::advance);
  account(state);
  for (auto &motion : surface_motion)
    motion.finish_step();
  stopwatch.lap(Phase::account);
  return record;
}

template <int dim>
void Step<dim>::forecast(const State<dim> &state) {
  previous_active.swap(record.active);
  record.active.clear();
  for (unsigned int i = 0; i < contacts.size(); ++i) {
    double g = state.gaps.distance[i];
    if (choices.forecast == Forecast::leapfrog)
      g += 0.5 * (g - state.previous_gap[i]);
    else if (choices.forecast == Forecast::prediction)
      g = contacts.predicted_gap(i, state.q, state.v, choices.h, end_time);
    if (g <= contacts.points[i].tolerance && contacts.can_yield(i, state.gaps.normal[i]))
      record.active.push_back(i);
  }
}

/// The step without percussions, and the cone problem for the velocities that it leaves.
template <int dim>
void Step<dim>::pose(const State<dim> &state) {
  const double h = choices.h, theta = choices.theta;
  if (body.loads.depend_on_time())
    body.loads.evaluate(end_time, next_force);
  body.motion.theta_velocity(state.time, end_time, h, theta, state.q, prescribed_velocity);
  for (unsigned int k = 0; k < contacts.pairs.size(); ++k)
    surface_motion[k].prepare_step(contacts.pairs[k].surface, end_time);

  const double *const F0 = entries(state.force), *const F1 = entries(next_force);
  const double *const Mv = entries(state.Mv), *const Kq = entries(state.Kq);
  double *const F = entries(force_theta), *const b = entries(rhs);
  for (unsigned int i = 0; i < body.n_dofs(); ++i) {
    F[i] = (1. - theta) * F0[i] + theta * F1[i];
    b[i] = Mv[i] + h * theta * (F[i] - Kq[i]);
  }
  condensed.start(b, prescribed_velocity, entries(v_theta));

  if (!contacts.constant_frames())
    contacts.jacobian(state.gaps, H);
  take_active_delassus();
  pose_velocities(state);
}

/// q̂ = u_free + a(u0) of the active contacts, relative to the surfaces. The problem is posed in
/// natural units of velocity (the largest of q̂) and percussion, for its residual adds the one to
/// the other and both to one: so a tolerance means the same in all systems of units.
template <int dim>
void Step<dim>::pose_velocities(const State<dim> &state) {
  problem.q.resize(dim * record.active.size());
  double largest = 0;
  for (std::size_t a = 0; a < record.active.size(); ++a) {
    const unsigned int i = record.active[a];
    const unsigned int pair = contacts.points[i].pair;
    const auto frame = local_frame<dim>(state.gaps.normal[i]);
    const auto mean = surface_motion[pair].mean_velocity(choices.h);
    const auto start = surface_motion[pair].start_velocity(choices.h);
    for (unsigned int r = 0; r < dim; ++r) {
      const double u_free = H.row_times(dim * i + r, entries(v_theta)) - frame[r] * mean;
      const double u0 = H.row_times(dim * i + r, entries(state.v)) - frame[r] * start;
      const double q = u_free + (r == 0 ? law[pair].of_normal(u0) : law[pair].of_tangential(u0));
      problem.q[dim * a + r] = q;
      largest = std::max(largest, std::abs(q));
    }
  }
  const double velocity_unit = largest > 0. ? largest : 1.;
  percussion_unit = delassus_unit * velocity_unit;
  for (double &q : problem.q)
    q /= velocity_unit;
  // Start from what each contact did last.
  solution.p.resize(problem.q.size());
  solution.status.resize(record.active.size());
  for (std::size_t a = 0; a < record.active.size(); ++a) {
    solution.status[a] = record.status[record.active[a]];
    for (unsigned int r = 0; r < dim; ++r)
      solution.p[dim * a + r] = record.percussion[dim * record.active[a] + r] / percussion_unit;
  }
}

namespace {

/// (H Â⁻¹ Hᵀ)_rs.
double delassus_entry(const ContactJacobian &H, const CondensedSystem &system, unsigned int r,
                      unsigned int s) {
  double sum = 0;
  for (unsigned int k = H.start[r]; k < H.start[r + 1]; ++k)
    for (unsigned int l = H.start[s]; l < H.start[s + 1]; ++l) {
      const int i = system.contact_index(H.column[k]), j = system.contact_index(H.column[l]);
      if (i >= 0 && j >= 0)
        sum += H.value[k] * H.value[l] *
               system.compliance(static_cast<unsigned int>(i), static_cast<unsigned int>(j));
    }
  return sum;
}

} // namespace

template <int dim>
void Step<dim>::build_candidate_delassus() {
  const unsigned int n = H.n_rows();
  candidate_delassus.resize(std::size_t(n) * n);
  for (unsigned int r = 0; r < n; ++r)
    for (unsigned int s = 0; s <= r; ++s)
      candidate_delassus[std::size_t(r) * n + s] = candidate_delassus[std::size_t(s) * n + r] =
          delassus_unit * choices.theta * delassus_entry(H, condensed, r, s);
}

/// W and μ of the active contacts. While frames are constant they are a part of what was computed
/// once, and stay as they are as long as the same contacts are active.
template <int dim>
void Step<dim>::take_active_delassus() {
  const bool constant = contacts.constant_frames();
  const auto &active = record.active;
  if (problem.version > 0 && constant && active == previous_active)
    return;
  ++problem.version;
  problem.n_contacts = active.size();
  const std::size_t n = dim * active.size();
  problem.W.resize(n * n);
  problem.mu.resize(active.size());
  const std::size_t n_candidates = H.n_rows();
  for (std::size_t a = 0; a < active.size(); ++a) {
    problem.mu[a] = contacts.points[active[a]].friction;
    for (std::size_t b = 0; b < active.size(); ++b)
      for (unsigned int r = 0; r < dim; ++r)
        for (unsigned int s = 0; s < dim; ++s) {
          const unsigned int row = dim * active[a] + r, column = dim * active[b] + s;
          problem.W[(dim * a + r) * n + dim * b + s] =
              constant ? candidate_delassus[row * n_candidates + column]
                       : delassus_unit * choices.theta * delassus_entry(H, condensed, row, column);
        }
  }
}

template <int dim>
void Step<dim>::solve(const State<dim> &state) {
  try {
    cone.solve(problem, solution);
  } catch (const std::invalid_argument &error) {
    throw RunError(step_name(state) + error.what());
  }
  if (!solution.converged)
    report_unsolved(state);
  std::fill(record.percussion.begin(), record.percussion.end(), 0.);
  std::fill(record.status.begin(), record.status.end(), ContactStatus::open);
  for (std::size_t a = 0; a < record.active.size(); ++a) {
    record.status[record.active[a]] = solution.status[a];
    for (unsigned int r = 0; r < dim; ++r)
      record.percussion[dim * record.active[a] + r] = percussion_unit * solution.p[dim * a + r];
  }
  record.solver_iterations = solution.iterations;
  record.solver_residual = solution.residual;
}

/// "step 12 (t = 0.34): ", for messages.
template <int dim>
std::string Step<dim>::step_name(const State<dim> &state) const {
  std::ostringstream name;
  name << "step " << state.step + 1 << " (t = " << end_time << "): ";
  return name.str();
}

template <int dim>
void Step<dim>::report_unsolved(const State<dim> &state) const {
  std::ostringstream message;
  message << step_name(state) << "the contact problem of " << record.active.size()
          << " contacts was not solved: residual " << solution.residual << " after "
          << solution.iterations << " iterations. Try a smaller Time/Step, another Solver/Method, "
          << "or larger Solver/Max iterations or Solver/Tolerance";
  throw RunError(message.str());
}

/// Percussions into the momentum, then positions and velocities at the end of the step.
template <int dim>
void Step<dim>::advance_motion(State<dim> &state) {
  const double h = choices.h, theta = choices.theta;
  if (!record.active.empty()) {
    std::fill(contact_force.begin(), contact_force.end(), 0.);
    for (const unsigned int i : record.active)
      for (unsigned int row = dim * i; row < dim * (i + 1); ++row)
        for (unsigned int k = H.start[row]; k < H.start[row + 1]; ++k)
          if (const int c = condensed.contact_index(H.column[k]); c >= 0)
            contact_force[static_cast<unsigned int>(c)] +=
                theta * H.value[k] * record.percussion[row];
    condensed.add_contact_force(contact_force);
  }
  condensed.finish(entries(v_theta));

  double *const q = entries(state.q), *const v = entries(state.v);
  const double *const v_mean = entries(v_theta);
  double *const jump = entries(velocity_jump);
  for (unsigned int i = 0; i < body.n_dofs(); ++i) {
    q[i] += h * v_mean[i];
    jump[i] = (v_mean[i] - v[i]) / theta;
    v[i] += jump[i];
  }
  state.Mv.swap(Mv0);
  state.Kq.swap(Kq0);
  apply_operators(state);
  state.step += 1;
  state.time = end_time;
  state.previous_gap.swap(state.gaps.distance);
  record.normal.swap(state.gaps.normal);
  contacts.evaluate(state.q, end_time, state.gaps);
  measure_penetration(state);
}

template class Step<2>;

} // namespace percussion
