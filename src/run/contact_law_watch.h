#pragma once

#include <percussion/case/case.h>
#include <percussion/dynamics/record.h>

namespace percussion {

/// Bound of a defect of the contact law. A run warns of defects above their bounds.
struct DefectBound {
  DefectKind kind;
  double
      bound; ///< bound of a length divided by ContactPoint::size, or of the value of another defect
  const char *reason; ///< reason for this value
};

/// Returns the bounds for a contact pair under these choices, in the order of DefectKind.
/// `is_light`: the contact nodes of its bodies have no inertia. `n_transits`: length of a step in
/// transit times of a wave through the shortest edge; 0 for rigid bodies.
template <int dim>
std::array<DefectBound, n_defect_kinds>
defect_bounds(const ContactPair<dim> &pair, const StepChoices &choices, double solver_tolerance,
              bool is_light, double n_transits);

/// Velocities of the bodies that a velocity of a contact compares with [length / time].
struct StepScales {
  double energy;     ///< velocity of all bodies with the largest energy of the run
  double percussion; ///< velocity that the normal percussions of the step give to all bodies
};

/// Watch for defects of the contact law above their bounds. It gives one warning for each kind and
/// contact pair.
template <int dim>
class ContactLawWatch {
public:
  /// Prepares the watch. The case must outlive it. Warnings in `given_entries`, from a run before
  /// its resume, are not repeated.
  ContactLawWatch(const Case<dim> &of_case, const std::vector<std::string> &given_entries);

  /// Returns the warnings that a step adds.
  std::vector<std::string> look(const StepRecord<dim> &record, const StepScales &scales);

private:
  /// Returns the warning of a contact pair whose sticking contacts have reversed their velocities
  /// in many consecutive steps; empty if there is no such pair or its warning is known.
  std::string look_for_reversals(const StepRecord<dim> &record, const StepScales &scales);
  bool is_negligible(const Defect &reversal, const StepScales &scales) const;
  std::string beginning(const Defect &defect, DefectKind kind) const;
  std::string warning(const Defect &defect, DefectKind kind) const;
  bool may_close(const ContactPair<dim> &pair) const;
  std::string remedy(const ContactPair<dim> &pair, DefectKind kind) const;

  const Case<dim> &c;
  std::vector<std::array<DefectBound, n_defect_kinds>> bounds; ///< bounds for each pair
  std::vector<std::array<bool, n_defect_kinds>>
      is_known; ///< true for defects of each pair that have been warned of
  std::vector<bool>
      reversal_is_known; ///< true for pairs whose alternating stick has been warned of
};

} // namespace percussion
