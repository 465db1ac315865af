#pragma once

#include <percussion/cone/solver.h>
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

/// Where the frames of the contacts, hence H, are taken on a curved surface; once a step.
enum class Frames {
  start,   ///< at q0: AC24
  midpoint ///< at q0 + h v0/2: the discrete-gradient schemes
};

/// A named scheme is a set of choices for the one step. The internal force is none of them: it
/// follows from the material, whose energy's discrete gradient it is; for a linear one at θ = ½
/// that is K q_θ.
struct Scheme {
  const char *name;
  Forecast forecast;
  Frames frames;
  ImpactLawKind law;
  ConeMethod method;
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
  Frames frames = Frames::start;
  SeparatingContacts separating = SeparatingContacts::dissipative;

  /// Largest residual of the momentum balance, relative to its largest term.
  double newton_tolerance = 1e-10;
  unsigned int max_newton_iterations = 40;
  /// How often a step of a hyperelastic body that fails is halved before the run ends.
  unsigned int max_cuts = 10;
};

} // namespace percussion
