// Motions and depths that contacts keep from one step of a slide to the next.

#include "cases/sliding.h"
#include <map>

namespace {

using namespace sliding;
using percussion::ContactKey;
using percussion::ContactMemory;

class SlidingMemory : public Sliding {
protected:
  /// Returns the depth of each covered point in successive steps, from its largest depth to its
  /// end, of a block that is dragged over the points of its table.
  std::vector<std::vector<double>> returned_depths() const {
    Slide<2> slide(folder, {"Contact/c/Discretisation=mortar of region",
                            "Contact/c/Region=table top", "Contact/c/Against=block bottom",
                            "Boundary conditions/block top/Displacement y=-1e-2*min(t, 1)",
                            "Time/Inertia=full", "Time/Theta=0.5", "Time/Step=4e-4", "Time/End=4",
                            "Material/Density=1", "Material/Viscosity=100"});
    std::map<ContactKey, std::vector<double>> depths;
    while (slide.time() < slide.c.span.end - 1e-9) {
      slide.advance();
      for (const ContactMemory<2> &memory : slide.state.history.memories) {
        auto &sequence = depths[memory.key];
        const double last = sequence.empty() ? 0. : sequence.back();
        if (memory.covered_depth > last)
          sequence.clear();
        if (memory.covered_depth > 0. || last > 0.)
          sequence.push_back(memory.covered_depth);
      }
    }
    std::vector<std::vector<double>> returned;
    for (auto &[key, sequence] : depths)
      if (!sequence.empty() && sequence.back() == 0.)
        returned.push_back(std::move(sequence));
    return returned;
  }
};

/// Points that sliding covers give their depth back in equal parts, except the first and the last,
/// which are halves of the others, so that the contact is at rest before and after them. A part is
/// at most a tenth of the distance slid in a step, 0.13 × 4e-4.
TEST_F(SlidingMemory, CoveredPointsReturnTheirDepthInEqualParts) {
  write_dragged_block();
  const auto returned = returned_depths();
  ASSERT_FALSE(returned.empty());
  for (const auto &depths : returned) {
    ASSERT_GE(depths.size(), 5u);
    const double part = depths[1] - depths[2], round_off = 1e-9 * depths[0];
    EXPECT_GT(part, 0.);
    EXPECT_LT(part, 0.1 * 0.13 * 4e-4 * 1.01);
    EXPECT_NEAR(depths[0] - depths[1], 0.5 * part, round_off);
    for (std::size_t k = 2; k + 2 < depths.size(); ++k)
      EXPECT_NEAR(depths[k] - depths[k + 1], part, round_off) << k;
    EXPECT_NEAR(depths[depths.size() - 2], 0.5 * part, round_off);
  }
}

/// Pressing contacts keep the velocity with which their law has ended: zero without restitution,
/// and the opposite of the last one if they persist. Nodes of both sides keep none.
TEST_F(SlidingMemory, PressingContactsKeepTheVelocityOfTheirLaw) {
  write_sliding_block();
  for (const std::string law : {"dissipative", "persistent"})
    for (const std::string points : {"mortar of region", "nodes of both sides"}) {
      Assignments assignments = {"Contact/c/Discretisation=" + points,
                                 "Contact/c/Impact law=" + law};
      if (law == "dissipative")
        assignments.emplace_back("Contact/c/Restitution=0");
      Slide<2> slide(folder, assignments);
      std::map<ContactKey, double> last;
      unsigned int n_kept = 0;
      for (unsigned int k = 0; k < 300; ++k) {
        slide.advance();
        std::map<ContactKey, double> rates;
        for (const ContactMemory<2> &memory : slide.state.history.memories)
          if (std::isfinite(memory.end_rate))
            rates[memory.key] = memory.end_rate;
        for (const auto &[key, rate] : rates) {
          const auto before = last.find(key);
          if (before == last.end())
            continue;
          ++n_kept;
          // Without restitution a contact that approaches stops, and one that separates returns.
          const bool returns = law == "persistent" || before->second > 0.;
          EXPECT_NEAR(rate, returns ? -before->second : 0., 1e-13) << law << ' ' << k;
        }
        last = std::move(rates);
      }
      if (points == "nodes of both sides")
        EXPECT_EQ(n_kept, 0u) << law;
      else
        EXPECT_GT(n_kept, 100u) << law;
    }
}

} // namespace
