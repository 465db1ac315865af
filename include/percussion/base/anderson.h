#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace percussion {

/// Anderson acceleration of a fixed-point iteration x ← g(x) (Anderson 1965; type II of Walker & Ni
/// 2011): the next point is the affine combination of the last images g(x) whose residual g(x) − x
/// would be smallest if g were affine.
class Anderson {
public:
  explicit Anderson(std::size_t max_differences) : most_differences(max_differences) {}

  /// Discards the iterates, because another map follows.
  void clear() {
    last = {};
    differences.clear();
  }

  /// Returns the image less the combination. The residual of its point may be weighted, and have
  /// other entries than the image.
  std::vector<double> excess(std::vector<double> residual, std::vector<double> image);

private:
  struct Iterate {
    std::vector<double> residual, image;
  };
  /// Difference of two successive iterates, with the component of the residual orthogonal to older
  /// differences.
  struct Difference : Iterate {
    double square;                    ///< squared norm of the residual
    std::vector<double> coefficients; ///< coefficients of the older residuals in the whole one
  };
  void add_difference(const Iterate &current, std::vector<double> &products);
  void remove_oldest();

  std::size_t most_differences;
  Iterate last;
  std::vector<double>
      last_products; ///< products of the last residual with residuals of differences
  std::deque<Difference> differences; ///< the newest at the end
};

} // namespace percussion
