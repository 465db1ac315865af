#pragma once

#include <percussion/dynamics/advance_substep.h>
#include <percussion/dynamics/state.h>
#include <percussion/dynamics/step_memory.h>
#include <percussion/dynamics/substeps.h>

namespace percussion {

/// Time step of all schemes, see advance_substep(). A failed step of hyperelastic or rigid bodies
/// is halved recursively (Substeps). Adaptive steps are halved for all bodies, also if their energy
/// error is too large.
template <int dim>
class Step {
public:
  /// Stores references to bodies and boundary, which must outlive the step. Throws RunError if the
  /// system of linear bodies cannot be factorised.
  Step(const System<dim> &bodies, const Boundary<dim> &boundary, const StepChoices &choices,
       const ConeOptions &solver);
  Step(Step &&) noexcept;
  ~Step();

  /// Completes a state with given step, time, q and v. Memories of contacts that it has already,
  /// for steps of the length h, are kept.
  void initialise(State<dim> &state);

  /// Advances the state from t_k to t_k+1. Throws RunError, with the step, the cause and remedies,
  /// if no cut helps, or if a formula has no value. State and last() then contain the successful
  /// substeps, which count as the step if there are any.
  const StepRecord<dim> &advance(State<dim> &state, double end_time);

  /// Evaluates the loads at the time of the state again: signals of their formulas have changed.
  void renew_force(State<dim> &state);
  /// Replaces the external force of the next steps, if the loads do not depend on time.
  void replace_force(State<dim> &state, const Vector &force);
  /// Advances the state over one interval without cutting it. On failure, the state is unchanged
  /// except for bodies that have appeared.
  [[nodiscard]] std::optional<Failure> advance_over(State<dim> &state, const Interval &interval);

  /// Returns the record of the last step.
  const StepRecord<dim> &last() const { return record; }

  /// Returns the data, besides the state, on which the next step depends.
  StepMemory memory() const;
  /// Continues from the end of a step of the same case, instead of initialise(). The state is
  /// complete except for its force and the contacts found.
  void restore(State<dim> &state, const StepMemory &memory);

  /// Returns the contacts of the last completed substep; empty before the first one after
  /// initialise() or restore().
  const CompletedContacts &completed_contacts() const { return machinery.completed; }
  /// Returns the system of the last correction.
  const ContactSystem &system() const { return machinery.momentum->system(); }
  /// Returns the balance of the bodies, for benchmarks.
  Momentum<dim> &momentum() { return *machinery.momentum; }
  /// Returns the cone problem of the last correction, in natural units; null if the last substep
  /// has posed none.
  const PosedProblem *posed_problem() const { return machinery.reaction->posed_problem(); }
  /// True if the last step has failed although it had posed a problem of contacts.
  bool failed_with_contacts() const {
    return has_failed && posed_problem() != nullptr && posed_problem()->problem.n_contacts > 0;
  }
  /// Returns the wall times of all steps so far.
  const PhaseTimes &times() const { return machinery.stopwatch.times; }

private:
  void evaluate_position(State<dim> &state);
  void start_with_acceleration(State<dim> &state);
  [[nodiscard]] std::optional<Failure> try_substep(State<dim> &state, const Interval &interval,
                                                   bool is_smallest,
                                                   std::vector<std::string> &changes);
  std::string failure_message(unsigned int step, double end_time, const std::string &reason) const;

  StepChoices choices;
  Machinery<dim> machinery;
  bool may_cut;
  bool may_change_failing; ///< true if a full step that fails may have changed the state
  Substeps substeps;
  StepRecord<dim> record;    ///< record of the completed substeps, or of the last step
  double largest_energy = 0; ///< largest energy so far
  bool has_failed = false;
};

} // namespace percussion
