#pragma once

#include <percussion/cone/solver.h>
#include <percussion/dynamics/scheme.h>
#include <percussion/dynamics/state.h>
#include <percussion/input/parameters.h>
#include <percussion/output/probes.h>
#include <percussion/run/stop_criterion.h>

#include <memory>
#include <string>
#include <type_traits>

namespace percussion {

class Log;
struct StepMemory;

/// What c.parameters calls the checksum of a table: this and the name of its file.
inline const std::string of_table = "table ";

/// When the run begins, ends, and how many steps it takes.
struct TimeSpan {
  double start = 0;
  double end = 0;
  unsigned int n_steps = 0;
};

/// Which contact problems of a run are written.
struct ProblemSchedule {
  unsigned int interval = 0; ///< of all steps every so many; 0: none
  bool on_failure = false;   ///< that of a step that fails
};

/// When checkpoints are written, besides when the run is stopped; 0: not by this.
struct CheckpointSchedule {
  unsigned int steps = 0; ///< after every so many
  double seconds = 0;     ///< of wall time since the last
};

struct OutputOptions {
  std::string directory;
  unsigned int n_outputs = 100;      ///< instants with VTU files besides the first
  unsigned int history_interval = 1; ///< steps between rows of energy.csv
  std::string units;
  bool move_existing_aside = true;
  ProblemSchedule contact_problems;
  CheckpointSchedule checkpoints;
};

/// A parameter file made into bodies, contacts and choices: all that a run needs.
template <int dim>
struct Case {
  std::string name;
  std::string scheme_name;
  /// Of each elastic body; none where there are rigid bodies only.
  std::vector<std::unique_ptr<Mesh<dim>>> meshes;
  /// Of each elastic body: what its materials are called.
  std::vector<std::vector<std::string>> material_names;
  std::unique_ptr<System<dim>> bodies;
  std::unique_ptr<Boundary<dim>> boundary;
  StepChoices choices;
  ConeOptions cone;
  TimeSpan span;
  OutputOptions output;
  State<dim> initial; ///< step, time, q and v; all that a step leaves where there is a memory
  std::vector<std::pair<std::string, std::string>> parameters; ///< all: path and value
  std::vector<std::string> warnings;
  std::vector<std::string> notes; ///< on what is usually meant; for log.txt and --validate
  std::shared_ptr<const StepMemory> memory; ///< of the run that it begins with, if its steps go on
  std::vector<Probe<dim>> probes;
  unsigned int probe_interval = 1; ///< steps between rows of probes.csv
  StopWhen stop;
};

/// The dimension of a case: that of its mesh, or of the shapes of its rigid bodies, else 2.
unsigned int dimension_of(const ParameterFile &file);

/// Call f with the dimension as an integral constant; what it returns.
template <typename Function>
auto with_dimension(unsigned int dim, const Function &f) {
  return dim == 3 ? f(std::integral_constant<int, 3>()) : f(std::integral_constant<int, 2>());
}

/// Declare every parameter of a case. `file` tells which regions, bodies and contacts it names and
/// the dimension; without it, placeholders in angle brackets stand for them, and entries are those
/// of both dimensions.
ParameterDeclarations declare_case(const ParameterFile *file);

/// Read the mesh, check everything, build the bodies and their initial state. The folder of the
/// results is not looked at if it is `to_resume` a run in it. What takes long is shown by the log.
/// Throws InputError with all that is wrong: what the parameters know already, meaning and mesh.
template <int dim>
Case<dim> build_case(const Parameters &parameters, const ParameterFile &file,
                     bool to_resume = false, Log *log = nullptr);

/// What was understood of a case, as lines to print.
template <int dim>
std::vector<std::string> describe(const Case<dim> &c);

/// Say it, with the program's version, the name of the parameter file, and the warnings. Notes go
/// to log.txt only.
template <int dim>
void log_case(const Case<dim> &c, const std::string &file, Log &log);

} // namespace percussion
