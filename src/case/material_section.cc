#include <percussion/base/nearest_name.h>
#include <percussion/body/mesh_nodes.h>
#include <percussion/input/section_table.h>
#include <percussion/material/hyperelastic.h>

#include "elements.h"
#include "fibre_field.h"
#include "parameter_sections.h"
#include <algorithm>
#include <filesystem>
#include <set>

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::Selection;

namespace {

const std::string linear_elastic = "linear elastic";
const std::string linear_viscosity = "linear";
const std::string axisymmetric = "axisymmetric";

/// Entries of linear elasticity; the entries of the other laws are in the rows of
/// hyperelastic_laws().
const std::vector<std::string> linear_constants = {"Young modulus", "Poisson ratio"};

/// Returns " Required with Law = yeoh, mooney-rivlin." for a constant that these laws require; else
/// nothing.
std::string laws_in_words(const std::string &constant) {
  std::string laws;
  for (const auto &law : hyperelastic_laws())
    for (const MaterialConstant &own : law.constants)
      if (own.name == constant && own.is_required)
        laws += (laws.empty() ? "" : ", ") + std::string(law.name);
  return laws.empty() ? "" : " Required with Law = " + laws + ".";
}

/// Returns the pattern of a list of positive numbers.
dealii::Patterns::List list_pattern() { return {PositiveDouble(), 1}; }

/// Declares the entries of the material of all cells, or of a region. A region inherits the entries
/// that it does not set.
void declare_entries(ParameterDeclarations &declarations, bool inherit,
                     const Dimensions &dimensions) {
  const auto entry = [&](const std::string &name, const std::string &default_value,
                         const dealii::Patterns::PatternBase &pattern,
                         const std::string &documentation) {
    if (inherit)
      declarations.declare(name, "", OrNothing(pattern),
                           documentation + " Default: value of Material/" + name + ".");
    else
      declarations.declare(name, default_value, pattern, documentation);
  };
  // No value of a required entry suits all systems of units.
  const std::string required = inherit ? "" : " Required for cells whose region sets no value";
  entry("Density", "", OrNothing(PositiveDouble()),
        "Mass per undeformed volume [M/L^3]." + required +
            (inherit ? "" : ", unless Inertia = none and neither gravity nor Rayleigh alpha act."));
  entry("Law", linear_elastic, Selection(names_of(hyperelastic_laws(), linear_elastic)),
        "Law of the stress. linear elastic: small strains and rotations. In plane stress: linear "
        "elastic, ogden and St. Venant-Kirchhoff." +
            descriptions_of(hyperelastic_laws()));
  entry("Young modulus", "", OrNothing(PositiveDouble()),
        "Young's modulus E at small strains [M/(L T^2)]." + required + (inherit ? "" : "."));
  entry("Poisson ratio", "0", NumberBetween({-1, false}, {0.5, true}),
        "Poisson's ratio nu at small strains [1]. 0.5 is possible in linear plane stress only.");
  std::vector<std::string> declared = linear_constants;
  for (const auto &law : hyperelastic_laws())
    for (const MaterialConstant &constant : law.constants)
      if (std::find(declared.begin(), declared.end(), constant.name) == declared.end()) {
        declared.emplace_back(constant.name);
        const NumberBetween allowed(constant.lower, constant.upper);
        const std::string use = std::string(constant.documentation) + laws_in_words(constant.name);
        if (constant.is_required)
          entry(constant.name, "", OrNothing(allowed), use);
        else
          entry(constant.name, constant.default_value, allowed, use);
      }
  for (const auto &law : hyperelastic_laws())
    for (const MaterialList &list : law.lists)
      entry(list.name, "", OrNothing(list_pattern()), list.documentation);
  for (const auto &law : hyperelastic_laws())
    for (const MaterialDirection &direction : law.directions)
      entry(direction.name, "", OrNothing(direction_pattern(dimensions)), direction.documentation);
  if (dimensions.plane) {
    entry("Plane", "strain", Selection("strain|stress|" + axisymmetric),
          "State of a two-dimensional body: plane strain, plane stress, or axisymmetric: the body "
          "of revolution of its mesh about the axis x = 0, with the radius x >= 0; forces and "
          "energies are those of the whole circumference, and surfaces are swept around the axis. "
          "All materials of a case are axisymmetric, or none.");
    entry("Thickness", "1", PositiveDouble(),
          "Out-of-plane size of a two-dimensional body [L]; axisymmetric bodies have none.");
  }
  entry("Element", elements().front().name, Selection(names_of(elements())),
        "Element type." + descriptions_of(elements()) +
            " Meshes of second order have quadratic cells for the values standard and mean "
            "dilatation. A mean volume change exists in plane strain, axisymmetric bodies and 3D, "
            "with any law except St. Venant-Kirchhoff.");
  entry("Viscosity law", linear_viscosity, Selection(names_of(viscosity_laws(), linear_viscosity)),
        "Law of Kelvin-Voigt viscosity. linear: stress eta times strain rate, for linear "
        "elasticity; the others for hyperelasticity." +
            descriptions_of(viscosity_laws()));
  entry("Viscosity", "0", Double(0), "Viscosity eta [M/(L T)].");
  entry("Rayleigh alpha", "0", Double(0),
        "Factor alpha of the damping matrix alpha M, for linear elasticity [1/T].");
  entry("Rayleigh beta", "0", Double(0),
        "Factor beta of the damping matrix beta K, for linear elasticity [T].");
}

} // namespace

