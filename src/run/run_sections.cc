#include <percussion/input/read_mesh.h>
#include <percussion/run/run.h>

#include <deal.II/base/utilities.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

namespace percussion {

using dealii::Patterns::Anything;
using dealii::Patterns::Bool;
using dealii::Patterns::Double;
using dealii::Patterns::Integer;
using dealii::Patterns::Selection;

void declare_time(ParameterDeclarations &declarations) {
  std::string names, descriptions;
  for (const Scheme &row : schemes()) {
    names += (names.empty() ? "" : "|") + std::string(row.name);
    descriptions += " " + std::string(row.name) + ": " + row.description + ".";
  }
  const Subsection subsection(declarations, "Time");
  declarations.declare("Scheme", "moreau-jean-fremond", Selection(names),
                       "The time-stepping scheme." + descriptions);
  declarations.declare("Start", "0", Double(), "Time at the beginning [T].");
  declarations.declare("End", "1", Double(), "Time at the end [T].");
  declarations.declare("Step", "1e-3", PositiveDouble(),
                       "Time step h [T]. The last step ends at End or up to one step later.");
  declare_stop(declarations);
  declarations.declare(
      "Theta", "0.5", NumberBetween({0, false}, {1, true}),
      "Parameter theta of the theta-method [1]. The energy theorem holds for 1/2 <= theta <= "
      "1/(1 + e) with the largest restitution e (AC24, eq. 87); above 1/2 the "
      "scheme dissipates.");
  declarations.declare(
      "Spectral radius", "0.8", NumberBetween({0, true}, {1, true}),
      "Share rho_infinity of the highest frequencies' amplitude that a step leaves [1], for the "
      "scheme generalized-alpha only: 1 dissipates nothing, 0 annihilates them (Chung & Hulbert "
      "1993).");
  declarations.declare(
      "Max cuts", "10", Integer(0, 20),
      "How often a step that fails is halved before the run ends: the smallest part of a step is "
      "2^-(Max cuts) of it. Steps of hyperelastic or rigid bodies and adaptive steps are halved; "
      "each time is reported in the log.");
  declarations.declare(
      "Adaptive", "false", Bool(),
      "Whether the length of the parts that a step is taken in is kept for the next ones, until "
      "Grow after of them have succeeded; steps of all bodies are cut then, for failure and for "
      "their Energy error. false: each step begins whole, and is cut only if it fails and a body "
      "is hyperelastic or rigid. The rows of energy.csv and the instants stay those of the steps.");
  declarations.declare("Grow after", "8", Integer(1, 1000000000),
                       "Number of parts of one length that have to succeed before the next is "
                       "twice as long, in adaptive steps.");
  declarations.declare(
      "Energy error", "0", NumberBetween({0, true}, {1, false}),
      "Largest share of the largest energy so far [1] that a part of an adaptive step may make or "
      "lose by discretisation alone: |balance residual| + |numerical work| + the work that "
      "contacts have given to the bodies. Above it the part is taken again in two halves. 0: no "
      "limit.");
}

template <int dim>
void read_time(const CaseInput &input, Case<dim> &c) {
  const Parameters &parameters = input.parameters;
  c.scheme_name = parameters.get("Time/Scheme");
  c.choices.h = parameters.get_double("Time/Step");
  c.choices.theta = parameters.get_double("Time/Theta");
  c.choices.spectral_radius = parameters.get_double("Time/Spectral radius");
  const Integrator integrator = scheme(c.scheme_name).integrator;
  input.refuse_unused("Time/Theta", integrator == Integrator::theta,
                      "with Scheme = " + c.scheme_name + ", which is no theta-method");
  input.refuse_unused("Time/Spectral radius", integrator == Integrator::generalized_alpha,
                      "with Scheme = " + c.scheme_name + "; Scheme = generalized-alpha takes one");
  c.choices.adaptive = parameters.get_bool("Time/Adaptive");
  for (const std::string entry : {"Grow after", "Energy error"})
    input.refuse_unused("Time/" + entry, c.choices.adaptive, "with Adaptive = false");
  c.choices.grow_after = static_cast<unsigned int>(parameters.get_integer("Time/Grow after"));
  if (const double limit = parameters.get_double("Time/Energy error"); limit > 0.)
    c.choices.energy_tolerance = limit;
  c.span.start = parameters.get_double("Time/Start");
  c.span.end = parameters.get_double("Time/End");
  if (!(c.span.end > c.span.start))
    return parameters.report("Time/End",
                             "it must be later than Time/Start = " + parameters.get("Time/Start"),
                             input.problems);
  const double steps = (c.span.end - c.span.start) / c.choices.h;
  if (steps > 4e9)
    return parameters.report("Time/Step", "this makes more than 4e9 steps", input.problems);
  const double rounded_steps = std::round(steps);
  const bool fits = rounded_steps >= 1 && std::abs(steps - rounded_steps) <= 1e-9 * rounded_steps;
  c.span.n_steps = static_cast<unsigned int>(fits ? rounded_steps : std::ceil(steps));
  if (!fits) {
    char text[192];
    std::snprintf(text, sizeof text,
                  "%sTime/End - Time/Start is no whole number of steps: the run ends at t = %.10g "
                  "after %u step%s",
                  steps < 1 ? "one step is longer than the whole run, and " : "",
                  c.span.start + c.span.n_steps * c.choices.h, c.span.n_steps,
                  c.span.n_steps == 1 ? "" : "s");
    c.warnings.push_back(parameters.remark("Time/Step", text));
  }
}

void declare_solver(ParameterDeclarations &declarations) {
  std::string names = "of the scheme", descriptions;
  for (const ConeMethodEntry &row : cone_methods()) {
    names += "|" + std::string(row.name);
    if (row.method != ConeMethod::pdas)
      descriptions += " " + std::string(row.name) + ": " + std::string(row.description) + ".";
  }
  const Subsection subsection(declarations, "Solver");
  declarations.declare(
      "Method", "of the scheme", Selection(names),
      "How the contacts of a step are solved. Of the scheme: pdas for pdas-leapfrog and "
      "fremond-gonzalez, auto for the others. pdas updates the statuses of the contacts once in "
      "each iteration on the momentum (primal-dual active set); for linear bodies, which need one "
      "iteration, it is auto. With the others the contact problem is solved in each of these "
      "iterations." +
          descriptions + " Only auto goes on with another method where one fails.");
  declarations.declare(
      "Tolerance", "1e-10", PositiveDouble(1),
      "Largest natural-map residual [1] of the contact problem of a step, relative to 1 + the "
      "norm of its free velocities (AC24, section 4). A step that misses it has failed: "
      "see Max cuts in section Time.");
  declarations.declare(
      "Max iterations", "100000", Integer(1, 1000000000),
      "Largest number of iterations in one contact problem: sweeps, pivots, Newton.");
  declarations.declare(
      "Linear systems", "automatic", Selection("automatic|direct|conjugate gradients"),
      "How the linear system of elastic bodies is solved where all materials are linear. direct: "
      "by a factor (sparse Cholesky), which takes memory. conjugate gradients: by iterations, "
      "preconditioned by algebraic multigrid, to round-off of the energy; contacts may act on 3000 "
      "degrees of freedom at most then, and the first percussion on each takes a solution. "
      "automatic: direct, unless the factor has more than 6e8 entries (5 GB).");
  declarations.declare("Newton tolerance", "1e-10", PositiveDouble(1e-2),
                       "Largest residual of the momentum of a step relative to its largest term "
                       "[1], for hyperelastic laws.");
  declarations.declare("Max Newton iterations", "40", Integer(1, 1000000),
                       "Largest number of iterations on the momentum in one step, for hyperelastic "
                       "laws. A step that needs more is halved.");
}

namespace {

/// True if the law of all cells and the laws of regions with their own material are linear.
bool all_laws_are_linear(const CaseInput &input) {
  const auto is_linear = [&](const std::string &section) {
    const std::string law = input.parameters.get(section + "/Law");
    return law.empty() ||
           law == "linear elastic"; // empty: inherited from the material of all cells
  };
  const auto regions = input.subsections("Material");
  return is_linear("Material") &&
         std::all_of(regions.begin(), regions.end(),
                     [&](const std::string &region) { return is_linear("Material/" + region); });
}

} // namespace

template <int dim>
void read_solver(const CaseInput &input, Case<dim> &c) {
  const Parameters &parameters = input.parameters;
  const std::string method = parameters.get("Solver/Method");
  const ConeMethodEntry *const row = find_cone_method(method);
  c.cone.method = row == nullptr ? scheme(c.scheme_name).method : row->method;
  c.cone.tolerance = parameters.get_double("Solver/Tolerance");
  c.cone.max_iterations =
      static_cast<unsigned int>(parameters.get_integer("Solver/Max iterations"));
  c.choices.newton_tolerance = parameters.get_double("Solver/Newton tolerance");
  c.choices.max_newton_iterations =
      static_cast<unsigned int>(parameters.get_integer("Solver/Max Newton iterations"));
  c.choices.max_cuts = static_cast<unsigned int>(parameters.get_integer("Time/Max cuts"));
  const bool linear = all_laws_are_linear(input);
  const bool rigid_only =
      parameters.get("Mesh/File").empty() && !input.subsections("Rigid bodies").empty();
  const bool iterates = (!linear && !rigid_only) || !input.subsections("Links").empty();
  if (iterates && scheme(c.scheme_name).integrator != Integrator::theta)
    parameters.report("Time/Scheme",
                      "it is for linear and rigid bodies without links; those "
                      "whose description begins with Gonzalez take it",
                      input.problems);
  const std::string solver = parameters.get("Solver/Linear systems");
  c.choices.linear_solver = solver == "direct"      ? LinearSolver::direct
                            : solver == "automatic" ? LinearSolver::automatic
                                                    : LinearSolver::conjugate_gradients;
  input.refuse_unused("Solver/Linear systems", !iterates && !rigid_only,
                      rigid_only ? "without an elastic body"
                                 : "unless all bodies are linear, without links");
  const std::string instead = rigid_only ? "without an elastic body" : "with Law = linear elastic";
  for (const std::string entry : {"Solver/Newton tolerance", "Solver/Max Newton iterations"})
    input.refuse_unused(entry, iterates, instead);
  const bool has_rigid = !input.subsections("Rigid bodies").empty();
  input.refuse_unused("Time/Max cuts", c.choices.adaptive || iterates || has_rigid,
                      "with Law = linear elastic, Time/Adaptive = false and no rigid body");
}

namespace {

/// Reads "none", or "every N" and "on failure", one of them or both; no value for any other text.
std::optional<ProblemSchedule> problem_schedule(const std::string &text) {
  ProblemSchedule schedule;
  if (text == "none")
    return schedule;
  if (text.empty() || text.back() == ',')
    return {};
  for (const std::string &words : dealii::Utilities::split_string_list(text, ',')) {
    const std::string prefix = "every ";
    const bool has_number = words.compare(0, prefix.size(), prefix) == 0;
    const auto interval = to_number<long>(has_number ? words.substr(prefix.size()) : "");
    if (words == "on failure" && !schedule.on_failure)
      schedule.on_failure = true;
    else if (interval && *interval > 0 && *interval <= 1000000000 && schedule.interval == 0)
      schedule.interval = static_cast<unsigned int>(*interval);
    else
      return {};
  }
  return schedule;
}

/// Pattern of the texts that problem_schedule() reads.
class SchedulePattern : public Described {
public:
  SchedulePattern()
      : Described("'none', 'every N' with an integer N > 0, 'on failure', or 'every N, on "
                  "failure'") {}
  bool match(const std::string &text) const override { return problem_schedule(text).has_value(); }
  std::unique_ptr<PatternBase> clone() const override {
    return std::make_unique<SchedulePattern>(*this);
  }
};

} // namespace

void declare_output(ParameterDeclarations &declarations) {
  const Subsection subsection(declarations, "Output");
  declarations.declare("Directory", "", Described("the name of a folder, or nothing"),
                       "Folder of the results; a relative name starts at the folder where the "
                       "program is started. Nothing: output/NAME for a case in NAME.prm.");
  declarations.declare(
      "Number of instants", "100", Integer(0, 999999),
      "Number of instants at which VTU files are written, besides the start: evenly "
      "spaced, the last step included. 0: the start only.");
  declarations.declare(
      "Instants at events", "false", Bool(),
      "Whether VTU files are also written after each step in which a contact begins or ends: the "
      "first percussion between two bodies, or a body and the surface or region of a contact, and "
      "the first step without one. All elastic bodies count as one. Bodies that rattle write "
      "many.");
  declarations.declare("Energy interval", "1", Integer(1, 1000000000),
                       "Steps between rows of energy.csv; the first and the last are always "
                       "written. Columns that speak of a single step hold the extremes of all "
                       "steps since the row before.");
  declarations.declare(
      "Units", "", Anything(),
      "The system of units in which this file is written: SI (kg, m, s), dimensionless, or those "
      "of mass, length and time, e.g. t, mm, s; and of force and energy where these "
      "are to be shown by another name. They are not converted, only shown in the "
      "results. Known are " +
          known_units() + ".");
  declarations.declare("Existing directory", "move aside", Selection("move aside|refuse"),
                       "What to do where the folder holds results already: move aside gives it the "
                       "next free name DIRECTORY.1, DIRECTORY.2, ...; refuse does not start.");
  declarations.declare(
      "Seconds between checkpoints", "60", NumberBetween({0, true}, {1e9, true}),
      "Wall time [s] after which the state of the run is saved, so that --resume goes on from "
      "there "
      "bit for bit when the run was killed. The last two checkpoints are kept until the run is "
      "complete. One is written in any case when the run is stopped by Ctrl-C, SIGTERM, "
      "SIGHUP, SIGXCPU or SIGUSR1. 0: not by time.");
  declarations.declare("Steps between checkpoints", "0", Integer(0, 1000000000),
                       "The same by number of steps. 0: not by steps.");
  declarations.declare(
      "Contact problems", "none", SchedulePattern(),
      "Which contact problems are written to the folder problems, as files of the Frictional "
      "Contact Library (FCLib 3, HDF5). every N: those of the steps N, 2N, ... that have a "
      "contact, as step-000123.hdf5. on failure: that of a step that fails at or after it, as "
      "failed-000123.hdf5. The problem is the one that the solver got, in its own units, with what "
      "the solver began with and, if it has converged, its solution; the description in the file "
      "says how to get impulses and velocities [L T^-1] from it. Of a hyperelastic body's step it "
      "is the problem of the last iteration.");
}

OutputOptions read_output(const CaseInput &input, const std::string &case_name) {
  const Parameters &parameters = input.parameters;
  OutputOptions options;
  options.directory = parameters.get("Output/Directory");
  if (options.directory.empty())
    options.directory = "output/" + case_name;
  options.n_outputs =
      static_cast<unsigned int>(parameters.get_integer("Output/Number of instants"));
  options.history_interval =
      static_cast<unsigned int>(parameters.get_integer("Output/Energy interval"));
  options.units = read_units(input);
  options.move_existing_aside = parameters.get("Output/Existing directory") == "move aside";
  options.checkpoints = {
      static_cast<unsigned int>(parameters.get_integer("Output/Steps between checkpoints")),
      parameters.get_double("Output/Seconds between checkpoints")};
  options.contact_problems = *problem_schedule(parameters.get("Output/Contact problems"));
  return options;
}

/// Reports a folder in which results cannot be written.
void check_output(const CaseInput &input, const OutputOptions &options) {
  if (const std::string problem = output_problem(options); !problem.empty())
    input.parameters.report(
        "Output/Directory",
        (input.parameters.is_changed("Output/Directory") ? "" : options.directory + ": ") + problem,
        input.problems);
}

template void read_time<2>(const CaseInput &, Case<2> &);
template void read_solver<2>(const CaseInput &, Case<2> &);
template void read_time<3>(const CaseInput &, Case<3> &);
template void read_solver<3>(const CaseInput &, Case<3> &);

} // namespace percussion
