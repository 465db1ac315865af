// Meshes of other programs: Abaqus, VTK, CAD, and what Gmsh reads beside its own formats.

#include <gmsh.h>

#include "input/gmsh_files.h"

namespace {
using namespace percussion;

class MeshFormats : public test::GmshMeshes {
protected:
  /// Expects this message for a file of a plane body.
  void expect_refusal(const std::string &text, const std::string &name,
                      const std::string &words) const {
    try {
      read_mesh<2>(write(text, name));
      ADD_FAILURE() << "accepted; expected: " << words;
    } catch (const InputError &error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos)
          << "missing: " << words << "\nin: " << error.what();
    }
  }
};

void expect_region(const Region &region, unsigned int dimension, unsigned int n_elements,
                   std::size_t n_vertices, double measure) {
  EXPECT_EQ(region.dimension, dimension);
  EXPECT_EQ(region.n_elements, n_elements);
  EXPECT_EQ(region.nodes.size(), n_vertices);
  EXPECT_NEAR(region.measure, measure, 1e-14);
}

/// Two squares side by side, as a program of finite elements writes them.
const std::string squares = "*HEADING\n a block\n** a comment\n*NODE, NSET=all\n"
                            "1, 0., 0.\n2, 1., 0.\n3, 2., 0.\n4, 0., 1.\n5, 1., 1.\n6, 2., 1.\n"
                            "*Element, type=CPS4R, elset=Left\n 1, 1, 2, 5, 4\n"
                            "*Element, type=CPS4R, elset=Right\n 7, 2, 3,\n 6, 5\n";

TEST_F(MeshFormats, AbaqusHasSetsAndSurfaces) {
  const auto mesh = read_mesh<2>(
      write(squares + "*NSET, NSET=under, GENERATE\n1, 3\n*NSET, NSET=corners\n1, 3\n"
                      "*ELSET, ELSET=both\nLeft, right\n"
                      "*SURFACE, TYPE=ELEMENT, NAME=top\nboth, S3\n"
                      "*SURFACE, NAME=\"whole boundary\"\n1\n7,\n"
                      "*SURFACE, TYPE=NODE, NAME=side\n3\n6\n*STEP\n*STATIC\n1., 1.\n*END STEP\n",
            "block.inp"));
  EXPECT_EQ(mesh->cells_in_words(), "quadrilaterals");
  EXPECT_EQ(mesh->region_names(),
            (std::vector<std::string>{"Left", "Right", "all", "both", "corners", "side", "top",
                                      "under", "whole boundary"}));
  expect_region(mesh->region("both"), 2, 2, 6, 2.);
  expect_region(mesh->region("Left"), 2, 1, 4, 1.);
  expect_region(mesh->region("under"), 1, 2, 3, 2.); // nodes of faces are the faces
  expect_region(mesh->region("top"), 1, 2, 3, 2.);
  expect_region(mesh->region("side"), 1, 1, 2, 1.);
  expect_region(mesh->region("whole boundary"), 1, 6, 6, 6.);
  expect_region(mesh->region("corners"), 0, 2, 2, 0.);
  EXPECT_TRUE(mesh->remarks.empty());
}

