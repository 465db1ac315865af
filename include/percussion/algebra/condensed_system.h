#pragma once

#include <percussion/algebra/cholesky.h>
#include <percussion/algebra/contact_system.h>

namespace percussion {

/// A ContactSystem whose matrix is symmetric, positive definite and constant: it is factorised
/// once, and a solution costs one forward sweep, before the contact forces are known, and one
/// backward sweep.
///
/// With P Â Pᵀ = L Lᵀ and the columns Z = L⁻¹ E of the contact degrees of freedom, each of them
/// nonzero on one path of the elimination tree only, x without f is Zᵀ (L⁻¹ b) there, (Â⁻¹) is
/// Zᵀ Z, and f adds Z f between the sweeps: nothing else touches the other unknowns.
class CondensedSystem : public ContactSystem {
public:
  /// Factorises A over the degrees of freedom that are not prescribed, and keeps Z and Zᵀ Z of the
  /// contact ones. Throws RunError where A is not positive definite on them.
  CondensedSystem(const SparseMatrix &A, const std::vector<unsigned int> &prescribed_dofs,
                  const std::vector<unsigned int> &contact_dofs);

  void use_contacts(const std::vector<unsigned int> &places) override { in_use = places; }
  void start(const double *b, const std::vector<double> &prescribed_values, double *x) override;
  void add_contact_force(const std::vector<double> &force) override;
  void finish(double *x) override;
  double compliance(unsigned int i, unsigned int j) const override {
    return inverse[std::size_t(i) * contacts.size() + j];
  }

  /// The factor, to measure a step against.
  const Cholesky &factor() const { return cholesky; }

private:
  void invert_on_contacts();

  Cholesky cholesky;
  std::vector<SparseColumn> Z; ///< of each contact degree of freedom
  std::vector<double> inverse; ///< Zᵀ Z

  /// Entries of A that couple a prescribed column to a free row, as place in the order of
  /// elimination and value, for each prescribed degree of freedom.
  std::vector<std::vector<std::pair<unsigned int, double>>> coupling;
};

} // namespace percussion
