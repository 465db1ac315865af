#pragma once

#include <percussion/report/frames.h>

namespace percussion::report {

/**
 * Places of points along the edge of plane bodies: lengths from the first of them, with the body
 * on the left. The edge is cut open in the widest stretch without a point, or at its top if they
 * are all around. Points that are not vertices of the edge have no place.
 */
std::map<Vector, double> places_on_edge(vtkUnstructuredGrid &mesh,
                                        const std::vector<Vector> &points);

} // namespace percussion::report
