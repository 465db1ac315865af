#pragma once

#include <percussion/output/field_options.h>

#include <vtkDoubleArray.h>
#include <vtkUnstructuredGrid.h>

#include <string>

namespace percussion {

/// True if a field of the bodies is to be written.
bool is_selected(const FieldOptions &options, const std::string &name);

/// Adds an array of zeros; returns null if it is not to be written.
vtkDoubleArray *add_selected(vtkUnstructuredGrid *grid, const FieldOptions &options,
                             const std::string &name, int components, int attribute_type);

/// Removes the fields of points that are not to be written.
void remove_unselected(vtkUnstructuredGrid *grid, const FieldOptions &options);

/// Rounds the fields of points and cells to single precision. Points keep their precision.
void round_to_single(vtkUnstructuredGrid *grid);

} // namespace percussion
