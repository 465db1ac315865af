#include "mortar_search.h"
#include "search.h"
#include <cmath>

namespace percussion {
namespace {

/// Largest compression of a body, relative to the undeformed distance of its two sides.
constexpr double max_compression = 0.5;

/// Returns the outward direction of a polygon at a vertex; for a stick, its direction beyond this
/// end.
Outward<2> outward(const Outline &outline, unsigned int vertex) {
  const std::size_t n = outline.size();
  const dealii::Tensor<1, 2> incoming = outline[vertex] - outline[(vertex + n - 1) % n],
                             outgoing = outline[(vertex + 1) % n] - outline[vertex];
  if (n == 2)
    return {incoming / incoming.norm(), 0.};
  return Outward<2>::bisector(cross_product_2d(incoming) / incoming.norm(),
                              cross_product_2d(outgoing) / outgoing.norm());
}

/// Returns the outward direction at a vertex of a rigid body.
Outward<2> outward_of_body(const Search<2> &search, const RigidPoint &point,
                           const dealii::Point<2> &) {
  unsigned int first = 0;
  for (unsigned int k = 0;; ++k) {
    const Outline &vertices = piece(search, point.body, k).vertices;
    if (point.vertex < first + vertices.size())
      return outward(vertices, point.vertex - first);
    first += static_cast<unsigned int>(vertices.size());
  }
}

/// Returns the direction from the middle of the convex shape of a vertex to its position x.
Outward<3> outward_of_body(const Search<3> &search, const RigidPoint &point,
                           const dealii::Point<3> &x) {
  dealii::Tensor<1, 3> direction;
  for (const auto &vertex : search.memory.placed.shapes[point.body][point.vertex].vertices)
    direction += x - vertex;
  return {direction.norm() > 0. ? direction / direction.norm() : direction, 0.};
}

template <int dim>
Outward<dim> outward_of(const Search<dim> &search, const ContactPoint<dim> &point,
                        const dealii::Point<dim> &x) {
  return point.own_facets
             ? search.memory.facets[point.own_facets->facets].outward(point.own_facets->node)
             : outward_of_body(search, *point.rigid_point(), x);
}

/// True if a point may touch a facet at this distance. It may not if both belong to one body and
/// are adjacent along the boundary, or if the facet is seen through the body.
template <int dim>
bool are_apart(const System<dim> &system, const ContactPoint<dim> &point, const Facets<dim> &facets,
               unsigned int number, double distance) {
  const FacetNode<dim> &begin = facets.nodes[facets.facets[number].nodes()[0]];
  const MeshNode *const own = point.mesh_node();
  if (!own || begin.elastic != own->elastic)
    return true;
  if (facets.is_next_to(number, own->node))
    return false;
  const auto &component = system.elastic[own->elastic]->space.component;
  return distance >= 0. || component[own->node] != component[begin.node] ||
         -distance < max_compression * undeformed_distance(point.position, facets, number);
}

/// Nearest facet of a line or surface.
template <int dim>
struct Nearest {
  unsigned int chain, facet;
  FacetGap<dim> gap;
};

/// Keeps two facets of one body if each is in front of the other; else keeps the nearer one.
template <int dim>
void keep_sides_of_hollows(const FacetSearch<dim> &opposite, const dealii::Point<dim> &x,
                           double radius, std::vector<Nearest<dim>> &nearest) {
  if (nearest.size() < 2)
    return;
  const auto &facets = opposite.facets;
  const auto body = [&](const Nearest<dim> &n) {
    return facets.nodes[facets.facets[n.facet].nodes()[0]].elastic;
  };
  const auto is_in_front = [&](const Nearest<dim> &first, const Nearest<dim> &searched) {
    double height = 0;
    for (const unsigned int node : facets.facets[first.facet].nodes())
      height +=
          searched.gap.normal * (opposite.positions[node] - x) + searched.gap.distance + radius;
    return height > 0.;
  };
  std::sort(nearest.begin(), nearest.end(), [](const Nearest<dim> &a, const Nearest<dim> &b) {
    return std::abs(a.gap.distance) < std::abs(b.gap.distance);
  });
  std::vector<Nearest<dim>> front_facets;
  for (const Nearest<dim> &next : nearest)
    if (std::all_of(front_facets.begin(), front_facets.end(), [&](const Nearest<dim> &second) {
          return body(next) != body(second) ||
                 (is_in_front(next, second) && is_in_front(second, next));
        }))
      front_facets.push_back(next);
  nearest = std::move(front_facets);
}

/// Finds the nearest facet of each line or surface that a point may touch; `near_facets` is
/// overwritten.
template <int dim>
void find_nearest(Search<dim> &search, const ContactPoint<dim> &point, const dealii::Point<dim> &x,
                  std::vector<unsigned int> &near_facets, std::vector<Nearest<dim>> &nearest) {
  const FacetSearch<dim> &opposite = search.memory.facets[*point.opposite_facets];
  const double radius = point.radius();
  const Outward<dim> outward = radius > 0. ? Outward<dim>() : outward_of(search, point, x);
  if (radius > 0.)
    opposite.near_ball(x, radius, near_facets);
  else
    opposite.find_near(x, near_facets);
  search.n_compared += near_facets.size();
  nearest.clear();
  for (const unsigned int f : near_facets) {
    auto g = opposite.gap(f, x);
    if (g)
      g->distance -= radius;
    if (!g || !(std::abs(g->distance) <= opposite.reach(f)) ||
        !(radius > 0. || outward.faces(g->normal)) ||
        !are_apart(search.system, point, opposite.facets, f, g->distance))
      continue;
    const unsigned int chain = opposite.facets.facets[f].chain;
    const auto same_chain = std::find_if(nearest.begin(), nearest.end(),
                                         [&](const auto &n) { return n.chain == chain; });
    if (same_chain == nearest.end())
      nearest.push_back({chain, f, *g});
    else if (std::abs(g->distance) < std::abs(same_chain->gap.distance))
      *same_chain = {chain, f, *g};
  }
  keep_sides_of_hollows(opposite, x, radius, nearest);
  std::sort(nearest.begin(), nearest.end(),
            [](const auto &a, const auto &b) { return a.chain < b.chain; });
}

/// Returns the positions of the nodes of facets at the displacements q.
template <int dim>
std::vector<dealii::Point<dim>> positions_of(const Facets<dim> &facets, const TraceField &q) {
  std::vector<dealii::Point<dim>> positions;
  positions.reserve(facets.nodes.size());
  for (const FacetNode<dim> &node : facets.nodes) {
    positions.push_back(node.position);
    for (unsigned int d = 0; d < dim; ++d)
      positions.back()[d] += q[node.entry + d];
  }
  return positions;
}

} // namespace

template <int dim>
void move_facets(Search<dim> &search) {
  for (FacetSearch<dim> &facet_search : search.memory.facets)
    facet_search.move(positions_of(facet_search.facets, search.q));
}

template <int dim>
void find_points_on_facets(Search<dim> &search, unsigned int pair) {
  const Boundary<dim> &boundary = search.boundary;
  std::vector<Nearest<dim>> nearest;
  std::vector<unsigned int> near_facets;
  for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i) {
    const ContactPoint<dim> &point = boundary.points[i];
    if (!point.opposite_facets || point.is_on_both_sides || !search.is_present(point))
      continue;
    const dealii::Point<dim> x = search.position(point);
    const double radius = point.radius();
    find_nearest(search, point, x, near_facets, nearest);
    for (const auto &[chain, f, g] : nearest) {
      const Facets<dim> &facets = boundary.facets[*point.opposite_facets];
      const dealii::Point<dim> on_surface = radius > 0. ? x - radius * g.normal : x;
      search.set_support(point, on_surface);
      const auto weights = g.weights();
      const double *weight = weights.data();
      for (const unsigned int node : facets.facets[f].nodes())
        if (const double node_weight = *weight++; node_weight != 0.)
          search.add_node_support(facets.nodes[node], -node_weight);
      Contact<dim> contact{{{pair, i, chain, 0}, i, {}, g.normal}, g.distance};
      contact.x = on_surface;
      search.add(contact);
    }
  }
}

