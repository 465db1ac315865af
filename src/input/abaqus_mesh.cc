#include "abaqus_mesh.h"

#include <percussion/base/error.h>
#include <percussion/base/nearest_name.h>
#include <percussion/input/patterns.h>

#include "element_faces.h"
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

namespace percussion {
namespace {

using Number = std::size_t;

std::string trimmed(const std::string &text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\""),
                    end = text.find_last_not_of(" \t\r\"");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// Names are the same in capital letters.
std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::vector<std::string> fields(const std::string &line) {
  std::vector<std::string> all;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');)
    all.push_back(trimmed(field));
  if (!all.empty() && all.back().empty())
    all.pop_back();
  return all;
}

/// Dimension and number of corners of the elements of a type.
struct ElementType {
  unsigned int dimension, n_corners;
};

constexpr Number largest_number = 2000000000;

/// Returns the number in a field. Throws InputError.
template <typename Value>
Value number_of(const std::string &field) {
  const auto value = to_number<double>(field);
  if (!value)
    throw InputError("'" + field + "' is not a number");
  if constexpr (std::is_integral_v<Value>)
    if (!(*value >= 0. && *value <= static_cast<double>(largest_number)) ||
        *value != static_cast<double>(static_cast<Value>(*value)))
      throw InputError("'" + field + "' is not the number of a node or an element");
  return static_cast<Value>(*value);
}

/// Returns the type of elements; no value for elements that are no part of a mesh, such as masses.
/// Throws InputError for elements that have no meaning here.
std::optional<ElementType> element_type(const std::string &name) {
  static const std::regex point("(MASS|ROTARY|SPRING|DASHPOT|CONN|DCOUP|GAP).*"),
      axisymmetric("(CAX|CGAX|DCAX|DCCAX|ACAX|RAX|SAX|MAX|SFMAX)[0-9].*"),
      solid("(DC|AC|C)3D(4|8)[A-Z]*"), second_order_solid("(DC|AC|C)3D(10|20|27)[A-Z]*"),
      other_solid("(DC|AC|C)3D(5|6|15)[A-Z]*|SC[68].*"),
      plane("(CPS|CPE|CPEG|SFM3D|M3D|R3D|STRI|DS|S|DC2D|AC2D|F3D)(3|4)[A-Z]*"),
      second_order_plane("(CPS|CPE|CPEG|SFM3D|M3D|STRI|DS|S|DC2D|AC2D)(6|65|8|9)[A-Z0-9]*"),
      line("(T2D2|T3D2|R2D2|F2D2|DC1D2|B21|B31|B23|B33)[A-Z]*"),
      second_order_line("(T2D3|T3D3|DC1D3|B22|B32)[A-Z]*");
  std::smatch found;
  const auto matches = [&](const std::regex &pattern) {
    return std::regex_match(name, found, pattern);
  };
  if (matches(point))
    return std::nullopt;
  if (matches(solid))
    return ElementType{3, found[2] == "4" ? 4u : 8u};
  if (matches(plane))
    return ElementType{2, found[2] == "3" ? 3u : 4u};
  if (matches(line))
    return ElementType{1, 2};
  const std::string subject = "elements of the type " + name;
  if (matches(second_order_solid) || matches(second_order_plane) || matches(second_order_line))
    throw InputError(subject + " are of order 2; only first-order meshes are supported (types such "
                               "as CPS4, C3D4, C3D8)");
  if (matches(axisymmetric))
    throw InputError(subject + " are axisymmetric, and bodies are plane or in space");
  if (matches(other_solid))
    throw InputError(subject + " are pyramids or wedges; mesh the body with tetrahedra (C3D4) or "
                               "hexahedra (C3D8) alone");
  throw InputError(subject +
                   " are unknown; a body has triangles or quadrilaterals (CPS3, CPE4, S4, "
                   "...), tetrahedra (C3D4) or hexahedra (C3D8)");
}

/// Element of the file.
struct Element {
  ElementType type;
  std::vector<Number> nodes;
};

/// Surface: faces of elements or of sets of elements, or a set of nodes.
struct Surface {
  std::string name;
  bool is_on_nodes = false;
  std::vector<std::pair<std::string, std::string>> items; ///< element or set, and label of the face
};

/// Set of numbers, or of the names of other sets.
struct Set {
  std::string name; ///< as it is written
  std::vector<Number> numbers;
};

/// Contents of a file: reads it line by line.
class AbaqusFile {
public:
  explicit AbaqusFile(const std::string &text) : most_members(text.size()) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      ++line_number;
      if (line.rfind("**", 0) == 0 || trimmed(line).empty())
        continue;
      try {
        if (line.front() == '*' || goes_on)
          read_keyword(line);
        else
          read_data(line);
      } catch (const InputError &error) {
        throw InputError("line " + std::to_string(line_number) + ": " + error.what());
      }
    }
    if (!pending.empty())
      throw InputError("the file ends within an element: it is cut off; write it again");
  }

