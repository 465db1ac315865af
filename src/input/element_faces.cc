#include "element_faces.h"

#include "mesh_cells.h"

namespace percussion {

const std::vector<std::vector<unsigned int>> &element_faces(unsigned int dim,
                                                            unsigned int n_corners) {
  static const std::vector<std::vector<unsigned int>>
      triangle = {{0, 1}, {1, 2}, {2, 0}},
      quadrilateral = {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
      tetrahedron = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}},
      hexahedron = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1},
                    {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
  if (dim == 2)
    return n_corners == 3 ? triangle : quadrilateral;
  return n_corners == 4 ? tetrahedron : hexahedron;
}

std::vector<std::vector<unsigned int>> element_middles(unsigned int dim, unsigned int n_corners) {
  if (dim == 2) {
    auto middles = element_faces(dim, n_corners);
    if (n_corners == 4)
      middles.push_back({0, 1, 2, 3});
    return middles;
  }
  if (n_corners == 4)
    return {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  std::vector<std::vector<unsigned int>> middles = {{0, 1},
                                                    {1, 2},
                                                    {2, 3},
                                                    {3, 0},
                                                    {4, 5},
                                                    {5, 6},
                                                    {6, 7},
                                                    {7, 4},
                                                    {0, 4},
                                                    {1, 5},
                                                    {2, 6},
                                                    {3, 7},
                                                    {0, 1, 2, 3, 4, 5, 6, 7}};
  const auto &faces = element_faces(dim, n_corners);
  middles.insert(middles.end(), faces.begin(), faces.end());
  return middles;
}

std::vector<unsigned int> exterior_faces(const std::vector<unsigned int> &corners, unsigned int dim,
                                         unsigned int n_corners) {
  const auto &faces = element_faces(dim, n_corners);
  std::vector<unsigned int> all;
  for (std::size_t first = 0; first < corners.size(); first += n_corners)
    for (const auto &face : faces)
      for (const unsigned int corner : face)
        all.push_back(corners[first + corner]);
  const auto n = static_cast<unsigned int>(faces.front().size());
  const auto first_alike = first_with_same_corners(all, n);
  std::vector<unsigned int> n_alike(first_alike.size(), 0), exterior;
  for (const unsigned int face : first_alike)
    ++n_alike[face];
  for (std::size_t face = 0; face < n_alike.size(); ++face)
    if (n_alike[face] == 1)
      exterior.insert(exterior.end(), all.begin() + static_cast<std::ptrdiff_t>(face * n),
                      all.begin() + static_cast<std::ptrdiff_t>((face + 1) * n));
  return exterior;
}

} // namespace percussion
