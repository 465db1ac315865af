#include <percussion/contact/surface.h>

#include "level_set.h"
#include <cmath>

namespace percussion {
namespace {

template <int dim>
Gap<dim> shape_gap(const HalfPlane<dim> &plane, const dealii::Point<dim> &x) {
  return {(x - plane.point) * plane.normal, plane.normal};
}

template <int dim>
Gap<dim> shape_gap(const Ball<dim> &ball, const dealii::Point<dim> &x) {
  dealii::Tensor<1, dim> radius_vector = x - ball.centre;
  radius_vector -= (radius_vector * ball.axis) * ball.axis;
  const double r = radius_vector.norm();
  dealii::Tensor<1, dim> outward;
  if (r > 0)
    outward = radius_vector / r;
  else if (ball.axis.norm() > 0)
    outward = local_frame<dim>(ball.axis)[1];
  else
    outward[dim - 1] = 1; // at the centre all directions are equivalent
  return ball.bodies_inside ? Gap<dim>{ball.radius - r, -outward}
                            : Gap<dim>{r - ball.radius, outward};
}

template <int dim>
Gap<dim> shape_gap(const LevelSet &level_set, const dealii::Point<dim> &x) {
  return level_set_gap<dim>(level_set, x);
}

template <int dim>
Gap<dim> shape_gap(const Faceted<dim> &surface, const dealii::Point<dim> &x) {
  const auto found = surface.facets->gap(x);
  return {found.distance, found.normal};
}

/// True if no normal of a shape has a component in a coordinate direction.
template <int dim>
bool is_along(const HalfPlane<dim> &plane, unsigned int component) {
  return plane.normal[component] == 0.;
}

template <int dim>
bool is_along(const Ball<dim> &ball, unsigned int component) {
  return std::abs(ball.axis[component]) == 1.;
}

template <int dim>
bool is_along(const LevelSet & /*formula*/, unsigned int /*component*/) {
  return false; // its normals are not known in advance
}

template <int dim>
bool is_along(const Faceted<dim> & /*facets*/, unsigned int /*component*/) {
  return false;
}

template <int dim>
bool have_same_data(const HalfPlane<dim> &a, const HalfPlane<dim> &b) {
  const double scale = a.point.norm() + b.point.norm();
  return (a.normal - b.normal).norm() < 1e-12 &&
         std::abs((a.point - b.point) * a.normal) <= 1e-12 * scale;
}

template <int dim>
bool have_same_data(const Ball<dim> &a, const Ball<dim> &b) {
  return a.centre == b.centre && a.radius == b.radius && a.bodies_inside == b.bodies_inside &&
         a.axis == b.axis;
}

bool have_same_data(const LevelSet &a, const LevelSet &b) {
  return a.distance.formula() == b.distance.formula();
}

template <int dim>
bool have_same_data(const Faceted<dim> &a, const Faceted<dim> &b) {
  return a.facets->points() == b.facets->points() && a.facets->facets() == b.facets->facets();
}

template <int dim>
Extent<dim> shape_extent(const HalfPlane<dim> &) {
  return {false, {}, {}, true};
}

template <int dim>
Extent<dim> shape_extent(const Ball<dim> &ball) {
  Extent<dim> whole = {ball.axis.norm() == 0., ball.centre, ball.centre, false};
  for (unsigned int d = 0; d < dim; ++d) {
    whole.low[d] -= 1.05 * ball.radius;
    whole.high[d] += 1.05 * ball.radius;
  }
  return whole;
}

template <int dim>
Extent<dim> shape_extent(const Faceted<dim> &surface) {
  const auto &points = surface.facets->points();
  Extent<dim> whole = {true, points[0], points[0], false};
  for (const auto &x : points)
    for (unsigned int d = 0; d < dim; ++d) {
      whole.low[d] = std::min(whole.low[d], x[d]);
      whole.high[d] = std::max(whole.high[d], x[d]);
    }
  return whole;
}

template <int dim>
Extent<dim> shape_extent(const LevelSet &) {
  return {false, {}, {}, false};
}

} // namespace

template <int dim>
bool is_along(const Surface<dim> &surface, unsigned int component) {
  if (surface.turn || (!surface.motion.empty() && surface.motion[component].depends_on_time()) ||
      (!surface.belt.empty() && surface.belt[component].formula() != "0"))
    return false;
  return std::visit([component](const auto &shape) { return is_along<dim>(shape, component); },
                    surface.shape);
}

template <int dim>
bool have_same_description(const Surface<dim> &a, const Surface<dim> &b) {
  const auto are_equal = [](const std::vector<Expression> &first,
                            const std::vector<Expression> &second) {
    return std::equal(
        first.begin(), first.end(), second.begin(), second.end(),
        [](const Expression &f, const Expression &g) { return f.formula() == g.formula(); });
  };
  if (a.shape.index() != b.shape.index() || !are_equal(a.motion, b.motion) ||
      !are_equal(a.belt, b.belt) || a.turn.has_value() != b.turn.has_value())
    return false;
  if (a.turn && (a.turn->angle.formula() != b.turn->angle.formula() ||
                 a.turn->centre != b.turn->centre || a.turn->axis != b.turn->axis))
    return false;
  return std::visit(
      [&](const auto &shape) {
        return have_same_data(shape, std::get<std::decay_t<decltype(shape)>>(b.shape));
      },
      a.shape);
}

template <int dim>
Extent<dim> extent(const Surface<dim> &surface) {
  return std::visit([](const auto &shape) { return shape_extent<dim>(shape); }, surface.shape);
}

template <int dim>
SurfacePose<dim> pose(const Surface<dim> &surface, double t) {
  SurfacePose<dim> pose;
  for (unsigned int d = 0; d < surface.motion.size(); ++d)
    pose.displacement[d] = surface.motion[d](t);
  if (surface.turn)
    pose.angle = surface.turn->angle(t);
  return pose;
}

template <int dim>
dealii::Tensor<1, dim> cross_with_axis(const dealii::Tensor<1, 3> &axis,
                                       const dealii::Tensor<1, dim> &vector) {
  if constexpr (dim == 2)
    return axis[2] * dealii::Tensor<1, 2>({-vector[1], vector[0]});
  else
    return cross_product_3d(axis, vector);
}

/// By Rodrigues' formula, in terms of the half angle: small turns keep all digits.
template <int dim>
dealii::Tensor<1, dim> turned(const Surface<dim> &surface, double angle,
                              const dealii::Tensor<1, dim> &vector) {
  if (!surface.turn || angle == 0.)
    return vector;
  const auto perpendicular = cross_with_axis<dim>(surface.turn->axis, vector);
  const double half = std::sin(0.5 * angle);
  return vector + std::sin(angle) * perpendicular +
         2. * half * half * cross_with_axis<dim>(surface.turn->axis, perpendicular);
}

template <int dim>
dealii::Point<dim> seen_from(const Surface<dim> &surface, const SurfacePose<dim> &pose,
                             const dealii::Point<dim> &x) {
  const dealii::Point<dim> back = x - pose.displacement;
  if (!surface.turn)
    return back;
  const dealii::Point<dim> &centre = surface.turn->centre;
  return centre + turned<dim>(surface, -pose.angle, back - centre);
}

template <int dim>
dealii::Point<dim> placed(const Surface<dim> &surface, const SurfacePose<dim> &pose,
                          const dealii::Point<dim> &initial) {
  if (!surface.turn)
    return initial + pose.displacement;
  const dealii::Point<dim> &centre = surface.turn->centre;
  return centre + pose.displacement + turned<dim>(surface, pose.angle, initial - centre);
}

template <int dim>
Gap<dim> gap(const Surface<dim> &surface, const dealii::Point<dim> &seen_from_surface) {
  return std::visit([&](const auto &shape) { return shape_gap<dim>(shape, seen_from_surface); },
                    surface.shape);
}

template <int dim>
Gap<dim> gap(const Surface<dim> &surface, const dealii::Point<dim> &x, double t) {
  const SurfacePose<dim> current = pose(surface, t);
  const Gap<dim> seen = gap(surface, seen_from(surface, current, x));
  return {seen.distance, turned(surface, current.angle, seen.normal)};
}

template <int dim>
std::array<dealii::Tensor<1, dim>, dim> local_frame(const dealii::Tensor<1, dim> &n) {
  using Direction = dealii::Tensor<1, dim>;
  if constexpr (dim == 2)
    return {{n, Direction({n[1], -n[0]})}};
  else {
    // Frisvad's frame (2012), mirrored in the plane z = 0 if it would divide by almost zero.
    const double z = n[2] < -0.9 ? -1. : 1.;
    const double a = 1. / (1. + z * n[2]), b = -n[0] * n[1] * a;
    const Direction direction_x({1. - n[0] * n[0] * a, b, -z * n[0]}),
        direction_y({b, 1. - n[1] * n[1] * a, -z * n[1]});
    return z > 0. ? std::array<Direction, dim>{{n, direction_x, direction_y}}
                  : std::array<Direction, dim>{{n, direction_y, direction_x}};
  }
}

template Gap<2> gap(const Surface<2> &, const dealii::Point<2> &);
template Gap<2> gap(const Surface<2> &, const dealii::Point<2> &, double);
template SurfacePose<2> pose(const Surface<2> &, double);
template dealii::Point<2> seen_from(const Surface<2> &, const SurfacePose<2> &,
                                    const dealii::Point<2> &);
template dealii::Point<2> placed(const Surface<2> &, const SurfacePose<2> &,
                                 const dealii::Point<2> &);
template dealii::Tensor<1, 2> turned(const Surface<2> &, double, const dealii::Tensor<1, 2> &);
template dealii::Tensor<1, 2> cross_with_axis(const dealii::Tensor<1, 3> &,
                                              const dealii::Tensor<1, 2> &);
template bool is_along(const Surface<2> &, unsigned int);
template bool have_same_description(const Surface<2> &, const Surface<2> &);
template Extent<2> extent(const Surface<2> &);
template std::array<dealii::Tensor<1, 2>, 2> local_frame<2>(const dealii::Tensor<1, 2> &);
template Gap<3> gap(const Surface<3> &, const dealii::Point<3> &);
template Gap<3> gap(const Surface<3> &, const dealii::Point<3> &, double);
template SurfacePose<3> pose(const Surface<3> &, double);
template dealii::Point<3> seen_from(const Surface<3> &, const SurfacePose<3> &,
                                    const dealii::Point<3> &);
template dealii::Point<3> placed(const Surface<3> &, const SurfacePose<3> &,
                                 const dealii::Point<3> &);
template dealii::Tensor<1, 3> turned(const Surface<3> &, double, const dealii::Tensor<1, 3> &);
template dealii::Tensor<1, 3> cross_with_axis(const dealii::Tensor<1, 3> &,
                                              const dealii::Tensor<1, 3> &);
template bool is_along(const Surface<3> &, unsigned int);
template bool have_same_description(const Surface<3> &, const Surface<3> &);
template Extent<3> extent(const Surface<3> &);
template std::array<dealii::Tensor<1, 3>, 3> local_frame<3>(const dealii::Tensor<1, 3> &);

} // namespace percussion
