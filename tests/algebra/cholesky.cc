#include <percussion/algebra/condensed_system.h>
#include <percussion/base/error.h>
#include <percussion/body/system.h>

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
  percussion::System<2> body{
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
      for (const unsigned int dof : body.elastic.front()->space.node_dofs[v])
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
