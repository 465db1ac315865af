#pragma once

#include <percussion/body/elastic_body.h>

#include <optional>

namespace percussion {

/// How far a cell is from where its law holds.
template <int dim>
struct LargeDeformation {
  dealii::Point<dim> place;        ///< undeformed centre of the cell
  double angle;                    ///< of the rotation R in F = R U [degrees]
  double stretch;                  ///< largest |principal stretch − 1| [1]
  bool is_inverted;                ///< det F ≤ 0
  bool law_bears_rotation = false; ///< St. Venant and Kirchhoff's
};

/// Of the cells with a linear law the one that turns by more than 5 degrees, is stretched or
/// compressed by more than a tenth, or is inverted, and does so most; nothing if none does. A
/// linear law is meant for less: it answers a rotation with strain. Of cells with St. Venant and
/// Kirchhoff's law stretches by more than a fifth count, and no rotations. Evaluated at the centres
/// of cells.
template <int dim>
std::optional<LargeDeformation<dim>> beyond_linear_law(const ElasticBody<dim> &body,
                                                       const Vector &q);

} // namespace percussion
