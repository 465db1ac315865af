// Output of a run, read back with VTK.

#include <percussion/output/log.h>
#include <percussion/run/release_setup.h>
#include <percussion/run/run.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cases/read_vtu.h"
#include "support/csv.h"
#include <filesystem>
#include <regex>

namespace {

using namespace percussion;
namespace fs = std::filesystem;

/// Fixture with hello_drop.prm, run once for all tests.
class OutputFiles : public ::testing::Test {
protected:
  static fs::path folder;
  static std::unique_ptr<Case<2>> drop;

  static std::unique_ptr<Case<2>> run_drop(const fs::path &into, const std::string &assignment) {
    auto file = ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/hello_drop.prm");
    file.override_with("Output/Directory=" + into.string());
    file.override_with(assignment);
    auto run =
        std::make_unique<Case<2>>(build_case<2>(Parameters(declare_case(&file), file), file));
    prepare_output_directory(run->output);
    Log log;
    run_case(*run, log);
    return run;
  }
  static void SetUpTestSuite() {
    folder = fs::temp_directory_path() / ("percussion-output-" + std::to_string(getpid()));
    drop = run_drop(folder, "Output/Number of instants=30");
  }
  static void TearDownTestSuite() {
    drop.reset();
    fs::remove_all(folder);
  }

