#include <percussion/contact/bond_law.h>

#include "adhesive_potential.h"
#include "cohesive_potential.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

/// Returns s = ⟨w_N⟩² + r w_T².
template <int dim>
double square(const BondLaw &law, const BondOpening<dim> &w) {
  double tangential = 0;
  for (unsigned int t = 1; t < dim; ++t)
    tangential += w[t] * w[t];
  const double normal = std::max(w[0], 0.);
  return normal * normal + law.shear_ratio * tangential;
}

/// Returns the toughness at the fraction of shear in the energy by Benzeggagh and Kenane (1996), or
/// by the power law of the energies (Camanho and Davila 2002).
double toughness_at(const BondLaw &law, double shear) {
  const double exponent = law.mode_exponent;
  if (law.mixed_mode == MixedMode::interpolation)
    return law.fracture_energy +
           (law.shear_fracture_energy - law.fracture_energy) * std::pow(shear, exponent);
  return std::pow(std::pow((1. - shear) / law.fracture_energy, exponent) +
                      std::pow(shear / law.shear_fracture_energy, exponent),
                  -1. / exponent);
}

/// Returns the equivalent opening δ0 at the fraction of shear in the energy by Turon et al. (2006),
/// or by the quadratic criterion of the tractions (Camanho and Davila 2002).
double onset_at(const BondLaw &law, double shear) {
  const double onset = law.strength / law.stiffness,
               shear_onset = law.shear_strength / (law.stiffness * std::sqrt(law.shear_ratio));
  if (law.mixed_mode == MixedMode::interpolation)
    return std::sqrt(onset * onset + (shear_onset * shear_onset - onset * onset) *
                                         std::pow(shear, law.mode_exponent));
  return 1. / std::sqrt((1. - shear) / (onset * onset) + shear / (shear_onset * shear_onset));
}

/// Returns the law at the mode ratio of an opening.
template <int dim>
Bilinear mode_law(const BondLaw &law, const BondOpening<dim> &w) {
  const double s = square<dim>(law, w), normal = std::max(w[0], 0.);
  const double shear = s > 0. ? 1. - normal * normal / s : 0.;
  const bool has_modes = law.shear_strength > 0.;
  const double toughness = has_modes ? toughness_at(law, shear) : law.fracture_energy;
  if (law.is_extrinsic)
    return {law.strength, std::numeric_limits<double>::infinity(), 0.,
            2. * toughness / law.strength, 2. * law.fracture_energy / law.strength};
  const double onset = has_modes ? onset_at(law, shear) : law.strength / law.stiffness;
  const double strength = law.stiffness * onset;
  return {strength, law.stiffness, onset, 2. * toughness / strength, 0.};
}

/// Directions D_s of the traction, with D_s · (w1 − w0) = s1 − s0, and their derivatives by w1.
template <int dim>
struct StepDirections {
  std::array<double, dim> value, slope;

  StepDirections(const BondLaw &law, const BondOpening<dim> &w0, const BondOpening<dim> &w1) {
    const double positive0 = std::max(w0[0], 0.), positive1 = std::max(w1[0], 0.);
    // The quotient of the positive openings lies between 0 and 1.
    const double change = w1[0] - w0[0];
    const bool crosses = (w0[0] > 0.) != (w1[0] > 0.);
    const bool is_open = w1[0] > 0. || (w1[0] == 0. && w0[0] == 0.); // tension begins at zero
    const double fraction = !crosses ? (is_open ? 1. : 0.) : (positive1 - positive0) / change;
    value[0] = fraction * (positive0 + positive1);
    slope[0] = !crosses     ? fraction
               : w1[0] > 0. ? (2. * positive1 - value[0]) / change
                            : -value[0] / change;
    for (unsigned int t = 1; t < dim; ++t) {
      value[t] = law.shear_ratio * (w0[t] + w1[t]);
      slope[t] = law.shear_ratio;
    }
  }
};

/// Returns ∂s/∂w.
template <int dim>
std::array<double, dim> square_gradient(const BondLaw &law, const BondOpening<dim> &w) {
  std::array<double, dim> gradient{2. * std::max(w[0], 0.)};
  for (unsigned int t = 1; t < dim; ++t)
    gradient[t] = 2. * law.shear_ratio * w[t];
  return gradient;
}

