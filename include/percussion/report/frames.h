#pragma once

#include <percussion/report/history.h>

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <array>

class vtkDataArray;

namespace percussion::report {

using Vector = std::array<double, 2>;
using Mesh = vtkSmartPointer<vtkUnstructuredGrid>;

/// One written instant of a series.
struct Frame {
  double time = 0;
  std::vector<std::filesystem::path> files; ///< the parts of the mesh
};

/// A written instant and its mesh.
struct Instant {
  Frame frame;
  Mesh mesh;

  /// Throws InputError where there is no such field.
  vtkDataArray &point_field(const char *name) const;
};

/// Reads a .pvd file; instants in ascending order. Throws InputError.
std::vector<Frame> read_series(const std::filesystem::path &pvd);

/// Reads all parts of an instant into one mesh. Throws InputError.
Instant read_instant(const Frame &frame);

/// The index of the instant nearest to `time`. `series` is not empty.
std::size_t nearest_frame(const std::vector<Frame> &series, double time);

/// The instants of a series nearest to the times, each once.
std::vector<Instant> read_nearest(const std::vector<Frame> &series,
                                  const std::vector<double> &times);

/// Start and end of the run, the greatest strain energy of the first contact and the end of that
/// contact; the widest gaps between these are halved until there are `count`.
std::vector<double> notable_times(const History &run, std::size_t count = 4);

/// A tuple of a vector field.
Vector vector_at(vtkDataArray &field, vtkIdType index);

double length(const Vector &v);

/// Whether a cell belongs to a rigid body. Files without the cell data "body" have none.
bool is_rigid(vtkUnstructuredGrid &mesh, vtkIdType cell);

/// Whether the mesh has cells of rigid bodies, or of elastic ones.
bool has_cells(vtkUnstructuredGrid &mesh, bool rigid);

/// The boundary of what is elastic, or of each rigid body.
vtkSmartPointer<vtkPolyData> outline_of(vtkUnstructuredGrid &mesh, bool rigid);

/// The larger side of the mesh's bounding box.
double size_of(vtkUnstructuredGrid &mesh);

/// How displacements are exaggerated.
struct Warp {
  double factor = 1;
  /// By direction: the mean displacement is kept and only the rest is multiplied. A body that has
  /// travelled far would otherwise leave its surroundings.
  std::array<bool, 2> about_mean = {{false, false}};
};

/// How far a body has moved as a whole, and the largest |displacement − mean| of its points.
struct Motion {
  Vector mean = {{0, 0}};
  double deviation = 0;
};

Motion motion_of(vtkDataArray &displacement);

/**
 * The factor (1, 2 or 5 times a power of ten, at least 1) that makes `deviation` about a twentieth
 * of the body; about the mean in the directions in which the factor would move the body by half its
 * size.
 */
Warp automatic_warp(double deviation, const Vector &translation, double body_size);

/// Displacement of one point with the warp.
Vector warped(const Warp &warp, const Motion &motion, const Vector &displacement);

} // namespace percussion::report
