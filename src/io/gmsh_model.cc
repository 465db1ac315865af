#include <percussion/io/error.h>
#include <percussion/io/gmsh_model.h>
#include <percussion/io/nearest_name.h>

#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace percussion {
namespace {

namespace fs = std::filesystem;

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
    const std::string label = "Error: ";
    std::vector<std::string> log;
    gmsh::logger::get(log);
    for (const auto &line : log)
      if (line.rfind(label, 0) == 0)
        return line.substr(label.size());
    return {};
  }
};

/// Names of the files beside this one: what the user perhaps meant.
std::vector<std::string> neighbours(const fs::path &file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; entry != end; entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void open_file(const std::string &file) {
  std::error_code error;
  if (!fs::exists(file, error))
    throw InputError("there is no file '" + file + "'" +
                     did_you_mean(fs::path(file).filename().string(), neighbours(file)));
  if (fs::is_directory(file, error))
    throw InputError("this is a directory, not a mesh file");
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
    throw InputError("Gmsh cannot read this mesh (" + problem + ")");
}

/// A line of the file's section of physical names.
struct PhysicalName {
  int dimension, tag;
  std::string name;
  unsigned int line;
};

/// The section as it stands in the file: Gmsh drops the second of two equal names and the names
/// that no element has.
std::vector<PhysicalName> physical_names(const std::string &file) {
  std::ifstream in(file);
  std::vector<PhysicalName> names;
  bool inside = false;
  unsigned int number = 0;
  for (std::string line; std::getline(in, line) && line.rfind("$Nodes", 0) != 0;) {
    ++number;
    if (line.rfind("$", 0) == 0)
      inside = line.rfind("$PhysicalNames", 0) == 0;
    const std::size_t begin = line.find('"'), end = line.rfind('"');
    std::istringstream numbers(line);
    PhysicalName entry{0, 0, "", number};
    if (inside && begin < end && numbers >> entry.dimension >> entry.tag) {
      entry.name = line.substr(begin + 1, end - begin - 1);
      names.push_back(entry);
    }
  }
  return names;
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
      throw InputError("two physical groups are named '" + entry.name + "' (lines " +
                       std::to_string(earlier->second) + " and " + std::to_string(entry.line) +
                       "); give each region a name of its own");
    if (with_elements.count({entry.dimension, entry.tag}) == 0)
      throw InputError("region '" + entry.name + "' (line " + std::to_string(entry.line) +
                       ") has no elements; mesh what it names, or remove its name");
  }
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
std::vector<GmshElement> elements_of(int dimension, int entity) {
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
      throw InputError("element " + std::to_string(tags[k].front()) + " is of order " +
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

std::vector<GmshGroup> named_groups(unsigned int dim) {
  std::vector<GmshGroup> groups;
  gmsh::vectorpair physical;
  gmsh::model::getPhysicalGroups(physical);
  for (const auto &[dimension, tag] : physical) {
    std::string name;
    gmsh::model::getPhysicalName(dimension, tag, name);
    if (name.empty() || static_cast<unsigned int>(dimension) > dim)
      continue;
    GmshGroup group{name, static_cast<unsigned int>(dimension), {}};
    std::vector<int> entities;
    gmsh::model::getEntitiesForPhysicalGroup(dimension, tag, entities);
    for (const int entity : entities) {
      auto elements = elements_of(dimension, entity);
      group.elements.insert(group.elements.end(), elements.begin(), elements.end());
    }
    if (group.elements.empty())
      throw InputError("region '" + name + "' has no elements");
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

void check_dimension(const GmshModel &model, unsigned int dim) {
  for (int higher = static_cast<int>(dim) + 1; higher <= 3; ++higher)
    if (count_elements(higher) > 0)
      throw InputError("the mesh has " + std::to_string(higher) + "D elements, and this is a " +
                       std::to_string(dim) + "D computation");
  double extent = 0;
  for (const auto &[tag, x] : model.nodes)
    for (unsigned int d = 0; d < dim; ++d)
      extent = std::max(extent, std::abs(x[d]));
  for (const auto &[tag, x] : model.nodes) {
    std::ostringstream position;
    position << "node " << tag << " at (" << x[0] << ", " << x[1] << ", " << x[2] << ")";
    if (!std::isfinite(x[0] + x[1] + x[2]))
      throw InputError(position.str() + " is nowhere: a coordinate is not a finite number");
    if (dim == 2 && std::abs(x[2]) > 1e-10 * extent)
      throw InputError(position.str() + " lies off the plane z = 0; a 2D mesh lies in it");
  }
}

void check_groups(const std::vector<GmshGroup> &groups, unsigned int dim) {
  if (groups.empty())
    throw InputError("the mesh has no named physical groups; name the regions in the .geo file, "
                     "e.g. Physical Curve(\"ground contact\") = {1}; "
                     "Physical Surface(\"body\") = {1};");
  std::set<std::size_t> named;
  for (const GmshGroup &group : groups)
    if (group.dimension == dim)
      for (const GmshElement &element : group.elements)
        named.insert(element.tag);
  if (named.empty())
    throw InputError("no named physical group holds " + std::to_string(dim) +
                     "D elements; name the body, e.g. Physical Surface(\"body\") = {1};");
  const std::size_t all = count_elements(static_cast<int>(dim));
  if (named.size() < all)
    throw InputError(std::to_string(all - named.size()) + " of " + std::to_string(all) +
                     " elements belong to no named physical group; name " +
                     "every part of the body or leave it out of the file");
}

} // namespace

GmshModel read_gmsh_model(const std::string &file, unsigned int dim) {
  const GmshSession session;
  open_file(file);
  GmshModel model{file, all_nodes(), {}};
  if (model.nodes.empty())
    throw InputError("the file holds no nodes and elements of a mesh (Gmsh writes them after "
                     "meshing: gmsh -2 case.geo)");
  check_dimension(model, dim);
  model.groups = named_groups(dim);
  check_names(physical_names(file), dim);
  check_groups(model.groups, dim);
  return model;
}

} // namespace percussion
