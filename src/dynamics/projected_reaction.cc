#include "projected_contacts.h"
#include "raise_restitutions.h"
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
    condensed->start_interval(interval);
  }

  void prepare(const PosedLaw<dim> &law, ContactSystem &system) override {
    variables.reset();
    is_satisfied = false;
    const bool is_of_velocities =
        law.compliance.empty() && law.springs.empty() && law.G.n_rows() == 0;
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
    is_satisfied = false;
    std::vector<double> applied = reaction.p;
    for (double &p : applied)
      p *= theta;
    constexpr unsigned int max_inconsistent = 3; // then statuses and percussions are solved exactly
    ProjectedContacts contacts(system, *variables, law.mu, limits, vectors);
    if (stage.is_first) {
      first_scale = 0.;
      n_inconsistent = n_exact = 0;
      contacts.assume(law.guess.status, law.guess.p);
    } else
      contacts.assume(std::move(assumed));
    if (stage.sufficient_residual > 0. && n_inconsistent < max_inconsistent)
      return approximate(law, u, applied, stage, contacts, system, reaction);
    // The energy balance may need further digits of a state almost at rest.
    constexpr double further_digits = 1e-2;
    contacts.set_least_scale(first_scale * std::pow(further_digits, n_exact++));
    reaction.is_preliminary = false;
    n_inconsistent = 0;
    std::vector<double> offset = raised_offset<dim>(law, reaction);
    reaction.converged = true;
    reaction.awaits_raising = false;
    const auto raise_all = [&] {
      while (contacts.solution().converged &&
             raise(law, stage, contacts.solution(), applied, offset, reaction)) {
        stage.decides_restitutions = stage.decides_again;
        contacts.change(sum(u, offset));
      }
      return contacts.solution().converged;
    };
    contacts.start(sum(u, offset), applied);
    if (raise_all()) {
      contacts.refine();
      raise_all();
    }
    const ProjectedSolution &solution = contacts.solution();
    if (!solution.converged)
      return failure(solution);
    is_satisfied = true;
    adopt(contacts, reaction);
    release_iteration_vectors();
    system.set_deferred_solution(contacts.velocities());
    return {};
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
  /// raised restitutions.
  std::optional<Failure> approximate(const PosedLaw<dim> &law, const std::vector<double> &u,
                                     const std::vector<double> &applied, CorrectionStage stage,
                                     ProjectedContacts &contacts, ContactSystem &system,
                                     Reaction &reaction) {
    constexpr double round_off = 1e-14;
    contacts.set_least_scale(round_off / stage.sufficient_residual * first_scale);
    std::vector<double> offset = raised_offset<dim>(law, reaction);
    contacts.approximate(sum(u, offset), applied, stage.sufficient_residual);
    const ProjectedSolution &solution = contacts.solution();
    if (solution.is_singular)
      return failure(solution);
    adopt(contacts, reaction);
    release_iteration_vectors();
    system.set_deferred_solution(contacts.velocities());
    is_satisfied = reaction.converged = solution.converged;
    reaction.is_preliminary = true;
    first_scale = std::max(first_scale, contacts.residual_scale());
    n_exact = 0;
    n_inconsistent = solution.converged ? 0 : n_inconsistent + 1;
    reaction.awaits_raising = false;
    if (solution.converged && stage.decides_restitutions)
      raise(law, stage, solution, applied, offset, reaction);
    return {};
  }

  /// Takes the solution as reaction, except for `converged`.
  void adopt(const ProjectedContacts &contacts, Reaction &reaction) {
    const ProjectedSolution &solution = contacts.solution();
    assumed = contacts.assumed_statuses();
    ReactionGuess reached = guess_of(solution);
    reaction.p = std::move(reached.p);
    reaction.status = std::move(reached.status);
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

  /// Returns percussions and statuses in the units of the case.
  ReactionGuess guess_of(const ProjectedSolution &solution) const {
    ReactionGuess guess{solution.p, solution.status};
    for (double &p : guess.p)
      p /= theta;
    return guess;
  }

  /// Raises the tangential restitution of the contacts whose percussions do positive work. Returns
  /// true if there are any. Before the stage decides restitutions, such contacts only mark the
  /// reaction.
  bool raise(const PosedLaw<dim> &law, CorrectionStage stage, const ProjectedSolution &solution,
             const std::vector<double> &applied, std::vector<double> &offset,
             Reaction &reaction) const {
    const double iteration_residual =
        reaction.is_preliminary ? CorrectionStage::small_residual * stage.sufficient_residual : 0.;
    const double error = std::max({round_off_of_work, solution.residual, iteration_residual}) *
                         solution.velocity_scale;
    const auto contacts =
        contacts_to_raise<dim>(law,
                               {solution.p, solution.velocity, solution.status, 1., error,
                                balance_error(stage, solution.p, applied)},
                               offset, stage, reaction);
    if (contacts.empty())
      return false;
    percussion::raise<dim>(contacts, guess_of(solution), offset, reaction);
    return true;
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

template std::unique_ptr<ReactionSolver<2>>
make_projected_reaction<2>(std::unique_ptr<ReactionSolver<2>>, ProjectionLimits, double,
                           unsigned int);
template std::unique_ptr<ReactionSolver<3>>
make_projected_reaction<3>(std::unique_ptr<ReactionSolver<3>>, ProjectionLimits, double,
                           unsigned int);

} // namespace percussion
