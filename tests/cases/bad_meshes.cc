// Wrong meshes: the message, and no written files.

#include "cases/checked_case.h"

namespace {

using cases::has;
namespace fs = std::filesystem;

class BadMeshes : public cases::CheckedCase {
protected:
  /// Returns the mesh of the case with one piece replaced by another; the piece must be there.
  static std::string replaced(const std::string &part, const std::string &other,
                              std::string text = block_mesh) {
    const auto at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), other);
  }

  /// Expects that the mesh is refused with these words, at the line of the case that names it.
  void expect_refused(const std::string &mesh, const std::string &words,
                      const std::string &way_out) const {
    SCOPED_TRACE(words);
    write("block.msh", mesh);
    expect_refusal(check_with({}), {"case.prm:2: 'Mesh/File' is 'block.msh': ", words, way_out});
  }
};

template <typename Value>
void put(std::string &bytes, const std::vector<Value> &values) {
  bytes.append(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(Value));
}

/// Returns one square in binary of format 2.2.
std::string binary_mesh() {
  std::string bytes = "$MeshFormat\n2.2 1 8\n";
  put<int>(bytes, {1});
  bytes += "\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"bottom\"\n2 5 \"block\"\n"
           "$EndPhysicalNames\n$Nodes\n4\n";
  for (int node = 1; node <= 4; ++node) {
    put<int>(bytes, {node});
    put<double>(bytes, {node == 2 || node == 3 ? 1. : 0., node > 2 ? 1. : 0., 0.});
  }
  bytes += "\n$EndNodes\n$Elements\n2\n";
  put<int>(bytes, {1, 1, 2, /* element */ 1, 1, 1, /* nodes */ 1, 2});
  put<int>(bytes, {3, 1, 2, /* element */ 2, 5, 1, /* nodes */ 1, 2, 3, 4});
  return bytes + "\n$EndElements\n";
}

TEST_F(BadMeshes, AreNotThis) {
  write("block.msh", binary_mesh());
  const auto outcome = run_with({});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
}

TEST_F(BadMeshes, ThatAreNone) {
  expect_refused("A letter to a friend.\n", "this is not a Gmsh mesh",
                 "give the .msh file that Gmsh writes");
  expect_refused("", "this is not a Gmsh mesh", "");
  expect_refused(std::string("\x7f\x45\x4c\x46\0\1\2\3\n$\n$$$\n", 16), "this is not a Gmsh mesh",
                 "give the .msh file");
  expect_refused(replaced("2.2 0 8", "1.0 0 8"), "the mesh is in Gmsh's format 1;",
                 "gmsh -format msh41");
  fs::remove(folder / "block.msh");
  fs::create_directory(folder / "block.msh");
  expect_refusal(check_with({}), {"case.prm:2: 'Mesh/File' is 'block.msh': this is a directory"});
}

TEST_F(BadMeshes, ThatAreCutOff) {
  const std::string text = block_mesh, binary = binary_mesh();
  for (const std::string &part :
       {text.substr(0, text.size() - 60), text.substr(0, text.find("6 1 0.5")),
        binary.substr(0, binary.size() - 30)})
    expect_refused(part, "it is cut off", "write it again");
  expect_refused(text.substr(0, text.find("$Nodes")), "no nodes and elements", "gmsh -2 case.geo");
}

TEST_F(BadMeshes, ThatAreDamaged) {
  expect_refused(replaced("13 3 2 5 1 5 6 9 8", "13 3 2 5 1 5 6 99 8"),
                 "Gmsh cannot read this mesh", "");
  expect_refused(replaced("5 0.5 0.5 0", "5 0.5 zero 0"), "Gmsh cannot read this mesh", "");
}

