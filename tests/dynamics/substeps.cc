// Division of a step into substeps, independent of their content.

#include <percussion/dynamics/substeps.h>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace {

using namespace percussion;

/// An attempted substep, in fractions of the step.
struct Try {
  double begin, length;
  bool is_smallest;

  bool operator==(const Try &other) const {
    return begin == other.begin && length == other.length && is_smallest == other.is_smallest;
  }
};
std::ostream &operator<<(std::ostream &out, const Try &t) {
  return out << '[' << t.begin << ' ' << t.length << ' ' << t.is_smallest << ']';
}

/// Steps of length h = 1/4 from t = 0 on, which is exact. Substeps that contain `hard` fail if they
/// are longer than `limit` of the step.
struct Steps {
  Substeps substeps;
  double hard = 0, limit = 1;
  std::vector<Try> tries;
  Substeps::Outcome outcome;
  unsigned int n_done = 0;
  double time = 0;

  explicit Steps(const Substeps::Options &options) : substeps(options) {}

  void advance() {
    constexpr double h = 0.25;
    const double t0 = n_done * h, t1 = ++n_done * h;
    tries.clear();
    outcome = {};
    time = t0;
    substeps.advance(
        t0, t1, h,
        [&](const Interval &part, bool is_smallest) -> std::optional<Failure> {
          EXPECT_EQ(part.t0, time);
          EXPECT_EQ(part.t1 - part.t0, part.h);
          const double begin = (part.t0 - t0) / h, length = part.h / h;
          tries.push_back({begin, length, is_smallest});
          if (begin <= hard && hard < begin + length && length > limit)
            return Failure{"too hard"};
          time = part.t1;
          return {};
        },
        outcome);
    EXPECT_TRUE(outcome.failure || time == t1);
  }
};

TEST(Substeps, AreAWholeStepWhereNothingFails) {
  Steps steps({});
  for (unsigned int k = 0; k < 3; ++k) {
    steps.advance();
    EXPECT_EQ(steps.tries, (std::vector<Try>{{0, 1, false}}));
    EXPECT_TRUE(steps.outcome.changes.empty());
    EXPECT_EQ(steps.outcome.n_cuts, 0u);
  }
}

/// A failed substep is halved until it succeeds; then each substep is as long as its start allows.
TEST(Substeps, AreHalvedWhereTheyFailAndGrowWithTheirPlace) {
  Steps steps({});
  steps.hard = 0.3;
  steps.limit = 0.125;
  for (unsigned int k = 0; k < 3; ++k) {
    steps.advance();
    EXPECT_EQ(steps.tries, (std::vector<Try>{{0, 1, false},
                                             {0, 0.5, false},
                                             {0, 0.25, false},
                                             {0.25, 0.25, false},
                                             {0.25, 0.125, false},
                                             {0.375, 0.125, false},
                                             {0.5, 0.5, false}}));
    EXPECT_FALSE(steps.outcome.failure);
    EXPECT_EQ(steps.outcome.n_cuts, 3u);
    EXPECT_EQ(steps.outcome.changes,
              (std::vector<std::string>{"cut to 1/2: too hard", "cut to 1/4: too hard",
                                        "cut to 1/8: too hard"}));
  }
}

TEST(Substeps, ThatAreAdaptiveKeepTheirLengthAndGrowAfterSome) {
  Steps steps({true, 10, true, 3});
  steps.hard = 0.3;
  steps.limit = 0.25;
  steps.advance();
  EXPECT_EQ(steps.tries, (std::vector<Try>{{0, 1, false},
                                           {0, 0.5, false},
                                           {0, 0.25, false},
                                           {0.25, 0.25, false},
                                           {0.5, 0.25, false},
                                           {0.75, 0.25, false}}));
  // The third successful substep ended at 3/4, at which no half begins; the fourth one at 1.
  EXPECT_EQ(
      steps.outcome.changes,
      (std::vector<std::string>{"cut to 1/2: too hard", "cut to 1/4: too hard", "grown to 1/2"}));
  steps.advance();
  EXPECT_EQ(steps.tries.front(), (Try{0, 0.5, false}));
  EXPECT_EQ(steps.outcome.n_cuts, 1u);
  steps.limit = 1;
  std::vector<std::string> changes;
  for (unsigned int k = 0; k < 8; ++k) {
    steps.advance();
    changes.insert(changes.end(), steps.outcome.changes.begin(), steps.outcome.changes.end());
  }
  EXPECT_EQ(changes.back(), "grown to 1/1");
  EXPECT_EQ(steps.tries, (std::vector<Try>{{0, 1, false}}));
  EXPECT_EQ(steps.substeps.memory.width, 1024u);
}

