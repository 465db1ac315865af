#include <percussion/algebra/contact_system.h>
#include <percussion/base/instantiate.h>
#include <percussion/dynamics/bonds.h>
#include <percussion/dynamics/reaction.h>

#include "joined_contacts.h"
#include "reaction_decorator.h"
#include "rigid_bonds.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

/// Solves the law of contacts with bonds by Newton's method for the tractions of bonds. The states
/// of rigid bonds change between its iterations; if they cycle, sweeps over the bonds find states,
/// with which Newton's method solves the law.
template <int dim>
class BondReaction final : public ReactionDecorator<dim> {
public:
  BondReaction(std::unique_ptr<ReactionSolver<dim>> solver, double factor)
      : ReactionDecorator<dim>(std::move(solver)), bodies(factor) {}

  void start_interval(const Interval &interval) override {
    h = interval.h;
    contacts->start_interval(interval);
  }
  std::optional<Failure> solve(const PosedLaw<dim> &law, const std::vector<double> &u,
                               ContactSystem &system, CorrectionStage stage,
                               Reaction &reaction) override {
    if (law.bonds.empty())
      return contacts->solve(law, u, system, stage, reaction);
    if (!stage.repeats) {
      // The first tangents are at the openings of the beginning: openings without bonds would lie
      // beyond the range of any bond.
      velocity = reaction.bond.empty() ? std::vector<double>(u.size(), 0.) : u;
      bonds.start(law);
      if (auto failure = bodies.start(law, u, system, reaction))
        return failure;
    }
    stage.repeats = stage.may_be_rough = false;
    auto failure = iterate(law, system, stage, reaction);
    reaction.holds.clear();
    for (std::size_t i = 0; i < law.bonds.size(); ++i)
      reaction.holds.push_back(bonds.state(i) != BondState::opens);
    return failure;
  }

private:
  using ReactionDecorator<dim>::contacts;

  /// Treatment of the states of rigid bonds by Newton's method.
  enum class States {
    change, ///< they follow from its iterations
    found   ///< they are given, except that bonds open that move and bear their tractions
  };

  /// Solves the law with states that change in Newton's method or, if this fails, with states that
  /// sweeps find: twice as many for each attempt, because tractions may be close to the strength.
  std::optional<Failure> iterate(const PosedLaw<dim> &law, ContactSystem &system,
                                 CorrectionStage stage, Reaction &reaction) {
    constexpr unsigned int first_iterations = 30, max_iterations = 60, max_attempts = 6;
    const bool has_rigid = std::any_of(law.bonds.begin(), law.bonds.end(),
                                       [](const PosedBond<dim> &bond) { return bond.is_rigid(); });
    tie_start.assign(velocity.size(), 0.);
    auto failure = newton(law, system, stage, reaction, States::change,
                          has_rigid ? first_iterations : max_iterations);
    stage.is_first = false;
    for (unsigned int attempt = 0; failure && has_rigid && attempt < max_attempts; ++attempt) {
      if (auto no_states = find_states(law, system, stage, reaction, 1U << attempt))
        return no_states;
      failure = newton(law, system, stage, reaction, States::found, first_iterations);
    }
    return failure;
  }

  /// Finds states of rigid bonds by sweeps in turn with the solution of the other contacts.
  std::optional<Failure> find_states(const PosedLaw<dim> &law, ContactSystem &system,
                                     const CorrectionStage &stage, Reaction &reaction,
                                     unsigned int n_turns) {
    reaction.bond.resize(velocity.size(), 0.);
    tie_start.assign(velocity.size(), 0.);
    for (unsigned int turn = 0; turn < n_turns; ++turn) {
      bonds.sweep(law, bodies, h, reaction, velocity);
      bonds.bear_all(law, reaction.bond, h);
      JointEquations tangents = linearise(law, true);
      std::vector<double> next;
      if (auto failure = solve_tangents(law, system, stage, tangents, reaction, next))
        return failure;
      take_tractions(law, tangents, next, reaction);
      velocity = next;
    }
    bonds.sweep(law, bodies, h, reaction, velocity);
    tie_start = reaction.bond;
    bonds.release_redundant(law, bodies, reaction.bond, h);
    return {};
  }

