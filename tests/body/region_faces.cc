// Outward normals of the faces of a region.

#include <percussion/body/region_faces.h>
#include <percussion/body/system.h>

#include <gtest/gtest.h>

#include "support/meshes.h"

namespace {

using namespace percussion;

/// Σ (middle · normal) over a closed boundary is dim times the size of the body, and Σ normal is 0.
template <int dim>
void expect_closed(const Mesh<dim> &mesh, double size) {
  const LinearElastic<dim> law = LinearElastic<dim>::from_young(1., 0.3, Plane::strain);
  const System<dim> bodies(mesh, Material<dim>{1., 1., law, {}, {}}, {});
  dealii::Tensor<1, dim> sum;
  double flux = 0, diameter = 0;
  for_each_face(*bodies.elastic.front(), mesh.region("boundary"),
                [&](const dealii::Point<dim> &middle, const dealii::Tensor<1, dim> &normal,
                    double face_diameter) {
                  sum += normal;
                  flux += (middle - dealii::Point<dim>()) * normal;
                  diameter = std::max(diameter, face_diameter);
                });
  EXPECT_NEAR(sum.norm(), 0., 1e-12);
  EXPECT_NEAR(flux, dim * size, 1e-12);
  EXPECT_GT(diameter, 0.);
}

TEST(RegionFaces, HaveOutwardNormalsOfTheirSize) {
  for (const CellShape shape : {CellShape::simplex, CellShape::hypercube}) {
    expect_closed<2>(*test::rectangle(shape, 2., 0.5, 4, 3, 0.2), 1.);
    expect_closed<3>(*test::box(shape, {2., 0.5, 1.5}, {3, 2, 2}), 1.5);
  }
}

} // namespace
