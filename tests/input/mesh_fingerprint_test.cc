#include <percussion/input/mesh_fingerprint.h>

#include <gtest/gtest.h>

#include "support/meshes.h"

namespace {
using namespace percussion;

std::string rectangle_fingerprint(double width, CellShape shape = CellShape::simplex) {
  return fingerprint(*test::rectangle(shape, width, 1, 3, 2));
}

TEST(Fingerprint, IsTheSameForTheSameMesh) {
  const std::string text = rectangle_fingerprint(2);
  EXPECT_EQ(text.size(), 16u);
  EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos) << text;
  EXPECT_EQ(text, rectangle_fingerprint(2));
  auto elsewhere = test::rectangle(CellShape::simplex, 2, 1, 3, 2);
  elsewhere->file = "another/name.msh";
  EXPECT_EQ(text, fingerprint(*elsewhere));
}

TEST(Fingerprint, TellsPointsAndCellsApart) {
  EXPECT_NE(rectangle_fingerprint(2), rectangle_fingerprint(2 * (1 + 1e-15)));
  EXPECT_NE(rectangle_fingerprint(2), rectangle_fingerprint(2, CellShape::hypercube));
}

TEST(Fingerprint, TellsRegionsApart) {
  const auto mesh = test::rectangle(CellShape::simplex, 2, 1, 3, 2);
  const std::string before = fingerprint(*mesh);
  mesh->regions["new"] = mesh->region("left");
  const std::string other_fingerprint = fingerprint(*mesh);
  EXPECT_NE(before, other_fingerprint);
  mesh->regions["new"].faces.pop_back();
  EXPECT_NE(other_fingerprint, fingerprint(*mesh));
  mesh->regions.erase("new");
  EXPECT_EQ(before, fingerprint(*mesh));
}

/// 0 and −0 are the same position.
TEST(Fingerprint, DoesNotSeeTheSignOfZero) {
  const auto mesh = test::rectangle(CellShape::simplex, 2, 1, 3, 2);
  const std::string before = fingerprint(*mesh);
  auto &corner = mesh->triangulation.begin_active()->vertex(0);
  ASSERT_EQ(corner[0], 0.);
  corner[0] = -0.;
  EXPECT_EQ(before, fingerprint(*mesh));
}

} // namespace
