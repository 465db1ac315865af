#include <percussion/algebra/condensed_system.h>
#include <percussion/body/elastic_body.h>
#include <percussion/io/error.h>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace {

using namespace percussion;

/// M + K of a small body: symmetric, positive definite, sparse.
struct System {
  std::unique_ptr<Mesh<2>> mesh = test::rectangle(CellShape::simplex, 2, 1, 6, 4, 0.2);
  ElasticBody<2> body{
      *mesh, {1., 1., LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}}, {}};
  SparseMatrix A;
  System() {
    A.copy_from(body.operators.stiffness);
    for (const auto &entry : body.operators.mass)
      A.add(entry.row(), entry.column(), entry.value());
    A.compress(dealii::VectorOperation::add);
  }
  std::vector<unsigned int> dofs_of(const std::string &region) const {
    std::vector<unsigned int> dofs;
    for (const unsigned int v : mesh->region(region).vertices)
      for (const unsigned int dof : body.space.node_dofs[v])
        dofs.push_back(dof);
    return dofs;
  }
};

std::vector<unsigned int> all_unknowns(const System &system) {
  std::vector<unsigned int> unknowns(system.body.n_dofs());
  std::iota(unknowns.begin(), unknowns.end(), 0u);
  return unknowns;
}

Vector some_vector(unsigned int n) {
  Vector x = make_vector(n);
  for (unsigned int i = 0; i < n; ++i)
    entries(x)[i] = std::sin(1. + 3. * i);
  return x;
}

TEST(Cholesky, SolvesOnTheUnknownsAndLeavesTheRest) {
  const System system;
  std::vector<unsigned int> unknowns;
  for (unsigned int i = 0; i < system.body.n_dofs(); i += 2)
    unknowns.push_back(i);
  const Cholesky factor(system.A, unknowns);
  const Vector b = some_vector(system.body.n_dofs());
  Vector x = make_vector(system.body.n_dofs());
  factor.solve(b, x);
  Vector Ax = make_vector(system.body.n_dofs());
  system.A.vmult(Ax, x);
  for (unsigned int i = 0; i < system.body.n_dofs(); ++i)
    if (i % 2 == 0)
      EXPECT_NEAR(entries(Ax)[i], entries(b)[i], 1e-13);
    else
      EXPECT_EQ(entries(x)[i], 0.);
}

/// L⁻¹ e by its path of the elimination tree against a sweep with the unit vector.
TEST(Cholesky, ForwardUnitIsAForwardSweep) {
  const System system;
  const Cholesky factor(system.A, all_unknowns(system));
  SparseColumn column;
  for (const unsigned int unit : {0u, 5u, factor.size() / 2, factor.size() - 1}) {
    factor.forward_unit(unit, column);
    EXPECT_TRUE(std::is_sorted(column.place.begin(), column.place.end()));
    std::fill(factor.work(), factor.work() + factor.size(), 0.);
    factor.work()[unit] = 1.;
    factor.forward();
    std::vector<double> dense(factor.size(), 0.);
    for (std::size_t k = 0; k < column.place.size(); ++k)
      dense[column.place[k]] = column.value[k];
    for (unsigned int i = 0; i < factor.size(); ++i)
      EXPECT_NEAR(dense[i], factor.work()[i], 1e-15) << unit << ' ' << i;
  }
}

/// Values changed in place and factorised again, against a factorisation of the changed matrix.
TEST(Cholesky, RefactorsChangedValues) {
  const System system;
  const unsigned int n = system.body.n_dofs();
  Cholesky factor(system.A, all_unknowns(system));
  for (const auto &entry : system.body.operators.mass)
    if (entry.row() <= entry.column())
      factor.values()[static_cast<unsigned int>(factor.index(
          static_cast<unsigned int>(entry.column()), static_cast<unsigned int>(entry.row())))] +=
          3. * entry.value();
  EXPECT_TRUE(factor.refactor());
  const Vector b = some_vector(n);
  Vector x = make_vector(n), Ax = make_vector(n), Mx = make_vector(n);
  factor.solve(b, x);
  system.A.vmult(Ax, x);
  system.body.operators.mass.vmult(Mx, x);
  for (unsigned int i = 0; i < n; ++i)
    EXPECT_NEAR(entries(Ax)[i] + 3. * entries(Mx)[i], entries(b)[i], 1e-12);

  const std::vector<double> good = factor.values();
  for (double &value : factor.values())
    value = -value;
  EXPECT_FALSE(factor.refactor());
  factor.values() = good;
  EXPECT_TRUE(factor.refactor());
}

