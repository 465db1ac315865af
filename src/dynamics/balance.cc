#include <percussion/dynamics/balance.h>

#include "balances.h"

namespace percussion {

template <int dim>
std::unique_ptr<Balance<dim>> make_balance(const System<dim> &bodies, const StepChoices &choices,
                                           const Trace<dim> &trace, Projectable projectable) {
  return has_linear_balance(bodies) ? make_linear_balance(bodies, choices, trace, projectable)
                                    : make_nonlinear_balance(bodies, choices, trace, projectable);
}

template std::unique_ptr<Balance<2>> make_balance(const System<2> &, const StepChoices &,
                                                  const Trace<2> &, Projectable);
template std::unique_ptr<Balance<3>> make_balance(const System<3> &, const StepChoices &,
                                                  const Trace<3> &, Projectable);

} // namespace percussion
