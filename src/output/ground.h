#pragma once

#include <percussion/base/checksum.h>
#include <percussion/contact/boundary.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace percussion {

/// Axis-parallel box; empty at first.
template <int dim>
struct Box {
  dealii::Point<dim> low, high;

  Box();
  void include(const dealii::Point<dim> &x);
  bool is_empty() const { return low[0] > high[0]; }
};

/// Line (2D) or triangle (3D) of a surface. The normal to its left, or by the right-hand rule,
/// points to the admissible side.
template <int dim>
using SurfacePiece = std::array<dealii::Point<dim>, dim>;

/// Returns the pieces of the undisplaced surface in a box, or of the whole surface if it is
/// bounded.
template <int dim>
std::vector<SurfacePiece<dim>> surface_pieces(const Surface<dim> &surface, Box<dim> box);

/// The file `ground.vtu` with the surfaces of the contacts, for pictures: lines or triangles
/// without the motion of the surface, with the cell data `pair`, the index of the contact. Field
/// data: `instants` [time]; `box`, the lowest and the highest coordinates of all bodies at each
/// instant; and of each surface `displacement-PAIR`, its displacements at the instants. Surfaces
/// without bounds cover these boxes, seen from the surface, and a margin; if they are farther away,
/// the file has a part of them near the boxes.
template <int dim>
class Ground {
public:
  /// Continues after this number of instants, whose boxes are in the file.
  Ground(const std::string &directory, const Boundary<dim> &boundary, std::size_t n_instants);

  bool is_empty() const { return surfaces.empty(); }

  /// Adds an instant, with the box of the bodies.
  void add(const Box<dim> &bodies, double time);

  /// Writes the file with all instants, unless there are no surfaces, no bodies yet or no new
  /// instants. Throws WriteError.
  void write(const std::vector<double> &instants);

  /// Returns the checksum of the file; no value before the first writing.
  const std::optional<FileSum> &sum() const { return written; }

private:
  /// Motion x = R X + b of a surface to its place at an instant.
  struct Placement {
    dealii::Tensor<1, dim> displacement; ///< b
    dealii::Tensor<2, dim> rotation;     ///< R
  };
  struct PlacedSurface {
    unsigned int pair;
    const Surface<dim> &surface;
    std::vector<Placement> placements{}; ///< at each instant
  };
  void read_instants();
  Box<dim> picture_box(const PlacedSurface &surface) const;

  std::string file;
  std::vector<PlacedSurface> surfaces;
  std::vector<Box<dim>> boxes; ///< box of the bodies at each instant
  std::size_t n_written = 0;   ///< number of instants in the file; 0 before the first writing
  std::optional<FileSum> written;
};

} // namespace percussion
