// Pairs of rigid bodies: seams of flush bodies, overlaps of thin ones, and the arms of friction.

#include <gtest/gtest.h>

#include "support/rigid.h"
#include "support/solids.h"
#include <cmath>

namespace rigid_pairs {

using namespace percussion;
using test::rectangle;
using test::RigidSystem;
using test::SolidSystem;
using Point = dealii::Point<2>;
using Direction = dealii::Tensor<1, 2>;

RigidBody<2> disc(const std::string &name, double radius, double mass, const Point &centre) {
  RigidBody<2> body;
  body.name = name;
  body.mass = mass;
  body.inertia = 0.5 * mass * radius * radius;
  body.centre = centre;
  body.outline = {centre};
  body.pieces = {{1, radius}};
  return body;
}

/// Holds a body.
template <int dim>
void fix(System<dim> &bodies, unsigned int body) {
  for (unsigned int d = 0; d < RigidBody<dim>::n_dofs; ++d)
    bodies.prescribe(body, d, PrescribedMotion<dim>::Kind::velocity, Expression("0"));
}

/// Body that falls on two flush tiles and slides without friction over their seam, all rotated by
/// an angle.
struct TileScene {
  double angle = 0;
  bool is_one_body = false; ///< true if one body consists of both tiles
  bool lists_body_first = false, is_disc = false;
  double height = 0.05; ///< of the fall; negative: depth at the start
  double step = 1e-3;
  std::string scheme_name = "moreau-jean-fremond";

  Point turned(double x, double y) const {
    return {std::cos(angle) * x - std::sin(angle) * y, std::sin(angle) * x + std::cos(angle) * y};
  }
  unsigned int body() const { return lists_body_first ? 0 : is_one_body ? 1 : 2; }

  void make(RigidSystem &system) const {
    system.choices.use(scheme(scheme_name));
    system.choices.h = step;
    std::vector<RigidBody<2>> tiles = {rectangle("t1", 1, 1, 1, turned(0, -0.5), angle),
                                       rectangle("t2", 1, 1, 1, turned(1, -0.5), angle)};
    if (is_one_body) {
      weld(tiles[0], tiles[1]);
      tiles.pop_back();
    }
    const Point centre = turned(0.2037, 0.1 + height);
    const RigidBody<2> sliding =
        is_disc ? disc("a", 0.1, 1, centre) : rectangle("a", 0.4, 0.2, 1, centre, angle);
    system.rigid = tiles;
    system.rigid.insert(lists_body_first ? system.rigid.begin() : system.rigid.end(), sliding);
    system.gravity = turned(0, -9.81);
    system.add_mutual_contact(scheme(scheme_name).law, {0., 0., 0.}, 0.);
    System<2> &bodies = system.make();
    for (unsigned int b = 0; b < bodies.rigid.size(); ++b)
      if (b != body())
        fix(bodies, b);
    for (unsigned int d = 0; d < 2; ++d)
      system.v(body())[d] = turned(0.3, 0)[d];
    system.start();
  }

