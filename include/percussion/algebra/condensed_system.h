#pragma once

#include <percussion/algebra/cholesky.h>

namespace percussion {

/// The linear system Â x = b + f of a time step, where b is known at once and the force f of the
/// contacts, which touches few degrees of freedom, is found only after x on those has been seen.
///
///   start(b, …)           one forward sweep; x without f on the contact degrees of freedom
///   compliance(i, j)      (Â⁻¹)_ij between contact degrees of freedom, for the Delassus operator
///   add_contact_force(f)
///   finish(x)             one backward sweep; x everywhere
///
/// With P Â Pᵀ = L Lᵀ and the columns Z = L⁻¹ E of the contact degrees of freedom, each of them
/// nonzero on one path of the elimination tree only, x without f is Zᵀ (L⁻¹ b) there, (Â⁻¹) is
/// Zᵀ Z, and f adds Z f between the sweeps: nothing else touches the other unknowns.
///
/// Prescribed degrees of freedom have a given x and are moved to the right-hand side.
class CondensedSystem {
public:
  /// `contact_dofs` that are prescribed as well count as prescribed.
  CondensedSystem(const SparseMatrix &A, const std::vector<unsigned int> &prescribed_dofs,
                  const std::vector<unsigned int> &contact_dofs);

  /// Contact degrees of freedom that are free, and the place of each in them (−1 for others).
  const std::vector<unsigned int> &contact_dofs() const { return contacts; }
  int contact_index(unsigned int dof) const { return index_of_contact[dof]; }

  /// Make ready the contact degrees of freedom, by their places in contact_dofs(), that the next
  /// systems shall use: those that a force may act on. All others are none until the next call.
  /// What has been made ready since the last factorisation costs nothing.
  void use_contacts(const std::vector<unsigned int> &places);

  /// Begin with the right-hand side b (all degrees of freedom) and the prescribed values. Writes
  /// the prescribed entries of x and those of the contacts in use; their forces are zero so far.
  void start(const double *b, const std::vector<double> &prescribed_values, double *x);

  /// Add forces on contacts in use: `force` has an entry for each of contact_dofs().
  void add_contact_force(const std::vector<double> &force);

  /// Write the free entries of x.
  void finish(double *x);

  /// (Â⁻¹)_ij between two contact degrees of freedom in use, by their places.
  double compliance(unsigned int i, unsigned int j) const {
    return inverse[std::size_t(i) * contacts.size() + j];
  }

  /// Entries of Â, to be changed through Cholesky::values() and factorised again. Prescribed values
  /// other than zero would need the changed entries too and are not possible afterwards.
  Cholesky &factor() { return cholesky; }
  const Cholesky &factor() const { return cholesky; }
  /// Factorise the changed values. False where they are not positive definite.
  bool refactor();

private:
  std::vector<unsigned int> prescribed;
  std::vector<unsigned int> contacts;
  std::vector<int> index_of_contact;
  Cholesky cholesky;

  std::vector<SparseColumn> Z;     ///< of each contact degree of freedom that was made ready
  std::vector<unsigned int> ready; ///< their places, since the last factorisation
  std::vector<bool> is_ready;
  std::vector<unsigned int> in_use;
  std::vector<double> inverse; ///< Zᵀ Z
  std::vector<double> dense;   ///< a column of Z; zero in between

  /// Entries of A that couple a prescribed column to a free row, as place in the order of
  /// elimination and value, for each prescribed degree of freedom.
  std::vector<std::vector<std::pair<unsigned int, double>>> coupling;
};

} // namespace percussion
