// The linear system of a correction, compared with dense inverses.

#include <percussion/algebra/contact_system.h>

#include <gtest/gtest.h>

#include "matrices.h"
#include <algorithm>

namespace {

using namespace percussion;
using test::dense_inverse;
using test::some_vector;

/// Two unconnected elastic bodies, one of them held at the top and touched below, the other touched
/// at its left side; a free rigid body, and one with partly prescribed motion.
struct Bodies {
  std::unique_ptr<Mesh<2>> one = test::rectangle(CellShape::simplex, 2, 1, 6, 4, 0.2);
  std::unique_ptr<Mesh<2>> other = test::rectangle(CellShape::hypercube, 1, 1, 3, 4, 0.2);
  System<2> system = make();
  SparseMatrix A = test::combination(system, 1., 1.);
  std::vector<unsigned int> held = test::dofs_of(*system.elastic[0], "top");
  std::vector<unsigned int> touched = test::dofs_of(*system.elastic[0], "bottom");
  unsigned int n = system.n_dofs(), n_elastic = system.n_elastic_dofs();

  Bodies() {
    held.push_back(n_elastic + 4);
    // One component of a corner is held.
    held.push_back(touched[1]);
    for (const unsigned int dof : test::dofs_of(*system.elastic[1], "left"))
      touched.push_back(dof);
  }

  System<2> make() const {
    System<2>::ElasticBodies elastic;
    elastic.push_back(std::make_unique<ElasticBody<2>>(*one, test::unit_material()));
    elastic.push_back(
        std::make_unique<ElasticBody<2>>(*other, test::unit_material(), elastic[0]->n_dofs()));
    std::vector<RigidBody<2>> rigid(2);
    rigid[0].mass = 2;
    rigid[0].inertia = 0.3;
    rigid[1].mass = 0.7;
    rigid[1].inertia = 5;
    return {std::move(elastic), std::move(rigid), {}};
  }

