// Contacts of two cylinders with flat ends.

#pragma once

#include "placed_shape.h"

namespace percussion {

/// Returns the contacts of two cylinders.
///
/// Both touch along the axis that separates them most or has the least penetration: the axis of
/// either, the common perpendicular of both, the direction across parallel axes, or the normal at
/// the point of a rim that is nearest to the other cylinder. Contacts have normals within 11° of
/// this axis. If two end faces face each other, they are quarters of a turn along each rim within
/// the other end face (features 0 to 15), and the crossings of both rims (16 and 17). Otherwise
/// they are the points of the rims that are nearer to the other cylinder than their neighbours, up
/// to two of each rim (18 to 25), hence two for cylinders side by side or one across an end face,
/// and the crossing of both sides if it is nearer (26).
TouchingShapes between_cylinders(const PlacedShape &first, const PlacedShape &second, double reach,
                                 const PairGuide<3> &guide);

} // namespace percussion
