#pragma once

#include <percussion/contact/broad_phase.h>
#include <percussion/contact/facets.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace percussion {

/// Point of a facet that is nearest to a given point, and the gap between them.
template <int dim>
struct FacetGap;

/// Nearest point of a facet in 2D.
template <>
struct FacetGap<2> {
  double fraction = 0;         ///< weight of the facet's end; its beginning has the remainder to 1
  double distance = 0;         ///< signed distance; negative: penetration [length]
  dealii::Tensor<1, 2> normal; ///< outward unit normal of the body

  /// Returns the weights of the nodes: x_nearest = Σ weight x_node.
  std::array<double, 2> weights() const { return {1. - fraction, fraction}; }
};

/// Nearest point of a facet in 3D.
template <>
struct FacetGap<3> {
  std::array<double, 4> corner_weights{}; ///< weights of the corners
  double distance = 0;                    ///< signed distance; negative: penetration [length]
  dealii::Tensor<1, 3> normal;            ///< outward unit normal of the body

  /// Returns the weights of the nodes: x_nearest = Σ weight x_node.
  const std::array<double, 4> &weights() const { return corner_weights; }
};

/// Outward direction of a body at a point of its boundary.
template <int dim>
struct Outward {
  dealii::Tensor<1, dim> normal; ///< unit vector, mean of the normals around the point
  /// Smallest opposition of normals: a boundary can be touched only if the cosine between its
  /// normal and this normal is less than minus this number. On a straight boundary normals may
  /// deviate by up to 60 degrees from the opposite direction, at corners by more.
  double opposed = 0;

  /// Returns the direction at a point in 2D from the normals of both sides.
  static Outward bisector(const dealii::Tensor<1, dim> &first_normal,
                          const dealii::Tensor<1, dim> &second_normal);
  /// Returns the direction at a point in 3D from the normals of all facets around it.
  static Outward among(const std::vector<dealii::Tensor<1, dim>> &normals);
  /// True if a boundary with this normal can be touched.
  bool faces(const dealii::Tensor<1, dim> &second_normal) const {
    return normal * second_normal <
           -std::max(opposed, 1e-6); // round-off must not decide at a right angle
  }
};

/// Facets in the current configuration, and a search for the facets near a point.
///
/// A tree of boxes around the facets finds them. The boxes are wider than needed, so that the tree
/// is rebuilt only if a node has moved farther than their slack. Results do not depend on the time
/// of rebuilding.
template <int dim>
class FacetSearch {
public:
  /// Stores a reference to the facets, which must outlive the search.
  explicit FacetSearch(const Facets<dim> &facets);

  /// Moves the nodes of the facets to these positions.
  void move(std::vector<dealii::Point<dim>> node_positions);

  /// Finds all facets within reach of x, in ascending order, and possibly others.
  void find_near(const dealii::Point<dim> &x, std::vector<unsigned int> &found) const {
    tree->find_near(x, found);
  }

  /// Finds all facets within reach of a ball, and possibly others.
  void near_ball(const dealii::Point<dim> &centre, double radius,
                 std::vector<unsigned int> &found) const;

  /// Finds all facets within reach of a facet of this or another search, and possibly others.
  void find_near_facet(const FacetSearch &opposite, unsigned int facet,
                       std::vector<unsigned int> &found) const;

  /// Returns the distance up to which points in front of a facet or behind it are found: its
  /// undeformed length (3D: its shortest edge), or half of the thickness of the body behind it if
  /// that is less [length]. A deeper point may be on the other side of the body.
  double reach(unsigned int facet) const { return reaches[facet]; }

  /// Returns the gap of x if the nearest point is on this facet and not on a neighbour; else
  /// nothing. Beyond an end of the line or surface, x may be past the facet by a tenth of its size;
  /// some weights are then below 0 or above 1. In front of a corner or edge, or deep in a hollow
  /// one, the nearest point is on the corner or edge, and the normal is along the line to x; it
  /// turns continuously from the normal of one facet to the normal of the next.
  std::optional<FacetGap<dim>> gap(unsigned int facet, const dealii::Point<dim> &x) const;

  /// Returns the mean outward direction of the facets around a node, in the current configuration.
  /// At an end of a line (2D) it is the normal of the only facet.
  Outward<dim> outward(unsigned int node) const;

  const Facets<dim> &facets;                 ///< facets as given
  std::vector<dealii::Point<dim>> positions; ///< current positions of their nodes
  unsigned int n_trees = 0;                  ///< number of times the tree was built

private:
  std::vector<dealii::Point<dim>> outline(unsigned int facet) const;
  void find_normals();
  bool has_left_boxes() const;
  void make_tree();

  std::vector<dealii::Tensor<1, dim>> normals; ///< normals of facets; in 3D at their middle
  std::vector<double> reaches;                 ///< reaches of facets
  std::vector<dealii::Point<dim>> x_of_tree;
  std::unique_ptr<BroadPhase<dim>> tree;
};

/// Returns the distance of a point from an undeformed facet [length].
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
