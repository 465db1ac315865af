// Contact at the quadrature points of faces: the augmented Lagrangian of CA and Nitsche's method.

#include <deal.II/lac/lapack_full_matrix.h>
#include <gtest/gtest.h>

#include "schemes/two_blocks.h"
#include <map>

namespace {

using namespace percussion;
using test::Block;

/// Returns a block that falls obliquely on the ground.
Block falling_on_faces(const Scheme &scheme, CellShape shape, double friction) {
  Block block(test::rectangle(shape, 2, 1, 8, 4, 0.1),
              Material<2>{1., 1.5, LinearElastic<2>::from_young(5., 0.3, Plane::strain), {}});
  block.add_contact("bottom", Block::ground(-0.05), scheme.law, {}, friction);
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{0.1 - 0.1 * x[1], -0.4 + 0.1 * x[0]}};
  });
  block.choices.h = 0.01;
  take(scheme, block);
  return block;
}

/// Points of faces with multipliers of their nodes: for each point its area, and the shape values
/// of the nodes by their entries.
struct PointOfFace {
  double area;
  std::map<unsigned int, double> shape;
};

/// Returns the points of a boundary, in their order.
std::map<unsigned int, PointOfFace> points_of(const Boundary<2> &boundary) {
  std::map<unsigned int, PointOfFace> points;
  for (unsigned int g = 0; g < boundary.points.size(); ++g) {
    points[g].area = boundary.points[g].area;
    const SupportRange shape = boundary.points[g].shape();
    for (unsigned int k = shape.begin; k < shape.end; k += 2)
      points[g].shape[boundary.supports[k].entry] = boundary.supports[k].weight[0];
  }
  return points;
}

/// Returns the points in front of the opposite side: contacts of a list, with their areas and with
/// their weights at the nodes of their faces.
std::map<unsigned int, PointOfFace> covered_points(const Boundary<2> &boundary,
                                                   const ContactList<2> &found) {
  const auto all = points_of(boundary);
  std::map<unsigned int, PointOfFace> points;
  for (const auto &contact : found.contacts) {
    PointOfFace &point = points[contact.point];
    point.area = contact.area;
    for (unsigned int s = contact.support_begin; s < contact.support_end; ++s)
      if (all.at(contact.point).shape.count(found.support[s].entry) > 0)
        point.shape[found.support[s].entry] = found.support[s].weight[0];
  }
  return points;
}

/// Returns λ = Π r at points, component by component, from the normal equations of the minimum of
/// ∫ (λ − r)², solved by conjugate gradients.
std::map<unsigned int, double> projected(const std::map<unsigned int, PointOfFace> &points,
                                         const std::map<unsigned int, double> &r) {
  std::map<unsigned int, double> x, residual;
  const auto apply = [&](const auto &node_value, const auto &point_value) {
    std::map<unsigned int, double> result;
    for (const auto &[g, point] : points) {
      double value = point_value(g);
      for (const auto &[entry, weight] : point.shape)
        value += weight * node_value(entry);
      for (const auto &[entry, weight] : point.shape)
        result[entry] += point.area * weight * value;
    }
    return result;
  };
  residual =
      apply([](auto) { return 0.; }, [&](unsigned int g) { return r.count(g) > 0 ? r.at(g) : 0.; });
  auto direction = residual;
  const auto product = [](const auto &a, const auto &b) {
    double sum = 0;
    for (const auto &[entry, value] : a)
      sum += value * b.at(entry);
    return sum;
  };
  for (double square = product(residual, residual), next; square > 1e-40; square = next) {
    const auto direction_product =
        apply([&](unsigned int entry) { return direction.at(entry); }, [](auto) { return 0.; });
    const double step = square / product(direction, direction_product);
    for (auto &[entry, value] : direction)
      x[entry] += step * value, residual[entry] -= step * direction_product.at(entry);
    next = product(residual, residual);
    for (auto &[entry, value] : direction)
      value = residual[entry] + next / square * value;
  }
  std::map<unsigned int, double> point_values;
  for (const auto &[g, point] : points)
    for (const auto &[entry, weight] : point.shape)
      point_values[g] += weight * x[entry];
  return point_values;
}

/// Numbers of points that stick and slip, and the largest distance of r from its projection.
struct Seen {
  unsigned int n_stick = 0, n_slip = 0;
  double beyond = 0;
};

/// Augmentation and friction of a test.
struct Augmented {
  double mu = 0.3, rho_n = 7., rho_t = 3.;

