#include <percussion/base/error.h>
#include <percussion/contact/facets.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace percussion {
namespace {

constexpr unsigned int no_facet = dealii::numbers::invalid_unsigned_int;

/// Puts the faces of regions together.
template <int dim>
class Assembly {
public:
  explicit Assembly(const System<dim> &s) : system(s) {}

  void add(const std::string &name) {
    const auto [body, region] = system.region(name);
    if (region->faces.empty())
      throw InputError("region '" + name + "' has no faces on the boundary of the body");
    const auto is_body = [&, b = body](const auto &other) { return other.get() == b; };
    const auto number = static_cast<unsigned int>(
        std::find_if(system.elastic.begin(), system.elastic.end(), is_body) -
        system.elastic.begin());
    const std::vector<double> area = unit_traction(*body, *region, 0);
    std::vector<typename dealii::Triangulation<dim>::active_cell_iterator> cells;
    for (const auto &cell : body->space.mesh.triangulation.active_cell_iterators())
      cells.push_back(cell);
    for (const CellFace &face : region->faces)
      add_face(number, *cells[face.cell], face.face, name);
    for (const unsigned int node : region->vertices)
      if (const auto place = places.find({number, node}); place != places.end())
        result.nodes[place->second].area +=
            area[body->space.node_dofs[node][0] - body->space.first_dof];
  }

  Facets<dim> finish() {
    number_chains();
    return std::move(result);
  }

private:
  unsigned int place_of(unsigned int elastic, unsigned int node) {
    const auto [place, is_new] =
        places.insert({{elastic, node}, static_cast<unsigned int>(result.nodes.size())});
    if (is_new) {
      const Space<dim> &space = system.elastic[elastic]->space;
      FacetNode<dim> added;
      added.elastic = elastic;
      added.node = node;
      added.dofs = space.node_dofs[node];
      added.position = space.nodes[node];
      added.size = space.local_size[node];
      result.nodes.push_back(added);
    }
    return place->second;
  }

  template <typename Cell>
  void add_face(unsigned int elastic, const Cell &cell, unsigned int face,
                const std::string &name) {
    static_assert(dim == 2, "facets in space have more nodes");
    unsigned int begin = cell.face(face)->vertex_index(0), end = cell.face(face)->vertex_index(1);
    const auto &nodes = system.elastic[elastic]->space.nodes;
    const auto along = nodes[end] - nodes[begin];
    if (cross_product_2d(along) * (cell.center() - nodes[begin]) > 0.)
      std::swap(begin, end);
    const auto facet = static_cast<unsigned int>(result.facets.size());
    result.facets.push_back({place_of(elastic, begin), place_of(elastic, end), 0});
    unsigned int &after = result.nodes[result.facets[facet].begin].after;
    unsigned int &before = result.nodes[result.facets[facet].end].before;
    if (after != no_facet || before != no_facet) {
      const auto &x = nodes[after != no_facet ? begin : end];
      std::ostringstream why;
      why << "more than two faces meet at (" << x[0] << ", " << x[1] << ") of region '" << name
          << "', or one is named twice: what is inside there, and what outside?";
      throw InputError(why.str());
    }
    after = before = facet;
  }

  void number_chains() {
    unsigned int n_chains = 0;
    std::vector<bool> numbered(result.facets.size(), false);
    const auto follow = [&](unsigned int facet) {
      for (; facet != no_facet && !numbered[facet];
           facet = result.nodes[result.facets[facet].end].after) {
        numbered[facet] = true;
        result.facets[facet].chain = n_chains;
      }
      ++n_chains;
    };
    for (unsigned int f = 0; f < result.facets.size(); ++f) // open lines from their beginning
      if (result.nodes[result.facets[f].begin].before == no_facet)
        follow(f);
    for (unsigned int f = 0; f < result.facets.size(); ++f)
      if (!numbered[f])
        follow(f);
  }

  const System<dim> &system;
  Facets<dim> result;
  std::map<std::pair<unsigned int, unsigned int>, unsigned int> places; ///< of body and node
};

} // namespace

template <int dim>
Facets<dim> make_facets(const System<dim> &system, const std::vector<std::string> &regions) {
  Assembly<dim> assembly(system);
  for (const std::string &name : regions)
    assembly.add(name);
  return assembly.finish();
}

template struct FacetNode<2>;
template struct FacetNode<3>;
template struct Facets<2>;
template struct Facets<3>;
template Facets<2> make_facets(const System<2> &, const std::vector<std::string> &);

} // namespace percussion
