#include <percussion/io/error.h>
#include <percussion/io/gmsh_model.h>
#include <percussion/io/mesh.h>
#include <percussion/io/nearest_name.h>

#include <deal.II/grid/grid_tools.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

namespace percussion {
namespace {

/// Gmsh walks around a quadrilateral, deal.II goes through it lexicographically.
constexpr std::array<unsigned int, 4> lexicographic = {{0, 1, 3, 2}};

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
  std::ostringstream message;
  message << "element " << element.tag << " with nodes";
  for (const std::size_t node : element.nodes)
    message << ' ' << node;
  message << (jacobian < 0 ? " is inverted (its nodes run clockwise at some corner); in Gmsh use "
                             "'Reverse Surface{...};' or move its nodes"
                           : " is degenerate (its area vanishes at some corner); remesh there");
  throw InputError(message.str());
}

/// Gmsh's nodes that some cell uses, numbered from 0 in the order of their tags.
template <int dim>
std::map<std::size_t, unsigned int> number_used_nodes(const GmshModel &model) {
  std::set<std::size_t> used;
  for (const GmshGroup &group : model.groups)
    if (group.dimension == dim)
      for (const GmshElement &element : group.elements)
        used.insert(element.nodes.begin(), element.nodes.end());
  std::map<std::size_t, unsigned int> number;
  for (const std::size_t tag : used)
    number.emplace(tag, static_cast<unsigned int>(number.size()));
  return number;
}

template <int dim>
std::vector<dealii::CellData<dim>> make_cells(const GmshModel &model,
                                              const std::map<std::size_t, unsigned int> &number,
                                              const std::vector<dealii::Point<dim>> &points) {
  std::vector<dealii::CellData<dim>> cells;
  std::set<std::size_t> seen;
  for (const GmshGroup &group : model.groups) {
    if (group.dimension != dim)
      continue;
    for (const GmshElement &element : group.elements) {
      if (!seen.insert(element.tag).second)
        continue; // a cell may stand in several groups; it is one cell
      std::vector<dealii::Point<dim>> corners;
      for (const std::size_t node : element.nodes)
        corners.push_back(points[number.at(node)]);
      check_orientation<dim>(element, corners);
      const auto n = static_cast<unsigned int>(element.nodes.size());
      dealii::CellData<dim> cell(n);
      for (unsigned int i = 0; i < n; ++i)
        cell.vertices[i] = number.at(element.nodes[n == 4 ? lexicographic[i] : i]);
      cells.push_back(cell);
    }
  }
  return cells;
}

/// deal.II takes cells that lie upon each other for valid in a release build.
template <int dim>
void check_faces(const std::vector<dealii::CellData<dim>> &cells,
                 const std::map<std::size_t, unsigned int> &number) {
  static_assert(dim == 2, "faces are taken for edges");
  std::vector<std::size_t> tag(number.size());
  for (const auto &[gmsh_tag, i] : number)
    tag[i] = gmsh_tag;
  std::map<std::pair<unsigned int, unsigned int>, unsigned int> n_cells;
  for (const auto &cell : cells) {
    const auto &v = cell.vertices;
    const std::vector<unsigned int> around =
        v.size() == 4 ? std::vector<unsigned int>{v[0], v[1], v[3], v[2]} : v;
    for (std::size_t i = 0; i < around.size(); ++i) {
      const auto edge = std::minmax(around[i], around[(i + 1) % around.size()]);
      if (++n_cells[edge] > 2)
        throw InputError("more than two elements share the edge between the nodes " +
                         std::to_string(tag[edge.first]) + " and " +
                         std::to_string(tag[edge.second]) +
                         "; some lie upon each other (Gmsh: Coherence Mesh, or mesh again)");
    }
  }
}

using FaceTable = std::map<std::vector<unsigned int>, CellFace>;

/// Boundary faces by their sorted vertices.
template <int dim>
FaceTable boundary_faces(const dealii::Triangulation<dim> &triangulation) {
  FaceTable table;
  for (const auto &cell : triangulation.active_cell_iterators())
    for (const unsigned int f : cell->face_indices())
      if (cell->face(f)->at_boundary()) {
        std::vector<unsigned int> vertices;
        for (const unsigned int v : cell->face(f)->vertex_indices())
          vertices.push_back(cell->face(f)->vertex_index(v));
        std::sort(vertices.begin(), vertices.end());
        table[vertices] = CellFace{cell->active_cell_index(), f};
      }
  return table;
}

template <int dim>
Region make_region(const GmshGroup &group, const std::map<std::size_t, unsigned int> &number,
                   const FaceTable &faces) {
  Region region;
  region.dimension = group.dimension;
  region.n_elements = static_cast<unsigned int>(group.elements.size());
  std::set<unsigned int> vertices;
  for (const GmshElement &element : group.elements) {
    std::vector<unsigned int> corners;
    for (const std::size_t node : element.nodes) {
      const auto found = number.find(node);
      if (found == number.end())
        throw InputError("region '" + group.name + "' has node " + std::to_string(node) +
                         ", which belongs to no cell of the body");
      corners.push_back(found->second);
    }
    vertices.insert(corners.begin(), corners.end());
    std::sort(corners.begin(), corners.end());
    if (group.dimension + 1 == dim)
      if (const auto face = faces.find(corners); face != faces.end())
        region.faces.push_back(face->second);
  }
  region.vertices.assign(vertices.begin(), vertices.end());
  return region;
}

} // namespace

template <int dim>
const Region &Mesh<dim>::region(const std::string &name) const {
  const auto found = regions.find(name);
  if (found != regions.end())
    return found->second;
  const auto names = region_names();
  const std::string hint = did_you_mean(name, names);
  std::string message =
      "no such region in '" + file + "'" + (hint.empty() ? "." : hint) + " Its regions:";
  for (const auto &known : names)
    message += (known == names.front() ? " " : ", ") + known;
  throw InputError(message);
}

template <int dim>
std::vector<std::string> Mesh<dim>::region_names() const {
  std::vector<std::string> names;
  for (const auto &entry : regions)
    names.push_back(entry.first);
  return names;
}

template <int dim>
std::unique_ptr<Mesh<dim>> read_gmsh(const std::string &file) {
  const GmshModel model = read_gmsh_model(file, dim);
  auto mesh = std::make_unique<Mesh<dim>>();
  mesh->file = file;
  mesh->shape = cell_shape<dim>(model);

  const auto number = number_used_nodes<dim>(model);
  std::vector<dealii::Point<dim>> points(number.size());
  for (const auto &[tag, i] : number)
    for (unsigned int d = 0; d < dim; ++d)
      points[i][d] = model.nodes.at(tag)[d];

  auto cells = make_cells<dim>(model, number, points);
  check_faces<dim>(cells, number);
  if (mesh->shape == CellShape::hypercube)
    dealii::GridTools::consistently_order_cells(cells);
  mesh->triangulation.create_triangulation(points, cells, dealii::SubCellData());

  const FaceTable faces = boundary_faces(mesh->triangulation);
  for (const GmshGroup &group : model.groups)
    mesh->regions[group.name] = make_region<dim>(group, number, faces);
  return mesh;
}

template struct Mesh<2>;
template std::unique_ptr<Mesh<2>> read_gmsh<2>(const std::string &);

} // namespace percussion
