// Materials with memory in the cells of a body: the balance of a step, tangent and history.

#include <percussion/body/finite_strain.h>
#include <percussion/body/system.h>
#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include <cmath>
#include <random>

namespace material_memory { // separates names from the other tests in unity builds

using namespace percussion;

const Elastoplastic metal{{1., 0.02, 0.05, 0.02, 10., 0.05, 0.01}, 3.};
const Viscoelastic rubber{0.6, 3., {{0.4, 0.3}, {0.2, 0.01}}};
constexpr double h = 0.1;

template <int dim>
struct Choice {
  const char *name;
  CellShape shape;
  HyperelasticLaw law;
  ElementKind element = ElementKind::standard;
};

template <int dim>
std::unique_ptr<Mesh<dim>> mesh_of(const Choice<dim> &choice) {
  const bool is_macro = choice.element == ElementKind::macro_cells;
  if constexpr (dim == 2) {
    auto mesh = test::rectangle(choice.shape, 2, 1, is_macro ? 2 : 3, is_macro ? 1 : 2, 0.2);
    return is_macro ? test::divided(*mesh) : std::move(mesh);
  } else {
    auto mesh = test::box(choice.shape, {2, 1, 1}, {is_macro ? 1u : 2u, 1, 1}, 0.1);
    return is_macro ? test::divided(*mesh) : std::move(mesh);
  }
}

/// Body of one material, in a deformation from which steps begin.
template <int dim>
struct Body {
  explicit Body(const Choice<dim> &choice) : mesh(mesh_of(choice)) {
    Material<dim> material{1., 1., small_strain_limit<dim>(choice.law), {}};
    material.finite_strain = FiniteStrainMaterial{choice.law, {}};
    material.element = choice.element;
    system = std::make_unique<System<dim>>(*mesh, material, dealii::Tensor<1, dim>());
    cells = std::make_unique<FiniteStrain<dim>>(*system->elastic.front(), 0);
    q0.reinit(system->n_dofs());
    force.reinit(system->n_dofs());
  }
  /// Returns q0 moved at random.
  Vector moved(double size) {
    Vector q = q0;
    for (double &x : q)
      x += std::uniform_real_distribution<>(-size, size)(engine);
    return q;
  }
  /// Evaluates the step to q1. Returns false if it inverts an element.
  bool evaluate(const Vector &q1) {
    force = 0.;
    return cells->evaluate(q1, h, force);
  }
  /// Flows to a random deformation, where the next steps begin.
  void flow() {
    cells->begin_step(q0);
    q0 = moved(0.06);
    ASSERT_TRUE(evaluate(q0));
    cells->write_history(history);
    cells->set_history(history);
    cells->begin_step(q0);
  }

