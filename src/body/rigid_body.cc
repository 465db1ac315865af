#include <percussion/body/attitude.h>
#include <percussion/body/rigid_body.h>

#include <deal.II/boost_adaptors/segment.h>

#include <algorithm>
#include <boost/geometry/algorithms/distance.hpp>
#include <boost/geometry/strategies/strategies.hpp>
#include <cmath>
#include <limits>

namespace percussion {

namespace {

dealii::Tensor<2, 2> rotation_at(const double *q, std::integral_constant<int, 2>) {
  const double cosine = std::cos(q[2]), sine = std::sin(q[2]);
  return dealii::Tensor<2, 2>({{cosine, -sine}, {sine, cosine}});
}
dealii::Tensor<2, 3> rotation_at(const double *q, std::integral_constant<int, 3>) {
  return rotation_matrix(quaternion(q + 3));
}

std::array<dealii::Tensor<1, 2>, 1> turning_of(const dealii::Tensor<2, 2> &,
                                               const dealii::Tensor<1, 2> &arm) {
  return {dealii::Tensor<1, 2>({-arm[1], arm[0]})};
}
std::array<dealii::Tensor<1, 3>, 3> turning_of(const dealii::Tensor<2, 3> &rotation,
                                               const dealii::Tensor<1, 3> &arm) {
  std::array<dealii::Tensor<1, 3>, 3> turns;
  for (unsigned int r = 0; r < 3; ++r) {
    const dealii::Tensor<1, 3> axis({rotation[0][r], rotation[1][r], rotation[2][r]});
    turns[r] = cross_product_3d(axis, arm);
  }
  return turns;
}

template <int dim>
dealii::Point<dim> centre_at(const RigidBody<dim> &body, const double *q) {
  dealii::Point<dim> moved;
  for (unsigned int d = 0; d < dim; ++d)
    moved[d] = body.centre[d] + q[d];
  return moved;
}

} // namespace

template <int dim>
RigidPose<dim>::RigidPose(const RigidBody<dim> &body, const double *q)
    : centre(centre_at(body, q)), rotation(rotation_at(q, std::integral_constant<int, dim>())) {}

template <int dim>
auto RigidPose<dim>::turning(const dealii::Tensor<1, dim> &arm) const
    -> std::array<dealii::Tensor<1, dim>, RigidBody<dim>::n_rotations> {
  return turning_of(rotation, arm);
}

template RigidPose<2>::RigidPose(const RigidBody<2> &, const double *);
template RigidPose<3>::RigidPose(const RigidBody<3> &, const double *);
template std::array<dealii::Tensor<1, 2>, 1>
RigidPose<2>::turning(const dealii::Tensor<1, 2> &) const;
template std::array<dealii::Tensor<1, 3>, 3>
RigidPose<3>::turning(const dealii::Tensor<1, 3> &) const;

template <int dim>
double RigidBody<dim>::largest_radius() const {
  double radius = 0;
  for (const PlanePiece &piece : pieces)
    radius = std::max(radius, piece.radius);
  for (const ConvexShape &shape : shapes)
    radius = std::max(radius, shape.radius);
  return radius;
}

template double RigidBody<2>::largest_radius() const;
template double RigidBody<3>::largest_radius() const;

std::vector<PlanePiece> pieces_of(const RigidBody<2> &body) {
  return body.pieces.empty()
             ? std::vector<PlanePiece>{{static_cast<unsigned int>(body.outline.size())}}
             : body.pieces;
}

namespace {

/// Returns the contribution of a mass m at this distance from the centre to the inertia
/// (parallel-axis theorem).
double parallel_axis_term(double m, const dealii::Tensor<1, 2> &x) { return m * x.norm_square(); }
dealii::SymmetricTensor<2, 3> parallel_axis_term(double m, const dealii::Tensor<1, 3> &x) {
  return m *
         (x.norm_square() * dealii::unit_symmetric_tensor<3>() - symmetrize(outer_product(x, x)));
}

template <int dim>
void weld_masses(RigidBody<dim> &body, const RigidBody<dim> &piece) {
  const auto apart = piece.centre - body.centre;
  const double mass = body.mass + piece.mass;
  body.inertia += piece.inertia + parallel_axis_term(body.mass * piece.mass / mass, apart);
  body.centre += piece.mass / mass * apart;
  body.mass = mass;
  body.outline.insert(body.outline.end(), piece.outline.begin(), piece.outline.end());
}

} // namespace

void weld(RigidBody<2> &body, const RigidBody<2> &piece) {
  std::vector<PlanePiece> pieces = pieces_of(body);
  for (const PlanePiece &plane_piece : pieces_of(piece))
    pieces.push_back(plane_piece);
  weld_masses(body, piece);
  body.pieces = std::move(pieces);
  body.contact_points.insert(body.contact_points.end(), piece.contact_points.begin(),
                             piece.contact_points.end());
}

void weld(RigidBody<3> &body, const RigidBody<3> &piece) {
  weld_masses(body, piece);
  body.shapes.insert(body.shapes.end(), piece.shapes.begin(), piece.shapes.end());
}

RigidBody<3> solid_body(std::string name, double density, std::vector<ConvexShape> shapes) {
  RigidBody<3> body;
  body.name = std::move(name);
  SolidProperties solid;
  for (const ConvexShape &shape : shapes) {
    solid += solid_properties(shape);
    body.outline.insert(body.outline.end(), shape.vertices.begin(), shape.vertices.end());
  }
  body.mass = density * solid.volume;
  body.inertia = density * solid.inertia();
  body.centre = solid.centre;
  body.shapes = std::move(shapes);
  return body;
}

template <>
void move_body<2>(double time, const double *v, double *q) {
  for (unsigned int d = 0; d < 3; ++d)
    q[d] += time * v[d];
}

template <>
void move_body<3>(double time, const double *v, double *q) {
  for (unsigned int d = 0; d < 3; ++d)
    q[d] += time * v[d];
  turn(time, v + 3, q + 3);
}

namespace {

using PlaneVector = dealii::Tensor<1, 2>;

/// Returns a × b, positive if b points to the left of a.
double cross(const PlaneVector &a, const PlaneVector &b) { return a[0] * b[1] - a[1] * b[0]; }

/// Edges before and after a vertex.
struct Turn {
  PlaneVector incoming, outgoing;
};
Turn turn_at(const Outline &outline, unsigned int vertex) {
  const auto n = static_cast<unsigned int>(outline.size());
  const auto &x = outline[vertex];
  return {x - outline[(vertex + n - 1) % n], outline[(vertex + 1) % n] - x};
}

/// Returns a bound of the rounding error of a coordinate [length].
double round_off(const dealii::Point<2> &x) {
  return 8. * std::numeric_limits<double>::epsilon() * x.norm();
}

double extent(const Outline &outline) {
  double largest = 0;
  for (const auto &x : outline)
    largest = std::max(largest, x.distance(outline[0]));
  return largest;
}

/// Returns the length up to which lengths count as zero in checks of polygons [length].
double negligible_length(const Outline &outline) {
  double largest = 0;
  for (const auto &x : outline)
    largest = std::max(largest, round_off(x));
  return 1e-12 * extent(outline) + largest;
}

} // namespace

double signed_area(const Outline &outline) {
  double twice = 0;
  for (std::size_t i = 2; i < outline.size(); ++i)
    twice += cross(outline[i - 1] - outline[0], outline[i] - outline[0]);
  return twice / 2;
}

namespace {

/// Returns the properties of a uniform line of unit density.
ShapeProperties stick_properties(const Outline &outline) {
  const PlaneVector stick_vector = outline[1] - outline[0];
  const double length = stick_vector.norm();
  return {length, outline[0] + stick_vector / 2, length * length * length / 12};
}

/// Sums over the triangles formed by the first vertex and the edges, which have the opposite sign
/// for a clockwise polygon.
ShapeProperties polygon_properties(const Outline &outline) {
  double second_moment = 0; // about the first vertex
  PlaneVector first_moment;
  for (std::size_t i = 2; i < outline.size(); ++i) {
    const PlaneVector a = outline[i - 1] - outline[0], b = outline[i] - outline[0];
    const double area = cross(a, b) / 2;
    first_moment += area / 3 * (a + b);
    second_moment += area / 6 * (a * a + a * b + b * b);
  }
  const double area = signed_area(outline);
  const PlaneVector centre = first_moment / area;
  return {std::abs(area), outline[0] + centre,
          std::copysign(1., area) * (second_moment - area * centre.norm_square())};
}

} // namespace

ShapeProperties disc_properties(const dealii::Point<2> &centre, double radius) {
  const double area = std::acos(-1.) * radius * radius;
  return {area, centre, area * radius * radius / 2};
}

ShapeProperties shape_properties(const Outline &outline) {
  return outline.size() == 2 ? stick_properties(outline) : polygon_properties(outline);
}

namespace {

std::string coinciding_vertices(const Outline &outline) {
  const double tolerance = negligible_length(outline);
  const std::size_t n = outline.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      if (outline[i].distance(outline[j]) <= tolerance)
        return "vertices " + std::to_string(i + 1) + " and " + std::to_string(j + 1) + " coincide" +
               (j == i + n - 1 ? "; a polygon closes by itself" : "");
  return {};
}

bool lie_on_one_line(const Outline &outline) {
  PlaneVector longest;
  for (const auto &x : outline)
    if (const PlaneVector offset = x - outline[0]; offset.norm_square() > longest.norm_square())
      longest = offset;
  const double largest_cross = negligible_length(outline) * longest.norm();
  return std::all_of(outline.begin(), outline.end(), [&](const auto &x) {
    return std::abs(cross(longest, x - outline[0])) <= largest_cross;
  });
}

dealii::Segment<2> edge(const Outline &outline, std::size_t i) {
  return {outline[i], outline[(i + 1) % outline.size()]};
}

std::string edge_name(const Outline &outline, std::size_t i) {
  return std::to_string(i + 1) + "-" + std::to_string((i + 1) % outline.size() + 1);
}

/// Returns a message for the first pair of edges that meet. Neighbouring edges share a vertex; if
/// they overlap, the next edge intersects the first one, too.
std::string meeting_edges(const Outline &outline) {
  const double tolerance = negligible_length(outline);
  const std::size_t n = outline.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n && j < i + n - 1; ++j)
      if (boost::geometry::distance(edge(outline, i), edge(outline, j)) <= tolerance)
        return "the edges " + edge_name(outline, i) + " and " + edge_name(outline, j) +
               " cross or touch";
  return {};
}

} // namespace

