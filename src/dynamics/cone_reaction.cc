#include <percussion/algebra/compliance_ratio.h>
#include <percussion/base/format.h>
#include <percussion/base/instantiate.h>
#include <percussion/cone/global.h>
#include <percussion/cone/operators.h>
#include <percussion/cone/residual.h>
#include <percussion/dynamics/delassus.h>
#include <percussion/dynamics/global_problem.h>
#include <percussion/dynamics/reaction.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace percussion {
namespace {

template <int dim>
class ConeReaction final : public ReactionSolver<dim> {
public:
  ConeReaction(const ConeOptions &o, double factor, bool updates)
      : options(o), cone(o), percussion_factor(factor), one_by_one(updates) {
    problem.dimension = dim;
    accuracy.tolerance = options.tolerance;
  }

  void start_interval(const Interval &interval) override {
    last.reset();
    repeated = {};
    begun_interval = interval;
    n_inconsistent = 0;
  }

  std::optional<Failure> solve(const PosedLaw<dim> &law, const std::vector<double> &u,
                               ContactSystem &system, CorrectionStage stage,
                               Reaction &reaction) override {
    if (!system.has_interface())
      return solve_globally(law, u, system, stage, reaction);
    if (stage.repeats)
      return repeat(law, system, stage, reaction);
    delassus.write(law.H, law.mu, dim, percussion_factor, system, problem, law.compliance, law.G);
    accuracy.mass_ratio = largest_compliance_ratio(law.H, dim, system, RigidBody<dim>::n_dofs);
    accuracy.tolerance = options.tolerance;
    if (accuracy.mass_ratio > large_ratio)
      accuracy.tolerance =
          std::max(options.tolerance, std::min(rounding * accuracy.mass_ratio, largest_tolerance));
    repeated.offset = reaction.offset;
    pose(law, u, reaction.p);
    for (const double q : problem.q)
      if (!std::isfinite(q))
        return Failure{"a contact velocity is not finite"};
    start_from(stage.is_first ? law.guesses.first : ReactionGuess{reaction.p, reaction.status});
    if (stage.is_first && has_more_rows_than_velocities())
      start_from_better(law.guesses.earlier);
    guess = solution.p;
    solution.converged = false; // set by the solver
    last.emplace(PosedProblem{problem, guess, solution, percussion_unit, velocity_unit,
                              begun_interval, law.moments.size()});
    repeated.solved = {};
    const bool must_choose = reaction.awaits_restitutions && stage.decides_restitutions;
    if (!stage.is_first && !must_choose && has_more_rows_than_velocities() &&
        still_solves(reaction))
      return {};
    // If successive updates do not make the statuses consistent, the cone solver takes over. It
    // solves the problem that decides restitutions.
    constexpr unsigned int max_updates = 12;
    if (one_by_one && n_inconsistent < max_updates &&
        !(stage.decides_restitutions && law.chooses_restitutions()))
      return update(law, system, stage, reaction);
    return solve_posed(law, system, stage, reaction);
  }

  const PosedProblem *posed_problem() const override { return last ? &*last : nullptr; }

  ReactionMemory memory(const ContactSystem &system) const override {
    return {delassus.is_of(system) && !delassus.is_unsymmetric(), delassus.rows(),
            delassus.friction(), delassus.compliance(), cone.memory(problem)};
  }

  void restore(const ReactionMemory &memory, ContactSystem &system) override {
    if (!memory.keeps_delassus)
      return;
    system.set_contact_entries(memory.H.entries);
    delassus.write(memory.H, memory.mu, dim, percussion_factor, system, problem, memory.compliance);
    problem.q.assign(memory.H.n_rows(), 0.);
    cone.restore(problem, memory.cone);
  }

private:
  /// True if a contact acts on an elastic body. Free velocities of an elastic body may be any
  /// multiple of its final velocities: in a long step, loads would move a light body far if
  /// contacts did not hold it. Free velocities of rigid bodies are the scale of their motion.
  static bool acts_on_elastic_bodies(const PosedLaw<dim> &law, const ContactSystem &system) {
    return !law.H.entries.empty() && !system.is_uncoupled(0);
  }

