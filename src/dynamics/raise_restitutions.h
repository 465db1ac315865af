#pragma once

#include <percussion/dynamics/reaction.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace percussion {

/// Smallest error of velocities relative to the largest free velocity, below which the sign of a
/// work is round-off.
constexpr double round_off_of_work = 1e-13;

/// Solution of the law in the units of its solver.
struct LawSolution {
  const std::vector<double> &p;             ///< percussions, row by row of H
  const std::vector<double> &u;             ///< velocities û of the law, offsets included
  const std::vector<ContactStatus> &status; ///< status of each contact
  double velocity_unit;                     ///< unit of û [velocity]
  double velocity_error;                    ///< error of û, in its unit: round-off or the residual
  /// Error that further corrections of the balance reduce, relative to the largest component of û
  /// or p: estimated by the change of p in this correction.
  double balance_error;
};

/// Returns the largest change of percussions in a correction, relative to the largest percussion,
/// if the balance has an error; otherwise 0.
inline double balance_error(const CorrectionStage &stage, const std::vector<double> &p,
                            const std::vector<double> &last) {
  double change = 0, largest = 0;
  for (std::size_t r = 0; r < p.size() && stage.has_balance_error; ++r) {
    change = std::max(change, std::abs(p[r] - last[r]));
    largest = std::max(largest, std::abs(p[r]));
  }
  return change > 0. ? change / largest : 0.;
}

/// Tangential works of the percussions with the least restitution.
struct LeastWorks {
  std::vector<std::size_t> positive; ///< contacts with positive work
  bool have_certain_signs = true;    ///< true if no sign depends on the error of the balance
};

/// Returns the works of contacts that have not been raised. A work is positive if it exceeds the
/// error of the velocities. The velocity û_T of a sticking contact is 0 without error. A contact is
/// raised once only, so that repetitions end (theory.md).
template <int dim>
LeastWorks least_works(const PosedLaw<dim> &law, const LawSolution &solution,
                       const std::vector<double> &offset, const Reaction &reaction) {
  double largest_velocity = 0;
  for (std::size_t r = 0; r < solution.u.size(); ++r)
    largest_velocity = std::max(largest_velocity, std::abs(solution.u[r]));
  LeastWorks works;
  for (std::size_t i = 0; i < law.takes_least_e_T.size(); ++i) {
    if (!law.takes_least_e_T[i] || (!reaction.is_raised.empty() && reaction.is_raised[i]))
      continue;
    double work = 0, size = 0, offset_size = 0;
    for (unsigned int t = 1; t < dim; ++t) {
      const std::size_t r = dim * i + t;
      const double p = law.percussion(solution.p, i, t);
      work += p * (solution.u[r] - offset[r] / solution.velocity_unit);
      size += std::abs(p);
      offset_size += std::abs(offset[r]) / solution.velocity_unit;
    }
    if (work > solution.velocity_error * size)
      works.positive.push_back(i);
    const double velocity =
        solution.status[i] == ContactStatus::slip ? largest_velocity : offset_size;
    if (std::abs(work) < solution.balance_error * velocity * size)
      works.have_certain_signs = false;
  }
  return works;
}

/// Returns the contacts whose restitution must be raised now. If the stage does not decide, or if
/// signs are uncertain, the reaction awaits a later correction.
template <int dim>
std::vector<std::size_t> contacts_to_raise(const PosedLaw<dim> &law, const LawSolution &solution,
                                           const std::vector<double> &offset,
                                           const CorrectionStage &stage, Reaction &reaction) {
  LeastWorks works = least_works<dim>(law, solution, offset, reaction);
  const bool decides = stage.decides_restitutions && works.have_certain_signs;
  reaction.awaits_raising = !decides && (!works.positive.empty() || !works.have_certain_signs);
  return decides ? std::move(works.positive) : std::vector<std::size_t>();
}

/// Raises the tangential restitution of contacts to (1−θ)/θ: their tangential offsets become zero.
/// `first` is the solution before.
template <int dim>
void raise(const std::vector<std::size_t> &contacts, ReactionGuess first,
           std::vector<double> &offset, Reaction &reaction) {
  if (reaction.is_raised.empty())
    reaction.first_solution = std::move(first);
  reaction.is_raised.resize(offset.size() / dim);
  for (const std::size_t i : contacts) {
    reaction.is_raised[i] = true;
    std::fill_n(&offset[dim * i + 1], dim - 1, 0.);
  }
}

} // namespace percussion
