#include "factor_response.h"

#include "blas.h"
#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace percussion {

FactorResponse::FactorResponse(InterfaceFactor &f, const PrescribedColumns &c,
                               const std::vector<unsigned int> &dofs)
    : factor(f), columns(c), in_use(dofs), on_interface(f.interface().size()) {
  for (const unsigned int dof : dofs)
    numbers.push_back(f.number(dof));
}

void FactorResponse::start(const Vector &b, Vector &x) {
  factor.start(b, columns, x);
  const auto &positions = factor.matrix().interface_positions();
  if (positions.empty())
    return;
  const double *const forward = factor.matrix().work();
  for (std::size_t k = 0; k < positions.size(); ++k)
    on_interface[k] = forward[positions[k]];
  const int n = static_cast<int>(positions.size()), stride = 1;
  dtrsv_("L", "T", "N", &n, factor.matrix().interface_factor().data(), &n, on_interface.data(),
         &stride);
  for (std::size_t k = 0; k < in_use.size(); ++k)
    if (numbers[k] >= 0)
      entries(x)[in_use[k]] = on_interface[static_cast<unsigned int>(numbers[k])];
}

void FactorResponse::add_force(const std::vector<double> &force) {
  std::fill(on_interface.begin(), on_interface.end(), 0.);
  bool has_force = false;
  for (std::size_t k = 0; k < in_use.size(); ++k)
    if (numbers[k] >= 0) {
      on_interface[static_cast<unsigned int>(numbers[k])] += force[k];
      has_force = has_force || force[k] != 0.;
    }
  if (!has_force)
    return;
  const auto &positions = factor.matrix().interface_positions();
  const int n = static_cast<int>(positions.size()), stride = 1;
  dtrsv_("L", "N", "N", &n, factor.matrix().interface_factor().data(), &n, on_interface.data(),
         &stride);
  for (std::size_t k = 0; k < positions.size(); ++k)
    factor.matrix().work()[positions[k]] += on_interface[k];
}

std::optional<CompliancesTable> FactorResponse::compliances() {
  if (numbers.empty() || *std::min_element(numbers.begin(), numbers.end()) < 0)
    return {};
  return table();
}

ChangingResponse::ChangingResponse(InterfaceFactor &f, const PrescribedColumns &c,
                                   const std::vector<unsigned int> &dofs)
    : FactorResponse(f, c, dofs) {
  index.resize(dofs.size());
  std::iota(index.begin(), index.end(), 0u);
}

CompliancesTable ChangingResponse::table() {
  if (inverted != factor.version()) {
    inverted = factor.version();
    inverse = factor.inverse_between(numbers);
  }
  return {inverse.data(), index.data(), index.size()};
}

void SparseResponse::start(const Vector &b, Vector &x) {
  factor.start(b, columns, x);
  Cholesky &L = factor.matrix();
  forward.assign(L.work(), L.work() + L.size());
  L.backward();
  for (const unsigned int dof : in_use)
    if (L.position(dof) >= 0)
      entries(x)[dof] = L.work()[L.position(dof)];
  std::copy(forward.begin(), forward.end(), L.work());
}

void SparseResponse::add_force(const std::vector<double> &force) {
  Cholesky &L = factor.matrix();
  forward.assign(L.work(), L.work() + L.size());
  std::fill(L.work(), L.work() + L.size(), 0.);
  for (std::size_t k = 0; k < in_use.size(); ++k)
    if (const int position = L.position(in_use[k]); position >= 0)
      L.work()[position] = force[k];
  L.forward();
  for (unsigned int k = 0; k < L.size(); ++k)
    L.work()[k] += forward[k];
}

double SparseResponse::compliance(unsigned int, unsigned int) {
  throw std::logic_error("there is no compliance of so many degrees of freedom");
}

} // namespace percussion
