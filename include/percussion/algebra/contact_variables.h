#pragma once

#include <percussion/algebra/contact_rows.h>
#include <percussion/algebra/contact_system.h>

#include <array>
#include <optional>
#include <vector>

namespace percussion {

/// Change of variables that makes the law of each contact a law of its own unknowns. Most contacts
/// have an elastic node of their own, which no other contact acts on: a node against a surface, a
/// rigid body or a face, or the node of a dual multiplier. With the block B of this node and the
/// entries H_k of other degrees of freedom in the rows of the contact,
///
///     s = B v_own + Σ_k H_k v_k ,     P = B⁻ᵀ (Â v − b)_own ,
///
/// so that the local velocity s replaces v_own, and the percussion P follows from the momentum of
/// the node. The percussion of a contact that shares all its nodes with such contacts is an unknown
/// λ itself, a multiplier; its force is a part of the momentum, Â v − H_λᵀ λ.
class ContactVariables {
public:
  /// Rows of a contact that act on its node, or on its multiplier: n[, t[, t']]. If the motion of
  /// the node is prescribed in a tangential direction, the tangent is the free one.
  struct Contact {
    unsigned int n_rows = 0;                          ///< number of these rows, and of free dofs
    std::array<unsigned int, 3> dof{};                ///< free degrees of freedom of the node
    std::array<std::array<double, 3>, 3> block{};     ///< B
    std::array<std::array<double, 3>, 3> inverse{};   ///< B⁻¹
    std::array<std::array<double, 3>, 3> direction{}; ///< rows, by rows of H
    unsigned int coupled_begin = 0, coupled_end = 0;  ///< range in `coupled_dofs`
    /// True if `dof` are the unknowns λ, after all degrees of freedom, and not of a node.
    bool has_multiplier = false;
  };
  /// Entries of another degree of freedom in the rows of a contact.
  struct CoupledDof {
    unsigned int dof;
    std::array<double, 3> weight;
  };
  /// Entries of degrees of freedom in the rows n, t, t' of a contact.
  using DofEntries = std::vector<std::pair<unsigned int, std::array<double, 3>>>;

  /// Returns the variables for these rows; none if a contact acts on no elastic node, or if its
  /// normal row acts on no free degree of freedom.
  static std::optional<ContactVariables> make(const ContactRows &H, unsigned int dim,
                                              const ContactSystem &system);

  std::vector<Contact> contacts;
  std::vector<CoupledDof> coupled_dofs;
  unsigned int dim = 0;
  unsigned int n_multipliers = 0; ///< number of unknowns λ

  /// Returns the rows of a vector given by rows of H: local components.
  std::array<double, 3> local(std::size_t contact, const std::vector<double> &rows) const;
  /// Adds local components to a vector by rows of H.
  void add_to_rows(std::size_t contact, const std::array<double, 3> &components,
                   std::vector<double> &rows) const;
  /// Returns Σ_k H_k v_k of a contact.
  std::array<double, 3> coupled_velocity(std::size_t contact, const std::vector<double> &v) const;
  /// Returns the local velocity s of a contact.
  std::array<double, 3> velocity(std::size_t contact, const std::vector<double> &v) const;
  /// Returns B⁻ᵀ r_own of a contact; λ if r contains it.
  std::array<double, 3> percussion(std::size_t contact, const std::vector<double> &r) const;

  /// Replaces the entries of the contacts' nodes, v_own by B v_own.
  void make_local(std::vector<double> &v) const;
  /// Replaces B v_own by v_own.
  void make_cartesian(std::vector<double> &v) const;
  /// Replaces B⁻ᵀ r_own by r_own.
  void make_forces(std::vector<double> &percussions) const;

private:
  bool add_with_node(const DofEntries &entries, unsigned int first, unsigned int node_size);
  bool add_with_multiplier(const DofEntries &entries, unsigned int n_dofs);
};

} // namespace percussion
