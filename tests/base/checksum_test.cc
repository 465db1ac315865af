#include <percussion/base/checksum.h>
#include <percussion/base/error.h>
#include <percussion/base/file.h>

#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include <filesystem>
#include <limits>
#include <set>
#include <vector>

namespace {

using percussion::NumberSum;

std::uint64_t sum_of(const std::vector<double> &numbers) {
  NumberSum sum;
  sum.add(numbers.data(), numbers.size());
  return sum.value();
}

TEST(NumberSum, ChangesWithEveryBit) {
  const std::vector<double> numbers = {1.5, 0., -2e300, 5e-324, 7.};
  std::set<std::uint64_t> sums = {sum_of(numbers)};
  for (std::size_t i = 0; i < numbers.size(); ++i)
    for (unsigned int bit = 0; bit < 64; ++bit) {
      auto changed = numbers;
      std::uint64_t bits = 0;
      std::memcpy(&bits, &changed[i], sizeof bits);
      bits ^= std::uint64_t(1) << bit;
      std::memcpy(&changed[i], &bits, sizeof bits);
      sums.insert(sum_of(changed));
    }
  EXPECT_EQ(sums.size(), 1 + 64 * numbers.size());
}

TEST(NumberSum, ChangesWithTheOrderAndTheNumber) {
  EXPECT_NE(sum_of({1, 2}), sum_of({2, 1}));
  EXPECT_NE(sum_of({1, 2}), sum_of({1, 2, 3}));
  EXPECT_NE(sum_of({0.}), sum_of({-0.}));
}

TEST(NumberSum, AddsNumbersOneByOneAsTogether) {
  NumberSum sum;
  for (const double number : {3., std::numeric_limits<double>::infinity(), -1e-3})
    sum.add(number);
  EXPECT_EQ(sum.value(), sum_of({3., std::numeric_limits<double>::infinity(), -1e-3}));
}

/// The check value of the catalogue of parametrised CRC algorithms, in one piece and in two.
TEST(Crc64, HasTheCheckValueOfItsStandard) {
  const std::string digits = "123456789";
  EXPECT_EQ(percussion::crc64(digits), 0x6c40df5f0b497347u);
  const std::string text = digits + digits + digits + digits;
  for (std::size_t n = 0; n <= text.size(); ++n)
    EXPECT_EQ(percussion::crc64(text.substr(n), percussion::crc64(text.substr(0, n))),
              percussion::crc64(text));
}

/// More than two of the blocks in which the file is read.
TEST(SumOfFile, IsTheChecksumOfItsContent) {
  const percussion::test::ScratchFolder folder;
  const std::string file = folder / "file";
  std::string content;
  for (unsigned int i = 0; i < 150001; ++i)
    content += static_cast<char>(i * i % 251);
  percussion::write_file(file, content);
  const percussion::FileSum sum = percussion::sum_of_file(file);
  EXPECT_EQ(sum.name, "file");
  EXPECT_EQ(sum.bytes, content.size());
  EXPECT_EQ(sum.checksum, percussion::crc64(content));
}

std::string refusal_of(const std::string &file) {
  try {
    percussion::sum_of_file(file);
  } catch (const percussion::RunError &error) {
    return error.what();
  }
  return "";
}

TEST(SumOfFile, SaysWhyAFileIsNotRead) {
  const percussion::test::ScratchFolder folder;
  const std::string missing = folder / "missing", directory = folder / "directory";
  std::filesystem::create_directory(directory);
  EXPECT_EQ(refusal_of(missing), missing + ": cannot be read (No such file or directory)");
  EXPECT_EQ(refusal_of(directory), directory + ": cannot be read (it is not a regular file)");
}

} // namespace
