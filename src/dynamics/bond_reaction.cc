#include <percussion/algebra/contact_system.h>
#include <percussion/base/instantiate.h>
#include <percussion/dynamics/bonds.h>
#include <percussion/dynamics/reaction.h>

#include "joined_contacts.h"
#include "reaction_decorator.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

/// State of a bond in the iterations of a step.
enum class BondState {
  holds, ///< a tie: its opening is kept
  bears, ///< a rigid bond whose traction is its strength: others keep its opening, or it opens next
  opens  ///< its traction follows from its opening
};

/// Solves the law of contacts with bonds by Newton's method for the tractions of bonds. Rigid bonds
/// keep their openings as ties do, until their tractions reach the strength. Then they bear this,
/// and open if nothing else keeps their openings: where bonds meet, some may be redundant, and the
/// strength of one decides how they share their load. They hold again if an iteration would reverse
/// the opening.
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
      n_reversals = 0;
      states.clear();
      for (const PosedBond<dim> &bond : law.bonds)
        states.push_back(bond.is_tie() || bond.is_rigid() ? BondState::holds : BondState::opens);
      strengths.assign(law.bonds.size(), {});
      sizes.assign(law.bonds.size(), 0.);
      if (auto failure = bodies.start(law, u, system, reaction))
        return failure;
    }
    stage.repeats = stage.may_be_rough = false;
    auto failure = iterate(law, system, stage, reaction);
    reaction.holds.clear();
    for (const BondState state : states)
      reaction.holds.push_back(state != BondState::opens);
    return failure;
  }

