#pragma once

#include <percussion/algebra/interface_factor.h>
#include <percussion/algebra/response.h>

#include "blas.h"
#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace percussion {

/// Response of elastic bodies by a factor whose interface contains the degrees of freedom in use: a
/// force costs operations on the dense triangle of the interface.
class FactorResponse : public Response {
public:
  /// Stores references, which must outlive this object. Degrees of freedom in use that are not
  /// unknowns of elastic bodies have no response.
  FactorResponse(InterfaceFactor &f, const PrescribedColumns &c,
                 const std::vector<unsigned int> &dofs)
      : factor(f), columns(c), used_dofs(dofs), on_interface(f.interface().size()) {
    for (const unsigned int dof : dofs)
      numbers.push_back(f.number(dof));
  }

  void start(const Vector &b, Vector &x) override {
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
    for (std::size_t k = 0; k < used_dofs.size(); ++k)
      if (numbers[k] >= 0)
        x[used_dofs[k]] = on_interface[static_cast<unsigned int>(numbers[k])];
  }

  void add_force(const std::vector<double> &force) override {
    std::fill(on_interface.begin(), on_interface.end(), 0.);
    bool has_force = false;
    for (std::size_t k = 0; k < used_dofs.size(); ++k)
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

  void finish(Vector &x) override { factor.finish(x); }
  double compliance(unsigned int i, unsigned int j) override {
    return numbers[i] < 0 || numbers[j] < 0 ? 0. : table()(i, j);
  }

  std::optional<CompliancesTable> compliances() override {
    if (numbers.empty() || *std::min_element(numbers.begin(), numbers.end()) < 0)
      return {};
    return table();
  }

protected:
  /// Returns compliances, valid for unknowns of elastic bodies.
  virtual CompliancesTable table() = 0;

  InterfaceFactor &factor;
  std::vector<int> numbers;        ///< index in the interface of each degree of freedom in use
  std::vector<unsigned int> index; ///< index in the table

private:
  const PrescribedColumns &columns;
  const std::vector<unsigned int> used_dofs;
  std::vector<double> on_interface; ///< values on the interface
};

/// Response by the factor of a constant matrix: the inverse of the interface serves all degrees of
/// freedom in use.
class ConstantResponse final : public FactorResponse {
public:
  ConstantResponse(InterfaceFactor &f, const PrescribedColumns &c,
                   const std::vector<unsigned int> &dofs)
      : FactorResponse(f, c, dofs) {
    index.assign(numbers.begin(), numbers.end());
  }

private:
  CompliancesTable table() override {
    return {factor.inverse().data(), index.data(), factor.interface().size(), false};
  }
};

/// Response by the factor of a matrix whose values change: the inverse is computed for the degrees
/// of freedom in use.
class ChangingResponse final : public FactorResponse {
public:
  ChangingResponse(InterfaceFactor &f, const PrescribedColumns &c,
                   const std::vector<unsigned int> &dofs)
      : FactorResponse(f, c, dofs) {
    index.resize(dofs.size());
    std::iota(index.begin(), index.end(), 0u);
  }

private:
  CompliancesTable table() override {
    if (inverted != factor.version()) {
      inverted = factor.version();
      inverse = factor.inverse_between(numbers);
    }
    return {inverse.data(), index.data(), index.size(), true};
  }

  std::vector<double> inverse;
  unsigned long inverted = 0; ///< version of the factor of `inverse`
};

/// Response of elastic bodies by a factor without an interface, for many degrees of freedom in use:
/// a force costs a triangular solution, and there are no compliances.
class SparseResponse final : public Response {
public:
  /// Stores references, which must outlive this object.
  SparseResponse(InterfaceFactor &f, const PrescribedColumns &c, std::vector<unsigned int> dofs)
      : factor(f), columns(c), used_dofs(std::move(dofs)) {}

  void start(const Vector &b, Vector &x) override {
    factor.start(b, columns, x);
    Cholesky &L = factor.matrix();
    forward.assign(L.work(), L.work() + L.size());
    L.backward();
    for (const unsigned int dof : used_dofs)
      if (L.position(dof) >= 0)
        x[dof] = L.work()[L.position(dof)];
    std::copy(forward.begin(), forward.end(), L.work());
  }

  void add_force(const std::vector<double> &force) override {
    Cholesky &L = factor.matrix();
    forward.assign(L.work(), L.work() + L.size());
    std::fill(L.work(), L.work() + L.size(), 0.);
    for (std::size_t k = 0; k < used_dofs.size(); ++k)
      if (const int position = L.position(used_dofs[k]); position >= 0)
        L.work()[position] = force[k];
    L.forward();
    for (unsigned int k = 0; k < L.size(); ++k)
      L.work()[k] += forward[k];
  }

  void finish(Vector &x) override { factor.finish(x); }
  double compliance(unsigned int, unsigned int) override {
    throw std::logic_error("there is no compliance of so many degrees of freedom");
  }

private:
  InterfaceFactor &factor;
  const PrescribedColumns &columns;
  const std::vector<unsigned int> used_dofs;
  std::vector<double> forward; ///< L⁻¹ (b + f)
};

} // namespace percussion
