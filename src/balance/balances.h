#pragma once

#include <percussion/balance/balance.h>

namespace percussion {

/// Creates the balance of linear and rigid bodies without links; see make_balance().
template <int dim>
std::unique_ptr<Balance<dim>>
make_linear_balance(const System<dim> &bodies, const BalanceChoices &choices,
                    const Trace<dim> &trace, const ContactRoute &route);

} // namespace percussion
