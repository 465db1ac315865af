// H of contacts with rigid bodies, compared with differences of their gaps.

#include <percussion/base/error.h>

#include <gtest/gtest.h>

#include "contact_velocity.h"
#include "support/meshes.h"
#include "support/rigid.h"
#include <random>

namespace {

using namespace percussion;
using test::local_velocity;
using test::rectangle;
using test::RigidSystem;

/// An elastic block, a tilted brick on it, and a brick on the brick; ground and an inclined surface
/// below and beside them.
struct Heap {
  std::unique_ptr<Mesh<2>> mesh = test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2);
  RigidSystem system;
  std::unique_ptr<Boundary<2>> boundary;

  Heap() {
    const Material<2> material{1., 1., LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}};
    system.add_elastic(*mesh, material);
    system.rigid = {rectangle("lower", 1.2, 0.5, 1, dealii::Point<2>(1, 1.25), 0.02),
                    rectangle("upper", 0.8, 0.4, 1, dealii::Point<2>(1.1, 1.7), -0.03)};
    auto &nodes = system.add_contact(ImpactLawKind::fremond, {}, 0.3);
    nodes.own_side = ElasticRegion{"top"};
    nodes.opposite_side = RigidBodies{{0}};
    system.add_contact(ImpactLawKind::fremond, {}, 0.3).opposite_side =
        Surface<2>{HalfPlane<2>{dealii::Point<2>(), dealii::Tensor<1, 2>({0.6, 0.8})}, {}};
    system.add_mutual_contact(ImpactLawKind::fremond, {}, 0.3);
    system.make();
    boundary = std::make_unique<Boundary<2>>(*system.bodies, std::move(system.pairs));
  }

  ContactList<2> find(const Vector &q) const {
    return ContactFinder<2>(*boundary).find(boundary->trace.gather(q), 0.);
  }
};

TEST(RigidContacts, JacobianIsTheDerivativeOfTheGap) {
  Heap heap;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  unsigned int n_nodes = 0, n_points = 0, n_vertices = 0;
  for (unsigned int repetition = 0; repetition < 20; ++repetition) {
    const unsigned int n = heap.system.bodies->n_dofs();
    Vector q(n), v = q;
    for (unsigned int i = 0; i < n; ++i) {
      q[i] = 0.01 * number(random);
      v[i] = number(random);
    }
    const double h = 1e-6;
    Vector back = q, forth = q;
    back.add(-h, v);
    forth.add(h, v);
    const auto now = heap.find(q), before = heap.find(back), after = heap.find(forth);
    const TraceField on_trace = heap.boundary->trace.gather(v);
    for (const auto &contact : now.contacts) {
      const auto *const earlier = before.find(contact.key), *const later = after.find(contact.key);
      ASSERT_TRUE(earlier && later);
      EXPECT_NEAR((later->gap - earlier->gap) / (2 * h), local_velocity(contact, now, on_trace)[0],
                  1e-7);
      const bool is_node = heap.boundary->points[contact.point].mesh_node() != nullptr;
      const bool is_on_body = contact.opposite_body.has_value();
      n_nodes += is_node;
      n_points += !is_node && !is_on_body;
      n_vertices += !is_node && is_on_body;
    }
  }
  EXPECT_GE(n_nodes, 20u * 5); // nodes below the brick
  EXPECT_EQ(n_points, 20u * 8);
  EXPECT_EQ(n_vertices, 20u * 2); // a contact of two faces has two points
}

/// Forces on both bodies are opposite: a translation of all bodies does not change relative
/// velocities. A rotation of two rigid bodies about a common centre is a slip of the two points of
/// contact by the gap times the rotation: the couple of friction.
TEST(RigidContacts, RigidMotionsOfAllAreSeenByTheGapOnly) {
  Heap heap;
  const auto &bodies = *heap.system.bodies;
  Vector q(bodies.n_dofs()), translation = q, rotation = q;
  for (const auto &dofs : bodies.elastic.front()->space.node_dofs)
    translation[dofs[0]] = translation[dofs[1]] = 1;
  for (unsigned int b = 0; b < 2; ++b) {
    const unsigned int dof = bodies.rigid_dof(b);
    translation[dof] = translation[dof + 1] = 1;
    rotation[dof] = -bodies.rigid[b].centre[1];
    rotation[dof + 1] = bodies.rigid[b].centre[0];
    rotation[dof + 2] = 1;
  }
  const auto &trace = heap.boundary->trace;
  const auto found = heap.find(q);
  unsigned int n_between = 0;
  for (const auto &contact : found.contacts) {
    if (!contact.opposite_body)
      continue;
    ++n_between;
    const auto moved = local_velocity(contact, found, trace.gather(translation));
    const auto turned = local_velocity(contact, found, trace.gather(rotation));
    for (unsigned int r = 0; r < 2; ++r)
      EXPECT_NEAR(moved[r], 0, 1e-15);
    if (!heap.boundary->points[contact.point].mesh_node()) {
      EXPECT_NEAR(turned[0], 0, 1e-14);
      EXPECT_NEAR(turned[1], -contact.gap, 1e-14);
    }
  }
  EXPECT_GE(n_between, 7u);
}

TEST(RigidContacts, TwoLawsForTheSameBodiesAreRefused) {
  RigidSystem system;
  system.rigid = {rectangle("a", 1, 1, 1, dealii::Point<2>()),
                  rectangle("b", 1, 1, 1, dealii::Point<2>(0, 2))};
  system.add_mutual_contact(ImpactLawKind::fremond, {}, 0);
  system.add_mutual_contact(ImpactLawKind::fremond, {}, 0.3);
  system.make();
  EXPECT_THROW(Boundary<2>(*system.bodies, std::move(system.pairs)), InputError);
}

} // namespace
