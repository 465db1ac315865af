#pragma once

#include <array>
#include <string>
#include <vector>

namespace percussion {

/// Returns the largest distance of the nodes of an element from their positions in the straight
/// element with the same corners, relative to its longest distance of two corners. `local` has the
/// coordinates of each node in the reference element, `dimension` for each; the first n_corners
/// nodes are the corners.
double curvature(const std::vector<std::array<double, 3>> &nodes, const std::vector<double> &local,
                 unsigned int dimension, unsigned int n_corners);

/// Returns the same for an element whose nodes behind the n_corners corners are to be halfway
/// between some corners, which `middles` lists for each.
double curvature(const std::vector<std::array<double, 3>> &nodes, unsigned int n_corners,
                 const std::vector<std::vector<unsigned int>> &middles);

/// Returns a remark on elements of this curvature, which are read as straight; none if they are
/// straight.
std::vector<std::string> remark_on_curvature(double curvature);

} // namespace percussion
