// The shipped tyre rolls over a road of 100,000 triangles as over the road's formula.

#include <percussion/base/format.h>

#include <gtest/gtest.h>

#include "cases/stepped.h"
#include "support/scratch_folder.h"
#include <array>
#include <cmath>
#include <cstring>

namespace rolling_tyre {

using namespace percussion;
using SteppedRun = cases_in_space::Stepped<3>;

constexpr double pi = dealii::numbers::PI, wave = 0.3, amplitude = 0.004, speed = 5., radius = 0.4;
constexpr unsigned int n = 224; ///< boxes of two triangles along each side of the road

double height(double x, double y) {
  return -0.005 + amplitude * (std::cos(2. * pi * x / wave) * std::cos(2. * pi * y / wave) - 1.);
}

/// Returns the road over [−1, 2] × [−1, 1] as a binary STL file.
std::string stl_of_road() {
  const std::uint32_t n_triangles = 2 * n * n;
  std::string file(80, ' ');
  const auto append = [&](const auto &value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    file.append(bytes, sizeof value);
  };
  append(n_triangles);
  const auto corner = [&](unsigned int i, unsigned int j) {
    const double x = -1. + 3. * i / n, y = -1. + 2. * j / n;
    for (const double value : {x, y, height(x, y)})
      append(static_cast<float>(value));
  };
  for (unsigned int j = 0; j < n; ++j)
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int k = 0; k < 2; ++k) {
        for (unsigned int d = 0; d < 3; ++d) // readers compute the normal
          append(0.f);
        corner(i, j);
        corner(i + 1, j + k);
        corner(i + 1 - k, j + 1);
        append(std::uint16_t{0});
      }
  return file;
}

/// Returns the tyre upright, on the road, rolling in the direction x.
SteppedRun tyre_on(const cases_in_space::Assignments &surface) {
  cases_in_space::Assignments entries = {
      "Mesh/Parameters=tilt = 0, around = 2, across = 1, along = 8", "Contact/ground/Point=0, 0, 0",
      format("Initial state/Velocity x=%.17g*z/%.17g", speed, radius),
      format("Initial state/Velocity z=-2 - %.17g*x/%.17g", speed, radius)};
  entries.insert(entries.end(), surface.begin(), surface.end());
  return SteppedRun(cases_in_space::build<3>(
      ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/tyre_drop.prm"), entries));
}

/// Results of a few steps.
struct Roll {
  double energy = 0, residual = 0, work = -1e300, friction = 0, normal = 0;
  std::size_t n_contacts = 0;
  Vector q;
};

Roll roll(SteppedRun run, unsigned int n_steps) {
  Roll result;
  for (unsigned int k = 0; k < n_steps; ++k) {
    const auto &record = run.advance();
    result.energy = std::max(result.energy, run.state.energy());
    result.residual = std::max(result.residual, std::abs(record.balance_residual));
    result.work = std::max({result.work, record.normal_work_max, record.tangential_work_max});
    result.friction += record.works.contact_tangential;
    std::size_t n_pressing = 0;
    for (const auto &contact : record.contacts) {
      result.normal += contact.percussion[0];
      n_pressing += contact.percussion[0] > 0.;
    }
    result.n_contacts = std::max(result.n_contacts, n_pressing);
  }
  result.q = run.state.q;
  return result;
}

TEST(RollingTyre, CrossesTrianglesAsTheFormulaOfTheRoad) {
  const test::ScratchFolder folder;
  test::put(folder / "road.stl", stl_of_road());
  constexpr unsigned int n_steps = 60;
  const Roll facets = roll(tyre_on({"Contact/ground/Surface=facets",
                                    "Contact/ground/Surface mesh=" + (folder / "road.stl")}),
                           n_steps),
             formula = roll(tyre_on({"Contact/ground/Surface=signed distance",
                                     format("Contact/ground/Signed distance=z + 0.005 - %.17g*"
                                            "(cos(2*pi*x/%.17g)*cos(2*pi*y/%.17g) - 1)",
                                            amplitude, wave, wave)}),
                            n_steps);
  for (const Roll *const result : {&facets, &formula}) {
    EXPECT_LT(result->residual, 1e-13 * result->energy);
    EXPECT_LE(result->work, 1e-13 * result->energy);
    EXPECT_GE(result->n_contacts, 4u);
    EXPECT_LT(result->friction, 0.);
  }
  Vector difference = facets.q;
  difference -= formula.q;
  // The waves of the road move the tyre by 8e-3, and its few contacts feel the normals of facets.
  EXPECT_LT(difference.linfty_norm(), 2e-3);
  EXPECT_NEAR(facets.normal, formula.normal, 0.02 * formula.normal);
}

} // namespace rolling_tyre
