#include <percussion/base/format.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/body/region_faces.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace percussion {
namespace {

const std::string regions_section = "Regions";

/// Returns x, y and, in 3D, z, each behind a prefix.
std::vector<std::string> component_names(unsigned int dim, const std::string &prefix) {
  std::vector<std::string> names;
  for (const std::string &component : components(dim))
    names.push_back(prefix + component);
  return names;
}

/// Condition in an entry of a section.
struct Condition {
  std::string entry;
  std::vector<std::string> variables;
  std::unique_ptr<Expression> formula; ///< null if it is wrong, which is reported
};

Condition read_condition(const CaseInput &section, const std::string &entry,
                         const std::vector<std::string> &variables) {
  auto words = std::make_shared<FormulaWords>();
  if (section.words)
    *words = *section.words;
  words->signals.clear(); // regions are selected once
  words->variables = variables;
  Condition condition{entry, variables, nullptr};
  try {
    condition.formula = std::make_unique<Expression>(section.get(entry), words);
  } catch (const InputError &error) {
    section.report(entry, std::string(error.what()) +
                              " (the variables are: " + joined(variables, ", ") + ")");
  }
  return condition;
}

/// True if the condition holds for these values; a value that is not finite is reported once.
bool holds(const Condition &condition, const std::vector<double> &values, const CaseInput &section,
           bool &is_finite) {
  const double value = (*condition.formula)(values);
  if (!std::isfinite(value) && is_finite) {
    is_finite = false;
    std::string listing;
    for (std::size_t i = 0; i < values.size(); ++i)
      listing += (i > 0 ? ", " : "") + condition.variables[i] + " = " + format("%g", values[i]);
    section.report(condition.entry, "not a finite number for " + listing);
  }
  return value != 0.;
}

/// Adds the faces of the boundary that satisfy the condition.
template <int dim>
void select_faces(const CaseInput &section, const std::string &name, Mesh<dim> &mesh) {
  auto variables = component_names(dim, "");
  for (const std::string &component : component_names(dim, "n"))
    variables.push_back(component);
  const Condition condition = read_condition(section, "Where", variables);
  Region region;
  region.dimension = dim - 1;
  std::set<unsigned int> vertices;
  bool is_finite = true;
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    for (const unsigned int f : cell->face_indices()) {
      if (!condition.formula || !cell->at_boundary(f))
        continue;
      const auto face = cell->face(f);
      const dealii::Tensor<1, dim> normal = outward_normal(cell, f);
      std::vector<double> values;
      for (unsigned int d = 0; d < dim; ++d)
        values.push_back(face->center()[d]);
      for (unsigned int d = 0; d < dim; ++d)
        values.push_back(normal[d] / normal.norm());
      if (!holds(condition, values, section, is_finite))
        continue;
      region.faces.push_back({cell->active_cell_index(), f});
      region.measure += normal.norm();
      for (const unsigned int v : face->vertex_indices())
        vertices.insert(face->vertex_index(v));
    }
  region.n_elements = static_cast<unsigned int>(region.faces.size());
  region.nodes.assign(vertices.begin(), vertices.end());
  if (region.n_elements > 0)
    mesh.regions[name] = std::move(region);
}

/// Adds the cells that satisfy the condition.
template <int dim>
void select_cells(const CaseInput &section, const std::string &name, Mesh<dim> &mesh) {
  auto variables = component_names(dim, "");
  for (const auto &array : mesh.arrays)
    variables.push_back(array.first);
  const Condition condition = read_condition(section, "Cells", variables);
  Region region;
  region.dimension = dim;
  std::set<unsigned int> vertices;
  bool is_finite = true;
  for (const auto &cell : mesh.triangulation.active_cell_iterators()) {
    if (!condition.formula)
      continue;
    std::vector<double> values;
    for (unsigned int d = 0; d < dim; ++d)
      values.push_back(cell->center()[d]);
    for (const auto &array : mesh.arrays)
      values.push_back(array.second[cell->active_cell_index()]);
    if (!holds(condition, values, section, is_finite))
      continue;
    region.cells.push_back(cell->active_cell_index());
    region.measure += cell->measure();
    for (const unsigned int v : cell->vertex_indices())
      vertices.insert(cell->vertex_index(v));
  }
  region.n_elements = static_cast<unsigned int>(region.cells.size());
  region.nodes.assign(vertices.begin(), vertices.end());
  if (region.n_elements > 0)
    mesh.regions[name] = std::move(region);
}

/// Returns where the meshes are, for a message.
template <int dim>
std::string extent(const std::vector<std::unique_ptr<Mesh<dim>>> &meshes) {
  dealii::Point<dim> lowest, highest;
  for (unsigned int d = 0; d < dim; ++d) {
    lowest[d] = std::numeric_limits<double>::max();
    highest[d] = -lowest[d];
  }
  for (const auto &mesh : meshes)
    for (const auto &x : mesh->triangulation.get_vertices())
      for (unsigned int d = 0; d < dim; ++d) {
        lowest[d] = std::min(lowest[d], x[d]);
        highest[d] = std::max(highest[d], x[d]);
      }
  return "; the mesh lies between " + bracketed_point(lowest) + " and " + bracketed_point(highest);
}

} // namespace

