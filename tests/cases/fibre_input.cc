// Directions of fibres by formulas and by arrays of the mesh, in whole cases.

#include "cases/checked_case.h"
#include "cases/read_vtu.h"
#include <array>
#include <cmath>
#include <functional>

namespace {

/// Four quadrilaterals on the unit square, with a vector and a number of each cell.
constexpr const char *mesh_with_vectors = R"(# vtk DataFile Version 3.0
block
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 9 double
0 0 0  0.5 0 0  1 0 0  0 0.5 0  0.5 0.5 0  1 0.5 0  0 1 0  0.5 1 0  1 1 0
CELLS 4 20
4 0 1 4 3
4 1 2 5 4
4 3 4 7 6
4 4 5 8 7
CELL_TYPES 4
9 9 9 9
CELL_DATA 4
VECTORS muscle%20fibre double
1 2 0  2 1 0.5  -1 2 0  0 0 3
SCALARS sign double 1
LOOKUP_TABLE default
1 -1 1 1
)";

class FibreInput : public cases::CheckedCase {
protected:
  void SetUp() override { write("block.vtk", mesh_with_vectors); }

  /// Returns the entries of a case of fibres with these directions.
  static std::vector<std::string> with(const std::string &first, const std::string &second) {
    return {"Mesh/File=block.vtk",         "Regions/under/Where=y < 1e-9 && ny < -0.9",
            "Contact/ground/Region=under", "Material/Law=holzapfel-gasser-ogden",
            "Material/Young modulus=",     "Material/Bulk modulus=200",
            "Material/Shear modulus=30",   "Material/Fibre stiffness=50",
            "Material/Fibre exponent=3",   "Material/Fibre 1=" + first,
            "Material/Fibre 2=" + second};
  }
  /// Returns the rows of the energies of a run.
  std::string energies_with(const std::string &first, const std::string &second) const {
    const auto run = run_with(with(first, second));
    EXPECT_EQ(run.status, 0) << run.error;
    const std::string table = read("output/case/energy.csv");
    cases::fs::remove_all(folder / "output");
    return table.substr(table.find("\nstep,"));
  }
  void expect_refusal_of(const std::string &first, const std::vector<std::string> &words) const {
    expect_refusal(check_with(with(first, "1, 0, 0")), words);
  }
};

TEST_F(FibreInput, ConstantFormulasGiveTheBytesOfNumbers) {
  const std::string numbers = energies_with("1, 2, 0", "-1, 2, 0.5");
  EXPECT_EQ(energies_with("1 + 0*x, 2, 0*y", "-1, atan2(0*y, 1) + 2, 0.5"), numbers);
  EXPECT_NE(energies_with("1 + x, 2, 0", "-1, 2, 0.5"), numbers);
}

TEST_F(FibreInput, ArrayGivesTheDirectionOfEachCell) {
  const std::string by_cells = "if(y < 0.5, if(x < 0.5, 1, 2), if(x < 0.5, -1, 0)), "
                               "if(y < 0.5, if(x < 0.5, 2, 1), if(x < 0.5, 2, 0)), "
                               "if(y < 0.5, if(x < 0.5, 0, 0.5), if(x < 0.5, 0, 3))";
  const std::string expected = energies_with(by_cells, "1, 0, 0");
  EXPECT_EQ(energies_with("muscle_fibre", "1, 0, 0"), expected);
  EXPECT_EQ(
      energies_with("muscle_fibre.x, sign*muscle_fibre.y*sign, muscle_fibre.z", "sign^2, 0, 0"),
      expected);
}

using Vector3 = dealii::Tensor<1, 3>;

Vector3 node_value(vtkUnstructuredGrid &grid, const char *field, vtkIdType node) {
  const double *const values = grid.GetPointData()->GetArray(field)->GetTuple(node);
  return Vector3({values[0], values[1], values[2]});
}

/// Returns the mean of F a over a rectangle whose edges are parallel to the axes, for the unit
/// vector a of a direction, by 2 x 2 Gauss points and bilinear displacements.
Vector3 mean_fibre(vtkUnstructuredGrid &grid, vtkIdType cell,
                   const std::function<Vector3(double x, double y)> &direction) {
  std::array<Vector3, 4> corner, u;
  for (int k = 0; k < 4; ++k) {
    const vtkIdType node = grid.GetCell(cell)->GetPointId(k);
    corner[k] = Vector3({grid.GetPoint(node)[0], grid.GetPoint(node)[1], 0.});
    u[k] = node_value(grid, "displacement", node);
  }
  const Vector3 size = corner[2] - corner[0];
  Vector3 mean;
  for (const double s : {0.5 - 0.5 / std::sqrt(3.), 0.5 + 0.5 / std::sqrt(3.)})
    for (const double t : {0.5 - 0.5 / std::sqrt(3.), 0.5 + 0.5 / std::sqrt(3.)}) {
      Vector3 a = direction(corner[0][0] + s * size[0], corner[0][1] + t * size[1]);
      a /= a.norm();
      const Vector3 u_x = ((1. - t) * (u[1] - u[0]) + t * (u[2] - u[3])) / size[0],
                    u_y = ((1. - s) * (u[3] - u[0]) + s * (u[2] - u[1])) / size[1];
      mean += 0.25 * (a + a[0] * u_x + a[1] * u_y);
    }
  return mean;
}

