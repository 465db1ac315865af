// Adaptive steps: the conditions under which the substep length changes, and rejected substeps,
// which leave no trace.

#include <percussion/base/error.h>

#include <gtest/gtest.h>

#include "adaptive_blocks.h"
#include "same_bits.h"
#include <map>

namespace {

using namespace percussion;
using test::Block;
using test::falling;
using test::hard_impact;
using test::n_told;
using test::percussions;
using test::pulled;
using test::same_bits;
using test::surface;
using test::surfaces;
using test::vibrating;
using Kind = PrescribedMotion<2>::Kind;

// ---- changes of the length ----

/// The error of a whole step is always above the tolerance, the error of a half step never. The
/// step is therefore halved until enough halves are good and complete a step, and is then cut again
/// at once.
TEST(AdaptiveSteps, AreTriedTwiceAsLongAfterEnoughGoodParts) {
  for (const unsigned int grow_after : {1u, 2u, 3u, 4u, 7u, 8u, 1000u}) {
    SCOPED_TRACE(grow_after);
    Block block = vibrating();
    block.choices.adaptive = true;
    block.choices.energy_tolerance = 5e-3;
    block.choices.grow_after = grow_after;
    block.start();
    const unsigned int steps_between = (grow_after + 1) / 2; // two substeps each
    for (unsigned int k = 0; k < 32; ++k) {
      const auto &record = block.advance();
      const bool is_cut = k % steps_between == 0, is_grown = (k + 1) % steps_between == 0;
      ASSERT_EQ(record.n_substeps, 2u) << k;
      ASSERT_EQ(record.n_cuts, is_cut ? 1u : 0u) << k;
      ASSERT_EQ(n_told(record, "cut to 1/2: energy error 0.0"), is_cut ? 1u : 0u) << k;
      ASSERT_EQ(n_told(record, "grown to 1/1"), is_grown ? 1u : 0u) << k;
      ASSERT_EQ(record.changes.size(), static_cast<unsigned int>(is_cut) + is_grown) << k;
    }
  }
}

/// Manual steps of a body without contact: each substep is a step of another Step that has this
/// length only.
struct ManualSteps {
  const StepChoices choices;
  std::map<unsigned int, Block> denominator_blocks;
  unsigned int denominator = 1, n_good = 0, n_substeps = 0;
  double largest_energy = -1;
  std::vector<std::string> changes;

  explicit ManualSteps(const StepChoices &c) : choices(c) {}

  Step<2> &step() {
    auto found = denominator_blocks.find(denominator);
    if (found == denominator_blocks.end()) {
      found = denominator_blocks.emplace(denominator, pulled()).first;
      found->second.choices.h = choices.h / denominator;
      found->second.start();
    }
    return *found->second.step;
  }

