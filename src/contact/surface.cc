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
Extent<dim> shape_extent(const LevelSet &) {
  return {false, {}, {}, false};
}

} // namespace

template <int dim>
bool is_along(const Surface<dim> &surface, unsigned int component) {
  if (!surface.motion.empty() && surface.motion[component].depends_on_time())
    return false;
  return std::visit([component](const auto &shape) { return is_along<dim>(shape, component); },
                    surface.shape);
}

template <int dim>
bool have_same_description(const Surface<dim> &a, const Surface<dim> &b) {
  if (a.shape.index() != b.shape.index() || a.motion.size() != b.motion.size())
    return false;
  for (std::size_t d = 0; d < a.motion.size(); ++d)
    if (a.motion[d].formula() != b.motion[d].formula())
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
dealii::Tensor<1, dim> displacement(const Surface<dim> &surface, double t) {
  dealii::Tensor<1, dim> offset;
  for (unsigned int d = 0; d < surface.motion.size(); ++d)
    offset[d] = surface.motion[d](t);
  return offset;
}

template <int dim>
Gap<dim> gap(const Surface<dim> &surface, const dealii::Point<dim> &seen_from_surface) {
  return std::visit([&](const auto &shape) { return shape_gap<dim>(shape, seen_from_surface); },
                    surface.shape);
}

template <int dim>
Gap<dim> gap(const Surface<dim> &surface, const dealii::Point<dim> &x, double t) {
  return gap(surface, x - displacement(surface, t));
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
template dealii::Tensor<1, 2> displacement(const Surface<2> &, double);
template bool is_along(const Surface<2> &, unsigned int);
template bool have_same_description(const Surface<2> &, const Surface<2> &);
template Extent<2> extent(const Surface<2> &);
template std::array<dealii::Tensor<1, 2>, 2> local_frame<2>(const dealii::Tensor<1, 2> &);
template Gap<3> gap(const Surface<3> &, const dealii::Point<3> &);
template Gap<3> gap(const Surface<3> &, const dealii::Point<3> &, double);
template dealii::Tensor<1, 3> displacement(const Surface<3> &, double);
template bool is_along(const Surface<3> &, unsigned int);
template bool have_same_description(const Surface<3> &, const Surface<3> &);
template Extent<3> extent(const Surface<3> &);
template std::array<dealii::Tensor<1, 3>, 3> local_frame<3>(const dealii::Tensor<1, 3> &);

} // namespace percussion
