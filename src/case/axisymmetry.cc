#include <percussion/base/file.h>
#include <percussion/base/format.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cctype>
#include <limits>
#include <sstream>

namespace percussion {
namespace {

/// Reports bodies of revolution beside bodies of another kind: their forces belong to the whole
/// circumference, and the forces of plane bodies to a thickness.
template <int dim>
void refuse_mixture(const CaseInput &input, const typename System<dim>::ElasticBodies &bodies) {
  bool has_plane = false;
  for (const auto &body : bodies)
    for (const auto &material : body->materials.list)
      has_plane = has_plane || !material.is_axisymmetric;
  if (!has_plane)
    return;
  std::string entry = "Material/Plane";
  for (const auto &region : input.subsections("Material"))
    if (const std::string own_entry = "Material/" + region + "/Plane"; input.has(own_entry))
      entry = own_entry;
  input.report(entry, "a case has either axisymmetric bodies or plane ones, not both; with Plane = "
                      "axisymmetric all materials need this value");
}

/// Reports a mesh that crosses the axis.
template <int dim>
void refuse_negative_radii(const CaseInput &input,
                           const typename System<dim>::ElasticBodies &bodies) {
  for (const auto &body : bodies) {
    double smallest = 0;
    for (unsigned int i = 0; i < body->space.n_nodes(); ++i)
      if (!body->is_on_axis(i))
        smallest = std::min(smallest, body->space.nodes[i][0]);
    if (smallest < 0.)
      return input.report(
          "Mesh/File", "with Plane = axisymmetric x is the distance from the axis, and " +
                           body->space.mesh.name() + format(" has a node at x = %g; ", smallest) +
                           "allowed is x >= 0: keep the half of the section right of the axis");
  }
}

/// Returns "FILE:LINE" of the first elements of revolution in a file of Abaqus; FILE if they are
/// not found.
std::string location_of_revolution(const std::string &file) {
  std::istringstream text(read_file(file).value_or(""));
  unsigned int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    std::transform(line.begin(), line.end(), line.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    line.erase(std::remove(line.begin(), line.end(), ' '), line.end());
    if (line.rfind("*ELEMENT,", 0) == 0 &&
        line.find("CAX", line.find("TYPE=")) != std::string::npos)
      return file + ":" + std::to_string(number);
  }
  return file;
}

/// Reports a mesh of elements of revolution whose material is plane.
template <int dim>
void refuse_plane_materials(const CaseInput &input,
                            const typename System<dim>::ElasticBodies &bodies) {
  for (const auto &body : bodies)
    if (body->space.mesh.is_axisymmetric)
      return input.report("Material/Plane",
                          body->space.mesh.name() + " has axisymmetric elements (CAX in " +
                              location_of_revolution(body->space.mesh.file) +
                              "); set Plane = axisymmetric in Material, or change "
                              "their type in the file to CPE or CPS");
}

/// Reports sections of bodies and links, which are plane.
void refuse_sections(const CaseInput &input) {
  const std::pair<std::string, std::string> sections[] = {
      {rigid_section, "a rigid body in the plane is no body of revolution: its radial motion would "
                      "stretch it; with Plane = axisymmetric take a surface that moves along the "
                      "axis (Contact/NAME/Motion y), or an elastic body"},
      {"Links", "a link acts on a point of the plane, and with Plane = axisymmetric a point is "
                "a ring; take a Traction, or a prescribed motion"}};
  for (const auto &[section, reason] : sections)
    for (const auto &name : input.subsections(section))
      input.in(section + "/" + name).report_section(reason);
}

/// Reports an entry that the user set, for this reason.
void refuse_entry(const CaseInput &section, const std::string &entry, const std::string &reason) {
  if (section.has(entry) && section.is_changed(entry))
    section.report(entry, reason);
}

/// Reports gravity across the axis and motions of surfaces that are not rigid motions along it.
void refuse_motions(const CaseInput &input) {
  const CaseInput loads = input.in("Boundary conditions");
  if (const auto gravity = loads.list("Gravity"); !gravity.empty() && gravity[0] != "0")
    if (const auto number = to_number<double>(gravity[0]); !number || *number != 0.)
      loads.report("Gravity", "with Plane = axisymmetric gravity acts along the axis: allowed "
                              "is 0, and a number or a formula of t");
  for (const auto &name : input.subsections(contact_section)) {
    const CaseInput section = input.in(contact_section + "/" + name);
    refuse_entry(section, "Motion x",
                 "with Plane = axisymmetric a surface that moves radially would change its "
                 "circumference; allowed is Motion y");
    refuse_entry(section, "Belt velocity x",
                 "with Plane = axisymmetric the material of a surface that moves radially would "
                 "stretch; allowed is Belt velocity y");
    refuse_entry(
        section, "Motion angle",
        "with Plane = axisymmetric a surface of revolution that turns in the meridian plane "
        "would change its shape; allowed is Motion y");
  }
}

} // namespace

template <int dim>
void check_axisymmetry(const CaseInput &input, const typename System<dim>::ElasticBodies &bodies) {
  if (std::none_of(bodies.begin(), bodies.end(), [](const auto &body) {
        const auto &list = body->materials.list;
        return std::any_of(list.begin(), list.end(),
                           [](const auto &material) { return material.is_axisymmetric; });
      }))
    return refuse_plane_materials<dim>(input, bodies);
  refuse_mixture<dim>(input, bodies);
  refuse_negative_radii<dim>(input, bodies);
  refuse_sections(input);
  refuse_motions(input);
}

template void check_axisymmetry<2>(const CaseInput &, const System<2>::ElasticBodies &);
template void check_axisymmetry<3>(const CaseInput &, const System<3>::ElasticBodies &);

} // namespace percussion
