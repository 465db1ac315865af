#pragma once

#include <percussion/algebra/interface_factor.h>
#include <percussion/algebra/response.h>

namespace percussion {

/// Response of elastic bodies by a factor whose interface contains the degrees of freedom in use: a
/// force costs operations on the dense triangle of the interface.
class FactorResponse : public Response {
public:
  /// Stores references, which must outlive this object. Degrees of freedom in use that are not
  /// unknowns of elastic bodies have no response.
  FactorResponse(InterfaceFactor &factor, const PrescribedColumns &columns,
                 const std::vector<unsigned int> &in_use);

  void start(const Vector &b, Vector &x) override;
  void add_force(const std::vector<double> &force) override;
  void finish(Vector &x) override { factor.finish(x); }
  double compliance(unsigned int i, unsigned int j) override {
    return numbers[i] < 0 || numbers[j] < 0 ? 0. : table()(i, j);
  }
  std::optional<CompliancesTable> compliances() override;

protected:
  /// Returns compliances, valid for unknowns of elastic bodies.
  virtual CompliancesTable table() = 0;

  InterfaceFactor &factor;
  std::vector<int> numbers;        ///< index in the interface of each degree of freedom in use
  std::vector<unsigned int> index; ///< index in the table

private:
  const PrescribedColumns &columns;
  const std::vector<unsigned int> in_use;
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
    return {factor.inverse().data(), index.data(), factor.interface().size()};
  }
};

/// Response by the factor of a matrix whose values change: the inverse is computed for the degrees
/// of freedom in use.
class ChangingResponse final : public FactorResponse {
public:
  ChangingResponse(InterfaceFactor &factor, const PrescribedColumns &columns,
                   const std::vector<unsigned int> &in_use);

private:
  CompliancesTable table() override;

  std::vector<double> inverse;
  unsigned long inverted = 0; ///< version of the factor of `inverse`
};

/// Response of elastic bodies by a factor without an interface, for many degrees of freedom in use:
/// a force costs a triangular solution, and there are no compliances.
class SparseResponse final : public Response {
public:
  /// Stores references, which must outlive this object.
  SparseResponse(InterfaceFactor &f, const PrescribedColumns &c, std::vector<unsigned int> dofs)
      : factor(f), columns(c), in_use(std::move(dofs)) {}

  void start(const Vector &b, Vector &x) override;
  void add_force(const std::vector<double> &force) override;
  void finish(Vector &x) override { factor.finish(x); }
  double compliance(unsigned int i, unsigned int j) override;

private:
  InterfaceFactor &factor;
  const PrescribedColumns &columns;
  const std::vector<unsigned int> in_use;
  std::vector<double> forward; ///< L⁻¹ (b + f)
};

} // namespace percussion
