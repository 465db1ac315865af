#pragma once

#include <percussion/dynamics/step.h>
#include <percussion/output/checkpoint.h>
#include <percussion/output/histories.h>
#include <percussion/output/problem_files.h>
#include <percussion/output/summary.h>
#include <percussion/output/vtu_output.h>
#include <percussion/run/run.h>

#include <array>
#include <optional>
#include <set>

namespace percussion {

/// What a run sums up and, unless it writes nothing, its files while it goes on.
template <int dim>
class Results {
public:
  /// Begin the files, or go on behind what they held at a checkpoint.
  Results(const Case<dim> &c, Writes writes, const Checkpoint<dim> *from);

  /// The state that the run begins with.
  void begin(const State<dim> &state, const StepRecord<dim> &record);

  /// A step that was taken. Whether the run's stop criterion is met by it.
  bool add(const State<dim> &state, const StepRecord<dim> &record);

  /// The contact problem of a step, if it is one to write.
  void add_problem(unsigned int step, const PosedProblem &posed);

  /// The contact problem of a step that has failed, if it is to be written; where it is, or why it
  /// is nowhere. Throws nothing: the failure of the step is the one to report.
  std::string add_failed_problem(unsigned int step, const PosedProblem &posed);

  /// A run goes on from this state.
  void go_on(const State<dim> &state) { touching = touching_in(state); }

  /// Whether the fields are written after this step, whatever happens in it.
  bool is_instant(unsigned int step) const;

  bool are_written() const { return files.has_value(); }

  /// Write everything that is still in memory.
  void flush();

  /// The last step of a run: a row and an instant of it, where none was due. Returns true if there
  /// was one to write.
  bool close(const State<dim> &state, const StepRecord<dim> &record);

  /// What a checkpoint says of the results, all of which are then on the disk.
  void describe(Checkpoint<dim> &checkpoint);

  /// Returns the sums of all tables and VTU files, which must be flushed.
  std::vector<FileSum> file_sums() const;

  /// Close the files and write the summary.
  void end(const State<dim> &state, const std::string &status, const std::string &message,
           const PhaseTimes &times, double wall_time);

  Summary summary;
  Probes<dim> probes;
  std::vector<ContactAccount<dim>> accounts; ///< of all contacts since the beginning

private:
  struct Files {
    Files(const Case<dim> &c, const Probes<dim> &probes, const Checkpoint<dim> *from);

    EnergyHistory history;
    std::optional<RigidHistory> rigid_history; ///< if there are rigid bodies
    std::optional<CsvTable> probes;            ///< if there are any
    VtuOutput<dim> fields;
    ProblemFiles problems;
  };

  void write_rows(const State<dim> &state);
  void write_probes(const State<dim> &state);
  void write_instant(const State<dim> &state, const StepRecord<dim> &record);
  void flush_rows();
  /// Contact, body and other body of all contacts with a percussion.
  std::set<std::array<unsigned int, 3>> touching_in(const State<dim> &state) const;

  std::optional<Files> files;
  RowExtremes extremes;  ///< since the last rows
  ContactSums<dim> sums; ///< since the last instant
  StopMemory stop;
  bool at_events; ///< whether instants are added where contacts begin or end
  std::set<std::array<unsigned int, 3>> touching; ///< at the end of the last step
  LastWritten last;
  std::vector<FileSum> earlier; ///< VTU files written before the checkpoint that is resumed from
  const Case<dim> &of_case;
};

} // namespace percussion