/// A cube, with labels of all its faces, in one instance that is not moved.
TEST_F(MeshFormats, AbaqusInSpace) {
  std::string text = "*PART, NAME=P\n*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n"
                     "5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n9, 0.5, 0.5, 3\n"
                     "*ELEMENT, TYPE=C3D8R,\n ELSET=EALL\n1, 1, 2, 3, 4, 5, 6, 7, 8\n"
                     "*ELEMENT, TYPE=MASS, ELSET=point mass\n2, 9\n*NSET, NSET=reference\n9\n"
                     "*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n0., 0., 0.\n"
                     "*END INSTANCE\n*ELSET, ELSET=_top_S2, INSTANCE=I\n1\n"
                     "*SURFACE, NAME=top\n_top_S2, S2\n";
  for (int face = 1; face <= 6; ++face)
    text += "*SURFACE, NAME=face " + std::to_string(face) + "\n1, S" + std::to_string(face) + "\n";
  const std::string file = write(text, "cube.INP");
  EXPECT_EQ(body_dimension({file}), 3u);
  const auto mesh = read_mesh<3>(MeshSource{file, {}, 0., 2.});
  EXPECT_EQ(mesh->cells_in_words(), "hexahedra");
  expect_region(mesh->region("EALL"), 3, 1, 8, 8.); // in the unit of the case
  const auto height = [&](const Region &region) {
    double sum = 0;
    for (const unsigned int v : region.nodes)
      sum += mesh->triangulation.get_vertices()[v][2];
    return sum;
  };
  expect_region(mesh->region("top"), 2, 1, 4, 4.);
  EXPECT_EQ(mesh->region("face 2").nodes, mesh->region("top").nodes);
  EXPECT_EQ(height(mesh->region("face 1")), 0.);
  EXPECT_EQ(height(mesh->region("top")), 8.);
  for (int face = 3; face <= 6; ++face)
    EXPECT_EQ(height(mesh->region("face " + std::to_string(face))), 4.);
  ASSERT_EQ(mesh->remarks.size(), 1u); // the reference node is no node of the body
  EXPECT_NE(mesh->remarks[0].find("'reference'"), std::string::npos);
}

TEST_F(MeshFormats, WrongAbaqusFiles) {
  const std::string nodes = "*NODE\n1,0,0\n2,1,0\n3,0,1\n",
                    triangle = "*ELEMENT,TYPE=CPE3\n1,1,2,3\n";
  const auto expect = [&](const std::string &text, const std::string &words) {
    expect_refusal(text, "block.inp", words);
  };
  expect("a letter", "no nodes and elements (*NODE, *ELEMENT)");
  expect(nodes + "*ELEMENT,TYPE=C3D6\n1,1,2,3,1,2,3\n", "pyramids or wedges");
  expect(nodes + "*ELEMENT,TYPE=XYZ3\n1,1,2,3\n", "elements of the type XYZ3 are unknown");
  expect(nodes + "*ELEMENT,TYPE=MASS" + std::string(1000000, 'A') + "\n1,1\n", "are unknown");
  expect(nodes + "*ELEMENT\n1,1,2,3\n", "*ELEMENT needs TYPE=");
  expect(nodes + "*ELEMENT,TYPE=CPE3\n1,1,2,4\n",
         "element 1 has node 4, which the file does not hold");
  expect(nodes + "*ELEMENT,TYPE=CPE3\n1,1,2\n", "ends within an element");
  expect(nodes + "*ELEMENT,TYPE=CPE3\n1,1,2\n*NSET,NSET=a\n",
         "line 7: an element ends before its last node");
  expect(nodes + "*ELEMENT,TYPE=CPE3\n1,1,2,3,4\n",
         "line 6: an element of the type CPE3 has 3 nodes");
  expect("*NODE\n1,0,x\n", "line 2: 'x' is not a number");
  expect("*NODE\n1.5,0,0\n", "line 2: '1.5' is not the number of a node or an element");
  expect("*NODE\n1,0\n", "line 2: a node needs a number and two or three coordinates");
  expect(nodes + triangle + "*NSET,NSET=a\nb\n", "line 8: there is no set 'b' before this line");
  expect(nodes + triangle + "*NSET\n1\n", "line 7: *NSET needs a name");
  expect(nodes + triangle + "*NSET,NSET=a,GENERATE\n1,3,0\n", "GENERATE needs numbers that ascend");
  expect(nodes + triangle + "*SURFACE,NAME=a\n1,S4\n", "faces are S1 to S3");
  expect(nodes + triangle + "*SURFACE,NAME=a\nb,S1\n", "names 'b', which is no set and no element");
  expect(nodes + triangle + "*SURFACE\n1,S1\n", "*SURFACE needs NAME=");
  expect("*INCLUDE, INPUT=/etc/passwd\n", "line 1: *INCLUDE is not read");
  expect("*INSTANCE,NAME=a\n1,0,0\n", "line 2: an instance that is moved is not read");
  expect("*INSTANCE,NAME=a\n*INSTANCE,NAME=b\n", "line 2: several parts or instances");
  expect("*PART,NAME=a\n*PART,NAME=b\n", "line 2: several parts or instances");
  expect("*NODE,SYSTEM=C\n1,0,0\n", "line 1: SYSTEM=C is not read");
  expect("*NODE,INPUT=nodes\n", "line 1: INPUT= is not read");
  expect(nodes + triangle + "*ELGEN\n1,3,1,1\n", "line 7: *ELGEN is not read");
  expect(nodes + "2,3,0\n", "line 5: node 2 is given twice, at different positions");
  expect(nodes + triangle + "1,3,2,1\n", "line 7: element 1 is given twice, with different nodes");
  expect(nodes + triangle + "*NSET,NSET=a,GENERATE\n1,2000000000\n",
         "GENERATE gives more numbers than the file can have");
  expect(nodes + triangle + "*SURFACE,NAME=a,TYPE=NODE\n-1\n", "'-1' is not the number of a node");
  expect(nodes + triangle + "*SURFACE,NAME=a\n,\n", "line 8: a surface needs an element");
  expect("*,\n", "line 1: a keyword is missing behind '*'");
  expect(nodes + "*ELEMENT,TYPE=SAX1\n1,1,2\n", "elements of the type SAX1 are axisymmetric");
  expect(nodes + "4,1,1\n5,2,0\n6,2,1\n*ELEMENT,TYPE=S3\n1,1,2,3\n*ELEMENT,TYPE=S4\n2,2,5,6,4\n",
         "mixes triangles and quadrilaterals");
  expect(nodes + "*ELEMENT,TYPE=T2D2\n1,1,2\n", "the file has no 2D elements (*ELEMENT)");
}

