#pragma once

#include <percussion/advice/idle_bodies.h>
#include <percussion/base/file.h>
#include <percussion/output/checkpoint.h>
#include <percussion/output/histories.h>
#include <percussion/output/problem_files.h>
#include <percussion/output/summary.h>
#include <percussion/output/vtu_output.h>
#include <percussion/run/run.h>

#include <optional>
#include <set>

namespace percussion {

/// Sums of a run and, unless it writes none, its result files. The first of several processes
/// writes all of them except pieces of the solution.
template <int dim>
class Results {
public:
  /// Creates the files, or continues them from their state at a checkpoint.
  Results(const Case<dim> &c, Writes writes, const Checkpoint<dim> *resumed_from);

  /// Adds the initial state of the run.
  void begin(const State<dim> &state, const StepRecord<dim> &record);

  /// Adds a step. Returns true if the step meets the run's stop criterion.
  bool add(const State<dim> &state, const StepRecord<dim> &record);

  /// Writes the contact problem of a step, if it is due.
  void add_problem(unsigned int step, const PosedProblem &posed_problem);

  /// Writes the contact problem of a failed step, if failed problems are to be written. Returns its
  /// location, or the reason why it could not be written; throws no exception, so that the failure
  /// of the step is reported.
  std::string add_failed_problem(unsigned int step, const PosedProblem &posed_problem);

  /// Continues from this state.
  void go_on(const State<dim> &state) { carrying = carrying_contacts(state); }

  /// True if the fields are written after this step even if no contact begins or ends in it.
  bool is_instant(unsigned int step) const;

  bool are_written() const { return writes_results; }

  /// Writes all buffered rows, and waits until this process has written its pieces; on other
  /// processes than the first one also until the disk has them.
  void flush();

  /// True if there are instants of which this process does not know whether all processes have
  /// written them; equal on all processes.
  bool has_incomplete_instants() const { return fields && fields->has_incomplete(); }
  /// Learns which instants all processes have written. Collective.
  void collect_instants() {
    if (fields)
      fields->collect();
  }
  /// Lists these instants.
  void list_instants() {
    if (fields)
      fields->list();
  }

  /// Gathers what processes need from each other for the instant of close(). Collective.
  void gather_last(const State<dim> &state);

  /// Writes the row and the instant of the last step of a run, if they were not due. Returns true
  /// if at least one was written.
  bool close(const State<dim> &state, const StepRecord<dim> &record);

  /// Waits until the disk has all files that this machine has written.
  void sync() const { sync_folder(the_case.output.directory); }

  /// Stores the state of the results, which must be flushed and listed, in a checkpoint after
  /// writing all of them to the disk.
  void describe(Checkpoint<dim> &checkpoint);

  /// Returns the checksums of all tables and VTU files, which must be flushed and listed.
  std::vector<FileSum> file_sums() const;

  /// Closes the files and writes the summary.
  void end(const State<dim> &state, const std::string &status, const std::string &message,
           const PhaseTimes &times, double wall_time);

  Summary summary;
  Probes<dim> probes;
  ResultsMemory<dim> memory;

private:
  /// Contact pair and rigid bodies on both sides of a contact, if there are any.
  using BodiesOfContact =
      std::tuple<unsigned int, std::optional<unsigned int>, std::optional<unsigned int>>;
  struct Files {
    Files(const Case<dim> &c, const Probes<dim> &probes,
          const std::vector<MassMean<dim>> &elastic_bodies, const Checkpoint<dim> *resumed_from);

    EnergyHistory history;
    std::optional<RigidHistory> rigid_history; ///< present if there are rigid bodies
    /// Present if there are elastic bodies with mass.
    std::optional<ElasticHistory> elastic_history;
    std::optional<CsvTable> probes; ///< present if there are probes
    ProblemFiles problems;
  };

  void write_rows(const State<dim> &state);
  void write_probes(const State<dim> &state);
  void write_instant(const State<dim> &state, const StepRecord<dim> &record);
  /// True if the last instant is not the one of this state.
  bool lacks_instant(const State<dim> &state) const;
  void flush_rows();
  /// Returns pair and rigid bodies of all contacts with a percussion.
  std::set<BodiesOfContact> carrying_contacts(const State<dim> &state) const;

  bool writes_results;
  /// Means over the bodies, on the first process and if results are written.
  std::vector<MassMean<dim>> elastic_bodies;
  std::optional<Files> files;           ///< on the first process
  std::optional<VtuOutput<dim>> fields; ///< on processes that write pieces of the solution
  bool writes_events;                   ///< true if instants are added when contacts begin or end
  std::set<BodiesOfContact> carrying;   ///< contacts at the end of the last step
  std::vector<FileSum>
      earlier; ///< checksums of VTU files written before the checkpoint of a resumed run
  PressedBodies<dim> pressed_bodies;
  const Case<dim> &the_case;
};

} // namespace percussion
