#include <percussion/body/bracketed_point.h>
#include <percussion/body/mesh.h>

#include "parameter_sections.h"
#include <algorithm>
#include <map>
#include <variant>

namespace percussion {
namespace {

/// Returns the normal of an edge, scaled by the length of the edge.
template <typename Face>
dealii::Tensor<1, 2> normal_of(const Face &edge) {
  const auto direction = edge.vertex(1) - edge.vertex(0);
  return dealii::Tensor<1, 2>({direction[1], -direction[0]});
}
/// Returns the normal of a triangle or quadrilateral, scaled by twice its area.
dealii::Tensor<1, 3> normal_of(const dealii::TriaAccessor<2, 3, 3> &face) {
  const unsigned int last =
      face.n_vertices() - 1; // for a quadrilateral, the vertex before the first
  return last == 2
             ? cross_product_3d(face.vertex(1) - face.vertex(0), face.vertex(2) - face.vertex(0))
             : cross_product_3d(face.vertex(last) - face.vertex(0),
                                face.vertex(2) - face.vertex(1));
}

/// Calls visit(middle, normal, diameter) for the faces of a region, with their outward normals.
template <int dim, typename Visit>
void for_each_face(const ElasticBody<dim> &body, const Region &region, const Visit &visit) {
  std::map<unsigned int, std::vector<unsigned int>> faces_of;
  for (const CellFace &face : region.faces)
    faces_of[face.cell].push_back(face.face);
  for (const auto &cell : body.space.mesh.triangulation.active_cell_iterators())
    if (const auto found = faces_of.find(cell->active_cell_index()); found != faces_of.end())
      for (const unsigned int f : found->second) {
        const auto face = cell->face(f);
        dealii::Tensor<1, dim> normal = normal_of(*face);
        if (normal * (face->center() - cell->center()) < 0.)
          normal *= -1.;
        visit(face->center(), normal, face->diameter());
      }
}

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

/// Warns of contacts in which only the nodes of the coarser side are kept out of the other body.
/// Such contacts are deeper than they seem from their nodes, and with frames of the start of the
/// step the depth adds up.
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
  check_coarse_sides(c);
}

PERCUSSION_INSTANTIATE(warn_of_contacts);

} // namespace percussion
