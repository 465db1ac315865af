#include <percussion/base/durable_file.h>
#include <percussion/output/background_writer.h>
#include <percussion/output/named_folder.h>

#include <algorithm>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace percussion {
namespace {

struct File {
  std::string name;
  BackgroundWriter::Content content;
};

/// Several at once: the disk syncs them together. One after the other where there may be no more
/// threads.
void write_together(const std::vector<File> &files, const NamedFolder &folder) {
  constexpr std::size_t at_once = 8;
  for (std::size_t begin = 0; begin < files.size(); begin += at_once) {
    std::vector<std::future<void>> parts;
    for (std::size_t i = begin; i < std::min(begin + at_once, files.size()); ++i)
      parts.push_back(
          std::async(std::launch::async | std::launch::deferred, [&file = files[i], &folder] {
            const std::string content = file.content();
            folder.expect_same();
            write_durably(file.name, content);
          }));
    for (auto &part : parts)
      part.get();
  }
}

} // namespace

struct BackgroundWriter::Work {
  static constexpr std::size_t most_files = 64, most_bytes = 64u << 20;

  NamedFolder folder;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<File> files;
  std::map<std::string, std::string> lists;
  std::size_t n_bytes = 0;
  bool is_writing = false, is_over = false;
  std::exception_ptr failure;
  std::thread thread{[this] { run(); }};

  explicit Work(const std::string &name) : folder(name) {}
  ~Work() {
    {
      const std::lock_guard lock(mutex);
      is_over = true;
    }
    changed.notify_all();
    thread.join();
  }

  bool is_empty() const { return files.empty() && lists.empty(); }

  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return is_over || !is_empty(); });
      if (is_empty())
        return;
      write_waiting(lock);
      changed.notify_all();
    }
  }

  /// What is waiting, with the lock open meanwhile.
  void write_waiting(std::unique_lock<std::mutex> &lock) {
    std::vector<File> now;
    std::vector<File> after;
    now.swap(files);
    for (auto &[name, content] : lists)
      after.push_back({name, [text = std::move(content)] { return text; }});
    lists.clear();
    n_bytes = 0;
    if (failure)
      return;
    is_writing = true;
    lock.unlock();
    std::exception_ptr failed;
    try {
      write_together(now, folder);
      write_together(after, folder);
    } catch (...) {
      failed = std::current_exception();
    }
    lock.lock();
    is_writing = false;
    failure = failed;
  }

  template <typename Give>
  void add(const Give &give) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return files.size() < most_files && n_bytes < most_bytes; });
    if (failure)
      std::rethrow_exception(failure);
    give();
    lock.unlock();
    changed.notify_all();
  }
};

BackgroundWriter::BackgroundWriter(const std::string &folder)
    : work(std::make_unique<Work>(folder)) {}
BackgroundWriter::~BackgroundWriter() = default;

void BackgroundWriter::write(const std::string &file, Content content, std::size_t n_bytes) {
  work->add([&] {
    work->n_bytes += n_bytes;
    work->files.push_back({file, std::move(content)});
  });
}

void BackgroundWriter::write_list(const std::string &file, std::string content) {
  work->add([&] { work->lists[file] = std::move(content); });
}

void BackgroundWriter::finish() {
  std::unique_lock lock(work->mutex);
  work->changed.wait(lock, [this] { return work->is_empty() && !work->is_writing; });
  if (work->failure)
    std::rethrow_exception(work->failure);
}

} // namespace percussion
