#include <percussion/base/confinement.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace percussion {
namespace {

#if defined(__x86_64__)
#define PERCUSSION_HAS_FILTER 1
constexpr unsigned int architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
#define PERCUSSION_HAS_FILTER 1
constexpr unsigned int architecture = AUDIT_ARCH_AARCH64;
#endif

/// Longest text of a denial [bytes], with its final zero.
constexpr std::size_t denial_size = 512;
std::array<char, denial_size> denial; ///< text of the first denial

} // namespace

#ifdef PERCUSSION_HAS_FILTER
namespace {

/// Value of the sixth argument, which openat() does not have, of calls that the handler has
/// checked. It is drawn at random, as a register may contain anything.
unsigned int checked_mark = 0;

/// Call that is denied, whatever its arguments.
struct DeniedCall {
  long number;
  const char *purpose;    ///< text of the denial
  unsigned int file = 99; ///< argument with the name of a file, if there is one
};
constexpr const char *start_purpose = "start a program",
                     *change_purpose = "change, create or remove",
                     *connection_purpose = "open a connection";
constexpr DeniedCall denied_calls[] = {
    {SYS_execve, start_purpose, 0},
    {SYS_execveat, start_purpose, 1},
    {SYS_socket, connection_purpose},
    {SYS_ptrace, "look into a process"},
    {SYS_kill, "end a process"},
    {SYS_io_uring_setup, "read or write by another way"},
    {SYS_openat2, change_purpose, 1},
    {SYS_unlinkat, change_purpose, 1},
    {SYS_renameat2, change_purpose, 1},
    {SYS_renameat, change_purpose, 1},
    {SYS_linkat, change_purpose, 1},
    {SYS_symlinkat, change_purpose, 0},
    {SYS_mkdirat, change_purpose, 1},
    {SYS_mknodat, change_purpose, 1},
    {SYS_truncate, change_purpose, 0},
    {SYS_fchmodat, change_purpose, 1},
    {SYS_fchownat, change_purpose, 1},
    {SYS_utimensat, change_purpose},
    {SYS_setxattr, change_purpose, 0},
    {SYS_lsetxattr, change_purpose, 0},
    {SYS_removexattr, change_purpose, 0},
    {SYS_lremovexattr, change_purpose, 0},
    {SYS_open_by_handle_at, "open a file by its handle"},
    {SYS_mq_open, "open a queue", 0},
    {SYS_process_vm_writev, "change a process"},
    {SYS_mount, "mount a file system"},
    {SYS_umount2, "mount a file system"},
#ifdef __x86_64__ // old calls
    {SYS_fork, start_purpose},
    {SYS_vfork, start_purpose},
    {SYS_creat, change_purpose, 0},
    {SYS_unlink, change_purpose, 0},
    {SYS_rename, change_purpose, 0},
    {SYS_link, change_purpose, 0},
    {SYS_symlink, change_purpose, 0},
    {SYS_mkdir, change_purpose, 0},
    {SYS_rmdir, change_purpose, 0},
    {SYS_mknod, change_purpose, 0},
    {SYS_chmod, change_purpose, 0},
    {SYS_chown, change_purpose, 0},
    {SYS_lchown, change_purpose, 0},
    {SYS_utime, change_purpose, 0},
    {SYS_utimes, change_purpose, 0},
    {SYS_futimesat, change_purpose, 1},
#endif
};

/// Notes the first denial. Called by the handler of a signal: allocates no memory.
void note(const char *purpose, const char *file, const char *reason = "") {
  if (denial[0] == '\0')
    std::snprintf(denial.data(), denial.size(), file == nullptr ? "%s" : "%s '%s'%s", purpose, file,
                  reason);
}

/// Opens a regular file or a folder for reading; returns its descriptor, or the negative number of
/// the error.
long open_checked(int folder, const char *file, int flags) {
  constexpr int writing = O_CREAT | O_TRUNC | O_APPEND;
  if ((flags & O_ACCMODE) != O_RDONLY || (flags & writing) != 0) {
    note("write", file);
    return -EPERM;
  }
  const auto is_readable = [](const struct stat &status) {
    return S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
  };
  struct stat status {};
  if (::fstatat(folder, file, &status, 0) != 0)
    return -errno;
  // The file may be replaced between the two looks at it.
  long descriptor = -EPERM;
  if (is_readable(status)) {
    descriptor = ::syscall(SYS_openat, folder, file, flags | O_NONBLOCK, 0, 0, checked_mark);
    if (descriptor < 0)
      return -errno;
    if (::fstat(static_cast<int>(descriptor), &status) != 0 || !is_readable(status)) {
      ::close(static_cast<int>(descriptor));
      descriptor = -EPERM;
    }
  }
  if (descriptor < 0)
    note("read", file, ", which is not a regular file");
  return descriptor;
}

/// Registers of an interrupted call.
struct Call {
  long first, second, third;
  long *result;
};

Call call_of(ucontext_t &context) {
#ifdef __x86_64__
  auto &r = context.uc_mcontext.gregs;
  return {static_cast<long>(r[REG_RDI]), static_cast<long>(r[REG_RSI]),
          static_cast<long>(r[REG_RDX]), reinterpret_cast<long *>(&r[REG_RAX])};
#else
  auto &r = context.uc_mcontext.regs;
  return {static_cast<long>(r[0]), static_cast<long>(r[1]), static_cast<long>(r[2]),
          reinterpret_cast<long *>(&r[0])};
#endif
}

/// Answers a call that the filter passes to this process.
void answer(int, siginfo_t *info, void *context) {
  const int error = errno;
  const Call call = call_of(*static_cast<ucontext_t *>(context));
  const auto text = [](long address) { return reinterpret_cast<const char *>(address); };
  switch (info->si_syscall) {
  case SYS_openat:
    *call.result =
        open_checked(static_cast<int>(call.first), text(call.second), static_cast<int>(call.third));
    break;
#ifdef __x86_64__
  case SYS_open:
    *call.result = open_checked(AT_FDCWD, text(call.first), static_cast<int>(call.second));
    break;
#endif
  case SYS_socket:
    // The C library asks local services for the names of users, and then reads files.
    if (static_cast<int>(call.first) != AF_UNIX)
      note(connection_purpose, nullptr);
    *call.result = static_cast<int>(call.first) == AF_UNIX ? -EAFNOSUPPORT : -EPERM;
    break;
  default:
    for (const DeniedCall &denied : denied_calls)
      if (denied.number == info->si_syscall)
        note(denied.purpose, denied.file == 0   ? text(call.first)
                             : denied.file == 1 ? text(call.second)
                                                : nullptr);
    *call.result = -EPERM;
  }
  errno = error;
}

constexpr unsigned int offset_of_argument(unsigned int i) {
  return offsetof(seccomp_data, args) + 8 * i; // the lower half: both machines are little-endian
}

sock_filter statement(unsigned int code, unsigned int value) {
  return {static_cast<__u16>(code), 0, 0, value};
}

/// Jumps over so many statements if the loaded word passes the comparison with the value.
sock_filter jump(unsigned int comparison, unsigned int value, __u8 if_true, __u8 if_false) {
  return {static_cast<__u16>(BPF_JMP | comparison | BPF_K), if_true, if_false, value};
}

std::vector<sock_filter> filter() {
  const sock_filter allow = statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
                    trap = statement(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
                    unknown = statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                    // A trap would end the process: the C library blocks all signals first.
      deny = statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  const auto load = [](unsigned int offset) { return statement(BPF_LD | BPF_W | BPF_ABS, offset); };
  std::vector<sock_filter> program = {load(offsetof(seccomp_data, arch)),
                                      jump(BPF_JEQ, architecture, 1, 0), unknown,
                                      load(offsetof(seccomp_data, nr)),
                                      // Numbers of another interface of the same machine.
                                      jump(BPF_JGE, 0x40000000, 0, 1), unknown,
                                      // The C library then calls clone().
                                      jump(BPF_JEQ, SYS_clone3, 0, 1), unknown};
  for (const DeniedCall &denied : denied_calls) {
    program.push_back(jump(BPF_JEQ, static_cast<unsigned int>(denied.number), 0, 1));
    program.push_back(trap);
  }
#ifdef __x86_64__
  program.push_back(jump(BPF_JEQ, SYS_open, 0, 1));
  program.push_back(trap);
#endif
  const std::vector<sock_filter> last_rules = {jump(BPF_JEQ, SYS_openat, 0, 4),
                                               load(offset_of_argument(5)),
                                               jump(BPF_JEQ, checked_mark, 0, 1),
                                               allow,
                                               trap,
                                               jump(BPF_JEQ, SYS_clone, 0, 3),
                                               load(offset_of_argument(0)),
                                               jump(BPF_JSET, CLONE_THREAD, 1, 0),
                                               deny,
                                               allow};
  program.insert(program.end(), last_rules.begin(), last_rules.end());
  return program;
}

} // namespace

bool confine_process() {
  struct sigaction action {};
  action.sa_sigaction = answer;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  if (::sigaction(SIGSYS, &action, nullptr) != 0)
    return false;
  if (::getrandom(&checked_mark, sizeof checked_mark, 0) != sizeof checked_mark)
    return false;
  std::vector<sock_filter> statements = filter();
  sock_fprog program{static_cast<unsigned short>(statements.size()), statements.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

#else

bool confine_process() { return false; }

#endif

std::string first_denial() { return denial.data(); }

void forget_denials() { denial[0] = '\0'; }

} // namespace percussion