  void take_step(State<2> &state) {
    largest_energy = std::max(largest_energy, state.energy());
    changes.clear();
    n_substeps = 0;
    const double begin = state.time;
    for (double share = 0; share < 1;) {
      State<2> next = state;
      const auto &record = step().advance(next, begin + (share + 1. / denominator) * choices.h);
      const double error = std::abs(record.works.numerical) + std::abs(record.balance_residual);
      const double scale = std::max(largest_energy, next.energy());
      if (error > choices.energy_tolerance * scale && denominator < 1u << choices.max_cuts) {
        denominator *= 2;
        n_good = 0;
        changes.push_back("cut to 1/" + std::to_string(denominator));
        continue;
      }
      if (error > choices.energy_tolerance * scale)
        changes.emplace_back("kept at the smallest length");
      state = next;
      largest_energy = scale;
      share += 1. / denominator;
      ++n_substeps;
      // A step never exceeds the full length. Longer substeps begin at multiples of their length.
      const bool fits = std::fmod(share * denominator, 2) == 0;
      if (denominator > 1 && ++n_good >= choices.grow_after && fits) {
        denominator /= 2;
        n_good = 0;
        changes.push_back("grown to 1/" + std::to_string(denominator));
      }
    }
  }
};

/// Manual steps with cuts and growth at many positions have the same substeps, and bitwise the same
/// motion: rejected substeps leave no trace.
TEST(AdaptiveSteps, AreTheStepsOfTheLengthsOfTheirParts) {
  unsigned int n_cuts = 0, n_grown = 0, n_kept = 0, most_parts = 0;
  for (const double tolerance : {8e-3, 1e-3, 1e-4})
    for (const unsigned int max_cuts : {2u, 4u})
      for (const unsigned int grow_after : {1u, 3u, 5u, 8u}) {
        Block block = pulled();
        block.choices.adaptive = true;
        block.choices.energy_tolerance = tolerance;
        block.choices.max_cuts = max_cuts;
        block.choices.grow_after = grow_after;
        block.start();
        ManualSteps manual(block.choices);
        State<2> state = block.state;
        for (unsigned int k = 0; k < 120; ++k) {
          const auto &record = block.advance();
          manual.take_step(state);
          ASSERT_TRUE(same_bits(block.state.q, state.q)) << k;
          ASSERT_TRUE(same_bits(block.state.v, state.v)) << k;
          ASSERT_EQ(block.state.energy(), state.energy());
          ASSERT_EQ(record.n_substeps, manual.n_substeps) << k;
          ASSERT_EQ(record.changes.size(), manual.changes.size()) << k;
          for (std::size_t i = 0; i < record.changes.size(); ++i)
            ASSERT_EQ(record.changes[i].find(manual.changes[i]), 0u)
                << k << ": " << record.changes[i] << ", not " << manual.changes[i];
          ASSERT_EQ(record.n_cuts, n_told(record, "cut to 1/"));
          n_cuts += record.n_cuts;
          n_grown += n_told(record, "grown to 1/");
          n_kept += n_told(record, "kept at the smallest length: energy error ");
          most_parts = std::max(most_parts, record.n_substeps);
        }
      }
  EXPECT_GT(n_cuts, 100u);
  EXPECT_GT(n_grown, 100u);
  EXPECT_GT(n_kept, 100u);
  EXPECT_EQ(most_parts, 16u);
}

// ---- rejected substeps leave no trace, with contacts either ----

/// No substep is ever good enough, so that all accepted ones have the smallest length: the motion
/// is bitwise equal to the motion with steps of that length.
TEST(AdaptiveSteps, ThatAreRejectedLeaveNoTrace) {
  for (const char *name : {"moreau-jean", "moreau-jean-fremond", "pdas-leapfrog"})
    for (const std::string on : surfaces)
      for (const unsigned int max_cuts : {1u, 2u})
        for (const unsigned int grow_after : {1u, 1000u}) {
          SCOPED_TRACE(name + (" on " + on) + ", " + std::to_string(max_cuts) + " cuts");
          const unsigned int n_substeps = 1u << max_cuts;
          const auto make = [&] {
            Block block = falling(name, 0.7, surface(on));
            block.prescribe("left", 0, Kind::velocity, "cos(2*t)");
            block.add_traction("top", 0, "cos(5*t)");
            return block;
          };
          Block block = make(), fine = make();
          block.choices.adaptive = true;
          block.choices.energy_tolerance = 0;
          block.choices.max_cuts = max_cuts;
          block.choices.grow_after = grow_after;
          block.start();
          fine.choices.h /= n_substeps;
          fine.start();
          unsigned int n_touching = 0;
          for (unsigned int k = 0; k < 60; ++k) {
            const auto &record = block.advance();
            Works works;
            double residual = 0;
            std::map<ContactKey, std::array<double, 2>> percussion;
            for (unsigned int i = 0; i < n_substeps; ++i) {
              const auto &part = fine.advance();
              works += part.works;
              residual += part.balance_residual;
              for (const auto &contact : part.contacts)
                for (unsigned int r = 0; r < 2; ++r)
                  percussion[contact.key][r] += contact.percussion[r];
            }
            ASSERT_TRUE(same_bits(block.state.q, fine.state.q)) << k;
            ASSERT_TRUE(same_bits(block.state.v, fine.state.v)) << k;
            ASSERT_EQ(block.state.time, fine.state.time);
            ASSERT_EQ(record.contacts.size(), percussion.size()) << k;
            for (const auto &contact : record.contacts)
              ASSERT_EQ(contact.percussion, percussion.at(contact.key)) << k;
            ASSERT_EQ(record.works.sum(), works.sum()) << k;
            ASSERT_EQ(record.balance_residual, residual) << k;
            ASSERT_EQ(record.n_substeps, n_substeps);
            ASSERT_EQ(n_told(record, "kept at the smallest length: energy error "), n_substeps);
            if (grow_after == 1)
              ASSERT_GT(record.n_cuts, 0u); // longer substeps are rejected
            else
              ASSERT_EQ(record.n_cuts, k == 0 ? max_cuts : 0u);
            n_touching += !record.contacts.empty();
          }
          EXPECT_GT(n_touching, 20u);
        }
}

/// Solvers that start from the last percussions do not start from the percussions of a rejected
/// substep: they need as many iterations if longer substeps are tried at every step as if they were
/// tried once.
TEST(AdaptiveSteps, ThatAreRejectedLeaveTheGuessOfTheContacts) {
  for (const ConeMethod method : {ConeMethod::nsgs, ConeMethod::natural_map}) {
    std::vector<Block> blocks;
    for (const unsigned int grow_after : {1u, 1000u}) {
      Block &block = blocks.emplace_back(falling("moreau-jean-fremond", 0.7, surface("ground")));
      block.cone.method = method;
      block.choices.adaptive = true;
      block.choices.energy_tolerance = 0;
      block.choices.max_cuts = 1;
      block.choices.grow_after = grow_after;
      block.start();
    }
    unsigned int n_rejected = 0, n_iterations = 0;
    for (unsigned int k = 0; k < 60; ++k) {
      const auto &often = blocks[0].advance(), &once = blocks[1].advance();
      ASSERT_TRUE(same_bits(blocks[0].state.v, blocks[1].state.v)) << k;
      ASSERT_EQ(percussions(often), percussions(once)) << k;
      ASSERT_EQ(often.solver_iterations, once.solver_iterations) << k;
      n_rejected += often.n_cuts - once.n_cuts;
      n_iterations += once.solver_iterations;
    }
    EXPECT_EQ(n_rejected, 59u);
    EXPECT_GT(n_iterations, 100u);
  }
}

// ---- steps that fail ----

/// After a cut, later steps also use the shorter length.
TEST(AdaptiveSteps, KeepTheLengthOfTheirPartsOverSteps) {
  for (const unsigned int grow_after : {4u, 1000u}) {
    Block block = hard_impact();
    block.choices.adaptive = true;
    block.choices.grow_after = grow_after;
    block.start();
    unsigned int denominator = 1, n_kept = 0, n_whole_again = 0;
    for (unsigned int k = 0; k < 60; ++k) {
      const auto &record = block.advance();
      if (record.changes.empty()) {
        ASSERT_EQ(record.n_substeps, denominator) << k;
        ASSERT_EQ(block.state.previous_h, block.choices.h / denominator);
        n_kept += denominator > 1;
        n_whole_again += denominator == 1 && n_kept > 0;
      }
      for (const std::string &change : record.changes) {
        const bool is_cut = change.find("cut to 1/") == 0;
        const unsigned int told = std::stoi(change.substr(change.find('/') + 1));
        ASSERT_EQ(told, is_cut ? 2 * denominator : denominator / 2) << k << ": " << change;
        denominator = told;
      }
    }
    EXPECT_GT(n_kept, grow_after == 4 ? 0u : 20u);
    EXPECT_EQ(n_whole_again > 0, grow_after == 4);
  }
}

TEST(StepsThatAreNotAdaptive, BeginWholeAfterOneThatWasCut) {
  Block block = hard_impact();
  block.choices.grow_after = 1000;
  block.start();
  unsigned int n_cut = 0, n_whole_after = 0;
  for (unsigned int k = 0; k < 40; ++k) {
    const auto &record = block.advance();
    ASSERT_EQ(n_told(record, "grown"), 0u);
    if (record.changes.empty())
      ASSERT_EQ(record.n_substeps, 1u) << k;
    else
      ASSERT_EQ(record.changes[0].find("cut to 1/2: "), 0u) << record.changes[0];
    n_cut += !record.changes.empty();
    n_whole_after += n_cut > 0 && record.changes.empty();
  }
  EXPECT_GT(n_cut, 0u);
  EXPECT_GT(n_whole_after, 0u);
}

/// If no solver can satisfy the contacts, adaptive steps of a linear body are cut as well.
TEST(AdaptiveSteps, OfALinearBodyEndWithAReportWhereNoCutHelps) {
  Block block = falling("moreau-jean", 0.5, Block::ground());
  block.cone.tolerance = 1e-30; // below round-off
  block.cone.max_iterations = 100;
  block.choices.adaptive = true;
  block.choices.max_cuts = 3;
  block.start();
  const Vector q = block.state.q, v = block.state.v;
  std::string message;
  try {
    block.advance();
  } catch (const RunError &error) {
    message = error.what();
  }
  EXPECT_NE(message.find("Cutting the step down to 1/8 of its length did not help"),
            std::string::npos)
      << message;
  const auto &record = block.step->last();
  EXPECT_EQ(record.n_cuts, 3u);
  EXPECT_EQ(n_told(record, "cut to 1/8: the contact problem of 9 contacts was not solved"), 1u);
  EXPECT_TRUE(same_bits(block.state.q, q));
  EXPECT_TRUE(same_bits(block.state.v, v));
  EXPECT_EQ(block.state.time, 0.);
  EXPECT_EQ(block.state.step, 0u);
}

} // namespace
