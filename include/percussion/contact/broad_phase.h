#pragma once

#include <percussion/body/rigid_body.h>

#include <memory>
#include <utility>
#include <vector>

namespace percussion {

/// Bounding boxes of outlines (vertices of bodies) in an R-tree, each widened by its margin
/// [length] on every side.
template <int dim>
class BroadPhase {
public:
  /// Builds the tree with one margin for each outline.
  BroadPhase(const std::vector<std::vector<dealii::Point<dim>>> &outlines,
             const std::vector<double> &margins);
  ~BroadPhase();

  /// Returns the sorted pairs (i < j) of outlines whose boxes intersect or touch.
  std::vector<std::pair<unsigned int, unsigned int>> near_pairs() const;
  /// Finds the outlines, in ascending order, whose boxes contain a point.
  void find_near(const dealii::Point<dim> &x, std::vector<unsigned int> &outlines) const;
  /// Finds the outlines, in ascending order, whose boxes intersect the box around two points.
  void find_near(const dealii::Point<dim> &x, const dealii::Point<dim> &y,
                 std::vector<unsigned int> &outlines) const;

private:
  template <typename Shape>
  void query(const Shape &shape, std::vector<unsigned int> &outlines) const;

  struct Tree;
  std::unique_ptr<Tree> tree;
};

} // namespace percussion