/// Reference points of an assembly have numbers of their own, and sets of other elements and of
/// Abaqus itself are no regions: all cells are the body.
TEST_F(MeshFormats, AbaqusHasOtherNodesAndElements) {
  const auto mesh = read_mesh<3>(
      write("*PART, NAME=P\n*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n"
            "7,1,1,1\n8,0,1,1\n*ELEMENT, TYPE=C3D8, ELSET=_all\n1,1,2,3,4,5,6,7,8\n"
            "*ELEMENT, TYPE=S3, ELSET=skin\n2,1,2,3\n*NSET, NSET=under, GENERATE\n1,4\n*END PART\n"
            "*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n"
            "*NODE\n5, 9, 9, 9\n*NSET, NSET=reference\n5\n*END ASSEMBLY\n",
            "cube.inp"));
  EXPECT_EQ(mesh->region_names(), (std::vector<std::string>{"body", "under"}));
  expect_region(mesh->region("body"), 3, 1, 8, 1.);
  expect_region(mesh->region("under"), 2, 1, 4, 1.);
}

/// Returns a grid of VTK as text: cells by the numbers of their points.
std::string grid(const std::string &points, const std::vector<std::string> &cells,
                 const std::string &types, const std::string &values) {
  const auto n_points = (std::count(points.begin(), points.end(), ' ') + 1) / 3;
  std::string connectivity, offsets;
  std::size_t end = 0;
  for (const std::string &cell : cells) {
    connectivity += cell + " ";
    end += static_cast<std::size_t>(std::count(cell.begin(), cell.end(), ' ')) + 1;
    offsets += std::to_string(end) + " ";
  }
  const auto array = [](const std::string &type, const std::string &name, const std::string &data,
                        const std::string &more = "") {
    return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" format=\"ascii\"" + more + ">" +
           data + "</DataArray>";
  };
  return "<?xml version=\"1.0\"?><VTKFile type=\"UnstructuredGrid\" version=\"0.1\">"
         "<UnstructuredGrid><Piece NumberOfPoints=\"" +
         std::to_string(n_points) + "\" NumberOfCells=\"" + std::to_string(cells.size()) +
         "\"><CellData>" + array("Int32", "my material", values) + "</CellData><Points>" +
         array("Float64", "Points", points, " NumberOfComponents=\"3\"") + "</Points><Cells>" +
         array("Int64", "connectivity", connectivity) + array("Int64", "offsets", offsets) +
         array("UInt8", "types", types) + "</Cells></Piece></UnstructuredGrid></VTKFile>\n";
}

