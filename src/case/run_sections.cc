#include <percussion/input/read_mesh.h>
#include <percussion/input/section_table.h>

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

namespace {

/// Returns the condition that the scheme has an integrator.
UsedIf if_integrator(Integrator integrator, const std::string &advice) {
  return if_scheme([=](const Scheme &row) { return row.integrator == integrator; }, advice);
}

SectionTable<CaseChoices> time_table() {
  std::string names, descriptions;
  for (const Scheme &row : schemes()) {
    names += (names.empty() ? "" : "|") + std::string(row.name);
    descriptions += " " + std::string(row.name) + ": " + row.description + ".";
  }
  const UsedIf if_adaptive = {"Adaptive", {"true"}, false, ""};
  SectionTable<CaseChoices> table("Time");
  table.add("Scheme", "moreau-jean-fremond", Selection(names),
            "Time-stepping scheme." + descriptions, &CaseChoices::scheme_name);
  table.add("Start", "0", Double(), "Start time [T].", &CaseChoices::span, &TimeSpan::start);
  table.add("End", "1", Double(), "End time [T].", &CaseChoices::span, &TimeSpan::end);
  table.add("Step", "1e-3", PositiveDouble(),
            "Time step h [T]. The last step ends at End or up to one step later.",
            &CaseChoices::choices, &StepChoices::h);
  table.add(declare_stop);
  table
      .add("Theta", "0.5", NumberBetween({0, false}, {1, true}),
           "Parameter theta of the theta-method [1]. The energy theorem holds for 1/2 <= theta <= "
           "1/(1 + e), where e is the largest restitution (AC24, eq. 87); the scheme dissipates "
           "if theta > 1/2.",
           &CaseChoices::choices, &StepChoices::theta)
      .used_if(if_integrator(Integrator::theta, ", which is no theta-method"));
  table.add_choice<bool>(
      "Inertia", {{"full", true}, {"none", false}},
      "Inertia of the elastic bodies. full: M dv is a term of the balance. none: the balance is "
      "quasi-static, K q = F + contact forces at the end of each step (CA, eq. 163), with contact "
      "and friction in increments of displacements; Theta must be 1, a body needs supports or "
      "contacts that hold it, and Density is needed for gravity and Rayleigh alpha only. t then "
      "parametrises the loads, and only viscosity depends on its rate. Not for rigid bodies, links "
      "and restitution.",
      &CaseChoices::choices, &StepChoices::has_inertia);
  table
      .add("Spectral radius", "0.8", NumberBetween({0, true}, {1, true}),
           "Fraction rho_infinity of the highest frequencies' amplitude that remains after a step "
           "[1], for the scheme generalized-alpha only: 1 preserves them, 0 annihilates them "
           "(Chung & Hulbert 1993).",
           &CaseChoices::choices, &StepChoices::spectral_radius)
      .used_if(if_integrator(Integrator::generalized_alpha,
                             "; Scheme = generalized-alpha has a spectral radius"));
  table.add("Max cuts", "10", Integer(0, 20),
            "Number of times that a failed step is halved before the run ends: the shortest "
            "substep is 2^-(Max cuts) of a step. Only steps of hyperelastic or rigid bodies and "
            "adaptive steps are halved; the log reports each cut.",
            &CaseChoices::choices, &StepChoices::max_cuts);
  table.add("Adaptive", "false", Bool(),
            "Adaptive length of substeps. true: substeps keep their length from step to step, "
            "until the number of successes reaches Grow after; steps of all bodies are cut if they "
            "fail or exceed Energy error. false: each step begins with its full length, and is cut "
            "only if it fails and a body is hyperelastic or rigid. Rows of energy.csv and instants "
            "remain at the ends of full steps.",
            &CaseChoices::choices, &StepChoices::adaptive);
  table
      .add("Grow after", "8", Integer(1, 1000000000),
           "Number of successful substeps of one length after which the next substep is twice as "
           "long, in adaptive steps.",
           &CaseChoices::choices, &StepChoices::grow_after)
      .used_if(if_adaptive);
  table
      .add(
          "Energy error", "0", NumberBetween({0, true}, {1, false}),
          "Largest energy error of an adaptive substep, as a fraction of the largest energy so far "
          "[1]: |balance residual| + |numerical work| + the energy that contacts supply to the "
          "bodies. A substep with a larger error is repeated in two halves. 0: no limit.")
      .read_by([](const Parameters &parameters, const std::string &path, CaseChoices &c) {
        if (const double limit = parameters.get_double(path); limit > 0.)
          c.choices.energy_tolerance = limit;
      })
      .used_if(if_adaptive);
  return table;
}

/// Reports choices that mean nothing without inertia.
void refuse_inertial_choices(const CaseInput &input, const CaseChoices &c) {
  const Scheme &of_case = scheme(c.scheme_name);
  const std::string entry = "Time/Inertia";
  if (of_case.integrator != Integrator::theta)
    return input.report(entry, "Scheme = " + c.scheme_name +
                                   " integrates accelerations, which a quasi-static balance does "
                                   "not have; schemes with Theta accept it");
  if (of_case.redistributes_inertia)
    return input.report(entry,
                        "Scheme = " + c.scheme_name +
                            " redistributes the inertia of contact nodes, and there is none");
  if (of_case.penalty == Penalty::conserving)
    return input.report(entry, "Scheme = " + c.scheme_name +
                                   " has springs with the mean force of a step, which alternate "
                                   "about the equilibrium; Scheme = penalty accepts it");
  if (of_case.formulation != Formulation::collocated || of_case.forecast == Forecast::trial)
    return input.report(entry, "Scheme = " + c.scheme_name +
                                   " makes the contacts active that are closed at the beginning of "
                                   "a step, and without inertia a closing contact would penetrate "
                                   "by the whole step; Scheme = moreau-jean-fremond accepts it");
  if (c.choices.theta != 1.)
    input.report("Time/Theta", "with Inertia = none it must be 1: with another value displacements "
                               "alternate about the equilibrium from step to step");
  if (!input.subsections("Rigid bodies").empty())
    input.report(entry, "a rigid body without inertia has no equation of motion; move a surface "
                        "instead (Contact/NAME/Motion), or take Inertia = full");
  if (!input.subsections("Links").empty())
    input.report(entry, "links have forces in the middle of a step, and a quasi-static balance "
                        "holds at its end; take Inertia = full");
}

} // namespace

