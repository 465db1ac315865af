#include <percussion/algebra/mixing.h>
#include <percussion/base/lanes.h>

#include <cstring>

namespace percussion {
namespace {

/// Subtracts a multiple of b from a.
void subtract(double *a, double factor, const std::vector<double> &b) {
  for (std::size_t i = 0; i < b.size(); ++i)
    a[i] -= factor * b[i];
}

/// Returns the inner product. Two sums at a time keep the processor's adder busy.
double product(const std::vector<double> &a, const std::vector<double> &b) {
  Lanes sums[2] = {};
  std::size_t i = 0;
  for (; i + 2 * n_lanes <= a.size(); i += 2 * n_lanes)
    for (unsigned int k = 0; k < 2; ++k) {
      Lanes x, y;
      std::memcpy(&x, &a[i + k * n_lanes], sizeof x);
      std::memcpy(&y, &b[i + k * n_lanes], sizeof y);
      sums[k] += x * y;
    }
  double remainder = 0;
  for (; i < a.size(); ++i)
    remainder += a[i] * b[i];
  return sum(sums[0] + sums[1]) + remainder;
}

} // namespace

void Mixing::Iterate::subtract(double factor, const Iterate &second) {
  percussion::subtract(delta.data(), factor, second.delta);
  percussion::subtract(v.data(), factor, second.v);
  percussion::subtract(p.data(), factor, second.p);
}

/// Combines the iterates. Each new difference is made orthogonal to the older ones, so that the
/// coefficients of δ are found one after the other. A difference is left out if only round-off of
/// it remains.
void Mixing::mix(const Vector &v, unsigned int n, Vector &delta, std::vector<double> &p) {
  constexpr std::size_t most_differences = 12;
  constexpr double negligible = 1e-10;
  Iterate current{{entries(delta), entries(delta) + n}, {entries(v), entries(v) + n_owned(v)}, p};
  for (unsigned int i = 0; i < n_owned(v); ++i)
    current.v[i] += entries(delta)[i];
  if (!last.delta.empty()) {
    Iterate difference = std::move(last); // its sign does not matter
    difference.subtract(1., current);
    const double full_square = product(difference.delta, difference.delta);
    for (std::size_t k = 0; k < differences.size(); ++k)
      difference.subtract(product(difference.delta, differences[k].delta) / squares[k],
                          differences[k]);
    if (const double square = product(difference.delta, difference.delta);
        square > negligible * full_square) {
      differences.push_back(std::move(difference));
      squares.push_back(square);
    }
    if (differences.size() > most_differences) {
      differences.pop_front();
      squares.pop_front();
    }
  }
  for (std::size_t k = 0; k < differences.size(); ++k) {
    const double factor = product(current.delta, differences[k].delta) / squares[k];
    subtract(entries(delta), factor, differences[k].v);
    subtract(p.data(), factor, differences[k].p);
  }
  last = std::move(current);
}

} // namespace percussion
