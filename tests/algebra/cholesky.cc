#include <percussion/algebra/cholesky.h>
#include <percussion/algebra/pair_matrix.h>
#include <percussion/algebra/semidefinite.h>

#include <gtest/gtest.h>

#include "matrices.h"
#include <algorithm>
#include <cmath>

namespace {

using namespace percussion;
using test::numbers;
using test::some_vector;

/// Matrix M + K of a small body.
struct SmallMatrix {
  std::unique_ptr<Mesh<2>> mesh = test::rectangle(CellShape::simplex, 2, 1, 6, 4, 0.2);
  System<2> body{*mesh, test::unit_material(), {}};
  SparseMatrix A = test::combination(body, 1., 1.);
};

Cholesky factor_of(const SparseMatrix &A, const std::vector<unsigned int> &unknowns,
                   const std::vector<unsigned int> &interface = {}) {
  Cholesky factor(A, unknowns, interface);
  factor.set_values(A);
  EXPECT_TRUE(factor.factorise());
  return factor;
}

TEST(Cholesky, SolvesOnTheUnknownsAndLeavesTheRest) {
  const SmallMatrix small;
  const unsigned int n = small.body.n_dofs();
  std::vector<unsigned int> unknowns;
  for (unsigned int i = 0; i < n; i += 2)
    unknowns.push_back(i);
  const Cholesky factor = factor_of(small.A, unknowns);
  const Vector b = some_vector(n);
  Vector x(n), Ax = x;
  factor.solve(b, x);
  multiply(small.A, x, Ax);
  for (unsigned int i = 0; i < n; ++i)
    if (i % 2 == 0)
      EXPECT_NEAR(Ax[i], b[i], 1e-13);
    else
      EXPECT_EQ(x[i], 0.);
}

/// Each pair of unknowns has one position, the same from both sides of the diagonal.
TEST(Cholesky, EntriesHaveOnePlaceEach) {
  const SmallMatrix small;
  std::vector<unsigned int> unknowns = numbers(small.body.n_dofs());
  unknowns.erase(unknowns.begin() + 3, unknowns.begin() + 7);
  Cholesky factor(small.A, unknowns, {10, 11, 30});
  std::vector<bool> taken(factor.values().size(), false);
  test::visit_entries(small.A, [&](unsigned int i, unsigned int j, double) {
    const int index = factor.index(i, j);
    ASSERT_EQ(index, factor.index(j, i));
    if (std::min(factor.position(i), factor.position(j)) < 0) {
      EXPECT_EQ(index, -1);
    } else if (i <= j) {
      ASSERT_LT(static_cast<std::size_t>(index), taken.size());
      EXPECT_FALSE(taken[static_cast<unsigned int>(index)]) << "two entries in one place";
      taken[static_cast<unsigned int>(index)] = true;
    }
  });
  EXPECT_EQ(std::count(taken.begin(), taken.end(), false), 0);
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefiniteAndGoesOnAfterIt) {
  const SmallMatrix small;
  const unsigned int n = small.body.n_dofs();
  Cholesky factor(small.A, numbers(n), {0, 1, 2});
  const SparseMatrix minus = test::multiple(-1., small.A);
  const Vector b = some_vector(n);
  for (unsigned int attempt = 0; attempt < 2; ++attempt) {
    factor.set_values(minus);
    EXPECT_FALSE(factor.factorise());
    factor.set_values(small.A);
    ASSERT_TRUE(factor.factorise());
    Vector x(n), Ax = x;
    factor.solve(b, x);
    multiply(small.A, x, Ax);
    Ax -= b;
    EXPECT_LT(Ax.linfty_norm(), 1e-12);
  }
}

TEST(Cholesky, MayHaveNoUnknowns) {
  const SmallMatrix small;
  Cholesky factor = factor_of(small.A, {});
  EXPECT_EQ(factor.size(), 0u);
  const Vector b = some_vector(small.body.n_dofs());
  Vector x(small.body.n_dofs());
  factor.solve(b, x);
  EXPECT_EQ(x.linfty_norm(), 0.);
}

/// Expects x_I = L_II⁻ᵀ (L⁻¹ b)_I and (A⁻¹)_II = L_II⁻ᵀ L_II⁻¹, compared with solutions by the
/// whole factor.
void expect_interface(const SparseMatrix &A, const std::vector<unsigned int> &interface) {
  const auto n = static_cast<unsigned int>(A.n_rows());
  Cholesky factor = factor_of(A, numbers(n), interface);
  const auto &places = factor.interface_positions();
  const auto &L = factor.interface_factor();
  const std::size_t m = interface.size();
  ASSERT_EQ(places.size(), m);
  ASSERT_TRUE(std::is_sorted(places.begin(), places.end()));
  ASSERT_EQ(L.size(), m * m);
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = 0; i < j; ++i)
      ASSERT_EQ(L[j * m + i], 0.);
  const auto forward = [&](std::vector<double> y) { // L_II⁻¹
    for (std::size_t j = 0; j < m; ++j) {
      y[j] /= L[j * m + j];
      for (std::size_t i = j + 1; i < m; ++i)
        y[i] -= L[j * m + i] * y[j];
    }
    return y;
  };
  const auto backward = [&](std::vector<double> y) { // L_II⁻ᵀ
    for (std::size_t j = m; j-- > 0;) {
      for (std::size_t i = j + 1; i < m; ++i)
        y[j] -= L[j * m + i] * y[i];
      y[j] /= L[j * m + j];
    }
    return y;
  };
  const Vector b = some_vector(n);
  Vector x(n), Ax = x;
  factor.solve(b, x);
  multiply(A, x, Ax);
  Ax -= b;
  ASSERT_LT(Ax.linfty_norm(), 1e-11);
  for (unsigned int i = 0; i < n; ++i)
    factor.work()[factor.position(i)] = b[i];
  factor.forward();
  std::vector<double> y(m);
  for (std::size_t k = 0; k < m; ++k)
    y[k] = factor.work()[places[k]];
  y = backward(y);
  const auto dof = [&](std::size_t k) {
    return factor.elimination_order()[static_cast<unsigned int>(places[k])];
  };
  for (std::size_t k = 0; k < m; ++k)
    ASSERT_NEAR(y[k], x[dof(k)], 1e-11 * x.linfty_norm());
  for (const std::size_t column : {std::size_t(0), m / 2, m - 1}) {
    Vector unit(n);
    unit[dof(column)] = 1.;
    factor.solve(unit, x);
    std::vector<double> interface_solution(m, 0.);
    interface_solution[column] = 1.;
    interface_solution = backward(forward(interface_solution));
    for (std::size_t k = 0; k < m; ++k)
      ASSERT_NEAR(interface_solution[k], x[dof(k)], 1e-12 * x.linfty_norm());
  }
}

