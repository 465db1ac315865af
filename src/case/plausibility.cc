#include <percussion/base/format.h>
#include <percussion/body/boundary_of_body.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/body/link_forces.h>
#include <percussion/body/mesh.h>
#include <percussion/body/supports.h>
#include <percussion/body/waves.h>
#include <percussion/contact/broad_phase.h>
#include <percussion/input/read_mesh.h>
#include <percussion/material/hyperelastic.h>

#include "parameter_sections.h"
#include "slender_bodies.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

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
  if (material.finite_strain) // slow loads are borne by the springs beside the branches
    if (const auto *const slow = std::get_if<Viscoelastic>(&material.finite_strain->law()))
      return (3. * slow->bulk - 2. * slow->shear) / (6. * slow->bulk + 2. * slow->shear);
  const auto &law = material.elastic;
  return dim == 2 && law.lambda_33 == 0. ? 0. : law.lambda / (2. * (law.lambda + law.mu));
}

/// Returns " of 'mesh'" if the case has more than one mesh.
template <int dim>
std::string mesh_label(const Case<dim> &c, std::size_t body) {
  return c.meshes.size() > 1 ? " of '" + c.meshes[body]->name() + "'" : "";
}

/// Returns the element that does not lock with this material, as an instruction.
template <int dim>
std::string unlocked_element(const Material<dim> &material, CellShape shape) {
  const bool is_linear = !material.finite_strain;
  if (!is_linear && std::holds_alternative<StVenantKirchhoff>(material.finite_strain->law()))
    return "compare with 0.45 and with a finer mesh";
  if (shape == CellShape::simplex)
    return "take Material/Element = macro-cells";
  return std::string("take Material/Element = ") +
         (is_linear && dim == 2 && !material.is_axisymmetric ? "incompatible modes"
                                                             : "mean dilatation");
}

/// Warns of first-order elements of nearly incompressible materials, which lock.
template <int dim>
void check_locking(Case<dim> &c) {
  constexpr double almost_incompressible = 0.45;
  for (std::size_t b = 0; b < c.bodies->elastic.size(); ++b) {
    const ElasticBody<dim> &body = *c.bodies->elastic[b];
    if (body.space.mesh.order > 1)
      continue;
    double largest = almost_incompressible * (1. + 1e-12); // moduli have round-off
    const Material<dim> *locking = nullptr;
    for (const auto &material : body.materials.list)
      if (const double ratio = locking_poisson_ratio(material);
          material.element == ElementKind::standard && ratio > largest) {
        largest = ratio;
        locking = &material;
      }
    if (locking == nullptr)
      continue;
    c.warnings.push_back(
        format("material: Poisson's ratio %.6g and %s%s: elements of first order lock near "
               "incompressibility, so that bodies are too stiff; ",
               largest, body.space.mesh.cells_in_words().c_str(), mesh_label(c, b).c_str()) +
        unlocked_element(*locking, body.space.mesh.shape));
  }
}

/// Warns of standard elements of first order that yield: plastic flow keeps the volume, so that
/// they lock for any Poisson's ratio.
template <int dim>
void check_plastic_locking(Case<dim> &c) {
  for (std::size_t b = 0; b < c.bodies->elastic.size(); ++b) {
    const ElasticBody<dim> &body = *c.bodies->elastic[b];
    if (body.space.mesh.order > 1)
      continue;
    for (const auto &material : body.materials.list)
      if (material.finite_strain && is_plastic(material.finite_strain->law()) &&
          material.element == ElementKind::standard) {
        c.warnings.push_back(
            format("material: plastic flow and %s%s: plastic flow keeps the volume, "
                   "and elements of first order lock in it; ",
                   body.space.mesh.cells_in_words().c_str(), mesh_label(c, b).c_str()) +
            unlocked_element(material, body.space.mesh.shape));
        break;
      }
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
                 mesh_label(c, b).c_str(), speed, slowest, fastest)));
      return;
    }
}

/// True if some cells of second order have one volume change each.
template <int dim>
bool has_quadratic_mean_dilatation(const ElasticBody<dim> &body) {
  const auto &materials = body.materials.list;
  return body.space.mesh.order > 1 &&
         std::any_of(materials.begin(), materials.end(), [](const Material<dim> &m) {
           return m.element == ElementKind::mean_dilatation;
         });
}

const std::string advice_for_mean_dilatation =
    ": with quadratic cells of one volume change each it is up to twice too soft in bending; take "
    "at least two cells, or Material/Element = quadratic for Poisson's ratios below 0.45";

