// Every file that each shipped case writes, read back with VTK: names, shapes and ranges of all
// arrays, the times, and the stress of every cell.

#include <percussion/case/case.h>
#include <percussion/output/point_fields.h>

#include <nlohmann/json.hpp>

#include "cases/contact_law.h"
#include "cases/literal_stress.h"
#include "cases/read_vtu.h"
#include "cases/support.h"
#include "support/csv.h"
#include <algorithm>
#include <map>
#include <regex>
#include <set>

namespace {

using namespace percussion;
namespace fs = std::filesystem;
using Assignments = std::vector<std::string>;

/// A shortened case: it begins close to its first contact, or ends soon after.
struct ShortCase {
  std::string name, prm;
  Assignments assignments;
  /// Names of regions with separate materials, if any, and a function that selects the cells of the
  /// second region.
  std::array<std::string, 2> regions = {"", ""};
  bool (*is_in_second)(const dealii::Tensor<1, 2> &corner) = nullptr;
  bool is_on_faces = false; ///< true if faces of elastic bodies are touched, with mortar contact

  friend void PrintTo(const ShortCase &c, std::ostream *out) { *out << c.name; }
};

const Assignments ring = {"Time/End=0.1", "Output/Number of instants=10"};
const Assignments ball = {"Time/End=6e-3", "Output/Number of instants=10"};
const Assignments bar = {"Time/End=6e-4", "Output/Number of instants=30"};
const Assignments sliding = {"Time/End=0.02", "Output/Number of instants=10"};
// Impacts of rigid bodies last for one step: every step is written.
const Assignments stick = {"Time/Step=1e-3", "Output/Number of instants=200"};
const Assignments rocking = {"Time/Step=1e-3", "Time/End=0.12", "Output/Number of instants=120"};

Assignments with(Assignments list, const Assignments &more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

const std::vector<ShortCase> short_cases = {
    {"ball_impact", "ball_impact", ball},
    {"ball_flight",
     "ball_flight",
     {"Mesh/Parameters=layers = 53, gap = 0.02", "Time/End=6e-3", "Output/Number of instants=6"}},
    {"ball_impact_redistributed", "ball_impact_redistributed", ball},
    {"ball_impact_viscous", "ball_impact_viscous", ball},
    {"bar_impact", "bar_impact", bar},
    {"bar_impact_redistributed", "bar_impact_redistributed", bar},
    {"bouncing_ball",
     "bouncing_ball",
     {"Rigid bodies/ball/Position=0, 0.05", "Time/End=0.2", "Output/Number of instants=200"}},
    {"hello_drop",
     "hello_drop",
     {"Contact/ground/Point=0, -0.01", "Time/End=0.1", "Output/Number of instants=20"}},
    {"impacting_stick", "impacting_stick", stick},
    {"impacting_stick_classical", "impacting_stick_classical", stick},
    {"pillar", "pillar", {"Time/End=0.1", "Output/Number of instants=20"}},
    {"grain_column", "grain_column", {"Time/End=0.1", "Output/Number of instants=20"}},
    {"ring_fremond", "ring_fremond", ring},
    {"ring_impact", "ring_impact", ring},
    {"ring_impact_q4", "ring_impact_q4", ring},
    {"ring_rebound", "ring_rebound", ring},
    {"ring_rebound_friction", "ring_rebound_friction", ring},
    {"ring_rebound_friction_viscous", "ring_rebound_friction_viscous", ring},
    {"ring_rebound_viscous", "ring_rebound_viscous", ring},
    {"rocking_block", "rocking_block", rocking},
    {"rocking_block_classical", "rocking_block_classical", rocking},
    {"arch", "arch", {"Time/End=0.02", "Output/Number of instants=20"}},
    {"rolling_disc", "rolling_disc", {"Time/End=0.02", "Output/Number of instants=10"}},
    {"sliding_block", "sliding_block", sliding},
    {"sliding_block_classical", "sliding_block_classical", sliding},
    {"two_bars", "two_bars", {"Time/End=5", "Output/Number of instants=10"}},
    {"peeling",
     "peeling",
     {"Mesh/Parameters=n=75, m=2", "Time/End=2e-3", "Output/Number of instants=4"}},
    {"mortar_wall",
     "mortar_wall",
     {"Time/End=4e-4", "Output/Number of instants=2", // bonds reduce friction by their damage
      "Contact/bed joints/Friction coefficient=0", "Contact/head joints/Friction coefficient=0"},
     {"", ""},
     nullptr,
     true},
    {"colliding_blocks", "colliding_blocks", {"Time/End=1e-4", "Output/Number of instants=10"}},
    {"cattaneo",
     "cattaneo",
     {"Time/End=0.1", "Output/Number of instants=4"},
     {"", ""},
     nullptr,
     true},
    {"ring_crush", "ring_crush", ring},
    {"ring_self_contact", "ring_self_contact", ring},
    {"hertz",
     "hertz",
     {"Time/End=0.1", "Output/Number of instants=4"},
     {"block", "cylinder"},
     [](const dealii::Tensor<1, 2> &x) { return x[1] > 0.; },
     true},
    {"stent",
     "stent",
     {"Time/End=400", "Output/Number of instants=4"},
     {"artery", "stent"},
     [](const dealii::Tensor<1, 2> &x) { return x[1] < 1.95; },
     true},
    {"two_blocks",
     "two_blocks",
     {"Time/End=0.3", "Output/Number of instants=10"},
     {"", "rubber"},
     [](const dealii::Tensor<1, 2> &x) { return x[0] > 2.5; }},
    // Laws that no shipped case has.
    {"ring_in_plane_stress", "ring_impact_q4", with(ring, {"Material/Plane=stress"})},
    {"ring_of_neo_hooke", "ring_impact",
     with(ring, {"Material/Law=neo-hooke", "Material/Young modulus=2e6",
                 "Material/Poisson ratio=0.3", "Material/C1=1", "Material/C2=0", "Material/D=0"})},
    {"block_in_plane_stress",
     "hello_drop",
     {"Material/Plane=stress", "Contact/ground/Point=0, -0.01", "Time/End=0.1",
      "Output/Number of instants=10"}}};

struct Instant {
  double time;
  std::string file;
};

/// Names of arrays and their numbers of components.
using Shapes = std::map<std::string, int>;

/// Adds the fields that the points of both series have.
Shapes add_point_fields(Shapes shapes) {
  for (const PointField<2> &field : point_fields<2>())
    shapes[field.name] = 1;
  return shapes;
}

const Shapes point_arrays = add_point_fields({{"displacement", 3},
                                              {"velocity", 3},
                                              {"percussion", 3},
                                              {"pressure", 1},
                                              {"gap", 1},
                                              {"status", 1},
                                              {"percussion_sum", 3},
                                              {"status_max", 1},
                                              {"nodal_stress", 6},
                                              {"nodal_von_mises", 1}});
const Shapes cell_arrays = {{"stress", 6}, {"von_mises", 1}, {"body", 1}};
const Shapes contact_arrays = add_point_fields({{"displacement", 3},
                                                {"velocity", 3},
                                                {"percussion", 3},
                                                {"pressure", 1},
                                                {"gap", 1},
                                                {"status", 1},
                                                {"normal", 3},
                                                {"tangent", 3},
                                                {"pair", 1},
                                                {"body", 1},
                                                {"obstacle", 1},
                                                {"area", 1},
                                                {"touched_place", 3},
                                                {"relative_velocity", 3},
                                                {"percussion_sum", 3},
                                                {"status_max", 1}});

Shapes shapes_of(vtkFieldData &data) {
  Shapes shapes;
  for (int k = 0; k < data.GetNumberOfArrays(); ++k)
    shapes[data.GetArray(k)->GetName()] = data.GetArray(k)->GetNumberOfComponents();
  return shapes;
}

dealii::Tensor<1, 2> plane_vector(vtkDataArray &field, vtkIdType i) {
  return dealii::Tensor<1, 2>({field.GetComponent(i, 0), field.GetComponent(i, 1)});
}

double largest_norm(vtkDataArray &vectors) {
  double largest = 0;
  for (vtkIdType i = 0; i < vectors.GetNumberOfTuples(); ++i)
    largest = std::max(largest, plane_vector(vectors, i).norm());
  return largest;
}

class WrittenCases : public testing::TestWithParam<ShortCase> {
protected:
  WrittenCases() { run(); }

  /// Runs the case with the program, as a user does.
  void run() {
    std::string command = "'" PERCUSSION_BINARY_DIR "/percussion' '" PERCUSSION_SOURCE_DIR
                          "/params/" +
                          GetParam().prm + ".prm' --output '" + results().string() + "'";
    for (const auto &assignment : GetParam().assignments)
      command += " --set '" + assignment + "'";
    const std::string log = (folder / "said").string();
    if (std::system((command + " >'" + log + "' 2>&1").c_str()) != 0)
      throw std::runtime_error(cases::read(log));
    const auto file = ParameterFile::read((results() / "parameters.prm").string());
    parameters = std::make_unique<Parameters>(declare_case(&file), file);
    summary = nlohmann::json::parse(cases::read(results() / "summary.json"));
    n_rigid = summary["size"]["rigid_bodies"];
    contact_names = file.subsections("Contact");
    rigid_sections = file.subsections("Rigid bodies");
    history = test::read_csv((results() / "energy.csv").string());
    solution = read_pvd("solution.pvd");
    contacts = read_pvd("contacts.pvd");
  }

  fs::path results() const { return folder / "results"; }

  std::vector<Instant> read_pvd(const std::string &name) const {
    const std::string text = cases::read(results() / name);
    const std::regex entry("timestep=\"([^\"]*)\"[^>]*file=\"([^\"]*)\"");
    std::vector<Instant> instants;
    for (std::sregex_iterator i(text.begin(), text.end(), entry), end; i != end; ++i)
      instants.push_back({std::stod((*i)[1]), (*i)[2]});
    return instants;
  }

  vtkSmartPointer<vtkUnstructuredGrid> read_vtu(const std::string &name) const {
    return cases::read_vtu((results() / name).string());
  }

  /// Returns the row of energy.csv at this time.
  std::size_t row_at(double time) const {
    const auto &times = history.at("time");
    return std::find(times.begin(), times.end(), time) - times.begin();
  }

  const percussion::test::ScratchFolder scratch;
  const fs::path folder = scratch.path;
  std::unique_ptr<Parameters> parameters;
  std::vector<std::string> contact_names, rigid_sections;
  long n_rigid = 0;
  nlohmann::json summary;
  std::map<std::string, std::vector<double>> history;
  std::vector<Instant> solution, contacts;

  void check_files() const;
  void check_points(vtkUnstructuredGrid &grid) const;
  void check_contacts(vtkUnstructuredGrid &grid, double time) const;
  void check_contact(vtkUnstructuredGrid &grid, vtkIdType i) const;
  double check_stress(vtkUnstructuredGrid &grid, double &error) const;
};

/// Expects that the lists name every file, that each file exists, and that the times agree with the
/// table.
void WrittenCases::check_files() const {
  std::set<std::string> listed, found;
  ASSERT_EQ(solution.size(), contacts.size());
  ASSERT_EQ(solution.size(), parameters->get_integer("Output/Number of instants") + 1u);
  for (std::size_t k = 0; k < solution.size(); ++k) {
    EXPECT_EQ(solution[k].time, contacts[k].time);
    ASSERT_LT(row_at(solution[k].time), history.at("time").size()) << solution[k].time;
    listed.insert({solution[k].file, contacts[k].file});
  }
  const auto first = read_vtu(contacts.front().file);
  vtkDataArray &obstacle = *first->GetPointData()->GetArray("obstacle");
  for (vtkIdType i = 0; i < obstacle.GetNumberOfTuples(); ++i)
    if (obstacle.GetComponent(i, 0) == 0) // points against surfaces are always listed
      listed.insert("ground.vtu");
  EXPECT_EQ(solution.front().time, history.at("time").front());
  EXPECT_EQ(solution.back().time, history.at("time").back());
  std::set<std::string> others;
  for (const auto &entry : fs::directory_iterator(results()))
    (entry.path().extension() == ".vtu" ? found : others).insert(entry.path().filename().string());
  EXPECT_EQ(found, listed);
  EXPECT_EQ(others.erase("checkpoint-1.bin") + others.erase("checkpoint-2.bin"), 1u);
  std::set<std::string> expected = {"energy.csv",   "log.txt",      "paraview_macro.py",
                                    "contacts.pvd", "solution.pvd", "parameters.prm",
                                    "summary.json"};
  if (n_rigid > 0)
    expected.insert("rigid_bodies.csv");
  if (summary["size"]["nodes"] > 0 && parameters->get("Time/Inertia") != "none")
    expected.insert("elastic_bodies.csv");
  for (const std::string &name : rigid_sections) {
    const std::string path = "Rigid bodies/" + name + "/";
    long n_bodies = 1;
    for (const std::string entry : {"Copies", "Courses", "Repetitions"})
      n_bodies *= parameters->get_integer(path + entry);
    if (n_bodies > 1)
      expected.insert("bodies_" + name + ".csv");
  }
  EXPECT_EQ(others, expected);
}

/// Checks the common fields of points in both files.
void WrittenCases::check_points(vtkUnstructuredGrid &grid) const {
  vtkPointData &data = *grid.GetPointData();
  const double largest = largest_norm(*data.GetArray("percussion"));
  for (vtkIdType i = 0; i < grid.GetNumberOfPoints(); ++i) {
    ASSERT_EQ(grid.GetPoint(i)[2], 0.);
    for (const char *name : {"displacement", "velocity", "percussion"}) {
      for (int d = 0; d < 2; ++d)
        ASSERT_TRUE(std::isfinite(data.GetArray(name)->GetComponent(i, d))) << name;
      ASSERT_EQ(data.GetArray(name)->GetComponent(i, 2), 0.) << name;
    }
    const double pressure = data.GetArray("pressure")->GetComponent(i, 0);
    ASSERT_TRUE(std::isfinite(pressure));
    // In mortar contact, a touched node may receive a small tension beside the contact.
    const bool is_on_faces = grid.GetCellData()->HasArray("body") && GetParam().is_on_faces;
    ASSERT_TRUE(pressure >= 0 || is_on_faces) << pressure;
    const double status = data.GetArray("status")->GetComponent(i, 0);
    ASSERT_TRUE(status == -1 || status == 0 || status == 1 || status == 2) << status;
    // Without contact there is neither a gap nor a percussion.
    const double gap = data.GetArray("gap")->GetComponent(i, 0);
    if (status == -1) {
      ASSERT_TRUE(std::isnan(gap));
    }
    if (status <= 0) {
      // For rigid bodies the solver may leave round-off.
      ASSERT_LE(plane_vector(*data.GetArray("percussion"), i).norm(), 1e-12 * largest);
      ASSERT_EQ(pressure, 0.);
    }
  }
}

/// Checks the frame and the friction cone.
void WrittenCases::check_contact(vtkUnstructuredGrid &grid, vtkIdType i) const {
  vtkPointData &data = *grid.GetPointData();
  const auto number = [&](const char *name) {
    const double value = data.GetArray(name)->GetComponent(i, 0);
    EXPECT_EQ(value, std::floor(value)) << name;
    return static_cast<long>(value);
  };
  const auto n = plane_vector(*data.GetArray("normal"), i);
  const auto t = plane_vector(*data.GetArray("tangent"), i);
  const auto p = plane_vector(*data.GetArray("percussion"), i);
  ASSERT_NEAR(n.norm(), 1., 1e-15);
  ASSERT_EQ(t[0], n[1]);
  ASSERT_EQ(t[1], -n[0]);
  ASSERT_TRUE(number("body") >= 0 && number("body") <= n_rigid);
  ASSERT_TRUE(number("obstacle") >= -1 && number("obstacle") <= n_rigid);
  ASSERT_TRUE(number("pair") >= 0 && number("pair") < static_cast<long>(contact_names.size()));
  const long status = number("status");
  ASSERT_GE(status, 0);
  const std::string name = contact_names.at(static_cast<std::size_t>(number("pair")));
  const double mu = parameters->get_double("Contact/" + name + "/Friction coefficient");
  const double normal = p * n, tangential = std::abs(p * t);
  const double round_off = 1e-12 * largest_norm(*data.GetArray("percussion"));
  ASSERT_GE(normal, -round_off);
  ASSERT_LE(tangential, mu * normal * (1 + 1e-9) + round_off);
  if (status == 2) {
    ASSERT_NEAR(tangential, mu * normal, 1e-9 * normal + round_off);
  }
  ASSERT_EQ(data.GetArray("pressure")->GetComponent(i, 0) > 0, number("body") == 0 && normal > 0);
}

void WrittenCases::check_contacts(vtkUnstructuredGrid &grid, double time) const {
  double penetration = 0;
  auto *const gap = grid.GetPointData()->GetArray("gap");
  for (vtkIdType i = 0; i < grid.GetNumberOfPoints(); ++i) {
    check_contact(grid, i);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "point " << i;
    penetration = std::max(penetration, -gap->GetComponent(i, 0)); // NaN has no effect
  }
  EXPECT_EQ(penetration, history.at("penetration_max")[row_at(time)]);
}

/// Compares every cell with the law, stores the largest error, and returns the largest equivalent
/// stress.
double WrittenCases::check_stress(vtkUnstructuredGrid &grid, double &error) const {
  const auto first = test::law_of(*parameters, GetParam().regions[0]);
  const auto second = test::law_of(*parameters, GetParam().regions[1]);
  auto *const u = grid.GetPointData()->GetArray("displacement");
  auto *const written = grid.GetCellData()->GetArray("stress");
  auto *const equivalent = grid.GetCellData()->GetArray("von_mises");
  auto *const body = grid.GetCellData()->GetArray("body");
  double largest = 0;
  for (vtkIdType c = 0; c < grid.GetNumberOfCells(); ++c) {
    test::Tensor3 expected;
    if (body->GetComponent(c, 0) == 0) {
      test::Corners corners;
      vtkCell &cell = *grid.GetCell(c);
      for (int k = 0; k < cell.GetNumberOfPoints(); ++k) {
        const double *const x = grid.GetPoint(cell.GetPointId(k));
        corners.x.push_back(dealii::Tensor<1, 2>({x[0], x[1]}));
        corners.u.push_back(plane_vector(*u, cell.GetPointId(k)));
      }
      dealii::Tensor<1, 2> centre;
      for (const auto &x : corners.x)
        centre += x / static_cast<double>(corners.x.size());
      const auto is_in_second = GetParam().is_in_second;
      expected = test::mean_stress(
          corners, is_in_second != nullptr && is_in_second(centre) ? second : first);
    }
    test::Tensor3 stress;
    const std::array<std::array<unsigned int, 2>, 6> places = {
        {{{0, 0}}, {{1, 1}}, {{2, 2}}, {{0, 1}}, {{1, 2}}, {{0, 2}}}};
    for (int k = 0; k < 6; ++k) {
      const auto [i, j] = places[static_cast<std::size_t>(k)];
      stress[i][j] = stress[j][i] = written->GetComponent(c, k);
    }
    error = std::max(error, (stress - expected).norm());
    const double written_stress = test::equivalent(stress);
    EXPECT_NEAR(equivalent->GetComponent(c, 0), written_stress, 1e-12 * stress.norm());
    largest = std::max(largest, written_stress);
  }
  return largest;
}

TEST_P(WrittenCases, HoldWhatTheDocumentationSays) {
  check_files();
  ASSERT_FALSE(HasFatalFailure());
  cases::expect_contact_law(summary, GetParam().prm);
  double largest_percussion = 0, largest_stress = 0, stress_error = 0;
  bool is_elastic = false;
  for (std::size_t k = 0; k < solution.size(); ++k) {
    for (const auto &instant : {solution[k], contacts[k]}) {
      SCOPED_TRACE(instant.file);
      const auto grid = read_vtu(instant.file);
      const bool is_solution = instant.file == solution[k].file;
      ASSERT_EQ(shapes_of(*grid->GetPointData()), is_solution ? point_arrays : contact_arrays);
      ASSERT_EQ(shapes_of(*grid->GetCellData()), is_solution ? cell_arrays : Shapes());
      ASSERT_EQ(shapes_of(*grid->GetFieldData()), Shapes({{"TimeValue", 1}}));
      EXPECT_EQ(grid->GetFieldData()->GetArray("TimeValue")->GetComponent(0, 0), instant.time);
      check_points(*grid);
      ASSERT_FALSE(HasFatalFailure());
      if (is_solution) {
        is_elastic = grid->GetCellData()->GetArray("body")->GetRange()[0] == 0;
        largest_stress = std::max(largest_stress, check_stress(*grid, stress_error));
      } else {
        check_contacts(*grid, instant.time);
        ASSERT_FALSE(HasFatalFailure());
        largest_percussion = std::max(largest_percussion,
                                      largest_norm(*grid->GetPointData()->GetArray("percussion")));
      }
    }
  }
  EXPECT_GT(largest_percussion, 0.) << "nothing has touched";
  EXPECT_EQ(is_elastic, largest_stress > 0);
  // deal.II treats cells as equal in shape if they differ by up to 1e-12 of their size, and the
  // nodes of Gmsh's regular meshes do differ by this. The other meshes must agree to round-off.
  const std::set<std::string> regular = {
      "hello_drop", "sliding_block", "sliding_block_classical", "two_blocks",
      "two_bars",   "hertz",         "colliding_blocks",        "stent"};
  const bool is_regular = regular.count(GetParam().prm) > 0;
  EXPECT_LE(stress_error, (is_regular ? 2e-11 : 1e-12) * largest_stress);
}

INSTANTIATE_TEST_SUITE_P(Shipped, WrittenCases, testing::ValuesIn(short_cases),
                         [](const auto &c) { return c.param.name; });

/// A new case must be a row of this list.
TEST(WrittenCasesList, HasAllCases) {
  std::set<std::string> tested = {"bars_in_space", "box_slide", "sphere_impact",
                                  "tyre_drop"}; // tested in space.cc
  tested.insert(
      {"spinning_top", "dominoes", "rock_wall", "rock_wall_classical"}); // tested in rigid_space.cc
  tested.insert("cart");                                                 // tested in joints.cc
  tested.insert("taylor_bar"); // tested in axisymmetric.cc
  tested.insert({"steel_ball", "hopkinson_bar", "bracket_impact",
                 "stent_in_space"}); // tested in plastic_impacts.cc
  tested.insert("seal");             // tested in seal.cc
  std::set<std::string> shipped;
  for (const auto &c : short_cases)
    tested.insert(c.prm);
  for (const auto &entry : fs::directory_iterator(PERCUSSION_SOURCE_DIR "/params"))
    shipped.insert(entry.path().stem().string());
  EXPECT_EQ(tested, shipped);
}

} // namespace
