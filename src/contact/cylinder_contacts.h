// Contacts of cylinders with flat ends with capsules and polyhedra.

#pragma once

#include "placed_shape.h"

namespace percussion {

/// Returns the contacts of a cylinder with a capsule: of the spheres around both ends of the
/// segment (features 0 and 1); around the point of the segment that is nearest to the cylinder, if
/// it is nearer than others (2); and around the points at which the segment leaves the end face or
/// the side that it nearly lies on (3 to 6), so that it does not rock there.
TouchingShapes between_cylinder_and_capsule(const PlacedShape &cylinder, const PlacedShape &capsule,
                                            double reach, bool cylinder_is_first,
                                            const PairGuide<3> &guide);

/// Returns the contacts of a cylinder with a polyhedron.
///
/// Both touch along the axis that separates them most or has the least penetration: the normal of a
/// face of the polyhedron or of an end face of the cylinder, or the normal of the cylinder at the
/// point of an edge that is nearest to it. Contacts have normals within 11° of this axis:
///
/// * vertices of the polyhedron at the cylinder (features from 0);
/// * the point of each edge that is nearest to the cylinder, if it is nearer than others, and the
///   points at which the edge leaves the end face or the side that it nearly lies on (five for each
///   edge);
/// * points of the rims at faces of the polyhedron (eight for each face): the lowest point of each
///   rim, so that a cylinder lies on the two ends of its generator, and quarters of a turn from it
///   if the end face stands on the polyhedron.
TouchingShapes between_cylinder_and_polyhedron(const PlacedShape &cylinder,
                                               const PlacedShape &polyhedron, double reach,
                                               bool cylinder_is_first, const PairGuide<3> &guide);

} // namespace percussion
