#pragma once

#include <percussion/report/history.h>

#include <vector>

namespace percussion::report {

/// What presses on a body at the written instants: means over the step that ends there.
struct ContactHistory {
  std::vector<double> time;
  /// Sum of all contact points, against the surface's normals. Points with which rigid bodies press
  /// on each other only count where there are no others.
  std::vector<double> normal_force;
  std::vector<double> pressure; ///< of the contact point that bears most
};

/**
 * Reads FOLDER/contacts.pvd and its files; the start, which no step leads to, is left out. Empty
 * where the run has not written contacts. The step that makes a force of a percussion is that of
 * energy.csv. Throws InputError where a file or field is missing.
 */
ContactHistory read_contact_history(const History &run);

} // namespace percussion::report
