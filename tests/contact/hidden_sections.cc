// Mortars of edges and facets that overhang the opposite side, with a second layer behind it.

#include <percussion/contact/mortar_3d.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace hidden_sections { // separates names from other tests in unity builds

using namespace percussion;

const MortarRange range{1., 1.};

template <typename Surface>
auto contacts_of(const Surface &carrier, const Surface &opposite, MortarFunctions functions) {
  std::vector<EdgePair> pairs;
  const auto n = [](const auto &facets) { return static_cast<unsigned int>(facets.size()); };
  if constexpr (std::is_same_v<Surface, Polyline>)
    for (unsigned int i = 0; i < n(carrier.edges); ++i)
      for (unsigned int j = 0; j < n(opposite.edges); ++j)
        pairs.emplace_back(i, j);
  else
    for (unsigned int i = 0; i < n(carrier.facets); ++i)
      for (unsigned int j = 0; j < n(opposite.facets); ++j)
        pairs.emplace_back(i, j);
  return mortar_contacts(carrier, opposite, pairs, range, functions);
}

/// Adds a surface behind another one, as the first or last facets.
Polyline stacked(Polyline surface, const Polyline &layer, bool is_first) {
  const auto n = static_cast<unsigned int>(surface.points.size());
  surface.points.insert(surface.points.end(), layer.points.begin(), layer.points.end());
  for (const auto &[begin, end] : layer.edges)
    surface.edges.insert(is_first ? surface.edges.begin() : surface.edges.end(),
                         {begin + n, end + n});
  return surface;
}
FacetSurface stacked(FacetSurface surface, const FacetSurface &layer, bool is_first) {
  const auto n = static_cast<unsigned int>(surface.points.size());
  surface.points.insert(surface.points.end(), layer.points.begin(), layer.points.end());
  for (std::vector<unsigned int> facet : layer.facets) {
    for (unsigned int &point : facet)
      point += n;
    surface.facets.insert(is_first ? surface.facets.begin() : surface.facets.end(), facet);
  }
  return surface;
}

/// A layer 0.1 to 0.9 behind the opposite side changes no gap, and no weight of a contact that the
/// opposite side alone has.
template <typename Surface>
void expect_no_effect(const Surface &carrier, const Surface &opposite, const Surface &layer) {
  for (const auto functions : {MortarFunctions::dual, MortarFunctions::quadrature})
    for (const bool is_first : {false, true}) {
      const auto alone = contacts_of(carrier, opposite, functions);
      const auto both = contacts_of(carrier, stacked(opposite, layer, is_first), functions);
      ASSERT_FALSE(alone.empty());
      for (const auto &contact : alone) {
        const auto same = std::find_if(both.begin(), both.end(), [&](const auto &other) {
          return other.point == contact.point && other.side == contact.side;
        });
        ASSERT_NE(same, both.end());
        EXPECT_NEAR(same->gap, contact.gap, 1e-14) << contact.point;
        EXPECT_NEAR(same->area, contact.area, 1e-14) << contact.point;
      }
    }
}

/// Returns a line from x0 to x1, whose heights are y0 and y1; the body is above it if x0 < x1.
Polyline line(double x0, double y0, double x1, double y1) {
  return {{{x0, y0}, {x1, y1}}, {{0, 1}}};
}

/// Returns the rectangle [x0, x1] × [y0, y1] at a height, facing up or down.
FacetSurface rectangle(double x0, double x1, double y0, double y1, double z, bool up) {
  FacetSurface surface;
  surface.points = {{x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}};
  surface.facets.push_back(up ? std::vector<unsigned int>{0, 1, 2, 3}
                              : std::vector<unsigned int>{3, 2, 1, 0});
  return surface;
}

