#include <percussion/base/error.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/contact/facets.h>

#include "axis_faces.h"
#include <algorithm>
#include <map>

namespace percussion {
namespace {

constexpr unsigned int no_facet_there = dealii::numbers::invalid_unsigned_int;

[[noreturn]] void refuse_branch(const std::string &meeting_point, const std::string &region) {
  throw InputError("more than two faces meet at " + meeting_point + " of region '" + region +
                   "', or a face is named twice: the surface is not a manifold there");
}

/// Smallest cosine of the angle between facets of one surface that meet in a hollow. At larger
/// angles they belong to different surfaces, and a body between them touches both. The facets of a
/// coarse mesh of a round hole belong to one surface.
constexpr double sharpest_of_one_surface = 0.64;

/// Returns the normal of a facet from its undeformed corners.
dealii::Tensor<1, 2> undeformed_normal(const std::vector<dealii::Point<2>> &x) {
  const auto normal = cross_product_2d(x[1] - x[0]);
  return normal / normal.norm();
}

dealii::Tensor<1, 3> undeformed_normal(const std::vector<dealii::Point<3>> &x) {
  const auto normal = cross_product_3d(x[2] - x[0], x.back() - x[1]);
  return normal / normal.norm();
}

/// Assembly of the faces of regions to lines or surfaces.
template <int dim>
class Assembly {
public:
  explicit Assembly(const System<dim> &s) : system(s) {}

  void add(const std::string &name) {
    const auto [body, region] = system.region(name);
    if (region->faces.empty())
      throw InputError("region '" + name + "' has no faces on the boundary of the body");
    refuse_axis_faces(*body, *region, "region '" + name + "'");
    const unsigned int number = system.index_of(*body);
    const std::vector<double> area = tributary_areas(*body, *region);
    result.is_axisymmetric = body->materials.are_axisymmetric();
    std::vector<typename dealii::Triangulation<dim>::active_cell_iterator> cells;
    for (const auto &cell : body->space.mesh.triangulation.active_cell_iterators())
      cells.push_back(cell);
    for (const CellFace &face : region->faces)
      add_face(number, *cells[face.cell], face.face, name);
    for (const unsigned int node : region->nodes)
      if (const auto node_entry = node_indices.find({number, node});
          node_entry != node_indices.end())
        result.nodes[node_entry->second].area += area[node];
  }

  Facets<dim> finish() {
    number_chains();
    return std::move(result);
  }

private:
  unsigned int entry_of(unsigned int elastic, unsigned int node) {
    const auto [node_entry, is_new] =
        node_indices.insert({{elastic, node}, static_cast<unsigned int>(result.nodes.size())});
    if (is_new) {
      const Space<dim> &space = system.elastic[elastic]->space;
      FacetNode<dim> added;
      added.elastic = elastic;
      added.node = node;
      added.position = space.nodes[node];
      added.size = space.local_size[node];
      result.nodes.push_back(added);
    }
    return node_entry->second;
  }

  template <typename Cell>
  void add_face(unsigned int elastic, const Cell &cell, unsigned int face,
                const std::string &name) {
    const auto &nodes = system.elastic[elastic]->space.nodes;
    const auto facet = static_cast<unsigned int>(result.facets.size());
    if constexpr (dim == 2) {
      unsigned int begin = cell.face(face)->vertex_index(0), end = cell.face(face)->vertex_index(1);
      const auto edge_vector = nodes[end] - nodes[begin];
      if (cross_product_2d(edge_vector) * (cell.center() - nodes[begin]) > 0.)
        std::swap(begin, end);
      result.facets.push_back({entry_of(elastic, begin), entry_of(elastic, end), 0});
      unsigned int &next_facet = result.nodes[result.facets[facet].begin].next_facet;
      unsigned int &previous_facet = result.nodes[result.facets[facet].end].previous_facet;
      if (next_facet != no_facet_there || previous_facet != no_facet_there)
        refuse_branch(bracketed_point(nodes[next_facet != no_facet_there ? begin : end]), name);
      next_facet = previous_facet = facet;
    } else {
      const auto line = outer_loop(cell, face, nodes);
      result.facets.emplace_back();
      Facet<dim> &added = result.facets.back();
      added.neighbours.fill(no_facet_there);
      for (const unsigned int node : line) {
        const unsigned int node_entry = entry_of(elastic, node);
        added.corners.number[added.corners.size++] = node_entry;
        result.nodes[node_entry].facets.push_back(facet);
      }
      for (unsigned int i = 0; i < added.corners.size; ++i)
        join(facet, i, name);
    }
  }

  /// Returns the vertices of a face, counter-clockwise seen from outside the cell.
  template <typename Cell>
  static std::vector<unsigned int> outer_loop(const Cell &cell, unsigned int face,
                                              const std::vector<dealii::Point<dim>> &nodes) {
    std::vector<unsigned int> line;
    for (unsigned int v = 0; v < cell.face(face)->n_vertices(); ++v)
      line.push_back(cell.face(face)->vertex_index(v));
    if (line.size() == 4) // deal.II numbers vertices row by row
      std::swap(line[2], line[3]);
    dealii::Point<dim> inside;
    for (const unsigned int v : cell.vertex_indices())
      inside += (cell.vertex(v) - dealii::Point<dim>()) / cell.n_vertices();
    const auto normal =
        cross_product_3d(nodes[line[1]] - nodes[line[0]], nodes[line.back()] - nodes[line[0]]);
    if (normal * (inside - nodes[line[0]]) > 0.)
      std::reverse(line.begin(), line.end());
    return line;
  }

