#include <percussion/balance/balance_size.h>
#include <percussion/base/floating_point_traps.h>
#include <percussion/base/nearest_name.h>
#include <percussion/base/processes.h>
#include <percussion/input/geometry_parameters.h>
#include <percussion/input/read_mesh.h>
#include <percussion/output/log.h>

#include "parameter_sections.h"
#include <algorithm>
#include <filesystem>
#include <set>

namespace percussion {

using dealii::Patterns::Double;

namespace fs = std::filesystem;

void declare_mesh(ParameterDeclarations &declarations) {
  const Subsection subsection(declarations, "Mesh");
  declarations.declare(
      "File", "", Described("names of mesh files separated by commas, or nothing"),
      "Mesh of the elastic body: of Gmsh (.msh), Abaqus or CalculiX (.inp), VTK (.vtu, .vtk), or "
      "another program (.unv, .bdf, .nas, .mesh); or a geometry for Gmsh (.geo) or from a "
      "CAD program (.step, .stp, .iges, .igs, .brep), which is meshed. Cells are triangles or "
      "quadrilaterals in the plane z = 0 [L], or tetrahedra or hexahedra, of first or second "
      "order, with straight edges. Cells in space or a named group of volumes make the case "
      "three-dimensional. Names separated by commas denote separate bodies. A relative name starts "
      "at the folder of this file. Physical groups, or sets and surfaces of Abaqus, are the "
      "regions of the sections below; a region that several meshes have is mesh:region, with the "
      "name of the mesh file without folder and ending. Default: rigid bodies only.");
  declarations.declare("Parameters", "", Described("'name = number, name = number, ...'"),
                       "Values, or formulas of numbers and constants, for the parameters that a "
                       "geometry (.geo) declares by DefineConstant, e.g. size = 0.1, R = 10. Each "
                       "of several geometries takes its own.");
  declarations.declare("Size", "0", Double(0.),
                       "Size of the elements of a CAD file [L]. Default: a choice of Gmsh.");
  declarations.declare("Unit", "1", PositiveDouble(),
                       "Length of the unit of the mesh files [L]: 1e-3 for a drawing in "
                       "millimetres, as those in .step and .iges are read, and a case in metres.");
  declarations.declare(
      "Split", "", Described("names of regions separated by commas"),
      "Regions of edges inside a body in 2D, or of faces in 3D, along which it is split: the cells "
      "on both sides share no nodes, except where a region ends inside the body. A region becomes "
      "two: 'name 1', on the side that the normal of its first element points to (in 2D, on the "
      "left of its direction), and 'name 2', for a contact with bonds, ties or friction. With "
      "several meshes: mesh:region.");
}

std::string path_of_mesh(const std::string &name, const ParameterFile &file) {
  const fs::path path = name;
  return (path.is_absolute() ? path : fs::path(file.name()).parent_path() / path)
      .lexically_normal()
      .string();
}

namespace {

/// Returns the parameters of a geometry; empty if they are wrong, which is reported for the first
/// geometry of the case.
std::map<std::string, double> read_geometry_parameters(const CaseInput &input,
                                                       const std::string &file) {
  const std::string path = "Mesh/Parameters";
  std::vector<std::string> geometries;
  for (const std::string &name : input.list("Mesh/File"))
    if (is_geometry(name))
      geometries.push_back(path_of_mesh(name, input.file));
  if (!is_geometry(file))
    return {};
  try {
    const auto parameters = geometry_parameters(input.get(path), input.parameters.constants());
    check_geometry_parameters(geometries, parameters);
    return parameters;
  } catch (const InputError &error) {
    if (file == geometries.front())
      input.report(path, error.what());
    return {};
  }
}

/// Returns the regions along which a mesh is split.
std::vector<std::string> split_regions(const CaseInput &input, const std::string &mesh,
                                       bool is_alone) {
  std::vector<std::string> regions;
  for (const std::string &name : input.list("Mesh/Split")) {
    const auto colon = name.find(':');
    if (colon != std::string::npos && name.substr(0, colon) == mesh)
      regions.push_back(name.substr(colon + 1));
    else if (is_alone)
      regions.push_back(name);
  }
  return regions;
}

/// Reports split regions that are regions of none of several meshes.
void check_split(const CaseInput &input, const std::set<std::string> &stems) {
  for (const std::string &name : input.list("Mesh/Split"))
    if (stems.size() > 1 && stems.count(name.substr(0, name.find(':'))) == 0)
      input.report("Mesh/Split", "'" + name + "' is no region mesh:region of one of the meshes " +
                                     joined({stems.begin(), stems.end()}, ", "));
}

/// Notes regions of faces or nodes that no section names: a condition may have been forgotten.
template <int dim>
void note_unmentioned_regions(const CaseInput &input,
                              const std::vector<std::unique_ptr<Mesh<dim>>> &meshes,
                              std::vector<std::string> &notes) {
  std::set<std::string> mentioned;
  for (const std::string section : {"Boundary conditions", "Initial state"})
    for (const auto &region : input.subsections(section))
      mentioned.insert(region);
  // Each dimension declares only its own section of the two; the other one is reported elsewhere.
  if (dim == 2) {
    for (const auto &link : input.subsections("Links"))
      for (const std::string end : {"First", "Second"})
        mentioned.insert(input.get("Links/" + link + "/" + end));
  } else {
    for (const auto &joint : input.subsections("Joints"))
      for (const auto &body : input.in("Joints/" + joint).list("Bodies"))
        mentioned.insert(body);
  }
  for (const auto &contact : input.subsections(contact_section)) {
    const CaseInput section = input.in(contact_section + "/" + contact);
    mentioned.insert(section.get("Region"));
    if (section.get("Surface") == "region")
      for (const auto &name : section.list("Against"))
        mentioned.insert(name);
  }
  std::vector<std::string> other_regions;
  for (const auto &mesh : meshes)
    for (const auto &[name, region] : mesh->regions)
      if (const std::string full_name = mesh->name() + ":" + name;
          region.dimension < dim && mentioned.count(name) + mentioned.count(full_name) == 0)
        other_regions.push_back("'" + (meshes.size() > 1 ? full_name : name) + "'");
  if (!other_regions.empty())
    notes.push_back("mesh: the case does not name the " +
                    std::string(other_regions.size() == 1 ? "region " : "regions ") +
                    listed(other_regions));
}

} // namespace

template <int dim>
std::vector<std::unique_ptr<Mesh<dim>>> read_meshes(const CaseInput &input, Case<dim> &c) {
  const auto names = input.list("Mesh/File");
  const bool has_unfit_bodies =
      !input.problems.empty() && !input.subsections(rigid_section).empty();
  if (names.empty() && (has_unfit_bodies || !input.is_understood()))
    return {}; // possibly because of a reported error
  std::vector<std::unique_ptr<Mesh<dim>>> meshes;
  try {
    if (names.empty())
      throw InputError("there is no body: give the name of a mesh file here, or rigid bodies "
                       "(subsection 'Rigid bodies')");
    input.refuse_unused("Mesh/Parameters", std::any_of(names.begin(), names.end(), is_geometry),
                        "with a mesh: a geometry (.geo) has parameters");
    input.refuse_unused("Mesh/Size", std::any_of(names.begin(), names.end(), is_cad),
                        "with a mesh or a geometry of Gmsh: a CAD file (.step, .iges, .brep) is "
                        "meshed with elements of this size");
    std::set<std::string> stems;
    for (const fs::path path : names) {
      const NoFloatingPointTraps no_traps;
      if (const auto stem = path.stem().string(); !stems.insert(stem).second)
        throw InputError("two meshes are called '" + stem +
                         "', and their regions are named mesh:region; rename one of the files");
      const std::string file = path_of_mesh(path.string(), input.file);
      std::error_code error;
      if (path.extension() == ".msh" && fs::is_regular_file(file, error) &&
          body_dimension({file}) != dim)
        throw InputError(
            "the mesh '" + path.string() + "' is " +
            (dim == 2 ? "3D, and the first mesh is 2D" : "2D, and the first mesh is 3D"));
      if (input.log != nullptr && (is_geometry(file) || is_cad(file)))
        input.log->show("Meshing " + file + " ...");
      meshes.push_back(read_mesh<dim>(
          MeshSource{file, read_geometry_parameters(input, file), input.number("Mesh/Size"),
                     input.number("Mesh/Unit"), has_macro_cells(input),
                     split_regions(input, path.stem().string(), names.size() == 1)}));
      const std::string mesh_label = names.size() > 1 ? "mesh " + path.stem().string() : "mesh";
      for (const auto &remark : meshes.back()->remarks)
        c.warnings.push_back(mesh_label + ": " + remark);
    }
    check_split(input, stems);
    note_unmentioned_regions(input, meshes, c.notes);
    return meshes;
  } catch (const SplitError &error) {
    Problems certain = input.file.problems();
    input.parameters.report("Mesh/Split", error.what(), certain);
    certain.throw_if_any();
    return {};
  } catch (const InputError &error) {
    if (names.empty() || !input.parameters.is_changed("Mesh/File")) {
      input.report("Mesh/File", error.what());
      return {};
    }
    // Without the mesh its dimension and regions are unknown, and further errors may be false,
    // except errors of syntax.
    Problems certain = input.file.problems();
    input.parameters.report("Mesh/File", error.what(), certain);
    certain.throw_if_any();
    return {};
  }
}

template <int dim>
MatrixStorage matrix_storage(const CaseInput &input, const Case<dim> &c,
                             const typename System<dim>::ElasticBodies &elastic) {
  const bool are_linear = std::all_of(elastic.begin(), elastic.end(), [](const auto &body) {
    return body->materials.are_linear();
  });
  // The choices take account of the scheme only when contacts are read.
  const bool has_acceleration = scheme(c.scheme_name).integrator != Integrator::theta;
  const bool adds_to_stiffness = scheme(c.scheme_name).formulation == Formulation::nitsche;
  const bool has_factor =
      c.choices.linear_solver == LinearSolver::direct ||
      (c.choices.linear_solver == LinearSolver::automatic && !excludes_factor(elastic));
  const bool needs_rows = dim == 2 || elastic.empty() || !are_linear ||
                          redistributes_inertia(input, c) || has_factor || !c.choices.has_inertia ||
                          has_acceleration || adds_to_stiffness || has_links(input) ||
                          input.get("Initial state/Static preload") == "true";
  return needs_rows ? MatrixStorage::rows : MatrixStorage::nodes;
}

PERCUSSION_INSTANTIATE(read_meshes);
PERCUSSION_INSTANTIATE(matrix_storage);

} // namespace percussion
