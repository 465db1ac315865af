#pragma once

#include <percussion/cone/problem.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace percussion {

/// Regular matrix A whose rows form small blocks without common entries, such as the mass of rigid
/// bodies, with A⁻¹ = Lᵀ R of each block: Cholesky's L⁻ᵀ L⁻¹ if it is symmetric and definite, else
/// 1 A⁻¹.
class BlockFactors {
public:
  /// Returns the factors; std::nullopt if a block has more than 64 rows or is singular to
  /// round-off.
  static std::optional<BlockFactors> factorise(const CompressedRows &matrix);

  std::size_t n_blocks() const { return symmetric.size(); }
  std::size_t size(std::size_t block) const { return first[block + 1] - first[block]; }
  /// Returns the rows of a block, ascending.
  const std::size_t *rows(std::size_t block) const { return order.data() + first[block]; }
  bool is_symmetric(std::size_t block) const { return symmetric[block] != 0; }

  /// Computes R x of a block for `n` columns, in place; x is row by row. If the block is symmetric
  /// this equals L x, too.
  void multiply_half(std::size_t block, std::size_t n, double *x) const;
  /// Computes A⁻¹ x, in place.
  void solve(std::vector<double> &x) const;

private:
  bool gather(const CompressedRows &matrix, std::size_t block);
  bool factorise(const CompressedRows &matrix, std::size_t block);

  std::vector<std::size_t> order, first;   ///< rows block by block, and the first one of each block
  std::vector<std::size_t> index_in_block; ///< index of a row in its block
  std::vector<std::size_t> first_entry;    ///< first entry of each block
  std::vector<double> entries;             ///< m × m entries of each block: see multiply_half()
  std::vector<char> symmetric;             ///< true for each symmetric and definite block
};

/// Returns W = Hᵀ M⁻¹ H of a problem from the factors of its M, exactly symmetric if they are; zero
/// blocks are omitted, except on the diagonal.
BlockSparseMatrix delassus_of(const GlobalFrictionContactProblem &problem, const BlockFactors &M);

} // namespace percussion
