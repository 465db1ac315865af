#pragma once

#include <percussion/algebra/vector.h>
#include <percussion/base/anderson.h>

#include <vector>

namespace percussion {

/// Mixing of the corrections δ(v) of a fixed-point iteration v ← v + δ(v), by Anderson's method.
///
/// Percussions are combined with the same coefficients. If the statuses do not change, all iterates
/// satisfy the same linear contact conditions, and so do their affine combinations.
class Mixing {
public:
  /// Discards the iterates, because other statuses or another Â change the iteration.
  void clear() { anderson.clear(); }

  /// Replaces δ, so that v + δ is the combination, and the percussions p of v + δ. Only the first n
  /// entries of δ are minimised.
  void mix(const Vector &v, unsigned int n, Vector &delta, std::vector<double> &p);

private:
  Anderson anderson{12};
};

} // namespace percussion