  std::map<Number, std::array<double, 3>> nodes;
  std::map<Number, Element> elements;
  std::map<std::string, Set> node_sets, element_sets; ///< by their names in capital letters
  std::vector<Surface> surfaces;

private:
  /// Reads a line with a keyword and its parameters, NAME=VALUE; a comma at its end continues it.
  void read_keyword(const std::string &line) {
    if (!goes_on) {
      words.clear();
      keyword.clear();
    }
    for (const std::string &field : fields(line)) {
      const std::size_t equals = field.find('=');
      if (keyword.empty()) {
        keyword = upper_case(trimmed(field.substr(std::min<std::size_t>(1, field.size()))));
        if (keyword.empty())
          throw InputError("a keyword is missing behind '*'");
      } else
        words[upper_case(trimmed(field.substr(0, equals)))] =
            equals == std::string::npos ? "" : trimmed(field.substr(equals + 1));
    }
    goes_on = trimmed(line).back() == ',';
    if (!goes_on)
      begin_section();
  }

  void begin_section() {
    if (!pending.empty())
      throw InputError("an element ends before its last node");
    refuse_what_changes_the_mesh();
    n_parts += keyword == "PART";
    n_instances += keyword == "INSTANCE";
    if (n_instances > 1 || n_parts > 1)
      throw InputError("several parts or instances are not read; write a file for each body");
    is_assembly_open = keyword == "ASSEMBLY" || (is_assembly_open && keyword != "END ASSEMBLY");
    is_instance_open = keyword == "INSTANCE" || (is_instance_open && keyword != "END INSTANCE");
    // Nodes of an assembly are reference points, with numbers of their own.
    const bool belongs_to_assembly =
        is_assembly_open && !is_instance_open && words.count("INSTANCE") == 0;
    if (belongs_to_assembly &&
        (keyword == "NODE" || keyword == "ELEMENT" || keyword == "NSET" || keyword == "ELSET"))
      keyword = "of the assembly";
    if (keyword == "ELEMENT") {
      if (word("TYPE").empty())
        throw InputError("*ELEMENT needs TYPE=");
      type = element_type(upper_case(word("TYPE")));
    }
    if (keyword == "NSET" || keyword == "ELSET")
      set_of(word(keyword));
    if (keyword == "SURFACE") {
      surfaces.push_back({word("NAME"), upper_case(word("TYPE")) == "NODE", {}});
      if (surfaces.back().name.empty())
        throw InputError("*SURFACE needs NAME=");
    }
  }

  /// Refuses keywords and parameters that would make or move nodes and elements.
  void refuse_what_changes_the_mesh() const {
    for (const char *const unread :
         {"INCLUDE", "NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYSTEM"})
      if (keyword == unread)
        throw InputError("*" + keyword +
                         " is not read; write one file with all nodes and elements "
                         "where they are");
    if ((keyword == "NODE" || keyword == "ELEMENT") && words.count("INPUT") > 0)
      throw InputError("INPUT= is not read; write one file with the whole mesh");
    if (keyword == "NODE" && words.count("SYSTEM") > 0 && upper_case(word("SYSTEM")) != "R")
      throw InputError("SYSTEM=" + word("SYSTEM") + " is not read; write Cartesian coordinates");
  }

