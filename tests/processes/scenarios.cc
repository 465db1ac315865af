// A program of several processes, for the tests of base/processes.h: mpirun -n 3 process_scenarios
// NAME RANK, where RANK is the process that differs from the others.

#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/mpi_session.h>
#include <percussion/base/processes.h>

#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <thread>

namespace {

using namespace percussion;

bool differs(unsigned int rank) { return processes::rank() == rank; }

void expect(bool condition, const std::string &text) {
  if (!condition)
    throw RunError("expected: " + text);
}

/// Expects that f throws an Error with this text.
template <typename Error, typename Function>
void expect_failure(const std::string &text, const Function &f) {
  std::string caught = "no failure";
  try {
    f();
  } catch (const Error &error) {
    caught = error.what();
  }
  expect(caught == text, "'" + text + "' instead of '" + caught + "'");
}

/// A process fails within agree(): all throw its failure, of its kind, and go on.
void agreed(unsigned int rank) {
  const std::string place = rank > 0 ? "on rank " + std::to_string(rank) + ": " : "";
  const auto fail_with = [&](const auto &error) {
    return [&, error] {
      return processes::agree([&] {
        if (differs(rank))
          throw error;
        return 7;
      });
    };
  };
  expect_failure<InputError>(place + "bad", fail_with(InputError("bad")));
  expect_failure<WriteError>(place + "full", fail_with(WriteError("full")));
  expect_failure<RunError>(place + "missed", fail_with(RunError("missed")));
  expect_failure<RunError>(place + "other", fail_with(std::runtime_error("other")));
  expect(processes::all_share_failure(), "a failure of all processes");
  expect(processes::agree([] { return 7; }) == 7, "the result");
}

/// All processes fail: the text is the one of the first.
void all(unsigned int) {
  processes::agree([] { throw InputError("of " + std::to_string(processes::rank())); });
}

/// A process computes another number, or fails.
void different(unsigned int rank) {
  const auto compute = [&](std::uint64_t number) {
    processes::agree_on([&] { return differs(rank) ? number : 5u; },
                        [] { return std::string("different"); });
  };
  compute(5);
  expect_failure<RunError>("different", [&] { compute(6); });
  expect_failure<RunError>("different", [&] { compute(~std::uint64_t(0)); });
  compute(5);
}

void bytes(unsigned int rank) {
  const std::string sent(3000000, 'x');
  expect(processes::broadcast_bytes([&] {
           expect(processes::is_first(), "the first process alone");
           return sent;
         }) == sent,
         "all bytes");
  expect(processes::broadcast_bytes([] { return std::string(); }).empty(), "no bytes");
  expect_failure<InputError>("no file", [] {
    processes::broadcast_bytes([]() -> std::string { throw InputError("no file"); });
  });
  expect(processes::decided_by_first(processes::is_first()), "true on the first process");
  expect(!processes::decided_by_first(!processes::is_first()), "false on the first process");
  expect(processes::first_text("").empty(), "no text");
  expect(processes::first_text(differs(rank) ? "a text" : "") == "a text", "a text");
  expect(processes::number_on_this_machine() == processes::number(), "one machine");
}

/// A process leaves with a failure, while the others wait for it elsewhere.
void stuck(unsigned int rank) {
  if (differs(rank))
    throw InputError("alone");
  MPI_Barrier(processes::communicator());
}

/// The same within agree().
void stuck_in_agree(unsigned int rank) {
  try {
    processes::agree([&] { stuck(rank); });
  } catch (const InputError &) {
    expect(!processes::all_share_failure(), "a failure of one process");
    throw;
  }
}

void numbers(unsigned int) {
  const std::uint64_t large = ~std::uint64_t(0);
  expect(processes::gathered({processes::rank(), large}) ==
             std::vector<std::uint64_t>{0, large, 1, large, 2, large},
         "the numbers of each process");
}

/// A process of which all know that it has failed needs time to the end.
void slow(unsigned int rank) {
  try {
    processes::agree([&] { expect(!differs(rank), "nothing"); });
  } catch (const RunError &) {
    if (differs(rank))
      std::this_thread::sleep_for(std::chrono::seconds(4));
    throw;
  }
}

/// A process that fails waits for others in local calls for as long as they need.
void slow_others(unsigned int rank) {
  try {
    processes::agree(
        [&] {
          if (!differs(rank))
            std::this_thread::sleep_for(std::chrono::seconds(4));
          expect(!differs(rank), "nothing");
        },
        processes::Calls::local);
  } catch (const RunError &) {
    expect(processes::all_share_failure(), "a failure of all processes");
    throw;
  }
}

const std::map<std::string, std::function<void(unsigned int)>> scenarios = {
    {"agreed", agreed}, {"all", all},         {"different", different},
    {"bytes", bytes},   {"stuck", stuck},     {"stuck_in_agree", stuck_in_agree},
    {"slow", slow},     {"numbers", numbers}, {"slow_others", slow_others}};

} // namespace

int main(int, char **argv) {
  const MpiSession mpi;
  processes::share_work();
  try {
    scenarios.at(argv[1])(static_cast<unsigned int>(std::stoul(argv[2])));
    return processes::end_together(0, "");
  } catch (const InputError &error) {
    return processes::end_together(2, error.what());
  } catch (const std::exception &error) {
    return processes::end_together(1, error.what());
  }
}
