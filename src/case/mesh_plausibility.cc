#include <percussion/body/boundary_of_body.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/body/mesh.h>

#include "parameter_sections.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>

namespace percussion {
namespace {

constexpr double negligible = 1e-6; ///< distance, relative to the shortest edge at the boundary

/// Nodes in the boxes of a regular grid, by the integer coordinates of the boxes.
template <int dim>
class Boxes {
public:
  using Key = std::array<std::int64_t, dim>;
  Boxes(const BoundaryOfBody<dim> &boundary, double s) : size(s) {
    for (const unsigned int node : boundary.nodes)
      boxes[key(boundary.x(node))].push_back(node);
  }
  Key key(const dealii::Point<dim> &x) const {
    Key k;
    for (unsigned int d = 0; d < dim; ++d)
      k[d] = static_cast<std::int64_t>(std::floor(x[d] / size));
    return k;
  }

  /// Calls visit(node) for the nodes in the boxes between two opposite corners.
  template <typename Visit>
  void for_each_between(const Key &first, const Key &last, const Visit &visit) const {
    Key k = first;
    for (;;) {
      if (const auto found = boxes.find(k); found != boxes.end())
        for (const unsigned int node : found->second)
          visit(node);
      unsigned int d = 0;
      while (d < dim && ++k[d] > last[d]) {
        k[d] = first[d];
        ++d;
      }
      if (d == dim)
        return;
    }
  }

private:
  double size;
  std::map<Key, std::vector<unsigned int>> boxes;
};

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
  const Boxes<dim> boxes(boundary, boundary.mean_diameter);
  const double tolerance = negligible * boundary.shortest;
  std::vector<bool> is_loose(boundary.space.nodes.size());
  for (const auto &face : boundary.faces) {
    dealii::Point<dim> lower = boundary.x(face.front()), upper = lower;
    for (const unsigned int corner : face)
      for (unsigned int d = 0; d < dim; ++d) {
        lower[d] = std::min(lower[d], boundary.x(corner)[d] - tolerance);
        upper[d] = std::max(upper[d], boundary.x(corner)[d] + tolerance);
      }
    boxes.for_each_between(boxes.key(lower), boxes.key(upper), [&](unsigned int node) {
      for (unsigned int d = 0; d < dim; ++d)
        if (boundary.x(node)[d] < lower[d] || boundary.x(node)[d] > upper[d])
          return;
      if (boundary.space.component[node] == boundary.space.component[face.front()] &&
          lies_on_face(boundary, node, face))
        is_loose[node] = true;
    });
  }
  std::vector<unsigned int> loose;
  for (const unsigned int node : boundary.nodes)
    if (is_loose[node])
      loose.push_back(node);
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
    const std::string mesh = std::filesystem::path(body->space.mesh.file).stem().string();
    c.warnings.push_back((c.meshes.size() > 1 ? "mesh " + mesh : std::string("mesh")) + ": " +
                         std::to_string(loose.size()) + " nodes of the boundary, the first at " +
                         in_brackets(boundary.x(loose.front())) +
                         ", lie on faces of the same body that do not have them as corners: the "
                         "body is open there, as along a crack; if no crack is intended, join the "
                         "pieces of the geometry (Gmsh: Coherence) and mesh again");
  }
}

template void warn_of_seams(Case<2> &);
template void warn_of_seams(Case<3> &);

} // namespace percussion
