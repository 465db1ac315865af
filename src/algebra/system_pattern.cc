#include <percussion/algebra/system_pattern.h>

#include <algorithm>

namespace percussion {

std::vector<unsigned int> SystemPattern::unknowns() const {
  std::vector<unsigned int> free;
  for (unsigned int i = 0; i < n_coupled; ++i)
    if (is_elastic(i))
      free.push_back(i);
  return free;
}

std::vector<unsigned int> SystemPattern::elastic_trace() const {
  std::vector<unsigned int> dofs;
  for (const unsigned int dof : trace)
    if (dof < n_coupled)
      dofs.push_back(dof);
  return dofs;
}

void SystemPattern::complete() {
  is_prescribed.assign(matrix.n_rows(), false);
  for (const unsigned int dof : prescribed)
    is_prescribed[dof] = true;
  std::vector<unsigned int> touched;
  for (const unsigned int dof : may_touch)
    if (is_elastic(dof))
      touched.push_back(dof);
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  may_touch = std::move(touched);
  if (partition.size() == 0)
    partition = Partition::undivided(n_coupled, node_size);
}

} // namespace percussion
