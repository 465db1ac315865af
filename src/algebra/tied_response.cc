#include "tied_response.h"

namespace percussion {

TiedResponse::TiedResponse(std::unique_ptr<Response> r, Ties &t, const unsigned long &factors,
                           std::vector<unsigned int> dofs, std::size_t n_tied)
    : untied(std::move(r)), ties(t), n_factors(factors), in_use(std::move(dofs)),
      n_untied(in_use.size() - n_tied) {}

void TiedResponse::prepare() {
  const unsigned long version = n_factors + ties.version();
  if (!ties.are_prepared(version, in_use.size()))
    ties.prepare(version, in_use.size(), [&](std::size_t i, unsigned int k) {
      return untied->compliance(static_cast<unsigned int>(i),
                                static_cast<unsigned int>(n_untied) + k);
    });
}

/// Adds the last forces of the ties.
void TiedResponse::add_force_of_ties() {
  std::vector<double> force(n_untied, 0.);
  const auto on_tied = ties.force_on_tied();
  force.insert(force.end(), on_tied.begin(), on_tied.end());
  untied->add_force(force);
}

void TiedResponse::start(const Vector &b, Vector &x) {
  untied->start(b, x);
  prepare();
  std::vector<double> value;
  for (const unsigned int dof : in_use)
    value.push_back(entries(x)[dof]);
  ties.start(value.data() + n_untied);
  for (std::size_t k = 0; k < in_use.size(); ++k) // some degrees of freedom occur twice
    entries(x)[in_use[k]] = value[k] + ties.displacement(k);
  add_force_of_ties();
}

void TiedResponse::add_force(const std::vector<double> &force) {
  std::vector<double> on_all = force;
  on_all.resize(in_use.size(), 0.);
  untied->add_force(on_all);
  prepare();
  ties.add(on_all);
  add_force_of_ties();
}

double TiedResponse::compliance(unsigned int i, unsigned int j) {
  prepare();
  return untied->compliance(i, j) - ties.share_of_compliance(i, j);
}

} // namespace percussion
