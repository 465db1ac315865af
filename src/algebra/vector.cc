#include <percussion/algebra/two.h>
#include <percussion/algebra/vector.h>

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

} // namespace percussion
