#pragma once

#include <percussion/body/polyhedron.h>

#include <string>

namespace percussion {

/// Read a surface of polygons from a Wavefront file (.obj), or of triangles from an STL file
/// (.stl), text or binary. Corners of triangles with the same coordinates are one vertex. Throws
/// InputError where the file is missing, of another kind or damaged; says nothing of whether the
/// surface is closed.
ClosedSurface read_surface(const std::string &file);

} // namespace percussion
