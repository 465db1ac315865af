#include <percussion/algebra/prescribed_columns.h>

#include "summed_blocks.h"
#include <algorithm>

namespace percussion {

void PrescribedColumns::set(const MatrixRows &A, const SystemPattern &pattern) {
  columns.clear();
  if (A.has_node_blocks())
    return set_by_nodes(A, pattern);
  for (const unsigned int prescribed : pattern.prescribed) {
    Rows rows;
    const SparseRow column = A.row(prescribed);
    for (int e = 0; e < column.size; ++e)
      if (const auto dof = static_cast<unsigned int>(column.column[e]);
          pattern.is_elastic(dof) && column.value[e] != 0.)
        rows.emplace_back(dof, column.value[e]);
    columns.emplace_back(prescribed, std::move(rows));
  }
}

void PrescribedColumns::set_by_nodes(const MatrixRows &A, const SystemPattern &pattern) {
  std::vector<unsigned int> prescribed = pattern.prescribed;
  std::sort(prescribed.begin(), prescribed.end());
  for (const unsigned int dof : prescribed)
    columns.emplace_back(dof, Rows());
  const NodePattern &pairs = *pattern.matrix.node_blocks().pattern;
  const SummedBlocks<3> blocks(A);
  const auto add = [&](unsigned int dof, unsigned int column, double entry) {
    if (!pattern.is_prescribed[column] || !pattern.is_elastic(dof) || entry == 0.)
      return;
    const auto found = std::lower_bound(prescribed.begin(), prescribed.end(), column);
    columns[static_cast<std::size_t>(found - prescribed.begin())].second.emplace_back(dof, entry);
  };
  pairs.visit_blocks([&](unsigned int i, unsigned int j, std::size_t k) {
    const auto begin = pattern.is_prescribed.begin();
    const auto has_prescribed = [&](unsigned int node) {
      return std::find(begin + 3 * node, begin + 3 * node + 3, true) != begin + 3 * node + 3;
    };
    if (!has_prescribed(i) && !has_prescribed(j))
      return;
    const auto entries =
        blocks(k); // additions to the diagonal are of degrees of freedom that are free
    for (unsigned int e = 0; e < 9; ++e) {
      const unsigned int row = 3 * i + e / 3, column = 3 * j + e % 3;
      if (pairs.owns(i))
        add(row, column, entries[e]);
      if (i != j && pairs.owns(j))
        add(column, row, entries[e]);
    }
  });
}

} // namespace percussion
