#pragma once

#include <deal.II/base/types.h>

#include <array>
#include <cstddef>

namespace percussion {

/// Defects of the contact law in a step, see contact_measures.h. The energy balance closes with or
/// without them.
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

/// Row of the table of defects.
struct DefectEntry {
  DefectKind kind;
  const char *name;        ///< column of energy.csv, entry of summary.json
  bool is_length;          ///< true for a length, false for a ratio
  const char *description; ///< description of the value, for the log
};
/// Returns the defects in the order of DefectKind.
const std::array<DefectEntry, n_defect_kinds> &defect_entries();

/// Value of a defect, and the contact with this value.
struct Defect {
  static constexpr unsigned int none = dealii::numbers::invalid_unsigned_int;

  double value = 0;
  double time = 0;           ///< end of the substep [time]
  unsigned int pair = none;  ///< contact pair; none: no contact
  unsigned int point = none; ///< index in Boundary::points
  /// Initial position of the contact, see Contact; in 2D, the last coordinate is zero [length].
  std::array<double, 3> material_point{};

  /// Replaces this defect by another defect if its value is larger.
  void keep_larger(const Defect &other) {
    if (other.value > value)
      *this = other;
  }

  /// Reads or writes an archive of Boost.Serialization.
  template <class Archive>
  void serialize(Archive &archive, unsigned int) {
    archive &value &time &pair &point;
    for (double &coordinate : material_point)
      archive &coordinate;
  }
};

/// Largest defects of each kind in a substep, a step, the steps of a row, or a run.
struct ContactDefects {
  std::array<Defect, n_defect_kinds> largest;

  const Defect &defect(DefectKind kind) const { return largest[static_cast<std::size_t>(kind)]; }
  /// Keeps the larger of two defects of a kind.
  void add(DefectKind kind, const Defect &defect) {
    largest[static_cast<std::size_t>(kind)].keep_larger(defect);
  }
  /// Keeps the larger defect of each kind.
  void add(const ContactDefects &added) {
    for (const DefectEntry &entry : defect_entries())
      add(entry.kind, added.defect(entry.kind));
  }
};

} // namespace percussion
