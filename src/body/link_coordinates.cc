#include <percussion/body/attitude.h>
#include <percussion/body/link_coordinates.h>

#include <cmath>

namespace percussion {

using dealii::Tensor;

namespace {

template <int dim>
using Frame = typename LinkVector<dim>::Frame;

/// Returns the unit vectors along the axes of space.
template <int dim>
Tensor<1, dim> unit_vector(unsigned int d) {
  Tensor<1, dim> e;
  e[d] = 1.;
  return e;
}

/// Returns two unit vectors that are orthogonal to a direction and, in this order with it, to each
/// other: right-handed.
std::array<Tensor<1, 3>, 2> normals_of(const Tensor<1, 3> &axis) {
  unsigned int smallest = 0;
  for (unsigned int d = 1; d < 3; ++d)
    if (std::abs(axis[d]) < std::abs(axis[smallest]))
      smallest = d;
  Tensor<1, 3> first = cross_product_3d(axis, unit_vector<3>(smallest));
  first /= first.norm();
  Tensor<1, 3> second = cross_product_3d(axis, first);
  second /= second.norm();
  return {first, second};
}

/// Returns a drive that only has bounds.
LinkDrive bounded(const LinkBounds &bounds) { return {0., 0., 0., {}, bounds}; }

/// List of coordinates of a joint.
template <int dim>
struct CoordinateList {
  std::vector<LinkCoordinate<dim>> all = {};

  /// Adds a constraint on the product of s with p.
  void hold(const LinkVector<dim> &s, const LinkVector<dim> &p, double value = 0.) {
    LinkCoordinate<dim> coordinate;
    coordinate.vectors = {s, p, {}};
    coordinate.drive.rest = value;
    all.push_back(std::move(coordinate));
  }
  /// Adds a coordinate on which a drive acts.
  void drive(const std::string &name, LinkMeasure measure,
             const std::array<LinkVector<dim>, 3> &vectors, const LinkDrive &acting) {
    all.push_back({measure, vectors, acting.motor.is_holding(), acting, name});
  }

