#pragma once

#include <percussion/material/hyperelastic.h>
#include <percussion/material/linear_elastic.h>
#include <percussion/material/viscosity.h>

#include <optional>

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
  std::optional<FiniteStrainMaterial> finite_strain{}; ///< nothing: the body is linear
};

} // namespace percussion
