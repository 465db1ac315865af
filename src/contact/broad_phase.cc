#include <percussion/contact/broad_phase.h>

#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <boost/iterator/function_output_iterator.hpp>

namespace percussion {

struct BroadPhase::Tree {
  std::vector<dealii::BoundingBox<2>> boxes;
  using Index = decltype(dealii::pack_rtree_of_indices(boxes));
  std::unique_ptr<Index> index;
};

BroadPhase::BroadPhase(const std::vector<Outline> &outlines, const std::vector<double> &margins)
    : tree(std::make_unique<Tree>()) {
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    tree->boxes.emplace_back(outlines[i]);
    tree->boxes[i].extend(margins[i]);
  }
  tree->index = std::make_unique<Tree::Index>(dealii::pack_rtree_of_indices(tree->boxes));
}

BroadPhase::~BroadPhase() = default;

std::vector<std::pair<unsigned int, unsigned int>> BroadPhase::near_pairs() const {
  std::vector<std::pair<unsigned int, unsigned int>> pairs;
  std::vector<std::size_t> met;
  for (std::size_t i = 0; i < tree->boxes.size(); ++i) {
    met.clear();
    tree->index->query(boost::geometry::index::intersects(tree->boxes[i]), std::back_inserter(met));
    for (const std::size_t j : met)
      if (i < j)
        pairs.emplace_back(static_cast<unsigned int>(i), static_cast<unsigned int>(j));
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// The boxes that a point or box meets, in ascending order.
template <typename Shape>
void BroadPhase::query(const Shape &shape, std::vector<unsigned int> &outlines) const {
  outlines.clear();
  tree->index->query(boost::geometry::index::intersects(shape),
                     boost::make_function_output_iterator(
                         [&](std::size_t i) { outlines.push_back(static_cast<unsigned int>(i)); }));
  std::sort(outlines.begin(), outlines.end());
}

void BroadPhase::near(const dealii::Point<2> &x, std::vector<unsigned int> &outlines) const {
  query(x, outlines);
}

void BroadPhase::near(const dealii::Point<2> &x, const dealii::Point<2> &y,
                      std::vector<unsigned int> &outlines) const {
  query(dealii::BoundingBox<2>(std::vector<dealii::Point<2>>{x, y}), outlines);
}

} // namespace percussion
