#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

namespace percussion {

/// Named elements of one dimension: a physical group of Gmsh, a set or surface of Abaqus.
struct MeshGroup {
  std::string name;
  unsigned int dimension = 0;
  unsigned int n_corners = 0;        ///< number of corners of each element
  std::vector<std::size_t> tags;     ///< number of each element in the file
  std::vector<unsigned int> corners; ///< n_corners indices of the model's nodes per element
  /// Arrays of numbers of the file, with the value of each element.
  std::map<std::string, std::vector<double>> arrays = {};
};

/// Contents of a file that a finite-element body with straight cells needs. Corners of an element
/// are in Gmsh's order, which is around a quadrilateral.
struct MeshModel {
  std::vector<std::size_t> tags;            ///< number of each node in the file; ascending
  std::vector<std::array<double, 3>> nodes; ///< coordinates of the nodes
  std::vector<MeshGroup> groups;            ///< groups, dimensions ascending
  unsigned int order = 1;                   ///< order of the elements of highest dimension, 1 or 2
  bool is_axisymmetric = false;             ///< true if the file has elements of revolution
  std::vector<std::string> remarks;         ///< remarks on legal, but possibly unintended contents

  /// Adds a group of nodes, or of elements, behind all groups of its dimension.
  void add(MeshGroup group);
  /// True if a group has this name.
  bool contains(const std::string &name) const;
};

} // namespace percussion