void declare_time(ParameterDeclarations &declarations) { time_table().declare(declarations); }

template <int dim>
void read_time(const CaseInput &input, Case<dim> &c) {
  const Parameters &parameters = input.parameters;
  time_table().read(parameters, c);
  input.refuse_idle_entries("Time");
  if (!c.choices.has_inertia)
    refuse_inertial_choices(input, c);
  if (!(c.span.end > c.span.start))
    return input.report("Time/End",
                        "it must be later than Time/Start = " + parameters.get("Time/Start"));
  const double steps = (c.span.end - c.span.start) / c.choices.h;
  if (steps > 4e9)
    return input.report("Time/Step", "this makes more than 4e9 steps");
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

namespace {

SectionTable<CaseChoices> solver_table() {
  std::string names = scheme_default, descriptions;
  for (const ConeMethodEntry &row : cone_methods()) {
    names += "|" + std::string(row.name);
    if (row.method != ConeMethod::pdas)
      descriptions += " " + std::string(row.name) + ": " + std::string(row.description) + ".";
  }
  SectionTable<CaseChoices> table("Solver");
  table
      .add("Method", scheme_default, Selection(names),
           "Method for the contact problem of a step. Default: pdas for the schemes whose "
           "description begins with Gonzalez and for nitsche-symmetric, auto for the others. pdas "
           "updates the statuses of the contacts once in each iteration on the momentum "
           "(primal-dual active set); for linear bodies, which need one iteration, it is auto. "
           "The other methods solve the contact problem in each of these iterations." +
               descriptions + " Only auto continues with another method if one method fails.")
      .read_by([](const Parameters &parameters, const std::string &path, CaseChoices &c) {
        const ConeMethodEntry *const row = find_cone_method(parameters.get(path));
        c.cone.method = row == nullptr ? scheme(c.scheme_name).method : row->method;
      });
  table.add("Tolerance", "1e-10", PositiveDouble(1),
            "Largest natural-map residual of the contact problem of a step, relative to 1 + the "
            "norm of its free velocities [1] (AC24, section 4). A step with a larger residual "
            "fails: see Max cuts in section Time.",
            &CaseChoices::cone, &ConeOptions::tolerance);
  table.add("Max iterations", "100000", Integer(1, 1000000000),
            "Largest number of iterations for one contact problem: sweeps, pivots, Newton "
            "iterations.",
            &CaseChoices::cone, &ConeOptions::max_iterations);
  table.add_choice<LinearSolver>(
      "Linear systems",
      {{"automatic", LinearSolver::automatic},
       {"direct", LinearSolver::direct},
       {"conjugate gradients", LinearSolver::conjugate_gradients}},
      "Solver of the linear systems of elastic bodies. direct: sparse Cholesky factorisation, "
      "which requires memory. conjugate gradients: iterations, preconditioned by the diagonal or "
      "by algebraic multigrid, to round-off of the energy; contacts that are not projected "
      "(Contact elimination) may then act on at most 3000 degrees of freedom, and the first "
      "percussion on each of these requires a solution, with hyperelastic laws for each new "
      "matrix. automatic: direct, unless the factor has more than 6e8 entries (5 GB) or, in 3D, "
      "contacts may act on more than 3000 degrees of freedom and iterations take hardly longer; "
      "with hyperelastic laws only in 3D and if all contacts can be projected.",
      &CaseChoices::choices, &StepChoices::linear_solver);
  table.add_choice<ContactElimination>(
      "Contact elimination",
      {{"automatic", ContactElimination::automatic},
       {"condensed", ContactElimination::condensed},
       {"projected", ContactElimination::projected}},
      "Velocities that the solution of the contacts eliminates. condensed: the velocities of the "
      "bodies, which leaves a dense matrix of the contacts. projected: the velocities of the "
      "nodes in contact; the other velocities, and the percussions of contacts that share their "
      "nodes, follow by Krylov iterations on the sparse matrix, without a factor or a dense "
      "matrix. Contacts between rigid bodies, with springs and at quadrature points, and contacts "
      "that do not converge, are condensed. automatic: condensed in 2D and for few contacts, "
      "otherwise by an estimate of the time of a step.",
      &CaseChoices::choices, &StepChoices::contact_elimination);
  table.add("Newton tolerance", "1e-10", PositiveDouble(1e-2),
            "Largest residual of the momentum of a step, relative to its largest term [1], for "
            "hyperelastic laws.",
            &CaseChoices::choices, &StepChoices::newton_tolerance);
  table.add("Max Newton iterations", "40", Integer(1, 1000000),
            "Largest number of iterations on the momentum in one step after the last raising of "
            "tangential restitutions, for hyperelastic laws. A step that needs more iterations is "
            "halved.",
            &CaseChoices::choices, &StepChoices::max_newton_iterations);
  return table;
}

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

void declare_solver(ParameterDeclarations &declarations) { solver_table().declare(declarations); }

template <int dim>
void read_solver(const CaseInput &input, Case<dim> &c) {
  const Parameters &parameters = input.parameters;
  solver_table().read(parameters, c);
  const bool linear = all_laws_are_linear(input);
  const bool rigid_only =
      parameters.get("Mesh/File").empty() && !input.subsections("Rigid bodies").empty();
  const bool has_links = !input.subsections("Links").empty();
  const bool iterates = (!linear && !rigid_only) || has_links;
  if (iterates && scheme(c.scheme_name).integrator != Integrator::theta)
    input.report("Time/Scheme",
                 "it is for linear and rigid bodies without links; schemes whose description "
                 "begins with Gonzalez accept all bodies");
  input.refuse_unused("Solver/Linear systems", !rigid_only, "without an elastic body");
  input.refuse_unused("Solver/Contact elimination", !rigid_only && !has_links,
                      rigid_only ? "without an elastic body" : "with links");
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

SectionTable<OutputOptions> output_table() {
  SectionTable<OutputOptions> table("Output");
  table.add("Directory", "", Described("the name of a folder, or nothing"),
            "Folder of the results. A relative name starts at the folder where the program is "
            "started. Default: output/NAME for a case in NAME.prm.",
            &OutputOptions::directory);
  table.add("Number of instants", "100", Integer(0, 999999),
            "Number of instants with VTU files after the start: evenly spaced, including the last "
            "step. 0: VTU files at the start only.",
            &OutputOptions::n_outputs);
  table.add("Instants at events", "false", Bool(),
            "If true, VTU files are also written after each step in which a contact begins or "
            "ends: the first percussion between two bodies, or a body and the surface or region of "
            "a contact, and the first step without a percussion. All elastic bodies count as one "
            "body. Rattling bodies write many files.");
  table.add("Energy interval", "1", Integer(1, 1000000000),
            "Number of steps between rows of energy.csv; the first and the last row are always "
            "written. Per-step columns hold the extremes of all steps since the previous row.",
            &OutputOptions::history_interval);
  table.add("Units", "", Anything(),
            "System of units of this file: SI (kg, m, s), dimensionless, or units of mass, length "
            "and time, e.g. t, mm, s; also units of force and energy if the results should show "
            "different names. Values are not converted. Known units are " +
                known_units() + ".");
  table.add_choice<bool>(
      "Existing directory", {{"move aside", true}, {"refuse", false}},
      "Treatment of a folder that already contains results. move aside: the folder "
      "gets the next free name DIRECTORY.1, DIRECTORY.2, ...; refuse: the run does "
      "not start.",
      &OutputOptions::move_existing_aside);
  table.add("Seconds between checkpoints", "60", NumberBetween({0, true}, {1e9, true}),
            "Wall time between checkpoints [s]. If the run is killed, --resume continues bit for "
            "bit from its last checkpoint. The last two checkpoints are kept until the run is "
            "complete. Ctrl-C, SIGTERM, SIGHUP, SIGXCPU or SIGUSR1 always write a checkpoint "
            "before the run stops. 0: no checkpoints by time.",
            &OutputOptions::checkpoints, &CheckpointSchedule::seconds);
  table.add("Steps between checkpoints", "0", Integer(0, 1000000000),
            "Number of steps between checkpoints. 0: none by steps.", &OutputOptions::checkpoints,
            &CheckpointSchedule::steps);
  table
      .add("Contact problems", "none", SchedulePattern(),
           "Contact problems written to the folder problems, as files of the Frictional Contact "
           "Library (FCLib 3, HDF5). every N: the problems of the steps N, 2N, ... with contacts, "
           "as step-000123.hdf5. on failure: the problem of a step that fails at or after the "
           "problem, as failed-000123.hdf5. A file contains the problem as the solver received "
           "it, in its own units, with the initial guess and, if the solver has converged, the "
           "solution; the description in the file explains how to get impulses and velocities [L "
           "T^-1]. For a hyperelastic body it is the problem of the last iteration.")
      .read_by([](const Parameters &parameters, const std::string &path, OutputOptions &options) {
        options.contact_problems = *problem_schedule(parameters.get(path));
      });
  return table;
}

} // namespace

void declare_output(ParameterDeclarations &declarations) { output_table().declare(declarations); }

OutputOptions read_output(const CaseInput &input, const std::string &case_name) {
  OutputOptions options;
  output_table().read(input.parameters, options);
  if (options.directory.empty())
    options.directory = "output/" + case_name;
  options.units = read_units(input);
  return options;
}

/// Reports a folder in which results cannot be written.
void check_output(const CaseInput &input, const OutputOptions &options) {
  if (const std::string problem = output_problem(options); !problem.empty())
    input.report("Output/Directory",
                 (input.parameters.is_changed("Output/Directory") ? "" : options.directory + ": ") +
                     problem);
}

template void read_time<2>(const CaseInput &, Case<2> &);
template void read_solver<2>(const CaseInput &, Case<2> &);
template void read_time<3>(const CaseInput &, Case<3> &);
template void read_solver<3>(const CaseInput &, Case<3> &);

} // namespace percussion
