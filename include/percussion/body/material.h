#pragma once

#include <percussion/material/hyperelastic.h>
#include <percussion/material/linear_elastic.h>
#include <percussion/material/viscosity.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace percussion {

/// What a body of large deformations is made of.
struct FiniteStrainMaterial {
  HyperelasticLaw law;       ///< stored energy
  FiniteViscosity viscosity; ///< none if its η is zero
};

/// What a body is made of.
template <int dim>
struct Material {
  double density;   ///< [mass / length³]
  double thickness; ///< out-of-plane size of a two-dimensional body [length]; 1 in three dimensions
  LinearElastic<dim> elastic; ///< the law, or the limit of `finite_strain` for small strains
  LinearViscosity viscosity;  ///< of linear bodies
  std::optional<FiniteStrainMaterial> finite_strain{}; ///< nothing: the material is linear
};

/// What each cell of a body is made of.
template <int dim>
struct Materials {
  std::vector<Material<dim>> list;    ///< at least one
  std::vector<unsigned char> of_cell; ///< its number in the list, by active cell; empty: the first

  /// The same everywhere.
  Materials(const Material<dim> &everywhere) : list{everywhere} {}
  /// Each cell has its own, by its number in the list.
  Materials(std::vector<Material<dim>> all, std::vector<unsigned char> number_of_cell)
      : list(std::move(all)), of_cell(std::move(number_of_cell)) {}

  /// Number of a cell's material in the list.
  unsigned int number(unsigned int cell) const { return of_cell.empty() ? 0u : of_cell[cell]; }
  /// A cell's material.
  const Material<dim> &of(unsigned int cell) const { return list[number(cell)]; }
  /// Whether all are linear.
  bool are_linear() const {
    return std::none_of(list.begin(), list.end(), [](const auto &m) { return m.finite_strain; });
  }
};

} // namespace percussion