  struct Instant {
    double time;
    std::string file;
  };
  static std::vector<Instant> read_pvd(const std::string &name) {
    std::ifstream stream(folder / name);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    const std::regex entry("timestep=\"([^\"]*)\"[^>]*file=\"([^\"]*)\"");
    std::vector<Instant> instants;
    for (std::sregex_iterator i(text.begin(), text.end(), entry), end; i != end; ++i)
      instants.push_back({std::stod((*i)[1]), (*i)[2]});
    EXPECT_NE(text.find("</VTKFile>"), std::string::npos);
    return instants;
  }
  static vtkSmartPointer<vtkUnstructuredGrid> read_vtu(const std::string &name) {
    return cases::read_vtu((folder / name).string());
  }
};

fs::path OutputFiles::folder;
std::unique_ptr<Case<2>> OutputFiles::drop;

/// Returns the bytes of a file.
std::string bytes_of(const fs::path &file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A run that has begun needs neither cells of deal.II nor the initial state.
TEST(ReleasedSetup, ChangesNoResults) {
  const fs::path folder =
      fs::temp_directory_path() / ("percussion-release-" + std::to_string(getpid()));
  for (const bool is_released : {false, true}) {
    auto file = ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/box_slide.prm");
    for (const std::string assignment :
         {"Mesh/Parameters=size = 5", "Time/End=0.01", "Output/Number of instants=4",
          "Output/Steps between checkpoints=5"})
      file.override_with(assignment);
    file.override_with("Output/Directory=" + (folder / (is_released ? "b" : "a")).string());
    auto c = build_case<3>(Parameters(declare_case(&file), file), file);
    prepare_output_directory(c.output);
    Log log(true);
    RunControl<3> control;
    if (is_released) {
      control.is_prepared = [&] { release_cells(c); };
      control.has_begun = [&] { release_initial_state(c); };
    }
    run_case<3>(c, log, control);
    EXPECT_EQ(c.meshes.front()->triangulation.n_active_cells() == 0, is_released);
  }
  for (const char *const name : {"energy.csv", "solution-000002.vtu", "contacts-000004.vtu"}) {
    EXPECT_GT(bytes_of(folder / "a" / name).size(), 1000u);
    EXPECT_EQ(bytes_of(folder / "a" / name), bytes_of(folder / "b" / name)) << name;
  }
  fs::remove_all(folder);
}

TEST_F(OutputFiles, EverySeriesHasItsInstants) {
  const auto history = test::read_csv((folder / "energy.csv").string());
  for (const char *name : {"solution.pvd", "contacts.pvd"}) {
    const auto instants = read_pvd(name);
    ASSERT_EQ(instants.size(), 31u);
    EXPECT_EQ(instants.front().time, 0.);
    EXPECT_EQ(instants.back().time, history.at("time").back());
    for (const auto &instant : instants) {
      const auto grid = read_vtu(instant.file);
      ASSERT_GT(grid->GetNumberOfPoints(), 0) << instant.file;
      EXPECT_EQ(grid->GetFieldData()->GetArray("TimeValue")->GetComponent(0, 0), instant.time);
    }
  }
}

/// A row for several steps has their extremes, and the energies at its end.
TEST_F(OutputFiles, RowsOfSeveralStepsHoldTheirExtremes) {
  constexpr unsigned int interval = 7;
  const fs::path sparse_folder = folder.string() + "-sparse";
  run_drop(sparse_folder, "Output/Energy interval=" + std::to_string(interval));
  const auto all = test::read_csv((folder / "energy.csv").string());
  const auto sparse = test::read_csv((sparse_folder / "energy.csv").string());
  fs::remove_all(sparse_folder);
  const auto magnitude = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const auto less = [](double a, double b) { return a < b; };
  for (std::size_t row = 1; row < sparse.at("step").size(); ++row) {
    const auto first = static_cast<long>(sparse.at("step")[row - 1]) + 1,
               end = static_cast<long>(sparse.at("step")[row]) + 1;
    EXPECT_EQ(sparse.at("total")[row], all.at("total")[static_cast<std::size_t>(end - 1)]);
    const auto largest = [&](const std::string &column, const auto &compare) {
      const auto begin = all.at(column).begin();
      return *std::max_element(begin + first, begin + end, compare);
    };
    EXPECT_EQ(std::abs(sparse.at("balance_residual")[row]),
              std::abs(largest("balance_residual", magnitude)));
    for (const char *column :
         {"tangential_work_max", "contacts_active", "contacts_sliding", "penetration_max",
          "solver_iterations", "solver_residual", "missed_depth", "relapse_depth", "drift",
          "pressing_gap", "cone_violation", "slip_direction_error", "resting_work"})
      EXPECT_EQ(sparse.at(column)[row], largest(column, less)) << column << " in row " << row;
    EXPECT_EQ(sparse.at("tangential_work_min")[row],
              largest("tangential_work_min", [](double a, double b) { return a > b; }));
  }
}

/// Readers may use the range of a field stored in the file without reading its values.
TEST_F(OutputFiles, EveryFileTellsTheRangesOfItsOwnValues) {
  const std::regex entry("Name=\"(TimeValue|von_mises)\"[^>]*RangeMin=\"([^\"]*)\"[^>]*RangeMax=\""
                         "([^\"]*)\"");
  for (const auto &instant : read_pvd("solution.pvd")) {
    std::ifstream stream(folder / instant.file);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    const auto grid = read_vtu(instant.file);
    unsigned int found = 0;
    for (std::sregex_iterator i(text.begin(), text.end(), entry), end; i != end; ++i, ++found) {
      double range[2] = {instant.time, instant.time};
      if ((*i)[1] == "von_mises")
        grid->GetCellData()->GetArray("von_mises")->GetRange(range);
      // The file has ten digits.
      EXPECT_NEAR(std::stod((*i)[2]), range[0], 1e-9 * std::abs(range[0])) << instant.file;
      EXPECT_NEAR(std::stod((*i)[3]), range[1], 1e-9 * std::abs(range[1])) << instant.file;
    }
    EXPECT_EQ(found, 2u) << instant.file;
  }
}

TEST_F(OutputFiles, FieldsHaveTheirNamesAndShapes) {
  const auto grid = read_vtu(read_pvd("solution.pvd").back().file);
  ASSERT_EQ(grid->GetNumberOfPoints(), drop->bodies->elastic.front()->space.n_nodes());
  ASSERT_EQ(grid->GetNumberOfCells(), drop->meshes.front()->triangulation.n_active_cells());
  const std::map<std::string, int> point_fields = {{"displacement", 3}, {"velocity", 3},
                                                   {"percussion", 3},   {"pressure", 1},
                                                   {"gap", 1},          {"status", 1}};
  for (const auto &[name, components] : point_fields) {
    auto *const array = grid->GetPointData()->GetArray(name.c_str());
    ASSERT_NE(array, nullptr) << name;
    EXPECT_EQ(array->GetNumberOfComponents(), components) << name;
  }
  EXPECT_EQ(grid->GetCellData()->GetArray("stress")->GetNumberOfComponents(), 6);
  EXPECT_EQ(grid->GetCellData()->GetArray("von_mises")->GetNumberOfComponents(), 1);
  double bodies[2] = {-1, -1};
  grid->GetCellData()->GetArray("body")->GetRange(bodies);
  EXPECT_EQ(bodies[0], 0.);
  EXPECT_EQ(bodies[1], 0.); // all cells belong to the elastic body

  const auto contacts = read_vtu(read_pvd("contacts.pvd").back().file);
  EXPECT_EQ(contacts->GetNumberOfPoints(), drop->boundary->points.size());
  for (const char *name : {"displacement", "velocity", "percussion", "pressure", "gap", "status",
                           "normal", "tangent", "pair", "body", "obstacle"})
    EXPECT_NE(contacts->GetPointData()->GetArray(name), nullptr) << name;
  EXPECT_FALSE(fs::exists(folder / "rigid_bodies.csv"));
}

/// The stress follows by Hooke's law from the strain of each cell, computed from the written
/// displacements of its corners.
TEST_F(OutputFiles, StressIsTheLawOfTheWrittenDisplacement) {
  const auto &law = drop->bodies->elastic.front()->materials.list.front().elastic;
  double largest = 0;
  for (const auto &instant : read_pvd("solution.pvd")) {
    const auto grid = read_vtu(instant.file);
    auto *const u = grid->GetPointData()->GetArray("displacement");
    auto *const written = grid->GetCellData()->GetArray("stress");
    auto *const equivalent = grid->GetCellData()->GetArray("von_mises");
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); c += 7) {
      // Gauss's theorem on the polygon: mean of ∂u_i/∂x_j = ∮ u_i n_j / area, because edges are
      // linear.
      auto *const cell = grid->GetCell(c);
      double area = 0;
      dealii::Tensor<2, 2> gradient;
      for (int k = 0; k < cell->GetNumberOfPoints(); ++k) {
        const vtkIdType a = cell->GetPointId(k);
        const vtkIdType b = cell->GetPointId((k + 1) % cell->GetNumberOfPoints());
        const double *const x = grid->GetPoint(a);
        const double xa[2] = {x[0], x[1]};
        const double *const y = grid->GetPoint(b);
        const double normal[2] = {y[1] - xa[1], xa[0] - y[0]};
        area += 0.5 * (xa[0] * y[1] - xa[1] * y[0]);
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j)
            gradient[i][j] += 0.5 * (u->GetComponent(a, i) + u->GetComponent(b, i)) * normal[j];
      }
      ASSERT_GT(area, 0.);
      const auto stress = law.full_stress(symmetrize(gradient / area));
      const double expected[6] = {stress[0][0], stress[1][1], stress[2][2],
                                  stress[0][1], stress[1][2], stress[0][2]};
      for (int k = 0; k < 6; ++k)
        ASSERT_NEAR(written->GetComponent(c, k), expected[k], 1e-9 * law.mu * 1e-2);
      ASSERT_NEAR(equivalent->GetComponent(c, 0), von_mises(stress), 1e-9 * law.mu * 1e-2);
      largest = std::max(largest, von_mises(stress));
    }
  }
  EXPECT_GT(largest, 1e3); // [Pa]: the block was hit
}

