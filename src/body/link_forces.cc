#include <percussion/base/error.h>
#include <percussion/base/format.h>
#include <percussion/body/link_forces.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {

using dealii::Tensor;

namespace {

const double full_turn = 2. * std::acos(-1.);

/// Returns unit vectors orthogonal to a unit vector and to each other.
std::array<Tensor<1, 2>, 1> directions_across(const Tensor<1, 2> &direction) {
  return {{cross_product_2d(direction)}};
}
std::array<Tensor<1, 3>, 2> directions_across(const Tensor<1, 3> &direction) {
  Tensor<1, 3> axis; // the axis farthest from the direction
  axis[std::abs(direction[0]) < std::abs(direction[1])
           ? (std::abs(direction[0]) < std::abs(direction[2]) ? 0 : 2)
           : (std::abs(direction[1]) < std::abs(direction[2]) ? 1 : 2)] = 1.;
  Tensor<1, 3> first = cross_product_3d(direction, axis);
  first /= first.norm();
  return {{first, cross_product_3d(direction, first)}};
}

template <int dim>
bool is_angle(const LinkCoordinate<dim> &coordinate) {
  return coordinate.measure == LinkMeasure::angle;
}

/// Returns true if a coordinate is a length, not an angle or a product of directions.
template <int dim>
bool is_of_length(const LinkCoordinate<dim> &coordinate) {
  return coordinate.vectors[0].frame == LinkVector<dim>::Frame::end_to_end;
}

/// Returns the mean of a motor's rate or force in an interval.
double mean_of(const LinkMotor &motor, const LinkInterval &interval) {
  return (1. - interval.theta) * (*motor.formula)(interval.t0) +
         interval.theta * (*motor.formula)(interval.t1);
}

/// Returns the mean friction of a bounded coordinate in an interval, without the friction by the
/// force of the joint. Throws RunError if its formula is negative.
double friction_of(const std::string &link, const LinkBounds &bounds,
                   const LinkInterval &interval) {
  if (!bounds.friction)
    return 0.;
  double mean = 0;
  for (const auto &[t, weight] :
       {std::pair{interval.t0, 1. - interval.theta}, std::pair{interval.t1, interval.theta}}) {
    const double value = (*bounds.friction)(t);
    if (!(value >= 0.))
      throw RunError(format("the friction '%s' of joint '%s' is %g at t = %g; it must not be "
                            "negative",
                            bounds.friction->formula().c_str(), link.c_str(), value, t));
    mean += weight * value;
  }
  return mean;
}

/// Returns the displacement of a held coordinate out of position at the end of a step of length h;
/// the position of an angle is unique up to full turns.
template <int dim>
double defect_of(const LinkCoordinate<dim> &coordinate, const CoordinateMotion<dim> &motion,
                 const LinkInterval &interval, double h) {
  const LinkMotor &motor = coordinate.drive.motor;
  // The Cayley map turns by 2 atan(h Ω/2): the row of an angle, of norm h Ω/2 / tan(h Ω/2), has the
  // angular velocity Ω itself, whose steps do not alternate about the motor's.
  if (motor.kind == LinkMotor::Kind::velocity)
    return motion.change - h * mean_of(motor, interval) *
                               (is_angle(coordinate) ? motion.secant.moment[1].norm() : 1.);
  double defect = motion.end - coordinate.drive.rest;
  if (motor.kind == LinkMotor::Kind::position)
    defect -= (*motor.formula)(interval.t1);
  return is_angle(coordinate) ? std::remainder(defect, full_turn) : defect;
}

} // namespace

template <int dim>
LinkForces<dim>::LinkForces(const System<dim> &system)
    : bodies(system), begin(system.links.empty() ? 0 : system.n_dofs()) {
  for (const Link<dim> &link : bodies.links) {
    for (const LinkEnd<dim> *const end : {&link.first, &link.second}) {
      for (const auto &[dofs, weight] : end->nodes)
        all_dofs.insert(all_dofs.end(), dofs.begin(), dofs.end());
      for (unsigned int i = 0; end->rigid && i < RigidBody<dim>::n_dofs; ++i)
        all_dofs.push_back(bodies.rigid_dof(*end->rigid) + i);
    }
    coordinates.push_back(coordinates_of(link));
    for (const auto &coordinate : coordinates.back()) {
      number_of_impulses += coordinate.is_held || !coordinate.drive.bounds.empty();
      if (is_angle(coordinate))
        initial_turns.push_back(0.);
    }
  }
  final_turns = initial_turns;
  std::sort(all_dofs.begin(), all_dofs.end());
  all_dofs.erase(std::unique(all_dofs.begin(), all_dofs.end()), all_dofs.end());
}

