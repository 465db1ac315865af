#include "contact_grid.h"

#include <percussion/contact/boundary.h>

#include "body_cells.h"
#include "vtu_fields.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

template <int dim>
vtkSmartPointer<vtkUnstructuredGrid> grid_of_points(const std::vector<ContactRow<dim>> &table) {
  std::vector<dealii::Point<dim>> positions;
  for (const ContactRow<dim> &row : table)
    positions.push_back(row.material_point);
  const auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  grid->SetPoints(make_points(positions));
  grid->AllocateExact(grid->GetNumberOfPoints(), grid->GetNumberOfPoints());
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
    grid->InsertNextCell(VTK_VERTEX, 1, &i);
  return grid;
}

/// True if rigid bodies in 3D may touch each other: their contacts move on them.
template <int dim>
bool has_moving_contacts(const Boundary<dim> &boundary) {
  return dim == 3 && std::any_of(boundary.pairs.begin(), boundary.pairs.end(),
                                 [](const auto &pair) { return pair.is_between_rigid_bodies(); });
}

} // namespace

template <int dim>
ContactGrid<dim>::ContactGrid(const System<dim> &bodies, const Boundary<dim> &all_points,
                              double length)
    : system(bodies), boundary(all_points), h(length) {}

template <int dim>
vtkSmartPointer<vtkUnstructuredGrid>
ContactGrid<dim>::grid_of_instant(const State<dim> &state, const std::vector<RigidPose<dim>> &poses,
                                  const std::vector<ContactRow<dim>> &table) const {
  const auto grid = grid_of_points(table);
  const auto fields = PointFields::add_to<dim>(grid);
  const TraceField q = boundary.trace.gather(state.q), v = boundary.trace.gather(state.v);
  set_contacts(fields, state, poses, q, v, table);
  set_sites(fields, state, v, table);
  return grid;
}

/// Sets the fields that points of the solution have, too.
template <int dim>
void ContactGrid<dim>::set_contacts(const PointFields &fields, const State<dim> &state,
                                    const std::vector<RigidPose<dim>> &poses, const TraceField &q,
                                    const TraceField &v,
                                    const std::vector<ContactRow<dim>> &table) const {
  vtkIdType i = 0;
  for (const ContactRow<dim> &row : table) {
    const ContactPoint<dim> &point = boundary.points[row.point];
    if (const auto body = point.rigid_body()) {
      set_rigid_motion(fields, i, system, *body, row.material_point, poses[*body], state);
    } else {
      set_vector(fields.displacement, i, boundary.value_at(point, q));
      set_vector(fields.velocity, i, boundary.value_at(point, v));
    }
    add_vector(fields.displacement, i,
               -point.radius() * row.normal); // from a sphere's centre to its surface
    set_vector(fields.percussion, i, global_percussion(row));
    set_vector(fields.percussion_sum, i, row.percussion_sum);
    fields.status_max->SetValue(i, static_cast<int>(std::max(row.status, row.status_max)));
    fields.pressure->SetValue(i, pressure(row, h));
    fields.gap->SetValue(i, row.gap);
    fields.status->SetValue(i, static_cast<int>(row.status));
    fields.add_contact(i++, row);
  }
}

/// Adds the fields of contacts only; displacements are set.
template <int dim>
void ContactGrid<dim>::set_sites(const PointFields &fields, const State<dim> &state,
                                 const TraceField &v,
                                 const std::vector<ContactRow<dim>> &table) const {
  const ContactFields contact_fields{fields.grid};
  auto *const second_tangent =
      dim == 3 ? add_array<vtkDoubleArray>(fields.grid, "second_tangent", 3) : nullptr;
  auto *const feature =
      has_moving_contacts(boundary) ? add_array<vtkIntArray>(fields.grid, "feature", 1) : nullptr;
  vtkIdType i = 0;
  for (const ContactRow<dim> &row : table) {
    const auto frame = local_frame<dim>(row.normal);
    set_vector(contact_fields.normal, i, frame[0]);
    set_vector(contact_fields.tangent, i, frame[1]);
    if (second_tangent != nullptr)
      set_vector(second_tangent, i, frame[dim - 1]);
    if (feature != nullptr)
      feature->SetValue(i, static_cast<int>(row.key.feature));
    contact_fields.pair->SetValue(i, static_cast<int>(row.key.pair));
    contact_fields.body->SetValue(i, body_number(boundary.points[row.point].rigid_body()));
    contact_fields.obstacle->SetValue(i, opposite_number(row));
    contact_fields.area->SetValue(i, row.area);
    set_vector(contact_fields.opposite_position, i, opposite_position(fields, i, row));
    set_vector(contact_fields.relative_velocity, i++, relative_velocity(row, state, v));
  }
}

template <int dim>
int ContactGrid<dim>::opposite_number(const ContactRow<dim> &row) const {
  const bool on_faces = !row.opposite_body && boundary.pairs[row.key.pair].is_on_faces();
  return on_faces ? -1 : body_number(row.opposite_body);
}

/// Returns the point on the other side, at the distance of the gap against the normal.
template <int dim>
dealii::Tensor<1, dim> ContactGrid<dim>::opposite_position(const PointFields &fields, vtkIdType i,
                                                           const ContactRow<dim> &row) const {
  dealii::Tensor<1, dim> x;
  for (unsigned int d = 0; d < dim; ++d)
    x[d] = fields.grid->GetPoint(i)[d] + fields.displacement->GetComponent(i, static_cast<int>(d));
  return std::isnan(row.gap) ? x : x - row.gap * row.normal;
}

/// Returns the velocity of a contact relative to the opposite side at the end of the step; NaN if
/// the contact is no longer close.
template <int dim>
dealii::Tensor<1, dim> ContactGrid<dim>::relative_velocity(const ContactRow<dim> &row,
                                                           const State<dim> &state,
                                                           const TraceField &v) const {
  if (const Contact<dim> *const contact = state.found.find(row.key))
    return state.found.velocity(*contact, v, false) -
           state.surface_motion[row.key.pair].last_velocity(*contact, state.step == 0);
  dealii::Tensor<1, dim> unknown;
  for (unsigned int d = 0; d < dim; ++d)
    unknown[d] = no_gap;
  return unknown;
}

template class ContactGrid<2>;
template class ContactGrid<3>;

} // namespace percussion