/// Sets traction k D and its tangent k ∂D + D ⊗ k' ∂s, with k'(s1).
template <int dim>
void set_traction(double k, double k_slope, const std::array<double, dim> &direction,
                  const std::array<double, dim> &direction_slope,
                  const std::array<double, dim> &gradient, BondStep<dim> &step) {
  for (unsigned int r = 0; r < dim; ++r) {
    step.traction[r] = k * direction[r];
    step.secant[r] = k * direction_slope[r];
    for (unsigned int c = 0; c < dim; ++c)
      step.tangent[r * dim + c] =
          k_slope * direction[r] * gradient[c] + (r == c ? k * direction_slope[r] : 0.);
  }
}

/// Returns the step of a bond with an incremental potential of s.
template <int dim, typename Potential>
BondStep<dim> step_with(const Potential &potential, const BondLaw &bond, double damage,
                        const BondOpening<dim> &opening0, const BondOpening<dim> &opening1,
                        BondTraction traction) {
  const double s0 = square<dim>(bond, opening0), s1 = square<dim>(bond, opening1);
  const std::array<double, dim> gradient = square_gradient<dim>(bond, opening1);
  BondStep<dim> step;
  step.damage = potential.damage(damage, s1);
  step.stored0 = stored_energy<dim>(bond, damage, opening0);
  step.stored1 = stored_energy<dim>(bond, step.damage, opening1);
  step.loss = potential.loss(s0, s1);
  if (traction == BondTraction::mean) {
    const double k = potential.mean_slope(s0, s1);
    const StepDirections<dim> directions(bond, opening0, opening1);
    const bool is_loading = std::max(s0, s1) > potential.bound() && s1 != s0;
    set_traction<dim>(k, is_loading ? (potential.slope(s1) - k) / (s1 - s0) : 0., directions.value,
                      directions.slope, gradient, step);
  } else {
    std::array<double, dim> direction, slope;
    for (unsigned int r = 0; r < dim; ++r) {
      direction[r] = 0.5 * gradient[r];
      slope[r] = r > 0 ? bond.shear_ratio : (opening1[0] >= 0. ? 1. : 0.);
    }
    set_traction<dim>(2. * potential.slope(s1), 2. * potential.curvature(s1), direction, slope,
                      gradient, step);
  }
  return step;
}

} // namespace

template <int dim>
BondStep<dim> bond_step(const BondLaw &law, double damage, const BondOpening<dim> &opening0,
                        const BondOpening<dim> &opening1, double h, BondTraction traction) {
  if (law.is_adhesive()) {
    const AdhesivePotential potential{law.stiffness, law.adhesion_energy,
                                      law.adhesion_viscosity / h, std::sqrt(1. - damage)};
    return step_with<dim>(potential, law, damage, opening0, opening1, traction);
  }
  // Without an opening at the beginning there is no mode, and P is zero for all of them.
  const bool opens = law.is_extrinsic && damage == 0.;
  const Bilinear mode = mode_law<dim>(law, opens ? opening1 : opening0);
  return step_with<dim>(CohesivePotential<Bilinear>{mode, mode.largest(damage)}, law, damage,
                        opening0, opening1, traction);
}

template <int dim>
double equivalent_traction(const BondLaw &law, const std::array<double, dim> &traction) {
  double square = std::pow(std::max(traction[0], 0.), 2);
  for (unsigned int t = 1; t < dim; ++t)
    square += traction[t] * traction[t] / law.shear_ratio;
  return std::sqrt(square);
}

template <int dim>
double stored_energy(const BondLaw &law, double damage, const BondOpening<dim> &opening) {
  if (law.is_extrinsic) {
    const Bilinear mode = mode_law<dim>(law, opening);
    return damage > 0. ? 0.5 * mode.secant(mode.largest(damage)) * square<dim>(law, opening) : 0.;
  }
  return 0.5 * law.stiffness * (1. - damage) * square<dim>(law, opening);
}

double final_opening(const BondLaw &law) {
  constexpr double negligible_intensity = 0.01;
  return law.is_adhesive() ? std::sqrt(law.adhesion_energy / (law.stiffness * negligible_intensity))
                           : 2. * law.fracture_energy / law.strength;
}

template BondStep<2> bond_step<2>(const BondLaw &, double, const BondOpening<2> &,
                                  const BondOpening<2> &, double, BondTraction);
template BondStep<3> bond_step<3>(const BondLaw &, double, const BondOpening<3> &,
                                  const BondOpening<3> &, double, BondTraction);
template double equivalent_traction<2>(const BondLaw &, const std::array<double, 2> &);
template double equivalent_traction<3>(const BondLaw &, const std::array<double, 3> &);
template double stored_energy<2>(const BondLaw &, double, const BondOpening<2> &);
template double stored_energy<3>(const BondLaw &, double, const BondOpening<3> &);

} // namespace percussion
