// Cells and matrices of bodies that processes share, against those of one process. Run by mpirun
// with different numbers of processes.

#include <percussion/algebra/matrix_rows.h>
#include <percussion/algebra/node_matrix.h>
#include <percussion/body/finite_strain.h>
#include <percussion/body/system.h>
#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "../../src/balance/loose_bodies.h"
#include "support/meshes.h"
#include <cmath>
#include <map>

namespace shared_bodies {

using namespace percussion;

/// An array whose entries several processes compute in turn.
TEST(SharedItems, GathersItemsInAnyOrder) {
  const Partition partition(300, 3);
  constexpr unsigned int n_items = 50;
  std::vector<std::vector<unsigned int>> process_items(partition.n_processes());
  for (unsigned int item = 0; item < n_items; ++item)
    process_items[(7 * item) % partition.n_processes()].push_back(n_items - 1 - item);
  std::vector<double> values(2 * n_items, -1.), expected(2 * n_items);
  for (unsigned int i = 0; i < 2 * n_items; ++i)
    expected[i] = std::sqrt(double(i));
  for (const unsigned int item : process_items[partition.process()])
    for (const unsigned int i : {2 * item, 2 * item + 1})
      values[i] = expected[i];
  SharedItems(partition, process_items).gather(values.data(), 2);
  EXPECT_EQ(values, expected);
}

TEST(Partition, LearnsOfAConditionOfOneProcess) {
  const Partition partition(300, 3);
  for (unsigned int process = 0; process < partition.n_processes(); ++process)
    EXPECT_TRUE(partition.any(process == partition.process()));
  EXPECT_FALSE(partition.any(false));
}

struct Choice {
  const char *name;
  CellShape shape;
  FiniteViscosity viscosity;
  ElementKind element = ElementKind::standard;
};

/// A body of cells of several rows on each process, the last block with a missing cell.
class SharedCells : public ::testing::TestWithParam<Choice> {
protected:
  static constexpr double h = 0.3;

  SharedCells() {
    for (unsigned int i = 0; i < body.n_dofs(); ++i) {
      q0[i] = 0.03 * std::sin(1. + 2. * i);
      q1[i] = 0.03 * std::cos(3. * i);
    }
    for (FiniteStrain<3> *const strains : {&shared, &whole})
      strains->begin_step(q0);
  }

  static std::unique_ptr<Mesh<3>> make_mesh() {
    if (GetParam().element == ElementKind::macro_cells)
      return test::divided(*test::box(CellShape::simplex, {3., 1., 1.}, {5, 1, 1}));
    return test::box(GetParam().shape, {3., 1., 1.}, {9, 3, 3}, 0.2);
  }

