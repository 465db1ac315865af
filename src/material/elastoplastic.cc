#include <percussion/material/elastoplastic.h>
#include <percussion/material/logarithmic_strain.h>

#include "volumetric_stress.h"
#include <cmath>

namespace percussion {

using dealii::Tensor;

namespace {

/// History of a point.
struct PlasticState {
  Tensor<2, 3> inverse_minus_I; ///< G = F^p⁻¹ − I, accurate also for small plastic strains
  double alpha;
  SpaceTensor back_strain; ///< β
};

constexpr unsigned int position_of_alpha = 9, position_of_back_strain = 10;

PlasticState read_state(const double *history, bool is_kinematic) {
  PlasticState state;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      state.inverse_minus_I[i][j] = history[3 * i + j];
  state.alpha = history[position_of_alpha];
  for (unsigned int i = 0; is_kinematic && i < 6; ++i)
    state.back_strain.access_raw_entry(i) = history[position_of_back_strain + i];
  return state;
}

void write_state(const PlasticState &state, bool is_kinematic, double *history) {
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      history[3 * i + j] = state.inverse_minus_I[i][j];
  history[position_of_alpha] = state.alpha;
  for (unsigned int i = 0; is_kinematic && i < 6; ++i)
    history[position_of_back_strain + i] = state.back_strain.access_raw_entry(i);
}

Tensor<2, 3> plus_I(Tensor<2, 3> G) {
  for (unsigned int i = 0; i < 3; ++i)
    G[i][i] += 1.;
  return G;
}

/// Returns Pᵀ X P.
SpaceTensor pulled_back(const Tensor<2, 3> &P, const SpaceTensor &X) {
  return symmetrize(transpose(P) * Tensor<2, 3>(X) * P);
}

/// Returns C^e − I = Pᵀ A P + G + Gᵀ + Gᵀ G, P = I + G.
SpaceTensor elastic_A(const Tensor<2, 3> &G, const SpaceTensor &A) {
  return pulled_back(plus_I(G), A) + symmetrize(2. * G + transpose(G) * G);
}

/// Returns exp(E) − I.
Tensor<2, 3> exponential_minus_I(const SpaceTensor &E) {
  const PrincipalAxes axes = principal_axes(E);
  std::array<double, 3> values;
  for (unsigned int i = 0; i < 3; ++i)
    values[i] = std::expm1(axes.values[i]);
  return Tensor<2, 3>(from_principal_axes(values, axes.vectors));
}

/// Step between both elastic strains.
struct ElasticStep {
  ElasticStep(const Elastoplastic &law, const HistoryStep &s)
      : state(read_state(s.history0, law.flow.kinematic > 0.)), P(plus_I(state.inverse_minus_I)),
        strain(elastic_A(state.inverse_minus_I, s.A0), elastic_A(state.inverse_minus_I, s.A1),
               pulled_back(P, s.A1 - s.A0)),
        flow(law.flow, strain.start, strain.end, strain.change, state.back_strain, state.alpha, s.h,
             s.is_of_end) {}

  /// Returns P S Pᵀ.
  SpaceTensor pushed(const SpaceTensor &S) const {
    return symmetrize(P * Tensor<2, 3>(S) * transpose(P));
  }

  PlasticState state;
  Tensor<2, 3> P; ///< F^p₀⁻¹
  LogarithmicStep strain;
  PlasticReturn flow;
};

/// Returns F^p₁⁻¹ − I. Without back stress F^p₁⁻¹ = F^p₀⁻¹ exp(−Δα n). A back stress turns n away
/// from the axes of E*; then F^p₁⁻¹ = F^p₀⁻¹ U*⁻¹ U₁ with the stretches U = exp(E) of both elastic
/// strains has exactly the elastic strain E₁ = E* − Δα n, too.
Tensor<2, 3> advanced(const ElasticStep &step, bool is_kinematic) {
  const PlasticReturn &flow = step.flow;
  const SpaceTensor flown = flow.increment * flow.direction;
  if (!is_kinematic)
    return step.state.inverse_minus_I + step.P * exponential_minus_I(-flown);
  const SpaceTensor &trial = step.strain.end;
  const Tensor<2, 3> change = exponential_minus_I(trial - flown) - exponential_minus_I(trial);
  return step.state.inverse_minus_I + step.P * plus_I(exponential_minus_I(-trial)) * change;
}

} // namespace

double Elastoplastic::energy(const SpaceTensor &A, const double *history) const {
  const PlasticState state = read_state(history, flow.kinematic > 0.);
  const SpaceTensor e = deviator(logarithmic_strain(elastic_A(state.inverse_minus_I, A)));
  return flow.shear * (e * e) + flow.stored(state.alpha) +
         flow.kinematic / 3. * (state.back_strain * state.back_strain) +
         volumetric_energy(volumetric_part(), A);
}

SpaceTensor Elastoplastic::stress(const SpaceTensor &A, const double *history) const {
  const Tensor<2, 3> G = read_state(history, false).inverse_minus_I, P = plus_I(G);
  const SpaceTensor Ae = elastic_A(G, A);
  const SpaceTensor S =
      stress_of_logarithmic(Ae, 2. * flow.shear * deviator(logarithmic_strain(Ae)));
  return symmetrize(P * Tensor<2, 3>(S) * transpose(P)) +
         volumetric_stress(volumetric_part(), A, A);
}

HistoryStress Elastoplastic::step(const HistoryStep &s, double *history1) const {
  const ElasticStep elastic(*this, s);
  PlasticState state = elastic.state;
  if (elastic.flow.increment > 0.) {
    state.inverse_minus_I = advanced(elastic, flow.kinematic > 0.);
    state.alpha += elastic.flow.increment;
    state.back_strain += elastic.flow.increment * elastic.flow.direction;
  }
  write_state(state, flow.kinematic > 0., history1);
  if (heat_capacity > 0.)
    history1[index_of_temperature()] =
        s.history0[index_of_temperature()] + elastic.flow.loss / heat_capacity;
  return {elastic.pushed(elastic.strain.stress(elastic.flow.stress)) +
              volumetric_stress(volumetric_part(), s.A0, s.A1),
          elastic.flow.loss};
}

template <int dim>
AlgorithmicStress<dim> Elastoplastic::step_tangent(const HistoryStep &s) const {
  const ElasticStep elastic(*this, s);
  const LogarithmicTangent tangent(elastic.strain, elastic.flow.stress);
  AlgorithmicStress<dim> result{
      components_of_space<dim>(elastic.pushed(elastic.strain.stress(elastic.flow.stress))),
      derivative_of<dim>([&](const SpaceTensor &dC) {
        const SpaceTensor dCe = pulled_back(elastic.P, dC);
        const SpaceTensor dT = elastic.flow.stress_change(tangent.strain_change(dCe));
        return elastic.pushed(tangent.stress_change(dCe, dT));
      })};
  add_volumetric_stress(volumetric_part(), s.A0, s.A1, result);
  return result;
}

std::vector<HistoryOutput> Elastoplastic::outputs() const {
  std::vector<HistoryOutput> fields = {
      {"equivalent_plastic_strain",
       "equivalent plastic strain alpha, the mean over the points of the cell", position_of_alpha}};
  if (heat_capacity > 0.)
    fields.push_back({"temperature_rise",
                      "rise of the temperature by the plastic loss, the mean over the points of "
                      "the cell",
                      index_of_temperature()});
  return fields;
}

template AlgorithmicStress<2> Elastoplastic::step_tangent<2>(const HistoryStep &) const;
template AlgorithmicStress<3> Elastoplastic::step_tangent<3>(const HistoryStep &) const;

} // namespace percussion
