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
