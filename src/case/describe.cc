#include <percussion/base/nearest_name.h>
#include <percussion/base/processes.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/body/mesh_nodes.h>
#include <percussion/body/region_faces.h>
#include <percussion/body/waves.h>
#include <percussion/input/mesh_extremes.h>
#include <percussion/input/read_mesh.h>
#include <percussion/output/log.h>
#include <percussion/version.h>

#include "parameter_sections.h"
#include <limits>

namespace percussion {
namespace {

template <int dim>
void describe_materials(const std::vector<std::string> &names, const ElasticBody<dim> &body,
                        bool has_inertia, std::vector<std::string> &lines) {
  for (std::size_t m = 0; m < names.size(); ++m) {
    const Material<dim> &material = body.materials.list[m];
    lines.push_back(
        format("Material  %s", names[m].c_str()) +
        (material.density > 0. ? format(", density %g", material.density) : ", no density") +
        (dim == 2 && !material.is_axisymmetric ? format(", thickness %g", material.thickness)
                                               : ""));
    if (!has_inertia)
      continue;
    const WaveSpeeds speeds = wave_speeds(material);
    lines.push_back(format("  wave speeds %.4g (dilatational) and %.4g (shear)%s",
                           speeds.dilatational, speeds.shear,
                           material.finite_strain ? " in the undeformed body" : ""));
  }
}

/// Returns a line with the resolution in time: the shortest time that a wave needs to traverse an
/// edge.
template <int dim>
std::string wave_line(const Case<dim> &c) {
  WaveSpeeds fastest{0, 0};
  double edge = 1;
  for (const auto &body : c.bodies->elastic)
    for (const auto &material : body->materials.list) {
      const WaveSpeeds speeds = wave_speeds(material);
      const double shortest = shortest_edge(body->space);
      if (speeds.dilatational / shortest > fastest.dilatational / edge) {
        fastest = speeds;
        edge = shortest;
      }
    }
  return format("  a step is %.3g of the transit time of a dilatational wave through the shortest "
                "edge, %.3g, and %.3g of a shear wave's",
                c.choices.h * fastest.dilatational / edge, edge,
                c.choices.h * fastest.shear / edge);
}

/// Returns a line on the condition of the energy theorem on theta (AC24, eq. 87) for all contacts.
template <int dim>
std::string theta_line(const Case<dim> &c) {
  double e = 0;
  for (const auto &pair : c.boundary->pairs)
    e = std::max(e, impact_law(pair.law, pair.restitution, c.choices.theta).e);
  const double theta = c.choices.theta, bound = theta_bound(e);
  const bool holds = theta >= 0.5 && theta <= bound * (1 + 1e-14);
  return format("  1/2 <= theta <= 1/(1 + e) = %g for the largest restitution e = %g (AC24, eq. "
                "87): theta = %g is %s",
                bound, e, theta, holds ? "within" : "outside");
}

/// Returns the statement on the energy that holds for this law (AC24, Proposition 1 and section
/// 3.1).
template <int dim>
std::string energy_statement(const Case<dim> &c, const ContactPair<dim> &pair,
                             const ImpactLaw &law) {
  if (c.choices.penalty == Penalty::conserving)
    return pair.has_linear_gaps()
               ? "springs that conserve the energy of bodies and springs"
               : "springs whose gaps are not linear: numerical work changes the energy of bodies "
                 "and springs";
  if (pair.formulation == Formulation::multipliers)
    return "contact integrated over faces; components invisible to the nodal multipliers "
           "dissipate energy";
  if (c.choices.gap != GapLaw::rate)
    return "a condition on gaps: contacts can lose and create energy, which the ledger lists";
  if (is_persistent(pair.law))
    return pair.has_friction() ? "the contacts lose energy by friction only, and create none"
                               : "the contacts conserve energy";
  if (!makes_friction_dissipate(pair.law) && pair.has_friction())
    return "friction can create energy with this law";
  return format("never creates energy for 1/2 <= theta <= %g%s", theta_bound(law.e),
                c.choices.separating != SeparatingContacts::as_in_paper
                    ? ""
                    : ", except where a closed contact separates");
}

/// Rows of texts, all rows with the same number of texts.
using TextTable = std::vector<std::vector<std::string>>;

/// Returns the rows as lines with the first column flush left and the others flush right.
std::vector<std::string> aligned(const TextTable &rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto &row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::vector<std::string> lines;
  for (const auto &row : rows) {
    std::string line = "  " + row[0] + std::string(widths[0] - row[0].size(), ' ');
    for (std::size_t i = 1; i < row.size(); ++i)
      line += "  " + std::string(widths[i] - row[i].size(), ' ') + row[i];
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  }
  return lines;
}

/// Returns the centre of the faces of a region and the mean of their outward unit normals, by which
/// faces that a CAD file does not name are recognised; blank for other regions.
template <int dim>
std::array<std::string, 2> centre_and_normal(const Mesh<dim> &mesh, const Region &region) {
  dealii::Tensor<1, dim> centre, normal;
  double area = 0;
  for_each_face(mesh, region,
                [&](const dealii::Point<dim> &middle, const dealii::Tensor<1, dim> &n, double) {
                  area += n.norm();
                  centre += n.norm() * middle;
                  normal += n;
                });
  if (area == 0.)
    return {};
  const double smallest = 1e-9 * std::abs(centre.norm() / area); // what is smaller is round-off
  for (unsigned int d = 0; d < dim; ++d) {
    centre[d] = std::abs(centre[d] / area) < smallest ? 0. : centre[d] / area;
    normal[d] = std::abs(normal[d] / area) < 1e-9 ? 0. : normal[d] / area;
  }
  return {{bracketed_point(dealii::Point<dim>(centre), 4),
           bracketed_point(dealii::Point<dim>(normal), 3)}};
}

/// Appends the properties of a mesh that determine accuracy, and the table of its regions.
template <int dim>
void describe_mesh(const Mesh<dim> &mesh, const std::string &name,
                   std::vector<std::string> &lines) {
  lines.push_back(format("Mesh      %s%u nodes, %u %s%s", name.c_str(),
                         MeshNodes<dim>(mesh).n_nodes(), mesh.triangulation.n_active_cells(),
                         mesh.cells_in_words().c_str(), mesh.order > 1 ? " of second order" : ""));
  const MeshExtremes extremes = mesh_extremes(mesh);
  lines.push_back(format("  %s %.6g; edges from %.4g to %.4g; corner angles from %.3g degrees",
                         dim == 3 ? "volume" : "area", extremes.size, extremes.shortest_edge,
                         extremes.longest_edge, extremes.smallest_angle));
  const bool has_unnamed_faces = is_cad(mesh.file);
  TextTable table = {{"region", "dimension", "elements", "nodes",
                      dim == 3 ? "length, area or volume" : "length or area"}};
  if (has_unnamed_faces)
    table.front().insert(table.front().end(), {"centre", "mean normal"});
  for (const auto &[region_name, region] : mesh.regions) {
    table.push_back({"'" + region_name + "'", std::to_string(region.dimension),
                     std::to_string(region.n_elements), std::to_string(region.nodes.size()),
                     region.dimension == 0 ? "" : format("%.6g", region.measure)});
    if (has_unnamed_faces)
      for (const std::string &column : centre_and_normal(mesh, region))
        table.back().push_back(column);
  }
  for (const auto &line : aligned(table))
    lines.push_back(line);
}

/// Returns "free" or the names of the prescribed degrees of freedom.
template <int dim>
std::string freedom(const System<dim> &system, std::size_t body) {
  std::vector<std::string> prescribed;
  for (unsigned int d = 0; d < RigidBody<dim>::n_dofs; ++d)
    if (system.is_prescribed(body, d))
      prescribed.push_back(d < dim    ? components(dim)[d]
                           : dim == 2 ? "rotation"
                                      : "rotation " + components(3)[d - dim]);
  return prescribed.empty() ? "free" : joined(prescribed, ", ") + " prescribed";
}

std::string moments(const RigidBody<2> &body) {
  return format("moment of inertia %.6g", body.inertia);
}
std::string moments(const RigidBody<3> &body) {
  const auto I = eigenvalues(body.inertia);
  return format("moments of inertia %.6g, %.6g, %.6g", I[0], I[1], I[2]);
}

template <int dim>
void describe_rigid_bodies(const Case<dim> &c, std::vector<std::string> &lines) {
  constexpr std::size_t most_lines = 24;
  const auto &bodies = c.bodies->rigid;
  if (!bodies.empty())
    lines.push_back(
        format("  %zu rigid %s", bodies.size(), bodies.size() == 1 ? "body" : "bodies"));
  for (std::size_t b = 0; b < std::min(bodies.size(), most_lines); ++b)
    lines.push_back(format("  '%s': mass %.6g, %s, at %s, %s", bodies[b].name.c_str(),
                           bodies[b].mass, moments(bodies[b]).c_str(),
                           bracketed_point(bodies[b].centre).c_str(),
                           freedom(*c.bodies, b).c_str()));
  if (bodies.size() > most_lines)
    lines.push_back(format("  and %zu more", bodies.size() - most_lines));
}

/// Returns "'a', 'b'", or the number of bodies if they are more than four.
template <int dim>
std::string named(const System<dim> &system, const std::vector<unsigned int> &bodies) {
  if (bodies.size() > 4)
    return std::to_string(bodies.size()) + " rigid bodies";
  std::vector<std::string> names;
  for (const unsigned int body : bodies)
    names.push_back("'" + system.rigid[body].name + "'");
  return joined(names, ", ");
}

/// Returns the regions on the second side, with the discretisation of the contact.
template <int dim>
std::string opposite_faces(const ContactPair<dim> &pair, const std::vector<std::string> &carriers) {
  std::string discretisation_text = pair.is_mortar() ? "mortar"
                                    : pair.discretisation == Discretisation::nodes
                                        ? "nodes"
                                        : "nodes of both sides";
  if (!carriers.empty())
    discretisation_text +=
        (pair.contact_points == ContactPoints::quadrature ? " on the quadrature points of '"
                                                          : " on the nodes of '") +
        joined(carriers, "', '") + "'";
  return (pair.is_self_contact()
              ? std::string(" against itself")
              : " against region '" + joined(pair.opposite_regions(), "', '") + "'") +
         " (" + discretisation_text + ")";
}

template <int dim>
std::string sides(const Case<dim> &c, unsigned int index) {
  const ContactPair<dim> &pair = c.boundary->pairs[index];
  return (pair.region() ? "region '" + *pair.region() + "'" : named(*c.bodies, pair.bodies())) +
         (pair.opposite_bodies().empty() ? ""
                                         : " against " + named(*c.bodies, pair.opposite_bodies())) +
         (pair.is_on_faces() ? opposite_faces(pair, c.boundary->carriers[index]) : "");
}

/// Returns a line with the number of contacts of a pair that begin closed, and the range of their
/// gaps.
template <int dim>
std::string reference_line(const Boundary<dim> &boundary, unsigned int pair) {
  double smallest = std::numeric_limits<double>::infinity(), largest = -smallest;
  unsigned int n = 0;
  for (const ReferenceGap &reference : boundary.reference_gaps)
    if (reference.key.pair == pair) {
      ++n;
      smallest = std::min(smallest, reference.gap);
      largest = std::max(largest, reference.gap);
    }
  return format("    %u contacts begin closed, with gaps from %.4g to %.4g", n, smallest, largest);
}

/// Returns the names of the drives and motors of a joint, each with its formula.
std::string motors_in_words(const LinkMotor &motor, const std::array<const char *, 3> &names) {
  if (motor.kind == LinkMotor::Kind::none)
    return {};
  return std::string(", ") + names[static_cast<std::size_t>(motor.kind) - 1] + " " +
         motor.formula->formula();
}

/// Returns the limits and the friction of a coordinate of a link.
std::string bounds_in_words(const LinkBounds &bounds, const std::string &coordinate) {
  std::string text;
  if (bounds.lower)
    text += format(", %s >= %g", coordinate.c_str(), *bounds.lower);
  if (bounds.upper)
    text += format(", %s <= %g", coordinate.c_str(), *bounds.upper);
  if (bounds.has_limit())
    text += format(" with e = %g", bounds.restitution);
  if (bounds.friction)
    text += ", friction " + bounds.friction->formula();
  if (bounds.friction_per_force > 0.)
    text += format(", friction %g of the force", bounds.friction_per_force);
  return text;
}

/// Returns the kind of a link with its numbers.
template <int dim>
std::string link_in_words(const Link<dim> &link) {
  static const std::array<const char *, 8> kinds = {
      "spring",  dim == 2 ? "pin" : "ball", "weld", "hinge", "slider", "cylindrical", "universal",
      "distance"};
  std::string text = kinds.at(static_cast<std::size_t>(link.kind));
  if (link.kind == LinkKind::spring || link.stiffness > 0. || link.damping > 0.)
    text += format(", stiffness %g, rest length %g, damping %g", link.stiffness, link.rest_length,
                   link.damping);
  if (link.rotation.stiffness > 0. || link.rotation.damping > 0.)
    text += format(", torsion stiffness %g, rest angle %g, torsion damping %g",
                   link.rotation.stiffness, link.rotation.rest, link.rotation.damping);
  return text + motors_in_words(link.motor, {"displacement", "velocity", "force"}) +
         motors_in_words(link.rotation.motor, {"angle", "angular velocity", "torque"}) +
         bounds_in_words(link.bounds, link.axis.norm() > 0. ? "displacement" : "length") +
         bounds_in_words(link.rotation.bounds, "angle") +
         bounds_in_words(link.second_rotation, "second angle");
}

} // namespace

template <int dim>
std::vector<std::string> describe(const Case<dim> &c) {
  std::vector<std::string> lines;
  for (const auto &mesh : c.meshes)
    describe_mesh(*mesh, c.meshes.size() > 1 ? "'" + mesh->name() + "': " : "", lines);
  lines.push_back(format("Bodies    %u degrees of freedom, %zu of them prescribed",
                         c.bodies->n_dofs(), c.bodies->motion.n_dofs()));
  for (std::size_t b = 0; b < c.meshes.size(); ++b)
    describe_materials(c.material_names[b], *c.bodies->elastic[b], c.choices.has_inertia, lines);
  describe_rigid_bodies(c, lines);
  lines.push_back(format("Contact   %zu candidate contact%s", c.boundary->points.size(),
                         c.boundary->points.size() == 1 ? "" : "s"));
  for (unsigned int i = 0; i < c.boundary->pairs.size(); ++i) {
    const ContactPair<dim> &pair = c.boundary->pairs[i];
    const ImpactLaw law = impact_law(pair.law, pair.restitution, c.choices.theta);
    const bool has_rate_gap = c.choices.gap == GapLaw::rate;
    const std::string least_e_T = law.takes_least_e_T ? " or the least dissipative value" : "";
    const std::string coefficients =
        has_rate_gap ? format(", e = %g, e_T = %g%s", law.e, law.e_T, least_e_T.c_str()) : "";
    lines.push_back(format("  '%s': %s%s, mu = %s; %s", pair.name.c_str(), sides(c, i).c_str(),
                           coefficients.c_str(), friction_in_words(pair).c_str(),
                           energy_statement(c, pair, law).c_str()));
    if (pair.bond.exists())
      lines.push_back("  " + bond_in_words(pair.bond));
    if (pair.largest_reference_gap > 0.)
      lines.push_back(reference_line(*c.boundary, i));
  }
  if (!c.bodies->links.empty())
    lines.push_back(format(dim == 2 ? "Links     %zu" : "Joints    %zu", c.bodies->links.size()));
  for (const auto &link : c.bodies->links)
    lines.push_back("  '" + link.name + "': " + link_in_words(link));
  for (const auto &probe : c.probes)
    lines.push_back("Probe     " + probe.name + ": " + probe.position_text);
  if (c.stop)
    lines.push_back("Stop      when " + c.stop.text);
  const bool has_theta = c.choices.integrator == Integrator::theta;
  lines.push_back(format("Time      %s%s, %u steps of %g from t = %g", c.scheme_name.c_str(),
                         has_theta ? format(", theta = %g", c.choices.theta).c_str() : "",
                         c.span.n_steps, c.choices.h, c.span.start));
  if (!c.choices.has_inertia)
    lines.push_back("  quasi-static: no inertia");
  else if (!c.meshes.empty())
    lines.push_back(wave_line(c));
  if (!c.boundary->pairs.empty() && has_theta && c.choices.gap == GapLaw::rate)
    lines.push_back(theta_line(c));
  return lines;
}

template <int dim>
void log_case(const Case<dim> &c, const std::string &file, Log &log) {
  log.info("Percussion " PERCUSSION_VERSION "  " + file);
  for (const auto &line : describe(c))
    log.info(line);
  if (processes::number() > 1)
    log.info(format("Processes %u, each with the whole state; the first one writes the results",
                    processes::number()));
  for (const auto &note : c.notes)
    log.record("Note: " + note);
  for (const auto &warning : c.warnings)
    log.warning(warning);
}

PERCUSSION_INSTANTIATE(describe);
PERCUSSION_INSTANTIATE(log_case);

} // namespace percussion