  /// Expects the velocity of the approach, and no motion across the tiles once the body has landed,
  /// from the start to beyond the seam.
  void expect_plane() const {
    RigidSystem system;
    make(system);
    const Direction along = turned(1, 0), across = turned(0, 1);
    double landed = 0;
    while (system.state.time < 0.9 - 0.5 * step) {
      system.advance();
      const double *const v = system.v(body()), *const q = system.q(body());
      ASSERT_NEAR(along * Direction({v[0], v[1]}), 0.3, 1e-6) << "t = " << system.state.time;
      const double y = across * Direction({q[0], q[1]});
      if (system.state.time < 0.3)
        landed = y;
      else
        ASSERT_NEAR(y, landed, 1e-3) << "t = " << system.state.time;
    }
    EXPECT_LT(landed, 1e-6 - height);
  }
};

TEST(FlushTiles, LetABodySlideOverTheirSeamWithEveryStepAndScheme) {
  for (const double step : {2e-3, 1e-3, 2e-4})
    for (const bool is_disc : {false, true}) {
      SCOPED_TRACE(step);
      TileScene scene;
      scene.step = step;
      scene.is_disc = is_disc;
      scene.expect_plane();
      scene.scheme_name = "moreau-jean";
      scene.expect_plane();
    }
  TileScene scene; // without restitution only: the body starts on the tiles
  scene.scheme_name = "pdas-leapfrog";
  scene.height = -1e-4;
  scene.expect_plane();
}

TEST(FlushTiles, LetABodySlideOverTheirSeamInEveryOrderAndOrientation) {
  for (const double angle : {0., 0.7, -2.})
    for (const bool is_one_body : {false, true})
      for (const bool lists_body_first : {false, true})
        for (const bool is_disc : {false, true}) {
          SCOPED_TRACE(testing::Message()
                       << "angle " << angle << ", one body " << is_one_body << ", body first "
                       << lists_body_first << ", disc " << is_disc);
          TileScene scene;
          scene.angle = angle;
          scene.is_one_body = is_one_body;
          scene.lists_body_first = lists_body_first;
          scene.is_disc = is_disc;
          scene.expect_plane();
        }
}

/// A depth of 1e-9 suffices for a body to meet the hidden side of a tile first.
TEST(FlushTiles, LetABodySlideOverTheirSeamAtEveryDepth) {
  for (const double depth : {1e-9, 1e-6, 4e-4}) {
    SCOPED_TRACE(depth);
    TileScene scene;
    scene.height = -depth;
    scene.expect_plane();
  }
}

/// A body of two flush pieces slides over a narrow support: its seam meets the support's corner.
TEST(FlushTiles, LetTheirSeamSlideOverACorner) {
  RigidSystem system;
  system.choices.use(scheme("moreau-jean-fremond"));
  system.rigid = {rectangle("s1", 0.3, 1, 1, Point(-0.4, -0.5)),
                  rectangle("s2", 0.3, 1, 1, Point(0.4, -0.5)),
                  rectangle("a", 1, 0.2, 1, Point(-0.5, 0.15))};
  weld(system.rigid[2], rectangle("b", 1, 0.2, 1, Point(0.5, 0.15)));
  system.gravity = Direction({0., -9.81});
  system.add_mutual_contact(ImpactLawKind::fremond, {0., 0., 0.}, 0.);
  System<2> &bodies = system.make();
  fix(bodies, 0);
  fix(bodies, 1);
  system.v(2)[0] = 0.3;
  system.start();
  for (unsigned int k = 0; k < 1600; ++k) {
    system.advance();
    ASSERT_NEAR(system.v(2)[0], 0.3, 1e-9) << "t = " << system.state.time;
  }
  EXPECT_NEAR(system.q(2)[1], -0.05, 1e-3);
}

/// The second tile is lower than the first, or there is a gap between both: the body meets the side
/// of the second tile less deep than its top.
TEST(FlushTiles, LetABodySlideOnIfOneIsLowerOrApart) {
  for (const Point &offset : {Point(0, -1e-5), Point(1e-5, 0), Point(1e-5, -1e-5)}) {
    SCOPED_TRACE(offset);
    RigidSystem system;
    system.choices.use(scheme("moreau-jean-fremond"));
    system.rigid = {rectangle("t1", 1, 1, 1, Point(0, -0.5)),
                    rectangle("t2", 1, 1, 1, Point(1, -0.5) + Direction(offset)),
                    rectangle("a", 0.4, 0.2, 1, Point(0.2037, 0.1 - 1e-4))};
    system.gravity = Direction({0., -9.81});
    system.add_mutual_contact(ImpactLawKind::fremond, {0., 0., 0.}, 0.);
    System<2> &bodies = system.make();
    fix(bodies, 0);
    fix(bodies, 1);
    system.v(2)[0] = 0.3;
    system.start();
    for (unsigned int k = 0; k < 900; ++k)
      system.advance();
    EXPECT_NEAR(system.v(2)[0], 0.3, 1e-9);
  }
}

/// A side that is not covered stops a body: the second tile is higher by 2 cm.
TEST(FlushTiles, StopABodyIfOneIsHigher) {
  RigidSystem system;
  system.choices.use(scheme("moreau-jean-fremond"));
  system.rigid = {rectangle("t1", 1, 1, 1, Point(0, -0.5)),
                  rectangle("t2", 1, 1, 1, Point(1, -0.48)),
                  rectangle("a", 0.4, 0.2, 1, Point(0.2037, 0.1 - 1e-5))};
  system.gravity = Direction({0., -9.81});
  system.add_mutual_contact(ImpactLawKind::fremond, {0., 0., 0.}, 0.);
  System<2> &bodies = system.make();
  fix(bodies, 0);
  fix(bodies, 1);
  system.v(2)[0] = 0.3;
  system.start();
  for (unsigned int k = 0; k < 900; ++k)
    system.advance();
  EXPECT_NEAR(system.v(2)[0], 0., 1e-9);
  EXPECT_NEAR(system.q(2)[0], 0.3 - 0.2037, 1e-3);
}

/// Boxes and spheres that slide over the edges, or over the common corner, of four flush boxes.
TEST(FlushTiles, LetBodiesSlideOverFourBoxesAsOverAPlane) {
  for (const bool is_sphere : {false, true})
    for (const auto &[vx, vy] :
         std::vector<std::pair<double, double>>{{0.4, 0.}, {0.3, 0.24}, {0.05, 0.4}}) {
      SCOPED_TRACE(testing::Message() << is_sphere << ' ' << vx << ' ' << vy);
      SolidSystem system;
      system.choices.use(scheme("moreau-jean-fremond"));
      for (unsigned int i = 0; i < 4; ++i)
        system.rigid.push_back(solid_body("t" + std::to_string(i), 1,
                                          {make_box({i % 2 ? 0.5 : -0.5, i / 2 ? 0.5 : -0.5, -0.5},
                                                    dealii::Tensor<1, 3>({1., 1., 1.}))}));
      const dealii::Point<3> centre(-0.15, -0.12, 0.12);
      system.rigid.push_back(
          solid_body("a", 100,
                     {is_sphere ? make_sphere(centre, 0.1)
                                : make_box(centre, dealii::Tensor<1, 3>({0.3, 0.2, 0.2}))}));
      system.gravity = dealii::Tensor<1, 3>({0., 0., -9.81});
      system.add_mutual_contact(ImpactLawKind::fremond, {0., 0., 0.}, 0.);
      System<3> &bodies = system.make();
      for (unsigned int b = 0; b < 4; ++b)
        fix(bodies, b);
      system.v(4)[0] = vx;
      system.v(4)[1] = vy;
      system.start();
      for (unsigned int k = 0; k < 800; ++k) {
        system.advance();
        ASSERT_NEAR(system.v(4)[0], vx, 1e-6) << "t = " << system.state.time;
        ASSERT_NEAR(system.v(4)[1], vy, 1e-6) << "t = " << system.state.time;
      }
      EXPECT_NEAR(system.q(4)[2], -0.02, 1e-3);
    }
}

/// Card of 1 mm that meets a fixed table of 1 mm with 2 m/s.
struct ThinCard {
  double angle = 0, step = 2e-3;
  bool card_first = false, is_disc = false;