  /// Makes both ends coincide.
  void pin() {
    for (unsigned int d = 0; d < dim; ++d)
      hold({Frame<dim>::end_to_end, {}}, {Frame<dim>::space, unit_vector<dim>(d)});
  }
  /// Keeps the directions a of the first body and b of the second orthogonal.
  void keep_orthogonal(const Tensor<1, dim> &a, const Tensor<1, dim> &b) {
    hold({Frame<dim>::second, b}, {Frame<dim>::first, a});
  }
};

/// Adds the angle between two axes a and b of a universal joint, and the angles about them that
/// have limits or friction. About a the second body turns as b does; about b it turns against a.
void add_universal(const Link<3> &link, const Tensor<1, 3> &a, CoordinateList<3> &list) {
  using F = LinkVector<3>::Frame;
  const Tensor<1, 3> b = link.second_axis / link.second_axis.norm();
  list.hold({F::second, b}, {F::first, a}, a * b);
  const Tensor<1, 3> across = cross_product_3d(a, b);
  const double sine = across.norm();
  const Tensor<1, 3> normal = across / sine;
  if (!link.rotation.bounds.empty())
    list.drive(
        "angle", LinkMeasure::angle,
        {{{F::second, b / sine}, {F::first, cross_product_3d(normal, a)}, {F::first, normal}}},
        link.rotation);
  if (!link.second_rotation.empty())
    list.drive(
        "second_angle", LinkMeasure::angle,
        {{{F::first, a / sine}, {F::second, cross_product_3d(b, normal)}, {F::second, normal}}},
        bounded(link.second_rotation));
}

/// Adds the coordinates of joints of rigid bodies with axes.
void add_axes(const Link<3> &link, CoordinateList<3> &list) {
  using F = LinkVector<3>::Frame;
  const Tensor<1, 3> axis = link.axis / link.axis.norm();
  const auto normals = normals_of(axis);
  const bool turns = link.kind == LinkKind::hinge || link.kind == LinkKind::cylindrical;
  if (link.kind == LinkKind::universal)
    return add_universal(link, axis, list);
  for (unsigned int k = 0; k < 2; ++k)
    list.keep_orthogonal(axis, normals[k]);
  if (!turns)
    list.keep_orthogonal(normals[0], normals[1]);
  if (link.kind == LinkKind::slider || link.kind == LinkKind::cylindrical) {
    for (const auto &normal : normals)
      list.hold({F::end_to_end, {}}, {F::first, normal});
    list.drive("displacement", LinkMeasure::product, {{{F::end_to_end, {}}, {F::first, axis}, {}}},
               {link.stiffness, link.rest_length, link.damping, link.motor, link.bounds});
  }
  if (turns)
    list.drive("angle", LinkMeasure::angle,
               {{{F::second, normals[0]}, {F::first, normals[0]}, {F::first, normals[1]}}},
               link.rotation);
}

void add_axes(const Link<2> &link, CoordinateList<2> &list) {
  using F = LinkVector<2>::Frame;
  list.keep_orthogonal(unit_vector<2>(0), unit_vector<2>(1));
  if (link.kind != LinkKind::slider)
    return;
  const Tensor<1, 2> axis = link.axis / link.axis.norm();
  list.hold({F::end_to_end, {}}, {F::first, cross_product_2d(axis)});
  list.drive("displacement", LinkMeasure::product, {{{F::end_to_end, {}}, {F::first, axis}, {}}},
             {link.stiffness, link.rest_length, link.damping, link.motor, link.bounds});
}

/// Adds the angle of a pin in 2D if it has limits or friction. (A ball joint has no angle.)
void add_angle(const Link<3> &, CoordinateList<3> &) {}
void add_angle(const Link<2> &link, CoordinateList<2> &list) {
  using F = LinkVector<2>::Frame;
  const Tensor<1, 2> x = unit_vector<2>(0), y = unit_vector<2>(1);
  if (!link.rotation.bounds.empty())
    list.drive("angle", LinkMeasure::angle, {{{F::second, x}, {F::first, x}, {F::first, y}}},
               link.rotation);
}

} // namespace

template <int dim>
std::vector<LinkCoordinate<dim>> coordinates_of(const Link<dim> &link) {
  CoordinateList<dim> list;
  const LinkVector<dim> end_vector{Frame<dim>::end_to_end, {}};
  switch (link.kind) {
  case LinkKind::spring:
  case LinkKind::distance: {
    list.drive("length", LinkMeasure::length, {{end_vector, {}, {}}},
               {link.stiffness, link.rest_length, link.damping, link.motor, link.bounds});
    LinkCoordinate<dim> &length = list.all.back();
    const bool is_rod = link.kind == LinkKind::distance && !link.bounds.has_limit();
    length.is_held = length.is_held || is_rod;
    break;
  }
  case LinkKind::pin:
    list.pin();
    add_angle(link, list);
    break;
  case LinkKind::weld: {
    list.pin();
    Link<dim> aligned = link;
    if (dim == 3)
      aligned.axis = unit_vector<dim>(dim - 1);
    add_axes(aligned, list);
    break;
  }
  case LinkKind::hinge:
  case LinkKind::universal:
    list.pin();
    add_axes(link, list);
    break;
  case LinkKind::slider:
  case LinkKind::cylindrical:
    add_axes(link, list);
    break;
  }
  return std::move(list.all);
}

namespace {

/// Returns sin x / x.
double sinc(double x) { return std::abs(x) < 1e-4 ? 1. - x * x / 6. : std::sin(x) / x; }

RotationVector<2> moment(const Tensor<1, 2> &arm, const Tensor<1, 2> &force) {
  RotationVector<2> result;
  result[0] = arm[0] * force[1] - arm[1] * force[0];
  return result;
}
RotationVector<3> moment(const Tensor<1, 3> &arm, const Tensor<1, 3> &force) {
  return cross_product_3d(arm, force);
}

/// Sets R̄ and T, see LinkEndMotion; q0 and q1 point to the degrees of freedom of the body.
void set_mean_rotation(const double *q0, const double *q1, LinkEndMotion<2> &motion) {
  const double middle[3] = {0., 0., 0.5 * (q0[2] + q1[2])};
  motion.mean_rotation =
      sinc(0.5 * (q1[2] - q0[2])) * RigidPose<2>(RigidBody<2>(), middle).rotation;
  motion.spin[0][0] = 1.;
  motion.turn_size = std::abs(q1[2]);
}

void set_mean_rotation(const double *q0, const double *q1, LinkEndMotion<3> &motion) {
  motion.mean_rotation = 0.5 * (motion.initial_rotation + motion.final_rotation);
  const Tensor<1, 3> half = 0.5 * cayley_vector(q0 + 3, q1 + 3);
  const Tensor<2, 3> increment(
      {{1., -half[2], half[1]}, {half[2], 1., -half[0]}, {-half[1], half[0], 1.}});
  motion.spin = motion.initial_rotation * increment;
  motion.tangent_factor = 1. / (1. + half.norm_square());
  motion.turn_size = 3.;
}

double radius_of_gyration(const RigidBody<2> &body) { return std::sqrt(body.inertia / body.mass); }
double radius_of_gyration(const RigidBody<3> &body) {
  return std::sqrt(0.5 * trace(body.inertia) / body.mass);
}

template <int dim>
LinkEndMotion<dim> end_motion(const System<dim> &bodies, const LinkEnd<dim> &end, const double *q0,
                              const double *q1) {
  LinkEndMotion<dim> motion{end, end.position, end.position, {}, {}, {}, {}, {}, 1., 0., 0.};
  motion.size = end.position.norm();
  for (const auto &[dofs, weight] : end.nodes)
    for (unsigned int d = 0; d < dim; ++d) {
      motion.x0[d] += weight * q0[dofs[d]];
      motion.x1[d] += weight * q1[dofs[d]];
      motion.size += std::abs(weight * q1[dofs[d]]);
    }
  motion.initial_rotation = RigidPose<dim>().rotation;
  motion.final_rotation = motion.mean_rotation = motion.initial_rotation;
  if (!end.rigid)
    return motion;
  const RigidBody<dim> &body = bodies.rigid[*end.rigid];
  const unsigned int dof = bodies.rigid_dof(*end.rigid);
  const RigidPose<dim> initial_pose(body, q0 + dof), final_pose(body, q1 + dof);
  motion.arm = end.position - body.centre;
  motion.initial_rotation = initial_pose.rotation;
  motion.final_rotation = final_pose.rotation;
  motion.x0 = initial_pose.centre + initial_pose.turned(motion.arm);
  motion.x1 = final_pose.centre + final_pose.turned(motion.arm);
  set_mean_rotation(q0 + dof, q1 + dof, motion);
  // A body at the origin has no coordinates other than round-off.
  motion.size += radius_of_gyration(body) + motion.x1.norm() + body.centre.norm() +
                 (1. + motion.turn_size) * motion.arm.norm();
  return motion;
}

} // namespace

template <int dim>
LinkWrench<dim> &LinkWrench<dim>::operator*=(double factor) {
  for (unsigned int e = 0; e < 2; ++e) {
    force[e] *= factor;
    moment[e] *= factor;
  }
  return *this;
}

template <int dim>
LinkMotion<dim>::LinkMotion(const System<dim> &bodies, const Link<dim> &link, const double *q0,
                            const double *q1)
    : ends{end_motion(bodies, link.first, q0, q1), end_motion(bodies, link.second, q0, q1)} {}

/// Returns a vector at the beginning and the end of the step.
template <int dim>
typename LinkMotion<dim>::Values LinkMotion<dim>::values(const LinkVector<dim> &vector) const {
  if (vector.frame == Frame<dim>::space)
    return {vector.initial, vector.initial};
  if (vector.frame == Frame<dim>::end_to_end)
    return {ends[1].x0 - ends[0].x0, ends[1].x1 - ends[0].x1};
  const LinkEndMotion<dim> &end = ends[vector.frame == Frame<dim>::first ? 0 : 1];
  return {end.initial_rotation * vector.initial, end.final_rotation * vector.initial};
}

/// Adds the wrench that gives the change of a vector, times `factor`.
template <int dim>
void LinkMotion<dim>::add(const LinkVector<dim> &vector, const Tensor<1, dim> &factor,
                          bool is_secant, LinkWrench<dim> &wrench) const {
  const auto rotation = [&](unsigned int e) {
    return is_secant ? ends[e].mean_rotation : ends[e].final_rotation;
  };
  if (vector.frame == Frame<dim>::space)
    return;
  if (vector.frame == Frame<dim>::end_to_end) {
    for (unsigned int e = 0; e < 2; ++e) {
      const Tensor<1, dim> force = e == 1 ? factor : -factor;
      wrench.force[e] += force;
      wrench.moment[e] += moment(rotation(e) * ends[e].arm, force);
    }
    return;
  }
  const unsigned int e = vector.frame == Frame<dim>::first ? 0 : 1;
  wrench.moment[e] += moment(rotation(e) * vector.initial, factor);
}

/// Returns the wrench of s·p: the change of a product is p_m · Δs + s_m · Δp with the means of
/// both ends of the step.
template <int dim>
LinkWrench<dim> LinkMotion<dim>::product_wrench(const LinkVector<dim> &s, const LinkVector<dim> &p,
                                                bool is_secant) const {
  const auto factor = [&](const LinkVector<dim> &vector) {
    const Values value = values(vector);
    return is_secant ? 0.5 * (value.begin + value.end) : value.end;
  };
  LinkWrench<dim> wrench;
  add(s, factor(p), is_secant, wrench);
  add(p, factor(s), is_secant, wrench);
  return wrench;
}

template <int dim>
LinkWrench<dim> LinkMotion<dim>::wrench_along(const Tensor<1, dim> &direction,
                                              bool is_secant) const {
  LinkWrench<dim> wrench;
  add({Frame<dim>::end_to_end, {}}, direction, is_secant, wrench);
  return wrench;
}

/// Sets ℓ: ℓ1² − ℓ0² = 2 s_m · Δs.
template <int dim>
void LinkMotion<dim>::set_length(const LinkVector<dim> &s, CoordinateMotion<dim> &motion) const {
  const Values d = values(s);
  const Tensor<1, dim> mean = 0.5 * (d.begin + d.end);
  motion.begin = d.begin.norm();
  motion.end = d.end.norm();
  const double mean_length = 0.5 * (motion.begin + motion.end);
  if (mean_length == 0.) // coinciding ends have no direction, hence no force
    return;
  motion.change = (mean * (d.end - d.begin)) / mean_length; // without cancellation
  add(s, mean / mean_length, true, motion.secant);
  add(s, d.end / (motion.end > 0. ? motion.end : mean_length), false, motion.tangent);
}

/// Sets the angle φ: with p_φ = cos φ p' − sin φ p of the mean φ of the step, p_φ · s changes by 2
/// sin(Δφ/2).
template <int dim>
void LinkMotion<dim>::set_angle(const std::array<LinkVector<dim>, 3> &vectors,
                                CoordinateMotion<dim> &motion) const {
  const LinkVector<dim> &s = vectors[0], &p = vectors[1], &p_across = vectors[2];
  const Values direction = values(s), p_values = values(p), across_values = values(p_across);
  motion.begin =
      std::atan2(direction.begin * across_values.begin, direction.begin * p_values.begin);
  motion.end = std::atan2(direction.end * across_values.end, direction.end * p_values.end);
  motion.change = std::remainder(motion.end - motion.begin, 2. * std::acos(-1.));
  const auto normal = [&](double angle) {
    LinkVector<dim> vector = p;
    vector.initial = std::cos(angle) * p_across.initial - std::sin(angle) * p.initial;
    return vector;
  };
  motion.secant = product_wrench(s, normal(motion.begin + 0.5 * motion.change), true);
  motion.secant *= 1. / sinc(0.5 * motion.change);
  motion.tangent = product_wrench(s, normal(motion.end), false);
}

template <int dim>
double LinkMotion<dim>::size_of(const LinkCoordinate<dim> &coordinate) const {
  return coordinate.vectors[0].frame == Frame<dim>::end_to_end
             ? ends[0].size + ends[1].size
             : 1. + ends[0].turn_size + ends[1].turn_size;
}

template <int dim>
CoordinateMotion<dim> LinkMotion<dim>::motion(const LinkCoordinate<dim> &coordinate) const {
  CoordinateMotion<dim> result;
  result.size = size_of(coordinate);
  const LinkVector<dim> &s = coordinate.vectors[0], &p = coordinate.vectors[1];
  if (coordinate.measure == LinkMeasure::length)
    set_length(s, result);
  else if (coordinate.measure == LinkMeasure::angle)
    set_angle(coordinate.vectors, result);
  else {
    const Values first = values(s), second = values(p);
    result.begin = first.begin * second.begin;
    result.end = first.end * second.end;
    result.change = result.end - result.begin;
    result.secant = product_wrench(s, p, true);
    result.tangent = product_wrench(s, p, false);
  }
  return result;
}

template std::vector<LinkCoordinate<2>> coordinates_of(const Link<2> &);
template std::vector<LinkCoordinate<3>> coordinates_of(const Link<3> &);
template struct LinkWrench<2>;
template struct LinkWrench<3>;
template class LinkMotion<2>;
template class LinkMotion<3>;

} // namespace percussion
