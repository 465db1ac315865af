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
  unsigned int steps_at_one_point = 0; ///< steps in which exactly one point carried
};

/// Extremes, counts and sums over a run.
struct RunStatistics {
  double energy_max = 0;
  double balance_residual_max =
      0;                      ///< largest absolute value of the residual of the balance [energy]
  double normal_work_max = 0; ///< largest work of one contact in one step [energy]
  double tangential_work_max = 0;
  double penetration_max = 0;
  double solver_residual_max = 0;
  double momentum_residual_max = 0;
  unsigned long solver_iterations = 0;
  unsigned int contacts_max = 0;
  unsigned long cuts = 0; ///< cuts of failed steps
  double percussion_normal =
      0; ///< sum of the normal percussions of all contacts over all steps [impulse]
  ContactDefects defects;
  std::vector<ContactUse> contacts; ///< uses by the indices of the contacts
  /// Steps in which a contact pressed each body: elastic bodies, then rigid bodies.
  std::vector<unsigned int> steps_of_bodies;

  template <int dim>
  void add(const State<dim> &state, const StepRecord<dim> &record);
};

/// Largest defect of a run, with the names of its contact and its body.
struct DefectPlace {
  const DefectEntry *entry = nullptr;
  double value = 0, time = 0;
  double local_size = 0;        ///< ContactPoint::size [length]
  std::string contact;          ///< name of the contact; empty if there is no defect
  std::string body;             ///< name of the body of the point
  std::vector<double> position; ///< undeformed position of the contact [length]
};

/// Sums of a run that is continued from them.
struct RunTotals {
  double initial_energy = 0;
  Works works; ///< works since the beginning
  RunStatistics statistics;
  std::vector<std::string> warnings; ///< warnings of the case and of the run so far
};

/// Content of `summary.json`.
struct Summary : RunTotals {
  std::string name, scheme, units;
  std::string status;         ///< "completed", "stopped" or "failed"
  std::string message;        ///< reason of the failure or of the stop
  unsigned int processes = 1; ///< number of processes that shared the work
  unsigned int nodes = 0, cells = 0, rigid_bodies = 0, unknowns = 0, candidates = 0, steps = 0,
               instants = 0, contact_problems = 0; ///< the last two: numbers of written ones
  double start = 0, end = 0, step = 0, theta = 0;
  double kinetic = 0, strain = 0, contact_potential = 0;
  double energy() const { return kinetic + strain + contact_potential; } ///< energy at the end
  std::vector<std::string> contacts; ///< names of the contacts by their indices
  std::vector<DefectPlace> defects;  ///< defects in the statistics, set at the end of a run
  PhaseTimes times;
  double wall_time = 0; ///< time of the time loop, output included [s]
};

/// Writes the summary. Throws RunError if the file cannot be written.
void write_summary(const std::string &file, const Summary &summary);

} // namespace percussion
