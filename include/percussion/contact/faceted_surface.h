#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <memory>
#include <vector>

namespace percussion {

/// Rigid surface of triangles in space, or of lines in the plane, convex or not, with or without a
/// border. The bodies are on the side of the normals, to which triangles are counterclockwise and
/// lines have their left.
///
/// The gap of a position is its distance from the nearest facet, negative behind it. The normal is
/// interpolated between the corners of the facet, each with the mean normal of the adjacent facets
/// that are nearly coplanar: it does not jump where a body moves from one of them to the next. At a
/// sharp edge or corner, and at the border, it is along the line from the nearest point, with which
/// a round body rolls over the edge. Behind a border there is no surface: gaps are positive there.
template <int dim>
class FacetedSurface {
public:
  using Facet = std::array<unsigned int, dim>;

  /// Throws InputError if there are no facets, or if one has no size.
  FacetedSurface(std::vector<dealii::Point<dim>> points, std::vector<Facet> facets);

  struct Gap {
    double distance;               ///< signed distance [length]
    dealii::Tensor<1, dim> normal; ///< unit normal
  };
  Gap gap(const dealii::Point<dim> &x) const;

  const std::vector<dealii::Point<dim>> &points() const { return corners; }
  const std::vector<Facet> &facets() const { return corners_of_facets; }
  /// Returns the number of edges (in 2D of corners) with a facet on one side only.
  unsigned int n_border() const { return border_size; }
  /// True if there are sharp edges (in 2D corners) that protrude to the side of the bodies.
  bool has_ridges() const { return found_ridges; }

private:
  struct Tree;
  /// Nearest point of a facet: weights of its corners, 0 for corners of which it is independent.
  struct Foot {
    unsigned int facet;
    std::array<double, dim> weight;
    double square; ///< square of its distance [length²]
  };

  void set_normals();
  void find_sharp_features();
  Foot foot_on(unsigned int facet, const dealii::Point<dim> &x) const;
  Foot nearest(const dealii::Point<dim> &x) const;

  std::vector<dealii::Point<dim>> corners;
  std::vector<Facet> corners_of_facets;
  std::vector<dealii::Tensor<1, dim>> normals; ///< unit normals of the facets
  std::vector<std::array<dealii::Tensor<1, dim>, dim>>
      corner_normals;                               ///< normals at the corners of each facet
  std::vector<dealii::Tensor<1, dim>> mean_normals; ///< normals of corners, weighted by angles
  /// Bits i and, in space, 3 + i of each facet: true if its corner i and the edge opposite to it
  /// are sharp, or on the border.
  std::vector<unsigned char> sharp, border;
  std::vector<std::array<dealii::Tensor<1, dim>, dim>> edge_normals; ///< means of both sides
  unsigned int border_size = 0;
  bool found_ridges = false;
  std::shared_ptr<const Tree> tree; ///< finds facets near a point
};

} // namespace percussion
