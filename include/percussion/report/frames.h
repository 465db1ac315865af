#pragma once

#include <percussion/report/history.h>

#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <array>
#include <filesystem>
#include <vector>

class vtkDataArray;

namespace percussion::report {

/// One written instant of a series.
struct Frame {
  double time = 0;
  std::vector<std::filesystem::path> files; ///< the parts of the mesh
};

/// Reads a .pvd file; instants in ascending order. Throws InputError.
std::vector<Frame> read_series(const std::filesystem::path &pvd);

/// Reads all parts of an instant into one mesh. Throws InputError.
vtkSmartPointer<vtkUnstructuredGrid> read_frame(const Frame &frame);

/// The index of the instant nearest to `time`. `series` is not empty.
std::size_t nearest_frame(const std::vector<Frame> &series, double time);

/**
 * Instants worth a picture: start and end of the run, the greatest strain energy of the first
 * contact and the end of that contact; the widest gaps between these are halved until there are
 * `count`.
 */
std::vector<double> telling_times(const History &run, std::size_t count = 4);

/// How displacements are exaggerated.
struct Warp {
  double factor = 1;
  /// By direction: the mean displacement is kept as it is and only the rest is multiplied. A body
  /// that has travelled far would otherwise leave its surroundings.
  std::array<bool, 3> about_mean = {{false, false, false}};
};

/// How far a body has moved as a whole and how far its points stray from that.
struct Motion {
  std::array<double, 3> mean = {{0, 0, 0}};
  double deviation = 0; ///< the largest |displacement − mean|
};

Motion motion_of(vtkDataArray &displacement);

/**
 * The factor (1, 2 or 5 times a power of ten, at least 1) that makes `deviation` about a twentieth
 * of the body; about the mean in the directions in which the factor would carry the body off by
 * half its size.
 */
Warp automatic_warp(double deviation, const std::array<double, 3> &translation, double body_size);

/// Displacement of one point with the warp.
std::array<double, 3> warped(const Warp &warp, const Motion &motion,
                             const std::array<double, 3> &displacement);

/// The largest side of the mesh's bounding box.
double size_of(vtkUnstructuredGrid &mesh);

} // namespace percussion::report
