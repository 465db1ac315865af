#include <percussion/algebra/condensed_system.h>
#include <percussion/algebra/lu_system.h>
#include <percussion/body/system.h>

#include <deal.II/lac/full_matrix.h>
#include <gtest/gtest.h>

#include "support/meshes.h"
#include <cmath>
#include <numeric>

namespace {

using namespace percussion;

/// The matrices of a small body, held at the top and touched at the bottom.
struct System {
  std::unique_ptr<Mesh<2>> mesh = test::rectangle(CellShape::simplex, 2, 1, 6, 4, 0.2);
  percussion::System<2> body{
      *mesh, {1., 1., LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}}, {}};
  SparseMatrix symmetric; ///< M + K
  SparseMatrix lopsided;  ///< … with entries of either side of the diagonal changed
  std::vector<unsigned int> held = dofs_of("top"), touched = dofs_of("bottom");

  System() {
    symmetric.copy_from(body.operators.stiffness);
    for (const auto &entry : body.operators.mass)
      symmetric.add(entry.row(), entry.column(), entry.value());
    symmetric.compress(dealii::VectorOperation::add);
    lopsided.copy_from(symmetric);
    for (const auto &entry : symmetric)
      lopsided.set(entry.row(), entry.column(),
                   entry.value() * (1. + 0.3 * std::sin(entry.row() + 7. * entry.column())));
    lopsided.compress(dealii::VectorOperation::insert);
  }

  unsigned int n() const { return body.n_dofs(); }

  std::vector<unsigned int> dofs_of(const std::string &region) const {
    std::vector<unsigned int> dofs;
    for (const unsigned int v : mesh->region(region).vertices)
      for (const unsigned int dof : body.elastic.front()->space.node_dofs[v])
        dofs.push_back(dof);
    return dofs;
  }

  bool is_held(unsigned int dof) const {
    return std::find(held.begin(), held.end(), dof) != held.end();
  }

  /// Inverse of the block of the degrees of freedom that are free, by dense elimination; zero
  /// elsewhere.
  dealii::FullMatrix<double> dense_inverse(const SparseMatrix &A) const {
    dealii::FullMatrix<double> dense(n(), n());
    for (unsigned int i = 0; i < n(); ++i)
      dense(i, i) = is_held(i) ? 1. : 0.;
    for (const auto &entry : A) {
      const auto i = static_cast<unsigned int>(entry.row());
      const auto j = static_cast<unsigned int>(entry.column());
      if (!is_held(i) && !is_held(j))
        dense(i, j) = entry.value();
    }
    dense.gauss_jordan();
    for (const unsigned int i : held)
      dense(i, i) = 0.;
    return dense;
  }
};

Vector some_vector(unsigned int n) {
  Vector x = make_vector(n);
  for (unsigned int i = 0; i < n; ++i)
    entries(x)[i] = std::sin(1. + 3. * i);
  return x;
}

