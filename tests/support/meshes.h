#pragma once

#include <percussion/body/mesh.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace percussion::test {

/// Returns a rectangle [0, width] × [0, height] in n × m quadrilaterals, or twice as many
/// triangles, with the regions left, right, bottom, top, boundary and body. With `distortion` > 0
/// the inner nodes are moved by up to that fraction of the mesh size, always in the same way.
std::unique_ptr<Mesh<2>> rectangle(CellShape shape, double width, double height, unsigned int n,
                                   unsigned int m, double distortion = 0);

/// Returns a box [0, size] in n[0] × n[1] × n[2] hexahedra, or five times as many tetrahedra, with
/// the regions left, right (x), front, back (y), bottom, top (z) and boundary, with the same kind
/// of distortion.
std::unique_ptr<Mesh<3>> box(CellShape shape, const dealii::Point<3> &size,
                             const std::vector<unsigned int> &n, double distortion = 0);

/// Returns a ring about the origin in quadrilaterals, with the regions inner and outer.
std::unique_ptr<Mesh<2>> ring(double inner_radius, double outer_radius, unsigned int n_around,
                              unsigned int n_across);

/// Adds the region of the faces on the boundary whose centres satisfy a condition.
template <int dim>
void add_region(Mesh<dim> &mesh, const std::string &name,
                const std::function<bool(const dealii::Point<dim> &)> &contains);

/// Returns a mesh of triangles or tetrahedra with each divided into a macro-cell, as it is read
/// from a file, with the same regions of faces.
template <int dim>
std::unique_ptr<Mesh<dim>> divided(const Mesh<dim> &mesh);

/// Rotates a mesh about the origin, then translates it.
void move(Mesh<2> &mesh, double angle, const dealii::Tensor<1, 2> &translation);

} // namespace percussion::test
