#pragma once

#include "common_polygons.h"

namespace percussion {

/// Removes the segments of a carrier facet of this size that lie behind others, and those that are
/// flush with them and in front of none (hidden_sections.h). Returns the sections next to the
/// corners of the facet, of all segments.
std::vector<CornerSection> remove_hidden(const Shadow &carrier, double size,
                                         std::vector<CommonPolygon> &segments);

} // namespace percussion
