// Sides of a mortar: lengths, curvatures, and the side that carries the multipliers.

#include <percussion/contact/side_geometry.h>

#include <gtest/gtest.h>

#include <cmath>

namespace side_geometry {

using namespace percussion;

/// Returns an open line of straight facets through these points.
Facets<2> line(const std::vector<dealii::Point<2>> &points) {
  Facets<2> side;
  for (unsigned int i = 0; i < points.size(); ++i) {
    FacetNode<2> node;
    node.position = points[i];
    if (i > 0)
      node.previous_facet = i - 1;
    if (i + 1 < points.size())
      node.next_facet = i;
    side.nodes.push_back(node);
  }
  for (unsigned int i = 0; i + 1 < points.size(); ++i)
    side.facets.push_back({i, i + 1, 0});
  return side;
}

/// Returns a half circle of n facets.
Facets<2> half_circle(double radius, unsigned int n) {
  std::vector<dealii::Point<2>> points;
  for (unsigned int i = 0; i <= n; ++i)
    points.emplace_back(radius * std::cos(M_PI * i / n), radius * std::sin(M_PI * i / n));
  return line(points);
}

Facets<2> flat_line(double edge) {
  return line({{0., 0.}, {edge, 0.}, {2. * edge, 0.}, {2. * edge, -edge}});
}

TEST(SideGeometry, HasTheCurvatureOfACircle) {
  EXPECT_NEAR(mean_curvature(half_circle(2., 40)), 0.5, 1e-3);
  EXPECT_NEAR(mean_length(half_circle(2., 40)), M_PI / 20., 1e-3);
  EXPECT_NEAR(mean_curvature(flat_line(0.3)), 0., 1e-7); // a corner is no curvature
}

/// Facets of a plate that are a tenth as long as the radius of a disc, or longer.
TEST(SideGeometry, PutsMultipliersOnADiscAboveALongFacet) {
  const Facets<2> disc = half_circle(1., 63); // edges of 0.05
  EXPECT_TRUE(is_curved_within_facets(disc, flat_line(0.2)));
  EXPECT_FALSE(is_curved_within_facets(disc, flat_line(0.09))); // turns too little
  EXPECT_FALSE(is_curved_within_facets(disc, flat_line(0.04))); // is the coarser side
  EXPECT_FALSE(is_curved_within_facets(flat_line(0.2), disc));
}

} // namespace side_geometry
