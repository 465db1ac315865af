// Springs, dashpots and joints: the identities of their forces.

#include <percussion/body/link_forces.h>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/rigid.h"
#include <random>

namespace {

using namespace percussion;

/// Two rigid bodies and an elastic one, linked with each other and with the ground.
struct Linked {
  std::unique_ptr<Mesh<2>> mesh = test::rectangle(CellShape::simplex, 2, 1, 4, 2, 0.2);
  test::RigidSystem system;

  explicit Linked(LinkKind kind) {
    system.add_elastic(
        *mesh, Material<2>{1., 1., LinearElastic<2>::from_young(2., 0.3, Plane::strain), {}});
    system.rigid = {test::rectangle("a", 1, 2, 3, {5., 1.}, 0.3),
                    test::rectangle("b", 2, 1, 2, {8., -1.}, -0.4)};
    system.make();
    LinkEnd<2> fixed, a, b, elastic;
    fixed.position = {4., 3.};
    a.position = {5.5, 1.8};
    a.rigid = 0;
    b.position = {7.2, -0.6};
    b.rigid = 1;
    const auto &space = system.bodies->elastic.front()->space;
    for (const auto &[node, share] : {std::pair{3u, 0.7}, std::pair{5u, 0.3}}) {
      elastic.position += share * space.nodes[node];
      elastic.nodes.emplace_back(space.node_dofs[node], share);
    }
    for (const auto &[first, second] :
         {std::pair{fixed, a}, std::pair{a, b}, std::pair{b, elastic}, std::pair{elastic, fixed}})
      system.bodies->links.push_back({"link", kind, first, second, 1.7, 0.9, 0.6});
    if (kind == LinkKind::weld)
      system.bodies->links.resize(2);
  }

  Vector somewhere(unsigned int seed, double size) const {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> entry(-size, size);
    Vector q(system.bodies->n_dofs());
    for (unsigned int i = 0; i < q.size(); ++i)
      q[i] = entry(generator);
    return q;
  }
};

/// f · (q1 − q0) = ΔE + dissipation + work of the joints, for steps and rotations of any size.
TEST(LinkForces, AreDiscreteGradients) {
  constexpr double h = 0.3;
  for (const LinkKind kind : {LinkKind::spring, LinkKind::pin, LinkKind::weld}) {
    Linked linked(kind);
    LinkForces<2> links(*linked.system.bodies);
    EXPECT_EQ(links.n_impulses(), kind == LinkKind::spring ? 0u : kind == LinkKind::pin ? 8u : 6u);
    std::vector<double> impulse;
    for (unsigned int i = 0; i < links.n_impulses(); ++i)
      impulse.push_back(0.3 + 0.2 * i);
    for (const double size : {3., 0.1, 1e-3}) {
      const Vector q0 = linked.somewhere(1, 2.);
      Vector q1 = linked.somewhere(2, size);
      q1 += q0;
      links.begin_step(q0);
      Vector force(q0.size());
      links.evaluate(q1, h, impulse, force);
      Vector step = q1;
      step -= q0;
      double terms = 0;
      for (unsigned int i = 0; i < step.size(); ++i)
        terms += std::abs(step[i] * force[i]);
      const double rise = links.energy(q1) - links.energy(q0);
      EXPECT_NEAR(force * step, rise + links.dissipation() - links.work_of_joints() / h,
                  1e-13 * (terms + links.energy(q0)) +
                      1e-14 * force.l1_norm()) // round-off of the positions
          << size;
      EXPECT_EQ(links.dissipation() > 0., kind == LinkKind::spring);
      EXPECT_GT(terms, 0.);
    }
  }
}

/// G is exact for a large rotation and for several turns in a step.
TEST(LinkForces, KnowTheWholeRotationOfAStep) {
  Linked linked(LinkKind::pin);
  LinkForces<2> links(*linked.system.bodies);
  const Vector q0(linked.system.bodies->n_dofs());
  for (const double angle : {1e-9, 0.5, 3., 20.}) {
    Vector q1 = q0;
    q1[linked.system.bodies->rigid_dof(0) + 2] = angle;
    links.begin_step(q0);
    Vector force(q0.size());
    links.evaluate(q1, 1., std::vector<double>(8, 0.), force);
    const double before[] = {0.5, 0.8}; // arm of the end on the body "a"
    const double change[] = {(std::cos(angle) - 1.) * before[0] - std::sin(angle) * before[1],
                             std::sin(angle) * before[0] + (std::cos(angle) - 1.) * before[1]};
    for (unsigned int d = 0; d < 2; ++d) {
      const LinkRow &row = links.rows()[d];
      double product = 0;
      for (std::size_t k = 0; k < row.column.size(); ++k)
        product += row.value[k] * q1[links.dofs()[row.column[k]]];
      EXPECT_NEAR(product, change[d], 1e-15 * (1. + angle)) << angle;
    }
  }
}

/// For small displacements the rows are the symmetric tangent of the springs.
TEST(LinkForces, HaveTheirTangentAsRows) {
  Linked linked(LinkKind::spring);
  for (auto &link : linked.system.bodies->links)
    link.damping = 0;
  LinkForces<2> links(*linked.system.bodies);
  Vector q0(linked.system.bodies->n_dofs());
  const auto force_at = [&](const Vector &q1) {
    Vector force(q0.size());
    links.begin_step(q0);
    links.evaluate(q1, 1., {}, force);
    return force;
  };
  force_at(q0);
  const auto rows = links.rows();
  // compared for the nodes of the elastic body, which has no rotations
  const unsigned int n = linked.system.bodies->n_elastic_dofs();
  for (unsigned int j = 0; j < n; ++j) {
    Vector ahead = q0, behind = q0;
    ahead[j] += 1e-4;
    behind[j] -= 1e-4;
    Vector slope = force_at(ahead);
    slope -= force_at(behind);
    slope /= 2e-4;
    for (unsigned int i = 0; i < n; ++i) {
      double sum = 0;
      for (const LinkRow &row : rows)
        for (std::size_t k = 0; k < row.column.size(); ++k)
          for (std::size_t l = 0; l < row.column.size(); ++l)
            if (links.dofs()[row.column[k]] == i && links.dofs()[row.column[l]] == j)
              sum += row.stiffness * row.value[k] * row.value[l];
      EXPECT_NEAR(sum, slope[i], 1e-7);
    }
  }
}

} // namespace
