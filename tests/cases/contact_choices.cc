// Forecasts and frames that follow from the scheme, the time rule and the touching bodies.

#include <gtest/gtest.h>

#include "cases/stepped.h"
#include <algorithm>

namespace contact_choices {

using namespace percussion;
using cases_in_space::Assignments;

Case<2> read(const std::string &name, const Assignments &assignments = {}) {
  return cases_in_space::build<2>(
      ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/" + name + ".prm"), assignments);
}

/// Steps of the implicit Euler method are long: contacts that they would close participate in them,
/// unless the case chooses the paper's law or the scheme poses gaps.
TEST(ContactChoices, LetContactsCloseInLongSteps) {
  const auto forecast = [](const std::string &name, const Assignments &assignments) {
    return read(name, assignments).choices.forecast;
  };
  const std::string quasi_static = "Time/Theta=1";
  EXPECT_EQ(forecast("hertz", {}), Forecast::closing);
  EXPECT_EQ(forecast("sliding_block", {}), Forecast::position);
  EXPECT_EQ(forecast("sliding_block", {quasi_static}), Forecast::closing);
  EXPECT_EQ(forecast("sliding_block", {quasi_static, "Contact/Forecast=position"}),
            Forecast::position);
  EXPECT_EQ(
      forecast("sliding_block", {quasi_static, "Contact/Separating contacts=as in the paper"}),
      Forecast::position);
  EXPECT_EQ(forecast("two_bars", {}), Forecast::leapfrog);
  EXPECT_EQ(forecast("two_bars", {quasi_static}), Forecast::closing);
  EXPECT_EQ(forecast("two_bars", {quasi_static, "Time/Scheme=equivalent-mass"}), Forecast::reach);
}

/// The run warns if velocities predict the midpoint of contacts between elastic bodies.
TEST(ContactChoices, WarnOfPredictedFrames) {
  const auto warns = [](const std::string &name, const Assignments &assignments) {
    const auto warnings = read(name, assignments).warnings;
    return std::any_of(warnings.begin(), warnings.end(), [](const std::string &text) {
      return text.find("between elastic bodies, whose contact nodes") != std::string::npos;
    });
  };
  EXPECT_FALSE(warns("two_bars", {}));
  EXPECT_FALSE(warns("two_bars", {"Contact/Frames=start"}));
  EXPECT_FALSE(warns("two_bars", {"Contact/Frames=reached midpoint"}));
  EXPECT_TRUE(warns("two_bars", {"Contact/Frames=midpoint"}));
  EXPECT_FALSE(warns("ring_rebound", {"Contact/Frames=midpoint"})); // contact with the ground only
}

} // namespace contact_choices
