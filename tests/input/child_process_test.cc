#include <percussion/input/child_process.h>
#include <percussion/input/gmsh_bytes.h>

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <new>
#include <vector>

namespace {
using namespace percussion;

TEST(ChildProcess, AnswersWhatItsWorkSays) {
  const std::string long_answer(300000, 'x'); // more than a pipe holds
  const auto outcome = run_in_child([&] { return long_answer; }, {});
  EXPECT_TRUE(outcome.ended);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.answer, long_answer);
}

TEST(ChildProcess, ChangesNothingHere) {
  int number = 1;
  testing::internal::CaptureStdout();
  std::cout << "before ";
  const auto outcome = run_in_child(
      [&] {
        std::cout << "inside" << std::endl;
        number = 2;
        return std::to_string(number);
      },
      {});
  std::cout << "after";
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "before after");
  EXPECT_EQ(outcome.answer, "2");
  EXPECT_EQ(number, 1);
}

TEST(ChildProcess, TellsHowItEnded) {
  const auto crash = run_in_child(
      []() -> std::string {
        std::raise(SIGSEGV);
        return "";
      },
      {});
  EXPECT_EQ(crash.signal, SIGSEGV);
  EXPECT_FALSE(crash.ended);
  // A library that calls exit(0) has not done the work either.
  const auto gone = run_in_child([]() -> std::string { std::exit(0); }, {});
  EXPECT_EQ(gone.signal, 0);
  EXPECT_FALSE(gone.ended);
}

TEST(ChildProcess, KeepsToItsLimits) {
  const auto endless = run_in_child(
      [] {
        for (volatile unsigned int i = 0;; i = i + 1)
          ;
        return std::string();
      },
      {0, 1});
  EXPECT_EQ(endless.signal, SIGXCPU);
#if !defined(__SANITIZE_ADDRESS__)
  const auto greedy = run_in_child(
      [] {
        try {
          return std::to_string(std::vector<char>(std::size_t{1} << 30).size());
        } catch (const std::bad_alloc &) {
          return std::string("refused");
        }
      },
      {std::uint64_t{1} << 28, 0});
  EXPECT_EQ(greedy.answer, "refused");
#endif
}

TEST(GmshBytes, BringAModelBack) {
  GmshModel model;
  model.nodes = {{3, {{0, -0.1, 1e-300}}}, {std::size_t(-1), {{1. / 3, 2, 0}}}};
  model.groups = {{"edge", 1, {{7, {3, std::size_t(-1)}}}}, {"", 2, {}}};
  model.remarks = {"one", ""};
  const GmshModel back = model_of_bytes(to_bytes(model));
  EXPECT_EQ(back.nodes, model.nodes);
  EXPECT_EQ(back.remarks, model.remarks);
  ASSERT_EQ(back.groups.size(), 2u);
  EXPECT_EQ(back.groups[0].name, "edge");
  EXPECT_EQ(back.groups[1].dimension, 2u);
  ASSERT_EQ(back.groups[0].elements.size(), 1u);
  EXPECT_EQ(back.groups[0].elements[0].tag, 7u);
  EXPECT_EQ(back.groups[0].elements[0].nodes, model.groups[0].elements[0].nodes);
}

TEST(GmshBytes, ThatAreIncompleteOrTooManyAreNoModel) {
  GmshModel model;
  model.nodes = {{3, {{0, 1, 0}}}};
  model.groups = {{"edge", 1, {{7, {3, 3}}}}};
  const std::string bytes = to_bytes(model);
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_THROW(model_of_bytes(bytes.substr(0, n)), std::runtime_error) << n;
  EXPECT_THROW(model_of_bytes(bytes + "x"), std::runtime_error);
  EXPECT_THROW(model_of_bytes(std::string(64, '\xff')), std::runtime_error);
}

} // namespace
