#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/missing_file.h>
#include <percussion/input/gmsh_model.h>

#include <gmsh.h>

#include "gmsh_session.h"
#include "msh_outline.h"
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>

namespace percussion {
namespace {

namespace fs = std::filesystem;

void check_exists(const std::string &file) {
  std::error_code error;
  if (const std::string why = obstacle(file); !why.empty())
    throw InputError("the file '" + file + "' cannot be read (" + why + ")");
  if (!fs::exists(file, error))
    throw InputError("there is no file '" + file + "'" + similar_file(file));
  if (fs::is_directory(file, error))
    throw InputError("this is a directory, not a mesh file");
  if (!fs::is_regular_file(file, error)) // a pipe or device may never end
    throw InputError("this is no regular file");
}

MshOutline read_outline(const std::string &file) {
  const std::optional<std::string> content = read_file(file);
  if (!content)
    throw InputError(std::string("the file cannot be read (") + std::strerror(errno) + ")");
  return outline_of_msh(*content);
}

/// The names that the script gave, which Gmsh keeps without listing those of nothing.
std::vector<PhysicalName> names_in_gmsh(unsigned int dim) {
  gmsh::vectorpair groups;
  gmsh::model::getPhysicalGroups(groups);
  int last = 1000; // Gmsh's own tags follow each other from 1
  for (const auto &[dimension, tag] : groups)
    last = std::max(last, std::min(tag, 100000));
  std::vector<PhysicalName> names;
  for (int dimension = 0; dimension <= static_cast<int>(dim); ++dimension)
    for (int tag = 1; tag <= last; ++tag) {
      std::string name;
      gmsh::model::getPhysicalName(dimension, tag, name);
      if (!name.empty())
        names.push_back({dimension, tag, name, 0});
    }
  return names;
}

/// " (line 7)", where there are lines.
std::string in_line(unsigned int line) {
  return line == 0 ? "" : " (line " + std::to_string(line) + ")";
}

void check_names(const std::vector<PhysicalName> &names, unsigned int dim) {
  gmsh::vectorpair groups;
  gmsh::model::getPhysicalGroups(groups);
  const std::set<std::pair<int, int>> with_elements(groups.begin(), groups.end());
  std::map<std::string, unsigned int> line_of;
  for (const PhysicalName &entry : names) {
    if (entry.dimension > static_cast<int>(dim))
      continue;
    const auto [earlier, is_new] = line_of.emplace(entry.name, entry.line);
    if (!is_new)
      throw InputError("two physical groups are named '" + entry.name + "'" +
                       (entry.line == 0 ? ""
                                        : " (lines " + std::to_string(earlier->second) + " and " +
                                              std::to_string(entry.line) + ")") +
                       "; give each region a name of its own");
    if (with_elements.count({entry.dimension, entry.tag}) == 0)
      throw InputError("region '" + entry.name + "'" + in_line(entry.line) +
                       " has no elements; mesh what it names, or remove its name");
  }
}

std::map<std::size_t, std::array<double, 3>> all_nodes() {
  std::vector<std::size_t> tags;
  std::vector<double> coordinates, parametric;
  gmsh::model::mesh::getNodes(tags, coordinates, parametric);
  if (coordinates.size() != 3 * tags.size())
    throw InputError("Gmsh finds nodes without coordinates in this file: it is damaged");
  std::map<std::size_t, std::array<double, 3>> nodes;
  for (std::size_t i = 0; i < tags.size(); ++i)
    nodes[tags[i]] = {{coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]}};
  return nodes;
}

/// Number of nodes of an element of a type that a plane body can have.
std::size_t n_nodes_of(int type, std::size_t an_element) {
  std::string name;
  int dimension, order, n_nodes, n_primary;
  std::vector<double> local;
  gmsh::model::mesh::getElementProperties(type, name, dimension, order, n_nodes, local, n_primary);
  if (order > 1)
    throw InputError("element " + std::to_string(an_element) + " is of order " +
                     std::to_string(order) + " (" + name +
                     "); only first-order meshes are supported (Gmsh: Mesh.ElementOrder = 1)");
  const std::set<std::string> known = {"Point", "Line 2", "Triangle 3", "Quadrilateral 4"};
  if (known.count(name) == 0)
    throw InputError("element " + std::to_string(an_element) + " is a " + name +
                     "; mesh with triangles or quadrilaterals");
  return static_cast<std::size_t>(n_nodes);
}

std::string name_of_group(int dimension, int tag) {
  std::string name;
  gmsh::model::getPhysicalName(dimension, tag, name);
  return name;
}

/// Elements of one entity with all copies.
std::vector<GmshElement> copies_of_elements(int dimension, int entity) {
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> tags, nodes;
  gmsh::model::mesh::getElements(types, tags, nodes, dimension, entity);
  std::vector<GmshElement> elements;
  for (std::size_t k = 0; k < types.size(); ++k) {
    if (tags[k].empty())
      continue;
    const std::size_t n = n_nodes_of(types[k], tags[k].front());
    if (nodes[k].size() != tags[k].size() * n)
      throw InputError("Gmsh finds elements without nodes in this file: it is damaged");
    for (std::size_t i = 0; i < tags[k].size(); ++i) {
      const auto first = nodes[k].begin() + static_cast<std::ptrdiff_t>(i * n);
      elements.push_back({tags[k][i], {first, first + static_cast<std::ptrdiff_t>(n)}});
    }
  }
  return elements;
}

/// Elements of one entity. Format 2.2 repeats each of them for every group of the entity, and Gmsh
/// then takes all of them for members of all these groups: which is wrong if some are in one group
/// only, as other programs write them.
std::vector<GmshElement> elements_of(int dimension, int entity, bool repeated) {
  auto elements = copies_of_elements(dimension, entity);
  std::vector<int> groups;
  gmsh::model::getPhysicalGroupsForEntity(dimension, entity, groups);
  if (!repeated || groups.size() < 2)
    return elements;
  std::map<std::vector<std::size_t>, std::size_t> n_copies;
  std::vector<GmshElement> first_copies;
  for (GmshElement &element : elements) {
    auto key = element.nodes;
    std::sort(key.begin(), key.end());
    if (n_copies[key]++ % groups.size() == 0)
      first_copies.push_back(std::move(element));
  }
  for (const auto &[key, n] : n_copies)
    if (n % groups.size() != 0)
      throw InputError(
          "the elements with the geometrical tag " + std::to_string(entity) +
          " are partly in one physical group and partly in another (" +
          name_of_group(dimension, groups[0]) + ", " + name_of_group(dimension, groups[1]) +
          "), which format 2.2 does not tell; give each group a geometrical tag of its own (the "
          "second tag of an element), or write format 4.1");
  return first_copies;
}

std::vector<GmshGroup> named_groups(unsigned int dim, bool repeated) {
  std::vector<GmshGroup> groups;
  gmsh::vectorpair physical;
  gmsh::model::getPhysicalGroups(physical);
  for (const auto &[dimension, tag] : physical) {
    const std::string name = name_of_group(dimension, tag);
    if (name.empty() || static_cast<unsigned int>(dimension) > dim)
      continue;
    GmshGroup group{name, static_cast<unsigned int>(dimension), {}};
    std::vector<int> entities;
    gmsh::model::getEntitiesForPhysicalGroup(dimension, tag, entities);
    for (const int entity : entities) {
      auto elements = elements_of(dimension, entity, repeated);
      group.elements.insert(group.elements.end(), elements.begin(), elements.end());
    }
    if (group.elements.empty())
      throw InputError("region '" + name +
                       "' has no elements; mesh what it names, or remove its "
                       "name");
    groups.push_back(std::move(group));
  }
  return groups;
}

/// Elements of a dimension, whether they are in a named group or in none.
struct Elements {
  std::size_t number = 0;
  std::set<std::size_t> nodes;
};

/// Of one entity, or of all.
Elements all_elements(int dimension, int entity = -1) {
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> tags, nodes;
  gmsh::model::mesh::getElements(types, tags, nodes, dimension, entity);
  Elements elements;
  for (const auto &of_type : tags)
    elements.number += of_type.size();
  for (const auto &of_type : nodes)
    elements.nodes.insert(of_type.begin(), of_type.end());
  return elements;
}

void check_dimension(const GmshModel &model, unsigned int dim) {
  for (int higher = static_cast<int>(dim) + 1; higher <= 3; ++higher)
    if (all_elements(higher).number > 0)
      throw InputError("the mesh has " + std::to_string(higher) + "D elements, and this is a " +
                       std::to_string(dim) +
                       "D computation; mesh a surface in the plane z = 0 "
                       "(gmsh -2)");
  double extent = 0;
  for (const auto &[tag, x] : model.nodes)
    for (unsigned int d = 0; d < dim; ++d)
      extent = std::max(extent, std::abs(x[d]));
  for (const auto &[tag, x] : model.nodes) {
    std::ostringstream position;
    position << "node " << tag << " at (" << x[0] << ", " << x[1] << ", " << x[2] << ")";
    const double farthest = std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
    if (!std::isfinite(x[0] + x[1] + x[2]))
      throw InputError(position.str() + " is nowhere: a coordinate is not a finite number");
    if (farthest > 1e100)
      throw InputError(position.str() + " is too far away to compute with; choose other units");
    if (dim == 2 && std::abs(x[2]) > 1e-10 * extent)
      throw InputError(position.str() + " lies off the plane z = 0; a 2D mesh lies in it (Gmsh: "
                                        "Translate or Rotate the geometry)");
  }
}

void check_nodes(const GmshModel &model) {
  for (const GmshGroup &group : model.groups)
    for (const GmshElement &element : group.elements)
      for (const std::size_t node : element.nodes)
        if (model.nodes.count(node) == 0)
          throw InputError("element " + std::to_string(element.tag) + " of region '" + group.name +
                           "' has node " + std::to_string(node) +
                           ", which the file does not hold; write the file again");
}

std::size_t n_elements_with_a_name(int dimension) {
  const auto has_name = [&](int group) { return !name_of_group(dimension, group).empty(); };
  gmsh::vectorpair entities;
  gmsh::model::getEntities(entities, dimension);
  std::size_t n = 0;
  for (const auto &[of_dimension, entity] : entities) {
    std::vector<int> groups;
    gmsh::model::getPhysicalGroupsForEntity(of_dimension, entity, groups);
    if (std::any_of(groups.begin(), groups.end(), has_name))
      n += all_elements(of_dimension, entity).number;
  }
  return n;
}

void check_groups(const std::vector<GmshGroup> &groups, unsigned int dim) {
  const std::size_t all = all_elements(static_cast<int>(dim)).number;
  if (all == 0)
    throw InputError("the mesh has no " + std::to_string(dim) +
                     "D elements; mesh the surface of the body (gmsh -2 case.geo)");
  if (groups.empty())
    throw InputError("the mesh has no named physical groups; name the regions in the .geo file, "
                     "e.g. Physical Curve(\"ground contact\") = {1}; "
                     "Physical Surface(\"body\") = {1};");
  const std::size_t named = n_elements_with_a_name(static_cast<int>(dim));
  if (named == 0)
    throw InputError("no named physical group holds " + std::to_string(dim) +
                     "D elements; name the body, e.g. Physical Surface(\"body\") = {1};");
  if (named < all)
    throw InputError(std::to_string(all - named) + " of " + std::to_string(all) +
                     " elements belong to no named physical group; name " +
                     "every part of the body or leave it out of the file");
}

/// Nodes that no element uses. Gmsh itself drops some of them.
void note_unused_nodes(std::uint64_t n_nodes, GmshModel &model) {
  std::set<std::size_t> used;
  for (int dimension = 0; dimension <= 3; ++dimension)
    used.merge(all_elements(dimension).nodes);
  if (n_nodes <= used.size())
    return;
  std::string first;
  for (const auto &[tag, x] : model.nodes)
    if (first.empty() && used.count(tag) == 0)
      first = ", the first is node " + std::to_string(tag);
  const std::uint64_t n = n_nodes - used.size();
  model.remarks.push_back(
      std::to_string(n) +
      (n == 1 ? " node of the mesh belongs to no element and is left out"
              : " nodes of the mesh belong to no element and are left out" + first));
}

void note_warnings(const GmshSession &session, GmshModel &model) {
  constexpr std::size_t most = 3;
  const auto warnings = session.warnings();
  for (std::size_t i = 0; i < std::min(most, warnings.size()); ++i)
    model.remarks.push_back("Gmsh warns: " + warnings[i]);
  if (warnings.size() > most)
    model.remarks.push_back("Gmsh warns " + std::to_string(warnings.size() - most) +
                            " times more; run gmsh -2 to see all");
}

} // namespace

bool is_geometry(const std::string &file) {
  const std::string ending = fs::path(file).extension().string();
  return ending == ".geo" || ending == ".geo_unrolled";
}

GmshModel read_gmsh_model_here(const GmshSource &source, unsigned int dim) {
  check_exists(source.file);
  const bool geometry = is_geometry(source.file);
  const MshOutline outline = geometry ? MshOutline{} : read_outline(source.file);
  GmshSession session(source);
  session.open();
  if (geometry)
    session.mesh(dim);
  GmshModel model{all_nodes(), {}, {}};
  if (model.nodes.empty())
    throw InputError(geometry ? "the geometry has nothing to mesh"
                              : "the file holds no nodes and elements of a mesh (Gmsh writes them "
                                "after meshing: gmsh -2 case.geo)");
  check_dimension(model, dim);
  model.groups = named_groups(dim, outline.major_version == 2);
  check_names(geometry ? names_in_gmsh(dim) : outline.names, dim);
  check_groups(model.groups, dim);
  check_nodes(model);
  note_unused_nodes(outline.n_nodes, model);
  note_warnings(session, model);
  return model;
}

} // namespace percussion
