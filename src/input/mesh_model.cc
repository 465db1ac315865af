#include "mesh_model.h"

#include <algorithm>

namespace percussion {

void MeshModel::add(MeshGroup group) {
  const auto behind = std::upper_bound(
      groups.begin(), groups.end(), group.dimension,
      [](unsigned int dimension, const MeshGroup &added) { return dimension < added.dimension; });
  groups.insert(behind, std::move(group));
}

bool MeshModel::contains(const std::string &name) const {
  return std::any_of(groups.begin(), groups.end(),
                     [&](const MeshGroup &group) { return group.name == name; });
}

} // namespace percussion
