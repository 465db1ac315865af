// Output of an elastic body together with rigid ones, read back with VTK.

#include "support/meshes.h"
#include "written_run.h"

namespace {

using namespace percussion;
using test::moved_point;
using test::WrittenRun;

/// A rigid block falls on an elastic one, whose nodes may touch it.
TEST(MixedOutput, RigidBodiesFollowTheMesh) {
  const auto mesh = test::rectangle(CellShape::hypercube, 2, 1, 8, 4);
  WrittenRun written("mixed");
  auto &system = written.system;
  const Material<2> material{1., 1., LinearElastic<2>::from_young(1e3, 0.3, Plane::strain), {}};
  system.add_elastic(*mesh, material);
  system.rigid = {test::rectangle("block", 0.5, 0.5, 1, {1., 1.26})};
  auto &pair = system.add_contact(ImpactLawKind::fremond, {}, 0.3);
  pair.own_side = ElasticRegion{"top"};
  pair.opposite_side = RigidBodies{{0}};
  system.make();
  system.v(0)[1] = -1;
  system.start();
  written.run(40);

  const auto &space = system.bodies->elastic.front()->space;
  const auto n_nodes = static_cast<vtkIdType>(space.n_nodes());
  double largest_pressure = 0, largest_stress = 0;
  vtkIdType most_contacts = 0;
  for (std::size_t k = 0; k <= 40; ++k) {
    const auto grid = written.read("solution", k);
    ASSERT_EQ(grid->GetNumberOfPoints(), n_nodes + 4);
    ASSERT_EQ(grid->GetNumberOfCells(), 33);
    auto *const body = grid->GetCellData()->GetArray("body");
    auto *const stress = grid->GetCellData()->GetArray("von_mises");
    for (vtkIdType c = 0; c < 33; ++c) {
      ASSERT_EQ(grid->GetCellType(c), c < 32 ? VTK_QUAD : VTK_POLYGON);
      ASSERT_EQ(body->GetComponent(c, 0), c < 32 ? 0 : 1);
    }
    ASSERT_EQ(stress->GetComponent(32, 0), 0.);
    for (vtkIdType c = 0; c < 32; ++c)
      largest_stress = std::max(largest_stress, stress->GetComponent(c, 0));
    for (vtkIdType i = 0; i < n_nodes; ++i) {
      const auto &dofs = space.node_dofs[static_cast<std::size_t>(i)];
      ASSERT_EQ(grid->GetPointData()->GetArray("displacement")->GetComponent(i, 1),
                written.states[k].q[dofs[1]]);
    }
    const auto outline =
        system.bodies->poses(written.states[k].q)[0].outline(system.bodies->rigid[0]);
    for (vtkIdType i = 0; i < 4; ++i)
      ASSERT_LT(moved_point(*grid, n_nodes + i).distance(outline[static_cast<std::size_t>(i)]),
                1e-14);

    const auto contacts = written.read("contacts", k);
    const auto n_contacts = static_cast<vtkIdType>(
        contact_table(written.states[k], written.records[k]).size()); // nodes close to the block
    ASSERT_EQ(contacts->GetNumberOfPoints(), n_contacts);
    ASSERT_LT(n_contacts, 9);
    most_contacts = std::max(most_contacts, n_contacts);
    for (vtkIdType i = 0; i < n_contacts; ++i) {
      ASSERT_EQ(contacts->GetPointData()->GetArray("body")->GetComponent(i, 0), 0);
      ASSERT_EQ(contacts->GetPointData()->GetArray("obstacle")->GetComponent(i, 0), 1);
      const double pressure = contacts->GetPointData()->GetArray("pressure")->GetComponent(i, 0);
      largest_pressure = std::max(largest_pressure, pressure);
    }
  }
  EXPECT_GE(most_contacts, 3);
  EXPECT_GT(largest_pressure, 1.);
  EXPECT_GT(largest_stress, 1.);
}

} // namespace
