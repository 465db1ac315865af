#pragma once

#include <percussion/algebra/types.h>

#include <deque>
#include <vector>

namespace percussion {

/// Anderson mixing of a fixed-point iteration v ← v + δ(v) (Anderson 1965; type II of Walker & Ni
/// 2011): the affine combination of the last v + δ whose δ would be smallest if δ were affine.
///
/// Percussions are combined with the same coefficients. If the statuses do not change, all iterates
/// satisfy the same linear contact conditions, and so do their affine combinations.
class Mixing {
public:
  /// Discards the iterates, because other statuses or another Â change the iteration.
  void clear() {
    last = {};
    differences.clear();
    squares.clear();
  }

  /// Replaces δ, so that v + δ is the combination, and the percussions p of v + δ. Only the first n
  /// entries of δ are minimised.
  void mix(const Vector &v, unsigned int n, Vector &delta, std::vector<double> &p);

private:
  /// Vectors δ, v + δ and p of an iterate, or differences of them.
  struct Iterate {
    std::vector<double> delta, v, p;
    void subtract(double factor, const Iterate &second);
  };
  Iterate last;
  /// Differences with mutually orthogonal δ, the newest at the end.
  std::deque<Iterate> differences;
  std::deque<double> squares; ///< squared norms of their δ
};

} // namespace percussion
