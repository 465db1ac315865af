#pragma once

#include <percussion/contact/find.h>

namespace percussion::test {

/// Returns H v of a contact, with v over the trace: the velocity relative to the opposite side, in
/// the frame of the contact.
inline std::array<double, 2> local_velocity(const Contact<2> &contact, const ContactList<2> &list,
                                            const TraceField &v) {
  dealii::Tensor<1, 2> velocity;
  for (const Support<2> &support : list.support_of(contact))
    velocity += v[support.entry] * support.weight;
  const auto frame = local_frame<2>(contact.normal);
  return {frame[0] * velocity, frame[1] * velocity};
}

} // namespace percussion::test
