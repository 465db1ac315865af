#pragma once

#include <percussion/balance/time_rule.h>
#include <percussion/body/system.h>

#include <string>

namespace percussion {

/// Returns "body 'name'", or "the elastic body" if there is only one.
template <int dim>
std::string name_of_body(const System<dim> &system, const ElasticBody<dim> &body);

/// Returns the cause if Â = M + (h w C + h² k K)/m of linear bodies is not positive definite, as a
/// clause for a message that names the body and the material or the node: constants out of their
/// range, an entry that is not finite, a step in which round-off of the stiffness exceeds the mass
/// of a free body, or nodes or bodies without mass.
template <int dim>
std::string cause_of_indefinite_matrix(const System<dim> &system, const BalanceChoices &choices,
                                       const TimeRule &rule);

} // namespace percussion