  /// Expects the two equations in a step, with the contacts found at its start.
  template <typename Bodies>
  void expect_equations(const std::map<unsigned int, PointOfFace> &points,
                        const ContactList<2> &found, const StepRecord<2> &record,
                        const Bodies &bodies, Seen &seen) const {
    // Multipliers of friction are vectors in the tangential direction.
    std::map<unsigned int, double> r[2], friction[2];
    for (const auto &contact : record.contacts) {
      const auto tangent = local_frame<2>(contact.normal)[1];
      const double per_area = 1. / (bodies.choices.h * points.at(contact.point).area);
      for (unsigned int d = 0; d < 2; ++d) {
        r[d][contact.point] = contact.percussion[d] * per_area;
        friction[d][contact.point] = contact.percussion[1] * per_area * tangent[d];
      }
    }
    const auto normal = projected(points, r[0]);
    const std::array friction_of_nodes = {projected(points, friction[0]),
                                          projected(points, friction[1])};
    const TraceField v1 = bodies.boundary->trace.gather(bodies.state.v);
    for (const auto &contact : record.contacts) {
      const unsigned int g = contact.point;
      const auto u1 = found.velocity(*found.find(contact.key), v1);
      const auto frame = local_frame<2>(contact.normal);
      const double pressure = std::max(0., normal.at(g) - rho_n * (frame[0] * u1));
      const double limit = mu * pressure;
      const double stuck = frame[1][0] * friction_of_nodes[0].at(g) +
                           frame[1][1] * friction_of_nodes[1].at(g) - rho_t * (frame[1] * u1);
      EXPECT_NEAR(r[0][g], pressure, 1e-10);
      EXPECT_NEAR(r[1][g], std::clamp(stuck, -limit, limit), 1e-10);
      seen.n_stick += pressure > 0. && std::abs(stuck) < limit;
      seen.n_slip += pressure > 0. && std::abs(stuck) > limit;
      seen.beyond = std::max(seen.beyond, std::abs(r[0][g] - normal.at(g)));
    }
  }
};

/// r = P_K(λ − ρ û) at each closed point, with λ = Π r: the two equations of CA, implemented
/// independently.
TEST(AugmentedLagrangian, SolvesItsTwoEquations) {
  const Augmented augmented;
  for (const CellShape shape : {CellShape::simplex, CellShape::hypercube}) {
    Block block = falling_on_faces(scheme("augmented-lagrangian"), shape, augmented.mu);
    block.pairs[0].normal_augmentation = augmented.rho_n;
    block.pairs[0].tangential_augmentation = augmented.rho_t;
    block.choices.separating = SeparatingContacts::as_in_paper; // makes û = u1 for all contacts
    block.start();
    const double initial = block.state.energy();
    const auto points = points_of(*block.boundary);
    Seen seen;
    for (unsigned int k = 0; k < 150; ++k) {
      const ContactList<2> found = block.state.found;
      const auto &record = block.advance();
      ASSERT_LT(std::abs(record.balance_residual), 2e-13 * initial) << k;
      augmented.expect_equations(points, found, record, block, seen);
    }
    EXPECT_GT(seen.n_stick, 20u);
    EXPECT_GT(seen.n_slip, 20u);
    EXPECT_GT(seen.beyond, 1e-3); // the tractions exceed the space of nodal multipliers
  }
}

/// The same between two bodies, with the velocities of both, over the faces in front of the other
/// body. The upper block is at first in front with a part of its faces only.
TEST(AugmentedLagrangian, SolvesItsTwoEquationsBetweenBodies) {
  const Augmented augmented;
  for (const auto side : {Discretisation::mortar, Discretisation::mortar_of_region}) {
    test::TwoBlocks blocks(scheme("augmented-lagrangian"), side, augmented.mu);
    test::RigidSystem &system = blocks.system;
    system.pairs[0].normal_augmentation = augmented.rho_n;
    system.pairs[0].tangential_augmentation = augmented.rho_t;
    system.choices.separating = SeparatingContacts::as_in_paper;
    system.choices.normal_rows = NormalRows::frames; // the equations here are in their frames
    system.start();
    const double initial = system.state.energy();
    Seen seen;
    unsigned int n_partly_covered = 0;
    for (unsigned int k = 0; k < 150; ++k) {
      const ContactList<2> found = system.state.found;
      const auto points = covered_points(*system.boundary, found);
      for (const auto &[g, point] : points)
        n_partly_covered += point.area < 0.9 * system.boundary->points[g].area;
      const auto &record = system.advance();
      ASSERT_LT(std::abs(record.balance_residual), 2e-13 * initial) << k;
      augmented.expect_equations(points, found, record, system, seen);
    }
    EXPECT_GT(seen.n_stick, 20u);
    EXPECT_GT(seen.n_slip, 20u);
    EXPECT_GT(seen.beyond, 1e-3);
    EXPECT_GT(n_partly_covered, 20u);
  }
}

