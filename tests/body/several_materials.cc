// Bodies of several materials on one mesh.

#include <percussion/body/cell_stress.h>
#include <percussion/body/static_equilibrium.h>
#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/sparse_matrices.h"
#include <cmath>

namespace {

using namespace percussion;

Material<2> material(double young, double density = 1., double poisson = 0.,
                     LinearViscosity viscosity = {}) {
  return {density, 0.5, LinearElastic<2>::from_young(young, poisson, Plane::strain), viscosity};
}

/// Returns a mesh's materials, with the second material for x > 1.
Materials<2> halves(const Mesh<2> &mesh, const Material<2> &left, const Material<2> &right) {
  std::vector<unsigned int> cell_materials;
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    cell_materials.push_back(cell->center()[0] > 1.);
  return {{left, right}, cell_materials};
}

bool same(const SparseMatrix &a, const SparseMatrix &b) {
  return a.pattern()->start == b.pattern()->start && a.pattern()->column == b.pattern()->column &&
         a.values() == b.values();
}

class SeveralMaterials : public ::testing::TestWithParam<CellShape> {
protected:
  std::unique_ptr<Mesh<2>> mesh = test::rectangle(GetParam(), 2, 0.5, 8, 3);

  Vector interpolate(const Space<2> &space, double (*u)(double)) const {
    Vector q(space.n_dofs());
    for (unsigned int i = 0; i < space.n_nodes(); ++i)
      q[space.node_dofs[i][0]] = u(space.nodes[i][0]);
    return q;
  }
};

/// A bar of two materials in series under a traction t at its end has the strain t/E in each half,
/// and the traction as stress everywhere.
TEST_P(SeveralMaterials, StretchLikeSpringsInARow) {
  const double E[] = {2., 7.}, traction = 0.03;
  System<2> body(*mesh, halves(*mesh, material(E[0]), material(E[1])), {});
  const Space<2> &space = body.elastic.front()->space;
  body.loads.add_traction(*body.elastic.front(), mesh->region("right"), 0, Expression("0.03"));
  Preload preload;
  preload.tractions = true;
  for (const unsigned int node : mesh->region("left").nodes)
    for (const unsigned int dof : space.node_dofs[node])
      preload.displacements.emplace_back(dof, 0.);
  const Vector q = static_equilibrium(body, preload, 0.);
  for (unsigned int i = 0; i < space.n_nodes(); ++i) {
    const double x = space.nodes[i][0];
    EXPECT_NEAR(q[space.node_dofs[i][0]],
                traction * (std::min(x, 1.) / E[0] + std::max(x - 1., 0.) / E[1]), 1e-14);
    EXPECT_NEAR(q[space.node_dofs[i][1]], 0., 1e-14);
  }
  const CellStress<2> stress(*body.elastic.front());
  for (unsigned int c = 0; c < stress.n_cells(); ++c)
    EXPECT_NEAR(stress(c, q)[0][0], traction, 1e-13 * traction);
}

/// Energies of given fields are the sums of integrals over both halves.
TEST_P(SeveralMaterials, HaveTheEnergiesOfBoth) {
  const double E[] = {2., 7.}, density[] = {1.5, 0.4}, thickness = 0.5, height = 0.5;
  const LinearViscosity viscosity[] = {{0.3, 0.1, 0.01}, {0., 0.2, 0.05}};
  const System<2> body(*mesh,
                       halves(*mesh, material(E[0], density[0], 0., viscosity[0]),
                              material(E[1], density[1], 0., viscosity[1])),
                       {});
  const Vector stretch = interpolate(body.elastic.front()->space, [](double x) { return 0.1 * x; });
  const double section = thickness * height;
  const double K = 0.01 * section * (E[0] + E[1]);
  const double M = 0.01 * section * (density[0] / 3 + density[1] * 7 / 3);
  EXPECT_NEAR(test::product(body.operators.stiffness, stretch, stretch), K, 1e-14);
  EXPECT_NEAR(test::product(body.operators.mass, stretch, stretch), M, 1e-14);
  const double C =
      0.01 * section *
      (0.3 + 0.1 * density[0] / 3 + 0.01 * E[0] + 0.2 * density[1] * 7 / 3 + 0.05 * E[1]);
  EXPECT_NEAR(test::product(body.operators.viscosity, stretch, stretch), C, 1e-14);
  const Vector moved = interpolate(body.elastic.front()->space, [](double) { return 1.; });
  EXPECT_NEAR(test::product(body.operators.mass, moved, moved), section * (density[0] + density[1]),
              1e-14);
}

TEST_P(SeveralMaterials, ThatAreTheSameAreOne) {
  const Material<2> all = material(3., 1.3, 0.3, {0.2, 0.1, 0.01});
  const System<2> one(*mesh, all, {}), twice(*mesh, halves(*mesh, all, all), {});
  EXPECT_TRUE(same(one.operators.mass, twice.operators.mass));
  EXPECT_TRUE(same(one.operators.stiffness, twice.operators.stiffness));
  EXPECT_TRUE(same(one.operators.viscosity, twice.operators.viscosity));
}

/// Each hyperelastic material acts in its own cells, and each cell has the stress of its material.
TEST_P(SeveralMaterials, OfFiniteStrainAddUp) {
  const Ogden ogden{0.5, 0.15, 0.35, Plane::strain};
  Material<2> soft{1., 0.5, small_strain_limit(ogden), {}, FiniteStrainMaterial{ogden, {}}};
  const System<2> one(*mesh, soft, {}), twice(*mesh, halves(*mesh, soft, soft), {}),
      mixed(*mesh, halves(*mesh, soft, material(5.)), {});
  EXPECT_FALSE(one.operators.linear);
  EXPECT_TRUE(mixed.operators.linear);
  EXPECT_FALSE(mixed.elastic.front()->materials.are_linear());
  FiniteStrain<2> whole(*one.elastic.front(), 0), left(*twice.elastic.front(), 0),
      right(*twice.elastic.front(), 1), mixed_left(*mixed.elastic.front(), 0);
  EXPECT_EQ(left.n_cells() + right.n_cells(), whole.n_cells());
  EXPECT_EQ(mixed_left.n_cells(), left.n_cells());
  const Vector q0 = interpolate(one.elastic.front()->space, [](double x) { return 0.1 * x * x; });
  const Vector q1 =
      interpolate(one.elastic.front()->space, [](double x) { return 0.3 * std::sin(x); });
  Vector f(one.n_dofs()), sum = f;
  for (FiniteStrain<2> *const part : {&whole, &left, &right})
    part->begin_step(q0);
  ASSERT_TRUE(whole.evaluate(q1, 0.1, f));
  ASSERT_TRUE(left.evaluate(q1, 0.1, sum));
  ASSERT_TRUE(right.evaluate(q1, 0.1, sum));
  const double size = f.linfty_norm();
  f -= sum;
  EXPECT_LT(f.linfty_norm(), 1e-15 * size);
  EXPECT_NEAR(left.strain_energy(q1) + right.strain_energy(q1), whole.strain_energy(q1),
              1e-14 * whole.strain_energy(q1));
  const CellStress<2> stress(*one.elastic.front()), both_stress(*twice.elastic.front()),
      mixed_stress(*mixed.elastic.front());
  unsigned int n_different = 0;
  for (const auto &cell : mesh->triangulation.active_cell_iterators()) {
    const unsigned int c = cell->active_cell_index();
    EXPECT_EQ(stress(c, q1), both_stress(c, q1));
    if (cell->center()[0] < 1.)
      EXPECT_EQ(stress(c, q1), mixed_stress(c, q1));
    else
      n_different += (stress(c, q1) - mixed_stress(c, q1)).norm() > 1e-3;
  }
  EXPECT_GT(n_different, right.n_cells() / 2);
}

INSTANTIATE_TEST_SUITE_P(Elements, SeveralMaterials,
                         ::testing::Values(CellShape::simplex, CellShape::hypercube),
                         [](const auto &shape) {
                           return std::string(shape.param == CellShape::simplex ? "T3" : "Q4");
                         });

// ---- several meshes ----

TEST(SeveralMeshes, HaveRegionsByNameOfTheirMesh) {
  auto one = test::rectangle(CellShape::simplex, 2, 1, 4, 2);
  auto other = test::rectangle(CellShape::hypercube, 1, 1, 2, 2);
  one->file = "folder/first.msh";
  other->file = "second.msh";
  other->regions["hole"] = other->regions["left"];
  System<2>::ElasticBodies bodies;
  bodies.push_back(std::make_unique<ElasticBody<2>>(*one, material(1.)));
  bodies.push_back(std::make_unique<ElasticBody<2>>(*other, material(1.), bodies[0]->n_dofs()));
  System<2> system(std::move(bodies), {}, dealii::Tensor<1, 2>({0., -2.}));
  EXPECT_EQ(system.n_dofs(), system.elastic[0]->n_dofs() + system.elastic[1]->n_dofs());
  EXPECT_EQ(system.region("hole").body, system.elastic[1].get());
  EXPECT_EQ(system.region("first:top").body, system.elastic[0].get());
  EXPECT_EQ(system.region("first:top").region, &one->region("top"));
  EXPECT_EQ(system.region("second:top").region, &other->region("top"));
  const auto message = [&](const std::string &name) {
    try {
      system.region(name);
    } catch (const InputError &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const char *part : {"first:top", "second:top"})
    EXPECT_NE(message("top").find(part), std::string::npos) << message("top");
  EXPECT_NE(message("hol").find("hole"), std::string::npos) << message("hol");
  EXPECT_NE(message("first:tip"), "");
  // Prescribed motion and loads are assigned to the right body.
  system.prescribe("second:top", system.region("second:top"), 1,
                   PrescribedMotion<2>::Kind::displacement, Expression("1"));
  for (const unsigned int dof : system.motion.dofs())
    EXPECT_GE(dof, system.elastic[0]->n_dofs());
  EXPECT_EQ(system.motion.dofs().size(), other->region("top").nodes.size());
  system.loads.add_traction(*system.elastic[1], other->region("left"), 0, Expression("3"));
  Vector force;
  system.loads.evaluate(0., force);
  std::array<dealii::Tensor<1, 2>, 2> sum;
  for (unsigned int b = 0; b < 2; ++b)
    for (const auto &dofs : system.elastic[b]->space.node_dofs)
      for (unsigned int d = 0; d < 2; ++d)
        sum[b][d] += force[dofs[d]];
  EXPECT_NEAR(sum[0][0], 0., 1e-15);
  EXPECT_NEAR(sum[0][1], -2. * 2 * 0.5, 1e-14);
  EXPECT_NEAR(sum[1][0], 3. * 1 * 0.5, 1e-14);
  EXPECT_NEAR(sum[1][1], -2. * 1 * 0.5, 1e-14);
}

} // namespace
