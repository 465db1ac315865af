#include "joined_response.h"

#include <algorithm>

namespace percussion {

void BlockResponse::start(const Vector &b, Vector &x) {
  blocks.solve(entries(b) + first, entries(x) + first);
  solution.assign(entries(x) + first, entries(x) + first + blocks.size());
}

void BlockResponse::add_force(const std::vector<double> &force) {
  for (unsigned int k = 0; k < in_use.size(); ++k)
    if (holds(k))
      blocks.add_force(in_use[k] - first, force[k], solution.data());
}

void BlockResponse::finish(Vector &x) {
  std::copy(solution.begin(), solution.end(), entries(x) + first);
}

} // namespace percussion
