// Motions and depths that contacts keep from one step of a slide to the next.

#include "cases/sliding.h"
#include <map>

namespace {

using namespace sliding;
using percussion::ContactKey;
using percussion::ContactMemory;

/// Depth of a point that sliding has covered, after a step.
struct Covered {
  double depth;
  double part; ///< depth that a step gives back
  bool presses;
};

class SlidingMemory : public Sliding {
protected:
  /// Returns the depths of each covered point in successive steps, from its largest depth to its
  /// end, of a block that is dragged over the points of its table.
  std::vector<std::vector<Covered>> returned_depths() const {
    Slide<2> slide(folder, {"Contact/c/Discretisation=mortar of region",
                            "Contact/c/Region=table top", "Contact/c/Against=block bottom",
                            "Boundary conditions/block top/Displacement y=-1e-2*min(t, 1)",
                            "Time/Inertia=full", "Time/Theta=0.5", "Time/Step=4e-4", "Time/End=4",
                            "Material/Density=1", "Material/Viscosity=300"});
    std::map<ContactKey, std::vector<Covered>> depths;
    while (slide.time() < slide.c.span.end - 1e-9) {
      slide.advance();
      for (const ContactMemory<2> &memory : slide.state.history.memories) {
        auto &sequence = depths[memory.key];
        const double last = sequence.empty() ? 0. : sequence.back().depth;
        if (memory.covered_depth > last)
          sequence.clear();
        if (memory.covered_depth > 0. || last > 0.)
          sequence.push_back(
              {memory.covered_depth, 4e-4 * memory.return_speed, memory.percussion[0] > 0.});
      }
    }
    std::vector<std::vector<Covered>> returned;
    for (auto &[key, sequence] : depths)
      if (!sequence.empty() && sequence.back().depth == 0.)
        returned.push_back(std::move(sequence));
    return returned;
  }
};

/// Points that sliding covers give their depth back in equal parts, in steps whose rows converge,
/// except the first part, which is half of the others, so that the contact is at rest before it. A
/// part is at most a tenth of the distance slid in a step, 0.13 × 4e-4.
TEST_F(SlidingMemory, CoveredPointsReturnTheirDepthInEqualParts) {
  write_dragged_block();
  const auto returned = returned_depths();
  ASSERT_FALSE(returned.empty());
  unsigned int n_equal = 0;
  for (const auto &points : returned) {
    const double round_off = 1e-9 * points[0].depth, part = points[1].part;
    EXPECT_GT(part, 0.);
    EXPECT_LT(part, 0.1 * 0.13 * 4e-4 * 1.01);
    ASSERT_TRUE(points[1].presses);
    EXPECT_NEAR(points[0].depth - points[1].depth, 0.5 * part, round_off);
    for (std::size_t k = 2; k < points.size(); ++k) {
      const double given = points[k - 1].depth - points[k].depth;
      EXPECT_LE(given, points[k].presses ? part + round_off : 0.) << k;
      n_equal += std::abs(given - part) < round_off;
    }
  }
  EXPECT_GE(n_equal, 2u);
}

/// Contacts that have pressed, and whose gap has stayed small since, get no deeper, except those of
/// nodes of both sides. Without restitution they close their gap.
TEST_F(SlidingMemory, LastingContactsGetNoDeeper) {
  write_sliding_block();
  for (const std::string law : {"dissipative", "newton-coulomb", "persistent"})
    for (const std::string points : {"mortar of region", "nodes of both sides"}) {
      Slide<2> slide(folder, {"Contact/c/Discretisation=" + points, "Contact/c/Impact law=" + law});
      unsigned int n_closed = 0, n_deeper = 0;
      for (unsigned int k = 0; k < 300; ++k) {
        const auto before = slide.state.history.memories;
        const auto start = slide.state.found;
        slide.advance();
        for (const ContactMemory<2> &memory : before) {
          const auto *const first = start.find(memory.key), *const last =
                                                                slide.state.found.find(memory.key);
          if (!memory.is_lasting || first == nullptr || last == nullptr)
            continue;
          n_deeper += last->gap < std::min(first->gap, 0.) - 1e-10;
          n_closed += first->gap > 1e-6 && std::abs(last->gap) < 1e-10;
        }
      }
      const bool holds = points != "nodes of both sides";
      EXPECT_EQ(n_deeper == 0, holds) << law << ' ' << points;
      EXPECT_EQ(n_closed > 0, holds && law != "persistent") << law << ' ' << points;
    }
}

} // namespace