  std::unique_ptr<Mesh<dim>> mesh;
  std::unique_ptr<System<dim>> system;
  std::unique_ptr<FiniteStrain<dim>> cells;
  Vector q0, force;
  std::vector<double> history;
  std::mt19937 engine{3};
};

/// f · (q1 − q0) = ΔE + loss, and the force moves neither the body nor its angular momentum.
template <int dim>
void expect_exact_work(const Choice<dim> &choice) {
  Body<dim> body(choice);
  body.flow();
  for (const double size : {1e-5, 1e-3, 0.05}) {
    const Vector q1 = body.moved(size);
    ASSERT_TRUE(body.evaluate(q1));
    std::vector<double> history1;
    body.cells->write_history(history1);
    Vector step = q1;
    step -= body.q0;
    const double energy0 = body.cells->strain_energy(body.q0, body.history),
                 energy1 = body.cells->strain_energy(q1, history1),
                 loss = body.cells->dissipation() + body.cells->plastic_loss();
    EXPECT_NEAR(dot(body.force, step), energy1 - energy0 + loss, 1e-14 * (energy0 + energy1))
        << choice.name << ' ' << size;
    EXPECT_GT(loss, 0.) << choice.name << ' ' << size;
    EXPECT_EQ(body.cells->plastic_loss() > 0., is_plastic(choice.law));
    const Space<dim> &space = body.system->elastic.front()->space;
    dealii::Tensor<1, dim> sum;
    dealii::Tensor<2, dim> moments;
    for (unsigned int i = 0; i < space.n_nodes(); ++i) {
      dealii::Tensor<1, dim> f, x = space.nodes[i];
      for (unsigned int d = 0; d < dim; ++d) {
        const unsigned int dof = space.node_dofs[i][d];
        f[d] = body.force[dof];
        x[d] += 0.5 * (body.q0[dof] + q1[dof]);
      }
      sum += f;
      moments += outer_product(x, f);
    }
    const double scale = body.force.l2_norm();
    EXPECT_LT(sum.norm(), 1e-13 * scale) << choice.name;
    EXPECT_LT((moments - transpose(moments)).norm(), 1e-13 * scale) << choice.name;
  }
}

template <int dim>
void expect_tangent(const Choice<dim> &choice) {
  Body<dim> body(choice);
  body.flow();
  constexpr double delta = 1e-6;
  for (const double size : {0.01, 0.05}) {
    const Vector q1 = body.moved(size);
    Vector direction(q1.size());
    for (double &x : direction)
      x = std::uniform_real_distribution<>(-1., 1.)(body.engine);
    Vector ahead = q1, behind = q1, derivative(q1.size());
    ahead.add(delta, direction);
    behind.add(-delta, direction);
    ASSERT_TRUE(body.evaluate(ahead));
    Vector difference = body.force;
    ASSERT_TRUE(body.evaluate(behind));
    difference -= body.force;
    difference /= 2. * delta;
    ASSERT_TRUE(body.evaluate(q1));
    const unsigned int n = body.cells->dofs_per_group();
    std::vector<double> tangent(std::size_t(n) * n);
    for (unsigned int group = 0; group < body.cells->n_groups(); ++group) {
      body.cells->group_tangent(group, h, tangent.data());
      const unsigned int *const dofs = body.cells->dofs_of_group(group);
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          derivative[dofs[i]] += tangent[i * n + j] * direction[dofs[j]];
    }
    const double scale = difference.l2_norm();
    derivative -= difference;
    EXPECT_LT(derivative.l2_norm(), 3e-8 * scale) << choice.name << ' ' << size;
  }
}

const std::vector<Choice<2>> plane_choices = {
    {"T3 metal", CellShape::simplex, metal},
    {"Q4 metal", CellShape::hypercube, metal},
    {"Q4 mean metal", CellShape::hypercube, metal, ElementKind::mean_dilatation},
    {"macro T3 metal", CellShape::simplex, metal, ElementKind::macro_cells},
    {"T3 rubber", CellShape::simplex, rubber},
    {"Q4 mean rubber", CellShape::hypercube, rubber, ElementKind::mean_dilatation},
    {"macro T3 rubber", CellShape::simplex, rubber, ElementKind::macro_cells}};
const std::vector<Choice<3>> space_choices = {
    {"T4 metal", CellShape::simplex, metal},
    {"H8 mean metal", CellShape::hypercube, metal, ElementKind::mean_dilatation},
    {"macro T4 metal", CellShape::simplex, metal, ElementKind::macro_cells},
    {"H8 rubber", CellShape::hypercube, rubber},
    {"macro T4 rubber", CellShape::simplex, rubber, ElementKind::macro_cells}};

TEST(MaterialMemory, WorkOfForcesIsEnergyAndLossIn2D) {
  for (const auto &choice : plane_choices)
    expect_exact_work(choice);
}

TEST(MaterialMemory, WorkOfForcesIsEnergyAndLossIn3D) {
  for (const auto &choice : space_choices)
    expect_exact_work(choice);
}

TEST(MaterialMemory, TangentIsDerivativeOfForcesIn2D) {
  for (const auto &choice : plane_choices)
    expect_tangent(choice);
}

TEST(MaterialMemory, TangentIsDerivativeOfForcesIn3D) {
  for (const auto &choice : space_choices)
    expect_tangent(choice);
}

/// Trial steps leave the history at the start of the step as it is.
TEST(MaterialMemory, TrialStepsLeaveNoTrace) {
  Body<2> body(plane_choices[2]);
  body.flow();
  const Vector q1 = body.moved(0.03), far = body.moved(0.08);
  ASSERT_TRUE(body.evaluate(q1));
  const Vector force = body.force;
  std::vector<double> expected, found;
  body.cells->write_history(expected);
  ASSERT_TRUE(body.evaluate(far));
  body.cells->write_history(found);
  EXPECT_NE(expected, found);
  ASSERT_TRUE(body.evaluate(q1));
  body.cells->write_history(found);
  EXPECT_EQ(expected, found);
  for (unsigned int i = 0; i < force.size(); ++i)
    EXPECT_EQ(force[i], body.force[i]);
}

/// The von Mises stress J σ, with ln J = J tr σ / 3 κ, is the yield stress where a step flows.
TEST(MaterialMemory, StressIsOnTheYieldSurface) {
  const Elastoplastic perfect{{1., 0.02}, 3.};
  Body<2> body({"perfect", CellShape::simplex, perfect});
  body.flow();
  unsigned int n_flowing = 0;
  for (unsigned int cell = 0; cell < body.cells->n_cells(); ++cell) {
    const auto sigma = body.cells->cauchy_stress(cell, body.q0, body.history);
    double J = 1;
    for (unsigned int k = 0; k < 100; ++k)
      J = std::exp(J * trace(sigma) / (3. * perfect.bulk));
    const double von_mises = J * std::sqrt(1.5) * deviator(sigma).norm();
    EXPECT_LT(von_mises, 0.02 * (1. + 1e-9));
    if (body.cells->mean_history(cell, body.history, 9) > 0.) {
      ++n_flowing;
      EXPECT_NEAR(von_mises, 0.02, 1e-10);
    }
  }
  EXPECT_GT(n_flowing, 5u);
}

} // namespace material_memory