namespace {

/// Returns the direction of the force of a mortar contact on its own side: of the gradient of its
/// gap there, if it is known.
template <int dim>
dealii::Tensor<1, dim> row_normal(const MortarContact<dim> &contact) {
  dealii::Tensor<1, dim> resultant;
  for (const auto &[point, gradient] : contact.carrier_gradient)
    resultant += gradient;
  return contact.carrier_gradient.empty() ? contact.normal : resultant / resultant.norm();
}

/// Adds one side of a mortar contact to the support: tangential rows with the weights of the nodes,
/// and the normal row with the gradient of the gap, if it is known. Nodes without weight come
/// first, so that a side ends where its weights are complete.
template <int dim>
void add_mortar_support(
    const std::vector<FacetNode<dim>> &nodes,
    const std::vector<std::pair<unsigned int, double>> &weights, double sign,
    const std::vector<std::pair<unsigned int, dealii::Tensor<1, dim>>> &gradient,
    const dealii::Tensor<1, dim> &normal, Search<dim> &search) {
  const auto is_point = [](unsigned int point) {
    return [point](const auto &entry) { return entry.first == point; };
  };
  const auto add = [&](unsigned int point, double weight, const dealii::Tensor<1, dim> *row) {
    search.add_node_support(nodes[point], weight);
    for (unsigned int d = 0; row != nullptr && d < dim; ++d)
      (search.support.end() - dim + d)->weight += ((*row)[d] - weight * normal[d]) * normal;
  };
  for (const auto &[point, row] : gradient)
    if (std::none_of(weights.begin(), weights.end(), is_point(point)))
      add(point, 0., &row);
  for (const auto &[point, weight] : weights) {
    const auto row = std::find_if(gradient.begin(), gradient.end(), is_point(point));
    if (weight != 0. || row != gradient.end())
      add(point, sign * weight, row != gradient.end() ? &row->second : nullptr);
  }
}

} // namespace

