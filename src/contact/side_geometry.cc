#include <percussion/contact/side_geometry.h>

#include <deal.II/base/tensor.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

dealii::Tensor<1, 2> facet_normal(const Facets<2> &side, unsigned int facet) {
  const dealii::Tensor<1, 2> edge =
      side.nodes[side.facets[facet].end].position - side.nodes[side.facets[facet].begin].position;
  return cross_product_2d(edge) / edge.norm();
}

dealii::Tensor<1, 3> facet_normal(const Facets<3> &side, unsigned int facet) {
  const FacetCorners &corners = side.facets[facet].corners;
  const auto edge = [&](unsigned int from, unsigned int to) {
    return side.nodes[corners[to]].position - side.nodes[corners[from]].position;
  };
  const dealii::Tensor<1, 3> normal = corners.size == 3 ? cross_product_3d(edge(0, 1), edge(0, 2))
                                                        : cross_product_3d(edge(0, 2), edge(1, 3));
  return normal / normal.norm();
}

template <int dim>
dealii::Point<dim> facet_middle(const Facets<dim> &side, unsigned int facet) {
  dealii::Point<dim> sum;
  double n = 0;
  for (const unsigned int node : side.facets[facet].nodes()) {
    sum += side.nodes[node].position;
    ++n;
  }
  return sum / n;
}

/// Returns the facets next to a facet with a higher index, or in 2D the facet after it.
std::vector<unsigned int> later_neighbours(const Facets<2> &side, unsigned int facet) {
  const unsigned int next = side.nodes[side.facets[facet].end].next_facet;
  return next == Facets<2>::none ? std::vector<unsigned int>() : std::vector{next};
}

std::vector<unsigned int> later_neighbours(const Facets<3> &side, unsigned int facet) {
  std::vector<unsigned int> later;
  for (unsigned int k = 0; k < side.facets[facet].corners.size; ++k)
    if (const unsigned int next = side.facets[facet].neighbours[k];
        next != Facets<3>::none && next > facet)
      later.push_back(next);
  return later;
}

} // namespace

template <int dim>
double mean_length(const Facets<dim> &side) {
  double sum = 0;
  std::size_t n_edges = 0;
  for (const Facet<dim> &facet : side.facets) {
    const auto &corners = facet.nodes();
    const auto n = static_cast<unsigned int>(corners.end() - corners.begin());
    for (unsigned int i = 0; i < (dim == 2 ? 1 : n); ++i, ++n_edges)
      sum += side.nodes[corners[i]].position.distance(side.nodes[corners[(i + 1) % n]].position);
  }
  return sum / static_cast<double>(n_edges);
}

/// Calls f(angle, distance) for the angle between the normals of adjacent facets, except at
/// corners, and the distance of their middles.
template <int dim, typename Function>
void visit_turns(const Facets<dim> &side, const Function &f) {
  constexpr double corner = 0.5; // cosine beyond which mortars have a corner, too
  for (unsigned int facet = 0; facet < side.facets.size(); ++facet)
    for (const unsigned int next : later_neighbours(side, facet))
      if (const double cosine = facet_normal(side, facet) * facet_normal(side, next);
          cosine > corner)
        f(std::acos(std::min(cosine, 1.)),
          facet_middle(side, facet).distance(facet_middle(side, next)));
}

template <int dim>
double mean_curvature(const Facets<dim> &side) {
  double angles = 0, distances = 0;
  visit_turns(side, [&](double angle, double distance) {
    angles += angle;
    distances += distance;
  });
  return distances > 0. ? angles / distances : 0.;
}

template <int dim>
double largest_sagitta(const Facets<dim> &side) {
  double largest = 0;
  visit_turns(side, [&](double angle, double distance) {
    largest = std::max(largest, angle * distance / 8.);
  });
  return (dim - 1) * largest;
}

template <int dim>
bool is_curved_within_facets(const Facets<dim> &side, const Facets<dim> &opposite) {
  constexpr double least_turn = 0.1;
  const double curvature = mean_curvature(side), length = mean_length(opposite);
  return length > mean_length(side) && curvature > mean_curvature(opposite) &&
         curvature * length > least_turn;
}

template double mean_length(const Facets<2> &);
template double mean_length(const Facets<3> &);
template double mean_curvature(const Facets<2> &);
template double mean_curvature(const Facets<3> &);
template double largest_sagitta(const Facets<2> &);
template double largest_sagitta(const Facets<3> &);
template bool is_curved_within_facets(const Facets<2> &, const Facets<2> &);
template bool is_curved_within_facets(const Facets<3> &, const Facets<3> &);

} // namespace percussion
