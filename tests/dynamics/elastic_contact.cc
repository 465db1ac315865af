// Contact of elastic bodies with each other and with themselves, and of rigid bodies with their
// faces.

#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/outlines.h"
#include "support/rigid.h"
#include <numeric>
#include <optional>

namespace {

using namespace percussion;
using test::RigidSystem;
using test::rotated;
using Tensor = dealii::Tensor<1, 2>;

constexpr Discretisation discretisations[] = {
    Discretisation::nodes, Discretisation::nodes_of_both_sides, Discretisation::mortar,
    Discretisation::mortar_of_region};

const Ogden stiff_ogden{2., 0.5, 1.5, Plane::strain};

Material<2> linear_elastic() {
  return {1., 1., LinearElastic<2>::from_young(40., 0.3, Plane::strain), {}};
}

/// Choices of a collision of two blocks and of its frame of reference.
struct Setting {
  std::string scheme = "pdas-leapfrog";
  bool hyperelastic = false;
  Discretisation discretisation = Discretisation::nodes;
  double friction = 0.3;
  std::optional<ImpactLawKind> law = {};
  Restitution restitution = {};
  double theta = 0.5;
  double h = 5e-3;
  bool exchanged = false; ///< true if the two sides of the contact are exchanged
  double angle = 0;       ///< angle of the frame of reference
  Tensor velocity = {};   ///< velocity of the frame of reference
};

/// A block of quadrilaterals hits one of triangles obliquely.
struct Collision {
  std::array<std::unique_ptr<Mesh<2>>, 2> mesh = {
      {test::rectangle(CellShape::simplex, 1.3, 0.6, 6, 3, 0.2),
       test::rectangle(CellShape::hypercube, 0.7, 0.5, 4, 3, 0.2)}};
  RigidSystem system;
  Setting setting;

  explicit Collision(const Setting &s) : setting(s) {
    const Scheme &named = scheme(s.scheme);
    test::move(*mesh[1], 0.05, Tensor({0.5, 0.62}));
    const char *names[] = {"lower", "upper"};
    for (unsigned int b = 0; b < 2; ++b) {
      test::move(*mesh[b], s.angle, Tensor());
      mesh[b]->file = std::string(names[b]) + ".msh";
      system.add_elastic(*mesh[b],
                         s.hyperelastic ? test::hyperelastic(stiff_ogden) : linear_elastic());
    }
    auto &pair = system.add_contact(s.law.value_or(named.law), s.restitution, s.friction);
    pair.own_side = ElasticRegion{s.exchanged ? "upper:boundary" : "lower:boundary"};
    pair.opposite_side = ElasticRegions{{s.exchanged ? "lower:boundary" : "upper:boundary"}};
    pair.discretisation = s.discretisation;
    system.choices.h = s.h;
    system.choices.theta = s.theta;
    system.choices.forecast = named.forecast;
    system.choices.frames = named.frames;
    system.choices.newton_tolerance = 1e-13;
    system.cone.method = named.method;
    system.make();
    for_each_node([&](unsigned int b, const auto &dofs, const auto &x) {
      // With the velocities of a rigid body, a body rotates without strain.
      const Tensor unrotated = rotated(x, -s.angle);
      const Tensor v =
          b == 0 ? Tensor({0., 0.2})
                 : Tensor({0.4 - 0.3 * (unrotated[1] - 0.9), -0.6 + 0.3 * (unrotated[0] - 0.85)});
      for (unsigned int d = 0; d < 2; ++d)
        system.state.v[dofs[d]] = (rotated(v, s.angle) + s.velocity)[d];
    });
  }

  template <typename Function>
  void for_each_node(const Function &f) const {
    for (unsigned int b = 0; b < 2; ++b) {
      const auto &space = system.bodies->elastic[b]->space;
      for (unsigned int i = 0; i < space.n_nodes(); ++i)
        f(b, space.node_dofs[i], space.nodes[i]);
    }
  }

  Tensor momentum() const {
    Tensor sum;
    for_each_node([&](unsigned int, const auto &dofs, const auto &) {
      for (unsigned int d = 0; d < 2; ++d)
        sum[d] += system.state.Mv[dofs[d]];
    });
    return sum;
  }

