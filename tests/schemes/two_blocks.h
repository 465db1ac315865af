#pragma once

#include "support/rigid.h"
#include "support/scheme.h"
#include <array>
#include <memory>
#include <string>

namespace percussion::test {

/// Two blocks in an oblique impact, the upper one turned. Change the pair, then call start() of the
/// system.
struct TwoBlocks {
  std::array<std::unique_ptr<Mesh<2>>, 2> mesh = {
      {rectangle(CellShape::hypercube, 2, 1, 8, 4), rectangle(CellShape::hypercube, 1, 0.6, 5, 3)}};
  RigidSystem system;

  TwoBlocks(const Scheme &scheme, Discretisation discretisation, double friction,
            const std::array<Materials<2>, 2> &materials = {elastic(5.), elastic(5.)}) {
    const char *const names[] = {"lower", "upper"};
    move(*mesh[1], 0.2, dealii::Tensor<1, 2>({0.5, 1.03}));
    for (unsigned int b = 0; b < 2; ++b) {
      mesh[b]->file = std::string(names[b]) + ".msh";
      system.add_elastic(*mesh[b], materials[b]);
    }
    auto &pair = system.add_contact(scheme.law, {}, friction);
    pair.own_side = ElasticRegion{"upper:bottom"};
    pair.opposite_side = ElasticRegions{{"lower:top"}};
    pair.discretisation = discretisation;
    if (pair.is_mortar()) {
      pair.contact_points = scheme.contact_points();
      pair.formulation = scheme.formulation;
      pair.symmetry = scheme.symmetry;
    }
    EXPECT_FALSE(pair.has_linear_gaps());
    system.choices.use(scheme);
    system.choices.h = 0.02;
    system.cone.method = scheme.method;
    System<2> &bodies = system.make();
    for (const auto &dofs : bodies.elastic[1]->space.node_dofs) {
      system.state.v[dofs[0]] = 0.5;
      system.state.v[dofs[1]] = -0.5;
    }
    if (scheme.redistributes_inertia)
      bodies.redistribute_inertia(*bodies.elastic[1], mesh[1]->region("bottom").nodes);
  }
  /// Returns a linear elastic material of unit density.
  static Material<2> elastic(double young) {
    return {1., 1., LinearElastic<2>::from_young(young, 0.3, Plane::strain), {}};
  }
};

} // namespace percussion::test
