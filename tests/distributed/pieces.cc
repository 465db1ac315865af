// Pieces of the solution that processes write, read back with VTK. Run by mpirun with different
// numbers of processes.

#include <percussion/base/file.h>
#include <percussion/base/processes.h>
#include <percussion/body/cell_stress.h>
#include <percussion/material/hyperelastic.h>
#include <percussion/output/vtu_output.h>

#include <gtest/gtest.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include "support/full_disk.h"
#include "support/meshes.h"
#include "support/rigid.h"
#include "support/scratch_folder.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace pieces {

using namespace percussion;
using Grid = vtkSmartPointer<vtkUnstructuredGrid>;

template <typename Reader>
Grid read(const std::string &file) {
  vtkNew<Reader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  EXPECT_EQ(reader->GetErrorCode(), 0u) << file;
  return reader->GetOutput();
}

/// A linear body of triangles, a hyperelastic one of quadrilaterals that begins on its top, with
/// nodes at the same positions, and a rigid block.
class Pieces : public testing::Test {
protected:
  static constexpr vtkIdType n_vertices = 4;

  Pieces() {
    if (processes::is_first())
      scratch.emplace();
    folder = processes::broadcast_bytes([&] { return scratch->path.string(); });
    test::move(*upper, 0, dealii::Tensor<1, 2>({0., 1.}));
    lower->file = "lower.msh";
    upper->file = "upper.msh";
    system.add_elastic(
        *lower, Material<2>{1., 1., LinearElastic<2>::from_young(1e3, 0.3, Plane::strain), {}});
    const NeoHooke law{1.5, 0.8};
    system.add_elastic(
        *upper, Material<2>{1., 1., small_strain_limit<2>(law), {}, FiniteStrainMaterial{law, {}}});
    system.rigid = {test::rectangle("block", 0.5, 0.5, 1, {1., 2.3})};
    auto &pair = system.add_contact(ImpactLawKind::fremond, {}, 0.3);
    pair.own_side = ElasticRegion{"upper:top"};
    pair.opposite_side = RigidBodies{{0}};
    const System<2> &bodies = system.make();
    system.start();
    for (unsigned int i = 0; i < bodies.n_elastic_dofs(); ++i) {
      system.state.q[i] = 0.02 * std::sin(1. + 2. * i);
      system.state.v[i] = std::cos(3. * i);
    }
    output.emplace(folder, bodies, *system.boundary, system.choices.h);
  }
  ~Pieces() override {
    processes::agree([] {}); // the first process removes the folder
  }

  void write() {
    output->gather(system.state);
    output->write(system.state, system.step->last());
  }
  void list() {
    processes::agree([&] { output->wait(); });
    output->collect();
    processes::agree([&] { output->list(); });
  }
  Grid solution() const {
    const std::string file = folder + "/" + name_of_instant(folder, "solution", 0);
    return processes::number() > 1 ? read<vtkXMLPUnstructuredGridReader>(file)
                                   : read<vtkXMLUnstructuredGridReader>(file);
  }
  /// Returns the number of a point or cell in the file of one process.
  static std::size_t number(vtkDataSetAttributes *data, vtkIdType i) {
    vtkDataArray *const numbers = data->GetGlobalIds();
    EXPECT_EQ(numbers != nullptr, processes::number() > 1);
    return static_cast<std::size_t>(numbers ? numbers->GetComponent(i, 0) : static_cast<double>(i));
  }
  std::size_t n_listed(const std::string &series = "solution") const {
    const std::string list = test::content_of(folder + "/" + series + ".pvd");
    std::size_t n = 0;
    for (std::size_t at = 0; (at = list.find("<DataSet", at)) != list.npos; ++at)
      ++n;
    return n;
  }
  void expect_points(vtkUnstructuredGrid *grid) const;
  void expect_cells(vtkUnstructuredGrid *grid) const;

  std::unique_ptr<Mesh<2>> lower = test::rectangle(CellShape::simplex, 2, 1, 8, 6),
                           upper = test::rectangle(CellShape::hypercube, 2, 1, 8, 7);
  test::RigidSystem system;
  std::optional<test::ScratchFolder> scratch;
  std::string folder;
  std::optional<VtuOutput<2>> output;
};