TEST(Cholesky, KnowsItsEntries) {
  const System system;
  std::vector<unsigned int> unknowns = all_unknowns(system);
  unknowns.erase(unknowns.begin() + 3);
  Cholesky factor(system.A, unknowns);
  EXPECT_EQ(factor.place(3), -1);
  EXPECT_EQ(factor.index(3, 3), -1);
  const auto &order = factor.elimination_order();
  EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), unknowns.begin(), unknowns.end()));
  for (const auto &entry : system.A) {
    const auto row = static_cast<unsigned int>(entry.row());
    const auto column = static_cast<unsigned int>(entry.column());
    const int index = factor.index(row, column);
    EXPECT_EQ(index, factor.index(column, row));
    if (row == 3 || column == 3)
      EXPECT_EQ(index, -1);
    else
      EXPECT_EQ(factor.values().at(static_cast<unsigned int>(index)), entry.value());
  }
}

TEST(Cholesky, RefusesABodyThatNothingHolds) {
  const System system;
  SparseMatrix minus;
  minus.copy_from(system.A);
  minus *= -1.;
  EXPECT_THROW(Cholesky(minus, all_unknowns(system)), RunError);
}

/// A x = b + f with prescribed values, all at once, against the two sweeps with f in between.
TEST(CondensedSystem, TwoSweepsSolveTheWholeSystem) {
  const System system;
  const unsigned int n = system.body.n_dofs();
  const auto prescribed = system.dofs_of("top");
  CondensedSystem condensed(system.A, prescribed, system.dofs_of("bottom"));
  std::vector<unsigned int> all(condensed.contact_dofs().size());
  std::iota(all.begin(), all.end(), 0u);
  condensed.use_contacts(all);
  const Vector b = some_vector(n);
  std::vector<double> values(prescribed.size(), 0.25);
  Vector x = make_vector(n);
  condensed.start(entries(b), values, entries(x));

  std::vector<double> force(condensed.contact_dofs().size());
  std::vector<double> without_force(force.size());
  for (std::size_t i = 0; i < force.size(); ++i) {
    force[i] = std::cos(2. * i);
    without_force[i] = entries(x)[condensed.contact_dofs()[i]];
  }
  condensed.add_contact_force(force);
  condensed.finish(entries(x));

  Vector Ax = make_vector(n);
  system.A.vmult(Ax, x);
  std::vector<bool> is_prescribed(n, false);
  for (const unsigned int dof : prescribed) {
    is_prescribed[dof] = true;
    EXPECT_EQ(entries(x)[dof], 0.25);
  }
  for (unsigned int i = 0; i < n; ++i)
    if (!is_prescribed[i]) {
      const int c = condensed.contact_index(i);
      EXPECT_NEAR(entries(Ax)[i], entries(b)[i] + (c >= 0 ? force[c] : 0.), 1e-12);
    }
  // The compliance answers a force on the contacts without any sweep.
  for (unsigned int i = 0; i < force.size(); ++i) {
    double change = 0;
    for (unsigned int j = 0; j < force.size(); ++j)
      change += condensed.compliance(i, j) * force[j];
    EXPECT_NEAR(entries(x)[condensed.contact_dofs()[i]], without_force[i] + change, 1e-12);
  }
}

/// Some contacts in use, more of them, then after a change of the matrix: as if all were made anew.
TEST(CondensedSystem, MakesReadyWhatIsUsed) {
  const System system;
  const auto contacts = system.dofs_of("bottom");
  CondensedSystem condensed(system.A, {}, contacts), all(system.A, {}, contacts);
  std::vector<unsigned int> every(contacts.size());
  std::iota(every.begin(), every.end(), 0u);
  const auto expect_same = [&](const std::vector<unsigned int> &used) {
    for (const unsigned int i : used)
      for (const unsigned int j : used)
        EXPECT_NEAR(condensed.compliance(i, j), all.compliance(i, j), 1e-14);
  };
  all.use_contacts(every);
  for (const auto &used : {std::vector<unsigned int>{2, 5}, {1, 2, 7}, {5, 7}}) {
    condensed.use_contacts(used);
    expect_same(used);
  }
  for (CondensedSystem *each : {&condensed, &all}) {
    for (double &value : each->factor().values())
      value *= 2.;
    EXPECT_TRUE(each->refactor());
  }
  all.use_contacts(every);
  condensed.use_contacts({5, 7});
  expect_same({5, 7});
}

TEST(CondensedSystem, WorksWithoutContactsAndWithoutPrescribedValues) {
  const System system;
  const unsigned int n = system.body.n_dofs();
  CondensedSystem condensed(system.A, {}, {});
  const Vector b = some_vector(n);
  Vector x = make_vector(n), Ax = make_vector(n);
  condensed.start(entries(b), {}, entries(x));
  condensed.finish(entries(x));
  system.A.vmult(Ax, x);
  for (unsigned int i = 0; i < n; ++i)
    EXPECT_NEAR(entries(Ax)[i], entries(b)[i], 1e-12);
}

} // namespace
