// The contacts found, and their keys.

#include <percussion/contact/broad_phase.h>
#include <percussion/contact/history.h>
#include <percussion/contact/polygons.h>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/rigid.h"
#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace {

using namespace percussion;
using test::rectangle;
using test::RigidSystem;

/// Bricks at random positions, with contacts between all of them, the ground and an elastic block.
struct Thrown {
  std::unique_ptr<Mesh<2>> mesh = test::rectangle(CellShape::simplex, 4, 1, 16, 4, 0.2);
  RigidSystem scene;
  std::unique_ptr<Boundary<2>> boundary;

  /// Makes the bricks in this order.
  explicit Thrown(const std::vector<unsigned int> &order) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> number(0, 1);
    std::vector<RigidBody<2>> bricks;
    for (unsigned int b = 0; b < order.size(); ++b) {
      const double width = 0.3 + number(random), height = 0.3 + 0.5 * number(random);
      const dealii::Point<2> centre(4 * number(random), 1 + 2 * number(random));
      bricks.push_back(
          rectangle("brick " + std::to_string(b), width, height, 1, centre, 6 * number(random)));
    }
    for (const unsigned int b : order)
      scene.rigid.push_back(bricks[b]);
    scene.add_elastic(
        *mesh, Material<2>{1., 1., LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}});
    scene.add_mutual_contact(ImpactLawKind::fremond, {}, 0.3);
    scene.add_contact(ImpactLawKind::fremond, {}, 0.3);
    auto &nodes = scene.add_contact(ImpactLawKind::fremond, {}, 0.3);
    nodes.opposite_side = RigidBodies{nodes.bodies()};
    nodes.own_side = ElasticRegion{"top"};
    scene.make();
    boundary = std::make_unique<Boundary<2>>(*scene.bodies, std::move(scene.pairs));
  }

  ContactList<2> find(const Vector &q) const {
    return ContactFinder<2>(*boundary).find(boundary->trace.gather(q), 0.);
  }
  ContactList<2> find() const { return find(scene.state.q); }

  /// Returns displacements with a small random change of all degrees of freedom.
  Vector shaken(unsigned int seed, double size) const {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-size, size);
    Vector q(scene.bodies->n_dofs());
    for (unsigned int i = 0; i < q.size(); ++i)
      q[i] = number(random);
    return q;
  }
};

std::vector<unsigned int> numbers(unsigned int n) {
  std::vector<unsigned int> all(n);
  for (unsigned int i = 0; i < n; ++i)
    all[i] = i;
  return all;
}

// ---- keys ----

TEST(ContactKeys, AreInAscendingOrderAndFindTheirContacts) {
  const Thrown thrown(numbers(12));
  for (unsigned int seed = 0; seed < 20; ++seed) {
    const auto found = thrown.find(thrown.shaken(seed, 0.2));
    ASSERT_GT(found.contacts.size(), 48u);
    for (std::size_t i = 0; i < found.contacts.size(); ++i) {
      const auto &key = found.contacts[i].key;
      ASSERT_TRUE(i == 0 || found.contacts[i - 1].key < key);
      ASSERT_EQ(found.find(key), &found.contacts[i]);
    }
    EXPECT_EQ(found.find({0, 3, 3, 0}), nullptr); // a body against itself
    EXPECT_EQ(found.find({7, 0, 0, 0}), nullptr);
  }
}

/// A key denotes the same point and the same opposite body for all positions of the bodies.
TEST(ContactKeys, MeanTheSameFromStepToStep) {
  const Thrown thrown(numbers(12));
  std::map<ContactKey, std::pair<unsigned int, std::optional<unsigned int>>> meaning;
  unsigned int n_again = 0;
  for (unsigned int seed = 0; seed < 40; ++seed)
    for (const auto &contact : thrown.find(thrown.shaken(seed, 0.5)).contacts) {
      const std::pair now(contact.point, contact.opposite_body);
      const auto &[known, is_new] = meaning.insert({contact.key, now});
      ASSERT_EQ(known->second, now);
      n_again += !is_new && contact.opposite_body.has_value();
    }
  EXPECT_GT(n_again, 200u);
  std::set<std::pair<unsigned int, std::optional<unsigned int>>> different;
  for (const auto &[key, key_meaning] : meaning)
    different.insert(key_meaning);
  EXPECT_EQ(different.size(), meaning.size());
}