void declare_regions(ParameterDeclarations &declarations, const ParameterFile *file,
                     Dimensions dimensions) {
  const Subsection subsection(declarations, regions_section);
  for (const auto &name : named_subsections(declarations, file, regions_section, "<name>")) {
    const Subsection region(declarations, name);
    declarations.declare(
        "Where", "",
        formula_of(dimensions.position() + (dimensions.space ? ", nx, ny, nz" : ", nx, ny")),
        "Condition for the faces of the boundary that are the region of this name, e.g. " +
            dimensions.choose("y > 0.9 && ny > 0.9", "z > 0.9 && nz > 0.9") +
            ": it holds where the formula of the centre of a face, " + dimensions.position() +
            ", and of its outward unit normal, nx, ny" + (dimensions.space ? ", nz" : "") +
            ", is not zero. In all meshes with such faces.");
    declarations.declare(
        "Cells", "", formula_of(dimensions.position() + " and names of arrays"),
        "Condition for the cells that are the region of this name, e.g. material == 2: a formula "
        "of the centre " +
            dimensions.position() +
            " of a cell and of the arrays that a VTK file has for its cells; the vector v has the "
            "components v.x, v.y and v.z.");
  }
}

template <int dim>
void read_regions(const CaseInput &input, std::vector<std::unique_ptr<Mesh<dim>>> &meshes) {
  if (meshes.empty())
    return;
  // Without a region further errors may be false, except errors of syntax.
  Problems problems = input.file.problems();
  const std::size_t n_of_syntax = problems.size();
  const CaseInput all{input.parameters, input.file, problems, input.dimension, input.words};
  for (const std::string &name : input.subsections(regions_section)) {
    const CaseInput section = all.in(regions_section + "/" + name);
    if (section.has("Where") == section.has("Cells")) {
      section.report_section("a region needs either Where, for faces of the boundary, or Cells");
      continue;
    }
    const std::size_t n_problems = problems.size();
    bool is_found = false;
    for (const auto &mesh : meshes) {
      if (mesh->regions.count(name) > 0) {
        section.report_section("the mesh '" + mesh->file +
                               "' has a region of this name; choose another name");
        break;
      }
      section.has("Where") ? select_faces(section, name, *mesh)
                           : select_cells(section, name, *mesh);
      is_found = is_found || mesh->regions.count(name) > 0;
      if (problems.size() > n_problems)
        break;
    }
    if (!is_found && problems.size() == n_problems)
      section.report(section.has("Where") ? "Where" : "Cells",
                     (section.has("Where") ? "no face of the boundary satisfies this condition"
                                           : "no cell satisfies this condition") +
                         extent(meshes));
  }
  if (problems.size() > n_of_syntax)
    problems.throw_if_any();
}

template void read_regions(const CaseInput &, std::vector<std::unique_ptr<Mesh<2>>> &);
template void read_regions(const CaseInput &, std::vector<std::unique_ptr<Mesh<3>>> &);

} // namespace percussion
