#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/processes.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <thread>

namespace percussion::processes {
namespace {

using Clock = std::chrono::steady_clock;

/// Shortest time that a process that has failed waits for the others [s]. It waits longer if the
/// work since the last agreement has taken longer: the others may be slower.
constexpr double shortest_wait = 2.5, wait_for_work = 0.5;

/// Knowledge of the failure of a process.
enum class Failed { no, all_know, alone };

/// The processes, and communicators for each purpose: a process that has failed leaves calls that
/// the others are waiting in, and its next call must not meet theirs.
struct Group {
  unsigned int number = 1, rank = 0, number_on_this_machine = 1;
  MPI_Comm work = MPI_COMM_SELF, data = MPI_COMM_SELF, outcome = MPI_COMM_SELF, end = MPI_COMM_SELF;
  Failed failed = Failed::no;
  Clock::time_point last_agreement = Clock::now();
};

Group group;

enum class Kind : int { run_error, input_error, write_error };

struct Failure {
  Kind kind = Kind::run_error;
  std::string text;
};

Failure described(const std::exception_ptr &failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const InputError &error) {
    return {Kind::input_error, error.what()};
  } catch (const WriteError &error) {
    return {Kind::write_error, error.what()};
  } catch (const std::exception &error) {
    return {Kind::run_error, error.what()};
  } catch (...) {
    return {Kind::run_error, "an exception without a text"};
  }
}

[[noreturn]] void throw_again(const Failure &failure) {
  switch (failure.kind) {
  case Kind::input_error:
    throw InputError(failure.text);
  case Kind::write_error:
    throw WriteError(failure.text);
  default:
    throw RunError(failure.text);
  }
}

/// Sends the bytes of the process `root` to all.
void send(std::string &bytes, unsigned int root, MPI_Comm communicator) {
  constexpr std::size_t most = 1u << 30; // counts of MPI are integers
  unsigned long long size = bytes.size();
  MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG_LONG, static_cast<int>(root), communicator);
  bytes.resize(size);
  for (std::size_t begin = 0; begin < size; begin += most)
    MPI_Bcast(bytes.data() + begin, static_cast<int>(std::min<std::size_t>(most, size - begin)),
              MPI_CHAR, static_cast<int>(root), communicator);
}

/// Throws the failure of the process `root` on all.
[[noreturn]] void throw_on_all(Failure failure, unsigned int root, MPI_Comm communicator) {
  MPI_Bcast(&failure.kind, 1, MPI_INT, static_cast<int>(root), communicator);
  send(failure.text, root, communicator);
  group.failed = Failed::all_know;
  throw_again(failure);
}

/// Waits for the end of an operation; returns false if it has not ended in time.
bool ends_in_time(MPI_Request &request) {
  const auto now = Clock::now();
  const std::chrono::duration<double> work = now - group.last_agreement;
  const auto end =
      now + std::chrono::duration<double>(std::max(shortest_wait, wait_for_work * work.count()));
  int is_complete = 0;
  while (MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE), is_complete == 0) {
    if (Clock::now() > end)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// Numbers of which each process learns the least.
using Numbers = std::array<std::uint64_t, 3>;

/// Returns the least numbers of all processes; nothing if they do not come in time and this process
/// does not wait for long.
std::optional<Numbers> least(const Numbers &mine, MPI_Comm communicator, bool waits) {
  static Numbers sent, received; // kept, because the others may come too late
  sent = mine;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(sent.data(), received.data(), static_cast<int>(sent.size()), MPI_UINT64_T, MPI_MIN,
                 communicator, &request);
  if (waits)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  else if (!ends_in_time(request))
    return {};
  return received;
}

/// As share_failure(); returns true if all checksums are equal.
bool compare(const std::exception_ptr &failure, std::uint64_t checksum, Calls calls) {
  const std::uint64_t rank_if_failed = failure ? group.rank : group.number;
  const bool waits = !failure || calls == Calls::local;
  const auto found = least({rank_if_failed, checksum, ~checksum}, group.outcome, waits);
  if (!found) {
    group.failed = Failed::alone;
    std::rethrow_exception(failure);
  }
  group.last_agreement = Clock::now();
  const auto &[failed, smallest, inverse_of_largest] = *found;
  if (failed == group.number) {
    group.failed = Failed::no; // an earlier failure was caught
    return smallest == ~inverse_of_largest;
  }
  Failure first;
  if (failed == group.rank)
    first = described(failure);
  if (failed == group.rank && failed > 0)
    first.text = "on rank " + std::to_string(failed) + ": " + first.text;
  throw_on_all(first, static_cast<unsigned int>(failed), group.outcome);
}

} // namespace

