// Output of contacts between elastic bodies.

#include "output/written_run.h"
#include "support/block.h"

namespace {

using namespace percussion;
using test::moved_point;
using test::vector_at;
using test::WrittenRun;
using Tensor = dealii::Tensor<1, 2>;

/// Fixture with a block that falls on another one: both sides show the percussions that they
/// receive, and their positions.
class ElasticContactFiles : public testing::TestWithParam<Discretisation> {
protected:
  std::unique_ptr<Mesh<2>> lower = test::rectangle(CellShape::simplex, 2, 0.5, 8, 2),
                           upper = test::rectangle(CellShape::hypercube, 1, 0.5, 5, 2);
  WrittenRun written{"elastic_contacts"};

  ElasticContactFiles() {
    test::move(*upper, 0, Tensor({0.4, 0.5005}));
    lower->file = "lower.msh";
    upper->file = "upper.msh";
    auto &system = written.system;
    const Material<2> material{1., 2., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {}};
    for (const auto *mesh : {lower.get(), upper.get()})
      system.add_elastic(*mesh, material);
    auto &pair = system.add_contact(ImpactLawKind::fremond, {}, 0.3);
    pair.own_side = ElasticRegion{"upper:bottom"};
    pair.opposite_side = ElasticRegions{{"lower:top"}};
    pair.discretisation = GetParam();
    auto &bodies = system.make();
    for (const auto &dofs : bodies.elastic[1]->space.node_dofs) {
      system.state.v[dofs[0]] = 0.2;
      system.state.v[dofs[1]] = -0.3;
    }
    system.start();
    written.run(20);
  }
};

TEST_P(ElasticContactFiles, ShowBothSides) {
  const double h = written.system.choices.h;
  const auto &bodies = *written.system.bodies;
  const auto n_lower = static_cast<vtkIdType>(bodies.elastic[0]->space.n_nodes());
  unsigned int n_carrying = 0;
  for (std::size_t k = 1; k < written.states.size(); ++k) {
    const auto solution = written.read("solution", k), contacts = written.read("contacts", k);
    const auto number = [](auto &grid, const char *name, vtkIdType i) {
      return grid->GetPointData()->GetArray(name)->GetComponent(i, 0);
    };
    std::array<Tensor, 2> received;
    std::array<double, 2> force{};
    for (vtkIdType i = 0; i < solution->GetNumberOfPoints(); ++i) {
      received[i >= n_lower] += vector_at(*solution, "percussion", i);
      const bool is_upper = i >= n_lower;
      const double y = bodies.elastic[is_upper]
                           ->space.nodes[static_cast<std::size_t>(i - is_upper * n_lower)][1];
      if (number(solution, "pressure", i) != 0.) {
        EXPECT_NEAR(y, 0.5, i < n_lower ? 1e-12 : 1e-3);
        EXPECT_GE(number(solution, "status", i), 1);
      }
    }
    for (unsigned int side = 0; side < 2; ++side)
      for (const auto &facets : written.system.boundary->facets)
        for (const auto &node : facets.nodes)
          if (node.elastic == side)
            force[side] +=
                h * node.area * number(solution, "pressure", node.node + (side == 1 ? n_lower : 0));
    double normal = 0;
    for (const auto &contact : written.records[k].contacts)
      normal += contact.percussion[0];
    EXPECT_LT((received[0] + received[1]).norm(), 1e-14);
    EXPECT_NEAR(received[1][1], normal, 1e-3 * normal + 1e-14);
    EXPECT_NEAR(force[0], normal, 1e-12);
    EXPECT_NEAR(force[1], normal, 1e-12);
    for (vtkIdType i = 0; i < contacts->GetNumberOfPoints(); ++i) {
      EXPECT_EQ(number(contacts, "obstacle", i), -1);
      EXPECT_GT(number(contacts, "area", i), 0);
      const Tensor way =
          moved_point(*contacts, i) - dealii::Point<2>(vector_at(*contacts, "touched_place", i));
      if (!std::isnan(number(contacts, "gap", i))) {
        EXPECT_NEAR(way * vector_at(*contacts, "normal", i), number(contacts, "gap", i), 1e-12);
      }
      n_carrying += number(contacts, "pressure", i) > 0;
      EXPECT_NEAR(number(contacts, "pressure", i) * number(contacts, "area", i) * h,
                  vector_at(*contacts, "percussion", i) * vector_at(*contacts, "normal", i), 1e-14);
    }
  }
  EXPECT_GT(n_carrying, 20u);
}

TEST_P(ElasticContactFiles, RelativeVelocitiesAreTheRatesOfTheGaps) {
  const auto comparison = test::compare_velocities_with_rates(written);
  EXPECT_GT(comparison.n_compared, 50u);
  EXPECT_GT(comparison.largest_rate, 0.25); // the block falls at 0.3
  EXPECT_LT(comparison.largest_error, 1e-2);
}

INSTANTIATE_TEST_SUITE_P(Discretisations, ElasticContactFiles,
                         testing::Values(Discretisation::nodes, Discretisation::nodes_of_both_sides,
                                         Discretisation::mortar_of_region),
                         [](const auto &kind) {
                           return std::string(
                               kind.param == Discretisation::mortar_of_region ? "Mortar"
                               : kind.param == Discretisation::nodes          ? "Nodes"
                                                                              : "NodesOfBothSides");
                         });

} // namespace