  bool is_held(unsigned int dof) const {
    return std::find(held.begin(), held.end(), dof) != held.end();
  }
  /// Returns all degrees of freedom that may be touched, including rigid bodies.
  std::vector<unsigned int> all_touched() const {
    auto all = touched;
    for (unsigned int dof = n_elastic; dof < n; ++dof)
      all.push_back(dof);
    return all;
  }
  ContactSystem contact_system(MatrixValues values) const {
    return ContactSystem({A, n_elastic, held, touched, values});
  }
};

/// Lets contacts act on these degrees of freedom; passes the matrix if the interface has to grow.
void use(ContactSystem &contacts, const std::vector<unsigned int> &dofs, const SparseMatrix &A) {
  if (contacts.set_contact_entries(dofs)) {
    contacts.set_matrix(A);
    ASSERT_TRUE(contacts.factorise());
    ASSERT_FALSE(contacts.set_contact_entries(dofs));
  }
}

/// Compares all results of the system for contacts on these degrees of freedom with the inverse.
void expect_inverse(const Bodies &bodies, const SparseMatrix &A, ContactSystem &contacts,
                    const std::vector<unsigned int> &used_dofs) {
  const auto inverse = dense_inverse(A, bodies.held);
  const double tolerance = 1e-13 * inverse.frobenius_norm();
  for (unsigned int i = 0; i < used_dofs.size(); ++i) {
    EXPECT_EQ(contacts.is_uncoupled(i), used_dofs[i] >= bodies.n_elastic);
    for (unsigned int j = 0; j < used_dofs.size(); ++j)
      ASSERT_NEAR(contacts.compliance(i, j), inverse(used_dofs[i], used_dofs[j]), tolerance)
          << used_dofs[i] << ' ' << used_dofs[j];
  }
  const Vector b = some_vector(bodies.n);
  std::vector<double> prescribed(bodies.held.size()), force(used_dofs.size());
  for (std::size_t i = 0; i < prescribed.size(); ++i)
    prescribed[i] = 0.25 + 0.1 * static_cast<double>(i);
  for (std::size_t i = 0; i < force.size(); ++i)
    force[i] = std::cos(2. * static_cast<double>(i));

  // b minus the contribution of the prescribed degrees of freedom.
  Vector x(bodies.n), right = x, expected = x;
  for (std::size_t i = 0; i < prescribed.size(); ++i)
    x[bodies.held[i]] = prescribed[i];
  multiply(A, x, right);
  right.sadd(-1., 1., b);
  const auto solution = [&] {
    for (unsigned int i = 0; i < bodies.n; ++i) {
      double sum = 0;
      for (unsigned int j = 0; j < bodies.n; ++j)
        sum += inverse(i, j) * right[j];
      expected[i] = bodies.is_held(i) ? x[i] : sum;
    }
  };
  Vector found(bodies.n);
  contacts.start(b, prescribed, found);
  solution();
  for (const unsigned int dof : used_dofs)
    ASSERT_NEAR(found[dof], expected[dof], 20 * tolerance) << dof;
  for (const unsigned int dof : bodies.held)
    ASSERT_EQ(found[dof], x[dof]);
  // Forces add up; a force on a prescribed degree of freedom changes nothing.
  for (const double share : {0.3, 0.7}) {
    auto part = force;
    for (double &f : part)
      f *= share;
    contacts.add_force(part);
  }
  for (std::size_t k = 0; k < used_dofs.size(); ++k)
    right[used_dofs[k]] += force[k];
  contacts.finish(found);
  solution();
  for (unsigned int i = 0; i < bodies.n; ++i)
    ASSERT_NEAR(found[i], expected[i], 20 * tolerance) << i;
}

class ContactSystemTest : public ::testing::TestWithParam<MatrixValues> {};

TEST_P(ContactSystemTest, AnswersAsTheInverse) {
  const Bodies bodies;
  ContactSystem contacts = bodies.contact_system(GetParam());
  contacts.set_matrix(bodies.A);
  ASSERT_TRUE(contacts.factorise());
  for (const auto &dofs :
       {bodies.all_touched(), bodies.touched, std::vector<unsigned int>{},
        std::vector<unsigned int>{bodies.touched[0], bodies.touched[1], bodies.n_elastic + 2,
                                  bodies.n_elastic + 4},
        std::vector<unsigned int>{bodies.touched.back()}, bodies.all_touched()}) {
    use(contacts, dofs, bodies.A);
    expect_inverse(bodies, bodies.A, contacts, dofs);
  }
}

/// Conjugate gradients instead of a factor give the same results.
TEST(ContactSystem, AnswersAsTheInverseByIterations) {
  const Bodies bodies;
  const auto motions = [&] {
    std::vector<std::vector<double>> all(3, std::vector<double>(bodies.n_elastic, 0.));
    for (const auto &body : bodies.system.elastic)
      for (unsigned int i = 0; i < body->space.n_nodes(); ++i) {
        const auto [x, y] = body->space.node_dofs[i];
        all[0][x] = all[1][y] = 1.;
        all[2][x] = -body->space.nodes[i][1];
        all[2][y] = body->space.nodes[i][0];
      }
    return all;
  };
  ContactSystem contacts({bodies.A, bodies.n_elastic, bodies.held, bodies.touched,
                          MatrixValues::constant, 1, LinearSolver::conjugate_gradients, motions,
                          2});
  for (const double stiffness : {1., 100.}) {
    const SparseMatrix A = test::combination(bodies.system, 1., stiffness);
    contacts.set_matrix(A);
    ASSERT_TRUE(contacts.factorise());
    ASSERT_TRUE(contacts.is_iterative());
    for (const auto &dofs :
         {bodies.all_touched(), std::vector<unsigned int>{},
          std::vector<unsigned int>{bodies.touched[0], bodies.n_elastic + 2}, bodies.touched}) {
      ASSERT_FALSE(contacts.set_contact_entries(dofs));
      expect_inverse(bodies, A, contacts, dofs);
    }
  }
}

TEST_P(ContactSystemTest, TakesChangedValues) {
  const Bodies bodies;
  ContactSystem contacts = bodies.contact_system(GetParam());
  const auto dofs = bodies.all_touched();
  contacts.set_contact_entries(dofs);
  auto version = contacts.version();
  for (const auto &[mass, stiffness] :
       {std::pair{1., 1.}, std::pair{3., 0.2}, std::pair{0.1, 7.}, std::pair{1., 1.}}) {
    const SparseMatrix A = test::combination(bodies.system, mass, stiffness);
    contacts.set_matrix(A);
    ASSERT_TRUE(contacts.factorise());
    EXPECT_NE(contacts.version(), version);
    version = contacts.version();
    expect_inverse(bodies, A, contacts, dofs);
    EXPECT_EQ(contacts.version(), version);
  }
}

/// A matrix filled entry by entry gives the same results as a whole matrix.
TEST_P(ContactSystemTest, MayBeFilledEntryByEntry) {
  Bodies bodies;
  bodies.held.clear();
  ContactSystem contacts = bodies.contact_system(GetParam());
  contacts.set_contact_entries(bodies.touched);
  auto &values = contacts.cholesky().values();
  std::fill(values.begin(), values.end(), 0.);
  test::visit_entries(bodies.A, [&](unsigned int i, unsigned int j, double value) {
    if (i >= bodies.n_elastic)
      contacts.blocks()(i - bodies.n_elastic, j - bodies.n_elastic) = value;
    else if (i <= j)
      values[static_cast<unsigned int>(contacts.cholesky().index(i, j))] += value;
  });
  ASSERT_TRUE(contacts.factorise());
  expect_inverse(bodies, bodies.A, contacts, bodies.touched);
}

TEST_P(ContactSystemTest, RefusesWhatIsNotPositiveDefiniteAndGoesOnAfterIt) {
  const Bodies bodies;
  ContactSystem contacts = bodies.contact_system(GetParam());
  const auto dofs = bodies.all_touched();
  contacts.set_contact_entries(dofs);
  SparseMatrix no_elastic = test::multiple(-1., bodies.A), no_rigid = bodies.A;
  for (unsigned int i = bodies.n_elastic; i < bodies.n; ++i)
    no_elastic.at(i, i) = 1.;
  no_rigid.at(bodies.n - 1, bodies.n - 1) = 0.;
  for (SparseMatrix *const bad : {&no_elastic, &no_rigid}) {
    contacts.set_matrix(*bad);
    EXPECT_FALSE(contacts.factorise());
    contacts.set_matrix(bodies.A);
    ASSERT_TRUE(contacts.factorise());
    expect_inverse(bodies, bodies.A, contacts, dofs);
  }
}

TEST_P(ContactSystemTest, WorksWithoutContactsAndWithoutPrescribedValues) {
  Bodies bodies;
  bodies.held.clear();
  bodies.touched.clear();
  ContactSystem contacts = bodies.contact_system(GetParam());
  contacts.set_matrix(bodies.A);
  ASSERT_TRUE(contacts.factorise());
  use(contacts, {}, bodies.A);
  EXPECT_TRUE(contacts.interface_dofs().empty());
  expect_inverse(bodies, bodies.A, contacts, {});
}

INSTANTIATE_TEST_SUITE_P(Matrices, ContactSystemTest,
                         ::testing::Values(MatrixValues::constant, MatrixValues::changing),
                         [](const auto &values) {
                           return std::string(values.param == MatrixValues::constant ? "Constant"
                                                                                     : "Changing");
                         });

// ---- the interface ----

/// A long body on its lower side.
struct Strip {
  std::unique_ptr<Mesh<2>> mesh;
  System<2> system;
  SparseMatrix A = test::combination(system, 1., 1.);
  std::vector<unsigned int> touched = test::dofs_of(*system.elastic[0], "bottom");

