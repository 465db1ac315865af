#pragma once

#include <percussion/contact/find.h>

#include <vector>

namespace percussion {

/// Works and defects of one contact, in a step or summed over a run.
template <int dim>
struct ContactAccount {
  ContactKey key;
  unsigned int point = 0;                          ///< index in Boundary::points
  unsigned int obstacle = ContactPoint<dim>::none; ///< opposite rigid body, or ContactPoint::none
  dealii::Tensor<1, dim> normal;                   ///< normal in the last step of the account
  double area = 0;            ///< area in the last step of the account, see Contact
  double normal_work = 0;     ///< normal work Σ u_θ,N p_N [energy]
  double tangential_work = 0; ///< tangential work Σ u_θ,T · p_T [energy]
  double slip = 0;            ///< slip Σ h ‖u_θ,T‖ while the contact presses [length]
  double missed_depth = 0;    ///< sum of missed depths [length]
  double drift = 0;           ///< largest drift [length]

  /// Adds a later account of the same contact: sums, and the larger drift.
  void add(const ContactAccount &added);
};

/// Adds the accounts of a step or substep to the earlier accounts; both have ascending keys.
template <int dim>
void add_accounts(const std::vector<ContactAccount<dim>> &added,
                  std::vector<ContactAccount<dim>> &all);

} // namespace percussion
