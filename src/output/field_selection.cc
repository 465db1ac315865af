#include "field_selection.h"

#include <percussion/base/floating_point_traps.h>
#include <percussion/base/instantiate.h>
#include <percussion/body/cell_stress.h>
#include <percussion/material/hyperelastic.h>
#include <percussion/output/vtu_output.h>

#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include "vtu_fields.h"
#include <algorithm>

namespace percussion {

bool is_selected(const FieldOptions &options, const std::string &name) {
  const auto &names = options.names;
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

vtkDoubleArray *add_selected(vtkUnstructuredGrid *grid, const FieldOptions &options,
                             const std::string &name, int components, int attribute_type) {
  return is_selected(options, name)
             ? add_array<vtkDoubleArray>(grid, name.c_str(), components, 0, attribute_type)
             : nullptr;
}

void remove_unselected(vtkUnstructuredGrid *grid, const FieldOptions &options) {
  vtkPointData *const data = grid->GetPointData();
  for (int i = data->GetNumberOfArrays() - 1; i >= 0; --i)
    if (data->GetArray(i) != data->GetGlobalIds() && !is_selected(options, data->GetArrayName(i)))
      data->RemoveArray(i);
}

void round_to_single(vtkUnstructuredGrid *grid) {
  const NoFloatingPointTraps no_traps; // gaps may be NaN
  for (const int attribute_type : {vtkDataObject::POINT, vtkDataObject::CELL}) {
    vtkDataSetAttributes *const data = grid->GetAttributes(attribute_type);
    for (int i = 0; i < data->GetNumberOfArrays(); ++i)
      if (vtkDataArray *const array = data->GetArray(i); array->GetDataType() == VTK_DOUBLE) {
        vtkNew<vtkFloatArray> rounded;
        rounded->DeepCopy(array); // with the names of the array and its components
        data->AddArray(rounded);  // in place of the array of this name
      }
  }
}

template <int dim>
std::vector<std::string> output_names(const System<dim> &bodies) {
  std::vector<std::string> names;
  for (const auto &body : bodies.elastic)
    for (const auto &material : body->materials.list)
      if (material.finite_strain)
        for (const HistoryOutput &output : history_outputs(material.finite_strain->law()))
          if (std::find(names.begin(), names.end(), output.name) == names.end())
            names.emplace_back(output.name);
  return names;
}

template <int dim>
std::vector<std::string> fibre_names(const System<dim> &bodies) {
  for (const auto &body : bodies.elastic)
    for (const auto &material : body->materials.list)
      if (material.finite_strain && fibres_of(material.finite_strain->law()))
        return {"fibre_1", "fibre_2"};
  return {};
}

template <int dim>
std::vector<std::string> field_names(const System<dim> &bodies) {
  vtkNew<vtkUnstructuredGrid> grid;
  PointFields::add_to<dim>(grid);
  std::vector<std::string> names;
  for (int i = 0; i < grid->GetPointData()->GetNumberOfArrays(); ++i)
    names.emplace_back(grid->GetPointData()->GetArrayName(i));
  names.insert(names.end(), {"stress", "von_mises", "nodal_stress", "nodal_von_mises"});
  for (const auto &more : {output_names(bodies), fibre_names(bodies)})
    names.insert(names.end(), more.begin(), more.end());
  return names;
}

PERCUSSION_INSTANTIATE(output_names);
PERCUSSION_INSTANTIATE(fibre_names);
PERCUSSION_INSTANTIATE(field_names);

} // namespace percussion
