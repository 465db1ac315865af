#pragma once

#include <percussion/cone/problem.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace percussion {

/// The inverse of a matrix that falls into small blocks, each of some rows and the same columns, as
/// the mass of rigid bodies does.
struct BlockInverse {
  std::vector<std::size_t> block_of;          ///< per row
  std::vector<std::vector<std::size_t>> rows; ///< per block, ascending
  std::vector<std::vector<double>> entries;   ///< per block, row by row
};

/// The inverse, unless a block has more than 12 rows or is singular.
std::optional<BlockInverse> inverse_by_blocks(const CompressedRows &matrix);

/// The product with x, in place.
void multiply(const BlockInverse &inverse, std::vector<double> &x);

} // namespace percussion
