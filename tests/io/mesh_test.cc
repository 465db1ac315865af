#include <percussion/io/error.h>
#include <percussion/io/mesh.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace {
using namespace percussion;
namespace fs = std::filesystem;

/// The lines of a section of a Gmsh 2.2 file, with its count where it has one.
std::string section(const std::string &name, const std::vector<std::string> &lines) {
  std::string text = "$" + name + "\n" + std::to_string(lines.size()) + "\n";
  for (const auto &line : lines)
    text += line + "\n";
  return text + "$End" + name + "\n";
}

struct GmshFile {
  std::vector<std::string> names = {"1 1 \"bottom\"", "2 5 \"block\""};
  std::vector<std::string> nodes = {"1 0 0 0", "2 1 0 0", "3 2 0 0",
                                    "4 0 1 0", "5 1 1 0", "6 2 1 0"};
  std::vector<std::string> elements = {"1 1 2 1 1 1 2", "2 1 2 1 1 2 3", "3 3 2 5 1 1 2 5 4",
                                       "4 3 2 5 1 2 3 6 5"};

  std::string text() const {
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" +
           (names.empty() ? "" : section("PhysicalNames", names)) + section("Nodes", nodes) +
           section("Elements", elements);
  }
};

class GmshMeshes : public testing::Test {
protected:
  GmshMeshes() {
    const auto *test = testing::UnitTest::GetInstance()->current_test_info();
    folder = fs::path(testing::TempDir()) / (std::string("percussion_mesh_") + test->name());
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~GmshMeshes() override { fs::remove_all(folder); }

  std::string write(const std::string &text) const {
    const std::string file = (folder / "block.msh").string();
    std::ofstream(file) << text;
    return file;
  }

  /// What is wrong with a mesh, "" if nothing.
  std::string complaint(const std::string &text) const {
    try {
      read_gmsh<2>(write(text));
    } catch (const InputError &error) {
      return error.what();
    }
    return "";
  }

  void expect_complaint(const GmshFile &file, const std::string &words) const {
    const std::string text = complaint(file.text());
    EXPECT_NE(text.find(words), std::string::npos) << "missing: " << words << "\nin: " << text;
    EXPECT_EQ(text.find("block.msh"), std::string::npos) << text; // the caller names the file
  }

  fs::path folder;
};

TEST_F(GmshMeshes, KeepTheirCellsAndRegions) {
  const auto mesh = read_gmsh<2>(write(GmshFile().text()));
  EXPECT_EQ(mesh->shape, CellShape::hypercube);
  EXPECT_EQ(mesh->triangulation.n_active_cells(), 2u);
  EXPECT_EQ(mesh->region_names(), (std::vector<std::string>{"block", "bottom"}));
  const Region &bottom = mesh->region("bottom");
  EXPECT_EQ(bottom.dimension, 1u);
  EXPECT_EQ(bottom.n_elements, 2u);
  EXPECT_EQ(bottom.faces.size(), 2u);
  EXPECT_EQ(bottom.vertices, (std::vector<unsigned int>{0, 1, 2}));
  EXPECT_TRUE(mesh->region("block").faces.empty());
  double area = 0;
  for (const auto &cell : mesh->triangulation.active_cell_iterators())
    area += cell->measure();
  EXPECT_DOUBLE_EQ(area, 2.);
}

TEST_F(GmshMeshes, OfTrianglesMayHaveUnusedNodes) {
  GmshFile file;
  file.nodes.push_back("7 9 9 0");
  file.elements = {"1 1 2 1 1 1 2", "2 2 2 5 1 1 2 5", "3 2 2 5 1 1 5 4"};
  const auto mesh = read_gmsh<2>(write(file.text()));
  EXPECT_EQ(mesh->shape, CellShape::simplex);
  EXPECT_EQ(mesh->triangulation.n_vertices(), 4u);
}

TEST_F(GmshMeshes, SayWhichRegionIsMeant) {
  const auto mesh = read_gmsh<2>(write(GmshFile().text()));
  try {
    mesh->region("botom");
    FAIL() << "no exception";
  } catch (const InputError &error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("did you mean 'bottom'? Its regions: block, bottom"), std::string::npos)
        << text;
  }
}