  /// Returns the angular momentum about the origin.
  double angular_momentum() const {
    double sum = 0;
    for_each_node([&](unsigned int, const auto &dofs, const auto &x) {
      const auto &q = system.state.q, &p = system.state.Mv;
      sum += (x[0] + q[dofs[0]]) * p[dofs[1]] - (x[1] + q[dofs[1]]) * p[dofs[0]];
    });
    return sum;
  }

  /// Returns the displacements in the original frame of reference.
  std::vector<Tensor> displacements() const {
    std::vector<Tensor> all;
    for_each_node([&](unsigned int, const auto &dofs, const auto &) {
      Tensor u;
      for (unsigned int d = 0; d < 2; ++d)
        u[d] = system.state.q[dofs[d]];
      all.push_back(rotated(u - system.state.time * setting.velocity, -setting.angle));
    });
    return all;
  }
};

/// For every scheme, law and forecast, the total momentum is conserved, the ledger closes in each
/// step, and the bodies separate again.
TEST(ElasticContact, KeepsMomentumAndClosesTheLedger) {
  std::vector<Setting> settings;
  for (const Scheme &named : schemes())
    for (const bool hyperelastic : {false, true})
      for (const auto discretisation : discretisations) {
        Setting s;
        s.scheme = named.name;
        s.hyperelastic = hyperelastic;
        s.discretisation = discretisation;
        settings.push_back(s);
      }
  for (const auto &law : impact_laws()) {
    Setting s;
    s.scheme = "moreau-jean";
    s.law = law.kind;
    s.restitution = {0.4, 0.2, 0.5};
    settings.push_back(s);
    s.theta = 0.6;
    settings.push_back(s);
  }
  for (const Setting &s : settings) {
    SCOPED_TRACE(s.scheme + (s.hyperelastic ? " hyperelastic" : " linear") + " discretisation " +
                 std::to_string(static_cast<int>(s.discretisation)) + " law " +
                 std::to_string(s.law ? static_cast<int>(*s.law) : -1) + " theta " +
                 std::to_string(s.theta));
    Collision collision(s);
    RigidSystem &system = collision.system;
    system.start();
    const Tensor momentum = collision.momentum();
    const double energy = system.state.energy();
    unsigned int n_touching = 0, n_steps = 160;
    double tangential = 0;
    for (unsigned int k = 0; k < n_steps; ++k) {
      const double before = system.state.energy();
      const auto &record = system.advance();
      ASSERT_LT((collision.momentum() - momentum).norm(), 1e-12) << k;
      ASSERT_LT(std::abs(record.balance_residual), 2e-12 * energy) << k;
      ASSERT_NEAR(system.state.energy() - before, record.works.sum(), 2e-12 * energy) << k;
      for (const auto &contact : record.contacts)
        n_touching += contact.carries();
      tangential += std::abs(record.works.contact_tangential);
    }
    EXPECT_GT(n_touching, 10u);
    EXPECT_GT(tangential, 1e-5 * energy);
    for (const auto &contact : system.step->last().contacts)
      EXPECT_FALSE(contact.carries()); // the bodies are apart
  }
}

/// Returns the largest distance between displacements of the same nodes.
double distance(const std::vector<Tensor> &u, const std::vector<Tensor> &v) {
  double largest = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    largest = std::max(largest, (u[i] - v[i]).norm());
  return largest;
}

/// Returns the displacements after the impact.
std::vector<Tensor> displacements_of(const Setting &s, unsigned int n_steps = 120) {
  Collision collision(s);
  collision.system.start();
  for (unsigned int k = 0; k < n_steps; ++k)
    collision.system.advance();
  return collision.displacements();
}

/// The motion does not depend on the frame of reference; for mortar contact and nodes of both
/// sides, it does not depend on the order of the sides either.
TEST(ElasticContact, IsTheSameInEveryFrame) {
  for (const bool hyperelastic : {false, true})
    for (const auto discretisation : discretisations) {
      Setting home, away;
      home.scheme = "moreau-jean-fremond";
      home.hyperelastic = hyperelastic;
      home.discretisation = discretisation;
      away = home;
      away.angle = 0.7;
      away.velocity = Tensor({0.3, -0.5});
      away.exchanged = discretisation == Discretisation::nodes_of_both_sides ||
                       discretisation == Discretisation::mortar;
      const auto u = displacements_of(home), v = displacements_of(away);
      EXPECT_LT(distance(u, v), 1e-9) << hyperelastic << static_cast<int>(discretisation);
      EXPECT_GT(distance(u, std::vector<Tensor>(u.size())), 0.1);
    }
}

/// If only one side is kept outside the other, the choice of the side has the effect of an error of
/// the mesh.
TEST(ElasticContact, DependsOnTheSideWhereTheUserChoosesIt) {
  for (const auto discretisation : {Discretisation::nodes, Discretisation::mortar_of_region}) {
    Setting one, other;
    one.discretisation = other.discretisation = discretisation;
    other.exchanged = true;
    const double difference = distance(displacements_of(one), displacements_of(other));
    EXPECT_GT(difference, 1e-3);
    EXPECT_LT(difference, 0.05) << "a quarter of an element";
  }
}

/// Without friction, and with frames at the reached midpoint, contacts have no moment.
TEST(ElasticContact, KeepsTheAngularMomentumWithoutFriction) {
  for (const auto discretisation : discretisations)
    for (const auto frames : {Frames::midpoint, Frames::reached})
      for (const double friction : {0., 0.3}) {
        Setting s;
        s.hyperelastic = true;
        s.friction = friction;
        s.discretisation = discretisation;
        Collision collision(s);
        collision.system.choices.frames = frames;
        collision.system.start();
        const double before = collision.angular_momentum();
        double drift = 0;
        for (unsigned int k = 0; k < 160; ++k) {
          collision.system.advance();
          drift = std::max(drift, std::abs(collision.angular_momentum() - before));
        }
        if (frames == Frames::reached && friction == 0.) {
          EXPECT_LT(drift, 1e-10);
        }
        EXPECT_LT(drift, 0.01 * std::abs(before));
      }
}

/// Two equal bars that meet end to end. Without Poisson's effect each bar is one-dimensional.
struct Bars {
  std::array<std::unique_ptr<Mesh<2>>, 2> mesh;
  RigidSystem system;

