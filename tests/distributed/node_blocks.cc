// Matrices of bodies by nodes, against the matrices by rows of one process. Run by mpirun with
// different numbers of processes.

#include <percussion/algebra/difference_product.h>
#include <percussion/algebra/node_matrix.h>
#include <percussion/algebra/prescribed_columns.h>
#include <percussion/body/system.h>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include <cmath>
#include <map>
#include <utility>

namespace node_blocks {

using namespace percussion;

/// Two viscous bodies, the first with a missing cell, and a rigid body, with both storages.
class NodeBlocksOfBodies : public ::testing::Test {
protected:
  std::unique_ptr<System<3>> make_system(MatrixStorage storage) const {
    const Material<3> material{
        1.2, 1., LinearElastic<3>::from_young(2., 0.3, Plane::strain), {0.6, 0.11, 0.013}};
    System<3>::ElasticBodies bodies;
    System<3>::add_body(bodies, *large, Materials<3>(material));
    System<3>::add_body(bodies, *small, Materials<3>(material));
    std::vector<RigidBody<3>> rigid(1);
    rigid[0].mass = 2.;
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int j = 0; j < 3; ++j)
        rigid[0].inertia[i][j] = i == j ? 1. + i : 0.1;
    return std::make_unique<System<3>>(std::move(bodies), rigid, dealii::Tensor<1, 3>(), storage);
  }

  std::vector<std::pair<const SparseMatrix *, const SparseMatrix *>> matrices() const {
    const Operators &blocks = nodes->operators, &rows = whole->operators;
    return {{&blocks.mass, &rows.mass},
            {&blocks.stiffness, &rows.stiffness},
            {&blocks.viscosity, &rows.viscosity}};
  }
  static MatrixRows sum(const System<3> &system) {
    MatrixRows A(system.operators.stiffness, 0.7);
    A.add(system.operators.mass, 1.);
    A.add(system.operators.viscosity, 0.3);
    A.add_to_diagonal(4, 5.);
    return A;
  }
  static Vector some_vector(unsigned int n) {
    Vector x(n);
    for (unsigned int i = 0; i < n; ++i)
      x[i] = std::sin(1. + 3. * i);
    return x;
  }

  std::unique_ptr<Mesh<3>> large = test::box(CellShape::hypercube, {3., 1., 1.}, {9, 3, 3}, 0.2);
  std::unique_ptr<Mesh<3>> small = test::box(CellShape::hypercube, {1., 1., 1.}, {2, 2, 2});
  std::unique_ptr<System<3>> nodes = make_system(MatrixStorage::nodes),
                             whole = make_system(MatrixStorage::rows);
  const Partition &partition = nodes->operators.partition;
  const unsigned int n = whole->n_dofs(), n_elastic = whole->n_elastic_dofs();
};

/// Entries on and above the diagonal are the same numbers, transposed ones are their mirror images.
TEST_F(NodeBlocksOfBodies, HaveTheEntriesOfRows) {
  for (const auto &[blocks, rows] : matrices()) {
    ASSERT_TRUE(blocks->has_node_blocks());
    std::map<std::pair<unsigned int, unsigned int>, double> found;
    visit_entries(*blocks, partition, [&](unsigned int i, unsigned int j, double value) {
      EXPECT_TRUE(found.emplace(std::make_pair(i, j), value).second);
      const bool is_stored = i / 3 <= j / 3 || i >= n_elastic;
      const double expected = is_stored ? (*rows)(i, j) : (*rows)(j, i);
      if (i / 3 != j / 3) {
        EXPECT_EQ(value, expected) << i << ' ' << j;
      } else
        EXPECT_NEAR(value, expected, 1e-14) << i << ' ' << j;
      EXPECT_EQ((*blocks)(i, j), value);
    });
    partition.visit_computed(n, [&](std::size_t i) {
      const SparseRow row = rows->row(static_cast<unsigned int>(i));
      for (int k = 0; k < row.size; ++k)
        if (row.value[k] != 0.) {
          EXPECT_EQ(
              found.count({static_cast<unsigned int>(i), static_cast<unsigned int>(row.column[k])}),
              1u);
        }
    });
  }
}

TEST_F(NodeBlocksOfBodies, MultiplyLikeRows) {
  const Vector x = some_vector(n);
  Vector y(n), expected(n);
  for (const auto &[blocks, rows] : matrices()) {
    multiply(*blocks, partition, x, y);
    multiply(*rows, x, expected);
    for (unsigned int i = 0; i < n; ++i)
      EXPECT_NEAR(y[i], expected[i], 1e-14) << i;
  }
  EXPECT_EQ(nodes->operators.n_stiffness_entries,
            static_cast<double>(whole->operators.stiffness.values().size()));
}