TEST(Cholesky, InterfaceOfASmallMatrix) {
  const SmallMatrix small;
  expect_interface(small.A, test::dofs_of(*small.body.elastic.front(), "bottom"));
  expect_interface(small.A, test::dofs_of(*small.body.elastic.front(), "boundary"));
  expect_interface(small.A, numbers(small.body.n_dofs())); // the interface has all unknowns
}

/// CHOLMOD factorises matrices of more than 8000 unknowns by supernodes; from 20,000 unknowns on,
/// METIS orders them.
TEST(Cholesky, InterfaceOfALargeMatrix) {
  for (const unsigned int n : {70u, 100u}) {
    const auto mesh = test::rectangle(CellShape::hypercube, 1, 1, n, n);
    const System<2> body(*mesh, test::unit_material(), {});
    ASSERT_GT(body.n_dofs(), 8000u);
    ASSERT_EQ(body.n_dofs() > 20000, n == 100);
    expect_interface(test::combination(body, 1e3, 1.),
                     test::dofs_of(*body.elastic.front(), "bottom"));
  }
}

/// Expects that an ordering of all degrees of freedom serves factors of a subset, with an
/// interface, and gives about as little fill as an ordering made for the subset. The bodies are not
/// connected, so that the interface has separate blocks in the ordering.
void expect_order_of_nodes_to_serve(unsigned int nx, unsigned int ny) {
  const auto mesh = test::rectangle(CellShape::simplex, 4, 1, nx, ny, 0.1);
  const System<2> body(*mesh, test::unit_material(), {});
  const SparseMatrix A = test::combination(body, 1., 1.);
  std::vector<unsigned int> order = Cholesky::fill_reducing_order_of_nodes(A, body.n_dofs(), 2);
  std::vector<unsigned int> unknowns = numbers(body.n_dofs());
  unknowns.erase(unknowns.begin() + 5, unknowns.begin() + 40);
  const std::vector<unsigned int> interface { 100, 101, 222 };
  const Cholesky own(A, unknowns, interface);
  Cholesky shared(A, unknowns, interface, order);
  EXPECT_EQ(shared.size(), unknowns.size());
  EXPECT_LT(shared.fill(), 1.2 * own.fill());
  shared.set_values(A);
  ASSERT_TRUE(shared.factorise());
  const Vector b = some_vector(body.n_dofs());
  Vector x(body.n_dofs()), Ax = x;
  shared.solve(b, x);
  multiply(A, x, Ax);
  for (const unsigned int i : unknowns)
    ASSERT_NEAR(Ax[i], b[i], 1e-11);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, numbers(body.n_dofs()));
}

