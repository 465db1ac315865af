#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace percussion::report {

/// A picture of red, green and blue bytes, row by row from the top.
struct Pixels {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// The mean of each two by two pixels: a picture of half the width and height, with smooth edges.
Pixels halved(const Pixels &pixels);

/**
 * The bytes of pictures of equal size as one animation that begins anew when it has ended.
 *
 * All share a palette of 255 colours made of their own; what does not change from one picture to
 * the next is not stored again. `milliseconds` is how long each is shown, the last one for two
 * seconds.
 */
std::string gif_of(const std::vector<Pixels> &pictures, int milliseconds);

} // namespace percussion::report
