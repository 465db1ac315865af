#pragma once

#include <percussion/report/gif.h>

#include <array>
#include <unordered_map>

namespace percussion::report {

using Colour = std::array<std::uint8_t, 3>;

/// At most `count` colours that stand for those of the pictures, white and black among them.
std::vector<Colour> palette_of(const std::vector<Pixels> &pictures, int count);

/// Finds the nearest colour of a palette, and remembers what it has found.
class NearestColour {
public:
  explicit NearestColour(std::vector<Colour> colours) : palette(std::move(colours)) {}

  std::uint8_t operator()(const Colour &colour);

private:
  std::vector<Colour> palette;
  std::unordered_map<std::uint32_t, std::uint8_t> found;
};

} // namespace percussion::report