TEST(ContactHistory, RemembersByKey) {
  ContactHistory<2> history;
  for (unsigned int i = 0; i < 5; ++i)
    history.memories.push_back({{0, 2 * i, 1, 3}, 0.1 * i});
  for (unsigned int i = 0; i < 5; ++i) {
    ASSERT_NE(history.find({0, 2 * i, 1, 3}), nullptr);
    EXPECT_EQ(history.find({0, 2 * i, 1, 3})->gap, 0.1 * i);
    EXPECT_EQ(history.find({0, 2 * i + 1, 1, 3}), nullptr);
    EXPECT_EQ(history.find({1, 2 * i, 1, 3}), nullptr);
    EXPECT_EQ(history.find({0, 2 * i, 0, 3}), nullptr);
    EXPECT_EQ(history.find({0, 2 * i, 1, 2}), nullptr);
  }
  history.find({0, 4, 1, 3})->gap = 7.;
  EXPECT_EQ(std::as_const(history).find({0, 4, 1, 3})->gap, 7.);
}

// ---- the order of bodies ----

/// Contact between rigid bodies, identified without their indices.
struct Place {
  std::string body, opposite_body;
  std::array<double, 5> numbers; ///< undeformed position of the vertex, normal, gap

  bool operator<(const Place &other) const {
    return std::tie(body, opposite_body, numbers) <
           std::tie(other.body, other.opposite_body, other.numbers);
  }
};

std::vector<Place> places(const Thrown &thrown) {
  std::vector<Place> all;
  const auto &rigid = thrown.scene.bodies->rigid;
  for (const auto &contact : thrown.find().contacts)
    if (contact.key.pair == 0) {
      const auto &point = thrown.boundary->points[contact.point];
      all.push_back({rigid[*point.rigid_body()].name,
                     rigid[*contact.opposite_body].name,
                     {point.position[0], point.position[1], contact.normal[0], contact.normal[1],
                      contact.gap}});
    }
  std::sort(all.begin(), all.end());
  return all;
}

void expect_same(const std::vector<Place> &one, const std::vector<Place> &other) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].body, other[i].body);
    EXPECT_EQ(one[i].opposite_body, other[i].opposite_body);
    for (unsigned int k = 0; k < 5; ++k)
      EXPECT_NEAR(one[i].numbers[k], other[i].numbers[k], 1e-14);
  }
}

TEST(ContactsBetweenBodies, AreTheSameInWhicheverOrderBodiesAreGiven) {
  auto order = numbers(15);
  const auto expected = places(Thrown(order));
  EXPECT_GT(expected.size(), 15u);
  std::mt19937 random(2);
  for (unsigned int repetition = 0; repetition < 5; ++repetition) {
    std::shuffle(order.begin(), order.end(), random);
    expect_same(places(Thrown(order)), expected);
  }
}

TEST(ContactsBetweenBodies, DoNotDependOnWhichSideABodyIsNamedOn) {
  RigidSystem scenes[2];
  std::vector<ContactList<2>> found;
  for (unsigned int exchanged = 0; exchanged < 2; ++exchanged) {
    RigidSystem &scene = scenes[exchanged];
    scene.rigid = {rectangle("a", 1, 1, 1, dealii::Point<2>(), 0.1),
                   rectangle("b", 1, 1, 1, dealii::Point<2>(0.2, 1.05), 0.3)};
    auto &pair = scene.add_mutual_contact(ImpactLawKind::fremond, {}, 0);
    pair.own_side = RigidBodies{{exchanged}};
    pair.opposite_side = RigidBodies{{1 - exchanged}};
    scene.make();
    const Boundary<2> boundary(*scene.bodies, std::move(scene.pairs));
    found.push_back(ContactFinder<2>(boundary).find(boundary.trace.gather(scene.state.q), 0.));
  }
  ASSERT_GT(found[0].contacts.size(), 0u);
  ASSERT_EQ(found[0].contacts.size(), found[1].contacts.size());
  for (std::size_t i = 0; i < found[0].contacts.size(); ++i) {
    const auto &one = found[0].contacts[i], &other = found[1].contacts[i];
    EXPECT_EQ(one.key, other.key);
    EXPECT_EQ(one.point, other.point);
    EXPECT_EQ(one.opposite_body, other.opposite_body);
    EXPECT_EQ(one.gap, other.gap);
    EXPECT_EQ(one.normal, other.normal);
  }
}

// ---- close contacts ----

