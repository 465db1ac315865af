#pragma once

#include <percussion/report/scene.h>

#include "instant.h"
#include <map>

namespace percussion::report {

/// The straight ones of the surfaces that contact points may touch, by the number of the contact
/// (the point data "pair"; 0 where files do not tell).
///
/// A surface is straight where every contact point's nearest place on it, which is its gap away
/// against the normal, lies on one line. Gaps are exaggerated as displacements are; a line remains
/// where the undeformed body touches the ground all along, or nothing is exaggerated. `size` is
/// that of the bodies.
std::map<int, Ground> straight_grounds(const Instant &contacts, const Warp &warp,
                                       const Motion &motion, double size);

/// Those of all instants' grounds whose direction never changes: a curved surface may look straight
/// to the few points that are near it at one instant.
std::vector<std::vector<Ground>> lasting(const std::vector<std::map<int, Ground>> &grounds);

} // namespace percussion::report