  void read_data(const std::string &line) {
    if (keyword == "NODE")
      read_node(line);
    else if (keyword == "ELEMENT" && type)
      read_element(line);
    else if (keyword == "NSET" || keyword == "ELSET")
      read_set(line);
    else if (keyword == "SURFACE") {
      const auto items = fields(line);
      if (items.empty() || items[0].empty())
        throw InputError("a surface needs an element, a node or a set in each line");
      surfaces.back().items.emplace_back(items[0], items.size() > 1 ? items[1] : "");
    } else if (keyword == "INSTANCE")
      for (const std::string &field : fields(line))
        if (number_of<double>(field) != 0.)
          throw InputError("an instance that is moved is not read; write the mesh where it is");
  }

  void read_node(const std::string &line) {
    const auto numbers = fields(line);
    if (numbers.size() < 3)
      throw InputError("a node needs a number and two or three coordinates");
    std::array<double, 3> x{};
    for (std::size_t d = 0; d < 3 && d + 1 < numbers.size(); ++d)
      x[d] = number_of<double>(numbers[d + 1]);
    const Number node = number_of<Number>(numbers[0]);
    if (const auto [entry, is_new] = nodes.emplace(node, x); !is_new && entry->second != x)
      throw InputError("node " + numbers[0] + " is given twice, at different positions");
    if (!word("NSET").empty())
      set_of(word("NSET"), node_sets).numbers.push_back(node);
  }

  /// Reads a line of an element, which may have several.
  void read_element(const std::string &line) {
    for (const std::string &field : fields(line))
      pending.push_back(number_of<Number>(field));
    if (pending.size() < type->n_corners + 1)
      return;
    if (pending.size() > type->n_corners + 1)
      throw InputError("an element of the type " + word("TYPE") + " has " +
                       std::to_string(type->n_corners) + " nodes");
    Element element{*type, {pending.begin() + 1, pending.end()}};
    if (const auto [entry, is_new] = elements.emplace(pending[0], element);
        !is_new && entry->second.nodes != element.nodes)
      throw InputError("element " + std::to_string(pending[0]) +
                       " is given twice, with different nodes");
    if (!word("ELSET").empty())
      set_of(word("ELSET"), element_sets).numbers.push_back(pending[0]);
    pending.clear();
  }

  void read_set(const std::string &line) {
    auto &sets = keyword == "NSET" ? node_sets : element_sets;
    Set &set = set_of(word(keyword), sets);
    const auto items = fields(line);
    if (words.count("GENERATE") > 0) {
      if (items.size() < 2)
        throw InputError("GENERATE needs the first and the last number");
      const Number last = number_of<Number>(items[1]),
                   step = items.size() > 2 ? number_of<Number>(items[2]) : 1;
      if (step == 0 || last > largest_number)
        throw InputError("GENERATE needs numbers that ascend in steps of 1 or more");
      const Number first = number_of<Number>(items[0]);
      if (last > first && (last - first) / step > most_members)
        throw InputError("GENERATE gives more numbers than the file can have nodes or elements");
      for (Number n = first; n <= last; n += step)
        set.numbers.push_back(n);
      return bound(set);
    }
    for (const std::string &item : items)
      if (const auto n = to_number<double>(item))
        set.numbers.push_back(number_of<Number>(item));
      else if (const auto other = sets.find(upper_case(item)); other != sets.end()) {
        const std::vector<Number> added = other->second.numbers; // possibly of the same set
        set.numbers.insert(set.numbers.end(), added.begin(), added.end());
      } else
        throw InputError("there is no set '" + item + "' before this line");
    bound(set);
  }

  /// Keeps the members of a set that grows, once each.
  void bound(Set &set) const {
    if (set.numbers.size() <= most_members)
      return;
    std::sort(set.numbers.begin(), set.numbers.end());
    set.numbers.erase(std::unique(set.numbers.begin(), set.numbers.end()), set.numbers.end());
    if (set.numbers.size() > most_members)
      throw InputError("the set '" + set.name +
                       "' has more members than the file can have nodes or elements");
  }

