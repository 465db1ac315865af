#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace percussion {

/// Anderson's acceleration of a fixed-point iteration of percussions x → image(x). The next point
/// combines the last ones so that, if the map were linear, the norm of image(x) − x would be
/// smallest. Percussions are weighted by the inverses of `scales`, one for each contact.
class Acceleration {
public:
  Acceleration(std::vector<double> scales, std::size_t dimension)
      : scale(std::move(scales)), d(dimension) {}

  /// Replaces x by the next point; by the image, without memory, if image(x) − x has grown.
  void extrapolate(std::vector<double> &x, const std::vector<double> &image);

private:
  using Values = std::vector<double>;
  struct Difference { ///< changes of the residual and of the image between two points
    Values residual, image;
    Values products; ///< inner products with the residuals of this and older differences
  };

  void remember(const Values &residual, const Values &image);
  bool find_coefficients(const Values &residual, Values &coefficients) const;

  Values scale;
  std::size_t d;
  std::deque<Difference> differences;
  Values last_residual, last_image;
  double last_size = 0.; ///< norm of the last residual
};

} // namespace percussion
