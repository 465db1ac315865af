#include <percussion/base/format.h>
#include <percussion/input/section_table.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>

namespace percussion {

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
  const UsedIf if_adaptive = {"Adaptive", {"true"}, false, ""};
  SectionTable<CaseChoices> table("Time");
  table.add("Scheme", "moreau-jean-fremond", Selection(names_of(schemes())),
            "Time-stepping scheme." + descriptions_of(schemes()), &CaseChoices::scheme_name);
  table.add("Start", "0", Double(), "Start time [T].", &CaseChoices::span, &TimeSpan::start);
  table.add("End", "1", Double(), "End time [T].", &CaseChoices::span, &TimeSpan::end);
  table.add("Step", "1e-3", PositiveDouble(),
            "Time step h [T]. The last step ends at End or up to one step later.",
            &CaseChoices::choices, &StepChoices::h);
  table.add(
      "Stop when", "", Described("'at rest', 'separated', a formula, or nothing"),
      "Condition that ends the run before End, after the first step that meets it. at rest: the "
      "kinetic energy has stayed below 1e-8 of its largest value for a tenth of the time since "
      "Start. separated: the time since the last contact force is at least the time between the "
      "first and the last contact force. A formula: its value is not zero, e.g. total < 0.1 or "
      "tip.displacement_y > 2 && t > 0.5. Its variables are t, the energies kinetic, strain and "
      "total, contacts (number of contacts with a force) and the columns of the probes.");
  table
      .add("Theta", "0.5", NumberBetween({0, false}, {1, true}),
           "Parameter theta of the theta-method [1]. The energy theorem holds for 1/2 <= theta <= "
           "1/(1 + e) with the largest restitution e (AC24, eq. 87); above 1/2 the scheme "
           "dissipates.",
           &CaseChoices::choices, &StepChoices::theta)
      .used_if(if_integrator(Integrator::theta, ", which is no theta-method"));
  table.add_choice<bool>(
      "Inertia", {{"full", true}, {"none", false}},
      "Inertia of the elastic bodies. full: M dv is a term of the balance. none: the balance is "
      "quasi-static, K q = F + contact forces at the end of each step (CA, eq. 163), with contact "
      "and friction in increments of displacements; Theta must be 1, supports or contacts must "
      "hold each body, Density is needed for gravity and Rayleigh alpha only, and only viscosity "
      "depends on the rate. Not for rigid "
      "bodies, links and restitution.",
      &CaseChoices::choices, &StepChoices::has_inertia);
  table
      .add("Spectral radius", "0.8", NumberBetween({0, true}, {1, true}),
           "Fraction rho_infinity of the amplitude of the highest frequencies that remains after a "
           "step [1], for the scheme generalized-alpha (Chung & Hulbert 1993).",
           &CaseChoices::choices, &StepChoices::spectral_radius)
      .used_if(if_integrator(Integrator::generalized_alpha,
                             "; Scheme = generalized-alpha has a spectral radius"));
  table.add("Max cuts", "10", Integer(0, 20),
            "Number of times that a failed step is halved before the run ends: the shortest "
            "substep is 2^-(Max cuts) of a step. Only steps of hyperelastic or rigid bodies and "
            "adaptive steps are halved; the log reports each cut.",
            &CaseChoices::choices, &StepChoices::max_cuts);
  table.add(
      "Adaptive", "false", Bool(),
      "Adaptive length of substeps. true: substeps keep their length from step to step, until Grow "
      "after have succeeded; steps of all bodies are cut if they fail or exceed Energy error. "
      "false: each step begins with its full length, and is cut only if it fails and a body is "
      "hyperelastic or rigid. Rows of energy.csv and instants remain at the ends of full steps.",
      &CaseChoices::choices, &StepChoices::adaptive);
  table
      .add("Grow after", "8", Integer(1, 1000000000),
           "Number of successful substeps of one length after which an adaptive step doubles it.",
           &CaseChoices::choices, &StepChoices::grow_after)
      .used_if(if_adaptive);
  table
      .add("Energy error", "0", NumberBetween({0, true}, {1, false}),
           "Largest energy error of an adaptive substep, as a fraction of the largest energy so "
           "far [1]: |balance residual| + |numerical work| + the energy that contacts supply to "
           "the bodies. 0: no limit.")
      .read_by([](const Parameters &parameters, const std::string &path, CaseChoices &c) {
        if (const double limit = parameters.get_double(path); limit > 0.)
          c.choices.energy_tolerance = limit;
      })
      .used_if(if_adaptive);
  return table;
}

