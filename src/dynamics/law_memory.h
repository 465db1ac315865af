// Memories of contacts as initial guesses and choices of a law.

#pragma once

#include <percussion/dynamics/posed_law.h>

namespace percussion {

/// Adds the solutions of the last two substeps at a contact to the initial guesses.
template <int dim>
void add_guesses(const ContactMemory<dim> &memory, PosedLaw<dim> &law) {
  const auto add = [](ReactionGuess &guess, const std::array<double, dim> &p,
                      ContactStatus status) {
    for (const double component : p)
      guess.p.push_back(component);
    guess.status.push_back(status);
  };
  add(law.guesses.first, memory.first_percussion, memory.first_status);
  add(law.guesses.last, memory.percussion, memory.status);
  add(law.guesses.earlier, memory.previous_percussion, memory.earlier_status);
}

/// Returns the choice of the tangential restitution of a contact of rigid bodies, if the law leaves
/// it to the solution, with the velocity u0. In 2D the direction of a slip does not turn.
template <int dim>
TangentialRestitution restitution_of(const ContactMemory<dim> *memory,
                                     const std::array<double, dim> &u0, double negligible) {
  double square = 0;
  for (unsigned int t = 1; t < dim; ++t)
    square += u0[t] * u0[t];
  const bool may_slip_on = dim == 3 && memory != nullptr && memory->percussion[0] > 0. &&
                           memory->status == ContactStatus::slip &&
                           square > negligible * negligible;
  return may_slip_on ? TangentialRestitution::slipping : TangentialRestitution::least;
}

/// Stores the solution of the law in row group i: a contact, or a moment.
template <int dim>
void store_solution(std::size_t i, const ReactionGuess &first, const ReactionGuess &last,
                    ContactMemory<dim> &memory) {
  memory.status = last.status[i];
  memory.first_status = first.status[i];
  for (unsigned int r = 0; r < dim; ++r) {
    memory.percussion[r] = last.p[dim * i + r];
    memory.first_percussion[r] = first.p[dim * i + r];
  }
}

} // namespace percussion
