// Geometries (.geo), which are meshed when they are read.

#include <percussion/input/geometry_parameters.h>
#include <percussion/input/mesh_extremes.h>
#include <percussion/input/mesh_fingerprint.h>

#include <gmsh.h>

#include "input/gmsh_files.h"
#include "support/meshes.h"
#include <algorithm>
#include <clocale>
#include <cmath>
#include <limits>
#include <vector>

namespace {
using namespace percussion;
using Strings = std::vector<std::string>;

class Geometries : public test::GmshMeshes {
protected:
  /// Writes a rectangle of triangles, with one parameter in an included file.
  Geometries() {
    write("DefineConstant[ height = {1, Min 0.1, Max 9, Name \"Geometry/height, in m\"} ];\n",
          "sizes.geo");
    file = write(script, "block.geo");
  }

  std::string complaint_about(const std::string &text) const {
    try {
      read_mesh<2>(write(text, "bad.geo"));
    } catch (const InputError &error) {
      return error.what();
    }
    return "";
  }

  void expect_complaint_about(const std::string &text, const std::string &words) const {
    const std::string complaint = complaint_about(text);
    EXPECT_NE(complaint.find(words), std::string::npos) << complaint;
  }

  /// Returns the message for a refused parameter; "" if it is accepted.
  std::string unknown_parameter(const std::string &name) const {
    try {
      check_geometry_parameters({file}, {{name, 1.}});
    } catch (const InputError &error) {
      return error.what();
    }
    return "";
  }

  std::string file;
  const std::string script = R"(// DefineConstant[ not = 1 ];
Include "sizes.geo";
DefineConstant[ size = 0.5, width = 2 ];
DefineConstant[ title = "a, b" ];
Point(1) = {0, 0, 0, size};
Point(2) = {width, 0, 0, size};
Point(3) = {width, height, 0, size};
Point(4) = {0, height, 0, size};
Point(5) = {width/3, height/3, 0}; // of no use
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Curve("bottom") = {1};
Physical Surface("block") = {1};
)";
};

TEST_F(Geometries, AreMeshed) {
  const auto mesh = read_mesh<2>(file);
  EXPECT_EQ(mesh->shape, CellShape::simplex);
  EXPECT_EQ(mesh->region_names(), (Strings{"block", "bottom"}));
  EXPECT_EQ(mesh->region("bottom").n_elements, 4u);
  EXPECT_NEAR(mesh->region("block").measure, 2., 1e-12);
  EXPECT_TRUE(mesh->remarks.empty()) << mesh->remarks.front();
  EXPECT_EQ(fingerprint(*mesh), fingerprint(*read_mesh<2>(file)));
}

/// Gmsh changes the locale of the environment.
TEST_F(Geometries, LeaveTheLocaleAsItIs) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  read_mesh<2>(file);
  EXPECT_EQ(before, std::setlocale(LC_ALL, nullptr));
}

TEST_F(Geometries, TakeParameters) {
  const auto mesh = read_mesh<2>(MeshSource{file, {{"size", 0.25}, {"height", 3.}}});
  EXPECT_EQ(mesh->region("bottom").n_elements, 8u);
  EXPECT_NEAR(mesh->region("block").measure, 6., 1e-12);
  EXPECT_EQ(read_mesh<2>(file)->region("bottom").n_elements, 4u); // parameters hold for one mesh
}

TEST_F(Geometries, AreMeshedInTheOrderOfTheScript) {
  EXPECT_EQ(read_mesh<2>(file)->order, 1u);
  write(script + "Mesh.ElementOrder = 2;\n", "block.geo");
  const auto mesh = read_mesh<2>(file);
  EXPECT_EQ(mesh->order, 2u);
  EXPECT_EQ(mesh->region("bottom").nodes.size(), 5u); // vertices, until the case adds middles
  EXPECT_TRUE(mesh->remarks.empty());
}

TEST_F(Geometries, DeclareTheirParameters) {
  const std::string all = " Its parameters: height, size, width";
  EXPECT_EQ(unknown_parameter("siez"),
            "the geometry has no parameter 'siez'; did you mean 'size'?" + all);
  for (const std::string no_number : {"not", "title", "Min"})
    EXPECT_EQ(unknown_parameter(no_number),
              "the geometry has no parameter '" + no_number + "'." + all);
  for (const std::string name : {"size", "width", "height"})
    EXPECT_EQ(unknown_parameter(name), "");
  const std::string filled(1000000, ' '), named(1000000, 'x');
  const std::string large = write("// " + filled + "\nDefineConstant" + filled + "[ R" + filled +
                                      "= {" + filled + "1, Name \"" + named + "\"} ]; // N = 2\n",
                                  "large.geo");
  EXPECT_NO_THROW(check_geometry_parameters({large}, {{"R", 1.}}));
  EXPECT_THROW(check_geometry_parameters({large}, {{"N", 1.}}), InputError);
  const std::string plain = write("Point(1) = {0, 0, 0};\n", "plain.geo");
  EXPECT_THROW(check_geometry_parameters({plain}, {{"size", 1.}}), InputError);
  EXPECT_NO_THROW(check_geometry_parameters({plain, file}, {{"size", 1.}})); // of several, one
}

