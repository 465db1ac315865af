#include <percussion/body/elastic_body.h>
#include <percussion/body/follower_pressure.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace percussion {
namespace {

using dealii::Tensor;

/// Points of Gauss' rule on a path from 0 to 1, each with the weight one half.
const std::array<double, 2> path_points = {0.5 - 0.5 / std::sqrt(3.), 0.5 + 0.5 / std::sqrt(3.)};

/// Returns n da / (dξ dη) of the tangents.
Tensor<1, 2> area_vector(const std::array<Tensor<1, 2>, 1> &t) { return cross_product_2d(t[0]); }
Tensor<1, 3> area_vector(const std::array<Tensor<1, 3>, 2> &t) {
  return cross_product_3d(t[0], t[1]);
}

/// Returns the derivative of n da if a node with these slopes moves in the direction e.
Tensor<1, 2> turned(const std::array<Tensor<1, 2>, 1> & /*t*/, const std::array<double, 1> &slope,
                    const Tensor<1, 2> &e) {
  return slope[0] * cross_product_2d(e);
}
Tensor<1, 3> turned(const std::array<Tensor<1, 3>, 2> &t, const std::array<double, 2> &slope,
                    const Tensor<1, 3> &e) {
  return slope[0] * cross_product_3d(e, t[1]) + slope[1] * cross_product_3d(t[0], e);
}

} // namespace

template <int dim>
FollowerPressure<dim>::FollowerPressure(const ElasticBody<dim> &body, const Region &region,
                                        Expression pressure)
    : formula(std::move(pressure)), is_axisymmetric(body.materials.are_axisymmetric()) {
  const Space<dim> &space = body.space;
  AssertThrow(region.nodes.empty() || region.nodes.back() < space.mesh.triangulation.n_vertices(),
              dealii::ExcMessage("a pressure needs a linear trace (Mesh::linear_faces)"));
  std::vector<typename dealii::Triangulation<dim>::active_cell_iterator> cells;
  for (const auto &cell : space.mesh.triangulation.active_cell_iterators())
    cells.push_back(cell);
  for (const CellFace &cell_face : region.faces) {
    const auto &cell = cells[cell_face.cell];
    const auto mesh_face = cell->face(cell_face.face);
    std::vector<unsigned int> vertices;
    for (const unsigned int v : mesh_face->vertex_indices())
      vertices.push_back(mesh_face->vertex_index(v));
    if (points.empty())
      points = face_points(static_cast<unsigned int>(vertices.size()));
    const auto positions = [&] {
      Positions x;
      for (std::size_t a = 0; a < vertices.size(); ++a)
        x[a] = space.nodes[vertices[a]];
      return x;
    };
    Face face{{}, positions(), body.materials.material(cell_face.cell).thickness};
    const Tensor<1, dim> outwards = mesh_face->center() - cell->center();
    const auto n = area_vector(
        tangents(points.front(), face.nodes, static_cast<unsigned int>(vertices.size())));
    if (n * outwards < 0.) { // exchanging these nodes exchanges the directions of the face
      std::swap(vertices[dim - 2], vertices[dim - 1]);
      face.nodes = positions();
    }
    for (const unsigned int vertex : vertices)
      face.dofs.insert(face.dofs.end(), space.node_dofs[vertex].begin(),
                       space.node_dofs[vertex].end());
    faces.push_back(std::move(face));
  }
}

/// Returns the points of a rule that is exact for the integrals of a: one for edges and triangles,
/// two for edges that r multiplies, 2 × 2 for quadrilaterals.
template <int dim>
std::vector<typename FollowerPressure<dim>::Point>
FollowerPressure<dim>::face_points(unsigned int n_nodes) const {
  Point point{};
  if constexpr (dim == 2) {
    point.weight = 1.;
    point.value = {0.5, 0.5};
    point.slope = {{{-1., 1.}}};
    if (!is_axisymmetric)
      return {point};
    std::vector<Point> edge_points;
    for (const double xi : path_points) { // the same points as on the path
      point.weight = 0.5;
      point.value = {1. - xi, xi};
      edge_points.push_back(point);
    }
    return edge_points;
  } else {
    if (n_nodes == 3) {
      point.weight = 0.5;
      point.value = {1. / 3., 1. / 3., 1. / 3., 0.};
      point.slope = {{{-1., 1., 0., 0.}, {-1., 0., 1., 0.}}};
      return {point};
    }
    std::vector<Point> all;
    for (const double eta : path_points)
      for (const double xi : path_points) {
        point.weight = 0.25;
        point.value = {(1. - xi) * (1. - eta), xi * (1. - eta), (1. - xi) * eta, xi * eta};
        point.slope = {{{eta - 1., 1. - eta, -eta, eta}, {xi - 1., -xi, 1. - xi, xi}}};
        all.push_back(point);
      }
    return all;
  }
}

