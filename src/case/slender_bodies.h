#pragma once

#include <percussion/base/error.h>
#include <percussion/base/format.h>
#include <percussion/body/mesh.h>
#include <percussion/case/case.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace percussion {

inline constexpr double slender_ratio = 5; ///< length / height

/// Quadrilateral or hexahedron with two opposite faces on the boundary of its body.
template <int dim>
struct ThickCell {
  unsigned int cell = 0;         ///< active index
  unsigned int direction = 0;    ///< its faces 2 × direction and the next one are on the boundary
  dealii::Tensor<1, dim> across; ///< from one of these faces to the other [length]
  double longest = 0; ///< largest distance of its opposite faces inside of the body [length]
};

/// Cells that reach through a body, each in one direction.
template <int dim>
struct CellRow {
  std::vector<ThickCell<dim>> cells;
  double thickness = 0; ///< mean [length]
  double longest = 0;   ///< largest edge along the row [length]
  double fraction = 0;  ///< fraction of the volume of the body
  double length = 0;    ///< volume over thickness in 2D, largest extent in 3D [length]
};

/// Returns the directions in which a cell reaches through its body, thinnest first. The longest
/// direction of a body of one cell is its axis.
template <int dim, typename Cell>
std::vector<ThickCell<dim>> directions_through(const Cell &cell) {
  std::vector<ThickCell<dim>> all;
  double longest = 0;
  for (unsigned int d = 0; d < dim; ++d) {
    const auto across = cell->face(2 * d + 1)->center() - cell->face(2 * d)->center();
    if (cell->at_boundary(2 * d) && cell->at_boundary(2 * d + 1))
      all.push_back({cell->active_cell_index(), d, across, 0.});
    else
      longest = std::max(longest, across.norm());
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto &a, const auto &b) { return a.across.norm() < b.across.norm(); });
  if (all.size() == dim) {
    longest = all.back().across.norm();
    all.pop_back();
  }
  for (ThickCell<dim> &found : all)
    found.longest = longest;
  return all;
}