/// The memory contains all data on which the next steps depend.
TEST(Substeps, GoOnFromTheirMemory) {
  const Substeps::Options options{true, 6, true, 3};
  Steps steps(options);
  unsigned int n_cuts = 0, n_changes = 0;
  for (unsigned int k = 0; k < 200; ++k) {
    steps.hard = 0.5 + 0.5 * std::sin(k);
    steps.limit = std::pow(2., -5. * std::pow(std::sin(0.3 * k), 2));
    Steps other(options);
    other.substeps.memory = steps.substeps.memory;
    other.n_done = steps.n_done;
    other.hard = steps.hard;
    other.limit = steps.limit;
    steps.advance();
    other.advance();
    ASSERT_EQ(steps.tries, other.tries) << k;
    ASSERT_EQ(steps.outcome.changes, other.outcome.changes) << k;
    ASSERT_EQ(steps.substeps.memory.width, other.substeps.memory.width);
    ASSERT_EQ(steps.substeps.memory.n_good, other.substeps.memory.n_good);
    n_cuts += steps.outcome.n_cuts;
    n_changes += static_cast<unsigned int>(steps.outcome.changes.size());
  }
  EXPECT_GT(n_cuts, 50u);
  EXPECT_GT(n_changes, n_cuts + 50);
}

TEST(Substeps, FailWhereTheSmallestDoes) {
  for (const bool adaptive : {false, true}) {
    Steps steps({true, 3, adaptive, 8});
    steps.hard = 0.6;
    steps.limit = 0.1;
    steps.advance();
    ASSERT_TRUE(steps.outcome.failure);
    EXPECT_EQ(steps.outcome.failure->reason, "too hard");
    EXPECT_EQ(steps.outcome.n_cuts, 3u);
    EXPECT_EQ(steps.tries.back(), (Try{0.5, 0.125, true}));
    EXPECT_EQ(steps.time, 0.125); // the first half is done
    for (std::size_t i = 0; i < steps.tries.size(); ++i)
      EXPECT_EQ(steps.tries[i].is_smallest, steps.tries[i].length == 0.125);
  }
}

TEST(Substeps, AreNotCutWhereTheyMayNot) {
  for (const Substeps::Options &options :
       {Substeps::Options{false, 10, false, 8}, Substeps::Options{true, 0, true, 8}}) {
    Steps steps(options);
    steps.limit = 0.5;
    steps.advance();
    EXPECT_EQ(steps.tries, (std::vector<Try>{{0, 1, true}}));
    ASSERT_TRUE(steps.outcome.failure);
    EXPECT_EQ(steps.outcome.failure->reason, "too hard");
    EXPECT_EQ(steps.outcome.n_cuts, 0u);
    EXPECT_TRUE(steps.outcome.changes.empty());
  }
}

/// An exception ends the step. The outcome reports the substeps before it.
TEST(Substeps, LetExceptionsPass) {
  Substeps substeps({});
  Substeps::Outcome outcome;
  unsigned int n_done = 0;
  const auto take = [&](const Interval &part, bool) -> std::optional<Failure> {
    if (part.t1 > 0.6)
      return Failure{"too long"};
    if (n_done == 2)
      throw std::runtime_error("no value");
    ++n_done;
    return {};
  };
  EXPECT_THROW(substeps.advance(0., 1., 1., take, outcome), std::runtime_error);
  EXPECT_EQ(n_done, 2u);
  EXPECT_FALSE(outcome.failure);
  EXPECT_GE(outcome.n_cuts, 2u);
  EXPECT_EQ(outcome.changes.front(), "cut to 1/2: too long");
  EXPECT_EQ(outcome.changes.size(), outcome.n_cuts);
}

/// If times are rounded, substeps are still contiguous, and the last one ends with the step.
TEST(Substeps, LeaveNoGaps) {
  Substeps substeps({true, 10, false, 8});
  const double t0 = 0.1, t1 = 0.4, h = 0.3;
  Substeps::Outcome outcome;
  double time = t0, length = 0;
  unsigned int n_substeps = 0;
  substeps.advance(
      t0, t1, h,
      [&](const Interval &part, bool) -> std::optional<Failure> {
        EXPECT_EQ(part.t0, time);
        if (part.h > h / 64)
          return Failure{"too long"};
        time = part.t1;
        length += part.h;
        ++n_substeps;
        return {};
      },
      outcome);
  EXPECT_EQ(time, t1);
  EXPECT_NEAR(length, h, 1e-15);
  EXPECT_EQ(n_substeps, 64u);
}

} // namespace