/// Bounding box of an outline, extended by a tenth of its size.
struct Box {
  double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};

  explicit Box(const Outline &outline) {
    double size = 0;
    for (const auto &x : outline)
      for (const auto &y : outline)
        size = std::max(size, x.distance(y));
    for (const auto &x : outline)
      for (unsigned int d = 0; d < 2; ++d) {
        low[d] = std::min(low[d], x[d] - 0.1 * size);
        high[d] = std::max(high[d], x[d] + 0.1 * size);
      }
  }
  bool contains(const dealii::Point<2> &x) const {
    return x[0] >= low[0] && x[0] <= high[0] && x[1] >= low[1] && x[1] <= high[1];
  }
  bool meets(const Box &other) const {
    return low[0] <= other.high[0] && other.low[0] <= high[0] && low[1] <= other.high[1] &&
           other.low[1] <= high[1];
  }
};

std::vector<Box> boxes(const Thrown &thrown, const Vector &q) {
  std::vector<Box> all;
  const auto poses = thrown.scene.bodies->poses(q);
  for (std::size_t b = 0; b < poses.size(); ++b)
    all.emplace_back(poses[b].outline(thrown.scene.bodies->rigid[b]));
  return all;
}

TEST(ContactsBetweenBodies, AreListedOfNearBodiesOnly) {
  const Thrown thrown(numbers(12));
  unsigned int n_near = 0;
  for (unsigned int seed = 0; seed < 20; ++seed) {
    const Vector q = thrown.shaken(seed, 0.5);
    const auto body_boxes = boxes(thrown, q);
    std::set<std::pair<unsigned int, unsigned int>> listed;
    for (const auto &contact : thrown.find(q).contacts)
      if (contact.key.pair == 0)
        listed.insert({contact.key.first, contact.key.second});
    for (const auto &[a, b] : listed) {
      EXPECT_LT(a, b);
      EXPECT_TRUE(body_boxes[a].meets(body_boxes[b]));
    }
    // All contacts of overlapping bodies are listed.
    const auto poses = thrown.scene.bodies->poses(q);
    for (unsigned int b = 0; b < 12; ++b)
      for (unsigned int a = 0; a < b; ++a) {
        const auto &rigid = thrown.scene.bodies->rigid;
        bool overlap = false;
        for (const auto &x : poses[a].outline(rigid[a]))
          overlap = overlap || gap(poses[b].outline(rigid[b]), x).distance < 0.;
        EXPECT_TRUE(!overlap || listed.count({a, b}) > 0);
        n_near += overlap;
      }
  }
  EXPECT_GT(n_near, 20u);
}

TEST(NodesOnBodies, AreListedOfNearBodiesOnly) {
  const Thrown thrown(numbers(12));
  unsigned int n_near = 0, n_nodes = 0;
  for (unsigned int seed = 0; seed < 20; ++seed) {
    const Vector q = thrown.shaken(seed, 0.1);
    const auto body_boxes = boxes(thrown, q);
    std::set<std::pair<unsigned int, unsigned int>> expected, listed;
    const auto &boundary = *thrown.boundary;
    for (unsigned int i = boundary.first_point[2]; i < boundary.first_point[3]; ++i) {
      const auto x = boundary.points[i].position +
                     boundary.value_at(boundary.points[i], boundary.trace.gather(q));
      for (unsigned int b = 0; b < 12; ++b)
        if (body_boxes[b].contains(x))
          expected.insert({i, b});
      ++n_nodes;
    }
    for (const auto &contact : thrown.find(q).contacts)
      if (contact.key.pair == 2)
        listed.insert({contact.point, *contact.opposite_body});
    EXPECT_EQ(listed, expected);
    n_near += static_cast<unsigned int>(expected.size());
  }
  EXPECT_GT(n_near, 20u);
  EXPECT_LT(n_near, 3 * n_nodes); // each of the twelve bodies has few
}

