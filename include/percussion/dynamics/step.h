#pragma once

#include <percussion/dynamics/part.h>
#include <percussion/dynamics/substeps.h>

namespace percussion {

/// All that a Step carries from one step to the next besides the State: with both, another Step
/// goes on bit for bit as this one would. (What follows from them, such as W, is made again.)
struct StepMemory {
  MomentumMemory momentum;
  ReactionMemory reaction;
  Substeps::Memory substeps;
  double largest_energy = 0; ///< so far
};

/// The one time step of all schemes, see take_part(). A step of hyperelastic or rigid bodies that
/// fails is halved recursively (Substeps); adaptive steps are those of any body, and are cut for
/// their energy error too.
template <int dim>
class Step {
public:
  /// Bodies and boundary must live as long as the step. Throws RunError where the system of linear
  /// bodies cannot be factorised.
  Step(const System<dim> &bodies, const Boundary<dim> &boundary, const StepChoices &choices,
       const ConeOptions &solver);

  /// Complete a state whose step, time, q and v are given.
  void initialise(State<dim> &state);

  /// Take the state from t_k to t_k+1.
  /// Throws RunError where no cut helps, naming the step, what failed and what to try, or where a
  /// formula has no value. State and last() are then those of the parts that succeeded, and count
  /// as the step, if there are any.
  const StepRecord<dim> &advance(State<dim> &state, double end_time);

  /// What the last step did.
  const StepRecord<dim> &last() const { return record; }

  /// What the next step depends on besides the state.
  StepMemory memory() const;
  /// Instead of initialise(): go on where a step of the same case has come to. All of the state is
  /// given but its force and the contacts found.
  void restore(State<dim> &state, const StepMemory &memory);

  /// The balance of the bodies, which benchmarks look at.
  Momentum<dim> &momentum() { return *machinery.momentum; }
  /// The cone problem of the last correction, in natural units; null where the last part has posed
  /// none.
  const PosedProblem *posed() const { return machinery.reaction->posed(); }
  /// Whether the last step has failed although it had posed a problem of contacts.
  bool failed_with_contacts() const {
    return has_failed && posed() != nullptr && posed()->problem.n_contacts > 0;
  }
  /// Wall times of all steps so far.
  const PhaseTimes &times() const { return machinery.stopwatch.times; }

private:
  void place(State<dim> &state);
  std::string try_part(State<dim> &state, const Interval &interval, bool is_smallest,
                       std::vector<std::string> &changes);
  std::string failure_message(unsigned int step, double end_time, const std::string &why) const;

  StepChoices choices;
  Machinery<dim> machinery;
  bool may_cut;
  bool may_change_failing; ///< whether a whole step that fails may have changed the state
  Substeps substeps;
  StepRecord<dim> record;    ///< of the parts taken so far, or of the last step
  double largest_energy = 0; ///< so far
  bool has_failed = false;
};

} // namespace percussion
