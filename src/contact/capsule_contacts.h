// Contacts of capsules with each other and with polyhedra.

#pragma once

#include "placed_shape.h"

namespace percussion {

/// Returns the contacts of two capsules.
///
/// An end of a segment that has its nearest point in the interior of the other segment, or two ends
/// that are nearest to each other, make a contact of a sphere with a capsule (the first capsule's
/// ends have the features 0 and 1, the second's 2 and 3). Parallel capsules therefore touch at both
/// ends of the length along which they are side by side. The nearest points of both segments make a
/// contact (feature 4) if they are interior and nearer to each other than at the other contacts.
TouchingShapes between_capsules(const PlacedShape &first, const PlacedShape &second, double reach,
                                const PairGuide<3> &guide);

/// Returns the contacts of a capsule with a polyhedron.
///
/// Each end of the segment makes the contact of a sphere (features 0 and 1). Each edge that the
/// segment crosses makes a contact along the common perpendicular (2 and the edge), if it is
/// between the normals of the faces at the edge or within 11° of one of them: a segment that lies
/// along a face and beyond its border touches at the border. Each vertex of the polyhedron beside
/// the segment makes a contact, too (following the edges), so that a segment along an edge touches
/// at both ends of the common length. If the segment itself goes through the polyhedron, there are
/// only the contacts along the axis with the least penetration.
TouchingShapes between_capsule_and_polyhedron(const PlacedShape &capsule,
                                              const PlacedShape &polyhedron, double reach,
                                              bool capsule_is_first, const PairGuide<3> &guide);

} // namespace percussion
