// Contacts at the seams of flush rigid pieces, and pieces that have entered each other.

#include <percussion/contact/find.h>
#include <percussion/contact/polygons.h>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/rigid.h"

namespace {

using namespace percussion;
using test::rectangle;
using test::RigidSystem;

const dealii::Tensor<1, 2> upward({0., 1.});

/// Returns a rectangle with vertices 0, 1 at the bottom and 2, 3 at the top.
Outline tile(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

/// Nodes below two flush bricks, whose seam is 1e-5 beside a node at a depth of 1e-4: all nodes
/// have the normal of the lower faces. The last node is beside the bricks.
TEST(Seams, NodesHaveTheNormalOfTheContinuedFace) {
  for (const bool exchanged : {false, true}) {
    const auto mesh = test::rectangle(CellShape::hypercube, 2, 1, 8, 4);
    RigidSystem system;
    const Material<2> material{1., 1., LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}};
    system.add_elastic(*mesh, material);
    const double seam = 1 - 1e-5, bottom = 1 - 1e-4;
    system.rigid = {rectangle("left", 1.5, 1, 1, dealii::Point<2>(seam - 0.75, bottom + 0.5)),
                    rectangle("right", 0.9, 1, 1, dealii::Point<2>(seam + 0.45, bottom + 0.5))};
    if (exchanged)
      std::swap(system.rigid[0], system.rigid[1]);
    auto &nodes = system.add_contact(ImpactLawKind::fremond, {}, 0.3);
    nodes.own_side = ElasticRegion{"top"};
    nodes.opposite_side = RigidBodies{{0, 1}};
    system.make();
    const Boundary<2> boundary(*system.bodies, std::move(system.pairs));
    const auto found = ContactFinder<2>(boundary).find(boundary.trace.gather(system.state.q), 0.);
    unsigned int n_below = 0, n_beside = 0;
    for (const auto &contact : found.contacts)
      if (boundary.points[contact.point].position[0] < 1.8) {
        EXPECT_LT((contact.normal + upward).norm(), 1e-12);
        EXPECT_NEAR(contact.gap, -1e-4, 1e-12);
        ++n_below;
      } else {
        EXPECT_GT(contact.normal[0], 0.9);
        ++n_beside;
      }
    EXPECT_EQ(n_below, 8u); // x = 0, 0.25, ..., 1.75
    EXPECT_EQ(n_beside, 1u);
  }
}

/// The rows of contacts of a body with flush bricks are the rows of contacts with one brick.
TEST(Seams, ABoxAcrossASeamHasVerticalContactsOnly) {
  for (const double angle : {0., 1e-4, -1e-4, 0.05}) {
    RigidSystem system;
    const double overlap = 1e-6; // of the box with the second brick, less than its depth
    system.rigid = {rectangle("left", 1, 1, 1, dealii::Point<2>(-0.5, -0.5)),
                    rectangle("right", 1, 1, 1, dealii::Point<2>(0.5, -0.5)),
                    rectangle("box", 0.4, 0.2, 1,
                              dealii::Point<2>(
                                  overlap - 0.2 * std::cos(angle) - 0.1 * std::abs(std::sin(angle)),
                                  0.1 * std::cos(angle) + 0.2 * std::abs(std::sin(angle)) - 1e-4),
                              angle)};
    system.add_mutual_contact(ImpactLawKind::fremond, {}, 0.);
    system.make();
    const Boundary<2> boundary(*system.bodies, std::move(system.pairs));
    const auto found = ContactFinder<2>(boundary).find(boundary.trace.gather(system.state.q), 0.);
    unsigned int n_closed = 0;
    for (const auto &contact : found.contacts)
      if (contact.key.second == 2 && contact.gap < 0) {
        EXPECT_LT(std::abs(contact.normal[0]), std::abs(angle) + 1e-12);
        ++n_closed;
      }
    EXPECT_GE(n_closed, 1u);
  }
}

/// A piece that has passed more than half of a thin one leaves it where it came from; without a
/// memory, or if it came from the other side, on the far side.
TEST(TouchingPieces, AreSeparatedOnTheSideOfTheirEntry) {
  const Outline plate = tile(-1, -0.01, 1, 0), card = tile(-0.1, -0.012, 0.1, -0.002);
  const PlacedPiece lower{plate, 0.}, upper{card, 0.};
  const EntryDirection<2> entry_above{{}, upward}, entry_below{{}, -1. * upward};
  for (const auto *const entry : {&entry_above, &entry_below}) {
    const TouchingPieces touching = touching_pieces(upper, lower, {entry, nullptr});
    ASSERT_EQ(touching.points.size(), 2u);
    EXPECT_LT((touching.direction - entry->direction).norm(), 1e-15);
    for (const VertexOnEdge &point : touching.points)
      EXPECT_NEAR(point.gap, entry == &entry_above ? -0.012 : -0.008, 1e-15);
  }
  EXPECT_LT((touching_pieces(upper, lower).direction - entry_below.direction).norm(), 1e-15);
  // The direction of pieces that are apart is the direction between their corners.
  const Outline beside = tile(1.3, 0.4, 2, 1);
  EXPECT_LT(
      (touching_pieces({beside, 0.}, lower).direction - dealii::Tensor<1, 2>({0.6, 0.8})).norm(),
      1e-14);
}

/// Pieces that overlapped and have gone through each other overlap still, unless the piece has left
/// the face by which it entered, or they were apart before.
TEST(TouchingPieces, OverlapStillOnceTheyHaveGoneThroughEachOther) {
  const Outline plate = tile(-1, -0.01, 1, 0), card = tile(-0.1, -0.03, 0.1, -0.02),
                beside = tile(1.1, -0.03, 1.3, -0.02);
  const PlacedPiece lower{plate, 0.}, passed{card, 0.};
  EntryDirection<2> entry_above{{}, upward, true};
  const TouchingPieces touching = touching_pieces(passed, lower, {&entry_above, nullptr});
  ASSERT_EQ(touching.points.size(), 2u);
  EXPECT_TRUE(touching.overlapping);
  EXPECT_NEAR(touching.points[0].gap, -0.03, 1e-15);
  EXPECT_FALSE(touching_pieces({beside, 0.}, lower, {&entry_above, nullptr}).overlapping);
  entry_above.overlapping = false;
  const TouchingPieces apart = touching_pieces(passed, lower, {&entry_above, nullptr});
  EXPECT_FALSE(apart.overlapping);
  EXPECT_GT(apart.points.at(0).gap, 0.);

  const Outline centre = {{0, -0.03}}, centre_beside = {{1.1, -0.03}};
  entry_above.overlapping = true;
  EXPECT_NEAR(touching_pieces({centre, 0.001}, lower, {&entry_above, nullptr}).points.at(0).gap,
              -0.031, 1e-15);
  EXPECT_GT(
      touching_pieces({centre_beside, 0.001}, lower, {&entry_above, nullptr}).points.at(0).gap, 0.);
}

} // namespace
