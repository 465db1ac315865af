#include <percussion/dynamics/scheme.h>

#include <stdexcept>

namespace percussion {

const std::vector<ForecastEntry> &forecasts() {
  static const std::vector<ForecastEntry> table = {{"position", Forecast::position},
                                                   {"prediction", Forecast::prediction},
                                                   {"leapfrog", Forecast::leapfrog}};
  return table;
}

const std::vector<FramesEntry> &frame_choices() {
  static const std::vector<FramesEntry> table = {{"start", Frames::start},
                                                 {"midpoint", Frames::midpoint},
                                                 {"reached midpoint", Frames::reached}};
  return table;
}

const std::vector<Scheme> &schemes() {
  static const std::vector<Scheme> table = {
      {"moreau-jean", Forecast::position, Frames::start, ImpactLawKind::newton_coulomb,
       ConeMethod::automatic, "Moreau-Jean with Newton's and Coulomb's laws (AC24, section 4.1)"},
      {"moreau-jean-fremond", Forecast::position, Frames::start, ImpactLawKind::fremond,
       ConeMethod::automatic,
       "Moreau-Jean with Fremond's law: dissipative contact by contact (AC24, section 4.2)"},
      {"pdas-leapfrog", Forecast::leapfrog, Frames::midpoint, ImpactLawKind::persistent,
       ConeMethod::pdas,
       "Gonzalez' midpoint rule with persistent contact: frictionless contact conserves energy "
       "(BBDM24, section 3)"},
      {"fremond-gonzalez", Forecast::leapfrog, Frames::midpoint, ImpactLawKind::fremond,
       ConeMethod::pdas,
       "Gonzalez' midpoint rule with Fremond's law: restitution between inelastic and conserving"},
      {"signorini-midpoint", Forecast::reach, Frames::midpoint, ImpactLawKind::persistent,
       ConeMethod::pdas,
       "Gonzalez' midpoint rule with Signorini's condition on the gap in the middle of the step "
       "(quasi-Lagrangian, BBDM24, section 6.1): energy is lost and gained at impacts",
       GapLaw::middle},
      {"equivalent-mass", Forecast::reach, Frames::midpoint, ImpactLawKind::persistent,
       ConeMethod::pdas,
       "Gonzalez' midpoint rule with Signorini's condition at the end of the step and no inertia "
       "of "
       "the nodes that may touch (Khenous, Laborde & Renard 2008)",
       GapLaw::end, Penalty::none, Integrator::theta, true},
      {"adapted-continuity", Forecast::trial, Frames::midpoint, ImpactLawKind::persistent,
       ConeMethod::pdas,
       "Gonzalez' midpoint rule with two solutions a step: persistent contact of what presses "
       "under "
       "Signorini's condition at its end (Ayyad & Barboteu 2009)"},
      {"penalty", Forecast::reach, Frames::midpoint, ImpactLawKind::persistent, ConeMethod::pdas,
       "Gonzalez' midpoint rule with springs that press where the gap in the middle of the step is "
       "negative (normal compliance), and springs of the same stiffness before slip",
       GapLaw::middle, Penalty::compliance},
      {"hauret", Forecast::reach, Frames::midpoint, ImpactLawKind::persistent, ConeMethod::pdas,
       "Gonzalez' midpoint rule with springs whose force is the discrete gradient of their energy: "
       "the energy of bodies and springs is constant (Hauret & Le Tallec 2006)",
       GapLaw::end, Penalty::conserving},
      {"newmark-signorini", Forecast::reach, Frames::start, ImpactLawKind::persistent,
       ConeMethod::automatic,
       "Newmark's average acceleration with Signorini's condition and contact forces at the end of "
       "the step; linear and rigid bodies",
       GapLaw::end, Penalty::none, Integrator::newmark},
      {"generalized-alpha", Forecast::reach, Frames::start, ImpactLawKind::persistent,
       ConeMethod::automatic,
       "the generalized-alpha rule (Chung & Hulbert 1993) with Signorini's condition at the end of "
       "the step; linear and rigid bodies",
       GapLaw::end, Penalty::none, Integrator::generalized_alpha},
      {"paoli-schatzman", Forecast::reach, Frames::start, ImpactLawKind::persistent,
       ConeMethod::automatic,
       "Paoli and Schatzman's central differences with restitution of gaps two steps apart; linear "
       "and rigid bodies",
       GapLaw::two_steps, Penalty::none, Integrator::half_steps},
  };
  return table;
}

const Scheme &scheme(const std::string &name) {
  for (const Scheme &row : schemes())
    if (row.name == name)
      return row;
  throw std::invalid_argument("no scheme is named '" + name + "'");
}

} // namespace percussion
