#pragma once

#include <percussion/contact/broad_phase.h>
#include <percussion/contact/facets.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace percussion {

/// The nearest place of a facet to a point, and the gap between them.
struct FacetGap {
  double share = 0;            ///< of the facet's end in that place; 1 − share: of its beginning
  double distance = 0;         ///< negative: penetration [length]
  dealii::Tensor<1, 2> normal; ///< unit length, out of the body
};

/// Where the boundary of a body faces at one of its points.
struct Outward {
  dealii::Tensor<1, 2> normal; ///< mean of those of both sides, of unit length
  /// Only what has a normal with a cosine of less than minus this can be touched: on a straight
  /// boundary what is turned by up to 60 degrees, at corners what fits in front of their sides.
  double opposed = 0;

  /// From the normals of both sides.
  static Outward between(const dealii::Tensor<1, 2> &before, const dealii::Tensor<1, 2> &after);
  /// Whether something with this normal can be touched.
  bool faces(const dealii::Tensor<1, 2> &other) const {
    return normal * other < -std::max(opposed, 1e-6); // at a right angle round-off does not decide
  }
};

/// Facets where the bodies are, and which of them a point is near to.
///
/// A tree of boxes around the facets finds them. The boxes are wider than needed, so that the tree
/// is made anew only where a node has moved farther than that; results do not depend on when.
class FacetSearch {
public:
  /// The facets must live as long.
  explicit FacetSearch(const Facets<2> &facets);

  /// Go to the displacements q.
  void move(const Vector &q);

  /// Facets within reach of x, in ascending order, and some more.
  void near(const dealii::Point<2> &x, std::vector<unsigned int> &found) const {
    tree->near(x, found);
  }

  /// Facets within reach of the line from x to y, and some more.
  void near_line(const dealii::Point<2> &x, const dealii::Point<2> &y,
                 std::vector<unsigned int> &found) const {
    tree->near(x, y, found);
  }

  /// How far from a facet points are found, before it and behind it: its undeformed length or, of
  /// a thin body, half of the thickness behind it [length]. What is deeper may be at the body's
  /// other side.
  double reach(unsigned int facet) const { return reaches[facet]; }

  /// The gap of x where a place of this facet is the nearest of it and its neighbours. Past an
  /// end of the line by more than a tenth of the facet there is none, and the share is below 0 or
  /// above 1 up to there. In front of a corner, or deep in a hollow one, the nearest
  /// place is the corner and the normal points from one to the other; it turns continuously from
  /// that of one facet to that of the next.
  std::optional<FacetGap> gap(unsigned int facet, const dealii::Point<2> &x) const;

  /// Where the boundary faces at a node. Of ends of a line only one side is known.
  Outward outward(unsigned int node) const;

  const Facets<2> &facets;                 ///< as given
  std::vector<dealii::Point<2>> positions; ///< where their nodes are
  unsigned int n_trees = 0;                ///< how often the tree was made

private:
  bool has_left_boxes() const;
  void make_tree();

  std::vector<dealii::Tensor<1, 2>> normals; ///< of facets
  std::vector<double> reaches;               ///< of facets
  std::vector<dealii::Point<2>> x_of_tree;
  std::unique_ptr<BroadPhase<2>> tree;
};

} // namespace percussion
