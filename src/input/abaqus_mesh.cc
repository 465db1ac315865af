#include "abaqus_mesh.h"

#include <percussion/base/error.h>
#include <percussion/input/patterns.h>

#include "abaqus_file.h"
#include "curved_element.h"
#include "element_faces.h"
#include <algorithm>
#include <map>
#include <set>

namespace percussion {
namespace {

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
    read_middles();
    is_in_body.assign(model.nodes.size(), false);
    for (const unsigned int corner : body.corners)
      is_in_body[corner] = true;
    exterior = exterior_faces(body.corners, dim, body.n_corners);
  }

  MeshModel result() {
    for (const AbaqusSurface &surface : file.surfaces)
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
    const AbaqusElementType &first = file.elements.at(cells.front()).type;
    for (const std::size_t cell : cells) {
      const AbaqusElementType &type = file.elements.at(cell).type;
      if (type.n_corners != first.n_corners)
        throw InputError(dim == 2 ? "the mesh mixes triangles and quadrilaterals; mesh it with one "
                                    "kind"
                                  : "the mesh mixes tetrahedra and hexahedra; mesh it with one "
                                    "kind");
      if (is_second_order(type) != is_second_order(first))
        throw InputError("the mesh mixes orders: element " + std::to_string(cells.front()) +
                         " has " + std::to_string(first.n_nodes) + " nodes, and element " +
                         std::to_string(cell) + " has " + std::to_string(type.n_nodes) +
                         "; mesh it with one order");
      if (type.is_axisymmetric != first.is_axisymmetric)
        throw InputError("the mesh mixes axisymmetric elements (CAX) with others: of elements " +
                         std::to_string(cells.front()) + " and " + std::to_string(cell) +
                         " only one is; give each body a file");
    }
  }

  static bool is_second_order(const AbaqusElementType &type) {
    return type.n_nodes > type.n_corners;
  }

  /// Reads the nodes of the cells that are no corners, and remarks on curved cells.
  void read_middles() {
    is_middle.assign(model.nodes.size(), false);
    const AbaqusElementType &first = file.elements.at(cells.front()).type;
    model.is_axisymmetric = first.is_axisymmetric && !file.is_by_meshio;
    if (!is_second_order(first))
      return;
    model.order = 2;
    const auto middles = element_middles(dim, body.n_corners);
    double largest = 0;
    for (const std::size_t cell : cells) {
      std::vector<std::array<double, 3>> positions;
      std::vector<unsigned int> nodes;
      for (const std::size_t number : file.elements.at(cell).nodes) {
        nodes.push_back(index.at(number));
        positions.push_back(model.nodes[nodes.back()]);
      }
      for (std::size_t k = body.n_corners; k < nodes.size(); ++k) {
        std::vector<unsigned int> ends;
        for (const unsigned int corner : middles[k - body.n_corners])
          ends.push_back(nodes[corner]);
        std::sort(ends.begin(), ends.end());
        middle_between[ends] = nodes[k];
        is_middle[nodes[k]] = true;
      }
      largest = std::max(largest, curvature(positions, body.n_corners, middles));
    }
    for (const unsigned int corner : body.corners) // also where orders do not match
      is_middle[corner] = false;
    model.remarks = remark_on_curvature(largest);
  }

  unsigned int index_of(std::size_t node, const std::string &owner) const {
    const auto found = index.find(node);
    if (found == index.end())
      throw InputError(owner + " has node " + std::to_string(node) +
                       ", which the file does not hold; write the file again");
    return found->second;
  }