  const NeoHooke law{1.5, 0.8};
  std::unique_ptr<Mesh<3>> mesh = make_mesh();
  System<3> body{*mesh,
                 Material<3>{1.,
                             1.,
                             small_strain_limit<3>(law),
                             {},
                             FiniteStrainMaterial{law, GetParam().viscosity},
                             GetParam().element},
                 {}};
  Partition partition{body.n_dofs(), 3};
  FiniteStrain<3> shared{*body.elastic.front(), 0, partition}, whole{*body.elastic.front(), 0};
  Vector q0 = body.zero_field(), q1 = q0;
};

/// Forces on the range of a process, and energies, have the same bits.
TEST_P(SharedCells, HaveTheSameBits) {
  EXPECT_EQ(whole.n_cells(), mesh->triangulation.n_active_cells());
  if (partition.is_shared()) {
    EXPECT_LT(shared.n_cells(), whole.n_cells());
  }
  EXPECT_EQ(shared.stiffness_norm(), whole.stiffness_norm());
  Vector f(body.n_dofs()), expected = f;
  ASSERT_TRUE(shared.evaluate(q1, h, f));
  ASSERT_TRUE(whole.evaluate(q1, h, expected));
  for (unsigned int i = partition.begin(); i < partition.end(); ++i)
    EXPECT_EQ(f[i], expected[i]) << i;
  EXPECT_EQ(shared.dissipation(), whole.dissipation());
  EXPECT_EQ(whole.dissipation() > 0., GetParam().viscosity.present());
  EXPECT_EQ(shared.strain_energy(q1), whole.strain_energy(q1));
  EXPECT_GT(whole.strain_energy(q1), 0.);
  EXPECT_EQ(shared.stiffness_of_turn(h), whole.stiffness_of_turn(h));
}

/// A matrix by nodes that each process fills with the tangents of its cells is the undivided one.
TEST_P(SharedCells, FillADividedMatrix) {
  const std::vector<bool> is_free(body.n_dofs(), true);
  const MatrixRows pattern(body.operators.stiffness);
  const Partition one = Partition::undivided(body.n_dofs(), 3);
  NodeMatrix divided(pattern, is_free, 3, partition), undivided(pattern, is_free, 3, one);
  divided.share_diagonal_blocks({0, body.n_dofs() - 1}, partition);
  const auto fill = [&](FiniteStrain<3> &strains, const Partition &ranges, NodeMatrix &A) {
    Vector f(body.n_dofs());
    EXPECT_TRUE(strains.evaluate(q1, h, f));
    const unsigned int size = strains.dofs_per_group();
    std::vector<double> tangent(size * size);
    std::fill(A.block_values().begin(), A.block_values().end(), 0.);
    for (unsigned int group = 0; group < strains.n_groups(); ++group) {
      strains.group_tangent(group, h, tangent.data());
      const unsigned int *const dofs = strains.dofs_of_group(group);
      for (unsigned int i = 0; i < size; ++i)
        for (unsigned int j = i; j < size; ++j)
          if (const int index = A.index(dofs[i], dofs[j]); index >= 0)
            A.block_values()[static_cast<unsigned int>(index)] +=
                tangent[i * size + j] + tangent[j * size + i];
    }
    A.complete_diagonal_blocks(ranges);
  };
  fill(shared, partition, divided);
  fill(whole, one, undivided);
  std::vector<double> x(body.n_dofs()), y(x.size()), expected(x.size());
  for (unsigned int i = 0; i < x.size(); ++i)
    x[i] = std::cos(2. * i);
  divided.multiply(x.data(), y.data());
  undivided.multiply(x.data(), expected.data());
  for (unsigned int i = partition.begin(); i < partition.end(); ++i)
    EXPECT_EQ(y[i], expected[i]) << i;
  for (unsigned int i = 0; i < x.size(); ++i)
    if (divided.has_node_of(i)) {
      EXPECT_EQ(divided.entry(i, i), undivided.entry(i, i)) << i;
    }
}

/// Only processes with the inverted element notice it.
TEST_P(SharedCells, NoticeInvertedElements) {
  Vector f(body.n_dofs());
  Vector inverted = q1;
  inverted[0] += 2.;
  EXPECT_FALSE(whole.evaluate(inverted, h, f));
  const bool is_noticed = !shared.evaluate(inverted, h, f);
  EXPECT_TRUE(partition.any(is_noticed));
  if (partition.owns(0)) {
    EXPECT_TRUE(is_noticed);
  }
  EXPECT_EQ(partition.any(!is_noticed), partition.is_shared());
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, SharedCells,
    ::testing::Values(Choice{"H8", CellShape::hypercube, {}},
                      Choice{"H8Curnier", CellShape::hypercube, {ViscosityKind::curnier, 0.4}},
                      Choice{"H8Mean", CellShape::hypercube, {}, ElementKind::mean_dilatation},
                      Choice{"T4Macro", CellShape::simplex, {}, ElementKind::macro_cells},
                      Choice{"T4Pioletti", CellShape::simplex, {ViscosityKind::pioletti, 0.4}}),
    [](const auto &test) { return test.param.name; });

/// Additions for a loose body follow from the rows of all processes, and a process has those of its
/// rows.
TEST(LooseBodies, HaveAdditionsToDividedMatrices) {
  const auto mesh = test::box(CellShape::hypercube, {3., 1., 1.}, {9, 3, 3});
  const Material<3> material{1e-12, 1., LinearElastic<3>::from_young(1., 0.3, Plane::strain), {}};
  const auto system = [&](MatrixStorage storage) {
    System<3>::ElasticBodies bodies;
    bodies.push_back(std::make_unique<ElasticBody<3>>(*mesh, Materials<3>(material)));
    return std::make_unique<System<3>>(std::move(bodies), std::vector<RigidBody<3>>(),
                                       dealii::Tensor<1, 3>(), storage);
  };
  const auto divided = system(MatrixStorage::nodes), whole = system(MatrixStorage::rows);
  std::vector<unsigned int> contacts;
  const Space<3> &space = whole->elastic.front()->space;
  for (const unsigned int node : mesh->region("bottom").nodes)
    for (const unsigned int dof : space.node_dofs[node])
      contacts.push_back(dof);
  const auto additions = [&](const System<3> &of, double mass_factor) {
    MatrixRows A(of.operators.stiffness);
    A.add(of.operators.mass, mass_factor);
    std::map<unsigned int, double> dof_values;
    for (const auto &[dof, value] : additions_for_loose_bodies(of, A, contacts))
      dof_values[dof] = value;
    return dof_values;
  };
  const auto found = additions(*divided, 1.), expected = additions(*whole, 1.);
  EXPECT_EQ(expected.size(), contacts.size());
  const Partition &partition = divided->operators.partition;
  for (const unsigned int dof : contacts)
    if (partition.owns(dof)) {
      ASSERT_EQ(found.count(dof), 1u);
      EXPECT_EQ(found.at(dof), expected.at(dof)) << dof;
    }
  EXPECT_TRUE(additions(*divided, 1e12).empty()); // the inertia suffices
  EXPECT_TRUE(additions(*whole, 1e12).empty());
}

} // namespace shared_bodies