/// Two rigid bodies against two grounds, against two with other friction, and against each other:
/// points with equal law are stored once, and every index has the point of its pair.
TEST(ContactPoints, PairsOfRigidBodiesShareEqualPoints) {
  RigidSystem scene;
  scene.rigid.push_back(rectangle("left", 1, 1, 1, dealii::Point<2>(0, 0)));
  scene.rigid.push_back(rectangle("right", 2, 1, 1, dealii::Point<2>(3, 0)));
  for (const double friction : {0.1, 0.1, 0.2, 0.2})
    scene.add_contact(ImpactLawKind::fremond, {}, friction);
  scene.add_mutual_contact(ImpactLawKind::fremond, {}, 0.2);
  scene.make();
  const Boundary<2> boundary(*scene.bodies, std::move(scene.pairs));
  ASSERT_EQ(boundary.points.size(), 5u * 8);
  EXPECT_EQ(std::distance(boundary.points.begin(), boundary.points.end()), 2 * 8);
  for (unsigned int pair = 0; pair < 5; ++pair) {
    ASSERT_EQ(boundary.n_points(pair), 8u);
    for (unsigned int k = 0; k < 8; ++k) {
      const unsigned int i = boundary.first_point[pair] + k;
      const ContactPoint<2> &point = boundary.points[i];
      EXPECT_EQ(boundary.pair_of(i), pair);
      EXPECT_EQ(point.friction, boundary.pairs[pair].friction);
      EXPECT_EQ(point.rigid_body(), k / 4);
      EXPECT_EQ(point.position, scene.bodies->rigid[k / 4].outline[k % 4]);
    }
  }
}

/// The second of three pairs differs from the others in the law of one point: only the third shares
/// points. A changed point changes in both.
TEST(ContactPoints, ShareNothingWithAnotherLaw) {
  ContactPointList<3> points;
  for (const unsigned int pair : {0u, 1u, 2u}) {
    points.start_pair(2);
    for (const unsigned int vertex : {0u, 1u}) {
      ContactPoint<3> point;
      point.location = RigidPoint{7, 0.5, vertex};
      point.tolerance = pair == 1 && vertex == 1 ? 2. : 1.;
      points.push_back(point);
    }
    points.finish_pair();
  }
  EXPECT_EQ(points.size(), 6u);
  EXPECT_EQ(std::distance(points.begin(), points.end()), 4);
  EXPECT_EQ(points[3].tolerance, 2.);
  EXPECT_EQ(points[5].rigid_point()->vertex, 1u);
  EXPECT_EQ(points[5].tolerance, 1.);
  points[0].area = 3.;
  EXPECT_EQ(points[4].area, 3.);
  EXPECT_EQ(points[2].area, 0.);
}

/// Bodies in a row, all of which may touch each other: there are two contacts with each neighbour,
/// and as many points as vertices.
TEST(ContactsBetweenBodies, OfManyBodiesAreThoseOfNeighbours) {
  constexpr unsigned int n = 10000;
  RigidSystem scene;
  for (unsigned int b = 0; b < n; ++b)
    scene.rigid.push_back(rectangle("body", 1, 1, 1, dealii::Point<2>(1.01 * b, 0)));
  scene.add_mutual_contact(ImpactLawKind::fremond, {}, 0);
  scene.make();
  const Boundary<2> boundary(*scene.bodies, std::move(scene.pairs));
  EXPECT_EQ(boundary.points.size(), 4u * n);
  const ContactFinder<2> finder(boundary);
  const auto found = finder.find(boundary.trace.gather(scene.state.q), 0.);
  ASSERT_EQ(found.contacts.size(), 2u * (n - 1));
  for (const auto &contact : found.contacts) {
    ASSERT_EQ(contact.key.second, contact.key.first + 1);
    ASSERT_NEAR(contact.gap, 0.01, 1e-9);
  }
  EXPECT_TRUE(found.support.empty());
  const auto support = found.support_of(found.contacts.front());
  EXPECT_EQ(support.end() - support.begin(), 6);
}

/// Rows of bricks above the ground, and an elastic block, whose points on the ground are always
/// contacts.
struct Rows {
  static constexpr unsigned int n_rows = 60, n = 100 * n_rows;
  std::unique_ptr<Mesh<2>> mesh = test::rectangle(CellShape::simplex, 4, 1, 4, 1, 0.);
  RigidSystem scene;

