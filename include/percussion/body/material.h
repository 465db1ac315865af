#pragma once

#include <percussion/material/hyperelastic.h>
#include <percussion/material/linear_elastic.h>
#include <percussion/material/viscosity.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace percussion {

/// A material for large deformations.
struct FiniteStrainMaterial {
  HyperelasticLaw law;       ///< stored energy
  FiniteViscosity viscosity; ///< none if η is zero
};

/// A material.
template <int dim>
struct Material {
  double density;   ///< [mass / length³]
  double thickness; ///< out-of-plane size of a two-dimensional body [length]; 1 in three dimensions
  LinearElastic<dim> elastic; ///< the law, or the small-strain limit of `finite_strain`
  LinearViscosity viscosity;  ///< of linear bodies
  std::optional<FiniteStrainMaterial> finite_strain{}; ///< empty for a linear material
  bool incompatible_modes = false;                     ///< in the quadrilaterals of a linear one
};

/// The materials of the cells of a body.
template <int dim>
struct Materials {
  std::vector<Material<dim>> list;   ///< at least one
  std::vector<unsigned int> of_cell; ///< index into it, by active cell; empty: the first for all

  /// One material everywhere.
  Materials(const Material<dim> &everywhere) : list{everywhere} {}
  /// A material for each cell, as an index into the list.
  Materials(std::vector<Material<dim>> all, std::vector<unsigned int> number_of_cell)
      : list(std::move(all)), of_cell(std::move(number_of_cell)) {}

  /// Index of the material of a cell.
  unsigned int number(unsigned int cell) const { return of_cell.empty() ? 0u : of_cell[cell]; }
  /// The material of a cell.
  const Material<dim> &of(unsigned int cell) const { return list[number(cell)]; }
  /// Whether all are linear.
  bool are_linear() const {
    return std::none_of(list.begin(), list.end(), [](const auto &m) { return m.finite_strain; });
  }
};

} // namespace percussion
