#include "ground.h"

#include <percussion/base/error.h>
#include <percussion/base/floating_point_traps.h>
#include <percussion/output/vtu_output.h>

#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkXMLUnstructuredGridReader.h>

#include "body_cells.h"
#include "vtu_series.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>

namespace percussion {
namespace {

template <int dim>
double gap_or_nan(const Surface<dim> &surface, const dealii::Point<dim> &x) {
  try {
    return gap(surface, x).distance;
  } catch (const RunError &) { // the formula has no gradient there
    return std::numeric_limits<double>::quiet_NaN();
  }
}

/// Grid of a box with the gaps of a surface at its points.
template <int dim>
struct GapGrid {
  using Index = std::array<unsigned int, dim>;

  GapGrid(const Surface<dim> &surface, const Box<dim> &grid_box, unsigned int n_cells)
      : box(grid_box), n(n_cells) {
    const NoFloatingPointTraps no_traps; // gaps far from the bodies may be NaN
    Index index{};
    do
      gaps.push_back(gap_or_nan(surface, point(index)));
    while (next(index, n + 1));
  }

  dealii::Point<dim> point(const Index &index) const {
    dealii::Point<dim> x;
    for (unsigned int d = 0; d < dim; ++d)
      x[d] = box.low[d] + index[d] * (box.high[d] - box.low[d]) / n;
    return x;
  }

  double gap_at(const Index &index) const {
    std::size_t position = 0;
    for (unsigned int d = dim; d-- > 0;)
      position = position * (n + 1) + index[d];
    return gaps[position];
  }

  /// Increases an index whose entries are below `end`, the first entry fastest. Returns false after
  /// the last.
  static bool next(Index &index, unsigned int end) {
    for (unsigned int d = 0; d < dim; ++d) {
      if (++index[d] < end)
        return true;
      index[d] = 0;
    }
    return false;
  }

