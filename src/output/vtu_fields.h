#pragma once

#include <percussion/base/freed_memory.h>
#include <percussion/output/contact_table.h>
#include <percussion/output/point_fields.h>

#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace percussion {

inline constexpr double no_gap = std::numeric_limits<double>::quiet_NaN();
inline constexpr int no_status = -1;

/// Adds a named array of points or cells to a grid, set to a value.
template <typename Array>
Array *add_array(vtkUnstructuredGrid *grid, const char *name, int components, double value = 0,
                 int attribute_type = vtkDataObject::POINT) {
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(grid->GetNumberOfElements(attribute_type));
  array->Fill(value);
  // Most points have no contact.
  constexpr std::size_t large = 1u << 20;
  const auto n_bytes = static_cast<std::size_t>(array->GetDataSize()) * array->GetDataTypeSize();
  if (value == 0 && n_bytes >= large)
    release_zeros(array->GetVoidPointer(0), n_bytes);
  grid->GetAttributes(attribute_type)->AddArray(array);
  return array; // the grid owns it
}

/// Fields of the points in both files.
struct PointFields {
  vtkUnstructuredGrid *grid;
  vtkDoubleArray *displacement = add_array<vtkDoubleArray>(grid, "displacement", 3);
  vtkDoubleArray *velocity = add_array<vtkDoubleArray>(grid, "velocity", 3);
  vtkDoubleArray *percussion = add_array<vtkDoubleArray>(grid, "percussion", 3);
  vtkDoubleArray *pressure = add_array<vtkDoubleArray>(grid, "pressure", 1);
  vtkDoubleArray *gap = add_array<vtkDoubleArray>(grid, "gap", 1, no_gap);
  vtkIntArray *status = add_array<vtkIntArray>(grid, "status", 1, no_status);
  vtkDoubleArray *percussion_sum = add_array<vtkDoubleArray>(grid, "percussion_sum", 3);
  vtkIntArray *status_max = add_array<vtkIntArray>(grid, "status_max", 1, no_status);
  std::vector<vtkDoubleArray *> table_arrays = {}; ///< arrays of point_fields(), in this order

  template <int dim>
  static PointFields add_to(vtkUnstructuredGrid *grid) {
    PointFields fields{grid};
    for (const PointField<dim> &field : point_fields<dim>())
      fields.table_arrays.push_back(add_array<vtkDoubleArray>(grid, field.name.c_str(), 1));
    return fields;
  }

  /// Adds a fraction of the values of a contact to a point, for fields that are sums; raises the
  /// others to the values of the contact that are larger.
  template <int dim>
  void add_contact(vtkIdType point, const ContactRow<dim> &row, double fraction = 1) const {
    for (std::size_t i = 0; i < table_arrays.size(); ++i) {
      const PointField<dim> &field = point_fields<dim>()[i];
      const double before = table_arrays[i]->GetValue(point), value = field.value(row);
      table_arrays[i]->SetValue(point, field.is_sum_at_node ? before + fraction * value
                                                            : std::max(before, value));
    }
  }
};

/// Fields of contact points only.
struct ContactFields {
  vtkUnstructuredGrid *grid;
  vtkDoubleArray *normal = add_array<vtkDoubleArray>(grid, "normal", 3);
  vtkDoubleArray *tangent = add_array<vtkDoubleArray>(grid, "tangent", 3);
  vtkIntArray *pair = add_array<vtkIntArray>(grid, "pair", 1);
  vtkIntArray *body = add_array<vtkIntArray>(grid, "body", 1);
  vtkIntArray *obstacle = add_array<vtkIntArray>(grid, "obstacle", 1);
  vtkDoubleArray *area = add_array<vtkDoubleArray>(grid, "area", 1);
  vtkDoubleArray *opposite_position = add_array<vtkDoubleArray>(grid, "touched_place", 3);
  vtkDoubleArray *relative_velocity = add_array<vtkDoubleArray>(grid, "relative_velocity", 3);
};

template <int dim>
void set_vector(vtkDoubleArray *array, vtkIdType i, const dealii::Tensor<1, dim> &value) {
  for (unsigned int d = 0; d < dim; ++d)
    array->SetComponent(i, static_cast<int>(d), value[d]);
}

template <int dim>
void add_vector(vtkDoubleArray *array, vtkIdType i, const dealii::Tensor<1, dim> &value) {
  for (unsigned int d = 0; d < dim; ++d) {
    const auto component = static_cast<int>(d);
    array->SetComponent(i, component, array->GetComponent(i, component) + value[d]);
  }
}

inline void set_worst(vtkIntArray *array, vtkIdType i, ContactStatus status) {
  array->SetValue(i, std::max(array->GetValue(i), static_cast<int>(status)));
}

/// Sets displacement and velocity of a point of a rigid body; `position` is its initial position.
template <int dim>
void set_rigid_motion(const PointFields &fields, vtkIdType i, const System<dim> &system,
                      unsigned int body, const dealii::Point<dim> &position,
                      const RigidPose<dim> &pose, const State<dim> &state) {
  const RigidBody<dim> &rigid = system.rigid[body];
  const auto arm = pose.turned(position - rigid.centre);
  set_vector(fields.displacement, i, pose.position(rigid, position) - position);
  set_vector(fields.velocity, i, pose.velocity(arm, system.rigid_values(state.v, body)));
}

/// Returns the pressure of a contact over a step; 0 for points of rigid bodies, which have no area.
template <int dim>
double pressure(const ContactRow<dim> &row, double h) {
  return row.area > 0. ? row.percussion[0] / (h * row.area) : 0.;
}

/// Returns the number of a rigid body in the files; 0 for elastic bodies.
inline int body_number(std::optional<unsigned int> rigid_body) {
  return rigid_body ? static_cast<int>(*rigid_body) + 1 : 0;
}

} // namespace percussion
