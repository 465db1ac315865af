#include "finite_strain_momentum.h"
#include "linear_momentum.h"

namespace percussion {

template <int dim>
std::unique_ptr<Momentum<dim>> make_momentum(const ElasticBody<dim> &body,
                                             const StepChoices &choices,
                                             const std::vector<unsigned int> &contact_dofs) {
  if (body.material.finite_strain)
    return std::make_unique<FiniteStrainMomentum<dim>>(body, choices, contact_dofs);
  return std::make_unique<LinearMomentum<dim>>(body, choices, contact_dofs);
}

template std::unique_ptr<Momentum<2>> make_momentum(const ElasticBody<2> &, const StepChoices &,
                                                    const std::vector<unsigned int> &);

} // namespace percussion
