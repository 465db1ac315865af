#pragma once

#include <percussion/contact/surface.h>

namespace percussion {

/// Returns the gap of a position to the zero level of a formula: the distance from its foot point,
/// the nearest point of the level, by Newton's method from the foot point of the linearised
/// formula. If the formula is a distance, the latter is the foot point. If Newton's method does not
/// converge, for positions far from the level, the gap is the value of the formula over its slope.
/// Throws RunError if the formula has no gradient at the position.
template <int dim>
Gap<dim> level_set_gap(const LevelSet &level_set, const dealii::Point<dim> &x);

} // namespace percussion
