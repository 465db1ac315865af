#pragma once

#include <percussion/contact/surface.h>

namespace percussion {

/// Velocities of a surface whose displacement D(t) is prescribed, from step to step.
///
/// Over a step the velocity is (D(t1) − D(t0))/h, so that the work of the surface is exact. At the
/// beginning of a step, where the impact law wants it, it is (D(t1) − D(t0 − h))/(2h): of second
/// order, and the mean of both sides at a kink. D is never asked before the run begins: there the
/// step before is continued as a parabola.
template <int dim>
class SurfaceMotion {
public:
  /// At the beginning of a run with steps h.
  void start(const Surface<dim> &surface, double t0, double h) {
    now = displacement(surface, t0);
    next = now;
    if (surface.motion.empty())
      return;
    next = displacement(surface, t0 + h);
    before = 3. * (now - next) + displacement(surface, t0 + 2. * h);
  }

  /// The step that ends at t1; the last one is over.
  void prepare_step(const Surface<dim> &surface, double t1) {
    if (!surface.motion.empty())
      next = displacement(surface, t1);
  }
  void finish_step() {
    before = now;
    now = next;
  }

  dealii::Tensor<1, dim> mean_velocity(double h) const { return (next - now) / h; }
  dealii::Tensor<1, dim> start_velocity(double h) const { return (next - before) / (2. * h); }

private:
  dealii::Tensor<1, dim> before, now, next;
};

} // namespace percussion
