#include <percussion/io/error.h>
#include <percussion/io/gmsh_model.h>

#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

namespace percussion {
namespace {

/// The Gmsh SDK keeps one global state; this keeps it alive for as long as a file is read.
class GmshSession {
public:
  GmshSession() {
    gmsh::initialize();
    gmsh::option::setNumber("General.Terminal", 0);
    gmsh::logger::start();
  }
  ~GmshSession() {
    gmsh::logger::stop();
    gmsh::finalize();
  }
  GmshSession(const GmshSession &) = delete;
  GmshSession &operator=(const GmshSession &) = delete;

  /// The first error that Gmsh logged, empty if none.
  static std::string first_error() {
    std::vector<std::string> log;
    gmsh::logger::get(log);
    for (const auto &line : log)
      if (line.rfind("Error", 0) == 0)
        return line;
    return {};
  }
};

void open_file(const std::string &file) {
  if (!std::filesystem::exists(file))
    throw InputError(file + ": no such mesh file");
  if (std::filesystem::is_directory(file))
    throw InputError(file + ": is a directory, not a mesh file");
  std::string problem;
  try {
    gmsh::open(file);
    problem = GmshSession::first_error();
  } catch (...) {
    problem = GmshSession::first_error();
    if (problem.empty())
      problem = "unreadable";
  }
  if (!problem.empty())
    throw InputError(file + ": Gmsh cannot read this mesh: " + problem);
}

std::map<std::size_t, std::array<double, 3>> all_nodes() {
  std::vector<std::size_t> tags;
  std::vector<double> coordinates, parametric;
  gmsh::model::mesh::getNodes(tags, coordinates, parametric);
  std::map<std::size_t, std::array<double, 3>> nodes;
  for (std::size_t i = 0; i < tags.size(); ++i)
    nodes[tags[i]] = {{coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]}};
  return nodes;
}

/// Elements of one entity, refusing what is not of first order.
std::vector<GmshElement> elements_of(const std::string &file, int dimension, int entity) {
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> tags, nodes;
  gmsh::model::mesh::getElements(types, tags, nodes, dimension, entity);
  std::vector<GmshElement> elements;
  for (std::size_t k = 0; k < types.size(); ++k) {
    std::string name;
    int type_dimension, order, n_nodes, n_primary;
    std::vector<double> local;
    gmsh::model::mesh::getElementProperties(types[k], name, type_dimension, order, n_nodes, local,
                                            n_primary);
    if (order > 1)
      throw InputError(file + ": element " + std::to_string(tags[k].front()) + " is of order " +
                       std::to_string(order) + " (" + name +
                       "); only first-order meshes are supported (Gmsh: Mesh.ElementOrder = 1)");
    const auto n = static_cast<std::size_t>(n_nodes);
    for (std::size_t i = 0; i < tags[k].size(); ++i)
      elements.push_back({tags[k][i],
                          {nodes[k].begin() + static_cast<std::ptrdiff_t>(i * n),
                           nodes[k].begin() + static_cast<std::ptrdiff_t>((i + 1) * n)}});
  }
  return elements;
}

std::vector<GmshGroup> named_groups(const std::string &file, unsigned int dim) {
  std::vector<GmshGroup> groups;
  gmsh::vectorpair physical;
  gmsh::model::getPhysicalGroups(physical);
  for (const auto &[dimension, tag] : physical) {
    std::string name;
    gmsh::model::getPhysicalName(dimension, tag, name);
    if (name.empty() || static_cast<unsigned int>(dimension) > dim)
      continue;
    for (const GmshGroup &other : groups)
      if (other.name == name)
        throw InputError(file + ": two physical groups are named '" + name +
                         "'; give each region a name of its own");
    GmshGroup group{name, static_cast<unsigned int>(dimension), {}};
    std::vector<int> entities;
    gmsh::model::getEntitiesForPhysicalGroup(dimension, tag, entities);
    for (const int entity : entities) {
      auto elements = elements_of(file, dimension, entity);
      group.elements.insert(group.elements.end(), elements.begin(), elements.end());
    }
    if (group.elements.empty())
      throw InputError(file + ": region '" + name + "' has no elements");
    groups.push_back(std::move(group));
  }
  return groups;
}

std::size_t count_elements(int dimension) {
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> tags, nodes;
  gmsh::model::mesh::getElements(types, tags, nodes, dimension);
  std::size_t n = 0;
  for (const auto &of_type : tags)
    n += of_type.size();
  return n;
}

void check_dimension(const std::string &file, const GmshModel &model, unsigned int dim) {
  for (int higher = static_cast<int>(dim) + 1; higher <= 3; ++higher)
    if (count_elements(higher) > 0)
      throw InputError(file + ": has " + std::to_string(higher) + "D elements; this is a " +
                       std::to_string(dim) + "D computation and needs a " + std::to_string(dim) +
                       "D mesh");
  double extent = 0, offset = 0;
  for (const auto &[tag, x] : model.nodes) {
    extent = std::max({extent, std::abs(x[0]), std::abs(x[1])});
    offset = std::max(offset, std::abs(x[2]));
  }
  if (dim == 2 && offset > 1e-10 * extent)
    throw InputError(file + ": nodes lie off the plane z = 0 (by up to " + std::to_string(offset) +
                     "); a 2D mesh lies in the x-y plane");
}

void check_groups(const std::string &file, const std::vector<GmshGroup> &groups, unsigned int dim) {
  if (groups.empty())
    throw InputError(file + ": has no named physical groups; name the regions in the .geo file, "
                            "e.g. Physical Curve(\"ground contact\") = {1}; "
                            "Physical Surface(\"body\") = {1};");
  std::set<std::size_t> named;
  for (const GmshGroup &group : groups)
    if (group.dimension == dim)
      for (const GmshElement &element : group.elements)
        named.insert(element.tag);
  if (named.empty())
    throw InputError(file + ": no named physical group holds " + std::to_string(dim) +
                     "D elements; name the body, e.g. Physical Surface(\"body\") = {1};");
  const std::size_t all = count_elements(static_cast<int>(dim));
  if (named.size() < all)
    throw InputError(file + ": " + std::to_string(all - named.size()) + " of " +
                     std::to_string(all) + " elements belong to no named physical group; name " +
                     "every part of the body or leave it out of the file");
}

} // namespace

GmshModel read_gmsh_model(const std::string &file, unsigned int dim) {
  const GmshSession session;
  open_file(file);
  GmshModel model{file, all_nodes(), {}};
  if (model.nodes.empty())
    throw InputError(file + ": holds no mesh nodes (is it a Gmsh .msh file?)");
  check_dimension(file, model, dim);
  model.groups = named_groups(file, dim);
  check_groups(file, model.groups, dim);
  return model;
}

} // namespace percussion