/// Compliance takes energy, in the sum over the contacts. A uniform pressure has no compliance: the
/// points then move like nodes in the scheme of Moreau and Jean, for any ρ.
TEST(AugmentedLagrangian, IsThatOfNodesWhereThePressureIsUniform) {
  std::vector<double> ends;
  for (const double rho : {0.1, 100., -1.}) {
    Block block(test::rectangle(CellShape::hypercube, 1, 2, 3, 8),
                Material<2>{1., 1., LinearElastic<2>::from_young(10., 0., Plane::stress), {}});
    block.add_contact("bottom", Block::ground(-0.01), ImpactLawKind::newton_coulomb, {}, 0.);
    take(scheme(rho < 0. ? "moreau-jean" : "augmented-lagrangian"), block);
    block.pairs[0].normal_augmentation = std::max(rho, 0.);
    block.set(block.state.v, [](const auto &) -> std::array<double, 2> { return {{0., -1.}}; });
    block.choices.h = 0.02;
    block.start();
    double impulse = 0;
    for (unsigned int k = 0; k < 100; ++k)
      impulse += test::total_percussion(block.advance(), 0);
    EXPECT_GT(impulse, 1.);
    ends.push_back(block.state.energy());
    ends.push_back(impulse);
  }
  for (std::size_t i = 2; i < ends.size(); ++i)
    EXPECT_NEAR(ends[i], ends[i % 2], 1e-11);
}

/// The traction of a field of constant strain is σ N at every point.
TEST(Nitsche, TakesTheStressAtTheFaces) {
  for (const CellShape shape : {CellShape::simplex, CellShape::hypercube}) {
    Block block = falling_on_faces(scheme("nitsche-symmetric"), shape, 0.3);
    block.start();
    const dealii::Tensor<2, 2> gradient({{0.1, 0.2}, {-0.3, 0.4}});
    block.set(block.state.q, [&](const auto &x) -> std::array<double, 2> {
      return {{gradient[0] * x + 5., gradient[1] * x}};
    });
    const auto law = LinearElastic<2>::from_young(5., 0.3, Plane::strain);
    const auto expected = law.stress(symmetrize(gradient)) * dealii::Tensor<1, 2>({0., -1.});
    ASSERT_FALSE(block.boundary->points.empty());
    const TraceField q = block.boundary->trace.gather(block.state.q);
    for (const auto &point : block.boundary->points)
      EXPECT_LT((block.boundary->traction(point, q) - expected).norm(), 1e-13);
  }
}

/// Skew terms add to the stiffness as much as symmetric ones subtract from it. With symmetric terms
/// the stiffness stays positive with the springs of the elements, but not with springs a hundred
/// times softer.
TEST(Nitsche, IsCoerciveWithItsOwnSprings) {
  const auto smallest = [](const char *name, double softer) {
    Block block = falling_on_faces(scheme(name), CellShape::hypercube, 0.3);
    block.pairs[0].penalty_stiffness =
        10. * (5. * 0.7 / (1.3 * 0.4)) / block.space().local_size[0] / softer;
    block.start();
    dealii::FullMatrix<double> entries_of_K(block.bodies->n_dofs());
    for (unsigned int i = 0; i < entries_of_K.m(); ++i) {
      const SparseRow row_of_K = block.bodies->operators.stiffness.row(i);
      for (int k = 0; k < row_of_K.size; ++k)
        entries_of_K(i, static_cast<unsigned int>(row_of_K.column[k])) = row_of_K.value[k];
    }
    dealii::LAPACKFullMatrix<double> K(entries_of_K.m());
    K = entries_of_K;
    dealii::Vector<double> values;
    dealii::FullMatrix<double> vectors;
    K.compute_eigenvalues_symmetric(-1e3, 1e3, 1e-12, values, vectors);
    return values[0];
  };
  EXPECT_GT(smallest("nitsche-symmetric", 1), -1e-11);
  EXPECT_LT(smallest("nitsche-symmetric", 100), -1e-2);
  EXPECT_GT(smallest("nitsche-skew", 100), -1e-11);
}

/// A compressed bar under its weight: springs are compliant by p/r; Nitsche's method, which
/// contains the pressure, is not, for any stiffness.
TEST(Nitsche, IsConsistent) {
  const auto depth = [](const char *name) {
    Block block(test::rectangle(CellShape::hypercube, 1, 1, 4, 4),
                Material<2>{1., 1., LinearElastic<2>::from_young(100., 0.3, Plane::stress), {}});
    block.add_contact("bottom", Block::ground(0.), ImpactLawKind::persistent, {}, 0.);
    block.pairs[0].penalty_stiffness = 4000.;
    take(scheme(name), block);
    const double pressure = 2.;
    // Equilibrium of the exact law; a deviation of the scheme would move the body.
    block.set(block.state.q, [&](const auto &x) -> std::array<double, 2> {
      return {{0.3 * pressure / 100. * x[0], -pressure / 100. * x[1]}};
    });
    block.add_traction("top", 1, "-2");
    block.choices.h = 0.01;
    block.start();
    double largest = 0;
    for (unsigned int k = 0; k < 100; ++k)
      largest = std::max(largest, block.advance().penetration_max);
    return largest;
  };
  EXPECT_GT(depth("penalty"), 2. / 4000.);
  for (const char *name : {"nitsche-symmetric", "nitsche-nonsymmetric", "nitsche-skew"})
    EXPECT_LT(depth(name), 1e-13) << name;
}

} // namespace
