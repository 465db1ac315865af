// Whole files, and whole texts to and from descriptors.

#include <percussion/base/file.h>

#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include <cerrno>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace percussion;
using test::put;
using test::ScratchFolder;

TEST(Files, AreReadAsAWhole) {
  const ScratchFolder folder;
  for (const std::size_t size : {0u, 1u, 65535u, 65536u, 300000u}) {
    std::string content(size, 'x');
    for (std::size_t i = 0; i < size; ++i)
      content[i] = static_cast<char>(i % 251); // zeros too
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

/// More than it holds at once, to a reader that takes its time.
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

} // namespace
