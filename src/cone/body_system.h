#pragma once

#include <percussion/cone/local_solver.h>

#include <array>
#include <vector>

namespace percussion {

/// The order of elimination of bodies that touch, the pattern of the factors, and where each
/// product of blocks goes.
struct BodyPattern {
  std::vector<std::size_t> row_start, body; ///< of the contacts that it was made of
  std::vector<std::size_t> place;           ///< of each body in the order of elimination
  std::vector<std::size_t> start, later;    ///< bodies coupled to each one and eliminated later
  std::vector<std::size_t> target_start, target; ///< of the products of a step, row by row
  std::vector<std::size_t> of_pair; ///< blocks (second, first) of the bodies of each contact

  void make(const ContactingBodies &bodies);
  /// The block of a pair: diagonal blocks first, then those below, then those above.
  std::size_t block(std::size_t row, std::size_t column) const;
};

/// The linear system of contacts between bodies
///
///     (S + T W B) z = b ,   W = H M⁻¹ Hᵀ + diag(c) ,
///
/// with blocks S, T and B of each contact, solved for velocities of the bodies,
///
///     (M + Hᵀ G H) v = Hᵀ B S'⁻¹ b ,   S' = S + T diag(c) B ,   G = B S'⁻¹ T ,
///     z = S'⁻¹ (b − T H v) ,
///
/// by LU factors of 6 × 6 blocks. The order of elimination is kept while the bodies that touch stay
/// the same.
class BodySystem {
public:
  /// A contact has `size` unknowns z: p = Σ basis[c] z_c; their equations are in the velocities
  /// test[r] · u and in z.
  struct Contact {
    std::size_t size = 0;
    std::array<local::Vector<3>, 3> test{}, basis{};
    local::Block<3> own{}; ///< S
  };

  /// M + Hᵀ G H with a G of each contact. False if a pivot is singular to round-off.
  bool factorise(const ContactingBodies &bodies, const std::vector<local::Block<3>> &G);
  /// v = (M + Hᵀ G H)⁻¹ v, by bodies, with the G factorised last.
  void substitute(std::vector<double> &v) const;

  /// False if the S' of a contact, or a pivot, is singular to round-off.
  bool factorise(const ContactingBodies &bodies, const std::vector<Contact> &contacts);

  /// Solve in place, with iterative refinement; z is contact by contact. `bodies` are those that
  /// were factorised. False if the result does not fit.
  bool solve(const ContactingBodies &bodies, std::vector<double> &z) const;

  /// 1 or −1, of the matrix factorised last.
  double sign_of_determinant() const { return sign; }

private:
  struct Local { ///< of a contact
    std::size_t size = 0, offset = 0;
    std::array<local::Vector<3>, 3> test{}, basis{};
    local::Block<3> own{}, inverse{}; ///< S' and its inverse
  };
  using Matrix = std::array<double, 36>;
  using Vector = std::vector<double>;

  bool reduce(const ContactingBodies &bodies, const std::vector<Contact> &contacts);
  void assemble(const ContactingBodies &bodies, const std::vector<local::Block<3>> &G);
  bool eliminate();
  void add_correction(const ContactingBodies &bodies, const Vector &of_momentum,
                      const Vector &of_contacts, Vector &v, Vector &z) const;
  double find_rest(const ContactingBodies &bodies, const Vector &b, const Vector &v,
                   const Vector &z, Vector &of_momentum, Vector &of_contacts) const;

  BodyPattern pattern;
  std::vector<Local> locals;
  std::vector<local::Block<3>> responses; ///< G of each contact
  std::vector<Matrix> blocks, inverses;   ///< LU factors, and inverses of the diagonal blocks
  std::size_t n_unknowns = 0;
  int sign = 1; ///< of the determinant
};

} // namespace percussion
