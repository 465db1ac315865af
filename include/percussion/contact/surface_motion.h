#pragma once

#include <percussion/base/error.h>
#include <percussion/contact/surface.h>

#include <cmath>

namespace percussion {

template <int dim>
struct Contact;

/// Velocities of a surface with a prescribed pose, displacement D(t) and angle φ(t), and perhaps
/// with the material velocity V(t) of a belt, from step to step.
///
/// Over a step of length h, a point of the surface that is at x in the middle has the velocity
///
///     w = (D(t1) − D(t0))/h + 2 sin(Δφ/2)/h a × (x − c − D_½) + V_T ,
///
/// the quotient of its exact displacement, so that the work of the surface is exact. The impact law
/// also needs the velocity at the beginning of a step: it is the slope of the parabola through the
/// ends of this step and of the previous one, of second order, and for equal steps the mean of both
/// sides at a kink. Poses are never evaluated before the run begins: a parabola extrapolates them
/// to the step before the first. V_T is the part of the belt's velocity along the surface, with the
/// mean of V over the step by Simpson's rule.
template <int dim>
class SurfaceMotion {
public:
  /// Starts a run whose first step has length h.
  void start(const Surface<dim> &surface, double t0, double h) {
    current = next = pose(surface, t0);
    length = length_before = h;
    if (surface.turn) {
      centre = surface.turn->centre;
      axis = surface.turn->axis;
    }
    if (!surface.motion.empty() || surface.turn) {
      next = pose(surface, t0 + h);
      try {
        previous = sum(3., current, -3., next, 1., pose(surface, t0 + 2. * h));
      } catch (const RunError &) { // a table may end with the run, whose first step is its last
        previous = sum(6., current, -8., pose(surface, t0 + 0.5 * h), 3., next);
      }
    }
    set_belt(surface, t0, h);
  }

  /// Prepares the step of length h that ends at t1. The previous step is finished or will be
  /// repeated.
  void prepare_step(const Surface<dim> &surface, double t1, double h) {
    length = h;
    if (!surface.motion.empty() || surface.turn)
      next = pose(surface, t1);
    set_belt(surface, t1 - h, h);
  }
  /// Finishes the prepared step.
  void finish_step() {
    previous = current;
    current = next;
    length_before = length;
  }

  /// Returns the mean velocity over the prepared step of the surface at a contact [velocity].
  dealii::Tensor<1, dim> mean_velocity(const Contact<dim> &contact) const {
    return velocity(current, next, length, contact) + along_surface(contact, mean_belt);
  }
  /// Returns the velocity of the surface at a contact at the beginning of the prepared step
  /// [velocity].
  dealii::Tensor<1, dim> start_velocity(const Contact<dim> &contact) const {
    const dealii::Tensor<1, dim> step = next.displacement - current.displacement,
                                 step_before = current.displacement - previous.displacement;
    const double turn = start_rate(next.angle - current.angle, current.angle - previous.angle);
    return start_rate(step, step_before) + turning_velocity(contact, turn, current.displacement) +
           along_surface(contact, start_belt);
  }
  /// Returns the mean angular velocity of the surface over the prepared step [1 / time].
  dealii::Tensor<1, 3> mean_spin() const { return (next.angle - current.angle) / length * axis; }
  /// Returns the angular velocity of the surface at the beginning of the prepared step [1 / time].
  dealii::Tensor<1, 3> start_spin() const {
    return start_rate(next.angle - current.angle, current.angle - previous.angle) * axis;
  }
  /// Returns the mean velocity over the last finished step; before the first one, over the first.
  dealii::Tensor<1, dim> last_velocity(const Contact<dim> &contact, bool is_before_first) const {
    return is_before_first ? mean_velocity(contact)
                           : velocity(previous, current, length_before, contact) +
                                 along_surface(contact, mean_belt);
  }

  /// Reads or writes an archive of Boost.Serialization.
  template <class Archive>
  void serialize(Archive &archive, unsigned int) {
    archive &previous &current &next &length &length_before &centre &axis &mean_belt &start_belt;
  }

private:
  static SurfacePose<dim> sum(double a, const SurfacePose<dim> &first, double b,
                              const SurfacePose<dim> &second, double c,
                              const SurfacePose<dim> &third) {
    return {a * first.displacement + b * second.displacement + c * third.displacement,
            a * first.angle + b * second.angle + c * third.angle};
  }

  void set_belt(const Surface<dim> &surface, double t0, double h) {
    for (unsigned int d = 0; d < surface.belt.size(); ++d) {
      const Expression &V = surface.belt[d];
      start_belt[d] = V(t0);
      mean_belt[d] = (start_belt[d] + 4. * V(t0 + 0.5 * h) + V(t0 + h)) / 6.;
    }
  }

  /// Returns the rate at the beginning of the prepared step, of changes in it and in the step
  /// before.
  template <typename Change>
  Change start_rate(const Change &change, const Change &change_before) const {
    const double fraction = length_before / (length + length_before);
    return fraction / length * change + (1. - fraction) / length_before * change_before;
  }
  /// Returns the velocity of a turn at a rate [rad/time] about the axis, displaced with the
  /// surface.
  dealii::Tensor<1, dim> turning_velocity(const Contact<dim> &contact, double rate,
                                          const dealii::Tensor<1, dim> &displacement) const {
    return rate == 0. ? dealii::Tensor<1, dim>()
                      : rate * cross_with_axis<dim>(axis, contact.x - centre - displacement);
  }
  dealii::Tensor<1, dim> velocity(const SurfacePose<dim> &begin, const SurfacePose<dim> &end,
                                  double h, const Contact<dim> &contact) const {
    return (end.displacement - begin.displacement) / h +
           turning_velocity(contact, 2. * std::sin(0.5 * (end.angle - begin.angle)) / h,
                            0.5 * (begin.displacement + end.displacement));
  }
  static dealii::Tensor<1, dim> along_surface(const Contact<dim> &contact,
                                              const dealii::Tensor<1, dim> &belt) {
    return belt - (belt * contact.normal) * contact.normal;
  }

  SurfacePose<dim> previous, current, next;
  double length = 1., length_before = 1.; ///< lengths of the current and the previous step [time]
  dealii::Point<dim> centre;              ///< initial position of a point of the axis of a turn
  dealii::Tensor<1, 3> axis;
  dealii::Tensor<1, dim> mean_belt, start_belt; ///< V over the prepared step, and at its beginning
};

} // namespace percussion