  Bars(Discretisation discretisation, unsigned int n, bool massless = false)
      : mesh{{test::rectangle(CellShape::simplex, 10, 2, 4 * n, 3),
              test::rectangle(CellShape::hypercube, 10, 2, 5 * n, 5)}} {
    const Material<2> material{1., 1., LinearElastic<2>::from_young(1., 0., Plane::strain), {}};
    test::move(*mesh[1], 0, Tensor({10., 0.}));
    mesh[0]->file = "first.msh";
    mesh[1]->file = "second.msh";
    for (const auto &m : mesh)
      system.add_elastic(*m, material);
    const Scheme &named = scheme("pdas-leapfrog");
    auto &pair = system.add_contact(named.law, {}, 0.);
    pair.own_side = ElasticRegion{"first:right"};
    pair.opposite_side = ElasticRegions{{"second:left"}};
    pair.discretisation = discretisation;
    system.choices.h = 1. / n;
    system.choices.forecast = named.forecast;
    system.choices.frames = named.frames;
    system.cone.method = named.method;
    auto &bodies = system.make();
    if (massless)
      bodies.redistribute_inertia(*bodies.elastic[0], mesh[0]->region("right").nodes);
    for (unsigned int b = 0; b < 2; ++b)
      for (const auto &dofs : system.bodies->elastic[b]->space.node_dofs)
        system.state.v[dofs[0]] = b == 0 ? 0.1 : -0.1;
    system.start();
  }