void declare_material(ParameterDeclarations &declarations, const ParameterFile *file,
                      Dimensions dimensions) {
  const Subsection subsection(declarations, "Material");
  declare_entries(declarations, false, dimensions);
  for (const auto &region : named_subsections(declarations, file, "Material", "<region>")) {
    const Subsection region_section(declarations, region);
    declare_entries(declarations, true, dimensions);
  }
}

namespace {

/// Access to the entries of the material of a region; entries that it does not set are read from
/// the material of all cells.
struct MaterialInput {
  const CaseInput &input;
  CaseInput section;              ///< section of the region, or of the material of all cells
  std::set<std::string> &missing; ///< required entries without a value

  bool is_of_all_cells() const { return section.path == "Material/"; }
  /// Returns the section with the value of an entry.
  CaseInput in(const std::string &entry) const {
    return section.has(entry) ? section : input.in("Material");
  }
  std::string get(const std::string &entry) const { return in(entry).get(entry); }
  double number(const std::string &entry) const { return in(entry).number(entry); }
  /// Returns the value of a required entry, or 1 after adding the entry to `missing`.
  double required(const std::string &entry) const {
    if (!get(entry).empty())
      return number(entry);
    missing.insert(entry);
    return 1; // reading continues to report further errors
  }
  void report(const std::string &entry, const std::string &reason) const {
    in(entry).report(entry, reason);
  }
  /// Reports an entry without effect. An inherited entry is accepted: it may have an effect in
  /// other regions.
  void refuse_unused(const std::string &entry, bool used, const std::string &instead) const {
    if (is_of_all_cells() ? input.subsections("Material").empty() : section.has(entry))
      section.refuse_unused(entry, used, instead);
  }
};

/// Reports constants that the law does not use.
void refuse_unused_constants(const MaterialInput &input, const std::string &law_name) {
  const HyperelasticLawEntry *const law_entry = find_row(hyperelastic_laws(), law_name);
  std::map<std::string, bool> is_used;
  for (const auto &name : linear_constants)
    is_used[name] = law_entry == nullptr;
  for (const auto &law : hyperelastic_laws()) {
    for (const MaterialConstant &constant : law.constants)
      is_used[constant.name] = is_used[constant.name] || &law == law_entry;
    for (const MaterialDirection &direction : law.directions)
      is_used[direction.name] = is_used[direction.name] || &law == law_entry;
    for (const MaterialList &list : law.lists)
      is_used[list.name] = is_used[list.name] || &law == law_entry;
  }
  for (const auto &[name, used] : is_used)
    input.refuse_unused(name, used, "with Law = " + law_name);
}

bool is_axisymmetric(const MaterialInput &input) {
  return input.input.dimension == 2 && input.get("Plane") == axisymmetric;
}

Plane read_plane(const MaterialInput &input, const HyperelasticLawEntry *law) {
  if (input.input.dimension == 3 || input.get("Plane") != "stress")
    return Plane::strain; // an axisymmetric body takes its law in 3D
  if (law == nullptr || law->plane_stress)
    return Plane::stress;
  input.report("Plane", std::string("the law ") + law->name +
                            " is available in plane strain only, or axisymmetric");
  return Plane::strain;
}

/// Returns Poisson's ratio; reports a value at which displacements alone cannot describe the body.
double read_poisson_ratio(const MaterialInput &input, bool linear_plane_stress) {
  const double poisson = input.number("Poisson ratio");
  if (poisson < 0.5 || linear_plane_stress)
    return poisson;
  input.report("Poisson ratio",
               std::string(input.input.dimension == 3 ? "in 3D"
                           : is_axisymmetric(input)   ? "in an axisymmetric body"
                                                      : "in plane strain") +
                   " allowed is a number > -1 and < 0.5; an incompressible body cannot be computed "
                   "by its displacement alone");
  return 0; // reading continues to report further errors
}

/// Returns a constant; reports a value that the law does not allow. (Laws share names of constants,
/// and the pattern of an entry is the pattern of the first law.)
double read_constant(const MaterialInput &input, const MaterialConstant &constant) {
  if (input.get(constant.name).empty())
    return input.required(constant.name);
  const double value = input.number(constant.name);
  const NumberBetween allowed(constant.lower, constant.upper);
  if (allowed.match(input.get(constant.name)))
    return value;
  input.report(constant.name,
               "with Law = " + input.get("Law") + " allowed is " + plain_words(allowed));
  return 0.5 * (constant.lower.value +
                constant.upper.value); // reading continues to report further errors
}

/// Returns a direction, or an example of one that varies; reports a missing one and one without
/// length.
FibreDirection read_material_direction(const MaterialInput &input, const std::string &name) {
  const FibreDirection example({1., 0., 0.}); // reading continues to report further errors
  if (input.get(name).empty()) {
    input.missing.insert(name);
    return example;
  }
  const auto direction = constant_direction(input.get(name));
  if (!direction || direction->norm() > 0.)
    return direction.value_or(example);
  input.report(name, "a direction must not be zero");
  return example;
}

/// Returns the entries of the directions of a law; none if all of them are constant or one is
/// missing.
FibreEntries varying_directions(const MaterialInput &input, const HyperelasticLawEntry *law) {
  FibreEntries entries;
  if (law == nullptr)
    return entries;
  bool vary = false;
  for (const MaterialDirection &direction : law->directions) {
    const std::string text = input.get(direction.name);
    if (text.empty())
      return {};
    vary = vary || !constant_direction(text);
    entries.push_back({input.in(direction.name), direction.name});
  }
  return vary ? entries : FibreEntries();
}

/// Returns the numbers of a list after their number; reports a missing list that the law requires.
std::vector<double> read_list(const MaterialInput &input, const MaterialList &law_list) {
  const std::string name = law_list.name;
  if (input.get(name).empty()) {
    if (!law_list.is_required)
      return {0.};
    input.missing.insert(name);
    return {1., 1.}; // reading continues to report further errors
  }
  const CaseInput section = input.in(name);
  std::vector<double> list = section.parameters.get_double_list(section.path + name);
  list.insert(list.begin(), static_cast<double>(list.size()));
  return list;
}

HyperelasticLaw read_hyperelastic_law(const MaterialInput &input, const HyperelasticLawEntry &law,
                                      Plane plane) {
  std::vector<double> constants;
  for (const MaterialConstant &constant : law.constants)
    constants.push_back(read_constant(input, constant));
  for (const MaterialList &list : law.lists) {
    const std::vector<double> values = read_list(input, list);
    constants.insert(constants.end(), values.begin(), values.end());
  }
  if (law.check != nullptr)
    if (const UnsuitableConstant unsuitable = law.check(constants); unsuitable.name != nullptr)
      input.report(unsuitable.name, unsuitable.reason);
  for (const MaterialDirection &direction : law.directions) {
    const auto components = read_material_direction(input, direction.name);
    for (unsigned int d = 0; d < 3; ++d)
      constants.push_back(components[d]);
  }
  return law.make(constants, plane);
}

/// True if the case is quasi-static.
bool has_no_inertia(const CaseInput &input) { return input.get("Time/Inertia") == "none"; }

/// True if forces depend on the density: inertia, gravity, or damping proportional to the mass.
bool needs_density(const MaterialInput &input) {
  return !has_no_inertia(input.input) || input.input.is_changed("Boundary conditions/Gravity") ||
         input.number("Rayleigh alpha") != 0.;
}

FiniteViscosity read_finite_viscosity(const MaterialInput &input) {
  FiniteViscosity viscosity;
  viscosity.eta = input.number("Viscosity");
  const auto *const law = find_row(viscosity_laws(), input.get("Viscosity law"));
  if (law != nullptr)
    viscosity.kind = law->kind;
  if (viscosity.present() && has_no_inertia(input.input))
    input.report("Viscosity",
                 "with Time/Inertia = none hyperelastic stresses follow from the end of "
                 "a step alone, and viscous stresses need its beginning; take Inertia = "
                 "full, or a linear law");
  if (law == nullptr && viscosity.present())
    input.report("Viscosity law", "a viscosity of large deformations is needed: allowed is " +
                                      plain_words(Selection(names_of(viscosity_laws()))));
  input.refuse_unused("Viscosity law", viscosity.present(), "with Viscosity = 0");
  for (const std::string entry : {"Rayleigh alpha", "Rayleigh beta"})
    input.refuse_unused(entry, false, "with Law = " + input.get("Law"));
  return viscosity;
}

LinearViscosity read_linear_viscosity(const MaterialInput &input) {
  input.refuse_unused("Viscosity law", input.get("Viscosity law") == linear_viscosity,
                      "with Law = " + linear_elastic);
  return {input.number("Viscosity"), input.number("Rayleigh alpha"), input.number("Rayleigh beta")};
}

/// Returns the element of a material; reports one that does not take its law.
const ElementEntry &read_element(const MaterialInput &input, const LawOfElement &law) {
  const ElementEntry &element = *find_row(elements(), input.get("Element"));
  if (element.laws == ElementEntry::Laws::linear && law.law != nullptr) {
    input.refuse_unused("Element", false, "with Law = " + input.get("Law"));
    return elements().front();
  }
  if (const std::string reason = misfit(element, law); !reason.empty())
    input.report("Element", element.name + reason + "; allowed is " + elements_in_words(law));
  return element;
}

/// A material with its name and element.
template <int dim>
struct NamedMaterial {
  Material<dim> material;
  std::string name;
  const ElementEntry *element;
  LawOfElement law;
  std::string element_entry;     ///< path of the entry of the element
  FibreEntries fibres;           ///< entries of directions that vary
  std::set<std::string> missing; ///< required entries without a value
};

LawOfElement read_law(const MaterialInput &input) {
  const HyperelasticLawEntry *const law = find_row(hyperelastic_laws(), input.get("Law"));
  return {law, read_plane(input, law), is_axisymmetric(input)};
}

template <int dim>
Material<dim> read_material(const MaterialInput &input, const LawOfElement &law_of_element) {
  const auto &[law, plane, axisymmetric_body] = law_of_element;
  refuse_unused_constants(input, input.get("Law"));
  Material<dim> material{};
  material.density =
      needs_density(input) || !input.get("Density").empty() ? input.required("Density") : 0.;
  material.is_axisymmetric = axisymmetric_body;
  material.thickness = dim == 2 && !material.is_axisymmetric ? input.number("Thickness") : 1.;
  if (material.is_axisymmetric)
    input.refuse_unused("Thickness", false, "with Plane = axisymmetric");
  if (law != nullptr) {
    material.finite_strain.emplace(read_hyperelastic_law(input, *law, plane),
                                   read_finite_viscosity(input));
    material.elastic = small_strain_limit<dim>(material.finite_strain->law());
  } else {
    material.elastic = LinearElastic<dim>::from_young(
        input.required("Young modulus"), read_poisson_ratio(input, plane == Plane::stress), plane);
    material.viscosity = read_linear_viscosity(input);
  }
  return material;
}

/// Returns the cells of a region for each mesh that has it; empty if the region is wrong, which is
/// reported.
template <int dim>
std::vector<const Region *> cells_of(const CaseInput &input, const std::string &name,
                                     const std::vector<std::unique_ptr<Mesh<dim>>> &meshes) {
  std::vector<const Region *> found(meshes.size(), nullptr);
  std::vector<std::string> region_names;
  bool has_cells = false;
  for (std::size_t m = 0; m < meshes.size(); ++m)
    for (const auto &[region_name, region] : meshes[m]->regions) {
      if (region.dimension != dim)
        continue;
      const std::string full_name = meshes[m]->name() + ":" + region_name;
      region_names.push_back(meshes.size() > 1 ? full_name : region_name);
      if (name != region_name && name != full_name)
        continue;
      found[m] = &region;
      has_cells = true;
    }
  if (!has_cells) {
    const std::string hint = did_you_mean(name, region_names);
    input.in("Material/" + name)
        .report_section(std::string("a region of cells is needed here (Gmsh: Physical ") +
                        (dim == 3 ? "Volume)" : "Surface)") + (hint.empty() ? "." : hint) +
                        " Regions of the mesh: " + listed(region_names));
  }
  return found;
}

template <int dim>
NamedMaterial<dim> read_named_material(const CaseInput &input, const std::string &region) {
  std::set<std::string> missing;
  const MaterialInput region_input{
      input, input.in(region.empty() ? "Material" : "Material/" + region), missing};
  const LawOfElement law = read_law(region_input);
  Material<dim> material = read_material<dim>(region_input, law);
  const ElementEntry &element = read_element(region_input, law);
  material.element = element.kind;
  return {material,
          (region.empty() ? "" : "'" + region + "': ") + region_input.get("Law") +
              (dim == 3                   ? ""
               : material.is_axisymmetric ? ", axisymmetric"
                                          : ", plane " + region_input.get("Plane")) +
              (&element == &elements().front() ? "" : std::string(", ") + element.name),
          &element,
          law,
          region_input.in("Element").path + "Element",
          varying_directions(region_input, law.law),
          missing};
}

/// True if an entry is the direction of a law.
bool is_direction(const std::string &entry) {
  const auto &laws = hyperelastic_laws();
  return std::any_of(laws.begin(), laws.end(), [&](const HyperelasticLawEntry &law) {
    return std::any_of(law.directions.begin(), law.directions.end(),
                       [&](const MaterialDirection &direction) { return entry == direction.name; });
  });
}

/// Reports required entries that the materials of these cells lack.
template <int dim>
void refuse_missing(const CaseInput &input, const std::vector<NamedMaterial<dim>> &materials,
                    const std::vector<std::vector<unsigned int>> &cell_materials) {
  std::set<std::string> missing;
  for (const auto &mesh_materials : cell_materials)
    for (const unsigned int number :
         std::set<unsigned int>(mesh_materials.begin(), mesh_materials.end()))
      missing.insert(materials[number].missing.begin(), materials[number].missing.end());
  for (const std::string &entry : missing)
    input.in("Material")
        .report_idle(
            "its " + entry + " is missing; there is no default" +
            (is_direction(entry) ? "" : ", for its value depends on the units of the case"));
}

/// Returns the materials of the case, and the index of the material of each cell, mesh by mesh.
/// Reports required entries that the cells lack.
template <int dim>
auto read_cell_materials(const CaseInput &input, const NamedMaterial<dim> &default_material,
                         const std::vector<std::unique_ptr<Mesh<dim>>> &meshes) {
  std::vector<NamedMaterial<dim>> materials = {default_material};
  std::vector<std::vector<unsigned int>> cell_materials;
  for (const auto &mesh : meshes)
    cell_materials.emplace_back(mesh->triangulation.n_active_cells(), 0);
  for (const auto &name : input.subsections("Material")) {
    materials.push_back(read_named_material<dim>(input, name));
    const auto regions = cells_of(input, name, meshes);
    for (std::size_t m = 0; m < regions.size(); ++m) {
      if (regions[m] == nullptr)
        continue;
      for (const unsigned int cell : regions[m]->cells) {
        if (cell_materials[m][cell] != 0) {
          input.in("Material/" + name)
              .report_section("a cell of this region has a material by another region already");
          break;
        }
        cell_materials[m][cell] = static_cast<unsigned int>(materials.size() - 1);
      }
    }
  }
  refuse_missing(input, materials, cell_materials);
  return std::pair{materials, cell_materials};
}

/// Reports a region that contains only some of the cells of a macro-cell.
template <int dim>
void refuse_divided_macro_cells(const CaseInput &input, const Materials<dim> &materials,
                                const Mesh<dim> &mesh) {
  const auto &number = materials.index_of_cell;
  for (unsigned int cell = 0; cell < number.size(); ++cell)
    if (const unsigned int first = cell - cell % cells_per_macro_cell<dim>;
        number[cell] != number[first] &&
        (materials.material(cell).element == ElementKind::macro_cells ||
         materials.material(first).element == ElementKind::macro_cells)) {
      input.report("Material/Element", "a region of the material of " +
                                           std::filesystem::path(mesh.file).filename().string() +
                                           " ends within a macro-cell; allowed are regions that "
                                           "consist of whole cells of the mesh file");
      return;
    }
}

/// Sets the order of a mesh that elements raise, and its faces with a linear trace. All cells must
/// have one order; else this is reported.
template <int dim>
void set_order(const CaseInput &input, const std::vector<NamedMaterial<dim>> &materials,
               const std::vector<unsigned int> &cell_materials, Mesh<dim> &mesh) {
  const auto is_quadratic = [&](unsigned int number) {
    return materials[number].element->raises_order;
  };
  if (std::any_of(cell_materials.begin(), cell_materials.end(), is_quadratic)) {
    if (mesh.order == 1 && !std::all_of(cell_materials.begin(), cell_materials.end(), is_quadratic))
      return input.report("Material/Element",
                          "all cells of a mesh have one order, and only some materials of " +
                              std::filesystem::path(mesh.file).filename().string() +
                              " are quadratic; give all of them a quadratic element, or none");
    mesh.order = 2;
  }
  if (mesh.order == 1)
    return;
  mesh.linear_faces = linear_faces(input, mesh);
  MeshNodes<dim>(mesh).add_to_regions(mesh);
}

} // namespace

