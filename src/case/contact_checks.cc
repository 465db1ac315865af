#include <percussion/base/format.h>
#include <percussion/body/mesh.h>
#include <percussion/body/region_faces.h>
#include <percussion/body/waves.h>

#include "parameter_sections.h"
#include <algorithm>
#include <limits>
#include <variant>

namespace percussion {
namespace {

/// Returns the regions whose stress is in the stiffness, in a contact by Nitsche's method.
template <int dim>
std::vector<std::string> stressed_regions(const Boundary<dim> &boundary, unsigned int pair) {
  const ContactPair<dim> &contact_pair = boundary.pairs[pair];
  if (contact_pair.formulation != Formulation::nitsche || contact_pair.symmetry == 0.)
    return {};
  return contact_pair.is_on_faces() ? boundary.carriers[pair] : std::vector{*contact_pair.region()};
}

/// Reports faces whose stress enters the stiffness by two contacts. The terms of one contact are
/// for faces that this contact presses; the pressure of another contact would appear as an error.
template <int dim>
void refuse_repeated_stress(const CaseInput &input, const Case<dim> &c) {
  const Boundary<dim> &boundary = *c.boundary;
  for (unsigned int i = 0; i < boundary.pairs.size(); ++i)
    for (unsigned int j = 0; j < i; ++j)
      for (const auto &name : stressed_regions(boundary, i))
        for (const auto &repeated : stressed_regions(boundary, j))
          if (have_common_faces<dim>(c.bodies->region(name), c.bodies->region(repeated)))
            return input.in(contact_section + "/" + boundary.pairs[i].name)
                .report_section("with " + c.scheme_name +
                                " the stiffness contains terms of the stress of region '" + name +
                                "', whose faces contact '" + boundary.pairs[j].name +
                                "' has added already; Scheme = nitsche-nonsymmetric has no terms");
}

/// Warns of a theta above its bound (AC24, eq. 87).
template <int dim>
void warn_of_theta(const CaseInput &input, Case<dim> &c) {
  const double theta = c.choices.theta;
  if (c.choices.integrator != Integrator::theta)
    return;
  const auto warn = [&](const std::string &reason) {
    c.warnings.push_back(input.remark("Time/Theta", reason));
  };
  if (theta < 0.5)
    warn("below 1/2 the scheme produces energy (AC24, eq. 87)");
  for (const auto &pair : c.boundary->pairs) {
    const double e = impact_law(pair.law, pair.restitution, theta).e;
    if (c.choices.gap == GapLaw::rate && theta > theta_bound(e) * (1 + 1e-14))
      warn(format("above 1/(1 + e) = %g, for contact '", theta_bound(e)) + pair.name +
           format("' with e = %g, an impact can produce energy (AC24, eq. 87)", e));
  }
}

/// Warns of springs that conserve energy and whose motion the steps cannot resolve: nothing brings
/// a light body to rest on them.
template <int dim>
void warn_of_unresolved_springs(const CaseInput &input, Case<dim> &c) {
  constexpr double most_transits = 1000;
  if (c.choices.penalty != Penalty::conserving)
    return;
  for (const auto &pair : c.boundary->pairs)
    if (const double n = transits_of_step(pair, c); n > most_transits)
      return c.warnings.push_back(input.remark(
          "Time/Scheme",
          "contact '" + pair.name +
              format("': a step is %.2g of the transit time of a wave through the shortest edge, "
                     "and springs with the mean force of a step can throw so light a body off; ",
                     n) +
              "take Scheme = penalty, or moreau-jean-fremond with Theta = 1"));
}

template <int dim>
void warn_of_predicted_faces(const CaseInput &input, Case<dim> &c) {
  const auto is_between_elastic = [](const ContactPair<dim> &pair) {
    return pair.is_on_faces() && pair.bodies().empty();
  };
  const auto &pairs = c.boundary->pairs;
  const auto found = std::find_if(pairs.begin(), pairs.end(), is_between_elastic);
  if (c.choices.predicts_faces && found != pairs.end())
    c.warnings.push_back(input.remark(
        contact_section + "/Frames",
        "contact '" + found->name +
            "' is between elastic bodies, whose contact nodes have velocities at the start of a "
            "step that alternate about the velocities of the step: the nodes sink in a little in "
            "each step; Frames = start or reached midpoint prevents this"));
}

/// True if the motion of all candidate contacts of a pair on faces is prescribed.
template <int dim>
bool all_is_held(const Boundary<dim> &boundary, unsigned int pair) {
  const auto is_held = [&](unsigned int first_entry) {
    for (unsigned int d = 0; d < dim; ++d)
      if (!boundary.trace.is_prescribed(first_entry + d))
        return false;
    return true;
  };
  for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i) {
    const ContactPoint<dim> &point = boundary.points[i];
    if (!is_held(point.entry))
      return false;
    if (point.opposite_facets)
      for (const auto &node : boundary.facets[*point.opposite_facets].nodes)
        if (!is_held(node.entry))
          return false;
  }
  return true;
}

/// True if a contact pair has no candidate contacts.
template <int dim>
bool is_idle(const Boundary<dim> &boundary, unsigned int pair) {
  if (boundary.pairs[pair].is_on_faces())
    return all_is_held(boundary, pair);
  const auto &bodies = boundary.pairs[pair].bodies(),
             &opposite_bodies = boundary.pairs[pair].opposite_bodies();
  if (bodies.empty() || opposite_bodies.empty())
    return boundary.first_point[pair] == boundary.first_point[pair + 1];
  for (const unsigned int a : bodies)
    for (const unsigned int b : opposite_bodies)
      if (boundary.admits_contact(pair, a, b))
        return false;
  return true;
}

template <int dim>
void refuse_idle_contacts(const CaseInput &input, const Boundary<dim> &boundary) {
  for (unsigned int i = 0; i < boundary.pairs.size(); ++i)
    if (const auto &pair = boundary.pairs[i]; is_idle(boundary, i))
      input.in(contact_section + "/" + pair.name)
          .report_section("this has no effect: the motion of all " +
                          (pair.region() ? "nodes of region '" + *pair.region() + "'"
                                         : std::string("its bodies")) +
                          " is prescribed");
}

} // namespace