TEST_F(BadMeshes, MayLackNames) {
  const std::string text = block_mesh;
  const auto begin = text.find("$PhysicalNames"), end = text.find("$Nodes");
  write("block.msh", text.substr(0, begin) + text.substr(end));
  const auto outcome = run_with({"Contact/ground/Region=curve group 1"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_TRUE(has(outcome.out, "  'body' ")) << outcome.out;
}

TEST_F(BadMeshes, WithNamesOfSomeElements) {
  expect_refused(replaced("13 3 2 5 1 5 6 9 8", "13 3 2 0 2 5 6 9 8"),
                 "1 of 4 elements belong to no named physical group",
                 "name the surfaces or volumes");
  expect_refused(replaced("1 6 \"upper left\"", "1 7 \"upper left\""),
                 "region 'upper left' has no elements", "remove its name");
  expect_refused(replaced("\"upper left\"", "\"left\""), "two physical groups are named 'left'",
                 "give each region a name of its own");
}

TEST_F(BadMeshes, OfOtherElements) {
  const std::string text = block_mesh;
  expect_refused(replaced("10 3 2 5 1 1 2 5 4", "10 4 2 5 1 1 2 5 4"), "the mesh has 3D elements",
                 "mesh a surface");
  expect_refused(replaced("10 3 2 5 1 1 2 5 4", "10 21 2 5 1 1 3 9 2 6 5 4 7 8 9"), "is of order 3",
                 "Mesh.ElementOrder = 1 or 2");
  expect_refused(replaced("10 3 2 5 1 1 2 5 4", "10 2 2 5 1 1 2 5"),
                 "the mesh mixes triangles and quadrilaterals", "recombine all surfaces or none");
  std::string lines = text.substr(0, text.find("10 3 2 5 1")) + "$EndElements\n";
  lines = replaced("$Elements\n13\n", "$Elements\n9\n", lines);
  lines = replaced("6\n1 1 \"bottom\"", "5\n1 1 \"bottom\"", lines);
  expect_refused(replaced("2 5 \"block\"\n", "", lines), "the mesh has no 2D elements",
                 "gmsh -2 case.geo");
}

TEST_F(BadMeshes, OfCellsThatFillNoArea) {
  expect_refused(replaced("13 3 2 5 1 5 6 9 8", "13 3 2 5 1 5 6 8 9"),
                 "element 13 with nodes 5 6 8 9 is not convex or crosses itself", "reorder");
  expect_refused(replaced("5 0.5 0.5 0", "5 0.25 0.25 0"),
                 "element 10 with nodes 1 2 5 4 is degenerate", "remesh there");
  expect_refused(replaced("13 3 2 5 1 5 6 9 8", "13 3 2 5 1 4 5 9 7"),
                 "two elements lie on the same side of the edge between the nodes 4 and 5",
                 "mesh again");
}

TEST_F(BadMeshes, OffThePlane) {
  expect_refused(replaced("9 1 1 0", "9 1 1 0.1"), "node 9 at (1, 1, 0.1) lies off the plane z = 0",
                 "Translate or Rotate");
  expect_refused(replaced("9 1 1 0", "9 1 inf 0"), "node 9", "");
  expect_refused(replaced("9 1 1 0", "9 1 1e300 0"), "too far away to compute with", "other units");
}

/// Unusual meshes of a case that runs are noted.
TEST_F(BadMeshes, ThatAreAllowedAreRemarkedOn) {
  const auto usual = run_with({});
  EXPECT_EQ(usual.status, 0);
  EXPECT_FALSE(has(usual.out, "the case does not name the regions")) << usual.out;
  const std::string log = read("output/case/log.txt");
  EXPECT_TRUE(has(log, "Note: mesh: the case does not name the regions 'left', 'right', "
                       "'top', 'upper left'\n"))
      << log;
  const auto loose = run_with({"Boundary conditions/top/Traction x=1"});
  EXPECT_EQ(loose.status, 0) << loose.error;
  EXPECT_TRUE(has(read("output/case/log.txt"), "the regions 'left', 'right', 'upper left'\n"))
      << loose.out;
}

TEST_F(BadMeshes, AreToldInATable) {
  const std::string out = run_with({}).out;
  EXPECT_TRUE(has(out, "  area 1; edges from 0.5 to 0.5; corner angles from 90 degrees\n")) << out;
  EXPECT_TRUE(has(out, "  region        dimension  elements  nodes  length or area\n"
                       "  'block'               2         4      9               1\n"
                       "  'bottom'              1         2      3               1\n"))
      << out;
  EXPECT_TRUE(has(out, "  'upper left'          1         1      2             0.5\n")) << out;
}

const char *const geometry = R"(DefineConstant[ size = 0.5, width = 1 ];
Point(1) = {0, 0, 0, size};
Point(2) = {width, 0, 0, size};
Point(3) = {width, 1, 0, size};
Point(4) = {0, 1, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Curve("bottom") = {1};
Physical Surface("block") = {1};
)";

TEST_F(BadMeshes, OfGeometries) {
  write("block.geo", geometry);
  const std::string file = "Mesh/File=block.geo";
  expect_refusal(check_with({file, "Mesh/Parameters=sise = 0.2"}),
                 {"--set: 'Mesh/Parameters' is 'sise = 0.2': the geometry has no parameter 'sise'; "
                  "did you mean 'size'? Its parameters: size, width"});
  expect_refusal(check_with({file, "Mesh/Parameters=size: 0.2"}),
                 {"'size: 0.2' is not of the form 'name = number'"});
  expect_refusal(check_with({file, "Mesh/Parameters=size = 0.2*width"}),
                 {"'Mesh/Parameters' is 'size = 0.2*width': 'size = 0.2*width': ", "'width'"});
  expect_refusal(check_with({"Mesh/Parameters=size = 0.2"}),
                 {"'Mesh/Parameters' is 'size = 0.2': this has no effect with a mesh"});
  write("block.geo", replaced("Line(2) = {2, 3};", "Line(2) = {2, 3;", geometry));
  expect_refusal(check_with({file}),
                 {"'Mesh/File' is 'block.geo': Gmsh cannot read this geometry", "line 7"});
}

TEST_F(BadMeshes, OfGeometriesAreMadeAgainFromEffectiveParameters) {
  write("block.geo", geometry);
  const auto first = run_with(
      {"Mesh/File=block.geo", "Constants/w=4", "Mesh/Parameters=size = min(0.2, w), width = w/2"});
  ASSERT_EQ(first.status, 0) << first.error;
  EXPECT_TRUE(has(first.out, "  area 2; ")) << first.out;
  write("elsewhere/copy.prm", read("output/case/parameters.prm"));
  ASSERT_EQ(start("percussion", {"elsewhere/copy.prm", "--output", "output/copy"}).status, 0);
  const auto rows = [](const std::string &text) { return text.substr(text.find("step,time")); };
  EXPECT_EQ(rows(read("output/copy/energy.csv")), rows(read("output/case/energy.csv")));
}

} // namespace
