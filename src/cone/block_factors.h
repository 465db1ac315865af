#pragma once

#include <percussion/cone/problem.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace percussion {

/// A regular matrix A whose rows fall into small blocks that share no entries, as the mass of rigid
/// bodies does, with A⁻¹ = Lᵀ R of each block: Cholesky's L⁻ᵀ L⁻¹ if it is symmetric and definite,
/// else 1 A⁻¹.
class BlockFactors {
public:
  /// The factors, unless a block has more than 64 rows or is singular to round-off.
  static std::optional<BlockFactors> of(const CompressedRows &matrix);

  std::size_t n_blocks() const { return symmetric.size(); }
  std::size_t size(std::size_t block) const { return first[block + 1] - first[block]; }
  /// The rows of a block, ascending.
  const std::size_t *rows(std::size_t block) const { return order.data() + first[block]; }
  bool is_symmetric(std::size_t block) const { return symmetric[block] != 0; }

  /// R x of a block for `n` columns, in place; x is row by row. If the block is symmetric this is
  /// L x, too.
  void multiply_half(std::size_t block, std::size_t n, double *x) const;
  /// A⁻¹ x, in place.
  void solve(std::vector<double> &x) const;

private:
  bool gather(const CompressedRows &matrix, std::size_t block);
  bool factorise(const CompressedRows &matrix, std::size_t block);

  std::vector<std::size_t> order, first; ///< rows block by block, and where each block begins
  std::vector<std::size_t> place;        ///< of a row in its block
  std::vector<std::size_t> first_entry;  ///< of each block
  std::vector<double> entries;           ///< m × m of each block: see multiply_half()
  std::vector<char> symmetric;           ///< per block: definite, too
};

/// W = Hᵀ M⁻¹ H of a problem from the factors of its M, exactly symmetric if they are; blocks that
/// vanish are left out, except on the diagonal.
BlockSparseMatrix delassus_of(const GlobalFrictionContactProblem &problem, const BlockFactors &M);

} // namespace percussion
