#include <percussion/material/logarithmic_strain.h>
#include <percussion/material/viscoelastic.h>

#include "volumetric_stress.h"

namespace percussion {

namespace {

SpaceTensor read_strain(const double *history) {
  SpaceTensor strain;
  for (unsigned int i = 0; i < 6; ++i)
    strain.access_raw_entry(i) = history[i];
  return strain;
}

/// Returns r = 1/(1 + h/2τ), at the end of the step 1/(1 + h/τ).
double remaining(const MaxwellBranch &branch, double h, bool is_of_end) {
  return 1. / (1. + (is_of_end ? 1. : 0.5) * h / branch.time);
}

/// Stress in logarithmic strain of a step, its loss, and the history at its end if that is given.
HistoryStress strain_stress(const Viscoelastic &law, const LogarithmicStep &strain,
                            const HistoryStep &s, double *history1) {
  const SpaceTensor e = deviator(s.is_of_end ? strain.end : 0.5 * (strain.start + strain.end));
  HistoryStress result{2. * law.shear * e, 0.};
  for (std::size_t i = 0; i < law.branches.size(); ++i) {
    const double mu = law.branches[i].shear, r = remaining(law.branches[i], s.h, s.is_of_end);
    const SpaceTensor Gamma0 = read_strain(s.history0 + 6 * i), d = e - Gamma0;
    result.stress += 2. * mu * r * d;
    result.loss += (s.is_of_end ? 2. : 4.) * mu * r * (1. - r) * (d * d);
    if (history1 == nullptr)
      continue;
    const SpaceTensor Gamma1 = Gamma0 + (s.is_of_end ? 1. : 2.) * (1. - r) * d;
    for (unsigned int k = 0; k < 6; ++k)
      history1[6 * i + k] = Gamma1.access_raw_entry(k);
  }
  return result;
}

} // namespace

double Viscoelastic::energy(const SpaceTensor &A, const double *history) const {
  const SpaceTensor e = deviator(logarithmic_strain(A));
  double energy = shear * (e * e) + volumetric_energy(volumetric_part(), A);
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const SpaceTensor elastic = e - read_strain(history + 6 * i);
    energy += branches[i].shear * (elastic * elastic);
  }
  return energy;
}

SpaceTensor Viscoelastic::stress(const SpaceTensor &A, const double *history) const {
  const SpaceTensor e = deviator(logarithmic_strain(A));
  SpaceTensor T = 2. * shear * e;
  for (std::size_t i = 0; i < branches.size(); ++i)
    T += 2. * branches[i].shear * (e - read_strain(history + 6 * i));
  return stress_of_logarithmic(A, T) + volumetric_stress(volumetric_part(), A, A);
}

HistoryStress Viscoelastic::step(const HistoryStep &s, double *history1) const {
  const LogarithmicStep strain(s.A0, s.A1, s.A1 - s.A0);
  HistoryStress result = strain_stress(*this, strain, s, history1);
  result.stress = strain.stress(result.stress) + volumetric_stress(volumetric_part(), s.A0, s.A1);
  return result;
}

template <int dim>
AlgorithmicStress<dim> Viscoelastic::step_tangent(const HistoryStep &s) const {
  const LogarithmicStep strain(s.A0, s.A1, s.A1 - s.A0);
  const SpaceTensor T = strain_stress(*this, strain, s, nullptr).stress;
  double stiffness = shear; // half of dT/dE₁, also at the end of the step
  for (const MaxwellBranch &branch : branches)
    stiffness += branch.shear * remaining(branch, s.h, s.is_of_end);
  const LogarithmicTangent tangent(strain, T);
  AlgorithmicStress<dim> result{
      components_of_space<dim>(strain.stress(T)), derivative_of<dim>([&](const SpaceTensor &dC) {
        const SpaceTensor dT = stiffness * deviator(tangent.strain_change(dC));
        return tangent.stress_change(dC, dT);
      })};
  add_volumetric_stress(volumetric_part(), s.A0, s.A1, result);
  return result;
}

ElasticModuli Viscoelastic::moduli() const {
  double fast = shear;
  for (const MaxwellBranch &branch : branches)
    fast += branch.shear;
  return {fast, bulk};
}

template AlgorithmicStress<2> Viscoelastic::step_tangent<2>(const HistoryStep &) const;
template AlgorithmicStress<3> Viscoelastic::step_tangent<3>(const HistoryStep &) const;

} // namespace percussion