template <int dim>
void check_contacts(const CaseInput &input, Case<dim> &c) {
  refuse_repeated_stress(input, c);
  refuse_idle_contacts(input, *c.boundary);
  check_friction(input, c);
  c.warnings.insert(c.warnings.end(), c.boundary->remarks.begin(), c.boundary->remarks.end());
  warn_of_theta(input, c);
  warn_of_unresolved_springs(input, c);
  warn_of_predicted_faces(input, c);
}

template <int dim>
double transits_of_step(const ContactPair<dim> &pair, const Case<dim> &c) {
  if (!c.choices.has_inertia)
    return std::numeric_limits<double>::infinity();
  std::vector<std::string> regions = pair.opposite_regions();
  if (pair.region())
    regions.push_back(*pair.region());
  double n_transits = 0;
  for (const std::string &name : regions) {
    const ElasticBody<dim> &body = *c.bodies->region(name).body;
    for (const auto &material : body.materials.list)
      n_transits = std::max(n_transits, c.choices.h * wave_speeds(material).dilatational /
                                            shortest_edge(body.space));
  }
  return n_transits;
}

namespace {

/// Shape of a region of faces.
template <int dim>
struct RegionShape {
  RegionShape(const ElasticBody<dim> &body, const Region &region) {
    double size = 0;
    for_each_face(body, region,
                  [&](const auto &, const dealii::Tensor<1, dim> &normal, double diameter) {
                    mean_normal += normal;
                    size += normal.norm();
                    mean_edge += diameter / static_cast<double>(region.faces.size());
                    longest_edge = std::max(longest_edge, diameter);
                  });
    mean_normal /= size;
  }

