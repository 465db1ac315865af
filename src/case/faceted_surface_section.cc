#include <percussion/base/error.h>
#include <percussion/base/format.h>
#include <percussion/base/table.h>
#include <percussion/input/read_surface.h>

#include "parameter_sections.h"
#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace percussion {
namespace {

/// Reads x, y of a profile: lines from point to point, with the bodies above.
std::shared_ptr<const FacetedSurface<2>> read_facets(const std::string &file,
                                                     std::integral_constant<int, 2>) {
  const Table table = read_table(file, "");
  std::vector<dealii::Point<2>> points;
  std::vector<FacetedSurface<2>::Facet> lines;
  for (unsigned int i = 0; i < table.abscissae.size(); ++i) {
    points.emplace_back(table.abscissae[i], table.values[i]);
    if (i > 0)
      lines.push_back({i - 1, i});
  }
  return std::make_shared<FacetedSurface<2>>(std::move(points), std::move(lines));
}

/// Returns the index of a coordinate among all that occur.
unsigned int index_of(double x, const std::vector<double> &all) {
  return static_cast<unsigned int>(std::lower_bound(all.begin(), all.end(), x) - all.begin());
}

/// Reads columns x, y, z of a table of heights at all points of a grid; each box of the grid is
/// divided into two triangles, with the bodies above.
std::shared_ptr<const FacetedSurface<3>> read_heights(const std::string &file) {
  const NamedColumns table = read_named_columns(file, "");
  std::vector<std::array<double, 3>> rows;
  std::array<std::vector<double>, 2> axes;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    rows.emplace_back();
    for (unsigned int d = 0; d < 3; ++d) {
      const auto value = to_number<double>(table.word(row, std::string(1, "xyz"[d])));
      if (!value || !std::isfinite(*value))
        throw InputError(file + ":" + std::to_string(table.lines[row]) + ": column '" + "xyz"[d] +
                         "' must have a number");
      rows.back()[d] = *value;
      if (d < 2)
        axes[d].push_back(*value);
    }
  }
  for (auto &axis : axes) {
    std::sort(axis.begin(), axis.end());
    axis.erase(std::unique(axis.begin(), axis.end()), axis.end());
  }
  const std::size_t n = axes[0].size(), m = axes[1].size();
  std::vector<dealii::Point<3>> points(n * m);
  std::vector<bool> is_given(n * m, false);
  for (const auto &row : rows) {
    const std::size_t k = index_of(row[1], axes[1]) * n + index_of(row[0], axes[0]);
    points[k] = {row[0], row[1], row[2]};
    is_given[k] = true;
  }
  if (n < 2 || m < 2 || rows.size() != n * m ||
      !std::all_of(is_given.begin(), is_given.end(), [](bool is_set) { return is_set; }))
    throw InputError(file +
                     ": a table of heights has one row for each point of a grid; there are " +
                     std::to_string(rows.size()) + " rows for " + std::to_string(n) +
                     " values of x and " + std::to_string(m) + " of y");
  std::vector<FacetedSurface<3>::Facet> triangles;
  for (unsigned int j = 0; j + 1 < m; ++j)
    for (unsigned int i = 0; i + 1 < n; ++i) {
      const auto k = static_cast<unsigned int>(j * n + i),
                 next_row = static_cast<unsigned int>(k + n);
      triangles.push_back({k, k + 1, next_row + 1});
      triangles.push_back({k, next_row + 1, next_row});
    }
  return std::make_shared<FacetedSurface<3>>(std::move(points), std::move(triangles));
}

/// Throws InputError if two facets have a common edge in the same direction: the sides of the
/// bodies contradict each other.
void expect_one_side(const ClosedSurface &surface) {
  std::set<std::pair<unsigned int, unsigned int>> edges;
  for (const auto &face : surface.faces)
    for (std::size_t i = 0; i < face.size(); ++i) {
      const std::pair<unsigned int, unsigned int> edge(face[i], face[(i + 1) % face.size()]);
      if (!edges.insert(edge).second)
        throw InputError(format("two facets have the edge from vertex %u to vertex %u in the same "
                                "direction: one of them shows its other side to the bodies",
                                edge.first + 1, edge.second + 1));
    }
}

/// Reads triangles of an .stl or .obj file, whose polygons are divided into triangles, or a table
/// of heights. A closed surface is turned so that its normals point outwards.
std::shared_ptr<const FacetedSurface<3>> read_facets(const std::string &file,
                                                     std::integral_constant<int, 3>) {
  if (file.size() > 4 && file.compare(file.size() - 4, 4, ".csv") == 0)
    return read_heights(file);
  ClosedSurface surface = read_surface(file);
  expect_one_side(surface);
  if (surface_problem(surface).empty() && solid_properties(surface).volume < 0.)
    for (auto &face : surface.faces)
      std::reverse(face.begin(), face.end());
  std::vector<FacetedSurface<3>::Facet> triangles;
  for (const auto &face : surface.faces)
    for (std::size_t i = 2; i < face.size(); ++i)
      triangles.push_back({face[0], face[i - 1], face[i]});
  return std::make_shared<FacetedSurface<3>>(std::move(surface.vertices), std::move(triangles));
}

} // namespace

template <int dim>
std::shared_ptr<const FacetedSurface<dim>> read_faceted_surface(const CaseInput &section) {
  const std::string entry = "Surface mesh";
  if (!section.has(entry)) {
    section.report(entry, "a file is needed for Surface = facets");
    return nullptr;
  }
  try {
    return read_facets(path_of_mesh(section.get(entry), section.file),
                       std::integral_constant<int, dim>());
  } catch (const InputError &error) {
    section.report(entry, error.what());
    return nullptr;
  }
}

PERCUSSION_INSTANTIATE(read_faceted_surface);

} // namespace percussion
