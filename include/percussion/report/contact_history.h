#pragma once

#include <percussion/report/history.h>

namespace percussion::report {

/// The status of a contact point as written. A row of several points has the last of these that any
/// of them has.
constexpr int status_absent = -1, status_open = 0, status_stick = 1, status_slip = 2;

/// One contact point, or all those of a pair of bodies, at the written instants.
struct StatusRow {
  std::string name;          ///< of rigid bodies' points
  double place = 0;          ///< along the surface, of an elastic body's points
  std::vector<int> statuses; ///< at each instant
};

/// Rows that belong on one axis.
struct StatusGroup {
  std::string title;             ///< what touches what; empty where there is one group
  bool is_along_surface = false; ///< rows have places, and ascend
  std::vector<StatusRow> rows;
};

/// FOLDER/contacts.pvd, whose instants follow one another.
struct ContactHistory {
  std::vector<double> time;
  std::vector<double> pressure; ///< of the point with the largest, at each instant
  std::vector<StatusGroup> groups;
};

/**
 * Reads FOLDER/contacts.pvd and its files; empty where the run has not written it.
 *
 * The points of an elastic body have a row each, at their place along its undeformed edge. Those of
 * rigid bodies come and go: those that never touch are left out, and where more than 24 are left
 * all points of two bodies share a row. Throws InputError where a file or a field is missing.
 */
ContactHistory read_contact_history(const History &run);

} // namespace percussion::report