TEST_F(FibreInput, FieldsAreTheDeformedDirectionsOfTheFormulas) {
  auto entries = with("1 + x, 2*y, 0.5", "-1, x, 0");
  entries.insert(entries.end(), {"Output/Directory=results", "Initial state/Velocity y=-3",
                                 "Contact/ground/Point=0, -0.001"});
  const auto run = run_with(entries);
  ASSERT_EQ(run.status, 0) << run.error;
  const auto grid = cases::read_vtu((folder / "results/solution-000004.vtu").string());
  ASSERT_EQ(grid->GetNumberOfCells(), 4);
  double largest_stretch = 0;
  for (vtkIdType cell = 0; cell < 4; ++cell) {
    const Vector3 first = mean_fibre(*grid, cell, [](double x, double y) {
      return Vector3({1. + x, 2. * y, 0.5});
    });
    const Vector3 second = mean_fibre(*grid, cell, [](double x, double) {
      return Vector3({-1., x, 0.});
    });
    largest_stretch = std::max(largest_stretch, std::abs(second.norm() - 1.));
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(grid->GetCellData()->GetArray("fibre_1")->GetComponent(cell, d), first[d], 1e-14);
      EXPECT_NEAR(grid->GetCellData()->GetArray("fibre_2")->GetComponent(cell, d), second[d],
                  1e-14);
    }
  }
  EXPECT_GT(largest_stretch, 1e-3);
}

TEST_F(FibreInput, AngleBetweenFamiliesIsInTheSummary) {
  auto arguments = with("cos(0.5*x), sin(0.5*x), 0", "1, 0, 0");
  for (auto &argument : arguments)
    argument = "--set=" + argument;
  arguments.insert(arguments.begin(), {"case.prm", "--validate"});
  const auto outcome = start("percussion", arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  // x of the points of two Gauss points in halves: 0.5 (0.5 ∓ 0.5/√3) to 1 less this
  EXPECT_TRUE(cases::has(outcome.out, "fibres 3.0 to 25.6 degrees from the other family"))
      << outcome.out;
}

TEST_F(FibreInput, RefusesDirectionsWithoutLengthWithTheirPosition) {
  expect_refusal_of("x - x, 0, y - y",
                    {"'Material/Fibre 1' is 'x - x, 0, y - y'", "zero or not finite at position (",
                     "allowed are three finite numbers that are not all zero"});
  expect_refusal_of("log(x - 0.3), 1, 0", {"zero or not finite at position (0.1"});
  expect_refusal_of("1e300*(2 + x), 1, 0", {"zero or not finite at position ("});
  expect_refusal_of("if(x > 0.7, muscle_fibre.z*0, 1), 0, 0",
                    {"zero or not finite at position (0.89"});
}

TEST_F(FibreInput, RefusesUnknownNamesWithThoseThatExist) {
  expect_refusal_of("x, z, 0",
                    {"'Material/Fibre 1' is 'x, z, 0'",
                     "'z' is no variable (x, y, muscle_fibre.x, muscle_fibre.y, muscle_fibre.z, "
                     "sign)"});
  expect_refusal_of("t, 1, 0", {"'t' is no variable"});
  expect_refusal_of("muscle_fiber",
                    {"'block.vtk' has no array of vectors of its cells of this name",
                     "did you mean 'muscle_fibre'", "its arrays of vectors: muscle_fibre"});
  expect_refusal_of("sign", {"its arrays of vectors: muscle_fibre"});
  expect_refusal_of("x +, 1, 0", {"'Material/Fibre 1'", "not a formula"});
  expect_refusal_of("x, 1", {"'Material/Fibre 1' is 'x, 1'", "3 values separated by ','",
                             "or the name of an array of vectors"});
}

/// A wrong entry that two regions inherit is one error.
TEST_F(FibreInput, ReportsAnInheritedErrorOnce) {
  auto entries = with("0*x, 0, 0", "1, 0, 0");
  for (const char *const half : {"left", "right"}) {
    const std::string name = half;
    entries.push_back("Regions/" + name + "/Cells=x " + (name == "left" ? "<" : ">") + " 0.5");
    entries.push_back("Material/" + name + "/Density=2");
  }
  const auto outcome = check_with(entries);
  EXPECT_EQ(outcome.status, 2);
  const std::size_t found = outcome.error.find("zero or not finite");
  EXPECT_NE(found, std::string::npos) << outcome.error;
  EXPECT_EQ(outcome.error.find("zero or not finite", found + 1), std::string::npos)
      << outcome.error;
}

/// A run cannot be continued with other directions.
TEST_F(FibreInput, ContinuedRunNeedsTheSameArray) {
  auto entries = with("muscle_fibre", "1, 0, 0");
  entries.emplace_back("Output/Steps between checkpoints=1");
  const auto run = run_with(entries);
  ASSERT_EQ(run.status, 0) << run.error;
  std::string other = mesh_with_vectors;
  other.replace(other.find("0 0 3"), 5, "0 1 3");
  write("block.vtk", other);
  std::vector<std::string> arguments = {"case.prm", "--resume"};
  for (const auto &entry : entries) {
    arguments.emplace_back("--set");
    arguments.push_back(entry);
  }
  arguments.insert(arguments.end(), {"--set", "Time/End=0.03"}); // else the run is complete
  const auto resumed = start("percussion", arguments);
  EXPECT_EQ(resumed.status, 2);
  EXPECT_TRUE(cases::has(resumed.error, "table of cells block:muscle_fibre.y differs from the "
                                        "earlier run"))
      << resumed.error;
}

} // namespace
