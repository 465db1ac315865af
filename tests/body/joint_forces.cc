// Joints in 3D: identities of their coordinates over steps of any size.

#include <percussion/body/attitude.h>
#include <percussion/body/link_forces.h>

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace percussion;
using Vector3 = dealii::Tensor<1, 3>;

const dealii::Point<3> hinge_point(0.3, -0.2, 0.9), second_point(1.4, 0.6, 1.1);

/// Two rigid bodies that a link connects.
struct LinkedSolids {
  std::unique_ptr<System<3>> bodies;

  explicit LinkedSolids(LinkKind kind) {
    std::vector<RigidBody<3>> rigid(2);
    rigid[0].centre = {-0.5, 0.1, 0.4};
    rigid[1].centre = {1.2, -0.7, 1.3};
    for (unsigned int b = 0; b < 2; ++b) {
      rigid[b].name = b == 0 ? "a" : "b";
      rigid[b].mass = 1.5 + b;
      for (unsigned int d = 0; d < 3; ++d)
        rigid[b].inertia[d][d] = 0.4 + 0.3 * d + b;
      rigid[b].inertia[0][1] = 0.05;
    }
    bodies = std::make_unique<System<3>>(System<3>::ElasticBodies(), rigid, Vector3());
    Link<3> link;
    link.name = "link";
    link.kind = kind;
    link.first = {hinge_point, 0u, {}};
    link.second = {kind == LinkKind::spring || kind == LinkKind::distance ? second_point
                                                                          : hinge_point,
                   1u,
                   {}};
    link.stiffness = 1.7;
    link.rest_length = 0.4;
    link.damping = 0.3;
    link.axis = Vector3({0.3, -1., 0.5});
    link.second_axis = Vector3({1., 0.2, 0.1});
    link.rotation = {2.3, 0.2, 0.7, {}};
    bodies->links = {link};
  }

  /// Returns displacements and velocities with entries between −size and size.
  Vector random(unsigned int seed, double size) const {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> entry(-size, size);
    Vector v(bodies->n_dofs());
    for (unsigned int i = 0; i < v.size(); ++i)
      v[i] = entry(generator);
    return v;
  }
  /// Returns a configuration with any attitudes, the rotation of the second body relative to the
  /// first as given about the axis of the link.
  Vector configuration(unsigned int seed) const {
    Vector q(bodies->n_dofs());
    const Vector v = random(seed, 2.);
    bodies->move(1., v, q);
    return q;
  }
  Vector moved(const Vector &q0, const Vector &v, double h) const {
    Vector q1 = q0;
    bodies->move(h, v, q1);
    return q1;
  }
  /// Returns the impulse and the angular momentum about the origin that a force on the degrees of
  /// freedom gives to the bodies in space over the step: in the middle of the paths of the centres,
  /// and with the mean rotations.
  std::array<Vector3, 2> momenta(const Vector &force, const Vector &q0, const Vector &q1) const {
    std::array<Vector3, 2> sums;
    for (unsigned int b = 0; b < 2; ++b) {
      const RigidBody<3> &body = bodies->rigid[b];
      const RigidPose<3> initial(body, bodies->rigid_values(q0, b)),
          final_pose(body, bodies->rigid_values(q1, b));
      Vector3 f, m;
      for (unsigned int d = 0; d < 3; ++d) {
        f[d] = force[6 * b + d];
        m[d] = force[6 * b + 3 + d];
      }
      const Vector3 centre = 0.5 * (initial.centre + final_pose.centre);
      sums[0] += f;
      sums[1] += cross_product_3d(centre, f) + 0.5 * (initial.rotation + final_pose.rotation) * m;
    }
    return sums;
  }
};

const LinkKind all_kinds[] = {LinkKind::spring,    LinkKind::pin,     LinkKind::weld,
                              LinkKind::hinge,     LinkKind::slider,  LinkKind::cylindrical,
                              LinkKind::universal, LinkKind::distance};

double product_with(const LinkRow &row, const std::vector<double> &values, const Vector &v) {
  double sum = 0;
  for (std::size_t k = 0; k < row.column.size(); ++k)
    sum += values[k] * v[row.column[k]]; // all degrees of freedom belong to the link
  return sum;
}

