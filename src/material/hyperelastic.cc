#include <percussion/material/hyperelastic.h>

#include <limits>
#include <stdexcept>

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

} // namespace

const std::vector<HyperelasticLawEntry> &hyperelastic_laws() {
  static const std::vector<HyperelasticLawEntry> table = {
      {"ogden",
       "compressible Ogden law of Ciarlet and Geymonat, "
       "W = C1 (I1 - 3) + C2 (I2 - 3) + D (I3 - 1) - (C1 + 2 C2 + D) ln I3 (BBDM24, section 6.2); "
       "at small strain lambda = 4 (C2 + D), mu = 2 (C1 + C2)",
       {{"C1", "1", zero_excluded, unbounded, "Constant of I1 in the Ogden law [M/(L T^2)]."},
        {"C2", "0", zero_included, unbounded, "Constant of I2 in the Ogden law [M/(L T^2)]."},
        {"D", "0", zero_included, unbounded, "Constant of I3 in the Ogden law [M/(L T^2)]."}},
       true,
       make_ogden},
      {"neo-hooke",
       "compressible neo-Hookean law, W = mu/2 (I1 - 3 - ln I3) + lambda/8 (ln I3)^2, with "
       "Lame's constants of Young's modulus and Poisson's ratio; in 2D plane strain only",
       {{"Young modulus", "1", zero_excluded, unbounded, "Young's modulus E [M/(L T^2)]."},
        {"Poisson ratio", "0", zero_included, {0.5, false}, "Poisson's ratio nu [1]."}},
       false,
       make_neo_hooke},
      {"St. Venant-Kirchhoff",
       "linear elasticity in the Green-Lagrange strain E, W = lambda/2 (tr E)^2 + mu E:E, for "
       "stiff bodies that rotate: strains must be small (10 %), rotations may have any size",
       {{"Young modulus", "1", zero_excluded, unbounded, "Young's modulus E [M/(L T^2)]."},
        {"Poisson ratio", "0", {-1., false}, {0.5, false}, "Poisson's ratio nu [1]."}},
       true,
       make_st_venant_kirchhoff},
  };
  return table;
}

template <int dim>
LinearElastic<dim> small_strain_limit(const HyperelasticLaw &law) {
  return std::visit(
      [](const auto &material_law) -> LinearElastic<dim> {
        const auto tangent = material_law.tangent(dealii::SymmetricTensor<2, dim>());
        const double lambda = tangent[0][0][1][1];
        const bool has_lambda_33 = dim == 3 || material_law.plane == Plane::strain;
        return {lambda, tangent[0][1][0][1], has_lambda_33 ? lambda : 0.};
      },
      law);
}

template LinearElastic<2> small_strain_limit<2>(const HyperelasticLaw &);
template LinearElastic<3> small_strain_limit<3>(const HyperelasticLaw &);

} // namespace percussion
