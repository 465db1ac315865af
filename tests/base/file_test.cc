// Whole files, written and read, and whole texts passed to and from descriptors.

#include <percussion/base/csv_table.h>
#include <percussion/base/file.h>

#include <gtest/gtest.h>

#include "support/full_disk.h"
#include "support/scratch_folder.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace percussion;
using test::content_of;
using test::error_of;
using test::FullDisk;
using test::put;
using test::ScratchFolder;

TEST(Files, AreReadAsAWhole) {
  const ScratchFolder folder;
  for (const std::size_t size : {0u, 1u, 65535u, 65536u, 300000u}) {
    std::string content(size, 'x');
    for (std::size_t i = 0; i < size; ++i)
      content[i] = static_cast<char>(i % 251); // includes zeros
    put(folder / "file", content);
    EXPECT_EQ(read_file(folder / "file"), content);
  }
}

TEST(Files, ThatCannotBeReadSayWhy) {
  const ScratchFolder folder;
  EXPECT_FALSE(read_file(folder / "missing"));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(read_file(folder.path.string()));
  EXPECT_EQ(errno, EISDIR);
}

/// The text exceeds the capacity of the pipe, and the reader is slow.
TEST(Files, PassThroughAPipeAsAWhole) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string sent(1u << 20, 'y');
  bool all_sent = false;
  std::thread writer([&] {
    all_sent = write_all(ends[1], sent);
    ::close(ends[1]);
  });
  std::string received = "begun ";
  EXPECT_TRUE(read_all(ends[0], received));
  writer.join();
  ::close(ends[0]);
  EXPECT_TRUE(all_sent);
  EXPECT_EQ(received, "begun " + sent);
}

TEST(Files, ThatTakeNoMoreSayWhy) {
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  EXPECT_TRUE(write_all(full, ""));
  EXPECT_FALSE(write_all(full, "some"));
  EXPECT_EQ(errno, ENOSPC);
  ::close(full);
}

// ---- replacement of a whole file ----

TEST(WrittenFile, HasTheContentAndNoTemporaryOneIsLeft) {
  const ScratchFolder folder;
  const std::string file = folder / "file", zeros("a\0b\r\n\xff", 6), large(3000000, 'x');
  for (const std::string &content : {std::string("first"), zeros, large, std::string(), zeros}) {
    write_file(file, content);
    EXPECT_EQ(content_of(file), content);
    EXPECT_EQ(folder.n_entries(), 1u);
  }
}

/// A process that has the old file open continues to read the old content.
TEST(WrittenFile, TakesThePlaceOfTheOldOne) {
  const ScratchFolder folder;
  const std::string file = folder / "file";
  write_file(file, "the old one");
  std::ifstream old(file);
  write_file(file, "new");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(old), {}), "the old one");
  EXPECT_EQ(content_of(file), "new");
}

/// A temporary file left by a killed run is overwritten.
TEST(WrittenFile, WritesOverALeftTemporaryOne) {
  const ScratchFolder folder;
  put(temporary_name(folder / "file"), std::string(1000, 'x'));
  write_file(folder / "file", "new");
  EXPECT_EQ(content_of(folder / "file"), "new");
  EXPECT_EQ(folder.n_entries(), 1u);
}

TEST(WrittenFile, HasThePermissionsThatTheUmaskLeaves) {
  const ScratchFolder folder;
  const mode_t before = ::umask(S_IWGRP | S_IRWXO);
  write_file(folder / "file", "content");
  { CsvTable table(folder / "table", {}, {"step"}); }
  ::umask(before);
  for (const char *const name : {"file", "table"}) {
    struct stat status;
    ASSERT_EQ(::stat((folder / name).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777u, static_cast<mode_t>(S_IRUSR | S_IWUSR | S_IRGRP)) << name;
  }
}

TEST(WrittenFile, NamesItselfAndTheReasonWhereTheFolderIsMissing) {
  const ScratchFolder folder;
  const std::string file = folder / "missing/file";
  EXPECT_EQ(error_of([&] { write_file(file, "content"); }),
            file + ": cannot be written (No such file or directory)");
  EXPECT_EQ(error_of([&] { sync_folder(folder / "missing"); }),
            folder / "missing: cannot be written (No such file or directory)");
  EXPECT_EQ(folder.n_entries(), 0u);
}

TEST(WrittenFile, LeavesAFolderOfItsNameAlone) {
  const ScratchFolder folder;
  const std::string file = folder / "file";
  std::filesystem::create_directory(file);
  EXPECT_EQ(error_of([&] { write_file(file, "content"); }),
            file + ": cannot be written (Is a directory)");
  EXPECT_TRUE(std::filesystem::is_directory(file));
  EXPECT_EQ(folder.n_entries(), 1u);
}

TEST(WrittenFile, StaysTheOldOneWhereTheDiskIsFull) {
  const ScratchFolder folder;
  const std::string file = folder / "file";
  write_file(file, "the old one");
  const std::string error = error_of([&] {
    const FullDisk full(1000);
    write_file(file, std::string(1500, 'x'));
  });
  EXPECT_EQ(error, file + ": cannot be written (File too large)");
  EXPECT_EQ(content_of(file), "the old one");
  EXPECT_EQ(folder.n_entries(), 1u);
}

} // namespace
