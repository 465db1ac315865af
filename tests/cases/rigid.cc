// AC24's stick and block and JM91's pillar: the shipped cases compared with the statements of the
// papers, and the stick with the results of the authors' computation.

#include <percussion/case/case.h>
#include <percussion/dynamics/step.h>

#include <gtest/gtest.h>

#include "support/csv.h"
#include <cmath>
#include <filesystem>

namespace {

using namespace percussion;

Case<2> shipped_case(const std::string &name, const std::vector<std::string> &assignments = {}) {
  auto file = ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/" + name + ".prm");
  for (const auto &assignment : assignments)
    file.override_with(assignment);
  return build_case<2>(Parameters(declare_case(&file), file), file);
}

/// Takes all steps of a case and calls look after each of them.
template <typename Look>
void run(const Case<2> &c, const Look &look) {
  Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
  State<2> state = c.initial;
  step.initialise(state);
  for (unsigned int k = 1; k <= c.span.n_steps; ++k) {
    const auto &record = step.advance(state, c.span.start + k * c.choices.h);
    look(state, record);
  }
}

/// Works of the contacts of one step; impacts are steps with percussions.
struct Impact {
  unsigned int step;
  double normal_work, tangential_work;
};

struct Motion {
  std::vector<Impact> impacts;
  double tangential_max = 0, normal_max = 0, residual_max = 0, energy_max = 0;
  double kinetic = 0;
  Works works;
};

Motion motion_of(const Case<2> &c) {
  Motion all;
  run(c, [&](const State<2> &state, const StepRecord<2> &record) {
    if (std::any_of(record.contacts.begin(), record.contacts.end(),
                    [](const auto &contact) { return contact.carries(); }))
      all.impacts.push_back(
          {state.step, record.works.contact_normal, record.works.contact_tangential});
    all.tangential_max = std::max(all.tangential_max, record.tangential_work_max);
    all.normal_max = std::max(all.normal_max, record.normal_work_max);
    all.residual_max = std::max(all.residual_max, std::abs(record.balance_residual));
    all.energy_max = std::max(all.energy_max, state.energy());
    all.works += record.works;
    all.kinetic = state.kinetic;
  });
  return all;
}

// ---- the authors' computation of the stick (tests/reference) ----

class StickReference : public ::testing::TestWithParam<const char *> {};

TEST_P(StickReference, EveryStepAgrees) {
  const std::string name = GetParam();
  const bool fremond = name == "impacting_stick";
  const std::string file =
      PERCUSSION_REFERENCE_DIR "/stick/rod_" + std::string(fremond ? "MJF" : "MJ") + ".csv";
  auto reference = test::read_csv(file);
  const Case<2> c = shipped_case(name);
  const auto &steps = reference["step"];
  ASSERT_EQ(c.span.n_steps, steps.back());
  const double angle = M_PI / 4;
  double phi0 = 0;     // angle at the beginning of the step, at which the scheme evaluates H
  std::size_t row = 0; // next row of the reference
  std::vector<unsigned int> impacts;
  run(c, [&](const State<2> &state, const StepRecord<2> &record) {
    const bool is_stored = steps[row] == state.step;
    const double *const q = state.q.data(), *const v = state.v.data();
    const auto near = [&](const char *column, double value) {
      if (is_stored) {
        ASSERT_NEAR(value, reference[column][row], 1e-11) << column << ", step " << state.step;
      }
    };
    near("q_x", c.bodies->rigid[0].centre[0] + q[0]);
    near("q_y", c.bodies->rigid[0].centre[1] + q[1]);
    near("q_g", angle + q[2]);
    near("v_x", v[0]);
    near("v_y", v[1]);
    near("v_g", v[2]);
    // The tangent of the authors is −x.
    const double arm_x = 0.5 * std::sin(angle + phi0), arm_y = -0.5 * std::cos(angle + phi0);
    near("uN1", v[1] + arm_x * v[2]);
    near("uT1", -(v[0] - arm_y * v[2]));
    const auto p =
        record.contacts.empty() ? std::array<double, 2>{} : record.contacts.front().percussion;
    near("pN1", p[0]);
    near("pT1", -p[1]);
    near("gap1", state.found.contacts.at(0).gap);
    near("kinetic", state.kinetic);
    if (p[0] != 0.)
      impacts.push_back(state.step);
    phi0 = q[2];
    row += is_stored;
  });
  EXPECT_EQ(row, steps.size());
  EXPECT_EQ(impacts, fremond ? std::vector<unsigned int>({604, 1638})
                             : std::vector<unsigned int>({604, 1636}));
}

INSTANTIATE_TEST_SUITE_P(Schemes, StickReference,
                         ::testing::Values("impacting_stick", "impacting_stick_classical"),
                         [](const auto &name) { return std::string(name.param); });

// ---- the statements of the papers ----

TEST(Stick, ClassicalCreatesEnergyAtTheFirstImpactAndFremondDoesNot) {
  const Motion classical = motion_of(shipped_case("impacting_stick_classical"));
  ASSERT_EQ(classical.impacts.size(), 2u);
  EXPECT_GT(classical.impacts[0].tangential_work, 1e-4);
  EXPECT_LT(classical.impacts[1].tangential_work, -1e-4);
  const Motion fremond = motion_of(shipped_case("impacting_stick"));
  ASSERT_EQ(fremond.impacts.size(), 2u);
  for (const Motion &all : {classical, fremond}) {
    EXPECT_LE(all.residual_max, 1e-15);
    for (const Impact &impact : all.impacts) // e = 1
      EXPECT_NEAR(impact.normal_work, 0, 1e-15);
  }
  EXPECT_LE(fremond.tangential_max, 0);
}

/// AC24, section 5.2: "creates energy at the second, third, sixth and eighth impacts".
TEST(RockingBlock, ClassicalCreatesEnergyAtTheImpactsOfThePaperAndFremondDoesNot) {
  const Motion classical = motion_of(shipped_case("rocking_block_classical"));
  std::vector<unsigned int> creating;
  for (unsigned int i = 0; i < classical.impacts.size(); ++i)
    if (classical.impacts[i].tangential_work > 1e-10)
      creating.push_back(i + 1);
  EXPECT_EQ(creating, std::vector<unsigned int>({2, 3, 6, 8}));
  const Motion fremond = motion_of(shipped_case("rocking_block"));
  EXPECT_GE(fremond.impacts.size(), 7u);
  EXPECT_LE(fremond.tangential_max, 1e-15);
  EXPECT_LE(fremond.normal_max, 1e-14);
  for (const Motion &all : {classical, fremond})
    EXPECT_LE(all.residual_max, 5e-15 * all.energy_max);
}

/// JM91: "the lower blocks progressively get apart, creating a gap". The final positions of the
/// blocks depend on all data, including the step; this gap does not.
TEST(Pillar, LowerBlocksGetApart) {
  for (const std::string step : {"5e-4", "1e-3"}) {
    const Case<2> c = shipped_case("pillar", {"Time/Step=" + step, "Time/End=2"});
    const auto body = [&](const std::string &name) {
      for (unsigned int b = 0; b < c.bodies->rigid.size(); ++b)
        if (c.bodies->rigid[b].name == name)
          return b;
      throw std::runtime_error("no body '" + name + "'");
    };
    double residual_max = 0, energy_max = 0, work = 0;
    unsigned int hardest = 0;
    std::vector<double> gaps; // gaps between the halves of the lowest course, every half second
    run(c, [&](const State<2> &state, const StepRecord<2> &record) {
      residual_max = std::max(residual_max, std::abs(record.balance_residual));
      energy_max = std::max(energy_max, state.energy());
      work += record.works.sum();
      hardest = std::max(hardest, record.solver_iterations);
      const auto x = [&](const std::string &name) {
        const unsigned int b = body(name);
        return c.bodies->rigid[b].centre[0] + state.q[c.bodies->rigid_dof(b)];
      };
      if (state.step % (c.span.n_steps / 4) == 0) {
        gaps.push_back(x("right half 1") - x("left half 1") - 0.45);
        EXPECT_NEAR(state.energy(), work, 1e-9 * energy_max); // the motion starts from rest
      }
    });
    ASSERT_EQ(gaps.size(), 4u);
    EXPECT_GT(gaps.back(), 0.1);
    EXPECT_GT(gaps.back(), gaps.front());
    EXPECT_LE(residual_max, 1e-14 * energy_max);
    EXPECT_LT(hardest, 50000u);
  }
}

} // namespace