void Pieces::expect_points(vtkUnstructuredGrid *grid) const {
  std::vector<std::pair<const Space<2> *, unsigned int>> nodes;
  for (const auto &body : system.bodies->elastic)
    for (unsigned int node = 0; node < body->space.n_nodes(); ++node)
      nodes.emplace_back(&body->space, node);
  std::map<std::size_t, unsigned int> copies;
  vtkPointData *const data = grid->GetPointData();
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
    const std::size_t k = number(data, i);
    ++copies[k];
    if (k >= nodes.size())
      continue;
    const auto &[space, node] = nodes[k];
    for (unsigned int d = 0; d < 2; ++d) {
      const int component = static_cast<int>(d);
      ASSERT_EQ(grid->GetPoint(i)[d], space->nodes[node][d]);
      ASSERT_EQ(data->GetArray("displacement")->GetComponent(i, component),
                space->value_at(node, system.state.q)[d]);
      ASSERT_EQ(data->GetArray("velocity")->GetComponent(i, component),
                space->value_at(node, system.state.v)[d]);
    }
  }
  ASSERT_EQ(copies.size(), nodes.size() + n_vertices);
  EXPECT_EQ(copies.rbegin()->first, nodes.size() + n_vertices - 1);
  EXPECT_EQ(static_cast<std::size_t>(grid->GetNumberOfPoints()) > copies.size(),
            processes::number() > 1); // nodes on borders
}

void Pieces::expect_cells(vtkUnstructuredGrid *grid) const {
  std::vector<dealii::SymmetricTensor<2, 3>> stress;
  std::vector<std::vector<std::size_t>> corners;
  std::size_t first_node = 0;
  for (const auto &body : system.bodies->elastic) {
    const CellStress<2> body_stress(*body);
    const Space<2> &space = body->space;
    for (unsigned int cell = 0; cell < space.n_cells(); ++cell) {
      stress.push_back(body_stress(cell, system.state.q));
      corners.emplace_back();
      for (unsigned int v = 0; v < space.nodes_per_cell(); ++v)
        corners.back().push_back(first_node + space.nodes_of(cell)[v]);
      std::sort(corners.back().begin(), corners.back().end());
    }
    first_node += space.n_nodes();
  }
  std::set<std::size_t> found;
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    const std::size_t k = number(grid->GetCellData(), c);
    found.insert(k);
    ASSERT_EQ(grid->GetCellData()->GetArray("body")->GetComponent(c, 0), k < stress.size() ? 0 : 1);
    if (k >= stress.size())
      continue;
    std::vector<std::size_t> points;
    for (vtkIdType v = 0; v < grid->GetCell(c)->GetNumberOfPoints(); ++v)
      points.push_back(number(grid->GetPointData(), grid->GetCell(c)->GetPointId(v)));
    std::sort(points.begin(), points.end());
    ASSERT_EQ(points, corners[k]);
    ASSERT_EQ(grid->GetCellData()->GetArray("stress")->GetComponent(c, 1), stress[k][1][1]);
    ASSERT_NE(stress[k][1][1], 0.);
  }
  EXPECT_EQ(found.size(), stress.size() + 1);
  EXPECT_EQ(static_cast<std::size_t>(grid->GetNumberOfCells()), found.size());
}

TEST_F(Pieces, TogetherAreTheSolution) {
  write();
  list();
  if (!processes::is_first())
    return;
  const Grid grid = solution();
  expect_points(grid);
  expect_cells(grid);
  const std::size_t n_pieces = processes::number() > 1 ? processes::number() : 0,
                    n_of_list = 1;                            // .pvtu, or .vtu
  EXPECT_EQ(output->sums().size(), n_pieces + n_of_list + 1); // and the contacts
  for (const FileSum &sum : output->sums())
    EXPECT_NO_THROW(check_unchanged(folder, sum)) << sum.name;
}

TEST_F(Pieces, AreListedWhenAllAreComplete) {
  write();
  list();
  const bool is_last = processes::rank() == processes::number() - 1;
  EXPECT_THROW(
      {
        const auto disk = is_last ? std::make_unique<test::FullDisk>(1000) : nullptr;
        write();
        list();
      },
      WriteError);
  output->collect();
  processes::agree([&] { output->list(); });
  if (processes::is_first()) {
    EXPECT_EQ(n_listed(), 1u);
    EXPECT_EQ(name_of_instant(folder, "solution", 1), "solution-000001.vtu"); // there is no index
  }
}

TEST_F(Pieces, AreListedOnceInSpiteOfAFailure) {
  const bool is_divided = processes::number() > 1;
  if (!is_divided)
    GTEST_SKIP() << "a process alone lists instants while it writes them";
  write();
  list();
  write();
  const std::string contacts = folder + "/contacts.pvd", absent = folder + "/absent.pvd";
  if (processes::is_first())
    std::filesystem::rename(contacts, absent);
  EXPECT_THROW(list(), WriteError);
  if (processes::is_first())
    std::filesystem::rename(absent, contacts);
  list();
  if (!processes::is_first())
    return;
  EXPECT_EQ(n_listed(), 2u);
  EXPECT_EQ(n_listed("contacts"), 2u);
  std::set<std::string> names;
  for (const FileSum &sum : output->sums()) {
    EXPECT_TRUE(names.insert(sum.name).second) << sum.name;
    EXPECT_NO_THROW(check_unchanged(folder, sum)) << sum.name;
  }
  EXPECT_EQ(names.size(), 2 * (processes::number() + 2)); // pieces, index and contacts
}

} // namespace pieces
