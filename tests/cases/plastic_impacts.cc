// Plastic impacts as shipped cases: the rebound of a ball from a block that flows, the law of a
// specimen from the waves in the bars of a split Hopkinson bar, a bracket that is bent, and a stent
// that is expanded.

#include "cases/stepped.h"
#include "cases/support.h"
#include "support/csv.h"

namespace cases_in_space {

using namespace percussion;

/// End of the impact of a ball.
struct Rebound {
  double restitution;   ///< speed after the impact over speed before [1]
  double plastic_loss;  ///< over the initial energy [1]
  double stored_energy; ///< strain energy at the end over the initial energy [1]
};

/// Returns the rebound of a ball with the speed `v` [m/s], with steps of twice the length. The
/// impulse of the contact and the mass, of the kinetic energy, give the mean velocity of the ball,
/// whatever its vibrations are.
Rebound steel_ball(const std::string &v) {
  Stepped<2> ball(build<2>(ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/steel_ball.prm"),
                           {"Constants/v=" + v, "Time/Step=T/80"}));
  const double energy = ball.state.kinetic, speed = std::stod(v),
               mass = 2 * energy / (speed * speed);
  double impulse = 0, loss = 0, contact_work = 0;
  while (ball.state.step < ball.c.span.n_steps) {
    const auto &record = ball.advance();
    EXPECT_LT(std::abs(record.balance_residual), 1e-13 * ball.state.energy()) << ball.state.step;
    EXPECT_LE(record.works.plastic, 0.);
    loss -= record.works.plastic;
    contact_work += record.works.contact_normal;
    for (const auto &contact : record.contacts)
      impulse += contact.percussion[0] * std::abs(contact.normal[1]);
  }
  EXPECT_NEAR(contact_work, 0., 1e-10 * energy);
  EXPECT_NEAR(ball.state.kinetic + ball.state.strain + loss, energy, 1e-10 * energy);
  return {impulse / (mass * speed) - 1., loss / energy, ball.state.strain / energy};
}

class StentInSpace : public cases::CaseFolder {};

/// The crown follows the balloon, yields, and recoils by its elastic bending as the balloon is
/// withdrawn: plastic work is most of the balloon's work, and the contacts' work is small.
TEST_F(StentInSpace, RecoilsAfterPlasticExpansion) {
  const auto outcome = start(
      "percussion", {PERCUSSION_SOURCE_DIR "/params/stent_in_space.prm", "--output", "results",
                     "--set", "Output/Number of instants=1", "--set",
                     "Mesh/Parameters=in_bend = 2, in_strut = 3, across = 2, through = 1, in_media "
                     "= 1, around = 6, along = 6"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const auto ledger = percussion::test::read_csv((folder / "results/energy.csv").string()),
             probes = percussion::test::read_csv((folder / "results/probes.csv").string());
  const auto &total = ledger.at("total"), &plastic = ledger.at("work_plastic");
  const double largest = *std::max_element(total.begin(), total.end());
  for (const double residual : ledger.at("balance_residual"))
    EXPECT_LT(std::abs(residual), 1e-13 * largest);
  for (std::size_t step = 1; step < plastic.size(); ++step)
    EXPECT_LE(plastic[step], plastic[step - 1]) << step;
  const double work = ledger.at("work_prescribed")[40]; // until the balloon is largest
  EXPECT_GT(-plastic.back(), 0.7 * work);
  EXPECT_LT(-plastic.back() + total[40], work);
  EXPECT_LT(ledger.at("work_contact_tangential").back(), -1e-4 * work);
  EXPECT_GT(ledger.at("work_contact_tangential").back(), -1e-2 * work);
  const auto radius = [&](std::size_t step) {
    return 0.57 - probes.at("bend.displacement_x")[step];
  };
  EXPECT_NEAR(radius(40), 0.557 + 0.39, 0.02); // the bend at z = 0 is on the balloon, or off it
  const double end = 0.5 * (radius(54) + radius(55)); // the free crown oscillates with two steps
  EXPECT_GT(radius(40) - end, 0.01 * radius(40));
  EXPECT_LT(radius(40) - end, 0.03 * radius(40));
  EXPECT_GT(probes.at("wall.force_normal").back(), 0.); // the wall presses on the stent for ever
}

/// Johnson's (11.44): the pressure of the fully plastic indentation is 3 Y, and the rebound
/// elastic.
double johnson(double v) {
  const double Y = 100., R = 10., E_star = 210000. / (2. * (1. - 0.09)),
               energy = 2. / 3. * dealii::numbers::PI * R * R * R * 7.85e-3 * v * v;
  return 3.8 * std::sqrt(Y / E_star) * std::pow(energy / (Y * R * R * R), -1. / 8.);
}

/// Restitution falls with the power -1/4 of the speed. It is below Johnson's, by a tenth at most:
/// the pressure of the indentation is below 3 Y. The energy without a rebound is plastic work,
/// except for the stress that remains and waves.
TEST(SteelBall, ReboundFallsWithThePowerOfFullyPlasticImpacts) {
  const Rebound slow = steel_ball("0.125"), fast = steel_ball("1");
  EXPECT_NEAR(std::log(fast.restitution / slow.restitution) / std::log(8.), -0.25, 0.02);
  for (const auto &[rebound, v] : {std::pair{slow, 0.125}, std::pair{fast, 1.}}) {
    const double e = rebound.restitution;
    EXPECT_LT(e, johnson(v));
    EXPECT_GT(e, 0.9 * johnson(v));
    EXPECT_NEAR(e * e + rebound.plastic_loss + rebound.stored_energy, 1., 0.01);
  }
}

/// Ball and block are elastic below the speed of yield, 0.4 mm/s: hardly any energy is lost.
TEST(SteelBall, ReboundsWithItsSpeedNearYield) {
  const Rebound rebound = steel_ball("0.0005");
  EXPECT_GT(rebound.restitution, 0.97);
  EXPECT_LT(rebound.plastic_loss, 0.01);
}

/// The ball bends the arm of a bracket on a coarse mesh: it hits, then rebounds, and each step
/// closes its balance. Plastic work, what the contact takes, and the energy at the end are all of
/// the energy.
TEST(BracketImpact, BendsForGood) {
  Stepped<3> bracket(
      build<3>(ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/bracket_impact.prm"),
               {"Mesh/Size=14", "Time/Step=0.01", "Time/End=0.6"}));
  const double energy = bracket.state.kinetic;
  double lost = 0, plastic = 0, impulse = 0;
  while (bracket.state.step < bracket.c.span.n_steps) {
    const auto &record = bracket.advance();
    EXPECT_LT(std::abs(record.balance_residual), 1e-13 * energy);
    EXPECT_LE(record.works.plastic, 0.);
    EXPECT_LE(record.works.contact_normal, 1e-12 * energy);
    plastic -= record.works.plastic;
    lost -= record.works.plastic + record.works.contact_normal;
    for (const auto &contact : record.contacts)
      impulse += contact.percussion[0] * std::abs(contact.normal[2]);
  }
  EXPECT_NEAR(bracket.state.kinetic + bracket.state.strain + lost, energy, 1e-11 * energy);
  EXPECT_NEAR(plastic / energy, 0.8, 0.1);
  const double mass = energy / 200.; // m v²/2 with 20 mm/ms
  EXPECT_GT(impulse, 20. * mass);    // the ball has turned back
}

class HopkinsonBar : public cases::CaseFolder {};

/// Integral of a signal, by the trapezoidal rule.
std::vector<double> integral(const std::vector<double> &rate, double step) {
  std::vector<double> sums(rate.size(), 0.);
  for (std::size_t i = 1; i < rate.size(); ++i)
    sums[i] = sums[i - 1] + step * (rate[i] + rate[i - 1]) / 2;
  return sums;
}

/// Kolsky's three-wave analysis of two gauges finds the hardening law of the specimen.
TEST_F(HopkinsonBar, WavesGiveTheLawOfTheSpecimen) {
  const auto run =
      start("percussion", {PERCUSSION_SOURCE_DIR "/params/hopkinson_bar.prm", "--output", "results",
                           "--set", "Output/Number of instants=1"});
  ASSERT_EQ(run.status, 0) << run.error;
  EXPECT_FALSE(cases::has(read("results/log.txt"), "Warning"));
  const auto ledger = percussion::test::read_csv((folder / "results/energy.csv").string());
  for (const double residual : ledger.at("balance_residual"))
    EXPECT_LT(std::abs(residual), 1e-13 * ledger.at("total").front());

  const double E = 210000., c = std::sqrt(E / 7.85e-3), length = 5., ratio_of_areas = 4., h = 4e-4;
  const auto probes = percussion::test::read_csv((folder / "results/probes.csv").string());
  /// Returns the stress of compression at a gauge at a time.
  const auto at = [&](const std::string &gauge, double time) {
    const auto &stress = probes.at(gauge + ".stress_yy");
    const auto i = static_cast<std::size_t>(time / h);
    const double weight = time / h - static_cast<double>(i);
    return -(1 - weight) * stress.at(i) - weight * stress.at(i + 1);
  };
  std::vector<double> rate, stress;
  for (double t = 805.25 / c; t < 805.25 / c + 0.098; t += h) {
    const double incident = at("incident", t - 400 / c), reflected = at("incident", t + 400 / c),
                 transmitted = at("transmitted", t + 200 / c);
    rate.push_back(c / (E * length) * (incident - reflected - transmitted));
    stress.push_back(ratio_of_areas * transmitted);
  }
  const std::vector<double> strain = integral(rate, h);
  EXPECT_GT(strain.back(), 0.14);
  for (std::size_t i = 0; i < strain.size(); ++i)
    if (strain[i] > 0.006) { // after the rise
      const double true_stress = stress[i] * (1 - strain[i]),
                   plastic_strain = -std::log(1 - strain[i]) - true_stress / 70000.;
      const double law = 200. + 500. * plastic_strain;
      EXPECT_NEAR(true_stress, law, 0.03 * law) << "strain " << strain[i];
    }
}

} // namespace cases_in_space
