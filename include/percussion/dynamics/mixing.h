#pragma once

#include <percussion/algebra/types.h>

#include <deque>
#include <vector>

namespace percussion {

/// Anderson's mixing of a fixed-point iteration v ← v + δ(v) (Anderson 1965; type II of Walker & Ni
/// 2011): the affine combination of the last v + δ whose δ would be smallest if δ were affine.
///
/// Percussions are combined with the same coefficients. As long as the statuses stay, all iterates
/// obey the same linear conditions of contact, and so do their affine combinations.
class Mixing {
public:
  /// Forget the iterates: other statuses or another Â make another map.
  void clear() {
    last = {};
    differences.clear();
    squares.clear();
  }

  /// Replace δ, so that v + δ is the combination, and the percussions p of v + δ. Only the first n
  /// entries of δ are to be small.
  void mix(const Vector &v, unsigned int n, Vector &delta, std::vector<double> &p);

private:
  /// δ, v + δ and p of an iterate, or differences of them.
  struct Iterate {
    std::vector<double> delta, v, p;
    void subtract(double share, const Iterate &other);
  };
  Iterate last;
  std::deque<Iterate> differences; ///< with δ orthogonal to each other, the newest at the end
  std::deque<double> squares;      ///< of their δ
};

} // namespace percussion
