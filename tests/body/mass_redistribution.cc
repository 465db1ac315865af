#include <percussion/algebra/cholesky.h>
#include <percussion/base/error.h>
#include <percussion/body/mass_redistribution.h>
#include <percussion/body/system.h>
#include <percussion/input/read_mesh.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <gtest/gtest.h>

#include "interpolate.h"
#include "support/meshes.h"
#include "support/sparse_matrices.h"
#include <cmath>
#include <functional>

namespace {

using namespace percussion;
using dealii::numbers::PI;
using test::interpolate;

const std::string meshes = PERCUSSION_SOURCE_DIR "/meshes/";

Material<2> steel(double young = 210., double poisson = 0.3, double density = 7.8) {
  return {density, 1., LinearElastic<2>::from_young(young, poisson, Plane::strain), {}};
}

/// Consistent mass and redistributed mass of the same body.
struct Body {
  Body(std::unique_ptr<Mesh<2>> m, const std::vector<std::string> &regions,
       const Material<2> &of = steel())
      : mesh(std::move(m)), system(*mesh, of, {}) {
    for (const std::string &name : regions) {
      const auto &nodes = mesh->region(name).nodes;
      contact.insert(contact.end(), nodes.begin(), nodes.end());
    }
    redistribute();
  }

  void redistribute() {
    after = before.mass;
    remove_contact_inertia(space, contact, after);
  }

  std::vector<bool> is_contact() const {
    std::vector<bool> is(space.n_nodes(), false);
    for (const unsigned int node : contact)
      is[node] = true;
    return is;
  }

