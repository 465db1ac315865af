#pragma once

#include <percussion/algebra/cholesky.h>

namespace percussion {

/// The linear system Â x = b + f of a time step, where b is known at once and the force f of the
/// contacts, which touches few degrees of freedom, is found only after x on those has been seen.
///
///   start(b, …)           one forward sweep; x without f on the contact degrees of freedom
///   compliance(i, j)      (Â⁻¹)_ij between contact degrees of freedom, for the Delassus operator
///   finish(f, …)          one backward sweep; x everywhere
///
/// Prescribed degrees of freedom have a given x and are moved to the right-hand side.
class CondensedSystem {
public:
  /// `contact_dofs` that are prescribed as well count as prescribed.
  CondensedSystem(const SparseMatrix &A, const std::vector<unsigned int> &prescribed_dofs,
                  const std::vector<unsigned int> &contact_dofs);

  /// Begin with the right-hand side b (all degrees of freedom) and the prescribed values. Writes
  /// the prescribed and the contact entries of x; the contact forces are zero so far.
  void start(const double *b, const std::vector<double> &prescribed_values, double *x);

  /// Add forces on contact degrees of freedom: `force` has an entry for each of contact_dofs().
  void add_contact_force(const std::vector<double> &force);

  /// Write the free entries of x.
  void finish(double *x);

  /// Contact degrees of freedom that are free, and the place of each in them (−1 for others).
  const std::vector<unsigned int> &contact_dofs() const { return contacts; }
  int contact_index(unsigned int dof) const { return index_of_contact[dof]; }

  /// (Â⁻¹)_cc between two free contact degrees of freedom, by their places.
  double compliance(unsigned int i, unsigned int j) const {
    return inverse_of_trailing[std::size_t(i) * contacts.size() + j];
  }

  const Cholesky &factor() const { return cholesky; }

private:
  std::vector<unsigned int> prescribed;
  std::vector<unsigned int> contacts;
  std::vector<int> index_of_contact;
  Cholesky cholesky;
  std::vector<double> inverse_of_trailing;

  /// Entries of A that couple a prescribed column to a free row, as place in the order of
  /// elimination and value, for each prescribed degree of freedom.
  std::vector<std::vector<std::pair<unsigned int, double>>> coupling;
  std::vector<double> trailing; ///< right-hand side of the trailing block
};

} // namespace percussion
