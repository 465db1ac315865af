#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <utility>
#include <vector>

/// Mortar contact with dual multipliers, in the plane (mortar_in_space.h has the rest): Wohlmuth
/// (2000); segments as of Yang, Laursen and Meng (2005) and Popp, Gee and Wall (2009); partly
/// covered edges as of Cichosz and Bischoff (2011).
namespace percussion {

/// Edges that bound bodies, where they are now. A body lies to the left of its edges, seen from the
/// first point to the second; neighbours share a point.
struct Polyline {
  std::vector<dealii::Point<2>> points;
  std::vector<std::array<unsigned int, 2>> edges;

  /// Second point minus first.
  dealii::Tensor<1, 2> along(unsigned int edge) const {
    return points[edges[edge][1]] - points[edges[edge][0]];
  }
};

/// An edge that carries multipliers (slave) and one that it may touch (master).
using EdgePair = std::pair<unsigned int, unsigned int>;

/// What counts as being opposite.
struct MortarRange {
  double reach;       ///< largest gap, along the slave's normals [length]
  double depth;       ///< largest penetration; less than the bodies are thick [length]
  double corner = .5; ///< cosine of the turn from which on a slave's point is a corner
};

/// The contact of one slave point, a mean over the covered part of its edges with the dual shape
/// function as weight. With λ the pressure there, the force on the point is area λ normal, and
/// −weight times that on each master point: linear momentum is exact. Relative velocity:
/// u = Σ weight v_slave − Σ weight v_master. Where edges are covered in part, other slave points
/// share the force, so that its centre is on what is covered (multiplier_shapes.h).
template <int dim>
struct MortarContact {
  unsigned int point = 0; ///< of the slave
  /// Corners have a contact for each of their faces: 0 the edge that ends there, 1 the edge that
  /// begins there; in space they are counted. Smooth points have one contact, 0.
  unsigned int side = 0;
  double gap = 0;                ///< negative: penetration [length]
  dealii::Tensor<1, dim> normal; ///< unit length, away from the master
  double area = 0;               ///< integral of the dual function [length^(dim−1)]
  double cover = 0;              ///< area over what it is where all is covered [1]
  /// Slave points and their weights, which add up to one: `point`, first and usually alone.
  std::vector<std::pair<unsigned int, double>> slave;
  /// Master points, ascending, and their weights. Σ weight = 1, and Σ weight x_master =
  /// Σ weight x_slave − gap normal: normal forces have no moment, and a linear field is met
  /// exactly.
  std::vector<std::pair<unsigned int, double>> master;
};

/// Normals of the edges at both their ends, out of the body: the mean of both neighbours' unless
/// they meet in a corner.
std::vector<std::array<dealii::Tensor<1, 2>, 2>> nodal_normals(const Polyline &line, double corner);

/// The dual shape functions ψ of an edge with shape functions 1 − ξ and ξ, biorthogonal over a part
/// of it with this mean and variance of ξ: ψ_0 + ψ_1 = 1, ∫ψ_j N_k = δ_jk ∫N_k.
struct DualShapes {
  double mean, variance;

  /// ψ_0 and ψ_1 at ξ.
  std::array<double, 2> operator()(double xi) const {
    const double first = (1. - mean) * (1. - mean / variance * (xi - mean));
    return {first, 1. - first};
  }
};

/// Contacts of the slave points, by ascending point and side. Of several edges in front of a place
/// the nearest counts; only those whose normals are opposed, up to 53 degrees.
/// `near` are the pairs to look at, sorted; too many do no harm.
std::vector<MortarContact<2>> mortar_contacts(const Polyline &slave, const Polyline &master,
                                              const std::vector<EdgePair> &near,
                                              const MortarRange &range);

/// Pairs for the contact of a boundary with itself, sorted: of two parts that face each other one
/// becomes the slave. Left out are edges with a common point, those whose normals are not opposed,
/// and the far side of the own body.
/// `near` are pairs (i, j), in any order; one of both orders is enough.
std::vector<EdgePair> self_contact_pairs(const Polyline &line, const std::vector<EdgePair> &near,
                                         const MortarRange &range);

} // namespace percussion