  MeshGroup make_group(const std::string &name, unsigned int dimension,
                       const std::vector<std::size_t> &numbers) const {
    MeshGroup group{name, dimension, 0, numbers, {}};
    for (const std::size_t number : numbers) {
      const AbaqusElement &element = file.elements.at(number);
      group.n_corners = element.type.n_corners;
      for (std::size_t k = 0; k < element.nodes.size(); ++k) {
        const unsigned int node = index_of(element.nodes[k], "element " + std::to_string(number));
        if (k < group.n_corners)
          group.corners.push_back(node);
      }
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

  /// Adds the elements of highest dimension of a set that can be cells or faces of the body.
  void add_elements(const AbaqusSet &set) {
    std::map<unsigned int, std::vector<std::size_t>> numbers; // by dimension
    std::size_t n_others = 0;
    for (const std::size_t number : set.numbers)
      if (const auto found = file.elements.find(number); found != file.elements.end()) {
        const AbaqusElementType &type = found->second.type;
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
        dimension == dim &&
        std::set<std::size_t>(highest.begin(), highest.end()).size() == cells.size();
    covers_all = covers_all || (is_added && has_all);
  }

  /// Adds a set of nodes: as faces if its nodes are the nodes of faces of the boundary, and with
  /// order 2 as cells if its nodes are the nodes of cells. Other middles have no number in a mesh
  /// of vertices. The middles of faces may be missing altogether.
  void add_nodes(const std::string &name, const std::vector<std::size_t> &numbers) {
    std::set<unsigned int> vertices, middles, nodes_of_faces;
    std::vector<bool> is_member(model.nodes.size(), false);
    for (const std::size_t number : numbers) {
      const unsigned int node = index_of(number, "the set '" + name + "'");
      is_member[node] = true;
      (is_middle[node] ? middles : vertices).insert(node);
    }
    const auto n = n_corners_of_face();
    std::vector<unsigned int> faces;
    for (auto face = exterior.begin(); face != exterior.end(); face += n) {
      std::vector<unsigned int> nodes(face, face + n);
      if (!middles.empty())
        add_middles(nodes);
      if (!std::all_of(nodes.begin(), nodes.end(), [&](unsigned int k) { return is_member[k]; }))
        continue;
      faces.insert(faces.end(), face, face + n);
      nodes_of_faces.insert(nodes.begin(), nodes.end());
    }
    if (!vertices.empty() && nodes_of_faces.size() == vertices.size() + middles.size())
      add(numbered(name, dim - 1, static_cast<unsigned int>(n), std::move(faces)));
    else if (const auto inside =
                 middles.empty() ? std::vector<std::size_t>() : cells_with(is_member);
             !inside.empty())
      add(make_group(name, dim, inside));
    else {
      const bool is_region = add(numbered(name, 0, 1, {vertices.begin(), vertices.end()}));
      if (vertices.empty() && !middles.empty() && !name.empty() && name.front() != '_')
        model.remarks.push_back("the set '" + name +
                                "' has nodes in the middle of edges only, and is no region");
      else if (is_region && !middles.empty())
        model.remarks.push_back("the set '" + name +
                                "' does not consist of whole faces or cells: its region has the "
                                "vertices of the set, without its " +
                                std::to_string(middles.size()) + " nodes in the middle of edges");
    }
  }

  /// Adds the middles between the corners of a face: of its edges, and of the face itself.
  void add_middles(std::vector<unsigned int> &face) const {
    const std::vector<unsigned int> corners = face;
    const auto add_between = [&](std::vector<unsigned int> ends) {
      std::sort(ends.begin(), ends.end());
      if (const auto found = middle_between.find(ends); found != middle_between.end())
        face.push_back(found->second);
    };
    for (std::size_t k = 0; dim == 3 && k < corners.size(); ++k)
      add_between({corners[k], corners[(k + 1) % corners.size()]});
    add_between(corners);
  }

  /// Returns the cells all of whose nodes are members; none if they lack a member.
  std::vector<std::size_t> cells_with(std::vector<bool> is_member) const {
    std::vector<std::size_t> inside;
    for (const std::size_t cell : cells) {
      const auto &nodes = file.elements.at(cell).nodes;
      if (std::all_of(nodes.begin(), nodes.end(),
                      [&](std::size_t node) { return is_member[index.at(node)]; }))
        inside.push_back(cell);
    }
    for (const std::size_t cell : inside)
      for (const std::size_t node : file.elements.at(cell).nodes)
        is_member[index.at(node)] = false;
    const bool have_all = std::find(is_member.begin(), is_member.end(), true) == is_member.end();
    return have_all ? inside : std::vector<std::size_t>();
  }

  std::vector<std::size_t> nodes_of(const AbaqusSurface &surface) const {
    std::vector<std::size_t> nodes;
    for (const auto &item : surface.items)
      if (const auto set = file.node_sets.find(upper_case(item.first)); set != file.node_sets.end())
        nodes.insert(nodes.end(), set->second.numbers.begin(), set->second.numbers.end());
      else if (to_number<double>(item.first))
        nodes.push_back(number_of<std::size_t>(item.first));
      else
        throw_unknown(surface, item.first);
    return nodes;
  }

  /// Adds the faces of a surface; without a label, all faces of its elements on the boundary.
  void add_surface(const AbaqusSurface &surface) {
    std::vector<unsigned int> corners;
    for (const auto &[item, label] : surface.items)
      for (const std::size_t number : elements_of(surface, item)) {
        const auto found = file.elements.find(number);
        if (found == file.elements.end())
          throw_unknown(surface, item);
        const AbaqusElement &element = found->second;
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

  std::vector<std::size_t> elements_of(const AbaqusSurface &surface,
                                       const std::string &item) const {
    if (const auto set = file.element_sets.find(upper_case(item)); set != file.element_sets.end())
      return set->second.numbers;
    if (!to_number<double>(item))
      throw_unknown(surface, item);
    return {number_of<std::size_t>(item)};
  }

  /// Returns the faces with a label, S1 and so on, of an element.
  std::vector<unsigned int> faces_of(const AbaqusSurface &surface, const std::string &label,
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

  [[noreturn]] static void throw_unknown(const AbaqusSurface &surface, const std::string &item) {
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
  std::map<std::size_t, unsigned int> index; ///< index of each node in the model
  std::vector<std::size_t> cells;            ///< elements of dimension dim
  MeshGroup body;
  std::vector<bool> is_in_body; ///< true for the corners of cells
  std::vector<bool> is_middle;  ///< true for the other nodes of cells
  std::map<std::vector<unsigned int>, unsigned int> middle_between; ///< by ascending corners
  std::vector<unsigned int> exterior; ///< corners of the faces of the boundary
  std::set<std::multiset<unsigned int>> sorted_exterior;
  bool covers_all = false; ///< true if a set of elements holds all cells
};

} // namespace

MeshModel read_abaqus_mesh(const std::string &text, unsigned int dim) {
  const AbaqusFile file = read_abaqus_file(text);
  if (file.nodes.empty() || file.elements.empty())
    throw InputError("the file has no nodes and elements (*NODE, *ELEMENT)");
  return Builder(file, dim).result();
}

unsigned int abaqus_dimension(const std::string &text) {
  unsigned int largest = 2;
  try {
    for (const auto &[number, element] : read_abaqus_file(text).elements)
      largest = std::max(largest, element.type.dimension);
  } catch (const InputError &) { // reported when the mesh is read
  }
  return largest;
}

} // namespace percussion