template <int dim>
typename FollowerPressure<dim>::Tangents
FollowerPressure<dim>::tangents(const Point &point, const Positions &x, unsigned int n_nodes) {
  Tangents t;
  for (unsigned int d = 0; d + 1 < dim; ++d)
    for (unsigned int a = 0; a < n_nodes; ++a)
      t[d] += point.slope[d][a] * x[a];
  return t;
}

/// Returns the positions of the nodes of a face at q0 + s (q1 − q0).
template <int dim>
typename FollowerPressure<dim>::Positions
FollowerPressure<dim>::position(const Face &face, double s, const Vector &q0,
                                const Vector &q1) const {
  Positions x = face.nodes;
  for (std::size_t i = 0; i < face.dofs.size(); ++i)
    x[i / dim][i % dim] += (1. - s) * q0[face.dofs[i]] + s * q1[face.dofs[i]];
  return x;
}

/// Returns the current out-of-plane size at a point of a face.
template <int dim>
double FollowerPressure<dim>::out_of_plane_size(const Face &face, const Point &point,
                                                const Positions &x) const {
  if (!is_axisymmetric)
    return face.thickness;
  double radius = 0;
  for (unsigned int a = 0; a < dim; ++a)
    radius += point.value[a] * x[a][0];
  return 2. * dealii::numbers::PI * radius;
}

template <int dim>
void FollowerPressure<dim>::add_force(double p, const Vector &q0, const Vector &q1,
                                      Vector &force) const {
  double *const f = force.data();
  for (const Face &face : faces)
    for (const double s : path_points) {
      const auto n_nodes = static_cast<unsigned int>(face.dofs.size()) / dim;
      const Positions x = position(face, s, q0, q1);
      for (const Point &point : points) {
        const auto n = (-0.5 * p * out_of_plane_size(face, point, x) * point.weight) *
                       area_vector(tangents(point, x, n_nodes));
        for (std::size_t i = 0; i < face.dofs.size(); ++i)
          f[face.dofs[i]] += point.value[i / dim] * n[i % dim];
      }
    }
}

template <int dim>
double FollowerPressure<dim>::volume(const Vector &q) const {
  double sum = 0;
  for (const Face &face : faces) {
    const auto n_nodes = static_cast<unsigned int>(face.dofs.size()) / dim;
    const Positions x = position(face, 0., q, q);
    for (const Point &point : points) {
      Tensor<1, dim> point_position;
      for (unsigned int a = 0; a < n_nodes; ++a)
        point_position += point.value[a] * x[a];
      sum += out_of_plane_size(face, point, x) * point.weight *
             (point_position * area_vector(tangents(point, x, n_nodes)));
    }
  }
  return sum / (is_axisymmetric ? 3 : dim);
}

template <int dim>
void FollowerPressure<dim>::face_tangent(unsigned int index, double p, const Vector &q0,
                                         const Vector &q1, double *tangent) const {
  const Face &face = faces[index];
  const std::size_t n = face.dofs.size();
  std::fill(tangent, tangent + n * n, 0.);
  for (const double s : path_points) {
    const Positions x = position(face, s, q0, q1);
    for (const Point &point : points) {
      const Tangents t = tangents(point, x, static_cast<unsigned int>(n) / dim);
      for (std::size_t j = 0; j < n; ++j) {
        std::array<double, dim - 1> slope;
        for (unsigned int d = 0; d + 1 < dim; ++d)
          slope[d] = point.slope[d][j / dim];
        Tensor<1, dim> e;
        e[j % dim] = 1.;
        const double factor = -0.5 * p * point.weight * s;
        auto change = factor * out_of_plane_size(face, point, x) * turned(t, slope, e);
        if (is_axisymmetric && j % dim == 0)
          change += factor * 2. * dealii::numbers::PI * point.value[j / dim] * area_vector(t);
        for (std::size_t i = 0; i < n; ++i)
          tangent[i * n + j] += point.value[i / dim] * change[i % dim];
      }
    }
  }
}

template class FollowerPressure<2>;
template class FollowerPressure<3>;

} // namespace percussion
