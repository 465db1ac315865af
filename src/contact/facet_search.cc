#include <percussion/contact/facet_search.h>

#include "cross_product.h"
#include "patch.h"

namespace percussion {
namespace {

/// Fraction of its reach by which a facet may move before it leaves its box.
constexpr double slack_of_boxes = 0.5;

template <int dim>
std::vector<dealii::Point<dim>> undeformed_outline(const Facets<dim> &facets, unsigned int facet) {
  std::vector<dealii::Point<dim>> outline;
  for (const unsigned int node : facets.facets[facet].nodes())
    outline.push_back(facets.nodes[node].position);
  return outline;
}

dealii::Tensor<1, 2> normal_of(const std::vector<dealii::Point<2>> &line) {
  const dealii::Tensor<1, 2> edge_vector = line[1] - line[0];
  return cross_product_2d(edge_vector) / edge_vector.norm();
}

dealii::Point<2> middle_of(const std::vector<dealii::Point<2>> &line) {
  return line[0] + 0.5 * (line[1] - line[0]);
}

dealii::Tensor<1, 3> normal_of(const std::vector<dealii::Point<3>> &corners) {
  const Patch patch(corners);
  const auto normal = patch.normal(patch.middle());
  return normal;
}

dealii::Point<3> middle_of(const std::vector<dealii::Point<3>> &corners) {
  const Patch patch(corners);
  return patch.position(patch.middle());
}

template <int dim>
double shortest_edge(const std::vector<dealii::Point<dim>> &corners) {
  double shortest = corners[0].distance(corners[1]);
  for (std::size_t i = 1; dim == 3 && i < corners.size(); ++i)
    shortest = std::min(shortest, corners[i].distance(corners[(i + 1) % corners.size()]));
  return shortest;
}

bool are_neighbours(const Facets<2> &facets, std::size_t a, std::size_t b) {
  return facets.facets[b].begin == facets.facets[a].end ||
         facets.facets[b].end == facets.facets[a].begin;
}

bool are_neighbours(const Facets<3> &facets, std::size_t a, std::size_t b) {
  for (const unsigned int first_node : facets.facets[a].nodes())
    for (const unsigned int second_node : facets.facets[b].nodes())
      if (first_node == second_node)
        return true;
  return false;
}

/// Returns the thickness of a body between the middle of a facet with normal n and another facet;
/// nothing if the other facet is not behind the first.
std::optional<double> thickness_between(const dealii::Point<2> &middle,
                                        const dealii::Tensor<1, 2> &n,
                                        const std::vector<dealii::Point<2>> &outline,
                                        const dealii::Tensor<1, 2> &normal) {
  const double thickness = (middle - outline[0]) * n;
  return normal * n < 0. && thickness > 0. ? std::optional(thickness) : std::nullopt;
}

std::optional<double> thickness_between(const dealii::Point<3> &middle,
                                        const dealii::Tensor<1, 3> &n,
                                        const std::vector<dealii::Point<3>> &outline,
                                        const dealii::Tensor<1, 3> &normal) {
  constexpr double least_opposed = 0.1;
  if (normal * n > -least_opposed)
    return {};
  const Patch patch(outline);
  const double thickness =
      (middle - patch.position(patch.middle())) * normal / (n * normal); // along n
  const bool is_behind = nearest_point(patch, middle - thickness * n).distance < 0.5 * patch.size();
  return thickness > 0. && is_behind ? std::optional(thickness) : std::nullopt;
}

/// Computes the reach of each facet, see FacetSearch::reach().
template <int dim>
std::vector<double> reaches_of(const Facets<dim> &facets) {
  std::vector<std::vector<dealii::Point<dim>>> outlines;
  std::vector<dealii::Tensor<1, dim>> normals;
  for (unsigned int f = 0; f < facets.facets.size(); ++f) {
    outlines.push_back(undeformed_outline(facets, f));
    normals.push_back(normal_of(outlines.back()));
  }
  const BroadPhase<dim> tree(outlines, std::vector<double>(outlines.size(), 0.));
  std::vector<double> reaches;
  std::vector<unsigned int> behind;
  for (std::size_t f = 0; f < outlines.size(); ++f) {
    const auto &n = normals[f];
    const dealii::Point<dim> middle = middle_of(outlines[f]);
    double reach = shortest_edge(outlines[f]);
    tree.find_near(middle, middle - 2. * reach * n, behind);
    for (const unsigned int facet_behind : behind)
      if (const auto thickness =
              thickness_between(middle, n, outlines[facet_behind], normals[facet_behind]);
          thickness && !are_neighbours(facets, f, facet_behind))
        reach = std::min(reach, 0.5 * *thickness);
    reaches.push_back(reach);
  }
  return reaches;
}

} // namespace

template <int dim>
FacetSearch<dim>::FacetSearch(const Facets<dim> &f)
    : facets(f), positions(f.nodes.size()), reaches(reaches_of(f)) {
  normals.resize(facets.facets.size());
}

template <int dim>
void FacetSearch<dim>::move(std::vector<dealii::Point<dim>> node_positions) {
  positions = std::move(node_positions);
  find_normals();
  if (tree == nullptr || has_left_boxes())
    make_tree();
}

template <int dim>
std::vector<dealii::Point<dim>> FacetSearch<dim>::outline(unsigned int facet) const {
  std::vector<dealii::Point<dim>> corners;
  for (const unsigned int node : facets.facets[facet].nodes())
    corners.push_back(positions[node]);
  return corners;
}

template <int dim>
bool FacetSearch<dim>::has_left_boxes() const {
  for (unsigned int f = 0; f < facets.facets.size(); ++f)
    for (const unsigned int node : facets.facets[f].nodes())
      if (!((positions[node] - x_of_tree[node]).norm() <= slack_of_boxes * reach(f)))
        return true;
  return false;
}

template <int dim>
void FacetSearch<dim>::make_tree() {
  std::vector<std::vector<dealii::Point<dim>>> outlines;
  std::vector<double> margins;
  for (unsigned int f = 0; f < facets.facets.size(); ++f) {
    outlines.push_back(outline(f));
    margins.push_back((1. + slack_of_boxes) * reach(f));
  }
  tree = std::make_unique<BroadPhase<dim>>(outlines, margins);
  x_of_tree = positions;
  ++n_trees;
}

template <int dim>
void FacetSearch<dim>::near_ball(const dealii::Point<dim> &centre, double radius,
                                 std::vector<unsigned int> &found) const {
  dealii::Tensor<1, dim> diagonal;
  for (unsigned int d = 0; d < dim; ++d)
    diagonal[d] = radius;
  tree->find_near(centre - diagonal, centre + diagonal, found);
}

template <int dim>
void FacetSearch<dim>::find_near_facet(const FacetSearch &opposite, unsigned int facet,
                                       std::vector<unsigned int> &found) const {
  const auto corners = opposite.outline(facet);
  dealii::Point<dim> low = corners[0], high = corners[0];
  for (const auto &x : corners)
    for (unsigned int d = 0; d < dim; ++d) {
      low[d] = std::min(low[d], x[d]);
      high[d] = std::max(high[d], x[d]);
    }
  tree->find_near(low, high, found);
}

template <int dim>
Outward<dim> Outward<dim>::bisector(const dealii::Tensor<1, dim> &first_normal,
                                    const dealii::Tensor<1, dim> &second_normal) {
  const dealii::Tensor<1, dim> sum = first_normal + second_normal;
  if (!(sum.norm() > 0.))
    return {first_normal, 0.}; // a crack has no outside
  const dealii::Tensor<1, dim> normal = sum / sum.norm();
  return {normal, 0.5 * (normal * first_normal)};
}

template <int dim>
Outward<dim> Outward<dim>::among(const std::vector<dealii::Tensor<1, dim>> &normals) {
  dealii::Tensor<1, dim> sum;
  for (const auto &normal : normals)
    sum += normal;
  if (!(sum.norm() > 0.))
    return {normals[0], 0.};
  const dealii::Tensor<1, dim> normal = sum / sum.norm();
  double smallest = 1.;
  for (const auto &facet_normal : normals)
    smallest = std::min(smallest, normal * facet_normal);
  return {normal, 0.5 * smallest};
}

template <>
double undeformed_distance(const dealii::Point<2> &x, const Facets<2> &facets, unsigned int facet) {
  const auto line = undeformed_outline(facets, facet);
  const auto edge_vector = line[1] - line[0];
  const double fraction =
      std::clamp(edge_vector * (x - line[0]) / edge_vector.norm_square(), 0., 1.);
  return x.distance(line[0] + fraction * edge_vector);
}

template <>
double undeformed_distance(const dealii::Point<3> &x, const Facets<3> &facets, unsigned int facet) {
  return nearest_point(Patch(undeformed_outline(facets, facet)), x).distance;
}

template struct Outward<2>;
template struct Outward<3>;
template class FacetSearch<2>;
template class FacetSearch<3>;

} // namespace percussion
