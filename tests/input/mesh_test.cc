#include "input/gmsh_files.h"

namespace {
using namespace percussion;
using test::GmshFile, test::GmshMeshes;

TEST_F(GmshMeshes, KeepTheirCellsAndRegions) {
  const auto mesh = read_mesh<2>(write(GmshFile().text()));
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
  EXPECT_EQ(bottom.nodes, (std::vector<unsigned int>{0, 1, 2}));
  EXPECT_TRUE(mesh->region("block").faces.empty());
  EXPECT_EQ(mesh->region("block").cells, (std::vector<unsigned int>{0, 1}));
  EXPECT_TRUE(bottom.cells.empty());
  double area = 0;
  for (const auto &cell : mesh->triangulation.active_cell_iterators())
    area += cell->measure();
  EXPECT_DOUBLE_EQ(area, 2.);
}

TEST_F(GmshMeshes, OfTrianglesMayHaveUnusedNodes) {
  GmshFile file;
  file.nodes.push_back("7 9 9 0");
  file.elements = {"1 1 2 1 1 1 2", "2 2 2 5 1 1 2 5", "3 2 2 5 1 1 5 4"};
  const auto mesh = read_mesh<2>(write(file.text()));
  EXPECT_EQ(mesh->shape, CellShape::simplex);
  EXPECT_EQ(mesh->triangulation.n_vertices(), 4u);
}

TEST_F(GmshMeshes, SayWhichRegionIsMeant) {
  const auto mesh = read_mesh<2>(write(GmshFile().text()));
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
    read_mesh<2>((folder / "blok.msh").string());
    FAIL() << "no exception";
  } catch (const InputError &error) {
    EXPECT_NE(std::string(error.what()).find("; did you mean 'block.msh'?"), std::string::npos);
  }
  EXPECT_THROW(read_mesh<2>(folder.string()), InputError);
  std::filesystem::create_symlink("loop.msh", folder / "loop.msh");
  try {
    read_mesh<2>((folder / "loop.msh").string());
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

TEST_F(GmshMeshes, NeedNoNames) {
  GmshFile file;
  file.names.clear();
  const auto mesh = read_mesh<2>(write(file.text()));
  EXPECT_EQ(mesh->region_names(),
            (std::vector<std::string>{"body", "curve group 1", "surface group 5"}));
  EXPECT_EQ(mesh->region("body").n_elements, 2u);
  EXPECT_EQ(mesh->region("curve group 1").faces.size(), 2u);
  for (std::string &element : file.elements) // as programs without groups write it
    element.replace(element.find(" 2 ") + 3, 1, "0");
  EXPECT_EQ(read_mesh<2>(write(file.text()))->region_names(), (std::vector<std::string>{"body"}));
}

/// Elements of format 2.2 with one geometrical tag belong to one physical group, named or not.
TEST_F(GmshMeshes, WithoutNamesHaveSeparateGroups) {
  GmshFile file;
  file.names.clear();
  file.elements[1] = "2 1 2 7 1 2 3";
  expect_complaint(file, "in several physical groups ('curve group 1', 'curve group 7')");
}

TEST_F(GmshMeshes, NameTheBodyIfTheyHaveNames) {
  GmshFile file;
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
  expect_complaint(file, "two physical groups are named 'edge'; give each");
  file.names = {"1 1 \"block\"", "1 2 \"edge\"", "2 5 \"block\""};
  expect_complaint(file, "two physical groups are named 'block'; give each");
  file = GmshFile();
  file.names.push_back("1 9 \"nothing\"");
  expect_complaint(file, "region 'nothing' has no elements");
  file.names.back() = "3 9 \"volume\""; // a 2D mesh ignores it
  EXPECT_EQ(complaint(file.text()), "");
}

TEST_F(GmshMeshes, LieInThePlane) {
  GmshFile file;
  file.nodes[5] = "6 2 1 0.25";
  expect_complaint(file, "node 6 at (2, 1, 0.25) lies off the plane z = 0");
  file.nodes[5] = "6 nan 1 0";
  expect_complaint(file, "node 6");
  file.nodes[5] = "6 1e200 1 0";
  expect_complaint(file, "node 6 at (1e+200, 1, 0) is not a finite number or too far away");
  file = GmshFile();
  file.names = {"3 5 \"block\""};
  file.nodes = {"1 0 0 0", "2 1 0 0", "3 0 1 0", "4 0 0 1"};
  file.elements = {"1 4 2 5 1 1 2 3 4"};
  expect_complaint(file, "the mesh has 3D elements");
}

TEST_F(GmshMeshes, HaveCellsOfOneShape) {
  GmshFile file;
  file.elements = {"1 1 2 1 1 1 2", "2 2 2 5 1 1 2 5", "3 2 2 5 1 1 5 4", "4 3 2 5 1 2 3 6 5"};
  expect_complaint(file, "mixes triangles and quadrilaterals");
}

TEST_F(GmshMeshes, MayBeOfSecondOrder) {
  GmshFile file;
  file.names = {"1 1 \"bottom\"", "2 5 \"block\""};
  file.nodes = {"1 0 0 0", "2 1 0 0", "3 0 1 0", "4 .5 0 0", "5 .5 .5 0", "6 0 .5 0"};
  file.elements = {"1 8 2 1 1 1 2 4", "2 9 2 5 1 1 2 3 4 5 6"};
  const auto straight = read_mesh<2>(write(file.text()));
  EXPECT_EQ(straight->order, 2u);
  EXPECT_EQ(straight->triangulation.n_vertices(), 3u);
  EXPECT_EQ(straight->region("bottom").nodes, (std::vector<unsigned int>{0, 1}));
  EXPECT_EQ(straight->region("bottom").faces.size(), 1u);
  EXPECT_TRUE(straight->remarks.empty());
  file.nodes[4] = "5 .6 .6 0";
  const auto curved = read_mesh<2>(write(file.text()));
  ASSERT_EQ(curved->remarks.size(), 1u);
  EXPECT_NE(curved->remarks.front().find("up to 0.1 of the size"), std::string::npos)
      << curved->remarks.front();
  file.nodes = {"1 0 0 0",     "2 1 0 0",         "3 0 1 0",         "4 .3333 0 0",
                "5 .6667 0 0", "6 .6667 .3333 0", "7 .3333 .6667 0", "8 0 .6667 0",
                "9 0 .3333 0", "10 .3333 .3333 0"};
  file.elements = {"1 21 2 5 1 1 2 3 4 5 6 7 8 9 10"};
  file.names = {"2 5 \"block\""};
  expect_complaint(file, "element 1 is of order 3");
}

/// Cells that run clockwise are turned, all of them or some.
TEST_F(GmshMeshes, MayHaveClockwiseCells) {
  const GmshFile file;
  const auto expected = read_mesh<2>(write(file.text()));
  for (const bool all : {false, true}) {
    GmshFile clockwise;
    clockwise.elements.back() = "4 3 2 5 1 2 5 6 3";
    if (all)
      clockwise.elements[2] = "3 3 2 5 1 1 4 5 2";
    const auto mesh = read_mesh<2>(write(clockwise.text(), "clockwise.msh"));
    EXPECT_EQ(mesh->region("block").measure, expected->region("block").measure);
    EXPECT_EQ(mesh->region("bottom").faces.size(), expected->region("bottom").faces.size());
    for (const auto &cell : mesh->triangulation.active_cell_iterators())
      EXPECT_GT(cell->measure(), 0.);
  }
  GmshFile triangles;
  triangles.elements = {"1 1 2 1 1 1 2", "2 2 2 5 1 1 5 2", "3 2 2 5 1 1 5 4"};
  const auto mesh = read_mesh<2>(write(triangles.text(), "triangles.msh"));
  EXPECT_DOUBLE_EQ(mesh->region("block").measure, 1.);
  for (const auto &cell : mesh->triangulation.active_cell_iterators())
    EXPECT_GT(cell->measure(), 0.);
}

TEST_F(GmshMeshes, AreNotNumberedFromZero) {
  GmshFile file;
  file.nodes = {"0 0 0 0", "1 1 0 0", "2 2 0 0", "3 0 1 0", "4 1 1 0", "5 2 1 0"};
  file.elements = {"1 1 2 1 1 0 1", "2 1 2 1 1 1 2", "3 3 2 5 1 0 1 4 3", "4 3 2 5 1 1 2 5 4"};
  expect_complaint(file, "its nodes are numbered from 0, and Gmsh numbers them from 1");
}

TEST_F(GmshMeshes, HaveCellsThatFillAnArea) {
  GmshFile file;
  file.elements.back() = "4 3 2 5 1 2 3 5 6";
  expect_complaint(file, "element 4 with nodes 2 3 5 6 is not convex or crosses itself");
  file = GmshFile();
  file.nodes[5] = "6 1.5 0.5 0"; // between 3 and 5
  expect_complaint(file, "element 4 with nodes 2 3 6 5 is degenerate");
  file = GmshFile();
  file.nodes.push_back("7 1.5 1.5 0");
  file.elements.push_back("5 3 2 5 1 2 3 7 5"); // over element 4
  expect_complaint(file, "two elements lie on the same side of the edge between the nodes 2 and 3");
}

TEST_F(GmshMeshes, HaveRegionsOfTheBody) {
  GmshFile file;
  file.nodes.insert(file.nodes.end(), {"7 5 0 0", "8 6 0 0"});
  file.elements[1] = "2 1 2 1 1 7 8";
  expect_complaint(file, "region 'bottom' has node 7, which belongs to no cell of the body");
}

/// Regions of cells may be interlaced and have common cells; an element of a second region is then
/// twice in a file of format 2.2.
TEST_F(GmshMeshes, KnowTheCellsOfRegions) {
  GmshFile file;
  file.names = {"1 1 \"bottom\"", "2 5 \"odd\"", "2 6 \"even\"", "2 7 \"last two\""};
  file.nodes = {};
  file.elements = {"1 1 2 1 1 1 2"};
  for (int i = 0; i <= 5; ++i)
    for (const int j : {0, 1})
      file.nodes.push_back(std::to_string(1 + i + 6 * j) + " " + std::to_string(i * i) + " " +
                           std::to_string(j) + " 0");
  const auto add_square = [&](int i, const std::string &tags) {
    std::string line = std::to_string(file.elements.size() + 1) + " 3 2 " + tags;
    for (const int corner : {i, i + 1, i + 7, i + 6})
      line += " " + std::to_string(corner);
    file.elements.push_back(line);
  };
  for (const int i : {1, 3, 5})
    add_square(i, "5 5");
  for (const int i : {4, 2})
    add_square(i, "6 6");
  for (const int i : {5, 4})
    add_square(i, "7 7");
  const auto mesh = read_mesh<2>(write(file.text()));
  EXPECT_EQ(mesh->triangulation.n_active_cells(), 5u);
  using Cells = std::vector<unsigned int>;
  EXPECT_EQ(mesh->region("odd").cells, (Cells{0, 1, 2}));
  EXPECT_EQ(mesh->region("even").cells, (Cells{3, 4}));
  EXPECT_EQ(mesh->region("last two").cells, (Cells{2, 3}));
  EXPECT_EQ(mesh->region("last two").n_elements, 2u);
  EXPECT_DOUBLE_EQ(mesh->region("last two").measure, 16.);
  std::vector<double> left_ends;
  for (const auto &cell : mesh->triangulation.active_cell_iterators())
    left_ends.push_back(std::sqrt(cell->vertex(0)[0]) + 1);
  EXPECT_EQ(left_ends, (std::vector<double>{1, 3, 5, 4, 2}));
}

TEST_F(GmshMeshes, MayHaveElementsTwice) {
  GmshFile file;
  file.elements.push_back("7 3 2 5 1 3 6 5 2");
  file.names.push_back("1 2 \"left end\"");
  file.elements.push_back("5 1 2 2 2 1 2");
  file.elements.push_back("6 1 2 1 3 3 2");
  const auto mesh = read_mesh<2>(write(file.text()));
  EXPECT_EQ(mesh->region("left end").faces.size(), 1u);
  EXPECT_EQ(mesh->region("bottom").faces.size(), 2u);
  EXPECT_EQ(mesh->region("bottom").n_elements, 2u);
  EXPECT_DOUBLE_EQ(mesh->region("bottom").measure, 2.);
  EXPECT_EQ(mesh->region("block").cells, (std::vector<unsigned int>{0, 1}));
  EXPECT_EQ(mesh->region("block").n_elements, 2u);
  EXPECT_DOUBLE_EQ(mesh->region("block").measure, 2.);
}

/// A region inside the body, such as a fault, is not on the boundary.
TEST_F(GmshMeshes, MayHaveRegionsInside) {
  GmshFile file;
  file.names.push_back("1 2 \"inside\"");
  file.elements.push_back("5 1 2 2 2 2 5");
  const Region inside = read_mesh<2>(write(file.text()))->region("inside");
  EXPECT_TRUE(inside.faces.empty());
  EXPECT_EQ(inside.nodes, (std::vector<unsigned int>{1, 4}));
  EXPECT_DOUBLE_EQ(inside.measure, 1.);
}

/// Gmsh would add all elements to both groups.
TEST_F(GmshMeshes, HaveTheirOwnTagsInEachGroup) {
  GmshFile file;
  file.names.push_back("1 2 \"left end\"");
  file.elements[0] = "1 1 2 2 1 1 2";
  expect_complaint(file, "elements with the geometrical tag 1 are in several physical groups "
                         "('bottom', 'left end'), which format 2.2 does not tell apart");
}

} // namespace
