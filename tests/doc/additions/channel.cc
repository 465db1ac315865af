// The surface that surface.patch adds: its gap has the normal as gradient, and what follows from
// it.

#include <percussion/contact/surface.h>

#include <gtest/gtest.h>

namespace {

using namespace percussion;

template <int dim>
Surface<dim> channel(double width) {
  dealii::Tensor<1, dim> normal;
  normal[0] = 0.6;
  normal[dim - 1] = 0.8;
  dealii::Point<dim> middle;
  middle[0] = 0.5;
  Surface<dim> surface;
  surface.shape = Channel<dim>{middle, normal, width};
  return surface;
}

template <int dim>
void expect_gradient(const Surface<dim> &surface, const dealii::Point<dim> &x) {
  constexpr double step = 1e-5;
  for (unsigned int d = 0; d < dim; ++d) {
    auto plus = x, minus = x;
    plus[d] += step;
    minus[d] -= step;
    EXPECT_NEAR((gap(surface, plus).distance - gap(surface, minus).distance) / (2. * step),
                gap(surface, x).normal[d], 1e-9);
  }
}

TEST(Channel, NormalIsTheGradientOfTheGap) {
  for (const double height : {-1.7, -0.3, 0.2, 1.2}) {
    expect_gradient<2>(channel<2>(2.), {0.1, height});
    expect_gradient<3>(channel<3>(2.), {0.1, -0.4, height});
  }
}

TEST(Channel, GapIsTheDistanceFromTheNearerSide) {
  EXPECT_NEAR(gap(channel<2>(2.), {0.5, 0.}).distance, 1., 1e-15);
  EXPECT_NEAR(gap(channel<2>(2.), {0.5 + 0.6 * 0.75, 0.8 * 0.75}).distance, 0.25, 1e-15);
  EXPECT_NEAR(gap(channel<2>(2.), {0.5 - 0.6 * 1.5, -0.8 * 1.5}).distance, -0.5, 1e-15);
}

TEST(Channel, IsComparedAndDrawnAsOtherSurfaces) {
  EXPECT_TRUE(have_same_description(channel<3>(2.), channel<3>(2.)));
  EXPECT_FALSE(have_same_description(channel<3>(2.), channel<3>(3.)));
  EXPECT_TRUE(is_along(channel<3>(2.), 1));
  EXPECT_FALSE(is_along(channel<3>(2.), 2));
  EXPECT_FALSE(extent(channel<2>(2.)).is_bounded);
}

} // namespace
