#include "tie_laws.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace percussion {
namespace {

/// Force of one law, and its status.
struct TieLawForce {
  double t;
  unsigned int status;
};

/// Returns the force of a law with a value w that no force changes. At a target, which round-off
/// may miss, it is the smallest force.
TieLawForce force_of_fixed(const TieLaw &law, double w, double round_off) {
  const auto n = static_cast<unsigned int>(law.targets.size());
  for (unsigned int k = 0; k < n; ++k)
    if (std::abs(w - law.targets[k]) <= round_off ||
        (w < law.targets[k] && std::isinf(law.forces[k])))
      return {std::clamp(0., law.forces[k], law.forces[k + 1]), 2 * k + 1};
    else if (w < law.targets[k])
      return {law.forces[k], 2 * k};
  return std::isfinite(law.forces[n])
             ? TieLawForce{law.forces[n], 2 * n}
             : TieLawForce{std::clamp(0., law.forces[n - 1], law.forces[n]), 2 * n - 1};
}

/// Returns the force t of a law with w = g − s t, s ≥ 0.
TieLawForce force_of(const TieLaw &law, double g, double s) {
  const auto n = static_cast<unsigned int>(law.targets.size());
  for (unsigned int k = 0; k < n; ++k) {
    if (g - s * law.forces[k] < law.targets[k])
      return {law.forces[k], 2 * k};
    const double force = (g - law.targets[k]) / s;
    if (force <= law.forces[k + 1])
      return {force, 2 * k + 1};
  }
  return {law.forces[n], 2 * n};
}

/// Solves A x = b by Gaussian elimination; none if A is nearly singular.
std::optional<std::vector<double>> eliminate(std::vector<double> A, std::vector<double> b) {
  constexpr double smallest_pivot = 1e-10; // relative to the diagonal entry
  const std::size_t n = b.size();
  std::vector<double> diagonal(n);
  for (std::size_t i = 0; i < n; ++i)
    diagonal[i] = A[i * n + i];
  for (std::size_t i = 0; i < n; ++i) {
    const double pivot = A[i * n + i];
    if (!(pivot > smallest_pivot * diagonal[i]))
      return {};
    for (std::size_t j = i + 1; j < n; ++j) {
      const double factor = A[j * n + i] / pivot;
      for (std::size_t k = i; k < n; ++k)
        A[j * n + k] -= factor * A[i * n + k];
      b[j] -= factor * b[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k)
      b[i] -= A[i * n + k] * b[k];
    b[i] /= A[i * n + i];
  }
  return b;
}

/// Laws of ties that act on each other.
class CoupledLaws {
public:
  CoupledLaws(const std::vector<double> &matrix, const std::vector<double> &free,
              const std::vector<const TieLaw *> &all, const std::vector<TieLawSize> &tie_sizes)
      : W(matrix), g(free), laws(all), sizes(tie_sizes),
        n(free.size()), forces{std::vector<double>(n, 0.), std::vector<unsigned int>(n, 0)} {}

  TieLawForces solve() {
    constexpr unsigned int first_sweeps = 10, max_sweeps = 5000;
    if (sweep(first_sweeps) || iterate())
      return std::move(forces);
    sweep(max_sweeps);
    return std::move(forces);
  }

private:
  /// Returns the force of a law with the forces of the others.
  TieLawForce update(std::size_t k) const {
    constexpr double negligible = 1e-12;
    double free = g[k];
    for (std::size_t l = 0; l < n; ++l)
      free -= l == k ? 0. : W[k * n + l] * forces.t[l];
    const double s = W[k * n + k];
    return s > negligible * sizes[k].compliance
               ? force_of(*laws[k], free, s)
               : force_of_fixed(*laws[k], free, negligible * sizes[k].value);
  }

  /// Sweeps over all laws until they stay. Returns true if they do.
  bool sweep(unsigned int max_sweeps) {
    constexpr double round_off = 1e-15;
    for (unsigned int i = 0; i < max_sweeps; ++i) {
      bool stays = true;
      for (std::size_t k = 0; k < n; ++k) {
        const auto [t, status] = update(k);
        stays = stays && status == forces.status[k] &&
                std::abs(t - forces.t[k]) <= round_off * std::abs(t);
        forces.t[k] = t;
        forces.status[k] = status;
      }
      if (stays)
        return true;
    }
    return false;
  }

  /// Solves for the forces of the laws that hold their ties. Returns false if they are not unique.
  bool solve_held(TieLawForces &next) const {
    std::vector<std::size_t> ties;
    for (std::size_t k = 0; k < n; ++k)
      if (next.status[k] % 2 == 1)
        ties.push_back(k);
      else
        next.t[k] = laws[k]->forces[next.status[k] / 2];
    std::vector<double> A, b;
    for (const std::size_t k : ties) {
      b.push_back(g[k] - laws[k]->targets[next.status[k] / 2]);
      for (std::size_t l = 0; l < n; ++l)
        if (next.status[l] % 2 == 1)
          A.push_back(W[k * n + l]);
        else
          b.back() -= W[k * n + l] * next.t[l];
    }
    const auto solution = eliminate(std::move(A), std::move(b));
    for (std::size_t i = 0; solution && i < ties.size(); ++i)
      next.t[ties[i]] = (*solution)[i];
    return solution.has_value();
  }

  /// Iterates over active sets from the current one. Returns true if they converge.
  bool iterate() {
    constexpr unsigned int max_active_sets = 30;
    const TieLawForces start = forces;
    for (unsigned int i = 0; i < max_active_sets && solve_held(forces); ++i) {
      std::vector<unsigned int> next(n);
      for (std::size_t k = 0; k < n; ++k)
        next[k] = update(k).status;
      if (next == forces.status)
        return true;
      forces.status = std::move(next);
    }
    forces = start;
    return false;
  }

  const std::vector<double> &W, &g;
  const std::vector<const TieLaw *> &laws;
  const std::vector<TieLawSize> &sizes;
  const std::size_t n;
  TieLawForces forces;
};

} // namespace

TieLawForces solve_tie_laws(const std::vector<double> &W, const std::vector<double> &g,
                            const std::vector<const TieLaw *> &laws,
                            const std::vector<TieLawSize> &sizes) {
  return CoupledLaws(W, g, laws, sizes).solve();
}

} // namespace percussion
