#include <percussion/base/processes.h>

#include "parameter_sections.h"
#include <algorithm>

namespace percussion {

template <int dim>
StoredRows stored_rows(const CaseInput &input, const Case<dim> &c,
                       const typename System<dim>::ElasticBodies &elastic) {
  const std::string inertia = input.parameters.get(contact_section + "/Node inertia");
  const bool is_redistributed = inertia == scheme_default
                                    ? scheme(c.scheme_name).redistributes_inertia
                                    : inertia != "consistent";
  const bool are_linear = std::all_of(elastic.begin(), elastic.end(), [](const auto &body) {
    return body->materials.are_linear();
  });
  // The choices take account of the scheme only when contacts are read.
  const bool has_acceleration = scheme(c.scheme_name).integrator != Integrator::theta;
  const bool adds_to_stiffness = scheme(c.scheme_name).formulation == Formulation::nitsche;
  const bool needs_all_rows = dim == 2 || elastic.empty() || !are_linear || is_redistributed ||
                              c.choices.linear_solver != LinearSolver::conjugate_gradients ||
                              !c.choices.has_inertia || has_acceleration || adds_to_stiffness ||
                              !input.subsections("Links").empty() ||
                              input.parameters.get_bool("Initial state/Static preload");
  return processes::number() > 1 && !needs_all_rows ? StoredRows::of_process : StoredRows::all;
}

template StoredRows stored_rows(const CaseInput &, const Case<2> &,
                                const System<2>::ElasticBodies &);
template StoredRows stored_rows(const CaseInput &, const Case<3> &,
                                const System<3>::ElasticBodies &);

} // namespace percussion
