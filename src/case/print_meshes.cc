#include <percussion/base/error.h>
#include <percussion/body/region_faces.h>
#include <percussion/case/print_meshes.h>
#include <percussion/input/read_mesh.h>

#include <nlohmann/json.hpp>

#include "parameter_sections.h"
#include <array>
#include <filesystem>
#include <ostream>
#include <vector>

namespace percussion {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the points of a cell or face in VTK's order. deal.II numbers the vertices of a
/// quadrilateral or hexahedron row by row, VTK around each quadrilateral.
template <typename Element>
std::vector<unsigned int> points_of(const Element &element) {
  constexpr std::array<unsigned int, 8> vtk_order = {{0, 1, 3, 2, 4, 5, 7, 6}};
  const bool is_hypercube = element.reference_cell().is_hyper_cube();
  std::vector<unsigned int> points;
  for (const unsigned int v : element.vertex_indices())
    points.push_back(
        element.vertex_index(is_hypercube && element.n_vertices() > 2 ? vtk_order.at(v) : v));
  return points;
}

/// Appends the centre of the faces of a region and the mean of their outward unit normals, both
/// weighted by the sizes of the faces.
template <int dim>
void append_centre_and_normal(const Mesh<dim> &mesh, const Region &region, Json &json) {
  std::array<double, dim> centre{}, normal{};
  double size = 0;
  for_each_face(mesh, region,
                [&](const dealii::Point<dim> &middle, const dealii::Tensor<1, dim> &n, double) {
                  size += n.norm();
                  for (unsigned int d = 0; d < dim; ++d) {
                    centre[d] += n.norm() * middle[d];
                    normal[d] += n[d];
                  }
                });
  for (unsigned int d = 0; d < dim; ++d) {
    centre[d] /= size;
    normal[d] /= size;
  }
  json["centre"] = centre;
  json["normal"] = normal;
}

template <int dim>
Json json_of(const Mesh<dim> &mesh, const Region &region) {
  Json json = {{"dimension", region.dimension},
               {"elements", region.n_elements},
               {"measure", region.measure}};
  if (region.dimension == dim) {
    json["cells"] = region.cells;
  } else if (!region.faces.empty()) {
    std::vector<typename dealii::Triangulation<dim>::active_cell_iterator> cells(
        mesh.triangulation.n_active_cells());
    for (const auto &cell : mesh.triangulation.active_cell_iterators())
      cells[cell->active_cell_index()] = cell;
    for (const CellFace &face : region.faces)
      json["faces"].push_back(points_of(*cells.at(face.cell)->face(face.face)));
    append_centre_and_normal(mesh, region, json);
  } else {
    json["points"] = region.nodes;
  }
  return json;
}

template <int dim>
Json json_of(const Mesh<dim> &mesh) {
  Json points = Json::array(), cells = Json::array(), regions = Json::object();
  for (const auto &x : mesh.triangulation.get_vertices()) {
    std::array<double, dim> coordinates;
    for (unsigned int d = 0; d < dim; ++d)
      coordinates[d] = x[d];
    points.push_back(coordinates);
  }
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    cells.push_back(points_of(*cell));
  for (const auto &[name, region] : mesh.regions)
    regions[name] = json_of(mesh, region);
  return {{"name", mesh.name()},
          {"file", mesh.file},
          {"shape", mesh.cells_in_words()},
          {"order", mesh.order},
          {"points", std::move(points)},
          {"cells", std::move(cells)},
          {"regions", std::move(regions)}};
}

} // namespace

void print_meshes(std::ostream &stream, const ParameterFile &file) {
  const Parameters parameters(declare_case(&file), file);
  Problems problems = parameters.problems();
  problems.throw_if_any();
  if (parameters.get("Mesh/File").empty())
    throw InputError(file.name() + ": Mesh/File is empty: the case has no mesh");
  const auto words = std::make_shared<FormulaWords>();
  words->constants = parameters.constants();
  words->folder = std::filesystem::path(file.name()).parent_path().string();
  Json json = {{"units", parameters.get("Output/Units")}, {"dimension", dimension_of(file)}};
  dispatch_dimension(dimension_of(file), [&](auto dim) {
    const CaseInput input{parameters, file, problems, dim, words};
    Case<dim> c;
    auto meshes = read_meshes<dim>(input, c);
    problems.throw_if_any();
    read_regions<dim>(input, meshes);
    json["warnings"] = c.warnings;
    for (const auto &mesh : meshes)
      json["meshes"].push_back(json_of(*mesh));
    return 0;
  });
  // Names of other encodings than UTF-8 must not stop the printing.
  stream << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

} // namespace percussion
