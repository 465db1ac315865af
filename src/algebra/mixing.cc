#include <percussion/algebra/mixing.h>

#include <utility>

namespace percussion {

void Mixing::mix(const Vector &v, unsigned int n, Vector &delta, std::vector<double> &p) {
  const std::size_t n_velocities = v.size();
  double *const of_delta = delta.data();
  std::vector<double> image(v.data(), v.data() + n_velocities);
  for (std::size_t i = 0; i < n_velocities; ++i)
    image[i] += of_delta[i];
  image.insert(image.end(), p.begin(), p.end());
  const std::vector<double> excess = anderson.excess({of_delta, of_delta + n}, std::move(image));
  for (std::size_t i = 0; i < n_velocities; ++i)
    of_delta[i] -= excess[i];
  for (std::size_t i = 0; i < p.size(); ++i)
    p[i] -= excess[n_velocities + i];
}

} // namespace percussion
