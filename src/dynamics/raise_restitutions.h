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
};

/// Tangential works of the percussions with the least restitution.
struct LeastWorks {
  std::vector<std::size_t> positive; ///< contacts with positive work
  bool have_certain_signs = true;    ///< true if no sign depends on the error of the balance
};

inline double largest_component(const std::vector<double> &x) {
  double largest = 0;
  for (const double component : x)
    largest = std::max(largest, std::abs(component));
  return largest;
}

/// Returns the largest change of a component of each contact's percussion, relative to the largest
/// percussion.
inline std::vector<double> relative_changes(const std::vector<double> &last,
                                            const std::vector<double> &p, unsigned int dim) {
  std::vector<double> changes(p.size() / dim, 0.);
  const double largest = largest_component(p);
  for (std::size_t r = 0; r < dim * changes.size() && largest > 0.; ++r)
    changes[r / dim] = std::max(changes[r / dim], std::abs(p[r] - last[r]) / largest);
  return changes;
}

/// Returns the works of contacts that have not been raised. A work is positive if it exceeds the
/// error of the velocities. Its sign is uncertain if p and û with errors of each contact's
/// `balance_errors` [1], relative to their largest components, may turn it; empty: no errors. The
/// velocity û_T of a sticking contact is 0 without error. A contact whose percussion is below its
/// error is left to a later correction. A contact is raised once only, so that repetitions end
/// (theory.md).
template <int dim>
LeastWorks least_works(const PosedLaw<dim> &law, const LawSolution &solution,
                       const std::vector<double> &offset, const Reaction &reaction,
                       const std::vector<double> &balance_errors) {
  const double largest_u = largest_component(solution.u), largest_p = largest_component(solution.p);
  LeastWorks works;
  for (std::size_t i = 0; i < law.takes_least_e_T.size(); ++i) {
    if (!law.takes_least_e_T[i] || (!reaction.is_raised.empty() && reaction.is_raised[i]))
      continue;
    const double balance_error = balance_errors.empty() ? 0. : balance_errors[i];
    double work = 0, size = 0, velocity_size = 0;
    for (unsigned int t = 1; t < dim; ++t) {
      const std::size_t r = dim * i + t;
      const double p = law.percussion(solution.p, i, t), a = offset[r] / solution.velocity_unit,
                   velocity = solution.u[r] - a;
      work += p * velocity;
      size += std::abs(p);
      velocity_size += std::abs(velocity);
    }
    if (!(size > balance_error * largest_p))
      continue; // no percussion as far as is known
    if (work > solution.velocity_error * size)
      works.positive.push_back(i);
    const bool slips = solution.status[i] == ContactStatus::slip;
    const double error_of_work = (slips ? largest_u * size : 0.) + largest_p * velocity_size;
    if (std::abs(work) < balance_error * error_of_work)
      works.have_certain_signs = false;
  }
  return works;
}

/// Returns the contacts whose restitution must be raised by a solution. If corrections follow that
/// may turn the signs of works, none, and the reaction awaits the next correction.
template <int dim>
std::vector<std::size_t> contacts_to_raise(const PosedLaw<dim> &law, const LawSolution &solution,
                                           const std::vector<double> &offset,
                                           const CorrectionStage &stage, Reaction &reaction) {
  LeastWorks works = least_works<dim>(law, solution, offset, reaction, {});
  const bool decides = stage.decides_restitutions && !stage.is_preliminary();
  reaction.awaits_raising = !decides && !works.positive.empty();
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

/// Returns bounds of the errors of each contact's percussion after the last correction, relative to
/// the largest percussion: its last change, which further corrections reduce, and at least a tenth
/// of the largest change, because contacts depend on each other.
inline std::vector<double> errors_of_percussions(const Reaction &reaction) {
  constexpr double least_fraction = 0.1;
  std::vector<double> errors = reaction.change;
  const double least = least_fraction * largest_component(errors);
  for (double &error : errors)
    error = std::max(error, least);
  return errors;
}

/// Raises restitutions by the percussions and velocities u that the last correction has reached, if
/// the signs of all works are certain in spite of the error of the balance. Returns true if it has
/// raised any.
template <int dim>
bool raise_as_reached(const PosedLaw<dim> &law, const std::vector<double> &u,
                      const CorrectionStage &stage, std::vector<double> &offset,
                      Reaction &reaction) {
  if (stage.is_first || !stage.decides_restitutions || !reaction.converged)
    return false;
  std::vector<double> law_velocity = u;
  for (std::size_t r = 0; r < u.size(); ++r)
    law_velocity[r] += offset[r];
  const double velocity_error =
      std::max(reaction.rounding, round_off_of_work * largest_component(law_velocity));
  const LeastWorks works =
      least_works<dim>(law, {reaction.p, law_velocity, reaction.status, 1., velocity_error}, offset,
                       reaction, errors_of_percussions(reaction));
  if (!works.have_certain_signs || works.positive.empty())
    return false;
  raise<dim>(works.positive, {reaction.p, reaction.status}, offset, reaction);
  return true;
}

} // namespace percussion
