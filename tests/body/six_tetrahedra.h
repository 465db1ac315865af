#pragma once

#include <deal.II/grid/tria.h>

#include "support/meshes.h"
#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace percussion::test {

/// Returns a box of n³ cubes in six tetrahedra each, around the diagonal of the cube.
inline std::unique_ptr<Mesh<3>> six_tetrahedra(const dealii::Point<3> &size, unsigned int n) {
  auto mesh = std::make_unique<Mesh<3>>();
  mesh->file = "box";
  std::vector<dealii::Point<3>> points;
  const unsigned int stride[] = {(n + 1) * (n + 1), n + 1, 1};
  for (unsigned int i = 0; i <= n; ++i)
    for (unsigned int j = 0; j <= n; ++j)
      for (unsigned int k = 0; k <= n; ++k)
        points.emplace_back(size[0] * i / n, size[1] * j / n, size[2] * k / n);
  std::vector<dealii::CellData<3>> cells;
  for (unsigned int corner = 0; corner < points.size(); ++corner) {
    if (corner / stride[0] == n || corner / stride[1] % (n + 1) == n || corner % (n + 1) == n)
      continue;
    for (const auto &axes : {std::array<unsigned int, 3>{0, 1, 2},
                             {1, 2, 0},
                             {2, 0, 1},
                             {0, 2, 1},
                             {1, 0, 2},
                             {2, 1, 0}}) {
      dealii::CellData<3> cell(4);
      cell.vertices[0] = corner;
      for (unsigned int a = 0; a < 3; ++a)
        cell.vertices[a + 1] = cell.vertices[a] + stride[axes[a]];
      const auto edge = [&](unsigned int v) {
        return points[cell.vertices[v]] - points[cell.vertices[0]];
      };
      if (cross_product_3d(edge(1), edge(2)) * edge(3) < 0.)
        std::swap(cell.vertices[0], cell.vertices[1]);
      cells.push_back(cell);
    }
  }
  mesh->triangulation.create_triangulation(points, cells, dealii::SubCellData());
  add_region<3>(*mesh, "bottom", [](const auto &x) { return x[2] < 1e-9; });
  add_region<3>(*mesh, "top", [&](const auto &x) { return x[2] > size[2] - 1e-9; });
  return mesh;
}

} // namespace percussion::test