  Rows() {
    scene.add_elastic(
        *mesh, Material<2>{1., 1., LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}});
    for (unsigned int b = 0; b < n; ++b)
      scene.rigid.push_back(
          rectangle("body", 1, 1, 1, dealii::Point<2>(2. * (b / n_rows), 1. + 2. * (b % n_rows))));
    scene.add_contact(ImpactLawKind::fremond, {}, 0);
    auto &nodes = scene.add_contact(ImpactLawKind::fremond, {}, 0);
    nodes.own_side = ElasticRegion{"top"};
    scene.make();
  }

  /// Returns the number of contacts of bricks at rest that a new finder lists.
  std::size_t n_contacts() const {
    const Boundary<2> boundary(*scene.bodies, scene.pairs);
    return n_of_bricks(
        ContactFinder<2>(boundary).find(boundary.trace.gather(scene.state.q), 0.).contacts);
  }
  static std::size_t n_of_bricks(const std::vector<Contact<2>> &contacts) {
    return static_cast<std::size_t>(
        std::count_if(contacts.begin(), contacts.end(),
                      [](const Contact<2> &contact) { return contact.body.has_value(); }));
  }
};

/// In a crowd, only corners that are nearer to the ground than the size of a brick, or than four
/// steps of the fastest brick or elastic node, are contacts.
TEST(ContactsOfACrowd, LeaveOutDistantSurfaces) {
  constexpr unsigned int n = Rows::n, per_row = n / Rows::n_rows;
  Rows rows;
  EXPECT_EQ(rows.n_contacts(), 2 * per_row); // size √2: the lower corners of the lowest row
  const Boundary<2> boundary(*rows.scene.bodies, rows.scene.pairs);
  ContactFinder<2> finder(boundary);
  const TraceField rest = boundary.trace.gather(rows.scene.state.q);
  ASSERT_GT(boundary.trace.n_elastic(), 0u);
  for (const unsigned int entry :
       {boundary.trace.rigid_body_entry(n - 1), boundary.trace.n_elastic() - 1}) {
    TraceField v = rest;
    v[entry] = 1.;
    finder.expect_motion(v, 1.);
    const ContactList<2> wide = finder.find(rest, 0.);
    EXPECT_EQ(Rows::n_of_bricks(wide.contacts), 8 * per_row); // up to 4: gaps 0.5, 1.5, 2.5, 3.5
    finder.expect_motion(v, 100.);
    const ContactList<2> all = finder.find(rest, 0.);
    EXPECT_EQ(Rows::n_of_bricks(all.contacts), 4 * n);
    for (const auto &contact : wide.contacts) {
      ASSERT_NE(all.find(contact.key), nullptr);
      EXPECT_EQ(all.find(contact.key)->gap, contact.gap);
    }
  }
}

/// A surface or a body that a formula of time moves may start at any time: nothing is left out. A
/// body that is held is no such body.
TEST(ContactsOfACrowd, LeaveOutNothingIfAFormulaMovesSomething) {
  const auto prescribe = [](Rows &rows, const char *formula) {
    rows.scene.bodies->motion.add("body", "x", {rows.scene.bodies->rigid_dof(0)}, {{}},
                                  PrescribedMotion<2>::Kind::velocity, Expression(formula));
  };
  Rows held, driven, surface_rows;
  prescribe(held, "0");
  EXPECT_EQ(held.n_contacts(), 2 * Rows::n / Rows::n_rows);
  prescribe(driven, "10*t");
  EXPECT_EQ(driven.n_contacts(), 4 * Rows::n);
  for (const char *component : {"0", "0.1*t"})
    std::get<Surface<2>>(surface_rows.scene.pairs.back().opposite_side)
        .motion.emplace_back(component);
  EXPECT_EQ(surface_rows.n_contacts(), 4 * Rows::n);
}

/// Bricks of a millimetre at rest, five millimetres above the ground. One of them appears with 20
/// m/s, and hits the ground in its first step.
TEST(ContactsOfACrowd, OfABodyThatAppearsAreFound) {
  RigidSystem scene;
  for (unsigned int b = 0; b < 5001; ++b)
    scene.rigid.push_back(rectangle("body", 1e-3, 1e-3, 1, dealii::Point<2>(2e-3 * b, 5.5e-3)));
  scene.choices.forecast = Forecast::closing;
  scene.rigid.back().appears = 0;
  scene.rigid.back().appearing_velocity = {{0., -20., 0.}};
  scene.add_contact(ImpactLawKind::fremond, {}, 0);
  scene.make();
  scene.start();
  ASSERT_TRUE(scene.state.found.contacts.empty());
  scene.advance();
  EXPECT_NEAR(scene.v(5000)[1], 0., 1e-9);
}

