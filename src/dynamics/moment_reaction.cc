#include <percussion/algebra/contact_system.h>
#include <percussion/base/format.h>
#include <percussion/base/instantiate.h>
#include <percussion/dynamics/reaction.h>

#include "reaction_decorator.h"
#include <algorithm>
#include <cmath>
#include <optional>

namespace percussion {
namespace {

template <int dim>
class MomentReaction final : public ReactionDecorator<dim> {
public:
  MomentReaction(std::unique_ptr<ReactionSolver<dim>> contact_reaction, double t)
      : ReactionDecorator<dim>(std::move(contact_reaction)), tolerance(t) {}

  /// Iterates, and solves the coupled law if the iterations fail. Restitutions that change in a
  /// correction are then solved with the coupled law, too.
  std::optional<Failure> solve(const PosedLaw<dim> &law, const std::vector<double> &u,
                               ContactSystem &system, CorrectionStage stage,
                               Reaction &reaction) override {
    if (law.moments.empty())
      return contacts->solve(law, u, system, stage, reaction);
    if (!stage.repeats) {
      applied_percussions = reaction.p;
      coupled_law.reset();
    }
    if (coupled_law)
      return contacts->solve(*coupled_law, u, system, stage, reaction);
    auto failure = iterate(law, u, system, stage, reaction);
    if (!failure || !may_couple(law))
      return failure;
    couple(law, reaction);
    stage.repeats = false;
    stage.is_first = true;
    reaction.p = applied_percussions;
    return contacts->solve(*coupled_law, u, system, stage, reaction);
  }

private:
  using ReactionDecorator<dim>::contacts;

  /// Largest difference of the normal percussions of contacts and moments.
  struct Difference {
    double fraction = 0; ///< over the largest percussion [1]
    double velocity = 0; ///< difference of the offsets [velocity]
  };

  /// Repeats the solution with the normal percussions of the last one, until they stay. They depend
  /// on the moments only by the friction that balances the moments, so that errors shrink by about
  /// the ratio of the coefficient of rolling friction and the radius. If percussions are not unique
  /// they may go on changing: then the iterations fail, unless the change is within the tolerance.
  std::optional<Failure> iterate(const PosedLaw<dim> &law, const std::vector<double> &u,
                                 ContactSystem &system, CorrectionStage stage, Reaction &reaction) {
    constexpr double round_off = 1e-13, stagnation = 0.5;
    const double sufficient = may_couple(law) ? tolerance : std::max(tolerance, loose_tolerance);
    const unsigned int max_solutions = may_couple(law) ? 20 : 100;
    Difference last{}, difference{};
    set_normal_percussions(law, stage.is_first && !stage.repeats ? law.guesses.first.p : reaction.p,
                           reaction);
    unsigned int n_iterations = 0;
    for (unsigned int k = 0; k < max_solutions; ++k, stage.repeats = true) {
      if (auto failure = contacts->solve(law, u, system, stage, reaction))
        return failure;
      n_iterations = reaction.iterations += n_iterations;
      if (!reaction.converged || reaction.is_rough)
        return {};
      difference = set_normal_percussions(law, reaction.p, reaction);
      const double residual = difference.velocity / unit_of_residuals();
      const bool stagnates = k > 0 && difference.fraction > stagnation * last.fraction;
      if (difference.fraction <= round_off || (stagnates && residual <= sufficient)) {
        reaction.residual = std::max(reaction.residual, residual);
        return {};
      }
      if (stagnates && k > 2 && may_couple(law))
        break;
      last = difference;
    }
    return Failure{format("the normal percussions of %zu contacts and moments were not found "
                          "together: they still change by %.2g of the largest",
                          law.mu.size(), difference.fraction)};
  }

  /// True if a matrix of all rows is small enough.
  static bool may_couple(const PosedLaw<dim> &law) {
    constexpr unsigned int max_rows = 1500;
    return law.H.n_rows() <= max_rows && law.compliance.full.empty();
  }

  /// Makes the law in which the normal percussions of the moments are unknowns: û = c p − c p_N in
  /// their normal rows makes p = p_N. Its operator is dense and unsymmetric.
  void couple(const PosedLaw<dim> &law, Reaction &reaction) {
    coupled_law = law;
    const std::size_t n = law.H.n_rows(), n_contacts = law.active.contacts.size();
    std::vector<double> C(n * n, 0.);
    for (std::size_t r = 0; r < n; ++r)
      C[r * n + r] = law.compliance.diagonal[r];
    for (std::size_t k = 0; k < law.moments.size(); ++k) {
      const std::size_t row = dim * (n_contacts + k);
      C[row * n + dim * law.moments[k].contact] = -law.moments[k].compliance;
      reaction.offset[row] = 0.;
    }
    coupled_law->compliance = {{}, std::move(C)};
    coupled_law->guesses.first = {reaction.p, reaction.status};
  }

  /// Sets the normal percussions of moments to the normal percussions of their contacts in p.
  /// Without a percussion, the offset opens the rows of the moment, whose status is then certain.
  /// Returns the difference from the percussions set before.
  static Difference set_normal_percussions(const PosedLaw<dim> &law, const std::vector<double> &p,
                                           Reaction &reaction) {
    const std::size_t n_contacts = law.active.contacts.size();
    double largest = 0;
    for (std::size_t i = 0; i < n_contacts; ++i)
      largest = std::max(largest, p[dim * i]);
    Difference difference;
    for (std::size_t k = 0; k < law.moments.size(); ++k) {
      const ContactMoment &moment = law.moments[k];
      const double pressing = std::max(0., p[dim * moment.contact]);
      double &offset = reaction.offset[dim * (n_contacts + k)];
      const double change = std::abs(moment.compliance * pressing - std::max(0., -offset));
      difference.velocity = std::max(difference.velocity, change);
      if (change > 0.)
        difference.fraction = std::max(difference.fraction,
                                       largest > 0. ? change / (moment.compliance * largest) : 1.);
      offset = moment.compliance * (pressing > 0. ? -pressing : largest);
    }
    return difference;
  }

  /// Returns the velocity to which natural_map_residual() relates errors of offsets.
  double unit_of_residuals() const {
    const PosedProblem *const problem = contacts->posed_problem();
    if (problem == nullptr)
      return 1.;
    double square = 0;
    for (const double q : problem->problem.q)
      square += q * q;
    return (1. + std::sqrt(square)) * problem->velocity_unit;
  }

  /// Largest residual that is accepted from iterations without further progress, if there are too
  /// many rows for a matrix.
  static constexpr double loose_tolerance = 1e-8;

  double tolerance;
  std::vector<double> applied_percussions;  ///< percussions applied before the correction [impulse]
  std::optional<PosedLaw<dim>> coupled_law; ///< law of the correction, if iterations have failed
};

} // namespace

template <int dim>
std::unique_ptr<ReactionSolver<dim>>
make_moment_reaction(std::unique_ptr<ReactionSolver<dim>> contact_reaction, double tolerance) {
  return std::make_unique<MomentReaction<dim>>(std::move(contact_reaction), tolerance);
}

PERCUSSION_INSTANTIATE(make_moment_reaction);

} // namespace percussion