TEST_F(OutputFiles, PressureIsThePercussionPerAreaAndTime) {
  bool touched = false;
  for (const auto &instant : read_pvd("contacts.pvd")) {
    const auto grid = read_vtu(instant.file);
    auto *const p = grid->GetPointData()->GetArray("percussion");
    auto *const pressure = grid->GetPointData()->GetArray("pressure");
    auto *const status = grid->GetPointData()->GetArray("status");
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
      const double area = drop->boundary->points[static_cast<std::size_t>(i)].area;
      ASSERT_DOUBLE_EQ(pressure->GetComponent(i, 0),
                       p->GetComponent(i, 1) / (drop->choices.h * area));
      ASSERT_GE(p->GetComponent(i, 1), 0.);
      ASSERT_LE(std::abs(p->GetComponent(i, 0)), 0.3 * p->GetComponent(i, 1) * (1 + 1e-12));
      if (status->GetComponent(i, 0) == 0) {
        ASSERT_EQ(p->GetComponent(i, 1), 0.);
      }
      touched = touched || p->GetComponent(i, 1) > 0;
    }
  }
  EXPECT_TRUE(touched);
}

TEST_F(OutputFiles, HistoryClosesItsBalanceAndAgreesWithTheSummary) {
  const auto history = test::read_csv((folder / "energy.csv").string());
  const auto &of = [&](const char *name) -> const std::vector<double> & {
    return history.at(name);
  };
  const std::size_t n = of("step").size();
  ASSERT_EQ(n, drop->span.n_steps + 1u);
  const double initial = of("total")[0];
  double scale = 0;
  for (const double total : of("total"))
    scale = std::max(scale, std::abs(total));
  for (std::size_t k = 0; k < n; ++k) {
    ASSERT_EQ(of("step")[k], k);
    const double gained = of("work_external")[k] + of("work_viscous")[k] + of("work_numerical")[k] +
                          of("work_contact_normal")[k] + of("work_contact_tangential")[k] +
                          of("work_prescribed")[k];
    ASSERT_NEAR(of("total")[k], initial + gained, 1e-12 * scale);
    ASSERT_EQ(of("total")[k], of("kinetic")[k] + of("strain")[k]);
    ASSERT_LT(std::abs(of("balance_residual")[k]), 1e-13 * scale);
  }
  nlohmann::json summary;
  std::ifstream(folder / "summary.json") >> summary;
  EXPECT_EQ(summary["status"], "completed");
  EXPECT_EQ(summary["size"]["rigid_bodies"], 0u);
  EXPECT_EQ(summary["size"]["dofs"].get<unsigned int>(), drop->bodies->n_dofs());
  EXPECT_EQ(summary["end_state"]["total"].get<double>(), of("total").back());
  EXPECT_EQ(summary["time"]["steps"].get<unsigned int>(), drop->span.n_steps);
}

