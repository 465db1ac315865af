// Contact of elastic bodies in 3D with each other, and of rigid bodies with their faces.

#include <percussion/dynamics/delassus.h>
#include <percussion/material/hyperelastic.h>

#include <deal.II/grid/grid_tools.h>
#include <gtest/gtest.h>

#include "support/block.h"
#include <optional>

namespace elastic_contact_in_space { // separates names from the 2D tests in unity builds

using namespace percussion;
using Point = dealii::Point<3>;
using Direction = dealii::Tensor<1, 3>;

constexpr Discretisation discretisations[] = {
    Discretisation::nodes, Discretisation::nodes_of_both_sides, Discretisation::mortar,
    Discretisation::mortar_of_region};

Material<3> linear(double young, double poisson) {
  return {1., 1., LinearElastic<3>::from_young(young, poisson, Plane::strain), {}};
}
const HyperelasticLaw stiff_ogden = Ogden{2., 0.5, 1.5, Plane::strain};

Direction turned(const Direction &v, const Direction &axis, double angle) {
  return std::cos(angle) * v + std::sin(angle) * cross_product_3d(axis, v) +
         (1. - std::cos(angle)) * (axis * v) * axis;
}
const Direction skew({0.48, 0.6, 0.64}); // a unit vector

void place(Mesh<3> &mesh, const Direction &axis, double angle, const Direction &translation) {
  mesh.triangulation.reset_all_manifolds();
  dealii::GridTools::transform(
      [&](const Point &x) { return Point(turned(x - Point(), axis, angle) + translation); },
      mesh.triangulation);
}

/// Elastic bodies with one contact, ready to be stepped.
struct Bodies {
  std::vector<std::unique_ptr<Mesh<3>>> mesh;
  System<3>::ElasticBodies elastic;
  std::vector<RigidBody<3>> rigid;
  ContactPair<3> pair;
  StepChoices choices;
  ConeOptions cone;
  std::unique_ptr<System<3>> system;
  std::unique_ptr<Boundary<3>> boundary;
  std::unique_ptr<Step<3>> step;
  State<3> state;

  Bodies() {
    pair.name = "contact";
    pair.gap_tolerance = 1e-12;
    cone.tolerance = 1e-12;
    choices.newton_tolerance = 1e-13;
  }
  void add(const std::string &name, std::unique_ptr<Mesh<3>> m, const Material<3> &material) {
    mesh.push_back(std::move(m));
    mesh.back()->file = name + ".msh";
    const unsigned int first =
        elastic.empty() ? 0 : elastic.back()->space.first_dof + elastic.back()->n_dofs();
    elastic.push_back(
        std::make_unique<ElasticBody<3>>(*mesh.back(), Materials<3>(material), first));
  }
  void make() {
    system = std::make_unique<System<3>>(std::move(elastic), std::move(rigid), Direction());
    state.q.reinit(system->n_dofs());
    state.v.reinit(system->n_dofs());
  }
  void start() {
    std::vector<ContactPair<3>> pairs;
    pairs.push_back(pair);
    boundary = std::make_unique<Boundary<3>>(*system, std::move(pairs));
    step = std::make_unique<Step<3>>(*system, *boundary, choices, cone);
    step->initialise(state);
  }
  const StepRecord<3> &advance() { return step->advance(state, (state.step + 1) * choices.h); }

