#include <percussion/base/instantiate.h>

#include "projected_contacts.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

namespace percussion {
namespace {

template <int dim>
class ProjectedReaction final : public ReactionSolver<dim> {
public:
  ProjectedReaction(std::unique_ptr<ReactionSolver<dim>> solver, ProjectionLimits l, double t,
                    unsigned int rows)
      : condensed(std::move(solver)), limits(l), theta(t), min_rows(rows) {}

  void start_interval(const Interval &interval) override {
    gives_up = false;
    contacts.reset();
    condensed->start_interval(interval);
  }

  void prepare(const PosedLaw<dim> &law, ContactSystem &system) override {
    variables.reset();
    is_satisfied = false;
    const bool is_of_velocities = law.compliance.vanishes() && law.springs.empty() &&
                                  law.bonds.empty() && law.rates.empty() && law.G.n_rows() == 0;
    if (!gives_up && system.may_defer() && is_of_velocities && law.H.n_rows() > 0 &&
        law.H.n_rows() >= min_rows)
      variables = ContactVariables::make(law.H, dim, system);
    if (variables || is_deferred)
      system.defer(variables.has_value());
    is_deferred = variables.has_value();
  }

  bool fall_back(const ContactSystem &system) override {
    const bool can_condense = !system.is_iterative() || system.has_interface();
    if (!variables || is_satisfied || !can_condense)
      return false;
    return gives_up = true;
  }

  std::optional<Failure> solve(const PosedLaw<dim> &law, const std::vector<double> &u,
                               ContactSystem &system, CorrectionStage stage,
                               Reaction &reaction) override {
    if (!variables)
      return condensed->solve(law, u, system, stage, reaction);
    if (!std::all_of(u.begin(), u.end(), [](double x) { return std::isfinite(x); }))
      return Failure{"a contact velocity is not finite"};
    if (stage.repeats)
      return repeat(u, system, stage, reaction);
    is_satisfied = false;
    std::vector<double> applied = reaction.p;
    for (double &p : applied)
      p *= theta;
    constexpr unsigned int max_inconsistent = 3; // then statuses and percussions are solved exactly
    contacts.emplace(system, *variables, law.mu, limits, vectors);
    if (stage.is_first) {
      first_scale = 0.;
      n_inconsistent = n_exact = 0;
      contacts->assume(law.guesses.first.status, law.guesses.first.p);
    } else
      contacts->assume(std::move(assumed));
    offset = reaction.offset;
    if (stage.sufficient_residual > 0. && n_inconsistent < max_inconsistent)
      return approximate(u, applied, stage, system, reaction);
    // The energy balance may need further digits of a state almost at rest.
    constexpr double further_digits = 1e-2;
    contacts->set_least_scale(first_scale * std::pow(further_digits, n_exact++));
    reaction.is_preliminary = false;
    n_inconsistent = 0;
    contacts->start(sum(u, offset), applied);
    return finish(system, stage, reaction);
  }

  const PosedProblem *posed_problem() const override {
    return variables ? nullptr : condensed->posed_problem();
  }
  ReactionMemory memory(const ContactSystem &system) const override {
    return condensed->memory(system);
  }
  void restore(const ReactionMemory &memory, ContactSystem &system) override {
    condensed->restore(memory, system);
  }

private:
  /// Solves the law as far as an early correction needs. The next correction takes account of
  /// other restitutions.
  std::optional<Failure> approximate(const std::vector<double> &u,
                                     const std::vector<double> &applied, CorrectionStage stage,
                                     ContactSystem &system, Reaction &reaction) {
    constexpr double round_off = 1e-14;
    contacts->set_least_scale(round_off / stage.sufficient_residual * first_scale);
    contacts->approximate(sum(u, offset), applied, stage.sufficient_residual);
    const ProjectedSolution &solution = contacts->solution();
    if (solution.is_singular)
      return failure(solution);
    adopt(CorrectionStage::small_residual * stage.sufficient_residual, reaction);
    release_iteration_vectors();
    system.set_deferred_solution(contacts->velocities());
    is_satisfied = reaction.converged = solution.converged;
    reaction.is_preliminary = true;
    first_scale = std::max(first_scale, contacts->residual_scale());
    n_exact = 0;
    n_inconsistent = solution.converged ? 0 : n_inconsistent + 1;
    return {};
  }

