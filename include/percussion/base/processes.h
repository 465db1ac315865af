#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <mpi.h>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

/// Processes that share the work of one run. Each reads the case and keeps the whole state; all
/// take the same steps, and the first one alone writes, except pieces of the solution. Where a
/// process may fail alone, agree() tells the others. A process without share_work() is alone: each
/// function then returns at once.
namespace percussion::processes {

/// Lets the processes that mpirun has started together share the work of runs, from now to the end
/// of MPI. MPI must have been started.
void share_work();

/// Returns the number of processes that share the work.
unsigned int number();
/// Returns the number of this process, beginning with zero.
unsigned int rank();
/// True for the process that writes and prints.
inline bool is_first() { return rank() == 0; }
/// Returns the number of these processes on this machine, whose memory they share.
unsigned int number_on_this_machine();
/// Returns the communicator for distributed work: of the processes that share it.
MPI_Comm communicator();

/// Functions that processes call before they share their failures. In collective functions they may
/// wait for a process that has failed; after local ones all of them come.
enum class Calls { collective, local };

/// Tells all processes whether one has failed: throws the failure of the lowest rank on all of
/// them, with its text and as the same of InputError, WriteError and RunError. If a process has
/// failed and the others do not come within seconds after collective calls, its failure is thrown
/// on it alone, for end_together(). Collective.
void share_failure(const std::exception_ptr &failure, Calls calls = Calls::collective);

/// Returns the result of f, which every process calls; throws on all if f throws on one, as
/// share_failure(). Collective.
template <typename Function>
auto agree(const Function &f, Calls calls = Calls::collective) {
  using Result = std::invoke_result_t<Function>;
  if (number() == 1)
    return f();
  std::exception_ptr failure;
  if constexpr (std::is_void_v<Result>) {
    try {
      f();
    } catch (...) {
      failure = std::current_exception();
    }
    share_failure(failure, calls);
  } else {
    std::optional<Result> result;
    try {
      result.emplace(f());
    } catch (...) {
      failure = std::current_exception();
    }
    share_failure(failure, calls);
    return std::move(*result);
  }
}

/// Calls f on every process as agree(), and compares the checksums that it returns. Throws RunError
/// with the text of `difference` on all if they differ. Collective.
void agree_on(const std::function<std::uint64_t()> &f,
              const std::function<std::string()> &difference);

/// Returns the bytes that f returns on the first process, the only one that calls it. Throws on all
/// if f throws. Collective.
std::string broadcast_bytes(const std::function<std::string()> &f);

/// Returns the value on the first process. For decisions that depend on clocks. Collective.
bool decided_by_first(bool value);

/// Returns the numbers of all processes, beginning with rank 0. Each process passes the same number
/// of numbers. Collective.
std::vector<std::uint64_t> gathered(const std::vector<std::uint64_t> &numbers);

/// True if the last failure was thrown on all processes: they can call collective functions.
bool all_share_failure();

/// Returns the text of the lowest rank whose text is not empty; empty if there is none. Collective.
std::string first_text(const std::string &text);

/// Ends the work of all processes. Returns the exit status of the lowest rank whose status is not
/// zero, else zero; that process prints its message, if any, to standard error. If this process
/// fails and the others do not come within seconds, because they wait for it elsewhere, ends all of
/// them with its status and does not return. Collective.
int end_together(int status, const std::string &message);

} // namespace percussion::processes
