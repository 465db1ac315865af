#pragma once

#include <percussion/algebra/vector.h>

#include <optional>
#include <vector>

namespace percussion {

/// Table of all compliances (Â⁻¹)_ij = values[index[i] size + index[j]].
struct CompliancesTable {
  const double *values;
  const unsigned int *index;
  std::size_t size;
  bool is_in_order; ///< true if index[i] = i for i < size
  double operator()(unsigned int i, unsigned int j) const {
    return values[index[i] * size + index[j]];
  }
};

/// Response of bodies to forces f on the degrees of freedom in use, as solution of Â x = b + f.
/// Each kind of response belongs to a list of degrees of freedom in use, to which indices and
/// forces refer.
class Response {
public:
  virtual ~Response() = default;

  /// Starts a solution with the right-hand side b, over all degrees of freedom. x contains the
  /// prescribed values; its entries in use become x without forces.
  virtual void start(const Vector &b, Vector &x) = 0;
  /// Adds forces on the degrees of freedom in use.
  virtual void add_force(const std::vector<double> &force) = 0;
  /// Writes the free entries of x.
  virtual void finish(Vector &x) = 0;

  /// Returns (Â⁻¹)_ij between the i-th and the j-th degree of freedom in use; 0 if one is
  /// prescribed. Throws std::logic_error if there are no compliances.
  virtual double compliance(unsigned int i, unsigned int j) = 0;
  /// Returns compliance() without the reduction by ties.
  virtual double untied_compliance(unsigned int i, unsigned int j) { return compliance(i, j); }
  /// Returns the table of all compliances if this is the fastest access, valid until the next
  /// factorisation.
  virtual std::optional<CompliancesTable> compliances() { return {}; }
};

} // namespace percussion
