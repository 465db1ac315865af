#pragma once

#include <percussion/algebra/contact_variables.h>
#include <percussion/base/linear_system.h>

#include <array>
#include <vector>

namespace percussion {

/// Equations of a contact for an assumed status: E P + F û = 0 by rows n, t, t'.
struct LawRows {
  using Square = std::array<std::array<double, 3>, 3>;
  Square percussion_block{}, velocity_block{}; ///< E and F
};

/// Constraint preconditioner (Keller, Gould & Wathen 2000) for the multipliers λ of
/// ContactVariables beside the other unknowns y, with the diagonal D of the equations of y for the
/// assumed statuses:
///
///     ( D  −Bᵀ ) (y)
///     ( F B  E ) (λ) ,     (E + F B D⁻¹ Bᵀ) λ = r_λ − F B D⁻¹ r_y .
///
/// B has the rows û of the contacts with multipliers after the elimination of closed contacts with
/// nodes of their own. The matrix of λ, a Delassus operator with D in place of Â, has blocks only
/// for contacts that act on common nodes: its sparse factor grows with the number of multipliers.
class ContactMultipliers {
public:
  explicit ContactMultipliers(const ContactVariables &variables);

  /// Factorises the matrix of λ with D⁻¹, E and F of all contacts; `is_fixed` states, for the dof r
  /// of each contact's node, if the contact eliminates it. E acts on changes of percussions.
  /// Returns false if the matrix is singular.
  bool factorise(const std::vector<double> &inverse_diagonal, const std::vector<LawRows> &rows,
                 const std::vector<std::array<bool, 3>> &is_fixed);
  /// Replaces λ, which contains r_λ, by the solution for y without contacts, and adds D⁻¹ Bᵀ λ to
  /// y.
  void correct(std::vector<double> &y) const;

private:
  using Components = std::array<double, 3>;
  using Entry =
      std::pair<unsigned int, Components>; ///< unknown, or contact, and its column of rows

  void eliminate(const std::vector<std::array<bool, 3>> &is_fixed);
  void transpose(const std::vector<double> &inverse_diagonal);
  void make_matrix(const std::vector<LawRows> &rows);

  const ContactVariables &variables;
  std::vector<std::size_t> contacts; ///< indices of the contacts with multipliers
  /// Contact that has a degree of freedom as its own, and its index in Contact::dof; by dof.
  std::vector<std::pair<std::size_t, unsigned int>> owners;
  std::vector<std::vector<Entry>> B; ///< columns of the unknowns in each contact's rows, ascending
  std::vector<std::vector<Entry>> B_T; ///< the same by unknowns, with numbers in `contacts`
  std::vector<double> inverse;         ///< D⁻¹, 0 for unknowns that couple too many contacts
  std::vector<double> neglected;       ///< D⁻¹ of these unknowns, else 0
  std::vector<LawRows> law;            ///< E and F by numbers in `contacts`
  LinearSystem matrix;
};

} // namespace percussion