TEST_F(GmshMeshes, ThatAreNoneAreRefused) {
  try {
    write(GmshFile().text());
    read_gmsh<2>((folder / "blok.msh").string());
    FAIL() << "no exception";
  } catch (const InputError &error) {
    EXPECT_NE(std::string(error.what()).find("; did you mean 'block.msh'?"), std::string::npos);
  }
  EXPECT_THROW(read_gmsh<2>(folder.string()), InputError);
  EXPECT_NE(complaint("hello world\n").find("Gmsh cannot read this mesh"), std::string::npos);
  EXPECT_NE(complaint(GmshFile().text().substr(0, 150)), "");
  EXPECT_NE(complaint(""), "");
}

TEST_F(GmshMeshes, NeedNames) {
  GmshFile file;
  file.names.clear();
  expect_complaint(file, "the mesh has no named physical groups");
  file.names = {"1 1 \"bottom\""};
  expect_complaint(file, "no named physical group holds 2D elements");
  file = GmshFile();
  file.elements.back() = "4 3 2 0 2 2 3 6 5";
  expect_complaint(file, "1 of 2 elements belong to no named physical group");
}

TEST_F(GmshMeshes, NeedDifferentNamesOfSomething) {
  GmshFile file;
  file.names = {"1 1 \"edge\"", "1 2 \"edge\"", "2 5 \"block\""};
  file.elements[1] = "2 1 2 2 2 2 3";
  expect_complaint(file, "two physical groups are named 'edge' (lines 6 and 7)");
  file.names = {"1 1 \"block\"", "1 2 \"edge\"", "2 5 \"block\""};
  expect_complaint(file, "two physical groups are named 'block' (lines 6 and 8)");
  file = GmshFile();
  file.names.push_back("1 9 \"nothing\"");
  expect_complaint(file, "region 'nothing' (line 8) has no elements");
  file.names.back() = "3 9 \"volume\""; // of no interest in a plane
  EXPECT_EQ(complaint(file.text()), "");
}

TEST_F(GmshMeshes, LieInThePlane) {
  GmshFile file;
  file.nodes[5] = "6 2 1 0.25";
  expect_complaint(file, "node 6 at (2, 1, 0.25) lies off the plane z = 0");
  file.nodes[5] = "6 nan 1 0";
  expect_complaint(file, "node 6");
  file = GmshFile();
  file.names = {"3 5 \"block\""};
  file.nodes = {"1 0 0 0", "2 1 0 0", "3 0 1 0", "4 0 0 1"};
  file.elements = {"1 4 2 5 1 1 2 3 4"};
  expect_complaint(file, "the mesh has 3D elements, and this is a 2D computation");
}

TEST_F(GmshMeshes, HaveCellsOfOneFirstOrderShape) {
  GmshFile file;
  file.elements = {"1 1 2 1 1 1 2", "2 2 2 5 1 1 2 5", "3 2 2 5 1 1 5 4", "4 3 2 5 1 2 3 6 5"};
  expect_complaint(file, "mixes triangles and quadrilaterals");
  file.names = {"2 5 \"block\""};
  file.nodes = {"1 0 0 0", "2 1 0 0", "3 0 1 0", "4 .5 0 0", "5 .5 .5 0", "6 0 .5 0"};
  file.elements = {"1 9 2 5 1 1 2 3 4 5 6"};
  expect_complaint(file, "element 1 is of order 2");
}

TEST_F(GmshMeshes, HaveCellsThatFillAnArea) {
  GmshFile file;
  file.elements.back() = "4 3 2 5 1 2 5 6 3";
  expect_complaint(file, "element 4 with nodes 2 5 6 3 is inverted");
  file = GmshFile();
  file.nodes[5] = "6 1.5 0.5 0"; // between 3 and 5
  expect_complaint(file, "element 4 with nodes 2 3 6 5 is degenerate");
  file = GmshFile();
  file.elements.push_back("5 3 2 5 1 2 3 6 5");
  file.elements.push_back("6 3 2 5 1 2 3 6 5");
  expect_complaint(file, "more than two elements share the edge between the nodes");
}

TEST_F(GmshMeshes, HaveRegionsOfTheBody) {
  GmshFile file;
  file.nodes.insert(file.nodes.end(), {"7 5 0 0", "8 6 0 0"});
  file.elements[1] = "2 1 2 1 1 7 8";
  expect_complaint(file, "region 'bottom' has node 7, which belongs to no cell of the body");
}

} // namespace
