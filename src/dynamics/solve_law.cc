#include "solve_law.h"

#include <percussion/algebra/contact_system.h>
#include <percussion/base/instantiate.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Tangential velocities, percussion and work of a contact, by the rows of H.
template <int dim>
struct Tangential {
  double work = 0;       ///< p_T · u_θ,T, as û − a = u_θ [energy]
  double percussion = 0; ///< Σ |p_t| [impulse]
  double offset = 0;     ///< Σ |a_t| with e_T = 0 [velocity]
  /// −(u_θ + a)_T · a_T with e_T = 0: positive if the velocity at the end has a component along the
  /// velocity at the beginning.
  double end_along_start = 0;

  Tangential(const PosedLaw<dim> &law, const Reaction &reaction, std::size_t i) {
    for (unsigned int t = 1; t < dim; ++t) {
      const std::size_t r = dim * i + t;
      const double p = law.percussion(reaction.p, i, t), u = reaction.u[r] - reaction.offset[r];
      work += p * u;
      percussion += std::abs(p);
      offset += std::abs(law.offset[r]);
      end_along_start -= (u + law.offset[r]) * law.offset[r];
    }
  }
};

/// Contacts that need another tangential restitution.
struct WrongRestitutions {
  std::vector<std::size_t> contacts;
  bool are_certain = true; ///< true if none depends on the error of the balance
};

/// Finds the contacts that need another tangential restitution. The work of a percussion is
/// positive if it exceeds the error of the velocities; the velocity û_T of a sticking contact is 0
/// without error. A contact slips on if its velocity at the end, with the percussions of e_T =
/// (1−θ)/θ, has a component along its velocity at the beginning. Velocities and percussions have
/// the relative error `balance_error`, which further corrections reduce.
template <int dim>
WrongRestitutions wrong_restitutions(const PosedLaw<dim> &law, const Reaction &reaction,
                                     double balance_error) {
  double largest_velocity = 0;
  for (const double u : reaction.u)
    largest_velocity = std::max(largest_velocity, std::abs(u));
  WrongRestitutions wrong;
  for (std::size_t i = 0; i < reaction.restitution.size(); ++i) {
    const bool is_least = reaction.restitution[i] == TangentialRestitution::least;
    if (!is_least && reaction.restitution[i] != TangentialRestitution::slipping)
      continue;
    const Tangential<dim> tangential(law, reaction, i);
    const bool slips = reaction.status[i] == ContactStatus::slip;
    if (is_least ? tangential.work > reaction.velocity_error * tangential.percussion
                 : reaction.status[i] == ContactStatus::stick ||
                       (slips && tangential.end_along_start <= 0.))
      wrong.contacts.push_back(i);
    const double uncertain_velocity =
        balance_error * (slips || !is_least ? largest_velocity : tangential.offset);
    if (is_least ? std::abs(tangential.work) < uncertain_velocity * tangential.percussion
                 : std::abs(tangential.end_along_start) < uncertain_velocity * tangential.offset)
      wrong.are_certain = false;
  }
  return wrong;
}

/// Gives a contact the next restitution. A contact that slips on is once given the least one, and a
/// contact with the least one once (1−θ)/θ, so that repetitions end.
template <int dim>
void change_restitution(const PosedLaw<dim> &law, std::size_t i, Reaction &reaction) {
  TangentialRestitution &restitution = reaction.restitution[i];
  restitution = restitution == TangentialRestitution::slipping ? TangentialRestitution::least
                                                               : TangentialRestitution::mean;
  for (std::size_t r = dim * i + 1; r < dim * (i + 1); ++r)
    reaction.offset[r] = restitution == TangentialRestitution::least ? law.offset[r] : 0.;
}

/// Returns the largest change of percussions in a correction, relative to the largest percussion,
/// if the balance has an error; otherwise 0.
double balance_error(const CorrectionStage &stage, const std::vector<double> &p,
                     const std::vector<double> &last) {
  double change = 0, largest = 0;
  for (std::size_t r = 0; r < p.size() && stage.has_balance_error; ++r) {
    change = std::max(change, std::abs(p[r] - last[r]));
    largest = std::max(largest, std::abs(p[r]));
  }
  return change > 0. ? change / largest : 0.;
}

/// Changes the restitutions of contacts that need another one. Returns true if there are any. If
/// the stage does not decide, or if it is uncertain whether they do, the reaction awaits a later
/// correction.
template <int dim>
bool change_restitutions(const PosedLaw<dim> &law, const std::vector<double> &applied,
                         const CorrectionStage &stage, Reaction &reaction) {
  const WrongRestitutions wrong =
      wrong_restitutions(law, reaction, balance_error(stage, reaction.p, applied));
  const bool decides = stage.decides_restitutions && wrong.are_certain;
  reaction.awaits_restitutions = !decides && (!wrong.contacts.empty() || !wrong.are_certain);
  if (!decides || wrong.contacts.empty())
    return false;
  if (!reaction.first_solution)
    reaction.first_solution = ReactionGuess{reaction.p, reaction.status};
  for (const std::size_t i : wrong.contacts)
    change_restitution(law, i, reaction);
  return true;
}

} // namespace

template <int dim>
Reaction first_reaction(const PosedLaw<dim> &law) {
  Reaction reaction;
  reaction.p.assign(law.H.n_rows(), 0.);
  reaction.restitution = law.restitution;
  reaction.offset = law.offset;
  for (std::size_t i = 0; i < law.restitution.size(); ++i)
    if (law.restitution[i] == TangentialRestitution::slipping)
      std::fill_n(&reaction.offset[dim * i + 1], dim - 1, 0.);
  return reaction;
}

template <int dim>
std::optional<Failure> solve_law(const PosedLaw<dim> &law, const std::vector<double> &u,
                                 ReactionSolver<dim> &solver, ContactSystem &system,
                                 CorrectionStage stage, Reaction &reaction) {
  const std::vector<double> applied = reaction.p;
  stage.may_be_rough = stage.decides_restitutions && law.chooses_restitutions();
  for (;; stage.repeats = true) {
    if (auto failure = solver.solve(law, u, system, stage, reaction))
      return failure;
    reaction.awaits_restitutions = false;
    const bool changes = reaction.converged && change_restitutions(law, applied, stage, reaction);
    if (changes && reaction.is_preliminary)
      return {};
    if (!changes && !reaction.is_rough)
      return {};
    if (changes)
      stage.decides_restitutions = stage.decides_again;
    stage.may_be_rough = changes && stage.may_be_rough && stage.decides_restitutions;
  }
}

ReactionGuess first_solution(const Reaction &reaction) {
  return reaction.first_solution.value_or(ReactionGuess{reaction.p, reaction.status});
}

PERCUSSION_INSTANTIATE(first_reaction);
PERCUSSION_INSTANTIATE(solve_law);

} // namespace percussion
