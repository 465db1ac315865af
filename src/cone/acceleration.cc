#include "acceleration.h"

#include "vectors.h"
#include <utility>

namespace percussion {

void Acceleration::extrapolate(std::vector<double> &x, const std::vector<double> &image) {
  constexpr double growth = 2.;
  std::vector<double> residual = image;
  for (std::size_t k = 0; k < x.size(); ++k)
    residual[k] = (image[k] - x[k]) / scale[k / d];
  x = image;
  const double size = norm(residual), previous_size = std::exchange(last_size, size);
  if (previous_size > 0. && size > growth * previous_size) {
    anderson.clear();
    last_size = 0.;
    return;
  }
  const std::vector<double> excess = anderson.excess(std::move(residual), image);
  for (std::size_t k = 0; k < x.size(); ++k)
    x[k] -= excess[k];
}

} // namespace percussion
