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

/// Solves the law of contacts with bonds by Newton's method for the tractions of bonds. Rigid bonds
/// keep their openings as ties do, until their tractions reach the strength: then they open, and
/// hold again if an iteration would reverse the opening.
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
      n_reversals.assign(law.bonds.size(), 0);
      reaction.holds.clear();
      for (const PosedBond<dim> &bond : law.bonds)
        reaction.holds.push_back(bond.is_tie() || bond.is_rigid());
      if (auto failure = bodies.start(law, u, system, reaction))
        return failure;
    }
    stage.repeats = stage.may_be_rough = false;
    return iterate(law, system, stage, reaction);
  }

private:
  using ReactionDecorator<dim>::contacts;

  std::optional<Failure> iterate(const PosedLaw<dim> &law, ContactSystem &system,
                                 CorrectionStage stage, Reaction &reaction) {
    constexpr unsigned int max_iterations = 60, many_without_progress = 3;
    // Slender bodies leave more round-off in the openings, and bonds are stiff.
    constexpr double tolerance = 1e-13, round_off = 1e-9, slow = 0.5;
    double least = std::numeric_limits<double>::infinity();
    unsigned int n_without_progress = 0;
    for (unsigned int k = 1; k <= max_iterations; ++k) {
      JointEquations tangents = linearise(law, reaction.holds, true);
      std::vector<double> next, ties(velocity.size(), 0.);
      // Bonds that soften may make the bodies unstable on the way to the solution.
      auto failure = bodies.solve(*contacts, law, tangents, system, stage, reaction, next, ties);
      if (failure) {
        tangents = linearise(law, reaction.holds, false);
        failure = bodies.solve(*contacts, law, tangents, system, stage, reaction, next, ties);
      }
      if (failure)
        return failure;
      reaction.bond = std::move(ties);
      stage.is_first = false;
      const double missing = take_tractions(law, tangents, next, reaction);
      const bool holds_others = change_rigid_bonds(law, next, reaction);
      if (holds_others) // other equations
        least = std::numeric_limits<double>::infinity();
      const bool makes_progress = missing < slow * least;
      n_without_progress = makes_progress ? 0 : n_without_progress + 1;
      if (makes_progress && !holds_others)
        least = missing;
      const bool is_round_off = missing <= round_off && n_without_progress >= many_without_progress;
      if (reaction.converged && !holds_others && (missing <= tolerance || is_round_off))
        return {};
      // Bonds at the peak of the law may alternate between their branches.
      const double fraction = k % 8 >= 6 ? 0.5 : 1.;
      for (std::size_t r = 0; r < next.size(); ++r)
        velocity[r] += fraction * (next[r] - velocity[r]);
    }
    if (reaction.converged)
      return Failure{
          "the tractions of the bonds do not converge: bonds that soften release more "
          "energy than the bodies take in a step, and the crack runs ahead of the loads; "
          "take a smaller Time/Step or, without inertia, a run with inertia"};
    return {};
  }

  /// Linearises the percussions of all bonds at the velocities. The law of contacts requires
  /// symmetric tangents; without softening they are positive. Without inertia ties close what has
  /// opened; with it this would take work.
  JointEquations linearise(const PosedLaw<dim> &law, const std::vector<bool> &holds,
                           bool has_softening) const {
    JointEquations tangents(velocity.size());
    const std::vector<double> no_velocities(velocity.size(), 0.);
    for (std::size_t i = 0; i < law.bonds.size(); ++i) {
      const PosedBond<dim> &bond = law.bonds[i];
      const std::size_t first = dim * bond.contact;
      std::vector<double> S(dim * dim, 0.);
      const bool closes = holds[i] && bond.traction == BondTraction::end;
      const BondOpening<dim> kept = bond.is_tie() ? BondOpening<dim>{} : bond.opening;
      const BondOpening<dim> without_motion = end_opening<dim>(bond, no_velocities, h);
      for (unsigned int r = 0; r < dim && closes; ++r)
        tangents.tie_velocities[first + r] = (kept[r] - without_motion[r]) / h;
      if (!holds[i]) {
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
      tangents.joints.push_back({first, holds[i], std::move(S)});
    }
    return tangents;
  }

  /// Takes the percussions of bonds at the velocities. Returns their largest difference from the
  /// tangents, relative to the largest percussion.
  double take_tractions(const PosedLaw<dim> &law, const JointEquations &tangents,
                        const std::vector<double> &next, Reaction &reaction) const {
    double missing = 0;
    for (std::size_t i = 0; i < law.bonds.size(); ++i) {
      const PosedBond<dim> &bond = law.bonds[i];
      if (reaction.holds[i])
        continue;
      const std::size_t first = dim * bond.contact;
      const BondStep<dim> step = step_of(bond, next, h);
      for (unsigned int r = 0; r < dim; ++r) {
        double linear = tangents.constant[first + r];
        for (unsigned int c = 0; c < dim; ++c)
          linear -= tangents.joints[i].S[dim * r + c] * next[first + c];
        reaction.bond[first + r] = -h * bond.area * step.traction[r];
        missing = std::max(missing, std::abs(reaction.bond[first + r] - linear));
      }
    }
    const double largest = std::max(largest_of(reaction.bond), largest_of(reaction.p));
    return largest > 0. ? missing / largest : 0.;
  }

  /// Opens rigid bonds whose tractions are above the strength, in their direction, and holds those
  /// whose opening reverses. Returns true if another bond holds or opens.
  bool change_rigid_bonds(const PosedLaw<dim> &law, std::vector<double> &next, Reaction &reaction) {
    constexpr unsigned int most_reversals = 3;
    bool others = false;
    for (std::size_t i = 0; i < law.bonds.size(); ++i) {
      const PosedBond<dim> &bond = law.bonds[i];
      if (!bond.is_rigid())
        continue;
      if (reaction.holds[i]) {
        if (!opens(bond, reaction.bond, next))
          continue;
        reaction.holds[i] = n_reversals[i] > most_reversals; // then the step fails
      } else if (reverses(bond, next)) {
        reaction.holds[i] = true;
        ++n_reversals[i];
      } else
        continue;
      others = true;
    }
    return others;
  }

  /// True if the traction of a rigid bond that holds is above its strength. Then the bond opens in
  /// its direction; the traction is linear in the size of the opening, which may be any.
  bool opens(const PosedBond<dim> &bond, const std::vector<double> &percussions,
             std::vector<double> &next) const {
    constexpr double round_off = 1e-9, part_of_final = 1e-3;
    const std::size_t first = dim * bond.contact;
    std::array<double, dim> traction;
    for (unsigned int r = 0; r < dim; ++r)
      traction[r] = -percussions[first + r] / (h * bond.area);
    const double size = equivalent_traction<dim>(*bond.law, traction);
    if (!(size > (1. + round_off) * (1. - bond.damage) * bond.law->strength))
      return false;
    const double opening = part_of_final * final_opening(*bond.law) / size;
    next[first] = (opening * std::max(traction[0], 0.) - bond.start) / h;
    for (unsigned int t = 1; t < dim; ++t)
      next[first + t] = (opening * traction[t] / bond.law->shear_ratio - bond.opening[t]) / h;
    return true;
  }

  /// True if the opening of a rigid bond turns back from the one of the last iteration.
  bool reverses(const PosedBond<dim> &bond, const std::vector<double> &next) const {
    const BondOpening<dim> last = end_opening<dim>(bond, velocity, h),
                           now = end_opening<dim>(bond, next, h);
    double product = std::max(last[0], 0.) * std::max(now[0], 0.);
    for (unsigned int t = 1; t < dim; ++t)
      product += bond.law->shear_ratio * last[t] * now[t];
    return !(product > 0.);
  }

  JoinedContacts<dim> bodies;
  std::vector<unsigned int> n_reversals; ///< for each bond, in an interval
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