const std::string six_points = "0 0 0 1 0 0 2 0 0 0 1 0 1 1 0 2 1 0";

TEST_F(MeshFormats, VtkHasArraysOfCells) {
  // a quadrilateral, a pixel, which has another order of corners, and lines
  const std::string file = write(
      grid(six_points, {"0 1 4 3", "1 2 4 5", "0 1", "1 2", "2 5"}, "9 8 3 3 3", "1 2 10 10 11"),
      "block.vtu");
  EXPECT_EQ(body_dimension({file}), 2u);
  const auto mesh = read_mesh<2>(file);
  expect_region(mesh->region("body"), 2, 2, 6, 2.);
  expect_region(mesh->region("my_material 10"), 1, 2, 3, 2.);
  expect_region(mesh->region("my_material 11"), 1, 1, 2, 1.);
  EXPECT_EQ(mesh->arrays.at("my_material"), (std::vector<double>{1., 2.}));
}

/// The components of vectors number no regions.
TEST_F(MeshFormats, VtkHasVectorsOfCells) {
  std::string text = grid(six_points, {"0 1 4 3", "1 2 5 4", "2 5"}, "9 9 3", "1 2 10");
  text.insert(text.find("</CellData>"),
              "<DataArray type=\"Float64\" Name=\"muscle\" NumberOfComponents=\"3\" "
              "format=\"ascii\">1 2 3 4 5 6 7 8 9</DataArray>"
              "<DataArray type=\"Float64\" Name=\"strain\" NumberOfComponents=\"6\" "
              "format=\"ascii\">1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9</DataArray>");
  const auto mesh = read_mesh<2>(write(text, "block.vtu"));
  EXPECT_EQ(mesh->arrays.size(), 4u);
  EXPECT_EQ(mesh->arrays.at("muscle.x"), (std::vector<double>{1., 4.}));
  EXPECT_EQ(mesh->arrays.at("muscle.z"), (std::vector<double>{3., 6.}));
  EXPECT_EQ(mesh->region_names(), (std::vector<std::string>{"body", "my_material 10"}));
}

const std::string square_of_vtk = "# vtk DataFile Version 3.0\nblock\nASCII\n"
                                  "DATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n"
                                  "0 0 0\n1 0 0\n1 1 0\n0 1 0\nCELLS 2 8\n3 0 1 2\n3 0 2 3\n"
                                  "CELL_TYPES 2\n5\n5\n";

TEST_F(MeshFormats, VtkOfTheOlderFormat) {
  const auto mesh = read_mesh<2>(write(square_of_vtk, "block.vtk"));
  EXPECT_EQ(mesh->cells_in_words(), "triangles");
  expect_region(mesh->region("body"), 2, 2, 4, 1.);
}

TEST_F(MeshFormats, ByteOrderMarksPrecedeTexts) {
  const std::string mark = "\xEF\xBB\xBF",
                    cells = grid(six_points, {"0 1 4 3", "1 2 5 4"}, "9 9", "1 1");
  for (const auto &[text, name] : {std::pair(square_of_vtk, "block.vtk"),
                                   std::pair(cells, "block.vtu"), std::pair(squares, "block.inp")})
    EXPECT_EQ(read_mesh<2>(write(mark + text, name))->cells_in_words(),
              read_mesh<2>(write(text, name))->cells_in_words());
  for (const char *const name :
       {"block.msh", "block.vtk", "block.vtu", "block.inp", "block.bdf", "block.unv", "block.step"})
    for (const char *const other_mark : {"\xFF\xFE", "\xFE\xFF"})
      expect_refusal(other_mark + std::string("$\0M\0", 4), name,
                     "its text is in UTF-16; save it as UTF-8");
}

