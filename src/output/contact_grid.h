#pragma once

#include <percussion/output/contact_table.h>

#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <vector>

namespace percussion {

struct PointFields;

/// Contacts of an instant as points with their fields.
template <int dim>
class ContactGrid {
public:
  /// Stores references. `length`: length of a step.
  ContactGrid(const System<dim> &bodies, const Boundary<dim> &all_points, double length);

  vtkSmartPointer<vtkUnstructuredGrid>
  grid_of_instant(const State<dim> &state, const std::vector<RigidPose<dim>> &poses,
                  const std::vector<ContactRow<dim>> &table) const;

private:
  void set_contacts(const PointFields &fields, const State<dim> &state,
                    const std::vector<RigidPose<dim>> &poses, const TraceField &q,
                    const TraceField &v, const std::vector<ContactRow<dim>> &table) const;
  void set_sites(const PointFields &fields, const State<dim> &state, const TraceField &v,
                 const std::vector<ContactRow<dim>> &table) const;
  int opposite_number(const ContactRow<dim> &row) const;
  dealii::Tensor<1, dim> opposite_position(const PointFields &fields, vtkIdType i,
                                           const ContactRow<dim> &row) const;
  dealii::Tensor<1, dim> relative_velocity(const ContactRow<dim> &row, const State<dim> &state,
                                           const TraceField &v) const;

  const System<dim> &system;
  const Boundary<dim> &boundary;
  double h;
};

} // namespace percussion
