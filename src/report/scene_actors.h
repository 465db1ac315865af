#pragma once

#include <vtkBoundingBox.h>

#include "view.h"

class vtkLookupTable;
class vtkRenderer;

namespace percussion::report {

/// What scenes that are to be compared have in common.
struct SceneFrame {
  vtkBoundingBox bodies;           ///< of all scenes, with their arrows
  View view;                       ///< shows the bodies and their grounds
  vtkLookupTable *table = nullptr; ///< colours of the scenes' fields
};

/// The part of the scene whose room in the picture matters. The arrows' tips are points of the
/// deformed body, so its box holds them.
vtkBoundingBox box_of(const Scene &scene);

/// Fills a renderer of the canvas' size with the scene.
void add_scene(vtkRenderer &renderer, const Scene &scene, const SceneFrame &frame,
               const Canvas &canvas);

} // namespace percussion::report