TEST(HiddenSections, OfEdgesHaveNoEffect) {
  const Polyline carrier = line(0., 0.01, 1., -0.02);
  for (const double depth : {0.1, 0.5, 0.9})
    for (const double covered : {0.05, 0.5, 0.999}) {
      const Polyline layer = line(2., -depth, -1., -depth);
      expect_no_effect(carrier, line(covered, 0., -1., 0.), layer);     // right end overhangs
      expect_no_effect(carrier, line(2., 0., 1. - covered, 0.), layer); // left end
    }
}

/// A joint that opens from round-off on: the layer behind it is hidden at once, and gaps have no
/// kink.
TEST(HiddenSections, OfJointsHaveNoEffect) {
  const Polyline carrier = line(0., 0.01, 1., -0.02);
  for (const double depth : {0.1, 0.5, 0.9})
    for (const double width : {1e-15, 1e-12, 1e-10, 1e-8, 1e-6, 1e-3, 0.2}) {
      SCOPED_TRACE(width);
      expect_no_effect(carrier,
                       stacked(line(0.4, 0., -1., 0.), line(2., 0., 0.4 + width, 0.), false),
                       line(2., -depth, -1., -depth));
    }
}

/// Circumferences that weight integrals change nothing of this.
TEST(HiddenSections, OfBodiesOfRevolutionHaveNoEffect) {
  const auto ring = [](double x0, double y0, double x1, double y1) {
    Polyline meridian = line(x0, y0, x1, y1);
    meridian.is_axisymmetric = true;
    return meridian;
  };
  for (const double depth : {0.1, 0.9})
    for (const double covered : {0.05, 0.999})
      expect_no_effect(ring(2., 0.01, 3., -0.02), ring(2. + covered, 0., 1., 0.),
                       ring(4., -depth, 1., -depth));
}

/// Returns the mirror image, with edges that have the body on their left again.
Polyline mirrored(Polyline surface) {
  for (auto &point : surface.points)
    point[0] = -point[0];
  for (auto &[begin, end] : surface.edges)
    std::swap(begin, end);
  return surface;
}

/// Mirror images have the same contacts, whether the edge on the opposite side is the first or the
/// second of two edges, or overhangs at its begin or at its end.
TEST(HiddenSections, HaveMirrorImages) {
  const Polyline carrier{{{0., 0.01}, {1., 0.}, {2., -0.01}}, {{0, 1}, {1, 2}}},
      layer = line(3., -0.3, -1., -0.3);
  for (const double covered : {0.3, 0.999, 1., 1.5}) {
    const Polyline opposite = stacked(line(covered, 0., -1., 0.), layer, false);
    const auto contacts = contacts_of(carrier, opposite, MortarFunctions::dual);
    auto images = contacts_of(mirrored(carrier), mirrored(opposite), MortarFunctions::dual);
    ASSERT_EQ(images.size(), contacts.size());
    for (const auto &contact : contacts) {
      const auto image = std::find_if(images.begin(), images.end(), [&](const auto &candidate) {
        return candidate.point == contact.point &&
               std::abs(candidate.area - contact.area) < 1e-14 &&
               std::abs(candidate.gap - contact.gap) < 1e-14;
      });
      ASSERT_NE(image, images.end()) << contact.point << ' ' << contact.gap;
      images.erase(image);
    }
  }
}

