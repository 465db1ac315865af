#include "io/gmsh_files.h"

namespace {
using namespace percussion;
using test::GmshFile, test::GmshMeshes;

TEST_F(GmshMeshes, KeepTheirCellsAndRegions) {
  const auto mesh = read_gmsh<2>(write(GmshFile().text()));
  EXPECT_EQ(mesh->shape, CellShape::hypercube);
  EXPECT_EQ(mesh->triangulation.n_active_cells(), 2u);
  EXPECT_EQ(mesh->region_names(), (std::vector<std::string>{"block", "bottom"}));
  const Region &bottom = mesh->region("bottom");
  EXPECT_EQ(bottom.dimension, 1u);
  EXPECT_EQ(bottom.n_elements, 2u);
  EXPECT_DOUBLE_EQ(bottom.measure, 2.);
  EXPECT_DOUBLE_EQ(mesh->region("block").measure, 2.);
  EXPECT_TRUE(mesh->remarks.empty()) << mesh->remarks.front();
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
  std::filesystem::create_symlink("loop.msh", folder / "loop.msh");
  try {
    read_gmsh<2>((folder / "loop.msh").string());
    FAIL() << "no exception";
  } catch (const InputError &error) {
    EXPECT_NE(std::string(error.what()).find("cannot be read (Too many levels of symbolic links)"),
              std::string::npos)
        << error.what();
  }
  EXPECT_NE(complaint("hello world\n").find("this is not a Gmsh mesh"), std::string::npos);
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
  file.nodes[5] = "6 1e200 1 0";
  expect_complaint(file, "node 6 at (1e+200, 1, 0) is too far away to compute with");
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
  file.nodes.push_back("7 1.5 1.5 0");
  file.elements.push_back("5 3 2 5 1 2 3 7 5"); // over element 4
  expect_complaint(file, "two elements lie on the same side of the edge between the nodes 2 and 3");
  file = GmshFile();
  file.elements.push_back("5 3 2 5 1 3 6 5 2");
  expect_complaint(file, "elements 4 and 5 of region 'block' have the same nodes");
  file = GmshFile();
  file.elements[0] = "1 1 2 1 1 2 2";
  expect_complaint(file, "element 1 of region 'bottom' is degenerate");
}

TEST_F(GmshMeshes, HaveRegionsOfTheBody) {
  GmshFile file;
  file.nodes.insert(file.nodes.end(), {"7 5 0 0", "8 6 0 0"});
  file.elements[1] = "2 1 2 1 1 7 8";
  expect_complaint(file, "region 'bottom' has node 7, which belongs to no cell of the body");
}

TEST_F(GmshMeshes, MayHaveACellInTwoRegions) {
  GmshFile file;
  file.names.push_back("2 6 \"right half\"");
  file.elements.push_back("5 3 2 6 2 2 3 6 5");
  const auto mesh = read_gmsh<2>(write(file.text()));
  EXPECT_EQ(mesh->triangulation.n_active_cells(), 2u);
  EXPECT_EQ(mesh->region("right half").n_elements, 1u);
  EXPECT_DOUBLE_EQ(mesh->region("block").measure, 2.);
  ASSERT_EQ(mesh->remarks.size(), 1u);
  EXPECT_EQ(mesh->remarks.front(), "1 cell is in region 'block' and in region 'right half'; each "
                                   "is in the body once");
}

TEST_F(GmshMeshes, MayHaveAnEdgeTwice) {
  GmshFile file;
  file.names.push_back("1 2 \"left end\"");
  file.elements.push_back("5 1 2 2 2 1 2");
  file.elements.push_back("6 1 2 1 3 3 2");
  const auto mesh = read_gmsh<2>(write(file.text()));
  EXPECT_EQ(mesh->region("left end").faces.size(), 1u);
  EXPECT_EQ(mesh->region("bottom").faces.size(), 2u);
  EXPECT_DOUBLE_EQ(mesh->region("bottom").measure, 2.);
  expect_remark(file, "1 element of region 'bottom' stand in the mesh twice");
}

/// Gmsh would give all of them to both groups.
TEST_F(GmshMeshes, HaveTheirOwnTagsInEachGroup) {
  GmshFile file;
  file.names.push_back("1 2 \"left end\"");
  file.elements[0] = "1 1 2 2 1 1 2";
  expect_complaint(file, "the elements with the geometrical tag 1 are partly in one physical group "
                         "and partly in another (bottom, left end)");
}

TEST_F(GmshMeshes, TellOfNodesWithoutElements) {
  GmshFile file;
  file.nodes.push_back("7 9 9 0");
  expect_remark(file, "1 node of the mesh belongs to no element and is left out");
  file.nodes.push_back("8 9 8 0");
  expect_remark(file, "2 nodes of the mesh belong to no element and are left out");
}

TEST_F(GmshMeshes, TellOfParts) {
  GmshFile file;
  file.nodes.insert(file.nodes.end(), {"7 3 0 0", "8 4 0 0", "9 4 1 0", "10 3 1 0"});
  file.elements.push_back("5 3 2 5 1 7 8 9 10");
  const std::string apart = remarks(file.text());
  EXPECT_EQ(apart, "the body consists of 2 parts that have no node in common; each moves by "
                   "itself\n");
  // The same part with its left edge on the right one of the other: not glued.
  file.nodes = {"1 0 0 0", "2 1 0 0", "3 2 0 0", "4 0 1 0", "5 1 1 0",
                "6 2 1 0", "7 2 0 0", "8 3 0 0", "9 3 1 0", "10 2 1.0000000001 0"};
  expect_remark(file, "2 nodes lie on others (node 3 at (2, 0) is node 7 too)");
  expect_remark(file, "'Coherence;'");
}

TEST_F(GmshMeshes, TellOfHinges) {
  GmshFile file;
  file.nodes.insert(file.nodes.end(), {"7 3 1 0", "8 3 2 0", "9 2 2 0"});
  file.elements.push_back("5 3 2 5 1 6 7 8 9");
  EXPECT_EQ(remarks(file.text()), "the body hangs together at a single node (node 6 at (2, 1)), as "
                                  "by a hinge; let its parts share an edge, or separate them\n");
}

} // namespace
