#include <percussion/contact/broad_phase.h>

#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <boost/iterator/function_output_iterator.hpp>
#include <limits>

namespace percussion {

template <int dim>
struct BroadPhase<dim>::Tree {
  std::vector<dealii::BoundingBox<dim>> boxes;
  using Index = decltype(dealii::pack_rtree_of_indices(boxes));
  std::unique_ptr<Index> index;
};

template <int dim>
BroadPhase<dim>::BroadPhase(const std::vector<std::vector<dealii::Point<dim>>> &outlines,
                            const std::vector<double> &margins)
    : tree(std::make_unique<Tree>()) {
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    tree->boxes.emplace_back(outlines[i]);
    tree->boxes[i].extend(margins[i]);
  }
  tree->index = std::make_unique<typename Tree::Index>(dealii::pack_rtree_of_indices(tree->boxes));
}

template <int dim>
BroadPhase<dim>::~BroadPhase() = default;

template <int dim>
std::vector<std::pair<unsigned int, unsigned int>> BroadPhase<dim>::near_pairs() const {
  std::vector<std::pair<unsigned int, unsigned int>> pairs;
  std::vector<std::size_t> intersected;
  for (std::size_t i = 0; i < tree->boxes.size(); ++i) {
    intersected.clear();
    tree->index->query(boost::geometry::index::intersects(tree->boxes[i]),
                       std::back_inserter(intersected));
    for (const std::size_t j : intersected)
      if (i < j)
        pairs.emplace_back(static_cast<unsigned int>(i), static_cast<unsigned int>(j));
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Finds the boxes that intersect a point or box, in ascending order.
template <int dim>
template <typename Shape>
void BroadPhase<dim>::query(const Shape &shape, std::vector<unsigned int> &outlines) const {
  outlines.clear();
  tree->index->query(boost::geometry::index::intersects(shape),
                     boost::make_function_output_iterator(
                         [&](std::size_t i) { outlines.push_back(static_cast<unsigned int>(i)); }));
  std::sort(outlines.begin(), outlines.end());
}

template <int dim>
void BroadPhase<dim>::find_near(const dealii::Point<dim> &x,
                                std::vector<unsigned int> &outlines) const {
  query(x, outlines);
}

template <int dim>
void BroadPhase<dim>::find_near(const dealii::Point<dim> &x, const dealii::Point<dim> &y,
                                std::vector<unsigned int> &outlines) const {
  query(dealii::BoundingBox<dim>(std::vector<dealii::Point<dim>>{x, y}), outlines);
}

template class BroadPhase<2>;
template class BroadPhase<3>;

template <int dim>
typename NearBodies<dim>::Box NearBodies<dim>::Box::empty() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Box box;
  for (unsigned int d = 0; d < dim; ++d) {
    box.low[d] = infinity;
    box.high[d] = -infinity;
  }
  return box;
}

template <int dim>
void NearBodies<dim>::Box::add(const std::vector<dealii::Point<dim>> &points) {
  for (const dealii::Point<dim> &x : points)
    for (unsigned int d = 0; d < dim; ++d) {
      low[d] = std::min(low[d], x[d]);
      high[d] = std::max(high[d], x[d]);
    }
}

template <int dim>
void NearBodies<dim>::Box::widen(double margin) {
  for (unsigned int d = 0; d < dim; ++d) {
    low[d] -= margin;
    high[d] += margin;
  }
}

template <int dim>
bool NearBodies<dim>::Box::intersects(const Box &second) const {
  for (unsigned int d = 0; d < dim; ++d)
    if (low[d] > second.high[d] || second.low[d] > high[d])
      return false;
  return true;
}

/// Returns false also for a box with a corner that is not a number.
template <int dim>
bool NearBodies<dim>::Box::contains(const Box &second) const {
  for (unsigned int d = 0; d < dim; ++d)
    if (!(low[d] <= second.low[d] && second.high[d] <= high[d]))
      return false;
  return true;
}

template <int dim>
std::vector<std::pair<unsigned int, unsigned int>> NearBodies<dim>::pairs() const {
  std::vector<std::pair<unsigned int, unsigned int>> near;
  for (const auto &pair : wide_pairs)
    if (boxes[pair.first].intersects(boxes[pair.second]))
      near.push_back(pair);
  return near;
}

template <int dim>
void NearBodies<dim>::find_near(const dealii::Point<dim> &x,
                                std::vector<unsigned int> &bodies) const {
  tree->find_near(x, bodies);
  bodies.erase(std::remove_if(bodies.begin(), bodies.end(),
                              [&](unsigned int i) {
                                return !boxes[i].contains({x, x});
                              }),
               bodies.end());
}

template <int dim>
bool NearBodies<dim>::has_left_tree() const {
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (!wide_boxes[i].contains(boxes[i]))
      return true;
  return false;
}

template <int dim>
void NearBodies<dim>::make_tree() {
  constexpr double slack = 0.1; // of the longest edge of a box
  std::vector<std::vector<dealii::Point<dim>>> corners;
  wide_boxes.clear();
  for (const Box &box : boxes) {
    double edge = 0;
    for (unsigned int d = 0; d < dim; ++d)
      edge = std::max(edge, box.high[d] - box.low[d]);
    Box wide = box;
    wide.widen(slack * edge);
    wide_boxes.push_back(wide);
    corners.push_back({wide.low, wide.high});
  }
  tree = std::make_unique<BroadPhase<dim>>(corners, std::vector<double>(corners.size(), 0.));
  wide_pairs = tree->near_pairs();
  ++trees_made;
}

template class NearBodies<2>;
template class NearBodies<3>;

} // namespace percussion
