#include "instant.h"

#include <percussion/base/error.h>

#include <vtkCell.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCleanPolyData.h>
#include <vtkDataSetSurfaceFilter.h>
#include <vtkFeatureEdges.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace percussion::report {
namespace {
using Mesh = vtkSmartPointer<vtkUnstructuredGrid>;

/// The mesh itself where it has no rigid bodies.
Mesh elastic_part(vtkUnstructuredGrid &mesh) {
  if (!kinds_of(mesh).rigid)
    return &mesh;
  auto part = Mesh::New();
  part->SetPoints(mesh.GetPoints());
  part->Allocate(mesh.GetNumberOfCells());
  for (vtkIdType c = 0; c < mesh.GetNumberOfCells(); ++c)
    if (!is_rigid(mesh, c))
      part->InsertNextCell(mesh.GetCellType(c), mesh.GetCell(c)->GetPointIds());
  return part;
}
} // namespace

Instant load_instant(const Frame &frame) {
  Instant instant{frame, read_frame(frame)};
  vtkDataArray &displacement = point_field(instant, "displacement");
  for (vtkIdType i = 0; i < displacement.GetNumberOfTuples(); ++i)
    if (!std::isfinite(length(vector_at(displacement, i))))
      throw InputError(frame.files.front().string() + ": the displacement of point " +
                       std::to_string(i) + " is not a finite number");
  return instant;
}

std::vector<Instant> load(const std::vector<Frame> &series, const std::vector<double> &times) {
  std::set<std::size_t> chosen;
  for (const double time : times)
    chosen.insert(nearest_frame(series, time));
  std::vector<Instant> loaded;
  for (const std::size_t index : chosen)
    loaded.push_back(load_instant(series[index]));
  return loaded;
}

Instant contacts_of(const Instant &instant, const std::vector<Frame> &contacts) {
  if (contacts.empty())
    return instant;
  const Frame &frame = contacts[nearest_frame(contacts, instant.frame.time)];
  if (frame.time != instant.frame.time)
    return instant;
  const Mesh points = read_frame(frame);
  const bool complete = points->GetPointData()->HasArray("percussion") != 0 &&
                        points->GetPointData()->HasArray("displacement") != 0;
  return complete ? Instant{frame, points} : instant;
}

vtkDataArray &point_field(const Instant &instant, const char *name) {
  vtkDataArray *field = instant.mesh->GetPointData()->GetArray(name);
  if (field == nullptr)
    throw InputError(instant.frame.files.front().string() + ": has no point data '" + name + "'");
  return *field;
}

std::array<double, 3> vector_at(vtkDataArray &field, const vtkIdType index) {
  std::array<double, 3> value = {{0, 0, 0}};
  for (int c = 0; c < std::min(3, field.GetNumberOfComponents()); ++c)
    value[c] = field.GetComponent(index, c);
  return value;
}

double length(const std::array<double, 3> &v) { return std::hypot(v[0], v[1], v[2]); }

bool is_rigid(vtkUnstructuredGrid &mesh, const vtkIdType cell) {
  vtkDataArray *body = mesh.GetCellData()->GetArray("body");
  return body != nullptr && body->GetComponent(cell, 0) > 0;
}

Kinds kinds_of(vtkUnstructuredGrid &mesh) {
  Kinds kinds;
  for (vtkIdType c = 0; c < mesh.GetNumberOfCells(); ++c)
    (is_rigid(mesh, c) ? kinds.rigid : kinds.elastic) = true;
  return kinds;
}

Mesh deformed(const Instant &instant, const Warp &warp, const Motion &motion) {
  vtkDataArray &displacement = point_field(instant, "displacement");
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (vtkIdType i = 0; i < instant.mesh->GetNumberOfPoints(); ++i) {
    std::array<double, 3> x{};
    instant.mesh->GetPoint(i, x.data());
    const auto u = warped(warp, motion, vector_at(displacement, i));
    points->InsertNextPoint(x[0] + u[0], x[1] + u[1], x[2] + u[2]);
  }
  auto copy = Mesh::New();
  copy->ShallowCopy(instant.mesh);
  copy->SetPoints(points);
  return copy;
}

vtkSmartPointer<vtkPolyData> surface_of(vtkUnstructuredGrid &mesh) {
  vtkNew<vtkDataSetSurfaceFilter> surface;
  surface->SetInputData(&mesh);
  surface->Update();
  return surface->GetOutput();
}

// Meshes whose cells share no points are common in written results and would show each cell's
// edges, hence the merging of points.
vtkSmartPointer<vtkPolyData> elastic_outline(vtkUnstructuredGrid &mesh) {
  vtkNew<vtkCleanPolyData> merged;
  merged->SetInputData(surface_of(*elastic_part(mesh)));
  merged->SetTolerance(1e-7);
  vtkNew<vtkFeatureEdges> edges;
  edges->SetInputConnection(merged->GetOutputPort());
  edges->ManifoldEdgesOff();
  edges->NonManifoldEdgesOff();
  edges->ColoringOff();
  edges->Update();
  return edges->GetOutput();
}

vtkSmartPointer<vtkPolyData> rigid_outline(vtkUnstructuredGrid &mesh) {
  vtkNew<vtkCellArray> lines;
  for (vtkIdType c = 0; c < mesh.GetNumberOfCells(); ++c)
    if (is_rigid(mesh, c)) {
      vtkIdList &corners = *mesh.GetCell(c)->GetPointIds();
      const vtkIdType n = corners.GetNumberOfIds();
      lines->InsertNextCell(static_cast<int>(n) + 1);
      for (vtkIdType k = 0; k <= n; ++k)
        lines->InsertCellPoint(corners.GetId(k % n));
    }
  auto outline = vtkSmartPointer<vtkPolyData>::New();
  // The points of other cells would count in the outline's bounds.
  vtkNew<vtkCleanPolyData> used;
  outline->SetPoints(mesh.GetPoints());
  outline->SetLines(lines);
  used->PointMergingOff();
  used->SetInputData(outline);
  used->Update();
  return used->GetOutput();
}

} // namespace percussion::report
