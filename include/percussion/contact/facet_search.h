#pragma once

#include <percussion/contact/broad_phase.h>
#include <percussion/contact/facets.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace percussion {

/// The nearest place of a facet to a point, and the gap between them.
template <int dim>
struct FacetGap;

/// In the plane.
template <>
struct FacetGap<2> {
  double share = 0;            ///< of the facet's end in that place; 1 − share: of its beginning
  double distance = 0;         ///< negative: penetration [length]
  dealii::Tensor<1, 2> normal; ///< unit length, out of the body

  /// Of the nodes: x_place = Σ weight x_node.
  std::array<double, 2> weights() const { return {1. - share, share}; }
};

/// In space.
template <>
struct FacetGap<3> {
  std::array<double, 4> of_corners{}; ///< see weights()
  double distance = 0;                ///< negative: penetration [length]
  dealii::Tensor<1, 3> normal;        ///< unit length, out of the body

  /// Of the nodes: x_place = Σ weight x_node.
  const std::array<double, 4> &weights() const { return of_corners; }
};

/// Where the boundary of a body faces at one of its points.
template <int dim>
struct Outward {
  dealii::Tensor<1, dim> normal; ///< mean of those around the point, of unit length
  /// Only what has a normal with a cosine of less than minus this can be touched: on a straight
  /// boundary what is turned by up to 60 degrees, at corners what fits in front of their sides.
  double opposed = 0;

  /// From the normals of both sides in the plane.
  static Outward between(const dealii::Tensor<1, dim> &before, const dealii::Tensor<1, dim> &after);
  /// From those of all facets around a point in space.
  static Outward among(const std::vector<dealii::Tensor<1, dim>> &normals);
  /// Whether something with this normal can be touched.
  bool faces(const dealii::Tensor<1, dim> &other) const {
    return normal * other < -std::max(opposed, 1e-6); // at a right angle round-off does not decide
  }
};

/// Facets where the bodies are, and which of them a point is near to.
///
/// A tree of boxes around the facets finds them. The boxes are wider than needed, so that the tree
/// is made anew only where a node has moved farther than that; results do not depend on when.
template <int dim>
class FacetSearch {
public:
  /// The facets must live as long.
  explicit FacetSearch(const Facets<dim> &facets);

  /// Go to the displacements q.
  void move(const Vector &q);

  /// Facets within reach of x, in ascending order, and some more.
  void near(const dealii::Point<dim> &x, std::vector<unsigned int> &found) const {
    tree->near(x, found);
  }

  /// Facets within reach of a ball, and some more.
  void near_ball(const dealii::Point<dim> &centre, double radius,
                 std::vector<unsigned int> &found) const;

  /// Facets within reach of a facet of another search, or of this one, and some more.
  void near_facet(const FacetSearch &other, unsigned int facet,
                  std::vector<unsigned int> &found) const;

  /// How far from a facet points are found, before it and behind it: its undeformed length (in
  /// space that of its shortest edge) or, of a thin body, half of the thickness behind it [length].
  /// What is deeper may be at the body's other side.
  double reach(unsigned int facet) const { return reaches[facet]; }

  /// The gap of x where a place of this facet is the nearest of it and its neighbours. Past an
  /// end of the line or surface by more than a tenth of the facet there is none, and weights are
  /// below 0 or above 1 up to there. In front of a corner or an edge, or deep in a hollow one, the
  /// nearest place is on it and the normal points from one to the other; it turns continuously from
  /// that of one facet to that of the next.
  std::optional<FacetGap<dim>> gap(unsigned int facet, const dealii::Point<dim> &x) const;

  /// Where the boundary faces at a node. Of ends of a line only one side is known.
  Outward<dim> outward(unsigned int node) const;

  const Facets<dim> &facets;                 ///< as given
  std::vector<dealii::Point<dim>> positions; ///< where their nodes are
  unsigned int n_trees = 0;                  ///< how often the tree was made

private:
  std::vector<dealii::Point<dim>> outline(unsigned int facet) const;
  void find_normals();
  bool has_left_boxes() const;
  void make_tree();

  std::vector<dealii::Tensor<1, dim>> normals; ///< of facets, in space at their middle
  std::vector<double> reaches;                 ///< of facets
  std::vector<dealii::Point<dim>> x_of_tree;
  std::unique_ptr<BroadPhase<dim>> tree;
};

/// Distance of a point from an undeformed facet [length].
template <int dim>
double undeformed_distance(const dealii::Point<dim> &x, const Facets<dim> &facets,
                           unsigned int facet);

template <>
void FacetSearch<2>::find_normals();
template <>
void FacetSearch<3>::find_normals();
template <>
std::optional<FacetGap<2>> FacetSearch<2>::gap(unsigned int, const dealii::Point<2> &) const;
template <>
std::optional<FacetGap<3>> FacetSearch<3>::gap(unsigned int, const dealii::Point<3> &) const;
template <>
Outward<2> FacetSearch<2>::outward(unsigned int) const;
template <>
Outward<3> FacetSearch<3>::outward(unsigned int) const;
template <>
double undeformed_distance(const dealii::Point<2> &, const Facets<2> &, unsigned int);
template <>
double undeformed_distance(const dealii::Point<3> &, const Facets<3> &, unsigned int);

} // namespace percussion
