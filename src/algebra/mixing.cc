#include <percussion/algebra/mixing.h>

#include <utility>

namespace percussion {

void Mixing::mix(const Vector &v, unsigned int n, Vector &delta, std::vector<double> &p) {
  const std::size_t n_velocities = v.size();
  double *const delta_values = delta.data();
  std::vector<double> image(v.data(), v.data() + n_velocities);
  for (std::size_t i = 0; i < n_velocities; ++i)
    image[i] += delta_values[i];
  image.insert(image.end(), p.begin(), p.end());
  const std::vector<double> excess =
      anderson.excess({delta_values, delta_values + n}, std::move(image));
  for (std::size_t i = 0; i < n_velocities; ++i)
    delta_values[i] -= excess[i];
  for (std::size_t i = 0; i < p.size(); ++i)
    p[i] -= excess[n_velocities + i];
}

} // namespace percussion
