// Files that are whole whenever the program or the machine stops, and say why where they cannot be.

#include <percussion/base/appended_file.h>
#include <percussion/base/csv_table.h>
#include <percussion/base/durable_file.h>

#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include <cmath>
#include <csignal>
#include <limits>
#include <optional>
#include <sys/resource.h>
#include <sys/stat.h>

namespace {

using namespace percussion;
using test::content_of;
using test::error_of;
using test::put;
using test::ScratchFolder;

/// As long as it lives no file can grow beyond so many bytes: what a disk that is full does.
class FullDisk {
public:
  explicit FullDisk(rlim_t most_bytes) {
    handler = std::signal(SIGXFSZ, SIG_IGN); // write() is to fail, and not the program to end
    ::getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit now = before;
    now.rlim_cur = most_bytes;
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }

private:
  struct rlimit before;
  void (*handler)(int);
};

// ---- a file that is replaced as a whole ----

TEST(DurableFile, HasTheContentAndNoTemporaryOneIsLeft) {
  const ScratchFolder folder;
  const std::string file = folder / "file", zeros("a\0b\r\n\xff", 6), large(3000000, 'x');
  for (const std::string &content : {std::string("first"), zeros, large, std::string(), zeros}) {
    write_durably(file, content);
    EXPECT_EQ(content_of(file), content);
    EXPECT_EQ(folder.n_entries(), 1u);
  }
}

/// Who has the old one open goes on reading it: it is not written over.
TEST(DurableFile, TakesThePlaceOfTheOldOne) {
  const ScratchFolder folder;
  const std::string file = folder / "file";
  write_durably(file, "the old one");
  std::ifstream old(file);
  write_durably(file, "new");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(old), {}), "the old one");
  EXPECT_EQ(content_of(file), "new");
}

/// What a run that was killed while it wrote has left is in nobody's way.
TEST(DurableFile, WritesOverALeftTemporaryOne) {
  const ScratchFolder folder;
  put(temporary_name(folder / "file"), std::string(1000, 'x'));
  write_durably(folder / "file", "new");
  EXPECT_EQ(content_of(folder / "file"), "new");
  EXPECT_EQ(folder.n_entries(), 1u);
}

