#include <percussion/input/mesh_fingerprint.h>

#include <gtest/gtest.h>

#include "support/meshes.h"

namespace {
using namespace percussion;

std::string of_rectangle(double width, CellShape shape = CellShape::simplex) {
  return fingerprint(*test::rectangle(shape, width, 1, 3, 2));
}

TEST(Fingerprint, IsTheSameForTheSameMesh) {
  const std::string text = of_rectangle(2);
  EXPECT_EQ(text.size(), 16u);
  EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos) << text;
  EXPECT_EQ(text, of_rectangle(2));
  auto elsewhere = test::rectangle(CellShape::simplex, 2, 1, 3, 2);
  elsewhere->file = "another/name.msh";
  EXPECT_EQ(text, fingerprint(*elsewhere));
}

TEST(Fingerprint, TellsPointsAndCellsApart) {
  EXPECT_NE(of_rectangle(2), of_rectangle(2 * (1 + 1e-15)));
  EXPECT_NE(of_rectangle(2), of_rectangle(2, CellShape::hypercube));
}

TEST(Fingerprint, TellsRegionsApart) {
  const auto mesh = test::rectangle(CellShape::simplex, 2, 1, 3, 2);
  const std::string before = fingerprint(*mesh);
  mesh->regions["new"] = mesh->region("left");
  const std::string with_another = fingerprint(*mesh);
  EXPECT_NE(before, with_another);
  mesh->regions["new"].faces.pop_back();
  EXPECT_NE(with_another, fingerprint(*mesh));
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
