#pragma once

#include <percussion/contact/impact_law.h>

#include <string>
#include <vector>

namespace percussion {

/// When a candidate takes part in a step: its gap, forecast by one of these, is not positive.
enum class Forecast {
  position,   ///< g(q0): AC24 (64)
  prediction, ///< g(q0 + h v0): AC23 (55)
  leapfrog    ///< g0 + (g0 − g₋₁)/2: BBDM24 (3.7)
};

struct ForecastEntry {
  const char *name;
  Forecast forecast;
};
const std::vector<ForecastEntry> &forecasts();

/// A named scheme is a set of choices for the one step.
struct Scheme {
  const char *name;
  Forecast forecast;
  ImpactLawKind law;
  const char *description;
};

/// The schemes by name.
const std::vector<Scheme> &schemes();

/// The scheme of that name, which must be in the table.
const Scheme &scheme(const std::string &name);

/// The choices of a run: a scheme with what the user changed in it.
struct StepChoices {
  double h = 0;       ///< step [time]
  double theta = 0.5; ///< θ
  Forecast forecast = Forecast::position;
  SeparatingContacts separating = SeparatingContacts::dissipative;
};

} // namespace percussion