/// The secant row times h v_θ is the change of the coordinate, for steps and rotations of any size.
TEST(JointRows, GiveTheExactChangeOfEachCoordinate) {
  for (const LinkKind kind : all_kinds) {
    const LinkedSolids solids(kind);
    const auto coordinates = coordinates_of(solids.bodies->links.front());
    ASSERT_FALSE(coordinates.empty());
    for (unsigned int seed = 1; seed < 20; ++seed)
      for (const double h : {1., 0.1, 1e-4}) {
        const Vector q0 = solids.configuration(seed), v = solids.random(100 + seed, 2.);
        const Vector q1 = solids.moved(q0, v, h);
        const LinkMotion<3> link(*solids.bodies, solids.bodies->links.front(), q0.data(),
                                 q1.data());
        for (const auto &coordinate : coordinates) {
          if (coordinate.measure == LinkMeasure::angle)
            continue; // exact where the axes coincide only: see below
          const auto motion = link.motion(coordinate);
          double sum = 0;
          for (unsigned int e = 0; e < 2; ++e) {
            Vector3 velocity, spin;
            for (unsigned int d = 0; d < 3; ++d) {
              velocity[d] = v[6 * e + d];
              spin[d] = v[6 * e + 3 + d];
            }
            sum += motion.secant.force[e] * velocity +
                   motion.secant.moment[e] * (link.ends[e].spin * spin);
          }
          EXPECT_NEAR(h * sum, motion.end - motion.begin, 4e-15 * (1. + motion.size))
              << static_cast<int>(kind) << " " << h;
        }
      }
  }
}

/// Returns q of two bodies whose relative motion is a rotation by an angle about the link's axis.
Vector aligned(const LinkedSolids &solids, const Quaternion &common, double angle) {
  Vector q(solids.bodies->n_dofs());
  const Link<3> &link = solids.bodies->links.front();
  const Quaternion relative = quaternion(link.axis, angle);
  for (unsigned int b = 0; b < 2; ++b) {
    const Quaternion attitude = b == 0 ? common : product(common, relative);
    double *const values = solids.bodies->rigid_values(q, b);
    write_parameters(attitude, values + 3);
    const dealii::Point<3> centre = solids.bodies->rigid[b].centre;
    const Vector3 moved = hinge_point + rotation_matrix(attitude) * (centre - hinge_point) - centre;
    for (unsigned int d = 0; d < 3; ++d)
      values[d] = moved[d];
  }
  return q;
}

/// The angle of a hinge changes as its row says while the joint holds at both ends of a step,
/// although the bodies rotate about other axes, and over several turns.
TEST(JointRows, GiveTheExactChangeOfTheAngle) {
  const LinkedSolids solids(LinkKind::hinge);
  const auto coordinates = coordinates_of(solids.bodies->links.front());
  const auto &angle = coordinates.back();
  ASSERT_EQ(angle.name, "angle");
  for (const double change : {1e-6, -0.4, 1.9, -2.8})
    for (const double begin : {0.1, 2.5}) {
      const Vector q0 = aligned(solids, quaternion(Vector3({1., 2., -1.}), 0.7), begin),
                   q1 = aligned(solids, quaternion(Vector3({0.5, 1., 0.8}), 1.6), begin + change);
      const LinkMotion<3> link(*solids.bodies, solids.bodies->links.front(), q0.data(), q1.data());
      for (const auto &coordinate : coordinates)
        if (coordinate.is_held) {
          EXPECT_NEAR(link.motion(coordinate).begin, 0., 1e-15);
          EXPECT_NEAR(link.motion(coordinate).end, 0., 1e-15);
        }
      const auto motion = link.motion(angle);
      EXPECT_NEAR(motion.change, change, 1e-14);
      double sum = 0, square = 0;
      for (unsigned int e = 0; e < 2; ++e) {
        const Vector3 omega = cayley_vector(solids.bodies->rigid_values(q0, e) + 3,
                                            solids.bodies->rigid_values(q1, e) + 3);
        sum += motion.secant.moment[e] * (link.ends[e].spin * omega);
        square += omega.norm_square();
      }
      EXPECT_NEAR(sum, change, 1e-14 * (1. + square)); // large near half a turn
    }
}

