#include <percussion/contact/bond_law.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Bilinear law for one ratio of the modes.
struct Bilinear {
  double stiffness; ///< K
  double onset;     ///< δ0
  double final;     ///< δ_f

  double strength() const { return stiffness * onset; }
  /// Traction on the envelope at an opening from δ0 on.
  double envelope(double opening) const {
    return strength() * std::max(final - opening, 0.) / (final - onset);
  }
  /// Secant stiffness of a bond that was opened by `largest`.
  double secant(double largest) const { return envelope(largest) / largest; }
  double secant_slope(double largest) const {
    return largest < final ? -strength() * final / ((final - onset) * largest * largest) : 0.;
  }
  /// Damage of a bond that was opened by `largest`.
  double damage(double largest) const { return 1. - secant(largest) / stiffness; }
  /// Largest opening of a bond with this damage.
  double largest(double damage) const {
    return onset * final / ((1. - damage) * (final - onset) + onset);
  }
  /// Energy that damage takes until the largest opening is this.
  double dissipated(double largest) const {
    return 0.5 * strength() * final * (std::min(largest, final) - onset) / (final - onset);
  }
};

/// Returns s = ⟨w_N⟩² + r w_T².
template <int dim>
double square(const BondLaw &law, const BondOpening<dim> &w) {
  double tangential = 0;
  for (unsigned int t = 1; t < dim; ++t)
    tangential += w[t] * w[t];
  const double normal = std::max(w[0], 0.);
  return normal * normal + law.shear_ratio * tangential;
}

/// Returns the law at the mode ratio of an opening: Benzeggagh and Kenane (1996) give the
/// toughness, Turon et al. (2006).
template <int dim>
Bilinear mode_law(const BondLaw &law, const BondOpening<dim> &w) {
  double onset = law.strength / law.stiffness, toughness = law.fracture_energy;
  if (law.shear_strength > 0.) {
    const double s = square<dim>(law, w), normal = std::max(w[0], 0.);
    const double ratio = s > 0. ? 1. - normal * normal / s : 0.;
    const double weight = std::pow(ratio, law.mode_exponent);
    const double shear_onset = law.shear_strength / (law.stiffness * std::sqrt(law.shear_ratio));
    onset = std::sqrt(onset * onset + (shear_onset * shear_onset - onset * onset) * weight);
    toughness += (law.shear_fracture_energy - toughness) * weight;
  }
  return {law.stiffness, onset, 2. * toughness / (law.stiffness * onset)};
}

/// Incremental potential P(s): the stored energy at the damage reached plus the energy that damage
/// takes from the beginning.
struct IncrementalPotential {
  Bilinear law;
  double largest; ///< largest opening m before the step

  /// Returns (P(s1) − P(s0))/(s1 − s0) as a mean of slopes, without a difference of energies.
  double mean_slope(double s0, double s1) const {
    const double bound = largest * largest;
    if (std::max(s0, s1) <= bound)
      return 0.5 * law.secant(largest);
    if (s0 > s1)
      std::swap(s0, s1);
    const double outside = std::max(s0, bound);
    const double inside_fraction = s1 > s0 ? (outside - s0) / (s1 - s0) : 0.;
    return inside_fraction * 0.5 * law.secant(largest) +
           (1. - inside_fraction) * envelope_slope(std::sqrt(outside), std::sqrt(s1));
  }
  /// Returns P'(s).
  double slope(double s) const { return 0.5 * law.secant(std::max(largest, std::sqrt(s))); }
  /// Returns P(s) − P(m²) for openings beyond m, otherwise zero.
  double envelope_energy(double s) const {
    const double bound = largest * largest;
    return s > bound ? (s - bound) * envelope_slope(largest, std::sqrt(s)) : 0.;
  }

private:
  /// Mean slope by s on the envelope between two openings: ½ (t(a) + t(e)) (e − a)/(b² − a²), with
  /// e the smaller of b and δ_f.
  double envelope_slope(double a, double b) const {
    const double begin = std::min(a, law.final), end = std::min(b, law.final);
    const double fraction = b > a ? (end - begin) / (b - a) : 1.;
    return 0.5 * (law.envelope(begin) + law.envelope(end)) * fraction / (a + b);
  }
};

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

} // namespace

template <int dim>
BondStep<dim> bond_step(const BondLaw &bond, double damage, const BondOpening<dim> &opening0,
                        const BondOpening<dim> &opening1, BondTraction traction) {
  const Bilinear law = mode_law<dim>(bond, opening0);
  const IncrementalPotential potential{law, law.largest(damage)};
  const double s0 = square<dim>(bond, opening0), s1 = square<dim>(bond, opening1);
  const double reached = std::max(potential.largest, std::sqrt(s1));
  const std::array<double, dim> gradient = square_gradient<dim>(bond, opening1);
  BondStep<dim> step;
  step.damage = reached > potential.largest ? std::max(damage, law.damage(reached)) : damage;
  step.stored0 = stored_energy<dim>(bond, damage, opening0);
  step.stored1 = stored_energy<dim>(bond, step.damage, opening1);
  // The mode has changed if the opening at the beginning is beyond the largest one.
  const double bound = potential.largest * potential.largest;
  const double excess = s0 > bound ? 0.5 * law.secant(potential.largest) * (s0 - bound) -
                                         potential.envelope_energy(s0)
                                   : 0.;
  step.loss = law.dissipated(reached) - law.dissipated(potential.largest) + excess;
  if (traction == BondTraction::mean) {
    const double k = potential.mean_slope(s0, s1);
    const StepDirections<dim> directions(bond, opening0, opening1);
    const bool is_loading = std::max(s0, s1) > bound && s1 != s0;
    set_traction<dim>(k, is_loading ? (potential.slope(s1) - k) / (s1 - s0) : 0., directions.value,
                      directions.slope, gradient, step);
  } else {
    const double opening = std::sqrt(s1);
    const bool is_loading = opening > potential.largest;
    std::array<double, dim> direction, slope;
    for (unsigned int r = 0; r < dim; ++r) {
      direction[r] = 0.5 * gradient[r];
      slope[r] = r > 0 ? bond.shear_ratio : (opening1[0] >= 0. ? 1. : 0.);
    }
    set_traction<dim>(law.secant(reached),
                      is_loading ? law.secant_slope(opening) / (2. * opening) : 0., direction,
                      slope, gradient, step);
  }
  return step;
}

template <int dim>
double stored_energy(const BondLaw &law, double damage, const BondOpening<dim> &opening) {
  return 0.5 * law.stiffness * (1. - damage) * square<dim>(law, opening);
}

double final_opening(const BondLaw &law) { return 2. * law.fracture_energy / law.strength; }

template BondStep<2> bond_step<2>(const BondLaw &, double, const BondOpening<2> &,
                                  const BondOpening<2> &, BondTraction);
template BondStep<3> bond_step<3>(const BondLaw &, double, const BondOpening<3> &,
                                  const BondOpening<3> &, BondTraction);
template double stored_energy<2>(const BondLaw &, double, const BondOpening<2> &);
template double stored_energy<3>(const BondLaw &, double, const BondOpening<3> &);

} // namespace percussion