  /// Iterates until the tractions of all bonds obey their laws. Fails if they do not converge.
  std::optional<Failure> newton(const PosedLaw<dim> &law, ContactSystem &system,
                                CorrectionStage stage, Reaction &reaction, States treatment,
                                unsigned int max_iterations) {
    constexpr unsigned int many_without_progress = 3;
    // Slender bodies leave more round-off in the openings, and bonds are stiff.
    constexpr double tolerance = 1e-13, round_off = 1e-9, slow = 0.5, small = 1e-3;
    double least_missing = std::numeric_limits<double>::infinity();
    unsigned int n_without_progress = 0;
    for (unsigned int k = 1; k <= max_iterations; ++k) {
      JointEquations tangents = linearise(law, true);
      std::vector<double> next;
      if (auto failure = solve_tangents(law, system, stage, tangents, reaction, next))
        return failure;
      stage.is_first = false;
      const double missing = take_tractions(law, tangents, next, reaction);
      // Once a bond has moved backward, others may do so on the way to a solution.
      const bool decides = bonds.n_reversed() == 0 || missing <= small;
      const bool has_changed = treatment == States::change
                                   ? bonds.change(law, bodies, reaction.bond, h, decides, next)
                                   : bonds.open_moving(law, bodies, next, h);
      if (has_changed) // other equations
        least_missing = std::numeric_limits<double>::infinity();
      const bool makes_progress = missing < slow * least_missing;
      n_without_progress = makes_progress ? 0 : n_without_progress + 1;
      if (makes_progress && !has_changed)
        least_missing = missing;
      const bool is_round_off = missing <= round_off && n_without_progress >= many_without_progress;
      if (reaction.converged && !has_changed && (missing <= tolerance || is_round_off)) {
        if (treatment == States::change || !bonds.is_overloaded(law, reaction.bond, h))
          return {};
        break;
      }
      // Bonds at the peak of the law may alternate between their branches.
      const double fraction = k % 8 >= 6 ? 0.5 : 1.;
      for (std::size_t r = 0; r < next.size(); ++r)
        velocity[r] += fraction * (next[r] - velocity[r]);
    }
    if (bonds.n_reversed() > max_iterations / 4)
      return Failure{"rigid bonds open and hold in turn; take a smaller Time/Step"};
    if (reaction.converged)
      return Failure{
          "the tractions of the bonds do not converge: bonds that soften release more "
          "energy than the bodies take in a step, and the crack runs ahead of the loads; "
          "take a smaller Time/Step or, without inertia, a run with inertia"};
    return {};
  }

  /// Solves the law of contacts with tangents. Writes the percussions of ties and the velocities of
  /// all rows. Bonds that soften may make the bodies unstable on the way to the solution; then the
  /// tangents are without softening.
  std::optional<Failure> solve_tangents(const PosedLaw<dim> &law, ContactSystem &system,
                                        const CorrectionStage &stage, JointEquations &tangents,
                                        Reaction &reaction, std::vector<double> &next) {
    std::vector<double> ties(velocity.size(), 0.);
    auto failure = bodies.solve(*contacts, law, tangents, system, stage, reaction, next, ties);
    if (failure) {
      tangents = linearise(law, false);
      failure = bodies.solve(*contacts, law, tangents, system, stage, reaction, next, ties);
    }
    add(tie_start, ties);
    reaction.bond = std::move(ties);
    return failure;
  }