/// Warns of slender bodies that have one layer of triangles, with all nodes on the boundary.
void check_triangles(Case<2> &c) {
  for (std::size_t b = 0; b < c.bodies->elastic.size(); ++b) {
    const Space<2> &space = c.bodies->elastic[b]->space;
    const bool is_soft = has_quadratic_mean_dilatation(*c.bodies->elastic[b]);
    if (space.mesh.shape != CellShape::simplex || (space.mesh.order > 1 && !is_soft))
      continue;
    std::vector<bool> is_at_boundary(space.mesh.triangulation.n_vertices());
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
    if (!has_inner_node && length > slender_ratio * height)
      c.warnings.push_back("mesh: the body" + mesh_label(c, b) +
                           " is slender and has one triangle through its height" +
                           (is_soft ? advice_for_mean_dilatation
                                    : ": it is many times too stiff in bending; take at least four "
                                      "triangles, Material/Element = quadratic, or quadrilaterals "
                                      "with Material/Element = incompatible modes"));
  }
}
void check_triangles(Case<3> & /*unused*/) {}

/// Returns a warning of a slender body that bends across a row of cells; empty if it does not, or
/// the cells are as stiff as they should be.
template <int dim>
std::string row_warning(const Case<dim> &c, std::size_t b, const Material<dim> &standard,
                        const CellRow<dim> &row) {
  constexpr double almost_all = 0.9, much = 1.2;
  const ElasticBody<dim> &body = *c.bodies->elastic[b];
  const bool is_soft = has_quadratic_mean_dilatation(body);
  const double factor =
      row.cells.empty() ? 1. : excess_stiffness(standard, row.longest, row.thickness);
  if (row.fraction < almost_all || row.length < slender_ratio * row.thickness ||
      (factor < much && !is_soft) || !(is_touched_across(c, b, row) || is_moved_across(c, b, row)))
    return {};
  const std::string beginning = "mesh: the body" + mesh_label(c, b) + " is one " +
                                (dim == 2 ? "quadrilateral" : "hexahedron") + " thick";
  if (is_soft)
    return beginning + advice_for_mean_dilatation;
  return beginning +
         format(" (%.3g, with edges up to %.3g along it), and is loaded across: such elements "
                "are too stiff in bending, here by a factor of up to %.2g; ",
                row.thickness, row.longest, factor) +
         (body.materials.are_linear()
              ? "take Material/Element = incompatible modes"
              : "take Material/Element = quadratic, or edges of at most a third of the thickness");
}

/// Warns of slender bodies that bend and are one standard quadrilateral or hexahedron thick.
template <int dim>
void check_thick_cells(Case<dim> &c) {
  for (std::size_t b = 0; b < c.bodies->elastic.size(); ++b) {
    const ElasticBody<dim> &body = *c.bodies->elastic[b];
    const auto &materials = body.materials.list;
    const auto standard =
        std::find_if(materials.begin(), materials.end(), [](const Material<dim> &m) {
          return m.element != ElementKind::incompatible_modes;
        });
    if (body.space.mesh.shape == CellShape::simplex || standard == materials.end() ||
        (body.space.mesh.order > 1 && !has_quadratic_mean_dilatation(body)))
      continue;
    for (const CellRow<dim> &row : cell_rows(body.space))
      if (const std::string text = row_warning(c, b, *standard, row); !text.empty()) {
        c.warnings.push_back(text);
        break;
      }
  }
}

constexpr double negligible = 1e-6; ///< distance, relative to the shortest edge at the boundary

/// True if a point lies on the triangle or segment with these corners.
template <int dim>
bool lies_on(const dealii::Point<dim> &x, const std::vector<dealii::Point<dim>> &corners,
             double tolerance) {
  const auto a = corners[1] - corners[0];
  const dealii::Tensor<1, dim> r = x - corners[0];
  if constexpr (dim == 2) {
    const double s = (r * a) / a.norm_square();
    return s > 0 && s < 1 && (r - s * a).norm() < tolerance;
  } else {
    const auto b = corners[2] - corners[0];
    const double aa = a * a, ab = a * b, bb = b * b, ra = r * a, rb = r * b;
    const double det = aa * bb - ab * ab;
    if (!(det > 0))
      return false;
    const double s = (bb * ra - ab * rb) / det, t = (aa * rb - ab * ra) / det;
    return s > -negligible && t > -negligible && s + t < 1 + negligible &&
           (r - s * a - t * b).norm() < tolerance;
  }
}