/// Returns the rows of a coordinate with these wrenches.
template <int dim>
LinkRow LinkForces<dim>::row_of(const LinkMotion<dim> &link, const LinkWrench<dim> &secant,
                                const LinkWrench<dim> &tangent) const {
  LinkRow row;
  const auto add = [&](unsigned int dof, double value, double slope) {
    row.column.push_back(static_cast<unsigned int>(
        std::lower_bound(all_dofs.begin(), all_dofs.end(), dof) - all_dofs.begin()));
    row.value.push_back(value);
    if (dim == 3) // in 2D Â and the compliances of contacts stay symmetric
      row.tangent.push_back(slope);
  };
  for (unsigned int e = 0; e < 2; ++e) {
    const LinkEndMotion<dim> &motion = link.ends[e];
    for (const auto &[dofs, weight] : motion.end.nodes)
      for (unsigned int d = 0; d < dim; ++d)
        add(dofs[d], weight * secant.force[e][d], weight * tangent.force[e][d]);
    if (!motion.end.rigid)
      continue;
    const unsigned int dof = bodies.rigid_dof(*motion.end.rigid);
    for (unsigned int d = 0; d < dim; ++d)
      add(dof + d, secant.force[e][d], tangent.force[e][d]);
    const auto moment = transpose(motion.spin) * secant.moment[e],
               slope = motion.tangent_factor * (transpose(motion.spin) * tangent.moment[e]);
    for (unsigned int r = 0; r < RigidBody<dim>::n_rotations; ++r)
      add(dof + dim + r, moment[r], slope[r]);
  }
  return row;
}

namespace {

Tensor<1, 3> moment_of(const Tensor<1, 2> &arm, const Tensor<1, 2> &force) {
  return Tensor<1, 3>({0., 0., arm[0] * force[1] - arm[1] * force[0]});
}
Tensor<1, 3> moment_of(const Tensor<1, 3> &arm, const Tensor<1, 3> &force) {
  return cross_product_3d(arm, force);
}

} // namespace

/// Adds the internal force size × wrench, and the impulse −h size × wrench on the second body.
template <int dim>
void LinkForces<dim>::apply(const LinkMotion<dim> &link, const LinkWrench<dim> &wrench, double size,
                            const Target &target) {
  const LinkRow row = row_of(link, wrench, wrench);
  for (std::size_t k = 0; k < row.column.size(); ++k)
    target.force[all_dofs[row.column[k]]] += size * row.value[k];
  const LinkEndMotion<dim> &second = link.ends[1];
  Tensor<1, 3> moment = -moment_of(second.mean_rotation * second.arm, wrench.force[1]);
  for (unsigned int r = 0; r < RigidBody<dim>::n_rotations; ++r)
    moment[dim == 3 ? r : 2] += wrench.moment[1][r];
  for (unsigned int d = 0; d < dim; ++d)
    target.impulse[d] -= target.h * size * wrench.force[1][d];
  for (unsigned int d = 0; d < 3; ++d)
    target.impulse[3 + d] -= target.h * size * moment[d];
}

/// Calls visit(link, coordinate, x) for the coordinates of drives and motors at q.
template <int dim>
template <typename Visit>
void LinkForces<dim>::visit_drives(const Vector &q, const std::vector<double> &turns,
                                   const Visit &visit) const {
  std::size_t angle = 0;
  for (std::size_t l = 0; l < coordinates.size(); ++l)
    for (const LinkCoordinate<dim> &coordinate : coordinates[l]) {
      if (coordinate.name.empty())
        continue;
      const LinkMotion<dim> link(bodies, bodies.links[l], q.data(), q.data());
      double x = link.motion(coordinate).end;
      if (is_angle(coordinate) && angle < turns.size())
        x += full_turn * turns[angle];
      angle += is_angle(coordinate);
      visit(bodies.links[l], coordinate, x);
    }
}

template <int dim>
double LinkForces<dim>::energy(const Vector &q, const std::vector<double> &turns) const {
  double sum = 0;
  visit_drives(q, turns,
               [&](const Link<dim> &, const LinkCoordinate<dim> &coordinate, const double x) {
                 const double stretch = x - coordinate.drive.rest;
                 if (!coordinate.is_held)
                   sum += 0.5 * coordinate.drive.stiffness * stretch * stretch;
               });
  return sum;
}