  Box<dim> box;
  unsigned int n;
  std::vector<double> gaps;
};

/// Corner of a simplex of the grid.
template <int dim>
struct GapCorner {
  dealii::Point<dim> x;
  double gap;
};

/// Edges of a simplex, by their corners, that a plane cuts which separates its first n_below
/// corners from the others: the corners of one or two pieces.
template <int dim>
std::vector<std::array<std::array<unsigned int, 2>, dim>> cut_edges(unsigned int n_below) {
  if constexpr (dim == 2) {
    if (n_below == 1)
      return {{{{0, 1}, {0, 2}}}};
    return {{{{0, 2}, {1, 2}}}};
  } else {
    if (n_below == 1)
      return {{{{0, 1}, {0, 2}, {0, 3}}}};
    if (n_below == 3)
      return {{{{0, 3}, {1, 3}, {2, 3}}}};
    return {{{{0, 2}, {0, 3}, {1, 3}}}, {{{0, 2}, {1, 3}, {1, 2}}}};
  }
}

dealii::Tensor<1, 2> normal_of(const SurfacePiece<2> &piece) {
  const dealii::Tensor<1, 2> side = piece[1] - piece[0];
  return dealii::Tensor<1, 2>({-side[1], side[0]});
}

dealii::Tensor<1, 3> normal_of(const SurfacePiece<3> &piece) {
  return cross_product_3d(dealii::Tensor<1, 3>(piece[1] - piece[0]),
                          dealii::Tensor<1, 3>(piece[2] - piece[0]));
}

/// Adds the zero set of the linear function with these values at the corners of a simplex.
template <int dim>
void add_cut(std::array<GapCorner<dim>, dim + 1> corners, std::vector<SurfacePiece<dim>> &pieces) {
  std::sort(corners.begin(), corners.end(),
            [](const auto &a, const auto &b) { return a.gap < b.gap; });
  unsigned int n_below = 0;
  while (n_below <= dim && corners[n_below].gap < 0.)
    ++n_below;
  if (n_below == 0 || n_below > dim)
    return;
  const dealii::Tensor<1, dim> upwards = corners[dim].x - corners[0].x;
  for (const auto &edges : cut_edges<dim>(n_below)) {
    SurfacePiece<dim> piece;
    for (unsigned int i = 0; i < dim; ++i) {
      const GapCorner<dim> &a = corners[edges[i][0]], &b = corners[edges[i][1]];
      piece[i] = a.x + a.gap / (a.gap - b.gap) * (b.x - a.x);
    }
    const auto normal = normal_of(piece);
    if (normal.norm() == 0.) // the surface only touches the simplex
      continue;
    if (normal * upwards < 0.)
      std::swap(piece[0], piece[1]);
    pieces.push_back(piece);
  }
}

/// Adds the pieces in a cell of the grid, which is divided into simplices: one for each order in
/// which a path from its first to its last corner follows the axes.
template <int dim>
void add_cell_pieces(const GapGrid<dim> &grid, const typename GapGrid<dim>::Index &cell,
                     std::vector<SurfacePiece<dim>> &pieces) {
  std::array<unsigned int, dim> axes;
  std::iota(axes.begin(), axes.end(), 0u);
  do {
    auto index = cell;
    std::array<GapCorner<dim>, dim + 1> corners;
    bool is_finite = true;
    for (unsigned int i = 0; i <= dim; ++i) {
      if (i > 0)
        ++index[axes[i - 1]];
      corners[i] = {grid.point(index), grid.gap_at(index)};
      is_finite = is_finite && std::isfinite(corners[i].gap);
    }
    if (is_finite)
      add_cut<dim>(corners, pieces);
  } while (std::next_permutation(axes.begin(), axes.end()));
}

/// Adds an array of vectors of three components to the field data of a grid.
vtkDoubleArray *add_vectors(vtkUnstructuredGrid *grid, const std::string &name, std::size_t n) {
  vtkNew<vtkDoubleArray> array;
  array->SetName(name.c_str());
  array->SetNumberOfComponents(3);
  array->SetNumberOfTuples(static_cast<vtkIdType>(n));
  array->Fill(0.);
  grid->GetFieldData()->AddArray(array);
  return array; // the grid owns it
}

template <int dim>
void set_tuple(vtkDoubleArray *array, std::size_t i, const dealii::Tensor<1, dim> &x) {
  for (unsigned int d = 0; d < dim; ++d)
    array->SetComponent(static_cast<vtkIdType>(i), static_cast<int>(d), x[d]);
}

} // namespace

template <int dim>
Box<dim>::Box() {
  for (unsigned int d = 0; d < dim; ++d) {
    low[d] = std::numeric_limits<double>::max();
    high[d] = std::numeric_limits<double>::lowest();
  }
}

template <int dim>
void Box<dim>::include(const dealii::Point<dim> &x) {
  for (unsigned int d = 0; d < dim; ++d) {
    low[d] = std::min(low[d], x[d]);
    high[d] = std::max(high[d], x[d]);
  }
}

template <int dim>
std::vector<SurfacePiece<dim>> surface_pieces(const Surface<dim> &surface, Box<dim> box) {
  std::vector<SurfacePiece<dim>> pieces;
  if (const auto *const faceted = std::get_if<Faceted<dim>>(&surface.shape)) {
    for (const auto &facet : faceted->facets->facets()) {
      pieces.emplace_back();
      for (unsigned int i = 0; i < dim; ++i)
        pieces.back()[i] = faceted->facets->points()[facet[i]];
    }
    return pieces;
  }
  const Extent<dim> whole = extent(surface);
  if (whole.is_bounded) {
    box.low = whole.low;
    box.high = whole.high;
  }
  const GapGrid<dim> grid(surface, box, whole.is_flat ? 1 : dim == 2 ? 240 : 40);
  typename GapGrid<dim>::Index cell{};
  do
    add_cell_pieces<dim>(grid, cell, pieces);
  while (GapGrid<dim>::next(cell, grid.n));
  return pieces;
}

template <int dim>
Ground<dim>::Ground(const std::string &directory, const Boundary<dim> &boundary,
                    std::size_t n_instants)
    : file(directory + "/" + ground_name), boxes(n_instants) {
  for (unsigned int i = 0; i < boundary.pairs.size(); ++i)
    if (const Surface<dim> *const surface = boundary.pairs[i].surface())
      surfaces.push_back({i, *surface});
  if (n_instants > 0 && !surfaces.empty())
    read_instants();
}

/// Reads the boxes and placements of the instants in the file. A missing file, or a file without
/// them, is no error: pictures of the ground then cover later instants only.
template <int dim>
void Ground<dim>::read_instants() {
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  vtkFieldData *fields = nullptr;
  if (std::filesystem::exists(file)) {
    reader->SetFileName(file.c_str());
    reader->Update();
    fields = reader->GetOutput()->GetFieldData();
  }
  const auto read = [&](const std::string &name, int n_components, std::size_t n) {
    auto *const array = fields != nullptr ? fields->GetArray(name.c_str()) : nullptr;
    const bool fits = array != nullptr && array->GetNumberOfComponents() == n_components &&
                      array->GetNumberOfTuples() >= static_cast<vtkIdType>(n);
    return fits ? array : nullptr;
  };
  auto *const ends = read("box", 3, 2 * boxes.size());
  for (std::size_t i = 0; ends != nullptr && i < boxes.size(); ++i)
    for (unsigned int d = 0; d < dim; ++d) {
      const auto first = static_cast<vtkIdType>(2 * i);
      boxes[i].low[d] = ends->GetComponent(first, static_cast<int>(d));
      boxes[i].high[d] = ends->GetComponent(first + 1, static_cast<int>(d));
    }
  for (PlacedSurface &placed_surface : surfaces) {
    const std::string pair = std::to_string(placed_surface.pair);
    auto *const displacements = read("displacement-" + pair, 3, boxes.size());
    auto *const rotations = read("rotation-" + pair, 9, boxes.size());
    placed_surface.placements.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (unsigned int d = 0; d < dim; ++d) {
        Placement &placement = placed_surface.placements[i];
        const auto tuple = static_cast<vtkIdType>(i);
        placement.displacement[d] =
            displacements ? displacements->GetComponent(tuple, static_cast<int>(d)) : 0.;
        for (unsigned int e = 0; e < dim; ++e)
          placement.rotation[d][e] =
              rotations ? rotations->GetComponent(tuple, static_cast<int>(3 * d + e))
                        : double(d == e);
      }
  }
}

template <int dim>
void Ground<dim>::add(const Box<dim> &bodies, double time) {
  boxes.push_back(bodies);
  for (PlacedSurface &placed_surface : surfaces) {
    const Surface<dim> &surface = placed_surface.surface;
    const SurfacePose<dim> current = pose(surface, time); // signals have their present values
    Placement placement;
    placement.displacement = placed(surface, current, dealii::Point<dim>());
    for (unsigned int d = 0; d < dim; ++d) {
      const dealii::Tensor<1, dim> column =
          turned<dim>(surface, current.angle, dealii::Point<dim>::unit_vector(d));
      for (unsigned int row = 0; row < dim; ++row)
        placement.rotation[row][d] = column[row];
    }
    placed_surface.placements.push_back(placement);
  }
}

namespace {

/// Returns a box around a point of the surface near another box, and as large as it; an empty box
/// if no such point is found.
template <int dim>
Box<dim> box_of_foot(const Surface<dim> &surface, const Box<dim> &box) {
  constexpr unsigned int max_projections = 20; // of level sets, whose gap is no distance
  constexpr double tolerance = 1e-6;
  const double size = box.low.distance(box.high);
  dealii::Point<dim> foot = box.low + 0.5 * (box.high - box.low);
  Box<dim> around;
  for (unsigned int k = 0; k < max_projections && around.is_empty(); ++k) {
    Gap<dim> found;
    try {
      found = gap(surface, foot);
    } catch (const RunError &) { // the formula has no gradient there
      return around;
    }
    if (!std::isfinite(found.distance) || !std::isfinite(found.normal.norm_square()))
      return around;
    foot -= found.distance * found.normal;
    if (std::abs(found.distance) <= tolerance * size)
      for (const double side : {-0.5, 0.5}) {
        dealii::Point<dim> corner;
        for (unsigned int d = 0; d < dim; ++d)
          corner[d] = foot[d] + side * size;
        around.include(corner);
      }
  }
  return around;
}

/// Returns the pieces of a surface in a box. If none is there, the pieces near the box: a file
/// without cells is no mesh to some readers.
template <int dim>
std::vector<SurfacePiece<dim>> nearest_pieces(const Surface<dim> &surface, const Box<dim> &box) {
  if (box.is_empty())
    return {};
  std::vector<SurfacePiece<dim>> pieces = surface_pieces(surface, box);
  if (pieces.empty()) {
    const NoFloatingPointTraps no_traps;
    if (const Box<dim> around = box_of_foot(surface, box); !around.is_empty())
      pieces = surface_pieces(surface, around);
  }
  return pieces;
}

} // namespace

/// Returns the box of pictures of a surface: the boxes of the bodies at all instants, seen from
/// the surface, and a margin; empty if there are no bodies yet.
template <int dim>
Box<dim> Ground<dim>::picture_box(const PlacedSurface &placed_surface) const {
  Box<dim> all;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Placement &placement = placed_surface.placements[i];
    for (unsigned int corner = 0; !boxes[i].is_empty() && corner < 1u << dim; ++corner) {
      dealii::Point<dim> x = boxes[i].low;
      for (unsigned int d = 0; d < dim; ++d)
        if ((corner >> d & 1u) != 0)
          x[d] = boxes[i].high[d];
      all.include(dealii::Point<dim>(transpose(placement.rotation) * (x - placement.displacement)));
    }
  }
  if (all.is_empty())
    return all;
  double size = 0;
  for (unsigned int d = 0; d < dim; ++d)
    size = std::max(size, all.high[d] - all.low[d]);
  for (unsigned int d = 0; d < dim; ++d) { // pictures in 2D show more around the bodies
    all.low[d] -= (dim == 2 ? 1. : 0.4) * size;
    all.high[d] += (dim == 2 ? 1. : 0.4) * size;
  }
  return all;
}