  /// Returns a bound of the round-off of contact velocities, on elastic bodies including the
  /// residual of the law [velocity].
  double rounding_of_velocities(const PosedLaw<dim> &law, const ContactSystem &system) const {
    constexpr double elimination_factor = 16.; // elimination loses more digits than a product
    if (!acts_on_elastic_bodies(law, system))
      return rounding * velocity_unit;
    return elimination_factor * std::max(solution.residual, rounding) *
           (1. + size_of_free_velocity()) * velocity_unit;
  }

  double size_of_free_velocity() const {
    double square = 0;
    for (const double q : problem.q)
      square += q * q;
    return std::sqrt(square);
  }

  /// Refines the solution: on elastic bodies to the tolerance relative to the velocities of the
  /// solution; on rigid bodies until motions in the step are accurate to 1e-9 of the bodies' sizes,
  /// as far as round-off of W p + q permits. Loads may move a light body far in a step if contacts
  /// do not hold it.
  void refine(const PosedLaw<dim> &law, const ContactSystem &system) {
    double wanted = law.negligible_velocity / velocity_unit;
    if (acts_on_elastic_bodies(law, system)) {
      wanted = 0.;
      for (std::size_t r = 0; r < solution.u.size(); ++r)
        wanted = std::max(wanted, options.tolerance *
                                      std::abs(solution.u[r] - repeated.offset[r] / velocity_unit));
    }
    const double attainable = std::max(wanted / (1. + size_of_free_velocity()),
                                       std::min(rounding * accuracy.mass_ratio, largest_tolerance));
    if (solution.residual > attainable)
      cone.refine(problem, attainable, solution);
    solution.converged = solution.residual <= accuracy.tolerance;
  }

  /// Computes one iteration of the statuses.
  std::optional<Failure> update(const PosedLaw<dim> &law, const ContactSystem &system,
                                CorrectionStage stage, Reaction &reaction) {
    try {
      reaction.converged = cone.update(problem, stage.is_first, solution);
    } catch (const std::invalid_argument &error) {
      return unsuitable(error);
    }
    n_inconsistent += !reaction.converged;
    take(law, system, reaction);
    return {};
  }

  /// Solves the posed problem. A problem of many contacts of rigid bodies, whose percussions are
  /// not unique, is solved to a loose tolerance if the stage permits: the last digits, which are
  /// lost when restitutions change, take half of the time in the case dominoes. The last problem is
  /// solved to the tolerance of the options, and decides again.
  std::optional<Failure> solve_posed(const PosedLaw<dim> &law, const ContactSystem &system,
                                     CorrectionStage stage, Reaction &reaction) {
    constexpr double rough_tolerance = 1e-5, loosest_tolerance = 1e-3, factor = 10.;
    constexpr std::size_t few_contacts = 20;
    reaction.is_rough =
        stage.may_be_rough && problem.n_contacts > few_contacts && has_more_rows_than_velocities();
    try {
      const double tolerance =
          reaction.is_rough ? std::max({accuracy.tolerance, rough_tolerance,
                                        std::min(loosest_tolerance, factor * accuracy.tolerance)})
                            : accuracy.tolerance;
      cone.solve(problem, tolerance, solution, repeated.solved);
      if (solution.converged && !reaction.is_rough)
        refine(law, system);
    } catch (const std::invalid_argument &error) {
      return unsuitable(error);
    }
    if (!solution.converged && !reaction.is_rough)
      return failure(problem.n_contacts);
    reaction.converged = solution.converged;
    take(law, system, reaction);
    return {};
  }

  /// Solves the posed problem again, from its solution or from the last one of the last substep.
  std::optional<Failure> repeat(const PosedLaw<dim> &law, const ContactSystem &system,
                                CorrectionStage stage, Reaction &reaction) {
    if (repeated.offset != reaction.offset) {
      for (std::size_t r = 0; r < repeated.offset.size(); ++r)
        problem.q[r] += (reaction.offset[r] - repeated.offset[r]) / velocity_unit;
      repeated.offset = reaction.offset;
      start_from_better(law.guesses.last);
      guess = solution.p;
    }
    return solve_posed(law, system, stage, reaction);
  }

  /// True if there are more contact rows than velocities: percussions are then not unique.
  bool has_more_rows_than_velocities() const {
    const std::size_t n_velocities = n_body_velocities(problem);
    return n_velocities > 0 && dim * problem.n_contacts > n_velocities;
  }

