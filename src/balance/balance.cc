#include <percussion/balance/balance.h>

#include "balances.h"

namespace percussion {

template <int dim>
std::unique_ptr<Balance<dim>> make_balance(const System<dim> &bodies, const BalanceChoices &choices,
                                           const Trace<dim> &trace, const ContactRoute &route) {
  return has_linear_balance(bodies) ? make_linear_balance(bodies, choices, trace, route)
                                    : make_nonlinear_balance(bodies, choices, trace, route);
}

template std::unique_ptr<Balance<2>> make_balance(const System<2> &, const BalanceChoices &,
                                                  const Trace<2> &, const ContactRoute &);
template std::unique_ptr<Balance<3>> make_balance(const System<3> &, const BalanceChoices &,
                                                  const Trace<3> &, const ContactRoute &);

} // namespace percussion
