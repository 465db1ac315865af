// Several elastic bodies, and several materials in one of them.

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/rigid.h"

namespace {

using namespace percussion;
using test::Block;
using test::hyperelastic;
using test::ogden;
using test::RigidSystem;

Material<2> linear(double young = 10.) {
  return {1., 1., LinearElastic<2>::from_young(young, 0.3, Plane::strain), {0.02, 0., 0.}};
}

/// Up to two blocks on separate meshes that fall on the ground, obliquely and spinning.
struct Blocks {
  std::array<std::unique_ptr<Mesh<2>>, 2> mesh = {
      {test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2),
       test::rectangle(CellShape::hypercube, 1, 1.5, 4, 5, 0.2)}};
  RigidSystem system;

  Blocks(const std::array<const Material<2> *, 2> &materials, double theta,
         const std::string &scheme_name = "moreau-jean-fremond") {
    mesh[0]->file = "first.msh";
    mesh[1]->file = "second.msh";
    const Scheme &named = scheme(scheme_name);
    const bool both = materials[0] != nullptr && materials[1] != nullptr;
    for (unsigned int b = 0; b < 2; ++b)
      if (materials[b] != nullptr) {
        system.add_elastic(*mesh[b], *materials[b]);
        auto &pair = system.add_contact(named.law, {}, 0.3);
        pair.own_side = ElasticRegion{std::string(!both    ? ""
                                                  : b == 0 ? "first:"
                                                           : "second:") +
                                      "bottom"};
        pair.opposite_side = Block::ground(-0.0171 - 0.01 * b);
      }
    system.gravity = dealii::Tensor<1, 2>({0.2, -1.});
    system.choices.h = 0.01;
    system.choices.theta = theta;
    system.choices.forecast = named.forecast;
    system.choices.frames = named.frames;
    system.choices.newton_tolerance = 1e-12;
    system.cone.method = named.method;
    system.make();
    for (const auto &body : system.bodies->elastic)
      for (unsigned int i = 0; i < body->space.n_nodes(); ++i) {
        const auto &x = body->space.nodes[i];
        system.state.v[body->space.node_dofs[i][0]] = 0.4 - 0.2 * x[1];
        system.state.v[body->space.node_dofs[i][1]] = -0.5 + 0.2 * x[0];
      }
    system.start();
  }
};

/// One linear body and one with large strains: the ledger closes, each body moves as if alone, and
/// the momentum of each changes by gravity and its own contacts only.
TEST(SeveralElasticBodies, CloseTheLedgerAndMoveAsIfAlone) {
  const Material<2> stiff = linear(), soft = hyperelastic(ogden, {ViscosityKind::curnier, 0.01});
  for (const char *name : {"moreau-jean-fremond", "pdas-leapfrog"})
    for (const double theta : {0.5, 0.7}) {
      SCOPED_TRACE(name + (" " + std::to_string(theta)));
      Blocks both({&stiff, &soft}, theta, name), first({&stiff, nullptr}, theta, name),
          second({nullptr, &soft}, theta, name);
      double scale = both.system.state.energy();
      std::array<unsigned int, 2> n_touching{};
      for (unsigned int k = 0; k < 150; ++k) {
        const double before = both.system.state.energy();
        const auto &record = both.system.advance();
        first.system.advance();
        second.system.advance();
        scale = std::max(scale, both.system.state.energy());
        ASSERT_LT(std::abs(record.balance_residual), 2e-13 * scale) << k;
        ASSERT_NEAR(both.system.state.energy() - before, record.works.sum(), 2e-13 * scale) << k;
        ASSERT_NEAR(both.system.state.energy(),
                    first.system.state.energy() + second.system.state.energy(), 1e-9 * scale)
            << k;
        for (const auto &contact : record.contacts)
          ++n_touching[contact.key.pair];
        const unsigned int n = first.system.bodies->n_dofs();
        ASSERT_EQ(both.system.bodies->n_dofs(), n + second.system.bodies->n_dofs());
        for (unsigned int i = 0; i < both.system.bodies->n_dofs(); ++i) {
          const State<2> &alone = i < n ? first.system.state : second.system.state;
          const unsigned int j = i < n ? i : i - n;
          ASSERT_NEAR(both.system.state.q[i], alone.q[j], 1e-9) << k;
          ASSERT_NEAR(both.system.state.v[i], alone.v[j], 1e-7) << k;
        }
      }
      EXPECT_GT(n_touching[0], 50u);
      EXPECT_GT(n_touching[1], 20u);
    }
}

/// Two linear bodies have one constant matrix, with the same accuracy as one.
TEST(SeveralElasticBodies, ThatAreLinearHaveOneSystem) {
  const Material<2> one = linear(10.), other = linear(30.);
  Blocks both({&one, &other}, 0.5), first({&one, nullptr}, 0.5), second({nullptr, &other}, 0.5);
  for (unsigned int k = 0; k < 200; ++k) {
    const auto &record = both.system.advance();
    const auto &first_record = first.system.advance(), &second_record = second.system.advance();
    ASSERT_TRUE(both.system.step->momentum().residuals().empty());
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * both.system.state.energy());
    ASSERT_EQ(record.contacts.size(), first_record.contacts.size() + second_record.contacts.size());
    ASSERT_NEAR(both.system.state.energy(),
                first.system.state.energy() + second.system.state.energy(),
                1e-11 * both.system.state.energy());
  }
  EXPECT_GT(both.system.state.step, 100u);
}

