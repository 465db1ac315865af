// Contact between deformable bodies: the patch test, and the shipped cases compared with closed
// forms and identities.

#include "cases/checked_case.h"
#include "cases/reference_runs.h"
#include <numeric>

namespace {

using namespace cases;
using Tensor = dealii::Tensor<1, 2>;

double tangential(const ContactRecord<2> &contact) { return contact.percussion[1]; }

Tensor momentum(const ElasticBody<2> &body, const State<2> &state) {
  Tensor sum;
  for (const auto &dofs : body.space.node_dofs)
    for (unsigned int d = 0; d < 2; ++d)
      sum[d] += state.Mv[dofs[d]];
  return sum;
}

/// Returns the sum of the momenta of all elastic bodies.
Tensor momentum(const Case<2> &c, const State<2> &state) {
  Tensor sum;
  for (const auto &body : c.bodies->elastic)
    sum += momentum(*body, state);
  return sum;
}

/// Returns the sum of the angular momenta of all elastic bodies about the origin.
double angular_momentum(const Case<2> &c, const State<2> &state) {
  double sum = 0;
  for (const auto &body : c.bodies->elastic)
    for (unsigned int i = 0; i < body->space.n_nodes(); ++i) {
      const auto &dofs = body->space.node_dofs[i];
      const auto &x = body->space.nodes[i];
      const auto *const q = state.q.data(), *const p = state.Mv.data();
      sum += (x[0] + q[dofs[0]]) * p[dofs[1]] - (x[1] + q[dofs[1]]) * p[dofs[0]];
    }
  return sum;
}

Tensor impulse(const ContactRecord<2> &contact) {
  const auto frame = local_frame<2>(contact.normal);
  return contact.percussion[0] * frame[0] + contact.percussion[1] * frame[1];
}

/// Returns the impulse of a contact pair on the bodies in a step.
Tensor impulse(const StepRecord<2> &record, unsigned int pair) {
  Tensor sum;
  for (const auto &contact : record.contacts)
    if (contact.key.pair == pair)
      sum += impulse(contact);
  return sum;
}

/// Returns the moment about the origin of the percussions of a fixed surface on its nodes in a step
/// from q0 to q1.
double moment(const Case<2> &c, const StepRecord<2> &record, unsigned int pair, const Vector &q0,
              const Vector &q1) {
  const Boundary<2> &boundary = *c.boundary;
  const TraceField begin = boundary.trace.gather(q0), end = boundary.trace.gather(q1);
  double sum = 0;
  for (const auto &contact : record.contacts)
    if (contact.key.pair == pair) {
      const ContactPoint<2> &point = boundary.points[contact.point];
      const Tensor x = point.position - dealii::Point<2>() +
                       0.5 * (boundary.value_at(point, begin) + boundary.value_at(point, end));
      sum += cross_product_2d(x) * impulse(contact) * -1.;
    }
  return sum;
}

// ---- the patch test ----

/// Fixture with two blocks of two materials, 2 x 1 each, under a pressure from all sides so small
/// that positions do not change; the lower block in quadrilaterals, the upper in non-matching
/// triangles.
class PatchTest : public CheckedCase {
protected:
  static constexpr double pressure = 1e-13;

  static std::string number(double x) {
    std::ostringstream text;
    text.precision(17);
    text << x;
    return text.str();
  }

  void write_block(const std::string &name, double y0, unsigned int along, unsigned int high,
                   const std::string &more, double angle) const {
    const double c = std::cos(angle), s = std::sin(angle);
    std::string points, lines;
    const double corners[4][2] = {{0., y0}, {2., y0}, {2., y0 + 1.}, {0., y0 + 1.}};
    const char *sides[] = {"bottom", "right", "top", "left"};
    for (unsigned int i = 0; i < 4; ++i) {
      const auto [x, y] = corners[i];
      const std::string n = std::to_string(i + 1);
      points +=
          "Point(" + n + ") = {" + number(c * x - s * y) + ", " + number(s * x + c * y) + ", 0};\n";
      lines += "Line(" + n + ") = {" + n + ", " + std::to_string((i + 1) % 4 + 1) +
               "};\nPhysical Curve(\"" + name + " " + sides[i] + "\") = {" + n + "};\n";
    }
    std::string geo = points + lines;
    geo += "Curve Loop(1) = {1 : 4};\nPlane Surface(1) = {1};\nTransfinite Curve {1, 3} = " +
           std::to_string(along + 1) + ";\nTransfinite Curve {2, 4} = " + std::to_string(high + 1) +
           ";\nTransfinite Surface {1} Alternate;\nPhysical Surface(\"" + name + "\") = {1};\n";
    write(name + ".geo", geo + more);
  }

