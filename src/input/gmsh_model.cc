#include "gmsh_model.h"

#include <percussion/base/error.h>
#include <percussion/base/file.h>

#include <gmsh.h>

#include "curved_element.h"
#include "gmsh_session.h"
#include "mesh_file.h"
#include "mesh_format.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <sys/mman.h>
#include <unistd.h>

namespace percussion {

namespace fs = std::filesystem;

namespace {

/// Lets Gmsh open a text as a file in memory.
void open_text(const std::string &text) {
  const int descriptor = memfd_create("text", MFD_CLOEXEC);
  if (descriptor < 0 || !write_all(descriptor, text))
    throw std::runtime_error("no file in memory can be written");
  gmsh::open("/proc/self/fd/" + std::to_string(descriptor));
  ::close(descriptor);
}

/// Opens a file. A script that includes the geometry sets the parameters: parameters in Gmsh's
/// command line would hold for the rest of the process.
void open(const MeshSource &source) {
  const MeshFormat format = mesh_format(source.file);
  if (format == MeshFormat::gmsh) {
    const std::optional<std::string> text = converted_mesh(source.file);
    return text ? open_text(*text) : gmsh::open(source.file);
  }
  if (format != MeshFormat::geometry || source.parameters.empty())
    return gmsh::open(source.file);
  std::ostringstream script;
  script.precision(17);
  for (const auto &[name, value] : source.parameters)
    script << name << " = " << value << ";\n";
  script << "Include \"" << fs::absolute(source.file).string() << "\";\n";
  open_text(script.str());
}

/// Names the entities of a CAD file: the body, each of several volumes (in 2D surfaces), and each
/// face (in 2D edge), by Gmsh's tags.
void name_entities(int dim) {
  gmsh::vectorpair bodies, faces;
  gmsh::model::getEntities(bodies, dim);
  gmsh::model::getEntities(faces, dim - 1);
  std::vector<int> all;
  for (const auto &[dimension, tag] : bodies) {
    all.push_back(tag);
    if (bodies.size() > 1)
      gmsh::model::setPhysicalName(dim, gmsh::model::addPhysicalGroup(dim, {tag}),
                                   "body " + std::to_string(tag));
  }
  gmsh::model::setPhysicalName(dim, gmsh::model::addPhysicalGroup(dim, all), "body");
  for (const auto &[dimension, tag] : faces)
    gmsh::model::setPhysicalName(dim - 1, gmsh::model::addPhysicalGroup(dim - 1, {tag}),
                                 (dim == 3 ? "face " : "edge ") + std::to_string(tag));
}

std::string name_of_group(int dimension, int tag) {
  std::string name;
  gmsh::model::getPhysicalName(dimension, tag, name);
  return name;
}

/// True if a mesh of Gmsh names any physical group.
bool has_names(const std::string &file) {
  bool found = false;
  for_each_group(file, [&](int, const std::string &) { found = true; });
  return found;
}

/// Names the groups that have numbers only.
void name_groups() {
  const char *const words[] = {"point group ", "curve group ", "surface group ", "volume group "};
  gmsh::vectorpair groups;
  gmsh::model::getPhysicalGroups(groups);
  for (const auto &[dimension, tag] : groups)
    if (name_of_group(dimension, tag).empty())
      gmsh::model::setPhysicalName(dimension, tag, words[dimension] + std::to_string(tag));
}

/// Names all cells 'body' unless a group has this name.
void name_body(int dim) {
  gmsh::vectorpair groups, entities;
  gmsh::model::getPhysicalGroups(groups);
  for (const auto &[dimension, tag] : groups)
    if (name_of_group(dimension, tag) == "body")
      return;
  gmsh::model::getEntities(entities, dim);
  std::vector<int> all;
  for (const auto &entity : entities)
    all.push_back(entity.second);
  if (!all.empty())
    gmsh::model::setPhysicalName(dim, gmsh::model::addPhysicalGroup(dim, all), "body");
}

/// Checks that Gmsh has the library of the format of a file.
void expect_library(const std::string &file) {
  const fs::path path(file);
  std::string options;
  gmsh::option::getString("General.BuildOptions", options);
  if ((path.extension() == ".med" || path.extension() == ".MED") &&
      (" " + options + " ").find(" Med ") == std::string::npos)
    throw InputError(
        "this Gmsh is built without the library of .med files; convert the file: meshio "
        "convert " +
        path.filename().string() + " " + path.stem().string() + ".vtu");
}

/// Opens a mesh, or meshes a geometry unless its script has meshed it: with elements of first
/// order, or straight ones of second order if the script says so.
void load(const MeshSource &source, int dim) {
  const MeshFormat format = mesh_format(source.file);
  const bool is_meshed = format == MeshFormat::geometry || format == MeshFormat::cad;
  const std::string kind = format == MeshFormat::geometry ? "geometry"
                           : format == MeshFormat::cad    ? "CAD file"
                                                          : "mesh";
  if (format != MeshFormat::gmsh) // an exception within a script would leave Gmsh's parser in a
    gmsh::option::setNumber("General.AbortOnError", 0); // wrong state
  expect_library(source.file);
  expect_success("Gmsh cannot read this " + kind, source.file, [&] { open(source); });
  if (format == MeshFormat::cad)
    name_entities(dim);
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, dim);
  if (!is_meshed || !types.empty())
    return;
  if (source.size > 0.)
    for (const char *const option : {"Mesh.MeshSizeMin", "Mesh.MeshSizeMax"})
      gmsh::option::setNumber(option, source.size / source.unit);
  double order = 1;
  gmsh::option::getNumber("Mesh.ElementOrder", order);
  gmsh::option::setNumber("Mesh.ElementOrder", order > 1. ? 2 : 1);
  gmsh::option::setNumber("Mesh.SecondOrderLinear", 1);
  gmsh::option::setNumber("General.NumThreads", 1);
  expect_success("Gmsh cannot mesh this " + kind, source.file,
                 [&] { gmsh::model::mesh::generate(dim); });
}

/// Reads all nodes in the order of their tags.
void read_nodes(MeshModel &model) {
  std::vector<std::size_t> tags;
  std::vector<double> x, parametric;
  gmsh::model::mesh::getNodes(tags, x, parametric, -1, -1, false, false);
  std::vector<std::pair<std::size_t, std::size_t>> order;
  for (std::size_t i = 0; i < tags.size(); ++i)
    order.emplace_back(tags[i], i);
  std::sort(order.begin(), order.end());
  for (const auto &[tag, i] : order) {
    model.tags.push_back(tag);
    model.nodes.push_back({{x[3 * i], x[3 * i + 1], x[3 * i + 2]}});
  }
}

/// Type of elements.
struct ElementType {
  unsigned int order, n_corners;
  std::vector<double> local; ///< coordinates of the nodes in the reference element
};

/// Returns the properties of the elements of a type, which must be of first or second order.
ElementType element_type(int type) {
  std::string name;
  int dimension, order, n_nodes, n_primary;
  ElementType result;
  gmsh::model::mesh::getElementProperties(type, name, dimension, order, n_nodes, result.local,
                                          n_primary);
  result.order = static_cast<unsigned int>(std::max(order, 1));
  result.n_corners = static_cast<unsigned int>(n_primary);
  if (order <= 2)
    return result;
  std::vector<std::size_t> tags, nodes;
  gmsh::model::mesh::getElementsByType(type, tags, nodes);
  throw InputError("element " + std::to_string(tags.front()) + " is of order " +
                   std::to_string(order) + " (" + name +
                   "); meshes of first and second order are supported (Gmsh: Mesh.ElementOrder = 1 "
                   "or 2)");
}

/// Returns the number of corners of the elements of each dimension, which must all have one shape.
std::vector<unsigned int> numbers_of_corners(unsigned int dim) {
  std::vector<unsigned int> n_corners(4);
  for (unsigned int d = 4; d-- > 0;) {
    std::vector<int> types;
    gmsh::model::mesh::getElementTypes(types, static_cast<int>(d));
    for (const int type : types)
      n_corners[d] = element_type(type).n_corners;
    if (d > dim && !types.empty())
      throw InputError("the mesh has " + std::to_string(d) + "D elements, and this is a " +
                       std::to_string(dim) +
                       "D computation, for no volume has a name; mesh a surface in the plane z = 0 "
                       "(gmsh -2), or name the body: Physical Volume(\"body\") = {1};");
    if (d == dim && types.empty())
      throw InputError("the mesh has no " + std::to_string(d) + "D elements; mesh the " +
                       (dim == 3 ? "volume" : "surface") + " of the body (gmsh -" +
                       std::to_string(dim) + " case.geo)");
    if (d == 3 && (types.size() > 1 || n_corners[d] == 5 || n_corners[d] == 6))
      throw InputError("the mesh has pyramids or wedges, or mixes tetrahedra and hexahedra; mesh "
                       "the body with one of these two kinds (Gmsh: recombine and extrude the "
                       "whole body in layers for hexahedra, no volume for tetrahedra)");
    if (types.size() > 1)
      throw InputError("the mesh mixes triangles and quadrilaterals; mesh it with one kind (Gmsh: "
                       "recombine all surfaces or none)");
  }
  return n_corners;
}

/// Returns tags and nodes of the elements of one entity, or of all entities; all elements have one
/// type.
std::pair<std::vector<std::size_t>, std::vector<std::size_t>> elements_of(int dimension,
                                                                          int entity = -1) {
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> tags, nodes;
  gmsh::model::mesh::getElements(types, tags, nodes, dimension, entity);
  if (types.empty())
    return {};
  return {std::move(tags.front()), std::move(nodes.front())};
}

/// Returns the index of the node with this tag; the tags of most meshes are consecutive.
unsigned int index_of(std::size_t tag, const std::vector<std::size_t> &tags) {
  const std::size_t guess = tag - tags.front();
  if (guess < tags.size() && tags[guess] == tag)
    return static_cast<unsigned int>(guess);
  const auto found = std::lower_bound(tags.begin(), tags.end(), tag);
  if (found == tags.end() || *found != tag)
    throw InputError("an element has node " + std::to_string(tag) +
                     ", which the file does not hold; write the file again");
  return static_cast<unsigned int>(found - tags.begin());
}

/// Checks that no elements of named groups of a mesh in format 2.2 are in several groups.
void expect_separate_groups(int dim) {
  gmsh::vectorpair listed;
  gmsh::model::getPhysicalGroups(listed);
  for (const auto &[dimension, tag] : listed) {
    std::vector<int> entities, groups;
    if (dimension <= dim && !name_of_group(dimension, tag).empty())
      gmsh::model::getEntitiesForPhysicalGroup(dimension, tag, entities);
    for (const int entity : entities) {
      gmsh::model::getPhysicalGroupsForEntity(dimension, entity, groups);
      if (groups.size() > 1)
        throw InputError(
            "elements with the geometrical tag " + std::to_string(entity) +
            " are in several physical groups ('" + name_of_group(dimension, groups[0]) + "', '" +
            name_of_group(dimension, groups[1]) +
            "'), which format 2.2 does not tell apart; write format 4.1 (gmsh -format msh41), or "
            "give the elements of each group a geometrical tag of their own");
    }
  }
}

void add_elements(int entity, const MeshModel &model, MeshGroup &group) {
  const auto dimension = static_cast<int>(group.dimension);
  const auto [tags, nodes] = elements_of(dimension, entity);
  group.tags.insert(group.tags.end(), tags.begin(), tags.end());
  const std::size_t n = tags.empty() ? 1 : nodes.size() / tags.size();
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (i % n < group.n_corners) // the corners precede the other nodes of an element
      group.corners.push_back(index_of(nodes[i], model.tags));
}

/// Reads the order of the cells, which have one type, and remarks on curved ones.
void read_order(int dim, MeshModel &model) {
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, dim);
  const ElementType type = element_type(types.front());
  model.order = type.order;
  if (type.order == 1)
    return;
  const auto [tags, nodes] = elements_of(dim);
  const std::size_t n = nodes.size() / tags.size();
  double largest = 0;
  for (std::size_t first = 0; first < nodes.size(); first += n) {
    std::vector<std::array<double, 3>> positions;
    for (std::size_t k = 0; k < n; ++k)
      positions.push_back(model.nodes[index_of(nodes[first + k], model.tags)]);
    largest = std::max(
        largest, curvature(positions, type.local, static_cast<unsigned int>(dim), type.n_corners));
  }
  const auto remarks = remark_on_curvature(largest);
  model.remarks.insert(model.remarks.end(), remarks.begin(), remarks.end());
}