template <int dim>
std::vector<double> LinkForces<dim>::drive_coordinates(const Vector &q,
                                                       const std::vector<double> &turns) const {
  std::vector<double> all;
  visit_drives(q, turns, [&](const Link<dim> &, const LinkCoordinate<dim> &, const double x) {
    all.push_back(x);
  });
  return all;
}

template <int dim>
std::vector<std::pair<std::string, std::string>> LinkForces<dim>::drive_names() const {
  std::vector<std::pair<std::string, std::string>> names;
  for (std::size_t l = 0; l < coordinates.size(); ++l)
    for (const LinkCoordinate<dim> &coordinate : coordinates[l])
      if (!coordinate.name.empty())
        names.emplace_back(bodies.links[l].name, coordinate.name);
  return names;
}

template <int dim>
void LinkForces<dim>::begin_step(const Vector &q0, const std::vector<double> &turns,
                                 const LinkInterval &step) {
  begin = q0;
  interval = step;
  std::fill(initial_turns.begin(), initial_turns.end(), 0.);
  std::copy_n(turns.begin(), std::min(turns.size(), initial_turns.size()), initial_turns.begin());
  final_turns = initial_turns;
}

template <int dim>
void LinkForces<dim>::begin_bounds(const Vector &v0, double h, const std::vector<double> &memory) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  step_bounds.posed.clear();
  n_evaluations = 0;
  std::size_t angle = 0;
  for (std::size_t l = 0; l < coordinates.size(); ++l)
    for (const LinkCoordinate<dim> &coordinate : coordinates[l]) {
      const std::size_t turn_index = angle;
      angle += is_angle(coordinate);
      const LinkBounds &bounds = coordinate.drive.bounds;
      if (bounds.empty())
        continue;
      const LinkMotion<dim> link(bodies, bodies.links[l], begin.data(), begin.data());
      const CoordinateMotion<dim> motion = link.motion(coordinate);
      CoordinateStart start{motion.begin,
                            16. * std::numeric_limits<double>::epsilon() * motion.size,
                            0.,
                            {none, none, none, none}};
      if (is_angle(coordinate))
        start.value += full_turn * initial_turns[turn_index];
      const LinkRow row = row_of(link, motion.secant, motion.secant);
      for (std::size_t k = 0; k < row.column.size(); ++k)
        start.rate += row.value[k] * v0[all_dofs[row.column[k]]];
      if (const std::size_t first = BoundMemory::n * step_bounds.posed.size();
          memory.size() >= first + BoundMemory::n)
        start.remembered = {memory[first], memory[first + 1], memory[first + 2], memory[first + 3]};
      step_bounds.posed.push_back(pose_bounds(
          bounds, start, friction_of(bodies.links[l].name, bounds, interval), h, interval.theta));
    }
  step_bounds.sliding_impulses.assign(step_bounds.posed.size(), 0.);
}

template <int dim>
void LinkForces<dim>::evaluate(const Vector &q1, double h, const std::vector<double> &impulse,
                               Vector &force) {
  all_rows.clear();
  sums = {};
  double largest_size = 0;
  all_impulses.assign(coordinates.size(), {});
  step_bounds.impulses.clear();
  step_bounds.memory.clear();
  ++n_evaluations;
  largest_impulse = 0;
  for (const double joint_impulse : impulse)
    largest_impulse = std::max(largest_impulse, std::abs(joint_impulse));
  const double *next = impulse.data();
  std::size_t angle = 0;
  for (std::size_t l = 0; l < coordinates.size(); ++l) {
    const LinkMotion<dim> link(bodies, bodies.links[l], begin.data(), q1.data());
    Target target{h, force.data(), all_impulses[l]};
    for (const LinkCoordinate<dim> &coordinate : coordinates[l]) {
      CoordinateMotion<dim> motion = link.motion(coordinate);
      largest_size = std::max(largest_size, is_of_length(coordinate) ? motion.size : 0.);
      if (is_angle(coordinate)) {
        const double principal = motion.end;
        motion.begin += full_turn * initial_turns[angle];
        motion.end = motion.begin + motion.change;
        final_turns[angle++] = std::round((motion.end - principal) / full_turn);
      }
      if (coordinate.is_held)
        add_joint(link, coordinate, motion, *next++, target);
      else
        add_drive(link, coordinate, motion, target);
      if (!step_bounds.posed.empty() && !coordinate.name.empty())
        step_bounds.impulses.emplace_back();
      if (!coordinate.drive.bounds.empty())
        add_bounds(link, coordinate, motion, *next++, target);
    }
  }
  if (sums.worst_length_defect > 0.)
    sums.worst_defect = std::max(sums.worst_defect, sums.worst_length_defect / largest_size);
  if (sums.worst_law_length_defect > 0.)
    sums.worst_law_defect =
        std::max(sums.worst_law_defect, sums.worst_law_length_defect / largest_size);
}

