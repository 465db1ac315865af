#include <percussion/base/format.h>
#include <percussion/body/mesh.h>
#include <percussion/body/waves.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Warns of steps far below the time that a wave needs to traverse the shortest edge: inconsistent
/// units change wave speeds by powers of ten.
template <int dim>
void check_step(const CaseInput &input, Case<dim> &c) {
  constexpr double smallest_step_ratio = 1e-3;
  if (!c.choices.has_inertia)
    return;
  double rate = 0;
  for (const auto &body : c.bodies->elastic)
    for (const auto &material : body->materials.list)
      rate = std::max(rate, wave_speeds(material).dilatational / shortest_edge(body->space));
  if (const double fraction = c.choices.h * rate; rate > 0. && fraction < smallest_step_ratio)
    c.warnings.push_back(input.remark(
        "Time/Step",
        format("this is %.2g of the time in which a wave passes the shortest edge: do the units of "
               "lengths, moduli and densities belong together (m with Pa, mm with MPa)?",
               fraction)));
}

/// Warns of a default thickness of rigid bodies beside elastic bodies of another thickness: at 1
/// instead of 0.01 a body is a hundred times too heavy.
template <int dim>
void check_thickness(const CaseInput &input, Case<dim> &c) {
  if (dim == 3 || c.bodies->elastic.empty())
    return;
  const double thickness = c.bodies->elastic.front()->materials.list.front().thickness;
  for (const auto &name : input.subsections(rigid_section)) {
    const CaseInput section = input.in(rigid_section + "/" + name);
    if (section.has("Density") && !section.is_changed("Thickness") &&
        section.number("Thickness") != thickness)
      c.warnings.push_back(section.remark(
          "Density", format("the body is taken to be 1 thick, for it has no Thickness of its own; "
                            "the elastic body beside it is %g thick",
                            thickness)));
  }
}

/// Warns of angles above a full turn: angles are in radians, and such a value may have been meant
/// in degrees.
template <int dim>
void check_angles(const CaseInput &input, Case<dim> &c) {
  for (const auto &name : input.subsections(rigid_section))
    for (const std::string entry : {"Angle", "Turn"}) {
      const CaseInput section = input.in(rigid_section + "/" + name);
      if (const double angle = section.number(entry);
          std::abs(angle) > 2. * dealii::numbers::PI * (1. + 1e-9))
        c.warnings.push_back(section.remark(
            entry,
            format("this is %.3g turns, for angles are in radians; %g degrees are %.10g",
                   angle / (2. * dealii::numbers::PI), angle, angle * dealii::numbers::PI / 180.)));
    }
}

/// Returns Poisson's ratio at small strains; 0 in plane stress, in which elements do not lock.
template <int dim>
double locking_poisson_ratio(const Material<dim> &material) {
  const auto &law = material.elastic;
  return dim == 2 && law.lambda_33 == 0. ? 0. : law.lambda / (2. * (law.lambda + law.mu));
}

/// Returns " of 'mesh'" if the case has more than one mesh.
template <int dim>
std::string of_mesh(const Case<dim> &c, std::size_t body) {
  return c.meshes.size() > 1 ? " of '" + c.meshes[body]->name() + "'" : "";
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
               largest, body.space.mesh.cells_in_words().c_str(), of_mesh(c, b).c_str()) +
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
      c.warnings.push_back(input.remark(
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
void warn_of_implausible(const CaseInput &input, Case<dim> &c) {
  check_step(input, c);
  check_thickness(input, c);
  check_angles(input, c);
  check_wave_speeds(input, c);
  check_locking(c);
  check_height(c);
}

PERCUSSION_INSTANTIATE(warn_of_implausible);

} // namespace percussion
