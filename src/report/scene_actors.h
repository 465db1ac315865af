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
  std::size_t most_arrows = 0;     ///< in one scene: many arrows are slimmer
};

/// The part of the scene whose room in the picture matters. The arrows' tips are points of the
/// deformed body, so its box holds them.
vtkBoundingBox box_of(const Scene &scene);

/// Draws the key of arrows with its left end at a pixel of the renderer, and its text.
void add_arrow_key(vtkRenderer &renderer, const ArrowKey &key, const SceneFrame &frame,
                   double size_of_pixel, int text_size, int x, int y);

/// Fills a renderer of the canvas' size with the scene.
void add_scene(vtkRenderer &renderer, const Scene &scene, const SceneFrame &frame,
               const Canvas &canvas);

} // namespace percussion::report