template <int dim>
std::vector<double> LinkForces<dim>::held_rates(const Vector &v) const {
  std::vector<double> rates;
  for (const LinkRow &row : all_rows) {
    if (!row.has_impulse() || row.law)
      continue;
    double rate = 0;
    for (std::size_t k = 0; k < row.column.size(); ++k)
      rate += row.value[k] * v[all_dofs[row.column[k]]];
    rates.push_back(rate);
  }
  return rates;
}

template <int dim>
std::vector<LinkRow> LinkForces<dim>::rows_at_rest(const Vector &q) const {
  std::vector<LinkRow> rows;
  auto bound = step_bounds.memory.begin();
  for (std::size_t l = 0; l < coordinates.size(); ++l) {
    const LinkMotion<dim> link(bodies, bodies.links[l], q.data(), q.data());
    for (const LinkCoordinate<dim> &coordinate : coordinates[l]) {
      bool is_at_rest = coordinate.is_held && !coordinate.drive.motor.is_holding();
      if (!coordinate.drive.bounds.empty()) {
        is_at_rest = BoundMemory{bound[0], bound[1], bound[2], bound[3]}.is_at_rest();
        bound += BoundMemory::n;
      }
      if (is_at_rest) {
        const CoordinateMotion<dim> motion = link.motion(coordinate);
        rows.push_back(row_of(link, motion.secant, motion.secant));
      }
    }
  }
  return rows;
}

/// Adds the rows of a drive: its force has the derivative k/2 + c/h along the coordinate, and the
/// tension of a spring rotates with it.
template <int dim>
void LinkForces<dim>::add_drive(const LinkMotion<dim> &link, const LinkCoordinate<dim> &coordinate,
                                const CoordinateMotion<dim> &motion, const Target &target) {
  const LinkDrive &drive = coordinate.drive;
  const double motor =
      drive.motor.kind == LinkMotor::Kind::force ? mean_of(drive.motor, interval) : 0.;
  const double mean = 0.5 * (motion.begin + motion.end);
  const double tension = drive.stiffness * (mean - drive.rest) +
                         drive.damping * motion.change / target.h - motor,
               stiffness = 0.5 * drive.stiffness + drive.damping / target.h;
  apply(link, motion.secant, tension, target);
  if (stiffness > 0.) {
    all_rows.push_back(row_of(link, motion.secant, motion.tangent));
    all_rows.back().stiffness = stiffness;
  }
  sums.dissipation += drive.damping * motion.change * motion.change / target.h;
  sums.motor_work += motor * motion.change;
  sums.scale_of_errors +=
      (drive.stiffness + 2. * drive.damping / target.h) * motion.size + std::abs(tension);
  if (coordinate.measure != LinkMeasure::length || !(tension > 0.) || mean == 0.)
    return;
  const Tensor<1, dim> ends = link.ends[1].x0 + link.ends[1].x1 - link.ends[0].x0 - link.ends[0].x1;
  if (ends.norm() == 0.)
    return;
  for (const auto &normal : directions_across(ends / ends.norm())) {
    all_rows.push_back(
        row_of(link, link.wrench_along(normal, true), link.wrench_along(normal, false)));
    all_rows.back().stiffness = 0.5 * tension / mean;
  }
}

template <int dim>
void LinkForces<dim>::add_joint(const LinkMotion<dim> &link, const LinkCoordinate<dim> &coordinate,
                                const CoordinateMotion<dim> &motion, double impulse,
                                Target &target) {
  apply(link, motion.secant, -impulse / target.h, target);
  target.reaction += impulse * motion.secant.force[1];
  LinkRow row = row_of(link, motion.secant, motion.tangent);
  row.stiffness = std::numeric_limits<double>::infinity();
  row.defect = defect_of(coordinate, motion, interval, target.h);
  sums.joint_work += impulse * motion.change;
  if (coordinate.drive.motor.is_holding())
    sums.motion_work += impulse / target.h * motion.change;
  sums.scale_of_errors += std::abs(impulse) / target.h;
  sums.joint_work_scale += std::abs(impulse) / target.h * motion.size;
  if (is_of_length(coordinate))
    sums.worst_length_defect = std::max(sums.worst_length_defect, std::abs(row.defect));
  else
    sums.worst_defect = std::max(sums.worst_defect, std::abs(row.defect) / motion.size);
  all_rows.push_back(std::move(row));
}