namespace {

/// Adds the motion of a surface to the field data: its displacements and, if it turns, its
/// rotations row by row.
template <int dim, typename Placements>
void add_motion(vtkUnstructuredGrid *grid, const std::string &pair, const Placements &placements,
                bool turns) {
  vtkDoubleArray *const displacements =
      add_vectors(grid, "displacement-" + pair, placements.size());
  vtkNew<vtkDoubleArray> rotations;
  rotations->SetName(("rotation-" + pair).c_str());
  rotations->SetNumberOfComponents(9);
  for (std::size_t i = 0; i < placements.size(); ++i) {
    set_tuple<dim>(displacements, i, placements[i].displacement);
    std::array<double, 9> rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (unsigned int d = 0; d < dim; ++d)
      for (unsigned int e = 0; e < dim; ++e)
        rotation[3 * d + e] = placements[i].rotation[d][e];
    rotations->InsertNextTuple(rotation.data());
  }
  if (turns)
    grid->GetFieldData()->AddArray(rotations);
}

} // namespace

template <int dim>
void Ground<dim>::write(const std::vector<double> &instants) {
  if (surfaces.empty() || instants.size() == n_written)
    return;
  vtkNew<vtkUnstructuredGrid> grid;
  vtkNew<vtkIntArray> pairs;
  pairs->SetName("pair");
  vtkNew<vtkDoubleArray> times;
  times->SetName("instants");
  for (const double t : instants)
    times->InsertNextValue(t);
  grid->GetFieldData()->AddArray(times);
  vtkDoubleArray *const ends = add_vectors(grid, "box", 2 * boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    set_tuple<dim>(ends, 2 * i, boxes[i].low);
    set_tuple<dim>(ends, 2 * i + 1, boxes[i].high);
  }
  std::vector<dealii::Point<dim>> points;
  for (const PlacedSurface &placed_surface : surfaces) {
    const auto pieces = nearest_pieces(placed_surface.surface, picture_box(placed_surface));
    for (const SurfacePiece<dim> &piece : pieces) {
      points.insert(points.end(), piece.begin(), piece.end());
      pairs->InsertNextValue(static_cast<int>(placed_surface.pair));
    }
    add_motion<dim>(grid, std::to_string(placed_surface.pair), placed_surface.placements,
                    placed_surface.surface.turn.has_value());
  }
  if (points.empty())
    return;
  grid->SetPoints(make_points(points));
  const auto n_points = static_cast<vtkIdType>(points.size());
  grid->AllocateExact(n_points / dim, n_points);
  for (vtkIdType first = 0; first < n_points; first += dim) {
    const vtkIdType corners[] = {first, first + 1, first + 2};
    grid->InsertNextCell(dim == 2 ? VTK_LINE : VTK_TRIANGLE, dim, corners);
  }
  grid->GetCellData()->AddArray(pairs);
  written = write_vtu(file, grid);
  n_written = instants.size();
}

template struct Box<2>;
template std::vector<SurfacePiece<2>> surface_pieces<2>(const Surface<2> &, Box<2>);
template class Ground<2>;
template struct Box<3>;
template std::vector<SurfacePiece<3>> surface_pieces<3>(const Surface<3> &, Box<3>);
template class Ground<3>;

} // namespace percussion
