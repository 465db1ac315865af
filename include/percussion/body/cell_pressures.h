#pragma once

#include <percussion/base/lanes.h>

#include <cstring>
#include <vector>

namespace percussion {

/// Pressures of the groups of cells with mean dilatation of a nearly incompressible material, as
/// unknowns of the corrections of a step.
///
/// Near incompressibility a correction δ changes the volume by a term of second order, whose
/// pressure p̄(q1) exceeds the stresses: with it in the geometric stiffness, or along the old b̂ in
/// K, Newton's method needs tiny steps. Corrections of the mixed problem in q1 and p,
///
///     f_local(q1) + p c(q1) = F ,   p̄(q1) − p = 0 ,
///
/// need about as many steps for each Poisson's ratio, and have the same limit. With the forces c of
/// p̄ = 1, the gradient b̂ of the volume at the configuration of K, and κ̂ = dp̄/dV, the elimination
/// of p gives (D. Magisano, L. Leonetti & G. Garcea 2017, for stresses at points)
///
///     (K_local + κ̂ b̂ b̂ᵀ) δ = F − f(q1) + (p̄ − p) (c − b̂) ,   p ← p̄ + κ̂ b̂ᵀ δ .
struct CellPressures {
  std::vector<double> iterated; ///< p of each cell, equal in a group [stress]
  std::vector<double> mean;     ///< p̄ of each cell in the step evaluated last [stress]
  std::vector<double> rows;     ///< b̂ of each group, by the order of its degrees of freedom
  std::vector<double> slopes;   ///< κ̂ of each group at a fixed beginning of the step

  /// Returns the values of the cells of a block.
  static Lanes of_block(const std::vector<double> &values, unsigned int block) {
    Lanes lanes;
    std::memcpy(&lanes, &values[std::size_t(block) * n_lanes], sizeof lanes);
    return lanes;
  }
};

} // namespace percussion