  /// Calls f(body, degrees of freedom, undeformed position) for each node.
  template <typename Function>
  void for_each_node(const Function &f) const {
    for (unsigned int b = 0; b < system->elastic.size(); ++b) {
      const auto &space = system->elastic[b]->space;
      for (unsigned int i = 0; i < space.n_nodes(); ++i)
        f(b, space.node_dofs[i], space.nodes[i]);
    }
  }
  Direction momentum() const {
    Direction sum;
    for_each_node([&](unsigned int, const auto &dofs, const auto &) {
      for (unsigned int d = 0; d < 3; ++d)
        sum[d] += state.Mv[dofs[d]];
    });
    for (unsigned int b = 0; b < system->rigid.size(); ++b)
      for (unsigned int d = 0; d < 3; ++d)
        sum[d] += state.Mv[system->rigid_dof(b) + d];
    return sum;
  }
  Direction angular_momentum() const {
    Direction sum;
    for_each_node([&](unsigned int, const auto &dofs, const Point &x) {
      Direction at = x - Point(), p;
      for (unsigned int d = 0; d < 3; ++d) {
        at[d] += state.q[dofs[d]];
        p[d] = state.Mv[dofs[d]];
      }
      sum += cross_product_3d(at, p);
    });
    return sum;
  }
};

struct Setting {
  std::string scheme = "pdas-leapfrog";
  bool hyperelastic = false;
  Discretisation discretisation = Discretisation::nodes;
  double friction = 0.3;
  std::optional<ImpactLawKind> law = {};
  Restitution restitution = {};
  double theta = 0.5, h = 0.01;
  bool exchanged = false; ///< true if the two sides are exchanged
  bool is_turned = false; ///< true if the frame of reference is rotated
  bool has_rigid = false; ///< true with a rigid ball far above
};

/// A block of hexahedra hits one of tetrahedra obliquely.
struct Collision : Bodies {
  Collision(const Setting &s) {
    const Scheme &named = scheme(s.scheme);
    const Material<3> material =
        s.hyperelastic ? test::hyperelastic<3>(stiff_ogden) : linear(40., 0.3);
    auto lower = test::box(CellShape::simplex, Point(1.2, 1., 0.5), {3, 3, 2}, 0.15);
    auto upper = test::box(CellShape::hypercube, Point(0.6, 0.5, 0.4), {3, 2, 2}, 0.15);
    place(*upper, Direction({0.6, -0.8, 0.}), 0.06, Direction({0.35, 0.22, 0.53}));
    const double angle = s.is_turned ? 0.8 : 0.;
    place(*lower, skew, angle, Direction());
    place(*upper, skew, angle, Direction());
    add("lower", std::move(lower), material);
    add("upper", std::move(upper), material);
    pair.law = s.law.value_or(named.law);
    pair.restitution = s.restitution;
    pair.friction = s.friction;
    pair.own_side = ElasticRegion{s.exchanged ? "upper:boundary" : "lower:boundary"};
    pair.opposite_side = ElasticRegions{{s.exchanged ? "lower:boundary" : "upper:boundary"}};
    pair.discretisation = s.discretisation;
    choices.use(named);
    choices.h = s.h;
    choices.theta = s.theta;
    cone.method = named.method;
    if (s.has_rigid)
      rigid.push_back(solid_body("solid", 2., {make_sphere(Point(0., 0., 9.), 0.2)}));
    make();
    for_each_node([&](unsigned int b, const auto &dofs, const Point &x) {
      const Direction unrotated = turned(x - Point(), skew, -angle);
      const Direction v = b == 0 ? Direction({0., 0., 0.2})
                                 : Direction({0.4, 0.2, -0.6}) +
                                       cross_product_3d(Direction({0.2, 0.3, -0.2}),
                                                        unrotated - Direction({0.65, 0.5, 0.7}));
      const Direction here = turned(v, skew, angle);
      for (unsigned int d = 0; d < 3; ++d)
        state.v[dofs[d]] = here[d];
    });
  }
};

/// For every scheme, law and forecast, the total momentum is conserved, the ledger closes in each
/// step, and the bodies separate again.
TEST(ElasticContactInSpace, KeepsMomentumAndClosesTheLedger) {
  std::vector<Setting> settings;
  for (const Scheme &named : schemes())
    for (const auto discretisation :
         {Discretisation::nodes_of_both_sides, Discretisation::mortar}) {
      Setting s;
      s.scheme = named.name;
      s.discretisation = discretisation;
      settings.push_back(s);
    }
  for (const std::string scheme : {"pdas-leapfrog", "moreau-jean"})
    for (const auto discretisation : discretisations) {
      Setting s;
      s.scheme = scheme;
      s.hyperelastic = true;
      s.discretisation = discretisation;
      settings.push_back(s);
    }
  for (const auto &law : impact_laws()) {
    Setting s;
    s.scheme = "moreau-jean";
    s.law = law.kind;
    s.restitution = {0.4, 0.2, 0.5};
    s.theta = 0.55;
    s.discretisation = Discretisation::mortar;
    settings.push_back(s);
  }
  for (const Setting &s : settings) {
    SCOPED_TRACE(s.scheme + (s.hyperelastic ? " hyperelastic" : " linear") + " discretisation " +
                 std::to_string(static_cast<int>(s.discretisation)) + " law " +
                 std::to_string(s.law ? static_cast<int>(*s.law) : -1));
    Collision c(s);
    c.start();
    const Direction momentum = c.momentum();
    const double energy = c.state.energy();
    unsigned int n_touching = 0;
    double tangential = 0;
    for (unsigned int k = 0; k < 0.7 / s.h; ++k) {
      const double before = c.state.energy();
      const auto &record = c.advance();
      ASSERT_LT((c.momentum() - momentum).norm(), 1e-12) << k;
      ASSERT_LT(std::abs(record.balance_residual), 2e-12 * energy) << k;
      ASSERT_NEAR(c.state.energy() - before, record.works.sum(), 2e-12 * energy) << k;
      for (const auto &contact : record.contacts)
        n_touching += contact.carries();
      tangential += std::abs(record.works.contact_tangential);
    }
    EXPECT_GT(n_touching, 10u);
    EXPECT_EQ(tangential > 1e-5 * energy, s.friction > 0.);
    for (const auto &contact : c.step->last().contacts)
      EXPECT_FALSE(contact.carries()); // the bodies are apart
  }
}

/// A block slides over the edge of a table while both press on each other. Facets that were covered
/// completely become partly covered: rows change, but not the gap that they follow.
TEST(ElasticContactInSpace, MortarKeepsItsBalanceAcrossAnEdge) {
  for (const std::string scheme_name : {"pdas-leapfrog", "moreau-jean-fremond"}) {
    Bodies c;
    auto block = test::box(CellShape::hypercube, Point(1., 0.6, 0.5), {3, 2, 2});
    place(*block, skew, 0., Direction({0.45, 0.2, 0.5}));
    c.add("table", test::box(CellShape::hypercube, Point(1.5, 1., 0.5), {7, 5, 2}),
          linear(40., 0.3));
    c.add("block", std::move(block), linear(40., 0.3));
    c.pair.own_side = ElasticRegion{"block:boundary"};
    c.pair.opposite_side = ElasticRegions{{"table:boundary"}};
    c.pair.discretisation = Discretisation::mortar_of_region;
    const Scheme &named = scheme(scheme_name);
    c.pair.law = named.law;
    c.choices.use(named);
    c.cone.method = named.method;
    c.choices.h = 0.01;
    c.make();
    c.for_each_node([&](unsigned int b, const auto &dofs, const Point &) {
      c.state.v[dofs[0]] = b == 0 ? 0. : 1.;
      c.state.v[dofs[2]] = b == 0 ? 0. : -0.3;
    });
    c.start();
    const double energy = c.state.energy();
    unsigned int n_pressed = 0;
    for (unsigned int k = 0; k < 15; ++k) {
      const auto &record = c.advance();
      EXPECT_LT(std::abs(record.balance_residual), 1e-13 * energy) << scheme_name << ' ' << k;
      EXPECT_LT(record.normal_work_max, 1e-13 * energy) << scheme_name << ' ' << k;
      n_pressed += k > 8 && test::total_percussion(record, 0) > 0.; // beyond the edge
    }
    EXPECT_GT(n_pressed, 2u) << scheme_name;
  }
}

/// The motion does not depend on the frame of reference; for mortar contact and nodes of both
/// sides, it does not depend on the order of the sides either.
TEST(ElasticContactInSpace, IsTheSameInEveryFrame) {
  for (const auto discretisation : discretisations) {
    Setting home, away;
    home.scheme = "moreau-jean-fremond";
    home.hyperelastic = true;
    home.discretisation = discretisation;
    away = home;
    away.is_turned = true;
    away.exchanged = discretisation == Discretisation::nodes_of_both_sides ||
                     discretisation == Discretisation::mortar;
    Collision one(home), other(away);
    one.start();
    other.start();
    for (unsigned int k = 0; k < 50; ++k) {
      one.advance();
      other.advance();
    }
    double difference = 0, largest = 0;
    one.for_each_node([&](unsigned int, const auto &dofs, const Point &) {
      Direction u, v;
      for (unsigned int d = 0; d < 3; ++d) {
        u[d] = one.state.q[dofs[d]];
        v[d] = other.state.q[dofs[d]];
      }
      largest = std::max(largest, u.norm());
      difference = std::max(difference, (turned(u, skew, 0.8) - v).norm());
    });
    EXPECT_LT(difference, 1e-9) << static_cast<int>(discretisation);
    EXPECT_GT(largest, 0.1);
  }
}

/// Without friction, and with frames at the reached midpoint, contacts have no moment, except for
/// nodes that move from one face to the next in these steps, because normals jump in concave
/// corners.
TEST(ElasticContactInSpace, KeepsTheAngularMomentumWithoutFriction) {
  for (const auto discretisation : {Discretisation::nodes, Discretisation::mortar}) {
    Setting s;
    s.hyperelastic = true;
    s.friction = 0;
    s.discretisation = discretisation;
    Collision c(s);
    c.choices.frames = Frames::reached;
    c.start();
    const Direction before = c.angular_momentum();
    double drift = 0;
    for (unsigned int k = 0; k < 70; ++k) {
      c.advance();
      drift = std::max(drift, (c.angular_momentum() - before).norm());
    }
    EXPECT_LT(drift, (discretisation == Discretisation::mortar ? 1e-10 : 1e-3) * before.norm());
  }
}

/// Two blocks of two materials in a frictionless box, pressed together, on non-matching meshes: the
/// stress is uniform, and a step from this state changes nothing.
class ContactPatch : public ::testing::TestWithParam<std::array<CellShape, 2>> {
protected:
  /// Returns the largest errors of the pressure and of the velocity after a step, relative to their
  /// values without contact.
  static std::array<double, 2> errors(Discretisation discretisation, double friction) {
    const auto [below, above] = GetParam();
    const double modulus[2] = {1., 3.}, poisson = 0.3, pressure = 1e-11;
    Bodies c;
    c.add("lower", test::box(below, Point(2., 1.5, 1.), {4, 3, 2}, 0.15),
          linear(modulus[0], poisson));
    auto upper = test::box(above, Point(2., 1.5, 1.), {5, 4, 3}, 0.15);
    place(*upper, skew, 0., Direction({0., 0., 1.}));
    c.add("upper", std::move(upper), linear(modulus[1], poisson));
    c.pair.law = ImpactLawKind::newton_coulomb;
    c.pair.friction = friction;
    c.pair.own_side = ElasticRegion{"upper:bottom"};
    c.pair.opposite_side = ElasticRegions{{"lower:top"}};
    c.pair.discretisation = discretisation;
    c.choices.h = 0.1;
    c.make();
    const auto hold = [&](const std::string &region, unsigned int component, double value) {
      std::ostringstream formula;
      formula.precision(17);
      formula << value;
      c.system->prescribe(region, c.system->region(region), component,
                          PrescribedMotion<3>::Kind::displacement, Expression(formula.str()));
    };
    double strain[2];
    for (unsigned int b = 0; b < 2; ++b)
      strain[b] = -pressure / modulus[b] * (1. + poisson) * (1. - 2. * poisson) / (1. - poisson);
    for (const std::string block : {"lower:", "upper:"}) {
      hold(block + "left", 0, 0.);
      hold(block + "right", 0, 0.);
      hold(block + "front", 1, 0.);
      hold(block + "back", 1, 0.);
    }
    hold("lower:bottom", 2, 0.);
    hold("upper:top", 2, strain[0] + strain[1]);
    c.for_each_node([&](unsigned int b, const auto &dofs, const Point &x) {
      c.state.q[dofs[2]] = b == 0 ? strain[0] * x[2] : strain[0] + strain[1] * (x[2] - 1.);
    });
    c.start();
    const auto &record = c.advance();
    EXPECT_GE(record.contacts.size(), 20u);
    double pressure_error = 0, velocity_error = 0, area = 0;
    for (const auto &contact : record.contacts) {
      area += contact.area;
      pressure_error =
          std::max(pressure_error,
                   std::abs(contact.percussion[0] / c.choices.h / contact.area / pressure - 1.));
    }
    if (discretisation == Discretisation::mortar) {
      EXPECT_NEAR(area, 3., 1e-12);
    }
    for (unsigned int i = 0; i < c.system->n_dofs(); ++i)
      velocity_error = std::max(velocity_error, std::abs(c.state.v[i]));
    return {pressure_error, velocity_error / (pressure * c.choices.h)};
  }
};

TEST_P(ContactPatch, MortarPasses) {
  for (const double friction : {0., 0.3}) {
    const auto [pressure_error, velocity_error] = errors(Discretisation::mortar, friction);
    EXPECT_LT(pressure_error, 1e-10);
    EXPECT_LT(velocity_error, 1e-10);
  }
}

TEST_P(ContactPatch, NodesOnFacesDoNot) { EXPECT_GT(errors(Discretisation::nodes, 0.)[0], 0.05); }

INSTANTIATE_TEST_SUITE_P(
    Meshes, ContactPatch,
    ::testing::Values(std::array<CellShape, 2>{CellShape::simplex, CellShape::simplex},
                      std::array<CellShape, 2>{CellShape::hypercube, CellShape::hypercube},
                      std::array<CellShape, 2>{CellShape::simplex, CellShape::hypercube}));

/// Returns a value between −1 and 1.
double number(unsigned int i) { return std::sin(12.9898 * i + 1.); }

/// Rows with `n` values each on all of these entries.
ContactRows rows_on(const std::vector<unsigned int> &on_entries, unsigned int n_rows,
                    unsigned int n_values) {
  ContactRows rows;
  rows.entries = on_entries;
  const auto m = static_cast<unsigned int>(on_entries.size());
  for (unsigned int r = 0; r < n_rows; ++r) {
    for (unsigned int k = 0; k < n_values; ++k) {
      rows.column.push_back((7 * r + 5 * k) % m);
      rows.value.push_back(number(n_values * r + k));
    }
    rows.start.push_back(static_cast<unsigned int>(rows.column.size()));
  }
  return rows;
}

/// The dense W is the sum over the entries of its rows: on linear bodies, whose compliances are in
/// another order, on hyperelastic ones, and beside a rigid body, with G = H and G ≠ H.
TEST(ElasticContactInSpace, HasTheCompliancesOfItsRows) {
  for (const bool hyperelastic : {false, true})
    for (const bool has_rigid : {false, true}) {
      Setting setting;
      setting.hyperelastic = hyperelastic;
      setting.has_rigid = has_rigid;
      Collision c(setting);
      c.start();
      c.advance();
      ContactSystem &system = c.step->momentum().system();
      std::vector<unsigned int> on_entries;
      for (unsigned int e = 2; e < 26; ++e)
        on_entries.push_back(e);
      for (unsigned int k = 0; has_rigid && k < 6; ++k)
        on_entries.push_back(c.boundary->trace.rigid_body_entry(0) + k);
      ASSERT_FALSE(c.step->momentum().set_contact_entries(on_entries));
      const ContactRows H = rows_on(on_entries, 12, 5);
      ContactRows other = H; // near H: tangential blocks stay positive definite
      for (unsigned int k = 0; k < other.value.size(); ++k)
        other.value[k] += 0.1 * number(k);
      for (const bool has_other : {false, true}) {
        const ContactRows &G = has_other ? other : H;
        Delassus delassus;
        FrictionContactProblem problem;
        delassus.write(H, std::vector<double>(4, 0.3), 3, 0.5, system, problem, {},
                       has_other ? other : ContactRows());
        ASSERT_EQ(problem.W.size(), 144u);
        for (unsigned int r = 0; r < 12; ++r)
          for (unsigned int s = 0; s < 12; ++s) {
            double expected = 0, size = 0;
            for (unsigned int k = G.start[r]; k < G.start[r + 1]; ++k)
              for (unsigned int l = H.start[s]; l < H.start[s + 1]; ++l) {
                const double term = 0.5 * delassus.mass_unit() * G.value[k] * H.value[l] *
                                    system.compliance(G.column[k], H.column[l]);
                expected += term;
                size += std::abs(term);
              }
            EXPECT_NEAR(problem.W[12 * r + s], expected, 1e-14 * size)
                << hyperelastic << has_rigid << has_other << r << ' ' << s;
          }
      }
    }
}

/// A rigid box or ball falls on an elastic block.
TEST(ElasticContactInSpace, KeepsRigidBodiesOut) {
  for (const bool ball : {false, true})
    for (const auto discretisation : {Discretisation::nodes, Discretisation::nodes_of_both_sides}) {
      Bodies c;
      c.add("block", test::box(CellShape::simplex, Point(1.2, 1.2, 0.5), {4, 4, 2}),
            test::hyperelastic<3>(stiff_ogden));
      c.rigid.push_back(
          solid_body("solid", 2.,
                     {ball ? make_sphere(Point(0.57, 0.62, 0.72), 0.2)
                           : make_box(Point(0.55, 0.6, 0.72), Direction({0.3, 0.25, 0.4}))}));
      c.pair.own_side = RigidBodies{{0}};
      c.pair.opposite_side = ElasticRegions{{"boundary"}};
      c.pair.discretisation = discretisation;
      c.pair.law = ImpactLawKind::fremond;
      c.pair.restitution = {0.5, 0., 0.};
      c.pair.friction = 0.3;
      c.choices.h = 4e-3;
      c.choices.newton_tolerance = 1e-12;
      c.make();
      double *const v = c.state.v.data() + c.system->rigid_dof(0);
      v[0] = 0.3;
      v[2] = -1.;
      c.start();
      const double energy = c.state.energy();
      const Direction before = c.momentum();
      unsigned int n_carry = 0;
      for (unsigned int k = 0; k < 150; ++k) {
        const auto &record = c.advance();
        ASSERT_LT((c.momentum() - before).norm(), 1e-12);
        ASSERT_LT(std::abs(record.balance_residual), 1e-12 * energy);
        ASSERT_LE(record.tangential_work_max, 1e-12);
        for (const auto &contact : record.contacts)
          n_carry += contact.carries();
      }
      EXPECT_GT(n_carry, 3u);
      EXPECT_GT(v[2], -0.9);
      EXPECT_LE(c.state.energy(), energy * (1 + 1e-12));
    }
}

} // namespace elastic_contact_in_space
