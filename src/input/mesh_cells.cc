#include "mesh_cells.h"

#include <percussion/base/error.h>

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>

namespace percussion {
namespace {

template <int dim>
CellShape cell_shape(const GmshModel &model) {
  bool simplex = false, hypercube = false;
  for (const GmshGroup &group : model.groups)
    for (const GmshElement &element : group.elements)
      if (group.dimension == dim)
        (element.nodes.size() == dim + 1 ? simplex : hypercube) = true;
  if (simplex && hypercube)
    throw InputError("the mesh mixes triangles and quadrilaterals; mesh it with one "
                     "kind (Gmsh: recombine all surfaces or none)");
  return simplex ? CellShape::simplex : CellShape::hypercube;
}

/// Twice the signed area at each corner; the smallest decides whether the cell is fit for use.
double smallest_corner_jacobian(const std::vector<dealii::Point<2>> &x) {
  double smallest = std::numeric_limits<double>::max();
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto a = x[(i + 1) % n] - x[i];
    const auto b = x[(i + n - 1) % n] - x[i];
    smallest = std::min(smallest, a[0] * b[1] - a[1] * b[0]);
  }
  return smallest;
}

template <int dim>
void check_orientation(const GmshElement &element, const std::vector<dealii::Point<dim>> &corners) {
  static_assert(dim == 2, "the orientation of three-dimensional cells is not checked yet");
  double diameter = 0;
  for (const auto &a : corners)
    for (const auto &b : corners)
      diameter = std::max(diameter, a.distance(b));
  const double jacobian = smallest_corner_jacobian(corners);
  if (jacobian > 1e-12 * diameter * diameter)
    return;
  const bool vanishes = !(jacobian < -1e-12 * diameter * diameter);
  std::ostringstream message;
  message << "element " << element.tag << " with nodes";
  for (const std::size_t node : element.nodes)
    message << ' ' << node;
  message << (vanishes ? " is degenerate (its area vanishes at some corner); remesh there"
                       : " is inverted (its nodes run clockwise at some corner); in Gmsh use "
                         "'Reverse Surface{...};' or move its nodes");
  throw InputError(message.str());
}

/// The nodes that some cell uses.
template <int dim>
void number_nodes(const GmshModel &model, Cells<dim> &cells) {
  std::set<std::size_t> used;
  for (const GmshGroup &group : model.groups)
    if (group.dimension == dim)
      for (const GmshElement &element : group.elements)
        used.insert(element.nodes.begin(), element.nodes.end());
  cells.tags.assign(used.begin(), used.end());
  cells.points.resize(used.size());
  for (unsigned int i = 0; i < cells.tags.size(); ++i) {
    cells.number.emplace(cells.tags[i], i);
    for (unsigned int d = 0; d < dim; ++d)
      cells.points[i][d] = model.nodes.at(cells.tags[i])[d];
  }
}

/// Where a cell was met: a second time in the same group, it is a mistake, in another it is not.
struct Occurrence {
  std::size_t tag;
  std::string group;
};

/// Pairs of groups that have cells in common, and how many.
using CommonCells = std::map<std::pair<std::string, std::string>, std::size_t>;

void note_common_cells(const CommonCells &common, std::vector<std::string> &remarks) {
  for (const auto &[groups, n] : common)
    remarks.push_back(std::to_string(n) + (n == 1 ? " cell is" : " cells are") + " in region '" +
                      groups.first + "' and in region '" + groups.second +
                      "'; each is in the body once");
}

template <int dim>
void add_cells(const GmshModel &model, Cells<dim> &cells) {
  std::map<std::vector<std::size_t>, Occurrence> met;
  CommonCells common;
  for (const GmshGroup &group : model.groups)
    for (const GmshElement &element : group.elements) {
      if (group.dimension != dim)
        continue;
      auto key = element.nodes;
      std::sort(key.begin(), key.end());
      const auto [earlier, is_new] = met.emplace(key, Occurrence{element.tag, group.name});
      if (!is_new && earlier->second.group == group.name)
        throw InputError("elements " + std::to_string(earlier->second.tag) + " and " +
                         std::to_string(element.tag) + " of region '" + group.name +
                         "' have the same nodes; remove one (Gmsh: Coherence Mesh)");
      if (!is_new) {
        ++common[{earlier->second.group, group.name}];
        earlier->second.group = group.name;
        continue;
      }
      std::vector<unsigned int> corners;
      std::vector<dealii::Point<dim>> x;
      for (const std::size_t node : element.nodes) {
        corners.push_back(cells.number.at(node));
        x.push_back(cells.points[corners.back()]);
      }
      check_orientation<dim>(element, x);
      cells.corners.push_back(corners);
    }
  note_common_cells(common, cells.remarks);
}

/// Two cells on the same side of an edge overlap: around each of them the edge is run through in
/// the same direction. deal.II takes them for valid in a release build.
template <int dim>
void check_faces(const Cells<dim> &cells) {
  static_assert(dim == 2, "faces are taken for edges");
  std::set<std::pair<unsigned int, unsigned int>> edges;
  for (const auto &corners : cells.corners)
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const unsigned int from = corners[i], to = corners[(i + 1) % corners.size()];
      if (!edges.emplace(from, to).second)
        throw InputError("two elements lie on the same side of the edge between the nodes " +
                         std::to_string(cells.tags[std::min(from, to)]) + " and " +
                         std::to_string(cells.tags[std::max(from, to)]) +
                         ": they overlap; mesh again (Gmsh: Coherence, where surfaces of the "
                         "geometry overlap)");
    }
}

} // namespace

template <int dim>
Cells<dim> make_cells(const GmshModel &model) {
  Cells<dim> cells;
  cells.shape = cell_shape<dim>(model);
  number_nodes(model, cells);
  add_cells(model, cells);
  check_faces(cells);
  return cells;
}

template Cells<2> make_cells<2>(const GmshModel &);

} // namespace percussion
