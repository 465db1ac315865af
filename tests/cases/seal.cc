// The shipped case of a rubber seal: its force before it meets the wall, and elements that lock.

#include "cases/support.h"
#include "support/csv.h"

namespace cases_of_seals {

using Columns = std::map<std::string, std::vector<double>>;

class Seal : public cases::CaseFolder {
protected:
  /// Runs the case with assignments, and returns its probes.
  Columns run(const std::vector<std::string> &assignments) const {
    std::vector<std::string> arguments = {PERCUSSION_SOURCE_DIR "/params/seal.prm", "--output",
                                          "results", "--set", "Output/Number of instants=1"};
    for (const auto &assignment : assignments)
      arguments.insert(arguments.end(), {"--set", assignment});
    const auto outcome = start("percussion", arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_FALSE(cases::has(read("results/log.txt"), "cut")) << "a step did not converge";
    const Columns ledger = percussion::test::read_csv((folder / "results/energy.csv").string());
    for (const double residual : ledger.at("balance_residual"))
      EXPECT_LT(std::abs(residual), 1e-11 * ledger.at("total").back());
    return percussion::test::read_csv((folder / "results/probes.csv").string());
  }
};

/// A cylinder between two plates: Johnson, Contact Mechanics (1985), (5.57), for small contacts.
/// Until the seal meets the wall, lid and bottom bear the same force; then friction on the wall
/// bears the difference, at most the coefficient times the force of the wall.
TEST_F(Seal, HasTheForceOfACylinderBetweenPlates) {
  const Columns probes = run({});
  const auto force = [&](const char *contact, std::size_t step) {
    return std::abs(probes.at(std::string(contact) + ".force_normal")[step]);
  };
  const double P = 2 * force("lid", 20), // of the whole section, N/mm
      compliance = (1 - 0.499 * 0.499) / 6., R = 5., a = std::sqrt(4 * P * R * compliance / M_PI),
               approach = 2 * P * compliance / M_PI * (2 * std::log(4 * R / a) - 1);
  EXPECT_NEAR(approach, 0.5, 0.02 * 0.5);
  EXPECT_EQ(force("wall", 60), 0.);
  EXPECT_NEAR(force("lid", 60), force("bottom", 60), 1e-6 * force("lid", 60));
  const double difference = force("lid", 100) - force("bottom", 100);
  EXPECT_GT(difference, 0.1 * force("wall", 100));
  EXPECT_LT(difference, 0.3 * force("wall", 100) * (1 + 1e-9));
}

/// With macro-cells half the size changes the force by a few percent; standard triangles with as
/// many nodes are far too stiff.
TEST_F(Seal, NeedsElementsThatDoNotLock) {
  const auto force = [this](const std::vector<std::string> &assignments) {
    return std::abs(run(assignments).at("lid.force_normal").back());
  };
  const double coarse = force({"Mesh/Parameters=size = 0.8"}), fine = force({}),
               locked = force({"Material/Element=standard", "Mesh/Parameters=size = 0.4"});
  EXPECT_NEAR(coarse, fine, 0.05 * fine);
  EXPECT_GT(locked, 1.4 * fine);
}

} // namespace cases_of_seals
