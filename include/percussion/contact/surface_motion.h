#pragma once

#include <percussion/contact/surface.h>

namespace percussion {

/// Velocities of a surface whose displacement D(t) is prescribed, from step to step.
///
/// Over a step of length h the velocity is (D(t1) − D(t0))/h, so that the work of the surface is
/// exact. At the beginning of a step, where the impact law wants it, it is the slope of the
/// parabola through the ends of this step and the one before: of second order, and for equal steps
/// the mean of both sides at a kink. D is never asked before the run begins: there the step before
/// is continued as a parabola.
template <int dim>
class SurfaceMotion {
public:
  /// At the beginning of a run whose first step is of length h.
  void start(const Surface<dim> &surface, double t0, double h) {
    now = displacement(surface, t0);
    next = now;
    length = length_before = h;
    if (surface.motion.empty())
      return;
    next = displacement(surface, t0 + h);
    before = 3. * (now - next) + displacement(surface, t0 + 2. * h);
  }

  /// The step of length h that ends at t1; the last one is over, or to be taken again.
  void prepare_step(const Surface<dim> &surface, double t1, double h) {
    length = h;
    if (!surface.motion.empty())
      next = displacement(surface, t1);
  }
  /// The step that was prepared is done.
  void finish_step() {
    before = now;
    now = next;
    length_before = length;
  }

  /// Over the step that was prepared [velocity].
  dealii::Tensor<1, dim> mean_velocity() const { return (next - now) / length; }
  /// At its beginning [velocity].
  dealii::Tensor<1, dim> start_velocity() const {
    const double share = length_before / (length + length_before);
    return share * mean_velocity() + (1. - share) / length_before * (now - before);
  }

  /// For an archive of Boost.Serialization.
  template <class Archive>
  void serialize(Archive &archive, unsigned int) {
    archive &before &now &next &length &length_before;
  }

private:
  dealii::Tensor<1, dim> before, now, next;
  double length = 1., length_before = 1.; ///< of the step and of the one before [time]
};

} // namespace percussion
