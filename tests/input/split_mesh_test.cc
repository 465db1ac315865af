// Meshes that are split along regions inside them.

#include <percussion/base/error.h>

#include <gtest/gtest.h>

#include "../../src/input/split_mesh.h"
#include <algorithm>

namespace {

using percussion::MeshGroup;
using percussion::MeshModel;

/// Two by two squares with corners from (0, 0) to (2, 2), numbered row by row.
MeshModel squares() {
  MeshModel model;
  for (unsigned int j = 0; j < 3; ++j)
    for (unsigned int i = 0; i < 3; ++i) {
      model.tags.push_back(model.tags.size() + 1);
      model.nodes.push_back({static_cast<double>(i), static_cast<double>(j), 0.});
    }
  model.add({"cells", 2, 4, {1, 2, 3, 4}, {0, 1, 4, 3, 1, 2, 5, 4, 3, 4, 7, 6, 4, 5, 8, 7}});
  model.add({"through", 1, 2, {5, 6}, {3, 4, 4, 5}});
  model.add({"crack", 1, 2, {7}, {4, 5}});
  model.add({"up", 1, 2, {8, 9}, {1, 4, 4, 7}});
  model.add({"right", 1, 2, {10, 11}, {2, 5, 5, 8}});
  model.add({"middle", 0, 1, {12}, {4}});
  return model;
}

const MeshGroup &group(const MeshModel &model, const std::string &name) {
  return *std::find_if(model.groups.begin(), model.groups.end(),
                       [&](const MeshGroup &one) { return one.name == name; });
}

TEST(SplitMesh, OpensAlongALineThroughTheBody) {
  MeshModel model = squares();
  split_mesh(model, 2, {"through"});
  ASSERT_EQ(model.nodes.size(), 12u);
  EXPECT_TRUE(std::is_sorted(model.tags.begin(), model.tags.end()));
  for (unsigned int k = 0; k < 3; ++k)
    EXPECT_EQ(model.nodes[9 + k], model.nodes[3 + k]);
  using Corners = std::vector<unsigned int>;
  EXPECT_EQ(group(model, "cells").corners,
            (Corners{0, 1, 4, 3, 1, 2, 5, 4, 9, 10, 7, 6, 10, 11, 8, 7}));
  EXPECT_EQ(group(model, "through 1").corners, (Corners{9, 10, 10, 11})); // left: above
  EXPECT_EQ(group(model, "through 2").corners, (Corners{3, 4, 4, 5}));
  EXPECT_EQ(group(model, "right").corners, (Corners{2, 5, 11, 8}));
  EXPECT_EQ(group(model, "middle").corners, (Corners{4, 10}));
  EXPECT_FALSE(model.contains("through"));
}

TEST(SplitMesh, HasSidesThatDoNotDependOnDirections) {
  MeshModel turned = squares();
  for (MeshGroup &one : turned.groups)
    if (one.name == "through")
      one.corners = {3, 4, 5, 4};
  split_mesh(turned, 2, {"through"});
  EXPECT_EQ(group(turned, "through 1").corners, (std::vector<unsigned int>{9, 10, 11, 10}));
  EXPECT_EQ(group(turned, "through 2").corners, (std::vector<unsigned int>{3, 4, 5, 4}));
}

TEST(SplitMesh, StaysTogetherWhereALineEnds) {
  MeshModel model = squares();
  split_mesh(model, 2, {"crack"});
  ASSERT_EQ(model.nodes.size(), 10u);
  EXPECT_EQ(group(model, "crack 1").corners, (std::vector<unsigned int>{4, 9}));
  EXPECT_EQ(group(model, "crack 2").corners, (std::vector<unsigned int>{4, 5}));
}

/// Four cells of lines that cross have nothing in common.
TEST(SplitMesh, OpensAtACrossing) {
  MeshModel model = squares();
  split_mesh(model, 2, {"through", "up"});
  EXPECT_EQ(model.nodes.size(), 16u);
  std::vector<unsigned int> corners = group(model, "cells").corners;
  std::sort(corners.begin(), corners.end());
  EXPECT_EQ(std::unique(corners.begin(), corners.end()), corners.end());
  EXPECT_EQ(group(model, "middle").corners.size(), 4u);
}

TEST(SplitMesh, RefusesRegionsThatAreNotInsideABody) {
  MeshModel model = squares();
  EXPECT_THROW(split_mesh(model, 2, {"right"}), percussion::InputError);
  EXPECT_THROW(split_mesh(model, 2, {"cells"}), percussion::InputError);
  EXPECT_THROW(split_mesh(model, 2, {"elsewhere"}), percussion::InputError);
}

} // namespace