  std::string word(const std::string &parameter) const {
    const auto found = words.find(parameter);
    return found == words.end() ? "" : found->second;
  }
  Set &set_of(const std::string &name, std::map<std::string, Set> &sets) {
    if (name.empty())
      throw InputError("*" + keyword + " needs a name");
    Set &set = sets[upper_case(name)];
    if (set.name.empty())
      set.name = name;
    return set;
  }
  void set_of(const std::string &name) {
    set_of(name, keyword == "NSET" ? node_sets : element_sets);
  }

  std::size_t most_members; ///< largest number of members of a set, the number of bytes of the file
  unsigned int line_number = 0, n_parts = 0, n_instances = 0;
  bool is_assembly_open = false, is_instance_open = false;
  bool goes_on = false;                     ///< true if the line before ends with a comma
  std::string keyword;                      ///< keyword of the section
  std::map<std::string, std::string> words; ///< parameters of the section
  std::optional<ElementType> type;          ///< type of the section's elements
  std::vector<Number> pending;              ///< numbers of an element whose lines are not complete
};

/// Makes the model of a file.
class Builder {
public:
  Builder(const AbaqusFile &all, unsigned int dimension) : file(all), dim(dimension) {
    for (const auto &[number, x] : file.nodes) {
      index[number] = static_cast<unsigned int>(model.tags.size());
      model.tags.push_back(number);
      model.nodes.push_back(x);
    }
    for (const auto &[number, element] : file.elements)
      if (element.type.dimension == dim)
        cells.push_back(number);
    check_shapes();
    body = make_group("body", dim, cells);
    is_in_body.assign(model.nodes.size(), false);
    for (const unsigned int corner : body.corners)
      is_in_body[corner] = true;
    exterior = exterior_faces(body.corners, dim, body.n_corners);
  }

  MeshModel result() {
    for (const Surface &surface : file.surfaces)
      surface.is_on_nodes ? add_nodes(surface.name, nodes_of(surface)) : add_surface(surface);
    for (const auto &[key, set] : file.element_sets)
      add_elements(set);
    for (const auto &[key, set] : file.node_sets)
      add_nodes(set.name, set.numbers);
    add_body();
    return std::move(model);
  }

private:
  void check_shapes() const {
    if (cells.empty())
      throw InputError("the file has no " + std::to_string(dim) + "D elements (*ELEMENT)");
    const unsigned int n = file.elements.at(cells.front()).type.n_corners;
    for (const Number cell : cells)
      if (file.elements.at(cell).type.n_corners != n)
        throw InputError(dim == 2 ? "the mesh mixes triangles and quadrilaterals; mesh it with one "
                                    "kind"
                                  : "the mesh mixes tetrahedra and hexahedra; mesh it with one "
                                    "kind");
  }

  unsigned int index_of(Number node, const std::string &owner) const {
    const auto found = index.find(node);
    if (found == index.end())
      throw InputError(owner + " has node " + std::to_string(node) +
                       ", which the file does not hold; write the file again");
    return found->second;
  }

  MeshGroup make_group(const std::string &name, unsigned int dimension,
                       const std::vector<Number> &numbers) const {
    MeshGroup group{name, dimension, 0, numbers, {}};
    for (const Number number : numbers) {
      const Element &element = file.elements.at(number);
      group.n_corners = element.type.n_corners;
      for (const Number node : element.nodes)
        group.corners.push_back(index_of(node, "element " + std::to_string(number)));
    }
    return group;
  }

  /// Returns a group of faces or nodes, numbered from 1.
  static MeshGroup numbered(const std::string &name, unsigned int dimension, unsigned int n_corners,
                            std::vector<unsigned int> corners) {
    MeshGroup group{name, dimension, n_corners, {}, std::move(corners)};
    for (std::size_t k = 1; k <= group.corners.size() / n_corners; ++k)
      group.tags.push_back(k);
    return group;
  }