/// Returns the cells that reach through a body: a row of the thinnest direction of each cell, and
/// in 3D a second row, as a beam of one hexahedron in its cross-section reaches through in two.
template <int dim>
std::vector<CellRow<dim>> cell_rows(const Space<dim> &space) {
  std::vector<CellRow<dim>> rows(dim - 1);
  std::vector<double> row_volumes(rows.size());
  double volume = 0;
  dealii::Point<dim> low = space.nodes.front(), high = low;
  for (const auto &x : space.nodes)
    for (unsigned int d = 0; d < dim; ++d) {
      low[d] = std::min(low[d], x[d]);
      high[d] = std::max(high[d], x[d]);
    }
  for (const auto &cell : space.mesh.triangulation.active_cell_iterators()) {
    volume += cell->measure();
    const auto found = directions_through<dim>(cell);
    for (std::size_t i = 0; i < std::min(found.size(), rows.size()); ++i) {
      row_volumes[i] += cell->measure();
      rows[i].thickness += found[i].across.norm() * cell->measure();
      rows[i].longest = std::max(rows[i].longest, found[i].longest);
      rows[i].cells.push_back(found[i]);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CellRow<dim> &row = rows[i];
    row.thickness /= std::max(row_volumes[i], 1e-300);
    row.fraction = row_volumes[i] / volume;
    row.length = dim == 2 ? volume / std::max(row.thickness, 1e-300) : (high - low).norm();
  }
  return rows;
}

/// True if a contact or a load by a pressure acts on a face of the body across its thickness.
template <int dim>
bool is_touched_across(const Case<dim> &c, std::size_t body, const CellRow<dim> &row) {
  if (!c.bodies->pressures.empty())
    return true;
  std::vector<unsigned int> direction(c.bodies->elastic[body]->space.n_cells(), dim);
  for (const auto &cell : row.cells)
    direction[cell.cell] = cell.direction;
  const auto touches = [&](const std::string &name) {
    const auto region = c.bodies->region(name);
    return region.body == c.bodies->elastic[body].get() &&
           std::any_of(region.region->faces.begin(), region.region->faces.end(),
                       [&](const CellFace &f) { return f.face / 2 == direction[f.cell]; });
  };
  return std::any_of(c.boundary->pairs.begin(), c.boundary->pairs.end(), [&](const auto &pair) {
    return (pair.region() && touches(*pair.region())) ||
           std::any_of(pair.opposite_regions().begin(), pair.opposite_regions().end(), touches);
  });
}

/// True if a component of a field across the thickness is more than round-off, relative to the
/// largest value of the field.
template <int dim>
bool has_component_across(const Space<dim> &space, const CellRow<dim> &row, const Vector &field,
                          const dealii::Tensor<1, dim> &mean) {
  double largest = 0, across = 0;
  for (const auto &cell : row.cells)
    for (unsigned int i = 0; i < space.nodes_per_cell(); ++i) {
      const auto value = space.value_at(space.nodes_of(cell.cell)[i], field);
      largest = std::max(largest, value.norm());
      across = std::max(across, std::abs((value - mean) * cell.across) / cell.across.norm());
    }
  return across > 1e-6 * largest;
}

/// True if a boundary condition moves a region of the body across its thickness.
template <int dim>
bool is_driven_across(const Case<dim> &c, std::size_t body, const CellRow<dim> &row) {
  const std::string section = "Boundary conditions/";
  for (const auto &[path, value] : c.parameters) {
    const auto slash = path.rfind('/');
    const std::string entry = path.substr(slash + 1);
    if (!begins_with(path, section) || slash < section.size() || value.empty() || value == "0" ||
        !(begins_with(entry, "Displacement ") || begins_with(entry, "Velocity ")))
      continue;
    const auto component = static_cast<unsigned int>(entry.back() - 'x');
    const auto region = c.bodies->region(path.substr(section.size(), slash - section.size()));
    if (region.body == c.bodies->elastic[body].get() &&
        std::any_of(row.cells.begin(), row.cells.end(), [&](const ThickCell<dim> &cell) {
          return std::abs(cell.across[component]) > 0.5 * cell.across.norm();
        }))
      return true;
  }
  return false;
}

/// True if loads at some instants, moving supports or the initial velocities act across the
/// thickness of the body: it bends. Bars that are loaded along their axes alone do not.
template <int dim>
bool is_moved_across(const Case<dim> &c, std::size_t body, const CellRow<dim> &row) {
  const Space<dim> &space = c.bodies->elastic[body]->space;
  constexpr unsigned int n_instants = 8;
  Vector force = c.bodies->zero_field();
  try {
    for (unsigned int i = 0; i <= n_instants; ++i) {
      c.bodies->loads.evaluate(c.span.start + i * (c.span.end - c.span.start) / n_instants, force);
      if (has_component_across(space, row, force, {}))
        return true;
    }
  } catch (const RunError &) { // a formula has no value: the run reports it
  }
  dealii::Tensor<1, dim> mean;
  for (unsigned int node = 0; node < space.n_nodes(); ++node)
    mean += space.value_at(node, c.initial.v) / static_cast<double>(space.n_nodes());
  return has_component_across(space, row, c.initial.v, mean) || is_driven_across(c, body, row);
}

/// Returns the stiffness of an element of this length and height in bending, over the stiffness
/// of a beam of the material. In bending the element has the displacement u = κ x y without
/// deflection, and its shear strain κ x adds μ length²/12 to the stress (λ + 2μ) height²/12; with
/// mean dilatation to the deviatoric stress 4/3 µ height²/12, as the mean volume change is zero.
template <int dim>
double excess_stiffness(const Material<dim> &material, double length, double height) {
  const double lambda = material.elastic.lambda, mu = material.elastic.mu,
               held = lambda + 2. * mu; // without transverse strain
  const double axial = material.element == ElementKind::mean_dilatation ? 4. / 3. * mu : held;
  return (axial + mu * length * length / (height * height)) / (held - lambda * lambda / held);
}

} // namespace percussion