/// Returns dimensions and tags of named groups, in this order. Gmsh does not list a group without
/// elements, but keeps its name.
std::set<std::pair<int, int>> named_groups(const gmsh::vectorpair &listed, int dim) {
  constexpr int highest_tag = 1000; // Gmsh's own tags are consecutive from 1
  std::set<std::pair<int, int>> groups(listed.begin(), listed.end()), named;
  for (int dimension = 0; dimension <= dim; ++dimension)
    for (int tag = 1; tag <= highest_tag; ++tag)
      groups.emplace(dimension, tag);
  for (const auto &[dimension, tag] : groups)
    if (dimension <= dim && !name_of_group(dimension, tag).empty())
      named.emplace(dimension, tag);
  return named;
}

void read_groups(unsigned int dim, MeshModel &model) {
  const auto n_corners = numbers_of_corners(dim);
  gmsh::vectorpair listed;
  gmsh::model::getPhysicalGroups(listed);
  std::set<std::string> names;
  for (const auto &id : named_groups(listed, static_cast<int>(dim))) {
    const auto dimension = static_cast<unsigned int>(id.first);
    MeshGroup group{name_of_group(id.first, id.second), dimension, n_corners[dimension], {}, {}};
    if (!names.insert(group.name).second)
      throw_same_name(group.name);
    std::vector<int> entities;
    if (std::count(listed.begin(), listed.end(), id) > 0)
      gmsh::model::getEntitiesForPhysicalGroup(id.first, id.second, entities);
    for (const int entity : entities)
      add_elements(entity, model, group);
    if (group.tags.empty())
      throw InputError("region '" + group.name +
                       "' has no elements; mesh its entities, or remove its name");
    model.groups.push_back(std::move(group));
  }
}