  /// True if the last percussions still solve the problem to the tolerance.
  bool still_solves(Reaction &reaction) {
    solution.u = local_velocities(problem, solution.p);
    solution.residual = natural_map_residual(problem, solution.p, solution.u);
    solution.converged = solution.residual <= accuracy.tolerance;
    if (solution.converged)
      reaction.converged = true;
    take_velocities(reaction);
    return solution.converged;
  }

  /// Solves the law with the entire Â, for so many contacts that W would be too large.
  std::optional<Failure> solve_globally(const PosedLaw<dim> &law, const std::vector<double> &u,
                                        ContactSystem &system, CorrectionStage stage,
                                        Reaction &reaction) {
    if (!law.compliance.full.empty())
      return Failure{"the degrees of freedom in contact are too many for a scheme that integrates "
                     "over faces; take a scheme with contacts at nodes"};
    if (law.G.n_rows() > 0)
      return Failure{"the degrees of freedom in contact are too many for a law with rows of its "
                     "own; take a scheme with contacts at nodes, and Backward friction ratio = 1"};
    if (!stage.repeats) {
      std::vector<double> velocity = u;
      for (std::size_t r = 0; r < u.size(); ++r)
        velocity[r] += reaction.offset[r];
      repeated.global_pose.reset(); // before the next one takes as much memory
      repeated.global_pose.emplace(
          pose_globally(law, velocity, reaction.p, percussion_factor, system));
      if (!std::isfinite(repeated.global_pose->velocity_unit))
        return Failure{"a velocity is not finite"};
      velocity_unit = repeated.global_pose->velocity_unit;
      percussion_unit = repeated.global_pose->percussion_unit;
      repeated.global_solution.p.clear();
      for (const double p : stage.is_first ? law.guesses.first.p : reaction.p)
        repeated.global_solution.p.push_back(p / percussion_unit);
      repeated.global_solution.v.assign(repeated.global_pose->problem.q.size(), 0.);
    } else
      for (std::size_t r = 0; r < repeated.offset.size(); ++r)
        repeated.global_pose->problem.b[r] +=
            (reaction.offset[r] - repeated.offset[r]) / velocity_unit;
    repeated.offset = reaction.offset;
    ConeOptions velocity_options = options;
    velocity_options.method = ConeMethod::pdas;
    try {
      solve_global(repeated.global_pose->problem, velocity_options, repeated.global_solution);
    } catch (const std::invalid_argument &error) {
      return unsuitable(error);
    }
    solution = repeated.global_solution;
    if (!solution.converged)
      return failure(law.mu.size());
    reaction.converged = true;
    take_solution(reaction);
    return {};
  }

  /// Computes q̂ = u − (W − diag(c)) p + a. The problem is posed in natural units of velocity (the
  /// largest entry of q̂) and percussion, because its residual adds both and relates both to one: a
  /// tolerance then has the same meaning in all systems of units.
  void pose(const PosedLaw<dim> &law, const std::vector<double> &u,
            const std::vector<double> &applied) {
    problem.q = u;
    subtract_velocity_of(applied);
    double largest = 0;
    for (std::size_t r = 0; r < u.size(); ++r) {
      problem.q[r] += repeated.offset[r];
      // W contains the compliance, the bodies do not.
      law.compliance.add_product(r, applied, problem.q[r]);
      largest = std::max(largest, std::abs(problem.q[r]));
    }
    velocity_unit = largest > 0. ? largest : 1.;
    percussion_unit = delassus.mass_unit() * velocity_unit;
    for (double &q : problem.q)
      q /= velocity_unit;
  }

  /// Subtracts W p from q, with p in the units of the case.
  void subtract_velocity_of(const std::vector<double> &p) {
    if (std::all_of(p.begin(), p.end(), [](double x) { return x == 0.; }))
      return;
    const std::vector<double> u = std::move(problem.q);
    problem.q.assign(u.size(), 0.);
    problem.q = local_velocities(problem, p);
    for (std::size_t r = 0; r < p.size(); ++r)
      problem.q[r] = u[r] - problem.q[r] / delassus.mass_unit();
  }