/// Reports choices that mean nothing without inertia.
void refuse_inertial_choices(const CaseInput &input, const CaseChoices &c) {
  const Scheme &case_scheme = scheme(c.scheme_name);
  const std::string entry = "Time/Inertia";
  if (case_scheme.integrator != Integrator::theta)
    return input.report(entry, "Scheme = " + c.scheme_name +
                                   " integrates accelerations, which a quasi-static balance does "
                                   "not have; schemes with Theta accept it");
  if (case_scheme.redistributes_inertia)
    return input.report(entry,
                        "Scheme = " + c.scheme_name +
                            " redistributes the inertia of contact nodes, and there is none");
  if (case_scheme.penalty == Penalty::conserving)
    return input.report(entry, "Scheme = " + c.scheme_name +
                                   " has springs with the mean force of a step, which alternate "
                                   "about the equilibrium; Scheme = penalty accepts it");
  if (case_scheme.formulation != Formulation::collocated || case_scheme.forecast == Forecast::trial)
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
  if (has_links(input))
    input.report(entry, "links have forces in the middle of a step, and a quasi-static balance "
                        "holds at its end; take Inertia = full");
}

} // namespace

void declare_time(ParameterDeclarations &declarations) { time_table().declare(declarations); }

template <int dim>
void read_time(const CaseInput &input, Case<dim> &c) {
  time_table().read(input.parameters, c);
  input.in("Time").refuse_idle_entries();
  if (!c.choices.has_inertia)
    refuse_inertial_choices(input, c);
  if (!(c.span.end > c.span.start))
    return input.report("Time/End",
                        "it must be later than Time/Start = " + input.get("Time/Start"));
  const double steps = (c.span.end - c.span.start) / c.choices.h;
  if (steps > 4e9)
    return input.report("Time/Step", "this makes more than 4e9 steps");
  const double rounded_steps = std::round(steps);
  const bool fits = rounded_steps >= 1 && std::abs(steps - rounded_steps) <= 1e-9 * rounded_steps;
  c.span.n_steps = static_cast<unsigned int>(fits ? rounded_steps : std::ceil(steps));
  if (!fits)
    c.warnings.push_back(input.remark(
        "Time/Step",
        format("%sTime/End - Time/Start is no whole number of steps: the run ends at t = %.10g "
               "after %u step%s",
               steps < 1 ? "one step is longer than the whole run, and " : "",
               c.span.start + c.span.n_steps * c.choices.h, c.span.n_steps,
               c.span.n_steps == 1 ? "" : "s")));
}

