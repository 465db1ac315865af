// Meshes and geometries of bodies in 3D.

#include <percussion/input/mesh_extremes.h>
#include <percussion/input/mesh_fingerprint.h>

#include "input/gmsh_files.h"

namespace {
using namespace percussion;

class MeshesInSpace : public test::GmshMeshes {
protected:
  /// Writes a box 2 × 1 × height above (or, for a negative height, below) a rectangle.
  std::string box(const std::string &height, const std::string &layers, const std::string &cells,
                  const std::string &names = "") const {
    return write("Point(1) = {0, 0, 0, 0.5};\nPoint(2) = {2, 0, 0, 0.5};\n"
                 "Point(3) = {2, 1, 0, 0.5};\nPoint(4) = {0, 1, 0, 0.5};\n"
                 "Line(1) = {1, 2};\nLine(2) = {2, 3};\nLine(3) = {3, 4};\nLine(4) = {4, 1};\n"
                 "Curve Loop(1) = {1, 2, 3, 4};\nPlane Surface(1) = {1};\n" +
                     cells + "\nout[] = Extrude {0, 0, " + height + "} { Surface{1}; " + layers +
                     " };\n" +
                     (names.empty() ? "Physical Volume(\"body\") = {out[1]};\n"
                                      "Physical Surface(\"base\") = {1};\n"
                                      "Physical Curve(\"edge\") = {1};\n"
                                    : names),
                 "box.geo");
  }

  static std::string refusal(const std::string &file) {
    try {
      read_mesh<3>(file);
    } catch (const InputError &error) {
      return error.what();
    }
    return "";
  }
  static void expect_refusal(const std::string &file, const std::string &words) {
    EXPECT_NE(refusal(file).find(words), std::string::npos) << refusal(file);
  }

  const std::string hexahedra = "Transfinite Surface{1};\nRecombine Surface{1};";
};

TEST_F(MeshesInSpace, TetrahedraHaveTheirRegions) {
  const auto mesh = read_mesh<3>(box("1.5", "", ""));
  EXPECT_EQ(mesh->shape, CellShape::simplex);
  EXPECT_NEAR(mesh->region("body").measure, 3., 1e-12);
  EXPECT_EQ(mesh->region("body").cells.size(), mesh->triangulation.n_active_cells());
  EXPECT_NEAR(mesh->region("base").measure, 2., 1e-12);
  EXPECT_EQ(mesh->region("base").faces.size(), mesh->region("base").n_elements);
  EXPECT_NEAR(mesh->region("edge").measure, 2., 1e-12);
  const auto extremes = mesh_extremes(*mesh);
  EXPECT_NEAR(extremes.size, 3., 1e-12);
  EXPECT_GT(extremes.smallest_angle, 10.);
  EXPECT_LE(extremes.smallest_angle, 60.);
}

TEST_F(MeshesInSpace, HexahedraHaveTheirRegions) {
  const auto mesh = read_mesh<3>(box("1.5", "Layers{3}; Recombine;", hexahedra));
  EXPECT_EQ(mesh->shape, CellShape::hypercube);
  EXPECT_EQ(mesh->triangulation.n_active_cells(), 4u * 2u * 3u);
  EXPECT_NEAR(mesh->region("body").measure, 3., 1e-12);
  EXPECT_EQ(mesh->region("base").faces.size(), 8u);
  EXPECT_EQ(mesh->region("base").nodes.size(), 15u);
  for (const unsigned int vertex : mesh->region("base").nodes)
    EXPECT_EQ(mesh->triangulation.get_vertices()[vertex][2], 0.);
  const auto extremes = mesh_extremes(*mesh);
  EXPECT_NEAR(extremes.smallest_angle, 90., 1e-8); // tolerance of Gmsh's division of curves
  EXPECT_NEAR(extremes.shortest_edge, 0.5, 1e-10);
}

/// A surface extruded against its normal makes mirrored cells, whose nodes are reordered.
TEST_F(MeshesInSpace, MirroredCellsAreTurned) {
  for (const std::string layers : {"", "Layers{3}; Recombine;"}) {
    const auto mesh = read_mesh<3>(box("-1.5", layers, layers.empty() ? "" : hexahedra));
    EXPECT_NEAR(mesh->region("body").measure, 3., 1e-12);
    for (const auto &cell : mesh->triangulation.active_cell_iterators())
      EXPECT_GT(cell->measure(), 0.);
  }
}

TEST_F(MeshesInSpace, TheDimensionIsThatOfTheNamedBody) {
  EXPECT_EQ(body_dimension({box("1", "", ""), {}}), 3u);
  EXPECT_EQ(body_dimension({box("1", "", "", "Physical Surface(\"body\") = {1};\n"), {}}), 2u);
  EXPECT_EQ(body_dimension({write(test::GmshFile().text()), {}}), 2u);
  EXPECT_EQ(body_dimension({folder.string() + "/none.msh", {}}), 2u);
  EXPECT_EQ(body_dimension({folder.string(), {}}), 2u);
  test::GmshFile space_file;
  space_file.names.emplace_back("3 7 \"body\"");
  EXPECT_EQ(body_dimension({write(space_file.text()), {}}), 3u);
}

TEST_F(MeshesInSpace, OtherCellsAreRefused) {
  expect_refusal(box("1", "Layers{2}; Recombine;", ""), "pyramids or wedges");
  expect_refusal(write(test::GmshFile().text()), "the mesh has no 3D elements; mesh the volume");
}

/// A tetrahedron as text of format 2.2, with additions.
struct Tetrahedra : test::GmshFile {
  Tetrahedra() {
    names = {"3 7 \"body\""};
    nodes = {"1 0 0 0", "2 1 0 0", "3 0 1 0", "4 0 0 1", "5 0.2 0.2 2"};
    elements = {"1 4 2 7 1 1 2 3 4"};
  }
};

TEST_F(MeshesInSpace, DegenerateAndOverlappingCellsAreRefused) {
  Tetrahedra mesh;
  mesh.elements.emplace_back("2 4 2 7 1 1 2 3 5"); // on the same side of the face 1 2 3
  expect_refusal(write(mesh.text()), "two elements lie on the same side of the face with nodes");
  mesh.nodes[3] = "4 0.3 0.3 0";
  mesh.elements.pop_back();
  expect_refusal(write(mesh.text()), "element 1 with nodes 1 2 3 4 is degenerate");
}

TEST_F(MeshesInSpace, FingerprintsTellMeshesApart) {
  const auto one = read_mesh<3>(box("1", "Layers{2}; Recombine;", hexahedra)),
             other = read_mesh<3>(box("1.1", "Layers{2}; Recombine;", hexahedra));
  EXPECT_NE(fingerprint(*one), fingerprint(*other));
}

} // namespace
