#pragma once

#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

namespace percussion {

/// Returns the percussion of a contact in global coordinates [impulse].
template <int dim>
dealii::Tensor<1, dim> global_percussion(const ContactRecord<dim> &contact);

/// Row of a contact in the results: its record in the step, and its gap at the end of the step. The
/// material point of a contact that is close at the end of the step is the point there.
template <int dim>
struct ContactRow : ContactRecord<dim> {
  double gap = 0; ///< gap at the end of the step [length]; NaN if the contact is no longer close
  bool participated = false;             ///< true if the contact participated in the step
  dealii::Tensor<1, dim> percussion_sum; ///< sum of percussions since the last instant [impulse]
  ContactStatus status_max = ContactStatus::open; ///< most severe status since the last instant:
                                                  ///< slip, then stick, then open
  AccountNumbers account;                         ///< numbers since the beginning of the run
};

/// Percussions of contacts since the last written instant: impacts occur between instants.
template <int dim>
struct ContactSums {
  struct ContactSum : ContactSite<dim> { ///< with the last site
    dealii::Tensor<1, dim> percussion;   ///< sum of percussions in global coordinates [impulse]
    ContactStatus status = ContactStatus::open; ///< most severe status
  };
  std::vector<ContactSum> contacts; ///< contacts that have carried, by ascending keys
  std::vector<NodePercussion<dim>> node_percussions; ///< sums over steps, see StepRecord

  /// Adds a step.
  void add(const StepRecord<dim> &record);
};

/// Returns rows by ascending keys: contacts of the step, contacts close at its end, contacts that
/// have carried since the last instant, and contacts with an account.
template <int dim>
std::vector<ContactRow<dim>> contact_table(const State<dim> &state, const StepRecord<dim> &record,
                                           const ContactSums<dim> &sums = {},
                                           const std::vector<ContactAccount<dim>> &accounts = {});

} // namespace percussion
