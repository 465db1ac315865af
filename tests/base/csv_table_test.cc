// Tables end with a complete row, continue from a checkpoint, and report the reason if they cannot.

#include <percussion/base/csv_table.h>

#include <gtest/gtest.h>

#include "support/full_disk.h"
#include "support/scratch_folder.h"
#include <cmath>
#include <limits>
#include <optional>

namespace {

using namespace percussion;
using test::content_of;
using test::error_of;
using test::FullDisk;
using test::put;
using test::ScratchFolder;

const std::vector<std::pair<std::string, std::string>> comments = {{"case", "a, b"},
                                                                   {"units", "m"}};
const std::vector<std::string> columns = {"step", "time", "a, \"b\""};

void add_rows(CsvTable &table, unsigned int begin, unsigned int end) {
  for (unsigned int i = begin; i < end; ++i) {
    table.number(i);
    table.number(i / 3.);
    table.number(i % 5 == 0 ? std::numeric_limits<double>::quiet_NaN() : -std::pow(10., i));
    table.end_row();
  }
}

TEST(CsvTable, ContinuedIsTheSameAsOneThatWasNeverClosed) {
  const ScratchFolder folder;
  {
    CsvTable table(folder / "whole.csv", comments, columns);
    add_rows(table, 0, 60);
  }
  const std::string whole = content_of(folder / "whole.csv");
  for (const unsigned int n_kept : {0u, 1u, 20u, 59u, 60u}) {
    std::uint64_t kept = 0;
    {
      CsvTable table(folder / "parts.csv", comments, columns);
      add_rows(table, 0, n_kept);
      table.flush();
      kept = table.size();
      EXPECT_EQ(content_of(folder / "parts.csv"), whole.substr(0, kept));
      add_rows(table, n_kept, 60); // rows after the checkpoint, which are written again
    }
    for (const char *const behind : {"", "61,2", "# half of a row, or what\n"}) {
      put(folder / "parts.csv", content_of(folder / "parts.csv") + behind);
      CsvTable table(folder / "parts.csv", comments, columns, kept);
      EXPECT_EQ(content_of(folder / "parts.csv"), whole.substr(0, kept));
      add_rows(table, n_kept, 60);
      table.flush();
      EXPECT_EQ(content_of(folder / "parts.csv"), whole);
      EXPECT_EQ(table.size(), whole.size());
    }
  }
}

/// The file has all rows up to some flush, and no later ones.
TEST(CsvTable, HasCompleteRowsAtAnyTime) {
  const ScratchFolder folder;
  {
    CsvTable table(folder / "whole", comments, columns);
    add_rows(table, 0, 10000);
  }
  const std::string whole = content_of(folder / "whole");
  CsvTable table(folder / "table", comments, columns);
  std::uint64_t size = table.size();
  unsigned int n_written_by_itself = 0;
  for (unsigned int i = 0; i < 10000; ++i) {
    add_rows(table, i, i + 1);
    n_written_by_itself += table.size() > size;
    if (i % 3000 == 2999)
      table.flush();
    if (table.size() == size)
      continue;
    size = table.size();
    ASSERT_EQ(content_of(folder / "table"), whole.substr(0, size));
    ASSERT_EQ(whole[size - 1], '\n');
  }
  EXPECT_GT(n_written_by_itself, 1u);
}

/// A table shorter than at the checkpoint is refused at each attempt, and left unchanged.
TEST(CsvTable, ThatIsShorterThanAtTheCheckpointIsRefused) {
  const ScratchFolder folder;
  put(folder / "file", "one\n");
  for (unsigned int attempt = 0; attempt < 2; ++attempt) {
    const std::string error = error_of([&] { CsvTable(folder / "file", {}, {"step"}, 8); });
    EXPECT_EQ(error.find(folder / "file: it has 4 bytes, and had 8 at the checkpoint"), 0u)
        << error;
    EXPECT_EQ(content_of(folder / "file"), "one\n");
  }
}

TEST(CsvTable, ThatIsGoneSinceTheCheckpointIsRefused) {
  const ScratchFolder folder;
  for (unsigned int attempt = 0; attempt < 2; ++attempt) {
    EXPECT_EQ(error_of([&] { CsvTable(folder / "file", {}, {"step"}, 8); }),
              folder / "file: this file of the earlier run is gone");
    EXPECT_EQ(folder.n_entries(), 0u);
  }
}

TEST(CsvTable, NamesItselfAndTheReasonWhereItCannotBeOpened) {
  const ScratchFolder folder;
  EXPECT_EQ(error_of([&] { CsvTable(folder / "missing/file", {}, {"step"}); }),
            folder / "missing/file: cannot be written (No such file or directory)");
  for (const std::uint64_t kept : {0u, 8u})
    EXPECT_EQ(error_of([&] { CsvTable(folder.path.string(), {}, {"step"}, kept); }),
              folder.path.string() + ": cannot be written (Is a directory)");
}

/// If the disk takes only some of the rows, the incomplete row is removed and the failure reported.
TEST(CsvTable, EndsWithACompleteRowWhereTheDiskIsFull) {
  const ScratchFolder folder;
  CsvTable table(folder / "file", comments, columns);
  add_rows(table, 0, 5);
  table.flush();
  const std::string before = content_of(folder / "file");
  {
    const FullDisk full(before.size() + 100);
    add_rows(table, 5, 50);
    EXPECT_EQ(error_of([&] { table.flush(); }),
              folder / "file: cannot be written (File too large)");
  }
  EXPECT_EQ(content_of(folder / "file"), before);
  EXPECT_EQ(table.size(), before.size());
  // With free space again, the table continues there without a gap.
  table.number(1u);
  table.end_row();
  table.flush();
  EXPECT_EQ(content_of(folder / "file"), before + "1\n");
}

/// Rows that cannot be written when the table is closed are lost without a report; the file has no
/// incomplete row.
TEST(CsvTable, ClosesWhereTheDiskIsFull) {
  const ScratchFolder folder;
  std::optional<CsvTable> table(std::in_place, folder / "file", comments, columns);
  const std::string before = content_of(folder / "file");
  add_rows(*table, 0, 50);
  {
    const FullDisk full(before.size() + 100);
    table.reset();
  }
  EXPECT_EQ(content_of(folder / "file"), before);
}

} // namespace