TEST_F(Geometries, HaveParametersInWriting) {
  EXPECT_TRUE(geometry_parameters("").empty());
  EXPECT_EQ(geometry_parameters(" size = 0.1,R=1e1 "),
            (std::map<std::string, double>{{"size", 0.1}, {"R", 10.}}));
  for (const std::string wrong : {"size", "size 0.1", "= 1", "size = x", "size = 1,", "size = nan",
                                  "size = 1; R = 2", "size = 1]", "size = 1, size = 2"})
    EXPECT_THROW(geometry_parameters(wrong), InputError) << wrong;
}

TEST_F(Geometries, NameTheLineThatIsWrong) {
  expect_complaint_about("Point(1) = {0, 0, 0};\nPoint(2) = {0, 0, 0\nLine(1) = {1, 2};\n",
                         "line 3");
  expect_complaint_about("Point(1) = {0, 0, 0};\nPiont(2) = {1, 0, 0};\n", "line 2");
}

TEST_F(Geometries, OfNothingAreRefused) {
  expect_complaint_about("", "the geometry has nothing to mesh");
  expect_complaint_about(script.substr(0, script.find("Curve Loop")), "no 2D elements");
  expect_complaint_about(script.substr(0, script.find("Physical")), "no named physical groups");
  expect_complaint_about(script + "Physical Curve(\"hole\") = {77};\n",
                         "region 'hole' has no elements");
  expect_complaint_about(script + "Physical Curve(\"block\") = {2};\n",
                         "two physical groups are named 'block'");
}

/// True for the Gmsh that wrote the meshes. Gmsh 4.13 numbers the nodes in another order, and
/// places them up to 0.07 of an edge from where they were.
constexpr bool is_gmsh_of_meshes = GMSH_API_VERSION_MAJOR == 4 && GMSH_API_VERSION_MINOR == 8;

double nearest_distance(const dealii::Point<2> &x, const std::vector<dealii::Point<2>> &points) {
  double distance = std::numeric_limits<double>::max();
  for (const auto &point : points)
    distance = std::min(distance, x.distance(point));
  return distance;
}

/// Shipped meshes equal the meshes of their geometries; text files keep 16 digits of positions.
TEST_F(Geometries, GiveTheMeshesMadeOfThem) {
  for (const std::string name : {"ball", "bar", "block_q4", "ring", "sliding_block"}) {
    const std::string path = PERCUSSION_SOURCE_DIR "/meshes/" + name;
    const auto meshed = read_mesh<2>(path + ".geo"), written = read_mesh<2>(path + ".msh");
    const auto &points = meshed->triangulation.get_vertices();
    const auto &expected = written->triangulation.get_vertices();
    ASSERT_EQ(points.size(), expected.size()) << name;
    EXPECT_EQ(meshed->triangulation.n_active_cells(), written->triangulation.n_active_cells());
    double difference = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      difference = std::max(difference, is_gmsh_of_meshes ? points[i].distance(expected[i])
                                                          : nearest_distance(points[i], expected));
    const double shortest_edge = mesh_extremes(*written).shortest_edge;
    EXPECT_LT(difference, is_gmsh_of_meshes ? 1e-12 : 0.1 * shortest_edge) << name;
    EXPECT_EQ(meshed->region_names(), written->region_names());
    EXPECT_TRUE(meshed->remarks.empty()) << meshed->remarks.front();
    EXPECT_TRUE(written->remarks.empty()) << written->remarks.front();
  }
}

/// 4 × 2 quadrilaterals of 0.25 × 0.125.
TEST_F(Geometries, HaveExtremes) {
  write(script + "Transfinite Curve {1, 3} = 5; Transfinite Curve {2, 4} = 3;\n"
                 "Transfinite Surface {1}; Recombine Surface {1};\n",
        "block.geo");
  const auto mesh = read_mesh<2>(MeshSource{file, {{"width", 1.}, {"height", 0.25}}});
  const MeshExtremes extremes = mesh_extremes(*mesh);
  EXPECT_NEAR(extremes.size, 0.25, 1e-10);
  EXPECT_NEAR(extremes.shortest_edge, 0.125, 1e-10);
  EXPECT_NEAR(extremes.longest_edge, 0.25, 1e-10);
  EXPECT_NEAR(extremes.smallest_angle, 90, 1e-8);
  const auto triangles = mesh_extremes(*test::rectangle(CellShape::simplex, 2, 1, 2, 1));
  EXPECT_NEAR(triangles.smallest_angle, 45, 1e-10);
  EXPECT_NEAR(triangles.longest_edge, std::sqrt(2.), 1e-14);
}

} // namespace
