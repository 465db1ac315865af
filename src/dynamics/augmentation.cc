#include <percussion/dynamics/augmentation.h>

#include <algorithm>

namespace percussion {

/// Adds the compliance. The law is posed for θ û, and percussions are h w r with the area w of the
/// point.
template <int dim>
void add_augmentation(PosedLaw<dim> &law, const Interval &interval, const Boundary<dim> &boundary,
                      const StepChoices &choices) {
  // Permitted penetration costs energy: with a factor of 1, the ball of ball_impact loses 7 % of
  // its energy.
  constexpr double times_springs = 100;
  const auto &contacts = law.active.contacts;
  const auto is_augmented = [&](const Contact<dim> &contact) {
    return boundary.pairs[contact.key.pair].formulation == Formulation::multipliers;
  };
  if (std::none_of(contacts.begin(), contacts.end(), is_augmented))
    return;
  const std::size_t n = law.H.n_rows();
  const double h = interval.h;
  law.compliance.assign(n * n, 0.);
  for (std::size_t i = 0; i < contacts.size(); ++i)
    for (std::size_t j = 0; is_augmented(contacts[i]) && j < contacts.size(); ++j) {
      if (contacts[j].key.pair != contacts[i].key.pair)
        continue;
      const ContactPair<dim> &pair = boundary.pairs[contacts[i].key.pair];
      const double as_spring =
          times_springs * h * boundary.multipliers[contacts[i].key.pair].spring;
      double remaining_compliance =
          -boundary.pressure_by_multipliers(contacts[i].point, contacts[j].point);
      if (i == j)
        remaining_compliance += 1. / contacts[i].area;
      const auto first_frame = local_frame<dim>(contacts[i].normal),
                 second_frame = local_frame<dim>(contacts[j].normal);
      for (unsigned int k = 0; k < dim; ++k)
        for (unsigned int l = 0; l < dim; ++l) {
          const double rho = k == 0 ? pair.normal_augmentation : pair.tangential_augmentation;
          // Multipliers are scalars in the normal direction and vectors in the tangential
          // directions.
          const double parallel =
              k == 0 || l == 0 ? double(k == l) : first_frame[k] * second_frame[l];
          law.compliance[(dim * i + k) * n + dim * j + l] =
              choices.theta * remaining_compliance * parallel / (h * (rho > 0. ? rho : as_spring));
        }
    }
}

template void add_augmentation(PosedLaw<2> &, const Interval &, const Boundary<2> &,
                               const StepChoices &);
template void add_augmentation(PosedLaw<3> &, const Interval &, const Boundary<3> &,
                               const StepChoices &);

} // namespace percussion