std::vector<unsigned int> numbers(std::size_t n) {
  std::vector<unsigned int> all(n);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

void set_values(LuSystem &lu, const SparseMatrix &A) {
  std::fill(lu.values().begin(), lu.values().end(), 0.);
  for (const auto &entry : A)
    if (const int place = lu.index(static_cast<unsigned int>(entry.row()),
                                   static_cast<unsigned int>(entry.column()));
        place >= 0)
      lu.values()[static_cast<unsigned int>(place)] += entry.value();
}

/// x of A x = b + f, through the steps of a ContactSystem.
Vector solve(ContactSystem &system, const System &of, const Vector &b,
             const std::vector<double> &force) {
  Vector x = make_vector(of.n());
  system.start(entries(b), std::vector<double>(of.held.size(), 0.), entries(x));
  system.add_contact_force(force);
  system.finish(entries(x));
  return x;
}

std::vector<double> some_force(std::size_t n) {
  std::vector<double> force(n);
  for (std::size_t i = 0; i < n; ++i)
    force[i] = std::cos(2. * static_cast<double>(i));
  return force;
}

/// Everything that `lu` answers against the inverse of A.
void expect_inverse_of(const System &system, const SparseMatrix &A, LuSystem &lu) {
  const auto inverse = system.dense_inverse(A);
  const double tolerance = 1e-13 * inverse.frobenius_norm();
  const auto &dofs = lu.contact_dofs();
  lu.use_contacts(numbers(dofs.size()));
  for (unsigned int i = 0; i < dofs.size(); ++i)
    for (unsigned int j = 0; j < dofs.size(); ++j)
      EXPECT_NEAR(lu.compliance(i, j), inverse(dofs[i], dofs[j]), tolerance) << i << ' ' << j;

  const Vector b = some_vector(system.n());
  const auto force = some_force(dofs.size());
  Vector x = make_vector(system.n());
  lu.start(entries(b), std::vector<double>(system.held.size(), 0.), entries(x));
  const auto row_times = [&](unsigned int row, bool with_force) {
    double sum = 0;
    for (unsigned int j = 0; j < system.n(); ++j) {
      const int c = lu.contact_index(j);
      const double f = with_force && c >= 0 ? force[static_cast<unsigned int>(c)] : 0.;
      sum += inverse(row, j) * (entries(b)[j] + f);
    }
    return sum;
  };
  for (const unsigned int dof : dofs)
    EXPECT_NEAR(entries(x)[dof], row_times(dof, false), 10 * tolerance);
  lu.add_contact_force(force);
  lu.finish(entries(x));
  for (unsigned int i = 0; i < system.n(); ++i)
    EXPECT_NEAR(entries(x)[i], row_times(i, true), 10 * tolerance);
}

TEST(LuSystem, IsTheCondensedSystemOfASymmetricMatrix) {
  const System system;
  CondensedSystem condensed(system.symmetric, system.held, system.touched);
  LuSystem lu(system.symmetric, system.held, system.touched);
  set_values(lu, system.symmetric);
  ASSERT_TRUE(lu.refactor());
  ASSERT_EQ(lu.contact_dofs(), condensed.contact_dofs());
  const auto all = numbers(lu.contact_dofs().size());
  ASSERT_GT(all.size(), 10u);
  lu.use_contacts(all);
  condensed.use_contacts(all);
  for (const unsigned int i : all)
    for (const unsigned int j : all)
      EXPECT_NEAR(lu.compliance(i, j), condensed.compliance(i, j), 1e-12);

  const Vector b = some_vector(system.n());
  const std::vector<double> nothing(system.held.size(), 0.);
  Vector x = make_vector(system.n()), y = x;
  lu.start(entries(b), nothing, entries(x));
  condensed.start(entries(b), nothing, entries(y));
  for (const unsigned int dof : lu.contact_dofs())
    EXPECT_NEAR(entries(x)[dof], entries(y)[dof], 1e-12);
  const auto force = some_force(all.size());
  for (ContactSystem *const one :
       {static_cast<ContactSystem *>(&lu), static_cast<ContactSystem *>(&condensed)})
    one->add_contact_force(force);
  lu.finish(entries(x));
  condensed.finish(entries(y));
  for (unsigned int i = 0; i < system.n(); ++i)
    EXPECT_NEAR(entries(x)[i], entries(y)[i], 1e-12);
  for (const unsigned int dof : system.held)
    EXPECT_EQ(entries(x)[dof], 0.);
}

TEST(LuSystem, SolvesAnUnsymmetricMatrix) {
  const System system;
  LuSystem lu(system.symmetric, system.held, system.touched);
  set_values(lu, system.lopsided);
  ASSERT_TRUE(lu.refactor());
  expect_inverse_of(system, system.lopsided, lu);
  EXPECT_GT(std::abs(lu.compliance(0, 3) - lu.compliance(3, 0)), 1e-3);
}

TEST(LuSystem, TakesChangedValues) {
  const System system;
  LuSystem lu(system.symmetric, system.held, system.touched);
  for (const SparseMatrix *const A : {&system.symmetric, &system.lopsided, &system.symmetric}) {
    set_values(lu, *A);
    ASSERT_TRUE(lu.refactor());
    expect_inverse_of(system, *A, lu);
  }
}

/// With the components of every node's equations exchanged the old pivots do not suit any more.
TEST(LuSystem, ChoosesOtherPivotsWhereTheValuesWantThem) {
  const System system;
  LuSystem lu(system.symmetric, system.held, system.touched);
  set_values(lu, system.symmetric);
  ASSERT_TRUE(lu.refactor());
  std::vector<unsigned int> other(system.n());
  for (const auto &dofs : system.body.elastic.front()->space.node_dofs) {
    other[dofs[0]] = dofs[1];
    other[dofs[1]] = dofs[0];
  }
  SparseMatrix exchanged;
  exchanged.copy_from(system.symmetric);
  for (const auto &entry : system.symmetric) {
    const auto row = other[entry.row()];
    // Without coupling between the components nothing is left on the diagonal.
    const bool coupled = std::abs(system.body.operators.mass.el(entry.row(), entry.column())) == 0.;
    exchanged.set(row, entry.column(), coupled ? 0. : entry.value());
  }
  exchanged.compress(dealii::VectorOperation::insert);
  for (unsigned int i = 0; i < system.n(); ++i)
    ASSERT_EQ(exchanged.el(i, i), 0.);
  set_values(lu, exchanged);
  ASSERT_TRUE(lu.refactor());
  expect_inverse_of(system, exchanged, lu);
}

/// Contacts that come into use later find the same columns, and those not in use are not touched.
TEST(LuSystem, ContactsMayComeIntoUseOneAfterTheOther) {
  const System system;
  LuSystem at_once(system.symmetric, system.held, system.touched);
  LuSystem one_by_one(system.symmetric, system.held, system.touched);
  for (LuSystem *const lu : {&at_once, &one_by_one}) {
    set_values(*lu, system.lopsided);
    ASSERT_TRUE(lu->refactor());
  }
  at_once.use_contacts(numbers(at_once.contact_dofs().size()));
  const Vector b = some_vector(system.n());
  for (const std::vector<unsigned int> &in_use :
       std::vector<std::vector<unsigned int>>{{2}, {2, 5}, {1, 5, 7}, {}, {0, 2}}) {
    one_by_one.use_contacts(in_use);
    std::vector<double> force(at_once.contact_dofs().size(), 0.);
    for (const unsigned int i : in_use) {
      force[i] = 1. + i;
      for (const unsigned int j : in_use)
        EXPECT_EQ(one_by_one.compliance(i, j), at_once.compliance(i, j));
    }
    const Vector x = solve(one_by_one, system, b, force), y = solve(at_once, system, b, force);
    for (unsigned int i = 0; i < system.n(); ++i)
      EXPECT_NEAR(entries(x)[i], entries(y)[i], 1e-13);
  }
}

TEST(LuSystem, PrescribedRowsAndColumnsHaveNoPlace) {
  const System system;
  const LuSystem lu(system.symmetric, system.held, system.touched);
  std::vector<bool> taken(const_cast<LuSystem &>(lu).values().size(), false);
  for (const auto &entry : system.symmetric) {
    const auto i = static_cast<unsigned int>(entry.row());
    const auto j = static_cast<unsigned int>(entry.column());
    const int place = lu.index(i, j);
    if (system.is_held(i) || system.is_held(j)) {
      EXPECT_EQ(place, -1);
      continue;
    }
    ASSERT_GE(place, 0);
    ASSERT_LT(static_cast<std::size_t>(place), taken.size());
    EXPECT_FALSE(taken[static_cast<unsigned int>(place)]) << "two entries in one place";
    taken[static_cast<unsigned int>(place)] = true;
  }
}

TEST(LuSystem, RefusesSingularValuesAndGoesOnAfterThem) {
  const System system;
  LuSystem lu(system.symmetric, system.held, system.touched);
  LuSystem floating(system.symmetric, {}, system.touched);
  EXPECT_FALSE(lu.refactor()); // nothing but zeros
  for (unsigned int attempt = 0; attempt < 2; ++attempt) {
    set_values(lu, system.lopsided);
    ASSERT_TRUE(lu.refactor());
    expect_inverse_of(system, system.lopsided, lu);
    // One equation is lost.
    const unsigned int lost = lu.contact_dofs()[3];
    for (unsigned int j = 0; j < system.n(); ++j)
      if (system.symmetric.el(lost, j) != 0.)
        if (const int place = lu.index(lost, j); place >= 0)
          lu.values()[static_cast<unsigned int>(place)] = 0.;
    EXPECT_FALSE(lu.refactor());
  }
  set_values(floating, system.body.operators.stiffness); // a body that nothing holds
  EXPECT_FALSE(floating.refactor());
  set_values(floating, system.symmetric);
  EXPECT_TRUE(floating.refactor());
}

TEST(LuSystem, WorksWithoutContactsAndWithoutPrescribedValues) {
  const System system;
  LuSystem lu(system.symmetric, {}, {});
  set_values(lu, system.lopsided);
  ASSERT_TRUE(lu.refactor());
  lu.use_contacts({});
  const Vector b = some_vector(system.n());
  Vector x = make_vector(system.n()), Ax = x;
  lu.start(entries(b), {}, entries(x));
  lu.finish(entries(x));
  system.lopsided.vmult(Ax, x);
  for (unsigned int i = 0; i < system.n(); ++i)
    EXPECT_NEAR(entries(Ax)[i], entries(b)[i], 1e-12);
}

} // namespace
