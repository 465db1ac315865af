#pragma once

#include <percussion/material/linear_elastic.h>
#include <percussion/material/space_tensor.h>

#include <vtkDoubleArray.h>

#include "field_selection.h"
#include <array>
#include <string>
#include <vector>

namespace percussion {

/// Stresses of an elastic body [stress].
struct BodyStresses {
  std::vector<SpaceTensor> cells; ///< stresses of all cells; a process computes its own
  std::vector<SpaceTensor> nodes; ///< stresses of all nodes; empty if they are not written
};

/// Stress and von Mises stress of cells or points, zero in rigid bodies.
struct StressArrays {
  StressArrays(vtkUnstructuredGrid *grid, const FieldOptions &options, const std::string &prefix,
               int attribute_type)
      : stress(add_selected(grid, options, prefix + "stress", 6, attribute_type)),
        equivalent(add_selected(grid, options, prefix + "von_mises", 1, attribute_type)) {
    int k = 0;
    for (const char *const component : {"XX", "YY", "ZZ", "XY", "YZ", "XZ"})
      if (stress != nullptr)
        stress->SetComponentName(k++, component);
  }
  void set(vtkIdType i, const SpaceTensor &s) const {
    if (stress != nullptr) {
      const std::array<double, 6> components = {
          {s[0][0], s[1][1], s[2][2], s[0][1], s[1][2], s[0][2]}};
      stress->SetTypedTuple(i, components.data());
    }
    if (equivalent != nullptr)
      equivalent->SetValue(i, von_mises(s));
  }

  vtkDoubleArray *stress, *equivalent; ///< null if not to be written
};

} // namespace percussion
