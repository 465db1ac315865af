#pragma once

#include <percussion/base/bound.h>
#include <percussion/material/arruda_boyce.h>
#include <percussion/material/elastoplastic.h>
#include <percussion/material/holzapfel_gasser_ogden.h>
#include <percussion/material/mooney_rivlin.h>
#include <percussion/material/neo_hooke.h>
#include <percussion/material/ogden.h>
#include <percussion/material/st_venant_kirchhoff.h>
#include <percussion/material/viscoelastic.h>

#include <optional>
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
/// stress and excess also accept the LaneTensor or LaneSpaceTensor of several points. An
/// IsochoricLaw has all of them from its energy alone, and a discrete gradient in place of excess.
/// A law with a part U(J) has the members of volumetric_energy.h, which mean dilatation needs.
/// A law may have admits(A), true if its numbers do not overflow at A, and fibres (has_fibres). A
/// law is stress-free at A = 0, with the tangent of linear elasticity. A law with memory has the
/// members of history_step.h instead. A new law needs the struct, a row of hyperelastic_laws(), and
/// a row in its test.
///
/// A struct of its own, so that headers name it without the laws.
struct HyperelasticLaw
    : std::variant<Ogden, NeoHooke, StVenantKirchhoff, MooneyRivlin, Yeoh, ArrudaBoyce,
                   HolzapfelGasserOgden, Elastoplastic, Viscoelastic> {
  using variant::variant;
};

/// Returns the number of values that a law stores at each point; zero without memory.
unsigned int n_history(const HyperelasticLaw &law);
/// True if the loss of a law with memory is plastic.
bool is_plastic(const HyperelasticLaw &law);
/// Returns the histories of a law that results contain.
std::vector<HistoryOutput> history_outputs(const HyperelasticLaw &law);

/// Returns the directions of the fibres of a law; no value if it has none.
std::optional<FibreDirections> fibres_of(const HyperelasticLaw &law);

/// True for laws with a part U(J) of the volume alone.
template <typename Law, typename = void>
constexpr bool has_volumetric_part = false;
template <typename Law>
constexpr bool
    has_volumetric_part<Law, std::void_t<decltype(std::declval<const Law &>().volumetric_part())>> =
        true;

/// Returns the law without its part U(J); the law itself if it has none.
HyperelasticLaw local_part(const HyperelasticLaw &law);

/// Constant of a law, as a parameter of the input.
struct MaterialConstant {
  const char *name;
  const char *default_value;
  Bound lower, upper; ///< allowed range; an infinite bound is not checked
  const char *documentation;
  bool is_required = false; ///< true if the input must set it; the default is an example then
};

/// Direction in the undeformed body, as a required entry of the input. The law takes its components
/// in units of its length.
struct MaterialDirection {
  const char *name;
  const char *documentation;
};

/// List of positive numbers, as an entry of the input. The law takes the size of each list and then
/// its numbers.
struct MaterialList {
  const char *name;
  const char *documentation;
  bool is_required = true; ///< if not, a list without an entry is empty
};

/// Constant that does not suit the others, and the reason.
struct UnsuitableConstant {
  const char *name; ///< null if all constants suit each other
  const char *reason;
};

/// Row of the table of laws.
struct HyperelasticLawEntry {
  const char *name;
  const char *description;
  std::vector<MaterialConstant> constants; ///< laws share constants of the same name
  bool plane_stress;                       ///< true if the law is available in plane stress, too
  /// Takes the constants, the lists, and the three components of each direction.
  HyperelasticLaw (*make)(const std::vector<double> &constants, Plane plane);
  std::vector<MaterialDirection> directions{};
  UnsuitableConstant (*check)(const std::vector<double> &constants) = nullptr; ///< null: all suit
  bool has_volumetric_part = true; ///< true if mean dilatation is available
  std::vector<MaterialList> lists{};
};

/// Returns all laws with their names, sources and constants.
const std::vector<HyperelasticLawEntry> &hyperelastic_laws();

/// Returns the law at small strain, S = λ tr(ε) I + 2 µ ε: linear elasticity with the tangent at C
/// = I.
template <int dim = 2>
LinearElastic<dim> small_strain_limit(const HyperelasticLaw &law);

} // namespace percussion
