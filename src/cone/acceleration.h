#pragma once

#include <percussion/base/anderson.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace percussion {

/// Acceleration of a fixed-point iteration of percussions x → image(x), by Anderson's method.
/// Percussions are weighted by the inverses of `scales`, one for each contact.
class Acceleration {
public:
  Acceleration(std::vector<double> scales, std::size_t dimension)
      : scale(std::move(scales)), d(dimension) {}

  /// Replaces x by the next point; by the image, without memory, if image(x) − x has more than
  /// doubled.
  void extrapolate(std::vector<double> &x, const std::vector<double> &image);

private:
  std::vector<double> scale;
  std::size_t d;
  Anderson anderson{5};
  double last_size = 0.; ///< norm of the last residual
};

} // namespace percussion