/// A search for given contacts finds them with the same gaps and supports.
TEST(Contacts, AreFoundAgain) {
  const Thrown thrown({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const ContactList<2> found = thrown.find();
  std::vector<Contact<2>> wanted;
  for (std::size_t i = 0; i < found.contacts.size(); i += 3)
    wanted.push_back(found.contacts[i]);
  ASSERT_GT(wanted.size(), 3u);
  const ContactFinder<2> finder(*thrown.boundary);
  const ContactList<2> again =
      finder.find_again(wanted, thrown.boundary->trace.gather(thrown.scene.state.q), 0.);
  EXPECT_LT(again.contacts.size(), found.contacts.size());
  for (const auto &contact : wanted) {
    const Contact<2> *const same = again.find(contact.key);
    ASSERT_NE(same, nullptr);
    EXPECT_EQ(same->gap, contact.gap);
    const auto support = again.support_of(*same), expected = found.support_of(contact);
    ASSERT_EQ(support.end() - support.begin(), expected.end() - expected.begin());
    for (std::ptrdiff_t k = 0; k < support.end() - support.begin(); ++k) {
      EXPECT_EQ(support.begin()[k].entry, expected.begin()[k].entry);
      EXPECT_EQ(support.begin()[k].weight, expected.begin()[k].weight);
    }
  }
}

TEST(BroadPhase, FindsTheBoxesThatAPointIsIn) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> number(0, 1);
  std::vector<Outline> outlines;
  std::vector<Box> box;
  std::vector<double> margins;
  for (unsigned int i = 0; i < 200; ++i) {
    const dealii::Point<2> x(number(random), number(random));
    outlines.push_back({x, x + dealii::Tensor<1, 2>({0.1 * number(random), -0.05}),
                        x + dealii::Tensor<1, 2>({0.02, 0.1 * number(random)})});
    box.emplace_back(outlines.back());
    double size = 0;
    for (const auto &a : outlines.back())
      for (const auto &b : outlines.back())
        size = std::max(size, a.distance(b));
    margins.push_back(0.1 * size);
  }
  const BroadPhase broad_phase(outlines, margins);
  unsigned int n_found = 0;
  for (unsigned int k = 0; k < 200; ++k) {
    const dealii::Point<2> x(number(random), number(random));
    std::vector<unsigned int> near, brute;
    broad_phase.find_near(x, near);
    for (unsigned int i = 0; i < 200; ++i)
      if (box[i].contains(x))
        brute.push_back(i);
    EXPECT_EQ(near, brute);
    n_found += static_cast<unsigned int>(near.size());
  }
  EXPECT_GT(n_found, 50u);
}

/// While bodies move, their pairs and the boxes with a point are those of a search over all of
/// them; the tree outlives configurations.
TEST(NearBodies, DoNotDependOnTheTree) {
  using Box = NearBodies<3>::Box;
  constexpr unsigned int n = 150, n_moves = 40;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(0, 1);
  std::vector<Box> boxes;
  std::vector<dealii::Tensor<1, 3>> velocities;
  const auto vector = [&] {
    return dealii::Tensor<1, 3>({number(random), number(random), number(random)});
  };
  for (unsigned int i = 0; i < n; ++i) {
    const dealii::Point<3> low(vector());
    boxes.push_back({low, low + 0.2 * vector()});
    velocities.push_back(0.004 * (vector() - vector()));
  }
  NearBodies<3> near;
  unsigned int n_pairs = 0;
  for (unsigned int k = 0; k < n_moves; ++k) {
    near.move(boxes);
    std::vector<std::pair<unsigned int, unsigned int>> expected;
    const dealii::Point<3> x(vector());
    std::vector<unsigned int> around_x, expected_around_x;
    for (unsigned int i = 0; i < n; ++i) {
      if (boxes[i].contains({x, x}))
        expected_around_x.push_back(i);
      for (unsigned int j = i + 1; j < n; ++j)
        if (boxes[i].intersects(boxes[j]))
          expected.emplace_back(i, j);
    }
    near.find_near(x, around_x);
    ASSERT_EQ(near.pairs(), expected);
    ASSERT_EQ(around_x, expected_around_x);
    n_pairs += static_cast<unsigned int>(expected.size());
    for (unsigned int i = 0; i < n; ++i) {
      boxes[i].low += velocities[i];
      boxes[i].high += velocities[i];
    }
  }
  EXPECT_GT(n_pairs, n_moves);
  EXPECT_GT(near.n_trees(), 1u);
  EXPECT_LT(near.n_trees(), n_moves);
}

} // namespace
