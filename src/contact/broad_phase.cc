#include <percussion/contact/broad_phase.h>

#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <boost/iterator/function_output_iterator.hpp>

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

} // namespace percussion
