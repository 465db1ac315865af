// Elements of second order in input files of Abaqus: they give the meshes that Gmsh's files give.

#include <gmsh.h>

#include "input/gmsh_files.h"

namespace {
using namespace percussion;

class AbaqusOfSecondOrder : public test::GmshMeshes {
protected:
  /// Writes a block in [0, 2] × [0, 1] (× [0, 1]), meshed by Gmsh with second order, as block.inp
  /// and block.msh.
  void write_block(unsigned int dim, bool is_recombined, bool has_centres) const {
    gmsh::initialize(0, nullptr, false);
    const std::pair<const char *, double> options[] = {
        {"General.Terminal", 0},
        {"Mesh.ElementOrder", 2},
        {"Mesh.SecondOrderLinear", 1},
        {"Mesh.SecondOrderIncomplete", !has_centres}};
    for (const auto &[name, value] : options)
      gmsh::option::setNumber(name, value);
    namespace geometry = gmsh::model::geo;
    const int corners[] = {geometry::addPoint(0, 0, 0), geometry::addPoint(2, 0, 0),
                           geometry::addPoint(2, 1, 0), geometry::addPoint(0, 1, 0)};
    std::vector<int> edges;
    for (int k = 0; k < 4; ++k) {
      edges.push_back(geometry::addLine(corners[k], corners[(k + 1) % 4]));
      geometry::mesh::setTransfiniteCurve(edges.back(), 3);
    }
    const int section = geometry::addPlaneSurface({geometry::addCurveLoop(edges)});
    geometry::mesh::setTransfiniteSurface(section);
    if (is_recombined)
      geometry::mesh::setRecombine(2, section);
    gmsh::vectorpair swept;
    if (dim == 3)
      geometry::extrude({{2, section}}, 0, 0, 1, swept, {2}, {}, is_recombined);
    geometry::synchronize();
    const int body = dim == 3 ? swept[1].second : section, side = dim == 3 ? section : edges[0];
    const auto dimension = static_cast<int>(dim);
    gmsh::model::setPhysicalName(dimension - 1,
                                 gmsh::model::addPhysicalGroup(dimension - 1, {side}), "bottom");
    gmsh::model::setPhysicalName(dimension, gmsh::model::addPhysicalGroup(dimension, {body}),
                                 "block");
    gmsh::model::mesh::generate(dimension);
    for (const char *const name : {"block.inp", "block.msh"})
      gmsh::write((folder / name).string());
    gmsh::finalize();
  }

  std::string file(const std::string &name) const { return (folder / name).string(); }