TEST_F(MeshFormats, WrongVtkFiles) {
  const std::string none = "VTK reads no unstructured grid with cells from this file";
  // with all lengths of a file that is cut off in its points or cells
  for (std::size_t length = 60; length < square_of_vtk.find("CELL_TYPES"); length += 5)
    expect_refusal(square_of_vtk.substr(0, length), "block.vtk",
                   "); if it is cut off, write it again");
  expect_refusal(square_of_vtk.substr(0, square_of_vtk.find("CELLS")), "block.vtk",
                 none + " (it has 4 points and no cells)");
  expect_refusal("a letter", "block.vtu", none);
  expect_refusal("a letter", "block.vtk", none);
  expect_refusal(grid(six_points, {"0 1 4 3", "1 2 5"}, "9 5", "1 1"), "block.vtu",
                 "mixes triangles and quadrilaterals");
  expect_refusal(grid(six_points, {"0 1 2 3 4 5"}, "36", "1"), "block.vtu",
                 "is none of the cells of first or second order");
  expect_refusal(grid(six_points, {"0 1 2 3 4 5"}, "13", "1"), "block.vtu",
                 "is a pyramid or wedge");
  expect_refusal(grid(six_points, {"0 1 2 5 4 3"}, "7", "1"), "block.vtu",
                 "(vtkPolygon) is no triangle, quadrilateral, tetrahedron or hexahedron");
  expect_refusal(grid(six_points, {"0 1"}, "3", "1"), "block.vtu", "the mesh has no 2D cells");
}

/// Writes a box by Gmsh's geometry kernel, meshed or not.
void write_box(const std::string &file, bool is_meshed) {
  gmsh::initialize(0, nullptr, false);
  gmsh::option::setNumber("General.Terminal", 0);
  gmsh::model::add("box");
  gmsh::model::occ::addBox(0, 0, 0, 20, 10, 10);
  gmsh::model::occ::synchronize();
  if (is_meshed) {
    gmsh::option::setNumber("Mesh.MeshSizeMin", 10);
    gmsh::model::mesh::generate(3);
  }
  gmsh::write(file);
  gmsh::finalize();
}

TEST_F(MeshFormats, CadIsMeshedWithTheSizeAndInTheUnitOfTheCase) {
  const std::string file = (folder / "box.brep").string();
  write_box(file, false);
  EXPECT_TRUE(is_cad(file));
  EXPECT_EQ(body_dimension({file}), 3u);
  unsigned int n_coarse = 0;
  for (const double size : {0.5, 0.25}) {
    const auto mesh = read_mesh<3>(MeshSource{file, {}, size, 0.1});
    EXPECT_EQ(mesh->regions.size(), 7u);
    EXPECT_NEAR(mesh->region("body").measure, 2., 1e-12);
    double area = 0;
    for (int face = 1; face <= 6; ++face)
      area += mesh->region("face " + std::to_string(face)).measure;
    EXPECT_NEAR(area, 10., 1e-12);
    EXPECT_GT(mesh->triangulation.n_active_cells(), 3 * n_coarse);
    n_coarse = mesh->triangulation.n_active_cells();
  }
}

/// The same box in each format of CAD programs; tests/input/box.igs is by Open CASCADE.
TEST_F(MeshFormats, CadFormatsHoldTheSameBox) {
  for (const char *const name :
       {"box.igs", "box.iges", "box.IGS", "box.step", "box.stp", "box.brep"}) {
    SCOPED_TRACE(name);
    const std::string file = (folder / name).string();
    if (std::tolower(fs::path(name).extension().string()[1]) == 'i')
      fs::copy_file(fs::path(PERCUSSION_SOURCE_DIR) / "tests/input/box.igs", file);
    else
      write_box(file, false);
    EXPECT_EQ(body_dimension({file}), 3u);
    const auto mesh = read_mesh<3>(MeshSource{file, {}, 5., 1.});
    EXPECT_EQ(mesh->regions.size(), 7u);
    EXPECT_NEAR(mesh->region("body").measure, 2000., 1e-9);
  }
}

