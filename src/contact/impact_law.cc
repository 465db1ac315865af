#include <percussion/contact/impact_law.h>

namespace percussion {

const std::vector<ImpactLawEntry> &impact_laws() {
  static const std::vector<ImpactLawEntry> table = {
      {"newton-coulomb", ImpactLawKind::newton_coulomb,
       "Newton's restitution, Coulomb friction on the velocity after the impact"},
      {"fremond", ImpactLawKind::fremond,
       "Newton's restitution, Coulomb friction on the mean velocity: dissipative contact by "
       "contact"},
      {"moreau", ImpactLawKind::moreau, "normal and tangential restitution"},
      {"dissipation-index", ImpactLawKind::dissipation_index,
       "Jean and Moreau's index: 0 conserves, 1 is inelastic"},
      {"persistent", ImpactLawKind::persistent,
       "contact conditions on the mean velocity of the step: without friction the law conserves "
       "energy"},
      {"dissipative", ImpactLawKind::dissipative,
       "Newton's restitution, and the least tangential restitution with which no contact does "
       "positive work: a contact that sticks is at rest"},
      {"persistent-dissipative", ImpactLawKind::persistent_dissipative,
       "the normal condition of the law persistent, with the friction of the law dissipative"},
  };
  return table;
}

ImpactLaw impact_law(ImpactLawKind kind, const Restitution &restitution, double theta) {
  switch (kind) {
  case ImpactLawKind::newton_coulomb:
    return {restitution.normal, 0.};
  case ImpactLawKind::fremond:
    return {restitution.normal, (1. - theta) / theta};
  case ImpactLawKind::moreau:
    return {restitution.normal, restitution.tangential};
  case ImpactLawKind::persistent:
    return {(1. - theta) / theta, (1. - theta) / theta};
  case ImpactLawKind::dissipative:
    return {restitution.normal, 0., true};
  case ImpactLawKind::persistent_dissipative:
    return {(1. - theta) / theta, 0., true};
  case ImpactLawKind::dissipation_index:
    break;
  }
  const double delta = restitution.dissipation_index;
  return {(1. - delta) / (1. + delta), (1. - delta) / (1. + delta)};
}

} // namespace percussion