/// True if a node lies on a face without being one of its corners.
template <int dim>
bool lies_on_face(const BoundaryOfBody<dim> &boundary, unsigned int node,
                  const std::vector<unsigned int> &face) {
  const double tolerance = negligible * boundary.shortest;
  const dealii::Point<dim> &x = boundary.x(node);
  for (const unsigned int corner : face)
    if (corner == node || x.distance(boundary.x(corner)) < tolerance)
      return corner != node; // otherwise the node is a duplicate of a corner
  std::vector<dealii::Point<dim>> corners;
  for (const unsigned int corner : face)
    corners.push_back(boundary.x(corner));
  if (face.size() < 4)
    return lies_on(x, corners, tolerance);
  // In deal.II's order of corners, the diagonals of a quadrilateral are 0-3 and 1-2.
  return lies_on<dim>(x, {corners[0], corners[1], corners[3]}, tolerance) ||
         lies_on<dim>(x, {corners[0], corners[3], corners[2]}, tolerance);
}

/// Returns the boundary nodes that lie on faces of their own connected component without being
/// corners of these faces.
template <int dim>
std::vector<unsigned int> loose_nodes(const BoundaryOfBody<dim> &boundary) {
  std::vector<std::vector<dealii::Point<dim>>> corners;
  for (const auto &face : boundary.faces) {
    corners.emplace_back();
    for (const unsigned int corner : face)
      corners.back().push_back(boundary.x(corner));
  }
  const BroadPhase<dim> boxes(corners,
                              std::vector<double>(corners.size(), negligible * boundary.shortest));
  const auto &component = boundary.space.component;
  std::vector<unsigned int> loose, faces;
  for (const unsigned int node : boundary.nodes) {
    boxes.find_near(boundary.x(node), faces);
    if (std::any_of(faces.begin(), faces.end(), [&](unsigned int f) {
          const auto &face = boundary.faces[f];
          return component[node] == component[face.front()] && lies_on_face(boundary, node, face);
        }))
      loose.push_back(node);
  }
  return loose;
}

/// Returns how to join pieces of the mesh in a file.
std::string joining_advice(const std::string &file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  return ending == ".geo" || ending == ".msh" ? "put 'Coherence;' into the geometry and mesh again"
         : is_cad(file)                       ? "fuse the parts in the CAD program"
                                              : "merge nodes at equal positions in the file";
}

/// Warns of nodes that lie on faces of their own body without being corners of these faces:
/// duplicate nodes and hanging nodes.
template <int dim>
void warn_of_seams(const CaseInput &input, Case<dim> &c) {
  if (input.parameters.is_changed("Mesh/Split")) // the body is open where the case splits it
    return;
  for (const auto &body : c.bodies->elastic) {
    const BoundaryOfBody<dim> boundary(body->space);
    const auto loose = loose_nodes(boundary);
    if (loose.empty())
      continue;
    c.warnings.push_back((c.meshes.size() > 1 ? "mesh " + body->space.mesh.name() : "mesh") + ": " +
                         std::to_string(loose.size()) + " nodes of the boundary, the first at " +
                         bracketed_point(boundary.x(loose.front())) +
                         ", lie on faces of the same body that do not have them as corners: the "
                         "body is open there, as along a crack; if no crack is intended, " +
                         joining_advice(body->space.mesh.file));
  }
}

/// Warns of components of a body that neither share nodes with the others, nor have points of
/// contacts or nodes whose motion is prescribed: pieces that somebody forgot to join.
template <int dim>
void warn_of_loose_components(Case<dim> &c) {
  if (!c.bodies->links.empty()) // they may join regions
    return;
  Supports<dim> supports(*c.bodies);
  supports.add(c.boundary->trace);
  for (const auto &body : c.bodies->elastic)
    if (const auto [n, n_loose] = supports.components(*body); n > 1 && n_loose > 0)
      c.warnings.push_back(format(
          "%s: the body consists of %zu components without common nodes, and %s no contact and no "
          "prescribed motion (to join them, %s)",
          (c.meshes.size() > 1 ? "mesh " + body->space.mesh.name() : "mesh").c_str(), n,
          n_loose == 1 ? "one of them has" : format("%zu of them have", n_loose).c_str(),
          joining_advice(body->space.mesh.file).c_str()));
}

/// Returns the index of the elastic body of a region.
template <int dim>
std::size_t body_of(const System<dim> &bodies, const std::string &region) {
  return bodies.index_of(*bodies.region(region).body);
}

