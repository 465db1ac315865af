// Pressure on deformed surfaces: its work, resultants, tangent, and its force on undeformed faces.

#include <percussion/body/follower_pressure.h>
#include <percussion/body/system.h>
#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include <cmath>
#include <random>

namespace {

using namespace percussion;

constexpr double load = 0.8, pressed_thickness = 0.7;

template <int dim>
System<dim> elastic_system(const Mesh<dim> &mesh) {
  const HyperelasticLaw law = NeoHooke{1.5, 0.8};
  return System<dim>(mesh,
                     Material<dim>{1.,
                                   dim == 2 ? pressed_thickness : 1.,
                                   small_strain_limit<dim>(law),
                                   {},
                                   FiniteStrainMaterial{law, {}}},
                     {});
}

template <int dim>
Vector random_displacement(const System<dim> &bodies, double size, unsigned int seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> entry(-size, size);
  Vector q(bodies.n_dofs());
  for (unsigned int i = 0; i < bodies.n_dofs(); ++i)
    q[i] = entry(random);
  return q;
}

/// Meshes of all shapes of faces: edges, triangles, quadrilaterals.
template <int dim>
std::vector<std::unique_ptr<Mesh<dim>>> meshes_of_all_shapes();
template <>
std::vector<std::unique_ptr<Mesh<2>>> meshes_of_all_shapes<2>() {
  std::vector<std::unique_ptr<Mesh<2>>> all;
  all.push_back(test::rectangle(CellShape::simplex, 2., 1., 4, 2, 0.2));
  all.push_back(test::rectangle(CellShape::hypercube, 2., 1., 4, 2, 0.2));
  return all;
}
template <>
std::vector<std::unique_ptr<Mesh<3>>> meshes_of_all_shapes<3>() {
  std::vector<std::unique_ptr<Mesh<3>>> all;
  all.push_back(test::box(CellShape::simplex, {1.2, 1., 0.9}, {2, 2, 2}, 0.2));
  all.push_back(test::box(CellShape::hypercube, {1.2, 1., 0.9}, {2, 2, 2}, 0.2));
  return all;
}

/// The work of a step is −p times the change of the enclosed volume for any displacements, and the
/// pressure has no resultant and no moment.
template <int dim>
void expect_potential() {
  for (const auto &mesh : meshes_of_all_shapes<dim>()) {
    const auto bodies = elastic_system(*mesh);
    const auto &body = *bodies.elastic.front();
    const FollowerPressure<dim> on_all(body, mesh->region("boundary"), Expression("0.8"));
    const Vector rest(bodies.n_dofs());
    EXPECT_NEAR(on_all.volume(rest), dim == 2 ? 2. * pressed_thickness : 1.2 * 0.9, 1e-14);
    for (const unsigned int seed : {1u, 2u, 3u}) {
      const Vector q0 = random_displacement(bodies, 0.3, seed),
                   q1 = random_displacement(bodies, 0.3, seed + 10);
      Vector force(bodies.n_dofs()), path = q1;
      on_all.add_force(load, q0, q1, force);
      path -= q0;
      const double swept = on_all.volume(q1) - on_all.volume(q0);
      EXPECT_GT(std::abs(swept), 1e-3);
      EXPECT_NEAR(dot(force, path), -load * swept, 1e-14);
      dealii::Tensor<1, dim> sum;
      for (const auto &dofs : body.space.node_dofs)
        for (unsigned int d = 0; d < dim; ++d)
          sum[d] += force[dofs[d]];
      EXPECT_LT(sum.norm(), 1e-14);
    }
  }
}

TEST(FollowerPressure, HasAPotentialOnAClosedSurface) { expect_potential<2>(); }
TEST(FollowerPressure, HasAPotentialOnAClosedSurfaceInSpace) { expect_potential<3>(); }

/// At a configuration it has no moment about the origin on a closed surface.
TEST(FollowerPressure, HasNoMomentOnAClosedSurface) {
  for (const auto &mesh : meshes_of_all_shapes<3>()) {
    const auto bodies = elastic_system(*mesh);
    const auto &space = bodies.elastic.front()->space;
    const FollowerPressure<3> on_all(*bodies.elastic.front(), mesh->region("boundary"),
                                     Expression("0.8"));
    const Vector q = random_displacement(bodies, 0.3, 7);
    Vector force(bodies.n_dofs());
    on_all.add_force(load, q, q, force);
    dealii::Tensor<1, 3> moment;
    for (unsigned int node = 0; node < space.n_nodes(); ++node) {
      dealii::Tensor<1, 3> x = space.nodes[node], f;
      for (unsigned int d = 0; d < 3; ++d) {
        x[d] += q[space.node_dofs[node][d]];
        f[d] = force[space.node_dofs[node][d]];
      }
      moment += cross_product_3d(x, f);
    }
    EXPECT_LT(moment.norm(), 1e-14);
  }
}

/// On undeformed faces it is the traction of the same size.
TEST(FollowerPressure, IsATractionOnTheUndeformedBody) {
  for (const auto &mesh : meshes_of_all_shapes<2>()) {
    const auto bodies = elastic_system(*mesh);
    const auto &body = *bodies.elastic.front();
    for (const auto &[name, component, sign] :
         {std::tuple{"left", 0u, 1.}, std::tuple{"right", 0u, -1.}, std::tuple{"top", 1u, -1.}}) {
      const Region &region = mesh->region(name);
      const FollowerPressure<2> pressure(body, region, Expression("0.8"));
      const Vector q(bodies.n_dofs());
      Vector force(bodies.n_dofs());
      pressure.add_force(load, q, q, force);
      const auto unit = unit_traction(body, region, component);
      for (unsigned int i = 0; i < bodies.n_dofs(); ++i)
        EXPECT_NEAR(force[i], sign * load * unit[i], 1e-15) << name;
    }
  }
}

/// The tangent of each face is the derivative of the force with respect to the end of the step.
template <int dim>
void expect_tangent() {
  constexpr double step = 1e-6;
  for (const auto &mesh : meshes_of_all_shapes<dim>()) {
    const auto bodies = elastic_system(*mesh);
    const FollowerPressure<dim> pressure(*bodies.elastic.front(), mesh->region("top"),
                                         Expression("0.8"));
    const Vector q0 = random_displacement(bodies, 0.3, 4), q1 = random_displacement(bodies, 0.3, 5);
    std::vector<std::vector<double>> sum(bodies.n_dofs(), std::vector<double>(bodies.n_dofs(), 0.));
    for (unsigned int face = 0; face < pressure.n_faces(); ++face) {
      const auto &dofs = pressure.dofs(face);
      std::vector<double> tangent(dofs.size() * dofs.size());
      pressure.face_tangent(face, load, q0, q1, tangent.data());
      for (std::size_t i = 0; i < dofs.size(); ++i)
        for (std::size_t j = 0; j < dofs.size(); ++j)
          sum[dofs[i]][dofs[j]] += tangent[i * dofs.size() + j];
    }
    double largest = 0;
    for (unsigned int j = 0; j < bodies.n_dofs(); ++j) {
      Vector more = q1, less = q1, change(bodies.n_dofs());
      more[j] += step;
      less[j] -= step;
      pressure.add_force(load, q0, more, change);
      pressure.add_force(-load, q0, less, change);
      for (unsigned int i = 0; i < bodies.n_dofs(); ++i) {
        EXPECT_NEAR(sum[i][j], change[i] / (2. * step), 1e-9);
        largest = std::max(largest, std::abs(sum[i][j]));
      }
    }
    EXPECT_GT(largest, 0.01);
  }
}

TEST(FollowerPressure, HasTheTangentOfItsForce) { expect_tangent<2>(); }
TEST(FollowerPressure, HasTheTangentOfItsForceInSpace) { expect_tangent<3>(); }

} // namespace