/// The weight of the block, 2 m² of 1000 kg/m³, gives its momentum until it touches the ground, and
/// the ground's percussions afterwards.
TEST_F(OutputFiles, TheMomentumOfTheBlockIsTheSumOfItsImpulses) {
  const auto history = test::read_csv((folder / "energy.csv").string()),
             bodies = test::read_csv((folder / "elastic_bodies.csv").string());
  const std::string name = drop->meshes.front()->name();
  const double mass = 2000.;
  ASSERT_EQ(bodies.at("step"), history.at("step"));
  for (std::size_t k = 0; k < bodies.at("time").size(); ++k) {
    const double impulse = history.at("percussion_normal")[k] - mass * 9.81 * bodies.at("time")[k];
    ASSERT_NEAR(bodies.at(name + ".py")[k], impulse, 1e-9 * mass);
    ASSERT_NEAR(bodies.at(name + ".vy")[k], impulse / mass, 1e-9);
    ASSERT_NEAR(bodies.at(name + ".px")[k], mass * bodies.at(name + ".vx")[k], 1e-9);
  }
}

/// Potential energy is the external work: the block ends at rest on the ground.
TEST_F(OutputFiles, TheBlockComesToRestOnTheGround) {
  const auto history = test::read_csv((folder / "energy.csv").string());
  const double weight = 1000. * 2 * 9.81;
  EXPECT_NEAR(history.at("work_external").back(), weight * 0.3, 0.02 * weight * 0.3);
  EXPECT_LT(history.at("kinetic").back(), 1e-3 * weight * 0.3);
  EXPECT_LT(history.at("penetration_max").back(), 1e-3);
}

} // namespace
