#pragma once

#include <percussion/base/expression.h>
#include <percussion/cone/solver.h>
#include <percussion/dynamics/scheme.h>
#include <percussion/input/parameters.h>
#include <percussion/output/body_table.h>
#include <percussion/output/output_directory.h>
#include <percussion/output/probes.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <type_traits>

namespace percussion {

class Log;
struct StepMemory;

/// Prefix of the entries of Case::parameters that hold the checksum of a table; the name of the
/// table's file follows.
inline const std::string table_prefix = "table ";
/// Prefix of these entries for tables of rigid bodies; the name of the subsection follows.
inline const std::string body_table_prefix = table_prefix + "of bodies ";
/// Prefix of these entries for surfaces from files; the path of the subsection follows.
inline const std::string surface_prefix = "surface mesh of ";
/// True for the entries that name a file of rigid bodies or surfaces: a table of bodies, the
/// surface of a polyhedron, or the facets of a contact's surface.
bool names_file_of_bodies(const std::string &entry);

/// Begin, end and number of steps of a run.
struct TimeSpan {
  double start = 0;
  double end = 0;
  unsigned int n_steps = 0;
};

/// Criterion that ends a run before its last step.
struct StopWhen {
  enum class Kind { never, rest, separated, formula };
  Kind kind = Kind::never;
  std::string text; ///< text of the criterion in the parameter file
  /// Formula of t, kinetic, strain, total, contacts and the columns of the probes.
  std::shared_ptr<const Expression> formula;

  explicit operator bool() const { return kind != Kind::never; }
};

/// Choices of a case that do not depend on its dimension.
struct CaseChoices {
  std::string scheme_name;
  StepChoices choices;
  ConeOptions cone;
  TimeSpan span;
  OutputOptions output;
};

/// Bodies, contacts and choices that a run needs, made from a parameter file.
template <int dim>
struct Case : CaseChoices {
  std::string name;
  /// Meshes of the elastic bodies; empty if all bodies are rigid.
  std::vector<std::unique_ptr<Mesh<dim>>> meshes;
  /// Names of the materials of each elastic body.
  std::vector<std::vector<std::string>> material_names;
  std::unique_ptr<System<dim>> bodies;
  std::unique_ptr<Boundary<dim>> boundary;
  State<dim> initial; ///< step, time, q and v; the full state of the last step if `memory` is set
  std::vector<std::pair<std::string, std::string>> parameters; ///< path and value of each entry
  std::vector<std::string> warnings;
  std::vector<std::string>
      notes; ///< remarks on frequent misunderstandings, for log.txt and --validate
  std::shared_ptr<const StepMemory> memory; ///< memory of the run whose final state is the initial
                                            ///< state, if its steps continue exactly
  std::vector<BodyTable<dim>> body_tables;  ///< sections with more than one rigid body
  std::vector<Probe<dim>> probes;
  unsigned int probe_interval = 1; ///< steps between rows of probes.csv
  StopWhen stop;
  /// Signals of the formulas, by name, with their values at the beginning of a run.
  std::map<std::string, std::shared_ptr<double>> signals;
  std::map<std::string, double> initial_signals;

  /// True if an entry has this value.
  bool has_value(const std::string &path, const std::string &value) const {
    return std::find(parameters.begin(), parameters.end(), std::pair{path, value}) !=
           parameters.end();
  }
};

/// Returns the dimension of a case: the dimension of its mesh or of the shapes of its rigid bodies,
/// otherwise 2.
unsigned int dimension_of(const ParameterFile &file);

/// Calls f with the dimension as an integral constant and returns the result of f.
template <typename Function>
auto dispatch_dimension(unsigned int dim, const Function &f) {
  return dim == 3 ? f(std::integral_constant<int, 3>()) : f(std::integral_constant<int, 2>());
}

/// Declares every parameter of a case. `file` gives the dimension and the names of regions, bodies
/// and contacts; without a file, placeholders in angle brackets stand for the names, and the
/// entries of both dimensions are declared.
ParameterDeclarations declare_case(const ParameterFile *file);

/// Reads the mesh, checks all input, builds the bodies and their initial state. The folder of the
/// results is not checked if a run in it is `to_resume`. The log shows the progress of slow tasks.
/// Throws InputError with all problems of the parameters, of their meaning and of the mesh.
template <int dim>
Case<dim> build_case(const Parameters &parameters, const ParameterFile &file,
                     bool to_resume = false, Log *log = nullptr);

/// Returns the description of a case as lines to print.
template <int dim>
std::vector<std::string> describe(const Case<dim> &c);

/// Returns the length of a step in transit times of a dilatational wave through the shortest edge,
/// for the elastic bodies of a contact; infinite without inertia, 0 for rigid bodies.
template <int dim>
double transits_of_step(const ContactPair<dim> &pair, const Case<dim> &c);

/// Logs the description of a case with the program's version, the name of the parameter file, and
/// the warnings. Notes go to log.txt only.
template <int dim>
void log_case(const Case<dim> &c, const std::string &file, Log &log);

} // namespace percussion