TEST(Cholesky, AnOrderOfNodesServesOthers) { expect_order_of_nodes_to_serve(40, 10); }
TEST(Cholesky, AnOrderOfManyNodesServesOthers) { expect_order_of_nodes_to_serve(210, 50); }

TEST(Cholesky, InterfaceOfSeveralBodies) {
  const auto one = test::rectangle(CellShape::simplex, 2, 1, 6, 4, 0.2);
  const auto other = test::rectangle(CellShape::hypercube, 1, 1, 3, 5, 0.2);
  System<2>::ElasticBodies bodies;
  bodies.push_back(std::make_unique<ElasticBody<2>>(*one, test::unit_material()));
  bodies.push_back(
      std::make_unique<ElasticBody<2>>(*other, test::unit_material(), bodies[0]->n_dofs()));
  const System<2> system(std::move(bodies), {}, {});
  auto interface = test::dofs_of(*system.elastic[0], "bottom");
  for (const unsigned int dof : test::dofs_of(*system.elastic[1], "top"))
    interface.push_back(dof);
  expect_interface(test::combination(system, 1., 1.), interface);
}

TEST(SparseMatrices, MultiplyAsTrilinosDoes) {
  const SmallMatrix small;
  const unsigned int n = small.body.n_dofs();
  const Vector x = some_vector(n);
  Vector y = some_vector(n), expected = y;
  multiply(small.A, x, y);
  multiply(small.A, x, expected);
  for (unsigned int i = 0; i < n; ++i)
    EXPECT_NEAR(y[i], expected[i], 1e-15 * expected.linfty_norm());
  EXPECT_GT(expected.linfty_norm(), 0.1);
}

/// Products by pairs of rows agree with products by rows, for complete pairs and any number of
/// rows.
TEST(SparseMatrices, PairsOfRowsMultiplyLikeRows) {
  for (const auto shape : {CellShape::simplex, CellShape::hypercube})
    for (const unsigned int cells : {2U, 3U, 4U, 7U}) {
      const auto mesh = test::rectangle(shape, 2, 1, cells, 3, 0.2);
      System<2> body(*mesh, test::unit_material(), {});
      SparseMatrix one_way = body.operators.mass;
      for (unsigned int i = body.n_dofs() / 2; i < body.n_dofs(); i += 2)
        one_way.at(i, i) = 2. * one_way(i, i); // no longer multiples of the identity
      const Partition partition(body.n_dofs(), 2);
      for (const SparseMatrix *A : {&body.operators.mass, &body.operators.stiffness, &one_way})
        for (const bool is_plane : {true, false}) {
          const Vector x = some_vector(body.n_dofs());
          Vector y(body.n_dofs()), expected = y;
          const double product = PairMatrix(*A, is_plane, partition).multiply(x, y);
          multiply(*A, x, expected);
          const double size = expected.linfty_norm();
          for (unsigned int i = 0; i < body.n_dofs(); ++i)
            EXPECT_NEAR(y[i], expected[i], 1e-14 * size) << i;
          EXPECT_NEAR(product, x * expected, 1e-13 * size * body.n_dofs());
        }
    }
}

