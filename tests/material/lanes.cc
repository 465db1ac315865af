// Several points processed at once have the same stresses as each point alone.

#include <percussion/material/discrete_gradient.h>
#include <percussion/material/viscosity.h>

#include <gtest/gtest.h>

#include "laws.h"
#include "support.h"

namespace {

using namespace percussion;

LaneTensor lanes(const std::vector<PlaneTensor> &lane_tensors) {
  LaneTensor all{};
  for (unsigned int lane = 0; lane < n_lanes; ++lane) {
    all.xx[lane] = lane_tensors[lane][0][0];
    all.yy[lane] = lane_tensors[lane][1][1];
    all.xy[lane] = lane_tensors[lane][0][1];
  }
  return all;
}

PlaneTensor extract_lane(const LaneTensor &all, unsigned int lane) {
  return tensor(all.xx[lane], all.yy[lane], all.xy[lane]);
}

/// Calls check for steps of any two sizes in adjacent lanes: at rest, small, and beyond the series
/// of artanh.
template <typename Check>
void visit_adjacent_steps(const Check &check) {
  const auto states_C = states();
  const std::vector<double> sizes = {1., 0.3, 1e-1, 1e-2, 1e-4, 1e-8, 1e-170, 0.};
  const auto I = tensor(1, 1, 0);
  for (std::size_t a = 0; a < states_C.size(); ++a)
    for (const double first : sizes)
      for (const double other : sizes) {
        std::vector<PlaneTensor> A0, A1;
        for (unsigned int lane = 0; lane < n_lanes; ++lane) {
          const auto &start = states_C[(a + lane) % states_C.size()];
          const auto &end = states_C[(a + lane + 5) % states_C.size()];
          A0.push_back(start - I);
          A1.push_back(A0.back() + (lane == 0 ? first : other) * (end - start));
        }
        check(A0, A1);
      }
}

template <typename Literal>
class LanesTest : public ::testing::Test {};

TYPED_TEST_SUITE(LanesTest, LiteralLaws, LawNames);

TYPED_TEST(LanesTest, HaveTheAlgorithmicStressOfEachPoint) {
  const auto law = TypeParam::law();
  visit_adjacent_steps([&](const auto &A0, const auto &A1) {
    const LaneTensor stress = algorithmic_stress(law, lanes(A0), lanes(A1));
    for (unsigned int lane = 0; lane < n_lanes; ++lane) {
      const PlaneTensor alone = algorithmic_stress(law, A0[lane], A1[lane]);
      // change of the stress by the last digit of A
      const double scale = law.tangent(0.5 * (A0[lane] + A1[lane])).norm() *
                           std::max(A0[lane].norm(), A1[lane].norm());
      EXPECT_LE((extract_lane(stress, lane) - alone).norm(),
                2 * round_off * (scale + alone.norm()));
    }
  });
}

TEST(LanesOfViscosity, HaveTheViscousStressOfEachPoint) {
  for (const ViscosityKind kind : {ViscosityKind::curnier, ViscosityKind::pioletti}) {
    const FiniteViscosity viscosity{kind, 0.7};
    bool stretched_beside_squeezed = false;
    visit_adjacent_steps([&](const auto &A0, const auto &A1) {
      const LaneTensor stress = viscosity.stress(lanes(A0), lanes(A1), 0.1);
      for (unsigned int lane = 0; lane < n_lanes; ++lane)
        EXPECT_EQ((extract_lane(stress, lane) - viscosity.stress(A0[lane], A1[lane], 0.1)).norm(),
                  0.);
      stretched_beside_squeezed |= trace(A0[0] + A1[0]) > 0. && trace(A0[1] + A1[1]) < 0.;
    });
    EXPECT_TRUE(stretched_beside_squeezed);
  }
}

} // namespace