private:
  using ReactionDecorator<dim>::contacts;

  std::optional<Failure> iterate(const PosedLaw<dim> &law, ContactSystem &system,
                                 CorrectionStage stage, Reaction &reaction) {
    constexpr unsigned int max_iterations = 60, many_without_progress = 3;
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
      const bool decides = n_reversals == 0 || missing <= small;
      const bool has_changed = change_rigid_bonds(law, reaction.bond, next, decides);
      if (has_changed) // other equations
        least_missing = std::numeric_limits<double>::infinity();
      const bool makes_progress = missing < slow * least_missing;
      n_without_progress = makes_progress ? 0 : n_without_progress + 1;
      if (makes_progress && !has_changed)
        least_missing = missing;
      const bool is_round_off = missing <= round_off && n_without_progress >= many_without_progress;
      if (reaction.converged && !has_changed && (missing <= tolerance || is_round_off))
        return {};
      // Bonds at the peak of the law may alternate between their branches.
      const double fraction = k % 8 >= 6 ? 0.5 : 1.;
      for (std::size_t r = 0; r < next.size(); ++r)
        velocity[r] += fraction * (next[r] - velocity[r]);
    }
    if (n_reversals > max_iterations / 4)
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
      const bool holds = states[i] == BondState::holds,
                 closes = holds && bond.traction == BondTraction::end;
      for (unsigned int r = 0; r < dim && closes; ++r)
        tangents.tie_velocities[first + r] = -(r == 0 ? bond.start : bond.opening[r]) / h;
      for (unsigned int r = 0; r < dim && states[i] == BondState::bears; ++r)
        tangents.constant[first + r] = -h * bond.area * strengths[i][r];
      if (states[i] == BondState::opens) {
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
      if (states[i] == BondState::holds)
        continue;
      for (unsigned int r = 0; r < dim; ++r) {
        double &percussion = reaction.bond[first + r];
        percussion = tangents.constant[first + r];
        for (unsigned int c = 0; c < dim; ++c)
          percussion -= tangents.joints[i].S[dim * r + c] * next[first + c];
      }
      if (states[i] == BondState::bears)
        continue;
      const BondStep<dim> step = step_of(bond, next, h);
      sizes[i] = equivalent_traction<dim>(*bond.law, step.traction);
      for (unsigned int r = 0; r < dim; ++r)
        missing = std::max(missing,
                           std::abs(reaction.bond[first + r] + h * bond.area * step.traction[r]));
    }
    const double largest = std::max(largest_of(reaction.bond), largest_of(reaction.p));
    return largest > 0. ? missing / largest : 0.;
  }

  /// Lets rigid bonds bear their strength whose tractions are above it, opens those that move in
  /// the direction of their strength, and, if it `decides`, holds those that move backward. Once a
  /// bond has moved backward, only the one that is most above its strength changes at a time,
  /// because redundant bonds share their load in another way. Returns true if a state has changed.
  bool change_rigid_bonds(const PosedLaw<dim> &law, const std::vector<double> &percussions,
                          std::vector<double> &next, bool decides) {
    constexpr double round_off = 1e-9;
    std::vector<std::size_t> overloaded;
    double largest_load = 1. + round_off;
    bool has_changed = false;
    for (std::size_t i = 0; i < law.bonds.size(); ++i) {
      const PosedBond<dim> &bond = law.bonds[i];
      if (!bond.is_rigid())
        continue;
      if (states[i] != BondState::holds) {
        has_changed = change_opening(i, bond, next, percussions, decides) || has_changed;
        continue;
      }
      const double load = load_of(bond, percussions);
      if (!decides || !(load > (n_reversals > 0 ? largest_load : 1. + round_off)))
        continue;
      if (n_reversals > 0)
        overloaded.clear();
      overloaded.push_back(i);
      largest_load = load;
    }
    for (const std::size_t i : overloaded)
      bear(i, law.bonds[i], traction_of(law.bonds[i], percussions));
    return has_changed || !overloaded.empty();
  }

  /// Returns the traction of a bond.
  std::array<double, dim> traction_of(const PosedBond<dim> &bond,
                                      const std::vector<double> &percussions) const {
    std::array<double, dim> traction;
    for (unsigned int r = 0; r < dim; ++r)
      traction[r] = -percussions[dim * bond.contact + r] / (h * bond.area);
    return traction;
  }
  /// Returns the traction of a rigid bond over its strength.
  double load_of(const PosedBond<dim> &bond, const std::vector<double> &percussions) const {
    return equivalent_traction<dim>(*bond.law, traction_of(bond, percussions)) / bond.law->strength;
  }
  /// Lets a rigid bond bear its strength in the direction of a traction.
  void bear(std::size_t i, const PosedBond<dim> &bond, std::array<double, dim> traction) {
    traction[0] = std::max(traction[0], 0.); // contact bears pressure
    const double size = equivalent_traction<dim>(*bond.law, traction);
    for (double &component : traction)
      component *= bond.law->strength / size;
    strengths[i] = traction;
    sizes[i] = bond.law->strength;
    states[i] = BondState::bears;
  }
  /// Changes the state of a rigid bond that bears its strength or opens. Its traction t and opening
  /// w are those of the tangents; as with friction, t is the part of t + ρ w within the strength,
  /// for any ρ > 0. This gives the direction in which it opens next, which w alone gives badly: the
  /// traction of the smallest opening has the size of the strength. Returns true if the state is
  /// another one.
  bool change_opening(std::size_t i, const PosedBond<dim> &bond, std::vector<double> &next,
                      const std::vector<double> &percussions, bool decides) {
    constexpr double round_off = 1e-11; // of the largest velocity
    const BondState last = states[i];
    const std::size_t first = dim * bond.contact;
    const BondOpening<dim> opening = end_opening<dim>(bond, next, h);
    double response = 0, largest_motion = 0;
    for (unsigned int r = 0; r < dim; ++r) {
      response = std::max(response, bodies.response(first + r));
      largest_motion = std::max(largest_motion, std::abs(opening[r]));
    }
    const double rho = 1. / (h * h * bond.area * response); // finite, since the bond moves
    std::array<double, dim> sum = traction_of(bond, percussions);
    for (unsigned int r = 0; r < dim && largest_motion > 0.; ++r)
      sum[r] += rho * (r == 0 ? 1. : bond.law->shear_ratio) * opening[r];
    const double size = equivalent_traction<dim>(*bond.law, sum);
    if (largest_motion <= round_off * h * largest_of(next)) {
      if (last == BondState::opens)
        bear(i, bond, sum);
    } else if (size > sizes[i]) {
      states[i] = BondState::opens;
      sum[0] = std::max(sum[0], 0.);
      for (unsigned int r = 0; r < dim; ++r) {
        const double w =
            (1. - sizes[i] / size) * sum[r] / (rho * (r == 0 ? 1. : bond.law->shear_ratio));
        next[first + r] = (w - (r == 0 ? bond.start : bond.opening[r])) / h;
      }
    } else if (decides) {
      states[i] = BondState::holds;
      ++n_reversals;
    }
    return states[i] != last;
  }

  JoinedContacts<dim> bodies;
  std::vector<BondState> states;                  ///< states of all bonds
  std::vector<std::array<double, dim>> strengths; ///< tractions of bonds that bear their strength
  std::vector<double> sizes;    ///< sizes of the tractions of rigid bonds by the law [stress]
  unsigned int n_reversals = 0; ///< number of bonds that moved backward in an interval
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
