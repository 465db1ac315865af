// Normal rows that give the change of the gap over a step.

#include "../../src/contact/secant_row.h"

#include <gtest/gtest.h>

#include <cmath>

namespace secant_row {

using namespace percussion;

/// A node against a facet of elastic bodies: three nodes in 2D, four in 3D.
template <int dim>
struct NodeOnFacet {
  static constexpr unsigned int n_nodes = dim + 1;

  std::vector<dealii::Point<dim>> start;
  std::vector<double> weights;
  dealii::Tensor<1, dim> normal;

  NodeOnFacet() : start(n_nodes) {
    if constexpr (dim == 2) {
      start = {{0.3, 0.}, {0., 0.02}, {1., -0.01}};
      weights = {1., -0.7, -0.3};
    } else {
      start = {{0.3, 0.2, 0.}, {0., 0., 0.02}, {1., 0., -0.01}, {0., 1., 0.01}};
      weights = {1., -0.5, -0.3, -0.2};
    }
    normal[0] = 0.03;
    normal[dim - 1] = 1.;
    normal /= normal.norm();
    for (auto &x : start)
      for (unsigned int d = 0; d < dim; ++d)
        x[d] += 5. - d;
    // A foot with the node on the normal, so that forces have no moment.
    dealii::Point<dim> foot;
    for (unsigned int k = 1; k < n_nodes; ++k)
      foot -= weights[k] * start[k];
    start[0] = foot + 1e-3 * normal;
  }

  SecantRow<dim> row() const {
    SecantRow<dim> base;
    base.contact.normal = normal;
    for (unsigned int k = 0; k < n_nodes; ++k)
      for (unsigned int d = 0; d < dim; ++d) {
        base.support.push_back({dim * k + d, {}});
        base.support.back().weight[d] = weights[k];
      }
    return base;
  }

