#include <percussion/body/cell_stress.h>
#include <percussion/body/nodal_stress.h>

#include <gtest/gtest.h>

#include "interpolate.h"
#include "support/meshes.h"
#include "support/second_order.h"
#include <cmath>

namespace {

using namespace percussion;
using test::interpolate;

const LinearElastic<2> law = LinearElastic<2>::from_young(210., 0.3, Plane::strain);

Material<2> stressed_material(bool is_axisymmetric = false) {
  Material<2> result{7.8, 1., law, {}};
  result.is_axisymmetric = is_axisymmetric;
  return result;
}

/// A body of linear elasticity with the stresses of its cells and nodes.
struct StressedBody {
  explicit StressedBody(std::unique_ptr<Mesh<2>> m,
                        const Materials<2> &materials = stressed_material())
      : mesh(std::move(m)), system(*mesh, materials, {}), space(system.elastic.front()->space) {}

  void set_stress(const Vector &q) {
    const CellStress<2> stress(*system.elastic.front());
    for (unsigned int c = 0; c < stress.n_cells(); ++c)
      cell_stresses.push_back(stress(c, q));
    const CellDivision<2> division(system, Partition::undivided(system.n_elastic_dofs(), 2));
    node_stresses = NodalStress<2>(system, division, 0)(cell_stresses);
  }
  bool is_inside(unsigned int node) const {
    const auto &boundary = mesh->region("boundary").nodes;
    return std::find(boundary.begin(), boundary.end(), node) == boundary.end();
  }

  std::unique_ptr<Mesh<2>> mesh;
  System<2> system;
  const Space<2> &space;
  std::vector<SpaceTensor> cell_stresses, node_stresses;
};

TEST(NodalStress, IsTheStressOfAUniformStrain) {
  const SpaceTensor expected = law.full_stress([] {
    dealii::SymmetricTensor<2, 2> strain;
    strain[0][0] = 2e-3;
    strain[1][1] = 4e-3;
    strain[0][1] = -1e-3;
    return strain;
  }());
  for (const CellShape shape : {CellShape::simplex, CellShape::hypercube})
    for (const unsigned int order : {1u, 2u}) {
      auto mesh = test::rectangle(shape, 2, 1, 5, 4, 0.3);
      StressedBody body(order == 1 ? std::move(mesh)
                                   : test::second_order(std::move(mesh), {"top"}));
      body.set_stress(interpolate(body.space, [](const dealii::Point<2> &x) {
        return std::array<double, 2>{{2e-3 * x[0] - 3e-3 * x[1], 1e-3 * x[0] + 4e-3 * x[1]}};
      }));
      ASSERT_EQ(body.node_stresses.size(), body.space.n_nodes());
      for (const SpaceTensor &stress : body.node_stresses)
        EXPECT_LT((stress - expected).norm(), 1e-12 * expected.norm());
    }
}

/// The strains of cells are those at their centres, so that means over the cells at an inner node
/// of a uniform mesh are exact for a linear strain, where the cells alone have errors of order one.
TEST(NodalStress, IsExactWhereTheStressIsLinear) {
  for (const CellShape shape : {CellShape::simplex, CellShape::hypercube}) {
    StressedBody body(test::rectangle(shape, 2, 1, 8, 4));
    body.set_stress(interpolate(body.space, [](const dealii::Point<2> &x) {
      return std::array<double, 2>{{1e-3 * x[0] * x[0], 2e-3 * x[0] * x[1]}};
    }));
    double largest = 0;
    for (unsigned int node = 0; node < body.space.n_nodes(); ++node) {
      const dealii::Point<2> &x = body.space.nodes[node];
      dealii::SymmetricTensor<2, 2> strain;
      strain[0][0] = 2e-3 * x[0];
      strain[1][1] = 2e-3 * x[0];
      strain[0][1] = 1e-3 * x[1];
      const SpaceTensor exact = law.full_stress(strain);
      if (body.is_inside(node)) {
        EXPECT_LT((body.node_stresses[node] - exact).norm(), 1e-12) << x;
      } else
        largest = std::max(largest, (body.node_stresses[node] - exact).norm());
    }
    EXPECT_GT(largest, 1e-2); // means of one side
  }
}

/// Returns materials that differ in the thickness of every second cell.
Materials<2> two_thicknesses() {
  Material<2> thick = stressed_material();
  thick.thickness = 5.;
  std::vector<unsigned int> numbers(24);
  for (unsigned int cell = 0; cell < numbers.size(); ++cell)
    numbers[cell] = cell % 2;
  return {{stressed_material(), thick}, numbers};
}

TEST(NodalStress, WeightsCellsByTheirVolumes) {
  for (const Materials<2> &materials : {Materials<2>(stressed_material(false)),
                                        Materials<2>(stressed_material(true)), two_thicknesses()}) {
    StressedBody body(test::rectangle(CellShape::simplex, 2, 1, 4, 3, 0.35), materials);
    ASSERT_EQ(body.space.n_cells(), 24u);
    Vector q(body.system.n_dofs());
    for (unsigned int i = 0; i < q.size(); ++i)
      q[i] = 1e-3 * std::sin(1. + 2. * i);
    body.set_stress(q);
    for (unsigned int node = 0; node < body.space.n_nodes(); ++node) {
      SpaceTensor sum;
      double volume = 0;
      for (unsigned int cell = 0; cell < body.space.n_cells(); ++cell) {
        const unsigned int *const corners = body.space.nodes_of(cell);
        if (std::find(corners, corners + 3, node) == corners + 3)
          continue;
        const auto &x = body.space.nodes;
        const auto a = x[corners[1]] - x[corners[0]], b = x[corners[2]] - x[corners[0]];
        double weight =
            0.5 * std::abs(a[0] * b[1] - a[1] * b[0]) * materials.material(cell).thickness;
        if (materials.are_axisymmetric())
          weight *= (x[corners[0]] + x[corners[1]] + x[corners[2]])[0] / 3.;
        sum += weight * body.cell_stresses[cell];
        volume += weight;
      }
      EXPECT_LT((body.node_stresses[node] - sum / volume).norm(), 1e-13);
    }
  }
}

} // namespace