  /// Adds a group, unless it is empty, one of Abaqus' own ("_name") or, with a remark, has nodes
  /// that are no nodes of the body. Returns true if it is added.
  bool add(MeshGroup group) {
    if (group.tags.empty() || group.name.empty() || group.name.front() == '_')
      return false;
    if (!std::all_of(group.corners.begin(), group.corners.end(),
                     [&](unsigned int node) { return is_in_body[node]; })) {
      model.remarks.push_back("the set '" + group.name +
                              "' has nodes that belong to no cell of the body, and is no region");
      return false;
    }
    while (model.contains(group.name))
      group.name += group.dimension == dim ? " cells" : group.dimension == 0 ? " nodes" : " faces";
    model.add(std::move(group));
    return true;
  }

  /// Returns the number of corners that elements of a dimension must have: of cells, of their
  /// faces, or of lines.
  unsigned int n_corners_in(unsigned int dimension) const {
    return dimension == dim       ? body.n_corners
           : dimension + 1 == dim ? static_cast<unsigned int>(n_corners_of_face())
                                  : 2u;
  }

  /// Adds a set of elements: those of its highest dimension that can be cells or faces of the body.
  void add_elements(const Set &set) {
    std::map<unsigned int, std::vector<Number>> numbers; // by dimension
    std::size_t n_others = 0;
    for (const Number number : set.numbers)
      if (const auto found = file.elements.find(number); found != file.elements.end()) {
        const ElementType &type = found->second.type;
        if (type.dimension <= dim && type.n_corners == n_corners_in(type.dimension))
          numbers[type.dimension].push_back(number);
        else
          ++n_others;
      }
    if (numbers.empty())
      return;
    const auto &[dimension, highest] = *numbers.rbegin();
    const bool is_added = add(make_group(set.name, dimension, highest));
    if (is_added && (numbers.size() > 1 || n_others > 0))
      model.remarks.push_back("the set '" + set.name +
                              "' has elements of several kinds; its region has those of "
                              "dimension " +
                              std::to_string(dimension));
    const bool has_all =
        dimension == dim && std::set<Number>(highest.begin(), highest.end()).size() == cells.size();
    covers_all = covers_all || (is_added && has_all);
  }

  /// Adds a set of nodes: as faces if its nodes are the nodes of faces of the boundary.
  void add_nodes(const std::string &name, const std::vector<Number> &numbers) {
    std::set<unsigned int> nodes, face_nodes;
    std::vector<bool> is_member(model.nodes.size(), false);
    for (const Number number : numbers) {
      nodes.insert(index_of(number, "the set '" + name + "'"));
      is_member[index.at(number)] = true;
    }
    const auto n = n_corners_of_face();
    std::vector<unsigned int> faces;
    for (auto face = exterior.begin(); face != exterior.end(); face += n)
      if (std::all_of(face, face + n, [&](unsigned int node) { return is_member[node]; })) {
        faces.insert(faces.end(), face, face + n);
        face_nodes.insert(face, face + n);
      }
    if (!nodes.empty() && face_nodes == nodes)
      add(numbered(name, dim - 1, static_cast<unsigned int>(n), std::move(faces)));
    else
      add(numbered(name, 0, 1, {nodes.begin(), nodes.end()}));
  }

  std::vector<Number> nodes_of(const Surface &surface) const {
    std::vector<Number> nodes;
    for (const auto &item : surface.items)
      if (const auto set = file.node_sets.find(upper_case(item.first)); set != file.node_sets.end())
        nodes.insert(nodes.end(), set->second.numbers.begin(), set->second.numbers.end());
      else if (to_number<double>(item.first))
        nodes.push_back(number_of<Number>(item.first));
      else
        throw_unknown(surface, item.first);
    return nodes;
  }