/// Returns the impulse of sliding friction of the k-th bounded coordinate with the impulse of its
/// joint, from which it is to differ by little. Joint forces are exact to the round-off of
/// positions over h² only, so that the permitted difference grows with the evaluations of a step.
template <int dim>
double LinkForces<dim>::sliding_impulse(std::size_t k, double impulse) {
  constexpr double least = 1e-12, largest = 1e-4;
  constexpr unsigned int n_exact = 15;
  const double difference = n_evaluations > n_exact
                                ? std::min(least * std::pow(10., n_evaluations - n_exact), largest)
                                : least;
  if (std::abs(impulse - step_bounds.sliding_impulses[k]) > difference * impulse)
    step_bounds.sliding_impulses[k] = impulse;
  return step_bounds.sliding_impulses[k];
}

/// Adds the impulse of limits and friction of a coordinate. The law of an angle is for the angular
/// velocity, of which the mean rate of the angle differs by the Cayley map; see defect_of().
template <int dim>
void LinkForces<dim>::add_bounds(const LinkMotion<dim> &link, const LinkCoordinate<dim> &coordinate,
                                 const CoordinateMotion<dim> &motion, double impulse,
                                 const Target &target) {
  constexpr double tolerance = 1e-12;
  const std::size_t index = step_bounds.memory.size() / BoundMemory::n;
  const PosedBounds &bounds = step_bounds.posed[index];
  const unsigned int e = link.ends[1].end.rigid ? 1 : 0;
  const double unit =
      is_angle(coordinate) ? motion.secant.moment[e].norm() / motion.tangent.moment[e].norm() : 1.;
  const double c = sliding_impulse(index, target.h * bounds.friction +
                                              coordinate.drive.bounds.friction_per_force *
                                                  target.reaction.norm());
  LinkRow row = row_of(link, motion.secant, motion.tangent);
  row.stiffness = std::numeric_limits<double>::infinity();
  row.law = bounds.law(c, unit);
  row.rate = motion.change / target.h;
  const double negligible = tolerance * std::max(c, largest_impulse);
  row.impulse = row.law->snapped(impulse, negligible);
  row.bounds = divide_impulse(row.impulse, c);
  apply(link, motion.secant, -row.impulse / target.h, target);
  sums.scale_of_errors += std::abs(row.impulse) / target.h;
  const double defect = target.h * row.law->defect(row.rate, row.impulse, negligible);
  if (is_of_length(coordinate))
    sums.worst_law_length_defect = std::max(sums.worst_law_length_defect, defect);
  else
    sums.worst_law_defect = std::max(sums.worst_law_defect, defect / motion.size);
  step_bounds.impulses.back() = row.bounds;
  const BoundMemory memory = bounds.memory(row.impulse, c, interval.theta, motion.end);
  sums.has_limit_impact = sums.has_limit_impact ||
                          (!std::isnan(memory.lower) && bounds.lower_start != 0.) ||
                          (!std::isnan(memory.upper) && bounds.upper_start != 0.);
  sums.has_stop = sums.has_stop || (!std::isnan(memory.friction) && bounds.friction_start != 0.);
  step_bounds.memory.insert(step_bounds.memory.end(),
                            {memory.lower, memory.upper, memory.friction, memory.position});
  all_rows.push_back(std::move(row));
}

template <int dim>
BoundWorks LinkForces<dim>::bound_works(const Vector &v_theta) const {
  BoundWorks works;
  for (const LinkRow &row : all_rows) {
    if (!row.law)
      continue;
    double rate = 0;
    for (std::size_t k = 0; k < row.column.size(); ++k)
      rate += row.value[k] * v_theta[all_dofs[row.column[k]]];
    works.limits += row.bounds.limit * rate;
    works.friction += row.bounds.friction * rate;
  }
  return works;
}

template class LinkForces<2>;
template class LinkForces<3>;

} // namespace percussion