  void write_case(double angle) const {
    const double c = std::cos(angle), s = std::sin(angle);
    write_block("lower", -1., 7, 4,
                "Recombine Surface {1};\nPhysical Point(\"pin\") = {1};\n"
                "Physical Point(\"roll\") = {2};\n",
                angle);
    write_block("upper", 0., 5, 3, "Physical Point(\"hold\") = {4};\n", angle);
    std::string text = "subsection Mesh\n  set File = lower.geo, upper.geo\nend\n"
                       "subsection Material\n  set Density = 0.1\n  set Poisson ratio = 0.3\n"
                       "  subsection lower\n    set Young modulus = 1\n  end\n"
                       "  subsection upper\n    set Young modulus = 3\n  end\nend\n"
                       "subsection Boundary conditions\n";
    const auto press = [&](const std::string &side, double x, double y) {
      text += "  subsection " + side + "\n    set Traction x = " + number(-pressure * x) +
              "\n    set Traction y = " + number(-pressure * y) + "\n  end\n";
    };
    for (const std::string block : {"lower", "upper"}) {
      press(block + " right", c, s);
      press(block + " left", -c, -s);
    }
    press("lower bottom", s, -c);
    press("upper top", -s, c);
    const bool steep = std::abs(s) > std::abs(c);
    text += "  subsection pin\n    set Displacement x = 0\n    set Displacement y = 0\n  end\n"
            "  subsection roll\n    set Displacement " +
            std::string(steep ? "x" : "y") +
            " = 0\n  end\n  subsection hold\n    set Displacement " + (steep ? "y" : "x") +
            " = 0\n  end\nend\n"
            "subsection Contact\n  subsection interface\n    set Region = upper bottom\n"
            "    set Surface = region\n    set Against = lower top\n  end\nend\n"
            "subsection Time\n  set Theta = 1\n  set End = 300\n  set Step = 0.5\nend\n";
    write("case.prm", text);
  }

  /// Returns the largest error of the pressure at the interface after the decay of inertial
  /// effects.
  double error(double angle, const std::string &discretisation) const {
    write_case(angle);
    auto file = ParameterFile::read((folder / "case.prm").string());
    file.override_with("Contact/interface/Discretisation=" + discretisation);
    const auto c = build_case<2>(Parameters(declare_case(&file), file), file);
    Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
    State<2> state = c.initial;
    step.initialise(state);
    double largest = 0;
    for (unsigned int k = 1; k <= c.span.n_steps; ++k) {
      const auto &record = step.advance(state, k * c.choices.h);
      EXPECT_GE(record.contacts.size(), 6u);
      largest = 0;
      for (const auto &contact : record.contacts)
        largest = std::max(
            largest, std::abs(contact.percussion[0] / c.choices.h / contact.area / pressure - 1.));
    }
    return largest;
  }
};

TEST_F(PatchTest, MortarPassesOnStraightAndInclinedInterfaces) {
  for (const double angle : {0., 0.4, -1.1})
    EXPECT_LT(error(angle, "mortar"), 1e-12) << angle;
}

TEST_F(PatchTest, NodesOnFacesDoNot) { EXPECT_NEAR(error(0.4, "nodes"), 0.24, 0.01); }

// ---- closed forms ----

TEST(TwoBars, ExchangeTheirVelocities) {
  SteppedCase run("two_bars", {"Mesh/Parameters=n = 8", "Time/Step=0.025"});
  const double all = run.initial_energy, A = 4.;
  ASSERT_NEAR(all, 0.4, 1e-12);
  double sum = 0, residual = 0, last_contact = 0;
  const Tensor before = momentum(run.c, run.state);
  while (run.state.step < run.c.span.n_steps) {
    const auto &record = run.advance();
    residual = std::max(residual, std::abs(record.balance_residual));
    EXPECT_LT((momentum(run.c, run.state) - before).norm(), 1e-12);
    const double force = run.contact_force(0);
    if (run.state.time > 1. && run.state.time < 19.) { // the exact force is 0.1 A
      sum += force * run.h();
    }
    if (std::abs(run.state.time - 10.) < 1e-9) {
      EXPECT_NEAR(run.state.strain, all, 0.01 * all);
    }
    if (force > 0)
      last_contact = run.state.time;
  }
  EXPECT_LT(residual, 1e-12 * all);
  EXPECT_LT(std::abs(run.drift()), 1e-12 * all);
  EXPECT_NEAR(sum / 18., 0.1 * A, 0.005 * 0.1 * A);
  EXPECT_NEAR(last_contact, 20., 0.2);
  EXPECT_NEAR(run.mean_velocity()[0], -0.1, 0.001); // velocity of the left bar
}

/// Nodes without inertia have no impacts, so that e = 0 dissipates no energy.
TEST(TwoBars, LoseNothingByRestitutionAtNodesWithoutInertia) {
  SteppedCase run("two_bars", {"Mesh/Parameters=n = 4", "Time/Step=0.05", "Time/End=22",
                               "Time/Scheme=moreau-jean-fremond"});
  const double all = run.initial_energy;
  while (run.state.step < run.c.span.n_steps)
    run.advance();
  EXPECT_LT(std::abs(run.drift()), 1e-12 * all);
  EXPECT_NEAR(run.state.energy(), all, 1e-12 * all);
  EXPECT_NEAR(run.mean_velocity()[0], -0.1, 0.002); // velocity of the left bar
}

/// Pressures at the nodes of the first elastic body by their undeformed positions, in order.
struct Pressures {
  std::vector<double> x, normal, tangential, area;
  std::vector<ContactStatus> status;

