#pragma once

#include <deal.II/base/types.h>

#include <array>
#include <cstddef>

namespace percussion {

/// Defects of the contact law in a step, see contact_measures.h. The energy balance closes whether
/// there are any or not.
enum class DefectKind {
  missed_depth,
  relapse_depth,
  drift,
  pressing_gap,
  cone_violation,
  slip_direction_error,
  resting_work
};
inline constexpr std::size_t n_defect_kinds = 7;

/// A row of the table of defects.
struct DefectEntry {
  DefectKind kind;
  const char *name;        ///< column of energy.csv, entry of summary.json
  bool is_length;          ///< else without unit
  const char *description; ///< what the value is, for the log
};
/// The defects, in the order of DefectKind.
const std::array<DefectEntry, n_defect_kinds> &defect_entries();

/// Value of a defect, and the contact that has it.
struct Defect {
  static constexpr unsigned int none = dealii::numbers::invalid_unsigned_int;

  double value = 0;
  double time = 0;           ///< at the end of the substep [time]
  unsigned int pair = none;  ///< contact pair; none: no contact has it
  unsigned int point = none; ///< of the Boundary

  /// For an archive of Boost.Serialization.
  template <class Archive>
  void serialize(Archive &archive, unsigned int) {
    archive &value &time &pair &point;
  }
};

/// Largest defects of each kind, in a substep, a step, the steps of a row, or a run.
struct ContactDefects {
  std::array<Defect, n_defect_kinds> largest;

  const Defect &of(DefectKind kind) const { return largest[static_cast<std::size_t>(kind)]; }
  /// Keeps the larger one.
  void add(DefectKind kind, const Defect &defect) {
    Defect &kept = largest[static_cast<std::size_t>(kind)];
    if (defect.value > kept.value)
      kept = defect;
  }
  /// Keeps the larger one of each kind.
  void add(const ContactDefects &later) {
    for (const DefectEntry &entry : defect_entries())
      add(entry.kind, later.of(entry.kind));
  }
};

} // namespace percussion
