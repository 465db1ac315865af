#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace percussion {

/// Makes and writes files in the background, each as write_durably() does. The disk takes its time
/// to sync a file, but no more for several at once: what is waiting is written together.
class BackgroundWriter {
public:
  /// The files are those of a folder: they are not written once its name is another's. Throws
  /// WriteError where there is none.
  explicit BackgroundWriter(const std::string &folder);
  /// Finishes what is waiting; failures are lost.
  ~BackgroundWriter();

  /// What a file is to hold, called once and in another thread.
  using Content = std::function<std::string()>;

  /// Write a file soon, of which `n_bytes` are kept in memory until then. Waits only where much is
  /// waiting already. Throws the failure of an earlier file, RunError; nothing more is written
  /// then.
  void write(const std::string &file, Content content, std::size_t n_bytes);

  /// The same for a file that lists others: it is written after all that were given before it. Of
  /// several contents that wait under one name the last is written.
  void write_list(const std::string &file, std::string content);

  /// Wait until all is written; a failure is thrown here.
  void finish();

private:
  struct Work;
  std::unique_ptr<Work> work;
};

} // namespace percussion