/// Notes pairs of bodies between which no contact is defined. All rigid bodies together count as
/// one body here.
template <int dim>
void note_pairs_without_contact(Case<dim> &c) {
  const std::size_t n_elastic = c.bodies->elastic.size(), rigid = n_elastic;
  const auto party = [&](const std::string &region) { return body_of(*c.bodies, region); };
  const auto name = [&](std::size_t i) {
    return i == rigid       ? std::string("rigid bodies")
           : n_elastic == 1 ? std::string("the elastic body")
                            : "'" + c.meshes[i]->name() + "'";
  };
  std::set<std::pair<std::size_t, std::size_t>> acquainted;
  for (const auto &pair : c.boundary->pairs) {
    const std::size_t first_body = pair.region() ? party(*pair.region()) : rigid;
    std::vector<std::size_t> second_bodies(pair.opposite_bodies().empty() ? 0 : 1, rigid);
    for (const auto &region : pair.opposite_regions())
      second_bodies.push_back(party(region));
    for (const std::size_t second_body : second_bodies)
      acquainted.insert(std::minmax(first_body, second_body));
  }
  const std::size_t n_parties = n_elastic + (c.bodies->rigid.empty() ? 0 : 1);
  for (std::size_t i = 0; i < n_parties; ++i)
    for (std::size_t j = i; j < n_parties; ++j)
      if (acquainted.count({i, j}) == 0 && (i != j || (i == rigid && c.bodies->rigid.size() > 1)))
        c.notes.push_back("contact: no contact lets " + name(i) +
                          (i == j ? " touch each other" : " touch " + name(j)) +
                          "; they would pass through each other");
}

/// Returns the bodies that contacts, links and boundary conditions name: the indices of elastic
/// bodies, and behind them the indices of rigid bodies.
template <int dim>
std::set<std::size_t> bodies_named_in(const CaseInput &input, const Case<dim> &c) {
  const System<dim> &bodies = *c.bodies;
  std::set<std::size_t> named;
  const auto add_rigid = [&](std::size_t body) { named.insert(bodies.elastic.size() + body); };
  for (const auto &pair : c.boundary->pairs) {
    if (pair.region())
      named.insert(body_of(bodies, *pair.region()));
    for (const auto &region : pair.opposite_regions())
      named.insert(body_of(bodies, region));
    for (const auto *const side : {&pair.bodies(), &pair.opposite_bodies()})
      std::for_each(side->begin(), side->end(), add_rigid);
  }
  for (const auto &link : bodies.links)
    for (const auto &end : {link.first, link.second}) {
      if (end.rigid)
        add_rigid(*end.rigid);
      if (const auto elastic = bodies.elastic_body_of(end))
        named.insert(*elastic);
    }
  for (const auto &region : input.subsections("Boundary conditions"))
    named.insert(body_of(bodies, region));
  return named;
}

/// True if an entry of the section of a rigid body gives it a force or a moment.
bool has_force(const CaseInput &section) {
  const auto entries = section.declarations();
  return std::any_of(entries.begin(), entries.end(), [&](const ParameterDeclaration &declared) {
    const std::string &name = declared.entry->name;
    return (begins_with(name, "Force ") || begins_with(name, "Moment")) &&
           name != "Moment of inertia" && section.has(name);
  });
}

/// Warns of bodies beside others on which only gravity acts: a contact or a load may have been
/// forgotten.
template <int dim>
void warn_of_unnamed_bodies(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  const System<dim> &bodies = *c.bodies;
  const std::size_t n_elastic = bodies.elastic.size();
  if (n_elastic + bodies.rigid.size() < 2)
    return;
  const auto named = bodies_named_in(input, c);
  const auto warn = [&](const std::string &name) {
    c.warnings.push_back("no contact or load names any side of body '" + name +
                         "': it moves freely through all others");
  };
  for (std::size_t b = 0; b < n_elastic; ++b)
    if (named.count(b) == 0)
      warn(c.meshes[b]->name());
  for (const auto &[name, copies] : rigid.sections) {
    const auto is_named = [&](unsigned int b) {
      bool is_moved = false;
      for (unsigned int d = 0; d < RigidBody<dim>::n_dofs; ++d)
        is_moved = is_moved || bodies.is_prescribed(b, d);
      return is_moved || named.count(n_elastic + b) > 0;
    };
    if (!copies.empty() && !has_force(input.in(rigid_section + "/" + name)) &&
        std::none_of(copies.begin(), copies.end(), is_named))
      warn(name);
  }
}

} // namespace

template <int dim>
void warn_of_implausible(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  check_step(input, c);
  check_thickness(input, c);
  check_angles(input, c);
  check_wave_speeds(input, c);
  check_locking(c);
  check_plastic_locking(c);
  check_triangles(c);
  check_thick_cells(c);
  warn_of_seams(input, c);
  warn_of_loose_components(c);
  note_pairs_without_contact(c);
  warn_of_unnamed_bodies(input, rigid, c);
}

PERCUSSION_INSTANTIATE(warn_of_implausible);

} // namespace percussion
