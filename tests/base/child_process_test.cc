#include <percussion/base/child_process.h>
#include <percussion/base/error.h>

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace {

using namespace percussion;

/// Returns the reason that a child process gives for its failure; empty if it succeeds.
std::string failure(const std::function<std::string()> &compute, double cpu_limit = 0) {
  try {
    run_in_child(compute, cpu_limit);
  } catch (const ChildFailure &error) {
    return error.what();
  }
  return {};
}

TEST(ChildProcess, ReturnsAllBytes) {
  std::string bytes(3000000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(i * 7 + i / 1000);
  EXPECT_EQ(run_in_child([&] { return bytes; }), bytes);
  EXPECT_EQ(run_in_child([] { return std::string(); }), "");
}

TEST(ChildProcess, SharesNoMemory) {
  int value = 1;
  EXPECT_EQ(run_in_child([&] { return std::to_string(++value); }), "2");
  EXPECT_EQ(value, 1);
}

TEST(ChildProcess, PassesInputErrorsOn) {
  try {
    run_in_child([]() -> std::string { throw InputError("no mesh"); });
    FAIL();
  } catch (const InputError &error) {
    EXPECT_STREQ(error.what(), "no mesh");
  }
}

TEST(ChildProcess, NamesTheReasonOfAFailure) {
  EXPECT_EQ(failure([]() -> std::string { throw std::runtime_error("lost"); }), "lost");
  EXPECT_EQ(failure([]() -> std::string { throw 1; }), "an exception without a text");
  EXPECT_EQ(failure([]() -> std::string {
              std::raise(SIGSEGV);
              return "not reached";
            }),
            "it crashed: Segmentation fault");
  EXPECT_EQ(failure([]() -> std::string { std::abort(); }), "it crashed: Aborted");
  EXPECT_EQ(failure([]() -> std::string { std::exit(0); }), "it ended without a result");
}

TEST(ChildProcess, ThatDoesNotEndIsEnded) {
  EXPECT_EQ(failure(
                []() -> std::string {
                  for (volatile unsigned int i = 0;; i = i + 1)
                    continue;
                },
                1),
            "it took more than 1 s of processor time");
}

} // namespace