/// A sum that is computed when it is read has the bits of the sum that is copied.
TEST_F(NodeBlocksOfBodies, HaveTheBitsOfACopiedSum) {
  std::vector<bool> is_free(n_elastic, true);
  is_free[7] = is_free[8] = is_free[n_elastic / 2] = false;
  const Partition one = Partition::undivided(n_elastic, 3);
  NodeMatrix read(sum(*nodes), is_free, 3, partition);
  const NodeMatrix copied(sum(*whole), is_free, 3, one);
  Vector x = some_vector(n_elastic);
  for (unsigned int i = 0; i < n_elastic; ++i)
    x[i] = is_free[i] ? x[i] : 0.;
  std::vector<double> y(n_elastic), expected(n_elastic);
  read.multiply(x.data(), y.data());
  copied.multiply(x.data(), expected.data());
  read.share_diagonal_blocks({0, 7, n_elastic - 1}, partition);
  for (unsigned int i = 0; i < n_elastic; ++i) {
    if (partition.owns(i)) {
      EXPECT_EQ(y[i], expected[i]) << i;
    }
    for (unsigned int j = i / 3 * 3; read.has_node_of(i) && j < i / 3 * 3 + 3; ++j)
      EXPECT_EQ(read.entry(i, j), copied.entry(i, j)) << i << ' ' << j;
  }
}

/// Prescribed velocities have the same terms in the equations of this process.
TEST_F(NodeBlocksOfBodies, HaveColumnsOfPrescribedDofs) {
  const auto terms = [&](const System<3> &system) {
    SystemPattern pattern{system.operators.stiffness, n_elastic, {9, 3, 7, n_elastic - 2}, {},
                          MatrixValues::constant,     3};
    pattern.complete();
    PrescribedColumns columns;
    columns.set(sum(system), pattern);
    std::vector<double> b(n, 0.);
    columns.subtract_from(some_vector(n), [&](unsigned int dof, double value) { b[dof] -= value; });
    return b;
  };
  const std::vector<double> b = terms(*nodes), expected = terms(*whole);
  for (unsigned int i = partition.begin(); i < partition.end(); ++i)
    EXPECT_NEAR(b[i], expected[i], 1e-14) << i;
}

/// Products of small differences, in extended precision.
TEST_F(NodeBlocksOfBodies, MultiplyDifferences) {
  const DifferenceProduct blocks(nodes->operators.stiffness, partition, 3),
      rows(whole->operators.stiffness, partition, 3);
  const Vector x = some_vector(n);
  Vector y(n), expected(n);
  EXPECT_NEAR(blocks.largest_row_sum(), rows.largest_row_sum(), 1e-13);
  EXPECT_NEAR(blocks.multiply(x, y), rows.multiply(x, expected), 1e-13);
  for (unsigned int i = 0; i < n; ++i)
    EXPECT_NEAR(y[i], expected[i], 1e-14) << i;
}

/// M and K of a large body take at most 400 bytes for each unknown; by rows they take 1300.
TEST(NodeBlocks, TakeLittleMemory) {
  const auto mesh = test::box(CellShape::hypercube, {1., 1., 1.}, {16, 16, 16});
  System<3>::ElasticBodies bodies;
  System<3>::add_body(
      bodies, *mesh,
      Materials<3>(Material<3>{1., 1., LinearElastic<3>::from_young(1., 0.3, Plane::strain), {}}));
  const System<3> system(std::move(bodies), {}, {}, MatrixStorage::nodes);
  const auto size = [](const auto &list) { return list.capacity() * sizeof(list[0]); };
  const Operators &operators = system.operators;
  const NodeBlocks &K = operators.stiffness.node_blocks(), &M = operators.mass.node_blocks();
  EXPECT_EQ(K.pattern, M.pattern);
  const double bytes = static_cast<double>(
      size(K.values) + size(M.values) + size(K.pattern->column) + size(K.pattern->start) +
      size(operators.stiffness.values()) + size(operators.stiffness.pattern()->start) +
      size(operators.mass.values()) + size(operators.mass.pattern()->start));
  EXPECT_LT(bytes, 400. * (operators.partition.end() - operators.partition.begin()) *
                       (operators.partition.is_shared() ? 1.2 : 1.));
}

} // namespace node_blocks
