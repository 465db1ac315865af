#pragma once

#include <vtkImageData.h>
#include <vtkSmartPointer.h>

#include <filesystem>
#include <string>
#include <vector>

class vtkRenderWindow;
class vtkTextProperty;

namespace percussion::report {

/// The width of every picture in pixels: a text column's width in print at 240 dots per inch.
constexpr int picture_width = 1600;

/// Red, green and blue bytes; the first row is the lowest.
using Image = vtkSmartPointer<vtkImageData>;

/// Prepares a window for a picture: off the screen, with smooth edges.
void prepare_picture(vtkRenderWindow &window, int width, int height);

/// Black text in the typeface of all pictures.
void set_font(vtkTextProperty &text, int size, bool bold);

/// Renders the window.
Image rendered(vtkRenderWindow &window);

/// Half the width and height, each pixel the mean of four.
Image halved(const Image &image);

/// `compression` is from 1, quick, to 9, small. Throws RunError where the file cannot be written.
void write_png(const Image &image, const std::filesystem::path &file, int compression = 9);

/// Images of equal size as an endless GIF animation with one palette of 255 colours; only what
/// changes from one image to the next is stored. `milliseconds` is how long each is shown; the last
/// is shown for two seconds.
std::string gif_of(const std::vector<Image> &images, int milliseconds);

} // namespace percussion::report
