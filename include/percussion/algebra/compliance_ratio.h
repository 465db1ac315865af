#pragma once

#include <percussion/algebra/contact_rows.h>
#include <percussion/algebra/contact_system.h>

#include <algorithm>
#include <limits>

namespace percussion {

/// Returns the largest ratio of the compliances of two rigid bodies, with n degrees of freedom
/// each, in the first of each `rows_per_contact` rows: the ratio of the masses of two bodies that
/// touch if their contact is central. The columns of a body are consecutive; prescribed ones do not
/// count.
inline double largest_compliance_ratio(const ContactRows &H, unsigned int rows_per_contact,
                                       const ContactSystem &system, unsigned int n) {
  double largest = 1.;
  for (unsigned int row = 0; row < H.n_rows(); row += rows_per_contact) {
    double first = 0., second = 0.;
    unsigned int body = std::numeric_limits<unsigned int>::max(), n_bodies = 0;
    for (unsigned int k = H.start[row]; k < H.start[row + 1]; ++k) {
      const unsigned int dof = system.dof(H.entries[H.column[k]]);
      if (dof < system.n_elastic() || !system.is_free(dof))
        continue;
      const unsigned int index = dof - system.n_elastic();
      n_bodies += index / n != body;
      body = index / n;
      (n_bodies == 1 ? first : second) +=
          H.value[k] * H.value[k] * system.blocks().inverse(index, index);
    }
    if (n_bodies == 2 && first > 0. && second > 0.)
      largest = std::max({largest, first / second, second / first});
  }
  return largest;
}

} // namespace percussion
