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

/// The residual of the cone problem adds percussions to velocities. Percussions are measured in the
/// unit that changes a contact's velocity by about one, so that a tolerance means the same in all
/// systems of units: the Delassus operator then has a mean diagonal of one.
double natural_percussion_unit(const CondensedSystem &system, double theta) {
  const auto n = static_cast<unsigned int>(system.contact_dofs().size());
  double sum = 0;
  for (unsigned int i = 0; i < n; ++i)
    sum += theta * system.compliance(i, i);
  return n > 0 ? n / sum : 1.;
}

double dot(const Vector &a, const Vector &b) {
  const double *const x = entries(a), *const y = entries(b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += x[i] * y[i];
  return sum;
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
  problem.dimension = dim;
  for (Vector *work : {&rhs, &force_theta, &next_force, &v_theta, &velocity_jump, &deformation,
                       &Mv0, &Kq0, &Cv_theta})
    *work = make_vector(body.n_dofs());
  contact_force.resize(condensed.contact_dofs().size());
  percussion_unit = natural_percussion_unit(condensed, choices.theta);
  record.percussion.resize(std::size_t(dim) * contacts.size());
  record.status.resize(contacts.size(), ContactStatus::open);
}

template <int dim>
void Step<dim>::initialise(State<dim> &state) {
  state.Mv = make_vector(body.n_dofs());
  state.Kq = make_vector(body.n_dofs());
  apply_operators(state);
  state.kinetic = 0.5 * dot(state.v, state.Mv);
  state.strain = 0.5 * dot(deformation, state.Kq);
  body.loads.evaluate(state.time, state.force);
  body.loads.evaluate(state.time, next_force);
  contacts.evaluate(state.q, state.time, state.gaps);
  record.normal = state.gaps.normal;
  contacts.jacobian(state.gaps, H);
  if (contacts.constant_frames())
    build_candidate_delassus();
  // The gap before the first step, as if the nodes had come with their initial velocities.
  end_time = state.time;
  surface_velocities(state.time);
  state.previous_gap.resize(contacts.size());
  for (unsigned int i = 0; i < contacts.size(); ++i)
    state.previous_gap[i] =
        state.gaps.distance[i] -
        choices.h * (H.row_times(dim * i, entries(state.v)) -
                     state.gaps.normal[i] * surface_velocity_start[contacts.points[i].pair]);
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
    if (g <= contacts.points[i].tolerance)
      record.active.push_back(i);
  }
}

template <int dim>
void Step<dim>::surface_velocities(double t0) {
  // Over the step the velocity follows from the positions, so that the work is exact.
  surface_velocity_theta.assign(contacts.pairs.size(), dealii::Tensor<1, dim>());
  surface_velocity_start = surface_velocity_theta;
  for (unsigned int k = 0; k < contacts.pairs.size(); ++k) {
    const auto &surface = contacts.pairs[k].surface;
    if (surface.motion.empty())
      continue;
    const double h = choices.h;
    const auto next = displacement(surface, t0 + h);
    surface_velocity_theta[k] = (next - displacement(surface, t0)) / h;
    surface_velocity_start[k] = (next - displacement(surface, t0 - h)) / (2. * h);
  }
}

/// The step without percussions, and the cone problem for the velocities that it leaves.
template <int dim>
void Step<dim>::pose(const State<dim> &state) {
  const double h = choices.h, theta = choices.theta;
  if (body.loads.depend_on_time())
    body.loads.evaluate(end_time, next_force);
  body.motion.theta_velocity(state.time, h, theta, state.q, prescribed_velocity);
  surface_velocities(state.time);

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
  problem.q.resize(dim * record.active.size());
  for (std::size_t a = 0; a < record.active.size(); ++a) {
    const unsigned int i = record.active[a];
    const unsigned int pair = contacts.points[i].pair;
    const auto frame = local_frame<dim>(state.gaps.normal[i]);
    for (unsigned int r = 0; r < dim; ++r) {
      const double u_free =
          H.row_times(dim * i + r, entries(v_theta)) - frame[r] * surface_velocity_theta[pair];
      const double u0 =
          H.row_times(dim * i + r, entries(state.v)) - frame[r] * surface_velocity_start[pair];
      problem.q[dim * a + r] =
          u_free + (r == 0 ? law[pair].of_normal(u0) : law[pair].of_tangential(u0));
    }
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
          percussion_unit * choices.theta * delassus_entry(H, condensed, r, s);
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
              constant
                  ? candidate_delassus[row * n_candidates + column]
                  : percussion_unit * choices.theta * delassus_entry(H, condensed, row, column);
        }
  }
  // Start from what each contact did last.
  solution.p.resize(n);
  solution.status.resize(active.size());
  for (std::size_t a = 0; a < active.size(); ++a) {
    solution.status[a] = record.status[active[a]];
    for (unsigned int r = 0; r < dim; ++r)
      solution.p[dim * a + r] = record.percussion[dim * active[a] + r] / percussion_unit;
  }
}

