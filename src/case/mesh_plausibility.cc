#include <percussion/body/boundary_of_body.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/body/mesh.h>
#include <percussion/contact/broad_phase.h>

#include "parameter_sections.h"
#include <algorithm>

namespace percussion {
namespace {

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

} // namespace

template <int dim>
void warn_of_seams(Case<dim> &c) {
  for (const auto &body : c.bodies->elastic) {
    const BoundaryOfBody<dim> boundary(body->space);
    const auto loose = loose_nodes(boundary);
    if (loose.empty())
      continue;
    c.warnings.push_back((c.meshes.size() > 1 ? "mesh " + body->space.mesh.name() : "mesh") + ": " +
                         std::to_string(loose.size()) + " nodes of the boundary, the first at " +
                         in_brackets(boundary.x(loose.front())) +
                         ", lie on faces of the same body that do not have them as corners: the "
                         "body is open there, as along a crack; if no crack is intended, join the "
                         "pieces of the geometry (Gmsh: Coherence) and mesh again");
  }
}

PERCUSSION_INSTANTIATE(warn_of_seams);

} // namespace percussion
