#pragma once

#include <percussion/body/rigid_body.h>

#include <memory>
#include <utility>
#include <vector>

namespace percussion {

/// Bounding boxes of outlines, the vertices of bodies, each widened by its margin [length] on every
/// side, in an R-tree.
template <int dim>
class BroadPhase {
public:
  /// One margin for each outline.
  BroadPhase(const std::vector<std::vector<dealii::Point<dim>>> &outlines,
             const std::vector<double> &margins);
  ~BroadPhase();

  /// Pairs (i < j), sorted, of outlines whose boxes meet or touch.
  std::vector<std::pair<unsigned int, unsigned int>> near_pairs() const;
  /// The outlines, in ascending order, whose boxes a point is in.
  void near(const dealii::Point<dim> &x, std::vector<unsigned int> &outlines) const;
  /// The same of the box around two points.
  void near(const dealii::Point<dim> &x, const dealii::Point<dim> &y,
            std::vector<unsigned int> &outlines) const;

private:
  template <typename Shape>
  void query(const Shape &shape, std::vector<unsigned int> &outlines) const;

  struct Tree;
  std::unique_ptr<Tree> tree;
};

} // namespace percussion
