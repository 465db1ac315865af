#pragma once

#include <percussion/contact/contact_site.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace percussion {

/// Numbers of one contact, in a step or over a run.
struct AccountNumbers {
  double normal_work = 0;     ///< normal work Σ u_θ,N p_N [energy]
  double tangential_work = 0; ///< tangential work Σ u_θ,T · p_T [energy]
  double slip = 0;            ///< slip Σ h ‖u_θ,T‖ while the contact presses [length]
  double missed_depth = 0;    ///< sum of missed depths [length]
  double drift = 0;           ///< largest drift [length]
  double damage = 0;          ///< damage of the bond
  double wear = 0;            ///< Archard's depth of wear [length]

  /// Adds later numbers of the same contact.
  void add(const AccountNumbers &added);
};

/// Row of the table of the numbers of a contact.
struct AccountEntry {
  double AccountNumbers::*number;
  const char *name;        ///< array in VTU files, attribute in Python
  const char *unit;        ///< unit, in words
  const char *description; ///< description for the documentation
  bool is_sum;             ///< true: steps add up; false: the largest number of all steps
  bool is_sum_at_node;     ///< true: contacts of a node add up; false: the largest of their numbers
};
/// All numbers of a contact. The results contain each of them, in this order.
inline constexpr AccountEntry account_entries[] = {
    {&AccountNumbers::normal_work, "normal_work", "energy",
     "work of the normal percussions since the start", true, true},
    {&AccountNumbers::tangential_work, "tangential_work", "energy",
     "work of friction since the start", true, true},
    {&AccountNumbers::slip, "slip", "length", "distance slipped while pressing, since the start",
     true, false},
    {&AccountNumbers::missed_depth, "missed_depth", "length",
     "sum of the depths gained while inactive, since the start", true, false},
    {&AccountNumbers::drift, "drift", "length",
     "largest depth gained while pressing without interruption", false, false},
    {&AccountNumbers::damage, "damage", "", "damage of the bond: 0 intact or none, 1 broken", false,
     false},
    {&AccountNumbers::wear, "wear", "length", "depth of wear by Archard's law, since the start",
     true, false}};
static_assert(sizeof(AccountNumbers) == std::size(account_entries) * sizeof(double),
              "a number has no row in the table");

inline void AccountNumbers::add(const AccountNumbers &added) {
  for (const auto &[number, name, unit, description, is_sum, is_sum_at_node] : account_entries)
    this->*number = is_sum ? this->*number + added.*number : std::max(this->*number, added.*number);
}

/// Works and defects of one contact, in a step or over a run, with its site in the last step.
template <int dim>
struct ContactAccount : AccountNumbers, ContactSite<dim> {
  /// Adds a later account of the same contact.
  void add(const ContactAccount &added);
};

/// Adds the accounts of a step or substep to the earlier accounts; both have ascending keys.
template <int dim>
void add_accounts(const std::vector<ContactAccount<dim>> &added,
                  std::vector<ContactAccount<dim>> &all);

} // namespace percussion