TEST(DurableFile, HasThePermissionsThatTheUmaskLeaves) {
  const ScratchFolder folder;
  const mode_t before = ::umask(S_IWGRP | S_IRWXO);
  write_durably(folder / "file", "content");
  { AppendedFile appended(folder / "appended"); }
  ::umask(before);
  for (const char *const name : {"file", "appended"}) {
    struct stat status;
    ASSERT_EQ(::stat((folder / name).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777u, static_cast<mode_t>(S_IRUSR | S_IWUSR | S_IRGRP)) << name;
  }
}

TEST(DurableFile, NamesItselfAndTheReasonWhereTheFolderIsMissing) {
  const ScratchFolder folder;
  const std::string file = folder / "missing/file";
  EXPECT_EQ(error_of([&] { write_durably(file, "content"); }),
            file + ": cannot be written (No such file or directory)");
  EXPECT_EQ(error_of([&] { sync_folder(folder / "missing"); }),
            folder / "missing: cannot be written (No such file or directory)");
  EXPECT_EQ(folder.n_entries(), 0u);
}

TEST(DurableFile, LeavesAFolderOfItsNameAlone) {
  const ScratchFolder folder;
  const std::string file = folder / "file";
  std::filesystem::create_directory(file);
  EXPECT_EQ(error_of([&] { write_durably(file, "content"); }),
            file + ": cannot be written (Is a directory)");
  EXPECT_TRUE(std::filesystem::is_directory(file));
  EXPECT_EQ(folder.n_entries(), 1u);
}

TEST(DurableFile, StaysTheOldOneWhereTheDiskIsFull) {
  const ScratchFolder folder;
  const std::string file = folder / "file";
  write_durably(file, "the old one");
  const std::string error = error_of([&] {
    const FullDisk full(1000);
    write_durably(file, std::string(1500, 'x'));
  });
  EXPECT_EQ(error, file + ": cannot be written (File too large)");
  EXPECT_EQ(content_of(file), "the old one");
  EXPECT_EQ(folder.n_entries(), 1u);
}

// ---- a file that grows by records ----

/// Records of many lengths.
std::string record(unsigned int i) {
  return std::to_string(i) + std::string((37 * i) % 901, '.') + '\n';
}

TEST(AppendedFile, HasWholeRecordsOnTheDiskAtAnyTime) {
  const ScratchFolder folder;
  AppendedFile file(folder / "file");
  std::string all, handed_over;
  unsigned int n_flushed_by_itself = 0;
  for (unsigned int i = 0; i < 1000; ++i) {
    file.append(record(i));
    all += record(i);
    const bool is_flushed = file.size() > handed_over.size();
    n_flushed_by_itself += is_flushed;
    if (is_flushed)
      handed_over = all;
    // All records up to this one, or not one since the last time.
    ASSERT_EQ(file.size(), handed_over.size()) << i;
    ASSERT_EQ(std::filesystem::file_size(folder / "file"), handed_over.size()) << i;
    if (i % 300 == 299) {
      i == 599 ? file.flush() : file.sync();
      handed_over = all;
      ASSERT_EQ(file.size(), all.size());
      ASSERT_EQ(content_of(folder / "file"), all);
    }
  }
  EXPECT_GT(n_flushed_by_itself, 1u);
}

TEST(AppendedFile, IsCompleteWhenItIsClosed) {
  const ScratchFolder folder;
  {
    AppendedFile file(folder / "file");
    file.append("one\n");
    file.append("two\n");
  }
  EXPECT_EQ(content_of(folder / "file"), "one\ntwo\n");
  { AppendedFile anew(folder / "file"); }
  EXPECT_EQ(content_of(folder / "file"), "");
}

TEST(AppendedFile, GoesOnBehindTheBytesThatAreKept) {
  const ScratchFolder folder;
  for (const char *const behind : {"", "not at the checkpoint yet\nnor th"}) {
    put(folder / "file", std::string("one\ntwo\n") + behind);
    AppendedFile file(folder / "file", 8);
    EXPECT_EQ(content_of(folder / "file"), "one\ntwo\n");
    EXPECT_EQ(file.size(), 8u);
    file.append("three\n");
    file.flush();
    EXPECT_EQ(content_of(folder / "file"), "one\ntwo\nthree\n");
    EXPECT_EQ(file.size(), 14u);
  }
}

/// It was changed since the checkpoint: refused, as often as it is tried, and left as it is.
TEST(AppendedFile, ThatIsShorterThanWhatWasKeptIsRefused) {
  const ScratchFolder folder;
  put(folder / "file", "one\n");
  for (unsigned int attempt = 0; attempt < 2; ++attempt) {
    const std::string error = error_of([&] { AppendedFile(folder / "file", 8); });
    EXPECT_EQ(error.find(folder / "file: it has 4 bytes, and had 8 at the checkpoint"), 0u)
        << error;
    EXPECT_EQ(content_of(folder / "file"), "one\n");
  }
}

TEST(AppendedFile, ThatIsGoneAlthoughSomeOfItWasKeptIsRefused) {
  const ScratchFolder folder;
  for (unsigned int attempt = 0; attempt < 2; ++attempt) {
    EXPECT_EQ(error_of([&] { AppendedFile(folder / "file", 8); }),
              folder / "file: this file of the run that is to be resumed is gone");
    EXPECT_EQ(folder.n_entries(), 0u);
  }
}

TEST(AppendedFile, NamesItselfAndTheReasonWhereItCannotBeOpened) {
  const ScratchFolder folder;
  EXPECT_EQ(error_of([&] { AppendedFile(folder / "missing/file"); }),
            folder / "missing/file: cannot be written (No such file or directory)");
  for (const std::uint64_t kept : {0u, 8u})
    EXPECT_EQ(error_of([&] { AppendedFile(folder.path.string(), kept); }),
              folder.path.string() + ": cannot be written (Is a directory)");
}

/// The disk takes a part of what is handed over: that is cut off again, and told.
TEST(AppendedFile, EndsWithAWholeRecordWhereTheDiskIsFull) {
  const ScratchFolder folder;
  AppendedFile file(folder / "file");
  std::string all;
  for (unsigned int i = 0; i < 5; ++i) {
    file.append(record(i));
    all += record(i);
  }
  file.flush();
  {
    const FullDisk full(all.size() + 100);
    for (unsigned int i = 5; i < 10; ++i)
      file.append(record(i));
    EXPECT_EQ(error_of([&] { file.flush(); }), folder / "file: cannot be written (File too large)");
  }
  EXPECT_EQ(content_of(folder / "file"), all);
  EXPECT_EQ(file.size(), all.size());
  // With room again it goes on there, and not behind a hole.
  file.append("last\n");
  file.flush();
  EXPECT_EQ(content_of(folder / "file"), all + "last\n");
}

/// Records that are still waiting when it is closed cannot be told of any more; nor are halves
/// left.
TEST(AppendedFile, ClosesWhereTheDiskIsFull) {
  const ScratchFolder folder;
  std::optional<AppendedFile> file(std::in_place, folder / "file");
  file->append("one\n");
  file->flush();
  file->append(std::string(1000, 'x'));
  {
    const FullDisk full(500);
    file.reset();
  }
  EXPECT_EQ(content_of(folder / "file"), "one\n");
}

// ---- tables that are gone on with ----

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

TEST(CsvTable, GoneOnWithIsTheSameAsOneThatWasNeverClosed) {
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
      table.sync();
      kept = table.size();
      EXPECT_EQ(content_of(folder / "parts.csv"), whole.substr(0, kept));
      add_rows(table, n_kept, 60); // after the checkpoint: they come again
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

} // namespace
