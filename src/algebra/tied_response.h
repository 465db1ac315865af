#pragma once

#include <percussion/algebra/response.h>
#include <percussion/algebra/ties.h>

#include <memory>

namespace percussion {

/// Response of bodies that ties couple, by their response without ties. The last degrees of freedom
/// in use are those of the ties.
class TiedResponse final : public Response {
public:
  /// Stores references to the ties and to the number of factorisations of Â, which must outlive
  /// this object.
  TiedResponse(std::unique_ptr<Response> r, Ties &t, const unsigned long &factors,
               std::vector<unsigned int> dofs, std::size_t n_tied)
      : untied(std::move(r)), ties(t), n_factors(factors), used_dofs(std::move(dofs)),
        n_untied(used_dofs.size() - n_tied) {}

  void start(const Vector &b, Vector &x) override {
    untied->start(b, x);
    prepare();
    std::vector<double> value;
    for (const unsigned int dof : used_dofs)
      value.push_back(x[dof]);
    ties.start(value.data() + n_untied);
    for (std::size_t k = 0; k < used_dofs.size(); ++k) // some degrees of freedom occur twice
      x[used_dofs[k]] = value[k] + ties.displacement(k);
    add_force_of_ties();
  }

  void add_force(const std::vector<double> &force) override {
    std::vector<double> on_all = force;
    on_all.resize(used_dofs.size(), 0.);
    untied->add_force(on_all);
    prepare();
    ties.add(on_all);
    add_force_of_ties();
  }

  void finish(Vector &x) override { untied->finish(x); }
  double compliance(unsigned int i, unsigned int j) override {
    prepare();
    return untied->compliance(i, j) - ties.reduction_of_compliance(i, j);
  }
  double untied_compliance(unsigned int i, unsigned int j) override {
    return untied->compliance(i, j);
  }

private:
  void prepare() {
    const unsigned long version = n_factors + ties.version();
    if (!ties.are_prepared(version, used_dofs.size()))
      ties.prepare(version, used_dofs.size(), [&](std::size_t i, std::size_t j) {
        return untied->compliance(static_cast<unsigned int>(i), static_cast<unsigned int>(j));
      });
  }

  /// Adds the last forces of the ties.
  void add_force_of_ties() {
    std::vector<double> force(n_untied, 0.);
    const auto on_tied = ties.force_on_tied();
    force.insert(force.end(), on_tied.begin(), on_tied.end());
    untied->add_force(force);
  }

  std::unique_ptr<Response> untied;
  Ties &ties;
  const unsigned long &n_factors;
  const std::vector<unsigned int> used_dofs;
  const std::size_t n_untied; ///< number of degrees of freedom in use before those of the ties
};

} // namespace percussion
