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

/// Boxes of bodies, and the pairs whose boxes intersect. A tree with wider boxes is kept from
/// configuration to configuration until a box leaves its wider box: it saves time, and has no
/// influence on the pairs.
template <int dim>
class NearBodies {
public:
  /// Box with sides parallel to the axes.
  struct Box {
    dealii::Point<dim> low, high;

    /// Returns a box that contains no point.
    static Box empty();
    /// Extends the box to points.
    void add(const std::vector<dealii::Point<dim>> &points);
    /// Moves every side outwards [length].
    void widen(double margin);
    bool intersects(const Box &second) const;
    bool contains(const Box &second) const;
  };

  /// Moves all bodies to these boxes.
  void move(const std::vector<Box> &boxes_of_bodies) {
    boxes = boxes_of_bodies;
    if (tree == nullptr || has_left_tree())
      make_tree();
  }
  /// Returns the pairs (i < j) of boxes that intersect or touch, in ascending order.
  std::vector<std::pair<unsigned int, unsigned int>> pairs() const;
  /// Finds the bodies, in ascending order, whose boxes contain a point.
  void find_near(const dealii::Point<dim> &x, std::vector<unsigned int> &bodies) const;

  /// Returns the number of trees made so far.
  unsigned int n_trees() const { return trees_made; }

private:
  bool has_left_tree() const;
  void make_tree();

  std::vector<Box> boxes, wide_boxes;
  std::unique_ptr<BroadPhase<dim>> tree;
  std::vector<std::pair<unsigned int, unsigned int>> wide_pairs; ///< pairs of the tree
  unsigned int trees_made = 0;
};

} // namespace percussion
