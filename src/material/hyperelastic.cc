#include <percussion/material/hyperelastic.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

namespace percussion {

namespace {

constexpr Bound zero_excluded = {0., false}, zero_included = {0., true};
constexpr Bound unbounded = {std::numeric_limits<double>::infinity(), false};

HyperelasticLaw make_ogden(const std::vector<double> &constants, Plane plane) {
  return Ogden{constants.at(0), constants.at(1), constants.at(2), plane};
}

HyperelasticLaw make_neo_hooke(const std::vector<double> &constants, Plane plane) {
  if (plane != NeoHooke::plane)
    throw std::invalid_argument("neo-hooke has no plane stress");
  return NeoHooke::from_young(constants.at(0), constants.at(1));
}

HyperelasticLaw make_st_venant_kirchhoff(const std::vector<double> &constants, Plane plane) {
  return StVenantKirchhoff::from_young(constants.at(0), constants.at(1), plane);
}

/// Throws if the law is not one of plane strain.
void require_plane_strain(const char *name, Plane plane) {
  if (plane != Plane::strain)
    throw std::invalid_argument(std::string(name) + " has no plane stress");
}

HyperelasticLaw make_mooney_rivlin(const std::vector<double> &constants, Plane plane) {
  require_plane_strain("mooney-rivlin", plane);
  return MooneyRivlin{{constants.at(0), constants.at(1), constants.at(2)}};
}

HyperelasticLaw make_yeoh(const std::vector<double> &constants, Plane plane) {
  require_plane_strain("yeoh", plane);
  return Yeoh{{{constants.at(0), constants.at(1), constants.at(2)}, constants.at(3)}};
}

UnsuitableConstant check_yeoh(const std::vector<double> &constants) {
  if (is_increasing(constants.at(0), constants.at(1), constants.at(2)))
    return {nullptr, nullptr};
  return {"C20", "the energy would decrease with the stretch; with Law = yeoh allowed is C20 >= 0, "
                 "or C20^2 < 3 C10 C30"};
}

HyperelasticLaw make_arruda_boyce(const std::vector<double> &constants, Plane plane) {
  require_plane_strain("arruda-boyce", plane);
  return eight_chains(constants.at(0), constants.at(1), constants.at(2));
}

HyperelasticLaw make_holzapfel_gasser_ogden(const std::vector<double> &constants, Plane plane) {
  require_plane_strain("holzapfel-gasser-ogden", plane);
  HolzapfelGasserOgden law;
  law.shear = constants.at(0);
  law.k1 = constants.at(1);
  law.k2 = constants.at(2);
  law.dispersion = constants.at(3);
  law.bulk = constants.at(4);
  for (unsigned int i = 0; i < 2; ++i) {
    FibreDirection &fibre = law.fibres[i];
    for (unsigned int d = 0; d < 3; ++d)
      fibre[d] = constants.at(5 + 3 * i + d);
    fibre /= fibre.norm();
  }
  return law;
}

/// Returns shear and bulk modulus.
ElasticModuli moduli_of_young(double young, double poisson) {
  return {young / (2. * (1. + poisson)), young / (3. * (1. - 2. * poisson))};
}

/// Positions of the constants of elastoplastic, in the order of its row.
namespace elastoplastic {
constexpr std::size_t yield_stress = 2, hardening = 3, saturation = 4, heat_capacity = 10;
}

/// Returns the list that begins with its size at a position, and sets the position behind it.
std::vector<double> list_at(const std::vector<double> &constants, std::size_t &position) {
  const auto begin = constants.begin() + static_cast<std::ptrdiff_t>(position) + 1,
             end = begin + static_cast<std::ptrdiff_t>(constants.at(position));
  position += 1 + static_cast<std::size_t>(end - begin);
  return {begin, end};
}

/// Strains and stresses of the table of hardening.
std::pair<std::vector<double>, std::vector<double>>
hardening_points(const std::vector<double> &constants) {
  std::size_t position = elastoplastic::heat_capacity + 1;
  std::vector<double> strains = list_at(constants, position);
  return {std::move(strains), list_at(constants, position)};
}

UnsuitableConstant check_elastoplastic(const std::vector<double> &constants) {
  auto [strains, stresses] = hardening_points(constants);
  if (strains.size() != stresses.size())
    return {"Hardening stresses", "each of the Hardening strains needs one stress"};
  if (strains.empty())
    return {nullptr, nullptr};
  for (const auto &[position, name] : {std::pair{elastoplastic::hardening, "Hardening modulus"},
                                       std::pair{elastoplastic::saturation, "Saturation stress"}})
    if (constants.at(position) != 0.)
      return {name, "the Hardening stresses replace it; allowed is 0"};
  if (std::adjacent_find(strains.begin(), strains.end(), std::greater_equal<>()) != strains.end())
    return {"Hardening strains", "allowed are ascending strains"};
  stresses.insert(stresses.begin(), constants.at(elastoplastic::yield_stress));
  if (!std::is_sorted(stresses.begin(), stresses.end()))
    return {"Hardening stresses",
            "allowed are stresses that do not descend, from the Yield stress"};
  return {nullptr, nullptr};
}

HyperelasticLaw make_elastoplastic(const std::vector<double> &constants, Plane plane) {
  require_plane_strain("elastoplastic", plane);
  const ElasticModuli moduli = moduli_of_young(constants.at(0), constants.at(1));
  PlasticFlow flow{};
  flow.shear = moduli.shear;
  std::size_t i = 2;
  for (double *const constant :
       {&flow.yield_stress, &flow.hardening, &flow.saturation, &flow.exponent, &flow.kinematic,
        &flow.viscosity, &flow.rate_factor, &flow.reference_rate})
    *constant = constants.at(i++);
  auto [strains, stresses] = hardening_points(constants);
  for (double &stress : stresses)
    stress -= flow.yield_stress;
  flow.table = HardeningTable(std::move(strains), std::move(stresses));
  return Elastoplastic{flow, moduli.bulk, constants.at(elastoplastic::heat_capacity)};
}

HyperelasticLaw make_viscoelastic(const std::vector<double> &constants, Plane plane) {
  require_plane_strain("viscoelastic", plane);
  const ElasticModuli moduli = moduli_of_young(constants.at(0), constants.at(1));
  Viscoelastic law{moduli.shear, moduli.bulk, {}};
  std::size_t position = 2;
  const std::vector<double> branch_moduli = list_at(constants, position),
                            times = list_at(constants, position);
  for (std::size_t i = 0; i < std::min(branch_moduli.size(), times.size()); ++i)
    law.branches.push_back({branch_moduli[i], times[i]});
  return law;
}

UnsuitableConstant check_viscoelastic(const std::vector<double> &constants) {
  const auto n = static_cast<std::size_t>(constants.at(2));
  constexpr std::size_t most_branches = 100;
  if (constants.at(3 + n) != constants.at(2))
    return {"Prony times", "each of the Prony moduli needs one time"};
  if (n > most_branches)
    return {"Prony moduli", "there are more than 100 branches"};
  return {nullptr, nullptr};
}

constexpr bool entry_is_required = true;
const MaterialConstant young_modulus = {"Young modulus", "1", zero_excluded, unbounded,
                                        "Young's modulus E [M/(L T^2)]."};
const MaterialConstant poisson_ratio = {
    "Poisson ratio", "0", {-1., false}, {0.5, false}, "Poisson's ratio nu [1]."};
const MaterialConstant bulk_modulus = {"Bulk modulus",
                                       "10",
                                       zero_excluded,
                                       unbounded,
                                       "Bulk modulus kappa [M/(L T^2)]: the energy kappa/2 (J - "
                                       "1)^2 of the volume change J. Poisson's "
                                       "ratio is (3 kappa - 2 mu)/(6 kappa + 2 mu).",
                                       entry_is_required};
const MaterialConstant shear_modulus = {"Shear modulus",
                                        "1",
                                        zero_excluded,
                                        unbounded,
                                        "Shear modulus mu at small strains [M/(L T^2)].",
                                        entry_is_required};
const MaterialConstant first_constant = {
    "C10", "1", zero_excluded, unbounded, "Constant of I1* - 3 [M/(L T^2)].", entry_is_required};
constexpr const char *fibre_direction = "Direction of a family of fibres at a position of the "
                                        "undeformed body, of any length [1]; in 2D "
                                        "with its component out of the plane or along the "
                                        "circumference. In curved walls its components "
                                        "are formulas, or the name of an array of vectors that a "
                                        "VTK file has for its cells, e.g. -y, x, "
                                        "0 or fibre. Required with Law = holzapfel-gasser-ogden.";

} // namespace

const std::vector<HyperelasticLawEntry> &hyperelastic_laws() {
  static const std::vector<HyperelasticLawEntry> table = {
      {"ogden",
       "compressible Ogden law of Ciarlet and Geymonat, "
       "W = C1 (I1 - 3) + C2 (I2 - 3) + D (I3 - 1) - (C1 + 2 C2 + D) ln I3 (BBDM24, section 6.2); "
       "at small strain lambda = 4 (C2 + D), mu = 2 (C1 + C2)",
       {{"C1", "1", zero_excluded, unbounded, "Constant of I1 [M/(L T^2)]."},
        {"C2", "0", zero_included, unbounded, "Constant of I2 [M/(L T^2)]."},
        {"D", "0", zero_included, unbounded, "Constant of I3 [M/(L T^2)]."}},
       true,
       make_ogden},
      {"neo-hooke",
       "compressible neo-Hookean law, W = mu/2 (I1 - 3 - ln I3) + lambda/8 (ln I3)^2, with Lame's "
       "constants",
       {{"Young modulus", "1", zero_excluded, unbounded, "Young's modulus E [M/(L T^2)]."},
        {"Poisson ratio", "0", zero_included, {0.5, false}, "Poisson's ratio nu [1]."}},
       false,
       make_neo_hooke},
      {"St. Venant-Kirchhoff",
       "linear elasticity in the Green-Lagrange strain E, W = lambda/2 (tr E)^2 + mu E:E, for "
       "strains up to 10 % and any rotation",
       {{"Young modulus", "1", zero_excluded, unbounded, "Young's modulus E [M/(L T^2)]."},
        {"Poisson ratio", "0", {-1., false}, {0.5, false}, "Poisson's ratio nu [1]."}},
       true,
       make_st_venant_kirchhoff,
       {},
       nullptr,
       false},
      {"mooney-rivlin",
       "law of Mooney and Rivlin, W = C10 (I1* - 3) + C01 (I2* - 3) + kappa/2 (J - 1)^2, with the "
       "invariants I1* = J^(-2/3) I1 and I2* = J^(-4/3) I2 without volume change; mu = 2 (C10 + "
       "C01)",
       {first_constant,
        {"C01", "0", zero_included, unbounded, "Constant of I2* - 3 [M/(L T^2)]."},
        bulk_modulus},
       false,
       make_mooney_rivlin},
      {"yeoh",
       "Yeoh's law, W = C10 (I1* - 3) + C20 (I1* - 3)^2 + C30 (I1* - 3)^3 + kappa/2 (J - 1)^2; mu "
       "= "
       "2 C10",
       {first_constant,
        {"C20",
         "0",
         {-unbounded.value, false},
         unbounded,
         "Constant of (I1* - 3)^2 [M/(L T^2)]. The energy must increase with I1*."},
        {"C30", "0", zero_included, unbounded, "Constant of (I1* - 3)^3 [M/(L T^2)]."},
        bulk_modulus},
       false,
       make_yeoh,
       {},
       check_yeoh},
      {"arruda-boyce",
       "Arruda and Boyce's law of eight chains, by five terms of the inverse Langevin function of "
       "I1*, plus kappa/2 (J - 1)^2",
       {shear_modulus,
        {"Locking stretch",
         "3",
         {1., false},
         unbounded,
         "Stretch lambda_L at which the chains lock [1]."},
        bulk_modulus},
       false,
       make_arruda_boyce},
      {"holzapfel-gasser-ogden",
       "law of arterial walls of Holzapfel, Gasser and Ogden, W = mu/2 (I1* - 3) + k1/(2 k2) sum "
       "(exp(k2 <E>^2) - 1) + kappa/2 (J - 1)^2, with E = d (I1* - 3) + (1 - 3 d) (I4* - 1) of two "
       "families of fibres, which bear tension only",
       {shear_modulus,
        {"Fibre stiffness", "1", zero_included, unbounded, "Stress k1 of the fibres [M/(L T^2)].",
         entry_is_required},
        {"Fibre exponent", "1", zero_excluded, unbounded,
         "Exponent k2 of the fibres [1]: their stress grows as exp(k2 E^2).", entry_is_required},
        {"Fibre dispersion",
         "0",
         zero_included,
         {1. / 3., true},
         "Dispersion d of the directions in each family [1], from 0 (parallel fibres) to 1/3 "
         "(isotropic)."},
        bulk_modulus},
       false,
       make_holzapfel_gasser_ogden,
       {{"Fibre 1", fibre_direction}, {"Fibre 2", fibre_direction}}},
      {"elastoplastic",
       "J2 plasticity of metals, with F = Fe Fp and Hencky's elasticity mu |dev E|^2 + kappa/2 (ln "
       "J)^2 of the logarithmic strain E = 1/2 ln(Fe^T Fe); the yield stress is Yield stress + "
       "Hardening modulus a + Saturation stress (1 - exp(-Saturation exponent a)) for the "
       "equivalent plastic strain a",
       {young_modulus,
        poisson_ratio,
        {"Yield stress", "1", zero_excluded, unbounded,
         "Stress at which a bar begins to flow [M/(L T^2)].", entry_is_required},
        {"Hardening modulus", "0", zero_included, unbounded,
         "Slope H of the yield stress by the equivalent plastic strain a [M/(L T^2)]."},
        {"Saturation stress", "0", zero_included, unbounded,
         "Limit Q of the hardening Q (1 - exp(-b a)) that saturates (Voce 1955) [M/(L T^2)]."},
        {"Saturation exponent", "1", zero_excluded, unbounded,
         "Exponent b of the hardening that saturates [1]."},
        {"Kinematic modulus", "0", zero_included, unbounded,
         "Slope of the back stress by the plastic strain of a bar [M/(L T^2)]."},
        {"Flow viscosity", "0", zero_included, unbounded,
         "Overstress per rate of the equivalent plastic strain (Perzyna 1966) [M/(L T)]."},
        {"Rate factor", "0", zero_included, unbounded,
         "Factor C of the relative increase C ln(rate / Reference rate) of the yield stress "
         "(Johnson and Cook 1983) [1]."},
        {"Reference rate", "1", zero_excluded, unbounded,
         "Rate of the equivalent plastic strain above which Rate factor acts [1/T]."},
        {"Heat capacity", "0", zero_included, unbounded,
         "Heat capacity of the undeformed volume, density times specific heat [M/(L T^2)] per "
         "degree. With it results contain temperature_rise, if all plastic loss heats its own "
         "point."}},
       false,
       make_elastoplastic,
       {},
       check_elastoplastic,
       true,
       {{"Hardening strains",
         "Equivalent plastic strains of the Hardening stresses [1], ascending, without 0.", false},
        {"Hardening stresses",
         "Yield stresses at the Hardening strains [M/(L T^2)], in place of Hardening modulus and "
         "Saturation stress: from Yield stress linear to the first and between them, constant "
         "beyond the last.",
         false}}},
      {"viscoelastic",
       "generalised Maxwell law (Prony series) on Hencky's elasticity with the moduli of slow "
       "strains, for shear up to about 1",
       {young_modulus, poisson_ratio},
       false,
       make_viscoelastic,
       {},
       check_viscoelastic,
       true,
       {{"Prony moduli", "Shear moduli of the branches [M/(L T^2)], as many as Prony times. "
                         "Required with Law = viscoelastic."},
        {"Prony times",
         "Relaxation times of the branches [T]. Required with Law = viscoelastic."}}},
  };
  return table;
}

HyperelasticLaw local_part(const HyperelasticLaw &law) {
  return std::visit(
      [](const auto &material_law) -> HyperelasticLaw {
        if constexpr (has_volumetric_part<std::decay_t<decltype(material_law)>>)
          return material_law.local_part();
        else
          return material_law;
      },
      law);
}

unsigned int n_history(const HyperelasticLaw &law) {
  return std::visit(
      [](const auto &material_law) {
        if constexpr (has_history<std::decay_t<decltype(material_law)>>)
          return material_law.n_history();
        else
          return 0u;
      },
      law);
}

bool is_plastic(const HyperelasticLaw &law) {
  return std::visit(
      [](const auto &material_law) {
        using Law = std::decay_t<decltype(material_law)>;
        if constexpr (has_history<Law>)
          return Law::is_plastic;
        else
          return false;
      },
      law);
}

std::vector<HistoryOutput> history_outputs(const HyperelasticLaw &law) {
  return std::visit(
      [](const auto &material_law) -> std::vector<HistoryOutput> {
        using Law = std::decay_t<decltype(material_law)>;
        if constexpr (has_history<Law>)
          return material_law.outputs();
        else
          return {};
      },
      law);
}

std::optional<FibreDirections> fibres_of(const HyperelasticLaw &law) {
  return std::visit(
      [](const auto &material_law) -> std::optional<FibreDirections> {
        if constexpr (has_fibres<std::decay_t<decltype(material_law)>>)
          return material_law.fibres;
        else
          return {};
      },
      law);
}

template <int dim>
LinearElastic<dim> small_strain_limit(const HyperelasticLaw &law) {
  return std::visit(
      [](const auto &material_law) -> LinearElastic<dim> {
        if constexpr (has_history<std::decay_t<decltype(material_law)>>) {
          const auto [shear, bulk] = material_law.moduli();
          const double lambda = bulk - 2. / 3. * shear;
          return {lambda, shear, lambda};
        } else {
          const auto tangent = material_law.tangent(dealii::SymmetricTensor<2, dim>());
          const double lambda = tangent[0][0][1][1];
          const bool has_lambda_33 = dim == 3 || material_law.plane == Plane::strain;
          return {lambda, tangent[0][1][0][1], has_lambda_33 ? lambda : 0.};
        }
      },
      law);
}

template LinearElastic<2> small_strain_limit<2>(const HyperelasticLaw &);
template LinearElastic<3> small_strain_limit<3>(const HyperelasticLaw &);

} // namespace percussion
