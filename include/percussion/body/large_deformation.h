#pragma once

#include <percussion/body/elastic_body.h>

#include <optional>

namespace percussion {

/// Deformation of a cell beyond the range of its law.
template <int dim>
struct LargeDeformation {
  dealii::Point<dim> centre;       ///< undeformed centre of the cell
  double angle;                    ///< angle of the rotation R in F = R U [degrees]
  double stretch;                  ///< largest |principal stretch − 1| [1]
  bool is_inverted;                ///< true if det F ≤ 0
  bool law_bears_rotation = false; ///< true for St. Venant and Kirchhoff's law
};

/// Returns the most deformed of the cells with a linear law that are rotated by more than 5
/// degrees, stretched or compressed by more than a tenth, or inverted; std::nullopt if there is
/// none. A linear law is meant for less: it converts rotations to strains. For cells with St.
/// Venant and Kirchhoff's law, which is invariant under rotations, the limit is a stretch of a
/// fifth. Evaluated at the centres of cells.
template <int dim>
std::optional<LargeDeformation<dim>> beyond_linear_law(const ElasticBody<dim> &body,
                                                       const Vector &q);

} // namespace percussion