  StepMotion<dim> motion(const std::vector<dealii::Tensor<1, dim>> &displacements) const {
    StepMotion<dim> result{TraceField(dim * n_nodes), start, dim * n_nodes};
    for (unsigned int k = 0; k < n_nodes; ++k)
      for (unsigned int d = 0; d < dim; ++d)
        result.displacement[dim * k + d] = displacements[k][d];
    return result;
  }
};

template <int dim>
double component(const SecantRow<dim> &row, std::size_t entry) {
  return row.contact.normal * row.support[entry].weight;
}

template <int dim>
double times(const SecantRow<dim> &row, const StepMotion<dim> &motion) {
  double sum = 0;
  for (std::size_t k = 0; k < row.support.size(); ++k)
    sum += component(row, k) * motion.displacement[row.support[k].entry];
  return sum;
}

/// Expects neither resultant nor moment of a row about the middle positions.
template <int dim>
void expect_balanced(const SecantRow<dim> &row, const StepMotion<dim> &motion) {
  dealii::Tensor<1, dim> resultant;
  for (std::size_t k = 0; k < row.support.size(); k += dim)
    for (unsigned int d = 0; d < dim; ++d)
      resultant[d] += component(row, k + d);
  EXPECT_LT(resultant.norm(), 1e-14);
  for (unsigned int a = 0; a < dim; ++a)
    for (unsigned int b = a + 1; b < dim; ++b) {
      double moment = 0;
      for (std::size_t k = 0; k < row.support.size(); k += dim) {
        const auto &x = motion.middle[row.support[k].entry / dim];
        moment += x[a] * component(row, k + b) - x[b] * component(row, k + a);
      }
      EXPECT_LT(std::abs(moment), 1e-14);
    }
}

template <int dim>
std::vector<dealii::Tensor<1, dim>> sliding() {
  std::vector<dealii::Tensor<1, dim>> moved(NodeOnFacet<dim>::n_nodes);
  moved[0][0] = 0.2;
  moved[0][dim - 1] = 0.01;
  moved[1][dim - 1] = -0.004;
  return moved;
}

template <int dim>
void expect_change() {
  const NodeOnFacet<dim> node;
  const StepMotion<dim> motion = node.motion(sliding<dim>());
  for (const double change : {-2e-3, 0., 1e-2}) {
    SecantRow<dim> row = node.row();
    EXPECT_NEAR(correct_row<dim>(row, motion, nullptr, change, 0., false), change, 1e-15);
    EXPECT_NEAR(times(row, motion), change, 1e-15);
    EXPECT_GT((row.contact.normal - node.normal).norm(), 1e-4);
    expect_balanced(row, motion);
  }
}

TEST(SecantRow, GivesTheChangeOfTheGapWithoutResultantAndMoment) {
  expect_change<2>();
  expect_change<3>();
}

/// Both bodies turn by 0.3 about a point far away: the middle positions and the displacements of
/// such a step are linear in the positions about the centre.
TEST(SecantRow, StaysIfBothBodiesTurnTogether) {
  NodeOnFacet<2> node;
  const dealii::Point<2> centre(-3., 7.);
  std::vector<dealii::Tensor<1, 2>> moved;
  for (const auto &x : node.start)
    moved.push_back(2. * std::tan(0.15) *
                    dealii::Tensor<1, 2>({centre[1] - x[1], x[0] - centre[0]}));
  const StepMotion<2> motion = node.motion(moved);
  SecantRow<2> row = node.row();
  correct_row<2>(row, motion, nullptr, 0., 0., false);
  EXPECT_LT((row.contact.normal - node.normal).norm(), 1e-13);
  EXPECT_LT(std::abs(times(row, motion)), 1e-14);
}

/// A contact that seems to jump by half of its displacement keeps nearly its direction.
TEST(SecantRow, IsCorrectedByThreeTenthsAtMost) {
  const NodeOnFacet<2> node;
  const StepMotion<2> motion = node.motion(sliding<2>());
  SecantRow<2> row = node.row();
  const double change = correct_row<2>(row, motion, nullptr, 0.15, 0., false);
  EXPECT_LT(change, 0.1);
  EXPECT_NEAR(times(row, motion), change, 1e-15);
  EXPECT_LT((row.contact.normal - node.normal).norm(), 0.31);
  expect_balanced(row, motion);
}

/// A node on a circle that moves slides along a chord; the row is for the motion relative to the
/// circle.
TEST(SecantRow, TurnsTheNormalOfARigidSurface) {
  SecantRow<2> row;
  row.contact.normal = dealii::Tensor<1, 2>({0., 1.});
  row.support = {{0, dealii::Tensor<1, 2>({1., 0.})}, {1, dealii::Tensor<1, 2>({0., 1.})}};
  const StepMotion<2> motion{{0.3, 0.1}, {dealii::Point<2>()}, 2};
  const dealii::Tensor<1, 2> surface({0.1, 0.05});
  const double change = correct_row<2>(row, motion, &surface, 0.02, 0., false);
  EXPECT_NEAR(change, 0.02, 1e-16);
  const double surface_motion = component(row, 0) * surface[0] + component(row, 1) * surface[1];
  EXPECT_NEAR(times(row, motion) - surface_motion, 0.02, 1e-16);
}

/// A motion that is hardly more than round-off turns no force.
TEST(SecantRow, IgnoresRoundOff) {
  const NodeOnFacet<2> node;
  const StepMotion<2> motion = node.motion({dealii::Tensor<1, 2>({1e-9, 0.}), {}, {}});
  SecantRow<2> row = node.row();
  correct_row<2>(row, motion, nullptr, 1e-16, 1e-16, false);
  EXPECT_LT((row.contact.normal - node.normal).norm(), 1e-15);
}

/// A node at a vertex of the other side, to round-off: the row keeps its normal. Without a moment
/// it would have the direction of the round-off between the two, here along the facet.
template <int dim>
void expect_normal_at_a_vertex() {
  NodeOnFacet<dim> node;
  node.weights.assign(node.n_nodes, 0.);
  node.weights[0] = 1.;
  node.weights[1] = -1.;
  node.start[0] = node.start[1];
  node.start[0][0] += 1e-15;
  ASSERT_NE(node.start[0][0], node.start[1][0]);
  for (const auto change : {std::optional<double>(), std::optional<double>(0.)}) {
    SecantRow<dim> row = node.row();
    correct_row<dim>(row, node.motion(std::vector<dealii::Tensor<1, dim>>(node.n_nodes)), nullptr,
                     change, 1e-14, true);
    EXPECT_LT((row.contact.normal - node.normal).norm(), 1e-14);
    for (unsigned int d = 0; d < dim; ++d) {
      EXPECT_NEAR(component(row, d), node.normal[d], 1e-14);
      EXPECT_NEAR(component(row, dim + d), -node.normal[d], 1e-14);
    }
  }
}

TEST(SecantRow, KeepsItsNormalAtAVertexIn2D) { expect_normal_at_a_vertex<2>(); }
TEST(SecantRow, KeepsItsNormalAtAVertexIn3D) { expect_normal_at_a_vertex<3>(); }

/// Returns a row with parts along the normal beside its weights, as of the gradient of a gap, which
/// add up to zero on both sides together.
template <int dim>
SecantRow<dim> row_with_gradient(const NodeOnFacet<dim> &node) {
  SecantRow<dim> row = node.row();
  for (unsigned int k = 0; k < node.n_nodes; ++k)
    for (unsigned int d = 0; d < dim; ++d)
      row.support[dim * k + d].weight += ((k == 0 ? 0.04 : -0.04 / dim) * (d + 1.)) * node.normal;
  return row;
}

/// Tangential rows are the weights along the new tangents, whatever the gradient of the gap.
template <int dim>
void expect_plain_tangential_rows() {
  const NodeOnFacet<dim> node;
  SecantRow<dim> row = row_with_gradient(node);
  std::vector<dealii::Tensor<1, dim>> displacements(node.n_nodes);
  displacements[0][0] = 0.2;
  displacements[1][dim - 1] = 0.1;
  correct_row<dim>(row, node.motion(displacements), nullptr, 0.03, 1e-16, true);
  EXPECT_GT((row.contact.normal - node.normal).norm(), 1e-3);
  const auto frame = local_frame<dim>(row.contact.normal);
  for (unsigned int t = 1; t < dim; ++t)
    for (unsigned int k = 0; k < node.n_nodes; ++k)
      for (unsigned int d = 0; d < dim; ++d)
        EXPECT_NEAR(frame[t] * row.support[dim * k + d].weight, node.weights[k] * frame[t][d],
                    1e-15);
}

TEST(SecantRow, HasTangentialRowsWithoutGradientsIn2D) { expect_plain_tangential_rows<2>(); }
TEST(SecantRow, HasTangentialRowsWithoutGradientsIn3D) { expect_plain_tangential_rows<3>(); }

/// Without the gradient the row is the normal with the weights; rows of rigid bodies stay.
TEST(SecantRow, OmitsGradients) {
  const NodeOnFacet<2> node;
  const SecantRow<2> row = row_with_gradient(node), plain = node.row();
  ContactList<2> list;
  list.add(row.contact, row.support.data(), row.support.data() + row.support.size());
  EXPECT_FALSE(omit_gradients(list, 0));
  for (std::size_t k = 0; k < row.support.size(); ++k)
    EXPECT_EQ(list.support[k].weight, row.support[k].weight);
  EXPECT_TRUE(omit_gradients(list, 2 * node.n_nodes));
  for (std::size_t k = 0; k < row.support.size(); ++k)
    EXPECT_LT((list.support[k].weight - plain.support[k].weight).norm(), 1e-15);
  EXPECT_FALSE(omit_gradients(list, 2 * node.n_nodes));
}

} // namespace secant_row
