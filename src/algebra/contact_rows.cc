#include <percussion/algebra/contact_rows.h>

#include <algorithm>
#include <cmath>

namespace percussion {

void ContactRows::transpose_times(double factor, const std::vector<double> &p,
                                  std::vector<double> &force) const {
  force.assign(entries.size(), 0.);
  for (unsigned int row = 0; row < n_rows(); ++row)
    for (unsigned int k = start[row]; k < start[row + 1]; ++k)
      force[column[k]] += factor * value[k] * p[row];
}

void ContactRows::number_columns(const std::vector<unsigned int> &all) {
  entries = all;
  for (unsigned int &c : column)
    c = static_cast<unsigned int>(std::lower_bound(all.begin(), all.end(), c) - all.begin());
}

bool ContactRows::is_near(const ContactRows &second, double tolerance) const {
  if (start != second.start || entries != second.entries || column != second.column)
    return false;
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    largest = std::max(largest, std::abs(value[i]));
    difference = std::max(difference, std::abs(value[i] - second.value[i]));
  }
  return difference <= tolerance * largest;
}

} // namespace percussion