  /// Joins the i-th edge of a facet with the edge of its neighbour, which runs in the opposite
  /// direction.
  void join(unsigned int facet, unsigned int i, const std::string &name) {
    const FacetCorners &corners = result.facets[facet].corners;
    const unsigned int a = corners[i], b = corners[(i + 1) % corners.size];
    if (!edges.insert({{a, b}, {facet, i}}).second)
      refuse_branch("the edge from " + bracketed_point(result.nodes[a].position) + " to " +
                        bracketed_point(result.nodes[b].position),
                    name);
    if (const auto opposite = edges.find({b, a}); opposite != edges.end()) {
      const auto [neighbour, j] = opposite->second;
      result.facets[facet].neighbours[i] = neighbour;
      result.facets[neighbour].neighbours[j] = facet;
    }
  }

  std::vector<dealii::Point<dim>> corners(unsigned int facet) const {
    std::vector<dealii::Point<dim>> x;
    for (const unsigned int node : result.facets[facet].nodes())
      x.push_back(result.nodes[node].position);
    return x;
  }

  std::vector<unsigned int> neighbours(unsigned int facet) const {
    std::vector<unsigned int> all;
    if constexpr (dim == 2)
      all = {result.nodes[result.facets[facet].end].next_facet};
    else
      all.assign(result.facets[facet].neighbours.begin(),
                 result.facets[facet].neighbours.begin() + result.facets[facet].corners.size);
    all.erase(std::remove(all.begin(), all.end(), no_facet_there), all.end());
    return all;
  }

  enum class Meeting { smooth, convex, hollow };
  Meeting meeting(unsigned int facet, unsigned int neighbour) const {
    const auto own_corners = corners(facet), next_corners = corners(neighbour);
    const auto normal = undeformed_normal(own_corners);
    if (normal * undeformed_normal(next_corners) >= sharpest_of_one_surface)
      return Meeting::smooth;
    double height = 0; // sum of heights of the neighbour's corners
    for (const auto &x : next_corners)
      height += normal * (x - own_corners[0]);
    return height > 0. ? Meeting::hollow : Meeting::convex;
  }

  /// Numbers the chains. A chain is connected, contains no sharp hollow, and is on one side only of
  /// each hollow: for this purpose, closed surfaces are also split at sharp convex edges.
  void number_chains() {
    const auto n = static_cast<unsigned int>(result.facets.size());
    std::vector<std::vector<unsigned int>> members(n), opposite_facets(n);
    std::vector<unsigned int> group(n);
    std::vector<std::pair<unsigned int, unsigned int>> smooth, convex;
    for (unsigned int f = 0; f < n; ++f) {
      members[group[f] = f] = {f};
      for (const unsigned int next : neighbours(f))
        if (const Meeting kind = meeting(f, next); kind == Meeting::hollow) {
          opposite_facets[f].push_back(next);
          opposite_facets[next].push_back(f);
        } else
          (kind == Meeting::smooth ? smooth : convex).emplace_back(f, next);
    }
    const auto join = [&](unsigned int target, unsigned int source, bool unless_across) {
      if (members[target = group[target]].size() < members[source = group[source]].size())
        std::swap(target, source);
      const auto is_across = [&](unsigned int f) {
        return std::any_of(opposite_facets[f].begin(), opposite_facets[f].end(),
                           [&](unsigned int facet) { return group[facet] == target; });
      };
      if (target == source ||
          (unless_across && std::any_of(members[source].begin(), members[source].end(), is_across)))
        return;
      for (const unsigned int f : members[source])
        group[f] = target;
      members[target].insert(members[target].end(), members[source].begin(), members[source].end());
      members[source].clear();
    };
    for (const auto &[a, b] : smooth)
      join(a, b, false);
    for (const auto &[a, b] : convex)
      join(a, b, true);
    std::map<unsigned int, unsigned int> number;
    for (unsigned int f = 0; f < n; ++f)
      result.facets[f].chain =
          number.insert({group[f], static_cast<unsigned int>(number.size())}).first->second;
  }

  const System<dim> &system;
  Facets<dim> result;
  /// Index in `result.nodes` by body and node.
  std::map<std::pair<unsigned int, unsigned int>, unsigned int> node_indices;
  /// 3D: facet with an edge from one node to the other, and the index of this edge.
  std::map<std::pair<unsigned int, unsigned int>, std::pair<unsigned int, unsigned int>> edges;
};

} // namespace

template <int dim>
bool Facets<dim>::has_node(unsigned int facet, unsigned int mesh_node) const {
  for (const unsigned int node : facets[facet].nodes())
    if (nodes[node].node == mesh_node)
      return true;
  return false;
}

template <>
bool Facets<2>::is_next_to(unsigned int facet, unsigned int mesh_node) const {
  for (const unsigned int next :
       {nodes[facets[facet].begin].previous_facet, facet, nodes[facets[facet].end].next_facet})
    if (next != none && has_node(next, mesh_node))
      return true;
  return false;
}

template <>
bool Facets<3>::is_next_to(unsigned int facet, unsigned int mesh_node) const {
  for (const unsigned int corner : facets[facet].nodes())
    for (const unsigned int next : nodes[corner].facets)
      if (has_node(next, mesh_node))
        return true;
  return false;
}

template <int dim>
Facets<dim> make_facets(const System<dim> &system, const std::vector<std::string> &regions) {
  Assembly<dim> assembly(system);
  for (const std::string &name : regions)
    assembly.add(name);
  return assembly.finish();
}

template Facets<2> make_facets(const System<2> &, const std::vector<std::string> &);
template Facets<3> make_facets(const System<3> &, const std::vector<std::string> &);

} // namespace percussion
