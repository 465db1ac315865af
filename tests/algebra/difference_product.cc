#include <percussion/algebra/difference_product.h>

#include <gtest/gtest.h>

#include "matrices.h"
#include <cmath>

namespace {

using namespace percussion;

/// A slender body, and displacements that are multiples of 1/1024, so that translations by whole
/// numbers add no round-off.
struct SlenderBody {
  std::unique_ptr<Mesh<2>> mesh = test::rectangle(CellShape::simplex, 8, 0.5, 24, 2, 0.2);
  System<2> body{*mesh, test::unit_material(), {}};
  const SparseMatrix &K = body.operators.stiffness;
  const Partition &partition = body.operators.partition;
  DifferenceProduct product{K, partition, 2};
  Vector x = test::some_vector(body.n_dofs());

  SlenderBody() {
    for (double &value : x)
      value = std::round(1024. * value) / 1024.;
  }
  Vector translated(double distance) const {
    Vector moved = x;
    for (double &value : moved)
      value += distance;
    return moved;
  }
};

TEST(DifferenceProduct, IsTheProductOfTheMatrix) {
  const SlenderBody slender;
  const Vector &x = slender.x;
  Vector y(x.size()), expected = y;
  multiply(slender.K, x, expected);
  const double power = slender.product.multiply(x, y);
  EXPECT_EQ(slender.product.largest_row_sum(), test::linfty_norm(slender.K));
  for (unsigned int i = 0; i < x.size(); ++i)
    EXPECT_NEAR(y[i], expected[i], 1e-13);
  EXPECT_NEAR(power, dot(x, expected), 1e-12);
}

/// A translation changes neither forces nor energy, unlike those of the sum of all terms.
TEST(DifferenceProduct, IsInvariantUnderTranslations) {
  const SlenderBody slender;
  const Vector far = slender.translated(1024.);
  Vector y(far.size()), y_far = y, y_of_terms = y;
  const double power = slender.product.multiply(slender.x, y),
               power_far = slender.product.multiply(far, y_far);
  multiply(slender.K, far, y_of_terms);
  double error_of_terms = 0;
  for (unsigned int i = 0; i < far.size(); ++i) {
    EXPECT_EQ(y_far[i], y[i]);
    error_of_terms = std::max(error_of_terms, std::abs(y_of_terms[i] - y[i]));
  }
  EXPECT_GT(error_of_terms, 1e-13);
  EXPECT_NEAR(power_far, power, 1e-12 * 1024.); // of x · y
}

/// A beam that bends far from its place keeps the energy of its strains.
TEST(DifferenceProduct, HasTheRoundOffOfStrains) {
  const SlenderBody slender;
  const auto &space = slender.body.elastic[0]->space;
  constexpr double curvature = 1e-6;
  Vector moved(slender.x.size()), bending = moved, y = moved, terms = moved;
  for (unsigned int node = 0; node < space.n_nodes(); ++node) {
    const auto &X = space.nodes[node];
    const double u[] = {-curvature * X[0] * X[1], 0.5 * curvature * X[0] * X[0]};
    for (unsigned int d = 0; d < 2; ++d) {
      space.set_value(node, d, u[d] + 3., moved);
      space.set_value(node, d, (u[d] + 3.) - 3., bending); // the same difference without error
    }
  }
  const double energy = slender.product.multiply(bending, y);
  EXPECT_NEAR(slender.product.multiply(moved, y), energy, 1e-7 * energy);
  multiply(slender.K, moved, terms);
  EXPECT_GT(std::abs(dot(moved, terms) - energy), 1e-5 * energy);
}

/// Rows whose sums are not zero, such as the radial ones of bodies of revolution, keep them.
TEST(DifferenceProduct, KeepsRowsThatTranslationsDeform) {
  SlenderBody slender;
  const SparseMatrix A = test::combination(slender.body, 0.5, 1.);
  const DifferenceProduct product(A, slender.partition, 2);
  const Vector x = slender.translated(4.);
  Vector y(x.size()), expected = y;
  multiply(A, x, expected);
  product.multiply(x, y);
  for (unsigned int i = 0; i < x.size(); ++i)
    EXPECT_NEAR(y[i], expected[i], 1e-12);
}

} // namespace