void check_groups(const std::vector<MeshGroup> &groups, unsigned int dim) {
  if (groups.empty())
    throw InputError("the mesh has no named physical groups; name the regions in the .geo file, "
                     "e.g. Physical Curve(\"ground contact\") = {1}; "
                     "Physical Surface(\"body\") = {1};");
  if (groups.back().dimension < dim)
    throw InputError("no named physical group holds " + std::to_string(dim) +
                     "D elements; name the body, e.g. Physical " +
                     (dim == 3 ? "Volume" : "Surface") + "(\"body\") = {1};");
  std::vector<std::size_t> named;
  for (const MeshGroup &group : groups)
    if (group.dimension == dim)
      named.insert(named.end(), group.tags.begin(), group.tags.end());
  std::sort(named.begin(), named.end());
  const auto n_named = std::unique(named.begin(), named.end()) - named.begin();
  const auto n_all = static_cast<std::ptrdiff_t>(elements_of(static_cast<int>(dim)).first.size());
  if (n_named < n_all)
    throw InputError(std::to_string(n_all - n_named) + " of " + std::to_string(n_all) +
                     " elements belong to no named physical group; name the surfaces or volumes "
                     "with these elements, or leave them out of the file");
}

/// True if a geometry has a named physical group of volumes.
bool has_volumes() {
  gmsh::vectorpair volumes;
  gmsh::model::getPhysicalGroups(volumes, 3);
  return !volumes.empty();
}

} // namespace

