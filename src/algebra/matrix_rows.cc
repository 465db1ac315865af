#include <percussion/algebra/matrix_rows.h>

#include <algorithm>

namespace percussion {

/// Columns ascend in each row.
SparseRow MatrixRows::row(unsigned int i) const {
  SparseRow sum = terms.front().matrix->row(i);
  if (terms.size() == 1 && terms.front().factor == 1. && additions.empty())
    return sum;
  values.assign(sum.value, sum.value + sum.size);
  for (double &value : values)
    value *= terms.front().factor;
  for (auto term = terms.begin() + 1; term != terms.end(); ++term) {
    const SparseRow added = term->matrix->row(i);
    int position = 0;
    for (int k = 0; k < added.size; ++k) {
      while (position < sum.size && sum.column[position] < added.column[k])
        ++position;
      if (position < sum.size && sum.column[position] == added.column[k])
        values[static_cast<std::size_t>(position)] += term->factor * added.value[k];
      else
        AssertThrow(added.value[k] == 0., dealii::ExcInternalError());
    }
  }
  if (const auto addition = additions.find(i); addition != additions.end())
    values[static_cast<std::size_t>(
        std::lower_bound(sum.column, sum.column + sum.size, static_cast<int>(i)) - sum.column)] +=
        addition->second;
  sum.value = values.data();
  return sum;
}

double MatrixRows::entry(unsigned int i, unsigned int j) const {
  if (i < terms.front().matrix->pattern()->first_row) {
    double sum = 0;
    for (const Term &term : terms)
      sum += term.factor * (*term.matrix)(i, j);
    const auto addition = additions.find(i);
    return i == j && addition != additions.end() ? sum + addition->second : sum;
  }
  const SparseRow entries = row(i);
  const int *const end = entries.column + entries.size,
                   *found = std::lower_bound(entries.column, end, static_cast<int>(j));
  return found != end && *found == static_cast<int>(j) ? entries.value[found - entries.column] : 0.;
}

} // namespace percussion
