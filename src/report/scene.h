#pragma once

#include <percussion/report/axis.h>
#include <percussion/report/frames.h>

#include <vtkBoundingBox.h>

#include <optional>

class vtkLookupTable;
class vtkRenderer;
class vtkRenderWindow;

namespace percussion::report {

/// A point of the straight edge of a rigid surface and the direction from it to the body's side.
struct Ground {
  Vector point, normal;
};

/// A deformed contact point and the percussion that acts on it.
struct Touch {
  Vector point, percussion;
};

/// Everything that one picture of deformed and of rigid bodies shows.
struct Scene {
  double time = 0;
  std::string title, remark;                    ///< above it where several stand side by side
  vtkSmartPointer<vtkPolyData> body;            ///< deformed, coloured by its scalars
  bool is_coloured = false;                     ///< else of one colour
  vtkSmartPointer<vtkPolyData> undeformed;      ///< edges of the undeformed bodies, or none
  vtkSmartPointer<vtkPolyData> elastic_outline; ///< drawn where cells are too small for edges
  vtkSmartPointer<vtkPolyData> rigid_outline;
  std::vector<Touch> touches;
  double arrow_scale = 0;        ///< length of an arrow over its percussion
  std::map<int, Ground> grounds; ///< by contact
};

/// What scenes that are compared have in common, and what stands around them.
struct Sheet {
  std::string title, remark, bar_title;
  double arrow_length = 0; ///< of the key beside the title, in the scenes' units; 0: no key
  std::string arrow_text;
  vtkBoundingBox bodies;       ///< of all scenes, with their arrows
  vtkBoundingBox view;         ///< the same with the grounds
  std::size_t most_arrows = 0; ///< in one scene: many arrows are slimmer
  std::optional<Axis> axis;    ///< of the colours
  int label_lines = 0;         ///< above each scene
};

/// Renders scenes side by side and in rows, in the same frame and with the same colours, into a
/// window whose renderers are replaced. `scenes` is not empty.
void draw_sheet(vtkRenderWindow &window, const std::vector<Scene> &scenes, const Sheet &sheet);

/// The same as a PNG file. Throws RunError where it cannot be written.
void draw_sheet(const std::vector<Scene> &scenes, const Sheet &sheet,
                const std::filesystem::path &file);

/// The part of the scene whose room in the picture matters. The arrows' tips are points of the
/// deformed body.
vtkBoundingBox box_of(const Scene &scene);

/// The corners of a strip under the ground's edge, somewhat longer than the box: the two ends of
/// the edge, then those below.
std::vector<Vector> ground_strip(const Ground &ground, const vtkBoundingBox &box);

/// Adds the scene's actors. `pixel` is a pixel's side in the scene's units.
void add_scene(vtkRenderer &renderer, const Scene &scene, const Sheet &sheet, vtkLookupTable *table,
               double pixel);

/// Adds an arrow for each percussion.
void add_arrows(vtkRenderer &renderer, const std::vector<Touch> &touches, double scale,
                const Sheet &sheet);

} // namespace percussion::report
