#include <percussion/algebra/partition.h>

#include <gtest/gtest.h>

#include <numeric>

namespace partition {

using namespace percussion;

/// A single process owns everything; results of several processes are in tests/distributed.
TEST(Partition, OfOneProcess) {
  for (const unsigned int n_nodes : {1u, 10u, 1000u}) { // fewer and more nodes than chunks
    const unsigned int n = 3 * n_nodes;
    const Partition partition(n, 3);
    EXPECT_EQ(partition.size(), n);
    EXPECT_EQ(partition.begin(), 0u);
    EXPECT_EQ(partition.end(), n);
    EXPECT_EQ(partition.first_of(1), n);
    EXPECT_EQ(partition.owner(n - 1), 0u);
    EXPECT_TRUE(partition.owns(n - 1));
    EXPECT_FALSE(partition.owns(n));
    EXPECT_FALSE(partition.is_shared());
    EXPECT_FALSE(partition.has_empty_range());
    EXPECT_EQ(partition.owned().n_elements(), n);
    EXPECT_EQ(partition.largest(-2.), -2.);
    EXPECT_TRUE(partition.any(true));
    EXPECT_FALSE(partition.any(false));
  }
}

/// A sum has each entry once, those after the elastic ones last, in ranges of whole nodes.
TEST(Partition, AddsEachEntryOnce) {
  constexpr unsigned int n = 3 * 700, n_all = n + 5;
  std::vector<unsigned int> begins, ends;
  const double sum = Partition(n, 3).sum(n_all, [&](unsigned int begin, unsigned int end) {
    EXPECT_EQ(begin % 3, 0u);
    EXPECT_EQ(begin, ends.empty() ? 0 : ends.back());
    begins.push_back(begin);
    ends.push_back(end);
    return double(end - begin);
  });
  EXPECT_EQ(sum, n_all);
  EXPECT_EQ(begins.back(), n);
  EXPECT_EQ(ends.back(), n_all);
  EXPECT_EQ(begins.size(), 257u); // the chunks and the rest
}

TEST(Partition, WithoutElasticEntries) {
  const Partition partition;
  EXPECT_EQ(partition.size(), 0u);
  EXPECT_EQ(partition.begin(), 0u);
  EXPECT_EQ(partition.end(), 0u);
}

TEST(Partition, VisitsComputedEntries) {
  std::vector<std::size_t> visited, expected(12);
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  Partition(9, 3).visit_computed(12, [&](std::size_t i) { visited.push_back(i); });
  EXPECT_EQ(visited, expected);
}

/// With one process there is nothing to send.
TEST(Partition, LeavesValuesOfOneProcess) {
  const Partition partition(9, 3);
  std::vector<double> values(9);
  std::iota(values.begin(), values.end(), 1.);
  const std::vector<double> before = values;
  partition.gather(values.data());
  partition.add_up(values.data(), values.size());
  Exchange(partition, {1, 5})(values.data());
  SharedItems(partition, {{8, 0, 3}}).gather(values.data());
  SharedItems().gather(values.data());
  EXPECT_EQ(values, before);
}

} // namespace partition
