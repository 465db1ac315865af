#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace percussion {

/// Dimension and numbers of corners and nodes of the elements of a type.
struct AbaqusElementType {
  unsigned int dimension, n_corners, n_nodes;
  bool is_axisymmetric = false;
};

/// Element of the file; its corners precede its other nodes.
struct AbaqusElement {
  AbaqusElementType type;
  std::vector<std::size_t> nodes;
};

/// Surface: faces of elements or of sets of elements, or a set of nodes.
struct AbaqusSurface {
  std::string name;
  bool is_on_nodes = false;
  std::vector<std::pair<std::string, std::string>> items; ///< element or set, and label of the face
};

/// Named set of nodes or elements, by their numbers.
struct AbaqusSet {
  std::string name; ///< name as it is written
  std::vector<std::size_t> numbers;
};

/// Nodes, elements, sets and surfaces of an input file of Abaqus or CalculiX.
struct AbaqusFile {
  std::map<std::size_t, std::array<double, 3>> nodes;
  std::map<std::size_t, AbaqusElement> elements;
  std::map<std::string, AbaqusSet> node_sets, element_sets; ///< by their names in capital letters
  std::vector<AbaqusSurface> surfaces;
  bool is_by_meshio = false; ///< true if meshio wrote it, which calls all quadrilaterals CAX4P
};

/// Reads an input file. Throws InputError, with the line, for wrong lines, for elements that are
/// none of a mesh of first or second order, and for keywords that would make or move nodes and
/// elements.
AbaqusFile read_abaqus_file(const std::string &text);

/// Returns a name in capital letters: names that differ in them only are one.
std::string upper_case(std::string text);

/// Returns the number of a node or an element, or a coordinate, in a field. Throws InputError.
template <typename Value>
Value number_of(const std::string &field);

} // namespace percussion
