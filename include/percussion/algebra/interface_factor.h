#pragma once

#include <percussion/algebra/cholesky.h>
#include <percussion/algebra/prescribed_columns.h>

#include <vector>

namespace percussion {

/// Cholesky factor of the elastic degrees of freedom of a ContactSystem, with some of those that
/// contacts may act on as interface.
class InterfaceFactor {
public:
  /// Stores a reference to the pattern, which must outlive this object. There is no factor yet.
  explicit InterfaceFactor(const SystemPattern &pattern);

  /// Analyses the pattern for this interface.
  void analyse(const std::vector<unsigned int> &interface);
  bool is_analysed() const { return !numbers.empty(); }
  /// Forgets the analysis and the interface; fill() stays.
  void forget();
  /// Returns the number of entries of the last factor.
  double fill() const { return n_entries; }
  /// Returns the degrees of freedom of the interface.
  const std::vector<unsigned int> &interface() const { return interface_dofs; }
  /// Returns the index in the interface of a degree of freedom; −1: outside.
  int number(unsigned int dof) const { return numbers[dof]; }
  /// Returns the degrees of freedom and the candidates for contact near them: contacts spread along
  /// a boundary.
  std::vector<unsigned int> add_surroundings(const std::vector<unsigned int> &dofs) const;

  /// Returns the matrix and its factor: fill its values(), then call factorise().
  Cholesky &matrix() { return cholesky; }
  const Cholesky &matrix() const { return cholesky; }
  /// Returns false if the matrix is not positive definite.
  [[nodiscard]] bool factorise();
  /// Returns the number of factorisations.
  unsigned long version() const { return n_factors; }
  /// Returns Â⁻¹ of the interface, computed once for each factor.
  const std::vector<double> &inverse();
  /// Returns Â⁻¹ between degrees of freedom given by their numbers in the interface; zero in rows
  /// and columns of the number −1.
  std::vector<double> inverse_between(const std::vector<int> &used_numbers) const;

  /// Computes work() = L⁻¹ (b minus the columns times the prescribed values of x).
  void start(const Vector &b, const PrescribedColumns &columns, const Vector &x);
  /// Writes the unknowns of x = L⁻ᵀ work().
  void finish(Vector &x);

private:
  const SystemPattern &pattern;
  Cholesky cholesky;
  std::vector<unsigned int> interface_dofs;
  std::vector<int> numbers;           ///< index in the interface of each degree of freedom
  std::vector<unsigned int> sequence; ///< order of elimination outside the interface, if the
                                      ///< interface changes
  std::vector<double> interface_inverse;
  unsigned long n_factors = 0, inverted = 0; ///< versions of the factor and of its inverse
  double n_entries = 0;
};

} // namespace percussion