std::string polygon_problem(const Outline &outline) {
  if (outline.size() < 3)
    return "a polygon needs at least three vertices, not " + std::to_string(outline.size());
  for (std::size_t i = 0; i < outline.size(); ++i)
    if (!std::isfinite(outline[i].norm_square()))
      return "the coordinates of vertex " + std::to_string(i + 1) + " are not finite";
  if (const std::string problem = coinciding_vertices(outline); !problem.empty())
    return problem;
  if (lie_on_one_line(outline))
    return "the area is zero: all vertices lie on one line";
  return meeting_edges(outline);
}

bool lies_on_edge(const Outline &outline, unsigned int vertex) {
  const auto [incoming, outgoing] = turn_at(outline, vertex);
  const double cosine_product = incoming * outgoing,
               sine_product = std::abs(cross(incoming, outgoing));
  if (sine_product > 1e-3 * cosine_product) // nearly always; avoids the roots below
    return false;
  // The vertex may deviate from the line of its neighbours by round-off of its coordinates.
  return sine_product <=
         1e-9 * cosine_product + round_off(outline[vertex]) * (incoming.norm() + outgoing.norm());
}

bool is_convex(const Outline &outline) {
  const double orientation = signed_area(outline);
  for (unsigned int i = 0; i < outline.size(); ++i) {
    const auto [incoming, outgoing] = turn_at(outline, i);
    if (cross(incoming, outgoing) * orientation < 0 && !lies_on_edge(outline, i))
      return false;
  }
  return true;
}

} // namespace percussion