template <int dim>
void find_mortar_contacts(Search<dim> &search, unsigned int pair) {
  const Boundary<dim> &boundary = search.boundary;
  const unsigned int first = boundary.first_point[pair];
  const ContactPoint<dim> &first_point = boundary.points[first];
  const FacetSearch<dim> &carrier = search.memory.facets[first_point.own_facets->facets];
  const FacetSearch<dim> &opposite = search.memory.facets[*first_point.opposite_facets];
  const MortarFunctions functions = boundary.pairs[pair].mortar_functions();
  for (const MortarContact<dim> &contact :
       mortar_contacts(carrier, opposite, functions, search.limits.gradients, search.n_compared)) {
    const unsigned int i = first + contact.point;
    if (boundary.points[i].is_on_both_sides)
      continue;
    const double fraction =
        functions == MortarFunctions::dual ? covered_fraction(carrier, contact) : contact.cover;
    const double area = fraction * boundary.points[i].area;
    search.support.clear();
    const dealii::Tensor<1, dim> normal = row_normal(contact);
    add_mortar_support(carrier.facets.nodes, contact.carrier, 1., contact.carrier_gradient, normal,
                       search);
    add_mortar_support(opposite.facets.nodes, contact.opposite, -1., contact.opposite_gradient,
                       normal, search);
    search.add({{{pair, i, contact.side, 0}, i, {}, normal}, contact.gap}, area);
  }
}

template void move_facets(Search<2> &);
template void move_facets(Search<3> &);
template void find_points_on_facets(Search<2> &, unsigned int);
template void find_points_on_facets(Search<3> &, unsigned int);
template void find_mortar_contacts(Search<2> &, unsigned int);
template void find_mortar_contacts(Search<3> &, unsigned int);

} // namespace percussion
