#include <percussion/base/child_process.h>
#include <percussion/base/error.h>
#include <percussion/base/file.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace percussion {
namespace {

using Clock = std::chrono::steady_clock;

/// First byte of the answer of a child: the kind of what follows.
constexpr char result_mark = 'R', input_error_mark = 'I', failure_mark = 'F';

/// Sets the default action of all signals that are not ignored: the handlers of this process, of
/// MPI or Python, would report or survive a crash of the child.
void restore_default_signals() {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN)
      std::signal(signal, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

void set_limit(decltype(RLIMIT_AS) resource, rlim_t limit) {
  rlimit old{};
  if (getrlimit(resource, &old) != 0)
    return;
  const rlimit lower{std::min(limit, old.rlim_cur), old.rlim_max};
  setrlimit(resource, &lower);
}

/// Returns the address space of this process and all memory of the machine [bytes].
[[maybe_unused]] rlim_t largest_address_space() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return (pages + static_cast<rlim_t>(sysconf(_SC_PHYS_PAGES))) *
         static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

void limit_child(double cpu_limit) {
  set_limit(RLIMIT_CORE, 0);
  if (cpu_limit > 0)
    set_limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(cpu_limit)));
#ifndef __SANITIZE_ADDRESS__ // whose shadow takes most of the address space
  set_limit(RLIMIT_AS, largest_address_space());
#endif
}

void discard_standard_streams() {
  const int null = ::open("/dev/null", O_RDWR);
  for (int descriptor = 0; null >= 0 && descriptor < 3; ++descriptor)
    ::dup2(null, descriptor);
}

/// Ends the child without the handlers that this process has registered for its own end.
[[noreturn]] void leave() { _exit(EXIT_FAILURE); }

std::string answer_of(const std::function<std::string()> &compute) {
  try {
    return result_mark + compute();
  } catch (const InputError &error) {
    return input_error_mark + std::string(error.what());
  } catch (const std::exception &error) {
    return failure_mark + std::string(error.what());
  } catch (...) {
    return failure_mark + std::string("an exception without a text");
  }
}

[[noreturn]] void be_child(const std::function<std::string()> &compute, double cpu_limit,
                           int to_parent, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    leave();
  restore_default_signals();
  discard_standard_streams();
  limit_child(cpu_limit);
  std::atexit(leave); // a library may call exit()
  const bool is_written = write_all(to_parent, answer_of(compute));
  _exit(is_written ? EXIT_SUCCESS : EXIT_FAILURE);
}

/// Appends what the child writes until it closes the pipe. Returns false if it has not done so by
/// the deadline.
bool receive(int child_output, const Clock::time_point *deadline, std::string &bytes) {
  std::string buffer(1u << 16, '\0');
  for (;;) {
    int timeout = -1; // none
    if (deadline != nullptr) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - Clock::now()).count();
      if (left <= 0)
        return false;
      timeout = static_cast<int>(std::min<long long>(left, 1000000));
    }
    pollfd readable{child_output, POLLIN, 0};
    if (::poll(&readable, 1, timeout) <= 0)
      continue; // interrupted, or the deadline decides
    const ssize_t n = ::read(child_output, buffer.data(), buffer.size());
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
      return true;
    bytes.append(buffer, 0, n > 0 ? static_cast<std::size_t>(n) : 0);
  }
}

/// Returns how a child without an answer has ended.
std::string end_in_words(int status, double cpu_limit) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    return "it took more than " + std::to_string(std::lround(std::ceil(cpu_limit))) +
           " s of processor time";
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
    return "it was killed; is there enough memory?";
  if (WIFSIGNALED(status))
    return std::string("it crashed: ") + strsignal(WTERMSIG(status));
  return "it ended without a result";
}

} // namespace

std::string run_in_child(const std::function<std::string()> &compute, double cpu_limit) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw ChildFailure(std::string("no pipe can be made: ") + std::strerror(errno));
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    ::close(ends[0]);
    be_child(compute, cpu_limit, ends[1], parent);
  }
  const int reason = errno;
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    throw ChildFailure(std::string("no process can be started: ") + std::strerror(reason));
  }
  const auto deadline =
      Clock::now() + std::chrono::milliseconds(static_cast<long long>(1e4 * cpu_limit));
  std::string answer;
  const bool is_in_time = receive(ends[0], cpu_limit > 0 ? &deadline : nullptr, answer);
  ::close(ends[0]);
  if (!is_in_time)
    ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  if (!is_in_time)
    throw ChildFailure("it did not end within " +
                       std::to_string(std::lround(10 * std::ceil(cpu_limit))) + " s");
  const std::string text = answer.empty() ? "" : answer.substr(1);
  if (answer.empty() || !WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS)
    throw ChildFailure(end_in_words(status, cpu_limit));
  if (answer[0] == input_error_mark)
    throw InputError(text);
  if (answer[0] == failure_mark)
    throw ChildFailure(text);
  return text;
}

} // namespace percussion