TEST_F(MeshFormats, FormatsThatGmshReads) {
  for (const char *const name : {"box.unv", "box.mesh", "box.bdf", "box.msh"}) {
    SCOPED_TRACE(name);
    const std::string file = (folder / name).string();
    write_box(file, true);
    EXPECT_EQ(body_dimension({file}), 3u);
    EXPECT_NEAR(read_mesh<3>(file)->region("body").measure, 2000., 1e-9);
  }
}

/// A format that not every Gmsh has is not offered.
TEST_F(MeshFormats, MedNeedsALibraryOfGmsh) {
  gmsh::initialize(0, nullptr, false);
  std::string options;
  gmsh::option::getString("General.BuildOptions", options);
  gmsh::finalize();
  if ((" " + options + " ").find(" Med ") != std::string::npos)
    GTEST_SKIP() << "this Gmsh has the library";
  expect_refusal("\x89HDF\r\n\x1a\n", "box.med",
                 "this Gmsh is built without the library of .med files; convert the file: meshio "
                 "convert box.med box.vtu");
  try {
    read_mesh<2>(write("a letter", "box.xdmf"));
    ADD_FAILURE() << "accepted";
  } catch (const InputError &error) {
    EXPECT_EQ(std::string(error.what()).find(".med"), std::string::npos) << error.what();
  }
}

/// meshio has one type of Abaqus for all quadrilaterals, CAX4P.
TEST_F(MeshFormats, QuadrilateralsOfMeshioAreNoBodiesOfRevolution) {
  const std::string nodes = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n",
                    cell = "*ELEMENT, TYPE=CAX4P\n1,1,2,3,4\n",
                    heading = "*HEADING\nAbaqus DataFile Version 6.14\n";
  const auto is_axisymmetric = [&](const std::string &text) {
    return read_mesh<2>(write(text, "block.inp"))->is_axisymmetric;
  };
  EXPECT_FALSE(is_axisymmetric(heading + "written by meshio v5.3.4\n" + nodes + cell));
  EXPECT_TRUE(is_axisymmetric(heading + nodes + cell));
  EXPECT_TRUE(is_axisymmetric(nodes + cell));
}

/// Gmsh takes the first node of an element without a property for its property.
TEST_F(MeshFormats, ElementsOfNastranNeedProperties) {
  const std::string nodes =
      "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\n";
  for (const char *const element :
       {"CQUAD4  1               1       2       3       4       \n", "CQUAD4,1,,1,2,3,4\n",
        "CQUAD4* 1                               1               2               *\n"})
    expect_refusal(nodes + element, "box.bdf", "line 5: the element has no number of a property");
  const std::string cell = "CQUAD4  1       1       1       2       3       4       \n";
  EXPECT_EQ(read_mesh<2>(write(nodes + cell, "box.bdf"))->region("body").measure, 1.);
}

TEST_F(MeshFormats, DamagedFilesAreRefused) {
  expect_refusal("a letter", "box.step", "Gmsh cannot read this CAD file");
  expect_refusal("a letter", "box.unv", "the file holds no nodes and elements");
  for (const char *const ending : {".Step", ".Vtu", ".Inp", ".Med"})
    expect_refusal("a letter", std::string("box") + ending,
                   std::string("rename the file, so that it ends in '.") +
                       static_cast<char>(std::tolower(ending[1])) + (ending + 2) +
                       "' instead of '" + ending + "'");
  expect_refusal("a letter", "box.xdmf", "give a file whose name ends in one of .msh, .geo, .step");
  expect_refusal("a letter", "box", "a name without an ending does not belong to a mesh");
  expect_refusal("SystemCall \"touch here\";", "box.unv", "the file holds no nodes and elements");
}

} // namespace