  double mean_velocity(unsigned int b) const {
    double sum = 0;
    for (const auto &dofs : system.bodies->elastic[b]->space.node_dofs)
      sum += system.state.Mv[dofs[0]];
    return sum / 20.;
  }
};

/// The bars exchange their velocities; the contact lasts for two passages of a wave, and at its
/// middle all energy is strain energy.
TEST(ElasticContact, ExchangesTheVelocitiesOfBars) {
  for (const auto discretisation : discretisations) {
    std::vector<double> error;
    for (const unsigned int n : {5u, 20u}) {
      Bars bars(discretisation, n);
      const RigidSystem &system = bars.system;
      const double energy = system.state.energy();
      double strain_at_10 = 0, end = 0;
      for (unsigned int k = 0; k < 26 * n; ++k) {
        const auto &record = bars.system.advance();
        ASSERT_LT(std::abs(record.balance_residual), 1e-13);
        if (k + 1 == 10 * n)
          strain_at_10 = system.state.strain;
        if (test::total_percussion(record, 0) > 1e-3 * system.choices.h)
          end = system.state.time;
      }
      EXPECT_NEAR(system.state.energy(), energy, 1e-12);
      EXPECT_NEAR(strain_at_10, energy, (n == 5 ? 0.08 : 0.03) * energy);
      EXPECT_NEAR(end, 20, 1.5);
      EXPECT_NEAR(bars.mean_velocity(0) + bars.mean_velocity(1), 0, 1e-12);
      error.push_back(std::abs(bars.mean_velocity(0) + 0.1));
    }
    EXPECT_LT(error[0], 3e-3);
    EXPECT_LT(error[1], 2e-3);
  }
}

/// If the nodes of the coarser side have no mass, the force between the bars is constant: ρ c v
/// times the width.
TEST(ElasticContact, IsSmoothWithoutInertiaOfItsNodes) {
  std::array<double, 2> jump{}; // with mass, without mass
  for (const bool massless : {false, true}) {
    Bars bars(Discretisation::mortar, 10, massless);
    RigidSystem &system = bars.system;
    const double energy = system.state.energy();
    double last = 0;
    for (unsigned int k = 0; k < 150; ++k) {
      const auto &record = system.advance();
      ASSERT_LT(std::abs(record.balance_residual), 1e-13);
      const double force = test::total_percussion(record, 0) / system.choices.h;
      if (k > 50)
        jump[massless] = std::max(jump[massless], std::abs(force - last));
      last = force;
    }
    EXPECT_NEAR(system.state.energy(), energy, 1e-12);
    if (massless) {
      EXPECT_NEAR(last, 0.2, 0.02);
    }
  }
  EXPECT_GT(jump[0], 0.3); // relative to 0.2
  EXPECT_LT(jump[1], 0.1 * jump[0]);
}

/// A soft ring that is pressed flat until it touches itself.
struct ClosingRing {
  std::unique_ptr<Mesh<2>> mesh = test::ring(0.9, 1, 48, 1);
  RigidSystem system;

