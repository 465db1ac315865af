#pragma once

#include "common_polygons.h"

namespace percussion {

/// Removes the segments of a carrier facet that lie behind others by more than a jump [length], and
/// those that are flush with them and in front of none (hidden_sections.h). Returns the gaps next
/// to the corners of the facet, of all segments.
template <typename Number>
std::vector<CornerGap> remove_hidden(const Shadow<double> &carrier, double largest_jump,
                                     std::vector<CommonPolygon<Number>> &segments);

} // namespace percussion