template <int dim>
void Step<dim>::solve(const State<dim> &state) {
  cone.solve(problem, solution);
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

template <int dim>
void Step<dim>::report_unsolved(const State<dim> &state) const {
  std::ostringstream message;
  message << "step " << state.step + 1 << " (t = " << end_time << "): the contact problem of "
          << record.active.size() << " contacts was not solved: residual " << solution.residual
          << " after " << solution.iterations << " iterations. Try a smaller Time/Step, another "
          << "Solver/Method, or larger Solver/Max iterations or Solver/Tolerance";
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

/// The energy ledger of the step: AC24 (65)–(67) with the work of prescribed motions.
template <int dim>
void Step<dim>::account(State<dim> &state) {
  const double h = choices.h, theta = choices.theta;
  const double *const v1 = entries(state.v), *const Mv1 = entries(state.Mv);
  const double *const q1 = entries(deformation), *const Kq1 = entries(state.Kq);
  const double *const Mv = entries(Mv0), *const Kq = entries(Kq0);
  const double *const v_mean = entries(v_theta), *const F = entries(force_theta);
  const double *const jump = entries(velocity_jump);
  double vMv = 0, qKq = 0, vF = 0, jumps = 0;
  for (unsigned int i = 0; i < body.n_dofs(); ++i) {
    vMv += v1[i] * Mv1[i];
    qKq += q1[i] * Kq1[i];
    vF += v_mean[i] * F[i];
  }
  if (theta != 0.5)
    for (unsigned int i = 0; i < body.n_dofs(); ++i)
      jumps += jump[i] * (Mv1[i] - Mv[i]) + h * v_mean[i] * (Kq1[i] - Kq[i]);
  Works works;
  works.external = h * vF;
  works.numerical = (0.5 - theta) * jumps;
  if (body.operators.viscous) {
    body.operators.viscosity.vmult(Cv_theta, v_theta);
    works.viscous = -h * dot(v_theta, Cv_theta);
  }
  account_contacts(works);
  works.prescribed += work_of_reactions(state);

  const double before = state.kinetic + state.strain;
  state.kinetic = 0.5 * vMv;
  state.strain = 0.5 * qKq;
  record.works = works;
  record.balance_residual = state.energy() - before - works.sum();
  if (body.loads.depend_on_time())
    state.force.swap(next_force);
  if (!std::isfinite(record.balance_residual))
    throw RunError("step " + std::to_string(state.step) + " (t = " + std::to_string(end_time) +
                   "): a displacement or velocity is not a finite number any more");
}

template <int dim>
void Step<dim>::account_contacts(Works &works) {
  record.velocity.resize(dim * record.active.size());
  record.n_sliding = 0;
  record.normal_work_max = record.normal_work_min = 0;
  record.tangential_work_max = record.tangential_work_min = 0;
  for (std::size_t a = 0; a < record.active.size(); ++a) {
    const unsigned int i = record.active[a];
    const auto frame = local_frame<dim>(record.normal[i]);
    const auto &surface = surface_velocity_theta[contacts.points[i].pair];
    double normal_work = 0, tangential_work = 0;
    for (unsigned int r = 0; r < dim; ++r) {
      const double of_surface = frame[r] * surface;
      const double u = H.row_times(dim * i + r, entries(v_theta)) - of_surface;
      const double p = record.percussion[dim * i + r];
      record.velocity[dim * a + r] = u;
      (r == 0 ? normal_work : tangential_work) += u * p;
      works.prescribed += p * of_surface;
    }
    works.contact_normal += normal_work;
    works.contact_tangential += tangential_work;
    record.normal_work_max = std::max(record.normal_work_max, normal_work);
    record.normal_work_min = std::min(record.normal_work_min, normal_work);
    record.tangential_work_max = std::max(record.tangential_work_max, tangential_work);
    record.tangential_work_min = std::min(record.tangential_work_min, tangential_work);
    record.n_sliding += record.status[i] == ContactStatus::slip;
  }
}

/// Work of the reactions R = M (v1 − v0) + h K q_θ + h C v_θ − h F_θ − Hᵀ p that hold the
/// prescribed degrees of freedom in their motion.
template <int dim>
double Step<dim>::work_of_reactions(const State<dim> &state) {
  const double h = choices.h, theta = choices.theta;
  double work = 0;
  for (const unsigned int i : body.motion.dofs()) {
    const double v = entries(v_theta)[i];
    if (v == 0.)
      continue;
    double reaction = entries(state.Mv)[i] - entries(Mv0)[i] +
                      h * ((1. - theta) * entries(Kq0)[i] + theta * entries(state.Kq)[i] -
                           entries(force_theta)[i]);
    if (body.operators.viscous)
      reaction += h * entries(Cv_theta)[i];
    work += v * reaction;
  }
  // Contacts of nodes whose motion is prescribed in part.
  for (const unsigned int c : record.active)
    for (unsigned int row = dim * c; row < dim * (c + 1); ++row)
      for (unsigned int k = H.start[row]; k < H.start[row + 1]; ++k)
        if (body.motion.is_prescribed(H.column[k]))
          work -= entries(v_theta)[H.column[k]] * H.value[k] * record.percussion[row];
  return work;
}

template class Step<2>;

} // namespace percussion
