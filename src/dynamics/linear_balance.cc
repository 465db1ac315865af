#include "linear_balance.h"

#include <percussion/base/error.h>

#include <Epetra_CrsMatrix.h>
#include <deal.II/base/bounding_box.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/trilinos_precondition.h>

#include "indefinite_matrix.h"
#include <cmath>
#include <numeric>

namespace percussion {
namespace {

/// Adds M to A, whose pattern contains the pattern of M. Columns ascend in each row.
void add_mass(const SparseMatrix &M, SparseMatrix &A) {
  for (unsigned int i = 0; i < M.m(); ++i) {
    const SparseRow mass = row(M, i);
    int size = 0, *column = nullptr, position = 0;
    double *value = nullptr;
    A.trilinos_matrix().ExtractMyRowView(static_cast<int>(i), size, value, column);
    for (int k = 0; k < mass.size; ++k) {
      while (position < size && column[position] < mass.column[k])
        ++position;
      if (position < size && column[position] == mass.column[k])
        value[position] += mass.value[k];
      else
        AssertThrow(mass.value[k] == 0., dealii::ExcInternalError());
    }
  }
}

/// Returns Â = M + (h w C + h² k K)/m; with the θ-rule M + hθ C + h²θ² K: AC24 (92).
SparseMatrix iteration_matrix(const Operators &operators, double h, const TimeRule &rule) {
  SparseMatrix A;
  A.copy_from(operators.stiffness);
  A *= h * h * rule.percussion_factor * rule.internal;
  add_mass(operators.mass, A);
  if (operators.viscous)
    A.add(h * rule.percussion_factor * rule.viscous, operators.viscosity);
  return A;
}

/// Returns the rigid motions of all elastic bodies together, about the middle of the first body's
/// nodes, with rotations in units of its size.
template <int dim>
std::vector<std::vector<double>> rigid_motions(const System<dim> &system) {
  constexpr unsigned int n_rotations = dim * (dim - 1) / 2;
  std::vector<std::vector<double>> motions(dim + n_rotations,
                                           std::vector<double>(system.n_elastic_dofs(), 0.));
  const dealii::BoundingBox<dim> box(system.elastic.front()->space.nodes);
  const dealii::Point<dim> middle = box.center();
  double size = 0;
  for (unsigned int d = 0; d < dim; ++d)
    size = std::max(size, box.side_length(d));
  for (const auto &body : system.elastic)
    for (unsigned int i = 0; i < body->space.n_nodes(); ++i) {
      const auto &dofs = body->space.node_dofs[i];
      const dealii::Tensor<1, dim> x = (body->space.nodes[i] - middle) / size;
      for (unsigned int d = 0; d < dim; ++d)
        motions[d][dofs[d]] = 1.;
      for (unsigned int k = 0; k < n_rotations; ++k) { // rotation in the plane of the axes a and b
        const unsigned int a = k == 2 ? 1 : 0, b = k == 0 ? 1 : 2;
        motions[dim + k][dofs[a]] = -x[b];
        motions[dim + k][dofs[b]] = x[a];
      }
    }
  return motions;
}

template <int dim>
ContactSystem::Pattern pattern(const System<dim> &system, const ContactRoute &route,
                               const Trace<dim> &trace) {
  return {system.operators.stiffness,
          system.n_elastic_dofs(),
          system.motion.dofs(),
          trace.dofs(),
          true,
          dim == 3 ? 3u : 1u,
          route.solver,
          [&] { return rigid_motions(system); },
          dim,
          route.may_project(),
          route.takes_diagonal,
          [&]() -> const std::vector<unsigned int> & { return system.elimination_order(); },
          trace.dofs()};
}

} // namespace

template <int dim>
LinearBalance<dim>::LinearBalance(const System<dim> &b, const StepChoices &c, const Trace<dim> &t,
                                  bool may_share_nodes)
    : bodies(b), choices(c), rule(time_rule(c)),
      route(choose_contact_route(b, c, rule, t.n_elastic(), may_share_nodes)),
      contact_system(pattern(b, route, t)), energy(b), additions(b, c, rule, t), rigid(b, rule),
      terms(b, rule) {
  for (Vector *work : {&previous_Mv, &previous_Kq, &viscous_force})
    *work = make_vector(b.n_dofs());
  if (refactor(c.h, previous_Mv))
    throw RunError("the system matrix is not positive definite: " +
                   cause_of_indefinite_matrix(b, c, rule));
}

/// Rebuilds Â of intervals of length h, with the angular velocities Ω_s in `spin`.
template <int dim>
std::optional<Failure> LinearBalance<dim>::refactor(double h, const Vector &spin) {
  factored_length = h;
  SparseMatrix A = iteration_matrix(bodies.operators, h, rule);
  additions.add_to(A, !rigid.have_torque());
  contact_system.set_matrix(A);
  rigid.set_tangent(h, spin, contact_system);
  factor_is_stale = !contact_system.factorise();
  if (factor_is_stale)
    return Failure{"the matrix of the balance is not positive definite"};
  return {};
}

template <int dim>
std::optional<Failure> LinearBalance<dim>::update_factor(const Iterate<dim> &iterate,
                                                         bool has_new_pattern) {
  if (!factor_is_stale && !has_new_pattern)
    return {};
  return refactor(iterate.interval.h, rigid.spin_velocity(iterate));
}

template <int dim>
void LinearBalance<dim>::restore(const MomentumMemory &memory) {
  const bool is_same = memory.interface == contact_system.interface_dofs();
  if (!is_same)
    contact_system.set_interface(memory.interface);
  if (!is_same || memory.length != factored_length)
    factor_is_stale = refactor(memory.length, make_vector(bodies.n_dofs())).has_value();
}

template <int dim>
bool LinearBalance<dim>::renew() {
  if (!additions.omit())
    return false;
  return factor_is_stale = true;
}

template <int dim>
void LinearBalance<dim>::complete(State<dim> &state) {
  state.Mv = make_vector(bodies.n_dofs());
  state.Kq = make_vector(bodies.n_dofs());
  energy.evaluate(state);
  if (rule.has_acceleration())
    accelerate(state);
}

/// Computes the acceleration M a = F − K q − C v − Ω × I Ω, without contact forces; zero for
/// prescribed degrees of freedom.
template <int dim>
void LinearBalance<dim>::accelerate(State<dim> &state) {
  state.a = make_vector(bodies.n_dofs());
  Vector force = state.force;
  force -= state.Kq;
  if (bodies.operators.viscous) {
    multiply(bodies.operators.viscosity, state.v, viscous_force);
    force -= viscous_force;
  }
  Gyration<dim>(bodies).add(-1., state.v, force);
  dealii::SolverControl control(bodies.n_dofs() + 1000, 1e-12 * force.l2_norm());
  dealii::SolverCG<Vector> solver(control);
  dealii::TrilinosWrappers::PreconditionJacobi diagonal;
  diagonal.initialize(bodies.operators.mass);
  solver.solve(bodies.operators.mass, state.a, force, diagonal);
  for (const unsigned int i : bodies.motion.dofs())
    entries(state.a)[i] = 0.;
}

template <int dim>
std::optional<Failure> LinearBalance<dim>::start(Iterate<dim> &iterate) {
  const double h = iterate.interval.h, factor = h * rule.percussion_factor;
  factor_is_stale = factor_is_stale || h != factored_length;
  iterate.replaces_velocity = !rigid.have_torque();
  const double *const F = entries(*iterate.force_theta);
  const double *const Mv = entries(iterate.start->Mv), *const Kq = entries(iterate.start->Kq);
  double *const b = entries(iterate.minus_residual);
  for (unsigned int i = 0, n = n_owned(iterate.minus_residual); i < n; ++i)
    b[i] = Mv[i] + factor * (F[i] - Kq[i]);
  terms.start(iterate);
  additions.start(iterate.minus_residual, additions.has_additions() || factor_is_stale);
  if (!rigid.have_torque())
    return {};
  rigid.start(iterate);
  return factor_is_stale ? std::nullopt : rigid.factorise(iterate, contact_system);
}

/// Evaluates the residual. In the rows of elastic bodies, a correction leaves only contact forces.
template <int dim>
std::optional<Failure> LinearBalance<dim>::evaluate(Iterate<dim> &iterate) {
  if (additions.has_additions())
    additions.find_residual(iterate);
  else if (rigid.have_torque()) {
    iterate.minus_residual = 0.;
    for (std::size_t c = 0; c < iterate.contacts.dofs.size(); ++c)
      entries(iterate.minus_residual)[iterate.contacts.dofs[c]] = -iterate.contacts.applied[c];
    rigid.find_residual(iterate);
  } else
    return {};
  if (!std::isfinite(dot(iterate.minus_residual, iterate.minus_residual)))
    return Failure{"a velocity is not finite"};
  return {};
}

/// Returns the state of the balance. If the statuses of contacts are not consistent, v_θ is
/// computed again with their last percussions.
template <int dim>
BalanceVerdict LinearBalance<dim>::judge(Iterate<dim> &iterate, ContactProgress contacts) {
  if (additions.has_additions())
    return additions.judge(iterate, contacts.converged);
  if (rigid.have_torque())
    return rigid.judge(iterate, contacts.converged, choices.newton_tolerance, contact_system);
  if (contacts.converged)
    return {true};
  for (std::size_t i = 0; i < iterate.prescribed.size(); ++i)
    iterate.prescribed[i] = entries(iterate.v_theta)[bodies.motion.dofs()[i]];
  iterate.replaces_velocity = true;
  return {};
}

template <int dim>
std::vector<double> LinearBalance<dim>::account(const Iterate<dim> &iterate,
                                                const Vector &velocity_change, State<dim> &state,
                                                Works &works) {
  const double h = iterate.interval.h, T0 = state.kinetic, U0 = state.strain;
  factor_is_stale = additions.finish() || factor_is_stale;
  state.Mv.swap(previous_Mv);
  state.Kq.swap(previous_Kq);
  energy.evaluate(state);
  const double *const Mv1 = entries(state.Mv), *const Kq1 = entries(state.Kq);
  const double *const Mv = entries(previous_Mv), *const Kq = entries(previous_Kq);
  const Vector &v_theta = iterate.v_theta;
  const double *const v_mean = entries(v_theta), *const F = entries(*iterate.force_theta);
  const double *const jump = entries(velocity_change);
  works.external += h * dot(v_theta, *iterate.force_theta);
  const bool viscous = bodies.operators.viscous;
  if (viscous) {
    multiply(bodies.operators.viscosity, terms.viscous_velocity(iterate, state, velocity_change),
             viscous_force);
    works.viscous -= h * dot(v_theta, viscous_force);
  }
  // Momentum and internal impulse are terms of the rule's balance.
  const double theta = choices.theta;
  const bool is_theta = choices.integrator == Integrator::theta;
  if (is_theta && theta != 0.5)
    works.numerical += (0.5 - theta) * sums<1>(state.v, [&](unsigned int i, auto &sum) {
                         sum[0] += jump[i] * (Mv1[i] - Mv[i]) + h * v_mean[i] * (Kq1[i] - Kq[i]);
                       })[0];
  const Vector &torque = rigid.torque_impulse(iterate);
  if (!is_theta) {
    terms.find_impulses(iterate, state, velocity_change, previous_Kq);
    works.numerical += state.kinetic - T0 + state.strain - U0 -
                       dot(v_theta, terms.inertial_impulse) - dot(v_theta, terms.internal_impulse) -
                       dot(v_theta, torque);
  }
  std::vector<double> reactions;
  for (const unsigned int i : bodies.motion.dofs()) {
    const double sum =
        is_theta ? Mv1[i] - Mv[i] + h * ((1. - theta) * Kq[i] + theta * Kq1[i])
                 : entries(terms.inertial_impulse)[i] + entries(terms.internal_impulse)[i];
    reactions.push_back(sum + entries(torque)[i] +
                        h * ((viscous ? entries(viscous_force)[i] : 0.) - F[i]));
  }
  return reactions;
}

template class LinearBalance<2>;
template class LinearBalance<3>;

} // namespace percussion
