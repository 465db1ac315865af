#pragma once

#include <percussion/contact/find.h>

#include <vector>

namespace percussion {

/// Works and defects of one contact, in a step or summed over a run.
template <int dim>
struct ContactAccount {
  ContactKey key;
  unsigned int point = 0;                          ///< of the Boundary
  unsigned int obstacle = ContactPoint<dim>::none; ///< rigid body, or ContactPoint::none
  dealii::Tensor<1, dim> normal;                   ///< in the last step that counts
  double area = 0;                                 ///< in the last step that counts, see Contact
  double normal_work = 0;                          ///< Σ u_θ,N p_N [energy]
  double tangential_work = 0;                      ///< Σ u_θ,T · p_T [energy]
  double slip = 0;                                 ///< Σ h ‖u_θ,T‖ while it presses [length]
  double missed_depth = 0;                         ///< Σ of the depths that it has missed [length]
  double drift = 0;                                ///< largest since it first pressed [length]

  /// Adds what the same contact did later: sums, and the larger drift.
  void add(const ContactAccount &later);
};

/// Adds the accounts of a step, or of a substep, to those before it; both by ascending keys.
template <int dim>
void add_accounts(const std::vector<ContactAccount<dim>> &later,
                  std::vector<ContactAccount<dim>> &all);

} // namespace percussion
