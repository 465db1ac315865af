#include <percussion/dynamics/scheme.h>

#include <stdexcept>

namespace percussion {

const std::vector<ForecastEntry> &forecasts() {
  static const std::vector<ForecastEntry> table = {{"position", Forecast::position},
                                                   {"prediction", Forecast::prediction},
                                                   {"leapfrog", Forecast::leapfrog},
                                                   {"closing", Forecast::closing}};
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
       ImpactLawKind::newton_coulomb, ConeMethod::automatic,
       "Moreau-Jean with Newton's and Coulomb's laws (AC24, section 4.1)"},
      {"moreau-jean-fremond", Forecast::position, Frames::start, ImpactLawKind::dissipative,
       ImpactLawKind::fremond, ConeMethod::automatic,
       "Moreau-Jean with a law that dissipates contact by contact: Fremond's law (AC24, section "
       "4.2) if the classical law would do positive work"},
      {"pdas-leapfrog", Forecast::leapfrog, Frames::midpoint, ImpactLawKind::persistent_dissipative,
       ImpactLawKind::persistent, ConeMethod::pdas,
       "Gonzalez' midpoint rule with persistent contact: frictionless contact conserves energy "
       "(BBDM24, section 3)"},
      {"fremond-gonzalez", Forecast::leapfrog, Frames::midpoint, ImpactLawKind::dissipative,
       ImpactLawKind::fremond, ConeMethod::pdas,
       "Gonzalez' midpoint rule with a law that dissipates contact by contact: restitution between "
       "inelastic and conserving"},
      {"signorini-midpoint", Forecast::reach, Frames::midpoint, ImpactLawKind::persistent,
       ImpactLawKind::persistent, ConeMethod::pdas,
       "Gonzalez' midpoint rule with Signorini's condition on the gap in the middle of the step "
       "(quasi-Lagrangian, BBDM24, section 6.1)",
       GapLaw::middle},
      {"equivalent-mass", Forecast::reach, Frames::midpoint, ImpactLawKind::persistent,
       ImpactLawKind::persistent, ConeMethod::pdas,
       "Gonzalez' midpoint rule with Signorini's condition at the end of the step and massless "
       "contact nodes (Khenous, Laborde & Renard 2008)",
       GapLaw::end, Penalty::none, Integrator::theta, true},
      {"adapted-continuity", Forecast::trial, Frames::midpoint, ImpactLawKind::persistent,
       ImpactLawKind::persistent, ConeMethod::pdas,
       "Gonzalez' midpoint rule with two solutions per step: persistent contact for contacts "
       "that press under Signorini's condition at its end (Ayyad & Barboteu 2009)"},
      {"penalty", Forecast::reach, Frames::midpoint, ImpactLawKind::persistent,
       ImpactLawKind::persistent, ConeMethod::pdas,
       "Gonzalez' midpoint rule with springs that press if the gap in the middle of the step is "
       "negative (normal compliance), and tangential springs of the same stiffness before slip",
       GapLaw::middle, Penalty::compliance},
      {"hauret", Forecast::reach, Frames::midpoint, ImpactLawKind::persistent,
       ImpactLawKind::persistent, ConeMethod::pdas,
       "Gonzalez' midpoint rule with springs whose force is the discrete gradient of their energy "
       "(Hauret & Le Tallec 2006): the total energy is constant without friction, except in "
       "mortars and between rigid bodies",
       GapLaw::end, Penalty::conserving},
      {"newmark-signorini", Forecast::reach, Frames::start, ImpactLawKind::persistent,
       ImpactLawKind::persistent, ConeMethod::automatic,
       "Newmark's average acceleration with Signorini's condition at the end of the step; linear "
       "and rigid bodies",
       GapLaw::end, Penalty::none, Integrator::newmark},
      {"generalized-alpha", Forecast::reach, Frames::start, ImpactLawKind::persistent,
       ImpactLawKind::persistent, ConeMethod::automatic,
       "the generalized-alpha rule (Chung & Hulbert 1993) with Signorini's condition at the end of "
       "the step; linear and rigid bodies",
       GapLaw::end, Penalty::none, Integrator::generalized_alpha},
      {"paoli-schatzman", Forecast::reach, Frames::start, ImpactLawKind::persistent,
       ImpactLawKind::persistent, ConeMethod::automatic,
       "Paoli and Schatzman's central differences with restitution of gaps two steps apart; linear "
       "and rigid bodies",
       GapLaw::two_steps, Penalty::none, Integrator::half_steps},
      {"augmented-lagrangian", Forecast::position, Frames::start, ImpactLawKind::newton_coulomb,
       ImpactLawKind::newton_coulomb, ConeMethod::automatic,
       "Moreau-Jean's step with contact integrated over faces: an augmented Lagrangian with "
       "multipliers of the nodes (CA: hybrid formulation, theta scheme)",
       GapLaw::rate, Penalty::none, Integrator::theta, false, Formulation::multipliers},
      {"nitsche-symmetric", Forecast::reach, Frames::midpoint, ImpactLawKind::persistent,
       ImpactLawKind::persistent, ConeMethod::pdas,
       "the midpoint rule with Nitsche's method, contact by the stress in the faces of the body "
       "(Chouly, Hild and Renard 2015), and forces that have a potential; linear bodies",
       GapLaw::middle, Penalty::compliance, Integrator::theta, false, Formulation::nitsche, 1.},
      {"nitsche-nonsymmetric", Forecast::reach, Frames::midpoint, ImpactLawKind::persistent,
       ImpactLawKind::persistent, ConeMethod::automatic,
       "nitsche-symmetric without the symmetrising terms", GapLaw::middle, Penalty::compliance,
       Integrator::theta, false, Formulation::nitsche, 0.},
      {"nitsche-skew", Forecast::reach, Frames::midpoint, ImpactLawKind::persistent,
       ImpactLawKind::persistent, ConeMethod::automatic,
       "nitsche-symmetric with skew-symmetric terms, stable with springs of any stiffness",
       GapLaw::middle, Penalty::compliance, Integrator::theta, false, Formulation::nitsche, -1.},
  };
  return table;
}

/// Returns the promises of a scheme. With laws for gaps, friction is for the mean velocity of the
/// step and dissipates energy; springs return the energy stored before slip. With multipliers, only
/// the sum over the contacts has a sign. The force of a conserving spring is the discrete gradient
/// for the end gap d0 + h u_N, which is the measured one as rows follow gaps; the stiffness of
/// springs in a mortar changes with the covered area.
EnergyPromise promise(const Scheme &scheme, GapKinematics kinematics) {
  const bool collocated = scheme.formulation == Formulation::collocated;
  const bool has_rate_gap = scheme.gap == GapLaw::rate && collocated;
  return {has_rate_gap, // true for all laws of schemes
          collocated && makes_friction_dissipate(scheme.law) &&
              scheme.penalty != Penalty::compliance,
          (has_rate_gap && is_persistent(scheme.law)) ||
              (scheme.penalty == Penalty::conserving && kinematics != GapKinematics::averaged)};
}

const Scheme &scheme(std::string_view name) {
  for (const Scheme &row : schemes())
    if (row.name == name)
      return row;
  throw std::invalid_argument("no scheme is named '" + std::string(name) + "'");
}

} // namespace percussion
