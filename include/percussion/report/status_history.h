#pragma once

#include <percussion/report/history.h>

#include <string>
#include <vector>

namespace percussion::report {

/// What a contact point does, as written: 0 open, 1 stick, 2 slip. Of rows that stand for several
/// points the last of these that any of them does.
constexpr int status_absent = -1, status_open = 0, status_stick = 1, status_slip = 2;

/// One contact point, or all those of a pair of bodies, at the written instants.
struct StatusRow {
  std::string name;          ///< of rigid bodies' points
  double place = 0;          ///< along the surface, of an elastic body's points
  std::vector<int> statuses; ///< at each instant
};

/// Rows that belong on one axis.
struct StatusGroup {
  std::string title;             ///< what touches what; empty where there is nothing to tell apart
  bool is_along_surface = false; ///< rows have places, and ascend
  std::vector<StatusRow> rows;
};

struct StatusHistory {
  std::vector<double> time; ///< of the instants, in ascending order
  std::vector<StatusGroup> groups;
};

/**
 * Reads the statuses from FOLDER/contacts.pvd; none where the run has not written it.
 *
 * The points of an elastic body have a row each, at their place along its undeformed edge. Those of
 * rigid bodies come and go: those that never touch are left out, and where more than 24 are left
 * all points of two bodies share a row. Throws InputError where a file or field is missing.
 */
StatusHistory read_statuses(const History &run);

} // namespace percussion::report
