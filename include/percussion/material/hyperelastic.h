#pragma once

#include <percussion/base/bound.h>
#include <percussion/material/neo_hooke.h>
#include <percussion/material/ogden.h>
#include <percussion/material/st_venant_kirchhoff.h>

#include <variant>
#include <vector>

namespace percussion {

/// Any hyperelastic law. A law is a small struct with these members, for the A = C − I of a C in
/// the plane or in space:
///
///     plane                                     plane strain or plane stress; no matter in space
///     energy, stress, tangent                   W [stress], S = 2 W' and 4 W''
///     excess                                    see EnergyExcess
///     out_of_plane_stretch, out_of_plane_stress C₃₃ and S₃₃, in the plane only
///
/// stress and excess also for the LaneTensor or LaneSpaceTensor of several points. It is
/// stress-free at A = 0, which its tangent there makes linear elasticity. To add one: the struct, a
/// row of hyperelastic_laws(), and a row in its test.
using HyperelasticLaw = std::variant<Ogden, NeoHooke, StVenantKirchhoff>;

/// A constant of a law as a parameter of the input.
struct MaterialConstant {
  const char *name;
  const char *default_value;
  Bound lower, upper; ///< allowed range; an infinite bound is none
  const char *documentation;
};

/// A row of the table of laws.
struct HyperelasticLawEntry {
  const char *name;
  const char *description;
  std::vector<MaterialConstant> constants; ///< laws share constants of the same name
  bool plane_stress;                       ///< whether the law is available in plane stress, too
  HyperelasticLaw (*make)(const std::vector<double> &constants, Plane plane);
};

/// All laws with their names, sources and constants.
const std::vector<HyperelasticLawEntry> &hyperelastic_laws();

/// The law at small strain, S = λ tr(ε) I + 2 µ ε: linear elasticity with its tangent at C = I.
template <int dim = 2>
LinearElastic<dim> small_strain_limit(const HyperelasticLaw &law);

} // namespace percussion
