#include "gap_gradient.h"

#include <algorithm>

namespace percussion {
namespace {

template <int dim>
double sum_of_norms(const MortarContact<dim> &contact) {
  double sum = 0;
  for (const auto *const side : {&contact.carrier_gradient, &contact.opposite_gradient})
    for (const auto &[point, gradient] : *side)
      sum += gradient.norm();
  return sum;
}

} // namespace

double entry(const NumberWeights<double> &adjoints, unsigned int index) {
  for (const auto &[i, adjoint] : adjoints)
    if (i == index)
      return adjoint;
  return 0.;
}

void seed(const NumberWeights<double> &adjoints, unsigned int result,
          const NumberWeights<Traced> &integrals) {
  for (const auto &[index, integral] : integrals) {
    const auto adjoint =
        std::lower_bound(adjoints.begin(), adjoints.end(), index,
                         [](const auto &entry, unsigned int i) { return entry.first < i; });
    if (adjoint != adjoints.end() && adjoint->first == index)
      Tape::current().seed(integral.index, result, adjoint->second);
  }
}

template <int dim>
void complete_gradients(bool is_axisymmetric, MortarContact<dim> &contact) {
  // On flat interfaces, the neighbours of the facets have derivatives of round-off only.
  constexpr double round_off = 1e-13;
  const double negligible = round_off * sum_of_norms(contact);
  dealii::Tensor<1, dim> resultant;
  for (auto *const side : {&contact.carrier_gradient, &contact.opposite_gradient}) {
    side->erase(
        std::remove_if(side->begin(), side->end(),
                       [&](const auto &entry) { return !(entry.second.norm() > negligible); }),
        side->end());
    for (const auto &[point, gradient] : *side)
      resultant += gradient;
  }
  const double total = sum_of_norms(contact);
  if (is_axisymmetric)
    resultant[0] = 0.;
  for (auto *const side : {&contact.carrier_gradient, &contact.opposite_gradient})
    for (auto &[point, gradient] : *side)
      gradient -= gradient.norm() / total * resultant;
}

template void complete_gradients(bool, MortarContact<2> &);
template void complete_gradients(bool, MortarContact<3> &);

} // namespace percussion
