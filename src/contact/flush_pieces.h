// Convex pieces of rigid bodies that continue each other's faces.

#pragma once

#include <percussion/contact/polygons.h>
#include <percussion/contact/polyhedra.h>

#include <vector>

namespace percussion {

template <int dim>
struct Search;

/// Convex piece of a rigid body.
struct PieceIndex {
  unsigned int body, piece;
};

/// Piece of the same or another body that continues a face of a piece.
template <int dim>
struct FlushNeighbour {
  unsigned int piece, face;      ///< piece and its face
  dealii::Tensor<1, dim> normal; ///< outward unit normal of the face
  PieceIndex neighbour;
};

/// Flush neighbours of all pieces in one configuration.
template <int dim>
class FlushPieces {
public:
  /// Finds the neighbours of the placed bodies. Only bodies whose boxes touch are compared.
  void find(const Search<dim> &search);

  /// Returns the neighbours of all pieces of a body; most bodies have none.
  const std::vector<FlushNeighbour<dim>> &neighbours(unsigned int body) const {
    return neighbour_lists[body];
  }
  /// True if a body has a flush neighbour, or flush pieces.
  bool has_neighbours(unsigned int body) const { return !neighbour_lists[body].empty(); }

private:
  void compare(const Search<dim> &search, unsigned int a, unsigned int b);
  void add(const Search<dim> &search, PieceIndex a, PieceIndex b, double tolerance);
  void add_own_pieces(const Search<dim> &search, unsigned int body);

  std::vector<std::vector<FlushNeighbour<dim>>> neighbour_lists; ///< by body
  /// Neighbours among the pieces of each body, which do not change.
  std::vector<std::vector<FlushNeighbour<dim>>> own_pieces;
  std::vector<unsigned int> filled; ///< bodies with neighbours
};

/// Seams of two pieces, or of a piece, the second, and a node.
template <int dim>
class SeamsOfPair : public SeamTest<dim> {
public:
  /// Stores references. `pair` is the contact pair.
  SeamsOfPair(const Search<dim> &search_data, unsigned int pair, PieceIndex first,
              PieceIndex second)
      : search(search_data), contact_pair(pair), pieces{first, second} {}
  SeamsOfPair(const Search<dim> &search_data, unsigned int pair,
              const std::vector<dealii::Point<dim>> &node_position, PieceIndex second)
      : search(search_data), contact_pair(pair), pieces{PieceIndex{}, second},
        node(&node_position) {}

  void add_continued_faces(bool is_first, const dealii::Point<dim> &foot,
                           const dealii::Tensor<1, dim> &outward,
                           FaceIndices &faces) const override;

private:
  bool may_touch(unsigned int body) const;
  bool is_covered(const FlushNeighbour<dim> &flush,
                  const std::vector<dealii::Point<dim>> &opposite_vertices,
                  const dealii::Point<dim> &foot, const dealii::Tensor<1, dim> &outward,
                  double tolerance) const;

  const Search<dim> &search;
  unsigned int contact_pair;
  std::array<PieceIndex, 2> pieces;
  const std::vector<dealii::Point<dim>> *node = nullptr; ///< position of the node
};

} // namespace percussion
