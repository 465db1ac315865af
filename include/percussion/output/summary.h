#pragma once

#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>
#include <percussion/dynamics/stopwatch.h>

#include <string>
#include <vector>

namespace percussion {

/// Use of one contact of a case over a run.
struct ContactUse {
  unsigned int steps = 0; ///< steps in which it was closed: at least one point carried
  double normal_max = 0;  ///< largest sum of its normal percussions in a step [impulse]
  double time = 0;        ///< end of that step [time]
};

/// Extremes, counts and sums over a run.
struct RunStatistics {
  double energy_max = 0;
  double balance_residual_max = 0; ///< of its absolute value
  double normal_work_max = 0;      ///< of one contact in one step
  double tangential_work_max = 0;
  double penetration_max = 0;
  double solver_residual_max = 0;
  double momentum_residual_max = 0;
  unsigned long solver_iterations = 0;
  unsigned int contacts_max = 0;
  unsigned long cuts = 0;       ///< of steps that failed
  double percussion_normal = 0; ///< of all contacts together, summed over all steps [impulse]
  ContactDefects defects;
  std::vector<ContactUse> contacts; ///< by the numbers of the contacts

  template <int dim>
  void add(const State<dim> &state, const StepRecord<dim> &record);
};

/// Largest defect of a run, and the contact that had it, by name.
struct DefectPlace {
  const DefectEntry *entry = nullptr;
  double value = 0, time = 0;
  double local_size = 0;        ///< ContactPoint::size [length]
  std::string contact;          ///< empty: there was none
  std::string body;             ///< that the point belongs to
  std::vector<double> position; ///< undeformed, of the point [length]
};

/// What `summary.json` says.
struct Summary {
  std::string name, scheme, units;
  std::string status;  ///< "completed", "stopped" or "failed"
  std::string message; ///< why it failed, or what stopped it
  unsigned int nodes = 0, cells = 0, rigid_bodies = 0, dofs = 0, candidates = 0, steps = 0,
               instants = 0, contact_problems = 0; ///< the last two: how many were written
  double start = 0, end = 0, step = 0, theta = 0;
  double kinetic = 0, strain = 0, contact_potential = 0, initial_energy = 0;
  double energy() const { return kinetic + strain + contact_potential; } ///< at the end
  Works works;
  RunStatistics statistics;
  std::vector<std::string> contacts; ///< names of the contacts, by their numbers
  std::vector<DefectPlace> defects;  ///< at the end of a run, those of the statistics
  std::vector<std::string> warnings; ///< of the case and of the run
  PhaseTimes times;
  double wall_time = 0; ///< of the time loop, output included [s]
};

/// Throws RunError where the file cannot be written.
void write_summary(const std::string &file, const Summary &summary);

} // namespace percussion
