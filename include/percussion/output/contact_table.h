#pragma once

#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

namespace percussion {

/// The percussion of a contact in x, y [impulse].
template <int dim>
dealii::Tensor<1, dim> global_percussion(const ContactRecord<dim> &contact);

/// A contact as it is written: what it did in the step, and where it is at its end.
template <int dim>
struct ContactRow : ContactRecord<dim> {
  double gap = 0;         ///< at the end of the step [length]; NaN where it is not near any more
  bool took_part = false; ///< in the step
  dealii::Tensor<1, dim> percussion_sum;          ///< since the instant before [impulse]
  ContactStatus status_max = ContactStatus::open; ///< the worst since then: slip, stick, open
  /// Since the beginning of the run, see ContactAccount.
  double normal_work = 0, tangential_work = 0, slip = 0, missed_depth = 0, drift = 0;
};

/// What contacts have carried since the last instant that was written: impacts fall between
/// instants.
template <int dim>
struct ContactSums {
  struct OfContact {
    ContactKey key;
    unsigned int point = 0, obstacle = 0;
    dealii::Tensor<1, dim> normal, percussion; ///< the last normal, and the sum in x, y [impulse]
    double area = 0;
    ContactStatus status = ContactStatus::open; ///< the worst
  };
  std::vector<OfContact> contacts;       ///< that have carried, by ascending keys
  std::vector<TouchedNode<dim>> touched; ///< see StepRecord

  /// Add a step.
  void add(const StepRecord<dim> &record);
};

/// By ascending keys: the contacts that took part in the step, those that are near at its end,
/// those that have carried since the last instant, and those that have an account.
template <int dim>
std::vector<ContactRow<dim>> contact_table(const State<dim> &state, const StepRecord<dim> &record,
                                           const ContactSums<dim> &sums = {},
                                           const std::vector<ContactAccount<dim>> &accounts = {});

} // namespace percussion