void share_work() {
  int n = 1, number_of_this = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  if (n == 1)
    return;
  MPI_Comm_rank(MPI_COMM_WORLD, &number_of_this);
  group.number = static_cast<unsigned int>(n);
  group.rank = static_cast<unsigned int>(number_of_this);
  for (MPI_Comm *communicator : {&group.work, &group.data, &group.outcome, &group.end})
    MPI_Comm_dup(MPI_COMM_WORLD, communicator);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &n);
  MPI_Comm_free(&machine);
  group.number_on_this_machine = static_cast<unsigned int>(n);
}

unsigned int number() { return group.number; }
unsigned int rank() { return group.rank; }
unsigned int number_on_this_machine() { return group.number_on_this_machine; }
MPI_Comm communicator() { return group.work; }

void share_failure(const std::exception_ptr &failure, Calls calls) {
  if (group.number > 1)
    compare(failure, 0, calls);
  else if (failure)
    std::rethrow_exception(failure);
}

void agree_on(const std::function<std::uint64_t()> &f,
              const std::function<std::string()> &difference) {
  if (group.number == 1)
    return static_cast<void>(f());
  std::exception_ptr failure;
  std::uint64_t checksum = 0;
  try {
    checksum = f();
  } catch (...) {
    failure = std::current_exception();
  }
  if (compare(failure, checksum, Calls::collective))
    return;
  group.failed = Failed::all_know;
  throw RunError(difference());
}

std::string broadcast_bytes(const std::function<std::string()> &f) {
  if (group.number == 1)
    return f();
  std::string bytes;
  std::exception_ptr failure;
  if (group.rank == 0)
    try {
      bytes = f();
    } catch (...) {
      failure = std::current_exception();
    }
  int has_failed = failure ? 1 : 0;
  MPI_Bcast(&has_failed, 1, MPI_INT, 0, group.data);
  if (has_failed == 1)
    throw_on_all(failure ? described(failure) : Failure{}, 0, group.data);
  send(bytes, 0, group.data);
  return bytes;
}

bool decided_by_first(bool value) {
  if (group.number == 1)
    return value;
  int number = value ? 1 : 0;
  MPI_Bcast(&number, 1, MPI_INT, 0, group.data);
  return number == 1;
}

std::vector<std::uint64_t> gathered(const std::vector<std::uint64_t> &numbers) {
  if (group.number == 1)
    return numbers;
  const int n = static_cast<int>(numbers.size());
  std::vector<std::uint64_t> all(group.number * numbers.size());
  MPI_Allgather(numbers.data(), n, MPI_UINT64_T, all.data(), n, MPI_UINT64_T, group.data);
  return all;
}

bool all_share_failure() { return group.failed == Failed::all_know; }

std::string first_text(const std::string &text) {
  if (group.number == 1)
    return text;
  const auto found = least({text.empty() ? group.number : group.rank, 0, 0}, group.data, true);
  const auto root = static_cast<unsigned int>(found->front());
  if (root == group.number)
    return {};
  std::string bytes = text;
  send(bytes, root, group.data);
  return bytes;
}

int end_together(int status, const std::string &message) {
  const auto print = [&] {
    if (!message.empty())
      std::cerr << message << std::endl;
  };
  constexpr std::uint64_t n_statuses = 256;
  std::optional<Numbers> found = Numbers{static_cast<std::uint64_t>(status), 0, 0};
  if (group.number > 1 && group.failed == Failed::alone)
    found.reset();
  else if (group.number > 1)
    found = least({status == 0 ? group.number * n_statuses
                               : group.rank * n_statuses + static_cast<std::uint64_t>(status),
                   0, 0},
                  group.end, status == 0 || group.failed == Failed::all_know);
  if (!found) {
    print();
    MPI_Abort(MPI_COMM_WORLD, std::max(status, 1));
  }
  const std::uint64_t first = found->front();
  if (group.number == 1 || first / n_statuses == group.rank)
    print();
  return static_cast<int>(first % n_statuses);
}

} // namespace percussion::processes