namespace {

SectionTable<CaseChoices> solver_table() {
  std::string descriptions;
  for (const ConeMethodEntry &row : cone_methods())
    if (row.method != ConeMethod::pdas)
      descriptions += " " + std::string(row.name) + ": " + std::string(row.description) + ".";
  SectionTable<CaseChoices> table("Solver");
  table
      .add("Method", scheme_default, Selection(names_of(cone_methods(), scheme_default)),
           "Method for the contact problem of a step. Default: pdas for the schemes with Gonzalez' "
           "midpoint rule and for nitsche-symmetric, auto for the others. pdas updates the "
           "statuses of the contacts once in each iteration on the momentum (primal-dual active "
           "set); for linear bodies it is auto. The other methods solve the contact problem in "
           "each of these iterations." +
               descriptions)
      .read_by([](const Parameters &parameters, const std::string &path, CaseChoices &c) {
        const ConeMethodEntry *const row = find_cone_method(parameters.get(path));
        c.cone.method = row == nullptr ? scheme(c.scheme_name).method : row->method;
      });
  table.add("Tolerance", "1e-10", PositiveDouble(1),
            "Largest natural-map residual of the contact problem of a step, relative to 1 + the "
            "norm of its free velocities [1] (AC24, section 4). A step with a larger residual "
            "fails (Time/Max cuts).",
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
      "(Contact elimination) may then act on at most 3000 degrees of freedom, each of which "
      "requires a solution, with hyperelastic laws for each new matrix. automatic: direct, unless "
      "the factor has more than 6e8 entries (5 GB; with hyperelastic laws only in 3D and if all "
      "contacts can be projected), or in 3D all contacts can be projected and act on more than "
      "3000 degrees of freedom, or on at least 600 of linear bodies.",
      &CaseChoices::choices, &StepChoices::linear_solver);
  table.add_choice<Precision>(
      "Precision",
      {{"automatic", Precision::automatic},
       {"double", Precision::full},
       {"mixed", Precision::mixed}},
      "Precision of the iterations of conjugate gradients and GMRES in 3D without a factor, if the "
      "diagonal preconditions them. mixed: products and vectors of the iterations are in single "
      "precision, residuals, statuses, percussions and works in double precision; the iterations "
      "reach the same residual in less time. automatic: mixed from 20000 unknowns on.",
      &CaseChoices::choices, &StepChoices::precision);
  table.add_choice<ContactElimination>(
      "Contact elimination",
      {{"automatic", ContactElimination::automatic},
       {"condensed", ContactElimination::condensed},
       {"projected", ContactElimination::projected}},
      "Velocities that the solution of the contacts eliminates. condensed: the velocities of the "
      "bodies, which leaves a dense matrix of the contacts. projected: the velocities of the nodes "
      "in contact; all others follow by Krylov iterations on the sparse matrix, without a factor. "
      "Contacts between rigid bodies, with springs and at quadrature points, and contacts that do "
      "not converge, are condensed. automatic: condensed in 2D and for few contacts, otherwise by "
      "an estimate of the time of a step.",
      &CaseChoices::choices, &StepChoices::contact_elimination);
  table.add("Newton tolerance", "1e-10", PositiveDouble(1e-2),
            "Largest residual of the momentum of a step, relative to its largest term [1], for "
            "hyperelastic laws.",
            &CaseChoices::choices, &StepChoices::newton_tolerance);
  table.add("Max Newton iterations", "40", Integer(1, 1000000),
            "Largest number of iterations on the momentum in one step after the last raising of "
            "tangential restitutions, for hyperelastic laws.",
            &CaseChoices::choices, &StepChoices::max_newton_iterations);
  return table;
}

/// True if the law of all cells and the laws of regions with their own material are linear.
bool all_laws_are_linear(const CaseInput &input) {
  const auto is_linear = [&](const std::string &section) {
    const std::string law = input.get(section + "/Law");
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
  solver_table().read(input.parameters, c);
  const bool linear = all_laws_are_linear(input);
  const bool has_rigid = !input.subsections(rigid_section).empty();
  const bool rigid_only = !input.has("Mesh/File") && has_rigid;
  const bool iterates = (!linear && !rigid_only) || has_links(input);
  if (iterates && scheme(c.scheme_name).integrator != Integrator::theta)
    input.report("Time/Scheme",
                 "it is for linear and rigid bodies without links; schemes whose description "
                 "begins with Gonzalez accept all bodies");
  input.refuse_unused("Solver/Linear systems", !rigid_only, "without an elastic body");
  const bool may_iterate = dim == 3 && c.choices.linear_solver != LinearSolver::direct;
  input.refuse_unused("Solver/Precision", !rigid_only && may_iterate,
                      rigid_only ? "without an elastic body"
                      : dim == 2 ? "in 2D"
                                 : "with Linear systems = direct");
  input.refuse_unused("Solver/Contact elimination", !rigid_only && !has_links(input),
                      rigid_only ? "without an elastic body" : "with links");
  const std::string instead = rigid_only ? "without an elastic body" : "with Law = linear elastic";
  for (const std::string entry : {"Solver/Newton tolerance", "Solver/Max Newton iterations"})
    input.refuse_unused(entry, iterates, instead);
  input.refuse_unused("Time/Max cuts", c.choices.adaptive || iterates || has_rigid,
                      "with Law = linear elastic, Time/Adaptive = false and no rigid body");
}

template <int dim>
void read_stop(const CaseInput &input, Case<dim> &c) {
  const std::string entry = "Time/Stop when", text = input.get(entry);
  c.stop.text = text;
  if (text.empty())
    return;
  if (text == "at rest" || text == "separated") {
    c.stop.kind = text == "at rest" ? StopWhen::Kind::rest : StopWhen::Kind::separated;
    if (text == "separated" && c.boundary->pairs.empty())
      input.report(entry, "there is no contact");
    if (text == "at rest" && !c.choices.has_inertia)
      input.report(entry, "with Inertia = none there is no kinetic energy that could decay");
    return;
  }
  auto words = std::make_shared<FormulaWords>(*input.words);
  words->variables = {"t", "kinetic", "strain", "total", "contacts"};
  for (const auto &name : words->variables) { // the names denote variables of the run
    words->constants.erase(name);
    words->signals.erase(name);
  }
  for (const auto &probe : c.probes)
    for (const auto &column : probe_columns(probe))
      words->variables.push_back(probe.name + "." + column);
  try {
    c.stop.formula = std::make_shared<const Expression>(text, words);
    c.stop.kind = StopWhen::Kind::formula;
  } catch (const InputError &error) {
    input.report(entry, "neither 'at rest' nor 'separated', and " + std::string(error.what()));
  }
}

PERCUSSION_INSTANTIATE(read_time);
PERCUSSION_INSTANTIATE(read_solver);
PERCUSSION_INSTANTIATE(read_stop);

} // namespace percussion
