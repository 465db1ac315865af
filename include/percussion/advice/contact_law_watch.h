#pragma once

#include <percussion/case/case.h>
#include <percussion/dynamics/record.h>
#include <percussion/output/summary.h>

namespace percussion {

/// Returns a defect with the names of its contact and body and the position of its point, without
/// the entry of its kind.
template <int dim>
DefectPlace defect_place(const Case<dim> &c, const Defect &defect);

/// Returns the defects of a run with the names of their contacts and the positions of their points.
template <int dim>
std::vector<DefectPlace> defect_places(const Case<dim> &c, const ContactDefects &defects);

/// Returns the undeformed point of the contact as text: "the point at (0.5, 0) of 'block'".
std::string point_in_words(const DefectPlace &defect);

/// True if one of these warnings has this beginning, which identifies its kind and contact pair.
bool has_beginning(const std::vector<std::string> &warnings, const std::string &beginning);

/// Velocities of the bodies that a velocity of a contact compares with [length / time], and the
/// length that the drift of a contact compares with.
struct StepScales {
  double energy;     ///< velocity of all bodies with the largest energy of the run
  double percussion; ///< velocity that the normal percussions of the step give to all bodies
  /// Indentation 2 U/F of elastic bodies by their contacts, with the largest strain energy U and
  /// the largest sum F of normal forces so far: linear bodies that only contacts load approach each
  /// other by this, as U = F δ/2. Zero for rigid bodies [length].
  double indentation;
};

/// Watch for defects of the contact law above their bounds.
template <int dim>
class ContactLawWatch {
public:
  /// Prepares the watch. The case must outlive it.
  explicit ContactLawWatch(const Case<dim> &the_case);

  /// Adds the warnings of a step to the warnings of the run: one for each kind and contact pair.
  void look(const StepRecord<dim> &record, const StepScales &scales,
            std::vector<std::string> &warnings) const;

private:
  /// Adds the warning of a contact pair whose sticking contacts have reversed their velocities in
  /// many consecutive steps, if there is such a pair.
  void look_for_reversals(const StepRecord<dim> &record, const StepScales &scales,
                          std::vector<std::string> &warnings) const;
  bool is_negligible(const Defect &reversal, const StepScales &scales) const;
  /// Returns the bound of a length: of a drift that changes forces, a fraction of the indentation.
  double bound(const Defect &defect, const DefectEntry &entry, const StepScales &scales) const;
  bool is_judged_by_force(const Defect &defect, DefectKind kind, const StepScales &scales) const;
  std::string warning(const Defect &defect, DefectKind kind, const StepScales &scales) const;
  bool may_close(const ContactPair<dim> &pair) const;
  std::string remedy(const ContactPair<dim> &pair, DefectKind kind) const;

  const Case<dim> &c;
  /// Bounds for each pair: of lengths divided by ContactPoint::size, or of values of other defects.
  /// The bound of drift is for bodies that no contact indents.
  std::vector<std::array<double, n_defect_kinds>> bounds;
};

} // namespace percussion
