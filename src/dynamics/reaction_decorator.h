// Solver of a law that solves the law of contacts by another solver.

#pragma once

#include <percussion/dynamics/reaction.h>

#include <memory>
#include <utility>

namespace percussion {

/// Passes everything but the solution on to the solver of the law of contacts.
template <int dim>
class ReactionDecorator : public ReactionSolver<dim> {
public:
  explicit ReactionDecorator(std::unique_ptr<ReactionSolver<dim>> contact_reaction)
      : contacts(std::move(contact_reaction)) {}

  void start_interval(const Interval &interval) override { contacts->start_interval(interval); }
  void prepare(const PosedLaw<dim> &law, ContactSystem &system) override {
    contacts->prepare(law, system);
  }
  bool fall_back(const ContactSystem &system) override { return contacts->fall_back(system); }
  const PosedProblem *posed_problem() const override { return contacts->posed_problem(); }
  ReactionMemory memory(const ContactSystem &system) const override {
    return contacts->memory(system);
  }
  void restore(const ReactionMemory &memory, ContactSystem &system) override {
    contacts->restore(memory, system);
  }

protected:
  std::unique_ptr<ReactionSolver<dim>> contacts; ///< solver of the law of contacts
};

} // namespace percussion
