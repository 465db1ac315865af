#include <percussion/algebra/two.h>
#include <percussion/algebra/vector.h>
#include <percussion/base/lanes.h>

namespace percussion {

void combine(double a, const Vector &x, double b, const Vector &y, Vector &z) {
  for (unsigned int i = 0, n = z.size(); i < n; ++i)
    z[i] = a * x[i] + b * y[i];
}

double dot(const double *a, const double *b, unsigned int n) {
  Two partial_sums[2] = {};
  unsigned int i = 0;
  for (; i + 4 <= n; i += 4) {
    partial_sums[0] += load_two(a + i) * load_two(b + i);
    partial_sums[1] += load_two(a + i + 2) * load_two(b + i + 2);
  }
  partial_sums[0] += partial_sums[1];
  double sum = partial_sums[0][0] + partial_sums[0][1];
  for (; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

PERCUSSION_WITH_AVX2 double dot(const float *a, const float *b, unsigned int n) {
  constexpr unsigned int n_sums = 2;
  Lanes partial_sums[n_sums] = {};
  unsigned int i = 0;
  for (; i + n_sums * n_lanes <= n; i += n_sums * n_lanes)
    for (unsigned int k = 0; k < n_sums; ++k)
      for (unsigned int lane = 0; lane < n_lanes; ++lane)
        partial_sums[k][lane] +=
            double(a[i + k * n_lanes + lane]) * double(b[i + k * n_lanes + lane]);
  double sum = 0;
  for (unsigned int lane = 0; lane < n_lanes; ++lane)
    sum += partial_sums[0][lane] + partial_sums[1][lane];
  for (; i < n; ++i)
    sum += double(a[i]) * double(b[i]);
  return sum;
}

} // namespace percussion
