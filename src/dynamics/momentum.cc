#include "finite_strain_momentum.h"
#include "linear_momentum.h"

namespace percussion {

template <int dim>
std::unique_ptr<Momentum<dim>> make_momentum(const System<dim> &bodies, const StepChoices &choices,
                                             const std::vector<unsigned int> &contact_dofs) {
  if (!bodies.is_linear())
    return std::make_unique<FiniteStrainMomentum<dim>>(bodies, choices, contact_dofs);
  return std::make_unique<LinearMomentum<dim>>(bodies, choices, contact_dofs);
}

template std::unique_ptr<Momentum<2>> make_momentum(const System<2> &, const StepChoices &,
                                                    const std::vector<unsigned int> &);

} // namespace percussion