  /// Adds the faces of a surface; without a label, all faces of its elements on the boundary.
  void add_surface(const Surface &surface) {
    std::vector<unsigned int> corners;
    for (const auto &[item, label] : surface.items)
      for (const Number number : elements_of(surface, item)) {
        const auto found = file.elements.find(number);
        if (found == file.elements.end())
          throw_unknown(surface, item);
        const Element &element = found->second;
        const MeshGroup nodes = make_group("", element.type.dimension, {number});
        if (element.type.dimension + 1 == dim && nodes.corners.size() == n_corners_in(dim - 1))
          corners.insert(corners.end(), nodes.corners.begin(), nodes.corners.end());
        else if (element.type.dimension == dim)
          for (const unsigned int f : faces_of(surface, label, nodes))
            for (const unsigned int corner : element_faces(dim, nodes.n_corners)[f])
              corners.push_back(nodes.corners[corner]);
      }
    add(numbered(surface.name, dim - 1, static_cast<unsigned int>(n_corners_of_face()),
                 std::move(corners)));
  }

  std::vector<Number> elements_of(const Surface &surface, const std::string &item) const {
    if (const auto set = file.element_sets.find(upper_case(item)); set != file.element_sets.end())
      return set->second.numbers;
    if (!to_number<double>(item))
      throw_unknown(surface, item);
    return {number_of<Number>(item)};
  }

  /// Returns the faces with a label, S1 and so on, of an element.
  std::vector<unsigned int> faces_of(const Surface &surface, const std::string &label,
                                     const MeshGroup &element) {
    const auto &faces = element_faces(dim, element.n_corners);
    std::vector<unsigned int> found;
    for (unsigned int f = 0; f < faces.size(); ++f)
      if (label.empty() ? is_exterior(faces[f], element)
                        : upper_case(label) == "S" + std::to_string(f + 1) ||
                              upper_case(label) == "E" + std::to_string(f + 1))
        found.push_back(f);
    if (found.empty() && !label.empty())
      throw InputError("the surface '" + surface.name + "' has a face '" + label +
                       "'; faces are S1 to S" + std::to_string(faces.size()));
    return found;
  }

  bool is_exterior(const std::vector<unsigned int> &face, const MeshGroup &element) {
    if (sorted_exterior.empty())
      for (auto first = exterior.begin(); first != exterior.end(); first += n_corners_of_face())
        sorted_exterior.emplace(first, first + n_corners_of_face());
    std::multiset<unsigned int> corners;
    for (const unsigned int corner : face)
      corners.insert(element.corners[corner]);
    return sorted_exterior.count(corners) > 0;
  }

  [[noreturn]] static void throw_unknown(const Surface &surface, const std::string &item) {
    throw InputError("the surface '" + surface.name + "' names '" + item +
                     "', which is no set and no element of the file");
  }

  std::ptrdiff_t n_corners_of_face() const {
    return static_cast<std::ptrdiff_t>(element_faces(dim, body.n_corners).front().size());
  }

  void add_body() {
    if (!covers_all)
      add(body);
  }

  const AbaqusFile &file;
  unsigned int dim;
  MeshModel model;
  std::map<Number, unsigned int> index; ///< index of each node in the model
  std::vector<Number> cells;            ///< elements of dimension dim
  MeshGroup body;
  std::vector<bool> is_in_body;       ///< true for the corners of cells
  std::vector<unsigned int> exterior; ///< corners of the faces of the boundary
  std::set<std::multiset<unsigned int>> sorted_exterior;
  bool covers_all = false; ///< true if a set of elements holds all cells
};

} // namespace

MeshModel read_abaqus_mesh(const std::string &text, unsigned int dim) {
  const AbaqusFile file(text);
  if (file.nodes.empty() || file.elements.empty())
    throw InputError("the file has no nodes and elements (*NODE, *ELEMENT)");
  return Builder(file, dim).result();
}

unsigned int abaqus_dimension(const std::string &text) {
  unsigned int largest = 2;
  try {
    for (const auto &[number, element] : AbaqusFile(text).elements)
      largest = std::max(largest, element.type.dimension);
  } catch (const InputError &) { // reported when the mesh is read
  }
  return largest;
}

} // namespace percussion