MeshModel model_of_gmsh(const MeshSource &source, unsigned int dim, int version) {
  const MeshFormat format = mesh_format(source.file);
  start_gmsh(format != MeshFormat::gmsh);
  load(source, static_cast<int>(dim));
  const bool lacks_names =
      format == MeshFormat::foreign || (format == MeshFormat::gmsh && !has_names(source.file));
  if (lacks_names)
    name_groups();
  if (version == 2)
    expect_separate_groups(static_cast<int>(dim));
  if (lacks_names)
    name_body(static_cast<int>(dim));
  MeshModel model;
  read_nodes(model);
  if (model.tags.empty())
    throw InputError(format == MeshFormat::gmsh
                         ? "the file holds no nodes and elements of a mesh (Gmsh writes them "
                           "after meshing: gmsh -2 case.geo)"
                     : format == MeshFormat::foreign ? "the file holds no nodes and elements"
                                                     : "the geometry has nothing to mesh");
  read_groups(dim, model);
  check_groups(model.groups, dim);
  read_order(static_cast<int>(dim), model);
  if (const auto warnings = logged("Warning: "); !warnings.empty())
    model.remarks.push_back("Gmsh warns " + std::to_string(warnings.size()) +
                            " times, first: " + warnings.front());
  return model;
}

unsigned int dimension_by_gmsh(const MeshSource &source) {
  start_gmsh(true);
  gmsh::option::setNumber("General.AbortOnError", 0);
  open(source);
  switch (mesh_format(source.file)) {
  case MeshFormat::geometry:
    return has_volumes() ? 3 : 2;
  case MeshFormat::cad: {
    gmsh::vectorpair volumes;
    gmsh::model::getEntities(volumes, 3);
    return volumes.empty() ? 2 : 3;
  }
  default: {
    std::vector<int> types;
    gmsh::model::mesh::getElementTypes(types, 3);
    return types.empty() ? 2 : 3;
  }
  }
}

} // namespace percussion
