#pragma once

#include <percussion/contact/boundary.h>

#include <array>
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
/// data: `instants` [time], and of each surface `displacement-PAIR`, its displacements at these
/// instants, and `box-PAIR`, the box of all bodies at these instants, seen from the surface: its
/// lowest and highest coordinates. Surfaces without bounds cover this box and a margin.
template <int dim>
class Ground {
public:
  /// Reads the boxes of the file if the run has earlier instants.
  Ground(const std::string &directory, const Boundary<dim> &boundary, bool has_earlier_instants);

  /// Adds the positions of the bodies at an instant.
  void add(double time, const Box<dim> &bodies);

  /// Writes the file with all instants, unless there are no surfaces. Throws WriteError.
  void write(const std::vector<double> &instants) const;

private:
  struct PlacedSurface {
    unsigned int pair;
    const Surface<dim> &surface;
    Box<dim> bodies; ///< box of the bodies at all instants, seen from the surface
  };
  void read_boxes();

  std::string file;
  std::vector<PlacedSurface> surfaces;
};

} // namespace percussion