  explicit Strip(unsigned int n)
      : mesh(test::rectangle(CellShape::hypercube, n, 1, n, 1)),
        system(*mesh, test::unit_material(), {}) {}

  std::vector<unsigned int> at(double x) const {
    const auto &space = system.elastic[0]->space;
    for (const unsigned int node : mesh->region("bottom").nodes)
      if (std::abs(space.nodes[node][0] - x) < 1e-9)
        return {space.node_dofs[node].begin(), space.node_dofs[node].end()};
    return {};
  }

  /// Compares the compliance of these degrees of freedom with a factor without interface.
  void expect_compliance(ContactSystem &contacts, const std::vector<unsigned int> &dofs) const {
    Cholesky factor(A, test::numbers(system.n_dofs()));
    factor.set_values(A);
    ASSERT_TRUE(factor.factorise());
    for (unsigned int j = 0; j < dofs.size(); ++j) {
      Vector unit(system.n_dofs()), x = unit;
      unit[dofs[j]] = 1.;
      factor.solve(unit, x);
      for (unsigned int i = 0; i < dofs.size(); ++i)
        EXPECT_NEAR(contacts.compliance(i, j), x[dofs[i]], 1e-12 * x.linfty_norm());
    }
  }
};

bool contains(const std::vector<unsigned int> &all, const std::vector<unsigned int> &some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

/// The interface of a changing matrix contains only the degrees of freedom in use and their
/// neighbours.
TEST(ContactInterface, GrowsWithWhatIsInUse) {
  const Strip strip(60);
  ContactSystem contacts(
      {strip.A, strip.system.n_dofs(), {}, strip.touched, MatrixValues::changing});
  EXPECT_TRUE(contacts.interface_dofs().empty());
  contacts.set_matrix(strip.A);
  ASSERT_TRUE(contacts.factorise());
  EXPECT_TRUE(contacts.set_contact_entries(strip.at(0)));
  EXPECT_TRUE(contains(contacts.interface_dofs(), strip.at(5)));
  EXPECT_FALSE(contains(contacts.interface_dofs(), strip.at(40)));
  contacts.set_matrix(strip.A);
  ASSERT_TRUE(contacts.factorise());
  strip.expect_compliance(contacts, strip.at(0));
  EXPECT_FALSE(contacts.set_contact_entries(
      strip.at(5))); // degrees of freedom in the neighbourhood of earlier ones are in the interface
  strip.expect_compliance(contacts, strip.at(5));
  auto both = strip.at(0);
  for (const unsigned int dof : strip.at(60))
    both.push_back(dof);
  std::sort(both.begin(), both.end());
  EXPECT_TRUE(contacts.set_contact_entries(both));
  EXPECT_TRUE(contains(contacts.interface_dofs(), both));
  contacts.set_matrix(strip.A);
  ASSERT_TRUE(contacts.factorise());
  strip.expect_compliance(contacts, both);
}

/// The interface of a constant matrix contains all candidate contacts, unless there are too many.
TEST(ContactInterface, OfAConstantMatrixIsAllThatMayTouch) {
  for (const unsigned int n : {60u, 1600u}) {
    const Strip strip(n);
    ContactSystem contacts(
        {strip.A, strip.system.n_dofs(), {}, strip.touched, MatrixValues::constant});
    contacts.set_matrix(strip.A);
    ASSERT_TRUE(contacts.factorise());
    EXPECT_EQ(contacts.interface_dofs().size(), n == 60 ? strip.touched.size() : 0u);
    for (const double x : {1., 3., 50.}) {
      use(contacts, strip.at(x), strip.A);
      strip.expect_compliance(contacts, strip.at(x));
    }
  }
}

/// In 3D the dense matrix of the interface may have as many entries as the factor of the body.
TEST(ContactInterface, OfALargeBodyIn3DIsLarger) {
  EXPECT_EQ(ContactSystem::largest_interface(1000000, 2), 3000u);
  EXPECT_EQ(ContactSystem::largest_interface(5000, 3), 3000u);
  EXPECT_GT(ContactSystem::largest_interface(200000, 3), 4875u);
  EXPECT_EQ(ContactSystem::largest_interface(10000000, 3), 15000u);
  const Strip strip(6000);
  const std::vector<unsigned int> used_dofs(strip.touched.begin(), strip.touched.begin() + 3100);
  for (const unsigned int node_size : {1u, 3u}) {
    ContactSystem contacts({strip.A,
                            strip.system.n_dofs(),
                            {},
                            strip.touched,
                            MatrixValues::changing,
                            1,
                            LinearSolver::direct,
                            {},
                            node_size});
    use(contacts, used_dofs, strip.A);
    EXPECT_EQ(contacts.has_interface(), node_size == 3);
    EXPECT_EQ(contains(contacts.interface_dofs(), used_dofs), node_size == 3);
  }
}

/// There is no interface if it would exceed the size of a dense triangle; solutions stay the same.
TEST(ContactInterface, IsNotThereForVeryManyDegreesOfFreedom) {
  const Strip strip(1600);
  ASSERT_GT(strip.touched.size(), 3000u);
  Cholesky factor(strip.A, test::numbers(strip.system.n_dofs()));
  factor.set_values(strip.A);
  ASSERT_TRUE(factor.factorise());
  const Vector b = some_vector(strip.system.n_dofs()), f = some_vector(strip.system.n_dofs());
  for (const MatrixValues values : {MatrixValues::constant, MatrixValues::changing}) {
    ContactSystem contacts({strip.A, strip.system.n_dofs(), {}, strip.touched, values});
    contacts.set_matrix(strip.A);
    ASSERT_TRUE(contacts.factorise());
    use(contacts, strip.at(3), strip.A);
    ASSERT_TRUE(contacts.has_interface());
    use(contacts, strip.touched, strip.A);
    ASSERT_FALSE(contacts.has_interface());
    EXPECT_TRUE(contacts.interface_dofs().empty());
    EXPECT_THROW(contacts.compliance(0, 0), std::logic_error);
    Vector x(strip.system.n_dofs()), expected = x, loaded = b;
    contacts.start(b, {}, x);
    factor.solve(b, expected);
    for (const unsigned int dof : strip.touched)
      ASSERT_NEAR(x[dof], expected[dof], 1e-13 * expected.linfty_norm());
    std::vector<double> force;
    for (const unsigned int dof : strip.touched) {
      force.push_back(0.1 * f[dof]);
      loaded[dof] += force.back();
    }
    contacts.add_force(force);
    contacts.finish(x);
    factor.solve(loaded, expected);
    for (unsigned int i = 0; i < strip.system.n_dofs(); ++i)
      ASSERT_NEAR(x[i], expected[i], 1e-13 * expected.linfty_norm());
    for (unsigned int i = 0; i < strip.system.n_dofs(); i += 97)
      contacts.visit_row(i, [&](unsigned int j, double value) {
        EXPECT_NEAR(value, strip.A(i, j), 1e-15); // A is symmetric except for round-off
      });
    use(contacts, strip.at(3), strip.A);
    strip.expect_compliance(contacts, strip.at(3));
  }
}

/// A system with the interface of another system gives bitwise equal results.
TEST(ContactInterface, MayBeTakenOver) {
  const Strip strip(60);
  ContactSystem one({strip.A, strip.system.n_dofs(), {}, strip.touched, MatrixValues::changing});
  ContactSystem other({strip.A, strip.system.n_dofs(), {}, strip.touched, MatrixValues::changing});
  one.set_contact_entries(strip.at(3));
  one.set_contact_entries(strip.at(30));
  const auto dofs = strip.at(33);
  EXPECT_FALSE(one.set_contact_entries(dofs));
  other.set_interface(one.interface_dofs());
  EXPECT_EQ(other.interface_dofs(), one.interface_dofs());
  EXPECT_FALSE(other.set_contact_entries(dofs));
  const Vector b = some_vector(strip.system.n_dofs());
  std::vector<Vector> x;
  for (ContactSystem *const contacts : {&one, &other}) {
    contacts->set_matrix(strip.A);
    ASSERT_TRUE(contacts->factorise());
    x.push_back(Vector(strip.system.n_dofs()));
    contacts->start(b, {}, x.back());
    contacts->add_force({0.3, -0.2});
    contacts->finish(x.back());
  }
  for (unsigned int i = 0; i < 2; ++i)
    for (unsigned int j = 0; j < 2; ++j)
      EXPECT_EQ(one.compliance(i, j), other.compliance(i, j));
  for (unsigned int i = 0; i < strip.system.n_dofs(); ++i)
    EXPECT_EQ(x[0][i], x[1][i]);
}

} // namespace
