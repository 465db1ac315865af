#pragma once

#include <percussion/report/frames.h>

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace percussion::report {

/// The straight edge of a rigid surface and the direction from it to the body's side.
struct Ground {
  std::array<double, 3> point, normal;
};

/// Everything that one picture of deformed and of rigid bodies shows.
struct Scene {
  std::string title, remark, bar_title;
  vtkSmartPointer<vtkPolyData> body;             ///< deformed surface
  vtkSmartPointer<vtkPolyData> outline;          ///< edges of the undeformed bodies; may be empty
  vtkSmartPointer<vtkPolyData> deformed_outline; ///< drawn where cells are too small for edges
  vtkSmartPointer<vtkPolyData> rigid_outline;    ///< edges of rigid bodies; may be empty
  vtkSmartPointer<vtkPolyData> arrows;           ///< points with the vector "arrow"; may be empty
  std::vector<Ground> grounds; ///< drawn across the whole picture; plane bodies only
  std::string field;           ///< scalar of the body's points or cells that colours it; or none
};

/// Renders the scene in parallel projection, everything inside the picture, true to shape.
void draw_scene(const Scene &scene, const std::filesystem::path &file);

/// Renders scenes side by side and in rows, all in the same frame and with the same colours, each
/// under its title and remark, with a title and a remark above all. `scenes` is not empty.
void draw_scenes(const std::vector<Scene> &scenes, const std::string &title,
                 const std::string &remark, const std::filesystem::path &file);

} // namespace percussion::report
