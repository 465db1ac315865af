#pragma once

#include <percussion/dynamics/record.h>
#include <percussion/run/case.h>

namespace percussion {

/// Bound of a defect of the contact law, beyond which a run warns.
struct DefectBound {
  DefectKind kind;
  double bound;       ///< of a length over ContactPoint::size, of others of the value itself
  const char *reason; ///< why it lies there
};

/// Returns the bounds for a contact pair under these choices, in the order of DefectKind.
/// `is_light`: it is between bodies whose nodes there have no inertia.
template <int dim>
std::array<DefectBound, n_defect_kinds> defect_bounds(const ContactPair<dim> &pair,
                                                      const StepChoices &choices, bool is_light);

/// Looks for defects of the contact law that are beyond their bounds: one warning for each kind and
/// contact pair.
template <int dim>
class ContactLawWatch {
public:
  /// The case must live as long. Warnings in `given`, of the run before a resume, are not repeated.
  ContactLawWatch(const Case<dim> &of_case, const std::vector<std::string> &given);

  /// Returns the warnings that a step adds.
  std::vector<std::string> look(const StepRecord<dim> &record);

private:
  /// Returns the warning of a contact pair whose sticking contacts have turned their velocities
  /// round for many steps in succession; empty if there is none to add.
  std::string look_for_reversals(const StepRecord<dim> &record);
  std::string beginning(const Defect &defect, DefectKind kind) const;
  std::string warning(const Defect &defect, DefectKind kind) const;
  bool may_close(const ContactPair<dim> &pair) const;
  std::string remedy(const ContactPair<dim> &pair, DefectKind kind) const;

  const Case<dim> &c;
  std::vector<std::array<DefectBound, n_defect_kinds>> bounds; ///< of each pair
  std::vector<std::array<bool, n_defect_kinds>> is_known;      ///< of each pair
  std::vector<bool> reversal_is_known;                         ///< of each pair
};

} // namespace percussion
