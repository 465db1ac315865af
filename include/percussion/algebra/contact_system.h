#pragma once

#include <vector>

namespace percussion {

/// The linear system Â x = b + f of a correction, where b is known at once and the force f of the
/// contacts, which touches few degrees of freedom, is found only after x on those has been seen:
///
///     start(b, …)           x without f on the contact degrees of freedom
///     compliance(i, j)      (Â⁻¹)_ij between contact degrees of freedom, for the Delassus operator
///     add_contact_force(f)
///     finish(x)             x everywhere
///
/// Prescribed degrees of freedom have a given x and are moved to the right-hand side.
class ContactSystem {
public:
  /// Of n degrees of freedom. `contact_dofs` that are prescribed as well count as prescribed.
  ContactSystem(unsigned int n, const std::vector<unsigned int> &prescribed_dofs,
                const std::vector<unsigned int> &contact_dofs);
  virtual ~ContactSystem() = default;

  /// Contact degrees of freedom that are free, and the place of each in them (−1 for others).
  const std::vector<unsigned int> &contact_dofs() const { return contacts; }
  /// Place of a degree of freedom in contact_dofs(); −1 for others.
  int contact_index(unsigned int dof) const { return index_of_contact[dof]; }

  /// Only these contact degrees of freedom, by their places in contact_dofs(), will be asked for
  /// and acted on until the next call.
  virtual void use_contacts(const std::vector<unsigned int> &places) = 0;

  /// Begin with the right-hand side b (all degrees of freedom) and the prescribed values. Writes
  /// the prescribed entries of x and those of the contacts in use; their forces are zero so far.
  virtual void start(const double *b, const std::vector<double> &prescribed_values, double *x) = 0;

  /// Add forces on contacts in use: `force` has an entry for each of contact_dofs().
  virtual void add_contact_force(const std::vector<double> &force) = 0;

  /// Write the free entries of x.
  virtual void finish(double *x) = 0;

  /// (Â⁻¹)_ij between two contact degrees of freedom in use, by their places.
  virtual double compliance(unsigned int i, unsigned int j) const = 0;

protected:
  /// All degrees of freedom that are not prescribed.
  std::vector<unsigned int> free_dofs() const;

  std::vector<unsigned int> prescribed, contacts, in_use;

private:
  std::vector<int> index_of_contact;
};

} // namespace percussion