/// A boundary that touches itself may face a second layer of itself behind the first.
TEST(HiddenSections, OfSelfContactHaveNoEffect) {
  const auto add_bottom = [](const Polyline &top, double height) { // closes a thin body
    const auto n = static_cast<unsigned int>(top.points.size());
    Polyline body = top;
    body.points.push_back({top.points[n - 1][0], top.points[n - 1][1] + height});
    body.points.push_back({top.points[0][0], top.points[0][1] + height});
    for (unsigned int i = n - 1; i <= n; ++i)
      body.edges.push_back({i, i + 1});
    body.edges.push_back({n + 1, 0});
    return body;
  };
  const auto contacts_of_itself = [](const Polyline &surface) {
    std::vector<EdgePair> near;
    const auto n = static_cast<unsigned int>(surface.edges.size());
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = i + 1; j < n; ++j)
        near.emplace_back(i, j);
    const auto pairs = self_contact_pairs(surface, near, {0.6, 0.6});
    return mortar_contacts(surface, surface, pairs, {0.6, 0.6});
  };
  const Polyline above = add_bottom(line(0., 0.01, 1., -0.02), 1.),
                 below = add_bottom(line(0.5, 0., -1., 0.), -0.2),
                 layer = add_bottom(line(2., -0.5, -1., -0.5), -1.);
  const auto alone = contacts_of_itself(stacked(above, below, false)),
             both = contacts_of_itself(stacked(stacked(above, below, false), layer, false));
  const auto n_above = static_cast<unsigned int>(above.points.size());
  unsigned int n_compared = 0;
  for (const auto &contact : alone)
    if (contact.point < n_above) {
      const auto same = std::find_if(both.begin(), both.end(), [&](const auto &candidate) {
        return candidate.point == contact.point && candidate.side == contact.side;
      });
      ASSERT_NE(same, both.end());
      EXPECT_NEAR(same->gap, contact.gap, 1e-14);
      EXPECT_NEAR(same->area, contact.area, 1e-14);
      ++n_compared;
    }
  EXPECT_EQ(n_compared, 2u);
}

/// The second edge, or facet, faces the layer alone: the node between them has another contact
/// with it.
TEST(HiddenSections, OfANeighbourHaveNoEffect) {
  const Polyline edges{{{0., 0.01}, {1., 0.}, {2., -0.01}}, {{0, 1}, {1, 2}}};
  FacetSurface facets = rectangle(0., 1., 0., 1., 0.01, false);
  facets.points.insert(facets.points.end(), {{2., 0., 0.02}, {2., 1., 0.}});
  facets.facets.push_back({2, 5, 4, 1});
  for (const double depth : {0.1, 0.5, 0.9})
    for (const double covered : {0.3, 0.999, 1.}) {
      expect_no_effect(edges, line(covered, 0., -1., 0.), line(3., -depth, -1., -depth));
      expect_no_effect(facets, rectangle(-1., covered, -1., 2., 0., true),
                       rectangle(-1., 3., -1., 2., -depth, true));
    }
}

/// Returns the sum of the covers of the contacts of an edge with two pieces: two if both count.
double cover_by(const Polyline &carrier, const Polyline &first, const Polyline &second) {
  double cover = 0;
  for (const auto &contact :
       contacts_of(carrier, stacked(first, second, false), MortarFunctions::dual))
    cover += contact.cover;
  return cover;
}

/// Pieces count that the edge reaches elsewhere, that follow its slope across a hole, or that it
/// has penetrated more than others.
TEST(HiddenSections, AreNoPiecesThatTheEdgeReaches) {
  const Polyline level = line(0., 0., 1., 0.), tilted = line(0., 0., 1., 0.3);
  EXPECT_NEAR(cover_by(level, line(0.3, 0., -1., 0.), line(1.5, 0.1, 0.3, -0.1)), 2., 1e-9);
  EXPECT_GT(cover_by(tilted, line(0.4, 0., -1., 0.), line(2., 0., 0.6, 0.)), 1.5);
  EXPECT_NEAR(cover_by(level, line(0.5, 0.06, -1., 0.06), line(2., -0.005, 0.5, -0.005)), 2., 1e-9);
  const FacetSurface above = stacked(rectangle(-1., 0.5, -1., 2., 0.06, true),
                                     rectangle(0.5, 2., -1., 2., -0.005, true), false);
  for (const auto &contact :
       contacts_of(rectangle(0., 1., 0., 1., 0., false), above, MortarFunctions::dual))
    EXPECT_NEAR(contact.cover, 1., 1e-9);
}