// ---- several materials in one body ----

/// Returns materials with the second one right of the middle.
Materials<2> halves(const Mesh<2> &mesh, const Material<2> &left, const Material<2> &right) {
  std::vector<unsigned int> cell_materials;
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    cell_materials.push_back(cell->center()[0] > 1.);
  return {{left, right}, cell_materials};
}

Block dropped(const Material<2> &left, const Material<2> *right, double theta = 0.5) {
  auto mesh = test::rectangle(CellShape::simplex, 2, 1, 8, 4);
  const Materials<2> materials =
      right != nullptr ? halves(*mesh, left, *right) : Materials<2>(left);
  Block block(std::move(mesh), materials, dealii::Tensor<1, 2>({0.2, -1.}));
  block.add_contact("bottom", Block::ground(-0.0171), ImpactLawKind::fremond, {0.3, 0., 0.}, 0.3);
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{0.4 - 0.2 * x[1], -0.5 + 0.2 * x[0]}};
  });
  block.choices.h = 0.01;
  block.choices.theta = theta;
  block.choices.newton_tolerance = 1e-12;
  block.start();
  return block;
}

TEST(SeveralMaterials, ThatAreTheSameMoveAsOne) {
  for (const Material<2> &material : {linear(), hyperelastic(ogden)}) {
    Block one = dropped(material, nullptr), twice = dropped(material, &material);
    for (unsigned int k = 0; k < 150; ++k) {
      const auto &one_record = one.advance(), &two_record = twice.advance();
      ASSERT_EQ(one_record.contacts.size(), two_record.contacts.size());
      for (unsigned int i = 0; i < one.state.q.size(); ++i) {
        ASSERT_NEAR(one.state.q[i], twice.state.q[i], 1e-10) << k;
        ASSERT_NEAR(one.state.v[i], twice.state.v[i], 1e-8) << k;
      }
    }
  }
}

/// Linear cells, also viscous ones, beside cells with large strains.
TEST(SeveralMaterials, LinearAndHyperelasticCloseTheLedger) {
  const Material<2> stiff = linear(), soft = hyperelastic(ogden, {ViscosityKind::curnier, 0.01});
  for (const double theta : {0.5, 0.7}) {
    Block block = dropped(stiff, &soft, theta);
    double scale = block.state.energy();
    Works size;
    for (unsigned int k = 0; k < 200; ++k) {
      const auto before = block.momentum();
      const auto &record = block.advance();
      scale = std::max(scale, block.state.energy());
      ASSERT_LT(std::abs(record.balance_residual), 2e-13 * scale) << k;
      ASSERT_LE(record.works.viscous, 0.);
      ASSERT_NEAR(block.momentum()[0] - before[0],
                  2. * 0.2 * 0.01 + test::total_percussion(record, 1), 1e-11);
      ASSERT_NEAR(block.momentum()[1] - before[1],
                  2. * -1. * 0.01 + test::total_percussion(record, 0), 1e-11);
      size.viscous -= record.works.viscous;
      size.numerical += std::abs(record.works.numerical);
      size.contact_tangential += std::abs(record.works.contact_tangential);
    }
    EXPECT_GT(size.viscous, 1e-3 * scale);
    EXPECT_EQ(size.numerical > 1e-4 * scale, theta != 0.5);
    EXPECT_GT(size.contact_tangential, 1e-3 * scale);
  }
}

/// A bar of two materials in series, fixed at its left end, after a slow pull of its right end: its
/// displacement is the sum of both compliances, and it vibrates about the static displacement.
TEST(SeveralMaterials, BarIsPulledLikeSpringsInARow) {
  const double E[] = {10., 40.};
  auto mesh = test::rectangle(CellShape::hypercube, 2, 0.5, 16, 2);
  const auto bar = [](double young) -> Material<2> {
    return {1., 1., LinearElastic<2>::from_young(young, 0., Plane::strain), {0., 1.5, 0.}};
  };
  const Materials<2> materials = halves(*mesh, bar(E[0]), bar(E[1]));
  Block block(std::move(mesh), materials);
  for (unsigned int d = 0; d < 2; ++d)
    block.prescribe("left", d, PrescribedMotion<2>::Kind::displacement, "0");
  block.add_traction("right", 0, "0.2");
  block.choices.h = 0.05;
  block.choices.theta = 0.7;
  block.start();
  double farthest = 0;
  for (unsigned int k = 0; k < 1000; ++k) {
    ASSERT_LT(std::abs(block.advance().balance_residual), 1e-14);
    farthest = std::max(farthest, block.state.q.linfty_norm());
  }
  for (unsigned int i = 0; i < block.space().n_nodes(); ++i) {
    const double x = block.space().nodes[i][0];
    EXPECT_NEAR(block.state.q[block.space().node_dofs[i][0]],
                0.2 * (std::min(x, 1.) / E[0] + std::max(x - 1., 0.) / E[1]), 1e-10);
  }
  EXPECT_GT(farthest, 1.2 * block.state.q.linfty_norm()); // the bar vibrated
}

} // namespace
