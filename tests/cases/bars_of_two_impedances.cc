// Bars of different impedance whose contact nodes have no inertia: the force is smooth with
// multipliers on either side.

#include <gtest/gtest.h>

#include "cases/stepped.h"
#include <cmath>

namespace bars_of_two_impedances {

using namespace percussion;
using cases_in_space::Assignments;
using cases_in_space::Stepped;

struct Force {
  double mean = 0, deviation = 0; ///< relative to the exact force
};

/// Returns the force relative to the exact force during the first passage of waves, with the stiff
/// bar on either side: the left bar has the longer facets, hence the multipliers.
Force force_of(const std::string &stiff_bar, const std::string &discretisation,
               const std::string &step) {
  auto file = ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/two_bars.prm");
  Stepped<2> run(cases_in_space::build<2>(
      std::move(file),
      Assignments{"Material/" + stiff_bar + "/Young modulus=4",
                  "Material/" + stiff_bar + "/Density=4",
                  "Contact/ends/Discretisation=" + discretisation, "Time/Step=" + step}));
  // Impedances 4 and 1, velocities ±0.1, a cross-section of 4.
  const double exact = 4. * 1. / (4. + 1.) * 0.2 * 4.;
  double sum = 0, squares = 0, n = 0;
  while (run.state.time < 15.) {
    double percussion = 0;
    for (const auto &contact : run.advance().contacts)
      percussion += contact.percussion[0];
    if (run.state.time < 5.)
      continue;
    const double force = percussion / run.c.choices.h / exact;
    sum += force;
    squares += force * force;
    ++n;
  }
  return {sum / n, std::sqrt(squares / n - sum * sum / (n * n))};
}

TEST(BarsOfTwoImpedances, PressSmoothlyOnEitherSide) {
  for (const std::string discretisation : {"mortar"})
    for (const std::string stiff_bar : {"left bar", "right bar"})
      for (const std::string step : {"0.05", "0.5"}) {
        const Force force = force_of(stiff_bar, discretisation, step);
        EXPECT_NEAR(force.mean, 1., 0.005) << stiff_bar << discretisation << step;
        EXPECT_LT(force.deviation, 0.03) << stiff_bar << discretisation << step;
      }
}

} // namespace bars_of_two_impedances
