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
  }

  /// Replaces δ, so that v + δ is the combination, and the percussions p of v + δ. Only the first n
  /// entries of δ are minimised.
  void mix(const Vector &v, unsigned int n, Vector &delta, std::vector<double> &p);

private:
  struct Iterate {
    std::vector<double> delta, v, p; ///< δ, v + δ and p
  };
  /// Difference of two successive iterates, with the part of δ orthogonal to older differences.
  struct Difference : Iterate {
    double square;                    ///< squared norm of δ
    std::vector<double> coefficients; ///< coefficients of the older δ in the whole difference
  };
  void add_difference(const Iterate &current, std::vector<double> &products);
  void remove_oldest();

  Iterate last;
  std::vector<double> last_products;  ///< products of its δ with the orthogonal ones
  std::deque<Difference> differences; ///< the newest at the end
};

} // namespace percussion