bool has_macro_cells(const CaseInput &input) {
  const auto is_macro = [&](const std::string &entry) {
    const ElementEntry *const element = find_row(elements(), input.get(entry));
    return element != nullptr && element->kind == ElementKind::macro_cells;
  };
  bool found = is_macro("Material/Element");
  for (const auto &region : input.subsections("Material"))
    found = found || is_macro("Material/" + region + "/Element");
  return found;
}

template <int dim>
typename System<dim>::ElasticBodies make_elastic_bodies(const CaseInput &input, Case<dim> &c) {
  const NamedMaterial<dim> default_material = read_named_material<dim>(input, "");
  c.meshes = read_meshes<dim>(input, c);
  read_regions(input, c.meshes);
  auto [materials, cell_materials] = read_cell_materials(input, default_material, c.meshes);
  typename System<dim>::ElasticBodies bodies;
  FibreReader<dim> fibre_reader(c);
  for (std::size_t m = 0; m < c.meshes.size(); ++m) {
    // A body keeps only the materials of its cells.
    std::vector<int> number(materials.size(), -1);
    std::vector<Material<dim>> used;
    std::vector<FibreEntries> fibres;
    c.material_names.emplace_back();
    set_order(input, materials, cell_materials[m], *c.meshes[m]);
    for (unsigned int &cell : cell_materials[m]) {
      if (number[cell] < 0) {
        number[cell] = static_cast<int>(used.size());
        used.push_back(materials[cell].material);
        const NamedMaterial<dim> &material = materials[cell];
        fibres.push_back(material.fibres);
        if (!material.fibres.empty())
          used.back().fibre_field = fibre_reader.read(material.fibres, *c.meshes[m]);
        if (const std::string reason = misfit(*material.element, *c.meshes[m], material.law);
            !reason.empty())
          input.report(material.element_entry, material.element->name + reason);
        c.material_names.back().push_back(materials[cell].name);
      }
      cell = static_cast<unsigned int>(number[cell]);
    }
    Materials<dim> body_materials(std::move(used), std::move(cell_materials[m]));
    refuse_divided_macro_cells(input, body_materials, *c.meshes[m]);
    System<dim>::add_body(bodies, *c.meshes[m], std::move(body_materials));
    for (unsigned int i = 0; i < fibres.size(); ++i)
      if (!fibres[i].empty())
        c.material_names.back()[i] += ", " + fibre_reader.check(fibres[i], *bodies.back(), i);
  }
  return bodies;
}

PERCUSSION_INSTANTIATE(make_elastic_bodies);

} // namespace percussion
