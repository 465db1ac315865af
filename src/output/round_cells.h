// Polyhedra in place of capsules and cylinders in files.

#pragma once

#include <percussion/body/polyhedron.h>

namespace percussion {

/// Returns a polyhedron with about `n_points` vertices on the surface of a capsule or cylinder.
/// Only its vertices and faces are set.
ConvexShape round_cell(const ConvexShape &shape, unsigned int n_points);

} // namespace percussion
