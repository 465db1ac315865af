#pragma once

#include <percussion/body/polyhedron.h>

#include <string>

namespace percussion {

/// Reads a surface of polygons from a Wavefront file (.obj), or of triangles from an STL file
/// (.stl), text or binary. Corners of triangles with the same coordinates become one vertex. Throws
/// InputError if the file is missing, of another kind or damaged; does not check that the surface
/// is closed.
ClosedSurface read_surface(const std::string &file);

} // namespace percussion
