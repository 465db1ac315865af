// Files that are written beside a run: all of them, in the order that matters, or not one after a
// failure.

#include <percussion/base/durable_file.h>
#include <percussion/base/error.h>
#include <percussion/output/background_writer.h>

#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include <chrono>
#include <fcntl.h>
#include <map>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace percussion;
using test::content_of;
using test::error_of;
using test::ScratchFolder;

/// Of many lengths.
std::string content(unsigned int i) { return std::string((7919 * i) % 50000, char('a' + i % 26)); }

void write(BackgroundWriter &writer, const std::string &file, const std::string &text) {
  writer.write(
      file, [text] { return text; }, text.size());
}

/// The names that files of a folder were given, one after the other.
class Renames {
public:
  explicit Renames(const ScratchFolder &folder) : descriptor(::inotify_init1(IN_NONBLOCK)) {
    ::inotify_add_watch(descriptor, folder.path.c_str(), IN_MOVED_TO);
  }
  ~Renames() { ::close(descriptor); }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    alignas(inotify_event) char buffer[4096];
    for (ssize_t n; (n = ::read(descriptor, buffer, sizeof buffer)) > 0;)
      for (ssize_t i = 0; i < n;) {
        const auto *event = reinterpret_cast<const inotify_event *>(buffer + i);
        all.emplace_back(event->name);
        i += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    return all;
  }

private:
  int descriptor;
};

TEST(BackgroundWriter, WritesAllFilesAndEachListAfterThem) {
  const ScratchFolder folder;
  const Renames renames(folder);
  constexpr unsigned int n = 300;
  BackgroundWriter writer(folder.path.string());
  for (unsigned int i = 0; i < n; ++i) {
    write(writer, folder / ("file-" + std::to_string(i)), content(i));
    writer.write_list(folder / ("list-" + std::to_string(i)), content(i + 1));
    writer.write_list(folder / "list", "up to " + std::to_string(i));
  }
  writer.finish();
  EXPECT_EQ(folder.n_entries(), 2u * n + 1);
  std::map<std::string, unsigned int> place; // of the last time
  unsigned int n_renames = 0, n_lists = 0;
  for (const std::string &name : renames.names()) {
    place[name] = ++n_renames;
    n_lists += name == "list";
  }
  for (unsigned int i = 0; i < n; ++i) {
    const std::string file = "file-" + std::to_string(i), list = "list-" + std::to_string(i);
    ASSERT_EQ(content_of(folder / file), content(i));
    ASSERT_EQ(content_of(folder / list), content(i + 1));
    ASSERT_GT(place[file], 0u);
    ASSERT_LT(place[file], place[list]) << i;
  }
  EXPECT_EQ(content_of(folder / "list"), "up to " + std::to_string(n - 1));
  EXPECT_GT(place["list"], place["file-" + std::to_string(n - 1)]);
  EXPECT_LE(n_lists, n);
}

TEST(BackgroundWriter, GoesOnAfterItHasFinishedAndFinishesAtItsEnd) {
  const ScratchFolder folder;
  {
    BackgroundWriter writer(folder.path.string());
    writer.finish();
    write(writer, folder / "file", "first");
    writer.finish();
    EXPECT_EQ(content_of(folder / "file"), "first");
    write(writer, folder / "file", "second");
    writer.write_list(folder / "list", "file");
  }
  EXPECT_EQ(content_of(folder / "file"), "second");
  EXPECT_EQ(content_of(folder / "list"), "file");
  EXPECT_EQ(folder.n_entries(), 2u);
}

/// A file that the writer is busy with until it is let go, and then fails to write: a pipe under
/// its temporary name takes no more than it can hold, and cannot be synced.
class BusyFile {
public:
  BusyFile(const std::string &file, BackgroundWriter &writer) {
    ::mkfifo(temporary_name(file).c_str(), S_IRUSR | S_IWUSR);
    write(writer, file, std::string(1u << 20, 'x'));
    descriptor = ::open(temporary_name(file).c_str(), O_RDONLY); // waits for the writer
  }
  void let_go() const {
    std::vector<char> buffer(1u << 16);
    while (::read(descriptor, buffer.data(), buffer.size()) > 0)
      ;
  }
  ~BusyFile() { ::close(descriptor); }

private:
  int descriptor;
};

TEST(BackgroundWriter, WritesNothingMoreAfterAFailureAndTellsIt) {
  const ScratchFolder folder;
  const std::string error = folder / "busy: cannot be written (Invalid argument)";
  {
    BackgroundWriter writer(folder.path.string());
    const BusyFile busy(folder / "busy", writer);
    for (unsigned int i = 0; i < 10; ++i)
      write(writer, folder / ("file-" + std::to_string(i)), "content");
    writer.write_list(folder / "list", "all of them");
    busy.let_go();
    EXPECT_EQ(error_of([&] { writer.finish(); }), error);
    EXPECT_EQ(error_of([&] { writer.finish(); }), error);
    EXPECT_EQ(error_of([&] { write(writer, folder / "later", "content"); }), error);
    EXPECT_EQ(error_of([&] { writer.write_list(folder / "list", "content"); }), error);
  }
  EXPECT_EQ(folder.n_entries(), 0u);
}

TEST(BackgroundWriter, TellsThatContentCouldNotBeMade) {
  const ScratchFolder folder;
  BackgroundWriter writer(folder.path.string());
  writer.write(
      folder / "file", []() -> std::string { throw RunError("out of ink"); }, 0);
  writer.write_list(folder / "list", "file");
  EXPECT_EQ(error_of([&] { writer.finish(); }), "out of ink");
  EXPECT_EQ(folder.n_entries(), 0u);
}

/// Its name is another folder's by then: nothing is written among that one's files.
TEST(BackgroundWriter, KeepsToTheFolderThatItBeganIn) {
  const ScratchFolder above;
  const std::string name = above / "results";
  std::filesystem::create_directory(name);
  BackgroundWriter writer(name);
  write(writer, name + "/file", "first");
  writer.finish();
  std::filesystem::rename(name, above / "moved");
  std::filesystem::create_directory(name);
  write(writer, name + "/file", "second");
  EXPECT_EQ(error_of([&] { writer.finish(); }),
            name + ": cannot be written (it was moved, and its name is another folder's)");
  EXPECT_TRUE(std::filesystem::is_empty(name));
  EXPECT_EQ(content_of(above / "moved/file"), "first");
}

/// The failure is told by a later file, without finish(): a run need not go on to its end.
TEST(BackgroundWriter, TellsAFailureAtALaterFile) {
  const ScratchFolder folder;
  BackgroundWriter writer(folder.path.string());
  const std::string file = folder / "missing/file";
  write(writer, file, "content");
  std::string error;
  for (unsigned int i = 0; i < 10000 && error.empty(); ++i) {
    error = error_of([&] { writer.write_list(folder / "list", std::to_string(i)); });
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(error, file + ": cannot be written (No such file or directory)");
  EXPECT_FALSE(std::filesystem::exists(folder / "list"));
}

} // namespace
