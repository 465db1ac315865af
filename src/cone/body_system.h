#pragma once

#include <percussion/cone/local_solver.h>

#include <array>
#include <vector>

namespace percussion {

/// Order of elimination of touching bodies, the pattern of the factors, and the targets of products
/// of blocks.
struct BodyPattern {
  std::vector<std::size_t> row_start, body; ///< contacts for which the pattern was made
  std::vector<std::size_t> position;        ///< position of each body in the order of elimination
  std::vector<std::size_t> start, later_bodies; ///< bodies coupled to each one and eliminated later
  /// Indices in `later_bodies` of the couplings of all pairs of bodies that are coupled to the same
  /// earlier one, in the order of elimination: targets of one product below and one above.
  std::vector<unsigned int> later_pair;
  std::vector<std::size_t> pair_blocks; ///< blocks (second, first) of the bodies of each contact

  void make(const ContactingBodies &bodies);
  /// Returns the index in `later_bodies` of a body that is coupled to an earlier one.
  std::size_t coupling(std::size_t earlier, std::size_t later) const;
  /// Returns the block of a pair: diagonal blocks first, then those below, then those above.
  std::size_t block(std::size_t row, std::size_t column) const;
};

/// Returns the local velocities H v of contact i.
local::Vector<3> contact_velocity(const ContactingBodies &bodies, std::size_t i, const double *v);

/// Adds the impulses Hᵀ p of contact i on its bodies to f.
void add_impulse(const ContactingBodies &bodies, std::size_t i, const local::Vector<3> &p,
                 double *f);

/// Contact with `size` unknowns z in S + T W B: p = Σ basis[c] z_c; its equations involve the
/// velocities test[r] · u and z.
template <int d>
struct ContactEquations {
  std::size_t size = 0;
  std::array<local::Vector<d>, d> test{}, basis{};
  local::Block<d> diagonal_block{}; ///< S
};

/// Linear system of contacts between bodies
///
///     (S + T W B) z = b ,   W = H M⁻¹ Hᵀ + diag(c) ,
///
/// with blocks S, T and B of each contact, solved for velocities of the bodies,
///
///     (M + Hᵀ G H) v = Hᵀ B S'⁻¹ b ,   S' = S + T diag(c) B ,   G = B S'⁻¹ T ,
///     z = S'⁻¹ (b − T H v) ,
///
/// by LU factors of 6 × 6 blocks. The order of elimination is kept while the touching bodies stay
/// the same.
class BodySystem {
public:
  using Contact = ContactEquations<3>;

  /// Factorises M + Hᵀ G H with a G of each contact. Returns false if a pivot is singular to
  /// round-off.
  bool factorise(const ContactingBodies &bodies, const std::vector<local::Block<3>> &G);
  /// Computes v = (M + Hᵀ G H)⁻¹ v, by bodies, with the G factorised last.
  void substitute(std::vector<double> &v) const;

  /// Factorises the system. Returns false if the S' of a contact, or a pivot, is singular to
  /// round-off.
  bool factorise(const ContactingBodies &bodies, const std::vector<Contact> &contacts);

  /// Solves in place, with iterative refinement; z is contact by contact. `bodies` must be the
  /// factorised ones. Returns false if the residual of the result is too large.
  bool solve(const ContactingBodies &bodies, std::vector<double> &z) const;

  /// Returns the sign, 1 or −1, of the determinant of the matrix factorised last.
  double sign_of_determinant() const { return sign; }

private:
  struct Local { ///< blocks of a contact
    std::size_t size = 0, offset = 0;
    std::array<local::Vector<3>, 3> test{}, basis{};
    local::Block<3> diagonal_block{}, inverse{}; ///< S' and its inverse
  };
  using Matrix = std::array<double, 36>;
  using Vector = std::vector<double>;

  bool reduce(const ContactingBodies &bodies, const std::vector<Contact> &contacts);
  void assemble(const ContactingBodies &bodies, const std::vector<local::Block<3>> &G);
  bool eliminate();
  void add_correction(const ContactingBodies &bodies, const Vector &momentum_residuals,
                      const Vector &contact_residuals, Vector &v, Vector &z) const;
  double find_rest(const ContactingBodies &bodies, const Vector &b, const Vector &v,
                   const Vector &z, Vector &momentum_residuals, Vector &contact_residuals) const;

  BodyPattern pattern;
  std::vector<Local> locals;
  std::vector<local::Block<3>> responses; ///< G of each contact
  std::vector<Matrix> blocks, inverses;   ///< LU factors, and inverses of the diagonal blocks
  std::size_t n_unknowns = 0;
  int sign = 1; ///< sign of the determinant
};

} // namespace percussion
