// Memory that malloc returns to the system although SuperLU_DIST is loaded.

#include <percussion/base/freed_memory.h>

#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>
#include <vector>

namespace freed_memory {

/// Returns the resident memory of this process [bytes].
double resident() {
  double size = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> size >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

constexpr std::size_t megabyte = 1 << 20;

/// The test program has a session of MPI, which lets memory return.
TEST(FreedMemory, OfALargeBlockReturns) {
  const double before = resident();
  {
    const std::vector<char> block(100 * megabyte, 'a');
    EXPECT_GT(resident() - before, 99. * megabyte);
  }
  EXPECT_LT(resident() - before, 1. * megabyte);
}

/// Blocks between others stay in the heap until it is trimmed.
TEST(FreedMemory, OfSmallBlocksReturnsWhenTheHeapIsTrimmed) {
  std::vector<std::vector<char>> blocks;
  for (unsigned int i = 0; i < 64; ++i)
    blocks.emplace_back(megabyte, 'a');
  percussion::trim_heap();
  const double before = resident();
  for (std::size_t i = 0; i + 1 < blocks.size(); i += 2)
    std::vector<char>().swap(blocks[i]);
  percussion::trim_heap();
  EXPECT_LT(resident() - before, -31. * megabyte);
}

} // namespace freed_memory
