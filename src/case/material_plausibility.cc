#include <percussion/body/bracketed_point.h>
#include <percussion/body/mesh.h>
#include <percussion/body/waves.h>

#include "parameter_sections.h"
#include <algorithm>
#include <filesystem>

namespace percussion {
namespace {

/// Returns Poisson's ratio at small strains; 0 in plane stress, in which elements do not lock.
template <int dim>
double locking_poisson_ratio(const Material<dim> &material) {
  const auto &law = material.elastic;
  return dim == 2 && law.lambda_33 == 0. ? 0. : law.lambda / (2. * (law.lambda + law.mu));
}

template <int dim>
std::string cells_in_words(CellShape shape) {
  return shape == CellShape::simplex ? (dim == 3 ? "tetrahedra" : "triangles")
         : dim == 3                  ? "hexahedra"
                                     : "quadrilaterals";
}

/// Returns " of 'mesh'" if the case has more than one mesh.
template <int dim>
std::string of_mesh(const Case<dim> &c, std::size_t body) {
  return c.meshes.size() > 1
             ? " of '" + std::filesystem::path(c.meshes[body]->file).stem().string() + "'"
             : "";
}

/// Warns of first-order elements of nearly incompressible materials, which lock.
template <int dim>
void check_locking(Case<dim> &c) {
  constexpr double almost_incompressible = 0.49;
  for (std::size_t b = 0; b < c.bodies->elastic.size(); ++b) {
    const ElasticBody<dim> &body = *c.bodies->elastic[b];
    double largest = 0;
    for (const auto &material : body.materials.list)
      if (!material.incompatible_modes)
        largest = std::max(largest, locking_poisson_ratio(material));
    if (largest < almost_incompressible)
      continue;
    const CellShape shape = body.space.mesh.shape;
    const bool can_bend = dim == 2 && body.materials.are_linear();
    c.warnings.push_back(
        format("material: Poisson's ratio %.6g and %s%s: elements of first order lock near "
               "incompressibility, so that bodies are too stiff; ",
               largest, cells_in_words<dim>(shape).c_str(), of_mesh(c, b).c_str()) +
        (!can_bend ? "compare with 0.45 and with a finer mesh"
         : shape == CellShape::simplex
             ? "mesh it with quadrilaterals (Gmsh: Recombine Surface) and "
               "take Material/Element = incompatible modes"
             : "take Material/Element = incompatible modes"));
  }
}

/// Warns of wave speeds outside the range of solids, from foams and gels to diamond.
template <int dim>
void check_wave_speeds(const CaseInput &input, Case<dim> &c) {
  constexpr double slowest = 0.5, fastest = 2e4; // [m/s]
  const auto metres_per_second = unit_of_speed(c.output.units);
  if (!metres_per_second || !c.choices.has_inertia)
    return;
  for (std::size_t b = 0; b < c.bodies->elastic.size(); ++b)
    for (const auto &material : c.bodies->elastic[b]->materials.list) {
      const double speed = wave_speeds(material).dilatational * *metres_per_second;
      if (speed >= slowest && speed <= fastest)
        continue;
      c.warnings.push_back(input.parameters.remark(
          "Output/Units",
          format("with these units a dilatational wave%s travels at %.3g m/s, and in solids at %g "
                 "to %g m/s: modulus or density seem to be in other units",
                 of_mesh(c, b).c_str(), speed, slowest, fastest)));
      return;
    }
}

/// Warns of slender bodies that have one layer of triangles, with all nodes on the boundary.
void check_height(Case<2> &c) {
  constexpr double slender = 5; // length / height
  for (std::size_t b = 0; b < c.bodies->elastic.size(); ++b) {
    const Space<2> &space = c.bodies->elastic[b]->space;
    if (space.mesh.shape != CellShape::simplex)
      continue;
    std::vector<bool> is_at_boundary(space.nodes.size());
    double perimeter = 0, area = 0;
    for (const auto &cell : space.mesh.triangulation.active_cell_iterators()) {
      area += cell->measure();
      for (const unsigned int f : cell->face_indices())
        if (cell->at_boundary(f)) {
          perimeter += cell->face(f)->measure();
          for (const unsigned int v : cell->face(f)->vertex_indices())
            is_at_boundary[cell->face(f)->vertex_index(v)] = true;
        }
    }
    const double height = 2. * area / perimeter, length = perimeter / 2.;
    const bool has_inner_node =
        std::find(is_at_boundary.begin(), is_at_boundary.end(), false) != is_at_boundary.end();
    if (!has_inner_node && length > slender * height)
      c.warnings.push_back("mesh: the body" + of_mesh(c, b) +
                           " is slender and has one triangle through its height: it is many times "
                           "too stiff in bending; take at least four triangles, or quadrilaterals "
                           "with Material/Element = incompatible modes");
  }
}
void check_height(Case<3> & /*unused*/) {}

} // namespace

template <int dim>
void warn_of_materials(const CaseInput &input, Case<dim> &c) {
  check_wave_speeds(input, c);
  check_locking(c);
  check_height(c);
}

template void warn_of_materials(const CaseInput &, Case<2> &);
template void warn_of_materials(const CaseInput &, Case<3> &);

} // namespace percussion
