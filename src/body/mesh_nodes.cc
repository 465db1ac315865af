#include <percussion/base/instantiate.h>
#include <percussion/body/mesh_nodes.h>

#include <deal.II/base/geometry_info.h>

#include <algorithm>
#include <numeric>

namespace percussion {
namespace {

/// Marks of middles that have no number yet.
constexpr unsigned int node_mark = dealii::numbers::invalid_unsigned_int,
                       linear_mark = node_mark - 1;

/// Calls visit(index) for the index of the quadrilaterals of a cell in 3D.
template <int dim, typename Visit>
void visit_quads(CellShape shape, const dealii::CellAccessor<dim> &cell, const Visit &visit) {
  if constexpr (dim == 3)
    if (shape == CellShape::hypercube)
      for (const unsigned int f : cell.face_indices())
        visit(static_cast<unsigned int>(cell.quad(f)->index()));
}

/// Returns the indices of the edges of a face of a cell.
template <int dim>
std::vector<unsigned int> edges_of_face(const dealii::CellAccessor<dim> &cell, unsigned int face) {
  std::vector<unsigned int> edges;
  if constexpr (dim == 2)
    edges.push_back(static_cast<unsigned int>(cell.face(face)->index()));
  else
    for (unsigned int l = 0; l < cell.face(face)->n_lines(); ++l)
      edges.push_back(static_cast<unsigned int>(cell.face(face)->line(l)->index()));
  return edges;
}

} // namespace

template <int dim>
MeshNodes<dim>::MeshNodes(const Mesh<dim> &m)
    : positions(m.triangulation.get_vertices()), mesh(m),
      number_of_nodes(static_cast<unsigned int>(positions.size())) {
  if (mesh.order == 1)
    return;
  edges.assign(mesh.triangulation.n_raw_lines(), node_mark);
  if constexpr (dim == 3)
    quads.assign(mesh.triangulation.n_raw_quads(), node_mark);
  cells.assign(mesh.triangulation.n_active_cells(), node_mark);
  mark_linear_faces();
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    number_middles(*cell, node_mark);
  number_of_nodes = static_cast<unsigned int>(positions.size());
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    number_middles(*cell, linear_mark);
}

template <int dim>
void MeshNodes<dim>::mark_linear_faces() {
  std::vector<std::vector<unsigned int>> faces_of_cell(cells.size());
  for (const CellFace &face : mesh.linear_faces)
    faces_of_cell[face.cell].push_back(face.face);
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    for (const unsigned int face : faces_of_cell[cell->active_cell_index()]) {
      for (const unsigned int edge : edges_of_face<dim>(*cell, face))
        edges[edge] = linear_mark;
      if constexpr (dim == 3)
        quads[static_cast<unsigned int>(cell->face(face)->index())] = linear_mark;
    }
}

/// Numbers the middles of a cell that have this mark.
template <int dim>
void MeshNodes<dim>::number_middles(const dealii::CellAccessor<dim> &cell, unsigned int mark) {
  const auto number = [&](unsigned int &node, const dealii::Point<dim> &x) {
    if (node != mark)
      return;
    node = static_cast<unsigned int>(positions.size());
    positions.push_back(x);
  };
  for (const unsigned int l : cell.line_indices()) {
    const auto line = cell.line(l);
    number(edges[static_cast<unsigned int>(line->index())],
           dealii::Point<dim>(0.5 * (line->vertex(0) + line->vertex(1))));
  }
  const auto mean = [](const auto &object) {
    dealii::Tensor<1, dim> sum;
    for (const unsigned int v : object.vertex_indices())
      sum += object.vertex(v);
    return dealii::Point<dim>(sum / object.n_vertices());
  };
  if constexpr (dim == 3)
    if (mesh.shape == CellShape::hypercube)
      for (const unsigned int f : cell.face_indices())
        number(quads[static_cast<unsigned int>(cell.quad(f)->index())], mean(*cell.quad(f)));
  if (mesh.shape == CellShape::hypercube)
    number(cells[cell.active_cell_index()], mean(cell));
}

template <int dim>
std::vector<unsigned int> MeshNodes<dim>::cell_nodes(const dealii::CellAccessor<dim> &cell) const {
  std::vector<unsigned int> nodes;
  for (const unsigned int v : cell.vertex_indices())
    nodes.push_back(cell.vertex_index(v));
  if (mesh.order == 1)
    return nodes;
  for (const unsigned int l : cell.line_indices())
    nodes.push_back(edges[static_cast<unsigned int>(cell.line(l)->index())]);
  visit_quads<dim>(mesh.shape, cell, [&](unsigned int quad) { nodes.push_back(quads[quad]); });
  if (mesh.shape == CellShape::hypercube)
    nodes.push_back(cells[cell.active_cell_index()]);
  return nodes;
}

template <int dim>
std::vector<unsigned int> MeshNodes<dim>::face_nodes(const dealii::CellAccessor<dim> &cell,
                                                     unsigned int face) const {
  std::vector<unsigned int> nodes;
  for (const unsigned int v : cell.face(face)->vertex_indices())
    nodes.push_back(cell.face(face)->vertex_index(v));
  if (mesh.order == 1)
    return nodes;
  for (const unsigned int edge : edges_of_face<dim>(cell, face))
    nodes.push_back(edges[edge]);
  if constexpr (dim == 3)
    if (mesh.shape == CellShape::hypercube)
      nodes.push_back(quads[static_cast<unsigned int>(cell.face(face)->index())]);
  return nodes;
}

template <int dim>
void MeshNodes<dim>::add_middles_within(Region &region) const {
  std::vector<bool> is_inside(positions.size(), false);
  for (const unsigned int node : region.nodes)
    is_inside[node] = true;
  const auto slots = vertices_of_middles<dim>(mesh.shape);
  for (const auto &cell : mesh.triangulation.active_cell_iterators()) {
    const auto nodes = cell_nodes(*cell);
    for (std::size_t m = 0; m < slots.size(); ++m)
      if (const unsigned int node = nodes[cell->n_vertices() + m];
          node < n_nodes() && std::all_of(slots[m].begin(), slots[m].end(),
                                          [&](unsigned int v) { return is_inside[nodes[v]]; }))
        region.nodes.push_back(node);
  }
}

template <int dim>
void MeshNodes<dim>::add_to_regions(Mesh<dim> &changed) const {
  if (mesh.order == 1)
    return;
  std::vector<typename dealii::Triangulation<dim>::active_cell_iterator> all_cells;
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    all_cells.push_back(cell);
  for (auto &[name, region] : changed.regions) {
    auto &nodes = region.nodes;
    const auto add = [&](const std::vector<unsigned int> &candidates) {
      for (const unsigned int node : candidates)
        if (node < n_nodes())
          nodes.push_back(node);
    };
    for (const unsigned int cell : region.cells)
      add(cell_nodes(*all_cells[cell]));
    for (const CellFace &face : region.faces)
      add(face_nodes(*all_cells[face.cell], face.face));
    if (region.dimension > 0 && region.dimension < dim && region.faces.size() < region.n_elements)
      add_middles_within(region);
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
}

template <int dim>
std::vector<std::vector<unsigned int>> vertices_of_middles(CellShape shape) {
  if (shape == CellShape::simplex) {
    std::vector<std::vector<unsigned int>> edges = {{0, 1}, {1, 2}, {2, 0}};
    if (dim == 3)
      edges.insert(edges.end(), {{0, 3}, {1, 3}, {2, 3}});
    return edges;
  }
  using Hypercube = dealii::GeometryInfo<dim>;
  std::vector<std::vector<unsigned int>> middles;
  for (unsigned int l = 0; l < Hypercube::lines_per_cell; ++l)
    middles.push_back(
        {Hypercube::line_to_cell_vertices(l, 0), Hypercube::line_to_cell_vertices(l, 1)});
  if constexpr (dim == 3)
    for (unsigned int f = 0; f < Hypercube::faces_per_cell; ++f) {
      middles.emplace_back();
      for (unsigned int v = 0; v < 4; ++v)
        middles.back().push_back(Hypercube::face_to_cell_vertices(f, v));
    }
  middles.emplace_back(1u << dim);
  std::iota(middles.back().begin(), middles.back().end(), 0u);
  return middles;
}

PERCUSSION_INSTANTIATE(vertices_of_middles);
template class MeshNodes<2>;
template class MeshNodes<3>;

} // namespace percussion
