#pragma once

#include <percussion/report/frames.h>

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>

namespace percussion::report {

/// The straight edge of a rigid surface and the direction from it to the body's side.
struct Ground {
  std::array<double, 3> point, normal;
};

/// Everything that one picture of a deformed body shows.
struct Scene {
  std::string title, remark, bar_title;
  vtkSmartPointer<vtkPolyData> body;             ///< deformed surface
  vtkSmartPointer<vtkPolyData> outline;          ///< edges of the undeformed body
  vtkSmartPointer<vtkPolyData> deformed_outline; ///< drawn where cells are too small for edges
  vtkSmartPointer<vtkPolyData> arrows;           ///< points with the vector "arrow"; may be empty
  std::optional<Ground> ground; ///< drawn across the whole picture; plane bodies only
  std::string field;            ///< scalar of the body's points or cells that colours it
};

/// Renders the scene in parallel projection, everything inside the picture, true to shape.
void draw_scene(const Scene &scene, const std::filesystem::path &file);

} // namespace percussion::report
