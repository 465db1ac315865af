// Motions and depths that contacts keep from one step of a slide to the next.

#include "cases/sliding.h"
#include <map>

namespace {

using namespace sliding;
using percussion::ContactKey;
using percussion::ContactMemory;

class SlidingMemory : public Sliding {
protected:
  /// Returns the depth of each covered point in successive steps, to its end, of a block that
  /// slides over the points of its table; `r` is the depth that a point gives back in a step at
  /// most.
  std::map<ContactKey, std::vector<double>> covered_depths(double &r) const {
    Slide<2> slide(folder,
                   {"Contact/c/Discretisation=mortar of region", "Contact/c/Region=table top",
                    "Contact/c/Against=block bottom", "Time/End=1.2", "Time/Step=5e-4"});
    std::map<ContactKey, std::vector<double>> depths;
    r = 0;
    while (slide.time() < slide.c.span.end - 1e-9) {
      slide.advance();
      for (const ContactMemory<2> &memory : slide.state.history.memories) {
        auto &of_point = depths[memory.key];
        if (memory.covered_depth > 0. || (!of_point.empty() && of_point.back() > 0.))
          of_point.push_back(memory.covered_depth);
        r = std::max(r, memory.return_speed * slide.c.choices.h);
      }
    }
    return depths;
  }
};

/// Points that sliding covers give their depth back in equal parts, except the first and the last,
/// which are halves of the others, so that the contact is at rest before and after them.
TEST_F(SlidingMemory, CoveredPointsReturnTheirDepthInEqualParts) {
  write_sliding_block();
  double largest_part = 0;
  unsigned int n_returned = 0;
  for (const auto &[key, depths] : covered_depths(largest_part)) {
    if (depths.size() < 4 || depths.back() > 0.)
      continue;
    ++n_returned;
    const double part = depths[1] - depths[2], round_off = 1e-12 * depths[0];
    EXPECT_LE(part, largest_part + round_off);
    EXPECT_NEAR(depths[0] - depths[1], 0.5 * part, round_off);
    for (std::size_t k = 2; k + 2 < depths.size(); ++k)
      EXPECT_NEAR(depths[k] - depths[k + 1], part, round_off) << k;
    EXPECT_NEAR(depths[depths.size() - 2], 0.5 * part, round_off);
  }
  EXPECT_GE(n_returned, 3u);
  EXPECT_LT(largest_part, 0.11 * 1. * 5e-4); // a tenth of the distance slid in a step
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
          const double expected = law == "persistent" ? -before->second : 0.;
          if (law == "persistent" || before->second <= 0.)
            EXPECT_NEAR(rate, expected, 1e-13) << law << ' ' << k;
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