  /// Expects that both files give the same vertices, up to the digits of texts, cells and regions.
  template <int dim>
  void expect_same_mesh() const {
    const auto mesh = read_mesh<dim>(file("block.inp")),
               expected = read_mesh<dim>(file("block.msh"));
    EXPECT_TRUE(mesh->remarks.empty()) << mesh->remarks.front();
    EXPECT_EQ(mesh->order, 2u);
    EXPECT_EQ(expected->order, 2u);
    const auto &vertices = mesh->triangulation.get_vertices(),
               &other_vertices = expected->triangulation.get_vertices();
    ASSERT_EQ(vertices.size(), other_vertices.size());
    for (std::size_t v = 0; v < vertices.size(); ++v)
      EXPECT_LT(vertices[v].distance(other_vertices[v]), 1e-13); // 16 digits, which Gmsh rounds
    ASSERT_EQ(mesh->triangulation.n_active_cells(), expected->triangulation.n_active_cells());
    auto other = expected->triangulation.begin_active();
    for (const auto &cell : mesh->triangulation.active_cell_iterators()) {
      for (const unsigned int v : cell->vertex_indices())
        EXPECT_EQ(cell->vertex_index(v), other->vertex_index(v));
      ++other;
    }
    EXPECT_EQ(mesh->region("block").cells, expected->region("block").cells);
    const Region &bottom = mesh->region("bottom"), &other_bottom = expected->region("bottom");
    EXPECT_EQ(bottom.dimension, dim - 1);
    EXPECT_EQ(bottom.nodes, other_bottom.nodes);
    ASSERT_EQ(bottom.faces.size(), other_bottom.faces.size());
    EXPECT_NEAR(bottom.measure, other_bottom.measure, 1e-13);
    for (std::size_t f = 0; f < bottom.faces.size(); ++f)
      EXPECT_EQ(std::pair(bottom.faces[f].cell, bottom.faces[f].face),
                std::pair(other_bottom.faces[f].cell, other_bottom.faces[f].face));
  }
};

TEST_F(AbaqusOfSecondOrder, GivesTheMeshOfGmshInThePlane) {
  for (const bool has_centres : {false, true})
    for (const bool is_recombined : {false, true}) { // CPS6; CPS8, M3D9; T3D3
      write_block(2, is_recombined, has_centres);
      expect_same_mesh<2>();
    }
}

TEST_F(AbaqusOfSecondOrder, GivesTheMeshOfGmshInSpace) {
  for (const bool has_centres : {false, true})
    for (const bool is_recombined : {false, true}) { // C3D10; C3D20, C3D27; their faces
      write_block(3, is_recombined, has_centres);
      expect_same_mesh<3>();
    }
}

/// Two triangles of second order on the unit square; the second one runs clockwise.
const std::string nodes = "*NODE, NSET=Nall\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n"
                          "5,.5,0\n6,1,.5\n7,.5,.5\n8,.5,1\n9,0,.5\n",
                  triangles = "1,1,2,3,5,6,7\n2,1,4,3,9,8,7\n";

TEST_F(AbaqusOfSecondOrder, HasSetsAndSurfaces) {
  const auto mesh = read_mesh<2>(
      write(nodes + "*ELEMENT, TYPE=CPE6MH, ELSET=Eall\n" + triangles +
                "*SURFACE, NAME=right\n1, S2\n*SURFACE, NAME=upper and left\n2, S1\n2, S2\n"
                "*NSET, NSET=lower\n1, 5, 2\n*NSET, NSET=cell\n1, 2, 3, 5, 6, 7\n"
                "*NSET, NSET=middles\n5, 6\n*NSET, NSET=diagonal\n1, 7, 3\n",
            "block.inp"));
  EXPECT_EQ(mesh->order, 2u);
  EXPECT_EQ(mesh->triangulation.n_vertices(), 4u);
  EXPECT_EQ(mesh->region("Nall").dimension, 2u); // the nodes of all cells
  EXPECT_EQ(mesh->region("Nall").cells, (std::vector<unsigned int>{0, 1}));
  EXPECT_EQ(mesh->region("cell").cells, (std::vector<unsigned int>{0}));
  EXPECT_EQ(mesh->region("lower").faces.size(), 1u);
  EXPECT_EQ(mesh->region("lower").nodes, (std::vector<unsigned int>{0, 1}));
  EXPECT_EQ(mesh->region("right").nodes, (std::vector<unsigned int>{1, 2}));
  EXPECT_EQ(mesh->region("upper and left").measure, 2.);
  EXPECT_EQ(mesh->region("diagonal").dimension, 0u);
  EXPECT_EQ(mesh->region("diagonal").nodes, (std::vector<unsigned int>{0, 2}));
  EXPECT_EQ(mesh->regions.count("middles"), 0u);
  ASSERT_EQ(mesh->remarks.size(), 2u); // on diagonal and middles
  EXPECT_NE(mesh->remarks[0].find("'diagonal' does not consist of whole faces or cells"),
            std::string::npos)
      << mesh->remarks[0];
  EXPECT_NE(mesh->remarks[1].find("'middles'"), std::string::npos) << mesh->remarks[1];
}

/// All faces of a brick by their labels; nodes of the edges as the manual numbers them.
TEST_F(AbaqusOfSecondOrder, HasFacesOfBricks) {
  std::string text = "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n"
                     "8,0,1,1\n9,.5,0,0\n10,1,.5,0\n11,.5,1,0\n12,0,.5,0\n13,.5,0,1\n14,1,.5,1\n"
                     "15,.5,1,1\n16,0,.5,1\n17,0,0,.5\n18,1,0,.5\n19,1,1,.5\n20,0,1,.5\n"
                     "*ELEMENT, TYPE=C3D20RH, ELSET=brick\n"
                     "1,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,\n16,17,18,19,20\n";
  for (int face = 1; face <= 6; ++face)
    text += "*SURFACE, NAME=S" + std::to_string(face) + "\nbrick, S" + std::to_string(face) + "\n";
  const auto mesh = read_mesh<3>(write(text, "brick.inp"));
  EXPECT_TRUE(mesh->remarks.empty());
  EXPECT_EQ(mesh->order, 2u);
  const auto &vertices = mesh->triangulation.get_vertices();
  const std::pair<unsigned int, double> planes[] = {{2, 0.}, {2, 1.}, {1, 0.},
                                                    {0, 1.}, {1, 1.}, {0, 0.}}; // of S1 to S6
  for (unsigned int face = 0; face < 6; ++face) {
    const Region &region = mesh->region("S" + std::to_string(face + 1));
    ASSERT_EQ(region.nodes.size(), 4u);
    ASSERT_EQ(region.faces.size(), 1u);
    for (const unsigned int node : region.nodes)
      EXPECT_EQ(vertices[node][planes[face].first], planes[face].second);
  }
}

/// Curved cells become straight, with the remark on cells of Gmsh.
TEST_F(AbaqusOfSecondOrder, IsStraightened) {
  std::string curved = nodes;
  curved.replace(curved.find("6,1,.5"), 6, "6,1.1,.5");
  const auto mesh = read_mesh<2>(write(curved + "*ELEMENT, TYPE=CPS6\n" + triangles, "block.inp"));
  ASSERT_EQ(mesh->remarks.size(), 1u);
  EXPECT_NE(mesh->remarks[0].find("up to 0.071 of the size"), std::string::npos)
      << mesh->remarks[0];
  EXPECT_EQ(mesh->region("body").measure, 1.);
}

TEST_F(AbaqusOfSecondOrder, HasAxisymmetricElements) {
  EXPECT_TRUE(read_mesh<2>(write(nodes + "*ELEMENT, TYPE=CAX6M\n" + triangles, "block.inp"))
                  ->is_axisymmetric);
  EXPECT_FALSE(read_mesh<2>(write(nodes + "*ELEMENT, TYPE=CPE6\n" + triangles, "block.inp"))
                   ->is_axisymmetric);
}

TEST_F(AbaqusOfSecondOrder, WrongFilesAreRefused) {
  const auto expect = [&](const std::string &text, const std::string &words) {
    try {
      read_mesh<2>(write(nodes + text, "block.inp"));
      ADD_FAILURE() << "accepted; expected: " << words;
    } catch (const InputError &error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos)
          << "missing: " << words << "\nin: " << error.what();
    }
  };
  expect("*ELEMENT, TYPE=CPE6\n1,1,2,3,5,6,7,8\n",
         "line 12: an element of the type CPE6 has 6 nodes");
  expect("*ELEMENT, TYPE=CPE8R\n1,1,2,3,4,5,6,8\n", "the file ends within an element");
  expect("*ELEMENT, TYPE=CPE6\n1,1,2,3,5,6,10\n",
         "element 1 has node 10, which the file does not hold");
  expect("*ELEMENT, TYPE=CPE6\n1,1,2,3,5,6,7\n*ELEMENT, TYPE=CPE3\n2,1,3,4\n",
         "mixes orders: element 1 has 6 nodes, and element 2 has 3");
  expect("*ELEMENT, TYPE=CPE6\n1,1,2,3,5,6,7\n*ELEMENT, TYPE=CAX6\n2,1,3,4,7,8,9\n",
         "mixes axisymmetric elements (CAX) with others: of elements 1 and 2");
  expect("*ELEMENT, TYPE=CPS8\n1,1,3,2,4,7,6,7,9\n", "element 1 with nodes 1 3 2 4 is not convex");
  expect("*ELEMENT, TYPE=CPE6\n" + triangles + "*SURFACE, NAME=a\n1, S4\n", "faces are S1 to S3");
  expect("*ELEMENT, TYPE=C3D15\n1,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6\n", "are pyramids or wedges");
  expect("*ELEMENT, TYPE=CGAX6\n", "axisymmetric with twist or bending");
  expect("*ELEMENT, TYPE=CPE7\n", "elements of the type CPE7 are unknown");
}

} // namespace