/// f · h v_θ = ΔE + dissipation − work of joints, and the forces change neither momentum.
TEST(JointForces, BalanceEnergyAndBothMomenta) {
  for (const LinkKind kind : all_kinds)
    for (const double h : {0.7, 1e-2}) {
      const LinkedSolids solids(kind);
      LinkForces<3> links(*solids.bodies);
      const Vector v = solids.random(7, 2.);
      const bool has_angle = kind == LinkKind::hinge || kind == LinkKind::cylindrical;
      // Energies of angles require a joint that holds, and so do forces that act at one point.
      const bool has_point = has_angle || kind == LinkKind::pin || kind == LinkKind::weld ||
                             kind == LinkKind::universal;
      const double angle = kind == LinkKind::weld ? 0. : 0.3,
                   turn = kind == LinkKind::weld ? 0. : h;
      const Vector q0 = has_point ? aligned(solids, quaternion(Vector3({1., 2., -1.}), 0.7), angle)
                                  : solids.configuration(3);
      Vector q1 = solids.moved(q0, v, h), step(q0.size());
      if (has_point)
        q1 = aligned(solids, quaternion(Vector3({1., 1.5, -1.}), 0.9), angle - turn);
      for (unsigned int b = 0; b < 2; ++b) {
        const auto omega = cayley_vector(solids.bodies->rigid_values(q0, b) + 3,
                                         solids.bodies->rigid_values(q1, b) + 3);
        for (unsigned int d = 0; d < 3; ++d) {
          step[6 * b + d] = q1[6 * b + d] - q0[6 * b + d];
          step[6 * b + 3 + d] = omega[d];
        }
      }
      std::vector<double> impulse;
      for (unsigned int i = 0; i < links.n_impulses(); ++i)
        impulse.push_back(0.3 + 0.2 * i);
      links.begin_step(q0);
      Vector force(q0.size());
      links.evaluate(q1, h, impulse, force);
      double terms = 0;
      for (unsigned int i = 0; i < step.size(); ++i)
        terms += std::abs(step[i] * force[i]);
      EXPECT_GT(terms, 1e-3);
      const double rise = links.energy(q1) - links.energy(q0);
      EXPECT_NEAR(force * step, rise + links.dissipation() - links.work_of_joints() / h,
                  1e-13 * (terms + links.energy(q0)))
          << static_cast<int>(kind);
      for (const Vector3 &momentum : solids.momenta(force, q0, q1))
        EXPECT_LT(momentum.norm(), 1e-13 * force.l1_norm()) << static_cast<int>(kind);
      EXPECT_EQ(links.dissipation() > 0.,
                kind == LinkKind::spring || kind == LinkKind::slider || has_angle);
    }
}

/// The tangent rows are the derivatives of the coordinates at the end of the step.
TEST(JointRows, HaveTheDerivativesOfTheCoordinates) {
  constexpr double h = 0.2, difference = 1e-6;
  for (const LinkKind kind : all_kinds) {
    const LinkedSolids solids(kind);
    LinkForces<3> links(*solids.bodies);
    const Vector q0 = aligned(solids, quaternion(Vector3({1., 2., -1.}), 0.7), 0.3),
                 v = solids.random(5, 1.);
    Vector force(q0.size());
    const std::vector<double> impulse(links.n_impulses(), 0.);
    const auto coordinates = coordinates_of(solids.bodies->links.front());
    links.begin_step(q0);
    links.evaluate(solids.moved(q0, v, h), h, impulse, force);
    const auto rows = links.rows();
    ASSERT_GE(rows.size(), coordinates.size());
    for (unsigned int i = 0; i < v.size(); ++i) {
      Vector ahead = v, behind = v, direction(v.size());
      ahead[i] += difference;
      behind[i] -= difference;
      direction[i] = 1.;
      const Vector q_ahead = solids.moved(q0, ahead, h), q_behind = solids.moved(q0, behind, h);
      const LinkMotion<3> end(*solids.bodies, solids.bodies->links.front(), q0.data(),
                              q_ahead.data()),
          start(*solids.bodies, solids.bodies->links.front(), q0.data(), q_behind.data());
      for (std::size_t k = 0; k < coordinates.size(); ++k) {
        if (coordinates[k].measure == LinkMeasure::angle)
          continue; // the axes differ in this step
        const double slope = (end.motion(coordinates[k]).end - start.motion(coordinates[k]).end) /
                             (2. * difference * h);
        EXPECT_NEAR(product_with(rows[k], rows[k].tangent, direction), slope, 1e-8)
            << static_cast<int>(kind);
      }
    }
  }
}

} // namespace
