#pragma once

#include <percussion/report/gif.h>

#include <filesystem>

class vtkRenderWindow;
class vtkTextProperty;

namespace percussion::report {

/// The width of every picture in pixels: a text column's width in print at 240 dots per inch.
constexpr int picture_width = 1600;

/// Prepares a window for a picture: no window on the screen, white, smooth edges.
void prepare_picture(vtkRenderWindow &window, int width, int height);

/// Black text in the typeface of all pictures.
void set_font(vtkTextProperty &text, int size, bool bold);

/// Renders the window and reads what it shows.
Pixels read_pixels(vtkRenderWindow &window);

/// Renders the window and writes it. Throws RunError where the file cannot be written.
void write_png(vtkRenderWindow &window, const std::filesystem::path &file);

/// Writes a picture; `compression` is from 1, quick, to 9, small. Throws RunError where the file
/// cannot be written.
void write_png(const Pixels &pixels, const std::filesystem::path &file, int compression = 9);

} // namespace percussion::report
