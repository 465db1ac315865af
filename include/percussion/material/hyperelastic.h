#pragma once

#include <percussion/base/bound.h>
#include <percussion/material/neo_hooke.h>
#include <percussion/material/ogden.h>
#include <percussion/material/st_venant_kirchhoff.h>

#include <variant>
#include <vector>

namespace percussion {

/// Any hyperelastic law. A law is a small struct with these members, for the A = C − I of a C in 2D
/// or 3D:
///
///     plane                                     plane strain or plane stress; ignored in 3D
///     energy, stress, tangent                   W [stress], S = 2 W' and 4 W''
///     excess                                    see EnergyExcess
///     out_of_plane_stretch, out_of_plane_stress C₃₃ and S₃₃, in 2D only
///
/// stress and excess also accept the LaneTensor or LaneSpaceTensor of several points. A law is
/// stress-free at A = 0, with the tangent of linear elasticity. A new law needs the
/// struct, a row of hyperelastic_laws(), and a row in its test.
using HyperelasticLaw = std::variant<Ogden, NeoHooke, StVenantKirchhoff>;

/// Constant of a law, as a parameter of the input.
struct MaterialConstant {
  const char *name;
  const char *default_value;
  Bound lower, upper; ///< allowed range; an infinite bound is not checked
  const char *documentation;
};

/// Row of the table of laws.
struct HyperelasticLawEntry {
  const char *name;
  const char *description;
  std::vector<MaterialConstant> constants; ///< laws share constants of the same name
  bool plane_stress;                       ///< true if the law is available in plane stress, too
  HyperelasticLaw (*make)(const std::vector<double> &constants, Plane plane);
};

/// Returns all laws with their names, sources and constants.
const std::vector<HyperelasticLawEntry> &hyperelastic_laws();

/// Returns the law at small strain, S = λ tr(ε) I + 2 µ ε: linear elasticity with the tangent at C
/// = I.
template <int dim = 2>
LinearElastic<dim> small_strain_limit(const HyperelasticLaw &law);

} // namespace percussion