  std::unique_ptr<Mesh<2>> mesh;
  System<2> system;
  const Space<2> &space = system.elastic.front()->space;
  const Operators &before = system.operators;
  SparseMatrix after;
  std::vector<unsigned int> contact;
};

using Field = std::function<std::array<double, 2>(const dealii::Point<2> &)>;

/// Returns the matrix of the first component on the nodes without contact, rows ascending.
dealii::LAPACKFullMatrix<double> block(const Body &body, const SparseMatrix &M) {
  const auto is_contact = body.is_contact();
  std::vector<unsigned int> unknowns;
  for (unsigned int i = 0; i < body.space.n_nodes(); ++i)
    if (!is_contact[i])
      unknowns.push_back(body.space.node_dofs[i][0]);
  dealii::LAPACKFullMatrix<double> dense(static_cast<unsigned int>(unknowns.size()));
  for (unsigned int i = 0; i < unknowns.size(); ++i)
    for (unsigned int j = 0; j < unknowns.size(); ++j)
      dense(i, j) = M(unknowns[i], unknowns[j]);
  return dense;
}

double smallest_eigenvalue(dealii::LAPACKFullMatrix<double> matrix) {
  const double bound = 2 * matrix.linfty_norm();
  dealii::Vector<double> eigenvalues;
  dealii::FullMatrix<double> eigenvectors;
  matrix.compute_eigenvalues_symmetric(-bound, bound, 1e-12 * bound, eigenvalues, eigenvectors);
  EXPECT_EQ(eigenvalues.size(), matrix.n_rows());
  return *std::min_element(eigenvalues.begin(), eigenvalues.end());
}

/// Returns a rectangle bent to three quarters of a ring; its inner side is the region "bottom".
std::unique_ptr<Mesh<2>> ring(CellShape shape, unsigned int n, unsigned int m) {
  auto mesh = test::rectangle(shape, 1, 1, n, m, 0.2);
  dealii::GridTools::transform(
      [](const dealii::Point<2> &x) {
        const double radius = 1 + x[1], angle = -1.5 * PI * x[0];
        return dealii::Point<2>(3 + radius * std::cos(angle), radius * std::sin(angle));
      },
      mesh->triangulation);
  return mesh;
}

struct Case {
  const char *name;
  std::function<std::unique_ptr<Mesh<2>>()> mesh;
  std::vector<std::string> regions;
};

const auto T3 = CellShape::simplex;
const auto Q4 = CellShape::hypercube;

const std::vector<Case> cases = {
    {"BlockT3", [] { return test::rectangle(T3, 2, 1, 14, 8, 0.3); }, {"bottom"}},
    {"BlockQ4", [] { return test::rectangle(Q4, 2, 1, 14, 8, 0.3); }, {"bottom"}},
    {"CornerT3", [] { return test::rectangle(T3, 2, 1, 10, 7, 0.3); }, {"left", "bottom"}},
    {"CornerQ4", [] { return test::rectangle(Q4, 2, 1, 10, 7, 0.3); }, {"left", "bottom"}},
    {"AllSidesT3", [] { return test::rectangle(T3, 1, 1, 9, 9, 0.3); }, {"boundary"}},
    {"AllSidesQ4", [] { return test::rectangle(Q4, 1, 1, 9, 9, 0.3); }, {"boundary"}},
    {"FewLayersT3", [] { return test::rectangle(T3, 3, 1, 6, 2); }, {"bottom"}},
    {"FewLayersQ4", [] { return test::rectangle(Q4, 3, 1, 6, 2); }, {"bottom"}},
    {"ThreeLayersT3", [] { return test::rectangle(T3, 2, 1, 6, 3, 0.3); }, {"bottom"}},
    {"ThreeLayersQ4", [] { return test::rectangle(Q4, 2, 1, 6, 3, 0.3); }, {"bottom"}},
    {"BarT3", [] { return test::rectangle(T3, 10, 1, 60, 1); }, {"left"}},
    {"BarQ4", [] { return test::rectangle(Q4, 10, 1, 60, 1); }, {"left"}},
    {"ShortBarT3", [] { return test::rectangle(T3, 3, 1, 3, 1); }, {"left"}},
    {"ShortBarQ4", [] { return test::rectangle(Q4, 3, 1, 3, 1); }, {"left"}},
    {"RingT3", [] { return ring(T3, 36, 6); }, {"bottom"}},
    {"RingQ4", [] { return ring(Q4, 36, 6); }, {"bottom"}},
    {"SmallCornerT3", [] { return test::rectangle(T3, 3, 3, 3, 3, 0.3); }, {"left", "bottom"}},
    {"SmallCornerQ4", [] { return test::rectangle(Q4, 3, 3, 3, 3, 0.3); }, {"left", "bottom"}},
    {"OneFreeElementT3", [] { return test::rectangle(T3, 1, 1, 3, 3); }, {"boundary"}},
    {"OneFreeElementQ4", [] { return test::rectangle(Q4, 1, 1, 3, 3); }, {"boundary"}},
    {"FileT3", [] { return read_mesh<2>(meshes + "sliding_block.msh"); }, {"Contact BC"}},
    {"FileQ4", [] { return read_mesh<2>(meshes + "block_q4.msh"); }, {"bottom"}},
};

class MassRedistribution : public ::testing::TestWithParam<Case> {
protected:
  Body body{GetParam().mesh(), GetParam().regions};
};

TEST_P(MassRedistribution, ContactNodesHaveNoInertia) {
  const auto is_contact = body.is_contact();
  std::vector<bool> is_contact_dof(body.space.n_dofs(), false);
  for (unsigned int i = 0; i < body.space.n_nodes(); ++i)
    for (const unsigned int dof : body.space.node_dofs[i])
      is_contact_dof[dof] = is_contact[i];
  test::visit_entries(body.after, [&](unsigned int i, unsigned int j, double value) {
    if (is_contact_dof[i] || is_contact_dof[j]) {
      EXPECT_EQ(value, 0.);
    }
  });
}

TEST_P(MassRedistribution, IsSymmetricAndCouplesNothingNew) {
  const double rounding = 1e-15 * test::linfty_norm(body.after);
  test::visit_entries(body.after, [&](unsigned int i, unsigned int j, double value) {
    EXPECT_NEAR(value, body.after(j, i), rounding);
    if (value != 0.) {
      EXPECT_NE(body.before.mass(i, j), 0.);
    }
  });
}

TEST_P(MassRedistribution, IsPositiveDefiniteOnTheOtherNodes) {
  const auto consistent = block(body, body.before.mass), redistributed = block(body, body.after);
  if (consistent.m() < 500) {
    EXPECT_GT(smallest_eigenvalue(redistributed), 0.1 * smallest_eigenvalue(consistent));
  } else {
    const auto is_contact = body.is_contact();
    std::vector<unsigned int> unknowns;
    for (unsigned int i = 0; i < body.space.n_nodes(); ++i)
      if (!is_contact[i])
        unknowns.push_back(body.space.node_dofs[i][0]);
    Cholesky factor(body.after, unknowns);
    factor.set_values(body.after);
    EXPECT_TRUE(factor.factorise());
  }
}

TEST_P(MassRedistribution, IsTheSameForEachComponent) {
  std::vector<std::array<unsigned int, 2>> place(body.space.n_dofs());
  for (unsigned int i = 0; i < body.space.n_nodes(); ++i)
    for (unsigned int d = 0; d < 2; ++d)
      place[body.space.node_dofs[i][d]] = {i, d};
  test::visit_entries(body.after, [&](unsigned int first, unsigned int second, double value) {
    const auto [i, d] = place[first];
    const auto [j, e] = place[second];
    const auto &row = body.space.node_dofs[i], &column = body.space.node_dofs[j];
    EXPECT_EQ(value, d == e ? body.after(row[1 - d], column[1 - d]) : 0.);
  });
}

/// Redistribution preserves mass, centre and second moments, each a bilinear form of two of the
/// fields 1, x, y.
TEST_P(MassRedistribution, KeepsMassCentreAndSecondMoments) {
  const std::vector<std::function<double(const dealii::Point<2> &)>> factors = {
      [](const auto &) { return 1.; }, [](const auto &x) { return x[0]; },
      [](const auto &x) { return x[1]; }};
  for (unsigned int d = 0; d < 2; ++d) {
    std::vector<Vector> fields;
    for (const auto &factor : factors)
      fields.push_back(interpolate(body.space, [&](const auto &x) {
        std::array<double, 2> value{};
        value[d] = factor(x);
        return value;
      }));
    for (const Vector &a : fields)
      for (const Vector &b : fields) {
        const double scale = std::sqrt(test::product(body.before.mass, a, a) *
                                       test::product(body.before.mass, b, b));
        EXPECT_NEAR(test::product(body.after, a, b), test::product(body.before.mass, a, b),
                    1e-13 * scale);
      }
  }
}

TEST_P(MassRedistribution, KeepsTheKineticEnergyOfRigidMotions) {
  const Field motions[] = {[](const auto &) {
                             return std::array<double, 2>{{3., -2.}};
                           },
                           [](const auto &x) {
                             return std::array<double, 2>{{-x[1], x[0]}};
                           },
                           [](const auto &x) {
                             return std::array<double, 2>{{0.5 - 4 * (x[1] - 2), 4 * (x[0] + 3)}};
                           }};
  for (const Field &motion : motions) {
    const Vector v = interpolate(body.space, motion);
    const double energy = 0.5 * test::product(body.before.mass, v, v);
    EXPECT_NEAR(0.5 * test::product(body.after, v, v), energy, 1e-13 * energy);
  }
}

std::string case_name(const ::testing::TestParamInfo<Case> &info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Bodies, MassRedistribution, ::testing::ValuesIn(cases), case_name);

/// The far end of a long bar has bitwise its consistent mass, and the change near the contact is
/// smooth: only the nodes next to the contact gain mass, and no other entry loses a third.
TEST(MassRedistributionReach, FromTheSixteenthLayerOnNothingChanges) {
  for (const CellShape shape : {T3, Q4}) {
    const Body body(test::rectangle(shape, 20, 1, 40, 1), {"left"});
    for (unsigned int i = 0; i < body.space.n_nodes(); ++i)
      for (unsigned int j = 0; j < body.space.n_nodes(); ++j) {
        const double near = std::min(body.space.nodes[i][0], body.space.nodes[j][0]);
        const double far = std::max(body.space.nodes[i][0], body.space.nodes[j][0]);
        const unsigned int row = body.space.node_dofs[i][1], column = body.space.node_dofs[j][1];
        const double before = body.before.mass(row, column), after = body.after(row, column);
        if (far > 15.9 * 0.5) {
          EXPECT_EQ(after, before);
        } else if (near > 1.1 * 0.5) {
          EXPECT_NEAR(after, before, before / 3);
        }
      }
  }
}

/// Two blocks in one mesh, only one of them with contact: each keeps its own moments, the other its
/// matrix.
TEST(MassRedistributionParts, EachPartKeepsItsOwn) {
  auto mesh = test::rectangle(Q4, 1, 1, 6, 6);
  dealii::Triangulation<2> other, both;
  dealii::GridGenerator::subdivided_hyper_rectangle(other, {4, 5}, {2., 0.}, {3., 2.});
  dealii::GridGenerator::merge_triangulations(mesh->triangulation, other, both);
  mesh->regions.clear();
  mesh->triangulation.clear();
  mesh->triangulation.copy_triangulation(both);
  Body body(std::move(mesh), {});
  const auto part_one = interpolate(body.space, [](const auto &x) {
    return std::array<double, 2>{{x[0] < 1.5 ? x[1] : 0., 0.}};
  });
  for (const bool second_touches : {false, true}) {
    body.contact.clear();
    for (unsigned int i = 0; i < body.space.n_nodes(); ++i)
      if (body.space.nodes[i][1] < 1e-9 && (second_touches || body.space.nodes[i][0] < 1.5))
        body.contact.push_back(i);
    body.redistribute();
    const double inertia = test::product(body.before.mass, part_one, part_one);
    EXPECT_NEAR(test::product(body.after, part_one, part_one), inertia, 1e-13 * inertia);
    for (unsigned int i = 0; i < body.space.n_nodes() && !second_touches; ++i)
      if (body.space.nodes[i][0] > 1.5)
        for (const unsigned int dof : body.space.node_dofs[i]) {
          EXPECT_EQ(body.after(dof, dof), body.before.mass(dof, dof));
        }
  }
}

TEST(MassRedistributionErrors, SayWhatIsMissing) {
  const auto message = [](std::unique_ptr<Mesh<2>> mesh, const std::string &region) {
    try {
      const Body body(std::move(mesh), {region});
    } catch (const InputError &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string every = "every element of the component of the body";
  for (const CellShape shape : {T3, Q4}) {
    EXPECT_NE(message(test::rectangle(shape, 1, 1, 1, 1), "boundary").find(every),
              std::string::npos);
    EXPECT_NE(message(test::rectangle(shape, 8, 1, 8, 1), "bottom").find(every), std::string::npos);
    EXPECT_NE(message(test::rectangle(shape, 2, 2, 2, 2), "boundary").find(every),
              std::string::npos);
  }
}

TEST(MassRedistributionErrors, NoContactNodesChangeNothing) {
  const Body body(test::rectangle(Q4, 1, 1, 3, 3), {});
  EXPECT_EQ(body.after.values(), body.before.mass.values());
}

/// A bar that meets a rigid wall with its end face: the exact force is ρ c v₀ for the time 2 L / c.
class BarImpact {
public:
  BarImpact(double step, unsigned int n_elements)
      : h(step), body(test::rectangle(Q4, 10, 1, n_elements, 1), {"left"}, steel(1e11, 0, 1e3)) {
    system = test::multiple(h * h / 4, body.before.stiffness);
    test::add_multiple(1., body.after, system);
    std::vector<bool> held(body.space.n_dofs(), false);
    for (const unsigned int node : body.contact)
      held[wall.emplace_back(body.space.node_dofs[node][0])] = true;
    for (unsigned int i = 0; i < body.space.n_dofs(); ++i)
      if (!held[i])
        free.push_back(i);
  }

  /// Returns the force on the wall in each step of the midpoint rule while the end is held.
  std::vector<double> forces(double duration) const {
    Cholesky factor(system, free);
    factor.set_values(system);
    EXPECT_TRUE(factor.factorise());
    const auto n = static_cast<unsigned int>(std::lround(duration / h));
    Vector q(body.space.n_dofs()), Kq = q, v = q, right = q, force = q;
    v = interpolate(body.space, [](const auto &) { return std::array<double, 2>{{-10., 0.}}; });
    std::vector<double> result;
    for (unsigned int k = 0; k < n; ++k) {
      multiply(body.before.stiffness, q, Kq);
      multiply(body.after, v, right);
      right.add(-h / 2, Kq);
      Vector mean(body.space.n_dofs());
      factor.solve(right, mean);
      multiply(system, mean, force);
      force -= right;
      double sum = 0;
      for (const unsigned int dof : wall)
        sum += force[dof] * 2 / h;
      result.push_back(sum);
      q.add(h, mean);
      v.sadd(-1, 2, mean);
    }
    return result;
  }

private:
  double h;
  Body body;
  SparseMatrix system;
  std::vector<unsigned int> wall, free;
};

TEST(MassRedistributionImpact, ForceOfABarOnAWallIsSmooth) {
  struct Choice {
    double step, deviation;
  };
  for (const auto &[step, deviation] : {Choice{2e-5, 5e-3}, Choice{5e-6, 5e-4}}) {
    const double duration = 2 * 10. / 1e4;
    const auto force = BarImpact(step, 200).forces(0.9 * duration);
    const auto begin = force.begin() + std::lround(0.1 * duration / step);
    double sum = 0, squares = 0;
    for (auto f = begin; f != force.end(); ++f)
      sum += *f;
    const double mean = sum / double(force.end() - begin);
    for (auto f = begin; f != force.end(); ++f)
      squares += (*f - mean) * (*f - mean);
    EXPECT_NEAR(mean, 1e8, 1e-3 * 1e8);
    EXPECT_LT(std::sqrt(squares / double(force.end() - begin)), deviation * 1e8);
  }
}

} // namespace
