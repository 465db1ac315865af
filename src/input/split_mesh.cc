#include "split_mesh.h"

#include <percussion/base/nearest_name.h>
#include <percussion/input/read_mesh.h>

#include "element_faces.h"
#include <algorithm>
#include <map>
#include <set>

namespace percussion {
namespace {

using Corners = std::vector<unsigned int>;
using Position = std::array<double, 3>;

Corners sorted(Corners corners) {
  std::sort(corners.begin(), corners.end());
  return corners;
}

Corners corners_of(const MeshGroup &group, std::size_t element) {
  const auto first = group.corners.begin() + static_cast<std::ptrdiff_t>(element * group.n_corners);
  return Corners(first, first + group.n_corners);
}

Position centre(const Corners &corners, const MeshModel &model) {
  Position x{};
  for (const unsigned int corner : corners)
    for (unsigned int d = 0; d < 3; ++d)
      x[d] += model.nodes[corner][d] / static_cast<double>(corners.size());
  return x;
}

Position difference(const Position &a, const Position &b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// Returns the normal of an edge on its left, or of a face by the order of its corners.
Position normal(const Corners &face, const MeshModel &model) {
  const Position a = difference(model.nodes[face[1]], model.nodes[face[0]]);
  if (face.size() == 2)
    return {-a[1], a[0], 0.};
  const Position b = difference(model.nodes[face.back()], model.nodes[face[0]]);
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Cells of a mesh, each once, with their faces.
class SplitCells {
public:
  SplitCells(const MeshModel &m, unsigned int d) : model(m), dim(d) {
    for (const MeshGroup &group : model.groups)
      for (std::size_t i = 0; group.dimension == dim && i < group.tags.size(); ++i)
        add(corners_of(group, i));
  }

  /// Returns the one or two cells at a face.
  const Corners &cells_at(const Corners &face) const {
    static const Corners none;
    const auto found = cells_of_face.find(sorted(face));
    return found == cells_of_face.end() ? none : found->second;
  }
  /// True if a cell lies on the side of a face that its normal points to.
  bool is_ahead(unsigned int cell, const Corners &face) const {
    const Position n = normal(face, model),
                   x = difference(centre(cells[cell], model), centre(face, model));
    return n[0] * x[0] + n[1] * x[1] + n[2] * x[2] > 0.;
  }
  /// Returns a cell that has all these corners; the number of cells if there is none.
  unsigned int cell_with(const Corners &corners) const {
    const auto found = cells_of_node.find(corners.front());
    for (const unsigned int cell : found == cells_of_node.end() ? Corners{} : found->second)
      if (std::all_of(corners.begin(), corners.end(), [&](unsigned int corner) {
            return std::count(cells[cell].begin(), cells[cell].end(), corner) > 0;
          }))
        return cell;
    return static_cast<unsigned int>(cells.size());
  }
  unsigned int index_of(const Corners &corners) const { return cell_of.at(sorted(corners)); }

  /// Returns the cells at a node in groups that share faces which are not split.
  std::vector<Corners> groups_at(unsigned int node, const std::set<Corners> &split) const {
    std::map<unsigned int, unsigned int> leader;
    for (const unsigned int cell : cells_of_node.at(node))
      leader[cell] = cell;
    const auto leader_of = [&](unsigned int cell) {
      while (leader[cell] != cell)
        cell = leader[cell];
      return cell;
    };
    for (const unsigned int cell : cells_of_node.at(node))
      for (const Corners &face : faces_of(cells[cell]))
        if (const Corners key = sorted(face);
            std::count(key.begin(), key.end(), node) > 0 && split.count(key) == 0) {
          const Corners &neighbours = cells_of_face.at(key);
          const unsigned int first = leader_of(neighbours.front()),
                             second = leader_of(neighbours.back());
          leader[std::max(first, second)] = std::min(first, second);
        }
    std::map<unsigned int, Corners> groups;
    for (const auto &[cell, own_leader] : leader)
      groups[leader_of(cell)].push_back(cell);
    std::vector<Corners> list;
    for (auto &[first, group] : groups)
      list.push_back(std::move(group));
    return list;
  }

private:
  void add(const Corners &corners) {
    const auto cell = static_cast<unsigned int>(cells.size());
    if (!cell_of.emplace(sorted(corners), cell).second)
      return; // of another group, too
    cells.push_back(corners);
    for (const unsigned int corner : corners)
      cells_of_node[corner].push_back(cell);
    for (const Corners &face : faces_of(corners))
      cells_of_face[sorted(face)].push_back(cell);
  }
  std::vector<Corners> faces_of(const Corners &cell) const {
    std::vector<Corners> faces;
    for (const auto &face : element_faces(dim, static_cast<unsigned int>(cell.size()))) {
      faces.emplace_back();
      for (const unsigned int corner : face)
        faces.back().push_back(cell[corner]);
    }
    return faces;
  }

  const MeshModel &model;
  const unsigned int dim;
  std::vector<Corners> cells;
  std::map<Corners, unsigned int> cell_of;
  std::map<unsigned int, Corners> cells_of_node;
  std::map<Corners, Corners> cells_of_face;
};

const MeshGroup &split_group(const MeshModel &model, unsigned int dim, const std::string &name) {
  std::vector<std::string> names;
  for (const MeshGroup &group : model.groups)
    if (group.dimension + 1 == dim) {
      if (group.name == name)
        return group;
      names.push_back(group.name);
    }
  throw SplitError("'" + name + "' is no region of " + (dim == 2 ? "edges" : "faces") +
                   " of the mesh" + did_you_mean(name, names));
}

/// Returns the faces of all groups; each must lie between two cells.
std::set<Corners> split_faces(const MeshModel &model, unsigned int dim, const SplitCells &cells,
                              const std::vector<std::string> &names) {
  std::set<Corners> faces;
  for (const std::string &name : names) {
    const MeshGroup &group = split_group(model, dim, name);
    for (std::size_t i = 0; i < group.tags.size(); ++i) {
      const Corners face = corners_of(group, i);
      if (cells.cells_at(face).size() != 2)
        throw InputError(
            "Split names '" + name + "', and its element " + std::to_string(group.tags[i]) +
            " does not lie between two cells: a body is split along elements inside it");
      faces.insert(sorted(face));
    }
  }
  return faces;
}

/// Copies of nodes on split faces: the node that each group of cells has instead of a node.
class Copies {
public:
  Copies(const SplitCells &cells, const std::set<Corners> &split, MeshModel &model) {
    std::set<unsigned int> nodes;
    for (const Corners &face : split)
      nodes.insert(face.begin(), face.end());
    for (const unsigned int node : nodes)
      add(node, cells.groups_at(node, split), model);
  }

  /// Returns the node of a cell in place of a node.
  unsigned int copy_for_cell(unsigned int node, unsigned int cell) const {
    const auto found = copy.find({node, cell});
    return found == copy.end() ? node : found->second;
  }
  /// Returns all copies of a node, with itself.
  Corners all_of(unsigned int node) const {
    const auto found = copies.find(node);
    return found == copies.end() ? Corners{node} : found->second;
  }

private:
  void add(unsigned int node, const std::vector<Corners> &groups, MeshModel &model) {
    copies[node].push_back(node);
    for (std::size_t k = 1; k < groups.size(); ++k) {
      const auto next = static_cast<unsigned int>(model.nodes.size());
      model.nodes.push_back(Position(model.nodes[node]));
      model.tags.push_back(model.tags.back() + 1);
      copies[node].push_back(next);
      for (const unsigned int cell : groups[k])
        copy[{node, cell}] = next;
    }
  }

  std::map<std::pair<unsigned int, unsigned int>, unsigned int> copy;
  std::map<unsigned int, Corners> copies;
};

/// Returns a group with the nodes of the cells that its elements belong to.
MeshGroup renumbered(const MeshGroup &group, unsigned int dim, const SplitCells &cells,
                     const Copies &copies) {
  MeshGroup result = group;
  result.corners.clear();
  if (group.dimension == 0) {
    result.tags.clear();
    for (std::size_t i = 0; i < group.tags.size(); ++i)
      for (const unsigned int node : copies.all_of(group.corners[i])) {
        result.tags.push_back(group.tags[i]);
        result.corners.push_back(node);
      }
    return result;
  }
  for (std::size_t i = 0; i < group.tags.size(); ++i) {
    const Corners corners = corners_of(group, i);
    const unsigned int cell =
        group.dimension == dim ? cells.index_of(corners) : cells.cell_with(corners);
    for (const unsigned int corner : corners)
      result.corners.push_back(copies.copy_for_cell(corner, cell));
  }
  return result;
}

/// Returns the cells on one side of each element of a split group, and on the other: for the first
/// element, the side that its normal points to, and for elements that share nodes the same side
/// where the groups of cells tell.
std::array<Corners, 2> cells_of_sides(const MeshGroup &group, const SplitCells &cells,
                                      const Copies &copies) {
  std::array<Corners, 2> sides;
  std::map<unsigned int, std::vector<std::size_t>> elements_of_node;
  for (std::size_t i = 0; i < group.tags.size(); ++i) {
    const Corners face = corners_of(group, i);
    const Corners &neighbours = cells.cells_at(face);
    const bool is_first = cells.is_ahead(neighbours.front(), face);
    sides[0].push_back(is_first ? neighbours.front() : neighbours.back());
    sides[1].push_back(is_first ? neighbours.back() : neighbours.front());
    for (const unsigned int node : face)
      elements_of_node[node].push_back(i);
  }
  std::vector<bool> is_known(group.tags.size(), false);
  for (std::size_t start = 0; start < group.tags.size(); ++start) {
    std::vector<std::size_t> queue;
    if (!is_known[start])
      queue.push_back(start);
    is_known[start] = true;
    for (; !queue.empty();) {
      const std::size_t i = queue.back();
      queue.pop_back();
      for (const unsigned int node : corners_of(group, i))
        for (const std::size_t next : elements_of_node[node]) {
          const auto copy = [&](std::size_t element, unsigned int side) {
            return copies.copy_for_cell(node, sides[side][element]);
          };
          if (is_known[next] || copy(i, 0) == copy(i, 1))
            continue;
          if (copy(next, 0) == copy(i, 1) || copy(next, 1) == copy(i, 0))
            std::swap(sides[0][next], sides[1][next]);
          else if (copy(next, 0) != copy(i, 0) && copy(next, 1) != copy(i, 1))
            continue; // at a crossing
          is_known[next] = true;
          queue.push_back(next);
        }
    }
  }
  return sides;
}

/// Returns a split group with the nodes of these cells.
MeshGroup side(const MeshGroup &group, const std::string &name, const Corners &own_cells,
               const Copies &copies) {
  MeshGroup result = group;
  result.name = name;
  result.corners.clear();
  for (std::size_t i = 0; i < group.tags.size(); ++i)
    for (const unsigned int corner : corners_of(group, i))
      result.corners.push_back(copies.copy_for_cell(corner, own_cells[i]));
  return result;
}

} // namespace

void split_mesh(MeshModel &model, unsigned int dim, const std::vector<std::string> &names) {
  if (names.empty())
    return;
  const MeshModel original = model; // the cells keep a reference
  const SplitCells cells(original, dim);
  const std::set<Corners> faces = split_faces(original, dim, cells, names);
  const Copies copies(cells, faces, model);
  model.groups.clear();
  for (const MeshGroup &group : original.groups)
    if (group.dimension + 1 == dim && std::count(names.begin(), names.end(), group.name) > 0) {
      const auto sides = cells_of_sides(group, cells, copies);
      model.groups.push_back(side(group, group.name + " 1", sides[0], copies));
      model.groups.push_back(side(group, group.name + " 2", sides[1], copies));
    } else
      model.groups.push_back(renumbered(group, dim, cells, copies));
}

} // namespace percussion