  ClosingRing(Discretisation discretisation, const Scheme &named,
              SeparatingContacts separating = SeparatingContacts::dissipative) {
    system.add_elastic(*mesh, test::hyperelastic(stiff_ogden));
    auto &pair = system.add_contact(named.law, {}, 0.);
    pair.own_side = ElasticRegion{"inner"};
    pair.opposite_side = ElasticRegions{{"inner"}};
    pair.discretisation = discretisation;
    system.choices.h = 5e-3;
    system.choices.forecast = named.forecast;
    system.choices.frames = named.frames;
    system.choices.separating = separating;
    system.choices.newton_tolerance = 1e-12;
    system.cone.method = named.method;
    system.make();
    const auto &space = system.bodies->elastic.front()->space;
    for (unsigned int i = 0; i < space.n_nodes(); ++i) {
      const auto &x = space.nodes[i];
      system.state.v[space.node_dofs[i][0]] = 0.7 * x[0];
      system.state.v[space.node_dofs[i][1]] = -0.7 * x[1] - 0.1 * x[0];
    }
    system.start();
  }
};

/// The energy is conserved, and no node penetrates deeper than its displacement in a step.
TEST(ElasticContact, KeepsTheEnergyOfARingThatCloses) {
  for (const auto discretisation : {Discretisation::nodes, Discretisation::mortar}) {
    ClosingRing ring(discretisation, scheme("pdas-leapfrog"));
    RigidSystem &system = ring.system;
    const double energy = system.state.energy();
    unsigned int n_touching = 0;
    double deepest = 0, fastest = 0;
    for (unsigned int k = 0; k < 500; ++k) {
      const auto &record = system.advance();
      ASSERT_LT(std::abs(record.balance_residual), 1e-11 * energy) << k;
      for (const auto &contact : record.contacts)
        n_touching += contact.carries();
      deepest = std::max(deepest, record.penetration_max);
      const TraceField v = system.boundary->trace.gather(system.state.v);
      for (const auto &contact : system.state.found.contacts)
        fastest = std::max(
            fastest, std::abs(start_velocity(contact, system.state.found, v, system.state)[0]));
    }
    EXPECT_NEAR(system.state.energy(), energy, 1e-10 * energy);
    EXPECT_GT(n_touching, 20u);
    EXPECT_GT(deepest, 0.);
    EXPECT_LT(deepest, fastest * system.choices.h);
  }
}

/// A pressing contact participates although its gap has opened slightly: that adds no energy. The
/// paper's law uses gaps only.
TEST(ElasticContact, TakesNoEnergyFromOpenGapsThatPress) {
  for (const auto separating : {SeparatingContacts::dissipative, SeparatingContacts::as_in_paper}) {
    const bool dissipative = separating == SeparatingContacts::dissipative;
    unsigned int n_open = 0;
    for (const auto discretisation : {Discretisation::nodes, Discretisation::mortar}) {
      ClosingRing ring(discretisation, scheme("fremond-gonzalez"), separating);
      RigidSystem &system = ring.system;
      const double initial_energy = system.state.energy();
      for (unsigned int k = 0; k < 500; ++k) {
        const auto found = system.state.found;
        const auto history = system.state.history;
        const double energy = system.state.energy();
        const auto &record = system.advance();
        ASSERT_EQ(record.n_substeps, 1u);
        for (const auto &contact : record.contacts) {
          const double gap = found.find(contact.key)->gap;
          const auto *const memory = history.find(contact.key);
          n_open += gap + 0.5 * (memory ? gap - memory->gap : 0.) > 1e-9;
        }
        if (dissipative) {
          ASSERT_LE(record.normal_work_max, 1e-15 * initial_energy);
          ASSERT_LE(system.state.energy(), energy + 1e-11 * initial_energy);
        }
      }
    }
    EXPECT_EQ(n_open > 0, dissipative) << n_open;
  }
}

/// A rigid square falls with a corner on an elastic block, between its nodes.
TEST(ElasticContact, KeepsVerticesOfRigidBodiesOut) {
  for (const bool hyperelastic : {false, true})
    for (const auto discretisation : {Discretisation::nodes, Discretisation::nodes_of_both_sides}) {
      const auto mesh = test::rectangle(CellShape::simplex, 2, 0.6, 5, 3);
      RigidSystem system;
      system.add_elastic(*mesh, hyperelastic ? test::hyperelastic(stiff_ogden) : linear_elastic());
      system.rigid = {test::rectangle("square", 0.3, 0.3, 0.5, dealii::Point<2>(1.03, 0.83), 0.6)};
      auto &pair = system.add_contact(ImpactLawKind::fremond, {0.5, 0., 0.}, 0.3);
      pair.opposite_side = ElasticRegions{{"top"}};
      pair.discretisation = discretisation;
      system.choices.h = 2e-3;
      system.choices.newton_tolerance = 1e-12;
      system.make();
      system.v(0)[0] = 0.3;
      system.v(0)[1] = -1;
      system.start();
      const double energy = system.state.energy();
      const auto momentum = [&] {
        Tensor sum;
        for (unsigned int d = 0; d < 2; ++d) {
          for (const auto &dofs : system.bodies->elastic.front()->space.node_dofs)
            sum[d] += system.state.Mv[dofs[d]];
          sum[d] += system.state.Mv[system.bodies->rigid_dof(0) + d];
        }
        return sum;
      };
      const Tensor before = momentum();
      bool hit = false;
      for (unsigned int k = 0; k < 300; ++k) {
        const auto &record = system.advance();
        ASSERT_LT((momentum() - before).norm(), 1e-12);
        ASSERT_LT(std::abs(record.balance_residual), 1e-12 * energy);
        ASSERT_LE(record.tangential_work_max, 1e-12);
        ASSERT_LT(record.penetration_max, 2e-3 * 2);
        for (const auto &contact : record.contacts)
          hit = hit || contact.carries();
      }
      EXPECT_TRUE(hit);
      EXPECT_GT(system.v(0)[1], -0.9);
      EXPECT_LE(system.state.energy(), energy * (1 + 1e-12));
    }
}

/// A body on a belt with prescribed motion is carried along, for contacts at nodes of the belt,
/// which have prescribed motion, and at its own nodes.
TEST(ElasticContact, IsTakenAlongByAPrescribedMotion) {
  for (const bool exchanged : {false, true}) {
    const auto belt = test::rectangle(CellShape::hypercube, 3, 0.2, 9, 1),
               rider = test::rectangle(CellShape::hypercube, 0.5, 0.3, 3, 2);
    test::move(*rider, 0, Tensor({1., 0.2}));
    belt->file = "belt.msh";
    rider->file = "rider.msh";
    RigidSystem system;
    system.gravity = Tensor({0., -10.});
    for (const auto *m : {belt.get(), rider.get()})
      system.add_elastic(
          *m, Material<2>{
                  1., 1., LinearElastic<2>::from_young(1000., 0.3, Plane::strain), {0., 2e-3, 0.}});
    auto &pair = system.add_contact(ImpactLawKind::fremond, {}, 0.3);
    pair.own_side = ElasticRegion{exchanged ? "rider:bottom" : "belt:top"};
    pair.opposite_side = ElasticRegions{{exchanged ? "belt:top" : "rider:bottom"}};
    pair.discretisation = Discretisation::nodes;
    auto &bodies = system.make();
    for (const unsigned int d : {0u, 1u})
      bodies.prescribe("belt:boundary", bodies.region("belt:boundary"), d,
                       PrescribedMotion<2>::Kind::velocity, Expression(d == 0 ? "0.5" : "0"));
    system.start();
    EXPECT_TRUE(system.boundary->remarks.empty());
    for (unsigned int k = 0; k < 500; ++k)
      ASSERT_LT(std::abs(system.advance().balance_residual), 1e-13);
    double momentum = 0;
    for (const auto &dofs : bodies.elastic[1]->space.node_dofs)
      momentum += system.state.Mv[dofs[0]];
    EXPECT_NEAR(momentum, 0.15 * 0.5, 1e-3);
  }
}

/// The lower face of a sled is pulled over an elastic ground: the prescribed motion supplies the
/// work of friction.
TEST(ElasticContact, RubsWhereTheSlidingIsPrescribed) {
  const auto ground = test::rectangle(CellShape::simplex, 3, 0.3, 12, 2),
             sled = test::rectangle(CellShape::hypercube, 0.6, 0.3, 4, 2);
  test::move(*sled, 0, Tensor({1., 0.3}));
  ground->file = "ground.msh";
  sled->file = "sled.msh";
  RigidSystem system;
  system.gravity = Tensor({0., -10.});
  for (const auto *m : {ground.get(), sled.get()})
    system.add_elastic(*m, linear_elastic());
  auto &pair = system.add_contact(ImpactLawKind::fremond, {}, 0.3);
  pair.own_side = ElasticRegion{"sled:bottom"};
  pair.opposite_side = ElasticRegions{{"ground:top"}};
  pair.discretisation = Discretisation::mortar;
  auto &bodies = system.make();
  using Kind = PrescribedMotion<2>::Kind;
  for (const unsigned int d : {0u, 1u})
    bodies.prescribe("ground:boundary", bodies.region("ground:boundary"), d, Kind::velocity,
                     Expression("0"));
  bodies.prescribe("sled:bottom", bodies.region("sled:bottom"), 0, Kind::velocity,
                   Expression("0.5"));
  system.start();
  double tangential = 0, normal = 0;
  for (unsigned int k = 0; k < 200; ++k) {
    const auto &record = system.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-13);
    tangential += record.works.contact_tangential;
    normal += test::total_percussion(record, 0);
  }
  EXPECT_GT(normal, 0.1);
  EXPECT_NEAR(tangential, -0.5 * 0.3 * normal, 1e-5 * normal); // the ground is bent
}

} // namespace
