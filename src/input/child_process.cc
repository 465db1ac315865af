#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/input/child_process.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// GCC and Clang tell of the address sanitizer in different ways.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PERCUSSION_SHADOW_MEMORY 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define PERCUSSION_SHADOW_MEMORY 1
#endif
#ifndef PERCUSSION_SHADOW_MEMORY
#define PERCUSSION_SHADOW_MEMORY 0
#endif

namespace percussion {
namespace {

constexpr int gave_up = 1;

void set_limit(int resource, std::uint64_t value) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0)
    return;
  limit.rlim_cur = std::min<rlim_t>(value, limit.rlim_max);
  setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

/// Address space of this process in bytes; 0 if the system does not tell.
std::uint64_t address_space() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void apply(const ChildLimits &limits) {
  set_limit(RLIMIT_CORE, 0);
  if (limits.seconds > 0)
    set_limit(RLIMIT_CPU, limits.seconds);
  // The address sanitizer's shadow memory is larger than any limit.
  if (const auto taken = address_space();
      limits.memory > 0 && taken > 0 && PERCUSSION_SHADOW_MEMORY == 0)
    set_limit(RLIMIT_AS, taken + limits.memory);
}

/// Whatever a library prints when it fails is not for the user.
void silence() {
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0)
    return;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    dup2(nowhere, stream);
}

/// The child's whole life. It leaves by _exit: what this process has to do at its end (MPI, buffers
/// of files) is not the child's business, not even where a library calls exit(), and the frames
/// below it are this process's, whatever is thrown.
[[noreturn]] void live(int answer_to, const std::function<std::string()> &work,
                       const ChildLimits &limits) noexcept {
  for (const int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU})
    std::signal(fatal, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::atexit([] { _exit(gave_up); });
  silence();
  apply(limits);
  _exit(write_all(answer_to, work()) ? 0 : gave_up);
}

/// Its status once it has ended; -1 if it cannot be known.
int wait_for(pid_t child) {
  int status = -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return status;
}

} // namespace

ChildOutcome run_in_child(const std::function<std::string()> &work, const ChildLimits &limits) {
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw RunError(std::string("no pipe can be made: ") + std::strerror(errno));
  const pid_t child = fork();
  if (child < 0) {
    const std::string why = std::strerror(errno);
    close(ends[0]);
    close(ends[1]);
    throw RunError("no process can be made: " + why);
  }
  if (child == 0) {
    close(ends[0]);
    live(ends[1], work, limits);
  }
  close(ends[1]);
  ChildOutcome outcome;
  const bool is_whole = read_all(ends[0], outcome.answer);
  close(ends[0]);
  const int status = wait_for(child);
  if (WIFSIGNALED(status))
    outcome.signal = WTERMSIG(status);
  outcome.ended = is_whole && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return outcome;
}

} // namespace percussion
