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
  const std::vector<double> &p; ///< percussions, row by row of H
  const std::vector<double> &u; ///< velocities û of the law, offsets included
  double velocity_unit;         ///< unit of û [velocity]
  double velocity_error;        ///< error of û, in its unit: round-off or the residual
};

/// Returns the contacts whose tangential restitution must be raised: their percussions do positive
/// work with the least restitution, beyond the error of the velocities. A contact is raised once
/// only, so that repetitions end (theory.md).
template <int dim>
std::vector<std::size_t> contacts_to_raise(const PosedLaw<dim> &law, const LawSolution &solution,
                                           const std::vector<double> &offset,
                                           const Reaction &reaction) {
  std::vector<std::size_t> contacts;
  for (std::size_t i = 0; i < law.takes_least_e_T.size(); ++i) {
    if (!law.takes_least_e_T[i] || (!reaction.is_raised.empty() && reaction.is_raised[i]))
      continue;
    double work = 0, size = 0;
    for (unsigned int t = 1; t < dim; ++t) {
      const std::size_t r = dim * i + t;
      const double p = law.percussion(solution.p, i, t);
      work += p * (solution.u[r] - offset[r] / solution.velocity_unit);
      size += std::abs(p);
    }
    if (work > solution.velocity_error * size)
      contacts.push_back(i);
  }
  return contacts;
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
