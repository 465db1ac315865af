#pragma once

#include <percussion/report/axis.h>

#include <vtkLookupTable.h>
#include <vtkSmartPointer.h>

class vtkRenderer;

namespace percussion::report {

/// The map "viridis" on [low, high]: even steps of lightness, so it survives grey print and
/// colour blindness.
vtkSmartPointer<vtkLookupTable> viridis(double low, double high);

/// Writes text with its upper left corner at a pixel of the renderer, smaller where it would not
/// fit the width.
void add_text(vtkRenderer &renderer, const std::string &text, int size, bool bold, int x, int y);

/// Draws the table's colours as an upright bar with the axis' marks beside it and the title above,
/// into a renderer of the given height in pixels.
void add_colour_bar(vtkRenderer &renderer, vtkLookupTable &table, const Axis &axis,
                    const std::string &title, int height);

} // namespace percussion::report