  /// Continues from the last solution with other offsets or more accurately.
  std::optional<Failure> repeat(const std::vector<double> &u, ContactSystem &system,
                                CorrectionStage stage, Reaction &reaction) {
    if (offset != reaction.offset) {
      offset = reaction.offset;
      contacts->change(sum(u, offset));
    }
    return finish(system, stage, reaction);
  }

  /// Refines a solution unless a rough one is welcome, and takes it as reaction.
  std::optional<Failure> finish(ContactSystem &system, CorrectionStage stage, Reaction &reaction) {
    if (contacts->solution().converged && !stage.may_be_rough && !contacts->is_refined())
      contacts->refine();
    const ProjectedSolution &solution = contacts->solution();
    if (!solution.converged)
      return failure(solution);
    adopt(0., reaction);
    reaction.converged = true;
    reaction.is_rough = !contacts->is_refined();
    if (reaction.is_rough)
      return {};
    is_satisfied = true;
    release_iteration_vectors();
    system.set_deferred_solution(contacts->velocities());
    return {};
  }

  /// Takes the solution as reaction, except for `converged`; with this residual of iterations.
  void adopt(double iteration_residual, Reaction &reaction) {
    const ProjectedSolution &solution = contacts->solution();
    assumed = contacts->assumed_statuses();
    reaction.p = solution.p;
    for (double &p : reaction.p)
      p /= theta;
    reaction.u = solution.velocity;
    reaction.status = solution.status;
    reaction.velocity_error =
        std::max({Reaction::round_off_of_velocities, solution.residual, iteration_residual}) *
        solution.velocity_scale;
    reaction.iterations = solution.n_iterations;
    reaction.residual = solution.residual;
    constexpr double rounding = 4. * std::numeric_limits<double>::epsilon(), residual_factor = 16.;
    reaction.rounding =
        residual_factor * std::max(solution.residual, rounding) * solution.velocity_scale;
  }

  static std::vector<double> sum(std::vector<double> u, const std::vector<double> &offset) {
    for (std::size_t r = 0; r < u.size(); ++r)
      u[r] += offset[r];
    return u;
  }

  static Failure failure(const ProjectedSolution &solution) {
    std::ostringstream reason;
    reason << "the contact problem of " << solution.status.size()
           << " contacts was not solved by projection: residual " << solution.residual << " after "
           << solution.n_iterations << " active sets"
           << (solution.is_singular ? "; the equations of contacts that share nodes are singular"
                                    : "");
    return {reason.str()};
  }

  std::unique_ptr<ReactionSolver<dim>> condensed;
  ProjectionLimits limits;
  double theta;
  unsigned int min_rows;
  bool gives_up = false;     ///< true if projection has failed in the interval
  bool is_satisfied = false; ///< true if the last correction has solved the law
  bool is_deferred = false;  ///< true if the system defers its solutions
  KrylovVectors vectors;
  double first_scale = 0;          ///< norm of the right-hand side of the first inexact correction
  unsigned int n_exact = 0;        ///< number of successive exact corrections
  unsigned int n_inconsistent = 0; ///< number of successive inexact corrections whose statuses have
                                   ///< not recurred
  std::vector<double> offset;      ///< offsets of the current solution
  std::optional<ProjectedContacts> contacts;
  std::vector<AssumedStatus> assumed;        ///< statuses and directions after the last correction
  std::optional<ContactVariables> variables; ///< variables of the law, if projection solves it
};

} // namespace

template <int dim>
std::unique_ptr<ReactionSolver<dim>>
make_projected_reaction(std::unique_ptr<ReactionSolver<dim>> condensed, ProjectionLimits limits,
                        double theta, unsigned int min_rows) {
  return std::make_unique<ProjectedReaction<dim>>(std::move(condensed), limits, theta, min_rows);
}

PERCUSSION_INSTANTIATE(make_projected_reaction);

} // namespace percussion
