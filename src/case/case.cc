#include <percussion/base/checksum.h>
#include <percussion/base/file.h>
#include <percussion/base/floating_point_traps.h>
#include <percussion/base/nearest_name.h>
#include <percussion/base/processes.h>
#include <percussion/base/table.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/input/geometry_parameters.h>
#include <percussion/input/read_mesh.h>
#include <percussion/output/vtu_output.h>

#include <deal.II/base/utilities.h>

#include "parameter_sections.h"
#include <algorithm>
#include <array>
#include <boost/crc.hpp>
#include <filesystem>
#include <sstream>

namespace percussion {

std::vector<std::string> components(unsigned int dim) {
  const std::vector<std::string> all = {"x", "y", "z"};
  return {all.begin(), all.begin() + dim};
}

std::vector<std::string> named_subsections(const ParameterDeclarations &declarations,
                                           const ParameterFile *file, const std::string &path,
                                           const std::string &placeholder) {
  if (file == nullptr)
    return {placeholder};
  const auto entries = declarations.names_below(to_path(path), false);
  std::vector<std::string> names;
  for (const auto &name : file->subsections(path))
    if (std::find(entries.begin(), entries.end(), name) == entries.end())
      names.push_back(name);
  return names;
}

std::vector<std::string> CaseInput::subsections(const std::string &name) const {
  return named_subsections(parameters.declarations(), &file, name, {});
}

void CaseInput::report_section(const std::string &message) const {
  const std::string name = path.substr(0, path.size() - 1);
  const auto opened = file.opened_subsections();
  const auto found = std::find_if(opened.begin(), opened.end(),
                                  [own_path = to_path(name)](const OpenedSubsection &section) {
                                    return section.path == own_path;
                                  });
  const bool is_opened = found != opened.end();
  problems.add({is_opened ? found->source : file.name(), is_opened ? found->line : 0,
                "subsection '" + name + "': " + message});
}

std::unique_ptr<Expression> CaseInput::formula(const std::string &entry) const {
  if (!has(entry))
    return nullptr;
  try {
    auto expression = std::make_unique<Expression>(get(entry), words);
    if (dimension == 2 && expression->depends_on_z())
      throw InputError("z is a variable of 3D cases, and this case is 2D");
    return expression;
  } catch (const InputError &error) {
    report(entry, error.what());
    return nullptr;
  }
}

std::unique_ptr<Expression> CaseInput::formula_of_time(const std::string &entry,
                                                       const std::string &reason,
                                                       const std::vector<double> &times) const {
  auto formula_of_entry = formula(entry);
  if (formula_of_entry && formula_of_entry->depends_on_position()) {
    report(entry, reason + ": the formula may depend on t only");
    return nullptr;
  }
  if (formula_of_entry)
    check_finite<2>(entry, *formula_of_entry, {dealii::Point<2>()}, times);
  return formula_of_entry;
}

template <int dim>
void CaseInput::check_finite(const std::string &entry, const Expression &formula,
                             const std::vector<dealii::Point<dim>> &points,
                             const std::vector<double> &times) const {
  for (const double t : times)
    for (const auto &x : points)
      try {
        formula(t, x);
        if (!formula.depends_on_position())
          break;
      } catch (const RunError &error) {
        if (std::string(error.what()).rfind("table ", 0) == 0)
          return report(entry, error.what());
        std::ostringstream reason;
        reason << "not a finite number";
        if (formula.depends_on_time())
          reason << " at t = " << t;
        if (formula.depends_on_position())
          reason << (formula.depends_on_time() ? " and" : " at") << " position "
                 << bracketed_point(x);
        return report(entry, reason.str());
      }
}

void CaseInput::refuse_unused(const std::string &entry, bool used,
                              const std::string &instead) const {
  if (!used && is_understood() && is_changed(entry))
    report(entry, "this has no effect " + instead);
}

void CaseInput::refuse_idle_entries() const {
  for (const ParameterDeclaration &declared : declarations()) {
    const UsedIf &condition = declared.entry->used_if;
    if (condition.entry.empty())
      continue;
    const std::size_t slash = condition.entry.rfind('/');
    const std::string value =
        slash == std::string::npos ? get(condition.entry) : parameters.get(condition.entry);
    refuse_unused(declared.entry->name, condition.is_met(value),
                  "with " + condition.entry.substr(slash + 1) + " = " + value + condition.advice);
  }
}

template <int dim>
std::string not_of_boundary_faces(const Region &region) {
  if (region.dimension + 1 != dim)
    return std::string("faces of the boundary are needed here (Gmsh: Physical ") +
           (dim == 3 ? "Surface" : "Curve") + "), and this region has the dimension " +
           std::to_string(region.dimension);
  const std::size_t inside = region.n_elements - region.faces.size();
  if (inside > 0)
    return "faces of the boundary are needed here, and " + std::to_string(inside) + " of the " +
           std::to_string(region.n_elements) + " faces in this region lie inside the body";
  return {};
}

Described formula_of(const std::string &variables) {
  return Described("a formula of " + variables + ", or nothing");
}

namespace {

/// Reports all entries that have no effect in a case without an elastic body.
void refuse_elastic_entries(const CaseInput &input) {
  const std::string context = "without an elastic body: Mesh/File is empty";
  for (const std::string section : {"Boundary conditions", "Initial state"})
    for (const auto &region : input.subsections(section))
      input.in(section + "/" + region).report_idle("this has no effect " + context);
  for (const auto &[path, value] : input.parameters.values()) {
    const std::string section = path.substr(0, path.rfind('/'));
    if (section == "Material" || (section == "Initial state" && path != "Initial state/From") ||
        path == "Mesh/Parameters" || path == "Mesh/Size" || path == "Mesh/Unit" ||
        path == "Mesh/Split" || path.rfind("Regions/", 0) == 0 || path == "Contact/Node inertia")
      input.refuse_unused(path, false, context);
  }
}

/// Returns the names of the entries of a section, or the placeholder if there is no file.
std::vector<std::string> names_or(const std::string &placeholder, const std::string &section,
                                  const ParameterFile *file) {
  return file == nullptr ? std::vector<std::string>{placeholder}
                         : entries_of_section(section, file);
}

/// Declares the named constants of formulas and number entries, and the signals of formulas.
void declare_constants(ParameterDeclarations &declarations, const ParameterFile *file) {
  {
    const Subsection subsection(declarations, "Constants");
    for (const auto &name : names_or("<constant>", "Constants", file))
      declarations.declare(name, "", Described("a formula of numbers and other constants"),
                           "Number whose name formulas and numeric entries may contain: with mm = "
                           "1e-3, Step = 2*mm is 2e-3.");
  }
  const Subsection subsection(declarations, "Signals");
  for (const auto &name : names_or("<signal>", "Signals", file))
    declarations.declare(name, "0", dealii::Patterns::Double(),
                         "First value of a number whose name formulas may contain, and which a "
                         "program in Python may change between steps.");
}

/// Reads the signals and their values at the beginning.
std::map<std::string, double> read_signals(const CaseInput &input) {
  std::map<std::string, double> found;
  for (const auto &[path, value] : input.parameters.values()) {
    const std::string section = "Signals/", name = path.substr(path.rfind('/') + 1);
    if (path.rfind(section, 0) != 0)
      continue;
    const std::string problem = input.parameters.constants().count(name) > 0
                                    ? "there is a constant of this name"
                                    : problem_of_constant(name);
    if (!problem.empty())
      input.report(path, problem);
    else
      found[name] = input.number(path);
  }
  return found;
}

} // namespace

namespace {

/// True if a shape that the program does not have suggests a case in 3D: it resembles a shape in
/// 3D, or is a solid.
bool suggests_solid(const std::string &shape) {
  constexpr std::array<const char *, 5> solids = {{"cone", "cube", "ball", "ellipsoid", "torus"}};
  const auto plane = shapes(2);
  return std::find(plane.begin(), plane.end(), shape) == plane.end() &&
         !nearest_name(shape, plane) &&
         (nearest_name(shape, shapes(3)) ||
          std::find(solids.begin(), solids.end(), shape) != solids.end());
}

} // namespace

std::vector<std::string> entries_of_section(const std::string &section, const ParameterFile *file) {
  std::vector<std::string> names;
  if (file != nullptr)
    for (const auto &[path, entry] : file->assignments())
      if (parent(path) == ParameterPath{section})
        names.push_back(path.back());
  return names;
}

unsigned int dimension_of(const ParameterFile &file) {
  const auto entry = [&](const std::string &path) {
    const auto found = file.assignments().find(to_path(path));
    return found == file.assignments().end() ? std::string() : found->second.value;
  };
  const NoFloatingPointTraps no_traps;
  for (const auto &name : dealii::Utilities::split_string_list(entry("Mesh/File"), ','))
    try {
      const std::string path = path_of_mesh(name, file);
      if (!is_geometry(path) || entry("Mesh/Parameters").empty())
        return body_dimension({path});
      Problems reported_elsewhere;
      return body_dimension({path, geometry_parameters(entry("Mesh/Parameters"),
                                                       read_constants(file, reported_elsewhere))});
    } catch (const InputError &) { // the reader of the mesh reports it
    }
  const auto solids = shapes(3);
  for (const std::string &name : file.subsections(rigid_section)) {
    const std::string shape = entry(rigid_section + "/" + name + "/Shape");
    if (std::find(solids.begin(), solids.end(), shape) != solids.end() ||
        (entry("Mesh/File").empty() && suggests_solid(shape)))
      return 3;
  }
  return 2;
}

namespace {

ParameterDeclarations declare_all(const ParameterFile *file, Dimensions dimensions) {
  ParameterDeclarations declarations;
  declare_constants(declarations, file);
  declare_mesh(declarations);
  declare_regions(declarations, file, dimensions);
  declare_material(declarations, file, dimensions);
  declare_rigid_bodies(declarations, file, dimensions);
  declare_boundary_conditions(declarations, file, dimensions);
  declare_initial_state(declarations, file, dimensions);
  declare_contact(declarations, file, dimensions);
  if (dimensions.plane)
    declare_links(declarations, file);
  if (dimensions.space)
    declare_joints(declarations, file);
  declare_time(declarations);
  declare_solver(declarations);
  declare_output(declarations);
  declare_probes(declarations, file, dimensions);
  return declarations;
}

} // namespace

ParameterDeclarations declare_case(const ParameterFile *file) {
  const unsigned int dim = file == nullptr ? 0 : dimension_of(*file);
  ParameterDeclarations declarations = declare_all(file, {dim != 3, dim != 2});
  if (dim != 0)
    declarations.set_other_dimension(dim == 3 ? "2D" : "3D", [dim] {
      return declare_all(nullptr, {dim == 3, dim != 3});
    });
  return declarations;
}

namespace {

template <int dim>
void read_motion_and_contact(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  if (!c.meshes.empty())
    read_boundary_conditions<dim>(input, c);
  c.bodies->hold_axis();
  read_rigid_motion<dim>(input, rigid, c);
  read_contact<dim>(input, rigid, c);
  if (input.problems.empty()) // a static preload needs the gaps
    read_reference_gaps(input, c);
  read_initial_state<dim>(input, rigid, c);
  if constexpr (dim == 2)
    read_links<dim>(input, rigid, c);
  else
    read_joints(input, rigid, c);
  read_appearance<dim>(input, rigid, c);
  if (!input.problems.empty())
    return;
  check_supports(input, c);
  read_probes(input, rigid, c);
  read_stop(input, c);
  if (!input.problems.empty())
    return;
  check_overlaps(input, c);
  warn_of_signals(input, c);
  warn_of_contacts(c);
  warn_of_implausible(input, rigid, c);
}

/// Returns the bodies of sections with more than one body, for tables of the final state. A section
/// with a body that is welded to others has no table.
template <int dim>
std::vector<BodyTable<dim>> body_tables(const RigidInput<dim> &rigid) {
  std::vector<BodyTable<dim>> tables;
  for (const auto &[name, bodies] : rigid.sections) {
    BodyTable<dim> table{name, bodies, {}};
    for (const unsigned int b : bodies)
      if (rigid.bodies[b].shapes.size() <= 1 && rigid.bodies[b].pieces.size() <= 1)
        table.rows.push_back(rigid.rows[b]);
    if (bodies.size() > 1 && table.rows.size() == bodies.size())
      tables.push_back(std::move(table));
  }
  return tables;
}

/// Adds checksums of the tables to the parameters of the case: a resumed run requires unchanged
/// tables.
template <int dim>
void note_tables(const FormulaWords &words, Case<dim> &c) {
  for (const auto &[name, table] : words.tables) {
    boost::crc_32_type crc;
    for (const auto *const column : {&table->abscissae, &table->values})
      crc.process_bytes(column->data(), column->size() * sizeof(double));
    c.parameters.emplace_back(table_prefix + std::filesystem::path(name).filename().string(),
                              std::to_string(table->abscissae.size()) + " rows, checksum " +
                                  std::to_string(crc.checksum()));
  }
}

/// Adds checksums of the surfaces in files to the parameters of the case, likewise.
template <int dim>
void note_surfaces(const ParameterFile &file, Case<dim> &c) {
  Parameters::Values checksums;
  for (const auto &[path, value] : c.parameters)
    if (names_file_of_bodies(path) && path.substr(path.rfind('/')) == "/Surface mesh" &&
        !value.empty())
      if (const auto bytes = read_file(path_of_mesh(value, file)))
        checksums.emplace_back(surface_prefix + path.substr(0, path.rfind('/')),
                               "checksum " + std::to_string(crc64(*bytes)));
  c.parameters.insert(c.parameters.end(), checksums.begin(), checksums.end());
}

template <int dim>
Case<dim> built_case(const Parameters &parameters, const ParameterFile &file, bool to_resume,
                     Log *log) {
  Problems problems = parameters.problems();
  const auto words = std::make_shared<FormulaWords>();
  words->constants = parameters.constants();
  words->folder = std::filesystem::path(file.name()).parent_path().string();
  const CaseInput input{parameters, file, problems, dim, words, log};
  Case<dim> c;
  c.initial_signals = read_signals(input);
  for (const auto &[name, value] : c.initial_signals)
    words->signals[name] = std::make_shared<double>(value);
  c.signals = words->signals;
  c.parameters = parameters.values();
  c.name = std::filesystem::path(file.name()).stem().string();
  // All sections are read, with defaults in place of refused values, so that all errors are
  // reported at once.
  c.output = read_output(input, c.name);
  if (!to_resume && processes::is_first())
    check_output(input, c.output);
  read_time<dim>(input, c);
  read_solver<dim>(input, c);
  const auto gravity = read_gravity<dim>(input);
  const auto rigid = read_rigid_bodies<dim>(input);
  for (const auto &[name, content] : rigid.tables)
    c.parameters.emplace_back(body_table_prefix + name, content);
  note_surfaces(file, c);
  const bool rigid_only = !rigid.bodies.empty() && parameters.get("Mesh/File").empty();
  typename System<dim>::ElasticBodies elastic;
  if (rigid_only)
    refuse_elastic_entries(input);
  else
    elastic = make_elastic_bodies(input, c);
  check_axisymmetry<dim>(input, elastic);
  if (!elastic.empty() || rigid_only) {
    const MatrixStorage storage = matrix_storage(input, c, elastic);
    c.bodies =
        std::make_unique<System<dim>>(std::move(elastic), rigid.bodies, gravity.constant, storage);
    for (unsigned int d = 0; d < dim; ++d)
      if (gravity.changing[d]) {
        input.check_finite<dim>("Boundary conditions/Gravity", *gravity.changing[d],
                                {dealii::Point<dim>()}, first_and_last_time(c));
        c.bodies->add_gravity(d, *gravity.changing[d]);
      }
    if (!c.choices.has_inertia && rigid.bodies.empty())
      c.bodies->remove_inertia();
    check_fields(input, field_names(*c.bodies), c.output);
    c.body_tables = body_tables(rigid);
    read_motion_and_contact(input, rigid, c);
  } else
    for (const ParameterDeclaration &declared : parameters.declarations().all())
      if (plain_words(*declared.entry->pattern).rfind("a formula", 0) == 0)
        input.formula(to_string(declared.path())); // checks the syntax of formulas without a mesh
  problems.throw_if_any();
  note_tables(*words, c);
  return c;
}

} // namespace

template <int dim>
Case<dim> build_case(const Parameters &parameters, const ParameterFile &file, bool to_resume,
                     Log *log) {
  try {
    return built_case<dim>(parameters, file, to_resume, log);
  } catch (const FormulaError &error) {
    throw InputError(file.name() + ": " + error.what());
  } catch (const dealii::ExceptionBase &error) { // from LAPACK, for example
    std::ostringstream reason;
    error.print_info(reason);
    throw InputError(file.name() + ": a computation with the numbers of this case fails (" +
                     dealii::Utilities::trim(reason.str()) +
                     "); a number may be too large or too small: choose other units");
  }
}

template void CaseInput::check_finite<2>(const std::string &, const Expression &,
                                         const std::vector<dealii::Point<2>> &,
                                         const std::vector<double> &) const;
template void CaseInput::check_finite<3>(const std::string &, const Expression &,
                                         const std::vector<dealii::Point<3>> &,
                                         const std::vector<double> &) const;
PERCUSSION_INSTANTIATE(not_of_boundary_faces);
PERCUSSION_INSTANTIATE(build_case);

} // namespace percussion
