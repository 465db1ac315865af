#include <percussion/dynamics/mixing.h>

#include <algorithm>

namespace percussion {
namespace {

void subtract_from(std::vector<double> &a, double share, const std::vector<double> &b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] -= share * b[i];
}

} // namespace

void Mixing::Iterate::subtract(double share, const Iterate &other) {
  subtract_from(delta, share, other.delta);
  subtract_from(v, share, other.v);
  subtract_from(p, share, other.p);
}

double Mixing::Iterate::times(const Iterate &other) const {
  double sum = 0;
  for (std::size_t i = 0; i < delta.size(); ++i)
    sum += delta[i] * other.delta[i];
  return sum;
}

/// The differences are kept orthogonal: each new one is made orthogonal to the older ones, so that
/// the shares of δ are found one after the other. One of which nothing but round-off remains is
/// left out.
void Mixing::mix(const Vector &v, unsigned int n, Vector &delta, std::vector<double> &p) {
  constexpr std::size_t most_differences = 12;
  constexpr double negligible = 1e-10;
  Iterate now{{entries(delta), entries(delta) + n}, {entries(v), entries(v) + n_owned(v)}, p};
  for (unsigned int i = 0; i < n_owned(v); ++i)
    now.v[i] += entries(delta)[i];
  if (!last.delta.empty()) {
    Iterate difference = now;
    difference.subtract(1., last);
    const double whole = difference.times(difference);
    for (std::size_t k = 0; k < differences.size(); ++k)
      difference.subtract(difference.times(differences[k]) / squares[k], differences[k]);
    if (const double square = difference.times(difference); square > negligible * whole) {
      differences.push_back(std::move(difference));
      squares.push_back(square);
    }
    if (differences.size() > most_differences) {
      differences.pop_front();
      squares.pop_front();
    }
  }
  last = now;
  for (std::size_t k = 0; k < differences.size(); ++k)
    now.subtract(now.times(differences[k]) / squares[k], differences[k]);
  for (unsigned int i = 0; i < n_owned(v); ++i)
    entries(delta)[i] = now.v[i] - entries(v)[i];
  p = now.p;
}

} // namespace percussion