  /// Linearises the percussions of all bonds at the velocities. The law of contacts requires
  /// symmetric tangents; without softening they are positive. Without inertia ties close what has
  /// opened; with it this would take work.
  JointEquations linearise(const PosedLaw<dim> &law, bool has_softening) const {
    JointEquations tangents(velocity.size());
    for (std::size_t i = 0; i < law.bonds.size(); ++i) {
      const PosedBond<dim> &bond = law.bonds[i];
      const std::size_t first = dim * bond.contact;
      std::vector<double> S(dim * dim, 0.);
      const bool holds = bonds.state(i) == BondState::holds,
                 closes = holds && bond.traction == BondTraction::end;
      for (unsigned int r = 0; r < dim && holds; ++r)
        tangents.constant[first + r] = tie_start[first + r];
      for (unsigned int r = 0; r < dim && closes; ++r)
        tangents.tie_velocities[first + r] = -(r == 0 ? bond.start : bond.opening[r]) / h;
      for (unsigned int r = 0; r < dim && bonds.state(i) == BondState::bears; ++r)
        tangents.constant[first + r] = -h * bond.area * bonds.borne_traction(i)[r];
      if (bonds.state(i) == BondState::opens) {
        const BondStep<dim> step = step_of(bond, velocity, h);
        for (unsigned int r = 0; r < dim; ++r) {
          tangents.constant[first + r] = -h * bond.area * step.traction[r];
          for (unsigned int c = 0; c < dim; ++c) {
            const double slope = has_softening
                                     ? 0.5 * (step.tangent[dim * r + c] + step.tangent[dim * c + r])
                                 : r == c ? step.secant[r]
                                          : 0.;
            S[dim * r + c] = h * h * bond.area * slope;
            tangents.constant[first + r] += S[dim * r + c] * velocity[first + c];
          }
        }
      }
      tangents.joints.push_back({first, holds, std::move(S)});
    }
    return tangents;
  }

  /// Takes the percussions of bonds by the tangents, with which the bodies move as in `next`.
  /// Returns their largest difference from the law, relative to the largest percussion.
  double take_tractions(const PosedLaw<dim> &law, const JointEquations &tangents,
                        const std::vector<double> &next, Reaction &reaction) {
    double missing = 0;
    for (std::size_t i = 0; i < law.bonds.size(); ++i) {
      const PosedBond<dim> &bond = law.bonds[i];
      const std::size_t first = dim * bond.contact;
      if (bonds.state(i) == BondState::holds)
        continue;
      for (unsigned int r = 0; r < dim; ++r) {
        double &percussion = reaction.bond[first + r];
        percussion = tangents.constant[first + r];
        for (unsigned int c = 0; c < dim; ++c)
          percussion -= tangents.joints[i].S[dim * r + c] * next[first + c];
      }
      if (bonds.state(i) == BondState::bears)
        continue;
      const BondStep<dim> step = step_of(bond, next, h);
      bonds.set_size(i, equivalent_traction<dim>(*bond.law, step.traction));
      for (unsigned int r = 0; r < dim; ++r)
        missing = std::max(missing,
                           std::abs(reaction.bond[first + r] + h * bond.area * step.traction[r]));
    }
    const double largest = std::max(largest_of(reaction.bond), largest_of(reaction.p));
    return largest > 0. ? missing / largest : 0.;
  }

  JoinedContacts<dim> bodies;
  RigidBonds<dim> bonds; ///< states of the bonds
  /// Given percussions of ties, from which redundant ties deviate as little as possible.
  std::vector<double> tie_start;
  double h = 0;
  std::vector<double> velocity; ///< velocities of all rows at which bonds are linearised
};

} // namespace

template <int dim>
std::unique_ptr<ReactionSolver<dim>>
make_bond_reaction(std::unique_ptr<ReactionSolver<dim>> contact_reaction,
                   double percussion_factor) {
  return std::make_unique<BondReaction<dim>>(std::move(contact_reaction), percussion_factor);
}

PERCUSSION_INSTANTIATE(make_bond_reaction);

} // namespace percussion