/// One sweep over the columns of two matrices gives the products of two sweeps, bit by bit.
TEST(SparseMatrices, OneSweepMultipliesLikeTwo) {
  for (const unsigned int cells : {2U, 3U, 7U}) {
    const auto mesh = test::rectangle(CellShape::simplex, 2, 1, cells, 3, 0.2);
    const System<2> body(*mesh, test::unit_material(), {});
    const Partition partition(body.n_dofs(), 2);
    const PairMatrix mass(body.operators.mass, true, partition),
        stiffness(body.operators.stiffness, true, partition);
    ASSERT_TRUE(PairMatrix::have_common_sweep(mass, stiffness));
    EXPECT_FALSE(PairMatrix::have_common_sweep(stiffness, mass));
    EXPECT_FALSE(PairMatrix::have_common_sweep(
        mass, PairMatrix(body.operators.stiffness, false, partition)));
    const Vector x = some_vector(body.n_dofs());
    Vector w = x, y(body.n_dofs()), z = y, expected_y = y, expected_z = y;
    w *= -3.;
    const auto [xMx, wKw] = PairMatrix::multiply_both(mass, x, y, stiffness, w, z);
    EXPECT_EQ(xMx, mass.multiply(x, expected_y));
    EXPECT_EQ(wKw, stiffness.multiply(w, expected_z));
    for (unsigned int i = 0; i < body.n_dofs(); ++i) {
      EXPECT_EQ(y[i], expected_y[i]) << i;
      EXPECT_EQ(z[i], expected_z[i]) << i;
    }
  }
}

TEST(SparseMatrices, RowsHaveTheEntries) {
  const SmallMatrix small;
  std::size_t n_entries = 0;
  for (unsigned int i = 0; i < small.body.n_dofs(); ++i) {
    const SparseRow dof_row = small.A.row(i);
    n_entries += static_cast<std::size_t>(dof_row.size);
    for (int e = 0; e < dof_row.size; ++e)
      EXPECT_EQ(dof_row.value[e], small.A(i, static_cast<unsigned int>(dof_row.column[e])));
  }
  EXPECT_EQ(n_entries, small.A.values().size());
}

/// Returns Q diag(values) Qᵀ with the reflection Q = 1 − 2 w wᵀ, plus an antisymmetric matrix.
std::vector<double> matrix_of(const std::vector<double> &values, double antisymmetric) {
  const std::size_t n = values.size();
  double square = 0;
  for (std::size_t i = 0; i < n; ++i)
    square += static_cast<double>((i + 1) * (i + 1));
  const auto Q = [&](std::size_t i, std::size_t k) {
    return (i == k ? 1. : 0.) - 2. * static_cast<double>((i + 1) * (k + 1)) / square;
  };
  std::vector<double> A(n * n, 0.);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k)
        A[i * n + j] += values[k] * Q(i, k) * Q(j, k);
      A[i * n + j] += i == j ? 0. : i < j ? antisymmetric : -antisymmetric;
    }
  return A;
}

TEST(Semidefinite, NegativeEigenvaluesBecomeZeroAndTheOthersStay) {
  const std::vector<double> values{-3., 2., 0.5, -0.01, 7., 0.};
  std::vector<double> positive = values;
  for (double &value : positive)
    value = std::max(value, 0.);
  std::vector<double> A = matrix_of(values, 0.7);
  project_on_semidefinite(6, A);
  const std::vector<double> expected = matrix_of(positive, 0.);
  for (std::size_t i = 0; i < A.size(); ++i) {
    EXPECT_NEAR(A[i], expected[i], 1e-14 * 7.);
    EXPECT_NEAR(A[i], A[6 * (i % 6) + i / 6], 1e-15 * 7.) << "not symmetric";
  }
}

TEST(Semidefinite, WhatIsPositiveStaysAndWhatIsNegativeVanishes) {
  const std::vector<double> positive = matrix_of({1., 2., 3., 4.}, 0.);
  std::vector<double> A = positive, B = matrix_of({-1., -2., -3., -4.}, 0.3);
  project_on_semidefinite(4, A);
  project_on_semidefinite(4, B);
  for (std::size_t i = 0; i < A.size(); ++i) {
    EXPECT_NEAR(A[i], positive[i], 1e-14 * 4.);
    EXPECT_EQ(B[i], 0.);
  }
}

} // namespace