  explicit Pressures(const SteppedCase &run) {
    std::vector<const ContactRecord<2> *> sorted;
    for (const auto &contact : run.record->contacts)
      sorted.push_back(&contact);
    const auto place = [&](const auto *c) { return run.c.boundary->points[c->point].position[0]; };
    std::sort(sorted.begin(), sorted.end(),
              [&](const auto *a, const auto *b) { return place(a) < place(b); });
    for (const auto *contact : sorted) {
      x.push_back(place(contact));
      normal.push_back(contact->percussion[0] / run.h() / contact->area);
      this->tangential.push_back(::tangential(*contact) / run.h() / contact->area);
      area.push_back(contact->area);
      status.push_back(contact->status);
    }
  }

  double resultant(const std::vector<double> &of) const {
    return std::inner_product(of.begin(), of.end(), area.begin(), 0.);
  }
  /// Returns the half-width of a semi-ellipse with the same second moment.
  double half_width() const {
    double second = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      second += normal[i] * area[i] * x[i] * x[i];
    return 2. * std::sqrt(second / resultant(normal));
  }
};

/// A density with which all periods are far shorter than a step, in place of the quasi-static
/// balance.
Assignments density_assignments(const std::string &density) {
  return {"Time/Inertia=full", "Material/Density=" + density, "Contact/Node inertia=redistributed"};
}

/// Expects that the steps of a case without inertia have no kinetic energy and close the ledger.
void expect_quasi_static(const SteppedCase &run) {
  EXPECT_EQ(run.state.kinetic, 0.);
  EXPECT_LT(std::abs(run.record->balance_residual), 1e-12 * run.state.energy());
}

class Hertz : public ::testing::TestWithParam<Assignments> {};

TEST_P(Hertz, HalfWidthAndLargestPressure) {
  SteppedCase run("hertz", Assignments{"Time/Step=2e-3"} + GetParam());
  while (run.state.step < run.c.span.n_steps) {
    run.advance();
    if (GetParam().empty())
      expect_quasi_static(run);
  }
  const Pressures p(run);
  EXPECT_NEAR(p.resultant(p.normal), 17500., 0.002 * 17500.);
  EXPECT_NEAR(p.half_width(), 6.2146, 0.01 * 6.2146);
  EXPECT_NEAR(*std::max_element(p.normal.begin(), p.normal.end()), 3585.4, 0.01 * 3585.4);
  for (std::size_t i = 0; i < p.x.size(); ++i) { // smooth except at the ends
    const double exact = 3585.4 * std::sqrt(std::max(0., 1. - std::pow(p.x[i] / 6.2146, 2.)));
    EXPECT_NEAR(p.normal[i], exact, (p.x[i] < 4.6 ? 0.01 : 0.05) * 3585.4) << p.x[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Inertia, Hertz,
                         ::testing::Values(Assignments{}, density_assignments("4e-8")));

class Cattaneo : public ::testing::TestWithParam<Assignments> {};

TEST_P(Cattaneo, StickZoneAndShear) {
  SteppedCase run("cattaneo", Assignments{"Time/Step=2e-3"} + GetParam());
  while (run.state.step < run.c.span.n_steps) {
    run.advance();
    if (GetParam().empty() && run.state.time > 0.01)
      expect_quasi_static(run);
  }
  const Pressures p(run);
  const double mu = 0.2, P = p.resultant(p.normal), a = 0.6808, peak = 9.351, c = 0.7293 * a;
  EXPECT_NEAR(P, 10., 0.01);
  EXPECT_NEAR(std::abs(impulse(*run.record, 0)[0]) / run.h(), 0.93616, 1e-6);
  EXPECT_NEAR(p.half_width(), a, 0.01 * a);
  EXPECT_NEAR(*std::max_element(p.normal.begin(), p.normal.end()), peak, 0.01 * peak);
  const double spacing = 0.05;
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    const double x = std::abs(p.x[i]);
    const auto ellipse = [&](double half) {
      return std::sqrt(std::max(0., 1. - std::pow(x / half, 2.)));
    };
    if (std::abs(x - c) > spacing && std::abs(x - a) > spacing) {
      EXPECT_EQ(p.status[i] == ContactStatus::stick, x < c) << x;
    }
    const double shear = mu * peak * (ellipse(a) - c / a * ellipse(c));
    EXPECT_NEAR(std::abs(p.tangential[i]), shear, 0.061 * mu * peak) << x;
  }
}

INSTANTIATE_TEST_SUITE_P(Inertia, Cattaneo,
                         ::testing::Values(Assignments{}, density_assignments("2e-8")));

// ---- a pressure that follows the body ----

class PressedBlock : public CheckedCase {};

/// A block on the ground under a pressure, without Poisson's effect: its sides stay straight, and
/// the ground bears the pressure times the width, one.
TEST_F(PressedBlock, PressesTheGroundByItsPressure) {
  write("case.prm",
        "subsection Mesh\n  set File = block.msh\nend\n"
        "subsection Material\n  set Law = neo-hooke\n  set Young modulus = 100\nend\n"
        "subsection Boundary conditions\n  subsection top\n    set Pressure = 40*t\n  end\nend\n"
        "subsection Contact\n  subsection ground\n    set Region = bottom\n"
        "    set Friction coefficient = 0.3\n  end\nend\n"
        "subsection Time\n  set Theta = 1\n  set Inertia = none\n  set End = 1\n  set Step = 0.1\n"
        "end\n");
  const auto file = ParameterFile::read((folder / "case.prm").string());
  const auto c = build_case<2>(Parameters(declare_case(&file), file), file);
  Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
  State<2> state = c.initial;
  step.initialise(state);
  for (unsigned int k = 1; k <= c.span.n_steps; ++k) {
    const auto &record = step.advance(state, k * c.choices.h);
    double force = 0;
    for (const auto &contact : record.contacts)
      force += contact.percussion[0] / c.choices.h;
    EXPECT_NEAR(force, 40. * k * c.choices.h, 1e-8);
    EXPECT_LT(std::abs(record.balance_residual), 1e-12 * state.energy());
    EXPECT_GT(record.works.external, 0.);
  }
  EXPECT_EQ(state.kinetic, 0.);
}

// ---- identities ----

/// Removes the prescribed displacements.
const Assignments free_blocks = {"Boundary conditions/held/Displacement x=",
                                 "Boundary conditions/held/Displacement y="};

class CollidingBlocks : public ::testing::TestWithParam<bool> {};

/// The shipped case, with the large block held, and with both blocks free.
TEST_P(CollidingBlocks, ExchangeMomentumAndOnlyFrictionTakesEnergy) {
  const bool held = GetParam();
  SteppedCase run("colliding_blocks", held ? Assignments() : free_blocks);
  const ElasticBody<2> &small = *run.c.bodies->elastic.front();
  const Tensor initial_momentum = momentum(run.c, run.state);
  double friction = 0;
  unsigned int n_slip = 0;
  while (run.state.step < run.c.span.n_steps) {
    const double energy = run.state.energy();
    const Tensor before = momentum(small, run.state);
    const auto &record = run.advance();
    Tensor received;
    for (const auto &contact : record.contacts)
      received += run.c.boundary->points[contact.point].elastic_body() == 0u ? impulse(contact)
                                                                             : -impulse(contact);
    ASSERT_LT((momentum(small, run.state) - before - received).norm(),
              1e-12 * initial_momentum.norm());
    if (!held) {
      ASSERT_LT((momentum(run.c, run.state) - initial_momentum).norm(),
                1e-12 * initial_momentum.norm());
    }
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * run.initial_energy);
    ASSERT_LE(run.state.energy(), energy + 1e-12 * run.initial_energy);
    ASSERT_LE(record.tangential_work_max, 1e-14 * run.initial_energy);
    ASSERT_LE(std::abs(record.works.contact_normal), 1e-13 * run.initial_energy);
    friction += record.works.contact_tangential;
    n_slip += record.n_sliding > 0;
  }
  EXPECT_LT(friction, -0.05 * run.initial_energy);
  EXPECT_GT(n_slip, 50u);
  EXPECT_TRUE(run.record->contacts.empty()) << "they have parted";
}

INSTANTIATE_TEST_SUITE_P(LowerEdge, CollidingBlocks, ::testing::Values(true, false),
                         [](const auto &held) { return held.param ? "Held" : "Free"; });

/// At finite strain with both blocks free, the angular momentum is constant without friction; with
/// friction, the tangential percussions have the moment of their gaps.
TEST(FreeBlocks, KeepTheirAngularMomentumWithoutFriction) {
  for (const char *friction : {"0", "0.1"}) {
    SteppedCase run(
        "colliding_blocks",
        free_blocks + Assignments{"Material/Law=neo-hooke", "Time/End=3e-4", "Time/Step=2e-6",
                                  "Contact/Frames=reached midpoint",
                                  "Contact/blocks/Friction coefficient=" + std::string(friction)});
    const double initial_momentum = angular_momentum(run.c, run.state);
    double drift = 0;
    unsigned int n_touching = 0;
    while (run.state.step < run.c.span.n_steps) {
      const auto &record = run.advance();
      drift = std::max(drift, std::abs(angular_momentum(run.c, run.state) / initial_momentum - 1.));
      n_touching += record.contacts.size() > 3;
    }
    EXPECT_GT(n_touching, 50u);
    const bool rough = friction != std::string("0");
    EXPECT_LT(drift, rough ? 1e-3 : 1e-10);
    EXPECT_EQ(drift > 1e-6, rough);
  }
}

/// Returns the depth of the deepest node behind an edge that is not close to it along the line, up
/// to half a wall thickness: computed edge by edge, independently of the contacts found.
double deepest_node(const Facets<2> &facets, const TraceField &q) {
  const auto place = [&](unsigned int node) {
    auto x = facets.nodes[node].position;
    for (unsigned int d = 0; d < 2; ++d)
      x[d] += q[facets.nodes[node].entry + d];
    return x;
  };
  const auto is_near = [&](unsigned int node, unsigned int other) {
    return facets.nodes[node].position.distance(facets.nodes[other].position) < 4.;
  };
  double deepest = 0;
  for (unsigned int node = 0; node < facets.nodes.size(); ++node)
    for (const Facet<2> &facet : facets.facets) {
      const Tensor along = place(facet.end) - place(facet.begin);
      const Tensor begin_offset = place(node) - place(facet.begin);
      const double share = along * begin_offset / along.norm_square();
      const double behind = -(cross_product_2d(along) * begin_offset) / along.norm();
      if (!is_near(node, facet.begin) && share > 0. && share < 1. && behind < 0.5)
        deepest = std::max(deepest, behind);
    }
  return deepest;
}

class RingCrush : public ::testing::TestWithParam<double> {};

/// On a coarse mesh, from the impact to the rebound.
TEST_P(RingCrush, KeepsEnergyAndMomentaAndDoesNotPassThroughItself) {
  const double mu = GetParam();
  SteppedCase run("ring_crush", {"Mesh/Parameters=around = 48, layers = 3", "Time/Step=0.005",
                                 "Contact/ground/Friction coefficient=" + std::to_string(mu),
                                 "Contact/inside/Friction coefficient=" + std::to_string(mu)});
  unsigned int ground = 0;
  while (run.c.boundary->pairs[ground].name != "ground")
    ++ground;
  unsigned int n_inside = 0;
  double deepest = 0, fastest = 0, drift = 0;
  const double L0 = angular_momentum(run.c, run.state);
  double moments = 0;
  while (run.state.step < run.c.span.n_steps) {
    const double energy = run.state.energy();
    const Tensor before = momentum(run.c, run.state);
    const Vector q0 = run.state.q;
    const auto &record = run.advance();
    ASSERT_EQ(record.n_substeps, 1u);
    const Tensor gained = momentum(run.c, run.state) - before;
    ASSERT_LT((gained - impulse(record, ground)).norm(), 1e-12 * before.norm());
    moments += moment(run.c, record, ground, q0, run.state.q);
    drift = std::max(drift, std::abs((angular_momentum(run.c, run.state) - moments) / L0 - 1.));
    ASSERT_LT(std::abs(record.balance_residual), 1e-12 * run.initial_energy);
    ASSERT_LE(run.state.energy(), energy + 1e-12 * run.initial_energy);
    deepest = std::max(deepest, deepest_node(run.c.boundary->facets.front(),
                                             run.c.boundary->trace.gather(run.state.q)));
    for (const double v : run.state.v)
      fastest = std::max(fastest, std::abs(v));
    for (const auto &contact : record.contacts)
      n_inside += contact.key.pair != ground && contact.carries();
  }
  EXPECT_GT(n_inside, 20u);
  EXPECT_LT(deepest, run.h() * fastest);
  EXPECT_GT(deepest, 0.);
  EXPECT_GT(run.mean_velocity()[1], 0.) << "it has rebounded";
  if (mu == 0) {
    EXPECT_NEAR(run.state.energy(), run.initial_energy, 1e-10 * run.initial_energy);
    EXPECT_LT(drift, 1e-10);
  } else {
    EXPECT_LT(run.works.contact_tangential, -1e-3 * run.initial_energy);
    EXPECT_LT(drift, 1e-3); // tangential percussions have the gap as lever arm
    EXPECT_GT(drift, 1e-7);
  }
}

INSTANTIATE_TEST_SUITE_P(Friction, RingCrush, ::testing::Values(0., 0.2));

/// The energy change of each step minus the work of the prescribed motion is never positive, and
/// the loss grows with viscosity and friction (BBDM24, figures 15 and 16).
TEST(Stent, LosesTheMoreTheMoreViscosityAndFrictionThereIs) {
  const auto losses = [](const std::string &viscosity, const std::string &friction) {
    SteppedCase run("stent", {"Time/End=500", "Material/Viscosity=" + viscosity,
                              "Contact/wall/Friction coefficient=" + friction});
    std::vector<double> result;
    double largest = 0, residual = 0;
    while (run.state.step < run.c.span.n_steps) {
      const double energy = run.state.energy();
      const auto &record = run.advance();
      result.push_back(energy + record.works.prescribed - run.state.energy());
      largest = std::max(largest, run.state.energy());
      residual = std::max(residual, std::abs(record.balance_residual));
    }
    EXPECT_LE(residual, 1e-11 * largest);
    for (const double loss : result)
      EXPECT_GE(loss, -1e-11 * largest);
    EXPECT_GT(run.works.prescribed, largest);
    return result;
  };
  const auto sum = [](const std::vector<double> &all) {
    return std::accumulate(all.begin(), all.end(), 0.);
  };
  const auto little = losses("100", "0"), much = losses("1000", "0"), rough = losses("1000", "0.2"),
             rougher = losses("1000", "0.4");
  EXPECT_GT(sum(little), 0.1);
  EXPECT_GT(sum(much), 5. * sum(little));
  EXPECT_GT(sum(rough), 1.01 * sum(much));
  EXPECT_GT(sum(rougher), 1.01 * sum(rough));
  for (std::size_t k = 0; k < much.size(); ++k)
    EXPECT_GT(much[k], little[k]) << k;
}

} // namespace
