#pragma once

#include <percussion/base/error.h>
#include <percussion/contact/surface.h>

namespace percussion {

/// Velocities of a surface with prescribed displacement D(t), from step to step.
///
/// Over a step of length h, the velocity is (D(t1) − D(t0))/h, so that the work of the surface is
/// exact. The impact law also needs the velocity at the beginning of a step: it is the slope of the
/// parabola through the ends of this step and of the previous one, of second order, and for equal
/// steps the mean of both sides at a kink. D is never evaluated before the run begins: a parabola
/// extrapolates it to the step before the first.
template <int dim>
class SurfaceMotion {
public:
  /// Starts a run whose first step has length h.
  void start(const Surface<dim> &surface, double t0, double h) {
    current = displacement(surface, t0);
    next = current;
    length = length_before = h;
    if (surface.motion.empty())
      return;
    next = displacement(surface, t0 + h);
    try {
      previous = 3. * (current - next) + displacement(surface, t0 + 2. * h);
    } catch (const RunError &) { // a table may end with the run, whose first step is its last
      previous = 6. * current - 8. * displacement(surface, t0 + 0.5 * h) + 3. * next;
    }
  }

  /// Prepares the step of length h that ends at t1. The previous step is finished or will be
  /// repeated.
  void prepare_step(const Surface<dim> &surface, double t1, double h) {
    length = h;
    if (!surface.motion.empty())
      next = displacement(surface, t1);
  }
  /// Finishes the prepared step.
  void finish_step() {
    previous = current;
    current = next;
    length_before = length;
  }

  /// Returns the mean velocity over the prepared step [velocity].
  dealii::Tensor<1, dim> mean_velocity() const { return (next - current) / length; }
  /// Returns the velocity at the beginning of the prepared step [velocity].
  dealii::Tensor<1, dim> start_velocity() const {
    const double fraction = length_before / (length + length_before);
    return fraction * mean_velocity() + (1. - fraction) / length_before * (current - previous);
  }

  /// Reads or writes an archive of Boost.Serialization.
  template <class Archive>
  void serialize(Archive &archive, unsigned int) {
    archive &previous &current &next &length &length_before;
  }

private:
  dealii::Tensor<1, dim> previous, current, next;
  double length = 1., length_before = 1.; ///< lengths of the current and the previous step [time]
};

} // namespace percussion
