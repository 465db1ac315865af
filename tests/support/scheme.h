#pragma once

#include "support/block.h"
#include <ostream>

namespace percussion {

inline void PrintTo(const Scheme &scheme, std::ostream *out) { *out << scheme.name; }

} // namespace percussion

namespace percussion::test {

/// Name of a scheme in the form that GoogleTest accepts.
struct SchemeName {
  std::string operator()(const testing::TestParamInfo<Scheme> &info) const {
    std::string name = info.param.name;
    for (char &c : name)
      c = c == '-' ? '_' : c;
    return name;
  }
};

/// Takes all choices of a scheme; contacts must have been added.
template <int dim>
void take(const Scheme &scheme, BlockIn<dim> &block) {
  block.use(scheme);
  for (auto &pair : block.pairs) {
    pair.law = scheme.law;
    pair.contact_points = scheme.contact_points();
    pair.formulation = scheme.formulation;
    pair.symmetry = scheme.symmetry;
  }
  if (!scheme.redistributes_inertia)
    return;
  std::vector<unsigned int> nodes;
  for (const auto &pair : block.pairs) {
    const auto &region_vertices = block.mesh->region(*pair.region()).nodes;
    nodes.insert(nodes.end(), region_vertices.begin(), region_vertices.end());
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  block.bodies->redistribute_inertia(*block.bodies->elastic.front(), nodes);
}

} // namespace percussion::test