  void make(RigidSystem &system) const {
    system.choices.use(scheme("moreau-jean-fremond"));
    system.choices.h = step;
    const double s = std::sin(angle), c = std::cos(angle);
    const Point start(-s * 0.0032, c * 0.0032);
    const RigidBody<2> table = rectangle("t", 1, 0.001, 1, Point(s * 0.0005, -c * 0.0005), angle),
                       card = is_disc ? disc("a", 0.0005, 0.1, start)
                                      : rectangle("a", 0.1, 0.001, 0.1, start, angle);
    system.rigid = card_first ? std::vector{card, table} : std::vector{table, card};
    system.gravity = Direction({s * 9.81, -c * 9.81});
    system.add_mutual_contact(ImpactLawKind::fremond, {0., 0., 0.}, 0.);
    fix(system.make(), card_first ? 1 : 0);
    system.v(body())[0] = 2 * s;
    system.v(body())[1] = -2 * c;
    system.start();
  }
  unsigned int body() const { return card_first ? 0 : 1; }
};

/// The table stops the card on the side from which it came, at whatever depth the step ends.
TEST(ThinPlates, StopEachOtherOnTheSideOfTheirEntry) {
  for (const double step : {2e-3, 1.9e-3, 1.7e-3, 1e-3, 1e-4})
    for (const double angle : {0., 0.5, 3.})
      for (const bool card_first : {false, true})
        for (const bool is_disc : {false, true}) {
          SCOPED_TRACE(testing::Message() << "step " << step << ", angle " << angle
                                          << ", card first " << card_first << ", disc " << is_disc);
          const ThinCard scene{angle, step, card_first, is_disc};
          RigidSystem system;
          scene.make(system);
          for (unsigned int k = 0; k < 30; ++k)
            system.advance();
          const double *const q = system.q(scene.body()), *const v = system.v(scene.body());
          const double y = 0.0032 - std::sin(angle) * q[0] + std::cos(angle) * q[1];
          EXPECT_GT(y, -0.0015); // neither has left the other on the far side
          EXPECT_LT(y, 0.0032);
          EXPECT_NEAR(std::hypot(v[0], v[1]), 0., 1e-9);
        }
}

/// The side on which a card has entered the table is part of the state: at this depth the shortest
/// displacement that separates both leads to the far side.
TEST(ThinPlates, AreSeparatedByAnotherStepAsByTheFirst) {
  const ThinCard scene;
  RigidSystem system;
  scene.make(system);
  for (unsigned int k = 0; k < 3; ++k)
    system.advance();
  ASSERT_LT(system.state.found.contacts.back().gap, -0.001); // more than half of both
  State<2> state = system.state;
  state.found = {};
  Step<2> step(*system.bodies, *system.boundary, system.choices, system.cone);
  step.restore(state, system.step->memory());
  for (unsigned int k = 0; k < 20; ++k) {
    step.advance(state, (state.step + 1) * system.choices.h);
    system.advance();
    EXPECT_EQ(state.energy(), system.state.energy());
    for (unsigned int d = 0; d < 3; ++d)
      EXPECT_EQ(entries(state.q)[3 + d], system.q(1)[d]);
  }
}

/// By symmetry friction turns two equal discs by the same angular velocity, at any depth.
TEST(FrictionOfPairs, TurnsEqualDiscsEqually) {
  for (const std::string name : {"moreau-jean-fremond", "pdas-leapfrog"})
    for (const double step : {1e-3, 1e-2})
      for (const unsigned int thrown : {0u, 1u}) {
        SCOPED_TRACE(testing::Message() << name << ", step " << step << ", thrown " << thrown);
        RigidSystem system;
        system.choices.use(scheme(name));
        system.choices.h = step;
        const RigidBody<2> a = disc("a", 0.1, 1, Point()), b = disc("b", 0.1, 1, Point(0.2413, 0));
        system.rigid = thrown == 1 ? std::vector{a, b} : std::vector{b, a};
        system.add_mutual_contact(scheme(name).law, {0., 0., 0.}, 0.3);
        system.make();
        system.v(thrown)[0] = -5;
        system.v(thrown)[1] = 2;
        system.start();
        while (system.state.time < 0.05 - 0.5 * step)
          system.advance();
        EXPECT_GT(std::abs(system.v(0)[2]), 5.);
        EXPECT_NEAR(system.v(0)[2], system.v(1)[2], 1e-6 * std::abs(system.v(0)[2]));
      }
}

/// A sphere falls on a fixed box, slides and rolls: v = ω r and 5/7 of the velocity at the start,
/// as on a half-space, however deep the landing was.
TEST(FrictionOfPairs, LetsASphereRollWithoutSlip) {
  for (const double step : {1. / 60, 1e-3})
    for (const bool box_first : {false, true}) {
      SCOPED_TRACE(step);
      SolidSystem system;
      system.choices.use(scheme("moreau-jean-fremond"));
      system.choices.h = step;
      const RigidBody<3> sphere = solid_body("a", 1, {make_sphere({-20, 0, 0.8}, 0.5)}),
                         box = solid_body(
                             "p", 1, {make_box({0, 0, -1}, dealii::Tensor<1, 3>({100., 4., 2.}))});
      system.rigid = box_first ? std::vector{box, sphere} : std::vector{sphere, box};
      system.gravity = dealii::Tensor<1, 3>({0., 0., -9.81});
      system.add_mutual_contact(ImpactLawKind::fremond, {0., 0., 0.}, 0.3);
      fix(system.make(), box_first ? 0 : 1);
      system.v(box_first ? 1 : 0)[0] = 5;
      system.start();
      while (system.state.time < 2)
        system.advance();
      const double *const at_end = system.v(box_first ? 1 : 0);
      EXPECT_NEAR(at_end[0], 25. / 7., 1e-3 * 25. / 7.);
      EXPECT_NEAR(at_end[0], 0.5 * at_end[4], 1e-9);
    }
}

} // namespace rigid_pairs
