#pragma once

#include <percussion/report/frames.h>

#include <vtkPolyData.h>

namespace percussion::report {

/// A written instant and its mesh.
struct Instant {
  Frame frame;
  vtkSmartPointer<vtkUnstructuredGrid> mesh;
};

/// Reads an instant. Throws InputError, also where a displacement is not a finite number.
Instant load_instant(const Frame &frame);

/// The instants of a series that are nearest to the times, each once.
std::vector<Instant> load(const std::vector<Frame> &series, const std::vector<double> &times);

/// The contact points of the same instant; the body's own points where they were not written.
Instant contacts_of(const Instant &instant, const std::vector<Frame> &contacts);

/// Throws InputError where the mesh has no such field.
vtkDataArray &point_field(const Instant &instant, const char *name);

/// A tuple of a vector field; components that it does not have are zero.
std::array<double, 3> vector_at(vtkDataArray &field, vtkIdType index);

double length(const std::array<double, 3> &v);

/// Whether a cell belongs to a rigid body. Files without the cell data "body" have none.
bool is_rigid(vtkUnstructuredGrid &mesh, vtkIdType cell);

/// What kinds of bodies a mesh has.
struct Kinds {
  bool elastic = false, rigid = false;
};
Kinds kinds_of(vtkUnstructuredGrid &mesh);

/// A copy of the mesh whose points have moved.
vtkSmartPointer<vtkUnstructuredGrid> deformed(const Instant &instant, const Warp &warp,
                                              const Motion &motion);

vtkSmartPointer<vtkPolyData> surface_of(vtkUnstructuredGrid &mesh);

/// Boundary and sharp edges of what is elastic.
vtkSmartPointer<vtkPolyData> elastic_outline(vtkUnstructuredGrid &mesh);

/// The edges of every rigid body.
vtkSmartPointer<vtkPolyData> rigid_outline(vtkUnstructuredGrid &mesh);

} // namespace percussion::report
