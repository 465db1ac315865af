// Bodies by names: prescribed components, masses in motion, ends of links and points of cells.

#include <percussion/body/system.h>
#include <percussion/body/weighted_nodes.h>

#include <gtest/gtest.h>

#include "support/meshes.h"

namespace system_of_bodies {

using namespace percussion;

/// Two elastic squares of density 3, one of which is held at the left side, and two rigid bodies of
/// the masses 5 and 7, the second with a prescribed x.
struct Bodies {
  std::unique_ptr<Mesh<2>> first = test::rectangle(CellShape::hypercube, 1., 1., 2, 2),
                           second = test::rectangle(CellShape::simplex, 1., 1., 3, 3);
  std::unique_ptr<System<2>> system;

  Bodies() {
    first->file = "first.msh";
    second->file = "second.msh";
    const Material<2> material{
        3., 1., LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}, {}};
    System<2>::ElasticBodies elastic;
    elastic.push_back(std::make_unique<ElasticBody<2>>(*first, Materials<2>(material)));
    elastic.push_back(std::make_unique<ElasticBody<2>>(*second, Materials<2>(material),
                                                       elastic.front()->n_dofs()));
    std::vector<RigidBody<2>> rigid(2);
    rigid[0].mass = 5.;
    rigid[1].mass = 7.;
    for (RigidBody<2> &body : rigid)
      body.inertia = 1.;
    system =
        std::make_unique<System<2>>(std::move(elastic), std::move(rigid), dealii::Tensor<1, 2>());
    using Kind = PrescribedMotion<2>::Kind;
    const Expression zero("0");
    system->prescribe("left", system->region("second:left"), 0, Kind::velocity, zero);
    system->prescribe(1, 0, Kind::velocity, zero);
  }
};

TEST(SystemOfBodies, FindsPrescribedComponents) {
  const Bodies bodies;
  const System<2> &system = *bodies.system;
  const auto region = system.region("second:left");
  const auto indices = system.prescribed_indices(region, 0);
  ASSERT_EQ(indices.size(), region.region->nodes.size());
  for (std::size_t k = 0; k < indices.size(); ++k)
    EXPECT_EQ(system.motion.dofs()[indices[k]],
              region.body->space.node_dofs[region.region->nodes[k]][0]);
  EXPECT_TRUE(system.prescribed_indices(region, 1).empty());
  EXPECT_TRUE(system.prescribed_indices(system.region("first:left"), 0).empty());
  EXPECT_FALSE(system.is_prescribed(0, 0));
  EXPECT_TRUE(system.is_prescribed(1, 0));
  EXPECT_FALSE(system.is_prescribed(1, 1));
  EXPECT_TRUE(system.prescribed_indices(std::size_t(0), 0).empty());
  EXPECT_EQ(system.motion.dofs()[system.prescribed_indices(std::size_t(1), 0).at(0)],
            system.rigid_dof(1));
}

/// The mass in motion is all mass without the rows and columns of held nodes.
TEST(SystemOfBodies, AddsTheMassInMotion) {
  const Bodies bodies;
  const System<2> &system = *bodies.system;
  Vector unit = system.zero_field(), momentum = system.zero_field();
  for (const auto &body : system.elastic)
    for (unsigned int i = 0; i < body->space.n_nodes(); ++i)
      if (body->space.nodes[i][0] > 0. || body == system.elastic.front())
        unit[body->space.node_dofs[i][0]] = 1.;
  multiply(system.operators.mass, unit, momentum);
  EXPECT_NEAR(system.mass_in_motion(), 5. + dot(unit, momentum), 1e-14 * 11.);
  EXPECT_LT(system.mass_in_motion(), 5. + 3. + 3.);
}

/// A linear field has its own values at points of cells and at the ends of links.
TEST(SystemOfBodies, InterpolatesALinearField) {
  const Bodies bodies;
  const System<2> &system = *bodies.system;
  Vector field = system.zero_field();
  const auto value = [](const dealii::Point<2> &x) {
    return dealii::Tensor<1, 2>({1. + 2. * x[0] - x[1], 3. * x[1]});
  };
  const ElasticBody<2> &body = *system.elastic.back();
  for (unsigned int i = 0; i < body.space.n_nodes(); ++i)
    for (unsigned int d = 0; d < 2; ++d)
      field[body.space.node_dofs[i][d]] = value(body.space.nodes[i])[d];
  EXPECT_EQ(system.largest_of_body(*system.elastic.front(), field), 0.);
  EXPECT_EQ(system.largest_of_body(body, field), 3.);
  EXPECT_EQ(system.largest_elastic(field), 3.);

  const dealii::Point<2> inside(0.4, 0.7), outside(1.4, 0.7);
  unsigned int n_cells = 0;
  for (const auto &cell : body.space.dofs.active_cell_iterators()) {
    EXPECT_TRUE(weights_in_cell<2>(cell, body.space, outside).empty());
    const auto nodes = weights_in_cell<2>(cell, body.space, inside);
    if (nodes.empty())
      continue;
    ++n_cells;
    EXPECT_LT((weighted_sum<2>(nodes, field) - value(inside)).norm(), 1e-14 * 3.);
  }
  EXPECT_GE(n_cells, 1u);

  LinkEnd<2> end;
  EXPECT_FALSE(system.elastic_body_of(end));
  end.nodes = weighted_nodes(body.space, {0, 1}, {0.25, 0.75});
  EXPECT_EQ(system.elastic_body_of(end), 1u);
  const auto expected = 0.25 * value(body.space.nodes[0]) + 0.75 * value(body.space.nodes[1]);
  EXPECT_LT((weighted_sum<2>(end.nodes, field) - expected).norm(), 1e-14 * 3.);
  end.nodes = weighted_nodes(system.elastic.front()->space, {2}, {1.});
  EXPECT_EQ(system.elastic_body_of(end), 0u);
}

} // namespace system_of_bodies
