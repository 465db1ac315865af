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

/// An arrow beside the title that tells what the length of arrows means.
struct ArrowKey {
  double length = 0; ///< in the scene's units; 0: no key
  std::string text;
};

/// Everything that one picture of deformed and of rigid bodies shows.
struct Scene {
  std::string title, remark, bar_title;
  ArrowKey arrow_key;
  vtkSmartPointer<vtkPolyData> body;             ///< deformed surface
  vtkSmartPointer<vtkPolyData> outline;          ///< edges of the undeformed bodies; may be empty
  vtkSmartPointer<vtkPolyData> deformed_outline; ///< drawn where cells are too small for edges
  vtkSmartPointer<vtkPolyData> rigid_outline;    ///< edges of rigid bodies; may be empty
  vtkSmartPointer<vtkPolyData> arrows;           ///< points with the vector "arrow"; may be empty
  std::vector<Ground> grounds; ///< drawn across the whole picture; plane bodies only
  std::string field;           ///< scalar of the body's points or cells that colours it; or none
};

/// Renders the scene in parallel projection, everything inside the picture, true to shape, with its
/// title and the key of its arrows or, without one, its remark above.
void draw_scene(const Scene &scene, const std::filesystem::path &file);

/// Renders scenes side by side and in rows, all in the same frame and with the same colours, each
/// under its title and remark, with a title and a remark above all. `scenes` is not empty.
void draw_scenes(const std::vector<Scene> &scenes, const std::string &title,
                 const std::string &remark, const std::filesystem::path &file);

} // namespace percussion::report
