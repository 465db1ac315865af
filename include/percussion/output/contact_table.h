#pragma once

#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

namespace percussion {

/// A contact as it is written: what it did in the step, and where it is at its end.
template <int dim>
struct ContactRow : ContactRecord<dim> {
  double gap = 0;         ///< at the end of the step [length]; NaN where it is not near any more
  bool took_part = false; ///< in the step

  /// Percussion in x, y(, z) [impulse].
  dealii::Tensor<1, dim> global_percussion() const;
};

/// By ascending keys: the contacts that took part in the step, and those that are near at its end.
template <int dim>
std::vector<ContactRow<dim>> contact_table(const State<dim> &state, const StepRecord<dim> &record);

} // namespace percussion
