#pragma once

#include <memory>
#include <string>

namespace percussion {

/// Writes files in the background, each as write_durably() does. The disk takes its time to sync a
/// file, but no more for several at once: what is waiting is written together.
class BackgroundWriter {
public:
  BackgroundWriter();
  /// Finishes what is waiting; failures are lost.
  ~BackgroundWriter();

  /// Write a file soon. Waits only where much is waiting already. Throws the failure of an earlier
  /// file, RunError; nothing more is written then.
  void write(const std::string &file, std::string content);

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
