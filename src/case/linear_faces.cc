#include <percussion/base/instantiate.h>

#include "parameter_sections.h"
#include <set>

namespace percussion {

template <int dim>
std::vector<CellFace> linear_faces(const CaseInput &input, const Mesh<dim> &mesh) {
  std::set<std::string> names;
  for (const auto &contact : input.subsections(contact_section)) {
    const CaseInput section = input.in(contact_section + "/" + contact);
    names.insert(section.get("Region"));
    if (section.get("Surface") == "region")
      for (const auto &name : section.list("Against"))
        names.insert(name);
  }
  for (const auto &name : input.subsections("Boundary conditions"))
    if (!input.get("Boundary conditions/" + name + "/Pressure").empty())
      names.insert(name);
  std::vector<CellFace> faces;
  for (const auto &[name, region] : mesh.regions)
    if (names.count(name) + names.count(mesh.name() + ":" + name) > 0)
      faces.insert(faces.end(), region.faces.begin(), region.faces.end());
  return faces;
}

PERCUSSION_INSTANTIATE(linear_faces);

} // namespace percussion
