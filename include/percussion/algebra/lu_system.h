#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/algebra/types.h>

#include <memory>

namespace percussion {

/// What the factors of a LuSystem follow from.
struct LuMemory {
  std::vector<double> values;       ///< that were factorised last
  std::vector<double> pivot_values; ///< that the pivots were chosen for; empty: there are none
  bool has_own_pivots = true;       ///< whether both are the same
};

/// A ContactSystem whose matrix changes again and again and is not symmetric: a consistent tangent.
/// Its pattern, and with it the order of elimination (AMD, by KLU) and all memory, stay.
///
/// For each contact degree of freedom in use its column of Â⁻¹ is kept: one solution after every
/// factorisation that it is used with.
class LuSystem : public ContactSystem {
public:
  /// A has the pattern, which must be symmetric; its values are not looked at.
  LuSystem(const SparseMatrix &A, const std::vector<unsigned int> &prescribed_dofs,
           const std::vector<unsigned int> &contact_dofs);
  ~LuSystem() override;

  /// Where an entry stands in values(); −1 where its row or column is prescribed. It must be in the
  /// pattern.
  int index(unsigned int row_dof, unsigned int column_dof) const;
  /// The entries of the pattern, to be filled before refactor(): see index().
  std::vector<double> &values();
  /// Factorise values(). False where they are singular to round-off.
  bool refactor();

  /// What makes the factors of another system, bit for bit, the same.
  LuMemory memory() const;
  /// Factorise what another system had, with its pivots.
  void restore(const LuMemory &memory);

  void use_contacts(const std::vector<unsigned int> &places) override;
  /// Prescribed values other than zero are not possible.
  void start(const double *b, const std::vector<double> &prescribed_values, double *x) override;
  void add_contact_force(const std::vector<double> &force) override;
  void finish(double *x) override;
  double compliance(unsigned int i, unsigned int j) const override;

private:
  struct Factor;
  std::unique_ptr<Factor> factor;
  std::vector<unsigned int> unknowns; ///< free degrees of freedom, in ascending order
  std::vector<int> place_of;          ///< of each degree of freedom in them; −1 for prescribed
  std::vector<double> solution;
  std::vector<std::vector<double>> columns; ///< of Â⁻¹, of the contacts that were used
  std::vector<bool> is_ready;
  // Workspaces.
  std::vector<unsigned int> being_made;
  std::vector<double> block;
};

} // namespace percussion
