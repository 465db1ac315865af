// A mass on a bond, pressed, sheared and pulled off, against an integration of its equations.

#include <percussion/contact/bond_law.h>

#include "cases/case_text.h"
#include "cases/rigid_runs.h"

namespace bonded_point {

using namespace percussion;
using namespace case_text;

constexpr double mass = 0.05, stiffness = 200., strength = 1., toughness = 0.02, friction = 0.6,
                 end = 4.;

/// Works of a run [energy].
struct Sums {
  double external = 0, friction = 0, fracture = 0, normal = 0;
};

double normal_force(double t) { return t < 3. ? -0.8 : 1.2; }

/// Returns a rigid body that cannot rotate, a point mass, on a face of length 1 that is held.
cases_in_space::Stepped<2> bonded_mass(double h) {
  const test::ScratchFolder folder;
  test::put(folder / "table.geo", R"(SetFactory("OpenCASCADE");
Rectangle(1) = {0, -1, 0, 1, 1};
Transfinite Curve{1 : 4} = 2; Transfinite Surface{1}; Recombine Surface{1};
Physical Curve("bottom") = {1}; Physical Curve("top") = {3}; Physical Surface("table") = {1};
)");
  test::put(
      folder / "case.prm",
      "subsection Mesh\n  set File = " + (folder / "table.geo") + "\nend\n" +
          in("Material", set("Density", 1.) + set("Young modulus", 1.)) +
          in("Rigid bodies",
             section("mass", set("Mass", mass) + set("Width", 400.) + set("Height", 1.) +
                                 set("Position", "0.5, 0.5") + set("Rotation", "0") +
                                 set("Force x", "0.5*t") +
                                 // A step has the mean of its ends: of −0.8, and of 1.2.
                                 set("Force y", format("if(t < 3, -0.8, 1.2 - 2*cos(pi*(t - "
                                                       "3)/%.17g))",
                                                       h)))) +
          in("Boundary conditions",
             section("bottom", set("Fixed", "true")) + section("top", set("Fixed", "true"))) +
          in("Contact",
             section("bond",
                     set("Region", "top") + set("Surface", "rigid bodies") +
                         set("Against", "mass") + set("Impact law", "fremond") +
                         set("Friction coefficient", friction) + set("Bond strength", strength) +
                         set("Fracture energy", toughness) + set("Bond stiffness", stiffness))) +
          in("Time", set("Scheme", "moreau-jean-fremond") + set("Theta", 0.5) + set("Step", h) +
                         set("End", end)));
  return cases_in_space::Stepped<2>(
      cases_in_space::build<2>(ParameterFile::read(folder / "case.prm")));
}

/// Runs the case; expects a closed ledger, and of no contact and no bond positive work.
Sums run(double h) {
  auto stepped = bonded_mass(h);
  Sums sums;
  double largest = 0;
  for (unsigned int k = 0; k < stepped.c.span.n_steps; ++k) {
    const auto &record = stepped.advance();
    largest = std::max(largest, stepped.state.energy());
    EXPECT_LE(std::abs(record.balance_residual), 1e-13 * largest) << k;
    EXPECT_LE(record.tangential_work_max, 1e-15 * largest) << k;
    EXPECT_LE(record.works.fracture, 0.) << k;
    sums.external += record.works.external;
    sums.friction += record.works.contact_tangential;
    sums.fracture += record.works.fracture;
    sums.normal = std::max(sums.normal, std::abs(record.works.contact_normal));
  }
  return sums;
}

/// Integrates m (v1 − v0) = h (F − t) + p by the midpoint rule, with the traction t of a bond, and
/// with the percussion p of persistent contact and Coulomb's law; the percussion with which the
/// mass sticks decides. Newton's method solves a step with given p.
class Integration {
public:
  explicit Integration(double step) : h(step) {
    law.strength = strength;
    law.fracture_energy = toughness;
    law.stiffness = stiffness;
  }
  Sums run() {
    Sums sums;
    for (double t = 0.5 * h; t < end; t += h)
      add_step({normal_force(t), 0.5 * t}, sums);
    return sums;
  }

private:
  using Pair = std::array<double, 2>;

  BondStep<2> bond_at(const Pair &u) const {
    return bond_step<2>(law, damage, w, {w[0] + h * u[0], w[1] + h * u[1]}, h, BondTraction::mean);
  }
  /// Returns the percussion that leads to the mean velocity u.
  Pair percussion(const Pair &u, const Pair &F) const {
    const auto t = bond_at(u).traction;
    return {2. * mass * (u[0] - v[0]) - h * (F[0] - t[0]),
            2. * mass * (u[1] - v[1]) - h * (F[1] - t[1])};
  }
  /// Solves for the mean velocity with the percussion p; u_N stays zero if the contact presses.
  Pair solve(const Pair &F, bool presses, double p_tangential) const {
    Pair u = {presses ? 0. : v[0], v[1]};
    for (unsigned int k = 0; k < 60; ++k) {
      Pair r = percussion(u, F);
      r[1] -= p_tangential;
      const auto D = bond_at(u).tangent;
      const double a = presses ? 1. : 2. * mass + h * h * D[0], b = presses ? 0. : h * h * D[1],
                   c = presses ? 0. : h * h * D[2], d = 2. * mass + h * h * D[3];
      if (presses)
        r[0] = 0.;
      const double det = a * d - b * c;
      u = {u[0] - (d * r[0] - b * r[1]) / det, u[1] - (a * r[1] - c * r[0]) / det};
    }
    return u;
  }
  void add_step(const Pair &F, Sums &sums) {
    Pair u = solve(F, false, 0.), p{};
    if (w[0] <= 1e-12 && u[0] < 0.) {
      u = {0., 0.};
      p = percussion(u, F);
      const double limit = friction * damage * p[0];
      if (std::abs(p[1]) > limit) {
        p[1] = std::copysign(limit, p[1]);
        u = solve(F, true, p[1]);
      }
    }
    const auto step = bond_at(u);
    sums.external += h * (F[0] * u[0] + F[1] * u[1]);
    sums.friction += p[1] * u[1];
    sums.fracture -= step.loss;
    for (std::size_t d = 0; d < 2; ++d) {
      w[d] += h * u[d];
      v[d] = 2. * u[d] - v[d];
    }
    damage = step.damage;
  }

  double h;
  BondLaw law;
  Pair w{}, v{};
  double damage = 0;
};

/// A second program, with its own law of the bond, has the works 66.813438 and −1.350977 with steps
/// of 4e-3, and 66.696178 and −1.338185 with steps of 1e-3.
TEST(BondedPoint, HasTheWorksOfItsIntegration) {
  for (const auto &[h, external, tangential] :
       {std::array{4e-3, 66.813438, -1.350977}, std::array{1e-3, 66.696178, -1.338185}}) {
    const Sums exact = Integration(h).run();
    EXPECT_NEAR(exact.external, external, 1e-6) << h;
    EXPECT_NEAR(exact.friction, tangential, 1e-6) << h;
    EXPECT_NEAR(exact.fracture, -toughness, 1e-13 * toughness) << h;
    const Sums sums = run(h);
    EXPECT_NEAR(sums.external, exact.external, 1e-11 * external) << h;
    EXPECT_NEAR(sums.friction, exact.friction, 1e-11 * external) << h;
    EXPECT_NEAR(sums.fracture, -toughness, 1e-12 * toughness) << h;
    EXPECT_LT(sums.normal, 1e-13) << h;
  }
}

} // namespace bonded_point