  void start_from(const ReactionGuess &start) {
    solution.status = start.status;
    solution.p.resize(start.p.size());
    for (std::size_t r = 0; r < start.p.size(); ++r)
      solution.p[r] = start.p[r] / percussion_unit;
  }

  /// Takes the solution as reaction, except for `converged`. The largest free velocity is the unit.
  void take_solution(Reaction &reaction) const {
    reaction.p = solution.p;
    for (double &p : reaction.p)
      p *= percussion_unit;
    reaction.status = solution.status;
    reaction.iterations = solution.iterations;
    take_velocities(reaction);
  }

  void take_velocities(Reaction &reaction) const {
    reaction.u = solution.u;
    for (double &u : reaction.u)
      u *= velocity_unit;
    reaction.velocity_error =
        std::max(Reaction::round_off_of_velocities, solution.residual) * velocity_unit;
    reaction.residual = solution.residual;
  }

  void take(const PosedLaw<dim> &law, const ContactSystem &system, Reaction &reaction) const {
    take_solution(reaction);
    reaction.rounding = rounding_of_velocities(law, system);
  }

  /// Starts from these percussions if their residual is smaller.
  void start_from_better(const ReactionGuess &start) {
    const ConeSolution previous = solution;
    const double residual = natural_map_residual(problem, solution.p);
    start_from(start);
    if (natural_map_residual(problem, solution.p) >= residual)
      solution = previous;
  }

  static Failure unsuitable(const std::invalid_argument &error) {
    return {std::string("the contact problem cannot be solved with this tangent: ") + error.what()};
  }

  Failure failure(std::size_t n_contacts) const {
    std::ostringstream reason;
    reason << "the contact problem of " << n_contacts << " contacts was not solved: residual "
           << solution.residual << " after " << solution.iterations << " iterations";
    if (solution.outcome == ConeOutcome::no_solution)
      reason
          << ": an approaching contact cannot be stopped, as every body that could stop it has a "
             "prescribed motion";
    else if (accuracy.mass_ratio > large_ratio &&
             rounding * accuracy.mass_ratio > 0.01 * options.tolerance)
      reason << ": the masses of two bodies that touch differ by a factor of "
             << format("%.2g", accuracy.mass_ratio)
             << ", with which round-off alone leaves a residual of about "
             << format("%.2g", rounding * accuracy.mass_ratio);
    return {reason.str()};
  }

  /// Bound of the round-off of W p + q, whose largest entry is one.
  static constexpr double rounding = 4. * std::numeric_limits<double>::epsilon();
  /// Largest residual that is accepted because of round-off.
  static constexpr double largest_tolerance = 1e-8;
  /// Ratio of masses from which round-off may exceed the tolerance of the options.
  static constexpr double large_ratio = 1e4;

  /// Accuracy of solutions. The percussions of a heavy body on a light one are the ratio of their
  /// masses in natural units, and so is the round-off of W p.
  struct Accuracy {
    double mass_ratio = 1; ///< see largest_compliance_ratio()
    double tolerance = 0;  ///< tolerance of the options, or the residual that round-off leaves
  };

  /// Data from which the same problem is solved again, with other offsets or more accurately.
  struct Repetition {
    std::vector<double> offset; ///< offsets of the current solution [velocity]
    SolvedGroups solved;        ///< groups that need not be solved again
    std::optional<GlobalPose> global_pose;
    GlobalConeSolution global_solution;
  };

  ConeOptions options;
  ConeSolver cone;
  double percussion_factor;
  bool one_by_one;
  unsigned int n_inconsistent = 0; ///< updates in the interval without consistent statuses
  Delassus delassus;
  FrictionContactProblem problem;
  ConeSolution solution;
  std::vector<double> guess;
  Repetition repeated;
  Accuracy accuracy;
  double velocity_unit = 1, percussion_unit = 1; ///< natural units [velocity], [impulse]
  Interval begun_interval{};
  std::optional<PosedProblem> last;
};

} // namespace

template <int dim>
std::unique_ptr<ReactionSolver<dim>> make_cone_reaction(const ConeOptions &options,
                                                        double percussion_factor, bool one_by_one) {
  return std::make_unique<ConeReaction<dim>>(options, percussion_factor, one_by_one);
}

PERCUSSION_INSTANTIATE(make_cone_reaction);

} // namespace percussion
