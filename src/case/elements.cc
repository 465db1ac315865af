#include "elements.h"

#include <percussion/base/instantiate.h>
#include <percussion/base/nearest_name.h>

#include <filesystem>

namespace percussion {
namespace {

using Cells = ElementEntry::Cells;
using Laws = ElementEntry::Laws;

/// Returns "standard, quadratic or macro-cells" for the elements that a condition accepts.
template <typename Condition>
std::string names_in_words(const Condition &condition) {
  std::vector<std::string> names;
  for (const ElementEntry &element : elements())
    if (condition(element))
      names.emplace_back(element.name);
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : joined(names, ", ") + " or " + last;
}

/// Returns " requires" or " require" after the name of an element.
std::string verb(const ElementEntry &element, const std::string &singular,
                 const std::string &plural) {
  return " " + (std::string(element.name).back() == 's' ? plural : singular) + " ";
}

template <int dim>
bool fits(const ElementEntry &element, const Mesh<dim> &mesh) {
  return mesh.order > 1 ? element.has_second_order
                        : element.cells == Cells::any || (element.cells == Cells::simplices) ==
                                                             (mesh.shape == CellShape::simplex);
}

} // namespace

const std::vector<ElementEntry> &elements() {
  static const std::vector<ElementEntry> table = {
      {"standard", "displacements of the order of the cells of the mesh", ElementKind::standard,
       Cells::any, true, Laws::any},
      {"incompatible modes",
       "quadrilaterals and hexahedra with a linear law that bend, for slender bodies with few "
       "elements through their thickness (Taylor, Beresford and Wilson 1976)",
       ElementKind::incompatible_modes, Cells::hypercubes, false, Laws::linear, false, false},
      {"mean dilatation",
       "quadrilaterals and hexahedra with the mean of their volume change, for nearly "
       "incompressible bodies (Nagtegaal, Parks and Rice 1974; Simo, Taylor and Pister 1985)",
       ElementKind::mean_dilatation, Cells::hypercubes, true, Laws::volumetric},
      {"macro-cells",
       "each triangle of the meshes is divided into four, each tetrahedron into eight, and these "
       "have one volume change",
       ElementKind::macro_cells, Cells::simplices, false, Laws::volumetric},
      {"quadratic",
       "displacements of second order on straight cells, with nodes in the middle of edges, faces "
       "and cells, and linear on the faces of contacts and pressures",
       ElementKind::standard, Cells::any, true, Laws::any, true},
      {"quadratic mean dilatation",
       "quadratic cells with the mean of their volume change; it needs two cells through the "
       "thickness",
       ElementKind::mean_dilatation, Cells::any, true, Laws::volumetric, true}};
  return table;
}

std::string misfit(const ElementEntry &element, const LawOfElement &law) {
  if (element.laws == Laws::linear && law.law != nullptr)
    return verb(element, "has", "have") + "no effect with Law = " + law.law->name;
  if (element.laws == Laws::volumetric && law.plane == Plane::stress)
    return verb(element, "needs", "need") +
           "plane strain, axisymmetry or 3D: in plane stress the thickness changes freely, and "
           "elements do not lock";
  if (element.laws == Laws::volumetric && law.law != nullptr && !law.law->has_volumetric_part)
    return verb(element, "needs", "need") + "a law with a part of the volume change alone, which " +
           law.law->name + " has not";
  if (!element.has_axisymmetry && law.is_axisymmetric)
    return verb(element, "is", "are") + "not for bodies of revolution";
  return "";
}

std::string elements_in_words(const LawOfElement &law) {
  return names_in_words([&](const ElementEntry &element) { return misfit(element, law).empty(); });
}

template <int dim>
std::string misfit(const ElementEntry &element, const Mesh<dim> &mesh, const LawOfElement &law) {
  if (fits(element, mesh))
    return "";
  const std::string file = std::filesystem::path(mesh.file).filename().string(),
                    needed = element.cells == Cells::simplices
                                 ? (dim == 2 ? "triangles" : "tetrahedra")
                                 : (dim == 2 ? "quadrilaterals" : "hexahedra"),
                    allowed = "; allowed is " + names_in_words([&](const ElementEntry &other) {
                                return fits(other, mesh) && misfit(other, law).empty();
                              });
  return mesh.order > 1 ? verb(element, "is", "are") + "for cells of first order, and the mesh " +
                              file + " is of second order" + allowed
                        : verb(element, "requires", "require") + needed + ", and the mesh " + file +
                              " has " + mesh.cells_in_words() + allowed;
}

PERCUSSION_INSTANTIATE(misfit);

} // namespace percussion