/// A piece that covers round-off hides nothing.
TEST(HiddenSections, AreNotHiddenByRoundOff) {
  const Polyline level = line(0., 0.01, 1., 0.01);
  for (const double x : {-1e-17, 1e-17, 1e-12})
    EXPECT_NEAR(cover_by(level, line(x, 0., -1., 0.), line(2., -0.1, -1., -0.1)), 2., 1e-9) << x;
  const FacetSurface facet = rectangle(0., 1., 0., 1., 0.01, false);
  for (const auto &contact : contacts_of(facet,
                                         stacked(rectangle(-1., 1e-9, -1., 2., 0., true),
                                                 rectangle(-1., 2., -1., 2., -0.1, true), false),
                                         MortarFunctions::dual))
    EXPECT_NEAR(contact.cover, 1., 1e-6);
}

/// Regions at a corner have contacts of their own with what they face, apart or not.
TEST(HiddenSections, HaveKeysOfTheirOwn) {
  FacetSurface roof; // two slopes that meet at the ridge from (1, 0) to (1, 2), seen from below
  roof.points = {{0., 0., 1.}, {1., 0., 0.}, {2., 0., 1.}, {0., 1., 1.}, {1., 1., 0.},
                 {2., 1., 1.}, {0., 2., 1.}, {1., 2., 0.}, {2., 2., 1.}};
  roof.facets = {{3, 4, 1, 0}, {4, 5, 2, 1}, {7, 8, 5, 4}, {6, 7, 4, 3}};
  FacetSurface valley;
  const auto add = [&](double y0, double y1, double z) {
    FacetSurface left, right;
    left.points = {{0., y0, 1. + z}, {1., y0, z}, {1., y1, z}, {0., y1, 1. + z}};
    right.points = {{1., y0, z}, {2., y0, 1. + z}, {2., y1, 1. + z}, {1., y1, z}};
    left.facets = right.facets = {{0, 1, 2, 3}};
    valley = stacked(stacked(valley, left, false), right, false);
  };
  add(0., 1., -0.001);
  add(1., 2., -0.4);
  std::set<std::pair<unsigned int, unsigned int>> keys;
  const auto contacts = contacts_of(roof, valley, MortarFunctions::dual);
  for (const auto &contact : contacts)
    EXPECT_TRUE(keys.emplace(contact.point, contact.side).second) << contact.point;
  EXPECT_EQ(std::count_if(contacts.begin(), contacts.end(),
                          [](const auto &contact) { return contact.point == 4; }),
            4);
}

/// Two flush pieces at heights that differ by the indentation of one of them are one surface.
TEST(HiddenSections, AreNoFlushPieces) {
  const Polyline carrier = line(0., 0., 1., 0.);
  const auto contacts =
      contacts_of(carrier, stacked(line(0.5, 0., -1., 0.), line(2., -0.03, 0.5, -0.03), false),
                  MortarFunctions::dual);
  ASSERT_EQ(contacts.size(), 2u);
  for (const auto &contact : contacts)
    EXPECT_NEAR(contact.cover, 1., 1e-14);
  EXPECT_NEAR(contacts[0].gap + contacts[1].gap, 0.03, 1e-14);
}

TEST(HiddenSections, OfFacetsHaveNoEffect) {
  FacetSurface carrier = rectangle(0., 1., 0., 1., 0.01, false);
  carrier.points[2][2] = carrier.points[1][2] = -0.02;
  for (const double depth : {0.1, 0.5, 0.9})
    for (const double covered : {0.05, 0.5, 0.999}) {
      // Behind the opposite side are one facet, or many.
      FacetSurface layer = rectangle(-1., 2., -1., 2., -depth, true), tiles;
      for (int i = -2; i < 6; ++i)
        tiles = stacked(tiles, rectangle(i / 4., (i + 1) / 4., -1., 2., -depth, true), false);
      for (const FacetSurface &behind : {layer, tiles}) {
        expect_no_effect(carrier, rectangle(-1., covered, -1., 2., 0., true), behind);
        expect_no_effect(carrier, rectangle(-1., 2., 1. - covered, 2., 0., true), behind);
      }
    }
}

} // namespace hidden_sections
