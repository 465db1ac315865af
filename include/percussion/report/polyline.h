#pragma once

#include <array>
#include <vector>

namespace percussion::report {

using Pixel = std::array<float, 2>;
using Polyline = std::vector<Pixel>;

/// Keeps of the points in each pixel column the first, the lowest, the highest and the last: a
/// line looks the same, however many steps the run had. x ascends.
Polyline thinned(const Polyline &line);

/// Divides a line into dashes: `pattern` gives lengths in pixels of dash, gap, dash, gap …
/// An empty pattern leaves the line whole.
std::vector<Polyline> dashed(const Polyline &line, const std::vector<float> &pattern);

} // namespace percussion::report
