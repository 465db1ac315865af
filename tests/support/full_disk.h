#pragma once

#include <csignal>
#include <sys/resource.h>

namespace percussion::test {

/// Limit of the size of files during its lifetime: no file can grow beyond it, as on a full disk.
class FullDisk {
public:
  explicit FullDisk(rlim_t most_bytes) {
    handler = std::signal(SIGXFSZ, SIG_IGN); // makes write() fail instead of ending the program
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

} // namespace percussion::test