  dealii::Tensor<1, dim>
      mean_normal; ///< outward; its length is 1 for flat regions, 0 around a body
  double mean_edge = 0, longest_edge = 0; ///< diameters of the faces [length]
};

template <int dim>
RegionShape<dim> shape_of(const typename System<dim>::BodyRegion &region) {
  return {*region.body, *region.region};
}

/// Returns the mean over the faces of a region of (outward normal) · (normal of the surface): −1 if
/// a flat side lies on a half-plane, 0 if the region encloses a body.
template <int dim>
double facing(const ElasticBody<dim> &body, const Region &region, const Surface<dim> &surface,
              double t) {
  double sum = 0, size = 0;
  for_each_face(
      body, region,
      [&](const dealii::Point<dim> &middle, const dealii::Tensor<1, dim> &normal, double) {
        sum += normal * gap(surface, middle, t).normal;
        size += normal.norm();
      });
  return sum / size;
}

/// Warns of surfaces that have their bodies on the wrong side, and of contact regions that face
/// away from each other.
template <int dim>
void check_directions(Case<dim> &c) {
  for (const auto &pair : c.boundary->pairs) {
    if (!pair.region())
      continue;
    const auto own = c.bodies->region(*pair.region());
    if (pair.surface() && facing(*own.body, *own.region, *pair.surface(), c.span.start) > 0.5)
      c.warnings.push_back(
          "contact '" + pair.name + "': its surface and region '" + *pair.region() +
          "' face the same way, so that the body is on the wrong side; reverse Normal");
    for (const std::string &name : pair.opposite_regions()) {
      const auto opposite = c.bodies->region(name);
      if (opposite.body != own.body &&
          shape_of<dim>(own).mean_normal * shape_of<dim>(opposite).mean_normal > 0.5)
        c.warnings.push_back("contact '" + pair.name + "': the regions '" + *pair.region() +
                             "' and '" + name +
                             "' face the same way, so that they cannot meet; name the sides of the "
                             "bodies that face each other");
    }
  }
}

/// Opposite body or surface that nodes of a contact may pass on both sides.
struct SmallShape {
  std::string name;
  double size = 0; ///< largest extent [length]
};

/// Returns the smallest opposite body or surface of a contact; without a name if none is finite.
template <int dim>
SmallShape smallest_shape(const Case<dim> &c, const ContactPair<dim> &pair) {
  SmallShape smallest;
  for (const unsigned int b : pair.opposite_bodies())
    if (smallest.name.empty() || c.boundary->sizes[b] < smallest.size)
      smallest = {"body '" + c.bodies->rigid[b].name + "'", c.boundary->sizes[b]};
  if (const Surface<dim> *const surface = pair.surface())
    if (const auto *const ball = std::get_if<Ball<dim>>(&surface->shape);
        ball && !ball->bodies_inside)
      smallest = {"the surface", 2. * ball->radius};
  return smallest;
}

/// Warns of bodies and surfaces that are smaller than the edges of the nodes that meet them: they
/// can pass between nodes.
template <int dim>
void check_small_shapes(Case<dim> &c) {
  for (const auto &pair : c.boundary->pairs) {
    if (!pair.region() || pair.is_on_faces() || pair.contact_points != ContactPoints::nodes)
      continue;
    const SmallShape small = smallest_shape(c, pair);
    const double edge = shape_of<dim>(c.bodies->region(*pair.region())).longest_edge;
    if (small.name.empty() || small.size >= edge)
      continue;
    c.warnings.push_back(
        "contact '" + pair.name + "': " + small.name +
        format(" measures %.3g, and edges of region '%s' up to %.3g: only the nodes of the region "
               "touch it, and it fits between them; ",
               small.size, pair.region()->c_str(), edge) +
        (pair.opposite_bodies().empty()
             ? "a finer mesh, or a rigid body in its place and Surface = region, keeps it out"
             : "Bodies = the rigid bodies, Surface = region and Against = " + *pair.region() +
                   " keep it out of the faces too"));
  }
}

/// True if a body has neither edges nor faces.
bool is_rounded(const RigidBody<2> &body) {
  return body.contact_points.empty() && body.largest_radius() > 0.;
}
bool is_rounded(const RigidBody<3> &body) {
  return std::all_of(body.shapes.begin(), body.shapes.end(), [](const ConvexShape &shape) {
    return shape.is_sphere() || shape.is_capsule();
  });
}

/// Warns of points that touch a surface of facets with ridges, which may enter between them.
template <int dim>
void check_ridges(Case<dim> &c) {
  for (const auto &pair : c.boundary->pairs) {
    const auto *const faceted =
        pair.surface() ? std::get_if<Faceted<dim>>(&pair.surface()->shape) : nullptr;
    if (faceted == nullptr || !faceted->facets->has_ridges())
      continue;
    const auto bodies = pair.bodies();
    const bool are_round = std::all_of(bodies.begin(), bodies.end(), [&](unsigned int b) {
      return is_rounded(c.bodies->rigid[b]);
    });
    if (pair.region() || !are_round)
      c.warnings.push_back(
          "contact '" + pair.name +
          "': sharp edges of the facets can enter between the points that touch them, " +
          (pair.region() ? "nodes of region '" + *pair.region() +
                               "': a mesh that is finer than the edges are apart keeps them out"
                         : std::string("corners of the bodies: only round bodies are kept out of "
                                       "edges")));
  }
}

/// Warns of contacts in which only the nodes of the coarser side are kept out of the other body.
/// Such contacts are deeper than they seem from their nodes.
template <int dim>
void check_coarse_sides(Case<dim> &c) {
  constexpr double much_coarser = 1.25; // equal meshes, differently oriented, stay below
  for (const auto &pair : c.boundary->pairs) {
    if (!pair.is_on_faces() || pair.is_self_contact() || !pair.region() ||
        pair.discretisation != Discretisation::nodes || c.choices.frames == Frames::reached)
      continue;
    const double own_edge = shape_of<dim>(c.bodies->region(*pair.region())).mean_edge;
    for (const std::string &name : pair.opposite_regions()) {
      const double opposite_edge = shape_of<dim>(c.bodies->region(name)).mean_edge;
      if (own_edge > much_coarser * opposite_edge)
        c.warnings.push_back(
            "contact '" + pair.name + "': only the nodes of region '" + *pair.region() +
            "' are kept out of region '" + name +
            format("', which is finer (mean edge %.3g against %.3g), so that its nodes can sink in "
                   "and forces be too small; name the finer side as Region, or use Discretisation "
                   "= mortar or Frames = reached midpoint",
                   opposite_edge, own_edge));
    }
  }
}

} // namespace

template <int dim>
void warn_of_contacts(Case<dim> &c) {
  check_directions(c);
  check_small_shapes(c);
  check_ridges(c);
  check_coarse_sides(c);
}

PERCUSSION_INSTANTIATE(warn_of_contacts);
PERCUSSION_INSTANTIATE(check_contacts);
PERCUSSION_INSTANTIATE(transits_of_step);

} // namespace percussion
